//! Group commit, full disks, the write-ahead log and database files. These tests run on SQLite only.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use futures_util::{FutureExt as _, future::join_all};
use parking_lot::Mutex;
use switchboard::domain::refusal::Code;
use switchboard::store::{
    Command, Db, DbOptions, Engine, Error, Op, ReadOp, ReadSql, Result, Sql, StoreError, args, statements,
};

use super::{Add, Count, Make, open};
use crate::support::{database::TestDatabase, wait::until};

statements! {
    pub MAKE_LOG: Command = "CREATE TABLE log (place INTEGER PRIMARY KEY AUTOINCREMENT, number BIGINT NOT NULL)";
    pub APPEND: Command = "INSERT INTO log (number) VALUES ($1) RETURNING place";
    pub LOG: Query = "SELECT number FROM log ORDER BY place";
    pub MAKE_CHILD: Command = "CREATE TABLE child (id BIGINT REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)";
    pub CHILD: Command = "INSERT INTO child (id) VALUES ($1)";
    pub FILL: Command = "INSERT INTO item (id, data) SELECT COALESCE(MAX(id), 0) + 1, zeroblob(20000) FROM item";
    pub EMPTY: Command = "DELETE FROM item";
    pub MISDECLARED: Query = "INSERT INTO item (id) VALUES (1) RETURNING id";
}

/// Runs a statement without arguments.
struct Do(&'static Command);

impl Op for Do {
    const NAME: &'static str = "do";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(self.0, args![]).await
    }
}

/// A write that is declared as a query. `house/statement_types.rs` rejects such a declaration in the server.
struct Misdeclared;

impl ReadOp for Misdeclared {
    const NAME: &'static str = "misdeclared";
    type Out = Option<i64>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<i64>> {
        c.opt(&MISDECLARED, args![]).await
    }
}

#[tokio::test]
async fn a_read_connection_refuses_to_write() {
    let database = database().await;
    let db = open(&database).await;
    for failure in [db.read(Misdeclared).await.unwrap_err(), db.scan(Misdeclared).await.unwrap_err()] {
        assert!(
            matches!(&failure, Error::Store(StoreError::Bug(what)) if what.contains("a read-only operation")),
            "{failure}"
        );
    }
    assert_eq!(db.read(Count).await, Ok(0));
}

/// Blocks the writer thread: sends a message to `begun`, and waits for a message from `go_on`.
struct Hold {
    begun: Mutex<Sender<()>>,
    go_on: Mutex<Receiver<()>>,
}

impl ReadOp for Hold {
    const NAME: &'static str = "hold";
    type Out = ();

    async fn run<C: ReadSql>(&self, _: &mut C) -> Result<()> {
        self.begun.lock().send(()).unwrap();
        self.go_on.lock().recv().unwrap();
        Ok(())
    }
}

/// Blocks the writer thread, so that writes are queued. Sending a message through the returned sender releases the
/// thread.
async fn hold(db: &Db) -> Sender<()> {
    let (begun, has_begun) = channel();
    let (release, go_on) = channel();
    let hold = Hold { begun: Mutex::new(begun), go_on: Mutex::new(go_on) };
    let db = db.clone();
    tokio::spawn(async move { db.write(hold).await });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap()).await.unwrap();
    release
}

/// Appends a row. Afterwards the operation
///
/// - panics if the number ends with 1,
/// - returns a conflict if the number does not end with 1 and is divisible by three, and
/// - returns the number and the position of the row in all other cases.
struct Append(i64);

impl Op for Append {
    const NAME: &'static str = "append";
    type Out = (i64, i64);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<(i64, i64)> {
        let position = c.exec_one(&APPEND, args![self.0]).await?;
        assert!(self.0 % 10 != 1, "on purpose");
        if self.0 % 3 == 0 { Err(Code::Conflict.into()) } else { Ok((self.0, position)) }
    }
}

struct Log;

impl ReadOp for Log {
    const NAME: &'static str = "log";
    type Out = Vec<i64>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<i64>> {
        c.all(&LOG, args![]).await
    }
}

