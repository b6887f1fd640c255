//! The state that the actors of one engine share.

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
    /// Days by which the clock is advanced in each period.
    pub days_a_period: u64,
    /// The factor by which every actor's rate is multiplied: 1 at 150 requests per second, the default.
    rate_factor: f64,
}

impl Site {
    /// Creates the company through the admin API.
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

    /// Returns the random number generator of one actor.
    pub fn rng(&self, kind: u64, number: usize) -> StdRng {
        StdRng::seed_from_u64(self.seed ^ (kind << 32) ^ number as u64)
    }

    /// Returns a client with an address of its own.
    pub fn client(&self, kind: u8, number: usize) -> Http {
        self.http.behind_proxy(format!("10.{kind}.{}.{}", number / 250, number % 250 + 1))
    }

    /// Waits until an actor's next action is due. The current action began at `begun`. On average an actor does
    /// `per_second` × `rate_factor` actions per second, or fewer if the actions take longer.
    pub async fn pace(&self, rng: &mut StdRng, begun: Instant, per_second: f64) {
        let whole = Duration::from_secs_f64(rng.random_range(0.5..1.5) / (per_second * self.rate_factor));
        tokio::time::sleep(whole.saturating_sub(begun.elapsed())).await;
    }

    /// Waits for a time, or until the run ends if that is earlier.
    pub async fn rest(&self, span: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < span && !self.is_stopping() {
            let left = span.saturating_sub(begun.elapsed());
            tokio::time::sleep(left.min(Duration::from_millis(500))).await;
        }
    }

    /// Sends a request with the operator key on behalf of the admin.
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
