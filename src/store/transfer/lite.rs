//! Transfers from and to SQLite.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OpenFlags, Statement, params};

use super::shape::{ColumnDescription, Shape};
use super::value::Value;
use super::{Result, TransferError};
use crate::store::engine::lite::open_for_migration;

/// Page cache of a connection that loads a database, in KiB.
const LOADING_CACHE: i64 = 65_536;

/// Opens a database for reading and writing: for a transfer, or to read the database's marks (see
/// [`marks`](super::marks)).
pub(super) fn open(path: &Path) -> Result<Connection> {
    let connection = open_for_migration(path)?;
    connection.pragma_update(None, "cache_size", -LOADING_CACHE)?;
    Ok(connection)
}

/// Copies the database at `path` to the new file `copy`, and opens the copy. A server may use the database during the
/// copy, because the single statement `VACUUM INTO` reads one state of the database. While the statement runs, the
/// server cannot complete a checkpoint, so its write-ahead log grows.
pub(super) fn snapshot(path: &Path, copy: &Path) -> Result<Connection> {
    let text =
        copy.to_str().ok_or_else(|| TransferError::refused(format!("{} is not UTF-8", copy.display())))?;
    // created here with mode 0600, because SQLite would create it with the permissions that the umask allows
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(copy);
    made.map_err(|error| TransferError::refused(format!("cannot create {}: {error}", copy.display())))?;
    open_for_migration(path)?.execute("VACUUM INTO ?1", params![text])?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(copy, flags)?)
}

/// Returns the names of all tables, except SQLite's internal tables and the shadow tables of the full-text index.
pub(super) fn tables(connection: &Connection) -> Result<Vec<String>> {
    let mut list = connection.prepare(
        "SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND type IN ('table', 'virtual') AND substr(name, 1, 7) <> 'sqlite_'",
    )?;
    let names = list.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    Ok(names)
}

/// Returns the columns and the primary key of a table as a [`Shape`]. If there is a `condition`, only the rows that
/// satisfy it are copied.
pub(super) fn shape(
    connection: &Connection,
    table: &'static str,
    condition: Option<&'static str>,
) -> Result<Shape> {
    let mut list =
        connection.prepare("SELECT name, type, pk FROM pragma_table_xinfo(?1) WHERE hidden = 0")?;
    let rows = list.query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let described: Vec<ColumnDescription> = rows.collect::<rusqlite::Result<_>>()?;
    Shape::new(table, condition, described)
}

/// Calls the function `row` with every row of a table, in primary key order. If the shape has a condition, omits the
/// rows that do not satisfy the condition.
pub(super) async fn each(
    connection: &Connection,
    shape: &Shape,
    mut row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>,
) -> Result<()> {
    let mut statement = connection.prepare(&shape.select(""))?;
    let mut rows = statement.query([])?;
    while let Some(found) = rows.next()? {
        let mut values = Vec::with_capacity(shape.columns.len());
        for (index, column) in shape.columns.iter().enumerate() {
            let wrong = |what: &str| {
                TransferError::refused(format!(
                    "column {} of table {} holds {what}",
                    column.name, shape.table
                ))
            };
            values.push(match found.get_ref(index)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(number) => Value::Integer(number),
                ValueRef::Text(text) => Value::Text(
                    std::str::from_utf8(text).map_err(|_| wrong("text that is not valid UTF-8"))?.into(),
                ),
                ValueRef::Blob(bytes) => Value::Bytes(bytes.into()),
                ValueRef::Real(_) => return Err(wrong("a floating-point number")),
            });
        }
        row(&values).await?;
    }
    Ok(())
}

/// Inserts a row with the statement of [`Shape::insert`].
pub(super) fn insert(statement: &mut Statement<'_>, row: &[Value<'_>]) -> Result<()> {
    for (index, value) in row.iter().enumerate() {
        let borrowed = match value {
            Value::Null => ValueRef::Null,
            Value::Integer(number) => ValueRef::Integer(*number),
            Value::Text(text) => ValueRef::Text(text.as_bytes()),
            Value::Bytes(bytes) => ValueRef::Blob(bytes),
        };
        statement.raw_bind_parameter(index + 1, ToSqlOutput::Borrowed(borrowed))?;
    }
    statement.raw_execute()?;
    Ok(())
}
