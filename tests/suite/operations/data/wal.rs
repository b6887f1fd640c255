//! SQLite's write-ahead log. The server warns if the log cannot be checkpointed. The size of the log is a metric.

use std::{
    io::Write,
    process::Command,
    sync::{Arc, Mutex},
};

use switchboard::{
    domain::token::{self, TokenKind},
    store::{Db, DbOptions, Engine, Op, Result, Sql, args, statements},
};

use crate::support::{database::TestDatabase, *};

statements! {
    SET: Command = "INSERT INTO server_state (name, value) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value";
}

struct Set(i64);

impl Op for Set {
    const NAME: &'static str = "test_set";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&SET, args!["test", self.0]).await.map(drop)
    }
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn warnings(&self) -> usize {
        let text = String::from_utf8(self.0.lock().unwrap().clone()).unwrap();
        text.matches("the write-ahead log cannot be checkpointed").count()
    }
}

/// Writes a row and calls `checkpoint` twice. After few writes, a call makes a checkpoint only if there was no write
/// since the previous call. So the second call makes the checkpoint.
async fn write_and_checkpoint(db: &Db, value: i64) {
    db.write(Set(value)).await.unwrap();
    db.checkpoint().await.unwrap();
    db.checkpoint().await.unwrap();
}

/// Returns the content of a database file. Another process reads the file, because closing it in this process would
/// release SQLite's locks.
fn content(path: &str) -> Vec<u8> {
    Command::new("cat").arg(path).output().unwrap().stdout
}

#[tokio::test]
async fn a_reader_that_prevents_checkpoints_is_reported_once() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let database = TestDatabase::new(Engine::Sqlite).await.unwrap();
    let db = Db::open(&database.url, DbOptions::default()).await.unwrap();
    for value in 0..8 {
        write_and_checkpoint(&db, value).await;
    }
    assert_eq!(log.warnings(), 0, "nothing is reported if no reader prevents checkpoints");
    let path = database.text().strip_prefix("sqlite://").unwrap();
    let reader = rusqlite::Connection::open(path).unwrap();
    reader.execute_batch("BEGIN; SELECT COUNT(*) FROM server_state;").unwrap();
    for value in 0..12 {
        write_and_checkpoint(&db, value).await;
    }
    assert_eq!(log.warnings(), 1, "the warning is logged at most once a minute");
    reader.execute_batch("COMMIT").unwrap();
    // after the reader's transaction has ended, a checkpoint copies the log to the database file, even if no further
    // write follows
    let before = content(path);
    until(async || {
        db.checkpoint().await.unwrap();
        content(path) != before
    })
    .await;
    db.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_size_of_the_write_ahead_log_is_a_metric() {
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let process = Process::start(folder.path(), &key, &[("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")]);
    Company::create(process.api(&key)).await;
    let address = process.metrics.clone().unwrap();
    until(async || {
        let text = reqwest::get(&address).await.unwrap().text().await.unwrap();
        let line = text.lines().find(|line| line.starts_with("switchboard_sqlite_wal_bytes ")).unwrap();
        line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap() > 0.0
    })
    .await;
}
