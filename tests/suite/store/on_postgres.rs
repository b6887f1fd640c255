//! Conflicts between transactions, timeouts, lost connections and changes of the schema: PostgreSQL only.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use switchboard::store::{
    Db, DbOptions, Engine, Error, Op, ReadOp, ReadSql, Result, Sql, StoreError, args, statements,
};
use tokio::sync::{Barrier, Notify, Semaphore, mpsc};

use super::{Add, Count, RENAME, open};
use crate::support::{database::TestDatabase, until};

statements! {
    pub TERMINATE_OWN: Query = "SELECT pg_terminate_backend(pg_backend_pid())";
    pub TERMINATE_OTHERS: Query =
        "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()";
    pub SLEEP: Query = "SELECT CAST(1 AS BIGINT) FROM pg_sleep(20)";
    pub TIMEOUTS: Query = "SELECT current_setting('lock_timeout') || ' ' || current_setting('statement_timeout'),
        current_setting('idle_in_transaction_session_timeout') || ' ' || current_setting('idle_session_timeout')";
    pub SHORTEN_IDLE_TIMEOUT: Query = "SELECT set_config('idle_in_transaction_session_timeout', '50', true),
        CAST(pg_backend_pid() AS BIGINT)";
    pub ALL_COLUMNS: Query = "SELECT * FROM item WHERE id = $1";
    pub WIDEN: Command = "ALTER TABLE item ADD COLUMN extra BIGINT";
}

/// Counts the items and adds an item with the count as its id. The first attempt waits before the insert until another
/// transaction has counted the items too. So two of these operations count the same number, and can both succeed only
/// if one of them is run again.
struct AddNext {
    both: Arc<Barrier>,
    tries: Arc<AtomicU32>,
    waited: AtomicU32,
}

impl Op for AddNext {
    const NAME: &'static str = "add_next";
    const SNAPSHOT: bool = true;
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        self.tries.fetch_add(1, Ordering::Relaxed);
        let next: i64 = c.one(&super::COUNT, args![]).await?;
        if self.waited.fetch_add(1, Ordering::Relaxed) == 0 {
            self.both.wait().await;
        }
        c.exec(&super::ADD, args![next, None::<&str>]).await?;
        Ok(next)
    }
}

/// Updates two items in the order `order`, which locks them in this order. Two of these operations deadlock if their
/// orders are opposite.
struct LockBoth {
    both: Arc<Barrier>,
    tries: Arc<AtomicU32>,
    waited: AtomicU32,
    order: [i64; 2],
}

impl Op for LockBoth {
    const NAME: &'static str = "lock_both";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        self.tries.fetch_add(1, Ordering::Relaxed);
        c.exec(&RENAME, args![self.order[0], None::<&str>]).await?;
        if self.waited.fetch_add(1, Ordering::Relaxed) == 0 {
            self.both.wait().await;
        }
        c.exec(&RENAME, args![self.order[1], None::<&str>]).await.map(drop)
    }
}

/// Loses its connection in the first `times` attempts.
struct Loses {
    tries: Arc<AtomicU32>,
    times: u32,
}

impl ReadOp for Loses {
    const NAME: &'static str = "loses";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        if self.tries.fetch_add(1, Ordering::Relaxed) < self.times {
            c.one::<bool>(&TERMINATE_OWN, args![]).await?;
        }
        c.one(&super::COUNT, args![]).await
    }
}

/// Terminates every other connection to the database.
struct TerminateOthers;

impl ReadOp for TerminateOthers {
    const NAME: &'static str = "terminate_others";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&TERMINATE_OTHERS, args![]).await
    }
}

/// Occupies a connection: adds a permit to the first semaphore, and waits for a permit of the second.
#[derive(Clone)]
struct Hold(Arc<Semaphore>, Arc<Semaphore>);

impl ReadOp for Hold {
    const NAME: &'static str = "hold";
    type Out = ();

    async fn run<C: ReadSql>(&self, _: &mut C) -> Result<()> {
        self.0.add_permits(1);
        self.1.acquire().await.unwrap().forget();
        Ok(())
    }
}

