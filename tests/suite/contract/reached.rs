//! Every response that an OpenAPI document lists is reached on SQLite and on PostgreSQL. A response is reached if a
//! contract test causes and asserts it. Most contract tests use the generated clients. If these cannot send a request
//! that causes the response, a test of [`untyped`](super::untyped), or one with `answers!`, sends a raw request.
//!
//! There are two lists of exceptions. [`ON_POSTGRES_ONLY`] has the responses that are reached on PostgreSQL only.
//! `unreached.txt` has the responses that no contract test reaches, each with the other test that covers it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::{Captures, Regex};

use super::{
    documents::{self, Operation, Outcome},
    untyped::{EVERYWHERE, WITHOUT_RULES},
};
use crate::house::rust_text::{self, Item, Kind};

/// The number of responses in `unreached.txt`. This number may only shrink.
const EXCEPTIONS: usize = 1;

/// Responses that are reached on PostgreSQL only, with the reasons.
const ON_POSTGRES_ONLY: [(&str, &str); 1] = [(
    "admin listMembers 403 forbidden",
    "the test demotes the admin during the read, which it delays with the lock of a table",
)];

/// Captures the status, the error code and the client function in `succeeds!`, `refused!`, `limited!` and `fails!`.
static ASSERTION: LazyLock<Regex> = LazyLock::new(|| {
    let outcome = r#"\b(?:succeeds|refused|limited|fails)!\(\s*(\d{3}),\s*(?:"(\w+)",\s*)?"#;
    Regex::new(&format!(r"{outcome}\w+\s*\.(\w+)\(")).expect("a pattern")
});

/// Captures the client function in `refuses_callers!`.
static CALLERS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\brefuses_callers!\(\s*\w+,\s*(\w+)\(").expect("a pattern"));

/// Captures the status, the error code and the operationIds in `answers!`.
static RAW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"\banswers!\(\s*(\d{3}),\s*(?:"(\w+)",\s*)?\[([\w\s,]+)\]"#).expect("a pattern")
});

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

/// The responses that the contract tests assert.
#[derive(Default)]
struct Reached {
    /// Responses that a test asserts on both engines.
    on_both: BTreeSet<Documented>,
    /// Responses that a test asserts on PostgreSQL only.
    on_postgres: BTreeSet<Documented>,
}

#[test]
fn every_documented_response_is_reached_or_listed() {
    let mut reached = reached().on_both;
    for error in EVERYWHERE {
        let outcome = Outcome { status: error.status, code: Some(error.code.to_owned()) };
        let operations = error.sufficient();
        reached.extend(operations.map(|(document, operation)| of(document, operation, &outcome)));
    }
    let all = documents::all().flat_map(|(document, operation)| {
        operation.outcomes.iter().map(move |outcome| of(document, operation, outcome))
    });
    let unreached: BTreeSet<String> = all
        .filter(|documented| !reached.contains(documented))
        .map(|documented| documented.to_string())
        .collect();
    let mut listed: BTreeSet<String> = listed().into_keys().collect();
    listed.extend(ON_POSTGRES_ONLY.map(|(response, _)| response.to_owned()));
    let missing: Vec<_> = unreached.difference(&listed).collect();
    assert!(
        missing.is_empty(),
        "no contract test reaches these responses on both engines: add a contract test; if a generated client cannot \
         send the request, use `answers!`: {missing:#?}"
    );
    let done: Vec<_> = listed.difference(&unreached).collect();
    assert!(
        done.is_empty(),
        "these responses are reached, or no longer documented: remove them from unreached.txt or \
         ON_POSTGRES_ONLY: {done:#?}"
    );
}

#[test]
fn no_generated_client_causes_invalid_request_at_the_operations_of_without_rules() {
    let reached = reached().on_both;
    let outcome = Outcome { status: 400, code: Some("invalid_request".to_owned()) };
    for id in WITHOUT_RULES {
        let (document, operation) =
            documents::with_id(id).unwrap_or_else(|| panic!("no document has the operation {id}"));
        assert!(
            operation.outcomes.contains(&outcome),
            "{id} is in WITHOUT_RULES, so its document must list `invalid_request`"
        );
        let is_reached = reached.contains(&of(document, operation, &outcome));
        assert!(!is_reached, "a generated client causes `invalid_request`: remove {id} from WITHOUT_RULES");
    }
}

#[test]
fn responses_on_postgres_only_are_listed() {
    let Reached { on_both, on_postgres } = reached();
    let found: Vec<_> = on_postgres.difference(&on_both).map(ToString::to_string).collect();
    assert_eq!(found, ON_POSTGRES_ONLY.map(|(response, _)| response));
}

