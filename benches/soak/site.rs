//! The state that the actors of one engine share. An engine is a server under test, on SQLite or on PostgreSQL. An
//! actor is a task that sends requests to the server, for example as a bot or as an admin.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use reqwest::Method;
use serde_json::Value;

use super::{
    company::Company,
    engine::Engine,
    http::{Http, Reply, new_request},
    options::Options,
    receiver::Receiver,
    stats::Stats,
};

pub struct Site {
    pub engine: &'static str,
    pub address: SocketAddr,
    pub http: Http,
    pub stats: Arc<Stats>,
    pub receiver: Receiver,
    pub company: Company,
    /// Set when actors must not start new work.
    pub stopping: AtomicBool,
    seed: u64,
    /// Days by which the server's test clock is advanced once in each period ([`calendar`](super::calendar)). The other
    /// advances in a period are shorter.
    pub days_a_period: u64,
    /// The factor by which the rate of every actor is multiplied. It is 1 for the default of `--rate`, 150 requests per
    /// second.
    rate_factor: f64,
}

impl Site {
    /// Creates the company through the admin API, and returns the state.
    pub async fn create(engine: &Engine, options: &Options) -> Arc<Self> {
        let stats = Arc::new(Stats::default());
        let http = Http::new(engine.address, Arc::clone(&stats), engine.operator_key.clone());
        let company = Company::create(&http, &engine.receiver).await;
        Arc::new(Self {
            engine: engine.name,
            address: engine.address,
            http,
            stats,
            receiver: engine.receiver.clone(),
            company,
            stopping: AtomicBool::new(false),
            seed: options.seed,
            days_a_period: options.days_a_period(),
            rate_factor: options.rate / 150.0,
        })
    }

    pub fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }

    /// Returns a random number generator. Its seed is derived from the seed of the run, `kind` and `number`.
    pub fn rng(&self, kind: u64, number: usize) -> StdRng {
        StdRng::seed_from_u64(self.seed ^ (kind << 32) ^ number as u64)
    }

    /// Returns an HTTP client that sends an IP address of its own in `X-Forwarded-For`. So it shares no rate limit per
    /// address with other clients.
    pub fn client(&self, kind: u8, number: usize) -> Http {
        self.http.behind_proxy(format!("10.{kind}.{}.{}", number / 250, number % 250 + 1))
    }

    /// Waits until an actor's next action is due. The current action began at `begun`. On average an actor does
    /// `per_second` × `rate_factor` actions per second, or fewer if the actions take longer.
    pub async fn pace(&self, rng: &mut StdRng, begun: Instant, per_second: f64) {
        let whole = Duration::from_secs_f64(rng.random_range(0.5..1.5) / (per_second * self.rate_factor));
        tokio::time::sleep(whole.saturating_sub(begun.elapsed())).await;
    }

    /// Waits for `span`, or until the actors must stop if that is earlier.
    pub async fn rest(&self, span: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < span && !self.is_stopping() {
            let left = span.saturating_sub(begun.elapsed());
            tokio::time::sleep(left.min(Duration::from_millis(500))).await;
        }
    }

    /// Sends a request with the operator key on behalf of the company's admin.
    pub async fn change(
        &self,
        operation: &'static str,
        method: Method,
        path: &str,
        body: Option<&Value>,
    ) -> Reply {
        let request =
            new_request(operation, method, path).header("x-acting-user", self.company.admin.clone());
        let request = match body {
            Some(body) => request.json(body),
            None => request,
        };
        self.http.admin(request).await
    }
}
