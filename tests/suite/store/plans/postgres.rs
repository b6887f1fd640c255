//! Runs the statements of the store on PostgreSQL with skewed data, and compares what their plans read with the limits
//! of their cases.

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row};
use switchboard::store::Engine;

use super::{Case, ROWS_WITHOUT_CASE, all, cases_of, on_postgres, only_inserts, reason};
use crate::support::database::TestDatabase;

const DATA: &str = include_str!("data.sql");
const NEWER: &str = include_str!("newer.sql");

/// Maximum number of 8 KiB blocks that a statement may read for each row that its case allows: the levels of an index
/// and the row itself. A limit of rows is not enough, because `EXPLAIN` does not report how many index entries an index
/// condition discards. So a scan that reads many entries and returns few rows is visible only in the number of blocks.
const BLOCKS_OF_A_ROW: u64 = 8;

/// Writes the rows of each large table in a random order. If rows are stored in the order of an index, a scan of this
/// index reads few blocks. It reads more in production, where the rows of a company are spread over the whole table.
const SHUFFLE: &str = "DO $$
    DECLARE shuffled REGCLASS;
    BEGIN
        FOR shuffled IN SELECT oid FROM pg_class
            WHERE relkind = 'r' AND reltuples > 1000 AND relnamespace = current_schema()::regnamespace
        LOOP
            EXECUTE format('ALTER TABLE %s ADD COLUMN shuffle_order FLOAT NOT NULL DEFAULT random()', shuffled);
            EXECUTE format('CREATE INDEX shuffled_rows ON %s (shuffle_order)', shuffled);
            EXECUTE format('CLUSTER %s USING shuffled_rows', shuffled);
            EXECUTE format('ALTER TABLE %s DROP COLUMN shuffle_order', shuffled);
        END LOOP;
    END $$";

/// An earlier statement for a bot's history, which joined all rows before it applied the limit. The check must reject
/// this statement.
const OLD_HISTORY: &str = "SELECT m.id,
        CASE WHEN u.is_external = 1 AND u.guest_visible = 0 THEN NULL ELSE m.sender_id END,
        m.type, CASE WHEN m.type = 3 THEN NULL ELSE m.text END, p.id, m.file_count, m.created_at
    FROM messages m
    LEFT JOIN users u ON u.id = m.sender_id
    LEFT JOIN messages p ON p.conversation_id = m.conversation_id AND p.id = m.thread_id AND p.id >= $2
    WHERE m.conversation_id = $1 AND m.id >= $2 AND m.id < $3
    ORDER BY m.id DESC LIMIT $4";
const OLD_CASE: Case = Case::new("OLD_HISTORY", "1, 0, 9000000000000, 201", 1_000);

/// How PostgreSQL plans a prepared statement (`plan_cache_mode`).
#[derive(Clone, Copy, Debug)]
enum Mode {
    /// With a generic plan, which is the same for all arguments.
    Generic,
    /// With a custom plan for the given arguments.
    Custom,
}

const BOTH: &[Mode] = &[Mode::Generic, Mode::Custom];

/// The number of rows and blocks that a statement read, and its plan.
#[derive(Debug, Default)]
struct Reading {
    rows: u64,
    blocks: u64,
    plan: String,
}

