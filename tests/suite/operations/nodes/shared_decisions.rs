//! Some rate limits are counted exactly, in the database. These tests show how long a node waits for such a decision.

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};
use switchboard::store::Engine;

use crate::support::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_decision_takes_as_long_as_the_setting_allows() {
    let options = Options { engine: Engine::Postgres, limits: true, ..Options::default() };
    assert!(options.shared_wait_ms >= 5_000, "the node waits longer than the test");
    let Some(node) = Server::with(options).await else { return };
    let app = node.app(&ALL_SCOPES).await;
    let body = app.body(json!({"grant_type": "authorization_code", "code": "unknown"}));
    let (mut outside, mut watching) = (node.database.outside().await, node.database.outside().await);
    let counted = async |outside: &mut PgConnection| -> i64 {
        sqlx::query_scalar("SELECT COUNT(*) FROM rate_windows").fetch_one(outside).await.unwrap()
    };
    let before = counted(&mut watching).await;
    let mut lock = outside.begin().await.unwrap();
    lock.execute("LOCK TABLE rate_windows IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let release = async {
        // with the default of 50 ms, no decision may take this long
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > INTERVAL '500 ms'";
        until(async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watching).await.unwrap() > 0)
            .await;
        lock.rollback().await.unwrap();
    };
    let (answer, ()) = tokio::join!(node.api().post("/oauth/token").json(&body).send(), release);
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(counted(&mut watching).await > before, "the request is counted in the database");
}
