//! What Prometheus reads: one table of every metric, and the endpoint that renders them.
//!
//! Call sites name a metric by its constant here and record it with the macros of the `metrics` crate, which
//! do nothing until [`Metrics::install`] has run. Labels hold operation names, statuses and row names only:
//! never an id, so that the number of series stays bounded.

use std::fmt::Write as _;
use std::sync::Arc;
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
    /// How many of something at once, in buckets.
    Sizes,
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
    HTTP_REQUESTS = Counter "switchboard_http_requests_total" ["api, operation, status"]
        "Requests answered. The api is bot, assistant, admin, or other for what stands in no document, whose operation is other too.";
    HTTP_SECONDS = Histogram "switchboard_http_request_seconds" ["api, operation"]
        "Time from the request's head to the answer's head.";
    HTTP_CONNECTIONS = Gauge "switchboard_http_connections" [""]
        "Open connections.";
    HTTP_CONNECTIONS_FULL = Counter "switchboard_http_connections_full_total" [""]
        "Times a new connection had to wait because `max_connections` were open.";
    HTTP_ACCEPT_ERRORS = Counter "switchboard_http_accept_errors_total" [""]
        "Connections that could not be accepted, for example for lack of file descriptors.";
    RATE_LIMITED = Counter "switchboard_rate_limited_total" ["limit"]
        "Requests refused with 429, by the limit that refused; a send may be refused by several.";
    RATE_LIMIT_KEYS = Gauge "switchboard_rate_limit_keys" [""]
        "Callers whose limits are remembered.";
    RATE_LIMIT_FALLBACKS = Counter "switchboard_rate_limit_fallbacks_total" ["reason"]
        "Exact decisions that a node made by itself, and exchanges of limits with other nodes that failed, because PostgreSQL was slow, failed, or did so just before (resting).";
    STORE_SECONDS = Histogram "switchboard_store_seconds" ["operation, kind"]
        "Time a unit of work in the store took, waiting included; the kind is read, scan or write.";
    STORE_ERRORS = Counter "switchboard_store_errors_total" ["operation, class"]
        "Units of work that failed for a reason other than a refusal: unavailable, unique or bug.";
    STORE_RETRIES = Counter "switchboard_store_retries_total" ["operation"]
        "Units of work run again after a conflict or a lost connection (PostgreSQL).";
    REPLICA_READS = Counter "switchboard_replica_reads_total" ["operation"]
        "Reads that a replica answered (PostgreSQL, with `database.replica_url`).";
    REPLICA_FALLBACKS = Counter "switchboard_replica_fallbacks_total" ["reason"]
        "Reads that a replica may answer and the primary did: the replica is unavailable, behind what the read must see, busy, gave the read up for a conflict with replay, or failed; or the position of the primary's log is not known.";
    REPLICA_WAIT = Histogram "switchboard_replica_wait_seconds" [""]
        "Time that reads took to learn that the replica has replayed what they must see, waiting for it included.";
    REPLICA_UP = Gauge "switchboard_replica_up" [""]
        "1 while reads may go to the replica, else 0.";
    REPLICA_LAG = Gauge "switchboard_replica_lag_bytes" [""]
        "Bytes of the primary's log that the replica had not replayed when it was last looked at, once a second.";
    STORE_BATCH = Sizes "switchboard_store_batch_writes" [""]
        "Writes in one commit (SQLite).";
    STORE_QUEUE = Gauge "switchboard_store_queue" [""]
        "Writes that waited for the next commit when the last one began (SQLite).";
    SQLITE_WAL_BYTES = Gauge "switchboard_sqlite_wal_bytes" [""]
        "Size of the write-ahead log, which stays below about 64 MB unless somebody keeps it from being checkpointed (SQLite).";
    MESSAGES_SENT = Counter "switchboard_messages_sent_total" ["sender, destination"]
        "Messages sent by a bot, a person or the system to a group, channel or dm; without the notices the server writes of itself.";
    IDEMPOTENT_REPLAYS = Counter "switchboard_idempotent_replays_total" ["operation"]
        "Sends answered from an earlier one with the same key.";
    BLOB_SECONDS = Histogram "switchboard_blob_seconds" ["action"]
        "Time to put a file's content or a part of it, to get (open) or to delete one.";
    BLOB_ERRORS = Counter "switchboard_blob_errors_total" ["action"]
        "Contents that could not be put, got or deleted.";
    EVENTS_QUEUED = Counter "switchboard_events_queued_total" [""]
        "Events put on their way: new ones, and those to be delivered again.";
    EVENTS_REDELIVERED = Counter "switchboard_events_redelivered_total" [""]
        "Events that an operator had delivered again.";
    EVENTS_DROPPED = Counter "switchboard_events_dropped_total" ["reason"]
        "Events given up when their turn came, because they must not or cannot be sent any more.";
    EVENTS_PENDING = Gauge "switchboard_events_pending" [""]
        "Events that are due or wait for their next attempt, over all apps; counted every 15 seconds and up to 100,000.";
    EVENT_ATTEMPTS = Counter "switchboard_event_attempts_total" ["outcome"]
        "Attempts to deliver an event, by `delivered` or what went wrong.";
    EVENT_ATTEMPT_SECONDS = Histogram "switchboard_event_attempt_seconds" [""]
        "Time from the beginning of an attempt to the answer's head or the failure.";
    EVENT_RESULTS_LOST = Counter "switchboard_event_results_lost_total" ["part"]
        "Results of attempts that the store refused: the `line` in the log alone, or the `whole` of it, and then the event is not tried again before the next start.";
    EVENT_LANES = Gauge "switchboard_event_lanes" [""]
        "Apps whose events this process is delivering.";
    EVENT_TAKEOVERS = Counter "switchboard_event_takeovers_total" [""]
        "Apps whose events were taken over from a process that had died.";
    AUDIT_WAITING = Gauge "switchboard_audit_waiting" [""]
        "Rows of the audit of tool calls that waited when some were last written.";
    AUDIT_LOST = Counter "switchboard_audit_lost_total" [""]
        "Rows of the audit of tool calls that were lost because the store could not take them in time.";
    JOB_SECONDS = Histogram "switchboard_job_seconds" ["job"]
        "Time that runs of a maintenance job took on this node.";
    JOB_LAST_SUCCESS = Gauge "switchboard_job_last_success_timestamp_seconds" ["job"]
        "When a run of a maintenance job last succeeded on this node, Unix time. Several nodes share the jobs: look at the latest of all.";
    JOB_FAILURES = Counter "switchboard_job_failures_total" ["job, reason"]
        "Runs of a maintenance job that failed, or that took too long and were cut off (timeout).";
    BUILD_INFO = Gauge "switchboard_build_info" ["version"]
        "Always 1; the version is in the label.";
}

