//! A database that a *transfer* reads or writes. A transfer is a backup, a restore or a move.

use std::path::Path;

use rusqlite::Connection;

use super::row_source::RowSource;
use super::shape::{self, Shape};
use super::tables::FILL_SEARCH_QUEUE;
use super::value::{TableSum, Tally, Value};
use super::{Result, TransferError, lite, pg};
use crate::store::engine::pg::LongSession;
use crate::store::engine::stmt::Stmt;
use crate::store::secrets::{KEYS, KeysInUse};
use crate::store::server::SECRET;
use crate::store::{DatabaseUrl, Engine};

/// How a transfer is isolated from the servers of the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation<'a> {
    /// A server may be running. All reads see one state of the database, and the transfer cannot write to it. On
    /// SQLite, [`Database::open`] copies the database into this new file and opens the copy. The caller deletes the
    /// copy after the transfer.
    Snapshot(&'a Path),
    /// No server is running, and the transfer can write to the database.
    Exclusive,
}

/// An open database of either engine.
pub struct Database(TransferBackend);

enum TransferBackend {
    Lite(Connection),
    Pg(Box<LongSession>),
}

impl Database {
    /// Opens a fully migrated database.
    ///
    /// # Errors
    /// If the database cannot be opened, or the snapshot cannot be created.
    pub async fn open(url: &DatabaseUrl, isolation: Isolation<'_>) -> Result<Self> {
        Ok(Self(match (url, isolation) {
            (DatabaseUrl::Sqlite(path), Isolation::Exclusive) => TransferBackend::Lite(lite::open(path)?),
            (DatabaseUrl::Sqlite(path), Isolation::Snapshot(copy)) => {
                TransferBackend::Lite(lite::snapshot(path, copy)?)
            }
            (DatabaseUrl::Postgres(options), isolation) => {
                let mut session = pg::open(options).await?;
                if isolation != Isolation::Exclusive {
                    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
                    pg::command(&mut session, begin.to_owned()).await?;
                }
                TransferBackend::Pg(Box::new(session))
            }
        }))
    }

    /// Opens a database to read its mark: a row because of which servers do not start on the database
    /// ([`marks`](super::marks)). On PostgreSQL, changes no settings of the session, because behind a pooler in
    /// transaction mode the settings would also apply to other clients.
    pub(super) async fn open_for_marks(url: &DatabaseUrl) -> Result<Self> {
        Ok(Self(match url {
            DatabaseUrl::Sqlite(path) => TransferBackend::Lite(lite::open(path)?),
            DatabaseUrl::Postgres(options) => {
                TransferBackend::Pg(Box::new(LongSession::open(options).await?))
            }
        }))
    }

    /// Closes a database that was only read. On PostgreSQL, the transaction of a snapshot ends with the connection.
    pub async fn end(self) {
        if let TransferBackend::Pg(session) = self.0 {
            session.close().await;
        }
    }

