//! The audit log of the tool calls that assistants make.

use std::{collections::HashMap, sync::Arc};

use crate::domain::{
    ids::{ConnectionId, ToolCallId, UserId, WorkspaceId},
    time::Timestamp,
    token,
    tool_calls::ToolEnd,
};
use crate::store::{Engine, ReadSql, Result, Sql, args, log_heads, statements, table};

table! {
    /// A tool call, as the audit log records it.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ToolCall in tool_calls {
        id: ToolCallId,
        workspace_id: WorkspaceId,
        /// The employee for whom the call was made.
        user_id: UserId,
        connection_id: ConnectionId,
        client_id: String,
        /// The client's display name at the time of the call.
        display_name: String,
        tool: String,
        outcome: ToolEnd,
        error_code: Option<String>,
        /// Ids of the objects that the call was about, separated by spaces.
        targets: String,
        /// Number of distinct ids of the call that are not in `targets`: ids beyond the maximum number, and malformed
        /// ids.
        more_targets: i64,
        /// Duration in microseconds.
        took: i64,
        at: Timestamp,
        /// The sequence number of the transaction that inserted the call ([`log_heads`](crate::store::log_heads)); 0 if
        /// the call is not yet inserted. [`follow`] orders calls by this number and the id.
        log_seq: i64,
    }
    extra_columns { client_hash: i64 }
}

/// Maximum number of calls that one statement of [`page`] reads.
const MAX_READ: i64 = 201;

/// Maximum number of calls that [`follow`] returns.
pub const MAX_FOLLOWED: i64 = 1_000;

/// The maximum `limit` of [`purge`].
pub const MAX_PURGED: i64 = 1_000;

/// A position in the audit log. The page at this position has the calls that were made before `at`, and the calls that
/// were made at `at` with ids below `id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Before {
    pub at: Timestamp,
    pub id: i64,
}

/// The filter for the calls of a company. A field that is `None` matches every call.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolCallFilter<'a> {
    pub workspace: WorkspaceId,
    pub before: Before,
    /// The earliest time of a call, inclusive.
    pub since: Timestamp,
    pub user: Option<UserId>,
    pub client_id: Option<&'a str>,
    pub connection: Option<ConnectionId>,
    pub tool: Option<&'a str>,
    pub outcome: Option<ToolEnd>,
}

// Each of the statements `PAGE…` has the conditions of all filters. For a filter that is not set, the argument is
// negative or an empty text. SQLite has no statistics for this table. So on SQLite each of these statements names its
// index, unless the index is the primary key.
macro_rules! page_on_sqlite {
    ($index:literal, $first:literal) => {
        concat!(
            "SELECT ",
            tool_calls!(COLUMNS),
            " FROM tool_calls ",
            $index,
            " WHERE ",
            $first,
            " AND (at, id) < ($2, $3) AND at >= $4 AND ($6 < 0 OR user_id = $6)
                AND ($8 = '' OR (client_hash = $7 AND client_id = $8)) AND ($9 < 0 OR connection_id = $9)
                AND ($10 = '' OR tool = $10) AND ($11 < 0 OR outcome = $11)
            ORDER BY at DESC, id DESC LIMIT $5"
        )
    };
}

// PostgreSQL reads the page from the index of the columns in `$first`, `at` and `id`. Two measures make this plan cheap
// in the planner's estimate. The filters are one CASE, because PostgreSQL expects that an OR with an unset filter
// excludes most rows. The literal limit, which is MAX_READ, shows that few rows are needed. Without these measures,
// PostgreSQL reads and sorts all calls of a company (docs/decisions/0018). The columns of `$first` are compared by
// equality. With a lower bound `(workspace_id, at) >= ($1, $4)`, the scan, which begins at the newest call, would not
// end at `$4`, but at the company's oldest call.
macro_rules! page_on_postgres {
    ($first:literal) => {
        concat!(
            "SELECT ",
            tool_calls!(COLUMNS),
            " FROM (SELECT * FROM tool_calls WHERE ",
            $first,
            " AND (at, id) <= ($2, $3) AND at >= $4
                AND CASE WHEN at = $2 AND id = $3 THEN FALSE
                    WHEN workspace_id <> $1 THEN FALSE
                    WHEN $6 >= 0 AND user_id <> $6 THEN FALSE
                    WHEN $8 <> '' AND (client_hash <> $7 OR client_id <> $8) THEN FALSE
                    WHEN $9 >= 0 AND connection_id <> $9 THEN FALSE
                    WHEN $10 <> '' AND tool <> $10 THEN FALSE
                    WHEN $11 >= 0 AND outcome <> $11 THEN FALSE
                    ELSE TRUE END
                ORDER BY at DESC, id DESC LIMIT 201
            ) AS page ORDER BY at DESC, id DESC LIMIT $5"
        )
    };
}

