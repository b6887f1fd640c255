//! A caller's rights can be revoked while a request runs. So the transaction of a write on behalf of a caller checks
//! the caller again. Three functions run such transactions: `Caller::write`, `WritingCaller::write` and
//! `World::write_for`. [`EXCEPTIONS`] lists the functions of the service layer that write in other ways, with the
//! reasons.
//!
//! The use cases of the admin API and the pages are methods of the caller's type. No public function outside
//! `service/callers` takes a value of these types ([`CALLERS`]) as an argument, except as `self`.
//!
//! Only the service layer constructs a caller, after it has verified the key, session, link or token of the request
//! ([`PROVEN`], [`SECRETS`]).

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use regex::{Captures, Regex};

use super::{imports::rust_paths, rust_text};

/// Functions of the service layer that call `db.write(…)` or `.in_batches(…)` themselves, grouped by the reason.
const EXCEPTIONS: [(&str, &[&str]); 7] = [
    (
        "maintenance and event delivery, which have no caller",
        &[
            "oauth/ended.rs: purge_ended_connections",
            "oauth/mcp_sessions.rs: store_session_uses",
            "oauth/mcp_sessions.rs: delete_idle_mcp_sessions",
            "oauth/cleanup.rs: delete_spent_tokens",
            "oauth/cleanup.rs: clean_up_connections",
            "oauth/cleanup.rs: clear_tokens",
            "oauth/cleanup.rs: revoke_too_old",
            "employee/drafts.rs: delete_old_drafts",
            "events/deliveries/queue.rs: claim_event_lease",
            "events/deliveries/queue.rs: clear_event_leases",
            "events/deliveries/queue.rs: drop_events",
            "events/deliveries/queue.rs: record_attempts",
            "events/deliveries/queue.rs: release_event_lease",
            "messages/erasure.rs: erase_event_content",
            "files/file_usage.rs: count_files",
            "files/file_usage.rs: delete_unattached_files",
            "files/mod.rs: purge_files",
            "sign_in/guesses.rs: delete_old_guesses",
            "messages/indexing.rs: index_some",
            "people/search.rs: index_people",
            "tool_calls/mod.rs: delete_expired_tool_calls",
            "maintenance/mod.rs: claim_job",
            "batches.rs: in_batches",
            "maintenance/mod.rs: delete_expired",
            "maintenance/mod.rs: expire_events_of",
            "maintenance/mod.rs: delete_old_deliveries",
            "maintenance/mod.rs: delete_expired_keys",
            "maintenance/mod.rs: cancel_job",
            "maintenance/mod.rs: release_job",
            "maintenance/mod.rs: run_job",
            "files/uploads.rs: sweep_uploads",
        ],
    ),
    (
        "the caller is not authenticated, so nothing could be revoked",
        &[
            "oauth/authorize.rs: begin_authorization",
            "oauth/documents.rs: fetch",
            "oauth/register.rs: register_client",
            "sign_in/guesses.rs: count_sign_in",
            "sign_in/sessions.rs: sign_in",
        ],
    ),
    (
        "the transaction itself checks the caller's code, token, session or installation. The secret of an assistant's \
         client is verified only before the transaction, because the secret is never replaced",
        &[
            "oauth/consent.rs: decide",
            "oauth/exchange.rs: exchange_authorization_code",
            "oauth/refresh.rs: refresh_connection",
            "bot/send/mod.rs: send",
            "bot/send/group_commit/mod.rs: write",
            "bot/send/group_commit/mod.rs: write_alone",
        ],
    ),
    (
        "the transaction itself confirms the sign-ins of all people for whom it marks messages as read",
        &["web_client/live/marks.rs: flush_marks"],
    ),
    (
        "removes rights of the caller, which is correct for a revoked caller as well",
        &[
            "oauth/active_connection.rs: revoke_connection",
            "oauth/mcp_sessions.rs: end_mcp_session",
            "oauth/tokens.rs: revoke_by_deleted_token",
            "oauth/tokens.rs: revoke_assistant_token",
            "sign_in/sessions.rs: end_session",
            "sign_in/sessions.rs: sign_out",
        ],
    ),
    (
        "records the request itself, even if it is rejected: an attempt, a use, a tool call, an upload to be cleaned up",
        &[
            "oauth/active_connection.rs: note_use",
            "oauth/mcp_sessions.rs: touched",
            "sign_in/guesses.rs: check_password",
            "tool_calls/mod.rs: record_tool_call",
            "tool_calls/queue.rs: flush",
            "files/uploads.rs: receive_file",
        ],
    ),
    ("tests of the service layer, which have no caller", &["testing.rs: hold_writes", "testing.rs: team"]),
];

