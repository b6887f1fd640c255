//! Upgrades of a deployment while it serves: programs on schemas that are newer than they, migrations on PostgreSQL beside
//! writes, and what a migration must be for that.
//!
//! - `newer`: which programs work on a newer schema; `nodes`: nodes that run while the schema moves on.
//! - `running`: how a migration waits, and goes on where it was interrupted.
//! - `rules`: what the text of a migration may say; `examples`: migrations that are refused.
//! - `locks`: what each migration does to tables that are written meanwhile.
//! - `before`: the statements of the versions before, on the schema of each migration.

mod before;
mod examples;
mod locks;
mod newer;
mod nodes;
mod rules;
mod running;

use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::support::postgres;

/// The first lines of a migration that leaves the version before working.
const EXPAND: &str = "-- expand\n-- oldest compatible: 0001\n";
/// The same, when it runs without a transaction.
const ONLINE: &str = "-- no-transaction\n-- expand\n-- oldest compatible: 0001\n";

/// The first lines of a migration that takes away what the first version uses.
const CONTRACT: &str = "-- contract\n-- oldest compatible: 0002\n";
/// The same, when it runs without a transaction.
const CONTRACT_ONLINE: &str = "-- no-transaction\n-- contract\n-- oldest compatible: 0002\n";

/// A connection of somebody else.
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

/// Whether a session of this database waits for a lock of this mode: of a table, or (`ExclusiveLock` and `ShareLock`) of a
/// transaction.
async fn someone_waits(connection: &mut PgConnection, kind: &str, mode: &str) -> bool {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
         WHERE datname = current_database() AND locktype = '{kind}' AND mode = '{mode}' AND NOT granted)"
    );
    flag(connection, &sql).await
}
