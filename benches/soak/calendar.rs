//! Advances the server's test clock in periods. A period takes a minute of real time, or longer while the requests that
//! advance the clock are slow. In each period the clock is advanced three times by up to about 30 minutes, and once by
//! 50 days. So years of the test clock pass in an hour of real time. In runs with a short warm-up, the clock is
//! advanced by more than 50 days (`Options::days_a_period`).

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::json;

use super::{http::new_request, site::Site};

/// The small moves in a period: when the clock is advanced, in seconds since the start of the period, and by how many
/// seconds it is advanced. The moves make retries of events due (1, 5 and 30 minutes after the previous failure).
/// Sessions and access tokens stay valid.
const MOVES: [(u64, u64); 3] = [(10, 65), (20, 305), (30, 1_810)];
/// When the clock is advanced by [`Site::days_a_period`], in seconds since the start of the period. Everything with a
/// lifetime shorter than this advance expires.
const LARGE_MOVE: u64 = 50;
/// The length of a period. If the requests of a period take longer, the next period begins later.
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
            // before its response, the server runs all jobs, and waits up to half a minute for deliveries that are due
            let request = request.json(&json!({"advance_seconds": seconds})).timeout(PERIOD);
            site.http.admin(request).await;
        }
    }
}
