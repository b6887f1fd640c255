//! A lock that prevents servers from using a database during a move or a restore.

use std::time::Duration;

use super::{Result, TransferError, pg};
use crate::platform::clock::Clock;
use crate::platform::ids::MAX_NODE;
use crate::store::engine::migrate::MIGRATION_LOCK;
use crate::store::engine::pg::{LongSession, NODE_LOCK_CLASS, NODE_VALIDITY};
use crate::store::{DatabaseUrl, FileOwner, own};

/// Locks all node numbers that are free, and returns how many numbers other sessions have locked.
const TAKE_ALL: &str = "SELECT COUNT(*) FROM generate_series(0, $2) AS node(number)
    WHERE NOT pg_try_advisory_lock($1, node.number)";

/// Whether the database has the table in which nodes confirm their node numbers. If the table is missing, no server has
/// ever used the database.
const IS_SERVED: &str = "SELECT to_regclass('server_state') IS NOT NULL";

/// Whether the table has a node number that its node confirmed in the last ten minutes and did not release.
const IS_RECENT: &str = r"SELECT EXISTS (SELECT 1 FROM server_state WHERE name LIKE 'node\_%'
    AND value > CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT) - 600000000)";

/// Marks every node number as released. A node that stops does the same with its own number.
const RELEASE: &str = r"UPDATE server_state SET value = 0 WHERE name LIKE 'node\_%' AND value <> 0";

const TRY_LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";

/// Maximum number of attempts to take locks. PostgreSQL can keep the locks of a killed process for a moment.
const MAX_ATTEMPTS: u32 = 10;
const PAUSE: Duration = Duration::from_millis(200);

/// A lock that keeps servers from using a database. The operating system or PostgreSQL releases the lock when the
/// process ends, even if the process is killed.
pub struct TransferLock(EngineLock);

enum EngineLock {
    /// The owner lock of a SQLite file.
    Lite(#[expect(dead_code, reason = "released on drop")] Option<FileOwner>),
    /// The locks of all node numbers of a PostgreSQL database. A server that starts finds no free node number.
    Pg(Box<LongSession>),
}

impl TransferLock {
    /// Takes the lock. On PostgreSQL, a node that has lost the lock of its number, because its connection broke, can
    /// still write for up to [`NODE_VALIDITY`]. So this method waits for [`NODE_VALIDITY`] if a node confirmed its
    /// number recently and did not release it.
    ///
    /// # Errors
    /// If a server uses the database, or the database cannot be reached.
    pub async fn acquire(url: &DatabaseUrl, clock: &Clock) -> Result<Self> {
        let DatabaseUrl::Postgres(options) = url else { return Ok(Self(EngineLock::Lite(own(url)?))) };
        let mut session = pg::open(options).await?;
        let mut tried = 0;
        loop {
            // a session can lock a number again that it has already locked, so the numbers that an earlier attempt
            // locked are not counted
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
                // no node uses a number now, so neither a repeated command nor the next node needs to wait again
                session.execute(RELEASE.to_owned()).await?;
            }
        }
        Ok(Self(EngineLock::Pg(Box::new(session))))
    }

    /// Keeps other processes from migrating the database. To be called when the schema is up to date. Does nothing on
    /// SQLite, where only the process that owns the file migrates the database.
    ///
    /// # Errors
    /// If another process is migrating the database, or the database cannot be reached.
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

    /// Confirms that the lock has been held without interruption.
    ///
    /// # Errors
    /// If the connection that holds the locks was lost. A server may have started in the meantime.
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
