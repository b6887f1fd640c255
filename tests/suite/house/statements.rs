//! Every SQL text is valid on both engines, against the migrated schema. Its columns have the names of the fields into
//! which they are read.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use switchboard::store::{
    self, Stmt, accounts, apps, assistant_clients, authorizations, bot_send, bot_send_batch, bot_tokens,
    button_presses, candidates, changes, client_blocks, connection_lists, connections, conversation_lists,
    conversations, deliveries, delivery_log, diagnose, drafts, employee, ended_connections, event_drops,
    event_erasure, event_leases, events, file_usage, files, guesses, job_leases, keys, listed, locks,
    log_heads, mcp_sessions, messages, outlived_connections, position, prepare_all, presented_tokens,
    refresh_overlaps, search, secrets, server, spent_tokens, tool_calls, transfer, unread, user_words, users,
    windows, workspaces,
};

use crate::support::database::on_each_engine;

/// The statements of every module of the store that declares statements, by module.
pub const FAMILIES: &[(&str, &[&Stmt])] = &[
    ("accounts", accounts::ALL),
    ("apps", apps::ALL),
    ("assistant_clients", assistant_clients::ALL),
    ("authorizations", authorizations::ALL),
    ("bot_tokens", bot_tokens::ALL),
    ("button_presses", button_presses::ALL),
    ("client_blocks", client_blocks::ALL),
    ("connections", connections::ALL),
    ("connections::ended", ended_connections::ALL),
    ("connections::lists", connection_lists::ALL),
    ("connections::outlived", outlived_connections::ALL),
    ("connections::presented", presented_tokens::ALL),
    ("connections::refresh_overlaps", refresh_overlaps::ALL),
    ("connections::spent_tokens", spent_tokens::ALL),
    ("conversations", conversations::ALL),
    ("conversations::listed", listed::ALL),
    ("conversations::lists", conversation_lists::ALL),
    ("conversations::unread", unread::ALL),
    ("diagnose", diagnose::ALL),
    ("drafts", drafts::ALL),
    ("events", events::ALL),
    ("events::deliveries", deliveries::ALL),
    ("events::delivery_log", delivery_log::ALL),
    ("events::drops", event_drops::ALL),
    ("events::erasure", event_erasure::ALL),
    ("events::leases", event_leases::ALL),
    ("files", files::ALL),
    ("files::usage", file_usage::ALL),
    ("guesses", guesses::ALL),
    ("job_leases", job_leases::ALL),
    ("keys", keys::ALL),
    ("locks", locks::ALL),
    ("log_heads", log_heads::ALL),
    ("mcp_sessions", mcp_sessions::ALL),
    ("messages", messages::ALL),
    ("messages::bot_send", bot_send::ALL),
    ("messages::bot_send_batch", bot_send_batch::ALL),
    ("messages::candidates", candidates::ALL),
    ("messages::changes", changes::ALL),
    ("messages::employee", employee::ALL),
    ("messages::search", search::ALL),
    ("position", position::ALL),
    ("secrets", secrets::ALL),
    ("secrets::rotate", secrets::rotate::ALL),
    ("server", server::ALL),
    ("tool_calls", tool_calls::ALL),
    ("transfer::tables", transfer::tables::ALL),
    ("users", users::ALL),
    ("users::words", user_words::ALL),
    ("windows", windows::ALL),
    ("workspaces", workspaces::ALL),
];

#[test]
fn every_statement_is_valid_on_both_engines() {
    on_each_engine(|database| async move {
        let db = database.open().await;
        let all: Vec<&'static Stmt> =
            FAMILIES.iter().flat_map(|(_, statements)| *statements).copied().collect();
        if let Err(wrong) = prepare_all(&db, &all).await {
            panic!("{wrong}");
        }
        store::Db::close(&db).await.unwrap();
    });
}

/// No statement takes a shared row lock. A shared lock writes to the row, needs a multixact for each set of holders,
/// and lets a stream of holders starve a writer of the row. Operations take the advisory locks of
/// `store/engine/locks.rs` instead.
#[test]
fn no_statement_takes_shared_row_locks() {
    for statement in FAMILIES.iter().flat_map(|(_, statements)| *statements) {
        let text = statement.postgres.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        for lock in ["FOR SHARE", "FOR KEY SHARE"] {
            assert!(!text.contains(lock), "{} takes a shared lock: {lock}", statement.name);
        }
    }
}

/// A `ctid` is unique only within one partition. If a partitioned table (`docs/scaling.md`) had a statement that
/// selects rows by `ctid`, the statement would change rows of other partitions. So statements select rows by primary
/// key.
#[test]
fn no_statement_selects_rows_by_ctid() {
    for statement in FAMILIES.iter().flat_map(|(_, statements)| *statements) {
        for text in [statement.sqlite, statement.postgres] {
            let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let uses_ctid = words.any(|word| word.eq_ignore_ascii_case("ctid"));
            assert!(!uses_ctid, "{} selects rows by ctid instead of a key", statement.name);
        }
    }
}

