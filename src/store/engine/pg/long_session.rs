//! A session for statements of unknown duration: migrations, backups, restores and moves.
//!
//! Neither the PostgreSQL server nor the client limits the duration of such a statement. Migrations limit only their
//! waits for locks. While the client waits for a response, the client checks on a second connection whether the server
//! still works on the statement. Without these checks, the client would wait for ever if the server's host disappeared
//! without closing the connection.
//!
//! The server sends TCP keepalives to detect that a client has disappeared. The keepalives also prevent NAT gateways
//! and load balancers from dropping an idle session.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _};

use super::connector::Connector;
use super::failure::class_of;
use super::timeouts::{long_session_settings, tuned};
use crate::store::engine::error::StoreError;
use crate::store::engine::url::PostgresUrl;

/// How long the client waits for a response before the first check, and the pause between two checks.
const INTERVAL: Duration = Duration::from_secs(10);

/// Timeout of a check, which includes the opening of its connection. Also the timeout of a ping, and of the first query
/// of a session.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Number of consecutive failed checks after which the connection counts as lost.
const MAX_FAILED: u32 = 3;

/// Queries the values that identify a session: its process id, and when the session and its server were started. If the
/// URL has several hosts, these values also distinguish their servers. The query is sent as a simple query, which a
/// pooler forwards unchanged.
const IDENTITY: &str = "SELECT pid, CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT),
        CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS BIGINT)
    FROM pg_stat_activity WHERE pid = pg_backend_pid()";

/// Queries whether the server that runs this query is the server of a certain session, and the state of that session.
/// $1 is when the session's server was started, $2 is the session's process id, and $3 is when the session was started.
/// The state is NULL if the session has ended.
const STATE: &str = "SELECT CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS BIGINT) = $1,
    (SELECT COALESCE(state, '') FROM pg_stat_activity
     WHERE pid = $2 AND CAST(EXTRACT(EPOCH FROM backend_start) * 1000000 AS BIGINT) = $3)";

/// An open session. Callers await every statement on `connection` through [`SessionWatch::guard`].
pub(in crate::store) struct LongSession {
    pub connection: PgConnection,
    pub watch: SessionWatch,
}

impl LongSession {
    /// Opens a session. The session has the timeouts of its role and database, until [`LongSession::remove_timeouts`]
    /// removes them.
    ///
    /// # Errors
    /// Unavailable if no host of the URL responds in time with a session that has the required attributes.
    pub async fn open(url: &PostgresUrl) -> Result<Self, StoreError> {
        let hosts = u32::try_from(url.hosts().len()).unwrap_or(u32::MAX);
        let within = url.connect_timeout().saturating_mul(hosts);
        let connector = Connector::new(url, tuned);
        let mut connection = connector.connect(within).await.map_err(|none| none.failure)?.connection;
        let identity = sqlx::raw_sql(IDENTITY).fetch_one(&mut connection);
        let Ok(identity) = tokio::time::timeout(TIMEOUT, identity).await else {
            return Err(StoreError::unavailable("the database did not respond in time"));
        };
        let read = || {
            let row = identity?;
            Ok::<(i32, i64, i64), sqlx::Error>((row.try_get(0)?, row.try_get(1)?, row.try_get(2)?))
        };
        let (process, started, server_started) = read().map_err(|error| class_of(&error))?;
        let watch =
            SessionWatch { connector, process, started, server_started, is_lost: AtomicBool::new(false) };
        Ok(Self { connection, watch })
    }

    /// Removes the timeouts of the session. An administrator can have set timeouts for the role or the database that
    /// are too short for this session. Also turns on keepalives, by which the server detects that the client has
    /// disappeared.
    pub async fn remove_timeouts(&mut self) -> sqlx::Result<()> {
        self.execute(long_session_settings()).await.map(drop)
    }

    /// Runs commands without arguments. Returns the number of changed rows.
    pub async fn execute(&mut self, sql: String) -> sqlx::Result<u64> {
        let Self { connection, watch } = self;
        let executed = sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection);
        watch.guard(executed).await.map(|done| done.rows_affected())
    }

    /// Returns whether the session responds. If it does, it still has its advisory locks.
    pub async fn is_alive(&mut self) -> bool {
        matches!(tokio::time::timeout(TIMEOUT, self.connection.ping()).await, Ok(Ok(())))
    }

    /// Closes the session, which rolls back an open transaction.
    pub async fn close(self) {
        let Self { connection, watch } = self;
        // if this fails, the connection is closed nevertheless
        let _ = watch.guard(connection.close()).await;
    }
}

