//! Numbers of logs that can be followed. Each transaction that writes to a log takes the next number of that log and
//! writes it into its rows. The row of the latest number stays locked until the transaction ends, so numbers become
//! visible in their order on every node: a reader that goes on after the greatest (number, id) it has read misses
//! nothing.
//!
//! A number is taken before the rows of the log are locked or written: all writers take locks in that order.

use super::{Result, Sql, args, statements};
use crate::domain::ids::{AppId, WorkspaceId};

const TOOL_CALLS: i64 = 1;
const DELIVERIES: i64 = 2;

statements! {
    NEXT = "INSERT INTO log_heads (log, owner, last) VALUES ($1, $2, 1)
        ON CONFLICT (log, owner) DO UPDATE SET last = log_heads.last + 1 RETURNING last";
    // rows are locked in the order of the owners, so that two batches never wait for each other
    NEXT_OF_MANY =
        sqlite "INSERT INTO log_heads (log, owner, last)
            SELECT $1, value, 1 FROM json_each($2) WHERE true ORDER BY value
            ON CONFLICT (log, owner) DO UPDATE SET last = log_heads.last + 1 RETURNING owner, last"
        postgres "INSERT INTO log_heads (log, owner, last)
            SELECT $1, owner, 1 FROM unnest($2::bigint[]) AS o(owner) ORDER BY owner
            ON CONFLICT (log, owner) DO UPDATE SET last = log_heads.last + 1 RETURNING owner, last";
}

/// Takes the next number of an app's log of deliveries.
pub async fn next_delivery<C: Sql>(c: &mut C, app: AppId) -> Result<i64> {
    c.one(&NEXT, args![DELIVERIES, app]).await
}

/// Takes the next number of the audit of tool calls of each of these companies.
pub async fn next_tool_calls<C: Sql>(
    c: &mut C,
    companies: &[WorkspaceId],
) -> Result<Vec<(WorkspaceId, i64)>> {
    c.all(&NEXT_OF_MANY, args![TOOL_CALLS, companies]).await
}
