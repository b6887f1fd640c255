//! The project uses the words of the field. The test rejects words that once had a private meaning in this project. It
//! reads comments, messages, documents, templates and names of files. In code it also reads the names of items, enum
//! variants, fields, parameters and local variables, split into words.

use std::{
    collections::BTreeSet,
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
    rule("known owners?|what is known", "token cache", ""),
    rule("upkeep|tid(y|ies|ied|ying)|what is over", "maintenance job, expiry, retention, purge", ""),
    rule("eras?", "protocol version", ""),
    // Constants of maintenance jobs once had the names `GOES` and `AT_ONCE`.
    rule("constant (\\w+ )*(goes|at once)", "batch size, maximum batches", ""),
    rule("type over end", "ended, expired", ""),
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
        "server faults?|faults? of the server|(inject|brings?)\\w* (\\w+ ){0,2}faults?|fault injection|field `faults`|operations/faults",
    ),
    rule("standing", "status, visibility, long-lived, quota", "long-standing"),
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

/// Phrases in which a word has its ordinary meaning in one file: the path of the file, the phrase and the reason. The
/// phrase is a regular expression in lower case. It is matched against a line of [`prose`], in lower case.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    ("benches/fleet/chaos.rs", "faults?", "it injects faults into the database and the network"),
    ("benches/fleet/ledger.rs", "faults?", "it injects faults into the database and the network"),
    ("benches/fleet/main.rs", "faults?", "it injects faults into the database and the network"),
    ("benches/fleet/options.rs", "faults?", "it injects faults into the database and the network"),
    ("benches/fleet/report.rs", "faults?", "it injects faults into the database and the network"),
    ("benches/support/stats.rs", "(no|a|the|of a) fault", "failures of requests under injected faults"),
    ("src/cli/server.rs", "\"faults\"", "a field of `config print --json`"),
    ("tests/suite/operations/command_errors.rs", "faults?", "a field of `config print --json`"),
    ("docs/operations.md", r"\[faults\]", "a link to the faults of PostgreSQL"),
    ("docs/performance.md", "faults?", "the runs under injected faults"),
    ("docs/testing.md", "faults?", "the runs under injected faults"),
    ("docs/postgresql.md", r"end of the fault|\| fault \|", "faults of the database and the network"),
    ("tests/suite/operations/mod.rs", "identifier faults end", "the folder of these tests"),
    (
        "tests/suite/operations/faults/mod.rs",
        "faults?",
        "it injects faults into the database and the network",
    ),
    ("src/contract/tests/envelope.rs", "things/fault", "a path of the test API"),
    ("src/contract/tests/tiny.rs", r#""fault""#, "a path of the test API"),
    ("src/platform/passwords/mod.rs", "constant lanes end", "a parameter of Argon2 (RFC 9106)"),
    (
        "tests/clients/mcp/drivers/inspector.js",
        "--protocol-era|identifier protocol era end",
        "an option of the Inspector",
    ),
    ("tests/suite/main.rs", "identifier house end", "the folder of these tests"),
    ("tests/suite/assistant/client_documents.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/assistant/document_fetches.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/admin.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/apart.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/delivery.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/ends.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/flow.rs", "(identifier|type) gate end|until the gate opens", GATE),
    ("tests/suite/events/processes.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/events/slots.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/support/events.rs", "(identifier|type) gate end", GATE),
    ("tests/suite/support/receiver.rs", "(identifier|type) gate end", GATE),
];

/// The reason for the exceptions of files that use `Treatment::Gate` of the tests' receiver of events.
const GATE: &str = "a receiver does not respond until the test opens its gate";

/// The files and folders that the test searches.
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

/// Matches a line that has a word of any rule. Most lines do not match, so the test need not search them for the words
/// of each single rule.
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

