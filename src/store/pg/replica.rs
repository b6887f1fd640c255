//! Reads on a replica that has replayed everything they must see (`docs/decisions/0022-read-replicas.md`).
//!
//! A read knows the position of the primary's log of after its request came in. It runs on a connection whose server said
//! before that it has replayed the log up to there; else the primary answers, as it does whatever goes wrong here.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use sqlx::{AssertSqlSafe, Row, SqlSafeStr, SqlStr};
use tokio::task::AbortHandle;

use super::bounds::{Bounds, Kind};
use super::connection::Pg;
use super::connector::Connector;
use super::failure::{Cause, ConnectionHealth, class_of};
use super::lease::Lease;
use super::pool::Pool;
use super::standing::{Admitted, Miss, Replayed, Standing};
use super::{CLOSE, Store, watch};
use crate::store::error::{Error, Result, StoreError};
use crate::store::locks::Locks;
use crate::store::lookups::Lookups;
use crate::store::meters;
use crate::store::op::Op;
use crate::store::position::{AskPosition, LogPosition, parse_lsn};
use crate::store::url::{PostgresUrl, SessionAttributes};

/// How long a read waits for a connection to the replica.
const ACQUIRE: Duration = Duration::from_millis(500);

/// How long the replica may take to say how far it has come.
const ASK: Duration = Duration::from_millis(500);

/// How long a read waits for the replica to replay what it must see. A healthy one on the same network is a few
/// milliseconds behind.
const WAIT: Duration = Duration::from_millis(20);

/// The pauses between asking a replica that is behind: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(4));

/// The name in `server_state` of the mark of the primary's timeline.
macro_rules! mark {
    () => {
        "(SELECT value FROM server_state WHERE name = 'timeline')"
    };
}
pub(super) use mark;

/// Asks a server whether it is in recovery, how far it has replayed the log, and which mark it has. One simple query, which
/// a pooler passes on as it is.
pub(super) const STATE: &str =
    concat!("SELECT pg_is_in_recovery(), CAST(pg_last_wal_replay_lsn() AS TEXT), ", mark!());

/// How the replica is reached.
#[derive(Clone, Debug)]
pub(in crate::store) struct ReplicaSettings {
    /// Standbys, database, credentials; its sessions are on standbys only.
    pub url: PostgresUrl,
    /// Most connections to it.
    pub connections: u32,
}

/// What a server says of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerState {
    pub in_recovery: bool,
    pub replayed: Option<u64>,
    pub mark: Option<i64>,
}

/// A replica in use. Nobody looks at it any more once it is dropped.
pub(super) struct Replica {
    shared: Arc<Shared>,
    /// Requests for the primary's position, which share round trips.
    asked: Lookups<AskPosition>,
    watcher: AbortHandle,
}

/// What reads and the watcher share.
pub(super) struct Shared {
    pub pool: Pool,
    pub primary: Pool,
    pub standing: Standing,
    bounds: Bounds,
}

impl Replica {
    /// Looks at the replica, and from then on every second.
    ///
    /// # Errors
    /// Unavailable when the URL leads to another database than the primary's. A replica that does not answer is none.
    pub(super) async fn open(settings: ReplicaSettings, primary: Pool, bounds: Bounds) -> Result<Self> {
        // another database is refused whatever its server is
        let any = settings.url.with_attributes(SessionAttributes::Any);
        let any = Connector::new(&any, |host| bounds.options(host));
        watch::refuse_stranger(&any, settings.url.connect_timeout(), &primary).await?;
        let connector = Connector::new(&settings.url, |host| bounds.options(host));
        let pool = Pool::new(connector, settings.connections, ACQUIRE);
        let shared = Arc::new(Shared { pool, primary, standing: Standing::default(), bounds });
        let pause = watch::look(&shared, 0).await;
        let watcher = tokio::spawn(watch::watch(Arc::clone(&shared), pause)).abort_handle();
        Ok(Self { shared, asked: Lookups::default(), watcher })
    }

    /// Answers a read; none when the primary has to.
    pub(super) async fn read<O: Op>(&self, store: &Store, op: &O, kind: Kind) -> Option<Result<O::Out>> {
        match self.try_read(store, op, kind).await {
            Ok(result) => {
                meters::replica_read(O::NAME);
                Some(result)
            }
            Err(miss) => {
                meters::replica_fallback(miss.reason());
                None
            }
        }
    }

    async fn try_read<O: Op>(
        &self,
        store: &Store,
        op: &O,
        kind: Kind,
    ) -> std::result::Result<Result<O::Out>, Miss> {
        let shared = &self.shared;
        if !shared.standing.is_usable() {
            return Err(Miss::Unavailable);
        }
        let position = match op.position() {
            Some(position) => position,
            None => self.asked.find(store, ()).await.ok().flatten().ok_or(Miss::Position)?,
        };
        let admitted = shared.standing.admit(position)?;
        let mut connection = shared.begin::<O>(kind, position, admitted).await?;
        let result = std::panic::AssertUnwindSafe(op.run(&mut connection)).catch_unwind().await;
        match (connection.take_failure().await, result) {
            (None, Ok(result @ (Ok(_) | Err(Error::Refused(_))))) => {
                connection.end().await;
                Ok(result)
            }
            (Some(cause), _) => Err(shared.missed(&cause)),
            // a mistake: the primary tells the same
            (None, _) => Err(Miss::Failed),
        }
    }

