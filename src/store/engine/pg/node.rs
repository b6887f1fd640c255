//! The node number, which is a part of every id that a node generates. The nodes of one database have different
//! numbers.
//!
//! A node reserves its number with a session-level advisory lock on a dedicated connection. So the number is released
//! when the process ends, even if the process is killed. The node confirms its number about every second. Each
//! confirmation stores the database's time in `server_state`.
//!
//! If the connection breaks in the network, the database server can release the lock before the node notices the break.
//! The node then continues to use the number for up to [`VALIDITY`] after its last confirmation. So a node that
//! acquires the lock of a number first checks whether another node possibly still uses the number. If so, the acquiring
//! node waits for [`VALIDITY`] before it uses the number.
//!
//! The lock belongs to a session of the database server. So the connection must bypass a pooler in transaction mode.

use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};

use super::class_of;
use super::connector::Connector;
use super::timeouts::tuned;
use crate::store::engine::error::StoreError;
use crate::store::engine::url::PostgresUrl;

/// How long a number is valid after its last confirmation.
pub const VALIDITY: Duration = Duration::from_secs(6);

/// Timeout for opening a connection, and for each statement. Also the timeout of [`NodeNumber::release`], for all its
/// statements together.
const TIMEOUT: Duration = Duration::from_millis(1500);

/// The pause between two searches for a free number.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// A stored confirmation that is older than this proves that no node uses the number. [`may_be_used`] explains why an
/// age of [`VALIDITY`] does not prove this. Ten minutes are far longer than the replication lag of a promoted standby,
/// and than the difference between the clocks of two servers.
const EXPIRED_AFTER: Duration = Duration::from_secs(600);

/// The first key of the advisory locks: `swbd` in ASCII. The second key is the node number.
pub(in crate::store) const LOCK_CLASS: i32 = 0x7377_6264;

const LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";
/// Reads the last confirmation and the current time, in microseconds. One statement reads both, so that no confirmation
/// can be stored between the two reads.
const LAST: &str = "SELECT COALESCE((SELECT value FROM server_state WHERE name = $1), 0),
    CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT)";
const CONFIRM: &str = "INSERT INTO server_state (name, value)
    VALUES ($1, CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS BIGINT))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    RETURNING value, (SELECT COALESCE(MAX(oldest_compatible), 0) FROM schema_compatibility)";
const FORGET: &str = "UPDATE server_state SET value = 0 WHERE name = $1";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1, $2)";

/// Which numbers a node accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NodeChoice {
    /// Only this number, which is configured.
    Only(u8),
    /// Any number of the deployment's range. The search for a free number starts at an offset that is derived from this
    /// value.
    From(u8),
}

/// Why the node got no number.
#[derive(Debug, thiserror::Error)]
pub enum NoNumber {
    #[error(
        "node number {0} is taken by another process on this database: give each process its own number, or \
         configure none"
    )]
    Taken(u8),
    #[error("all node numbers are taken ({0} to {1}): no further process can share this database")]
    NoneFree(u8, u8),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The number of this process, with the connection that holds the number's lock.
pub struct NodeNumber {
    connector: Connector,
    /// The connection that holds the lock. `None` if the connection was lost and no new connection has locked a number
    /// yet.
    connection: Option<PgConnection>,
    wanted: NodeChoice,
    /// The number range of this deployment.
    numbers: RangeInclusive<u8>,
    number: u8,
    last: Confirmed,
    /// Whether the number's connection was given up since the last confirmation, because the database did not respond.
    silently_lost: bool,
}

/// A confirmation of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The database's time, in microseconds since 1970.
    pub database_micros: i64,
    /// When the statement that read the time began.
    pub begun: Instant,
    /// The version of a migration; 0 if none is recorded. Only a version of Switchboard that knows this migration can
    /// work on the schema.
    pub oldest_compatible: i64,
    /// Whether the previous connection of the number did not respond, although a new connection does. If so, other
    /// connections that take the same route through the network are probably lost too.
    pub silently_lost: bool,
}

impl Confirmed {
    /// Returns the time until which the number is valid: [`VALIDITY`] after the statement of the confirmation began.
    /// Another node can acquire the number's lock only after this statement, and then waits for [`VALIDITY`]. So the
    /// two nodes do not use the number at the same time.
    #[must_use]
    pub fn until(&self) -> Instant {
        self.begun + VALIDITY
    }
}

