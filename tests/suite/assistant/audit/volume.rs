//! Each statement that lists tool calls of the audit reads them from an index, and does not scan the table. The index
//! is the primary key, or for a filtered list the index of the filter. The rows need no sort, because the index has the
//! order of the list.

use sqlx::{AssertSqlSafe, Connection as _, PgConnection, Row as _, raw_sql};
use switchboard::store::{DatabaseUrl, Stmt, tool_calls};

use crate::support::{Server, both_engines};

const FILL_SQLITE: &str = "INSERT INTO tool_calls
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 60000)
    SELECT n % 3 + 1, n, n, n % 300 + 1, n % 600 + 1, n % 12 + 1, 'client', 'Client', 'tool' || (n % 9),
        CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END, NULL, '', 0, 1, n FROM numbers";
const FILL_POSTGRES: &str = "INSERT INTO tool_calls
    SELECT n % 3 + 1, n, n, n % 300 + 1, n % 600 + 1, n % 12 + 1, 'client', 'Client', 'tool' || (n % 9),
        CASE WHEN n % 100 = 0 THEN 1 ELSE 0 END, NULL, '', 0, 1, n FROM generate_series(1, 60000) AS n";

/// For each list: the name of its statement, the name of its index in a plan of SQLite and in a plan of PostgreSQL, and
/// the arguments of its filters. The filters are user, hash of the client, client, connection, tool and outcome; `-1`
/// and `''` are for a filter that is not set. The hash has no effect if the client is not set.
const QUERY_PLANS: [(&str, &str, &str, &str); 5] = [
    ("PAGE", "USING PRIMARY KEY", "tool_calls_pkey", "-1, 1, '', -1, '', -1"),
    ("PAGE_OF_USER", "tool_calls_by_user", "tool_calls_by_user", "1, 1, '', -1, '', -1"),
    ("PAGE_OF_CLIENT", "tool_calls_by_client", "tool_calls_by_client", "-1, 1, 'client', -1, '', -1"),
    ("PAGE_OF_TOOL", "tool_calls_by_tool", "tool_calls_by_tool", "-1, 1, '', -1, 'tool0', -1"),
    ("PAGE_BY_OUTCOME", "tool_calls_in_trouble", "tool_calls_in_trouble", "-1, 1, '', -1, '', 1"),
];

fn statement(name: &str) -> &'static Stmt {
    let found = tool_calls::ALL.iter().find(|stmt| stmt.name.rsplit("::").next() == Some(name));
    found.unwrap_or_else(|| panic!("no statement {name}"))
}

fn plan_on_sqlite(database: &rusqlite::Connection, stmt: &Stmt) -> String {
    let mut explained = database.prepare(&format!("EXPLAIN QUERY PLAN {}", stmt.sqlite)).unwrap();
    let mut rows = explained.raw_query();
    let mut plan = String::new();
    while let Some(row) = rows.next().unwrap() {
        plan += &row.get::<_, String>("detail").unwrap();
        plan.push('\n');
    }
    plan
}

/// Returns the plan of a prepared statement with the setting `plan_cache_mode = mode`.
async fn plan_on_postgres(connection: &mut PgConnection, stmt: &Stmt, filters: &str, mode: &str) -> String {
    let prepare = format!(
        "DEALLOCATE ALL; SET plan_cache_mode = {mode}; SET enable_incremental_sort = off;
        PREPARE walk (bigint, bigint, bigint, bigint, bigint, bigint, bigint, text, bigint, text, bigint) AS {}",
        stmt.postgres
    );
    raw_sql(AssertSqlSafe(prepare)).execute(&mut *connection).await.unwrap();
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE walk (1, 50000, 9, 0, 51, {filters})"));
    let rows = raw_sql(explain).fetch_all(&mut *connection).await.unwrap();
    rows.iter().map(|row| row.get::<String, _>(0) + "\n").collect()
}

#[both_engines]
async fn every_list_is_read_from_its_index(server: Server) {
    match &server.database.url {
        DatabaseUrl::Sqlite(file) => {
            let database = rusqlite::Connection::open(file).unwrap();
            database.execute_batch(FILL_SQLITE).unwrap();
            for (name, index, ..) in QUERY_PLANS {
                let plan = plan_on_sqlite(&database, statement(name));
                assert!(plan.contains(index), "{name}: {plan}");
                assert!(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN"), "{name}: {plan}");
            }
        }
        DatabaseUrl::Postgres(options) => {
            let mut connection = PgConnection::connect_with(options.first()).await.unwrap();
            raw_sql(FILL_POSTGRES).execute(&mut connection).await.unwrap();
            raw_sql("ANALYZE tool_calls").execute(&mut connection).await.unwrap();
            for (name, _, index, filters) in QUERY_PLANS {
                // PostgreSQL plans the first executions of a prepared statement with their arguments. Later it uses a
                // generic plan, if this is not more expensive.
                for mode in ["force_custom_plan", "force_generic_plan"] {
                    let plan = plan_on_postgres(&mut connection, statement(name), filters, mode).await;
                    assert!(plan.contains(index), "{name}, {mode}: {plan}");
                    assert!(!plan.contains("Seq Scan"), "{name}, {mode}: {plan}");
                    // a custom plan sorts the rows if PostgreSQL knows that they are few
                    let sorts = plan.contains("Sort") && mode == "force_generic_plan";
                    assert!(!sorts, "{name}, {mode}: {plan}");
                }
            }
        }
    }
}