/// Returns the prose of Rust code: comments, string literals, and the names of items, fields, parameters, types,
/// variants and local variables. Each name is added to its line as words between two markers: `constant … end` for a
/// constant, `type … end` for a type or variant, and `identifier … end` for any other name.
fn prose_of_rust(text: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[A-Za-z_]\w*").expect("valid"));
    static ITEM: LazyLock<Regex> = LazyLock::new(|| {
        let keywords = "fn|struct|enum|trait|type|mod|const|static|macro_rules!";
        Regex::new(&format!(r"\b(?:{keywords})\s+(?:mut\s+)?$")).expect("valid")
    });
    static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\{\w+(?::[^}]*)?\}").expect("valid"));
    let code = rust_text::code(text);
    let mut lines = Vec::new();
    for (line, code) in text.split('\n').zip(code.split('\n')) {
        let is_code =
            |(at, byte): (usize, char)| code.as_bytes().get(at) == line.as_bytes().get(at) && byte != ' ';
        let mut prose: String =
            line.char_indices().map(|(at, c)| if is_code((at, c)) { ' ' } else { c }).collect();
        // a variable in a placeholder of a message (`{name}`) is code, not prose
        prose = PLACEHOLDER.replace_all(&prose, "").into_owned();
        for found in NAME.find_iter(code) {
            let (before, after) = (&code[..found.start()], &code[found.end()..]);
            let name = found.as_str();
            let is_constant = name.len() > 1 && !name.contains(char::is_lowercase);
            let is_type = !is_constant && name.starts_with(char::is_uppercase);
            // a dependency may define the function or module, so its name is added only where this project defines it
            let is_path = before.ends_with("::") || after.starts_with("::") || after.starts_with(['(', '!']);
            let is_member = before.ends_with('.') && !before.ends_with("..");
            let is_local = !is_constant && !is_path && !is_member;
            if is_type || is_local || ITEM.is_match(before) {
                let kind = if is_constant {
                    "constant"
                } else if is_type {
                    "type"
                } else {
                    "identifier"
                };
                push_name(&mut prose, kind, name);
            }
        }
        lines.push(prose);
    }
    lines.join("\n")
}

fn push_name(prose: &mut String, kind: &str, name: &str) {
    prose.push_str(&format!(" | {kind} {} end", words_of(name).trim()));
}

/// The extensions of files in other languages. The names in such a file are split into words.
const LANGUAGES: [&str; 6] = [".js", ".mjs", ".py", ".sql", ".css", ".html"];

