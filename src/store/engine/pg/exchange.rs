//! Exchanges signals with the other nodes of the database, with `NOTIFY` and `LISTEN`.
//!
//! A signal is sent after its commit, in a transaction of its own and for all commits of some milliseconds together:
//! `NOTIFY` within the writing transaction would serialize all writers at their commit. So a signal may be lost, when a
//! process is killed in between or a connection breaks. The first notification on a new connection therefore says that signals
//! may have been lost, and windows also look by themselves, every few seconds.
//!
//! Both connections are the server's own sessions, because `LISTEN` does not work behind a pooler in transaction mode. Each
//! node also sends to itself: if it hears nothing, a connection was lost silently, and both are opened again.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgListener, PgPoolOptions};
use sqlx::{Connection, PgConnection};
use tokio::time::{sleep, timeout};

use super::Store;
use super::connector::Connector;
use crate::domain::ids::{ConversationId, UserId};
use crate::store::engine::locks::LockKey;
use crate::store::engine::signals::{Signal, Signals};

/// The channel of `NOTIFY`.
const CHANNEL: &str = "switchboard_signals";
const SEND: &str = "SELECT pg_notify('switchboard_signals', $1)";
/// A signal that is lost by a crash of the server would have been lost with the connection too.
const NO_FLUSH: &str = "SET synchronous_commit = off";
/// How long signals are collected before they are sent together.
const COLLECT: Duration = Duration::from_millis(5);
/// How often a node sends to itself.
const PING: Duration = Duration::from_secs(4);
/// How long a node hears nothing before it opens new connections.
const SILENCE: Duration = Duration::from_secs(10);
/// Timeout of connecting and of a statement.
const PATIENCE: Duration = Duration::from_secs(2);
/// The pause before connecting again.
const AGAIN: Duration = Duration::from_millis(500);
/// Maximum number of ids in one notification, whose size PostgreSQL limits to 8,000 bytes.
const IDS: usize = 300;

/// What is sent, as JSON.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sent {
    /// A random number of the sender, which ignores what it sent itself.
    by: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    changed: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    renamed: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    joined: Vec<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    read: Vec<(i64, i64)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    revoked: Vec<i64>,
    /// Whether signals from before may have been lost. Older versions ignore it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lost: bool,
}

impl Sent {
    fn signal(self) -> Signal {
        Signal {
            changed: self.changed.into_iter().map(ConversationId).collect(),
            renamed: self.renamed.into_iter().map(ConversationId).collect(),
            joined: self.joined.into_iter().map(UserId).collect(),
            read: self.read.into_iter().map(|(user, id)| (UserId(user), ConversationId(id))).collect(),
            revoked: self.revoked.into_iter().map(LockKey::numbered).collect(),
            lost: self.lost,
        }
    }

    /// Returns a signal in parts that fit into a notification.
    fn parts(by: u64, signal: &Signal) -> Vec<Self> {
        let mut parts = Vec::new();
        let ids = |set: &HashSet<ConversationId>| set.iter().map(|id| id.0).collect::<Vec<_>>();
        for changed in ids(&signal.changed).chunks(IDS) {
            parts.push(Self { by, changed: changed.to_vec(), ..Self::default() });
        }
        for renamed in ids(&signal.renamed).chunks(IDS) {
            parts.push(Self { by, renamed: renamed.to_vec(), ..Self::default() });
        }
        for joined in signal.joined.iter().map(|id| id.0).collect::<Vec<_>>().chunks(IDS) {
            parts.push(Self { by, joined: joined.to_vec(), ..Self::default() });
        }
        for read in signal.read.iter().map(|(user, id)| (user.0, id.0)).collect::<Vec<_>>().chunks(IDS / 2) {
            parts.push(Self { by, read: read.to_vec(), ..Self::default() });
        }
        for revoked in signal.revoked.iter().map(|key| key.number()).collect::<Vec<_>>().chunks(IDS) {
            parts.push(Self { by, revoked: revoked.to_vec(), ..Self::default() });
        }
        if parts.is_empty() {
            parts.push(Self { by, ..Self::default() });
        }
        parts
    }
}

impl Store {
    /// Exchanges signals until it is dropped. `by` is a random number of this process.
    pub(in crate::store) async fn exchange_signals(&self, signals: &Signals, by: u64) {
        loop {
            let why = match exchange(&self.direct, signals, by).await {
                Ok(never) => match never {},
                Err(why) => why,
            };
            tracing::debug!(why, "lost the connection for signals of other nodes; connecting again");
            sleep(AGAIN).await;
        }
    }
}

/// Never returns normally.
enum Never {}

