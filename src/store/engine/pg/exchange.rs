//! Exchanges signals with the other nodes of the deployment, through `NOTIFY` and `LISTEN`. A [`Signal`] reports what
//! commits have changed, so that nodes read the changes for their open browser windows.
//!
//! A signal is sent after the commit, in a separate transaction. A `NOTIFY` in the writing transaction itself would
//! serialize the commits of all writers. Signals of commits that follow each other within some milliseconds are sent
//! together.
//!
//! Signals can be lost in two ways: the sending process is killed after the commit, or the receiving connection of
//! another node breaks. So the first notification on a new sending connection reports that earlier signals are possibly
//! lost. A node with a new receiving connection assumes the same. In addition, each node periodically reads the
//! conversations that are open in its browser windows.
//!
//! A node sends on one connection and receives on another. Both connections bypass a pooler, because `LISTEN` does not
//! work behind a pooler in transaction mode. A node also receives its own notifications. If it has no signal to send
//! for [`PING`], it sends a notification without changes. So if a node receives no notification for [`SILENCE`], one of
//! its connections was lost without an error. Then the node opens both connections again.

use std::collections::HashSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgListener, PgPoolOptions};
use sqlx::{Connection, PgConnection};
use tokio::time::{sleep, timeout};

use super::PgStore;
use super::connector::Connector;
use crate::domain::ids::{ConversationId, UserId};
use crate::store::engine::lock_key::LockKey;
use crate::store::engine::signals::{Signal, Signals};

/// The channel of `NOTIFY` and `LISTEN`.
const CHANNEL: &str = "switchboard_signals";
const SEND: &str = "SELECT pg_notify('switchboard_signals', $1)";
/// With this setting, the commit of a `NOTIFY` does not wait for the flush of the write-ahead log. The wait would not
/// prevent the loss of a signal: a crash of the database server closes the connections of the receivers.
const NO_FLUSH: &str = "SET synchronous_commit = off";
/// The pause after a signal was sent. Signals that are added during the pause are sent together after it.
const COLLECT: Duration = Duration::from_millis(5);
/// If a node has no signal to send for this time, it sends a notification without changes. The node receives this
/// notification itself, which shows that both of its connections work.
const PING: Duration = Duration::from_secs(4);
/// How long a node waits for a notification before it opens new connections.
const SILENCE: Duration = Duration::from_secs(10);
/// Timeout for opening a connection with its first statements, for sending a notification, and for closing a
/// connection.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The pause before the connections are opened again.
const RETRY_PAUSE: Duration = Duration::from_millis(500);
/// Maximum number of ids in one notification. PostgreSQL limits a notification to 8,000 bytes, and 300 ids of 19 digits
/// take about 6,000 bytes.
const IDS: usize = 300;

/// The payload of a notification, as JSON. All fields except `process` are the fields of [`Signal`].
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Payload {
    /// A random number that identifies the sending process. A process ignores the notifications with its own number.
    #[serde(rename = "by")]
    process: u64,
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
    /// Whether earlier signals are possibly lost. Older versions of Switchboard ignore this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    lost: bool,
}

impl Payload {
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

    /// Splits a signal to other nodes into parts that each fit into one notification. For an empty signal, returns one
    /// part without ids. Ignores [`Signal::lost`]: [`send`] sends `lost` itself, in the first notification on a
    /// connection.
    fn parts(process: u64, signal: &Signal) -> Vec<Self> {
        let mut parts = Vec::new();
        let ids = |set: &HashSet<ConversationId>| set.iter().map(|id| id.0).collect::<Vec<_>>();
        for changed in ids(&signal.changed).chunks(IDS) {
            parts.push(Self { process, changed: changed.to_vec(), ..Self::default() });
        }
        for renamed in ids(&signal.renamed).chunks(IDS) {
            parts.push(Self { process, renamed: renamed.to_vec(), ..Self::default() });
        }
        for joined in signal.joined.iter().map(|id| id.0).collect::<Vec<_>>().chunks(IDS) {
            parts.push(Self { process, joined: joined.to_vec(), ..Self::default() });
        }
        for read in signal.read.iter().map(|(user, id)| (user.0, id.0)).collect::<Vec<_>>().chunks(IDS / 2) {
            parts.push(Self { process, read: read.to_vec(), ..Self::default() });
        }
        for revoked in signal.revoked.iter().map(|key| key.number()).collect::<Vec<_>>().chunks(IDS) {
            parts.push(Self { process, revoked: revoked.to_vec(), ..Self::default() });
        }
        if parts.is_empty() {
            parts.push(Self { process, ..Self::default() });
        }
        parts
    }
}

