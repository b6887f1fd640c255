//! The node number: the part of generated row ids that differs between the nodes on one database.
//!
//! A number is a session-level advisory lock on a dedicated connection. So it is released when the process ends,
//! however it ends. The node confirms the number about every second. Each confirmation stores the database's time in
//! `server_state`.
//!
//! If the connection breaks in the network, the server may release the lock before the node notices. The node then
//! continues for up to [`VALIDITY`] after its last confirmation. So a node that acquires the lock of a number first
//! checks whether another node may still use the number. If so, it waits for [`VALIDITY`] before it uses the number.
//!
//! The lock belongs to a session of the server, so the connection bypasses a pooler in transaction mode.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

use super::class_of;
use super::connector::Connector;
use super::timeouts::tuned;
use crate::store::engine::error::StoreError;
use crate::store::engine::url::PostgresUrl;

/// How long a number remains valid after its last confirmation.
pub const VALIDITY: Duration = Duration::from_secs(6);

/// Timeout of connecting, and of each statement.
const TIMEOUT: Duration = Duration::from_millis(1500);

/// The pause between two searches for a free number.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// The age from which a stored confirmation counts as expired, although later confirmations may have been lost. The age
/// is far longer than the replication lag of a promoted standby, or the clock difference of two servers.
const EXPIRED_AFTER: Duration = Duration::from_secs(600);

/// The first key of the advisory locks; the second is the number. `swbd` in ASCII.
pub(in crate::store) const LOCK_CLASS: i32 = 0x7377_6264;

const LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";
/// Reads the last confirmation and the current time, in microseconds. Reads both in one statement, so that no
/// confirmation comes in between.
const LAST: &str = "SELECT COALESCE((SELECT value FROM server_state WHERE name = $1), 0),
    CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
const CONFIRM: &str = "INSERT INTO server_state (name, value)
    VALUES ($1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    RETURNING value, (SELECT COALESCE(MAX(oldest_compatible), 0) FROM schema_compatibility)";
const FORGET: &str = "UPDATE server_state SET value = 0 WHERE name = $1";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1, $2)";

/// Which numbers are acceptable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeChoice {
    /// Only this number, which is configured.
    Only(u8),
    /// Any number of the deployment's range. The search starts at an offset derived from this value.
    From(u8),
}

/// Why no number could be taken.
#[derive(Debug, thiserror::Error)]
pub enum NoNumber {
    #[error("node number {0} is taken by another process on this database: give each its own, or none")]
    Taken(u8),
    #[error("all node numbers are taken ({0} to {1}): as many processes as can share a database already do")]
    NoneFree(u8, u8),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A number held by this process, with the connection that holds its lock.
pub struct NodeNumber {
    connector: Connector,
    /// `None` after the connection was lost, until a new connection has taken a number.
    connection: Option<PgConnection>,
    wanted: NodeChoice,
    /// The number range of this deployment.
    numbers: RangeInclusive<u8>,
    number: u8,
    last: Confirmed,
}

/// A confirmation of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The database's time, in microseconds since 1970.
    pub database_micros: i64,
    /// When the statement that read the time began.
    pub begun: Instant,
    /// The newest migration that a server must know to work on the schema.
    pub oldest_compatible: i64,
    /// Whether the previous connection did not respond although a new one does: other connections on the
    /// same route are then lost as well.
    pub silently_lost: bool,
}

impl Confirmed {
    /// Returns the time until which the number is valid: [`VALIDITY`] after the statement began. A node that acquires
    /// the lock later waits for [`VALIDITY`] from then on. So the two nodes do not use the number at the same time.
    #[must_use]
    pub fn until(&self) -> Instant {
        self.begun + VALIDITY
    }
}

impl NodeNumber {
    /// Takes a free number of the range.
    pub(in crate::store) async fn acquire(
        url: &PostgresUrl,
        wanted: NodeChoice,
        numbers: RangeInclusive<u8>,
    ) -> Result<Self, NoNumber> {
        let connector = Connector::new(url, options);
        let mut connection = open(&connector).await?;
        let (number, last) = find(&mut connection, wanted, &numbers, None).await?;
        Ok(Self { connector, connection: Some(connection), wanted, numbers, number, last })
    }

