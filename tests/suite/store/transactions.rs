//! The guarantees of an operation's transaction, on both engines.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use switchboard::domain::refusal::Code;
use switchboard::store::{Error, Op, ReadOp, ReadSql, Result, Sql, StoreError, args, statements};

use super::{ADD, Add, COUNT, Count, Ids, NAME, Name, open};
use crate::support::{both_engines, database::TestDatabase, until};

statements! {
    pub MOVE: Command = "UPDATE item SET flag = flag + $2 WHERE id = $1";
    pub FLAG: Query = "SELECT flag FROM item WHERE id = $1";
    pub WITH_FLAG: Command = "INSERT INTO item (id, flag) VALUES ($1, $2) RETURNING id";
    pub MAKE_CHILD: Command = "CREATE TABLE child (id BIGINT REFERENCES item (id))";
    pub ADD_CHILDREN: Command = "INSERT INTO child (id) VALUES ($1), ($2), ($3) RETURNING id";
    pub COUNT_CHILDREN: Query = "SELECT COUNT(*) FROM child";
}

/// Adds an item, and then rejects the request, panics, violates a constraint, or violates a constraint and continues.
#[derive(Clone, Copy)]
enum Wrong {
    Refuses,
    Panics,
    Conflicts,
    Continues,
}

impl Op for Wrong {
    const NAME: &'static str = "wrong";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&ADD, args![100, "hundred"]).await?;
        match self {
            Self::Refuses => Err(Code::Conflict.into()),
            Self::Panics => panic!("on purpose"),
            Self::Conflicts => c.exec(&ADD, args![101, "hundred"]).await.map(drop),
            Self::Continues => {
                let _ = c.exec(&ADD, args![101, "hundred"]).await;
                Ok(())
            }
        }
    }
}

#[both_engines]
async fn a_failed_write_leaves_no_changes(database: TestDatabase) {
    let db = open(&database).await;
    assert_eq!(db.write(Wrong::Refuses).await, Err(Code::Conflict.into()));
    let unique = db.write(Wrong::Conflicts).await.unwrap_err();
    assert!(
        matches!(&unique, Error::Store(StoreError::Unique { constraint }) if constraint.contains("name"))
    );
    for (wrong, why) in [(Wrong::Panics, "panicked"), (Wrong::Continues, "continued")] {
        let failure = db.write(wrong).await.unwrap_err();
        assert!(matches!(&failure, Error::Store(StoreError::Bug(what)) if what.contains(why)), "{failure}");
    }
    assert_eq!(db.read(Count).await, Ok(0));
    assert_eq!(db.write(Add(1, "one")).await, Ok(1));
}

#[both_engines]
async fn failing_operations_do_not_affect_others(database: TestDatabase) {
    let db = open(&database).await;
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..200 {
        let db = db.clone();
        tasks.spawn(async move {
            match number % 4 {
                0 => assert_eq!(db.write(Wrong::Refuses).await, Err(Code::Conflict.into())),
                1 => assert!(db.write(Wrong::Panics).await.is_err()),
                _ => {
                    let name: &'static str = format!("item {number}").leak();
                    assert_eq!(db.write(Add(number, name)).await, Ok(1));
                    // a caller that has the result of a write sees the write
                    assert_eq!(db.read(Name(number)).await.unwrap().as_deref(), Some(name));
                }
            }
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    assert_eq!(db.scan(Ids).await.unwrap(), (0..200).filter(|number| number % 4 > 1).collect::<Vec<_>>());
}

/// Creates a table with a foreign key.
struct MakeChild;

impl Op for MakeChild {
    const NAME: &'static str = "make_child";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&MAKE_CHILD, args![]).await.map(drop)
    }
}

/// Adds three rows that refer to these items, and reads only the first row that the command returns.
struct AddChildren([i64; 3]);

impl Op for AddChildren {
    const NAME: &'static str = "add_children";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        let [first, second, third] = self.0;
        c.exec_one(&ADD_CHILDREN, args![first, second, third]).await
    }
}

/// Returns the number of rows that refer to items.
struct CountChildren;

impl ReadOp for CountChildren {
    const NAME: &'static str = "count_children";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT_CHILDREN, args![]).await
    }
}

/// The engines check foreign keys at the end of a statement. So a command that returns several rows must run to its
/// end, even if only its first row is read.
#[both_engines]
async fn a_violated_foreign_key_is_found_after_the_first_returned_row(database: TestDatabase) {
    let db = open(&database).await;
    db.write(MakeChild).await.unwrap();
    db.write(Add(1, "one")).await.unwrap();
    for missing in [[1, 1, 7], [7, 1, 1], [7, 7, 7]] {
        let failure = db.write(AddChildren(missing)).await.unwrap_err();
        assert!(matches!(failure, Error::Store(StoreError::Bug(_))), "{missing:?}: {failure}");
    }
    assert_eq!(db.read(CountChildren).await, Ok(0), "a failed command changes nothing");
    assert_eq!(db.write(AddChildren([1, 1, 1])).await, Ok(1));
    assert_eq!(db.read(CountChildren).await, Ok(3));
}

