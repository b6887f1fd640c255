//! State and queries for two modules: `replica`, which runs reads on a replica, and `watch`, which monitors the
//! replica. This module has the connections to the replica and to the primary, the last known state of the replica, and
//! the query of a server's replication state.

use std::time::Duration;

use sqlx::{Row, SqlSafeStr, SqlStr};

use super::failure::{Cause, class_of};
use super::lease::Lease;
use super::pool::Pool;
use super::replica_state::ReplicaState;
use super::timeouts::{Timeouts, Workload};
use crate::store::engine::error::StoreError;
use crate::store::engine::log_position::parse_lsn;

/// The subquery that selects a server's *mark* from `server_state`. Switchboard writes a random number, the mark, on
/// each timeline of the primary's log. A replica that has the same mark follows the primary's timeline
/// ([`watch`](super::watch)).
macro_rules! mark {
    () => {
        "(SELECT value FROM server_state WHERE name = 'timeline')"
    };
}
pub(super) use mark;

/// The query for the replication state of a server: whether it is in recovery, its replay position, and its mark. The
/// query has no parameters. So it can be sent as a simple query, which a pooler forwards unchanged.
pub(super) const STATE: &str =
    concat!("SELECT pg_is_in_recovery(), CAST(pg_last_wal_replay_lsn() AS TEXT), ", mark!());

/// The replication state of a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerState {
    pub in_recovery: bool,
    /// The log position up to which the server has replayed the log; `None` if the server was started as a primary. A
    /// promoted standby keeps its last position.
    pub replayed: Option<u64>,
    /// The mark; `None` if the server has no mark.
    pub mark: Option<i64>,
}

/// The state that reads and monitoring share. `pool` has the connections to the replica, and `primary` those to the
/// primary.
pub(super) struct SharedReplica {
    pub pool: Pool,
    pub primary: Pool,
    pub state: ReplicaState,
    pub timeouts: Timeouts,
}

impl SharedReplica {
    /// Queries the replication state of the server to which the connection `lease` leads. `sql` must contain [`STATE`],
    /// and must not contain another query that returns rows. `limit` is the timeout of the query.
    pub(super) async fn query(
        &self,
        lease: &mut Lease,
        sql: SqlStr,
        limit: Duration,
    ) -> Result<ServerState, Cause> {
        let epoch = lease.epoch();
        let asked = sqlx::raw_sql(sql).fetch_all(lease.connection()?);
        let done = self.pool.losses().watch(epoch, limit, asked).await;
        let rows = lease.ended(done).map_err(|ended| ended.cause())?;
        let Some(row) = rows.first() else {
            return Err(Cause::Final(StoreError::bug("the server returned no replication state")));
        };
        let read = || {
            let replayed: Option<String> = row.try_get(1)?;
            Ok::<_, sqlx::Error>(ServerState {
                in_recovery: row.try_get(0)?,
                replayed: replayed.as_deref().and_then(parse_lsn),
                mark: row.try_get(2)?,
            })
        };
        read().map_err(|error| Cause::Final(class_of(&error)))
    }

    /// Queries the replication state of the replica, on any connection to the replica. `within` is the timeout of the
    /// wait for a connection, and then of the query.
    pub(super) async fn query_any(&self, within: Duration) -> Result<ServerState, Cause> {
        // the pool reserves some connections for `Workload::Write`, so reads cannot delay this query
        let mut lease = Lease::acquire_within(&self.pool, Workload::Write, within).await?;
        self.query(&mut lease, STATE.into_sql_str(), within).await
    }
}
