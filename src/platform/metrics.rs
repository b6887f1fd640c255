//! Prometheus metrics: the table of all metrics, and the endpoint that serves them.
//!
//! Call sites use the constants of this module with the macros of the `metrics` crate. Before [`Metrics::install`] has
//! run, these macros do nothing. Label values come from small fixed sets, such as operation names, statuses and limit
//! names. They are never ids, so the number of series is bounded.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};
use poem::http::{Method, StatusCode, header};
use poem::{Endpoint, Request, Response};
use thiserror::Error;

use crate::platform::clock::Clock;
use crate::platform::shutdown::Stop;

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricType {
    /// Only increases.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Durations in seconds, in buckets.
    Histogram,
    /// Sizes or counts, in buckets.
    Sizes,
}

/// A row of [`METRICS`].
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// The name in Prometheus.
    pub name: &'static str,
    /// Its type.
    pub kind: MetricType,
    /// Its labels, comma-separated.
    pub labels: &'static str,
    /// The help text for operators.
    pub help: &'static str,
}

macro_rules! metrics_table {
    ($( $constant:ident = $kind:ident $name:literal [$labels:literal] $help:literal; )*) => {
        $( #[doc = $help] pub const $constant: &str = $name; )*
        /// All metrics.
        pub const METRICS: &[Metric] =
            &[$( Metric { name: $name, kind: MetricType::$kind, labels: $labels, help: $help } ),*];
    };
}

metrics_table! {
    HTTP_REQUESTS = Counter "switchboard_http_requests_total" ["api, operation, status"]
        "HTTP requests. `api` is bot, assistant or admin. For requests that are not operations of an API, both `api` and `operation` are other.";
    HTTP_SECONDS = Histogram "switchboard_http_request_seconds" ["api, operation"]
        "Time from the request head to the response head.";
    HTTP_CONNECTIONS = Gauge "switchboard_http_connections" [""]
        "Open connections.";
    HTTP_CONNECTIONS_FULL = Counter "switchboard_http_connections_full_total" [""]
        "Number of times that the listener stopped accepting connections because `max_connections` connections were open.";
    HTTP_CONNECTIONS_REFUSED = Counter "switchboard_http_connections_refused_total" [""]
        "Connections rejected because `max_connections_per_address` connections from the same address were open.";
    HTTP_CONNECTIONS_STALLED = Counter "switchboard_http_connections_stalled_total" [""]
        "Connections closed because the client read nothing of a response for 30 seconds.";
    HTTP_ACCEPT_ERRORS = Counter "switchboard_http_accept_errors_total" [""]
        "Failures to accept a connection, for example for lack of file descriptors.";
    RATE_LIMITED = Counter "switchboard_rate_limited_total" ["limit"]
        "Rejections with status 429, by `limit`, the name of the rate limit. A send that several limits reject counts once for each of them.";
    RATE_LIMIT_KEYS = Gauge "switchboard_rate_limit_keys" [""]
        "Keys of rate limits in memory. A key is a caller, an address or another subject whose requests a limit counts.";
    RATE_LIMIT_FALLBACKS = Counter "switchboard_rate_limit_fallbacks_total" ["reason"]
        "Checks of exact limits (docs/limits.md) that this node decided alone, and failed exchanges of counts with other nodes, by `reason`: PostgreSQL timed out (slow), returned an error (failed), or was not queried, because a query had timed out or failed within the last second (resting).";
    PASSWORDS_REFUSED = Counter "switchboard_password_checks_refused_total" [""]
        "Passwords that were neither verified nor hashed, because too many requests were waiting; the response is 503.";
    STORE_SECONDS = Histogram "switchboard_store_seconds" ["operation, kind"]
        "Duration of store operations, including waiting. `kind` is read, scan (a long read), write, or hold (a read whose locks are kept until the response is sent).";
    STORE_ERRORS = Counter "switchboard_store_errors_total" ["operation, class"]
        "Failed store operations by `class`: unavailable, unique (a unique constraint was violated) or bug. Rejections by business rules are not counted.";
    STORE_RETRIES = Counter "switchboard_store_retries_total" ["operation"]
        "Store operations retried after a conflict or a lost connection (PostgreSQL).";
    REPLICA_READS = Counter "switchboard_replica_reads_total" ["operation"]
        "Reads that a replica answered (PostgreSQL, with `database.replica_url`).";
    REPLICA_FALLBACKS = Counter "switchboard_replica_fallbacks_total" ["reason"]
        "Reads that the primary answered although a replica was allowed to answer them, by `reason`: the replica was `unavailable`, `behind` or `busy`; the read failed on the replica because of a replication `conflict` or an outdated plan of a prepared statement, or `failed` there for another reason; or the primary's log position was unknown (`position`), or too old for the check of a membership (`late`).";
    REPLICA_WAIT = Histogram "switchboard_replica_wait_seconds" [""]
        "Time that reads waited until the replica had replayed the writes that they must see.";
    REPLICA_UP = Gauge "switchboard_replica_up" [""]
        "1 while reads may use the replica, otherwise 0.";
    REPLICA_LAG = Gauge "switchboard_replica_lag_bytes" [""]
        "Replication lag of the replica in bytes of the primary's log, measured every second.";
    STORE_BATCH = Sizes "switchboard_store_batch_writes" [""]
        "Writes per commit (SQLite).";
    STORE_QUEUE = Gauge "switchboard_store_queue" [""]
        "Writes in the queue when the last commit began (SQLite).";
    SQLITE_WAL_BYTES = Gauge "switchboard_sqlite_wal_bytes" [""]
        "Size of the write-ahead log, which stays below about 64 MB unless another process prevents checkpoints (SQLite).";
    MESSAGES_SENT = Counter "switchboard_messages_sent_total" ["sender, destination"]
        "Messages sent, by `sender` (bot, person, or system for system messages posted with the admin API) and `destination` (group, channel or dm). Notices that the server creates itself are not counted.";
    IDEMPOTENT_REPLAYS = Counter "switchboard_idempotent_replays_total" ["operation"]
        "Sends that returned the original response of an earlier request with the same idempotency key.";
    BLOB_SECONDS = Histogram "switchboard_blob_seconds" ["action"]
        "Duration of operations on the storage of file contents, by `action`: put (store a file's content or a part of the content), get (open a file's content) or delete.";
    BLOB_ERRORS = Counter "switchboard_blob_errors_total" ["action"]
        "Failed operations on the storage of file contents, by `action`. A failure to read a content after it was opened counts as a failed get.";
    UPLOADS_OPEN = Gauge "switchboard_uploads_open" [""]
        "Uploads in progress in this process.";
    UPLOADS_REFUSED = Counter "switchboard_uploads_refused_total" ["bound"]
        "Rejected uploads, by `bound`: too many uploads were in progress for the person (person, 429) or in the process (process, 503), or the stored files reached a quota (quota, 409).";
    FILE_BYTES = Counter "switchboard_file_bytes_stored_total" [""]
        "Bytes of all files stored since the start of the process; deletions do not reduce it.";
    EVENTS_QUEUED = Counter "switchboard_events_queued_total" [""]
        "Events queued for delivery: new events and redeliveries.";
    EVENTS_REDELIVERED = Counter "switchboard_events_redelivered_total" [""]
        "Events redelivered by an operator.";
    EVENTS_DROPPED = Counter "switchboard_events_dropped_total" ["reason"]
        "Dropped events, which are no longer sent, by `reason`: the installation was `disconnected`, the app has `no_callback_url`, or the event waited too long for its next attempt (`expired`).";
    EVENTS_PENDING = Gauge "switchboard_events_pending" [""]
        "Events that are due or awaiting a retry, over all apps; counted every 15 seconds, up to 100,000.";
    EVENT_ATTEMPTS = Counter "switchboard_event_attempts_total" ["outcome"]
        "Delivery attempts, by `outcome`: `delivered`, or the name of the error.";
    EVENT_ATTEMPT_SECONDS = Histogram "switchboard_event_attempt_seconds" [""]
        "Time from the start of a delivery attempt to the response head or the failure.";
    EVENT_RESULTS_LOST = Counter "switchboard_event_results_lost_total" ["part"]
        "Results of delivery attempts that the store rejected, by `part`: only the log entry (`line`), or the whole result (`whole`). If the whole result is lost, the event is skipped until the process restarts.";
    EVENT_WORKERS = Gauge "switchboard_event_workers" [""]
        "Workers of event delivery in this process: one for each app whose events the process is delivering.";
    EVENT_TAKEOVERS = Counter "switchboard_event_takeovers_total" [""]
        "Apps whose delivery lease was taken over after the previous holder let it expire.";
    AUDIT_WAITING = Gauge "switchboard_audit_waiting" [""]
        "Tool calls that were still queued for the audit after the last write to it.";
    AUDIT_LOST = Counter "switchboard_audit_lost_total" [""]
        "Tool calls that are missing in the audit, because the store did not accept their rows in time.";
    JOB_SECONDS = Histogram "switchboard_job_seconds" ["job"]
        "Duration of maintenance job runs on this node.";
    JOB_LAST_SUCCESS = Gauge "switchboard_job_last_success_timestamp_seconds" ["job"]
        "Unix time of the last successful run of a maintenance job on this node. Nodes share the jobs, so evaluate the maximum over all nodes.";
    JOB_FAILURES = Counter "switchboard_job_failures_total" ["job, reason"]
        "Maintenance job runs that did not succeed, by `reason`: the run failed (failed), or was cancelled because it took too long (timeout).";
    BUILD_INFO = Gauge "switchboard_build_info" ["version"]
        "Always 1; the version is in the label.";
}

/// Upper bounds of the duration buckets, in seconds.
const BUCKETS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
/// Upper bounds of the size buckets.
const SIZES: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];
/// How often recorded samples are aggregated into the buckets.
const MAINTENANCE: Duration = Duration::from_secs(10);