/// Checks a session while the client waits for a response.
pub(in crate::store) struct SessionWatch {
    connector: Connector,
    /// The process id of the session.
    process: i32,
    /// When the session was started, in microseconds since 1970.
    started: i64,
    /// When the session's server was started, in microseconds since 1970.
    server_started: i64,
    /// Whether the connection counts as lost. If so, later statements fail at once.
    is_lost: AtomicBool,
}

/// What a check found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SessionCheck {
    /// The server is working on the statement.
    Working,
    /// The server responds, but has no free connection for the check.
    Full,
    /// The session exists, and its server process waits for the next statement.
    Idle,
    /// The session no longer exists.
    Ended,
    /// The server was restarted, or the check reached another server.
    OtherServer,
}

impl SessionWatch {
    /// Awaits `work`, a statement on the session's connection, and checks the session during the wait.
    ///
    /// # Errors
    /// - The errors of `work`.
    /// - [`sqlx::Error::Io`] if the connection counts as lost. A connection counts as lost if a check finds that the
    ///   session has ended. It also counts as lost after [`MAX_FAILED`] consecutive checks in which the server did not
    ///   respond or was not working on the statement. A lost connection remains lost: later calls fail at once.
    pub async fn guard<T>(&self, work: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
        if self.is_lost.load(Ordering::Relaxed) {
            return Err(lost("an earlier statement lost the connection to the database".to_owned()));
        }
        let mut work = std::pin::pin!(work);
        if let Ok(done) = tokio::time::timeout(INTERVAL, &mut work).await {
            return done;
        }
        tokio::select! {
            biased;
            done = &mut work => done,
            why = Box::pin(self.failure()) => {
                self.is_lost.store(true, Ordering::Relaxed);
                Err(lost(why))
            }
        }
    }

    /// Checks the session until the connection counts as lost. Returns the reason.
    async fn failure(&self) -> String {
        let mut checking = None;
        let mut failed = 0;
        loop {
            let checked = tokio::time::timeout(TIMEOUT, self.check(&mut checking)).await;
            let why = match checked {
                Ok(Ok(SessionCheck::Working | SessionCheck::Full)) => None,
                Ok(Ok(SessionCheck::Ended)) => {
                    return "the server no longer has the session of this command: the server recovered from \
                            a crash, the session was terminated, or the network failed"
                        .to_owned();
                }
                Ok(Ok(SessionCheck::Idle)) => {
                    Some("the server waits for the next statement, so its response was lost".to_owned())
                }
                Ok(Ok(SessionCheck::OtherServer)) => {
                    Some("the server was restarted, or the URL now leads to another server".to_owned())
                }
                Ok(Err(error)) => Some(format!("the server does not respond: {error}")),
                Err(_) => Some(format!("the server does not respond within {} s", TIMEOUT.as_secs())),
            };
            match why {
                None => failed = 0,
                Some(why) => {
                    failed += 1;
                    if failed == MAX_FAILED {
                        return why;
                    }
                    tracing::warn!(%why, "a database statement was possibly interrupted; checking again");
                }
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }

    /// Checks the session on a second connection. If the check succeeds, the second connection is kept in `checking`
    /// for the next check.
    async fn check(&self, checking: &mut Option<PgConnection>) -> Result<SessionCheck, StoreError> {
        let mut connection = match checking.take() {
            Some(connection) => connection,
            None => match self.connector.connect(TIMEOUT).await {
                Ok(session) => session.connection,
                Err(none) if none.is_full => return Ok(SessionCheck::Full),
                Err(none) => return Err(none.failure),
            },
        };
        let state = sqlx::query_as(STATE).bind(self.server_started).bind(self.process).bind(self.started);
        let (is_same_server, state): (bool, Option<String>) =
            state.fetch_one(&mut connection).await.map_err(|error| class_of(&error))?;
        *checking = Some(connection);
        Ok(match state {
            _ if !is_same_server => SessionCheck::OtherServer,
            None => SessionCheck::Ended,
            // between two statements of a transaction, the state is `idle in transaction`
            Some(state) if state.starts_with("idle") => SessionCheck::Idle,
            Some(_) => SessionCheck::Working,
        })
    }
}

fn lost(why: String) -> sqlx::Error {
    sqlx::Error::Io(std::io::Error::new(std::io::ErrorKind::TimedOut, why))
}
