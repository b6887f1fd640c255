//! A replica answers only the listed reads. No statement that names a table of [`PRIMARY_ONLY`] is sent to a replica.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::json;
use switchboard::{
    config::{Config, DatabaseUrlSetting},
    platform::secrets::Secret,
    store::Engine,
};

use super::{NAME, Pair};
use crate::house::imports;
use crate::support::{BotFixture, Options, Server, database::TestDatabase, until};

/// The operations that a replica may answer. None of them authenticates a caller, and none decides what is written.
const ALLOWED: &[&str] = &[
    "find_by_email",
    "find_clients_of_tool_calls",
    "find_conversation",
    "find_employee_person",
    "find_full_conversation",
    "find_last_conversation",
    "find_own_groups",
    "find_people",
    "find_person",
    "list_all_conversations",
    "list_companies",
    "list_conversations",
    "list_deliveries",
    "list_employee_conversations",
    "list_employee_people",
    "list_everybody",
    "list_full_messages",
    "list_members",
    "list_open_conversations",
    "list_people",
    "list_person_conversations",
    "list_tool_calls",
    "name_targets",
    "read_employee_messages",
    "read_history",
    "read_people",
    "read_profile",
    "search_messages",
];

/// Names of tables, or beginnings of such names: tables with secrets, sessions, idempotency keys, limits, consent,
/// drafts and leases. These tables are read only from the primary.
const PRIMARY_ONLY: &[&str] = &[
    "bot_tokens",
    "sessions",
    "accounts",
    "connection_tokens",
    "connections",
    "authorization_",
    "install_codes",
    "send_keys",
    "drafts",
    "rate_",
    "server_secrets",
    "job_leases",
    "event_leases",
    "mcp_sessions",
];

/// Calls `visit` for the operations in the sources below a folder, with their names, their declarations and their
/// bodies. Leaves out each `Op` that is declared with `op!`, because such an operation cannot declare
/// `ReadOp::REPLICA`, and takes no locks.
fn visit_operations(folder: &Path, visit: &mut impl FnMut(&str, &str, &str)) {
    for path in imports::rust_paths(folder) {
        let text = fs::read_to_string(&path).unwrap();
        for operation in text.split("const NAME: &'static str = \"").skip(1) {
            let (name, rest) = operation.split_once('"').unwrap();
            let (declaration, body) = rest.split_once("async fn run").unwrap_or((rest, ""));
            visit(name, declaration, body);
        }
        // a `ReadOp` that is declared with `op!`: `ReadOp "name", REPLICA: Type -> Out = |op, c| body`, with the braces
        // on the same line or on lines of their own
        for operation in text.split("op! {").skip(1) {
            let operation = operation.trim_start();
            let Some((name, rest)) =
                operation.strip_prefix("ReadOp \"").and_then(|rest| rest.split_once('"'))
            else {
                continue;
            };
            let (declaration, body) = rest.split_once('|').unwrap();
            visit(name, declaration, body.split("}\n").next().unwrap());
        }
    }
}

#[test]
fn operations_of_every_form_are_visited() {
    let mut visited = BTreeSet::new();
    visit_operations(&source(), &mut |name, _, _| {
        visited.insert(name.to_owned());
    });
    for name in ["read_conversation", "list_companies", "find_connection_status", "find_session"] {
        assert!(visited.contains(name), "{name}");
    }
}

/// Returns the names of the operations whose declaration contains one of two texts. The first text is the form of the
/// declaration in an `impl`, the second its form in `op!`.
fn find_declaring([long, short]: [&str; 2]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    visit_operations(&source(), &mut |name, declaration, _| {
        if declaration.contains(long) || declaration.contains(short) {
            found.insert(name.to_owned());
        }
    });
    found
}

