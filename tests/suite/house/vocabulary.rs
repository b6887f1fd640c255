//! The project uses the words of the field. Some words once had a private meaning in this project, and are rejected in
//! every text that people read. Such texts are comments, messages, documents, templates and names of files. In code
//! they are also the names of items, enum variants, fields and parameters.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::Regex;

use super::rust_text;

/// Words that are rejected, and the words to write instead.
struct Rule {
    /// A regular expression of whole words, in lower case.
    words: &'static str,
    instead: &'static str,
    /// A regular expression of phrases in which the words have their ordinary meaning.
    allowed: &'static str,
}

const fn rule(words: &'static str, instead: &'static str, allowed: &'static str) -> Rule {
    Rule { words, instead, allowed }
}

const RULES: &[Rule] = &[
    rule("rooms?", "API module, handlers", "(no|more|enough|much|leaves?|makes?) room|room (for|to|in|left)"),
    rule("doors?", "endpoint", ""),
    rule(
        "houses?",
        "API module",
        "house tests?|house rules|house/|house::|house`|suite house|\\bhouse$|\"house\"",
    ),
    rule("ladders?|climb(s|ed|ing)?", "request pipeline, order of the checks", ""),
    rule("lanes?|appetites?", "worker, queue, fairness", "switchboard_event_lanes"),
    rule("owed|mourn(s|ed)?|due again", "due, retry schedule, attempt", ""),
    rule("known owners?|what is known", "token cache", "0012-known-owners-and-repeats"),
    rule("upkeep|tid(y|ies|ied|ying)|what is over", "maintenance job, expiry, retention, purge", ""),
    rule("eras?", "protocol version", ""),
    // Rejected only at the beginning of a name. Constants of maintenance jobs once had the names `GOES` and `AT_ONCE`.
    rule("identifier (goes|at once)", "batch size, maximum batches", ""),
    rule("gates?", "check, middleware", ""),
    rule("(free|taken|spare|reserved|occupied) places?", "slot", ""),
    rule("takes? turns|taking turns|(its|their|whose|every) turn", "slot, queue, fairness", ""),
    rule("budgets?", "capacity, quota, rate limit, bucket", ""),
    rule("rows? of (a |the )?(rate )?limits?", "capacity, quota, rate limit, bucket, window", ""),
    rule("(json-rpc|message|request|protocol) shapes?", "protocol version, JSON-RPC message", ""),
    rule("what (a|the) writes? holds?|(kept|keeps?|keeping) in hand", "lock, row lock", ""),
    rule("who may what", "business rule, right", ""),
    rule(
        "(is|are|was|were|be|been|being|not|it|all) over",
        "revoked, expired, disconnected, deleted, ended",
        "over ((the|a|an|its|their|any|one|this|that|these|every|each|all|by|to|in|several|two|many|such|both|plain|\
         https?|tls|tcp|sockets?|connections?|lines|limits?|quota)\\b|[0-9\"{`$]\\S*)",
    ),
    rule("gone", "revoked, expired, deleted, disconnected, no longer there", "410 gone"),
    rule(
        "tells?|told|telling",
        "returns, notifies, logs, reports, shows",
        "(tells?|told|telling) (\\w+ ){0,4}apart",
    ),
    rule("hears?|heard", "receives, is notified", ""),
    rule(
        "faults?",
        "error, rejection, violation",
        "server faults?|faults? of the server|(inject|brings?)\\w* (\\w+ ){0,2}faults?|fault injection|field `faults`",
    ),
    rule(
        "standing",
        "status, visibility, long-lived, quota",
        "long-standing|0010-standing-streams|connections::standing",
    ),
    rule("held keys?|keys? (is|are) held", "idempotency key", ""),
    rule(
        "(an?|the|every|each|any|no|one|such|of|these|those|many|two|more|both|its|simultaneous|concurrent|first|second) \
         repeats?|repeats (of|are|answer|under|is|and)",
        "replay, repeated request",
        "",
    ),
    rule("never became one", "placeholder for an unparseable request", ""),
    rule("lately", "recently", ""),
];

