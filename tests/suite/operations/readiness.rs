//! The health check `/readyz`. While the database can be read but not written, the process is not ready. `/readyz`
//! itself checks whether the database can be written again, so the process becomes ready without any other request.

use std::sync::Arc;

use serde_json::{Value, json};
use switchboard::store::DatabaseUrl;

use crate::{
    operations::health::health,
    support::{Options, Server, until},
};

async fn ready(server: &Server) -> (u16, Value) {
    // the response of `/readyz` does not have the format of an API, so the checks of API responses are not used
    let answer = server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Opens the database outside the server.
fn outside(server: &Server) -> rusqlite::Connection {
    let DatabaseUrl::Sqlite(path) = &server.database.url else { panic!("the server uses SQLite") };
    let database = rusqlite::Connection::open(path).unwrap();
    database.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    database
}

fn number(database: &rusqlite::Connection, pragma: &str) -> i64 {
    database.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0)).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_reported_until_a_write_works() {
    const PAGES: u32 = 400;
    let options = Options { max_pages: Some(PAGES), ..Options::default() };
    let server = Server::with(options).await.expect("a server on SQLite always starts");
    let database = outside(&server);
    let well = (200, json!({"ok": true, "parts": {"store": "ok"}}));
    let unwell = (503, json!({"ok": false, "parts": {"store": "cannot be written"}}));
    assert_eq!(ready(&server).await, well);

    // The server cannot let the database grow beyond `PAGES` pages. When another program has filled these pages, writes
    // of the server fail as on a full disk.
    let mut filler = 0;
    while number(&database, "page_count") < i64::from(PAGES) || number(&database, "freelist_count") > 0 {
        filler += 1;
        let fill = "INSERT INTO server_secrets (name, value) VALUES (?1, zeroblob(8192))";
        database.execute(fill, [format!("filler_{filler}")]).unwrap();
    }
    assert_eq!(ready(&server).await, well, "the process is ready until a write has failed");
    let mut made = 0;
    loop {
        let body = json!({"name": "C".repeat(100), "domain": "example.com"});
        let answer = server.operator().post("/admin/v1/workspaces").json(&body).send().await;
        if answer.status == 503 {
            break;
        }
        made += 1;
        assert!(made < 1000, "a write fails when the disk is full");
    }
    for _ in 0..3 {
        assert_eq!(ready(&server).await, unwell);
    }
    let (code, printed) = health(&["--url", &server.base], &[]);
    assert_eq!(code, Some(8), "{printed}");
    assert!(printed.contains("is not ready: store cannot be written"), "{printed}");
    assert_eq!(health(&["--live", "--url", &server.base], &[]).0, Some(0));
    // reads succeed, and the process continues
    server.operator().get("/admin/v1/workspaces").ok(200).await;
    let alive = server.api().http.get(format!("{}/healthz", server.base)).send().await.unwrap();
    assert_eq!(alive.status(), 200);

    database.execute("DELETE FROM server_secrets WHERE name LIKE 'filler_%'", []).unwrap();
    assert_eq!(ready(&server).await, well, "the process becomes ready without any other request");
    let probes = "SELECT COUNT(*) FROM server_secrets WHERE name = 'write_probe'";
    let probes: i64 = database.query_row(probes, [], |row| row.get(0)).unwrap();
    assert_eq!(probes, 0, "the check whether the database can be written leaves no row");
    // A check of a healthy store writes nothing. SQLite's `data_version` changes with every commit of another
    // connection.
    let version = number(&database, "data_version");
    for _ in 0..20 {
        assert_eq!(ready(&server).await, well);
    }
    assert_eq!(number(&database, "data_version"), version);
    let body = json!({"name": "Company", "domain": "example.com"});
    server.operator().post("/admin/v1/workspaces").json(&body).ok(201).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_postgresql_is_reported() {
    let Some(server) = Server::postgres().await else { return };
    let server = Arc::new(server);
    let store = async || ready(&server).await.1["parts"]["store"].clone();
    assert_eq!(store().await, "ok");
    // `default_transaction_read_only` applies to new sessions only, so `set_read_only` terminates the server's sessions
    let mut outside = server.database.outside().await;
    let mut set_read_only = async |only_reads: &str| {
        let sql = format!(
            "DO $$ BEGIN EXECUTE format(
                 'ALTER DATABASE %I SET default_transaction_read_only = {only_reads}', current_database()); END $$;
             SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE datname = current_database() AND pid <> pg_backend_pid()"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut outside).await.unwrap();
    };
    set_read_only("on").await;
    until(async || store().await == "cannot be written").await;
    assert_eq!(ready(&server).await.0, 503);
    set_read_only("off").await;
    until(async || store().await == "ok").await;
}
