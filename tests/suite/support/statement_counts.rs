//! Counts the statements that PostgreSQL runs on a table.

use sqlx::{AssertSqlSafe, PgConnection};

/// Makes the database count the statements of a kind, such as `UPDATE`, on a table. The count is kept in a sequence, so
/// it includes the statements of transactions that are rolled back.
pub async fn count_statements(outside: &mut PgConnection, kind: &str, table: &str) {
    let sql = format!(
        "CREATE SEQUENCE statements_{table};
         CREATE FUNCTION count_{table}() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM nextval('statements_{table}'); RETURN NULL; END $$;
         CREATE TRIGGER counted AFTER {kind} ON {table} FOR EACH STATEMENT EXECUTE FUNCTION count_{table}();"
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(outside).await.unwrap();
}

/// Returns the number of counted statements on a table since the last call, and resets the count. Before the first
/// call, [`count_statements`] must have been called for the table.
pub async fn counted(outside: &mut PgConnection, table: &str) -> i64 {
    let sql = format!("SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM statements_{table}");
    let count: i64 = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut *outside).await.unwrap();
    let reset = format!("SELECT setval('statements_{table}', 1, false)");
    sqlx::query(AssertSqlSafe(reset)).execute(outside).await.unwrap();
    count
}
