//! The tables that must not grow, and the tables that grow with the traffic.

/// The rule for a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// The number of rows is bounded, for example by expiry or retention: neither this number nor the bytes may grow.
    Bounded,
    /// History: the number of rows grows with the traffic, and the bytes per row stay the same.
    History,
}

const BOUNDED: [&str; 39] = [
    // expiry
    "authorization_codes",
    "authorization_requests",
    "connection_tokens",
    "event_leases",
    "guesses",
    "install_codes",
    "job_leases",
    "mcp_sessions",
    "refresh_overlaps",
    "sessions",
    "sign_in_places",
    "uploads",
    // retention
    "connections",
    "delivery_attempts",
    "draft_keys",
    "events",
    "send_keys",
    "tool_calls",
    // queues
    "search_queue",
    "search_purges",
    // rate limits that nodes share
    "rate_windows",
    "rate_records",
    "rate_epoch",
    // `message_changes` and `button_presses` are bounded by retention. The other tables in this group are bounded by
    // the number of companies, apps, blocked assistants, settings, migrations, and people who have not been removed.
    "app_blocks",
    "apps",
    "button_presses",
    "client_blocks",
    "message_changes",
    "file_usage",
    "log_heads",
    "schema_compatibility",
    "server_secrets",
    "server_state",
    "workspaces",
    "_sqlx_migrations",
    // the settings of SQLite's full-text index
    "message_index_config",
    // not a table: `database.rs` separately counts the clients that were never connected
    UNUSED_CLIENTS,
    // SQLite's own tables
    "sqlite_sequence",
    "sqlite_stat1",
];

const HISTORY: [&str; 23] = [
    "accounts",
    "assistant_clients",
    "bot_tokens",
    "conversations",
    "deleted_messages",
    "direct_pairs",
    // drafts that are not sent do not expire; each person may have 200 of them
    "drafts",
    "files",
    "former_pairs",
    "installations",
    "members",
    "message_edits",
    "message_extras",
    "message_files",
    "message_index",
    "message_index_content",
    "message_index_data",
    "message_index_docsize",
    "message_index_idx",
    "message_keys",
    "messages",
    "user_words",
    "users",
];

/// The name under which the clients that were never connected are counted. Such clients expire.
pub const UNUSED_CLIENTS: &str = "assistant_clients, never connected";

/// Returns the rule for a table. Panics if the table is not listed, so that a rule must be chosen for each new table.
pub fn growth(table: &str) -> Growth {
    match table {
        _ if BOUNDED.contains(&table) => Growth::Bounded,
        _ if HISTORY.contains(&table) => Growth::History,
        other => panic!("every table is in BOUNDED or HISTORY of benches/soak/tables.rs; {other} is not"),
    }
}