/// A handle to the metrics recorder of the process. Cheap to clone.
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
    /// Starts recording for the process.
    ///
    /// # Errors
    /// [`MetricsError`] if a recorder was already installed.
    pub fn install() -> Result<Self, MetricsError> {
        let (recorder, metrics) = build()?;
        metrics::set_global_recorder(recorder).map_err(|error| MetricsError(error.to_string()))?;
        describe();
        Ok(metrics)
    }

    /// Registers a function that sets gauges right before each scrape. Replaces a function that was registered earlier.
    #[must_use]
    pub fn before_scrape(self, set: impl Fn() + Send + Sync + 'static) -> Self {
        Self { before_scrape: Some(Arc::new(set)), ..self }
    }

    /// Returns the current values in the Prometheus text format.
    #[must_use]
    pub fn render(&self) -> String {
        if let Some(set) = &self.before_scrape {
            set();
        }
        self.handle.render()
    }

    /// Aggregates samples into the buckets until shutdown, so that memory stays constant even if nobody scrapes the
    /// metrics. The caller has to spawn this function as a task.
    pub async fn keep_up(self, clock: Clock, stop: Stop) {
        loop {
            tokio::select! {
                () = clock.pause(MAINTENANCE) => self.handle.run_upkeep(),
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
            MetricType::Counter | MetricType::Gauge => continue,
            MetricType::Histogram => &BUCKETS,
            MetricType::Sizes => &SIZES,
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
            MetricType::Counter => metrics::describe_counter!(name, help),
            MetricType::Gauge => metrics::describe_gauge!(name, help),
            MetricType::Histogram => metrics::describe_histogram!(name, metrics::Unit::Seconds, help),
            MetricType::Sizes => metrics::describe_histogram!(name, metrics::Unit::Count, help),
        }
        // registered with the value 0 at start, so that Prometheus sees the first increment as an increase
        match kind {
            MetricType::Counter if labels.is_empty() => metrics::counter!(name).increment(0),
            MetricType::Gauge if labels.is_empty() => metrics::gauge!(name).increment(0.0),
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

/// Renders the page `docs/metrics.md`.
#[must_use]
pub fn render_docs() -> String {
    let mut page = String::from(
        "# Metrics\n\nServed as Prometheus text at `GET /metrics` on the address of `metrics.listen`.\n\
         This page is generated from the code; do not edit it.\n\n| Name | Kind | Labels | Meaning |\n|-|-|-|-|\n",
    );
    for Metric { name, kind, labels, help } in METRICS {
        let kind = match kind {
            MetricType::Counter => "counter",
            MetricType::Gauge => "gauge",
            MetricType::Histogram => "histogram, seconds",
            MetricType::Sizes => "histogram",
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
            "# HELP switchboard_http_requests_total HTTP requests. ",
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
    fn names_are_unique_and_have_the_suffix_of_their_type() {
        let mut names: Vec<&str> = METRICS.iter().map(|metric| metric.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), METRICS.len());
        for metric in METRICS {
            assert_eq!(
                metric.kind == MetricType::Counter,
                metric.name.ends_with("_total"),
                "{}",
                metric.name
            );
            // a metric `…_timestamp_seconds` is a gauge with a point in time; every other metric `…_seconds` is a
            // histogram of durations
            let is_duration =
                metric.name.ends_with("_seconds") && !metric.name.ends_with("_timestamp_seconds");
            assert_eq!(metric.kind == MetricType::Histogram, is_duration, "{}", metric.name);
        }
    }

    #[test]
    fn the_page_in_docs_is_current() {
        crate::committed::assert_committed("docs/metrics.md", &render_docs());
    }
}
