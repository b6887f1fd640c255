//! A database server that is read-only for a while, like the old primary after a failover.

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::support::{Home, postgres, until};

use super::Site;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn read_only_sessions_are_closed() {
    let Some(database) = postgres::database().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(Home::on(folder.path(), database.url.clone())).await;
    let traffic = site.traffic(4);
    traffic.acknowledges(20).await;
    let mut outside = PgConnection::connect(&database.url).await.unwrap();
    let mut set_read_only = async |only_reads: bool| {
        let sql = format!(
            "DO $$ BEGIN EXECUTE format(
                 'ALTER DATABASE %I SET default_transaction_read_only = {only_reads}', current_database()); END $$"
        );
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut outside).await.unwrap();
    };
    // the setting applies only to sessions that begin after it was changed
    set_read_only(true).await;
    let end_sessions = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let mut other = PgConnection::connect(&database.url).await.unwrap();
    until(async || {
        // Some sessions of the node may have begun before the setting was changed. So the test terminates the sessions
        // until the node reports that the store cannot be written.
        if site.ready().await.1["parts"]["store"] != "cannot be written" {
            sqlx::raw_sql(end_sessions).execute(&mut other).await.ok();
            other = PgConnection::connect(&database.url).await.unwrap();
        }
        site.send("while-it-only-reads").await == 503 && site.ready().await.0 == 503
    })
    .await;
    assert_eq!(site.read().await, 200, "reads still succeed");
    // After the setting is changed back, the open sessions of the node stay read-only. So the node must close them.
    let mut writable = PgConnection::connect(&database.url).await.unwrap();
    sqlx::raw_sql("SET default_transaction_read_only = off").execute(&mut writable).await.unwrap();
    let sql = "DO $$ BEGIN EXECUTE format(
        'ALTER DATABASE %I SET default_transaction_read_only = off', current_database()); END $$";
    sqlx::raw_sql(sql).execute(&mut writable).await.unwrap();
    site.recovers("writable-again").await;
    traffic.prove(&site).await;
}
