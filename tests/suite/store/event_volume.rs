//! PostgreSQL: the statements of [`BOUNDED`] read few rows, both with a custom plan and with a generic plan. These
//! statements deliver and drop events, read the logs, delete expired tool calls, and find connections that are older
//! than their company allows. The database has a million pending events, almost all of them of one app with 10,000
//! installations.

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgConnection, Row};
use switchboard::store::{
    Engine, Stmt, deliveries, delivery_log, event_drops, outlived_connections, tool_calls,
};

use crate::support::database::TestDatabase;

/// Fills the tables. All times are small numbers of microseconds.
///
/// - App 1 has 10,000 installations, each in a company of its own. Each installation has a hundred pending events. In
///   one event of 1,000, `app_id` is 2 instead of 1. One event in four waits for a retry, which is due at the time
///   5,000,000.
/// - There are 200,000 delivery attempts: three quarters of app 1, the others of app 2.
/// - There are 200,000 tool calls of the companies 1 and 2. Half of them were made before the time 100,000: these have
///   expired.
const FILL: [&str; 6] = [
    "INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, callback_url, redirect_uris, scopes,
        created_at)
     SELECT i, 'App', 'client ' || i, 'hash', 'whsec', 'https://app.example/', '[]', 0, 0 FROM generate_series(1, 2) i",
    "INSERT INTO workspaces (id, name, ai_assistants, max_session_hours, created_at)
     SELECT i, 'Company', 1, 24, 0 FROM generate_series(1, 10000) i",
    "INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, created_at)
     SELECT i, 1, i, i, 0, 1, 0 FROM generate_series(1, 10000) i",
    "INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at)
     SELECT i, CASE WHEN i % 1000 = 0 THEN 2 ELSE 1 END, 1 + i % 10000, 1 + i % 10000, 'directory.changed', 'a body', i,
        0, CASE WHEN i % 4 = 0 THEN 1 ELSE 0 END, CASE WHEN i % 4 = 0 THEN 5000000 ELSE i END
     FROM generate_series(1, 1000000) i",
    "INSERT INTO delivery_attempts (event_id, attempt, id, app_id, workspace_id, at, delivered, status, latency_ms, log_seq)
     SELECT i, 1, i, CASE WHEN i % 4 = 0 THEN 2 ELSE 1 END, 1 + i % 10000, i, 1, 200, 1, i / 10 FROM generate_series(1, 200000) i",
    "INSERT INTO tool_calls (workspace_id, at, id, user_id, connection_id, client_hash, client_id, display_name, tool,
        outcome, targets, more_targets, took, log_seq)
     SELECT 1 + i % 2, i, i, 1, 1, 1, 'client', 'Client', 'search', 0, '', 0, 1, i / 100
     FROM generate_series(1, 200000) i",
];

/// The statements of a module, the name of one statement, its arguments, and the maximum number of rows that it may
/// read.
type Bounded = (&'static [&'static Stmt], &'static str, &'static str, f64);

const BOUNDED: &[Bounded] = &[
    (deliveries::ALL, "DUE_FIRST", "1, 2, 100, 100, 2000000, 8", 8.0),
    (deliveries::ALL, "DUE_AGAIN", "1, 5, 0, 0, 6000000, 8", 8.0),
    (
        deliveries::ALL,
        "DUE_FIRST_OF_MANY",
        "1, ARRAY[2,3,4,6,7,8,10,11], ARRAY[0,0,0,0,0,0,0,0], ARRAY[0,0,0,0,0,0,0,0], 2000000, 8",
        64.0,
    ),
    (
        deliveries::ALL,
        "DUE_AGAIN_OF_MANY",
        "1, ARRAY[1,5,9,13,17,21,25,29], ARRAY[0,0,0,0,0,0,0,0], ARRAY[0,0,0,0,0,0,0,0], 6000000, 8",
        64.0,
    ),
    (deliveries::ALL, "INSTALLATIONS_FIRST", "1, 0, 2000000, 64", 200.0),
    (deliveries::ALL, "INSTALLATIONS_AGAIN", "1, 0, 2000000, 512", 1500.0),
    (deliveries::ALL, "DUE_APPS", "2000000, 1", 20.0),
    (event_drops::ALL, "DROP_EXPIRED", "1, 2000000, 1, 1000, 1", 2000.0),
    (event_drops::ALL, "DROP_UNREACHABLE", "1, 1, 500, 1", 1000.0),
    (event_drops::ALL, "DROP_DISCONNECTED", "1, 3, 'app.uninstalled', 1, 500, 1", 1000.0),
    (deliveries::ALL, "RECORD", "'[[1,0,1,1,2,3],[2,0,1,1,2,3],[3,0,0,1,2,3]]'", 3.0),
    (delivery_log::ALL, "FOLLOW", "1, 1000, 0, 200", 1200.0),
    (tool_calls::ALL, "FOLLOW", "1, 1000, 0, 200", 200.0),
    (tool_calls::ALL, "DELETE_EXPIRED", "100000, 1000", 2000.0),
    // This statement reads all 10,000 companies, because each of them limits the age of connections. For each company
    // it searches an index once, and finds no connection.
    (outlived_connections::ALL, "OUTLIVED", "1000, 200", 10_000.0),
];

/// Returns how many rows a plan has read from growing tables and their indexes.
fn rows_read(node: &Value) -> f64 {
    let number = |name: &str| node[name].as_f64().unwrap_or(0.0);
    let reads = ["events", "delivery_attempts", "tool_calls", "connections", "workspaces"];
    let is_read = node["Relation Name"].as_str().is_some_and(|name| reads.contains(&name))
        && node["Node Type"] != "ModifyTable"
        || node["Node Type"] == "Bitmap Index Scan";
    let own = if is_read {
        (number("Actual Rows") + number("Rows Removed by Filter") + number("Rows Removed by Index Recheck"))
            * number("Actual Loops")
    } else {
        0.0
    };
    let below = node["Plans"].as_array().map_or(&[][..], Vec::as_slice);
    own + below.iter().map(rows_read).sum::<f64>()
}

#[tokio::test]
async fn statements_read_few_of_a_million_events() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let mut connection = database.outside().await;
    for sql in FILL {
        run(&mut connection, sql.to_owned()).await;
    }
    run(&mut connection, "VACUUM ANALYZE".to_owned()).await;
    for (all, name, arguments, most) in BOUNDED {
        let stmt = all.iter().find(|stmt| stmt.name.ends_with(&format!("::{name}"))).unwrap();
        run(&mut connection, format!("PREPARE bounded AS {}", stmt.postgres)).await;
        for mode in ["force_custom_plan", "force_generic_plan"] {
            run(&mut connection, format!("SET plan_cache_mode = {mode}")).await;
            run(&mut connection, "BEGIN".to_owned()).await;
            let explain = format!("EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE bounded({arguments})");
            let row = sqlx::raw_sql(AssertSqlSafe(explain)).fetch_one(&mut connection).await.unwrap();
            let plan: Value = serde_json::from_str(&row.get_unchecked::<String, _>(0)).unwrap();
            run(&mut connection, "ROLLBACK".to_owned()).await;
            let read = rows_read(&plan[0]["Plan"]);
            assert!(
                read <= *most,
                "{} reads {read} rows instead of at most {most} with {mode}:\n{plan:#}",
                stmt.name
            );
        }
        run(&mut connection, "DEALLOCATE bounded".to_owned()).await;
    }
}

async fn run(connection: &mut PgConnection, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.unwrap();
}