/// Paths below which a word has its ordinary meaning: the prefix of the path, the word, and the reason.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("benches/fleet", "fault", "it injects faults into the database and the network"),
    ("benches/support", "fault", "counts of requests under injected faults"),
    ("tests/suite/operations/faults", "fault", "it injects faults into the database and the network"),
    ("tests/suite/operations/mod.rs", "fault", "the folder of these tests"),
    ("tests/suite/operations/command_errors.rs", "fault", "a field of `config print --json`"),
    ("docs/operations.md", "fault", "a link to the faults of PostgreSQL"),
    ("docs/security.md", "fault", "names of tests that inject faults"),
    ("CHANGELOG.md", "fault", "a field of `config print --json`"),
    ("tests/clients/mcp/drivers/inspector.js", "era", "an option of the Inspector"),
    ("docs/performance.md", "fault", "the runs under injected faults"),
    ("docs/testing.md", "fault", "the runs under injected faults"),
    ("docs/postgresql.md", "fault", "faults of the database and the network"),
    ("src/domain/time.rs", "era", "400 years of the calendar, as its algorithm is published"),
    ("src/platform/passwords", "lane", "a parameter of Argon2 (RFC 9106)"),
    ("src/cli/server.rs", "fault", "a field of `config print --json`"),
    ("src/contract/tests", "fault", "a path of the test API"),
    ("tests/suite", "gate", "it lets a receiver respond when the test opens it"),
    ("src/store", "gone", "an alias in SQL"),
    ("src/store", "standing", "an alias in SQL"),
    ("src/service", "standing", "the visibility of a user and the state of a connection"),
];

/// The files and folders whose texts people read.
const READ: [&str; 27] = [
    ".ci",
    ".github",
    "assets",
    "migrations",
    "src",
    "tests",
    "benches",
    "clients",
    "codegen",
    "docs",
    "examples",
    "fuzz/fuzz_targets",
    "fuzz/seeds.py",
    "fuzz/src",
    "openapi",
    "packaging",
    "scripts",
    "templates",
    "build.rs",
    "clippy.toml",
    "deny.toml",
    "justfile",
    "Cargo.toml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
];

/// Files and folders below those of `READ` that are third-party, generated, or contain the rejected words on purpose.
const NOT_READ: [&str; 6] =
    ["node_modules", ".venv", "__pycache__", "package-lock.json", "migrations/statements", "vocabulary.rs"];

/// The rules with their compiled expressions: `words`, and `allowed` if it is not empty.
static COMPILED: LazyLock<Vec<(Regex, Option<Regex>, &Rule)>> = LazyLock::new(|| {
    let whole = |words: &str| Regex::new(&format!(r"\b(?:{words})\b")).expect(words);
    let compiled = RULES.iter().map(|rule| {
        let allowed = (!rule.allowed.is_empty()).then(|| Regex::new(rule.allowed).expect(rule.allowed));
        (whole(rule.words), allowed, rule)
    });
    compiled.collect()
});

/// Matches a line that has a word of any rule. One search with it suffices to skip most lines.
static ANY: LazyLock<Regex> = LazyLock::new(|| {
    let words: Vec<_> = RULES.iter().map(|rule| rule.words).collect();
    Regex::new(&format!(r"\b(?:{})\b", words.join("|"))).expect("valid")
});

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if NOT_READ.iter().any(|name| path.ends_with(name)) {
        return;
    }
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

/// Returns the prose of Rust code: comments, string literals, and the names of items, fields, parameters, types and
/// variants. The word `identifier` precedes each name, for rules about the beginning of a name.
fn prose_of_rust(text: &str) -> String {
    static DEFINED: LazyLock<Regex> = LazyLock::new(|| {
        let item = r"\b(?:fn|struct|enum|trait|type|mod|const|static|macro_rules!)\s+(\w+)";
        let typed = r"\b([a-z_][a-z0-9_]*)\s*:(?:[^:]|$)";
        let type_or_variant = r"\b([A-Z][a-z]\w*)";
        Regex::new(&format!("{item}|{typed}|{type_or_variant}")).expect("valid")
    });
    static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{\w+(?::[^}]*)?\}").expect("valid"));
    let code = rust_text::code(text);
    let mut lines = Vec::new();
    for (line, code) in text.split('\n').zip(code.split('\n')) {
        let is_code =
            |(at, byte): (usize, char)| code.as_bytes().get(at) == line.as_bytes().get(at) && byte != ' ';
        let mut prose: String =
            line.char_indices().map(|(at, c)| if is_code((at, c)) { ' ' } else { c }).collect();
        // a variable in a placeholder of a message is code
        prose = PLACEHOLDER.replace_all(&prose, "").into_owned();
        for found in DEFINED.captures_iter(code) {
            let name = found.iter().skip(1).flatten().next().map_or("", |name| name.as_str());
            prose.push_str(" | identifier ");
            prose.push_str(&words_of(name));
        }
        lines.push(prose);
    }
    lines.join("\n")
}

