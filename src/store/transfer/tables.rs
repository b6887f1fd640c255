//! The list of all tables. For each table, the list says whether a transfer (`backup`, `restore`, `move`) copies the
//! table, and if not, why.

use crate::store::statements;

/// How a transfer treats a table. Rows that a transfer does not copy are ignored when it checks whether its target is
/// empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// Copied. With an SQL expression, only the rows that satisfy it are copied.
    Copied(Option<&'static str>),
    /// Not copied, because the rows of the target are computed from copied tables, or are not needed. The text says how
    /// or why.
    Derived(&'static str),
    /// Not copied, because its rows concern only running processes of the source, or are of use for at most a day. The
    /// text describes what the table contains.
    Transient(&'static str),
    /// Not copied, because migrations fill the table.
    Schema,
}

/// A table and its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Classified {
    /// The table's name.
    pub name: &'static str,
    /// How a transfer treats the table.
    pub class: Class,
}

const fn copied(name: &'static str) -> Classified {
    Classified { name, class: Class::Copied(None) }
}

const fn copied_where(name: &'static str, condition: &'static str) -> Classified {
    Classified { name, class: Class::Copied(Some(condition)) }
}

const fn derived(name: &'static str, how: &'static str) -> Classified {
    Classified { name, class: Class::Derived(how) }
}

const fn transient(name: &'static str, what: &'static str) -> Classified {
    Classified { name, class: Class::Transient(what) }
}

/// Every table of either engine's schema. A test compares the list with both schemas.
pub const TABLES: &[Classified] = &[
    Classified { name: "_sqlx_migrations", class: Class::Schema },
    copied("accounts"),
    copied("app_blocks"),
    copied("apps"),
    copied("assistant_clients"),
    copied("authorization_codes"),
    copied("authorization_requests"),
    copied("bot_tokens"),
    transient("button_presses", "button presses of the last day"),
    copied("client_blocks"),
    copied("connection_tokens"),
    copied("connections"),
    copied("conversations"),
    copied("deleted_messages"),
    copied("delivery_attempts"),
    copied("direct_pairs"),
    copied("draft_keys"),
    copied("drafts"),
    transient("event_leases", "which process delivers the events of an app, for seconds"),
    copied("events"),
    copied("file_usage"),
    copied("files"),
    copied("former_pairs"),
    copied("guesses"),
    copied("install_codes"),
    copied("installations"),
    transient("job_leases", "which process runs a maintenance job, and when the next run is due"),
    copied("log_heads"),
    copied("mcp_sessions"),
    copied("members"),
    transient("message_changes", "edits and deletions of the last day, which reconnecting web clients read"),
    copied("message_edits"),
    copied("message_extras"),
    copied("message_files"),
    derived("message_index", "the full-text index of each engine; servers fill it from search_queue"),
    copied("message_keys"),
    copied("messages"),
    Classified { name: "rate_epoch", class: Class::Schema },
    transient("rate_records", "counts of rate limits of running nodes (PostgreSQL)"),
    transient("rate_windows", "counts of rate limits of running nodes (PostgreSQL)"),
    transient("refresh_overlaps", "salts of the last minute, with which a repeated refresh is answered"),
    Classified { name: "schema_compatibility", class: Class::Schema },
    derived("search_purges", "removals from the full-text index, which is empty in the target"),
    derived("search_queue", "all messages with text except system messages, so that they are indexed again"),
    copied("send_keys"),
    // Marks (`marks.rs`) are not copied, because servers do not start on a marked database. The URL of a mark is in
    // `server_secrets`, and its time is in `server_state`. The row `write_probe`, with which a server tests whether the
    // database accepts writes, is not copied either.
    copied_where("server_secrets", "name NOT IN ('moved_to', 'moving_from', 'write_probe')"),
    // the confirmations of node numbers (`node_…`), and the rows with which `switchboard doctor` tests writes, are not
    // copied either
    copied_where(
        "server_state",
        "substr(name, 1, 5) <> 'node_' AND substr(name, 1, 12) <> 'doctor_probe'
         AND name NOT IN ('moved', 'moving', 'restoring')",
    ),
    copied("sessions"),
    copied("sign_in_places"),
    copied("tool_calls"),
    copied("uploads"),
    copied("user_words"),
    copied("users"),
    copied("workspaces"),
];

statements! {
    /// Queues every message with text for indexing, except system messages.
    pub FILL_SEARCH_QUEUE: Command = "INSERT INTO search_queue (message_id, workspace_id)
        SELECT id, workspace_id FROM messages WHERE type <> 3 AND text IS NOT NULL AND text <> ''
        ON CONFLICT (message_id) DO NOTHING";
}
