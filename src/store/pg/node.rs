//! The number that tells this node's ids from those of the others on one database.
//!
//! A number is a session-level advisory lock on a connection of its own, so it is free again when the process ends,
//! however it ends. The node confirms it every second or so; each confirmation notes the database's time in
//! `server_state`. The lock may be lost without the node knowing at once (the connection breaks somewhere on the way),
//! and then it goes on for up to [`VALIDITY`] after its last confirmation. So whoever gets a lock waits until the
//! number's last confirmation by another is older than that.
//!
//! Called by the process's start and by the task that keeps the number.

use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

use super::{class_of, connect};
use crate::store::error::StoreError;

/// How long a number is this node's after its last confirmation.
pub const VALIDITY: Duration = Duration::from_secs(6);

/// How long one confirmation may take, connecting included.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The first key of the advisory locks; the second is the number. `swbd` in ASCII.
pub(in crate::store) const LOCK_CLASS: i32 = 0x7377_6264;

const LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";
/// The last confirmation and the time, in microseconds; of two reads in one statement, so that none comes in between.
const LAST: &str = "SELECT COALESCE((SELECT value FROM server_state WHERE name = $1), 0),
    CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
const CONFIRM: &str = "INSERT INTO server_state (name, value)
    VALUES ($1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING value";
const FORGET: &str = "UPDATE server_state SET value = 0 WHERE name = $1";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1, $2)";

/// Which numbers will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The configured one.
    Only(u8),
    /// Any, looked for from this one on.
    From(u8),
}

/// Why there is no number.
#[derive(Debug, thiserror::Error)]
pub enum NoNumber {
    #[error("node number {0} is taken by another process on this database: give each its own, or none")]
    Taken(u8),
    #[error("all node numbers are taken: as many processes as can share a database already do")]
    NoneFree,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A number held by this process, with the connection that holds it.
pub struct NodeNumber {
    options: PgConnectOptions,
    /// None after it was lost, until there is another.
    connection: Option<PgConnection>,
    wanted: Wanted,
    highest: u8,
    number: u8,
    /// What this process noted last, in the database's microseconds.
    confirmed: i64,
    /// Until when the number is this node's.
    until: Instant,
}

impl NodeNumber {
    /// Takes a free number from 0 to `highest`.
    pub(in crate::store) async fn take(
        options: &PgConnectOptions,
        wanted: Wanted,
        highest: u8,
    ) -> Result<Self, NoNumber> {
        let mut connection = open(options).await?;
        let (number, confirmed, until) = find(&mut connection, wanted, highest, None).await?;
        Ok(Self {
            options: options.clone(),
            connection: Some(connection),
            wanted,
            highest,
            number,
            confirmed,
            until,
        })
    }

    /// The number, and until when it is this node's.
    #[must_use]
    pub fn held(&self) -> (u8, Instant) {
        (self.number, self.until)
    }

    /// Confirms the number. When its connection is lost: takes the number again on a new one if it is still free, else
    /// another that will do. May wait for [`VALIDITY`], when another node used the number just now.
    ///
    /// # Errors
    /// [`NoNumber`]; the number stays this node's until the end that [`NodeNumber::held`] told.
    pub async fn confirm(&mut self) -> Result<(), NoNumber> {
        if let Some(connection) = &mut self.connection {
            match confirmation(connection, self.number).await {
                Ok((confirmed, until)) => {
                    (self.confirmed, self.until) = (confirmed, until);
                    return Ok(());
                }
                Err(failure) => {
                    tracing::warn!(%failure, number = self.number, "the node lost its number's connection");
                    // should it only seem lost, its lock ends with it
                    self.connection = None;
                }
            }
        }
        self.take_again().await
    }

    async fn take_again(&mut self) -> Result<(), NoNumber> {
        let mut connection = open(&self.options).await?;
        let before = Some((self.number, self.confirmed));
        let (number, confirmed, until) = find(&mut connection, self.wanted, self.highest, before).await?;
        self.connection = Some(connection);
        (self.number, self.confirmed, self.until) = (number, confirmed, until);
        Ok(())
    }

    /// Gives the number back: the next to take it need not wait. No id may be given after this.
    pub async fn release(self) {
        let Some(mut connection) = self.connection else { return };
        let released = within(async {
            sqlx::query(FORGET).bind(name(self.number)).execute(&mut connection).await?;
            let unlock = sqlx::query(UNLOCK).bind(LOCK_CLASS).bind(i32::from(self.number));
            unlock.execute(&mut connection).await?;
            connection.close().await
        });
        if let Err(failure) = released.await {
            // at worst the next to take it waits
            tracing::debug!(%failure, number = self.number, "the node's number was not given back in order");
        }
    }
}

fn name(number: u8) -> String {
    format!("node_{number}")
}

async fn open(options: &PgConnectOptions) -> Result<PgConnection, StoreError> {
    // a server that is gone without a word must not keep the lock for hours; confirmations need no flush of the log
    let options = options.clone().options([
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
        ("synchronous_commit", "off"),
    ]);
    within(connect(&options)).await
}

/// Locks a number that will do, and waits until nobody else can be using it. `before` is the number this process had,
/// with its last confirmation.
async fn find(
    connection: &mut PgConnection,
    wanted: Wanted,
    highest: u8,
    before: Option<(u8, i64)>,
) -> Result<(u8, i64, Instant), NoNumber> {
    let first = match (wanted, before) {
        (Wanted::Only(number), _) | (Wanted::From(_), Some((number, _))) => number,
        (Wanted::From(number), None) => number % (highest + 1),
    };
    let candidates: Vec<u8> = match wanted {
        Wanted::Only(_) => vec![first],
        Wanted::From(_) => (first..=highest).chain(0..first).collect(),
    };
    for number in candidates {
        let lock = sqlx::query_as(LOCK).bind(LOCK_CLASS).bind(i32::from(number));
        let (locked,): (bool,) = within(lock.fetch_one(&mut *connection)).await?;
        if locked {
            settle(connection, number, before).await?;
            let (confirmed, until) = confirmation(connection, number).await?;
            return Ok((number, confirmed, until));
        }
    }
    Err(match wanted {
        Wanted::Only(number) => NoNumber::Taken(number),
        Wanted::From(_) => NoNumber::NoneFree,
    })
}

/// Waits until a number confirmed by another process is free of it.
async fn settle(
    connection: &mut PgConnection,
    number: u8,
    before: Option<(u8, i64)>,
) -> Result<(), StoreError> {
    let last = sqlx::query_as(LAST).bind(name(number));
    let (last, now): (i64, i64) = within(last.fetch_one(&mut *connection)).await?;
    if last == 0 || before == Some((number, last)) {
        return Ok(());
    }
    let age = Duration::from_micros(u64::try_from(now - last).unwrap_or(0));
    tokio::time::sleep(VALIDITY.saturating_sub(age)).await;
    Ok(())
}

/// Notes that the number is in use; what was noted, and until when the number is this node's.
async fn confirmation(connection: &mut PgConnection, number: u8) -> Result<(i64, Instant), StoreError> {
    // counted from before the statement: the database notes a later moment, which others wait from
    let begun = Instant::now();
    let confirm = sqlx::query_as(CONFIRM).bind(name(number));
    let (confirmed,): (i64,) = within(confirm.fetch_one(&mut *connection)).await?;
    Ok((confirmed, begun + VALIDITY))
}

async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, StoreError> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(|error| class_of(&error)),
        Err(_) => Err(StoreError::unavailable("the database did not answer in time")),
    }
}