#[tokio::test]
async fn no_statement_reads_more_than_its_case_allows() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let mut connection = database.outside().await;
    // The timeout is set after the data has been inserted, because the insertion takes long on a busy machine.
    let settings = "SET statement_timeout = '20s'; SET jit = off; SET enable_incremental_sort = off";
    for sql in [DATA, settings] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    let mut problems = Vec::new();
    check_all(&mut connection, BOTH, 1, &mut problems).await;
    let mut found = Vec::new();
    check(&mut connection, OLD_HISTORY, &[&OLD_CASE], BOTH, 1, &mut found).await;
    assert!(!found.is_empty(), "the checker must reject a statement that reads whole conversations");
    // Checks all statements again with other estimates: with the target 10, ANALYZE samples 3,000 rows of each table.
    let sampled = "SET default_statistics_target = 10; ANALYZE; RESET default_statistics_target";
    sqlx::raw_sql(sampled).execute(&mut connection).await.unwrap();
    check_all(&mut connection, BOTH, 1, &mut problems).await;
    // Checks all statements again with rows in a random order. VACUUM removes the dead rows of the writes, which `read`
    // rolls back. The writes of this pass leave dead rows again, so a statement may read three times what its case
    // allows.
    for sql in ["SET statement_timeout = 0", SHUFFLE, "VACUUM (ANALYZE)", settings] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    check_all(&mut connection, &[Mode::Generic], 3, &mut problems).await;
    // Checks the statements on messages again, after a second conversation has become long. Its messages are the
    // newest.
    for sql in ["SET statement_timeout = 0", NEWER, settings] {
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    }
    for (name, stmt) in all().filter(|(_, stmt)| stmt.postgres.contains("messages")) {
        let cases: Vec<_> = cases_of(name).filter(|_| reason(name).is_none()).collect();
        check(&mut connection, stmt.postgres, &cases, BOTH, 1, &mut problems).await;
    }
    assert!(problems.is_empty(), "{}\n{} cases read too much or fail", problems.join("\n\n"), problems.len());
    connection.close().await.unwrap();
}

/// Checks every statement that is not exempt, with the arguments of its cases, in each of `modes`. A statement may
/// read `factor` times the rows of its case.
async fn check_all(connection: &mut PgConnection, modes: &[Mode], factor: u64, problems: &mut Vec<String>) {
    for (name, sql) in on_postgres() {
        if reason(name).is_some() {
            continue;
        }
        let mut cases: Vec<_> = cases_of(name).collect();
        let params = all().find(|(known, _)| *known == name).map(|(_, stmt)| stmt.params().unwrap());
        let nulls = vec!["NULL"; params.unwrap_or_default()].join(", ");
        let of_a_key = Case { statement: name, arguments: nulls.leak(), rows: ROWS_WITHOUT_CASE };
        let by_key = cases.is_empty();
        if by_key && only_inserts(sql) {
            continue;
        }
        if by_key {
            cases.push(&of_a_key);
        }
        // a custom plan for NULL would read nothing
        let modes = if by_key { &[Mode::Generic][..] } else { modes };
        check(connection, sql, &cases, modes, factor, problems).await;
    }
}

/// Runs a statement with the arguments of each case in each mode, and records the cases that read too much or fail.
async fn check(
    connection: &mut PgConnection,
    sql: &str,
    cases: &[&Case],
    modes: &[Mode],
    factor: u64,
    problems: &mut Vec<String>,
) {
    for mode in modes {
        for case in cases {
            let most_rows = case.rows * factor;
            let most_blocks = 30 + most_rows * BLOCKS_OF_A_ROW;
            match read(connection, sql, case.arguments, *mode).await {
                Ok(read) if read.rows <= most_rows && read.blocks <= most_blocks => {}
                Ok(Reading { rows, blocks, plan }) => problems.push(format!(
                    "{} ({}) reads {rows} rows and {blocks} blocks with a {mode:?} plan, but at most {most_rows} rows \
                     and {most_blocks} blocks are allowed:\n{plan}",
                    case.statement, case.arguments
                )),
                Err(error) => problems.push(format!(
                    "{} ({}) does not run with a {mode:?} plan: {error}",
                    case.statement, case.arguments
                )),
            }
        }
    }
}

/// Runs a statement in a transaction that is rolled back. Returns what the statement read.
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
    let row = sqlx::raw_sql(AssertSqlSafe(explain)).fetch_one(&mut *transaction).await?;
    transaction.rollback().await?;
    let explained: Value = serde_json::from_str(row.try_get_unchecked(0)?).expect("EXPLAIN returns JSON");
    let plan = &explained[0]["Plan"];
    // the blocks of a write are not limited, because a write reads blocks of each index of the table
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

/// Adds up the rows that scans of tables and indexes returned or discarded. A scan that is repeated for each of many
/// rows counts at least one row for each run. A bitmap heap scan does not count, because the rows of its bitmap index
/// scans do.
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
