//! Restores of backups, on both engines.

use std::{
    fs,
    io::Write,
    process::{Command, Stdio},
};

use sqlx::Connection;
use switchboard::store::Engine;

use super::{DIRECTIONS, Deployment, assert_serves, filled, text_of};
use crate::support::until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_backup_of_a_stopped_deployment_restores_every_row_on_either_engine() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        process.kill();
        let folder = source.folder.path().join("backup");
        source.run(&["backup", text_of(&folder)]);
        // a restore requires an empty database; a database that has only the schema counts as empty
        target.run(&["migrate"]);
        let said = target.run(&["restore", text_of(&folder), "--json"]);
        assert!(said.contains("\"ok\": true"), "{said}");
        assert_eq!(target.sums().await, source.sums().await, "{from:?} to {to:?}");
        assert!(!target.is_marked().await);
        let stored: Vec<_> =
            fs::read_dir(target.files()).unwrap().map(|file| file.unwrap().file_name()).collect();
        assert_eq!(stored.len(), 2, "{stored:?}");
        // the table of messages is not empty, so the comparison of the sums proves something
        let mut database = target.open().await;
        let shape =
            database.shapes().await.unwrap().into_iter().find(|shape| shape.table == "messages").unwrap();
        assert!(database.sum(&shape).await.unwrap().rows > 2);
        drop(database);
        // a backup of the restored deployment can be restored, too
        let third = Deployment::new(from).await.unwrap();
        let second = target.folder.path().join("backup");
        target.run(&["backup", text_of(&second)]);
        third.run(&["restore", text_of(&second)]);
        assert_eq!(third.sums().await, source.sums().await);
        assert_serves(&target, &fixture).await;
        assert_serves(&third, &fixture).await;
    }
}

/// If a process is killed during the first migration, PostgreSQL keeps only the table that records migrations, because
/// the migrator creates this table before its first transaction. The test creates the table. SQLite keeps nothing,
/// because the same transaction creates the table and applies the migrations. The test covers SQLite too, because the
/// restore makes the same check there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_whose_first_migration_was_interrupted_counts_as_empty() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        process.kill();
        let folder = source.folder.path().join("backup");
        source.run(&["backup", text_of(&folder)]);
        let recorded = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL,
            installed_on TIMESTAMPTZ NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL,
            checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL)";
        target.execute(recorded).await;
        target.run(&["restore", text_of(&folder)]);
        assert_eq!(target.sums().await, source.sums().await, "{from:?} to {to:?}");
        assert_serves(&target, &fixture).await;
    }
}

/// A server is started while a restore verifies the backup. The server writes nothing, so the restore finds an empty
/// database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_is_started_during_a_restore_writes_nothing() {
    let (Some(source), Some(target)) =
        (Deployment::new(Engine::Sqlite).await, Deployment::new(Engine::Postgres).await)
    else {
        return;
    };
    let (process, fixture) = filled(&source).await;
    process.kill();
    let folder = source.folder.path().join("backup");
    source.run(&["backup", text_of(&folder)]);
    // The test replaces the file of one table by a named pipe. The restore blocks when it opens the pipe, until the
    // test opens the pipe for writing.
    let table = fs::read_dir(folder.join("tables")).unwrap().map(|file| file.unwrap().path()).next().unwrap();
    let (aside, content) = (source.folder.path().join("aside"), fs::read(&table).unwrap());
    fs::rename(&table, &aside).unwrap();
    assert!(Command::new("mkfifo").arg(&table).status().unwrap().success());
    let mut restoring = target.command(&["restore", text_of(&folder)]).stdout(Stdio::null()).spawn().unwrap();
    let mut outside = sqlx::PgConnection::connect(&target.url).await.unwrap();
    // the restore holds the locks of all 32 node numbers, so no server can start
    let held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid::bigint = 1937203812
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    until(async || sqlx::query_scalar::<_, i64>(held).fetch_one(&mut outside).await.unwrap() >= 32).await;
    target.refused(&["serve"], "all node numbers are taken");
    assert!(target.is_empty().await, "the refused server wrote nothing");
    let feeding = std::thread::spawn(move || {
        let mut pipe = fs::OpenOptions::new().write(true).open(&table).unwrap();
        // The restore opens this path twice. The first time it reads the pipe, and the second time it reads the file.
        fs::rename(&aside, &table).unwrap();
        pipe.write_all(&content).unwrap();
    });
    let restored = tokio::task::spawn_blocking(move || restoring.wait().unwrap()).await.unwrap();
    assert!(restored.success());
    feeding.join().unwrap();
    assert_eq!(target.sums().await, source.sums().await);
    assert_serves(&target, &fixture).await;
}