async fn database() -> TestDatabase {
    TestDatabase::new(Engine::Sqlite).await.expect("SQLite is always there")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_keeps_the_order_of_its_writes_and_each_caller_gets_its_own_result() {
    let database = database().await;
    let db = open(&database).await;
    db.write(Do(&MAKE_LOG)).await.unwrap();
    let release = hold(&db).await;
    let mut writes: Vec<_> = (0..600).map(|number| Box::pin(db.write(Append(number)))).collect();
    for write in &mut writes {
        // the first poll queues the write
        assert!(futures_util::poll!(write).is_pending());
    }
    release.send(()).unwrap();
    let mut kept = Vec::new();
    for (number, write) in (0..).zip(writes) {
        match write.await {
            Ok((answered, position)) => {
                assert_eq!(answered, number);
                kept.push(number);
                assert_eq!(position, kept.len() as i64, "a rolled-back operation leaves no gap");
            }
            Err(Error::Refused(refusal)) => assert_eq!((refusal.code, number % 3), (Code::Conflict, 0)),
            Err(Error::Store(failure)) => assert_eq!((failure.class(), number % 10), ("bug", 1)),
        }
    }
    // 60 of the numbers end with 1, 200 are divisible by three, and 20 end with 1 and are divisible by three
    assert_eq!(kept.len(), 600 - 60 - 200 + 20);
    assert_eq!(db.read(Log).await.unwrap(), kept);
}

/// Inserts a row with a foreign key that SQLite checks at the commit.
struct Orphan(i64);

impl Op for Orphan {
    const NAME: &'static str = "orphan";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&CHILD, args![self.0]).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_makes_the_commit_fail_does_not_affect_the_other_writes() {
    let database = database().await;
    let db = open(&database).await;
    db.write(Do(&MAKE_CHILD)).await.unwrap();
    let release = hold(&db).await;
    let mut good = Box::pin(db.write(Add(1, "one")));
    let mut bad = Box::pin(db.write(Orphan(5)));
    let mut fine = Box::pin(db.write(Orphan(1)));
    assert!(futures_util::poll!(&mut good).is_pending());
    assert!(futures_util::poll!(&mut bad).is_pending());
    assert!(futures_util::poll!(&mut fine).is_pending());
    release.send(()).unwrap();
    assert_eq!(good.await, Ok(1));
    assert!(matches!(bad.await, Err(Error::Store(StoreError::Bug(_)))));
    assert_eq!(fine.await, Ok(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_recover_from_a_full_disk() {
    let database = database().await;
    database.open().await.close().await.unwrap();
    // the tables of the schema use more than half of these pages while they are empty
    let options = DbOptions { max_pages: Some(200), ..DbOptions::default() };
    let db = Db::open(&database.url, options).await.unwrap();
    db.write(Make).await.unwrap();
    for round in 0..3 {
        let mut stored = 0;
        let full = loop {
            match db.write(Do(&FILL)).await {
                Ok(_) => stored += 1,
                Err(error) => break error,
            }
        };
        assert!(matches!(full, Error::Store(StoreError::Unavailable(_))), "{full}");
        assert!(stored > 5, "round {round}: more than five writes fit on the disk, not {stored}");
        // Some writes of a batch may fit on the disk. The other writes fail as unavailable, and none of them is stored.
        let many = join_all((0..50).map(|_| db.write(Do(&FILL)))).await;
        stored += many.iter().filter(|write| write.is_ok()).count() as i64;
        assert!(
            many.iter().all(|write| matches!(write, Ok(1) | Err(Error::Store(StoreError::Unavailable(_)))))
        );
        assert_eq!(db.read(Count).await, Ok(stored));
        assert_eq!(db.write(Do(&EMPTY)).await, Ok(stored as u64));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_fails_as_unavailable_while_the_queue_is_full() {
    let database = database().await;
    let options = DbOptions { queue: 1, wait: Duration::from_millis(50), ..DbOptions::default() };
    let db = Db::open(&database.url, options).await.unwrap();
    db.write(Make).await.unwrap();
    let release = hold(&db).await;
    let mut queued = Box::pin(db.write(Add(1, "one")));
    assert!(futures_util::poll!(&mut queued).is_pending());
    assert!(matches!(db.write(Add(2, "two")).await, Err(Error::Store(StoreError::Unavailable(_)))));
    assert_eq!(db.read(Count).await, Ok(0), "reads still succeed");
    release.send(()).unwrap();
    assert_eq!(queued.await, Ok(1));
    assert_eq!(db.write(Add(2, "two")).await, Ok(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_waits_until_another_connection_releases_its_lock() {
    let database = database().await;
    let db = open(&database).await;
    let other = rusqlite::Connection::open(path(&database)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut write = Box::pin(db.write(Add(1, "one")));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut write).await.is_err());
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(write.await, Ok(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn closing_commits_queued_writes_unless_commits_fail() {
    for stays_locked in [false, true] {
        let database = database().await;
        let db = Db::open(&database.url, DbOptions { batch: 1, ..DbOptions::default() }).await.unwrap();
        db.write(Make).await.unwrap();
        let other = rusqlite::Connection::open(path(&database)).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let items = [Add(1, "one"), Add(2, "two"), Add(3, "three"), Add(4, "four")];
        let mut writes: Vec<_> = items.into_iter().map(|item| Box::pin(db.write(item))).collect();
        assert!(
            join_all(&mut writes).now_or_never().is_none(),
            "all writes are queued, and the first waits for the lock"
        );
        if stays_locked {
            let first = writes.remove(0).await;
            assert!(first.is_err(), "the first write fails at the lock timeout, and the second begins");
        }
        let mut closing = Box::pin(db.close());
        assert!((&mut closing).now_or_never().is_none(), "closing waits for the writer thread");
        if !stays_locked {
            other.execute_batch("ROLLBACK").unwrap();
        }
        let results = join_all(writes).await;
        closing.await.unwrap();
        if stays_locked {
            assert!(results[0].is_err(), "the second write fails, too");
            let is_rejected = |result: &Result<u64>| {
                result.as_ref().is_err_and(|error| error.to_string().contains("the store is closed"))
            };
            assert!(results[1..].iter().all(is_rejected), "the later writes are not attempted: {results:?}");
        } else {
            assert!(results.iter().all(Result::is_ok), "queued writes are committed: {results:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_the_owner_can_access_the_file_and_closing_removes_the_write_ahead_log() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a/b/data.db");
    let url = format!("sqlite://{}", file.display()).parse().unwrap();
    let db = Db::open(&url, DbOptions::default()).await.unwrap();
    db.write(Make).await.unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    assert_eq!(mode(&file.with_extension("db-wal")), 0o600);
    assert_eq!(mode(file.parent().unwrap()), 0o700);
    db.close().await.unwrap();
    assert!(!file.with_extension("db-wal").exists());
}

fn path(database: &TestDatabase) -> String {
    database.url.to_string().replacen("sqlite://", "", 1)
}

#[test]
fn a_database_file_is_used_by_one_process_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("data.db").display()).parse().unwrap();
    let owner = switchboard::store::own(&url).unwrap();
    let refused = switchboard::store::own(&url).unwrap_err();
    assert!(refused.to_string().contains("another process uses this database"), "{refused}");
    drop(owner);
    switchboard::store::own(&url).unwrap();
}

/// Returns the number of items in the database file. Items that are only in the write-ahead log do not count.
fn in_the_file(database: &TestDatabase) -> i64 {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    std::fs::copy(path(database), &copy).unwrap();
    let file = rusqlite::Connection::open(copy).unwrap();
    file.query_row("SELECT COUNT(*) FROM item", [], |row| row.get(0)).unwrap_or(0)
}

#[tokio::test]
async fn the_write_ahead_log_is_checkpointed_while_writes_continue() {
    let database = TestDatabase::new(Engine::Sqlite).await.unwrap();
    let db = open(&database).await;
    db.write(Add(1, "one")).await.unwrap();
    assert_eq!(
        in_the_file(&database),
        0,
        "before a checkpoint, a write is only in the write-ahead log; otherwise this test proves nothing"
    );
    // a single write is checkpointed if no other writes follow
    until(async || {
        db.checkpoint().await.unwrap();
        in_the_file(&database) == 1
    })
    .await;
    for _ in 1..350 {
        db.write(Do(&FILL)).await.unwrap();
    }
    // After many writes, a checkpoint is made even if further writes precede each call of `checkpoint`. There are two
    // further writes, because the second is possibly counted only after its response. Without a counted write, the call
    // would make a checkpoint even after few writes.
    let mut written = 350;
    until(async || {
        db.write(Do(&FILL)).await.unwrap();
        db.write(Do(&FILL)).await.unwrap();
        written += 2;
        db.checkpoint().await.unwrap();
        in_the_file(&database) == written
    })
    .await;
    // SQLite itself would make a checkpoint only after hundreds of further writes
    assert!(written < 400, "one of the first calls makes the checkpoint: {written} writes");
    // writes that are made during checkpoints are not lost
    let writing = async {
        for _ in 0..100 {
            db.write(Do(&FILL)).await.unwrap();
        }
    };
    let checkpointing = async {
        for _ in 0..50 {
            db.checkpoint().await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    tokio::join!(writing, checkpointing);
    assert_eq!(db.read(Count).await.unwrap(), written + 100);
    db.close().await.unwrap();
    assert_eq!(in_the_file(&database), written + 100);
}
