//! Generates `docs/limits.md` from the table, and checks the table against the API documents.

use std::{collections::BTreeMap, fmt::Write as _};

use super::*;
use crate::{
    assistant::MCP_OPERATIONS,
    committed::assert_committed,
    contract::OperationInfo,
    generated::{admin, assistant, bot},
    platform::limits::LimitSubject,
};

/// The default of `limits.mcp_requests_per_minute`.
const MCP_DEFAULT: u32 = 120;

const HEAD: &str = "<!-- Generated from src/platform/limits/table/mod.rs by its test; `just bless` rewrites it. -->

# Rate limits

A request over a limit gets 429 with `Retry-After`. A client that keeps to the limits by its own clock is never rejected,
with one exception. The *exact* limits of sign-in and of assistants have no tolerance for varying network delays, so they can
reject a request that the client sent in time.

*Exact* limits protect secrets or other parties. If several nodes share a database, the database counts the requests under
exact limits. For all other limits each node decides by itself, and the nodes exchange their counts. `limits.scale`
multiplies every limit, for load tests. The column *Limit* has the name that `RateLimit-Policy` and the label `limit` of the
metrics use.

An address is a network address; an IPv6 address counts as its /64. If the column *Per* has *each*, the requests of each
operation are counted separately.
";

const TAIL: &str = "
The sign-in page counts against the limits of `createSession`. `oauth_failures` counts failed authentication only. Wrong
passwords also delay further attempts ([decision 27](decisions/0027-passwords-uploads-and-names.md)).
";

/// How `docs/limits.md` shows a counter: its name, its numbers in words, and whether it is exact.
trait Numbers: Copy {
    fn name(self) -> &'static str;
    fn words(self) -> String;
    fn is_exact(self) -> bool;
    /// How long a bucket takes to fill, in microseconds; 0 for a window.
    fn depth(self) -> i64 {
        0
    }
}

fn span(micros: i64) -> String {
    match micros / 1_000_000 {
        60 => "per minute".to_owned(),
        3600 => "per hour".to_owned(),
        seconds => format!("in {} minutes", seconds / 60),
    }
}

impl Numbers for Window {
    fn name(self) -> &'static str {
        self.name
    }
    fn words(self) -> String {
        format!("{} {}", self.limit, span(self.per))
    }
    fn is_exact(self) -> bool {
        false
    }
}

impl Numbers for ExactWindow {
    fn name(self) -> &'static str {
        self.0.name
    }
    fn words(self) -> String {
        self.0.words()
    }
    fn is_exact(self) -> bool {
        true
    }
}

impl Numbers for Rate {
    fn name(self) -> &'static str {
        self.name
    }
    fn words(self) -> String {
        format!("{} per second, {} at once", 1_000_000 / self.step(), self.burst)
    }
    fn is_exact(self) -> bool {
        false
    }
    fn depth(self) -> i64 {
        Rate::depth(self)
    }
}

/// A row of `docs/limits.md`: the name, the numbers, the callers whose requests are counted together, and `exact` or an
/// empty text.
type Cells = (&'static str, String, String, &'static str);

fn cells(numbers: impl Numbers, subject: &str) -> Cells {
    let (name, depth) = (numbers.name(), numbers.depth());
    assert!(depth <= LONGEST_FILL, "no bucket takes longer to fill than `LONGEST_FILL`: {name}");
    let exact = if numbers.is_exact() { "exact" } else { "" };
    (numbers.name(), numbers.words(), subject.to_owned(), exact)
}

fn shared<C: Numbers, S: LimitSubject>(limit: Limit<C, S>) -> Cells {
    cells(limit.counter, S::WORDS)
}

fn each<C: Numbers, S: LimitSubject>(limit: EachOperation<C, S>) -> Cells {
    cells(limit.counter(), &format!("{}, each", S::WORDS))
}

/// Returns the rows of an operation's limits.
fn rows(limits: OperationLimits) -> Vec<Cells> {
    match limits {
        OperationLimits::Unlimited => Vec::new(),
        OperationLimits::Bot(limit) => vec![each(limit)],
        OperationLimits::Send(SendLimits { requests, installation, destination }) => {
            vec![shared(requests), shared(installation), shared(destination)]
        }
        OperationLimits::BotOauth(BotOauthLimits { app, failures }) => vec![each(app), each(failures)],
        OperationLimits::Register(limit) => vec![each(limit)],
        OperationLimits::AssistantOauth(AssistantOauthLimits { address, client_at_address, client }) => {
            vec![each(address), each(client_at_address), each(client)]
        }
        OperationLimits::Authorize(limit) => vec![shared(limit)],
        OperationLimits::Mcp(limit) => vec![shared(limit(MCP_DEFAULT))],
        OperationLimits::Admin(limit) => vec![shared(limit)],
        OperationLimits::SignIn(SignInLimits { address, wide_network, account }) => {
            vec![shared(address), shared(wide_network), shared(account)]
        }
    }
}