impl NodeNumber {
    /// Reserves a free number: the number that [`NodeChoice::Only`] names, or any number of the range `numbers`. If
    /// another node possibly still uses the number, waits for [`VALIDITY`].
    pub(in crate::store) async fn acquire(
        url: &PostgresUrl,
        wanted: NodeChoice,
        numbers: RangeInclusive<u8>,
    ) -> Result<Self, NoNumber> {
        let connector = Connector::new(url, options);
        let mut connection = open(&connector).await?;
        let (number, last) = find(&mut connection, wanted, &numbers, None).await?;
        Ok(Self {
            connector,
            connection: Some(connection),
            wanted,
            numbers,
            number,
            last,
            silently_lost: false,
        })
    }

    /// Returns the number and its last confirmation.
    #[must_use]
    pub fn held(&self) -> (u8, Confirmed) {
        (self.number, self.last)
    }

    /// Returns the connector that opens the number's connection.
    pub(super) fn connector(&self) -> &Connector {
        &self.connector
    }

    /// Confirms the number. If the connection is lost, reserves a number on a new connection. Prefers numbers that no
    /// other node possibly still uses, and among these the previous number. If another node possibly still uses the
    /// reserved number, waits for [`VALIDITY`].
    ///
    /// # Errors
    /// [`NoNumber`] if the node got no number. The old number remains valid until the time limit of its last
    /// confirmation ([`NodeNumber::held`], [`Confirmed::until`]).
    pub async fn confirm(&mut self) -> Result<(), NoNumber> {
        if let Some(connection) = &mut self.connection {
            match confirmation(connection, self.number).await {
                Ok(confirmed) => {
                    self.last = confirmed;
                    return Ok(());
                }
                Err(failure) => {
                    tracing::warn!(%failure, number = self.number, "lost the connection of the node number");
                    // drops the connection: if it only seems lost, this releases the lock, and a new connection can
                    // take the lock
                    self.connection = None;
                    self.silently_lost |= failure == NodeConnectionFailure::Silence;
                }
            }
        }
        // if no new connection can be opened yet, a later call reports that the previous connection was silently lost
        self.acquire_again().await?;
        self.last.silently_lost = std::mem::take(&mut self.silently_lost);
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

    /// Releases the number, so that the next node that reserves it need not wait. After this call, the process must not
    /// generate ids with the number.
    pub async fn release(self) {
        let Some(mut connection) = self.connection else { return };
        let released = within(async {
            sqlx::query(FORGET).bind(name(self.number)).execute(&mut connection).await?;
            let unlock = sqlx::query(UNLOCK).bind(LOCK_CLASS).bind(i32::from(self.number));
            unlock.execute(&mut connection).await?;
            connection.close().await
        });
        if let Err(failure) = released.await {
            // not an error: at worst, the next node that reserves the number waits
            tracing::debug!(%failure, number = self.number, "failed to release the node number");
        }
    }
}

fn name(number: u8) -> String {
    format!("node_{number}")
}

fn options(host: PgConnectOptions) -> PgConnectOptions {
    // without the keepalives and `tcp_user_timeout`, PostgreSQL would keep the lock for hours after this node
    // disappeared without closing the connection
    tuned(host).options([
        ("tcp_keepalives_idle", "5"),
        ("tcp_keepalives_interval", "2"),
        ("tcp_keepalives_count", "3"),
        ("tcp_user_timeout", "6000"),
        // no timeout: this session is idle between confirmations, and while the node waits for a number that is
        // possibly in use
        ("idle_session_timeout", "0"),
        // A confirmation waits neither for the disk nor for a standby. If it waited for a standby, a node would lose
        // its number when the standby is unreachable. The disadvantage is that a crash or a failover can lose the last
        // confirmations. `may_be_used` allows for this.
        ("synchronous_commit", "off"),
    ])
}

async fn open(connector: &Connector) -> Result<PgConnection, StoreError> {
    connector.connect(TIMEOUT).await.map(|session| session.connection).map_err(|none| none.failure)
}

/// Locks an acceptable number. Prefers a number that is certainly unused. If there is no such number, locks a number
/// that another node possibly still uses, and waits until the number is certainly unused. `before` is the previous
/// number of this process, with the database's time of its last confirmation.
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
        // Searches twice: another process that starts at the same time can hold the locks of numbers for a moment, and
        // PostgreSQL releases the lock of a killed process only when it notices that the connection is closed.
        if !is_last {
            tokio::time::sleep(RETRY_PAUSE).await;
        }
    }
    Err(match wanted {
        NodeChoice::Only(number) => NoNumber::Taken(number),
        NodeChoice::From(_) => NoNumber::NoneFree(*numbers.start(), *numbers.end()),
    })
}

