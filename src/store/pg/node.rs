//! The number that tells this node's ids from those of the others on one database.
//!
//! A number is a session-level advisory lock on a connection of its own, so it is free again when the process ends,
//! however it ends. The node confirms it every second or so; each confirmation notes the database's time in
//! `server_state`. The lock may be lost without the node knowing at once (the connection breaks somewhere on the way),
//! and then it goes on for up to [`VALIDITY`] after its last confirmation. So whoever gets a lock that another node may
//! still think its own waits for that long.
//!
//! The session must be the server's own, so it goes past a pooler in transaction mode.
//!
//! Called by the process's start and by the task that keeps the number.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

use super::bounds::tuned;
use super::class_of;
use super::connector::Connector;
use crate::store::error::StoreError;
use crate::store::url::PostgresUrl;

/// How long a number is this node's after its last confirmation.
pub const VALIDITY: Duration = Duration::from_secs(6);

/// How long one confirmation may take, and connecting.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The age from which on a noted confirmation is surely over, whatever was lost after it: far more than a standby may be
/// behind when it is promoted, or the clocks of two servers apart.
const SURELY_OVER: Duration = Duration::from_secs(600);

/// The first key of the advisory locks; the second is the number. `swbd` in ASCII.
pub(in crate::store) const LOCK_CLASS: i32 = 0x7377_6264;

const LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";
/// The last confirmation and the time, in microseconds; of two reads in one statement, so that none comes in between.
const LAST: &str = "SELECT COALESCE((SELECT value FROM server_state WHERE name = $1), 0),
    CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
const CONFIRM: &str = "INSERT INTO server_state (name, value)
    VALUES ($1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    RETURNING value, (SELECT COALESCE(MAX(oldest_compatible), 0) FROM schema_compatibility)";
const FORGET: &str = "UPDATE server_state SET value = 0 WHERE name = $1";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1, $2)";

/// Which numbers will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// The configured one.
    Only(u8),
    /// Any of the deployment's, looked for from one that depends on this.
    From(u8),
}

/// Why there is no number.
#[derive(Debug, thiserror::Error)]
pub enum NoNumber {
    #[error("node number {0} is taken by another process on this database: give each its own, or none")]
    Taken(u8),
    #[error("all node numbers are taken ({0} to {1}): as many processes as can share a database already do")]
    NoneFree(u8, u8),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A number held by this process, with the connection that holds it.
pub struct NodeNumber {
    connector: Connector,
    /// None after it was lost, until there is another.
    connection: Option<PgConnection>,
    wanted: Wanted,
    /// The numbers of this deployment.
    numbers: RangeInclusive<u8>,
    number: u8,
    last: Confirmed,
}

/// A confirmation of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The database's time, in microseconds since 1970.
    pub database_micros: i64,
    /// When the statement began that read it.
    pub begun: Instant,
    /// The newest migration that a program must know to work on the schema.
    pub oldest_compatible: i64,
    /// The connection did not answer and a new one does: others that lead the same way are gone as well.
    pub silently_lost: bool,
}

impl Confirmed {
    /// Until when the number is the node's: counted from before the statement, since the database notes a later moment,
    /// which others wait from.
    #[must_use]
    pub fn until(&self) -> Instant {
        self.begun + VALIDITY
    }
}

impl NodeNumber {
    /// Takes a free number of these.
    pub(in crate::store) async fn take(
        url: &PostgresUrl,
        wanted: Wanted,
        numbers: RangeInclusive<u8>,
    ) -> Result<Self, NoNumber> {
        let connector = Connector::new(url, options);
        let mut connection = open(&connector).await?;
        let (number, last) = find(&mut connection, wanted, &numbers, None).await?;
        Ok(Self { connector, connection: Some(connection), wanted, numbers, number, last })
    }

    /// The number, and its last confirmation.
    #[must_use]
    pub fn held(&self) -> (u8, Confirmed) {
        (self.number, self.last)
    }

    /// Where its connection leads.
    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Confirms the number. When its connection is lost: takes the number again on a new one if it is still free, else
    /// another that will do. May wait for [`VALIDITY`], when another node used the number just now.
    ///
    /// # Errors
    /// [`NoNumber`]; the number stays this node's until the end that [`NodeNumber::held`] told.
    pub async fn confirm(&mut self) -> Result<(), NoNumber> {
        let mut silently_lost = false;
        if let Some(connection) = &mut self.connection {
            match confirmation(connection, self.number).await {
                Ok(confirmed) => {
                    self.last = confirmed;
                    return Ok(());
                }
                Err(failure) => {
                    tracing::warn!(%failure, number = self.number, "lost the connection of the node number");
                    // should it only seem lost, its lock ends with it
                    self.connection = None;
                    silently_lost = failure == Failure::Silence;
                }
            }
        }
        self.take_again().await?;
        self.last.silently_lost = silently_lost;
        Ok(())
    }

