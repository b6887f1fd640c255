//! Every SQL text is valid on both engines, against the migrated schema.

use std::{collections::BTreeMap, fs, path::Path};

use switchboard::store::{
    self, Stmt, accounts, apps, assistant_clients, authorizations, bot_tokens, candidates, client_blocks,
    connection_lists, connections, conversation_lists, conversations, deliveries, delivery_log, destinations,
    diagnose, drafts, employee, ended_connections, event_leases, events, files, job_leases, keys, locks,
    log_heads, mcp_sessions, messages, outlived_connections, position, prepare_all, search, sends, server,
    spent_tokens, tool_calls, transfer, user_words, users, workspaces,
};

use crate::support::database::on_each_engine;

/// The statements of every table family.
pub const FAMILIES: &[(&str, &[&Stmt])] = &[
    ("accounts", accounts::ALL),
    ("apps", apps::ALL),
    ("assistant_clients", assistant_clients::ALL),
    ("authorizations", authorizations::ALL),
    ("bot_tokens", bot_tokens::ALL),
    ("candidates", candidates::ALL),
    ("client_blocks", client_blocks::ALL),
    ("connection_lists", connection_lists::ALL),
    ("connections", connections::ALL),
    ("conversation_lists", conversation_lists::ALL),
    ("conversations", conversations::ALL),
    ("deliveries", deliveries::ALL),
    ("delivery_log", delivery_log::ALL),
    ("destinations", destinations::ALL),
    ("diagnose", diagnose::ALL),
    ("drafts", drafts::ALL),
    ("employee", employee::ALL),
    ("ended_connections", ended_connections::ALL),
    ("event_leases", event_leases::ALL),
    ("events", events::ALL),
    ("files", files::ALL),
    ("job_leases", job_leases::ALL),
    ("keys", keys::ALL),
    ("locks", locks::ALL),
    ("log_heads", log_heads::ALL),
    ("mcp_sessions", mcp_sessions::ALL),
    ("messages", messages::ALL),
    ("outlived_connections", outlived_connections::ALL),
    ("position", position::ALL),
    ("search", search::ALL),
    ("sends", sends::ALL),
    ("server", server::ALL),
    ("spent_tokens", spent_tokens::ALL),
    ("tool_calls", tool_calls::ALL),
    ("transfer", transfer::tables::ALL),
    ("user_words", user_words::ALL),
    ("users", users::ALL),
    ("workspaces", workspaces::ALL),
];

#[test]
fn every_statement_is_valid_on_both_engines() {
    on_each_engine(|database| async move {
        let db = database.open().await;
        for (_, statements) in FAMILIES {
            prepare_all(&db, statements).await.unwrap();
        }
        store::Db::close(&db).await.unwrap();
    });
}

/// A shared lock of a row writes to it, costs a multixact for each set of holders, and lets a stream of holders starve
/// whoever wants to change the row. `store/locks.rs` has what to take instead.
#[test]
fn no_statement_takes_shared_row_locks() {
    for statement in FAMILIES.iter().flat_map(|(_, statements)| *statements) {
        let text = statement.postgres.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        for lock in ["FOR SHARE", "FOR KEY SHARE"] {
            assert!(!text.contains(lock), "{} takes a shared lock: {lock}", statement.name);
        }
    }
}

#[test]
fn no_family_is_left_out() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store");
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let has_statements = text.lines().any(|line| line.starts_with("statements! {"));
        if has_statements {
            assert!(FAMILIES.iter().any(|(family, _)| *family == name), "{name} is not prepared");
        }
    }
}

/// Both folders hold the same migrations, under the same numbers and names, making the same tables and columns: all but
/// the unlogged ones and those of rate limits, which hold what nodes share and a single process has in memory, and the
/// full-text index. Storage parameters are PostgreSQL's own.
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

/// A migration without comments and white space, in SQLite's types.
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
