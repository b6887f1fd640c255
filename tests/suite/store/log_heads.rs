//! The sequence numbers of delivery logs and audit logs ascend, even after a failover or a restore.

use std::time::{Duration, Instant};

use switchboard::{
    domain::ids::{AppId, WorkspaceId},
    store::{Db, Op, Result, Sql, log_heads},
};

use crate::support::{both_engines, database::TestDatabase, until};

/// Takes the next number of a delivery log and of an audit log.
struct NextNumbers;

impl Op for NextNumbers {
    const NAME: &'static str = "test_next_numbers";
    type Out = [i64; 2];

    async fn run<C: Sql>(&self, c: &mut C) -> Result<[i64; 2]> {
        let delivery = log_heads::next_delivery(c, AppId(1)).await?;
        let calls = log_heads::next_tool_calls(c, &[WorkspaceId(1)]).await?;
        assert_eq!(calls.len(), 1);
        Ok([delivery, calls[0].1])
    }
}

#[both_engines]
async fn numbers_lost_in_a_failover_are_not_assigned_again(database: TestDatabase) {
    let db = database.open().await;
    let mut lost = db.write(NextNumbers).await.unwrap();
    // After a failover or a restore, the table `log_heads` can be in one of three states. It is empty, it lacks the
    // latest numbers, or its numbers come from an earlier version of the server, which counted from 1.
    let earlier = format!("UPDATE log_heads SET last = {}", lost[0].min(lost[1]) - 1);
    for state in ["DELETE FROM log_heads", &earlier, "UPDATE log_heads SET last = 7"] {
        for _ in 0..3 {
            let next = db.write(NextNumbers).await.unwrap();
            assert!(next[0] > lost[0] && next[1] > lost[1], "numbers ascend: {next:?} after {lost:?}");
            lost = next;
        }
        database.execute(state).await;
        // A new number is at least the database's time, which advances during a failover. SQLite's time is in
        // milliseconds, so the test waits for more than one millisecond.
        let begun = Instant::now();
        until(async || begun.elapsed() > Duration::from_millis(10)).await;
        let next = db.write(NextNumbers).await.unwrap();
        assert!(
            next[0] > lost[0] && next[1] > lost[1],
            "a lost number is not assigned again after {state}: {next:?} after {lost:?}"
        );
        lost = next;
    }
    Db::close(&db).await.unwrap();
}

#[both_engines]
async fn numbers_ascend_when_the_clock_of_the_database_is_set_back(database: TestDatabase) {
    // a number above the database's time in microseconds, as if the clock was set back after the number was assigned
    const AHEAD: i64 = 4_000_000_000_000_000;
    let db = database.open().await;
    db.write(NextNumbers).await.unwrap();
    database.execute(&format!("UPDATE log_heads SET last = {AHEAD}")).await;
    for next in 1..=2 {
        assert_eq!(db.write(NextNumbers).await.unwrap(), [AHEAD + next; 2]);
    }
    Db::close(&db).await.unwrap();
}