/// Returns a text in which each line is followed by the words of the names in that line.
fn prose_of_code(text: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b[A-Za-z_][\w-]*").expect("valid"));
    let lines = text.split('\n').map(|line| {
        let mut prose = line.to_owned();
        let names = NAME.find_iter(line).map(|found| found.as_str());
        for name in names.filter(|name| name.contains(['_', '-']) || words_of(name).contains(' ')) {
            push_name(&mut prose, "identifier", name);
        }
        prose
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the prose of a file.
fn prose(path: &str, text: String) -> String {
    match path {
        path if path.ends_with(".rs") => prose_of_rust(&text),
        path if LANGUAGES.iter().any(|extension| path.ends_with(extension)) => prose_of_code(&text),
        _ => text,
    }
}

/// Returns the words of a name: `is over` for `is_over` and `is-over`, and `Is Over` for `IsOver`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    let mut was_lower = false;
    for c in name.chars() {
        let is_separator = matches!(c, '_' | '-');
        if is_separator || c.is_uppercase() && was_lower {
            words.push(' ');
        }
        if !is_separator {
            words.push(c);
        }
        was_lower = c.is_lowercase();
    }
    words
}

/// An exception with its compiled phrase.
type Exception = (&'static str, Regex);

static COMPILED_EXCEPTIONS: LazyLock<Vec<Exception>> = LazyLock::new(|| {
    let compiled = EXCEPTIONS.iter().map(|(file, phrase, _)| (*file, Regex::new(phrase).expect(phrase)));
    compiled.collect()
});

/// Returns a message for each rejected word of a text, with the number of the word's line, counted from 1. Adds to
/// `used` the index in [`EXCEPTIONS`] of each exception that allowed a word.
fn rejected(path: &str, prose: &str, used: &mut BTreeSet<usize>) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (at, line) in prose.lines().enumerate() {
        let line = line.to_lowercase();
        if !ANY.is_match(&line) {
            continue;
        }
        for (words, allowed, rule) in COMPILED.iter() {
            let mut line = match allowed {
                Some(allowed) => allowed.replace_all(&line, "~"),
                None => line.as_str().into(),
            };
            if !words.is_match(&line) {
                continue;
            }
            for (index, (_, phrase)) in
                COMPILED_EXCEPTIONS.iter().enumerate().filter(|(_, (file, _))| *file == path)
            {
                let count = words.find_iter(&line).count();
                let without = phrase.replace_all(&line, "~").into_owned();
                if words.find_iter(&without).count() < count {
                    used.insert(index);
                    line = without.into();
                }
            }
            if let Some(word) = words.find(&line) {
                found.push((at + 1, format!("`{}`: write {}", word.as_str(), rule.instead)));
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
    let (mut wrong, mut used) = (Vec::new(), BTreeSet::new());
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap();
        let found = rejected(path, &prose(path, text), &mut used).into_iter();
        wrong.extend(found.map(|(line, why)| format!("{path}:{line}: {why}")));
        let name = path.replace(['_', '-'], " ");
        let found = rejected(path, &name, &mut used).into_iter();
        wrong.extend(found.map(|(_, why)| format!("{path}: its name: {why}")));
    }
    assert!(wrong.is_empty(), "{} places use private words:\n{}", wrong.len(), wrong.join("\n"));
    let unused = EXCEPTIONS.iter().enumerate().filter(|(index, _)| !used.contains(index));
    let unused: Vec<_> = unused.map(|(_, exception)| exception).collect();
    assert!(unused.is_empty(), "these exceptions allow nothing; remove them: {unused:#?}");
}

/// Returns the rejected words of a text, each with the number of its line. `path` must not be in [`EXCEPTIONS`].
fn words_in(path: &str, text: &str) -> Vec<(usize, String)> {
    let found = rejected(path, &prose(path, text.to_owned()), &mut BTreeSet::new()).into_iter();
    found.map(|(line, why)| (line, why.split('`').nth(1).unwrap().to_owned())).collect()
}

#[test]
fn comments_texts_and_names_are_read_and_other_code_is_not() {
    let source = "// it tells\nfn is_over() {}\nlet x = \"gone\";\nstruct KnownOwners;\n/* a lane */ told(x).tell(rooms::of);\n";
    let expected = [(1, "tells"), (2, "is over"), (3, "gone"), (4, "known owners"), (5, "lane")];
    assert_eq!(words_in("src/a.rs", source), expected.map(|(line, word)| (line, word.to_owned())));
    let names = "struct S {\n    fault: u8,\n}\nenum E {\n    Gone,\n}\nfn f(budget: u8) {}\nconst AT_ONCE: u8 = 1;\n\
                 fn all_are_sent_at_once() {\n    let at_once = 1;\n}\nstatic ROWS_AT_ONCE: u8 = 1;\nPhase::Over;\n";
    let expected = [
        (2, "fault"),
        (5, "gone"),
        (7, "budget"),
        (8, "constant at once"),
        (12, "constant rows at once"),
        (13, "type over end"),
    ];
    assert_eq!(words_in("src/a.rs", names), expected.map(|(line, word)| (line, word.to_owned())));
}

#[test]
fn local_variables_are_read() {
    let source = "let gone = 1;\nif let Some(told) = x {}\nfor lane in x {}\nlet f = |heard, _| 1;\nSome((_, door)) => 1,\n\
                  let is_gone = |id| id;\nlet x = a.heard;\nlet y = StatusCode::GONE;\n";
    let expected = [(1, "gone"), (2, "told"), (3, "lane"), (4, "heard"), (5, "door"), (6, "gone")];
    assert_eq!(words_in("src/a.rs", source), expected.map(|(line, word)| (line, word.to_owned())));
}

#[test]
fn names_in_other_languages_are_split_into_words() {
    for (path, text, word) in [
        ("assets/a.js", "const isGone = 1;", "gone"),
        ("tests/a.py", "told_by = 1", "told"),
        ("migrations/a.sql", "CREATE TABLE gone_rows (id INTEGER)", "gone"),
        ("assets/a.css", ".door-open_lane {}", "door"),
    ] {
        assert_eq!(words_in(path, text)[0], (1, word.to_owned()), "{path}");
    }
}

#[test]
fn ordinary_meanings_are_allowed() {
    let ordinary = "There is no room for it. To tell the two apart. Sent over HTTPS. The house tests. 410 Gone. A server fault.";
    assert_eq!(words_in("docs/a.md", ordinary), []);
    assert_eq!(words_in("docs/a.md", "A repeat is over and gone, the server tells").len(), 4);
}