const ON_REPLICAS: [&str; 2] = ["const REPLICA: bool = true;", ", REPLICA"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn every_operation_that_a_replica_may_answer_is_listed() {
    let found = find_declaring(ON_REPLICAS);
    assert_eq!(found, ALLOWED.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>());
    let locking = find_declaring(["fn locks(&self)"; 2]);
    assert!(found.is_disjoint(&locking), "no replica may answer an operation that takes locks");
}

#[test]
fn every_replica_read_that_checks_a_membership_declares_the_check() {
    let mut checking = BTreeSet::new();
    visit_operations(&source(), &mut |name, _, body| {
        if body.contains("still_member(c") || body.contains("readable(c") {
            checking.insert(name.to_owned());
        }
    });
    let declared = find_declaring(["const CHECKS_MEMBERSHIP: bool = true;"; 2]);
    let on_replicas = find_declaring(ON_REPLICAS);
    checking.retain(|name| on_replicas.contains(name));
    assert!(checking.len() >= 4, "{checking:?}");
    assert_eq!(checking, declared);
}

/// Starts a server that reads from the replica of `pair`. The replica logs every statement that it runs for the server.
async fn logged(pair: &Pair) -> Server {
    let replica = format!("{}&options=-c%20log_statement%3Dall", pair.standby.url(NAME));
    let configure = move |config: &mut Config| {
        config.database.replica_url = Some(DatabaseUrlSetting::Postgres(Secret::new(replica.clone())));
    };
    let options =
        Options { engine: Engine::Postgres, configure: Some(Arc::new(configure)), ..Options::default() };
    Server::on(TestDatabase::at(pair.primary.url(NAME)), options).await.unwrap()
}

/// Returns the statements in the log of the replica, except the queries of the replica's state.
fn statements(pair: &Pair) -> Vec<String> {
    let log = pair.standby.log();
    let entries = log
        .split("LOG:  ")
        .skip(1)
        .filter(|entry| entry.starts_with("execute ") || entry.starts_with("statement: "));
    entries.map(str::to_owned).filter(|entry| !entry.contains("pg_last_wal_replay_lsn")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_replica_answers_reads_of_messages_people_and_lists_but_not_of_secrets() {
    let Some(pair) = Pair::start().await else { return };
    let server = logged(&pair).await;
    let fixture = BotFixture::new(&server).await;
    let assistant = server.assistant(&fixture.company, "Ada Lovelace").await;
    fixture.company.add(&fixture.group, assistant.id()).await;
    let sent =
        fixture.bot.send(&crate::support::to_conversation(&fixture.group, "a needle in the hay")).await;
    assistant.drafts(json!({"conversation": fixture.group, "text": "not sent"})).await;

    let group = &fixture.group;
    let bot = &fixture.bot.api;
    let operator = server.operator();
    // waits until the replica has run a statement on each of the tables that these requests read
    until(async || {
        bot.get(&format!("/v1/conversations/{group}/messages")).ok(200).await;
        bot.get("/v1/users").ok(200).await;
        bot.get(&format!("/v1/users/{}", fixture.person)).ok(200).await;
        bot.get("/v1/conversations").ok(200).await;
        bot.get(&format!("/v1/conversations/{group}")).ok(200).await;
        assert_eq!(assistant.found(json!({"query": "needle"})).await, ["a needle in the hay"]);
        assert!(assistant.reads(group).await.contains(&sent["id"].as_str().unwrap().to_owned()));
        operator.get(&format!("/admin/v1/conversations/{group}/members")).ok(200).await;
        operator.get(&format!("/admin/v1/conversations/{group}/messages")).ok(200).await;
        operator.get(&fixture.company.path("/tool_calls")).ok(200).await;
        operator.get(&fixture.company.path("/users?query=ada")).ok(200).await;
        let run = statements(&pair);
        let reads = |table: &str| run.iter().any(|statement| statement.contains(table));
        ["FROM messages", "FROM members", "FROM users", "FROM tool_calls", "user_words", "message_index"]
            .into_iter()
            .all(reads)
    })
    .await;

    let run = statements(&pair);
    for statement in &run {
        let words: Vec<&str> = statement.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
        let secret = PRIMARY_ONLY.iter().find(|table| words.iter().any(|word| word.starts_with(**table)));
        assert_eq!(secret, None, "the primary answers all reads of this table: {statement}");
    }
    assert!(
        pair.standby.log().lines().all(|line| !line.contains("ERROR")),
        "no statement failed on the replica"
    );
}