/// The folders of the modules that may write only through the service layer.
const APIS: [&str; 7] = ["admin", "assistant", "bot", "contract", "events", "pages", "api"];

/// Returns the functions of a file that call `db.write(…)` or `.in_batches(…)`, as `file: function`.
fn writers(file: &str, source: &str) -> BTreeSet<String> {
    let source = rust_text::without_tests(source);
    // drops comments, and joins the lines of a call such as `self\n.db\n.write(…)`
    let mut joined = String::new();
    for line in source.lines().map(str::trim_start) {
        if !line.starts_with('.') && !line.starts_with("//") {
            joined.push('\n');
        }
        if !line.starts_with("//") {
            joined.push_str(line);
        }
    }
    let name = |at: usize| {
        let before = &joined[..at];
        let function = before.rfind("fn ").map_or("", |found| &before[found + 3..]);
        function.split(['(', '<']).next().unwrap_or_default().to_owned()
    };
    let writes = ["db.write(", ".in_batches("].into_iter().flat_map(|call| joined.match_indices(call));
    writes.map(|(at, _)| format!("{file}: {}", name(at))).collect()
}

fn writers_in(folder: &Path) -> BTreeSet<String> {
    let of = |path: PathBuf| {
        let file = path.strip_prefix(folder).unwrap().to_str().unwrap();
        writers(file, &std::fs::read_to_string(&path).unwrap())
    };
    rust_paths(folder).into_iter().flat_map(of).collect()
}

#[test]
fn every_write_for_a_caller_confirms_the_caller() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = writers_in(&source.join("service"));
    // the functions of `callers/confirm.rs` check the caller and then write on behalf of the caller
    found.retain(|name| !name.starts_with("callers/confirm.rs: "));
    let known: BTreeSet<String> =
        EXCEPTIONS.iter().flat_map(|(_, names)| *names).map(|name| (*name).to_owned()).collect();
    let unknown: Vec<_> = found.difference(&known).collect();
    assert!(
        unknown.is_empty(),
        "writes for a caller go through `Caller::write`, `WritingCaller::write` or `World::write_for`: {unknown:?}"
    );
    let obsolete: Vec<_> = known.difference(&found).collect();
    assert!(
        obsolete.is_empty(),
        "these functions do not call `db.write` or `.in_batches`; remove them from EXCEPTIONS: {obsolete:?}"
    );
    for api in APIS {
        let found = writers_in(&source.join(api));
        assert!(found.is_empty(), "an API module writes only through the service layer: {found:?}");
    }
}

#[test]
fn a_write_without_confirmation_is_found() {
    let source = "impl World {\n    pub async fn rename(&self, client: Client) -> Result<()> {\n        \
                  self\n            .db\n            .write(Rename)\n            .await\n    }\n\n    \
                  // self.db.write(Old)\n    pub async fn purge(&self) {\n        \
                  let purge = async move { db.write(Purge).await };\n    }\n}\n";
    let found: Vec<_> = writers("a.rs", source).into_iter().collect();
    assert_eq!(found, ["a.rs: purge", "a.rs: rename"]);
    let confirmed = source.replace(".db\n            .write(Rename)", ".write_for(client, Rename)");
    assert_eq!(writers("a.rs", &confirmed).into_iter().collect::<Vec<_>>(), ["a.rs: purge"]);
}

/// The types of the callers of the admin API and the pages, and the types that these consist of.
const CALLERS: [&str; 8] =
    ["CallerPrincipal", "Right", "Caller", "Operator", "CompanyAdmin", "CompanyCaller", "Person", "SignedIn"];

/// Returns the text up to the end of a function's signature. The signature ends at a `{`, or at a `;` at the end of a
/// line. A `;` within a line belongs to an array's type.
fn signature(text: &str) -> &str {
    let end = [text.find('{'), text.find(";\n")].into_iter().flatten().min();
    &text[..end.unwrap_or(text.len())]
}

/// Returns the names of public functions that take a caller as an argument other than `self`.
fn takers(source: &str) -> Vec<String> {
    let source = rust_text::without_tests(source);
    let mut found = Vec::new();
    let forms = ["pub", "pub(crate)", "pub(in crate)"]
        .into_iter()
        .flat_map(|visibility| ["fn", "async fn", "const fn"].map(|form| format!("{visibility} {form} ")));
    for form in forms {
        for (at, _) in source.match_indices(&form) {
            let head = signature(&source[at + form.len()..]);
            let arguments = head.rsplit_once(") -> ").map_or(head, |(arguments, _)| arguments);
            let mut words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.any(|word| CALLERS.contains(&word)) {
                found.push(head.split(['(', '<']).next().unwrap_or_default().to_owned());
            }
        }
    }
    found
}

