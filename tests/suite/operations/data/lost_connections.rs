//! Commands report a lost connection to the database. While a command waits for a response, the database host
//! disappears, or the network loses the connection silently. If the command did not check its database session, it
//! would wait for ever.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Child, Stdio},
    time::{Duration, Instant},
};

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use switchboard::{
    platform::clock::Clock,
    store::{Engine, transfer::TransferLock},
};

use super::{Deployment, filled, text_of};
use crate::support::{postgres, tcp_proxy::TcpProxy, until};

/// The time within which a command reports a lost connection.
const DETECTED: Duration = Duration::from_secs(75);

/// Returns a proxy in front of a deployment's database, and the URL through the proxy. Returns `None` on SQLite, and if
/// the tests use a PostgreSQL server that they did not start.
async fn proxied(deployment: &Deployment) -> Option<(TcpProxy, String)> {
    let database = deployment.database.as_ref().filter(|_| postgres::is_private())?;
    let proxy = TcpProxy::of_socket(database.server.folder()).await;
    let url = format!("postgres://postgres@{}/{}?connect_timeout=2", proxy.address, database.name());
    Some((proxy, url))
}

/// A running command. It is killed when this value is dropped.
struct Running {
    child: Child,
    /// The file with the command's standard error.
    log: PathBuf,
}

impl Running {
    /// Starts a command of a deployment. The command connects to the database through `url`.
    fn start(deployment: &Deployment, url: &str, args: &[&str]) -> Self {
        let log = deployment.folder.path().join("log");
        let mut command = deployment.command(args);
        command.env("SWITCHBOARD_DATABASE_URL", url);
        command.stdout(Stdio::null()).stderr(File::create(&log).unwrap());
        Self { child: command.spawn().unwrap(), log }
    }

    /// Asserts that the command fails with exit code 1 and a message that contains `why`. The command must fail within
    /// [`DETECTED`] after `lost`, the time at which the connection was lost.
    async fn assert_reports(mut self, lost: Instant, why: &str) {
        until(async || self.child.try_wait().unwrap().is_some()).await;
        let (took, log) = (lost.elapsed(), fs::read_to_string(&self.log).unwrap());
        println!("reported after {took:?}: {log}");
        assert_eq!(self.child.wait().unwrap().code(), Some(1), "{log}");
        assert!(log.contains(why), "{log}");
        assert!(took < DETECTED, "a lost connection is reported within {DETECTED:?}, and not after {took:?}");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until a session in `pg_stat_activity` matches the SQL condition `condition`. PostgreSQL caches
/// `pg_stat_activity` until the end of a transaction, so the connection that queries it has no open transaction.
async fn until_session(deployment: &Deployment, condition: &str) {
    let mut outside = PgConnection::connect(&deployment.url).await.unwrap();
    let count = format!(
        "SELECT COUNT(*) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND {condition}"
    );
    until(async || {
        sqlx::query_scalar::<_, i64>(AssertSqlSafe(count.clone())).fetch_one(&mut outside).await.unwrap() > 0
    })
    .await;
}

/// A condition for [`until_session`]: the session copies a table for a backup, and waits for the lock of the table.
const COPY_WAITS: &str = "query LIKE 'COPY %' AND wait_event_type = 'Lock'";

/// A backup loses its connection while it waits for the rows of a table. If `host_is_lost`, new connections hang as
/// well. If not, new connections work, and the database server completes the statement. Its response is lost, so the
/// database server waits for the next statement, and the backup waits for the response.
async fn backup_reports_a_lost_connection(host_is_lost: bool) {
    let Some(deployment) = Deployment::new(Engine::Postgres).await else { return };
    let Some((proxy, url)) = proxied(&deployment).await else { return };
    let (process, _fixture) = filled(&deployment).await;
    process.kill();
    let mut outside = PgConnection::connect(&deployment.url).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").execute(&mut outside).await.unwrap();
    let folder = deployment.folder.path().join("backup");
    let command = Running::start(&deployment, &url, &["backup", text_of(&folder)]);
    until_session(&deployment, COPY_WAITS).await;
    let lost = Instant::now();
    proxy.hang_new(host_is_lost);
    proxy.discard_open();
    if host_is_lost {
        command.assert_reports(lost, "the server does not respond").await;
        sqlx::raw_sql("ROLLBACK").execute(&mut outside).await.unwrap();
    } else {
        sqlx::raw_sql("ROLLBACK").execute(&mut outside).await.unwrap();
        command.assert_reports(lost, "the server waits for the next statement").await;
    }
    deployment.refused(&["restore", text_of(&folder)], "this backup is incomplete");
}

/// A migration loses its connection while it waits for another process that migrates.
async fn migration_reports_a_lost_connection() {
    let Some(deployment) = Deployment::new(Engine::Postgres).await else { return };
    let Some((proxy, url)) = proxied(&deployment).await else { return };
    let mut outside = PgConnection::connect(&deployment.url).await.unwrap();
    // takes the lock that a process holds while it migrates
    sqlx::raw_sql("SELECT pg_advisory_lock(1937203812, -1)").execute(&mut outside).await.unwrap();
    let command = Running::start(&deployment, &url, &["migrate"]);
    until_session(&deployment, "query LIKE '%pg_try_advisory_lock%'").await;
    let lost = Instant::now();
    proxy.hang_new(true);
    proxy.discard_open();
    command.assert_reports(lost, "the server does not respond").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_report_a_lost_connection() {
    // the three cases run concurrently, because each takes long: it waits for several failed checks
    tokio::join!(
        backup_reports_a_lost_connection(true),
        backup_reports_a_lost_connection(false),
        migration_reports_a_lost_connection()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_command_reports_the_end_of_its_session_at_the_first_check() {
    let Some(deployment) = Deployment::new(Engine::Postgres).await else { return };
    let Some((proxy, url)) = proxied(&deployment).await else { return };
    let (process, _fixture) = filled(&deployment).await;
    process.kill();
    let mut outside = PgConnection::connect(&deployment.url).await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE").execute(&mut outside).await.unwrap();
    let folder = deployment.folder.path().join("backup");
    let command = Running::start(&deployment, &url, &["backup", text_of(&folder)]);
    until_session(&deployment, COPY_WAITS).await;
    let lost = Instant::now();
    // the proxy discards the message with which the database server ends the session, so only a check detects the end
    proxy.discard_open();
    sqlx::raw_sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()",
    )
    .execute(&mut outside)
    .await
    .unwrap();
    command.assert_reports(lost, "the server no longer has the session of this command").await;
    let took = lost.elapsed();
    assert!(took < Duration::from_secs(30), "the first check detects the end of the session: {took:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_loss_of_the_lock_that_keeps_servers_from_starting_is_detected_within_seconds() {
    let Some(deployment) = Deployment::new(Engine::Postgres).await else { return };
    let Some((proxy, url)) = proxied(&deployment).await else { return };
    let mut lock = TransferLock::acquire(&url.parse().unwrap(), &Clock::system()).await.unwrap();
    lock.confirm().await.unwrap();
    proxy.discard_open();
    let lost = Instant::now();
    assert!(lock.confirm().await.is_err(), "the lock is not confirmed on a lost connection");
    let took = lost.elapsed();
    assert!(took < Duration::from_secs(20), "a lost lock is detected within 20 s, and not after {took:?}");
}
