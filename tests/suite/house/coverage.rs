//! Which requirement lines a test names. The list of those that none names may only shrink.

use std::{collections::BTreeSet, fs, path::Path};

/// The bot API's lines.
const LINES: std::ops::RangeInclusive<u32> = 1..=471;

const UNCOVERED: &str = include_str!("uncovered.txt");

#[test]
fn every_requirement_is_named_by_a_test() {
    compare("B-", LINES);
}

/// The assistant server's lines.
#[test]
fn every_requirement_of_connections_is_named_by_a_test() {
    compare("A-", 1..=329);
}

fn compare(prefix: &str, lines: impl Iterator<Item = u32>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named = BTreeSet::new();
    for folder in ["tests", "src"] {
        collect(&root.join(folder), folder == "src", prefix, &mut named);
    }
    let missing: BTreeSet<u32> = lines.filter(|line| !named.contains(line)).collect();
    let known: BTreeSet<u32> =
        UNCOVERED.lines().filter_map(|line| line.strip_prefix(prefix)?.get(..3)?.parse().ok()).collect();
    let new: Vec<_> = missing.difference(&known).collect();
    let done: Vec<_> = known.difference(&missing).collect();
    assert!(new.is_empty(), "no test names these lines: {new:?}");
    assert!(done.is_empty(), "named by a test now, so take them off uncovered.txt: {done:?}");
}

/// `B-127` in test code, but for the first lines of files, which tell what is in them, and for this file. Of a range such
/// as `B-116 … B-121` only the ends count: what lies between needs its own name beside its own assertion.
fn collect(folder: &Path, only_tests: bool, prefix: &str, named: &mut BTreeSet<u32>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, only_tests, prefix, named);
            continue;
        }
        let is_this_file = path.ends_with("house/coverage.rs");
        if is_this_file || path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // wherever the repository lies
        let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap();
        let is_test_file = inside.components().any(|part| part.as_os_str() == "tests");
        let tests = match text.split_once("#[cfg(test)]") {
            _ if !only_tests || is_test_file => text.as_str(),
            Some((_, tests)) => tests,
            None => continue,
        };
        // what a file is about stands above it; what is proved, beside the assertion
        for line in tests.lines().filter(|line| !line.trim_start().starts_with("//!")) {
            for (at, _) in line.match_indices(prefix) {
                named.extend(line.get(at + 2..at + 5).and_then(|digits| digits.parse::<u32>().ok()));
            }
        }
    }
}
