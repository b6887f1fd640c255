//! A connection in use, and what its statements leave behind.
//!
//! It is given back as it is when its last statement ended in order. One that was left in the middle (its caller is gone)
//! is brought to an end in the background, or dropped.

use std::time::Duration;

use sqlx::{Connection, PgConnection};

use super::failure::{Cause, leaves_sound};
use super::losses::Expired;
use super::pool::{Live, Permits, Pool, unavailable};
use super::standing::Replayed;

/// How long the end of a transaction whose caller is gone may take.
const RECOVERY: Duration = Duration::from_secs(2);

/// The state of a connection in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// No statement is under way.
    Clean,
    /// A statement is under way, or was left.
    Busy,
    /// Not to be used again.
    Broken,
}

/// A connection in use. Given back when dropped.
pub(super) struct Lease {
    /// `None` once it was given back.
    live: Option<Live>,
    state: State,
    /// Whether a transaction may be open.
    in_transaction: bool,
    pool: Pool,
    permits: Option<Permits>,
}

impl Lease {
    /// A connection taken from a pool.
    pub(super) fn new(pool: Pool, live: Live, permits: Permits) -> Self {
        let (live, permits) = (Some(live), Some(permits));
        Self { live, state: State::Clean, in_transaction: false, pool, permits }
    }

    /// The connection, for one statement.
    pub(super) fn connection(&mut self) -> Result<&mut PgConnection, Cause> {
        self.state = State::Busy;
        match &mut self.live {
            Some(live) => Ok(&mut live.connection),
            None => Err(unavailable("the connection was given back")),
        }
    }

    /// The epoch of its connection.
    pub(super) fn epoch(&self) -> u64 {
        self.live.as_ref().map_or(0, |live| live.epoch)
    }

    /// The server's process.
    pub(super) fn process(&self) -> i32 {
        self.live.as_ref().map_or(0, |live| live.process)
    }

    /// How far the replica is known to have come.
    pub(super) fn replayed(&self) -> Option<Replayed> {
        self.live.as_ref()?.replayed
    }

    /// Notes how far the replica has come.
    pub(super) fn set_replayed(&mut self, replayed: Replayed) {
        if let Some(live) = &mut self.live {
            live.replayed = Some(replayed);
        }
    }

    /// The pool it belongs to.
    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Notes how a statement ended.
    pub(super) fn ended<T>(
        &mut self,
        done: Result<Result<T, sqlx::Error>, Expired>,
    ) -> Result<T, StatementError> {
        let (is_sound, done) = match done {
            Ok(Ok(value)) => (true, Ok(value)),
            Ok(Err(error)) => (leaves_sound(&error), Err(StatementError::Failed(error))),
            Err(expired) => {
                // those beside it are asked before they are used
                self.pool.losses().record();
                (false, Err(StatementError::Expired(expired)))
            }
        };
        self.state = if is_sound { State::Clean } else { State::Broken };
        done
    }

    /// Whether a transaction is open from now on, as far as is known.
    pub(super) fn set_in_transaction(&mut self, open: bool) {
        self.in_transaction = open;
    }

    /// It is not to be used again.
    pub(super) fn discard(&mut self) {
        self.state = State::Broken;
    }
}

/// Why a statement gave nothing.
#[derive(Debug)]
pub(super) enum StatementError {
    Failed(sqlx::Error),
    Expired(Expired),
}

impl StatementError {
    /// What it means before COMMIT was sent.
    pub(super) fn cause(&self) -> Cause {
        match self {
            Self::Failed(error) => Cause::of(error),
            Self::Expired(Expired::Lost) => Cause::lost("the connection was lost without a word"),
            Self::Expired(Expired::Deadline(limit)) => {
                unavailable(format!("the database did not answer within {} ms", limit.as_millis()))
            }
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(live) = self.live.take() else { return };
        match self.state {
            State::Clean if !self.in_transaction => self.pool.give_back(live),
            // a closed socket is all that the other side may still hear of
            State::Broken => drop(live),
            State::Clean | State::Busy => {
                let (pool, permits) = (self.pool.clone(), self.permits.take());
                let recovery = recover(pool, live, self.in_transaction, permits);
                if let Ok(runtime) = tokio::runtime::Handle::try_current() {
                    runtime.spawn(recovery);
                }
            }
        }
    }
}

/// Ends what a caller that is gone has left, so that the connection can be used again.
async fn recover(pool: Pool, mut live: Live, in_transaction: bool, permits: Option<Permits>) {
    let ending = async {
        if in_transaction {
            sqlx::raw_sql("ROLLBACK").execute(&mut live.connection).await?;
        }
        // reads the rest of what the last statement was answered
        live.connection.ping().await
    };
    if let Ok(Ok(())) = tokio::time::timeout(RECOVERY, ending).await {
        pool.give_back(live);
    }
    drop(permits);
}