/// Does the same as [`find`], but looks at each number only once. Returns `None` if all locks of acceptable numbers are
/// taken.
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

async fn unlock(connection: &mut PgConnection, number: u8) -> Result<(), NodeConnectionFailure> {
    let unlock = sqlx::query(UNLOCK).bind(LOCK_CLASS).bind(i32::from(number));
    within(unlock.execute(&mut *connection)).await.map(drop)
}

/// Returns the acceptable numbers in the order in which they are tried. If this process already had a number
/// (`before`), that number is first.
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

/// Returns whether another process possibly still uses a number that this process has just locked. If so, the other
/// process uses the number for at most [`VALIDITY`] from now.
///
/// If the stored confirmation is older than [`VALIDITY`], this does not prove that the number is unused, for two
/// reasons. A later confirmation can have been lost: by a crash, because the commit of a confirmation does not wait for
/// a flush, or by a failover to a lagging standby. And after a failover, the clock of the new primary can differ from
/// the clock of the old primary. If the stored confirmation is older than [`EXPIRED_AFTER`], the number is unused.
///
/// The process that had the lock before made its last confirmation before this process was granted the lock. So it is
/// sufficient to wait for the full [`VALIDITY`] from now.
///
/// If no confirmation is stored, the number counts as unused. This is wrong in one case: all confirmations since the
/// number was first used or last released were lost. Then two nodes could use the same number for seconds, and unique
/// indexes would reject rows of the second node.
async fn may_be_used(
    connection: &mut PgConnection,
    number: u8,
    before: Option<(u8, i64)>,
) -> Result<bool, StoreError> {
    let last = sqlx::query_as(LAST).bind(name(number));
    let (last, now): (i64, i64) = within(last.fetch_one(&mut *connection)).await?;
    // If another node had taken the number since the last confirmation of this process, that node would have waited for
    // `VALIDITY` and would then have stored a later time. So if the stored time is not later than that confirmation,
    // the stored time is from this process.
    let is_own = before.is_some_and(|(had, confirmed)| had == number && last <= confirmed);
    let age = Duration::from_micros(u64::try_from(now - last).unwrap_or(0));
    Ok(last != 0 && !is_own && age < EXPIRED_AFTER)
}

/// Stores a confirmation. Also reads which migration a node must know to work on the schema
/// ([`Confirmed::oldest_compatible`]).
async fn confirmation(connection: &mut PgConnection, number: u8) -> Result<Confirmed, NodeConnectionFailure> {
    let begun = Instant::now();
    let confirm = sqlx::query_as(CONFIRM).bind(name(number));
    let (database_micros, oldest_compatible): (i64, i64) =
        within(confirm.fetch_one(&mut *connection)).await?;
    Ok(Confirmed { database_micros, begun, oldest_compatible, silently_lost: false })
}

/// Why a statement on the number's connection failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
enum NodeConnectionFailure {
    #[error("the database did not respond in time")]
    Silence,
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<NodeConnectionFailure> for StoreError {
    fn from(failure: NodeConnectionFailure) -> Self {
        match failure {
            NodeConnectionFailure::Silence => Self::unavailable("the database did not respond in time"),
            NodeConnectionFailure::Store(error) => error,
        }
    }
}

impl From<NodeConnectionFailure> for NoNumber {
    fn from(failure: NodeConnectionFailure) -> Self {
        Self::Store(failure.into())
    }
}

async fn within<T>(work: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, NodeConnectionFailure> {
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(done) => done.map_err(|error| NodeConnectionFailure::Store(class_of(&error))),
        Err(_) => Err(NodeConnectionFailure::Silence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_search_begins_at_the_preferred_number_and_covers_the_range() {
        assert_eq!(candidates(NodeChoice::Only(7), &(0..=31), None), [7]);
        assert_eq!(candidates(NodeChoice::From(0), &(4..=7), None), [4, 5, 6, 7]);
        assert_eq!(candidates(NodeChoice::From(6), &(4..=7), None), [6, 7, 4, 5]);
        assert_eq!(candidates(NodeChoice::From(0), &(4..=7), Some(5)), [5, 6, 7, 4]);
        assert_eq!(candidates(NodeChoice::From(255), &(9..=9), None), [9]);
    }
}
