//! Sequence numbers of the logs that clients can follow: the delivery log of an app and the tool-call audit log of a
//! company.
//!
//! Each transaction that writes to a log takes the log's next number, and stores the number in the entries that it
//! writes. The log's row in `log_heads` stays locked until the transaction ends. So numbers become visible in ascending
//! order on every node. If a reader continues after the greatest (number, id) that it has read, it misses nothing.
//!
//! A number is the time of the database in microseconds, or the log's previous number plus 1 if that is greater. A
//! failover to an asynchronous standby, or a restore, loses the latest numbers together with their entries. The numbers
//! that are assigned next are later times. So they are greater than the lost numbers, unless the database's clock is
//! set back. Therefore a reader that has read a lost entry misses none of the new entries.
//!
//! Writers take the number before they lock or write rows of the log, so that all writers take locks in the same order.

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
    // rows are locked in the order of the owners, so that two batches cannot deadlock
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

/// Takes the next number of the tool-call audit log of each of these companies.
pub async fn next_tool_calls<C: Sql>(
    c: &mut C,
    companies: &[WorkspaceId],
) -> Result<Vec<(WorkspaceId, i64)>> {
    c.exec_all(&NEXT_OF_MANY, args![TOOL_CALLS, companies]).await
}