/// The deletions by age that have no limit. Each of them deletes a range of keys, which an earlier statement has read
/// with a limit.
const RANGES: [&str; 2] = ["connections::spent_tokens::FORGET", "keys::PURGE"];

/// If a job has not run for a while, there are very many rows to delete by age. So a deletion has a limit, and
/// maintenance jobs repeat the statement (`World::in_batches`).
#[test]
fn deletions_by_age_have_a_limit() {
    let mut ranges = Vec::new();
    for statement in FAMILIES.iter().flat_map(|(_, statements)| *statements) {
        for text in [statement.sqlite, statement.postgres] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let by_age = text.starts_with("DELETE FROM") && ["< ", "<= "].iter().any(|by| text.contains(by));
            if by_age && !text.contains(" LIMIT ") {
                ranges.push(name_of(statement));
            }
        }
    }
    ranges.dedup();
    assert_eq!(ranges, RANGES, "a deletion by age has a LIMIT and is repeated");
}

/// Returns a statement's module and name, such as `messages::HISTORY`. The module is relative to `tables` or `engine`.
pub fn name_of(stmt: &Stmt) -> &'static str {
    let name = stmt.name.strip_prefix("switchboard::store::").expect("a statement of the store");
    ["tables::", "engine::"].iter().find_map(|part| name.strip_prefix(part)).unwrap_or(name)
}

#[test]
fn every_family_of_statements_is_listed() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    let mut found = 0;
    for file in rust_files(&source) {
        let text = fs::read_to_string(&file).unwrap();
        if text.lines().any(|line| line.starts_with("statements! {")) {
            let module = module_of(file.strip_prefix(&source).unwrap());
            found += 1;
            assert!(
                FAMILIES.iter().any(|(family, _)| *family == module),
                "{module} has statements, which are prepared on both engines: add it to FAMILIES"
            );
        }
    }
    assert_eq!(found, FAMILIES.len(), "every family is a file with statements");
}

/// The soak benchmark fails for a table that it does not list, but it does so after an hour. This test finds the
/// missing table at once.
#[test]
fn the_soak_benchmark_lists_every_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/soak/tables.rs");
    let text = fs::read_to_string(file).unwrap();
    for table in transfer::tables::TABLES {
        let is_listed = text.contains(&format!("\"{}\"", table.name));
        assert!(is_listed, "benches/soak/tables.rs does not say whether {} may grow", table.name);
    }
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] }).collect()
}

/// Returns the module of a file below `src/store`, relative to `tables` or `engine`: `messages::search`.
fn module_of(file: &Path) -> String {
    let parts: Vec<_> =
        file.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let is_named = |part: &&String| !matches!(part.as_str(), "tables" | "engine" | "mod");
    match parts.first().map(String::as_str) {
        Some("tables" | "engine") => {
            parts[1..].iter().filter(is_named).cloned().collect::<Vec<_>>().join("::")
        }
        _ => parts.join("::"),
    }
}

/// The folders of both engines have the same migrations, with the same numbers and names. Migrations of the same name
/// create the same tables and columns, with these exceptions: unlogged tables, the tables of rate limits, and the
/// full-text index. SQLite needs no tables of rate limits, because its server is a single process, which counts in
/// memory. Storage parameters exist only on PostgreSQL.
#[test]
fn both_engines_have_the_same_migrations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let read = |engine: &str| -> BTreeMap<String, String> {
        fs::read_dir(root.join(engine))
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, plain(&fs::read_to_string(path).unwrap()))
            })
            .collect()
    };
    assert_eq!(read("sqlite"), read("postgres"));
}

/// Returns the text of a migration in a form that is equal for both engines: without comments, line breaks and the
/// exceptions, and with SQLite's types.
fn plain(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap());
    let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let is_shared = |statement: &&str| {
        !statement.contains("CREATE UNLOGGED TABLE")
            && !statement.contains(" rate_")
            && !statement.contains("message_index")
            && !(statement.trim_start().starts_with("ALTER TABLE") && statement.contains(" SET ("))
    };
    let without_parameters = |statement: &str| match statement.split_once(") WITH (") {
        Some((table, _)) => format!("{table});"),
        None => statement.to_owned(),
    };
    let text: String = text.split_inclusive(';').filter(is_shared).map(without_parameters).collect();
    text.replace("BIGINT", "INTEGER")
        .replace(" CONCURRENTLY", "")
        .replace("BYTEA", "BLOB")
        .replace(") STRICT, WITHOUT ROWID;", ");")
        .replace(") STRICT;", ");")
        .replace("( ", "(")
        .replace(" )", ")")
}
