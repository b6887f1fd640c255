//! The runs of a test with `#[both_engines]`: one for each database engine.

use switchboard::store::Engine;

use super::{EventsFixture, Options, Server, database::TestDatabase};

/// A type that a test with `#[both_engines]` can have as its parameter.
pub trait Fixture: Sized {
    /// Creates the fixture; `None` if the engine is not available.
    async fn on(engine: Engine) -> Option<Self>;
}

/// A sandbox server.
impl Fixture for Server {
    async fn on(engine: Engine) -> Option<Self> {
        Self::with(Options { engine, ..Options::default() }).await
    }
}

/// A sandbox server with the rate limits of the contract. A [`Server`] has limits that are a thousand times as high.
pub struct LimitedServer(pub Server);

impl Fixture for LimitedServer {
    async fn on(engine: Engine) -> Option<Self> {
        Server::with(Options { engine, limits: true, ..Options::default() }).await.map(Self)
    }
}

/// A database with all migrations and without a server.
impl Fixture for TestDatabase {
    async fn on(engine: Engine) -> Option<Self> {
        Self::new(engine).await
    }
}

/// A sandbox server with a company, a bot and a receiver of the bot's events.
impl Fixture for EventsFixture {
    async fn on(engine: Engine) -> Option<Self> {
        EventsFixture::on(engine).await
    }
}

/// The engine alone, for tests that start servers themselves. Such a test returns `None` if the engine is not
/// available.
impl Fixture for Engine {
    async fn on(engine: Engine) -> Option<Self> {
        Some(engine)
    }
}

/// The return value of a test.
pub trait Outcome {
    /// Returns whether the engine was available to the test.
    fn has_run(self) -> bool;
}

impl Outcome for () {
    fn has_run(self) -> bool {
        true
    }
}

impl Outcome for Option<()> {
    fn has_run(self) -> bool {
        self.is_some()
    }
}

/// Runs a test on SQLite, which every machine has.
pub async fn sqlite<F: Fixture, O: Outcome>(test: impl AsyncFnOnce(F) -> O) {
    assert!(run(Engine::Sqlite, test).await, "SQLite is available everywhere");
}

/// Runs a test on PostgreSQL if a PostgreSQL server is available (see [`super::postgres`]).
pub async fn postgres<F: Fixture, O: Outcome>(test: impl AsyncFnOnce(F) -> O) {
    run(Engine::Postgres, test).await;
}

/// Runs a test on an engine, and returns whether the engine was available.
async fn run<F: Fixture, O: Outcome>(engine: Engine, test: impl AsyncFnOnce(F) -> O) -> bool {
    match F::on(engine).await {
        Some(fixture) => test(fixture).await.has_run(),
        None => false,
    }
}