    /// Returns the number and its last confirmation.
    #[must_use]
    pub fn held(&self) -> (u8, Confirmed) {
        (self.number, self.last)
    }

    /// Returns the connector that the number's connection was opened with.
    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Confirms the number. If the connection is lost, takes a number on a new connection: the same number if it is
    /// still free, otherwise another acceptable number. May wait for [`VALIDITY`] if another node used the number
    /// recently.
    ///
    /// # Errors
    /// [`NoNumber`]. The old number stays valid until its last confirmation ends ([`NodeNumber::held`]).
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
                    // if the connection only seems lost, closing it releases its lock
                    self.connection = None;
                    silently_lost = failure == Failure::Silence;
                }
            }
        }
        self.acquire_again().await?;
        self.last.silently_lost = silently_lost;
        Ok(())
    }

    async fn acquire_again(&mut self) -> Result<(), NoNumber> {
        let mut connection = open(&self.connector).await?;
        let before = Some((self.number, self.last.database_micros));
        let (number, last) = find(&mut connection, self.wanted, &self.numbers, before).await?;
        self.connection = Some(connection);
        (self.number, self.last) = (number, last);
        Ok(())
    }

    /// Releases the number, so that the next node that takes it need not wait. Afterwards no id may be generated with
    /// the number.
    pub async fn release(self) {
        let Some(mut connection) = self.connection else { return };
        let released = within(async {
            sqlx::query(FORGET).bind(name(self.number)).execute(&mut connection).await?;
            let unlock = sqlx::query(UNLOCK).bind(LOCK_CLASS).bind(i32::from(self.number));
            unlock.execute(&mut connection).await?;
            connection.close().await
        });
        if let Err(failure) = released.await {
            // in the worst case, the next node that takes the number waits
            tracing::debug!(%failure, number = self.number, "failed to release the node number");
        }
    }
}

fn name(number: u8) -> String {
    format!("node_{number}")
}

fn options(host: PgConnectOptions) -> PgConnectOptions {
    // the server must not keep the lock for hours after the client disappeared silently
    tuned(host).options([
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "6000"),
        // this session is idle between confirmations, and while it waits for a number that may be in use
        ("idle_session_timeout", "0"),
        // Confirmations wait neither for the disk nor for a standby, because a number must not depend on an unreachable
        // standby. A crash or a failover may lose the last confirmations. `may_be_used` allows for this.
        ("synchronous_commit", "off"),
    ])
}

async fn open(connector: &Connector) -> Result<PgConnection, StoreError> {
    connector.connect(TIMEOUT).await.map(|session| session.connection).map_err(|none| none.failure)
}

