//! Runs reads on a replica, if the replica has replayed every write that was acknowledged before the request
//! (`docs/decisions/0022-read-replicas.md`).
//!
//! For each read, the current position of the primary's write-ahead log (*log* below) is queried after the request was
//! received. The read runs on a connection whose server has reported that it has replayed the log up to this position.
//! If there is no such server, or if the read fails on the replica, the primary answers the read. There is one
//! exception: if the read exceeded the statement timeout, it fails, because it would take as long on the primary.
//!
//! Nobody may read a conversation after their removal from it was acknowledged. But a removal can be committed after
//! the position was queried, and the replica may not have replayed the removal. Two times ensure the rule:
//!
//! - The response to the removal is sent [`as_of::FINAL`] after the commit.
//! - The result of a read that checks a membership is used only within [`as_of::CURRENT`] after the query of the
//!   position began. Later, the primary answers the read. `CURRENT` is shorter than `FINAL`, so the result is used
//!   before the response to the removal is sent.
//!
//! Positions can be compared only on the same timeline of the log. So Switchboard writes a *mark* on each timeline of
//! the primary: a row with a random number. A server without the mark of the primary's timeline may follow another
//! timeline, and is not used ([`watch`]).

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use sqlx::{AssertSqlSafe, SqlSafeStr};
use tokio::task::AbortHandle;

use super::connection::Pg;
use super::connector::Connector;
use super::failure::{self, Cause, ConnectionHealth};
use super::lease::Lease;
use super::pool::Pool;
use super::replica_shared::{STATE, ServerState, SharedReplica};
use super::replica_state::{AdmittedRead, Replayed, ReplicaMiss, ReplicaState};
use super::timeouts::{Timeouts, Workload};
use super::work::PostgresWork;
use super::{CLOSE, PgStore, watch};
use crate::store::engine::as_of;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::lock_key::Locks;
use crate::store::engine::log_position::{LogPosition, QueriedPosition};
use crate::store::engine::lookups::Lookups;
use crate::store::engine::meters;
use crate::store::engine::position::PositionLookup;
use crate::store::engine::url::{PostgresUrl, SessionAttributes};

/// How long a read waits for a connection to the replica.
const ACQUIRE: Duration = Duration::from_millis(500);

/// Timeout of a query of the replay position.
const ASK: Duration = Duration::from_millis(500);

/// How long a read waits until the replica has replayed the log up to the required position.
const WAIT: Duration = Duration::from_millis(20);

/// The first and the longest pause between two queries of the replay position, by a read that waits for a lagging
/// replica.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(4));

/// Settings of the replica.
#[derive(Clone, Debug)]
pub(in crate::store) struct ReplicaSettings {
    /// The database, the credentials, and the hosts of the standbys. Only servers in recovery are accepted.
    pub url: PostgresUrl,
    /// Maximum number of connections to the replica.
    pub connections: u32,
}

/// A replica in use. When it is dropped, its monitoring stops.
pub(super) struct Replica {
    shared: Arc<SharedReplica>,
    /// The look-up of the position of the primary's log. Concurrent reads share its queries.
    asked: Lookups<PositionLookup>,
    watcher: AbortHandle,
}

impl Replica {
    /// Checks the replica once, and starts the task that monitors it ([`watch::watch`]).
    ///
    /// # Errors
    /// - Unavailable if the replica's URL and the primary's URL lead to different databases.
    /// - Unavailable if the replica responds, but no connection to the primary can be opened to compare the two
    ///   databases.
    ///
    /// If the replica does not respond, the call succeeds.
    pub(super) async fn open(settings: ReplicaSettings, primary: Pool, timeouts: Timeouts) -> Result<Self> {
        // This check accepts primaries too. If it accepted only standbys, and the URL led to another database on a
        // primary, the replica would seem not to respond, and `open` would succeed.
        let any = settings.url.with_attributes(SessionAttributes::Any);
        let any = Connector::new(&any, |host| timeouts.options(host));
        watch::reject_other_database(&any, settings.url.connect_timeout(), &primary).await?;
        let connector = Connector::new(&settings.url, |host| timeouts.options(host));
        let pool = Pool::new(connector, settings.connections, ACQUIRE);
        let shared = Arc::new(SharedReplica { pool, primary, state: ReplicaState::default(), timeouts });
        let pause = watch::check(&shared, 0).await;
        let watcher = tokio::spawn(watch::watch(Arc::clone(&shared), pause)).abort_handle();
        Ok(Self { shared, asked: Lookups::default(), watcher })
    }

