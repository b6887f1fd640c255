//! The numbers of requirements, decisions and admin operations (`B-127`, `A-250`, `D-053`, `W-26`). Each number in a
//! file of [`CHECKED`] is defined exactly once in `docs/contract/`, with an anchor. A message or a comment with a
//! number also has words.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use super::rust_text;

/// The folders and files in which numbers are checked. `fuzz/corpus` is left out, because it has arbitrary bytes.
const CHECKED: [&str; 23] = [
    "src",
    "tests",
    "clients",
    "codegen",
    "benches",
    "docs",
    "openapi",
    "examples",
    "migrations",
    "templates",
    "fuzz/fuzz_targets",
    "fuzz/src",
    "fuzz/seeds.py",
    "assets",
    "packaging",
    "scripts",
    ".ci",
    "justfile",
    "build.rs",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
];

/// Names of folders that are left out: dependencies and compiled files of the JavaScript and Python tests.
const FOREIGN: [&str; 3] = ["node_modules", ".venv", "__pycache__"];

/// Files that are left out, because their own tests contain numbers that do not exist.
const NOT_CHECKED: [&str; 2] = ["tests/suite/house/numbers.rs", "tests/suite/house/markers.rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Adds every text file below `path`, as its path relative to the repository and its text.
fn texts(path: &Path, found: &mut Vec<(PathBuf, String)>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            let entry = entry.unwrap();
            if FOREIGN.iter().all(|name| entry.file_name() != *name) {
                texts(&entry.path(), found);
            }
        }
    } else if let Ok(text) = fs::read_to_string(path) {
        found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
    }
}

fn checked() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for path in CHECKED {
        texts(&root().join(path), &mut found);
    }
    found.retain(|(path, _)| !NOT_CHECKED.iter().any(|file| path == Path::new(file)));
    found
}

/// Returns whether `text` is a well-formed number, such as `B-901` or `W-91`.
fn is_number(text: &str) -> bool {
    let Some((kind, digits)) = text.split_once('-') else { return false };
    let length = match kind {
        "A" | "B" | "D" => 3,
        "W" => 2,
        _ => return false,
    };
    digits.len() == length && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns everything in a line that looks like a number, such as `B-901`, even if it is malformed, such as `B-90` or
/// `B-901a`. The second text of each pair is the rest of the line.
fn named(line: &str) -> Vec<(&str, &str)> {
    let starts = line.match_indices('-').map(|(dash, _)| dash).filter(|dash| {
        let before = line.as_bytes()[..*dash].last_chunk::<2>().copied();
        let (edge, kind) = before.map_or((b' ', line.as_bytes()[dash.saturating_sub(1)]), |[e, k]| (e, k));
        matches!(kind, b'A' | b'B' | b'D' | b'W')
            && !edge.is_ascii_alphanumeric()
            && !matches!(edge, b'-' | b'_' | b'/' | b'%')
            && line.as_bytes().get(dash + 1).is_some_and(u8::is_ascii_digit)
    });
    let names = starts.map(|dash| {
        let end = line[dash + 1..]
            .find(|c: char| !c.is_ascii_alphanumeric())
            .map_or(line.len(), |at| dash + 1 + at);
        (&line[dash - 1..end], &line[end..])
    });
    names.collect()
}

/// Returns the last number of a range. `rest` is the text after the first number of the range. For ` … B-909`, `…B-909`
/// and ` to B-909` the last number is `B-909`. Returns `None` if `rest` does not continue a range.
fn range_end(rest: &str) -> Option<&str> {
    let rest = rest.trim_start();
    let rest = ["…", "–", "to "].iter().find_map(|sign| rest.strip_prefix(sign))?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|end| is_number(end))
}

/// Returns every number in a line. For a range this includes the numbers between its ends.
fn numbers(line: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (first, rest) in named(line) {
        found.insert(first.to_owned());
        let Some(last) = range_end(rest).filter(|last| is_number(first) && last[..1] == first[..1]) else {
            continue;
        };
        let [from, to] = [first, last].map(|number| number[2..].parse::<u32>().unwrap());
        let width = first.len() - 2;
        found.extend((from..=to).map(|number| format!("{}-{number:0width$}", &first[..1])));
    }
    found
}

