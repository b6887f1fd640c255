//! Maintenance jobs delete many rows in one run and do not delay each other. On PostgreSQL most jobs run on only one
//! node at a time.

use std::time::Duration;

use metrics_exporter_prometheus::PrometheusBuilder;
use switchboard::{
    config::BaseUrl,
    domain::{
        ids::{FileId, WorkspaceId},
        time::Timestamp,
    },
    platform::secrets::Secret,
    service::{files::uploads::ABANDONED_AFTER, maintenance::Job},
    store::{DatabaseUrl, Engine, Op, ReadOp, ReadSql, Result, Sql, args, files, statements},
};
use tokio::net::TcpListener;

use crate::support::*;

statements! {
    FILL: Command =
        sqlite "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                workspace_id)
            WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < $1)
            SELECT n % 100 + 1, CAST(printf('%016d', n * 7919 % 10000019) AS BLOB), x'00', 1, 1, $2, 1 FROM numbers"
        postgres "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                workspace_id)
            SELECT n % 100 + 1, convert_to(to_char(n * 7919 % 10000019, 'FM0000000000000000'), 'UTF8'), '\\x00', 1, 1, $2, 1
            FROM generate_series(1, $1) AS n";
    RENEW: Command = "UPDATE send_keys SET created_at = $1 WHERE bot_id % 2 = 0";
    COUNT: Query = "SELECT COUNT(*) FROM send_keys";
    UNFINISHED: Query = "SELECT (SELECT COUNT(*) FROM connections WHERE revoked_at IS NULL)
        + (SELECT COUNT(*) FROM assistant_clients WHERE client_id = $1)";
}

/// Returns the number of connections that are not revoked, plus the number of clients with this id.
struct CountUnfinished(String);

impl ReadOp for CountUnfinished {
    const NAME: &'static str = "test_count_unfinished";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&UNFINISHED, args![&self.0]).await
    }
}

struct Fill(i64, i64);

impl Op for Fill {
    const NAME: &'static str = "test_fill";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&FILL, args![self.0, self.1]).await.map(drop)
    }
}

struct Renew(i64);

impl Op for Renew {
    const NAME: &'static str = "test_renew";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&RENEW, args![self.0]).await
    }
}

struct Count;

impl ReadOp for Count {
    const NAME: &'static str = "test_count";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![]).await
    }
}

#[both_engines]
async fn a_failing_step_of_a_job_does_not_stop_the_later_steps(server: Server) {
    let (employee, unused) = (server.employee().await, server.client().await);
    // a session, an authorization request and a connection, which expire
    let client = server.client().await;
    employee.connect(&server, &client).await;
    server.begin_for(&client, &[]).await.request();
    for table in ["sessions", "authorization_requests"] {
        let refuse = match server.running().world().db.engine() {
            Engine::Sqlite => format!(
                "CREATE TRIGGER refuse_{table} BEFORE DELETE ON {table} BEGIN SELECT RAISE(ABORT, 'refused'); END"
            ),
            Engine::Postgres => format!(
                "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql
                    AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
                CREATE TRIGGER refuse BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION refuse()"
            ),
        };
        server.database.execute(&refuse).await;
    }
    server.clock.advance(Duration::from_secs(60 * 86_400));
    let world = server.running().world();
    // The server also runs these two jobs in the background. On PostgreSQL a run of them skips rows that another run
    // has locked. So it can happen that only the run in the background fails, and the test runs the job again.
    for job in [Job::Sessions, Job::Connections] {
        until(async || world.run_job(job, world.clock.now()).await.is_err()).await;
    }
    // waits until the connection is revoked and the unused client is deleted
    until(async || world.db.read(CountUnfinished(unused.id.clone())).await.unwrap() == 0).await;
}

/// Advances the clock by this many minutes, and runs the maintenance jobs after each minute. Returns the number of
/// remaining idempotency keys.
async fn left_after(server: &Server, minutes: u32) -> i64 {
    for _ in 0..minutes {
        server.advance(Duration::from_secs(60)).await;
    }
    server.running().world().db.read(Count).await.unwrap()
}

#[both_engines]
async fn the_expired_idempotency_keys_of_a_busy_minute_are_deleted_within_three_minutes(server: Server) {
    // 200 installations send this many messages in a minute if they use their whole rate limit
    const KEYS: i64 = 60_000;
    let db = &server.running().world().db;
    db.write(Fill(KEYS, server.clock.now().0)).await.unwrap();
    server.advance(WITHIN_A_DAY).await;
    assert_eq!(db.read(Count).await.unwrap(), KEYS, "an idempotency key is kept for a day (B-421)");
    // The job scans the table in parts, and its scan is now in the middle of the table. The scan first runs to the end
    // of the table and then starts again.
    assert_eq!(left_after(&server, 3).await, 0, "all expired keys are deleted within three minutes");
}