statements! {
    INSERT: Command = tool_calls!(INSERT "ON CONFLICT (workspace_id, at, id) DO NOTHING");
    // For PostgreSQL. All rows are one JSON argument, so that a batch needs only one round trip.
    INSERT_ALL: Command =
        sqlite concat!("SELECT $1")
        postgres tool_calls!(INSERT_ALL postgres "ON CONFLICT (workspace_id, at, id) DO NOTHING");
    PAGE: Query -> ToolCall = sqlite page_on_sqlite!("", "workspace_id = $1")
        postgres page_on_postgres!("workspace_id = $1");
    // A user belongs to one company, so the index of users is sufficient. Because of the unary plus, SQLite uses no
    // index on `workspace_id`.
    PAGE_OF_USER: Query -> ToolCall =
        sqlite page_on_sqlite!("INDEXED BY tool_calls_by_user", "user_id = $6 AND +workspace_id = $1")
        postgres page_on_postgres!("user_id = $6");
    PAGE_OF_CLIENT: Query -> ToolCall =
        sqlite page_on_sqlite!("INDEXED BY tool_calls_by_client", "workspace_id = $1 AND client_hash = $7")
        postgres page_on_postgres!("workspace_id = $1 AND client_hash = $7");
    PAGE_OF_TOOL: Query -> ToolCall =
        sqlite page_on_sqlite!("INDEXED BY tool_calls_by_tool", "workspace_id = $1 AND tool = $10")
        postgres page_on_postgres!("workspace_id = $1 AND tool = $10");
    PAGE_BY_OUTCOME: Query -> ToolCall =
        sqlite page_on_sqlite!(
            "INDEXED BY tool_calls_in_trouble", "workspace_id = $1 AND outcome <> 0 AND outcome = $11"
        )
        postgres page_on_postgres!("workspace_id = $1 AND outcome <> 0 AND outcome = $11");
    // The recursive query steps from one client of the company to the next. Each step is one search of the index.
    CLIENTS: Query = "WITH RECURSIVE seen (client_hash, n) AS (
            SELECT MIN(client_hash), 1 FROM tool_calls WHERE workspace_id = $1
            UNION ALL
            SELECT (SELECT MIN(t.client_hash) FROM tool_calls t
                    WHERE t.workspace_id = $1 AND t.client_hash > seen.client_hash), n + 1
            FROM seen WHERE client_hash IS NOT NULL AND n < $2
        )
        SELECT (SELECT l.client_id FROM tool_calls l WHERE l.workspace_id = $1
                AND l.client_hash = seen.client_hash ORDER BY l.at DESC, l.id DESC LIMIT 1),
            (SELECT l.display_name FROM tool_calls l WHERE l.workspace_id = $1
                AND l.client_hash = seen.client_hash ORDER BY l.at DESC, l.id DESC LIMIT 1)
        FROM seen WHERE client_hash IS NOT NULL";
    // The subquery checks that the user belongs to the company. With a condition on `connections.workspace_id` instead,
    // PostgreSQL could scan all connections of the company.
    CLIENTS_OF_USER: Query = "SELECT client_id, display_name FROM connections
        WHERE user_id = (SELECT id FROM users WHERE id = $1 AND workspace_id = $3) ORDER BY id DESC LIMIT $2";
    // The literal limit is MAX_FOLLOWED. When PostgreSQL makes a generic plan, it does not know the limit in the
    // argument $4. The literal limit shows the planner that few rows are needed.
    FOLLOW: Query -> ToolCall = concat!(
        "SELECT * FROM (",
        tool_calls!(SELECT "WHERE workspace_id = $1 AND (log_seq, id) > ($2, $3) ORDER BY log_seq, id LIMIT 1000"),
        ") AS page ORDER BY log_seq, id LIMIT $4"
    );
    // Deletes by primary key, because a `ctid` is not unique if the table is partitioned. When PostgreSQL makes a
    // generic plan, it does not know the limit $2, and could choose a join with the whole table. The arrays prevent
    // such a plan. The literal limit is MAX_PURGED. `at + 0` is the expression of the index `tool_calls_by_age`.
    DELETE_EXPIRED: Command =
        sqlite "DELETE FROM tool_calls WHERE (workspace_id, at, id) IN (
            SELECT workspace_id, at, id FROM tool_calls WHERE at + 0 < $1 ORDER BY at + 0 LIMIT $2)"
        postgres "DELETE FROM tool_calls t USING (
                SELECT array_agg(workspace_id) AS companies, array_agg(at) AS times, array_agg(id) AS ids FROM (
                    SELECT workspace_id, at, id FROM (
                        SELECT workspace_id, at, id FROM tool_calls WHERE at + 0 < $1 ORDER BY at + 0 LIMIT 1000
                        FOR UPDATE) AS page LIMIT $2) AS found) AS old
            CROSS JOIN LATERAL unnest(old.companies, old.times, old.ids) AS o(workspace_id, at, id)
            WHERE t.workspace_id = o.workspace_id AND t.at = o.at AND t.id = o.id";
}