/// Upper bounds of the histograms' buckets, in seconds.
const BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Upper bounds of the buckets of sizes.
const SIZES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// How often recorded samples are folded into the buckets when nobody scrapes.
const UPKEEP: Duration = Duration::from_secs(10);

/// The process's recorder. Cheap to clone.
#[derive(Clone)]
pub struct Metrics {
    handle: PrometheusHandle,
    before_scrape: Option<Arc<dyn Fn() + Send + Sync>>,
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

    /// Has gauges set that nobody keeps, right before they are read.
    #[must_use]
    pub fn before_scrape(self, set: impl Fn() + Send + Sync + 'static) -> Self {
        Self { before_scrape: Some(Arc::new(set)), ..self }
    }

    /// The text Prometheus reads.
    #[must_use]
    pub fn render(&self) -> String {
        if let Some(set) = &self.before_scrape {
            set();
        }
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
    let failed = |error: metrics_exporter_prometheus::BuildError| MetricsError(error.to_string());
    let mut builder = PrometheusBuilder::new();
    for Metric { name, kind, .. } in METRICS {
        let buckets: &[f64] = match kind {
            Kind::Counter | Kind::Gauge => continue,
            Kind::Histogram => &BUCKETS,
            Kind::Sizes => &SIZES,
        };
        builder =
            builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), buckets).map_err(failed)?;
    }
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    Ok((recorder, Metrics { handle, before_scrape: None }))
}

fn describe() {
    for Metric { name, kind, help, labels } in METRICS.iter().copied() {
        match kind {
            Kind::Counter => metrics::describe_counter!(name, help),
            Kind::Gauge => metrics::describe_gauge!(name, help),
            Kind::Histogram => metrics::describe_histogram!(name, metrics::Unit::Seconds, help),
            Kind::Sizes => metrics::describe_histogram!(name, metrics::Unit::Count, help),
        }
        // a series that is there from the start shows its first increase
        match kind {
            Kind::Counter if labels.is_empty() => metrics::counter!(name).increment(0),
            Kind::Gauge if labels.is_empty() => metrics::gauge!(name).increment(0.0),
            _ => {}
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
            Kind::Sizes => "histogram",
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
            let labels = [("api", "bot"), ("operation", "listUsers")];
            metrics::counter!(HTTP_REQUESTS, &labels).increment(2);
            metrics::histogram!(HTTP_SECONDS, &labels).record(0.003);
        });
        let request = |method: Method, path: &'static str| {
            Request::builder().method(method).uri(Uri::from_static(path)).finish()
        };
        let response = metrics.get_response(request(Method::GET, "/metrics")).await;
        assert_eq!(response.status(), StatusCode::OK);
        let text = response.into_body().into_string().await.unwrap();
        for line in [
            "# HELP switchboard_http_requests_total Requests answered. ",
            r#"switchboard_http_requests_total{api="bot",operation="listUsers"} 2"#,
            r#"switchboard_http_request_seconds_bucket{api="bot",operation="listUsers",le="0.005"} 1"#,
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
            // a moment is a gauge, a span is a histogram
            let is_span = metric.name.ends_with("_seconds") && !metric.name.ends_with("_timestamp_seconds");
            assert_eq!(metric.kind == Kind::Histogram, is_span, "{}", metric.name);
        }
    }

    #[test]
    fn the_page_in_docs_is_current() {
        crate::platform::committed::assert_committed("docs/metrics.md", &render_docs());
    }
}
