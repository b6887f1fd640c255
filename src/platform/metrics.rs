//! What Prometheus reads: one table of every metric, and the endpoint that renders them.
//!
//! Call sites name a metric by its constant here and record it with the macros of the `metrics` crate, which
//! do nothing until [`Metrics::install`] has run. Labels hold operation names, statuses and row names only:
//! never an id, so that the number of series stays bounded.

use std::fmt::Write as _;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use poem::http::{Method, StatusCode, header};
use poem::{Endpoint, Request, Response};
use thiserror::Error;

use crate::platform::clock::Clock;
use crate::platform::shutdown::Stop;

/// What a metric does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only grows.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Seconds, in buckets.
    Histogram,
}

/// One row of [`METRICS`].
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name Prometheus sees.
    pub name: &'static str,
    /// What it does.
    pub kind: Kind,
    /// Its labels, with commas between.
    pub labels: &'static str,
    /// What it tells an operator.
    pub help: &'static str,
}

macro_rules! metrics_table {
    ($( $constant:ident = $kind:ident $name:literal [$labels:literal] $help:literal; )*) => {
        $( #[doc = $help] pub const $constant: &str = $name; )*
        /// Every metric there is.
        pub const METRICS: &[Metric] =
            &[$( Metric { name: $name, kind: Kind::$kind, labels: $labels, help: $help } ),*];
    };
}

metrics_table! {
    HTTP_REQUESTS = Counter "switchboard_http_requests_total" ["operation, status"]
        "Requests answered.";
    HTTP_SECONDS = Histogram "switchboard_http_request_seconds" ["operation"]
        "Time from the request's head to the answer's head.";
    HTTP_CONNECTIONS = Gauge "switchboard_http_connections" [""]
        "Open connections.";
    HTTP_CONNECTIONS_FULL = Counter "switchboard_http_connections_full_total" [""]
        "Times a new connection had to wait because `max_connections` were open.";
    HTTP_ACCEPT_ERRORS = Counter "switchboard_http_accept_errors_total" [""]
        "Connections that could not be accepted, for example for lack of file descriptors.";
    RATE_LIMITED = Counter "switchboard_rate_limited_total" ["limit"]
        "Requests refused with 429.";
    RATE_LIMIT_KEYS = Gauge "switchboard_rate_limit_keys" [""]
        "Callers whose limits are remembered.";
    STORE_SECONDS = Histogram "switchboard_store_seconds" ["operation"]
        "Time a unit of work in the store took, waiting included.";
    STORE_ERRORS = Counter "switchboard_store_errors_total" ["operation"]
        "Units of work that failed for a reason other than a refusal.";
    STORE_RETRIES = Counter "switchboard_store_retries_total" ["operation"]
        "Units of work run again after a conflict or a lost connection.";
    MESSAGES_SENT = Counter "switchboard_messages_sent_total" ["kind"]
        "Messages created.";
    IDEMPOTENT_REPLAYS = Counter "switchboard_idempotent_replays_total" ["operation"]
        "Requests answered from an earlier one with the same idempotency key.";
    BLOB_SECONDS = Histogram "switchboard_blob_seconds" ["action"]
        "Time to store, open or delete a file's content.";
    BLOB_ERRORS = Counter "switchboard_blob_errors_total" ["action"]
        "File contents that could not be stored, opened or deleted.";
    EVENTS_QUEUED = Counter "switchboard_events_queued_total" [""]
        "Events put on their way: new ones, and those to be delivered again.";
    EVENTS_REDELIVERED = Counter "switchboard_events_redelivered_total" [""]
        "Events that an operator had delivered again.";
    EVENTS_DROPPED = Counter "switchboard_events_dropped_total" ["reason"]
        "Events given up because they must not or cannot be sent any more.";
    EVENT_ATTEMPTS = Counter "switchboard_event_attempts_total" ["outcome"]
        "Attempts to deliver an event, by `delivered` or what went wrong.";
    EVENT_ATTEMPT_SECONDS = Histogram "switchboard_event_attempt_seconds" [""]
        "Time from the beginning of an attempt to the answer's head or the failure.";
    EVENT_LANES = Gauge "switchboard_event_lanes" [""]
        "Apps whose events this process is delivering.";
    EVENT_TAKEOVERS = Counter "switchboard_event_takeovers_total" [""]
        "Apps whose events were taken over from a process that had died.";
    BUILD_INFO = Gauge "switchboard_build_info" ["version"]
        "Always 1; the version is in the label.";
}

/// Upper bounds of the histograms' buckets, in seconds.
const BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// How often recorded samples are folded into the buckets when nobody scrapes.
const UPKEEP: Duration = Duration::from_secs(10);

/// The process's recorder. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
}

/// Why metrics could not be set up.
#[derive(Debug, Error)]
#[error("metrics cannot be set up: {0}")]
pub struct MetricsError(String);

