//! Opens PostgreSQL sessions on the hosts of a database URL. A session is *suitable* if it has the attributes that the
//! URL requires (`target_session_attrs`). The hosts are tried until one of them provides a suitable session.
//!
//! The *most recently suitable host* is tried first. It is the host that provided the previous suitable session or,
//! before the first session, the first host of the URL. Then come the hosts that follow it in the URL, and finally the
//! hosts that precede it.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Row};

use super::failure::{class_of, is_transient};
use crate::store::engine::error::StoreError;
use crate::store::engine::url::{PostgresUrl, SessionAttributes, address};

/// Reads the id of the server process of a new session, whether the session is read-only, and whether its server is in
/// recovery. Sent as a simple query, which a pooler forwards unchanged.
const ABOUT: &str =
    "SELECT pg_backend_pid(), current_setting('transaction_read_only') = 'on', pg_is_in_recovery()";

/// A new session.
pub(super) struct PgSession {
    pub connection: PgConnection,
    /// The server process id. Behind a pooler in transaction mode, the process can change with every transaction.
    pub process: i32,
}

/// The error if no host provided a suitable session.
#[derive(Debug)]
pub(super) struct ConnectError {
    pub failure: StoreError,
    /// Whether a retry within seconds can succeed.
    pub is_transient: bool,
    /// Whether a host rejected the session because the host has no free connection.
    pub is_full: bool,
}

/// Why one host provided no suitable session.
enum HostError {
    Failed(sqlx::Error),
    TimedOut,
    /// The session does not have the attributes that the URL requires.
    Unsuitable(&'static str),
}

impl HostError {
    /// Returns whether the host has no free connection (`too_many_connections`).
    fn is_full(&self) -> bool {
        matches!(self, Self::Failed(sqlx::Error::Database(error)) if error.code().as_deref() == Some("53300"))
    }

    fn why(&self) -> String {
        match self {
            Self::Failed(error) => error.to_string(),
            Self::TimedOut => "timed out".to_owned(),
            Self::Unsuitable(what) => (*what).to_owned(),
        }
    }

