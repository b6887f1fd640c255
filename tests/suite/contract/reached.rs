//! A contract test reaches every documented response that a typed client can cause. `unreached.txt` lists all other
//! documented responses, each with the test that covers it without a typed client.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;

use super::documents::{self, Outcome};
use crate::house::rust_text::{self, Item, Kind};

/// Captures the status, the error code and the function of `succeeds!`, `refused!`, `limited!` and `fails!`.
static ASSERTION: LazyLock<Regex> = LazyLock::new(|| {
    let outcome = r#"\b(?:succeeds|refused|limited|fails)!\(\s*(\d{3}),\s*(?:"(\w+)",\s*)?"#;
    Regex::new(&format!(r"{outcome}\w+\s*\.(\w+)\(")).expect("a pattern")
});

/// Captures the function of `refuses_callers!`.
static CALLERS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\brefuses_callers!\(\s*\w+,\s*(\w+)\(").expect("a pattern"));

/// A response that a document lists for an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Documented {
    document: &'static str,
    operation: &'static str,
    outcome: Outcome,
}

impl std::fmt::Display for Documented {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = self.outcome.code.as_deref().unwrap_or("-");
        write!(f, "{} {} {} {code}", self.document, self.operation, self.outcome.status)
    }
}

#[test]
fn every_documented_response_is_reached_or_listed() {
    let reached = reached();
    let all = documents::all().flat_map(|(document, operation)| {
        operation.outcomes.iter().map(move |outcome| Documented {
            document,
            operation: &operation.id,
            outcome: outcome.clone(),
        })
    });
    let unreached: BTreeSet<String> = all
        .filter(|documented| !reached.contains(documented))
        .map(|documented| documented.to_string())
        .collect();
    let listed = listed();
    let missing: Vec<_> = unreached.iter().filter(|line| !listed.contains_key(*line)).collect();
    assert!(
        missing.is_empty(),
        "no contract test reaches these responses: add a contract test, or, if a typed client cannot express the \
         request, add the response to tests/suite/contract/unreached.txt with the test that sends the request \
         without a typed client: {missing:#?}"
    );
    let done: Vec<_> = listed.keys().filter(|line| !unreached.contains(*line)).collect();
    assert!(
        done.is_empty(),
        "these are reached, or no longer documented: remove them from unreached.txt: {done:#?}"
    );
}

#[test]
fn every_listed_response_has_a_raw_test() {
    for (line, test) in listed() {
        let (module, name) = test.rsplit_once("::").unwrap_or_else(|| panic!("{line}: no test: {test}"));
        let text = source(module).unwrap_or_else(|| panic!("{line}: there is no module {module}"));
        let items = rust_text::items(&rust_text::code(&text));
        let is_test = |item: &Item| item.kind == Kind::Test && item.name == name;
        assert!(items.iter().any(is_test), "{line}: {module} has no test {name}");
    }
}

/// Returns the source of a module: of this suite, or of the library's unit tests if the name has the form
/// `src::…::tests`.
fn source(module: &str) -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = match module.strip_suffix("::tests").filter(|unit| unit.starts_with("src::")) {
        Some(unit) => root.join(unit.replace("::", "/")),
        None => root.join("tests/suite").join(module.replace("::", "/")),
    };
    fs::read_to_string(file.with_extension("rs")).or_else(|_| fs::read_to_string(file.join("mod.rs"))).ok()
}

/// Returns the lines of `unreached.txt`: for each response, the test that covers it.
fn listed() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/contract/unreached.txt");
    let text = fs::read_to_string(path).expect("unreached.txt can be read");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let split = lines.map(|line| line.rsplit_once(' ').expect("a line has a response and a test"));
    split.map(|(response, test)| (response.to_owned(), test.to_owned())).collect()
}

/// Reads the source code of the contract tests, and returns the responses that the tests assert.
fn reached() -> BTreeSet<Documented> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/contract");
    let mut reached = BTreeSet::new();
    for document in ["bot", "assistant", "admin"] {
        for file in files(&folder.join(document)) {
            let text = fs::read_to_string(&file).expect("UTF-8");
            read(document, &text, &mut reached).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        }
    }
    reached
}

/// Reads the assertions of a file, and adds their responses to `reached`.
///
/// # Errors
/// If an assertion calls a function that is no operation of the document.
fn read(document: &'static str, text: &str, reached: &mut BTreeSet<Documented>) -> Result<(), String> {
    // the same text, with comments and literals replaced by spaces
    let code = rust_text::code(text);
    let is_code = |at: usize| code[at..].starts_with(|c: char| !c.is_whitespace());
    let find = |function: &str| {
        documents::find(document, function).ok_or_else(|| format!("{document} has no operation {function}"))
    };
    for found in ASSERTION.captures_iter(text).filter(|found| is_code(found.get(0).map_or(0, |m| m.start())))
    {
        let status = found[1].parse().map_err(|_| "not a status")?;
        let code = found.get(2).map(|code| code.as_str().to_owned());
        let outcome = Outcome { status, code };
        reached.insert(Documented { document, operation: &find(&found[3])?.id, outcome });
    }
    for found in CALLERS.captures_iter(text).filter(|found| is_code(found.get(0).map_or(0, |m| m.start()))) {
        let operation = find(&found[1])?;
        let outcomes = operation.of_callers(document).into_iter();
        reached.extend(outcomes.map(|outcome| Documented { document, operation: &operation.id, outcome }));
    }
    Ok(())
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn assertions_are_found_in_sources() {
    let text = r#"
        let user = succeeds!(200, bot.get_user(&id));
        refused!(
            404,
            "user_not_found",
            bot.lookup_user(&typed("x"))
        );
        // refused!(404, "user_not_found", bot.get_user("x"));
        refuses_callers!(callers, test_auth());
    "#;
    let mut reached = BTreeSet::new();
    read("bot", text, &mut reached).expect("operations of the document");
    let found: Vec<_> = reached.iter().map(ToString::to_string).collect();
    let of_callers =
        ["401 invalid_auth", "401 not_authed", "401 token_revoked", "429 rate_limited", "500 internal_error"];
    let mut expected = vec!["bot getUser 200 -".to_owned(), "bot lookupUser 404 user_not_found".to_owned()];
    expected.extend(of_callers.map(|outcome| format!("bot testAuth {outcome}")));
    assert_eq!(found, expected);
    assert!(
        read("bot", "succeeds!(200, bot.list_apps())", &mut reached).is_err(),
        "an operation of another document is an error"
    );
}
