//! Some rate limits are exact: the database decides whether a request exceeds such a limit. This test shows that a node
//! waits for a slow decision if `limits.shared_wait_ms` allows the wait.

use serde_json::json;
use sqlx::{Connection, Executor, PgConnection};
use switchboard::store::Engine;

use crate::support::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_waits_for_a_decision_within_the_configured_time() {
    let options = Options { engine: Engine::Postgres, limits: true, ..Options::default() };
    assert!(
        options.shared_wait_ms >= 5_000,
        "the configured wait must be longer than the test delays the decision"
    );
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
        // 500 ms is longer than the default wait of 50 ms, after which the node would decide by itself
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
            AND wait_event_type = 'Lock' AND clock_timestamp() - query_start > INTERVAL '500 ms'";
        until(async || sqlx::query_scalar::<_, i64>(waiting).fetch_one(&mut watching).await.unwrap() > 0)
            .await;
        lock.rollback().await.unwrap();
    };
    let (answer, ()) = tokio::join!(node.api().post("/oauth/token").json(&body).send(), release);
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert!(
        counted(&mut watching).await > before,
        "the database has counted the request, so the node waited for its decision"
    );
}