#[test]
fn public_functions_take_a_caller_only_as_self() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    let mut files = rust_paths(&folder);
    // the functions in `service/callers` may take callers as arguments, for example to compare two callers
    files.retain(|file| !file.starts_with(folder.join("callers")));
    assert!(files.len() > 50, "only {} files were found", files.len());
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let found = takers(&source);
        assert!(
            found.is_empty(),
            "{}: make these functions methods of the caller: {found:?}",
            file.display()
        );
    }
}

#[test]
fn a_caller_as_an_argument_is_found() {
    for taker in [
        "impl World {\n    pub async fn rename(&self, who: &CallerPrincipal, name: String) -> Result<()> {\n    }\n}",
        "impl World {\n    pub fn rename(\n        &self,\n        caller: &Caller,\n    ) {\n    }\n}",
        "pub const fn rename(admin: CompanyAdmin<'_>) -> Result<()> {\n}",
        "pub(crate) fn rename(admin: CompanyAdmin<'_>) -> Result<()> {\n}",
        "pub fn rename(session: [u8; 32], admin: CompanyAdmin<'_>) -> Result<()> {\n}",
    ] {
        assert_eq!(takers(taker), ["rename"], "{taker}");
    }
    for kept in [
        "impl Caller {\n    pub async fn rename(&self, name: String) -> Result<()> {\n    }\n}",
        "impl World {\n    pub fn session(self: &Arc<Self>) -> Result<Caller> {\n    }\n}",
        "pub(super) fn administered(who: &CallerPrincipal) -> Result<()> {\n}",
    ] {
        assert!(takers(kept).is_empty(), "{kept}");
    }
}

/// The types that stand for a proven right, with the file that declares them. Their fields are private to the file or
/// to the service layer, so no API module can construct a value.
const PROVEN: [(&str, &str); 8] = [
    ("Caller", "callers/caller.rs"),
    ("Operator", "callers/rights.rs"),
    ("CompanyAdmin", "callers/rights.rs"),
    ("CompanyCaller", "callers/rights.rs"),
    ("Person", "callers/rights.rs"),
    ("SignedIn", "callers/rights.rs"),
    ("Connected", "oauth/active_connection.rs"),
    ("Bot", "bot/access.rs"),
];

/// The public functions that return a `Caller`, which is a caller of the admin API or the pages. Each of these
/// functions verifies a secret.
const PROOFS: [&str; 4] =
    ["operator_by_key", "operator_by_console_session", "operator_by_console_link", "session"];

/// Names with which an API module could verify the operator without the service layer, create a session or a link of
/// the console, or construct a principal.
const SECRETS: [&str; 4] = ["operator_key_sha256", "console_session", "new_console_link", "CallerPrincipal"];

/// Returns those fields of the struct `name` that other layers can set: public fields, except fields that are public in
/// the service layer only. Returns `None` if the source does not declare the struct.
fn public_fields(source: &str, name: &str) -> Option<Vec<String>> {
    let begin = source
        .find(&format!("pub struct {name} {{"))
        .or_else(|| source.find(&format!("pub struct {name}<")))?;
    let body = &source[begin..begin + source[begin..].find("\n}").unwrap_or(0)];
    let is_public = |field: &&str| {
        let in_service = ["pub(super) ", "pub(in crate::service"];
        field.starts_with("pub") && !in_service.iter().any(|prefix| field.starts_with(prefix))
    };
    let fields = body.lines().skip(1).map(str::trim_start).filter(is_public);
    Some(fields.map(ToOwned::to_owned).collect())
}

#[test]
fn no_api_module_can_construct_a_caller() {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    for (name, file) in PROVEN {
        let source = std::fs::read_to_string(service.join(file)).unwrap();
        let fields = public_fields(&source, name);
        assert_eq!(fields.as_deref(), Some([].as_slice()), "{file}: the fields of `{name}` are not public");
    }
}

#[test]
fn a_public_field_of_a_caller_is_found() {
    let source = "pub struct Caller {\n    pub id: u8,\n    pub(in crate::service) world: World,\n    x: u8,\n    \
                  pub(super) y: u8,\n    pub(crate) z: u8,\n    pub(in crate) public: u8,\n}\n";
    let expected = ["pub id: u8,", "pub(crate) z: u8,", "pub(in crate) public: u8,"];
    assert_eq!(public_fields(source, "Caller"), Some(expected.map(str::to_owned).to_vec()));
    assert_eq!(public_fields("pub struct Person<'a> {\n    id: u8,\n}\n", "Person"), Some(Vec::new()));
    assert_eq!(public_fields(source, "Person"), None);
}