/// Inserts calls, except calls that were already inserted. Takes the next sequence number of each company's audit log,
/// and stores it in all inserted calls of the company.
pub async fn insert<C: Sql>(c: &mut C, calls: &[Arc<ToolCall>]) -> Result<()> {
    let mut companies: Vec<_> = calls.iter().map(|call| call.workspace_id).collect();
    companies.sort();
    companies.dedup();
    let numbers: HashMap<_, _> = log_heads::next_tool_calls(c, &companies).await?.into_iter().collect();
    let numbered = |call: &Arc<ToolCall>| {
        let log_seq = numbers.get(&call.workspace_id).copied().unwrap_or_default();
        ToolCall { log_seq, ..ToolCall::clone(call) }
    };
    let calls: Vec<ToolCall> = calls.iter().map(numbered).collect();
    match c.engine() {
        // SQLite needs no round trips, and one JSON argument would be slower: for each column, SQLite would convert the
        // JSON of the row to text again, to find it in its cache of parsed JSON
        Engine::Sqlite => {
            for call in &calls {
                c.exec(&INSERT, &call.insert_args(hash(&call.client_id))).await?;
            }
        }
        Engine::Postgres => {
            let rows =
                ToolCall::insert_all_arg(calls.iter().map(|call| call.insert_args(hash(&call.client_id))))?;
            c.exec(&INSERT_ALL, args![&rows]).await?;
        }
    }
    Ok(())
}

/// Returns up to `limit` calls that match the filter. The newest call is first.
pub async fn page<C: ReadSql>(c: &mut C, wanted: &ToolCallFilter<'_>, limit: i64) -> Result<Vec<ToolCall>> {
    let statement = if wanted.user.is_some() {
        &PAGE_OF_USER
    } else if wanted.client_id.is_some() {
        &PAGE_OF_CLIENT
    } else if wanted.outcome.is_some_and(|outcome| outcome != ToolEnd::Ok) {
        &PAGE_BY_OUTCOME
    } else if wanted.tool.is_some() {
        &PAGE_OF_TOOL
    } else {
        &PAGE
    };
    let client = wanted.client_id.unwrap_or_default();
    let (mut found, mut before, mut left) = (Vec::new(), wanted.before, limit);
    loop {
        let read = left.min(MAX_READ);
        let args = args![
            wanted.workspace,
            before.at,
            before.id,
            wanted.since,
            read,
            wanted.user.map_or(-1, |id| id.0),
            hash(client),
            client,
            wanted.connection.map_or(-1, |id| id.0),
            wanted.tool.unwrap_or_default(),
            wanted.outcome.map_or(-1, ToolEnd::code)
        ];
        let calls: Vec<ToolCall> = c.all(statement, args).await?;
        left -= read;
        let is_last = left == 0 || calls.len() < usize::try_from(read).unwrap_or_default();
        found.extend(calls);
        match found.last() {
            Some(last) if !is_last => before = Before { at: last.at, id: last.id.0 },
            _ => return Ok(found),
        }
    }
}

/// Returns the client ids and display names of up to `limit` clients whose calls are in the audit log of a company.
///
/// If `user` is not `None`, returns the clients of the user's newest `limit` connections instead. The client of the
/// newest connection is first. A client with several connections is returned several times. For a user of another
/// company, the result is empty.
pub async fn clients<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    user: Option<UserId>,
    limit: i64,
) -> Result<Vec<(String, String)>> {
    match user {
        None => c.all(&CLIENTS, args![workspace, limit]).await,
        Some(user) => c.all(&CLIENTS_OF_USER, args![user, limit, workspace]).await,
    }
}

/// Returns up to `limit` calls of a company, and at most [`MAX_FOLLOWED`], ordered by `log_seq` and id. Begins after
/// the `log_seq` and the id in `after`.
pub async fn follow<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    after: (i64, i64),
    limit: i64,
) -> Result<Vec<ToolCall>> {
    c.all(&FOLLOW, args![workspace, after.0, after.1, limit]).await
}

/// Deletes up to `limit` calls that were made before `cutoff`, the oldest calls first. `limit` must be at most
/// [`MAX_PURGED`]. Returns the number of deleted calls.
pub async fn purge<C: Sql>(c: &mut C, cutoff: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_EXPIRED, args![cutoff, limit]).await
}

/// Returns the value of the indexed column `client_hash`: the first 8 bytes of the SHA-256 of a client id.
fn hash(client_id: &str) -> i64 {
    let hash = token::hash(client_id);
    i64::from_be_bytes(*hash.first_chunk().expect("a hash is longer than 8 bytes"))
}
