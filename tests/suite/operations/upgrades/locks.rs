//! Checks on PostgreSQL that the table locks of each migration after the first do not block the writes of other
//! sessions for longer than a moment. `rules` checks the text of a migration. This module runs the migration, and
//! checks which tables it locks and which of these it scans or rewrites. The module measures no times.
//!
//! - A migration that runs in a transaction is examined before the transaction ends. If a migration does not run in a
//!   transaction, each of its statements without CONCURRENTLY is examined in a transaction of its own. A transaction
//!   may block the writes to one table if it neither scans nor rewrites the table, because it then holds the lock only
//!   for a moment. It must not block the writes to several tables: while it waited for the lock of the second table,
//!   the writes to the first table would wait too.
//! - A statement with CONCURRENTLY runs beside a transaction that holds the lock of a write (ROW EXCLUSIVE) on every
//!   table. While the statement waits for that transaction, another session must get the same locks without waiting.

use std::collections::BTreeMap;

use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::store::{DatabaseUrl, Engine, Migration, Migrations, StatementKind, statements_of};

use super::{CONTRACT_ONLINE, EXPAND, ONLINE, outside, run};
use crate::support::{postgres, until};

/// Each table with its file node (`pg_relation_filenode`), which changes when the table is rewritten.
type Files = BTreeMap<String, Option<i64>>;

const FILES: &str = "SELECT relname::text, pg_relation_filenode(oid)::bigint FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";

/// The tables on which this transaction blocks writes, each with its number of sequential scans and its file node.
const LOCKED: &str =
    "SELECT DISTINCT relname::text, pg_stat_get_xact_numscans(c.oid), pg_relation_filenode(c.oid)::bigint
    FROM pg_locks JOIN pg_class AS c ON c.oid = relation
    WHERE pid = pg_backend_pid() AND locktype = 'relation' AND relkind = 'r' AND granted
        AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_migration_blocks_writes() {
    let all = Migrations::of(Engine::Postgres);
    for migration in all.iter().filter(|migration| migration.version > 1) {
        let Some(database) = postgres::empty_database().await else { return };
        let url: DatabaseUrl = database.url.parse().unwrap();
        all.clone().up_to(migration.version - 1).migrate(&url).await.unwrap();
        let violations = violations(&database, migration).await;
        assert!(violations.is_empty(), "{:04}_{}: {violations:#?}", migration.version, migration.name);
    }
}

/// The check finds migrations that block writes, and accepts safe migrations.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn migrations_that_block_writes_are_found() {
    for (header, sql, expected) in [
        (EXPAND, "CREATE INDEX i ON users (id);", Some("users is scanned")),
        (EXPAND, "ALTER TABLE users ALTER COLUMN id TYPE NUMERIC;", Some("users is rewritten")),
        (EXPAND, "ALTER TABLE users ADD COLUMN r FLOAT DEFAULT random();", Some("users is rewritten")),
        (EXPAND, "ALTER TABLE users ADD CONSTRAINT c CHECK (id > 0);", Some("users is scanned")),
        (EXPAND, "ALTER TABLE users ADD a BIGINT; ALTER TABLE apps ADD a BIGINT;", Some("apps, users")),
        (ONLINE, "REINDEX TABLE users;", Some("users is scanned")),
        (EXPAND, "ALTER TABLE users ADD COLUMN a BIGINT NOT NULL DEFAULT 0;", None),
        (ONLINE, "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON users (id);", None),
        (
            CONTRACT_ONLINE,
            "ALTER TABLE users DROP CONSTRAINT IF EXISTS c, ADD CONSTRAINT c CHECK (id IS NOT NULL) NOT VALID;
             ALTER TABLE users VALIDATE CONSTRAINT c;",
            None,
        ),
    ] {
        let Some(database) = postgres::database().await else { return };
        let migrations = Migrations::default().with(2, "example", &format!("{header}{sql}"));
        let violations = violations(&database, migrations.get(2).unwrap()).await;
        match expected {
            None => assert!(violations.is_empty(), "{sql}: {violations:#?}"),
            Some(what) => {
                let is_found = violations.iter().any(|violation| violation.contains(what));
                assert!(is_found, "{sql}: the violations contain `{what}`: {violations:#?}");
            }
        }
    }
}

/// Returns the statements of a migration that block writes for longer than a moment or cannot run, with the reason.
async fn violations(database: &postgres::Database, migration: &Migration) -> Vec<String> {
    let mut connection = outside(database).await;
    let files: Files = sqlx::query_as(FILES).fetch_all(&mut connection).await.unwrap().into_iter().collect();
    let mut violations = Vec::new();
    if migration.in_transaction {
        in_transaction(&mut connection, &migration.sql, &files, &mut violations).await;
        return violations;
    }
    for statement in statements_of(&migration.sql) {
        match statement.kind {
            StatementKind::Plain | StatementKind::Batched => {
                in_transaction(&mut connection, &statement.sql, &files, &mut violations).await;
            }
            StatementKind::BuildIndex(_) | StatementKind::Concurrent => {
                beside_writes(database, &statement.sql, &files, &mut violations).await;
            }
        }
    }
    violations
}

async fn in_transaction(
    connection: &mut PgConnection,
    sql: &str,
    files: &Files,
    violations: &mut Vec<String>,
) {
    run(connection, "BEGIN").await;
    if let Err(error) = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut *connection).await {
        violations.push(format!("`{sql}` cannot run in a transaction: {error}"));
        return run(connection, "ROLLBACK").await;
    }
    let locked: Vec<(String, i64, Option<i64>)> =
        sqlx::query_as(LOCKED).fetch_all(&mut *connection).await.unwrap();
    let mut existing = Vec::new();
    for (table, reads, file) in locked {
        let Some(before) = files.get(&table) else { continue };
        if *before != file {
            violations.push(format!("`{sql}`: {table} is rewritten while writes are blocked"));
        } else if reads > 0 {
            violations.push(format!("`{sql}`: {table} is scanned while writes are blocked"));
        }
        existing.push(table);
    }
    if existing.len() > 1 {
        existing.sort();
        let tables = existing.join(", ");
        violations.push(format!("`{sql}`: {tables} are locked in one transaction: writes wait for its end"));
    }
    run(connection, "COMMIT").await;
}

async fn beside_writes(
    database: &postgres::Database,
    sql: &str,
    files: &Files,
    violations: &mut Vec<String>,
) {
    let (mut writer, mut other) = (outside(database).await, outside(database).await);
    let tables: Vec<_> = files.keys().map(|table| format!("\"{table}\"")).collect();
    let lock = format!("BEGIN; LOCK TABLE {} IN ROW EXCLUSIVE MODE", tables.join(", "));
    run(&mut writer, &lock).await;
    let mut connection = outside(database).await;
    let statement = AssertSqlSafe(sql.to_owned());
    let running =
        tokio::spawn(async move { sqlx::raw_sql(statement).execute(&mut connection).await.map(drop) });
    let waits = "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE datname = current_database() AND NOT granted)";
    until(async || running.is_finished() || super::flag(&mut other, waits).await).await;
    // a lock request that waits in a table's queue blocks later requests, which then fail because of NOWAIT
    let at_once = AssertSqlSafe(format!("{lock} NOWAIT; ROLLBACK"));
    if let Err(error) = sqlx::raw_sql(at_once).execute(&mut other).await {
        violations.push(format!("`{sql}`: {error}"));
    }
    run(&mut writer, "ROLLBACK").await;
    if let Err(error) = running.await.unwrap() {
        violations.push(format!("`{sql}` cannot run: {error}"));
    }
}