/// Returns the names of functions that other layers can call and that return a value of the type `name`.
fn makers(source: &str, name: &str) -> Vec<String> {
    static FUNCTION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\b(pub(?:\((?:in )?crate\))? )?(?:const |async |unsafe )*fn (\w+)").expect("valid")
    });
    let source = rust_text::without_tests(&rust_text::code(source));
    let is_maker = |function: &Captures<'_>| {
        let at = function.get(0).map_or(0, |whole| whole.start());
        let block = source[..at].rfind("\nimpl").map_or("", |block| signature(&source[block..]).trim());
        // In an `impl` block of the type, the result may be named `Self`. Functions in the implementation of a trait
        // are public, although they have no `pub`.
        let is_own = block.ends_with(&format!(" {name}"));
        let is_public = function.get(1).is_some() || is_own && block.ends_with(&format!(" for {name}"));
        let head = signature(&source[at..]);
        let returned = head.rsplit_once(") -> ").map_or("", |(_, returned)| returned);
        let mut words = returned.split(|c: char| !c.is_alphanumeric() && c != '_');
        is_public && words.any(|word| word == name || is_own && word == "Self")
    };
    FUNCTION.captures_iter(&source).filter(is_maker).map(|function| function[2].to_owned()).collect()
}

/// Returns the names of functions of the service layer that other layers can call and that return a value of the type
/// `name`.
fn makers_of(name: &str) -> BTreeSet<String> {
    let service = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/service");
    let mut files = rust_paths(&service);
    // `testing.rs` is compiled only with `cfg(test)`
    files.retain(|file| !file.ends_with("testing.rs"));
    files.iter().flat_map(|file| makers(&std::fs::read_to_string(file).unwrap(), name)).collect()
}

#[test]
fn a_caller_comes_only_from_a_function_that_verifies_a_secret() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let expected = PROOFS.map(str::to_owned).into_iter().collect();
    assert_eq!(
        makers_of("Caller"),
        expected,
        "PROOFS lists the functions that return a `Caller`, each of which verifies a secret"
    );
    let by_token = BTreeSet::from(["connection_for_token".to_owned()]);
    assert_eq!(
        makers_of("Connected"),
        by_token,
        "only `connection_for_token`, which checks an access token, returns a `Connected`"
    );
    for api in APIS.into_iter().chain(["app/diagnostics.rs"]) {
        let files = match root.join(api) {
            file if file.is_file() => vec![file],
            folder => rust_paths(&folder),
        };
        for file in files {
            let code = rust_text::code(&std::fs::read_to_string(&file).unwrap());
            // `pages/console/mod.rs` calls `new_console_link` for `switchboard dev`, and not for a request
            let allowed = if file.ends_with("pages/console/mod.rs") { "new_console_link" } else { "" };
            let used: Vec<_> =
                rust_text::names(&code).filter(|name| SECRETS.contains(name) && *name != allowed).collect();
            assert!(
                used.is_empty(),
                "{}: only the service layer uses the names in SECRETS: {used:?}",
                file.display()
            );
        }
    }
}

#[test]
fn a_function_that_returns_a_caller_is_found() {
    let source = "impl World {\n    pub fn operator(self: &Arc<Self>) -> Caller {\n    }\n    \
                  pub async fn by_id(&self) -> Result<Option<Caller>> {\n    }\n    \
                  pub fn is_caller(&self, caller: &Caller) -> bool {\n    }\n    fn private() -> Caller {\n    }\n    \
                  pub(in crate) fn made() -> Caller {\n    }\n}";
    assert_eq!(makers(source, "Caller"), ["operator", "by_id", "made"]);
    let own = "struct Caller;\n\nimpl Caller {\n    pub fn operator(world: &Arc<World>) -> Self {\n    }\n    \
               fn private() -> Self {\n    }\n}\n\nimpl From<UserId> for Caller {\n    \
               fn from(id: UserId) -> Self {\n    }\n}\n\nimpl World {\n    pub const fn new() -> Self {\n    }\n}";
    assert_eq!(makers(own, "Caller"), ["operator", "from"]);
}

#[test]
fn code_below_the_declaration_of_a_test_module_is_checked() {
    let source = "#[cfg(test)]\nmod tests;\nfn rename() { self.db.write(Rename) }\n\
                  #[cfg(test)]\nmod inline { fn test() { self.db.write(Test) } }\nfn delete() { self.db.write(Delete) }";
    let found: Vec<_> = writers("people.rs", source).into_iter().collect();
    assert_eq!(found, ["people.rs: delete", "people.rs: rename"]);
}
