//! `docs/security.md` is written by hand. For each threat the page names a defence and at least one test. Every test
//! that the page names exists, and so does every target of its links.

use std::{fs, path::Path};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("docs/security.md")).unwrap()
}

/// Returns the code spans of the form `file.rs::function`, which name a test, as pairs of file and function.
fn named_tests(text: &str) -> Vec<(&str, &str)> {
    let spans = text.split('`').skip(1).step_by(2);
    let pairs = spans.filter_map(|span| span.split_once("::"));
    pairs.filter(|(file, _)| Path::new(file).extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns whether a source file has a function of this name, with an attribute that makes the function a test.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().collect();
    let signature = format!("fn {name}(");
    let Some(at) = lines.iter().position(|line| line.contains(&signature)) else { return false };
    let above = lines[..at].iter().rev().map(|line| line.trim_start());
    let mut attributes = above.take_while(|line| line.starts_with("#[") || line.starts_with("//"));
    attributes
        .any(|line| ["#[test]", "#[tokio::test", "#[both_engines]"].iter().any(|test| line.starts_with(test)))
}

/// Returns the rows of every table whose first column is "Threat".
fn threats(page: &str) -> Vec<Vec<&str>> {
    let mut rows = Vec::new();
    let mut is_in_table = false;
    for line in page.lines() {
        if line.starts_with("| Threat |") {
            is_in_table = true;
        } else if !line.starts_with('|') {
            is_in_table = false;
        } else if is_in_table && !line.starts_with("|-") {
            rows.push(line.trim_matches('|').split('|').map(str::trim).collect());
        }
    }
    rows
}

#[test]
fn every_test_that_the_page_names_exists() {
    let page = page();
    let named = named_tests(&page);
    assert!(named.len() > 100, "only {} tests were found on the page", named.len());
    for (file, name) in named {
        let source = fs::read_to_string(root().join(file)).unwrap_or_default();
        assert!(has_test(&source, name), "docs/security.md names a test that does not exist: {file}::{name}");
    }
}

#[test]
fn every_threat_has_a_defence_and_a_test() {
    let page = page();
    let rows = threats(&page);
    assert!(rows.len() > 50, "only {} threats were found on the page", rows.len());
    for row in rows {
        let [threat, defence, tests] = row[..] else { panic!("a row does not have three columns: {row:?}") };
        assert!(!threat.is_empty() && !defence.is_empty(), "a threat or its defence is empty: {row:?}");
        assert!(!named_tests(tests).is_empty(), "this threat has no test: {threat}");
    }
}

#[test]
fn the_links_of_the_page_are_valid() {
    let page = page();
    let links: Vec<_> = page.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap()).collect();
    assert!(links.len() > 3, "only these links were found on the page: {links:?}");
    for link in links {
        assert!(root().join("docs").join(link).exists(), "the target of this link does not exist: {link}");
    }
}

#[test]
fn only_functions_with_a_test_attribute_are_tests() {
    let source = "fn helper() {}\n\n#[test]\nfn plain() { helper(); }\n\n\
                  /// Why.\n#[tokio::test(flavor = \"multi_thread\")]\n// B-001\nasync fn with_a_runtime() {}\n\n\
                  #[both_engines]\nasync fn on_engines(server: Server) {\n}\n\nasync fn after(it: It) {}\n";
    for test in ["plain", "with_a_runtime", "on_engines"] {
        assert!(has_test(source, test), "{test} must count as a test");
    }
    for other in ["helper", "after", "unknown", "run"] {
        assert!(!has_test(source, other), "{other} must not count as a test");
    }
    assert_eq!(named_tests("`a/b.rs::c`, `x::y`, `it` and d.rs::e"), [("a/b.rs", "c")]);
}
