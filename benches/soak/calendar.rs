//! Advances the server's test clock in periods of a minute of real time, or longer while moves are slow. In each period
//! it advances the clock three times by up to about 30 minutes, and once by 50 days. So an hour spans years. In runs
//! with a short warm-up it advances the clock by more days (`Options::days_a_period`).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::json;

use super::{http::new_request, site::Site};

/// Small moves within a period: the second of the period at which the clock is advanced, and by how many seconds. They
/// make retries of events due (1, 5 and 30 minutes after the previous failure) while sessions and access tokens stay
/// valid.
const MOVES: [(u64, u64); 3] = [(10, 65), (20, 305), (30, 1_810)];
/// The second of the period at which the clock is advanced by days, so that everything with a shorter lifetime expires.
const LARGE_MOVE: u64 = 50;
/// The period in which the moves repeat, unless they take longer.
pub const PERIOD: Duration = Duration::from_secs(60);

pub async fn run(site: Arc<Site>) {
    let begun = Instant::now();
    for period in 0_u32.. {
        let large = (LARGE_MOVE, site.days_a_period * 86_400);
        for (at, seconds) in MOVES.into_iter().chain([large]) {
            let due = PERIOD * period + Duration::from_secs(at);
            site.rest(due.saturating_sub(begun.elapsed())).await;
            if site.is_stopping() {
                return;
            }
            let request = new_request("admin: move the clock", Method::POST, "/admin/v1/clock");
            // the request returns when everything that became due has run, or after half a minute
            let request = request.json(&json!({"advance_seconds": seconds})).timeout(PERIOD);
            site.http.admin(request).await;
        }
    }
}