    fn is_transient(&self) -> bool {
        match self {
            Self::Failed(error) => is_transient(error),
            Self::TimedOut | Self::Unsuitable(_) => true,
        }
    }
}

/// Opens sessions on the hosts of a URL. All clones share the most recently suitable host.
#[derive(Clone)]
pub(super) struct Connector {
    shared: Arc<ConnectorState>,
}

struct ConnectorState {
    hosts: Vec<PgConnectOptions>,
    attributes: SessionAttributes,
    timeout: Duration,
    /// The index of the most recently suitable host, which is tried first.
    first: AtomicUsize,
}

impl Connector {
    /// Creates a connector for the hosts of a URL. `adapt` adjusts the options of each host.
    pub(super) fn new(url: &PostgresUrl, adapt: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        let hosts = url.hosts().iter().cloned().map(|host| adapt(host.disable_statement_logging())).collect();
        let shared = ConnectorState {
            hosts,
            attributes: url.attributes(),
            timeout: url.connect_timeout(),
            first: AtomicUsize::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Creates a connector for the same hosts. `adapt` adjusts the options of each host further. The new connector
    /// begins with the most recently suitable host of this connector. From then on, each connector has its own.
    pub(super) fn with_options(&self, adapt: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        let ConnectorState { hosts, attributes, timeout, first } = &*self.shared;
        let shared = ConnectorState {
            hosts: hosts.iter().cloned().map(adapt).collect(),
            attributes: *attributes,
            timeout: *timeout,
            first: AtomicUsize::new(first.load(Ordering::Relaxed)),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Opens a session on the first suitable host, within a total timeout.
    ///
    /// The most recently suitable host is tried first. So after a failover, only the calls until the first success wait
    /// for the lost host.
    pub(super) async fn connect(&self, within: Duration) -> Result<PgSession, ConnectError> {
        let end = Instant::now() + within;
        let attributes = self.shared.attributes;
        if attributes == SessionAttributes::PreferStandby && self.shared.hosts.len() > 1 {
            // the search for a standby takes at most half of the time, so that time remains for other servers
            if let Ok(session) = self.try_hosts(SessionAttributes::Standby, Instant::now() + within / 2).await
            {
                return Ok(session);
            }
            return self.try_hosts(SessionAttributes::Any, end).await;
        }
        self.try_hosts(attributes, end).await
    }

    async fn try_hosts(&self, wanted: SessionAttributes, end: Instant) -> Result<PgSession, ConnectError> {
        let hosts = &self.shared.hosts;
        let first = self.shared.first.load(Ordering::Relaxed);
        let mut errors = Vec::new();
        for turn in 0..hosts.len() {
            let at = (first + turn) % hosts.len();
            let rest = end.saturating_duration_since(Instant::now());
            // the remaining time is divided equally among the remaining hosts, so that the last host is also tried
            let part = rest / u32::try_from(hosts.len() - turn).unwrap_or(1);
            match session(&hosts[at], wanted, part.min(self.shared.timeout)).await {
                Ok(session) => {
                    self.mark_suitable(at);
                    return Ok(session);
                }
                Err(error) => errors.push((at, error)),
            }
        }
        Err(self.all_failed(&errors))
    }

    fn mark_suitable(&self, at: usize) {
        if self.shared.first.swap(at, Ordering::Relaxed) != at {
            let host = &self.shared.hosts[at];
            tracing::warn!(host = address(host), "connected to another host of the database URL");
        }
    }

    fn all_failed(&self, errors: &[(usize, HostError)]) -> ConnectError {
        let is_transient = errors.iter().any(|(_, error)| error.is_transient());
        let failure = match errors {
            [(_, HostError::Failed(error))] => class_of(error),
            _ => {
                let each = errors
                    .iter()
                    .map(|(at, error)| format!("{}: {}", address(&self.shared.hosts[*at]), error.why()));
                StoreError::unavailable(each.collect::<Vec<_>>().join("; "))
            }
        };
        ConnectError { failure, is_transient, is_full: errors.iter().any(|(_, error)| error.is_full()) }
    }

    /// Returns the options of the most recently suitable host.
    pub(super) fn host(&self) -> PgConnectOptions {
        let ConnectorState { hosts, first, .. } = &*self.shared;
        hosts[first.load(Ordering::Relaxed) % hosts.len()].clone()
    }

    /// Adopts the most recently suitable host of `other`, which is a connector for the same hosts.
    pub(super) fn follow(&self, other: &Self) {
        if self.shared.hosts.len() == other.shared.hosts.len() {
            // does not call `mark_suitable`, which would log a connection although no connection was opened
            self.shared.first.store(other.shared.first.load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

/// Opens a session on one host.
async fn session(
    host: &PgConnectOptions,
    wanted: SessionAttributes,
    within: Duration,
) -> Result<PgSession, HostError> {
    let opening = async {
        let mut connection = host.connect().await?;
        let about = sqlx::raw_sql(ABOUT).fetch_one(&mut connection).await?;
        let about = (about.try_get(0)?, about.try_get(1)?, about.try_get(2)?);
        Ok::<_, sqlx::Error>((connection, about))
    };
    let opened = tokio::time::timeout(within, opening).await.map_err(|_| HostError::TimedOut)?;
    let (connection, (process, only_reads, in_recovery)) = opened.map_err(HostError::Failed)?;
    match unsuitable(wanted, only_reads, in_recovery) {
        None => Ok(PgSession { connection, process }),
        Some(why) => Err(HostError::Unsuitable(why)),
    }
}

/// Returns why a session does not have the required attributes; `None` if it has them.
fn unsuitable(wanted: SessionAttributes, only_reads: bool, in_recovery: bool) -> Option<&'static str> {
    match wanted {
        SessionAttributes::ReadWrite if only_reads => Some("is read-only"),
        SessionAttributes::ReadOnly if !only_reads => Some("is not read-only"),
        SessionAttributes::Primary if in_recovery => Some("is a standby"),
        SessionAttributes::Standby if !in_recovery => Some("is not a standby"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::logs::{LogFormat, tests::logged};

    #[test]
    fn following_another_connector_logs_no_connection() {
        let url: PostgresUrl = "postgres://user@one,two/chat".parse().unwrap();
        let (connector, other) = (Connector::new(&url, |host| host), Connector::new(&url, |host| host));
        let logged = |work: &dyn Fn()| logged(LogFormat::Text, tracing::Level::INFO, work);
        let connected = logged(&|| other.mark_suitable(1));
        assert!(connected.contains("connected to another host of the database URL"), "{connected}");
        assert_eq!(logged(&|| connector.follow(&other)), "", "`follow` opens no connection, so it logs none");
        assert_eq!(connector.host().get_host(), "two");
    }

    #[test]
    fn session_attributes_are_checked_as_in_libpq() {
        use SessionAttributes::{Any, PreferStandby, Primary, ReadOnly, ReadWrite, Standby};
        // (read-only, in recovery): a primary, a read-only primary, a standby
        for (session, suitable) in [
            ((false, false), &[Any, ReadWrite, Primary, PreferStandby][..]),
            ((true, false), &[Any, ReadOnly, Primary, PreferStandby][..]),
            ((true, true), &[Any, ReadOnly, Standby, PreferStandby][..]),
        ] {
            for wanted in [Any, ReadWrite, ReadOnly, Primary, Standby, PreferStandby] {
                let suits = unsuitable(wanted, session.0, session.1).is_none();
                assert_eq!(suits, suitable.contains(&wanted), "{wanted:?} {session:?}");
            }
        }
    }
}
