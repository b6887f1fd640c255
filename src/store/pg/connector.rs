//! Opens sessions: tries the hosts of the URL in order and keeps the first session that suits.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Row};

use super::failure::{class_of, may_pass};
use crate::store::error::StoreError;
use crate::store::url::{PostgresUrl, SessionAttributes, address};

/// Asks a new session about itself: its process, whether it can write, whether its server is in recovery. One simple
/// query, which a pooler passes on as it is.
const ABOUT: &str =
    "SELECT pg_backend_pid(), current_setting('transaction_read_only') = 'on', pg_is_in_recovery()";

/// A new session.
pub(super) struct Session {
    pub connection: PgConnection,
    /// The server's process. Behind a pooler in transaction mode it changes with every transaction.
    pub process: i32,
}

/// No host gave a session that suits.
#[derive(Debug)]
pub(super) struct ConnectError {
    pub failure: StoreError,
    /// Whether another attempt within seconds may succeed.
    pub may_pass: bool,
}

/// Why one host gave no session.
enum HostError {
    Failed(sqlx::Error),
    TimedOut,
    /// The session is not of the wanted kind.
    Unsuitable(&'static str),
}

impl HostError {
    fn why(&self) -> String {
        match self {
            Self::Failed(error) => error.to_string(),
            Self::TimedOut => "did not answer in time".to_owned(),
            Self::Unsuitable(what) => (*what).to_owned(),
        }
    }

    fn may_pass(&self) -> bool {
        match self {
            Self::Failed(error) => may_pass(error),
            Self::TimedOut | Self::Unsuitable(_) => true,
        }
    }
}

/// The hosts of a URL. Cloning shares what was learnt about them.
#[derive(Clone)]
pub(super) struct Connector {
    shared: Arc<Shared>,
}

struct Shared {
    hosts: Vec<PgConnectOptions>,
    attributes: SessionAttributes,
    timeout: Duration,
    /// The host to try first: the one that suited last.
    first: AtomicUsize,
}

impl Connector {
    /// For the hosts of a URL, with these changes to the options of each.
    pub(super) fn new(url: &PostgresUrl, adapt: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        let hosts = url.hosts().iter().cloned().map(|host| adapt(host.disable_statement_logging())).collect();
        let shared = Shared {
            hosts,
            attributes: url.attributes(),
            timeout: url.connect_timeout(),
            first: AtomicUsize::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The same hosts with more changes to the options of each; it learns about them by itself.
    pub(super) fn adapted(&self, adapt: impl Fn(PgConnectOptions) -> PgConnectOptions) -> Self {
        let Shared { hosts, attributes, timeout, first } = &*self.shared;
        let shared = Shared {
            hosts: hosts.iter().cloned().map(adapt).collect(),
            attributes: *attributes,
            timeout: *timeout,
            first: AtomicUsize::new(first.load(Ordering::Relaxed)),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Opens a session on the first host that suits, within a time that the hosts share.
    ///
    /// Begins with the host that suited last: after a failover only the first attempt waits for the host that is gone.
    pub(super) async fn connect(&self, within: Duration) -> Result<Session, ConnectError> {
        let end = Instant::now() + within;
        let attributes = self.shared.attributes;
        if attributes == SessionAttributes::PreferStandby && self.shared.hosts.len() > 1 {
            // half of the time, so that some is left for servers that are no standby
            if let Ok(session) = self.pass(SessionAttributes::Standby, Instant::now() + within / 2).await {
                return Ok(session);
            }
            return self.pass(SessionAttributes::Any, end).await;
        }
        self.pass(attributes, end).await
    }

    async fn pass(&self, wanted: SessionAttributes, end: Instant) -> Result<Session, ConnectError> {
        let hosts = &self.shared.hosts;
        let first = self.shared.first.load(Ordering::Relaxed);
        let mut errors = Vec::new();
        for turn in 0..hosts.len() {
            let at = (first + turn) % hosts.len();
            let rest = end.saturating_duration_since(Instant::now());
            // each host gets its part of what is left, so that the last one is tried as well
            let part = rest / u32::try_from(hosts.len() - turn).unwrap_or(1);
            match session(&hosts[at], wanted, part.min(self.shared.timeout)).await {
                Ok(session) => {
                    self.suited(at);
                    return Ok(session);
                }
                Err(error) => errors.push((at, error)),
            }
        }
        Err(self.none_of(&errors))
    }

    fn suited(&self, at: usize) {
        if self.shared.first.swap(at, Ordering::Relaxed) != at {
            let host = &self.shared.hosts[at];
            tracing::warn!(host = address(host), "connected to another host of the database URL");
        }
    }

    fn none_of(&self, errors: &[(usize, HostError)]) -> ConnectError {
        let may_pass = errors.iter().any(|(_, error)| error.may_pass());
        let failure = match errors {
            [(_, HostError::Failed(error))] => class_of(error),
            _ => {
                let each = errors
                    .iter()
                    .map(|(at, error)| format!("{}: {}", address(&self.shared.hosts[*at]), error.why()));
                StoreError::unavailable(each.collect::<Vec<_>>().join("; "))
            }
        };
        ConnectError { failure, may_pass }
    }

    /// Begins with the host that suited another connector of the same URL last.
    pub(super) fn follow(&self, other: &Self) {
        if self.shared.hosts.len() == other.shared.hosts.len() {
            self.suited(other.shared.first.load(Ordering::Relaxed));
        }
    }
}

async fn session(
    host: &PgConnectOptions,
    wanted: SessionAttributes,
    within: Duration,
) -> Result<Session, HostError> {
    let opening = async {
        let mut connection = host.connect().await?;
        let about = sqlx::raw_sql(ABOUT).fetch_one(&mut connection).await?;
        let about = (about.try_get(0)?, about.try_get(1)?, about.try_get(2)?);
        Ok::<_, sqlx::Error>((connection, about))
    };
    let opened = tokio::time::timeout(within, opening).await.map_err(|_| HostError::TimedOut)?;
    let (connection, (process, only_reads, in_recovery)) = opened.map_err(HostError::Failed)?;
    match unsuitable(wanted, only_reads, in_recovery) {
        None => Ok(Session { connection, process }),
        Some(why) => Err(HostError::Unsuitable(why)),
    }
}

/// What keeps a session from being the wanted one.
fn unsuitable(wanted: SessionAttributes, only_reads: bool, in_recovery: bool) -> Option<&'static str> {
    match wanted {
        SessionAttributes::ReadWrite if only_reads => Some("cannot be written"),
        SessionAttributes::ReadOnly if !only_reads => Some("can be written"),
        SessionAttributes::Primary if in_recovery => Some("is a standby"),
        SessionAttributes::Standby if !in_recovery => Some("is no standby"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_judged_as_libpq_does() {
        use SessionAttributes::{Any, PreferStandby, Primary, ReadOnly, ReadWrite, Standby};
        // (only reads, in recovery): a primary, a primary that is set to only read, a standby
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