async fn exchange(connector: &Connector, signals: &Signals, by: u64) -> Result<Never, String> {
    let session = connector.connect(PATIENCE).await.map_err(|error| error.failure.to_string())?;
    let mut sender = session.connection;
    let opening = async {
        sqlx::raw_sql(NO_FLUSH).execute(&mut sender).await?;
        // only `PgListener` receives notifications, and it takes its connection from a pool
        let pool = PgPoolOptions::new().max_connections(1).connect_with(connector.host()).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok::<_, sqlx::Error>(listener)
    };
    let mut listener = within(opening).await?;
    // whatever was sent before is not heard any more
    signals.received(Signal { lost: true, ..Signal::default() });
    let ended = tokio::select! {
        ended = send(&mut sender, signals, by) => ended,
        ended = hear(&mut listener, signals, by) => ended,
    };
    let _ = timeout(PATIENCE, sender.close()).await;
    ended
}

async fn send(sender: &mut PgConnection, signals: &Signals, by: u64) -> Result<Never, String> {
    // of this process on its last connection, or of one that was killed
    notify(sender, &Sent { by, lost: true, ..Sent::default() }).await?;
    loop {
        let signal = timeout(PING, signals.next_for_nodes()).await.unwrap_or_default();
        let unsent = Unsent { signals, signal };
        for part in Sent::parts(by, &unsent.signal) {
            notify(sender, &part).await?;
        }
        unsent.sent();
        sleep(COLLECT).await;
    }
}

/// A signal that is put back unless it was sent: also when sending is abandoned, because the other connection has failed.
struct Unsent<'a> {
    signals: &'a Signals,
    signal: Signal,
}

impl Unsent<'_> {
    fn sent(mut self) {
        self.signal = Signal::default();
    }
}

impl Drop for Unsent<'_> {
    fn drop(&mut self) {
        self.signals.unsent(std::mem::take(&mut self.signal));
    }
}

async fn notify(sender: &mut PgConnection, sent: &Sent) -> Result<(), String> {
    let text = serde_json::to_string(sent).map_err(|error| error.to_string())?;
    within(sqlx::query(SEND).bind(text).execute(sender)).await.map(drop)
}

async fn hear(listener: &mut PgListener, signals: &Signals, by: u64) -> Result<Never, String> {
    loop {
        let heard = timeout(SILENCE, listener.try_recv()).await.map_err(|_| "heard nothing".to_owned())?;
        let Some(heard) = heard.map_err(|error| error.to_string())? else {
            return Err("the server closed the connection".to_owned());
        };
        match serde_json::from_str::<Sent>(heard.payload()) {
            Ok(sent) if sent.by == by => {}
            Ok(sent) => signals.received(sent.signal()),
            // of a newer version: there is something to read, whatever it is
            Err(_) => signals.received(Signal { lost: true, ..Signal::default() }),
        }
    }
}

async fn within<T>(statement: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, String> {
    match timeout(PATIENCE, statement).await {
        Ok(done) => done.map_err(|error| error.to_string()),
        Err(_) => Err("timed out".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_signal_is_sent_in_parts_that_fit_into_notifications() {
        let signal = Signal {
            changed: (0..1000).map(|at| ConversationId(i64::MAX - at)).collect(),
            renamed: [ConversationId(2)].into(),
            joined: [UserId(1)].into(),
            read: (0..200).map(|at| (UserId(i64::MAX - at), ConversationId(i64::MAX - at))).collect(),
            revoked: (0..400).map(|at| LockKey::user(UserId(i64::MAX - at))).collect(),
            lost: false,
        };
        let parts = Sent::parts(u64::MAX, &signal);
        let mut merged = Signal::default();
        for part in parts {
            let text = serde_json::to_string(&part).unwrap();
            assert!(text.len() < 8_000, "{} bytes", text.len());
            merged.merge(serde_json::from_str::<Sent>(&text).unwrap().signal());
        }
        assert_eq!(merged, signal);
    }

    #[test]
    fn a_signal_to_oneself_has_only_the_sender() {
        assert_eq!(Sent::parts(7, &Signal::default()), [Sent { by: 7, ..Sent::default() }]);
        assert_eq!(serde_json::to_string(&Sent { by: 7, ..Sent::default() }).unwrap(), r#"{"by":7}"#);
        let first = serde_json::from_str::<Sent>(r#"{"by":7,"lost":true}"#).unwrap();
        assert!(first.signal().lost, "the first signal of a connection");
    }

    #[tokio::test]
    async fn a_signal_that_was_not_sent_is_put_back() {
        let signals = Signals::default();
        assert!(signals.next_for_nodes().now_or_never().is_none(), "it listens");
        let signal = Signal { changed: [ConversationId(1)].into(), ..Signal::default() };
        drop(Unsent { signals: &signals, signal: signal.clone() });
        assert_eq!(signals.next_for_nodes().now_or_never(), Some(signal.clone()));
        Unsent { signals: &signals, signal }.sent();
        assert!(signals.next_for_nodes().now_or_never().is_none());
    }
}