#[both_engines]
async fn unexpired_keys_between_expired_ones_are_kept(server: Server) {
    let db = &server.running().world().db;
    db.write(Fill(12_000, server.clock.now().0)).await.unwrap();
    // half of the keys get a later time of creation, as if they had expired and had been used again before the job ran
    let end = server.clock.now() + PAST_A_DAY;
    assert_eq!(db.write(Renew(end.0)).await.unwrap(), 6_000);
    server.clock.advance(PAST_A_DAY);
    assert_eq!(left_after(&server, 5).await, 6_000);
}

macro_rules! old_rows {
    ($($name:ident $table:literal ($columns:literal) $values:literal;)+) => {
        mod old_rows {
            use switchboard::store::statements;

            statements! {
                $($name: Command =
                    sqlite concat!("INSERT INTO ", $table, " (", $columns, ")
                        WITH RECURSIVE numbers (n, b) AS (SELECT 1, CAST('1' AS BLOB) UNION ALL
                            SELECT n + 1, CAST(n + 1 AS BLOB) FROM numbers WHERE n < $1)
                        SELECT ", $values, " FROM numbers WHERE n <= $1 AND $2 > 0")
                    postgres concat!("INSERT INTO ", $table, " (", $columns, ")
                        SELECT ", $values, " FROM (SELECT n, convert_to(CAST(n AS TEXT), 'UTF8') AS b
                            FROM generate_series(1, $1) AS n) AS numbers WHERE $2 > 0");)+
                pub COUNT: Query = concat!("SELECT 0" $(, " + (SELECT COUNT(*) FROM ", $table, ")")+);
            }

            pub static FILLS: &[&switchboard::store::Command] = &[$(&$name),+];
        }
    };
}

// rows of the tables that are purged by age; the times of all rows are before $2
old_rows! {
    CHANGES "message_changes" ("workspace_id, conversation_id, number, message_id, is_deleted") "1, 1, $2 - n, n, 0";
    PRESSES "button_presses" ("workspace_id, user_id, nonce_hash, fingerprint, created_at") "1, 1, b, b, $2 - n";
    SESSIONS "sessions" ("token_hash, account_id, created_at, expires_at") "b, 1, $2 - n, $2 - n";
    INSTALL_CODES "install_codes" ("code_hash, app_id, workspace_id, scopes, expires_at") "b, 1, 1, 1, $2 - n";
    CLIENTS "assistant_clients" ("id, client_id, is_registered, redirect_uris, is_public, created_at, expires_at")
        "n, CAST(n AS TEXT), n % 2, '[]', 1, $2 - n, $2 - n";
    REQUESTS "authorization_requests" ("request_hash, browser, client_id, client_kind, display_name, unverified,
            redirect_uri, redirect_kind, redirect_host, redirect_key, block_key, resource, scopes, challenge, expires_at")
        "b, b, 'a', 0, 'a', 0, 'a', 0, 'a', 'a', 'a', 0, 1, 'a', $2 - n";
    CODES "authorization_codes" ("code_hash, client_id, client_kind, display_name, redirect_uri, redirect_key, block_key,
            workspace_id, user_id, resource, scopes, challenge, expires_at")
        "b, 'a', 0, 'a', 'a', 'a', 'a', 1, 1, 0, 1, 'a', $2 - n";
    DRAFTS "drafts" ("id, workspace_id, owner_id, text, created_at, updated_at, sent_at") "n, 1, 1, 'a', 1, 1, $2 - n";
    DRAFT_KEYS "draft_keys" ("workspace_id, owner_id, key_hash, fingerprint, draft_id, created_at") "1, 1, b, b, n, $2 - n";
}

struct FillOld(&'static switchboard::store::Command, i64);

impl Op for FillOld {
    const NAME: &'static str = "test_fill_old";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(self.0, args![OLD, self.1]).await
    }
}

struct CountOld;

impl ReadOp for CountOld {
    const NAME: &'static str = "test_count_old";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&old_rows::COUNT, args![]).await
    }
}

/// Number of old rows in each table. A single statement of the jobs deletes fewer rows.
const OLD: i64 = 3_000;

#[both_engines]
async fn a_run_deletes_more_rows_than_one_statement_does(server: Server) {
    let db = &server.running().world().db;
    let kept = db.read(CountOld).await.unwrap();
    let old = server.clock.now() - Duration::from_secs(30 * 24 * 60 * 60);
    for fill in old_rows::FILLS {
        assert_eq!(db.write(FillOld(fill, old.0)).await.unwrap(), OLD as u64);
    }
    server.advance(Duration::from_secs(60)).await;
    assert_eq!(db.read(CountOld).await.unwrap(), kept, "every old row is deleted in one run of the jobs");
}

/// Begins an upload that is never completed, as if the process had died during the upload.
struct BeginUpload(FileId, Timestamp);

impl Op for BeginUpload {
    const NAME: &'static str = "test_begin_upload";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::begin_upload(c, WorkspaceId(1), self.0, self.1).await
    }
}

/// Returns a server whose object store accepts connections and never responds, and the listener of the object store.
async fn over_a_hanging_object_store(engine: Engine) -> Option<(Server, TcpListener)> {
    let bucket = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", bucket.local_addr().unwrap());
    let configure = std::sync::Arc::new(move |config: &mut switchboard::config::Config| {
        config.files.s3.bucket = Some("files".to_owned());
        config.files.s3.endpoint = Some(BaseUrl::parse(&endpoint).unwrap());
        config.files.s3.access_key_id = Some(Secret::new("id"));
        config.files.s3.secret_access_key = Some(Secret::new("secret"));
        config.files.s3.allow_http = true;
    });
    let server = Server::with(Options { engine, configure: Some(configure), ..Options::default() }).await?;
    Some((server, bucket))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hanging_object_store_delays_no_other_job() {
    let (server, bucket) = over_a_hanging_object_store(Engine::Sqlite).await.unwrap();
    let db = &server.running().world().db;
    db.write(BeginUpload(FileId(1), server.clock.now())).await.unwrap();
    db.write(Fill(1_000, server.clock.now().0)).await.unwrap();
    // advancing the clock runs every job of the process
    server.clock.advance(ABANDONED_AFTER.max(PAST_A_DAY));
    let held = bucket.accept().await.unwrap();
    until(async || {
        server.clock.advance(Duration::from_secs(60));
        db.read(Count).await.unwrap() == 0
    })
    .await;
    drop(held);
}

/// A run of [`Job::Connections`] makes one read to find the connections that are older than their company allows,
/// however many companies there are. If the read finds none, the job does not execute the write that revokes such
/// connections (`end_outlived_connections`).
async fn idle_companies_cost_one_read(engine: Engine) {
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    // the recorder applies to this thread, on which the whole server runs
    let _recording = metrics::set_default_local_recorder(&recorder);
    let Some(server) = Server::with(Options { engine, ..Options::default() }).await else { return };
    server.company().await;
    let companies = "INSERT INTO workspaces (id, name, ai_assistants, max_session_hours, created_at)
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
        SELECT i, 'Company', 1, 24, 0 FROM n";
    server.database.execute(companies).await;
    let world = server.running().world();
    let count = |wanted: &str| -> u64 {
        let text = metrics.render();
        let lines = text.lines().filter(|line| line.starts_with("switchboard_store_seconds_count"));
        let lines = lines.filter(|line| line.contains(wanted));
        lines.filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok()).sum()
    };
    let writes = count("kind=\"write\"");
    let found = count("find_outlived_connections");
    for _ in 0..3 {
        world.run_job(Job::Connections, world.clock.now()).await.unwrap();
    }
    assert_eq!(count("find_outlived_connections") - found, 3, "a run finds such connections with one read");
    assert_eq!(count("end_outlived_connections"), 0);
    // Each run also executes four writes. Three delete expired requests, codes and refresh overlaps. The fourth revokes
    // expired connections.
    let writes = count("kind=\"write\"") - writes;
    assert!(writes <= 12, "three runs execute at most 12 writes, not {writes}");
}

#[tokio::test]
async fn idle_companies_cost_one_read_on_sqlite() {
    idle_companies_cost_one_read(Engine::Sqlite).await;
}

#[tokio::test]
async fn idle_companies_cost_one_read_on_postgres() {
    idle_companies_cost_one_read(Engine::Postgres).await;
}

/// On PostgreSQL only one node at a time runs a job. After a completed run, another node cannot run the job before the
/// next run is due. The exceptions are the jobs that [every node runs](Job::runs_on_every_node).
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_node_at_a_time_runs_a_job() {
    let Some(server) = Server::postgres().await else { return };
    let DatabaseUrl::Postgres(_) = &server.database.url else { panic!("the server uses PostgreSQL") };
    let world = server.running().world();
    // the numbers of two nodes
    let (here, there) = (1, 2);
    assert!(world.claim_job(Job::Keys, here).await.unwrap());
    assert!(!world.claim_job(Job::Keys, there).await.unwrap(), "a running job cannot be claimed");
    assert!(world.claim_job(Job::Drafts, there).await.unwrap(), "another job has its own lease");
    assert!(world.claim_job(Job::Limits, here).await.unwrap());
    assert!(world.claim_job(Job::Limits, there).await.unwrap(), "each node claims a node-local job");
    world.release_job(Job::Keys, here).await.unwrap();
    assert!(!world.claim_job(Job::Keys, there).await.unwrap(), "the next run is not due for another node");
    // makes the next run due, as when the interval has passed
    server.database.execute("UPDATE job_leases SET next_at = 0 WHERE job = 'keys'").await;
    assert!(world.claim_job(Job::Keys, there).await.unwrap());
    // The node `there` dies while it runs the job. Other nodes cannot run the job before the lease has expired by the
    // database's clock.
    server.database.execute("UPDATE job_leases SET next_at = 0 WHERE job = 'keys'").await;
    assert!(!world.claim_job(Job::Keys, here).await.unwrap());
    server.database.execute("UPDATE job_leases SET until = 1 WHERE job = 'keys'").await;
    assert!(world.claim_job(Job::Keys, here).await.unwrap());
    // `there` was not dead and releases its expired lease, which has no effect on the lease of `here`
    world.release_job(Job::Keys, there).await.unwrap();
    server.database.execute("UPDATE job_leases SET next_at = 0 WHERE job = 'keys'").await;
    assert!(!world.claim_job(Job::Keys, there).await.unwrap());
}

/// A node shuts down while it runs a job. Another node can then run the job immediately.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lease_of_an_interrupted_job_is_released() {
    let Some((server, bucket)) = over_a_hanging_object_store(Engine::Postgres).await else { return };
    let db = &server.running().world().db;
    db.write(BeginUpload(FileId(1), server.clock.now())).await.unwrap();
    server.clock.advance(ABANDONED_AFTER);
    let held = bucket.accept().await.unwrap();
    let another = server.another_node_at_start().await;
    let world = another.running().world();
    assert!(!world.claim_job(Job::Uploads, 1).await.unwrap(), "a running job cannot be claimed");
    server.stop().await;
    assert!(world.claim_job(Job::Uploads, 1).await.unwrap(), "an interrupted job can be claimed again");
    drop(held);
}

/// The cause of a failed run may be the node. So another node may run the job before the next run is due.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_failed_can_be_run_by_another_node() {
    let Some(server) = Server::postgres().await else { return };
    let world = server.running().world();
    let leases = "SELECT COUNT(*) FROM job_leases WHERE job = 'sessions' AND until = 0 AND next_at = 0";
    let mut watching = server.database.outside().await;
    server.database.execute("ALTER TABLE sessions RENAME TO away").await;
    until(async || {
        let released: i64 = sqlx::query_scalar(leases).fetch_one(&mut watching).await.unwrap();
        // runs every job of the process
        server.clock.advance(Duration::from_secs(60));
        released == 1
    })
    .await;
    let another = 1;
    until(async || world.claim_job(Job::Sessions, another).await.unwrap()).await;
}

/// Two runs of a job are concurrent, as when a sandbox's clock is moved during a run in the background. A run of
/// [`Job::Deliveries`] or [`Job::EndedConnections`] does not skip rows that the other run is deleting. The run waits
/// for the other run. If the other run is rolled back, the waiting run deletes the rows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_runs_leave_no_expired_rows() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let (person, _bot) = (company.person().await, company.bot(&server).await);
    company.update_user(&person, serde_json::json!({"title": "Engineer"})).await;
    let linked = server.connected_assistant().await;
    linked.client.revoke(&linked.tokens.access).await;
    for (job, table, old) in [
        (Job::Deliveries, "events", "UPDATE events SET state = 1, next_at = 1"),
        (
            Job::EndedConnections,
            "connections",
            "UPDATE connections SET has_tokens = 0, revoked_at = 1; DELETE FROM connection_tokens",
        ),
    ] {
        server.database.execute(old).await;
        let (mut other, mut watching) = (server.database.outside().await, server.database.outside().await);
        let rows = |what: &str| sqlx::AssertSqlSafe(format!("SELECT {what} FROM {table}"));
        let count = async |on: &mut sqlx::PgConnection| -> i64 {
            sqlx::query_scalar(rows("COUNT(*)")).fetch_one(on).await.unwrap()
        };
        assert!(count(&mut watching).await > 0, "{table}");
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("BEGIN; SELECT 1 FROM {table} FOR UPDATE")))
            .execute(&mut other)
            .await
            .unwrap();
        let world = std::sync::Arc::clone(server.running().world());
        let now = server.clock.now();
        let mut running = tokio::spawn(async move { world.run_job(job, now).await });
        let waits = until(async || {
            let waiting = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock')";
            sqlx::query_scalar(waiting).fetch_one(&mut watching).await.unwrap()
        });
        tokio::select! {
            () = waits => {}
            _ = &mut running => panic!("{table}: the run skipped rows that another run had locked"),
        }
        sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
        running.await.unwrap().unwrap();
        assert_eq!(count(&mut watching).await, 0, "{table}");
    }
}