/// Subtracts 1 from the `flag` of item 1 and adds 1 to the `flag` of item 2.
struct Move;

impl Op for Move {
    const NAME: &'static str = "move";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.exec(&MOVE, args![1, -1]).await?;
        c.exec(&MOVE, args![2, 1]).await.map(drop)
    }
}

/// Returns the sum of the `flag` of both items, which it reads with two statements.
struct Sum;

impl ReadOp for Sum {
    const NAME: &'static str = "sum";
    const SNAPSHOT: bool = true;
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        let one: i64 = c.one(&FLAG, args![1]).await?;
        let two: i64 = c.one(&FLAG, args![2]).await?;
        Ok(one + two)
    }
}

/// Adds an item with a flag.
struct WithFlag(i64, i64);

impl Op for WithFlag {
    const NAME: &'static str = "with_flag";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        c.exec_one(&WITH_FLAG, args![self.0, self.1]).await
    }
}

#[both_engines]
async fn all_statements_of_a_snapshot_read_see_one_snapshot_during_writes(database: TestDatabase) {
    let db = open(&database).await;
    assert_eq!(db.write(WithFlag(1, 1000)).await, Ok(1));
    assert_eq!(db.write(WithFlag(2, 0)).await, Ok(2));
    let done = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..4)
        .map(|number| {
            let (db, done) = (db.clone(), done.clone());
            tokio::spawn(async move {
                while !done.load(Ordering::Relaxed) {
                    let sum = if number % 2 == 0 { db.read(Sum).await } else { db.scan(Sum).await };
                    assert_eq!(sum, Ok(1000));
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for _ in 0..200 {
        db.write(Move).await.unwrap();
    }
    done.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.unwrap();
    }
}

/// Panics after it has read.
struct Panics;

impl ReadOp for Panics {
    const NAME: &'static str = "panics";
    type Out = Option<String>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<String>> {
        panic!("{:?}", c.opt::<String>(&NAME, args![1]).await)
    }
}

#[both_engines]
async fn a_panic_in_a_read_leaves_the_store_usable(database: TestDatabase) {
    let db = open(&database).await;
    for _ in 0..20 {
        assert!(matches!(db.read(Panics).await, Err(Error::Store(StoreError::Bug(_)))));
    }
    assert_eq!(db.read(Count).await, Ok(0));
}

/// Declares a single statement and runs two.
struct Twice;

impl ReadOp for Twice {
    const NAME: &'static str = "twice";
    const SINGLE: bool = true;
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        Ok(c.one::<i64>(&COUNT, args![]).await? + c.one::<i64>(&COUNT, args![]).await?)
    }
}

#[both_engines]
async fn an_operation_of_a_single_statement_cannot_run_two(database: TestDatabase) {
    let db = open(&database).await;
    for result in [db.read(Twice).await, db.scan(Twice).await] {
        let is_bug =
            |error: &Error| matches!(error, Error::Store(StoreError::Bug(what)) if what.contains("single"));
        assert!(result.as_ref().is_err_and(is_bug), "{result:?}");
    }
    assert_eq!(db.read(Count).await, Ok(0), "the connection is still usable");
}

#[both_engines]
async fn a_write_completes_although_its_caller_is_dropped(database: TestDatabase) {
    let db = open(&database).await;
    let mut write = Box::pin(db.write(Add(1, "one")));
    assert!(futures_util::poll!(&mut write).is_pending());
    drop(write);
    until(async || db.read(Count).await == Ok(1)).await;
}

#[both_engines]
async fn a_closed_store_is_unavailable(database: TestDatabase) {
    let db = open(&database).await;
    db.ping().await.unwrap();
    let write = tokio::spawn({
        let db = db.clone();
        async move { db.write(Add(1, "one")).await }
    });
    tokio::task::yield_now().await;
    db.close().await.unwrap();
    // the write is committed if it began before `close` was called, and is rejected if it began later
    let written = write.await.unwrap();
    assert!(matches!(written, Ok(1) | Err(Error::Store(StoreError::Unavailable(_)))), "{written:?}");
    db.close().await.unwrap();
    let unavailable =
        |error: Error| assert!(matches!(error, Error::Store(StoreError::Unavailable(_))), "{error}");
    unavailable(db.read(Count).await.unwrap_err());
    unavailable(db.scan(Count).await.unwrap_err());
    unavailable(db.write(Add(2, "two")).await.unwrap_err());
    unavailable(db.ping().await.unwrap_err());

    let reopened = database.open().await;
    assert_eq!(reopened.read(Count).await, Ok(i64::from(written.is_ok())));
}