/// Locks an acceptable number. Prefers a number that no other node can be using. If there is none, waits until no other
/// node can be using the locked number. `before` is the number that this process had, with the database's time of its
/// last confirmation.
async fn find(
    connection: &mut PgConnection,
    wanted: NodeChoice,
    numbers: &RangeInclusive<u8>,
    before: Option<(u8, i64)>,
) -> Result<(u8, Confirmed), NoNumber> {
    for is_last in [false, true] {
        if let Some(found) = search(connection, wanted, numbers, before).await? {
            return Ok(found);
        }
        // another process that starts at the same time may hold the locks of numbers for a moment
        if !is_last && matches!(wanted, NodeChoice::From(_)) {
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
    Err(match wanted {
        NodeChoice::Only(number) => NoNumber::Taken(number),
        NodeChoice::From(_) => NoNumber::NoneFree(*numbers.start(), *numbers.end()),
    })
}

async fn search(
    connection: &mut PgConnection,
    wanted: NodeChoice,
    numbers: &RangeInclusive<u8>,
    before: Option<(u8, i64)>,
) -> Result<Option<(u8, Confirmed)>, NoNumber> {
    let mut perhaps_used = None;
    for number in candidates(wanted, numbers, before.map(|(number, _)| number)) {
        let lock = sqlx::query_as(LOCK).bind(LOCK_CLASS).bind(i32::from(number));
        let (locked,): (bool,) = within(lock.fetch_one(&mut *connection)).await?;
        if !locked {
            continue;
        }
        if !may_be_used(connection, number, before).await? {
            if let Some(other) = perhaps_used {
                unlock(connection, other).await?;
            }
            return Ok(Some((number, confirmation(connection, number).await?)));
        }
        match perhaps_used {
            None => perhaps_used = Some(number),
            Some(_) => unlock(connection, number).await?,
        }
    }
    let Some(number) = perhaps_used else { return Ok(None) };
    tokio::time::sleep(VALIDITY).await;
    Ok(Some((number, confirmation(connection, number).await?)))
}

async fn unlock(connection: &mut PgConnection, number: u8) -> Result<(), Failure> {
    let unlock = sqlx::query(UNLOCK).bind(LOCK_CLASS).bind(i32::from(number));
    within(unlock.execute(&mut *connection)).await.map(drop)
}

/// Returns the acceptable numbers in the order in which they are tried. The number that this process had
/// is first.
fn candidates(wanted: NodeChoice, numbers: &RangeInclusive<u8>, before: Option<u8>) -> Vec<u8> {
    let from = match wanted {
        NodeChoice::Only(number) => return vec![number],
        NodeChoice::From(turn) => {
            let all = usize::from(numbers.end().saturating_sub(*numbers.start())) + 1;
            before.map_or(usize::from(turn) % all, |had| usize::from(had.saturating_sub(*numbers.start())))
        }
    };
    let mut all: Vec<u8> = numbers.clone().collect();
    let from = from.min(all.len());
    all.rotate_left(from);
    all
}

/// Returns whether another process may continue to use a number that was just locked, for up to [`VALIDITY`] from now.
///
/// A stored confirmation that is older than [`VALIDITY`] does not prove that the number is unused, because a later
/// confirmation may have been lost. It may have been lost in a crash (confirmations are not flushed), or in a failover
/// to a lagging standby, whose clock may also differ. A confirmation that is older than [`EXPIRED_AFTER`] proves it.
///
/// The previous holder made its last confirmation before this lock was granted. So it is sufficient to wait for the
/// full [`VALIDITY`] from now.
///
/// If no confirmation is stored, the number counts as unused. That is wrong only if all confirmations since the number
/// was first used, or since it was last released, were lost. Then two nodes could share the number for seconds, and a
/// unique index would reject rows of the second node.
async fn may_be_used(
    connection: &mut PgConnection,
    number: u8,
    before: Option<(u8, i64)>,
) -> Result<bool, StoreError> {
    let last = sqlx::query_as(LAST).bind(name(number));
    let (last, now): (i64, i64) = within(last.fetch_one(&mut *connection)).await?;
    // Another node would have waited and then stored a later time. So a stored time that is not later than this
    // process's last confirmation belongs to this process, whose later confirmations were lost.
    let is_own = before.is_some_and(|(had, confirmed)| had == number && last <= confirmed);
    let age = Duration::from_micros(u64::try_from(now - last).unwrap_or(0));
    Ok(last != 0 && !is_own && age < EXPIRED_AFTER)
}

/// Stores a confirmation. Reads the newest migration that a server must know to continue.
async fn confirmation(connection: &mut PgConnection, number: u8) -> Result<Confirmed, Failure> {
    let begun = Instant::now();
    let confirm = sqlx::query_as(CONFIRM).bind(name(number));
    let (database_micros, oldest_compatible): (i64, i64) =
        within(confirm.fetch_one(&mut *connection)).await?;
    Ok(Confirmed { database_micros, begun, oldest_compatible, silently_lost: false })
}

/// Why a statement of the number's session failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum Failure {
    #[error("the database did not respond in time")]
    Silence,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Silence => Self::unavailable("the database did not respond in time"),
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
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(done) => done.map_err(|error| Failure::Store(class_of(&error))),
        Err(_) => Err(Failure::Silence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_the_range_are_tried() {
        assert_eq!(candidates(NodeChoice::Only(7), &(0..=31), None), [7]);
        assert_eq!(candidates(NodeChoice::From(0), &(4..=7), None), [4, 5, 6, 7]);
        assert_eq!(candidates(NodeChoice::From(6), &(4..=7), None), [6, 7, 4, 5]);
        assert_eq!(candidates(NodeChoice::From(0), &(4..=7), Some(5)), [5, 6, 7, 4]);
        assert_eq!(candidates(NodeChoice::From(255), &(9..=9), None), [9]);
    }
}
