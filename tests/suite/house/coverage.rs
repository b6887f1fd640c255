//! The number of every requirement of the bot API and of the assistant server is in a test that can fail. `markers.rs`
//! describes which tests can fail. The exceptions are in `uncovered.txt`, a list that may only shrink.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

use super::{markers::Tests, rust_text};

/// The letters with which requirement numbers of the bot API and of the assistant server begin.
const LISTS: [char; 2] = ['B', 'A'];

const UNCOVERED: &str = include_str!("uncovered.txt");

#[test]
fn every_requirement_has_a_test() {
    let counted = read().counted();
    for list in LISTS {
        let defined = defined(list);
        assert!(defined.len() > 300, "only {} requirements of {list} were found", defined.len());
        let missing: BTreeSet<u32> =
            defined.into_iter().filter(|number| !counted.contains(&(list, *number))).collect();
        let known: BTreeSet<u32> =
            UNCOVERED.lines().filter_map(|line| line.strip_prefix(list)?.get(1..4)?.parse().ok()).collect();
        let new: Vec<_> = missing.difference(&known).collect();
        let done: Vec<_> = known.difference(&missing).collect();
        assert!(new.is_empty(), "requirements of {list} without a test that can fail: {new:?}");
        assert!(
            done.is_empty(),
            "requirements of {list} that have a test; remove them from uncovered.txt: {done:?}"
        );
    }
}

/// A decision (`D-`) or a requirement of the admin API (`W-`) needs no test. But if its number is in test code, the
/// number must be in at least one test that can fail.
#[test]
fn every_number_in_test_code_is_in_a_test_that_can_fail() {
    let tests = read();
    let counted = tests.counted();
    let idle: Vec<(String, &str)> = tests
        .named
        .iter()
        .filter(|(marker, _)| !counted.contains(marker))
        .map(|((list, number), file)| {
            let width = if *list == 'W' { 2 } else { 3 };
            (format!("{list}-{number:0width$}"), file.as_str())
        })
        .collect();
    assert!(idle.is_empty(), "these numbers are in no test that can fail: {idle:#?}");
}

/// Returns the numbers that `docs/contract/` defines for one letter, such as `B`.
fn defined(list: char) -> BTreeSet<u32> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/contract");
    let pages = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let texts: Vec<String> = pages.map(|page| fs::read_to_string(page).expect("UTF-8")).collect();
    let anchor = format!("- <a id=\"{}-", list.to_ascii_lowercase());
    let lines = texts.iter().flat_map(|text| text.lines());
    let numbers = lines.filter_map(|line| line.strip_prefix(&anchor)?.get(..3)?.parse().ok());
    numbers.collect()
}

/// Reads the test code of the repository.
fn read() -> Tests {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests", "src"] {
        collect(&root.join(folder), &mut files);
    }
    let mut texts = Vec::new();
    for path in files {
        // relative to the repository, because the repository itself may be in a folder named `tests`
        let inside = path.strip_prefix(root).expect("inside the repository").to_owned();
        let text = fs::read_to_string(&path).expect("UTF-8");
        let is_test_file =
            inside.components().any(|part| part.as_os_str() == "tests") || inside.ends_with("tests.rs");
        let test_code = if is_test_file { text } else { rust_text::test_modules(&text) };
        texts.push((inside.display().to_string(), test_code));
    }
    let mut tests = Tests::default();
    texts.iter().for_each(|(path, text)| tests.read(path, text));
    tests
}

/// Adds the Rust files below a folder, except the files that implement this search, because the numbers in their
/// examples do not count.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let is_of_search = ["coverage.rs", "markers.rs", "numbers.rs", "rust_text.rs"]
            .iter()
            .any(|name| path.ends_with(Path::new("house").join(name)));
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_of_search {
            files.push(path);
        }
    }
    files.sort();
}
