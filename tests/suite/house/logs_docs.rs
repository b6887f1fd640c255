//! Every log message in the table of `docs/operations.md` is in the sources. Every log message that the documents quote
//! after `logs`, `log says` or `log has` is in the sources, too.

use std::{
    fs,
    path::{Path, PathBuf},
};

use regex::Regex;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

/// Returns the path and the text of every file in a folder that has this extension.
fn texts(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    collect(&root().join(folder), extension, &mut found);
    found.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Returns the text of the sources. A string literal that is continued on further lines is joined into one line.
fn sources() -> String {
    let continued = Regex::new(r"\\\n\s*").unwrap();
    texts("src", "rs").iter().map(|(_, text)| continued.replace_all(text, "").into_owned()).collect()
}

/// Returns whether `message` is a string literal of the sources. If `message` ends with `…`, returns whether a literal
/// begins with the text before the `…`.
fn is_logged(sources: &str, message: &str) -> bool {
    match message.strip_suffix('…') {
        Some(beginning) => sources.contains(&format!("\"{beginning}")),
        None => sources.contains(&format!("\"{message}\"")),
    }
}

fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn every_log_message_of_the_table_is_in_the_sources() {
    let (page, sources) = (fs::read_to_string(root().join("docs/operations.md")).unwrap(), sources());
    let (_, table) = page.split_once("| Message | Level |").expect("a table of log messages");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let messages: Vec<_> = rows.flat_map(|row| spans(row.split('|').nth(1).unwrap())).collect();
    assert!(messages.len() > 10, "only these messages were found: {messages:?}");
    for message in messages {
        assert!(is_logged(&sources, message), "docs/operations.md: no log message is {message:?}");
    }
}

#[test]
fn every_log_message_in_the_prose_is_in_the_sources() {
    let (quoted, space, sources) = (
        Regex::new(r"\b(?:logs|log says|log has) `([^`]+)`").unwrap(),
        Regex::new(r"\s+").unwrap(),
        sources(),
    );
    let mut count = 0;
    for (path, text) in texts("docs", "md") {
        for found in quoted.captures_iter(&space.replace_all(&text, " ")) {
            count += 1;
            assert!(is_logged(&sources, &found[1]), "{}: no log message is {:?}", path.display(), &found[1]);
        }
    }
    assert!(count >= 5, "only {count} messages were found");
}
