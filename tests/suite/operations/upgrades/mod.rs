//! Rolling upgrades: older programs on a newer schema, migrations on PostgreSQL during writes, and the rules that make
//! a migration safe.
//!
//! - `newer`: programs on a newer schema, and the oldest compatible version that a migration records. `nodes`: nodes
//!   that run while the schema is migrated.
//! - `running`: how a migration waits for locks, and how it continues after an interruption.
//! - `rules`: the statements that a migration may contain. `examples`: migrations that are rejected or accepted.
//! - `locks`: the locks that migrations take on tables to which other sessions write.
//! - `before`: the statements of earlier versions, on the schema after each migration.

mod before;
mod examples;
mod locks;
mod newer;
mod nodes;
mod rules;
mod running;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::support::postgres;

/// The first lines of an expansion: a migration that does not raise the oldest compatible version. These lines declare
/// that every program that knows migration 0001 works on the migrated schema.
const EXPAND: &str = "-- expand\n-- oldest compatible: 0001\n";
/// The first lines of an expansion that runs without a transaction.
const ONLINE: &str = "-- no-transaction\n-- expand\n-- oldest compatible: 0001\n";

/// The first lines of a contraction: a migration that may raise the oldest compatible version. These lines declare that
/// only programs that know migration 0002 work on the migrated schema.
const CONTRACT: &str = "-- contract\n-- oldest compatible: 0002\n";
/// The first lines of a contraction that runs without a transaction.
const CONTRACT_ONLINE: &str = "-- no-transaction\n-- contract\n-- oldest compatible: 0002\n";

/// Opens a connection for the test's own statements.
async fn outside(database: &postgres::Database) -> PgConnection {
    PgConnection::connect(&database.url).await.unwrap()
}

async fn run(connection: &mut PgConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await.unwrap();
}

async fn flag(connection: &mut PgConnection, sql: &str) -> bool {
    let (flag,): (bool,) = sqlx::query_as(AssertSqlSafe(sql.to_owned())).fetch_one(connection).await.unwrap();
    flag
}

/// Returns whether a session of this database waits for a lock whose `locktype` in `pg_locks` is `kind`, such as
/// `relation` or `virtualxid`, and whose `mode` in `pg_locks` is `mode`.
async fn someone_waits(connection: &mut PgConnection, kind: &str, mode: &str) -> bool {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() AND locktype = '{kind}' AND mode = '{mode}' AND NOT granted)"
    );
    flag(connection, &sql).await
}