async fn database() -> Option<(TestDatabase, Db)> {
    let database = TestDatabase::new(Engine::Postgres).await?;
    let db = open(&database).await;
    Some((database, db))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_serialization_failure_is_retried() {
    let Some((_database, db)) = database().await else { return };
    let (both, tries) = (Arc::new(Barrier::new(2)), Arc::new(AtomicU32::new(0)));
    let op = || AddNext { both: both.clone(), tries: tries.clone(), waited: AtomicU32::new(0) };
    let (one, two) = tokio::join!(db.write(op()), db.write(op()));
    let mut numbers = [one.unwrap(), two.unwrap()];
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1]);
    assert_eq!(tries.load(Ordering::Relaxed), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deadlock_is_retried() {
    let Some((_database, db)) = database().await else { return };
    db.write(Add(1, "one")).await.unwrap();
    db.write(Add(2, "two")).await.unwrap();
    let (both, tries) = (Arc::new(Barrier::new(2)), Arc::new(AtomicU32::new(0)));
    let op = |order| LockBoth { both: both.clone(), tries: tries.clone(), waited: AtomicU32::new(0), order };
    let (one, two) = tokio::join!(db.write(op([1, 2])), db.write(op([2, 1])));
    assert_eq!((one, two), (Ok(()), Ok(())));
    assert!(tries.load(Ordering::Relaxed) >= 3, "at least one of the two transactions was retried");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_replaced() {
    let Some((_database, db)) = database().await else { return };
    for write in [false, true] {
        let tries = Arc::new(AtomicU32::new(0));
        let op = Loses { tries: tries.clone(), times: 1 };
        let result = if write { db.write(op).await } else { db.read(op).await };
        assert_eq!((result, tries.load(Ordering::Relaxed)), (Ok(0), 2));
    }
    // an operation that loses its connection in every attempt fails after six attempts
    let tries = Arc::new(AtomicU32::new(0));
    let lost = db.read(Loses { tries: tries.clone(), times: u32::MAX }).await;
    assert!(matches!(lost, Err(Error::Store(StoreError::Unavailable(_)))), "{lost:?}");
    assert_eq!(tries.load(Ordering::Relaxed), 6);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn callers_do_not_notice_terminated_connections() {
    let Some((_database, db)) = database().await else { return };
    // Four concurrent reads open four connections. The statement that terminates connections can run on one of the
    // four, so it terminates at least three.
    let hold = Hold(Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    let held = futures_util::future::join_all((0..4).map(|_| db.read(hold.clone())));
    let release = async {
        hold.0.acquire_many(4).await.unwrap().forget();
        hold.1.add_permits(4);
    };
    let (held, ()) = tokio::join!(held, release);
    assert!(held.iter().all(Result::is_ok), "{held:?}");
    let ended = db.read(TerminateOthers).await.unwrap();
    assert!(ended >= 3, "all connections except that of the terminating statement are terminated: {ended}");
    for round in 0..5 {
        let reads = futures_util::future::join_all((0..10).map(|_| db.read(Count))).await;
        assert!(reads.iter().all(|read| *read == Ok(round)), "{reads:?}");
        db.write(Add(round, format!("item {round}").leak())).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_fail_as_unavailable_without_a_free_connection() {
    let Some((database, _)) = database().await else { return };
    let options = DbOptions { connections: 2, wait: Duration::from_millis(200), ..DbOptions::default() };
    let db = Db::open(&database.url, options).await.unwrap();
    let is_unavailable = |failure: &Error| matches!(failure, Error::Store(StoreError::Unavailable(_)));
    let hold = Hold(Arc::new(Semaphore::new(0)), Arc::new(Semaphore::new(0)));
    // of two connections, writes use at most one, and reads use at most one
    let holding = async |write: bool| {
        loop {
            let held = if write { db.write(hold.clone()).await } else { db.read(hold.clone()).await };
            match held {
                // connecting may take longer than the timeout on a busy machine
                Err(failure) if is_unavailable(&failure) => {}
                done => return done,
            }
        }
    };
    let third = async {
        hold.0.acquire_many(2).await.unwrap().forget();
        for failure in [db.read(Count).await.unwrap_err(), db.write(Count).await.unwrap_err()] {
            assert!(is_unavailable(&failure), "{failure}");
        }
        hold.1.add_permits(2);
    };
    let (one, two, ()) = tokio::join!(holding(true), holding(false), third);
    assert_eq!((one, two), (Ok(()), Ok(())));
    until(async || db.read(Count).await == Ok(0)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn opening_fails_as_unavailable_without_a_server() {
    let url = "postgres://postgres@127.0.0.1:9/none".parse().unwrap();
    let options = DbOptions { wait: Duration::from_millis(300), ..DbOptions::default() };
    assert!(matches!(Db::open(&url, options).await.err(), Some(Error::Store(StoreError::Unavailable(_)))));
}

/// Runs a `SELECT *`. The columns of its result change with the table.
struct AllColumns;

impl ReadOp for AllColumns {
    const NAME: &'static str = "all_columns";
    type Out = Option<i64>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<i64>> {
        c.opt(&ALL_COLUMNS, args![1]).await
    }
}

/// Adds a column, as a migration by a newer node does.
struct Widen;

impl Op for Widen {
    const NAME: &'static str = "widen";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&WIDEN, args![]).await.map(drop)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prepared_statements_survive_a_migration() {
    let Some((database, _)) = database().await else { return };
    let db = Db::open(&database.url, DbOptions { connections: 2, ..DbOptions::default() }).await.unwrap();
    db.write(Add(1, "one")).await.unwrap();
    for _ in 0..10 {
        assert_eq!(db.read(AllColumns).await, Ok(Some(1)));
        assert_eq!(db.write(AllColumns).await, Ok(Some(1)));
    }
    db.write(Widen).await.unwrap();
    for _ in 0..10 {
        assert_eq!(db.write(AllColumns).await, Ok(Some(1)));
        assert_eq!(db.read(AllColumns).await, Ok(Some(1)));
    }
}

/// Renames an item, notifies `held`, and keeps the transaction open until `go_on` is notified.
struct RenameAndHold {
    held: Arc<Notify>,
    go_on: Arc<Notify>,
}

impl Op for RenameAndHold {
    const NAME: &'static str = "rename_and_hold";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&RENAME, args![1, Some("held")]).await?;
        self.held.notify_one();
        self.go_on.notified().await;
        Ok(())
    }
}

struct Rename;

impl Op for Rename {
    const NAME: &'static str = "rename";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        c.exec(&RENAME, args![1, Some("other")]).await
    }
}

/// While a transaction is in progress, the schema becomes too new for this version of the server. The transaction must
/// be rolled back: a migration that removes columns which this version uses may already run before the commit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_committed_on_a_schema_that_became_too_new() {
    let Some((database, db)) = database().await else { return };
    db.write(Add(1, "one")).await.unwrap();
    let (held, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let writing = db.write(RenameAndHold { held: held.clone(), go_on: go_on.clone() });
    let outdating = async {
        held.notified().await;
        db.set_outdated(true);
        go_on.notify_one();
    };
    let (written, ()) = tokio::join!(writing, outdating);
    assert!(matches!(written, Err(Error::Store(StoreError::Unavailable(_)))), "{written:?}");
    let name: String = sqlx::query_scalar("SELECT name FROM item WHERE id = 1")
        .fetch_one(&mut database.outside().await)
        .await
        .unwrap();
    assert_eq!(name, "one");
    db.set_outdated(false);
    assert_eq!(db.write(Rename).await, Ok(1));
}

struct Sleep;

impl ReadOp for Sleep {
    const NAME: &'static str = "sleep";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&SLEEP, args![]).await
    }
}

struct Timeouts;

impl ReadOp for Timeouts {
    const NAME: &'static str = "timeouts";
    type Out = (String, String);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        c.one(&TIMEOUTS, args![]).await
    }
}

/// Sends the process id of its connection's PostgreSQL session to `begun` in the first attempt, and leaves the
/// transaction idle until `ended` is notified. In the meantime PostgreSQL terminates the session.
struct Idles {
    tries: Arc<AtomicU32>,
    begun: mpsc::UnboundedSender<i64>,
    ended: Arc<Notify>,
}

impl ReadOp for Idles {
    const NAME: &'static str = "idles";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        if self.tries.fetch_add(1, Ordering::Relaxed) == 0 {
            let (_, process): (String, i64) = c.one(&SHORTEN_IDLE_TIMEOUT, args![]).await?;
            self.begun.send(process).unwrap();
            self.ended.notified().await;
        }
        c.one(&super::COUNT, args![]).await
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn postgres_limits_the_duration_of_every_statement() {
    let Some((database, _)) = database().await else { return };
    // the database has timeouts of 1 s, which the sessions of the server must override
    let timeouts_of_database = "DO $$ DECLARE name TEXT; BEGIN
        FOREACH name IN ARRAY ARRAY['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout',
            'idle_session_timeout']
        LOOP EXECUTE format('ALTER DATABASE %I SET %I = ''1s''', current_database(), name); END LOOP; END $$";
    sqlx::raw_sql(timeouts_of_database).execute(&mut database.outside().await).await.unwrap();
    let db = database.open().await;
    let timeouts = db.read(Timeouts).await.unwrap();
    assert_eq!(timeouts, ("5s 10s".to_owned(), "3s 0".to_owned()));
    let scan = db.scan(Timeouts).await.unwrap();
    assert_eq!(scan.0, "5s 30s", "long reads have a longer timeout");
    let after = db.read(Timeouts).await.unwrap();
    assert_eq!(after, timeouts, "a long read restores the timeout of the connection");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn operations_fail_as_unavailable_if_a_lock_or_a_statement_takes_too_long() {
    let Some((database, holder)) = database().await else { return };
    let timeout = Duration::from_millis(200);
    let options =
        DbOptions { lock_timeout: timeout, statement_timeout: 10 * timeout, ..DbOptions::default() };
    let db = Db::open(&database.url, options).await.unwrap();
    db.write(Add(1, "one")).await.unwrap();
    let (held, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let op = RenameAndHold { held: held.clone(), go_on: go_on.clone() };
    let holding = tokio::spawn(async move { holder.write(op).await });
    held.notified().await;
    let failure = db.write(Rename).await.unwrap_err();
    assert!(matches!(failure, Error::Store(StoreError::Unavailable(_))), "{failure}");
    // 55P03 is the code of PostgreSQL for a lock timeout; the code for a statement timeout is 57014
    assert!(failure.to_string().contains("55P03: "), "the lock timeout ends the wait: {failure}");
    assert!(!failure.to_string().contains("attempts"), "a lock timeout causes no retry: {failure}");
    go_on.notify_one();
    holding.await.unwrap().unwrap();
    assert_eq!(db.write(Rename).await, Ok(1));
    for write in [false, true] {
        let failure = if write { db.write(Sleep).await } else { db.read(Sleep).await }.unwrap_err();
        assert!(matches!(failure, Error::Store(StoreError::Unavailable(_))), "{failure}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operation_is_retried_after_its_idle_transaction_was_terminated() {
    let Some((database, db)) = database().await else { return };
    let (tries, ended) = (Arc::new(AtomicU32::new(0)), Arc::new(Notify::new()));
    let (begun, mut idle) = mpsc::unbounded_channel();
    let op = Idles { tries: tries.clone(), begun, ended: ended.clone() };
    let mut outside = database.outside().await;
    let watching = async {
        let process = idle.recv().await.unwrap();
        until(async || {
            let there = "SELECT COUNT(*) FROM pg_stat_activity WHERE pid = $1";
            let count = sqlx::query_scalar::<_, i64>(there).bind(i32::try_from(process).unwrap());
            count.fetch_one(&mut outside).await.unwrap() == 0
        })
        .await;
        ended.notify_one();
    };
    let (counted, ()) = tokio::join!(db.write(op), watching);
    assert_eq!((counted, tries.load(Ordering::Relaxed)), (Ok(0), 2));
}
