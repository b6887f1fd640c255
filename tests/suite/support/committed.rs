//! For tests: generated pages under `docs/` must equal the committed files.

/// Compares `page` with the committed file; with `BLESS=1` in the environment, writes the file
/// instead.
#[expect(clippy::disallowed_methods, reason = "tests rewrite files if an environment variable is set")]
pub(crate) fn assert_committed(file: &str, page: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == page, "{file} is stale: run the test with BLESS=1 and commit the change");
}