    /// Runs a read on the replica. Returns `None` if the primary must answer the read.
    pub(super) async fn read(
        &self,
        store: &PgStore,
        work: &dyn PostgresWork,
        kind: Workload,
    ) -> Option<Result<()>> {
        match self.try_read(store, work, kind).await {
            Ok(result) => {
                meters::replica_read(work.facts().name);
                Some(result)
            }
            Err(miss) => {
                meters::replica_fallback(miss.reason());
                None
            }
        }
    }

    /// Returns the result of a read, or why the primary must answer it.
    async fn try_read(
        &self,
        store: &PgStore,
        work: &dyn PostgresWork,
        kind: Workload,
    ) -> std::result::Result<Result<()>, ReplicaMiss> {
        let shared = &self.shared;
        if !shared.state.is_usable() {
            return Err(ReplicaMiss::Unavailable);
        }
        let queried = match work.position() {
            Some(queried) => queried,
            None => {
                let begun = Instant::now();
                let position =
                    self.asked.find(store, ()).await.ok().flatten().ok_or(ReplicaMiss::Position)?;
                QueriedPosition { position, begun }
            }
        };
        let is_late = || work.facts().checks_membership && queried.age() > as_of::CURRENT;
        let position = queried.position;
        let admitted = shared.state.admit(position)?;
        let mut connection = shared.begin(work.facts().snapshot, kind, position, admitted).await?;
        if is_late() {
            connection.end().await;
            return Err(ReplicaMiss::Late);
        }
        let begun = Instant::now();
        let result = std::panic::AssertUnwindSafe(work.run_on_postgres(&mut connection)).catch_unwind().await;
        let result = result.map(|result| connection.check_single(work.facts()).and(result));
        match (connection.take_failure().await, result) {
            (None, Ok(result @ (Ok(()) | Err(Error::Refused(_))))) => {
                connection.end().await;
                if is_late() { Err(ReplicaMiss::Late) } else { Ok(result) }
            }
            // the statement timed out, and would take as long on the primary
            (Some(Cause::Final(late @ StoreError::Unavailable(_))), _)
                if failure::is_cancelled(&late)
                    && shared.timeouts.can_have_expired(kind, begun.elapsed()) =>
            {
                connection.end().await;
                Ok(Err(late.into()))
            }
            (Some(cause), _) => Err(shared.missed(&cause)),
            // a panic, or an error although no statement failed: a bug, which the following run on the primary reports
            (None, _) => Err(ReplicaMiss::Failed),
        }
    }

    /// Stops the monitoring, waits up to [`CLOSE`] for running reads, and closes all connections that are not in use.
    pub(super) async fn close(&self) {
        self.watcher.abort();
        self.shared.pool.close(CLOSE).await;
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.watcher.abort();
    }
}

impl SharedReplica {
    /// Begins an operation on a connection whose server has replayed the log up to `position`. The operation sees at
    /// least the state at this position, because its statements start after the server has reported the position.
    async fn begin(
        &self,
        snapshot: bool,
        kind: Workload,
        position: LogPosition,
        admitted: AdmittedRead,
    ) -> std::result::Result<Pg, ReplicaMiss> {
        let mut lease = Lease::acquire(&self.pool, kind).await.map_err(|cause| self.unreachable(&cause))?;
        self.wait_for(&mut lease, position.lsn, admitted).await?;
        if self.timeouts.is_direct() {
            let begun = Pg::begin(lease, &self.timeouts, kind, snapshot, &Locks::default()).await;
            return begun.map_err(|cause| self.missed(&cause));
        }
        self.begin_pinned(lease, kind, snapshot, position.lsn, admitted.mark).await
    }

