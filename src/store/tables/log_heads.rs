//! The sequence numbers of logs. Clients can follow two kinds of logs: the delivery log of an app, and the audit log of
//! a company's tool calls.
//!
//! A transaction that writes to a log takes the next number of the log, and stores the number in all entries that it
//! writes. The log's row in `log_heads` is locked until the transaction ends. So numbers become visible in ascending
//! order on every node. Readers read entries in the order of their numbers, and entries with the same number in the
//! order of their ids. So a reader that continues after the last entry that it has read misses no entry.
//!
//! A number is the time of the database's clock in microseconds. If this time is not greater than the log's previous
//! number, the number is the previous number plus 1. A failover to an asynchronous standby, or a restore, can lose the
//! latest numbers together with their entries. The next numbers are later times. So they are greater than the lost
//! numbers, unless the database's clock was set back. Therefore a reader that has read a lost entry still misses none
//! of the new entries.
//!
//! A writer takes the number before it locks or writes entries of the log. So all writers take their locks in the same
//! order, and do not deadlock.

use crate::domain::ids::{AppId, WorkspaceId};
use crate::store::{Result, Sql, args, statements};

const TOOL_CALLS: i64 = 1;
const DELIVERIES: i64 = 2;

macro_rules! next {
    ($rows:literal, $greatest:literal, $returning:literal) => {
        concat!(
            "INSERT INTO log_heads (log, owner, last) ",
            $rows,
            " ON CONFLICT (log, owner) DO UPDATE SET last = ",
            $greatest,
            "(log_heads.last + 1, excluded.last) RETURNING ",
            $returning
        )
    };
}

statements! {
    NEXT: Command =
        sqlite next!("VALUES ($1, $2, CAST(unixepoch('subsec') * 1000000 AS INTEGER))", "MAX", "last")
        postgres next!(
            "VALUES ($1, $2, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT))",
            "GREATEST",
            "last"
        );
    // the rows are locked in the order of their owners, so that two concurrent statements cannot deadlock
    NEXT_OF_MANY: Command =
        sqlite next!(
            "SELECT $1, value, CAST(unixepoch('subsec') * 1000000 AS INTEGER) FROM json_each($2)
            WHERE true ORDER BY value",
            "MAX",
            "owner, last"
        )
        postgres next!(
            "SELECT $1, owner, CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)
            FROM unnest($2::bigint[]) AS o(owner) ORDER BY owner",
            "GREATEST",
            "owner, last"
        );
}

/// Takes the next number of an app's delivery log.
pub async fn next_delivery<C: Sql>(c: &mut C, app: AppId) -> Result<i64> {
    c.exec_one(&NEXT, args![DELIVERIES, app]).await
}

/// Takes the next number of the audit log of each company in `companies`. Returns the companies with their numbers.
pub async fn next_tool_calls<C: Sql>(
    c: &mut C,
    companies: &[WorkspaceId],
) -> Result<Vec<(WorkspaceId, i64)>> {
    c.exec_all(&NEXT_OF_MANY, args![TOOL_CALLS, companies]).await
}