/// Returns the words of a name: for `is_over` and `IsOver` these are `is over`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        if c == '_' || c.is_uppercase() && was_lower {
            words.push(' ');
        }
        if c != '_' {
            words.push(c);
        }
        was_lower = c.is_lowercase();
    }
    words
}

/// Returns the rejected words of a text, each with the number of its line, counted from 1.
fn rejected(path: &str, prose: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in prose.lines().enumerate() {
        let line = line.to_lowercase();
        if !ANY.is_match(&line) {
            continue;
        }
        for (words, allowed, rule) in COMPILED.iter() {
            let line = match allowed {
                Some(allowed) => allowed.replace_all(&line, "~"),
                None => line.as_str().into(),
            };
            let Some(word) = words.find(&line).map(|found| found.as_str().to_owned()) else { continue };
            let is_exception = EXCEPTIONS
                .iter()
                .any(|(file, excepted, _)| path.starts_with(file) && word.trim_end_matches('s') == *excepted);
            if !is_exception {
                found.push((at + 1, format!("`{word}`: write {}", rule.instead)));
            }
        }
    }
    found
}

#[test]
fn words_of_the_field_are_used() {
    let mut files = Vec::new();
    READ.iter().for_each(|path| collect(&root().join(path), &mut files));
    assert!(files.len() > 700, "only {} files were found", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap();
        let prose = if path.ends_with(".rs") { prose_of_rust(&text) } else { text };
        wrong.extend(rejected(path, &prose).into_iter().map(|(line, why)| format!("{path}:{line}: {why}")));
        let name = path.replace('_', " ");
        wrong.extend(rejected(path, &name).into_iter().map(|(_, why)| format!("{path}: its name: {why}")));
    }
    assert!(wrong.is_empty(), "{} places use private words:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn comments_texts_and_names_are_read_and_code_is_not() {
    let source =
        "// it tells\nfn is_over() {}\nlet told = \"gone\";\nstruct KnownOwners;\n/* a lane */ told(gone);\n";
    let words = |source: &str| -> Vec<(usize, String)> {
        let found = rejected("src/a.rs", &prose_of_rust(source)).into_iter();
        found.map(|(line, why)| (line, why.split('`').nth(1).unwrap().to_owned())).collect()
    };
    let expected = [(1, "tells"), (2, "is over"), (3, "gone"), (4, "known owners"), (5, "lane")];
    assert_eq!(words(source), expected.map(|(line, word)| (line, word.to_owned())));
    let names = "struct S {\n    fault: u8,\n}\nenum E {\n    Gone,\n}\nfn f(budget: u8) {}\nconst AT_ONCE: u8 = 1;\n\
                 fn all_are_sent_at_once() {\n    let gone = at_once;\n}\n";
    let expected = [(2, "fault"), (5, "gone"), (7, "budget"), (8, "identifier at once")];
    assert_eq!(words(names), expected.map(|(line, word)| (line, word.to_owned())));
}

#[test]
fn ordinary_meanings_are_allowed() {
    let ordinary = "There is no room for it. To tell the two apart. Sent over HTTPS. The house tests. 410 Gone. A server fault.";
    assert_eq!(rejected("docs/a.md", ordinary), []);
    assert_eq!(rejected("benches/fleet/chaos.rs", "the next fault"), []);
    assert_eq!(rejected("benches/load/main.rs", "the next fault").len(), 1);
    assert_eq!(rejected("docs/a.md", "A repeat is over and gone, the server tells").len(), 4);
}
