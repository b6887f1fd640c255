//! Drops pending events: events of a disconnected installation, events of an app without a callback URL, and expired
//! events.

use crate::domain::{delivery::Dropped, ids::AppId, time::Timestamp};
use crate::store::{Result, Sql, args, log_heads, statements};

// In each of the three statements, a subquery selects the ids of the rows to change. On PostgreSQL the ids are an
// array, because PostgreSQL could plan `IN (SELECT …)` as a scan of the whole table. `$in` and `$end` enclose the
// subquery. `$first` and `$again` name the indexes for SQLite.
//
// `state < 1` means the same as `state = 0` (pending), but matches no partial index. So the planner uses this condition
// only to filter the rows that are found by id. `app_id + 0` selects the expression index `events_pending`.
macro_rules! drop_disconnected {
    ($in:literal, $end:literal, $first:literal, $again:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'disconnected', next_at = $4, log_seq = $6
            WHERE state < 1 AND id ",
            $in,
            " id FROM (
                SELECT id FROM events ",
            $first,
            " WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts = 0
                    AND type <> $3
                UNION ALL
                SELECT id FROM events ",
            $again,
            " WHERE app_id = $1 AND installation_id = $2 AND state = 0 AND attempts > 0
                    AND type <> $3
            ) AS pending LIMIT $5",
            $end,
            " AND EXISTS (SELECT 1 FROM installations WHERE id = $2 AND connected = 0)"
        )
    };
}

macro_rules! drop_unreachable {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'no_callback_url', next_at = $2, log_seq = $4
            WHERE state < 1 AND id ",
            $in,
            " id FROM events WHERE app_id + 0 = $1 AND state = 0 ORDER BY next_at, id LIMIT $3",
            $end,
            " AND EXISTS (SELECT 1 FROM apps WHERE id = $1 AND callback_url IS NULL)"
        )
    };
}

macro_rules! drop_expired {
    ($in:literal, $end:literal) => {
        concat!(
            "UPDATE events SET state = 3, drop_reason = 'expired', next_at = $3, log_seq = $5
            WHERE state < 1 AND id ",
            $in,
            " id FROM events WHERE app_id + 0 = $1 AND state = 0 AND next_at < $2 ORDER BY next_at, id LIMIT $4",
            $end
        )
    };
}

statements! {
    DROP_DISCONNECTED: Command =
        sqlite drop_disconnected!("IN (SELECT", ")", "INDEXED BY events_first", "INDEXED BY events_again")
        postgres drop_disconnected!("= ANY(ARRAY(SELECT", "))", "", "");
    DROP_UNREACHABLE: Command =
        sqlite drop_unreachable!("IN (SELECT", ")")
        postgres drop_unreachable!("= ANY(ARRAY(SELECT", "))");
    DROP_EXPIRED: Command =
        sqlite drop_expired!("IN (SELECT", ")")
        postgres drop_expired!("= ANY(ARRAY(SELECT", "))");
}

/// Drops up to `limit` pending events of an app. Returns the number of dropped events. `which` selects the events:
///
/// - [`Dropped::Disconnected`]: the events of the installation, except events of the type `except`. Drops nothing if
///   the installation is connected.
/// - [`Dropped::Unreachable`]: all events. Drops nothing if the app has a callback URL.
/// - [`Dropped::Expired`]: the events that were due before the given time, beginning with those that were due first.
pub async fn drop_pending<C: Sql>(
    c: &mut C,
    app: AppId,
    which: Dropped,
    except: &str,
    now: Timestamp,
    limit: i64,
) -> Result<u64> {
    let seq = log_heads::next_delivery(c, app).await?;
    match which {
        Dropped::Disconnected(installation) => {
            c.exec(&DROP_DISCONNECTED, args![app, installation, except, now, limit, seq]).await
        }
        Dropped::Unreachable => c.exec(&DROP_UNREACHABLE, args![app, now, limit, seq]).await,
        Dropped::Expired(before) => c.exec(&DROP_EXPIRED, args![app, before, now, limit, seq]).await,
    }
}
