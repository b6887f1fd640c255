//! An installation is disconnected while the server connects to the callback URL to send an event. After the disconnect
//! the app gets no body of an event, except the body of `app.uninstalled`
//! (`docs/decisions/0039-events-after-a-disconnect.md`).

use std::{net::SocketAddr, sync::Arc, time::Duration};

use serde_json::json;
use switchboard::store::Engine;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    sync::{Semaphore, mpsc},
};

use crate::support::{wait::delay, *};

/// A TCP proxy in front of a receiver. It accepts connections at once. It forwards the bytes of a connection, including
/// the TLS handshake, only after the test has added a permit for the connection.
struct SlowListener {
    address: SocketAddr,
    permits: Arc<Semaphore>,
    accepted: mpsc::UnboundedReceiver<()>,
    closed: mpsc::UnboundedReceiver<()>,
}

impl SlowListener {
    async fn before(receiver: &Receiver) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, upstream) = (listener.local_addr().unwrap(), receiver.address);
        let permits = Arc::new(Semaphore::new(0));
        let (report, accepted) = mpsc::unbounded_channel();
        let (end, closed) = mpsc::unbounded_channel();
        let waiting = Arc::clone(&permits);
        tokio::spawn(async move {
            loop {
                let Ok((mut client, _)) = listener.accept().await else { continue };
                let (permits, report, end) = (Arc::clone(&waiting), report.clone(), end.clone());
                tokio::spawn(async move {
                    let _ = report.send(());
                    permits.acquire().await.unwrap().forget();
                    let mut server = TcpStream::connect(upstream).await.unwrap();
                    let _ = copy_bidirectional(&mut client, &mut server).await;
                    let _ = end.send(());
                });
            }
        });
        Self { address, permits, accepted, closed }
    }

    fn url(&self) -> String {
        format!("https://{}/events", self.address)
    }
}

/// Starts a server with an installed app whose callback server is behind a [`SlowListener`].
async fn fixture(engine: Engine) -> Option<(EventsFixture, SlowListener)> {
    let receiver = Receiver::start().await;
    let slow = SlowListener::before(&receiver).await;
    let exempt = vec![slow.address.to_string()];
    let server = Server::with(Options { exempt, ..delivering(engine, &[]) }).await?;
    let company = server.company().await;
    let app = server.app_at(&slow.url()).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    Some((EventsFixture { server, receiver, company, bot }, slow))
}

/// The ways to disconnect an installation.
#[derive(Clone, Copy, Debug)]
enum Disconnect {
    Uninstall,
    DisableApp,
    RevokeToken,
}

