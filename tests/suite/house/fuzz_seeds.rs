//! The source files from which `fuzz/seeds.py` extracts texts exist and have unit tests. The script itself would report
//! a missing file only in CI, after a long build.

use std::{fs, path::Path};

#[test]
fn the_seeds_of_fuzzing_are_taken_from_sources_with_unit_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let script = fs::read_to_string(root.join("fuzz/seeds.py")).unwrap();
    let named: Vec<&str> = script.split('"').filter(|text| text.ends_with(".rs")).collect();
    let read = |name: &&str| fs::read_to_string(root.join("src").join(name)).unwrap_or_default();
    let without: Vec<&str> = named
        .iter()
        .copied()
        .filter(|name| !name.contains('{') && !read(name).contains("#[cfg(test)]"))
        .collect();
    assert!(
        named.len() > 15,
        "this test finds the file names in fuzz/seeds.py as quoted texts that end with `.rs`, but found only {}",
        named.len()
    );
    assert!(
        without.is_empty(),
        "fuzz/seeds.py takes seeds from unit tests, but these files of src/ have none: {without:?}"
    );
}