    /// Waits until the server of a connection has replayed the log up to `wanted`. Starts no further query of the
    /// replay position after [`WAIT`]; a running query can take up to [`ASK`]. If `admitted.waits` is not set, queries
    /// the position only once.
    async fn wait_for(
        &self,
        lease: &mut Lease,
        wanted: u64,
        admitted: AdmittedRead,
    ) -> std::result::Result<(), ReplicaMiss> {
        let AdmittedRead { mark, waits } = admitted;
        // A position that the server has reported earlier on this connection is still valid. The replay position of a
        // server never decreases, and a direct connection always leads to the same server.
        let known = lease.replayed().filter(|known| known.mark == mark && known.lsn >= wanted);
        if known.is_some() && self.timeouts.is_direct() {
            return Ok(());
        }
        let begun = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            let state = self.query(lease, STATE.into_sql_str(), ASK).await;
            let state = state.map_err(|cause| self.unreachable(&cause))?;
            let lsn = self.replayed(state, mark)?;
            lease.set_replayed(Replayed { mark, lsn });
            if lsn >= wanted {
                meters::replica_wait(begun.elapsed());
                return Ok(());
            }
            if !waits {
                return Err(ReplicaMiss::Behind);
            }
            if begun.elapsed() + pause > WAIT {
                self.state.note_timeout(wanted, Instant::now());
                return Err(ReplicaMiss::Behind);
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(PAUSES.1);
        }
    }

    /// Begins a transaction behind a pooler. A pooler can use another server for each transaction, but not within one
    /// `Query` message of PostgreSQL's protocol, which can contain several statements. So one `Query` message queries
    /// the server's state and begins the transaction. The query of the state has its own transaction, which ends before
    /// the operation's transaction begins. So the operation's snapshot is newer than the reported position.
    async fn begin_pinned(
        &self,
        mut lease: Lease,
        kind: Workload,
        snapshot: bool,
        wanted: u64,
        mark: i64,
    ) -> std::result::Result<Pg, ReplicaMiss> {
        let begin = self.timeouts.begin_pinned(kind, snapshot);
        // the text contains only constants
        let sql = AssertSqlSafe(format!("BEGIN READ ONLY; {STATE}; COMMIT; {}", begin.as_str()));
        lease.set_in_transaction(true);
        let state = self.query(&mut lease, sql.into_sql_str(), ASK).await;
        let state = state.map_err(|cause| self.unreachable(&cause))?;
        if self.replayed(state, mark)? < wanted {
            return Err(ReplicaMiss::Behind);
        }
        Ok(Pg::on(lease, &self.timeouts, kind, true))
    }

    /// Returns the log position up to which a server has replayed the log, and records the position.
    ///
    /// # Errors
    /// [`ReplicaMiss::Unavailable`] if the server is not a standby or does not have the mark `mark`. In this case, the
    /// replica is excluded until a check admits it again.
    fn replayed(&self, state: ServerState, mark: i64) -> std::result::Result<u64, ReplicaMiss> {
        match state {
            ServerState { in_recovery: true, replayed: Some(lsn), mark: Some(has) } if has == mark => {
                self.state.note_replayed(lsn, Instant::now());
                Ok(lsn)
            }
            _ => {
                self.state.suspect();
                Err(ReplicaMiss::Unavailable)
            }
        }
    }

    /// Returns why the primary must answer a read that got no connection to the replica, or no response to the query of
    /// the server's state. If no connection of the pool was free, the replica is not excluded. In all other cases,
    /// excludes the replica until a check admits it again.
    fn unreachable(&self, cause: &Cause) -> ReplicaMiss {
        match cause {
            Cause::Final(StoreError::Unavailable(why)) if why.starts_with("no connection was free") => {
                ReplicaMiss::Busy
            }
            _ => {
                self.state.suspect();
                ReplicaMiss::Unavailable
            }
        }
    }

    /// Returns why the primary must answer a read that failed on the replica. If the failure is temporary and the
    /// connection is still usable, the replica is not excluded. An example is a read that the replay of the log has
    /// cancelled. In all other cases, excludes the replica until a check admits it again.
    fn missed(&self, cause: &Cause) -> ReplicaMiss {
        match cause {
            Cause::Retry { connection: ConnectionHealth::Sound, .. } => ReplicaMiss::Conflict,
            _ => {
                tracing::debug!(?cause, "a read failed on the replica; asking the primary");
                self.state.suspect();
                ReplicaMiss::Failed
            }
        }
    }
}
