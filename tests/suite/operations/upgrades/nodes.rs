//! Running nodes whose database is migrated to the schema of a newer version.

use serde_json::{Value, json};
use switchboard::store::{Engine, Migrations};

use super::EXPAND;
use crate::support::{Server, to_conversation, until};

async fn ready(server: &Server) -> (u16, Value) {
    // `/readyz` does not have the format of an API, so the checks of API responses are not used
    let answer = server.api().http.get(format!("{}/readyz", server.base)).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Returns the migrations of a newer version: those of this version, and then `sql`.
fn with_next(sql: &str) -> Migrations {
    let known = Migrations::of(Engine::Postgres);
    let version = known.newest() + 1;
    known.with(version, "of tomorrow", sql)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_continue_and_start_on_a_newer_compatible_schema() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let sql = format!("{EXPAND}ALTER TABLE messages ADD COLUMN tomorrow BIGINT;");
    with_next(&sql).migrate(&server.database.url).await.unwrap();

    bot.send(&to_conversation(&group, "after")).await;
    assert_eq!(bot.history(&group).await.last().unwrap()["text"], "after");
    let other_node = server.another_node().await;
    for node in [&server, &other_node] {
        let parts = json!({"store": "ok", "node": "ok"});
        assert_eq!(ready(node).await, (200, json!({"ok": true, "parts": parts})));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_stops_serving_before_a_migration_makes_the_schema_incompatible() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let group = company.group(&[&bot.user_id]).await;
    let version = Migrations::of(Engine::Postgres).newest() + 1;
    let sql = format!(
        "-- contract\n-- oldest compatible: {version:04}\nALTER TABLE messages DROP COLUMN thread_id;"
    );
    with_next(&sql).migrate(&server.database.url).await.unwrap();

    // No request was sent during the migration, so no failed statement has shown the node that it is too old. The node
    // has read the required version when it confirmed its node number. The migration waited for this before it changed
    // the schema.
    let body = to_conversation(&group, "too late");
    bot.api.post("/v1/messages").key("late").json(&body).send().await.refused(503, "server_error");
    bot.api.get(&format!("/v1/conversations/{group}/messages")).send().await.refused(503, "server_error");
    until(async || ready(&server).await.0 == 503).await;
    let why = format!("the database requires a version with migration {version}");
    assert_eq!(ready(&server).await.1["parts"]["schema"], why);
    let error = server
        .another_node_with(server.clock.clone(), |_| {})
        .await
        .err()
        .expect("a node that is too old must not start")
        .to_string();
    assert!(error.contains(&format!("knows migration {version} or later")), "{error}");
}
