//! Compares generated texts with the committed files. The unit tests of the library include this module as well.

use std::path::Path;

/// Compares `text` with the committed file. If `BLESS` is set in the environment, first writes `text` to the file.
#[expect(clippy::disallowed_methods, reason = "tests rewrite files if an environment variable is set")]
pub fn assert_committed(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(committed == text, "{file} is stale: run `just bless` and commit the change");
}
