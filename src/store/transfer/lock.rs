//! Prevents servers from using a database while it is moved or restored.

use std::time::Duration;

use super::{Result, TransferError, pg};
use crate::platform::clock::Clock;
use crate::platform::ids::MAX_NODE;
use crate::store::engine::migrate::MIGRATION_LOCK;
use crate::store::engine::pg::{LongSession, NODE_LOCK_CLASS, NODE_VALIDITY};
use crate::store::{DatabaseUrl, FileOwner, own};

const TAKE_ALL: &str = "SELECT COUNT(*) FROM generate_series(0, $2) AS node(number)
    WHERE NOT pg_try_advisory_lock($1, node.number)";

/// Whether the database has the table in which nodes confirm their numbers. If a database has no schema, no server has
/// ever used it.
const IS_SERVED: &str = "SELECT to_regclass('server_state') IS NOT NULL";

/// Whether a node has confirmed its number in the last ten minutes and not released the number.
const IS_RECENT: &str = r"SELECT EXISTS (SELECT 1 FROM server_state WHERE name LIKE 'node\_%'
    AND value > CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT) - 600000000)";

/// Releases every number, as a stopping node does with its own.
const RELEASE: &str = r"UPDATE server_state SET value = 0 WHERE name LIKE 'node\_%' AND value <> 0";

const TRY_LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";

/// Number of attempts to take locks of a process that was just killed, and the pause between these attempts.
const MAX_ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// A lock that is held while no server may use a database. The system releases the lock when the process ends, however
/// it ends.
pub struct TransferLock(EngineLock);

enum EngineLock {
    /// The owner lock of a SQLite file.
    Lite(#[expect(dead_code, reason = "released on drop")] Option<FileOwner>),
    /// All node numbers of a PostgreSQL database: a starting server gets none.
    Pg(Box<LongSession>),
}

impl TransferLock {
    /// Locks out servers. On PostgreSQL a node whose session broke may still write for [`NODE_VALIDITY`]. So if a node
    /// has confirmed its number recently and not released it, this method waits for [`NODE_VALIDITY`].
    ///
    /// # Errors
    /// If a server uses the database, or the database cannot be reached.
    pub async fn acquire(url: &DatabaseUrl, clock: &Clock) -> Result<Self> {
        let DatabaseUrl::Postgres(options) = url else { return Ok(Self(EngineLock::Lite(own(url)?))) };
        let mut session = pg::open(options).await?;
        let mut tried = 0;
        loop {
            // PostgreSQL allows this process to take again the numbers that an earlier attempt took
            let taken = sqlx::query_as(TAKE_ALL).bind(NODE_LOCK_CLASS).bind(i32::from(MAX_NODE));
            let (others,): (i64,) = session.watch.guard(taken.fetch_one(&mut session.connection)).await?;
            if others == 0 {
                break;
            }
            tried += 1;
            if tried == MAX_ATTEMPTS {
                return Err(TransferError::refused(format!(
                    "a server runs on {url} ({others} node numbers are in use): stop all nodes first"
                )));
            }
            tokio::time::sleep(PAUSE).await;
        }
        let is_served = sqlx::query_as(IS_SERVED).fetch_one(&mut session.connection);
        let (is_served,): (bool,) = session.watch.guard(is_served).await?;
        if is_served {
            let is_recent = sqlx::query_as(IS_RECENT).fetch_one(&mut session.connection);
            let (is_recent,): (bool,) = session.watch.guard(is_recent).await?;
            if is_recent {
                tracing::warn!("a node did not release its node number; waiting until it cannot write");
                clock.pause(NODE_VALIDITY).await;
                // nobody uses a number now: if the command is repeated, or the next node starts, it need not wait again
                session.execute(RELEASE.to_owned()).await?;
            }
        }
        Ok(Self(EngineLock::Pg(Box::new(session))))
    }

    /// Keeps other processes from migrating the database, whose schema must be up to date. Does nothing on SQLite,
    /// where only the owner of the file migrates the database.
    ///
    /// # Errors
    /// If another process migrates the database, or the database cannot be reached.
    pub async fn keep_schema(&mut self) -> Result<()> {
        let EngineLock::Pg(session) = &mut self.0 else { return Ok(()) };
        let LongSession { connection, watch } = &mut **session;
        for _ in 0..MAX_ATTEMPTS {
            let lock = sqlx::query_as(TRY_LOCK).bind(NODE_LOCK_CLASS).bind(MIGRATION_LOCK);
            let (locked,): (bool,) = watch.guard(lock.fetch_one(&mut *connection)).await?;
            if locked {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(TransferError::refused(
            "another process migrates the database: wait for it to finish, then try again",
        ))
    }

    /// Confirms that servers were locked out until now.
    ///
    /// # Errors
    /// If the connection with the locks was lost: a server may have started.
    pub async fn confirm(&mut self) -> Result<()> {
        let is_held = match &mut self.0 {
            EngineLock::Lite(_) => true,
            EngineLock::Pg(session) => session.is_alive().await,
        };
        if is_held {
            return Ok(());
        }
        let why = "the connection that locks out servers was lost: try again";
        Err(TransferError::refused(why))
    }
}