/// Returns the limits of requests that are not operations of a document.
fn others() -> Vec<(&'static str, Cells)> {
    let DocumentFetchLimits { url, host, host_at_address } = DOCUMENT_FETCHES;
    vec![
        ("authorization requests of assistants", shared(AUTHORIZE)),
        ("fetches of a client's metadata document", shared(url)),
        ("fetches of a client's metadata document, unless it was valid before", shared(host)),
        (
            "the fetches that `document_host` counts; \
             this limit applies while at least half of `document_host` is used",
            shared(host_at_address),
        ),
        ("bodies above 16 KiB whose sender is not authenticated before the body is read", shared(LARGE_BODY)),
        ("forms posted to the pages, except read marks of signed-in people", shared(FORMS)),
        ("pages of a signed-in account, except links to files of messages", shared(PAGES)),
        ("links to files of messages on pages of a signed-in account", shared(MESSAGE_FILES)),
        ("the script of `/docs`, documents at `/openapi`", shared(REFERENCE)),
    ]
}

fn documents() -> [(&'static str, Vec<&'static OperationInfo>); 3] {
    let with_mcp = assistant::OPERATIONS.iter().chain(MCP_OPERATIONS).copied().collect();
    [
        ("Bot API", bot::OPERATIONS.to_vec()),
        ("Assistant server", with_mcp),
        ("Admin API", admin::OPERATIONS.to_vec()),
    ]
}

fn page() -> String {
    let mut page = HEAD.to_owned();
    for (title, operations) in documents() {
        let mut by_limit: BTreeMap<String, (Vec<Cells>, Vec<&str>)> = BTreeMap::new();
        for operation in &operations {
            let rows = rows(limits_of(operation.limit));
            let group = by_limit.entry(format!("{rows:?}")).or_insert((rows, Vec::new()));
            group.1.push(operation.id);
        }
        write!(page, "\n## {title}\n\n| Operations | Limit | Requests | Per | |\n|-|-|-|-|-|\n").unwrap();
        let mut groups: Vec<_> = by_limit.into_values().collect();
        groups.sort_by_key(|(_, ids)| operations.iter().position(|operation| operation.id == ids[0]));
        for (rows, ids) in groups {
            let named = match ids.len() * 2 > operations.len() && ids.len() > 10 {
                true => "all others".to_owned(),
                false => ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", "),
            };
            if rows.is_empty() {
                writeln!(page, "| {named} | unlimited | | | |").unwrap();
            }
            for (name, numbers, subject, exact) in rows {
                writeln!(page, "| {named} | `{name}` | {numbers} | {subject} | {exact} |").unwrap();
            }
        }
    }
    page.push_str("\n## Everything else\n\n| Requests | Limit | Requests | Per | |\n|-|-|-|-|-|\n");
    for (what, (name, numbers, subject, exact)) in others() {
        writeln!(page, "| {what} | `{name}` | {numbers} | {subject} | {exact} |").unwrap();
    }
    page + TAIL
}

#[test]
fn limits_md_is_up_to_date() {
    assert_committed("docs/limits.md", &page());
}

/// If a document names a limit for an operation, and the API does not apply this limit, the API rejects all requests of
/// the operation.
#[test]
fn each_document_names_only_limits_that_its_api_applies() {
    use OperationLimits as Of;
    let [bot, assistant, admin] = documents();
    let first_misplaced = |(_, operations): &(_, Vec<&'static OperationInfo>),
                           applies: fn(OperationLimits) -> bool| {
        operations.iter().find(|operation| !applies(limits_of(operation.limit))).map(|operation| operation.id)
    };
    let misplaced = [
        first_misplaced(&bot, |limits| matches!(limits, Of::Bot(_) | Of::Send(_) | Of::BotOauth(_))),
        first_misplaced(&assistant, |limits| {
            matches!(limits, Of::Unlimited | Of::Register(_) | Of::AssistantOauth(_) | Of::Mcp(_))
        }),
        first_misplaced(&admin, |limits| matches!(limits, Of::Admin(_) | Of::SignIn(_))),
    ];
    assert_eq!(misplaced, [None; 3], "each API applies the limits that its document names");
}

/// The server's own metadata (`/.well-known/oauth-…`) is small and public. A client reads it first, to find out where
/// it gets a token.
#[test]
fn only_metadata_is_unlimited() {
    let all = documents().into_iter().flat_map(|(_, operations)| operations);
    let unlimited = all.filter(|operation| matches!(limits_of(operation.limit), OperationLimits::Unlimited));
    let paths: Vec<_> = unlimited.map(|operation| operation.path).collect();
    assert_eq!(paths.len(), 4, "{paths:?}");
    assert!(paths.iter().all(|path| path.starts_with("/.well-known/oauth-")), "{paths:?}");
}

/// Requests are counted under the tag of a limit's name, so two limits with the same tag would share their counts.
#[test]
fn names_and_tags_of_limits_are_unique() {
    let operations = documents().into_iter().flat_map(|(_, operations)| operations);
    let named = operations.flat_map(|operation| rows(limits_of(operation.limit)));
    let all: Vec<_> = named.chain(others().into_iter().map(|(_, row)| row)).collect();
    let mut by_name = BTreeMap::new();
    let mut tags = BTreeMap::new();
    for row in all {
        let name = row.0;
        assert_eq!(
            *by_name.entry(name).or_insert_with(|| row.clone()),
            row,
            "the name {name} belongs to one limit only"
        );
        assert_eq!(
            *tags.entry(crate::platform::limits::key::tag(name)).or_insert(name),
            name,
            "the tag of the limit {name} belongs to no other limit"
        );
    }
    assert!(by_name.len() > 20, "the table has more than 20 limits: {}", by_name.len());
}