/// Returns the number that a line of `docs/contract/` defines. If the definition is malformed, returns the line as the
/// error. Returns `None` for a line that neither has an anchor nor begins an entry.
fn definition(line: &str) -> Option<Result<&str, String>> {
    if !line.contains("<a ") && !line.trim_start().starts_with("- **") {
        return None;
    }
    let parts = || {
        let (anchor, rest) = line.strip_prefix("- <a id=\"")?.split_once("\"></a>**")?;
        let (number, sentence) = rest.split_once("** ")?;
        let is_right = is_number(number) && anchor == number.to_lowercase() && !sentence.contains("<a ");
        is_right.then_some(number)
    };
    Some(parts().ok_or_else(|| line.to_owned()))
}

/// Returns the texts of the pages of the contract, by file name. `README.md` is left out, because it defines no number.
fn pages() -> BTreeMap<String, String> {
    let mut found = Vec::new();
    texts(&root().join("docs/contract"), &mut found);
    let named =
        found.into_iter().map(|(path, text)| (path.file_name().unwrap().to_str().unwrap().to_owned(), text));
    named.filter(|(page, _)| page != "README.md").collect()
}

/// Returns every number, with the page that defines it.
///
/// # Panics
/// If an anchor is malformed or a number is defined twice.
pub fn definitions() -> BTreeMap<String, String> {
    let mut defined = BTreeMap::new();
    for (page, text) in pages() {
        for number in text.lines().filter_map(definition) {
            let number =
                number.unwrap_or_else(|line| panic!("docs/contract/{page}: malformed anchor: {line}"));
            if let Some(other) = defined.insert(number.to_owned(), page.clone()) {
                panic!("{number} is defined twice, in docs/contract/{other} and docs/contract/{page}");
            }
        }
    }
    defined
}

#[test]
fn every_number_that_a_file_names_is_defined_once_in_the_contract() {
    let defined = definitions();
    let mut undefined = Vec::new();
    let mut count = 0;
    for (path, text) in checked() {
        for (at, line) in text.lines().enumerate() {
            let numbers = numbers(line);
            count += numbers.len();
            let unknown = numbers.iter().filter(|number| !defined.contains_key(*number));
            undefined.extend(unknown.map(|number| format!("{}:{}: {number}", path.display(), at + 1)));
        }
    }
    assert!(count > 3_000, "only {count} numbers were found");
    assert!(undefined.is_empty(), "not defined in docs/contract/:\n{}", undefined.join("\n"));
}

/// Returns the links of a page, as pairs of text and target.
fn links(text: &str) -> Vec<(&str, &str)> {
    let pairs = text.match_indices("](").map(|(at, _)| {
        let shown = text[..at].rsplit('[').next().unwrap();
        (shown, text[at + 2..].split(')').next().unwrap())
    });
    pairs.collect()
}

#[test]
fn links_between_the_pages_lead_to_the_number_they_show() {
    let defined = definitions();
    let mut count = 0;
    for (page, text) in pages() {
        for (number, target) in links(&text).into_iter().filter(|(shown, _)| is_number(shown)) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { &page } else { file };
            let leads_to = (file, anchor);
            let should = (defined[number].as_str(), &*number.to_lowercase());
            assert_eq!(
                leads_to, should,
                "docs/contract/{page}: the link of {number} leads to its definition"
            );
            count += 1;
        }
    }
    assert!(count > 200, "only {count} links were found");
}

#[test]
fn the_page_about_the_numbers_lists_every_page() {
    let about = fs::read_to_string(root().join("docs/contract/README.md")).unwrap();
    for page in pages().keys() {
        assert!(about.contains(&format!("({page})")), "docs/contract/README.md does not link {page}");
    }
}

/// Returns whether a message has at least one number and no words besides placeholders, such as `B-901, B-902: {body}`.
fn is_bare(message: &str) -> bool {
    let values = message.split('{').enumerate();
    let text = values
        .map(|(at, part)| if at == 0 { part } else { part.split_once('}').map_or("", |(_, rest)| rest) });
    let text = text.collect::<Vec<_>>().join(" ");
    let words =
        text.split(|c: char| c.is_whitespace() || ",;:()….–".contains(c)).filter(|word| !word.is_empty());
    let words: Vec<_> = words.filter(|word| !["and", "to"].contains(word)).collect();
    !words.is_empty() && words.iter().all(|word| is_number(word))
}

