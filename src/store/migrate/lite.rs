//! Migrations on SQLite: all in one transaction, before anything is served from the file.

use std::path::Path;
use std::time::Instant;

use sqlx::migrate::Migrate;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, SqliteConnection};

use super::script::{StatementKind, statements_of};
use super::set::{Migration, Migrations};
use super::{Applied, Migrated, Result, WAIT, compare, failed};
use crate::store::error::{Error, StoreError};
use crate::store::lite::{class_of, create_file, open_for_migration};

const EXISTS: &str = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)";
const RECORD: &str = "INSERT INTO schema_compatibility (version, oldest_compatible) VALUES (?1, ?2)";
const APPLY: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (?1, ?2, TRUE, ?3, ?4)";

/// What the database in a file has been through; nothing when there is no file.
pub(super) fn applied(path: &Path) -> Result<Applied> {
    if !path.exists() {
        return Ok(Applied::default());
    }
    let connection = open_for_migration(path).map_err(|error| match error {
        Error::Store(failure) => failure,
        Error::Refused(refusal) => StoreError::bug(refusal.code.as_str()),
    })?;
    read(&connection).map_err(|error| class_of(&error).into())
}

fn read(connection: &rusqlite::Connection) -> rusqlite::Result<Applied> {
    let mut applied = Applied::default();
    let exists = |table: &str| connection.query_row(EXISTS, [table], |row| row.get::<_, bool>(0));
    if exists("_sqlx_migrations")? {
        let mut list = connection.prepare("SELECT version, checksum FROM _sqlx_migrations")?;
        applied.checksums =
            list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    }
    if exists("schema_compatibility")? {
        let mut list = connection.prepare("SELECT version, oldest_compatible FROM schema_compatibility")?;
        applied.oldest_compatible =
            list.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    }
    Ok(applied)
}

/// Runs the migrations that are missing.
pub(super) async fn migrate(path: &Path, migrations: &Migrations) -> Result<Migrated> {
    if let Err(Error::Store(failure)) = create_file(path) {
        return Err(failure.into());
    }
    // Also turns a new file to WAL.
    let schema = compare(migrations, &applied(path)?)?;
    if schema.missing.is_empty() {
        return Ok(Migrated { applied: Vec::new(), newer: schema.newer });
    }
    let options = SqliteConnectOptions::new().filename(path).foreign_keys(false).busy_timeout(WAIT);
    let options = options.pragma("synchronous", "FULL");
    let mut connection = options.disable_statement_logging().connect().await.map_err(failed)?;
    // another process that migrates waits here, then finds nothing left to do
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    transaction.ensure_migrations_table("_sqlx_migrations").await.map_err(failed)?;
    let known: Vec<(i64,)> = sqlx::query_as("SELECT version FROM _sqlx_migrations")
        .fetch_all(&mut *transaction)
        .await
        .map_err(failed)?;
    let mut applied = Vec::new();
    for migration in migrations.iter().filter(|migration| !known.contains(&(migration.version,))) {
        apply(&mut transaction, migration)
            .await
            .map_err(|error| failed(format!("{}_{}: {error}", migration.version, migration.name)))?;
        applied.push(migration.version);
    }
    let broken: Vec<(String, Option<i64>, String, i64)> =
        sqlx::query_as("PRAGMA foreign_key_check").fetch_all(&mut *transaction).await.map_err(failed)?;
    if let Some((table, row, parent, _)) = broken.first() {
        return Err(failed(format!("row {row:?} of {table} refers to a missing row of {parent}")));
    }
    transaction.commit().await.map_err(failed)?;
    connection.close().await.map_err(failed)?;
    Ok(Migrated { applied, newer: None })
}

async fn apply(connection: &mut SqliteConnection, migration: &Migration) -> sqlx::Result<()> {
    let begun = Instant::now();
    let statements = statements_of(&migration.sql);
    if statements.iter().any(|statement| statement.kind == StatementKind::Batched) {
        for statement in statements {
            let is_repeated = statement.kind == StatementKind::Batched;
            loop {
                let sql = AssertSqlSafe(statement.sql.clone());
                let changed = sqlx::raw_sql(sql).execute(&mut *connection).await?.rows_affected();
                if changed == 0 || !is_repeated {
                    break;
                }
            }
        }
    } else {
        // as a whole: triggers have semicolons of their own
        sqlx::raw_sql(AssertSqlSafe(migration.sql.to_string())).execute(&mut *connection).await?;
    }
    let record = sqlx::query(RECORD).bind(migration.version).bind(migration.header.oldest_compatible);
    record.execute(&mut *connection).await?;
    let took = i64::try_from(begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
    let apply = sqlx::query(APPLY).bind(migration.version).bind(migration.name.to_string());
    apply.bind(migration.checksum.to_vec()).bind(took).execute(connection).await?;
    Ok(())
}
