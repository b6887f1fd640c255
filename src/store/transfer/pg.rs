//! Transfers from and to PostgreSQL. They use COPY in the binary format.

use futures_util::TryStreamExt as _;
use sqlx::AssertSqlSafe;

use super::pg_binary::{self, Rows};
use super::row_source::RowSource;
use super::shape::{ColumnDescription, Shape};
use super::value::Value;
use super::{Result, TransferError};
use crate::store::engine::pg::LongSession;
use crate::store::engine::url::PostgresUrl;

/// Rows are collected until they have at least this number of bytes, and are then sent together.
const PIECE: usize = 256 << 10;

/// Opens a session without timeouts. A transfer can take hours, and its session is idle while files are copied.
pub(super) async fn open(options: &PostgresUrl) -> Result<LongSession> {
    let mut session = LongSession::open(options).await?;
    session.remove_timeouts().await?;
    Ok(session)
}

/// Runs a command without arguments.
pub(super) async fn command(session: &mut LongSession, sql: String) -> Result<()> {
    session.execute(sql).await?;
    Ok(())
}

/// Runs a query without arguments that selects one number, and returns the number.
pub(super) async fn number(session: &mut LongSession, sql: String) -> Result<i64> {
    let number = sqlx::query_as(AssertSqlSafe(sql));
    let (number,): (i64,) = session.watch.guard(number.fetch_one(&mut session.connection)).await?;
    Ok(number)
}

/// Returns the names of all tables of the current schema. Partitions are not listed, because their rows are read
/// through the partitioned table.
pub(super) async fn tables(session: &mut LongSession) -> Result<Vec<String>> {
    let names = sqlx::query_as(
        "SELECT CAST(relname AS TEXT) FROM pg_class
         WHERE relnamespace = CAST(current_schema() AS regnamespace) AND relkind IN ('r', 'p')
             AND NOT relispartition",
    );
    let names: Vec<(String,)> = session.watch.guard(names.fetch_all(&mut session.connection)).await?;
    Ok(names.into_iter().map(|(name,)| name).collect())
}

/// Returns the columns and the primary key of a table as a [`Shape`]. If there is a `condition`, only the rows that
/// satisfy it are copied.
pub(super) async fn shape(
    session: &mut LongSession,
    table: &'static str,
    condition: Option<&'static str>,
) -> Result<Shape> {
    // `indkey` is an int2vector, whose subscripts start at 0, so 1 is added
    let described = sqlx::query_as(
        "SELECT CAST(a.attname AS TEXT), format_type(a.atttypid, a.atttypmod),
             CAST(COALESCE(array_position(CAST(i.indkey AS int2[]), a.attnum) + 1, 0) AS BIGINT)
         FROM pg_attribute a LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary
         WHERE a.attrelid = CAST(quote_ident($1) AS regclass) AND a.attnum > 0 AND NOT a.attisdropped",
    )
    .bind(table);
    let described: Vec<ColumnDescription> =
        session.watch.guard(described.fetch_all(&mut session.connection)).await?;
    Shape::new(table, condition, described)
}

/// Returns the approximate number of rows of a table. The number comes from the planner's statistics, because an exact
/// count would read the whole table.
pub(super) async fn estimate(session: &mut LongSession, shape: &Shape) -> Result<u64> {
    let rows = sqlx::query_as(
        "SELECT CAST(GREATEST(reltuples, 0) AS BIGINT) FROM pg_class WHERE oid = CAST(quote_ident($1) AS regclass)",
    )
    .bind(shape.table);
    let (rows,): (i64,) = session.watch.guard(rows.fetch_one(&mut session.connection)).await?;
    Ok(rows.unsigned_abs())
}

/// Calls the function `row` with every row of a table, in primary key order. If the shape has a condition, omits the
/// rows that do not satisfy the condition.
pub(super) async fn each(
    session: &mut LongSession,
    shape: &Shape,
    mut row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>,
) -> Result<()> {
    // the collation "C" sorts texts by bytes, as SQLite does
    let copy = format!("COPY ({}) TO STDOUT (FORMAT binary)", shape.select(" COLLATE \"C\""));
    let LongSession { connection, watch } = session;
    let mut stream = watch.guard(connection.copy_out_raw(&copy)).await?;
    let mut rows = Rows::default();
    while let Some(piece) = watch.guard(stream.try_next()).await? {
        rows.take(&piece);
        while let Some(values) = rows.next(shape)? {
            row(&values).await?;
        }
    }
    if !rows.is_complete() {
        return Err(TransferError::refused(format!("reading table {} ended prematurely", shape.table)));
    }
    Ok(())
}

/// Writes the rows of `source` to a table, and passes each row to `seen` first.
pub(super) async fn load(
    session: &mut LongSession,
    shape: &Shape,
    source: &mut impl RowSource,
    mut seen: impl FnMut(&[Value<'_>]) -> Result<()>,
) -> Result<()> {
    let LongSession { connection, watch } = session;
    let watch = &*watch;
    let statement = shape.copy_in();
    let mut copy = watch.guard(connection.copy_in_raw(&statement)).await?;
    let mut unsent = Vec::with_capacity(PIECE * 2);
    pg_binary::write_header(&mut unsent);
    let fed = source
        .each(async |row: &[Value<'_>]| {
            seen(row)?;
            pg_binary::write_row(&mut unsent, shape, row)?;
            if unsent.len() >= PIECE {
                watch.guard(copy.send(&unsent[..])).await?;
                unsent.clear();
            }
            Ok(())
        })
        .await;
    if let Err(error) = fed {
        // the caller gets the first error, so an error of the abort is ignored
        let _ = watch.guard(copy.abort("the transfer failed")).await;
        return Err(error);
    }
    pg_binary::write_trailer(&mut unsent);
    watch.guard(copy.send(&unsent[..])).await?;
    watch.guard(copy.finish()).await?;
    Ok(())
}