    /// Returns the engine.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.0 {
            TransferBackend::Lite(_) => Engine::Sqlite,
            TransferBackend::Pg(_) => Engine::Postgres,
        }
    }

    /// Returns the names of all tables.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn tables(&mut self) -> Result<Vec<String>> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => lite::tables(connection),
            TransferBackend::Pg(session) => pg::tables(session).await,
        }
    }

    /// Returns the shapes (columns and primary keys) of the tables that a transfer copies, ordered by table name.
    ///
    /// # Errors
    /// If the schema has a table or a column type that transfers do not support. Also errors of the database.
    pub async fn shapes(&mut self) -> Result<Vec<Shape>> {
        let mut shapes = Vec::new();
        for (table, condition) in shape::copied(&self.tables().await?)? {
            shapes.push(match &mut self.0 {
                TransferBackend::Lite(connection) => lite::shape(connection, table, condition)?,
                TransferBackend::Pg(session) => pg::shape(session, table, condition).await?,
            });
        }
        Ok(shapes)
    }

    /// Returns the approximate number of rows to copy from a table, for the progress display. The number is exact on
    /// SQLite. On PostgreSQL, it is an estimate of all rows of the table, including rows that are not copied because
    /// they do not satisfy the condition of the shape.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn estimate(&mut self, shape: &Shape) -> Result<u64> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => {
                let rows: i64 = connection.query_row(&shape.count(), [], |row| row.get(0))?;
                Ok(rows.unsigned_abs())
            }
            TransferBackend::Pg(session) => pg::estimate(session, shape).await,
        }
    }

    /// Returns the tables that have rows to copy. The list is empty if nothing but migrations has written to the
    /// database.
    ///
    /// # Errors
    /// Errors of [`Database::shapes`] and of the database.
    pub async fn filled(&mut self) -> Result<Vec<&'static str>> {
        let mut filled = Vec::new();
        for shape in self.shapes().await? {
            let has_rows = match &mut self.0 {
                TransferBackend::Lite(connection) => {
                    connection.query_row(&shape.exists(), [], |row| row.get(0))?
                }
                TransferBackend::Pg(session) => {
                    let number = format!("SELECT CAST(({}) AS INT)::BIGINT", shape.exists());
                    pg::number(session, number).await? == 1
                }
            };
            if has_rows {
                filled.push(shape.table);
            }
        }
        Ok(filled)
    }

    /// Calls the function `row` with each row to copy from a table, in primary key order.
    ///
    /// # Errors
    /// Errors of the database and of `row`.
    pub async fn each(
        &mut self,
        shape: &Shape,
        row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>,
    ) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => lite::each(connection, shape, row).await,
            TransferBackend::Pg(session) => pg::each(session, shape, row).await,
        }
    }

    /// Writes the rows of `feed` to a table, and returns their count and checksum. Calls `seen(1)` for each row, for
    /// the progress display.
    ///
    /// # Errors
    /// Errors of the database and of `feed`.
    pub async fn load(
        &mut self,
        shape: &Shape,
        feed: &mut impl RowSource,
        mut seen: impl FnMut(u64),
    ) -> Result<TableSum> {
        let mut tally = Tally::default();
        let mut count = |row: &[Value<'_>]| -> Result<()> {
            tally.add(row)?;
            seen(1);
            Ok(())
        };
        match &mut self.0 {
            TransferBackend::Lite(connection) => {
                let mut statement = connection.prepare(&shape.insert())?;
                feed.each(async |row: &[Value<'_>]| {
                    count(row)?;
                    lite::insert(&mut statement, row)
                })
                .await?;
            }
            TransferBackend::Pg(session) => pg::load(session, shape, feed, &mut count).await?,
        }
        Ok(tally.finish())
    }

    /// Reads the rows to copy from a table, and returns their count and checksum.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn sum(&mut self, shape: &Shape) -> Result<TableSum> {
        let mut tally = Tally::default();
        self.each(shape, async |row: &[Value<'_>]| tally.add(row).map(drop)).await?;
        Ok(tally.finish())
    }

    /// Begins the transaction of a transfer that writes to this database.
    ///
    /// # Errors
    /// Errors of the database. On SQLite also if another process is writing.
    pub async fn begin(&mut self) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
            TransferBackend::Pg(session) => pg::command(session, "BEGIN".to_owned()).await?,
        }
        Ok(())
    }

    /// Deletes the rows that an earlier, unfinished transfer has written: all rows of the copied tables and of
    /// `search_queue`, including the database's mark. To be called only if no server has used the database since the
    /// earlier transfer, because rows that a server has written would be deleted too.
    ///
    /// # Errors
    /// Errors of [`Database::shapes`] and of the database.
    pub async fn clear(&mut self) -> Result<()> {
        let tables = self.shapes().await?.into_iter().map(|shape| shape.table).chain(["search_queue"]);
        for table in tables {
            match &mut self.0 {
                TransferBackend::Lite(connection) => {
                    connection.execute_batch(&format!("DELETE FROM {table}"))?;
                }
                TransferBackend::Pg(session) => pg::command(session, format!("TRUNCATE {table}")).await?,
            }
        }
        Ok(())
    }

    /// Queues all messages with text, except system messages, for indexing. A transfer does not copy the full-text
    /// index, so the index is rebuilt from the messages.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn derive(&mut self) -> Result<()> {
        self.run(&FILL_SEARCH_QUEUE).await
    }

    /// Commits the transaction that [`Database::begin`] has begun.
    ///
    /// # Errors
    /// Errors of the database. If the connection to PostgreSQL is lost, it is unknown whether the transaction was
    /// committed.
    pub async fn commit(&mut self) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => connection.execute_batch("COMMIT")?,
            TransferBackend::Pg(session) => pg::command(session, "COMMIT".to_owned()).await?,
        }
        Ok(())
    }

    /// Closes the database after a commit. On SQLite, first checkpoints the write-ahead log. On PostgreSQL, first
    /// collects the statistics for the planner. A failure of this step is only logged, because the data is already
    /// committed.
    pub async fn close(self) {
        let done = match self.0 {
            TransferBackend::Lite(connection) => {
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").map_err(TransferError::from)
            }
            TransferBackend::Pg(mut session) => {
                let analyzed = pg::command(&mut session, "ANALYZE".to_owned()).await;
                session.close().await;
                analyzed
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "failed to checkpoint or analyze the database after the transfer");
        }
    }

    /// Returns the ids of the keys with which the database's secrets are encrypted.
    ///
    /// # Errors
    /// Errors of the database.
    pub async fn keys_in_use(&mut self) -> Result<KeysInUse> {
        let row: Option<Vec<u8>> = self.named(&SECRET, KEYS).await?;
        Ok(row.map_or_else(KeysInUse::default, |bytes| KeysInUse::parse(&bytes)))
    }

    /// Runs a statement without arguments.
    async fn run(&mut self, stmt: &'static Stmt) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => connection.execute_batch(stmt.for_sqlite()?)?,
            TransferBackend::Pg(session) => pg::command(session, stmt.postgres.to_owned()).await?,
        }
        Ok(())
    }

    /// Runs a statement with the argument `name`, and with the second argument `value` if `value` is not `None`.
    pub(super) async fn run_named(
        &mut self,
        stmt: &'static Stmt,
        name: &str,
        value: Option<i64>,
    ) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => {
                match value {
                    Some(value) => connection.execute(stmt.for_sqlite()?, rusqlite::params![name, value]),
                    None => connection.execute(stmt.for_sqlite()?, rusqlite::params![name]),
                }?;
            }
            TransferBackend::Pg(session) => {
                let query = sqlx::query(stmt.postgres).bind(name);
                let query = if let Some(value) = value { query.bind(value) } else { query };
                let LongSession { connection, watch } = &mut **session;
                watch.guard(query.execute(connection)).await?;
            }
        }
        Ok(())
    }

    /// Runs a statement with two arguments: a name, and the bytes to store under this name.
    pub(super) async fn run_bytes(&mut self, stmt: &'static Stmt, name: &str, bytes: &[u8]) -> Result<()> {
        match &mut self.0 {
            TransferBackend::Lite(connection) => {
                connection.execute(stmt.for_sqlite()?, rusqlite::params![name, bytes])?;
            }
            TransferBackend::Pg(session) => {
                let query = sqlx::query(stmt.postgres).bind(name).bind(bytes);
                let LongSession { connection, watch } = &mut **session;
                watch.guard(query.execute(connection)).await?;
            }
        }
        Ok(())
    }

    /// Runs a query with the argument `name`, and returns the value that the query selects; `None` if the query selects
    /// no row.
    pub(super) async fn named<T>(&mut self, stmt: &'static Stmt, name: &str) -> Result<Option<T>>
    where
        T: rusqlite::types::FromSql + Send + Unpin,
        (T,): for<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow>,
    {
        match &mut self.0 {
            TransferBackend::Lite(connection) => {
                let mut statement = connection.prepare(stmt.for_sqlite()?)?;
                let mut rows = statement.query([name])?;
                Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
            }
            TransferBackend::Pg(session) => {
                let query = sqlx::query_as(stmt.postgres).bind(name);
                let LongSession { connection, watch } = &mut **session;
                let found: Option<(T,)> = watch.guard(query.fetch_optional(connection)).await?;
                Ok(found.map(|(value,)| value))
            }
        }
    }
}
