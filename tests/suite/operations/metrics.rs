//! The metrics of a server. `every_documented_metric_is_recorded_and_no_other` compares the scraped metrics with the
//! documented metrics (`METRICS`), except the metrics of the other engine and those that need a replica. It also checks
//! labels and values. The remaining tests check the values of single metrics.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use sqlx::Connection;
use switchboard::{
    domain::token::{self, TokenKind},
    platform::metrics::{METRICS, Metric},
    store::Engine,
};

use crate::support::{assistant::PASSWORD, browser::Browser, database::TestDatabase, *};

type Labels = BTreeMap<String, String>;

/// The scraped metrics: for each name its series, each with labels and value.
struct Scraped(BTreeMap<String, Vec<(Labels, f64)>>);

impl Scraped {
    async fn from(process: &Process) -> Self {
        let address = process.metrics.as_ref().expect("metrics are served");
        let text = reqwest::get(address).await.unwrap().text().await.unwrap();
        let mut series: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (name, value) = line.rsplit_once(' ').expect("a value");
            let (name, labels) = name.split_once('{').unwrap_or((name, "}"));
            // no label value contains a comma or a quote
            let labels =
                labels.trim_end_matches('}').split(',').filter(|label| !label.is_empty()).map(|label| {
                    let (name, value) = label.split_once('=').expect("a label");
                    (name.to_owned(), value.trim_matches('"').to_owned())
                });
            series.entry(name.to_owned()).or_default().push((labels.collect(), value.parse().unwrap()));
        }
        Self(series)
    }

    /// Returns the sum of the values of those series of a metric that have these labels.
    fn value(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        let series = self.0.get(name).map_or(&[][..], Vec::as_slice);
        let has = |found: &BTreeMap<_, _>| labels.iter().all(|(n, v)| found.get(*n).is_some_and(|f| f == v));
        series.iter().filter(|(found, _)| has(found)).map(|(_, value)| value).sum()
    }

    /// Returns the names of the metrics. The parts of a histogram count as one metric.
    fn names(&self) -> BTreeSet<&str> {
        let base = |name: &str| METRICS.iter().find(|metric| parts(metric).iter().any(|part| part == name));
        self.0.keys().map(|name| base(name).map_or(name.as_str(), |metric| metric.name)).collect()
    }
}

/// Returns the names under which a metric is scraped.
fn parts(metric: &Metric) -> Vec<String> {
    use switchboard::platform::metrics::MetricType::{Counter, Gauge, Histogram, Sizes};
    match metric.kind {
        Counter | Gauge => vec![metric.name.to_owned()],
        Histogram | Sizes => {
            ["_bucket", "_count", "_sum"].map(|part| format!("{}{part}", metric.name)).into()
        }
    }
}

/// Sends the requests that [`assert_values`] expects in the metrics. Some requests fail, because the function replaces
/// the folder of the files by a file, and later drops a table.
async fn drive(process: &Process, key: &str, folder: &std::path::Path, database: &TestDatabase) {
    let operator = process.api(key);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let person = company.person().await;
    let group = company.group(&[&bot.user_id, &person]).await;

    let body = to_conversation(&group, "hello");
    for n in 0..5 {
        bot.sending(&format!("k{n}"), &body).ok(201).await;
    }
    bot.sending("k0", &body).ok(201).await;
    bot.sending("over", &body).refused(429, "rate_limited").await;
    bot.sending("direct", &to_user(&person, "hello")).ok(201).await;
    for _ in 0..2 {
        company.post_with(&group, &person, json!({"client_key": "p"})).await;
    }
    company
        .operator
        .post(&format!("/admin/v1/conversations/{group}/messages"))
        .json(&json!({"type": "system", "text": "a notice"}))
        .ok(201)
        .await;
    for _ in 0..20 {
        bot.api.get("/v1/users").ok(200).await;
    }
    bot.api.get("/v1/users").refused(429, "rate_limited").await;
    bot.api.get("/v1/nowhere").refused(404, "not_found").await;

    company.file(&person, "a.txt", "text/plain", b"a").await;
    let files = folder.join("files");
    std::fs::remove_dir_all(&files).unwrap();
    std::fs::write(&files, "no folder").unwrap();
    let upload = operator.post(&company.path("/files?name=a")).header("content-type", "text/plain").body("a");
    upload.refused(503, "server_error").await;

    let drop = "DROP TABLE client_blocks";
    match database.url {
        switchboard::store::DatabaseUrl::Sqlite(ref path) => {
            rusqlite::Connection::open(path).unwrap().execute_batch(drop).unwrap();
        }
        switchboard::store::DatabaseUrl::Postgres(_) => {
            let mut connection = sqlx::PgConnection::connect(database.text()).await.unwrap();
            sqlx::raw_sql(drop).execute(&mut connection).await.unwrap();
            // the server loses its connections, so it must retry its next operation
            let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()";
            sqlx::raw_sql(end).execute(&mut connection).await.unwrap();
            operator.get(&format!("/admin/v1/users/{person}")).ok(200).await;
        }
    }
    operator.get(&company.path("/client_blocks")).refused(500, "internal_error").await;
}