impl Metrics {
    /// Starts recording for the whole process; called once by the command line.
    ///
    /// # Errors
    /// If a recorder was already installed.
    pub fn install() -> Result<Self, MetricsError> {
        let (recorder, metrics) = build()?;
        metrics::set_global_recorder(recorder).map_err(|error| MetricsError(error.to_string()))?;
        describe();
        Ok(metrics)
    }

    /// The text Prometheus reads.
    #[must_use]
    pub fn render(&self) -> String {
        self.handle.render()
    }

    /// Folds samples into the buckets until the process ends, so that memory stays flat without a scraper.
    /// Spawn it.
    pub async fn keep_up(self, clock: Clock, stop: Stop) {
        loop {
            tokio::select! {
                () = clock.pause(UPKEEP) => self.handle.run_upkeep(),
                () = stop.draining() => return,
            }
        }
    }
}

fn build() -> Result<(PrometheusRecorder, Metrics), MetricsError> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &BUCKETS)
        .map_err(|error| MetricsError(error.to_string()))?;
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    Ok((recorder, Metrics { handle }))
}

fn describe() {
    for Metric { name, kind, help, .. } in METRICS.iter().copied() {
        match kind {
            Kind::Counter => metrics::describe_counter!(name, help),
            Kind::Gauge => metrics::describe_gauge!(name, help),
            Kind::Histogram => metrics::describe_histogram!(name, metrics::Unit::Seconds, help),
        }
    }
    metrics::gauge!(BUILD_INFO, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
}

/// Serves `GET /metrics` on the metrics listener.
impl Endpoint for Metrics {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        if request.uri().path() != "/metrics" {
            return Err(StatusCode::NOT_FOUND.into());
        }
        if request.method() != Method::GET && request.method() != Method::HEAD {
            return Ok(Response::builder()
                .status(StatusCode::METHOD_NOT_ALLOWED)
                .header(header::ALLOW, "GET, HEAD")
                .finish());
        }
        Ok(Response::builder().content_type("text/plain; version=0.0.4; charset=utf-8").body(self.render()))
    }
}

/// The page `docs/metrics.md`.
#[must_use]
pub fn render_docs() -> String {
    let mut page = String::from(
        "# Metrics\n\nServed as Prometheus text at `GET /metrics` on the address of `metrics.listen`.\n\
         This page is generated from the code; do not edit it.\n\n| Name | Kind | Labels | Meaning |\n|-|-|-|-|\n",
    );
    for Metric { name, kind, labels, help } in METRICS {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
            Kind::Histogram => "histogram, seconds",
        };
        // writing to a String cannot fail
        let _ = writeln!(page, "| `{name}` | {kind} | {labels} | {help} |");
    }
    page
}

#[cfg(test)]
mod tests {
    use poem::http::Uri;

    use super::*;

    #[tokio::test]
    async fn recorded_metrics_are_served_with_their_help() {
        let (recorder, metrics) = build().unwrap();
        metrics::with_local_recorder(&recorder, || {
            describe();
            metrics::counter!(HTTP_REQUESTS, "operation" => "list_users", "status" => "200").increment(2);
            metrics::histogram!(HTTP_SECONDS, "operation" => "list_users").record(0.003);
        });
        let request = |method: Method, path: &'static str| {
            Request::builder().method(method).uri(Uri::from_static(path)).finish()
        };
        let response = metrics.get_response(request(Method::GET, "/metrics")).await;
        assert_eq!(response.status(), StatusCode::OK);
        let text = response.into_body().into_string().await.unwrap();
        for line in [
            "# HELP switchboard_http_requests_total Requests answered.",
            r#"switchboard_http_requests_total{operation="list_users",status="200"} 2"#,
            r#"switchboard_http_request_seconds_bucket{operation="list_users",le="0.005"} 1"#,
            "switchboard_build_info{version=",
        ] {
            assert!(text.contains(line), "{line} is missing in\n{text}");
        }
        assert_eq!(metrics.get_response(request(Method::GET, "/")).await.status(), StatusCode::NOT_FOUND);
        let posted = metrics.get_response(request(Method::POST, "/metrics")).await;
        assert_eq!(posted.status(), StatusCode::METHOD_NOT_ALLOWED);
    }

    #[test]
    fn names_are_unique_and_follow_their_kind() {
        let mut names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METRICS.len());
        for metric in METRICS {
            assert_eq!(metric.kind == Kind::Counter, metric.name.ends_with("_total"), "{}", metric.name);
            assert_eq!(metric.kind == Kind::Histogram, metric.name.ends_with("_seconds"), "{}", metric.name);
        }
    }

    #[test]
    fn the_page_in_docs_is_current() {
        crate::platform::committed::assert_committed("docs/metrics.md", &render_docs());
    }
}