#[test]
fn every_listed_response_has_a_test_that_names_it() {
    let listed = listed();
    assert_eq!(
        listed.len(),
        EXCEPTIONS,
        "EXCEPTIONS is the number of responses in unreached.txt, and may only shrink"
    );
    for (line, test) in listed {
        let (module, name) = test.rsplit_once("::").unwrap_or_else(|| panic!("{line}: no test: {test}"));
        let text = source(module).unwrap_or_else(|| panic!("{line}: there is no module {module}"));
        let body = test_on_both_engines(&text, name)
            .unwrap_or_else(|| panic!("{line}: {module} has no test {name} with #[both_engines]"));
        let parts: [&str; 4] =
            line.split(' ').collect::<Vec<_>>().try_into().expect("a response has four parts");
        let [document, id, status, code] = parts;
        let (_, operation) = documents::all()
            .find(|(name, operation)| *name == document && operation.id == id)
            .unwrap_or_else(|| panic!("{line}: {document} has no operation {id}"));
        assert!(
            names(body, operation),
            "{line}: {test} names neither {id} nor {} {}",
            operation.method,
            operation.path
        );
        let outcome = if code == "-" { status } else { code };
        let has_outcome = rust_text::names(body).any(|word| word == outcome);
        assert!(has_outcome, "{line}: {test} does not name {outcome}");
    }
}

#[test]
fn every_error_in_everywhere_has_its_test() {
    let text = source("contract::untyped").expect("the module");
    for error in EVERYWHERE {
        let body = test_on_both_engines(&text, error.test)
            .unwrap_or_else(|| panic!("untyped.rs has no test {} with #[both_engines]", error.test));
        let operations = format!("documenting(&server, \"{}\")", error.code);
        assert!(
            body.contains(&operations),
            "the test {} calls the operations whose documents list {}",
            error.test,
            error.code
        );
        let status = error.status.to_string();
        let has_status = rust_text::names(body).any(|word| word == status);
        assert!(has_status, "the test {} asserts the status {status}", error.test);
    }
}

/// Returns the source of the body of the test `name`, if this test runs on both engines.
fn test_on_both_engines<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let code = rust_text::code(text);
    let items = rust_text::items(&code);
    let test = items.into_iter().find(|item| item.name == name && is_on_both_engines(&code, item))?;
    Some(&text[test.body])
}

fn is_on_both_engines(code: &str, item: &Item) -> bool {
    item.kind == Kind::Test && code[item.whole.start..item.body.start].contains("#[both_engines]")
}

/// Returns whether a test's source names an operation: by its operationId, by its client function, or by a call such as
/// `.post("/v1/messages")` with its HTTP method and path. A path with parameters does not count: the literal in a test
/// has only the part before the parameter, and paths of other operations begin with the same part.
fn names(body: &str, operation: &Operation) -> bool {
    let call = format!(".{}(\"{}\")", operation.method.to_lowercase(), operation.path);
    let has_call = !operation.path.contains('{') && body.contains(&call);
    has_call || rust_text::names(body).any(|word| word == operation.id || word == operation.function)
}

fn of(document: &'static str, operation: &'static Operation, outcome: &Outcome) -> Documented {
    Documented { document, operation: &operation.id, outcome: outcome.clone() }
}

/// Returns the source of a module of this suite.
fn source(module: &str) -> Option<String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite").join(module.replace("::", "/"));
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
fn reached() -> Reached {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/contract");
    let mut reached = Reached::default();
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
/// - If an assertion names an operation that the document does not have, or in `answers!` one that no document has.
/// - If an assertion is not in a test.
/// - If the test of an assertion runs neither on both engines nor on PostgreSQL.
fn read(document: &'static str, text: &str, reached: &mut Reached) -> Result<(), String> {
    // the same text, with comments and literals replaced by spaces
    let code = rust_text::code(text);
    let items = rust_text::items(&code);
    let find = |function: &str| {
        documents::find(document, function).ok_or_else(|| format!("{document} has no operation {function}"))
    };
    let outcome = |found: &Captures<'_>| {
        let status = found[1].parse().map_err(|_| "not a status")?;
        Ok::<_, String>(Outcome { status, code: found.get(2).map(|code| code.as_str().to_owned()) })
    };
    let mut add = |found: &Captures<'_>, responses: Vec<Documented>| {
        let at = found.get(0).map_or(0, |whole| whole.start());
        let test = items.iter().find(|item| item.kind == Kind::Test && item.body.contains(&at));
        match test {
            Some(test) if is_on_both_engines(&code, test) => reached.on_both.extend(responses),
            Some(test) if code[test.body.clone()].contains("Server::postgres()") => {
                reached.on_postgres.extend(responses);
            }
            _ => {
                return Err(format!(
                    "the assertion is neither in a test with #[both_engines] nor in a test on PostgreSQL: {}",
                    &found[0]
                ));
            }
        }
        Ok(())
    };
    for found in in_code(&ASSERTION, text, &code) {
        add(&found, vec![of(document, find(&found[3])?, &outcome(&found)?)])?;
    }
    for found in in_code(&CALLERS, text, &code) {
        let operation = find(&found[1])?;
        let outcomes = operation.of_callers(document);
        add(&found, outcomes.iter().map(|outcome| of(document, operation, outcome)).collect())?;
    }
    for found in in_code(&RAW, text, &code) {
        let outcome = outcome(&found)?;
        for id in rust_text::names(&found[3]) {
            let (document, operation) =
                documents::with_id(id).ok_or_else(|| format!("no document has the operation {id}"))?;
            add(&found, vec![of(document, operation, &outcome)])?;
        }
    }
    Ok(())
}