#[test]
fn messages_say_the_rule_beside_its_number() {
    let mut bare = Vec::new();
    let sources = checked().into_iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "rs"));
    for (path, text) in sources {
        for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")) {
            let messages = line.split('"').skip(1).step_by(2);
            bare.extend(
                messages
                    .filter(|text| is_bare(text))
                    .map(|text| format!("{}:{}: {text}", path.display(), at + 1)),
            );
        }
    }
    assert!(bare.is_empty(), "these messages have a number without its rule in words:\n{}", bare.join("\n"));
}

/// Returns the comments of Rust code, with the line of each, counted from 1. Consecutive lines that have only a comment
/// are one comment.
fn comments(text: &str) -> Vec<(usize, String)> {
    let code = rust_text::code(text);
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut is_continued = false;
    for (at, (line, code)) in text.split('\n').zip(code.split('\n')).enumerate() {
        let mut begins = line.match_indices("//").map(|(begin, _)| begin);
        // In `code`, spaces replace comments and literals. So from the `//` of a comment on, the line has only spaces
        // in `code`. A `//` in a literal is taken for a comment too if no code follows the literal on the line.
        let begin = begins.find(|begin| code.get(*begin..).is_some_and(|rest| rest.trim().is_empty()));
        let Some(begin) = begin else {
            is_continued = false;
            continue;
        };
        let comment = line[begin..].trim_start_matches(['/', '!']);
        let is_alone = line[..begin].trim().is_empty();
        match found.last_mut().filter(|_| is_alone && is_continued) {
            Some((_, text)) => text.push_str(comment),
            None => found.push((at + 1, comment.to_owned())),
        }
        is_continued = is_alone;
    }
    found
}

#[test]
fn comments_say_the_rule_beside_its_number() {
    let mut bare = Vec::new();
    let sources = checked().into_iter().filter(|(path, _)| path.extension().is_some_and(|kind| kind == "rs"));
    for (path, text) in sources {
        let found = comments(&text).into_iter().filter(|(_, comment)| is_bare(comment));
        bare.extend(found.map(|(line, comment)| format!("{}:{line}:{comment}", path.display())));
    }
    assert!(bare.is_empty(), "these comments have a number without its rule in words:\n{}", bare.join("\n"));
}

#[test]
fn comments_are_found_with_their_lines() {
    let source = "//! A rule\n//! (B-901).\nlet url = \"http://a\"; // B-902\n    // B-903,\n    // B-904\nlet x = \"// no\";\n";
    let expected = [(1, " A rule (B-901)."), (3, " B-902"), (4, " B-903, B-904")];
    assert_eq!(comments(source), expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn a_message_with_numbers_and_without_words_is_bare() {
    for bare in ["B-901", "B-901, D-902", "B-901 … B-903: {body}: {}", "{name}: B-901", "B-901 to B-903"] {
        assert!(is_bare(bare), "{bare}");
    }
    for other in ["", "{body}", "a rule (B-901)", "B-901: a rule", "B-", "a rule: {body}"] {
        assert!(!is_bare(other), "{other}");
    }
}

#[test]
fn numbers_are_read_in_every_form() {
    let expect = |line: &str, numbers_of_it: &[&str]| {
        assert_eq!(
            numbers(line),
            numbers_of_it.iter().map(|number| (*number).to_owned()).collect(),
            "{line}"
        );
    };
    expect("// B-901, D-901: why", &["B-901", "D-901"]);
    expect("A-901", &["A-901"]);
    expect("(B-907, B-933 … B-935)", &["B-907", "B-933", "B-934", "B-935"]);
    expect("D-908…D-910; W-93 to W-95", &["D-908", "D-909", "D-910", "W-93", "W-94", "W-95"]);
    expect("B-909 to A-910", &["B-909", "A-910"]);
    expect("B-90, B-901a and W-907", &["B-90", "B-901a", "W-907"]);
    expect("SHA-256, AA-923, req-A-923, id_B-923, /D-923, A-b, C-123, A - 123", &[]);
}

#[test]
fn a_definition_has_an_anchor_of_its_own_number() {
    let sentence = "- <a id=\"b-901\"></a>**B-901** A sentence.";
    assert_eq!(definition(sentence), Some(Ok("B-901")));
    assert_eq!(definition("  A sentence goes on (B-901)."), None);
    for (from, to) in
        [("b-901", "B-901"), ("b-901", "b-902"), ("901", "90"), ("<a id=\"b-901\"></a>", ""), ("- ", "* ")]
    {
        assert!(definition(&sentence.replace(from, to)).is_some_and(|read| read.is_err()), "{from} -> {to}");
    }
}