async fn disconnects(engine: Engine, how: Disconnect) {
    let Some((fixture, mut slow)) = fixture(engine).await else { return };
    let event = fixture.event().await;
    slow.accepted.recv().await.expect("a connection");
    match how {
        Disconnect::Uninstall => fixture.company.uninstall(&fixture.bot).await,
        Disconnect::DisableApp => fixture.set_app(json!({"disabled": true})).await,
        Disconnect::RevokeToken => {
            let app = &fixture.bot.app;
            let body = json!({"token": fixture.bot.token, "client_id": app.client_id, "client_secret": app.client_secret});
            fixture.server.api().post("/oauth/revoke").json(&body).ok(200).await;
        }
    }
    slow.permits.add_permits(100);
    slow.closed.recv().await.expect("the connection is closed without the body");
    let of = async || fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    until(async || of().await[0]["state"] == "dropped").await;
    let log = of().await;
    assert_eq!(log.len(), 1, "the log has only the drop, because no attempt sent a body: {log:?}");
    assert_eq!(log[0]["error"], "disconnected");
    let reported = async || fixture.server.log_of(&fixture.bot.app, "type=app.uninstalled").await;
    until(async || reported().await.iter().all(|entry| entry["state"] == "delivered")).await;
    let kinds: Vec<_> = fixture.receiver.hits().iter().map(|hit| text(&hit.json(), "/type")).collect();
    assert!(
        kinds.iter().all(|kind| kind == "app.uninstalled"),
        "{how:?}: no event except `app.uninstalled` is sent: {kinds:?}"
    );
    let expected = usize::from(!matches!(how, Disconnect::RevokeToken));
    assert_eq!(
        reported().await.len(),
        expected,
        "{how:?}: `app.uninstalled` is sent, unless the app itself revoked its token (B-445)"
    );
    assert_eq!(kinds.len(), expected, "{how:?}: the app receives each `app.uninstalled` once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_pending_event_is_sent_after_a_disconnect_on_sqlite() {
    for how in [Disconnect::Uninstall, Disconnect::DisableApp, Disconnect::RevokeToken] {
        disconnects(Engine::Sqlite, how).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_pending_event_is_sent_after_a_disconnect_on_postgresql() {
    for how in [Disconnect::Uninstall, Disconnect::DisableApp, Disconnect::RevokeToken] {
        disconnects(Engine::Postgres, how).await;
    }
}

/// Another node handles the request that uninstalls the app.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_pending_event_is_sent_after_a_disconnect_at_another_node() {
    let Some((fixture, mut slow)) = fixture(Engine::Postgres).await else { return };
    let there = fixture.server.another_node().await;
    let event = fixture.event().await;
    slow.accepted.recv().await.expect("a connection");
    let operator = Api { base: there.base.clone(), ..fixture.company.operator.clone() };
    Company { operator, ..fixture.company.clone() }.uninstall(&fixture.bot).await;
    slow.permits.add_permits(100);
    slow.closed.recv().await.expect("the connection is closed without the body");
    let of = async || fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    until(async || of().await[0]["state"] == "dropped").await;
    let hits = fixture.receiver.hits();
    assert!(
        hits.iter().all(|hit| hit.json()["type"] == "app.uninstalled"),
        "no event except `app.uninstalled` is sent: {hits:?}"
    );
}

/// A slow connection gets its event if the installation is still connected. Before the server sends the body, it reads
/// the installation's state a second time, because the state that was read with the event is no longer current.
#[both_engines]
async fn a_slow_connection_gets_its_event(engine: Engine) -> Option<()> {
    let (fixture, mut slow) = fixture(engine).await?;
    fixture.event().await;
    slow.accepted.recv().await.expect("a connection");
    // on PostgreSQL a state that was read counts as current for 120 ms
    delay(Duration::from_millis(150)).await;
    // on both engines, the disconnect of another installation makes the state that was read no longer current
    let other = fixture.company.bot(&fixture.server).await;
    fixture.company.uninstall(&other).await;
    slow.permits.add_permits(100);
    let hit = fixture.receiver.wait_for(1).await.remove(0);
    assert_eq!((hit.attempt(), text(&hit.json(), "/type").as_str()), (1, "directory.changed"));
    assert_eq!(hit.header("content-length"), hit.body.len().to_string(), "the length of a body is declared");
    assert!(hit.headers.iter().all(|(name, _)| name != "transfer-encoding"));
    Some(())
}

/// The attempt times out while the query of the installation's state still runs. The server does not know the state, so
/// it does not send the body.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attempt_that_times_out_before_its_body_is_sent_does_not_count() {
    let Some((fixture, mut slow)) = fixture(Engine::Postgres).await else { return };
    let event = fixture.event().await;
    slow.accepted.recv().await.expect("a connection");
    // on PostgreSQL a state that was read counts as current for 120 ms
    delay(Duration::from_millis(150)).await;
    let mut locker = fixture.server.database.outside().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE installations IN ACCESS EXCLUSIVE MODE")
        .execute(&mut locker)
        .await
        .unwrap();
    slow.permits.add_permits(100);
    let mut outside = fixture.server.database.outside().await;
    let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
        AND wait_event_type = 'Lock' AND query LIKE 'SELECT connected FROM installations %'";
    until(async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut outside).await.unwrap() > 0).await;
    fixture.server.clock.advance(Duration::from_secs(3));
    slow.closed.recv().await.expect("the connection is closed without the body");
    sqlx::raw_sql("ROLLBACK").execute(&mut locker).await.unwrap();
    let hit = fixture.receiver.wait_for(1).await.remove(0);
    assert_eq!(hit.attempt(), 1, "the attempt that sent no body does not count");
    let of = async || fixture.server.log_of(&fixture.bot.app, &format!("event_id={event}")).await;
    until(async || of().await[0]["state"] == "delivered").await;
    assert_eq!(of().await.len(), 1, "an attempt that sent no body is not logged: {:?}", of().await);
}