/// Returns the matches of a pattern that are in the code, and not in a comment or a literal.
fn in_code<'a>(pattern: &'a Regex, text: &'a str, code: &'a str) -> impl Iterator<Item = Captures<'a>> {
    let is_code = |at: usize| code[at..].starts_with(|c: char| !c.is_whitespace());
    pattern.captures_iter(text).filter(move |found| is_code(found.get(0).map_or(0, |whole| whole.start())))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    entries.map(|entry| entry.expect("an entry").path()).collect()
}

#[test]
fn assertions_are_found_in_sources() {
    let text = r#"
        #[both_engines]
        async fn reads(server: Server) {
            let user = succeeds!(200, bot.get_user(&id));
            refused!(
                404,
                "user_not_found",
                bot.lookup_user(&typed("x"))
            );
            // refused!(404, "user_not_found", bot.get_user("x"));
            refuses_callers!(callers, test_auth());
            answers!(406, [openMcpStream, openReadonlyMcpStream], async |operation| call(operation));
            answers!(401, "unauthorized", [endMcpSession], async |operation| call(operation));
        }
        #[tokio::test]
        async fn reads_on_postgres() {
            let Some(server) = Server::postgres().await else { return };
            refused!(404, "user_not_found", bot.get_user("x"));
        }
    "#;
    let mut reached = Reached::default();
    read("bot", text, &mut reached).expect("operations of the document");
    let texts = |found: &BTreeSet<Documented>| found.iter().map(ToString::to_string).collect::<Vec<_>>();
    let of_callers =
        ["401 invalid_auth", "401 not_authed", "401 token_revoked", "429 rate_limited", "500 internal_error"];
    let mut expected = vec![
        "assistant endMcpSession 401 unauthorized".to_owned(),
        "assistant openMcpStream 406 -".to_owned(),
        "assistant openReadonlyMcpStream 406 -".to_owned(),
        "bot getUser 200 -".to_owned(),
        "bot lookupUser 404 user_not_found".to_owned(),
    ];
    expected.extend(of_callers.map(|outcome| format!("bot testAuth {outcome}")));
    assert_eq!(texts(&reached.on_both), expected);
    assert_eq!(texts(&reached.on_postgres), ["bot getUser 404 user_not_found"]);
    for (assertion, why) in [
        (
            "#[both_engines] async fn a() { succeeds!(200, bot.list_apps()) }",
            "an operation of another document",
        ),
        ("#[both_engines] async fn a() { answers!(404, [nothing], x) }", "an unknown operationId"),
        (
            "#[tokio::test] async fn a() { succeeds!(200, bot.test_auth()) }",
            "an assertion in a test on SQLite only",
        ),
        ("async fn a() { succeeds!(200, bot.test_auth()) }", "an assertion outside a test"),
    ] {
        assert!(read("bot", assertion, &mut reached).is_err(), "{why} is an error");
    }
}

#[test]
fn a_test_names_its_operation_by_path_or_function() {
    let (_, create) = documents::with_id("createMessage").expect("the operation");
    let (_, delete) = documents::with_id("deleteMessage").expect("the operation");
    assert!(names(r#"api.post("/v1/messages").refused(400, "x")"#, create), "method and path count");
    assert!(!names(r#"api.get("/v1/messages").refused(400, "x")"#, create), "another method does not count");
    assert!(!names(r#"api.delete("/v1/messages/x")"#, delete), "a path with a parameter does not count");
    assert!(names("bot.delete_message(&id)", delete), "the client function counts");
    assert!(!names(r#"api.delete("/v1/messages/x")"#, create), "another path does not count");
    assert!(!names("bot.delete_messages(&id)", delete), "another function does not count");
}
