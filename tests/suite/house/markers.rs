//! Finds the requirement numbers in tests that can fail.
//!
//! A number counts if it is in the text of a test, or of a function that a test calls directly or indirectly. The test
//! or function must be able to fail: by an assertion macro, by `panic!`, or through a helper that asserts. A number in
//! a constant, such as a table of cases, counts if such a test or function reads the constant.
//!
//! Functions are found by name, without their types and modules. A test reaches every function whose name it mentions.
//! A call asserts if every function that it can mean asserts. A method call can mean every method of its name. Any
//! other call can mean the functions of its name in the caller's file, or if there are none, those in all other files.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    ops::Range,
};

use super::rust_text::{self, Call, Item, Kind};

/// A requirement number: `B-127` is `('B', 127)`.
pub type Marker = (char, u32);

/// The contents of the test files.
#[derive(Default)]
pub struct Tests {
    items: Vec<TestItem>,
    /// Every number in test code, with the first file in which it was found.
    pub named: BTreeMap<Marker, String>,
}

/// A helper function, identified by the name that its callers use. All methods with the same name count as one helper,
/// and so do all functions with the same name in one file.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Helper<'a> {
    Method(&'a str),
    Free { file: &'a str, name: &'a str },
}

impl<'a> Helper<'a> {
    fn free(&self) -> Option<(&'a str, &'a str)> {
        match *self {
            Self::Method(_) => None,
            Self::Free { file, name } => Some((name, file)),
        }
    }
}

/// Helpers that assert.
#[derive(Default)]
struct Asserting<'a> {
    helpers: HashSet<Helper<'a>>,
    /// The names of all helpers that are not methods, including those that do not assert, with their files.
    free: BTreeSet<(&'a str, &'a str)>,
}

impl Asserting<'_> {
    fn is_called_by(&self, item: &TestItem) -> bool {
        item.calls.iter().any(|call| match call {
            Call::Method(name) => self.helpers.contains(&Helper::Method(name)),
            Call::Free(name) if self.free.contains(&(name, &item.file)) => {
                self.helpers.contains(&Helper::Free { file: &item.file, name })
            }
            Call::Free(name) => {
                let mut elsewhere =
                    self.free.range((name.as_str(), "")..).take_while(|(known, _)| known == name).peekable();
                elsewhere.peek().is_some()
                    && elsewhere.all(|(name, file)| self.helpers.contains(&Helper::Free { file, name }))
            }
        })
    }
}

/// A function or a constant.
struct TestItem {
    name: String,
    file: String,
    is_constant: bool,
    is_test: bool,
    is_method: bool,
    /// Whether the item's body has an assertion macro, or a `match` arm or `let … else` branch that panics.
    asserts: bool,
    /// Whether the item's body has a `panic!`. Such an item can fail, so its own numbers count. But unlike an item that
    /// `asserts`, it does not make the numbers of its callers count.
    panics: bool,
    /// Every name in the item's body.
    mentions: HashSet<String>,
    /// The functions and methods that the item's body calls.
    calls: HashSet<Call>,
    markers: BTreeSet<Marker>,
}

impl Tests {
    /// Adds the items of a file. `text` is the whole text of a test file, or only the test code of a source file.
    pub fn read(&mut self, path: &str, text: &str) {
        let code = rust_text::code(text);
        for marker in markers(text, 0..text.len()) {
            self.named.entry(marker).or_insert_with(|| path.to_owned());
        }
        let items = rust_text::items(&code);
        for (at, item) in items.iter().enumerate() {
            // a number in the text of an inner item belongs to the inner item, not to the outer one
            let inner: Vec<_> =
                items[at + 1..].iter().take_while(|other| other.whole.end <= item.whole.end).collect();
            self.items.push(TestItem::of(path, text, &code, item, &inner));
        }
    }

    /// Returns the numbers that count by the rules of this module.
    pub fn counted(&self) -> BTreeSet<Marker> {
        let asserting = self.asserting();
        let reached = self.reached();
        let can_fail = |item: &TestItem| item.asserts || item.panics || asserting.is_called_by(item);
        let functions = |item: &&TestItem| !item.is_constant && reached.contains(item.name.as_str());
        let counting: Vec<_> = self.items.iter().filter(functions).filter(|item| can_fail(item)).collect();
        let read: HashSet<_> =
            counting.iter().flat_map(|item| item.mentions.iter().map(String::as_str)).collect();
        let constants =
            self.items.iter().filter(|item| item.is_constant && read.contains(item.name.as_str()));
        counting.into_iter().chain(constants).flat_map(|item| item.markers.iter().copied()).collect()
    }

    /// Returns the helpers that assert. A helper also asserts if the only function that it calls asserts.
    fn asserting(&self) -> Asserting<'_> {
        let mut all: HashMap<Helper<'_>, Vec<&TestItem>> = HashMap::new();
        for item in self.items.iter().filter(|item| !item.is_constant && !item.is_test) {
            // a method that calls a method of the same name is left out: it asserts if all other methods of the name do
            let hands_on = item.is_method && item.calls.contains(&Call::Method(item.name.clone()));
            if !hands_on {
                all.entry(item.helper()).or_default().push(item);
            }
        }
        let mut known =
            Asserting { free: all.keys().filter_map(Helper::free).collect(), ..Asserting::default() };
        loop {
            let is_check =
                |item: &&TestItem| item.asserts || item.calls.len() == 1 && known.is_called_by(item);
            let is_new = |helper: &Helper<'_>, all: &[&TestItem]| {
                !known.helpers.contains(helper) && all.iter().all(is_check)
            };
            let more: Vec<_> =
                all.iter().filter(|(helper, all)| is_new(helper, all)).map(|(helper, _)| *helper).collect();
            if more.is_empty() {
                return known;
            }
            known.helpers.extend(more);
        }
    }

    /// Returns the names of the tests, and of the functions and constants that the tests mention directly or
    /// indirectly.
    fn reached(&self) -> HashSet<&str> {
        let mut by_name: HashMap<&str, Vec<&TestItem>> = HashMap::new();
        for item in &self.items {
            by_name.entry(&item.name).or_default().push(item);
        }
        let mut reached: HashSet<&str> = HashSet::new();
        let mut left: Vec<&TestItem> = self.items.iter().filter(|item| item.is_test).collect();
        while let Some(item) = left.pop() {
            reached.insert(&item.name);
            for name in &item.mentions {
                if let Some((name, called)) = by_name.get_key_value(name.as_str())
                    && reached.insert(name)
                {
                    left.extend(called.iter().copied());
                }
            }
        }
        reached
    }
}