impl PgStore {
    /// Exchanges signals until the future is dropped. `process` is a random number that identifies this process.
    pub(in crate::store) async fn exchange_signals(&self, signals: &Signals, process: u64) {
        loop {
            let why = match exchange(&self.direct, signals, process).await {
                Ok(never) => match never {},
                Err(why) => why,
            };
            tracing::debug!(why, "failed to exchange signals with other nodes; connecting again");
            sleep(RETRY_PAUSE).await;
        }
    }
}

/// The success type of functions that return only if they fail.
enum Never {}

async fn exchange(connector: &Connector, signals: &Signals, process: u64) -> Result<Never, String> {
    let session = connector.connect(TIMEOUT).await.map_err(|error| error.failure.to_string())?;
    let mut sender = session.connection;
    let opening = async {
        sqlx::raw_sql(NO_FLUSH).execute(&mut sender).await?;
        // sqlx receives notifications only with `PgListener`, which takes its connection from a pool
        let pool = PgPoolOptions::new().max_connections(1).connect_with(connector.host()).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok::<_, sqlx::Error>(listener)
    };
    let mut listener = within(opening).await?;
    // signals that other nodes sent before this `LISTEN` were possibly not received
    signals.received(Signal { lost: true, ..Signal::default() });
    let ended = tokio::select! {
        ended = send(&mut sender, signals, process) => ended,
        ended = receive(&mut listener, signals, process) => ended,
    };
    let _ = timeout(TIMEOUT, sender.close()).await;
    ended
}

async fn send(sender: &mut PgConnection, signals: &Signals, process: u64) -> Result<Never, String> {
    // signals that this process or an earlier process of this node sent on an earlier connection are possibly lost
    notify(sender, &Payload { process, lost: true, ..Payload::default() }).await?;
    loop {
        let signal = timeout(PING, signals.next_for_nodes()).await.unwrap_or_default();
        let unsent = Unsent { signals, signal };
        for part in Payload::parts(process, &unsent.signal) {
            notify(sender, &part).await?;
        }
        unsent.sent();
        sleep(COLLECT).await;
    }
}

/// A signal that is being sent. If this value is dropped before [`Unsent::sent`] is called, the signal is put back into
/// `signals`, so that it is sent later. This happens after an error, and if the sending is cancelled because the
/// receiving connection failed.
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

async fn notify(sender: &mut PgConnection, sent: &Payload) -> Result<(), String> {
    let text = serde_json::to_string(sent).map_err(|error| error.to_string())?;
    within(sqlx::query(SEND).bind(text).execute(sender)).await.map(drop)
}

async fn receive(listener: &mut PgListener, signals: &Signals, process: u64) -> Result<Never, String> {
    loop {
        let Ok(received) = timeout(SILENCE, listener.try_recv()).await else {
            return Err("received no notification in time".to_owned());
        };
        let Some(notification) = received.map_err(|error| error.to_string())? else {
            return Err("the database server closed the connection".to_owned());
        };
        match serde_json::from_str::<Payload>(notification.payload()) {
            Ok(sent) if sent.process == process => {}
            Ok(sent) => signals.received(sent.signal()),
            // A newer version of Switchboard has sent this notification in another format. What has changed is unknown,
            // so the open browser windows must read everything again.
            Err(_) => signals.received(Signal { lost: true, ..Signal::default() }),
        }
    }
}

async fn within<T>(statement: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, String> {
    match timeout(TIMEOUT, statement).await {
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
        let parts = Payload::parts(u64::MAX, &signal);
        let mut merged = Signal::default();
        for part in parts {
            let text = serde_json::to_string(&part).unwrap();
            assert!(text.len() < 8_000, "{} bytes", text.len());
            merged.merge(serde_json::from_str::<Payload>(&text).unwrap().signal());
        }
        assert_eq!(merged, signal);
    }

    #[test]
    fn the_payload_of_an_empty_signal_has_only_the_number_of_the_process() {
        assert_eq!(Payload::parts(7, &Signal::default()), [Payload { process: 7, ..Payload::default() }]);
        assert_eq!(
            serde_json::to_string(&Payload { process: 7, ..Payload::default() }).unwrap(),
            r#"{"by":7}"#
        );
        let first = serde_json::from_str::<Payload>(r#"{"by":7,"lost":true}"#).unwrap();
        assert!(first.signal().lost, "the field `lost` is read");
    }

    #[tokio::test]
    async fn a_signal_that_was_not_sent_is_put_back() {
        let signals = Signals::default();
        assert!(signals.next_for_nodes().now_or_never().is_none(), "there is no signal yet");
        let signal = Signal { changed: [ConversationId(1)].into(), ..Signal::default() };
        drop(Unsent { signals: &signals, signal: signal.clone() });
        assert_eq!(signals.next_for_nodes().now_or_never(), Some(signal.clone()));
        Unsent { signals: &signals, signal }.sent();
        assert!(signals.next_for_nodes().now_or_never().is_none());
    }
}
