//! The waits between the commit of a change and its acknowledgement. On PostgreSQL, a write holds locks of what it
//! relies on, such as a person. An operation that changes the person commits, and then waits until all earlier writes
//! that hold the lock of the person have ended. This wait is called a *drain*. On both engines, a revocation also waits
//! until the responses have been sent whose permissions were checked before the revocation.

use std::time::{Duration, Instant};

use switchboard::{
    domain::ids::{ConversationId, UserId, WorkspaceId},
    store::{Engine, LockKey, Notice, Op, Result, Sql, args},
};

use tokio::sync::mpsc;

use super::{Count, open};
use crate::support::{both_engines, database::TestDatabase, until};

const PERSON: LockKey = LockKey::user(UserId(7));
const GROUP: LockKey = LockKey::conversation(WorkspaceId(1), ConversationId(9));

/// A write that requests drains of the locks of a person and a group, as a revocation does.
struct ChangeBoth;

impl Op for ChangeBoth {
    const NAME: &'static str = "change_both";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        c.notify(Notice::Drain(GROUP));
        c.notify(Notice::Drain(PERSON));
        c.exec(&super::ADD, args![1, "changed"]).await.map(drop)
    }
}

/// A write takes the lock of its caller before the lock of its destination. A drain must take the two locks in the same
/// order. Otherwise a drain and a write could each hold one lock and wait for the other lock, which is a deadlock.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_drain_takes_locks_in_the_order_of_writes() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let db = open(&database).await;
    let (mut writing, mut watching) = (database.outside().await, database.outside().await);
    sqlx::raw_sql("BEGIN").execute(&mut writing).await.unwrap();
    let person = PERSON.number();
    sqlx::query("SELECT pg_advisory_xact_lock_shared($1)").bind(person).execute(&mut writing).await.unwrap();
    let changing = tokio::spawn({
        let db = db.clone();
        async move { db.write(ChangeBoth).await }
    });
    until(async || {
        let waiting: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                AND (classid::bigint << 32 | objid::bigint) = $1",
        )
        .bind(person)
        .fetch_one(&mut watching)
        .await
        .unwrap();
        waiting == 1
    })
    .await;
    let group = GROUP.number();
    let is_free: bool = sqlx::query_scalar("SELECT pg_try_advisory_xact_lock($1)")
        .bind(group)
        .fetch_one(&mut writing)
        .await
        .unwrap();
    assert!(is_free, "the write can take its second lock while the drain waits for the write's first lock");
    assert!(!changing.is_finished(), "a change is not acknowledged before the earlier write has ended");
    assert_eq!(db.read(Count).await, Ok(1), "the change is committed");
    sqlx::raw_sql("COMMIT").execute(&mut writing).await.unwrap();
    assert_eq!(changing.await.unwrap(), Ok(()));
}

/// A write that does the same as [`ChangeBoth`]. Just before its commit, sends the time to `changed`.
struct Revoke {
    changed: mpsc::UnboundedSender<Instant>,
}

impl Op for Revoke {
    const NAME: &'static str = "revoke";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        ChangeBoth.run(c).await?;
        self.changed.send(Instant::now()).unwrap();
        Ok(())
    }
}

/// On SQLite, a revocation is acknowledged at least 20 ms after its commit. In these 20 ms the server sends the
/// responses whose permissions it checked just before the commit. On PostgreSQL, a revocation is acknowledged at least
/// 140 ms after its commit, because other nodes use permissions for 120 ms after they read them.
#[both_engines]
async fn a_revocation_waits_until_earlier_permissions_are_not_used(engine: Engine) -> Option<()> {
    let database = TestDatabase::new(engine).await?;
    let db = open(&database).await;
    let as_of = db.as_of();
    let (changed, mut changes) = mpsc::unbounded_channel();
    assert_eq!(db.write(Revoke { changed }).await, Ok(()));
    let acknowledged = Instant::now();
    assert!(!db.is_current(&as_of), "earlier permissions are not current after a revocation");
    let mut committed = changes.recv().await.unwrap();
    while let Some(again) = changes.recv().await {
        committed = again;
    }
    let least = Duration::from_millis(if engine == Engine::Sqlite { 20 } else { 140 });
    let waited = acknowledged - committed;
    assert!(waited >= least, "a revocation is acknowledged {least:?} after its commit, not after {waited:?}");
    Some(())
}
