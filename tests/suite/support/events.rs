//! A company, an app that is installed in it, and the receiver to which the app's events are sent.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use switchboard::{
    domain::{
        delivery::{Attempt, LeaseClaim},
        ids::AppId,
        time::Timestamp,
    },
    store::{Engine, Op, Result, Sql, deliveries, event_leases},
};
use tokio::sync::Semaphore;

use super::{
    ALL_SCOPES, Api, App, Bot, Company, Options, ReceivedRequest, Receiver, Server, Treatment, becomes_true,
    text,
};

pub struct EventsFixture {
    pub server: Server,
    pub receiver: Receiver,
    pub company: Company,
    pub bot: Bot,
}

impl EventsFixture {
    /// Creates the fixture with a bot that has every scope. Returns `None` if the engine is not installed on this
    /// machine.
    pub async fn on(engine: Engine) -> Option<Self> {
        Self::with(engine, &ALL_SCOPES).await
    }

    pub async fn sqlite() -> Self {
        Self::on(Engine::Sqlite).await.expect("SQLite is always there")
    }

    pub async fn with(engine: Engine, scopes: &[&str]) -> Option<Self> {
        let receiver = Receiver::start().await;
        let server = Server::with(delivering(engine, &[&receiver])).await?;
        let company = server.company().await;
        let app = server.app_at(&receiver.url()).await;
        let bot = company.install(&app, scopes).await;
        Some(Self { server, receiver, company, bot })
    }

    /// Causes one event (`directory.changed` of the kind `user.created`). Returns the id of the event, which is the
    /// newest in the delivery log.
    pub async fn event(&self) -> String {
        self.company.person().await;
        let log = self.log().await;
        let newest = log.iter().map(|entry| text(entry, "/event_id")).max();
        newest.expect("the event is in the delivery log")
    }

    /// Returns the app's delivery log, newest first.
    pub async fn log(&self) -> Vec<Value> {
        self.server.log_of(&self.bot.app, "").await
    }

    /// Moves the clock by this many seconds, and waits until everything that is due has run, including deliveries.
    pub async fn advance(&self, seconds: u64) {
        self.server.advance(Duration::from_secs(seconds)).await;
    }

    /// Moves the clock by this many seconds without waiting.
    pub fn advance_clock(&self, seconds: u64) {
        self.server.clock.advance(Duration::from_secs(seconds));
    }

    /// Replaces the app's signing secret, and returns the new secret.
    pub async fn rotate(&self) -> String {
        let path = format!("/admin/v1/apps/{}/rotate", self.bot.app.id);
        let done = self.server.operator().post(&path).json(&json!({"secret": "signing"})).ok(200).await;
        text(&done, "/signing_secret")
    }

    pub async fn set_app(&self, members: Value) {
        let path = format!("/admin/v1/apps/{}", self.bot.app.id);
        self.server.operator().patch(&path).json(&members).ok(200).await;
    }
}

/// Returns a semaphore, and a treatment with which a receiver waits before each response until the test adds a permit
/// to the semaphore.
pub fn gate() -> (Arc<Semaphore>, Treatment) {
    let gate = Arc::new(Semaphore::new(0));
    (Arc::clone(&gate), Treatment::Gate(gate))
}

/// Returns the attempt number of each request.
pub fn numbers(hits: &[ReceivedRequest]) -> Vec<u32> {
    hits.iter().map(ReceivedRequest::attempt).collect()
}

/// Returns options of a server that delivers events to these receivers.
pub fn delivering(engine: Engine, receivers: &[&Receiver]) -> Options {
    let exempt = receivers.iter().map(|receiver| receiver.address.to_string()).collect();
    Options { engine, events: true, exempt, ..Options::default() }
}

impl Server {
    /// Registers an app with every scope and this callback URL.
    pub async fn app_at(&self, url: &str) -> App {
        App::register_at(&self.operator(), &ALL_SCOPES, url).await
    }

    /// Returns an app's delivery log with these query parameters, newest first, as the operator.
    pub async fn log_of(&self, app: &App, query: &str) -> Vec<Value> {
        self.operator().log_of(app, query).await
    }
}

impl Api {
    /// Redelivers an event of an app.
    pub async fn redeliver(&self, app: &App, event: &str) {
        self.post(&format!("/admin/v1/apps/{}/events/{event}/redeliver", app.id)).ok(202).await;
    }

    /// Returns an app's delivery log with these query parameters, newest first.
    pub async fn log_of(&self, app: &App, query: &str) -> Vec<Value> {
        let path = format!("/admin/v1/apps/{}/deliveries?limit=1000&{query}", app.id);
        let page = self.get(&path).ok(200).await;
        page["deliveries"].as_array().expect("deliveries").clone()
    }

    /// If no pending event of an app is due, moves the server's clock to the earliest next attempt. If an event is due,
    /// an attempt may be running. The clock is then not moved, because the attempt would time out.
    async fn go_on(&self, app: &App) {
        let pending = self.log_of(app, "state=pending").await;
        let now = self.get("/admin/v1/clock").ok(200).await;
        let time = |of: &Value, member: &str| Timestamp::parse(&text(of, member)).expect("a time");
        let now = time(&now, "/now");
        let next = pending.iter().map(|entry| time(entry, "/next_attempt_at")).min();
        if let Some(next) = next.filter(|next| *next > now) {
            // adds a second, because `as_secs` rounds down
            let seconds = next.since(now).as_secs() + 1;
            self.post("/admin/v1/clock").json(&json!({"advance_seconds": seconds})).ok(200).await;
        }
    }
}

/// Waits until `what` returns true, which must be an effect of deliveries to an app. On a busy machine an attempt can
/// time out, and its retry is due a minute or more later by the server's clock. So this function moves the clock to the
/// next attempt whenever no event is due.
#[track_caller]
pub fn delivered(operator: &Api, app: &App, mut what: impl AsyncFnMut() -> bool) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        let has_arrived = becomes_true(async || {
            if what().await {
                return true;
            }
            operator.go_on(app).await;
            false
        });
        assert!(
            has_arrived.await,
            "{caller}: the delivery has its effect in time: {:#?}",
            operator.log_of(app, "").await
        );
    }
}

/// Stores the result of an attempt.
pub struct Record {
    pub app: AppId,
    pub attempt: Attempt,
}

impl Op for Record {
    const NAME: &'static str = "test_record";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        Ok(deliveries::record(c, self.app, std::slice::from_ref(&self.attempt), false).await? == 1)
    }
}

/// Claims the lease of an app for `micros` microseconds. Only the process with the lease delivers the app's events.
pub struct Lease {
    pub app: AppId,
    pub holder: i64,
    pub micros: i64,
}

impl Op for Lease {
    const NAME: &'static str = "test_lease";
    type Out = LeaseClaim;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<LeaseClaim> {
        event_leases::claim(c, self.app, self.holder, self.micros).await
    }
}