    async fn take_again(&mut self) -> Result<(), NoNumber> {
        let mut connection = open(&self.connector).await?;
        let before = Some((self.number, self.last.database_micros));
        let (number, last) = find(&mut connection, self.wanted, &self.numbers, before).await?;
        self.connection = Some(connection);
        (self.number, self.last) = (number, last);
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

fn options(host: PgConnectOptions) -> PgConnectOptions {
    // a server that is gone without a word must not keep the lock for hours
    tuned(host).options([
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "6000"),
        // Confirmations wait neither for the disk nor for a standby: a number must not depend on a standby that is gone.
        // A crash or a failover may lose the last of them, which `settle` reckons with.
        ("synchronous_commit", "off"),
    ])
}

async fn open(connector: &Connector) -> Result<PgConnection, StoreError> {
    connector.connect(PATIENCE).await.map(|session| session.connection).map_err(|none| none.failure)
}

/// Locks a number that will do, and waits until nobody else can be using it. `before` is the number this process had,
/// with its last confirmation.
async fn find(
    connection: &mut PgConnection,
    wanted: Wanted,
    numbers: &RangeInclusive<u8>,
    before: Option<(u8, i64)>,
) -> Result<(u8, Confirmed), NoNumber> {
    for number in candidates(wanted, numbers, before.map(|(number, _)| number)) {
        let lock = sqlx::query_as(LOCK).bind(LOCK_CLASS).bind(i32::from(number));
        let (locked,): (bool,) = within(lock.fetch_one(&mut *connection)).await?;
        if locked {
            settle(connection, number, before).await?;
            return Ok((number, confirmation(connection, number).await?));
        }
    }
    Err(match wanted {
        Wanted::Only(number) => NoNumber::Taken(number),
        Wanted::From(_) => NoNumber::NoneFree(*numbers.start(), *numbers.end()),
    })
}

/// The numbers that will do, the one this process had first.
fn candidates(wanted: Wanted, numbers: &RangeInclusive<u8>, before: Option<u8>) -> Vec<u8> {
    let from = match wanted {
        Wanted::Only(number) => return vec![number],
        Wanted::From(turn) => {
            let all = usize::from(numbers.end().saturating_sub(*numbers.start())) + 1;
            before.map_or(usize::from(turn) % all, |had| usize::from(had.saturating_sub(*numbers.start())))
        }
    };
    let mut all: Vec<u8> = numbers.clone().collect();
    let from = from.min(all.len());
    all.rotate_left(from);
    all
}

/// Waits until a number confirmed by another process is free of it.
///
/// The age of the confirmation that is read does not count: a later one may be lost, in a crash (confirmations are not
/// flushed) or in a failover to a standby that was behind, whose clock may differ as well. Whoever held the number made
/// its last confirmation before this lock was given, so the whole of [`VALIDITY`] from now on is enough. Only the first
/// confirmation of a number that was never used before leaves no trace if it is lost; then two nodes could share it for
/// seconds, and a row of the second is refused by its unique index.
async fn settle(
    connection: &mut PgConnection,
    number: u8,
    before: Option<(u8, i64)>,
) -> Result<(), StoreError> {
    let last = sqlx::query_as(LAST).bind(name(number));
    let (last, now): (i64, i64) = within(last.fetch_one(&mut *connection)).await?;
    // An older one than this process's last is its own as well, the later ones being lost: another node would have
    // waited, and then noted a later moment.
    let is_own = before.is_some_and(|(had, confirmed)| had == number && last <= confirmed);
    if last == 0 || is_own {
        return Ok(());
    }
    let age = Duration::from_micros(u64::try_from(now - last).unwrap_or(0));
    if age < SURELY_OVER {
        tokio::time::sleep(VALIDITY).await;
    }
    Ok(())
}

/// Notes that the number is in use, and reads which programs may go on.
async fn confirmation(connection: &mut PgConnection, number: u8) -> Result<Confirmed, Failure> {
    let begun = Instant::now();
    let confirm = sqlx::query_as(CONFIRM).bind(name(number));
    let (database_micros, oldest_compatible): (i64, i64) =
        within(confirm.fetch_one(&mut *connection)).await?;
    Ok(Confirmed { database_micros, begun, oldest_compatible, silently_lost: false })
}

/// Why a statement of the number's session gave nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Failure {
    #[error("the database did not answer in time")]
    Silence,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Silence => Self::unavailable("the database did not answer in time"),
            Failure::Store(error) => error,
        }
    }
}

impl From<Failure> for NoNumber {
    fn from(failure: Failure) -> Self {
        Self::Store(failure.into())
    }
}

async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, Failure> {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done.map_err(|error| Failure::Store(class_of(&error))),
        Err(_) => Err(Failure::Silence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_looked_for_in_their_range_only() {
        assert_eq!(candidates(Wanted::Only(7), &(0..=31), None), [7]);
        assert_eq!(candidates(Wanted::From(0), &(4..=7), None), [4, 5, 6, 7]);
        assert_eq!(candidates(Wanted::From(6), &(4..=7), None), [6, 7, 4, 5]);
        assert_eq!(candidates(Wanted::From(0), &(4..=7), Some(5)), [5, 6, 7, 4]);
        assert_eq!(candidates(Wanted::From(255), &(9..=9), None), [9]);
    }
}
