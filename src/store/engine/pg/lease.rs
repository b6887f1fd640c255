//! A connection of the pool while it is in use.
//!
//! When a [`Lease`] is dropped, one of three things happens to its connection:
//!
//! - If no statement is running and no transaction is open, the connection is returned to the pool.
//! - If the caller's future was dropped during a statement or a transaction, a background task waits for the end of the
//!   statement and rolls the transaction back. The task then returns the connection to the pool. If the task fails or
//!   times out, the connection is closed.
//! - If the connection must not be reused, it is closed.

use std::time::Duration;

use sqlx::{Connection, PgConnection};

use super::failure::{Cause, is_connection_sound};
use super::losses::Expired;
use super::pool::{OpenConnection, Permits, Pool, unavailable};
use super::replica_state::Replayed;
use super::timeouts::Workload;

/// Timeout of the background task after a future was dropped ([`recover`]).
const RECOVERY: Duration = Duration::from_secs(2);

/// The state of a connection in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LeaseState {
    /// No statement is running.
    Clean,
    /// A statement is running, or the caller's future was dropped before the statement ended.
    Busy,
    /// The connection must not be reused.
    Broken,
}

/// A connection in use. On drop it is returned to the pool, recovered in a background task, or closed.
pub(super) struct Lease {
    /// The connection; `None` only while the lease is being dropped.
    live: Option<OpenConnection>,
    state: LeaseState,
    /// Whether a transaction is possibly open.
    in_transaction: bool,
    pool: Pool,
    permits: Option<Permits>,
}

impl Lease {
    /// Waits for a slot of the pool. Then takes an idle connection, or opens a connection.
    pub(super) async fn acquire(pool: &Pool, kind: Workload) -> Result<Self, Cause> {
        Self::acquire_within(pool, kind, pool.wait()).await
    }

    /// Does the same as [`Lease::acquire`], with the timeout `wait`.
    pub(super) async fn acquire_within(pool: &Pool, kind: Workload, wait: Duration) -> Result<Self, Cause> {
        let (live, permits) = pool.acquire(kind, wait).await?;
        let (live, permits) = (Some(live), Some(permits));
        Ok(Self { live, state: LeaseState::Clean, in_transaction: false, pool: pool.clone(), permits })
    }

    /// Returns the connection, to run one statement on it. The caller passes the outcome of the statement to
    /// [`Lease::ended`].
    pub(super) fn connection(&mut self) -> Result<&mut PgConnection, Cause> {
        self.state = LeaseState::Busy;
        match &mut self.live {
            Some(live) => Ok(&mut live.connection),
            None => Err(unavailable("the connection was already returned to the pool")),
        }
    }

    /// Returns the epoch in which the connection was opened ([`losses`](super::losses)).
    pub(super) fn epoch(&self) -> u64 {
        self.live.as_ref().map_or(0, |live| live.epoch)
    }

    /// Returns the id of the PostgreSQL process that serves the connection.
    pub(super) fn process(&self) -> i32 {
        self.live.as_ref().map_or(0, |live| live.process)
    }

    /// Returns the replay position that the replica reported last on this connection.
    pub(super) fn replayed(&self) -> Option<Replayed> {
        self.live.as_ref()?.replayed
    }

    /// Records the replay position that the replica has reported on this connection.
    pub(super) fn set_replayed(&mut self, replayed: Replayed) {
        if let Some(live) = &mut self.live {
            live.replayed = Some(replayed);
        }
    }

    /// Returns the pool to which the connection belongs.
    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Records how a statement ended, and returns its result. If the statement timed out or the connection broke, the
    /// connection is not reused.
    pub(super) fn ended<T>(
        &mut self,
        done: Result<Result<T, sqlx::Error>, Expired>,
    ) -> Result<T, StatementError> {
        let (is_sound, done) = match done {
            Ok(Ok(value)) => (true, Ok(value)),
            Ok(Err(error)) => (is_connection_sound(&error), Err(StatementError::Failed(error))),
            Err(expired) => {
                // makes the pool ping the connections that are idle now before their next use
                self.pool.losses().record();
                (false, Err(StatementError::Expired(expired)))
            }
        };
        self.state = if is_sound { LeaseState::Clean } else { LeaseState::Broken };
        done
    }

    /// Records that a statement reached the client's timeout, because the server neither responded nor ended it.
    pub(super) fn unanswered(&self) {
        self.pool.losses().record_unanswered(self.epoch());
    }

    /// Records whether a transaction is possibly open.
    pub(super) fn set_in_transaction(&mut self, open: bool) {
        self.in_transaction = open;
    }

    /// Excludes the connection from reuse.
    pub(super) fn discard(&mut self) {
        self.state = LeaseState::Broken;
    }
}

/// Why a statement did not complete.
#[derive(Debug)]
pub(super) enum StatementError {
    Failed(sqlx::Error),
    Expired(Expired),
}

impl StatementError {
    /// Classifies the failure of a statement that ran before COMMIT was sent.
    pub(super) fn cause(&self) -> Cause {
        match self {
            Self::Failed(error) => Cause::of(error),
            Self::Expired(Expired::Lost) => Cause::lost("the connection was lost silently"),
            Self::Expired(Expired::Deadline(limit)) => {
                unavailable(format!("the database did not respond within {} ms", limit.as_millis()))
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(live) = self.live.take() else { return };
        match self.state {
            LeaseState::Clean if !self.in_transaction => self.pool.release(live),
            // Closes only the socket. PostgreSQL's `Terminate` message, which ends a session, is not sent: a server
            // that no longer responds would not read it.
            LeaseState::Broken => drop(live),
            LeaseState::Clean | LeaseState::Busy => {
                let (pool, permits) = (self.pool.clone(), self.permits.take());
                let recovery = recover(pool, live, self.in_transaction, permits);
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    runtime.spawn(recovery);
                }
            }
        }
    }
}

/// After a future was dropped, waits for the end of its statement, rolls its transaction back, and returns the
/// connection to the pool. Closes the connection if this fails or takes longer than [`RECOVERY`].
async fn recover(pool: Pool, mut live: OpenConnection, in_transaction: bool, permits: Option<Permits>) {
    let ending = async {
        if in_transaction {
            sqlx::raw_sql("ROLLBACK").execute(&mut live.connection).await?;
        }
        // reads the rest of the response to the last statement
        live.connection.ping().await
    };
    if let Ok(Ok(())) = tokio::time::timeout(RECOVERY, ending).await {
        pool.release(live);
    }
    drop(permits);
}