impl TestItem {
    fn helper(&self) -> Helper<'_> {
        match self.is_method {
            true => Helper::Method(&self.name),
            false => Helper::Free { file: &self.file, name: &self.name },
        }
    }

    fn of(file: &str, text: &str, code: &str, item: &Item, inner: &[&Item]) -> Self {
        let own = |range: Range<usize>| {
            let mut parts = Vec::new();
            let mut from = range.start;
            for other in inner {
                // skips an item that is inside an earlier inner item, because its text is already left out
                if other.whole.start >= from {
                    parts.push(from..other.whole.start);
                    from = other.whole.end;
                }
            }
            parts.push(from..range.end);
            parts
        };
        let body = &code[item.body.clone()];
        let mentions: HashSet<String> = rust_text::names(body).map(str::to_owned).collect();
        let uses = |macros: &[&str]| macros.iter().any(|name| body.contains(&format!("{name}!")));
        Self {
            name: item.name.clone(),
            file: file.to_owned(),
            is_method: item.is_method,
            is_constant: item.kind == Kind::Constant,
            is_test: item.kind == Kind::Test,
            asserts: uses(&["assert", "assert_eq", "assert_ne"]) || rust_text::has_failing_arm(body),
            panics: uses(&["panic"]),
            calls: rust_text::calls(body).collect(),
            mentions,
            markers: own(item.whole.clone()).into_iter().flat_map(|part| markers(text, part)).collect(),
        }
    }
}

/// Returns the numbers in a part of a text. Numbers in the `//!` comment of a file do not count, because the comment is
/// a summary. Of a range such as `B-116 … B-121` only the two ends count, so each number between them must be named
/// beside its own assertion.
fn markers(text: &str, part: Range<usize>) -> Vec<Marker> {
    let mut found = Vec::new();
    let mut start = part.start;
    for line in text[part].split_inclusive('\n') {
        let whole_line = &text[text[..start].rfind('\n').map_or(0, |end| end + 1)..];
        if !whole_line.trim_start().starts_with("//!") {
            found.extend(numbers(line));
        }
        start += line.len();
    }
    found
}

fn numbers(line: &str) -> impl Iterator<Item = Marker> + '_ {
    line.match_indices('-').filter_map(move |(at, _)| {
        let mut before = line[..at].chars().rev();
        let list = before.next().filter(|list| "BADW".contains(*list))?;
        if before.next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            return None;
        }
        let digits: String = line[at + 1..].chars().take_while(char::is_ascii_digit).collect();
        let is_number = if list == 'W' { (2..=3).contains(&digits.len()) } else { digits.len() == 3 };
        if is_number { digits.parse().ok().map(|number| (list, number)) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> Vec<u32> {
        let mut tests = Tests::default();
        tests.read("a file", text);
        tests.counted().into_iter().map(|(_, number)| number).collect()
    }

    const FILE: &str = r##"
//! B-001
// B-002 stands beside a module
mod other;

/// B-003: of the test below it
#[tokio::test(flavor = "multi_thread")]
async fn a_test() {
    // B-004
    assert_eq!(1, 1, "B-005 and \" B-006");
    let text = r#"{ "B-007" "#; // }
    helper('}', '\'', "}");
    for case in CASES {}
}

fn helper<'a>(_: char) -> Vec<&'a str> {
    assert!(true); // B-008
    fn nobody_calls_this() { /* B-009 */ }
    Vec::new()
}

fn hands_on() { helper("B-010") }

const CASES: [u8; 2] = [
    1, // B-011
    2,
];
const UNREAD: u8 = 1; // B-012

#[test]
fn cannot_fail() {
    // B-013
    let _ = 1;
}

#[test]
fn fails_by_a_helper() {
    hands_on(); // B-014
}

#[test]
fn only_sets_up() {
    set_up(); // B-015
}

fn set_up() -> u8 { hands_on(); other_things(); 1 }

fn not_called() {
    assert!(false); // B-016
}

#[both_engines]
async fn on_both_engines(server: Server) {
    // B-017
    assert!({ true });
}

#[both_engines]
async fn on_both_engines_without(server: Server) {
    // B-018
}

struct Table {
    /// B-019
    field: u8,
}
"##;

    #[test]
    fn a_number_counts_only_in_tests_that_can_fail() {
        assert_eq!(counted(FILE), [3, 4, 5, 6, 7, 8, 10, 11, 14, 17]);
    }

    #[test]
    fn numbers_are_read_in_every_form() {
        let found: Vec<_> =
            numbers("B-001…B-002, (A-318) D-1 W-26 W-1 UTF-800 xB-100 B-1000 A-039-D-386:").collect();
        assert_eq!(found, [('B', 1), ('B', 2), ('A', 318), ('W', 26), ('A', 39), ('D', 386)]);
    }
}