    /// Waits a while for reads that have begun, and closes all connections.
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

impl Shared {
    /// Begins an operation on a connection whose server has replayed the log up to a position. What the operation reads
    /// is at least that new: each of its statements begins after the server said so.
    async fn begin<O: Op>(
        &self,
        kind: Kind,
        position: LogPosition,
        admitted: Admitted,
    ) -> std::result::Result<Pg, Miss> {
        let mut lease = self.pool.acquire(kind).await.map_err(|cause| self.unreachable(&cause))?;
        self.wait_for(&mut lease, position.lsn, admitted).await?;
        if self.bounds.is_direct() {
            let begun = Pg::begin(lease, &self.bounds, kind, O::SNAPSHOT, &Locks::default()).await;
            return begun.map_err(|cause| self.missed(&cause));
        }
        self.begin_pinned(lease, kind, O::SNAPSHOT, position.lsn, admitted.mark).await
    }

    /// Waits until the server of a connection has replayed the log up to `wanted`, for [`WAIT`] at most.
    async fn wait_for(
        &self,
        lease: &mut Lease,
        wanted: u64,
        admitted: Admitted,
    ) -> std::result::Result<(), Miss> {
        let Admitted { mark, waits } = admitted;
        // a server never goes back, and a direct connection stays with its server
        let known = lease.replayed().filter(|known| known.mark == mark && known.lsn >= wanted);
        if known.is_some() && self.bounds.is_direct() {
            return Ok(());
        }
        let begun = Instant::now();
        let mut pause = PAUSES.0;
        loop {
            let state = self.ask(lease, STATE.into_sql_str(), ASK).await;
            let state = state.map_err(|cause| self.unreachable(&cause))?;
            let lsn = self.replayed(state, mark)?;
            lease.set_replayed(Replayed { mark, lsn });
            if lsn >= wanted {
                meters::replica_wait(begun.elapsed());
                return Ok(());
            }
            if !waits {
                return Err(Miss::Behind);
            }
            if begun.elapsed() + pause > WAIT {
                self.standing.waited_in_vain(wanted, Instant::now());
                return Err(Miss::Behind);
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(PAUSES.1);
        }
    }

    /// Begins a transaction behind a pooler, which may give every transaction another server. The server is asked in the
    /// message that begins the transaction: a pooler does not change it within one. In a transaction of its own, because
    /// that of the operation may have to see one state, which must be newer than the answer.
    async fn begin_pinned(
        &self,
        mut lease: Lease,
        kind: Kind,
        snapshot: bool,
        wanted: u64,
        mark: i64,
    ) -> std::result::Result<Pg, Miss> {
        let begin = self.bounds.begin_pinned(kind, snapshot);
        // texts of ours only
        let sql = AssertSqlSafe(format!("BEGIN READ ONLY; {STATE}; COMMIT; {}", begin.as_str()));
        lease.set_in_transaction(true);
        let state = self.ask(&mut lease, sql.into_sql_str(), ASK).await;
        let state = state.map_err(|cause| self.unreachable(&cause))?;
        if self.replayed(state, mark)? < wanted {
            return Err(Miss::Behind);
        }
        Ok(Pg::on(lease, &self.bounds, kind, true))
    }

    /// How far a server has replayed the log that the mark is of.
    fn replayed(&self, state: ServerState, mark: i64) -> std::result::Result<u64, Miss> {
        match state {
            ServerState { in_recovery: true, replayed: Some(lsn), mark: Some(has) } if has == mark => {
                self.standing.seen(lsn, Instant::now());
                Ok(lsn)
            }
            _ => {
                self.standing.suspect();
                Err(Miss::Unavailable)
            }
        }
    }

    /// Asks the server of a connection about its state, with [`STATE`] as the only query of `sql` that gives rows.
    async fn ask(
        &self,
        lease: &mut Lease,
        sql: SqlStr,
        limit: Duration,
    ) -> std::result::Result<ServerState, Cause> {
        let epoch = lease.epoch();
        let asked = sqlx::raw_sql(sql).fetch_all(lease.connection()?);
        let done = self.pool.losses().watch(epoch, limit, asked).await;
        let rows = lease.ended(done).map_err(|ended| ended.cause())?;
        let Some(row) = rows.first() else {
            return Err(Cause::Final(StoreError::bug("a server says nothing of its state")));
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

    /// Asks the replica about its state, on any connection to it.
    pub(super) async fn ask_any(&self, within: Duration) -> std::result::Result<ServerState, Cause> {
        // of the share that no read uses, so that long reads do not keep it from being asked
        let mut lease = self.pool.acquire_within(Kind::Write, within).await?;
        self.ask(&mut lease, STATE.into_sql_str(), within).await
    }

    /// The reason of a read that got no connection, or no word from its server.
    fn unreachable(&self, cause: &Cause) -> Miss {
        match cause {
            Cause::Final(StoreError::Unavailable(why)) if why.starts_with("no connection was free") => {
                Miss::Busy
            }
            _ => {
                self.standing.suspect();
                Miss::Unavailable
            }
        }
    }

    /// The reason of a read that failed on the replica.
    fn missed(&self, cause: &Cause) -> Miss {
        match cause {
            Cause::Again { connection: ConnectionHealth::Sound, .. } => Miss::Conflict,
            _ => {
                tracing::debug!(?cause, "a read failed on the replica; asking the primary");
                self.standing.suspect();
                Miss::Failed
            }
        }
    }
}
