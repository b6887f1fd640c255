//! Plans on PostgreSQL, executed on skewed data.

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection};
use switchboard::store::Engine;

use super::{CASES, Case, OF_A_KEY, all, cases_of, needs_case, only_inserts, reason};
use crate::support::database::TestDatabase;

const DATA: &str = include_str!("data.sql");
const NEWER: &str = include_str!("newer.sql");

/// Blocks of 8 KiB that may be touched for each row that may be read: the height of an index and the row itself. An
/// index that is walked along without finding anything shows in blocks only.
const BLOCKS_OF_A_ROW: u64 = 8;

/// The history of a bot before it was cut first and joined then: what the checker has to find.
const OLD_HISTORY: &str = "SELECT m.id,
        CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END,
        m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END, p.id, m.file_count, m.created_at
    FROM messages m
    LEFT JOIN users u ON u.id = m.sender_id
    LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
    WHERE m.conversation_id = $1 AND m.id >= $2 AND m.id < $3
    ORDER BY m.id DESC LIMIT $4";
const OLD_CASE: Case = Case::new("OLD_HISTORY", "1, 0, 9000000000000, 201", 1_000);

/// How PostgreSQL plans prepared statements.
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// Once for all arguments.
    Generic,
    /// For the arguments at hand.
    Custom,
}

/// What a statement read.
#[derive(Debug, Default)]
struct Reading {
    rows: u64,
    blocks: u64,
    plan: String,
}

#[tokio::test]
async fn no_plan_reads_more_than_its_page() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let mut connection = database.outside().await;
    // as a server's connections have it
    let settings = "SET statement_timeout = '20s'; SET jit = off";
    for sql in [settings, DATA] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    let mut faults = Vec::new();
    for (name, stmt) in all() {
        if reason(name).is_some() {
            continue;
        }
        let mut cases: Vec<_> = cases_of(name).collect();
        let nulls = vec!["NULL"; stmt.params().unwrap()].join(", ");
        let of_a_key = Case { statement: name, arguments: nulls.leak(), rows: OF_A_KEY };
        let by_key = cases.is_empty();
        if by_key && only_inserts(stmt.postgres) {
            continue;
        }
        if by_key {
            cases.push(&of_a_key);
        }
        check(&mut connection, stmt.postgres, &cases, by_key, &mut faults).await;
    }
    // the same histories where the longest of them is the newest
    sqlx::raw_sql(NEWER).execute(&mut connection).await.unwrap();
    for (name, stmt) in all().filter(|(_, stmt)| stmt.postgres.contains("messages")) {
        let cases: Vec<_> = cases_of(name).filter(|_| reason(name).is_none()).collect();
        check(&mut connection, stmt.postgres, &cases, false, &mut faults).await;
    }
    assert!(faults.is_empty(), "{}\n{} statements read too much", faults.join("\n\n"), faults.len());

    let mut found = Vec::new();
    check(&mut connection, OLD_HISTORY, &[&OLD_CASE], false, &mut found).await;
    assert!(!found.is_empty(), "the checker passes a statement that read whole conversations");
    connection.close().await.unwrap();
}

/// Runs a statement with each of its arguments in each mode, and notes what read too much. One that goes `by_key` is run
/// without arguments, for which a plan of its own would read nothing.
async fn check(
    connection: &mut PgConnection,
    sql: &str,
    cases: &[&Case],
    by_key: bool,
    faults: &mut Vec<String>,
) {
    let modes = if by_key { &[Mode::Generic][..] } else { &[Mode::Generic, Mode::Custom] };
    for mode in modes {
        for case in cases {
            let blocks = 30 + case.rows * BLOCKS_OF_A_ROW;
            match read(connection, sql, case.arguments, *mode).await {
                Ok(read) if read.rows <= case.rows && read.blocks <= blocks => {}
                Ok(Reading { rows, blocks, plan }) => faults.push(format!(
                    "{} ({}) reads {rows} rows and {blocks} blocks with a {mode:?} plan, not {} rows:\n{plan}",
                    case.statement, case.arguments, case.rows
                )),
                Err(error) => faults.push(format!(
                    "{} ({}) does not run with a {mode:?} plan: {error}",
                    case.statement, case.arguments
                )),
            }
        }
    }
}

/// Runs a statement in a transaction that is rolled back.
async fn read(
    connection: &mut PgConnection,
    sql: &str,
    arguments: &str,
    mode: Mode,
) -> Result<Reading, sqlx::Error> {
    let mode = match mode {
        Mode::Generic => "force_generic_plan",
        Mode::Custom => "force_custom_plan",
    };
    let prepare = format!("DEALLOCATE ALL; SET plan_cache_mode = {mode}; PREPARE checked AS {sql}");
    sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut *connection).await?;
    let arguments = if arguments.is_empty() { String::new() } else { format!("({arguments})") };
    let explain = format!("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) EXECUTE checked {arguments}");
    let mut transaction = connection.begin().await?;
    let explained: Value =
        sqlx::query_scalar(AssertSqlSafe(explain)).persistent(false).fetch_one(&mut *transaction).await?;
    transaction.rollback().await?;
    let plan = &explained[0]["Plan"];
    // a write touches blocks for each index of the table
    let is_write = plan["Node Type"] == "ModifyTable";
    let blocks = if is_write { 0 } else { blocks(plan) };
    let mut reading = Reading { blocks, ..Reading::default() };
    walk(plan, 0, &mut reading);
    Ok(reading)
}

fn number(node: &Value, name: &str) -> u64 {
    node[name].as_f64().map_or(0, |number| number.round() as u64)
}

fn blocks(plan: &Value) -> u64 {
    number(plan, "Shared Hit Blocks") + number(plan, "Shared Read Blocks")
}

/// Adds up what the scans of tables and indexes gave and what they threw away. A scan that is run for each of many rows
/// counts at least one for each. A bitmap's rows are those that its indexes gave.
fn walk(node: &Value, depth: usize, reading: &mut Reading) {
    let kind = node["Node Type"].as_str().unwrap_or_default();
    let loops = number(node, "Actual Loops");
    let thrown_away = ["Rows Removed by Filter", "Rows Removed by Index Recheck"];
    let rows = number(node, "Actual Rows") + thrown_away.iter().map(|name| number(node, name)).sum::<u64>();
    let reads =
        ["Seq Scan", "Index Scan", "Index Only Scan", "Bitmap Index Scan", "Tid Scan"].contains(&kind);
    if reads {
        reading.rows += rows.max(1) * loops;
    }
    let text = |name: &str| node[name].as_str().unwrap_or_default().to_owned();
    reading.plan += &format!(
        "{:indent$}{kind} {} {} ({rows} rows, {loops} times) {} {}\n",
        "",
        text("Relation Name"),
        text("Index Name"),
        text("Index Cond"),
        text("Filter"),
        indent = 2 * depth
    );
    for inner in node["Plans"].as_array().into_iter().flatten() {
        walk(inner, depth + 1, reading);
    }
}
