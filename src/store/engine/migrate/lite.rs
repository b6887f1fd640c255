//! Migrations on SQLite. All missing migrations run in one transaction, before a server serves from the file.

use std::path::Path;
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior, params};

use super::script::{StatementKind, statements_of};
use super::set::{Migration, Migrations};
use super::{Applied, Migrated, Result, WAIT, compare, failed};
use crate::store::engine::error::{Error, StoreError};
use crate::store::engine::lite::{class_of, create_file, open_for_migration, open_unchanged};

/// The table of applied migrations. It has the form that sqlx creates, because earlier versions of the server used sqlx
/// for migrations.
const CREATE_APPLIED: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    success BOOLEAN NOT NULL,
    checksum BLOB NOT NULL,
    execution_time BIGINT NOT NULL
)";
const EXISTS: &str = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?1)";
const RECORD: &str = "INSERT INTO schema_compatibility (version, oldest_compatible) VALUES (?1, ?2)";
const APPLY: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES (?1, ?2, TRUE, ?3, ?4)";

/// Returns the migrations that were applied to the database in a file. If the file does not exist, the result is empty.
/// Changes nothing.
pub(super) fn applied(path: &Path) -> Result<Applied> {
    if !path.exists() {
        return Ok(Applied::default());
    }
    let applied = open_unchanged(path).and_then(|connection| read(&connection));
    applied.map_err(|error| class_of(&error).into())
}

fn open(path: &Path) -> Result<Connection> {
    let opened = open_for_migration(path).map_err(|error| match error {
        Error::Store(failure) => failure,
        Error::Refused(refusal) => StoreError::bug(refusal.code.as_str()),
    });
    Ok(opened?)
}

fn read(connection: &Connection) -> rusqlite::Result<Applied> {
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

/// Applies the missing migrations.
pub(super) async fn migrate(path: &Path, migrations: &Migrations) -> Result<Migrated> {
    let (path, migrations) = (path.to_owned(), migrations.clone());
    tokio::task::spawn_blocking(move || migrate_blocking(&path, &migrations)).await.map_err(failed)?
}

fn migrate_blocking(path: &Path, migrations: &Migrations) -> Result<Migrated> {
    if let Err(Error::Store(failure)) = create_file(path) {
        return Err(failure.into());
    }
    let schema = compare(migrations, &applied(path)?)?;
    if schema.missing.is_empty() {
        return Ok(Migrated { applied: Vec::new(), newer: schema.newer });
    }
    // this also switches a new file to WAL mode
    let mut connection = open(path)?;
    let applied = run(&mut connection, migrations).map_err(failed)??;
    Ok(Migrated { applied, newer: None })
}

/// Runs the missing migrations in one transaction and returns their versions.
fn run(connection: &mut Connection, migrations: &Migrations) -> rusqlite::Result<Result<Vec<i64>>> {
    connection.busy_timeout(WAIT)?;
    connection.execute_batch("PRAGMA foreign_keys = OFF; PRAGMA synchronous = FULL")?;
    // if two processes migrate at the same time, the second process waits here, and then finds no missing migration
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    transaction.execute_batch(CREATE_APPLIED)?;
    let known = read(&transaction)?.checksums;
    let mut applied = Vec::new();
    for migration in migrations.iter().filter(|migration| !known.contains_key(&migration.version)) {
        if let Err(error) = apply(&transaction, migration) {
            let why = reason(&error);
            return Ok(Err(failed(format!("{}_{}: {why}", migration.version, migration.name))));
        }
        applied.push(migration.version);
    }
    if let Some(broken) = missing_parent(&transaction)? {
        return Ok(Err(failed(broken)));
    }
    transaction.commit()?;
    Ok(Ok(applied))
}

/// Returns the message of an error without the text of the SQL. The text of a migration can have hundreds of lines.
fn reason(error: &rusqlite::Error) -> String {
    match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    }
}

/// Returns a description of the first row whose foreign key refers to a missing row; `None` if there is no such row.
fn missing_parent(transaction: &Transaction<'_>) -> rusqlite::Result<Option<String>> {
    let mut check = transaction.prepare("PRAGMA foreign_key_check")?;
    let mut rows = check.query([])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (table, rowid, parent): (String, Option<i64>, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
    let row = rowid.map_or_else(|| "a row".to_owned(), |rowid| format!("row {rowid}"));
    Ok(Some(format!("{row} of {table} refers to a missing row of {parent}")))
}

fn apply(transaction: &Transaction<'_>, migration: &Migration) -> rusqlite::Result<()> {
    let begun = Instant::now();
    let statements = statements_of(&migration.sql);
    if statements.iter().any(|statement| statement.kind == StatementKind::Batched) {
        for statement in statements {
            match statement.kind {
                StatementKind::Batched => while transaction.execute(&statement.sql, [])? > 0 {},
                _ => transaction.execute_batch(&statement.sql)?,
            }
        }
    } else {
        // not split into statements, because `statements_of` would split a trigger at the semicolons in its body
        transaction.execute_batch(&migration.sql)?;
    }
    transaction.execute(RECORD, params![migration.version, migration.header.oldest_compatible])?;
    let took = i64::try_from(begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
    let applied = params![migration.version, migration.name, migration.checksum, took];
    transaction.execute(APPLY, applied).map(drop)
}