fn assert_values(scraped: &Scraped, engine: Engine) {
    let is = |name: &str, labels: &[(&str, &str)], expected: f64| {
        let name = format!("switchboard_{name}");
        assert!(
            scraped.value(&name, labels) == expected,
            "{name} {labels:?}: {}",
            scraped.value(&name, labels)
        );
    };
    let is_positive = |name: &str, labels: &[(&str, &str)]| {
        let name = format!("switchboard_{name}");
        assert!(scraped.value(&name, labels) >= 1.0, "{name} {labels:?}");
    };
    is("http_requests_total", &[("operation", "listUsers"), ("status", "200")], 20.0);
    is("http_requests_total", &[("operation", "listUsers"), ("status", "429")], 1.0);
    is("http_requests_total", &[("operation", "listClientBlocks"), ("status", "500")], 1.0);
    is("http_requests_total", &[("operation", "uploadFile"), ("status", "503")], 1.0);
    is("http_requests_total", &[("api", "other"), ("operation", "other"), ("status", "404")], 1.0);
    is("http_request_seconds_count", &[("operation", "listUsers")], 21.0);
    is("http_request_seconds_bucket", &[("operation", "listUsers"), ("le", "+Inf")], 21.0);
    is_positive("http_connections", &[]);
    is("http_connections_full_total", &[], 0.0);
    is("http_accept_errors_total", &[], 0.0);
    is("rate_limited_total", &[("limit", "list")], 1.0);
    is("rate_limited_total", &[("limit", "send_destination")], 1.0);
    is("rate_limited_total", &[], 2.0);
    // A key is one subject of one limit. Here are seven keys: one for the operator's requests, one for the exchange of
    // the install code, and five for the bot. The bot's keys are those of its lists, of its requests to send (with any
    // result), of all its stored messages, and of its stored messages to each of two destinations.
    is("rate_limit_keys", &[], 7.0);
    is("messages_sent_total", &[("sender", "bot"), ("destination", "group")], 5.0);
    is("messages_sent_total", &[("sender", "bot"), ("destination", "dm")], 1.0);
    is("messages_sent_total", &[("sender", "person"), ("destination", "group")], 1.0);
    is("messages_sent_total", &[("sender", "system"), ("destination", "group")], 1.0);
    is("messages_sent_total", &[], 8.0);
    is("idempotent_replays_total", &[("operation", "send_message")], 1.0);
    is("idempotent_replays_total", &[("operation", "post_message")], 1.0);
    is_positive("store_seconds_count", &[("operation", "begin"), ("kind", "write")]);
    // on PostgreSQL every send is first tried in the operation for batches of sends, even if no other send is in
    // progress
    let sends = if engine == Engine::Postgres { "send_messages" } else { "send_message" };
    is("store_seconds_count", &[("operation", sends), ("kind", "write")], 7.0);
    // the read `find_replay` runs only for the repeated key; a new key is looked up in the transaction of the send
    is("store_seconds_count", &[("operation", "find_replay"), ("kind", "read")], 1.0);
    is("store_errors_total", &[("operation", "list_client_blocks"), ("class", "bug")], 1.0);
    is("store_errors_total", &[], 1.0);
    is("blob_seconds_count", &[("action", "put")], 2.0);
    is("blob_errors_total", &[("action", "put")], 1.0);
    is("build_info", &[("version", env!("CARGO_PKG_VERSION"))], 1.0);
    is("store_queue", &[], 0.0);
    match engine {
        Engine::Sqlite => {
            is_positive("store_batch_writes_count", &[]);
            is("store_retries_total", &[], 0.0);
        }
        Engine::Postgres => is_positive("store_retries_total", &[]),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn similar_operations_of_two_apis_are_counted_separately() {
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")]);
    let operator = process.api(&key);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let bot = process.api(&bot.token);
    let person = company.person().await;
    // both APIs return a person and a list of conversations, under different operation ids
    for _ in 0..3 {
        bot.get(&format!("/v1/users/{person}")).ok(200).await;
        bot.get("/v1/conversations").ok(200).await;
    }
    operator.get(&format!("/admin/v1/users/{person}")).ok(200).await;
    operator.get(&company.path("/conversations")).ok(200).await;
    let scraped = Scraped::from(&process).await;
    for (api, operation, count) in [
        ("bot", "getUser", 3.0),
        ("bot", "listConversations", 3.0),
        ("admin", "adminGetUser", 1.0),
        ("admin", "adminListConversations", 1.0),
    ] {
        let labels = [("api", api), ("operation", operation)];
        assert_eq!(scraped.value("switchboard_http_requests_total", &labels), count, "{labels:?}");
        assert_eq!(scraped.value("switchboard_http_request_seconds_count", &labels), count, "{labels:?}");
    }
}

/// A form of the web client redirects with 303. A download of a range has status 206 or 416. A request for an unchanged
/// OpenAPI document has status 304.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_statuses_206_303_304_and_416_are_counted_by_their_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")]);
    let operator = process.api(&key);
    let company = Company::create(operator.clone()).await;
    let person = company.person_with(json!({"email": "counted@example.com", "password": PASSWORD})).await;
    let group = company.group(&[&person]).await;
    let file = company.file(&person, "a.txt", "text/plain", b"abc").await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let mut browser = Browser::at(&process.base);
    browser.sign_in("counted@example.com", PASSWORD, "/").await.to();
    let page = browser.get(&format!("/c/{group}")).await;
    browser.submit_on(&page, &format!("/c/{group}/messages"), &[("text", "hello")]).await.see_other();
    let path_of = |address: &str| address[address.find("/files/").expect("a link to a file")..].to_owned();
    let link = path_of(browser.get(&format!("/c/{group}/files/{file}")).await.to());
    for (range, status) in [("bytes=0-1", 206), ("bytes=3-", 416)] {
        let answer = operator.anonymous().get(&link).header("range", range).send().await;
        assert_eq!(answer.status, status, "{range}");
    }
    let document = operator.anonymous().get("/openapi/bot.json").send().await;
    let tag = document.header("etag").expect("an ETag").to_owned();
    let unchanged = operator.anonymous().get("/openapi/bot.json").header("if-none-match", tag).send().await;
    assert_eq!(unchanged.status, 304);
    let scraped = Scraped::from(&process).await;
    for status in ["206", "303", "304", "416"] {
        let labels = [("status", status)];
        assert_eq!(scraped.value("switchboard_http_requests_total", &labels), 1.0, "{status}");
    }
    assert_eq!(scraped.value("switchboard_http_requests_total", &[("status", "other")]), 0.0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_storage_failure_during_a_download_is_counted_and_logged() {
    let (bucket, folder) = (Bucket::start().await, tempfile::tempdir().unwrap());
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let mut settings = vec![("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")];
    settings.extend(bucket.variables());
    let process = Process::spawn(folder.path(), &key, &settings).keeping_log().listening();
    let operator = process.api(&key);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let bot_api = process.api(&bot.token);
    let person = company.person().await;
    let group = company.group(&[&bot.user_id, &person]).await;
    // the server reads a bucket in parts of one MiB
    let file = company.file(&person, "a.bin", "application/octet-stream", &vec![1; 3 << 20]).await;
    company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
    let record = bot_api.get(&format!("/v1/conversations/{group}/files/{file}")).ok(200).await;
    let link = text(&record, "/file/url");
    let path = &link[link.find("/files/").expect("a link to a file")..];

    bucket.break_after_first_part();
    let download = reqwest::get(format!("{}{path}", process.base)).await.unwrap();
    assert_eq!(download.status(), 200, "the first part is read before the response begins");
    assert!(download.bytes().await.is_err(), "the client sees that the content is incomplete");
    let errors = process.metric("switchboard_blob_errors_total", r#"action="get""#).await;
    assert_eq!(errors, 1.0, "the failure is counted once");
    let log = process.terminated_log();
    let lines: Vec<_> = log.lines().filter(|line| line.contains("its download is incomplete")).collect();
    assert!(
        matches!(lines[..], [line] if line.contains(&file)),
        "the failure is logged once, with the file: {log}"
    );
}

#[both_engines]
async fn events_that_a_disconnect_drops_are_counted(engine: Engine) -> Option<()> {
    let database = TestDatabase::new(engine).await?;
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings =
        [("SWITCHBOARD_DATABASE_URL", database.text()), ("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")];
    let process = Process::start(folder.path(), &key, &settings);
    let operator = process.api(&key);
    let company = Company::create(operator.clone()).await;
    // the host of the app's callback URL does not exist, so events stay pending
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    company.person().await;
    let dropped = async || process.metric("switchboard_events_dropped_total", "disconnected").await;
    assert_eq!(dropped().await, 0.0, "{engine:?}");
    company.uninstall(&bot).await;
    assert_eq!(dropped().await, 1.0, "{engine:?}: the event of the new person is dropped");
    Some(())
}

#[both_engines]
async fn every_documented_metric_is_recorded_and_no_other(engine: Engine) -> Option<()> {
    let database = TestDatabase::new(engine).await?;
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let settings =
        [("SWITCHBOARD_DATABASE_URL", database.text()), ("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")];
    let process = Process::start(folder.path(), &key, &settings);
    drive(&process, &key, folder.path(), &database).await;
    let scraped = Scraped::from(&process).await;

    // each engine has metrics that the other engine does not have
    let of_the_other: &[&str] = match engine {
        Engine::Sqlite => &["switchboard_store_retries_total", "switchboard_rate_limit_fallbacks_total"],
        Engine::Postgres => &["switchboard_store_batch_writes"],
    };
    // these metrics exist only if a replica is configured; `switchboard_replica_up` and `switchboard_replica_lag_bytes`
    // always exist
    let of_replicas = |name: &str| name.starts_with("switchboard_replica_") && !name.ends_with("_up");
    let of_replicas = |name: &str| of_replicas(name) && !name.ends_with("_lag_bytes");
    let documented = METRICS.iter().map(|metric| metric.name);
    let documented = documented.filter(|name| !of_the_other.contains(name) && !of_replicas(name));
    assert_eq!(scraped.names(), documented.collect(), "{engine:?}");
    for metric in METRICS {
        let documented: BTreeSet<&str> = metric.labels.split(", ").filter(|name| !name.is_empty()).collect();
        for part in parts(metric) {
            for (labels, value) in scraped.0.get(&part).into_iter().flatten() {
                let found: BTreeSet<&str> =
                    labels.keys().map(String::as_str).filter(|name| *name != "le").collect();
                assert_eq!(found, documented, "{part}");
                assert!(value.is_finite() && *value >= 0.0, "{part} {labels:?}: {value}");
            }
        }
    }
    assert_values(&scraped, engine);
    Some(())
}
