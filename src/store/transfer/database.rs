//! A database that is read from or written to as a whole.

use std::path::Path;

use rusqlite::Connection;
use sqlx::{Connection as _, PgConnection};

use super::shape::{self, Shape};
use super::tables::FILL_SEARCH_QUEUE;
use super::value::{TableSum, Tally, Value};
use super::{Result, TransferError, lite, pg};
use crate::store::pg::connect;
use crate::store::stmt::Stmt;
use crate::store::{DatabaseUrl, Engine};

/// What the reads of a transfer must not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Isolation<'a> {
    /// Changes by a server that runs: reads come from one state of the database. SQLite puts a copy of it into the
    /// file that is named, which the caller deletes.
    Snapshot(&'a Path),
    /// Nothing: no server runs, and the connection may write.
    Exclusive,
}

/// Rows to be written to a table, in the order of the primary key.
#[allow(async_fn_in_trait, reason = "awaited by the commands alone, on one thread")]
pub trait Feed {
    /// Gives every row to `row`, and stops at its first error.
    ///
    /// # Errors
    /// Those of `row`, and of reading.
    async fn each(&mut self, row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>) -> Result<()>;
}

/// An open database of either engine.
pub struct Database(Backend);

enum Backend {
    Lite(Connection),
    Pg(Box<PgConnection>),
}

impl Database {
    /// Opens a database with all migrations.
    ///
    /// # Errors
    /// When it cannot be reached, or the file of a snapshot cannot be made.
    pub async fn open(url: &DatabaseUrl, isolation: Isolation<'_>) -> Result<Self> {
        Ok(Self(match (url, isolation) {
            (DatabaseUrl::Sqlite(path), Isolation::Exclusive) => Backend::Lite(lite::open(path)?),
            (DatabaseUrl::Sqlite(path), Isolation::Snapshot(copy)) => {
                Backend::Lite(lite::snapshot(path, copy)?)
            }
            (DatabaseUrl::Postgres(options), isolation) => {
                let mut connection = pg::open(options).await?;
                if isolation != Isolation::Exclusive {
                    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
                    pg::command(&mut connection, begin.to_owned()).await?;
                }
                Backend::Pg(Box::new(connection))
            }
        }))
    }

    /// Opens a database for a look at its marks, as a server does at its start: without settings for the session, which a
    /// pooler in transaction mode would leave to others.
    pub(super) async fn glance(url: &DatabaseUrl) -> Result<Self> {
        Ok(Self(match url {
            DatabaseUrl::Sqlite(path) => Backend::Lite(lite::open(path)?),
            DatabaseUrl::Postgres(options) => Backend::Pg(Box::new(connect(options).await?)),
        }))
    }

    /// Closes a database that was only read; the transaction of a snapshot ends with the connection.
    pub async fn end(self) {
        if let Backend::Pg(connection) = self.0 {
            // a connection that breaks here is closed as well
            let _ = connection.close().await;
        }
    }

    /// Which engine it is.
    #[must_use]
    pub fn engine(&self) -> Engine {
        match &self.0 {
            Backend::Lite(_) => Engine::Sqlite,
            Backend::Pg(_) => Engine::Postgres,
        }
    }

    /// The names of all tables.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn tables(&mut self) -> Result<Vec<String>> {
        match &mut self.0 {
            Backend::Lite(connection) => lite::tables(connection),
            Backend::Pg(connection) => pg::tables(connection).await,
        }
    }

    /// The tables that are copied, in order of their names.
    ///
    /// # Errors
    /// When the schema has a table or a type that no transfer knows.
    pub async fn shapes(&mut self) -> Result<Vec<Shape>> {
        let mut shapes = Vec::new();
        for (table, condition) in shape::copied(&self.tables().await?)? {
            shapes.push(match &mut self.0 {
                Backend::Lite(connection) => lite::shape(connection, table, condition)?,
                Backend::Pg(connection) => pg::shape(connection, table, condition).await?,
            });
        }
        Ok(shapes)
    }

    /// About how many rows a table has, for progress.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn estimate(&mut self, shape: &Shape) -> Result<u64> {
        match &mut self.0 {
            Backend::Lite(connection) => {
                let rows: i64 = connection.query_row(&shape.count(), [], |row| row.get(0))?;
                Ok(rows.unsigned_abs())
            }
            Backend::Pg(connection) => pg::estimate(connection, shape).await,
        }
    }

    /// The tables that have rows of their own; none in a database that is new or was only migrated.
    ///
    /// # Errors
    /// Those of [`Database::shapes`].
    pub async fn filled(&mut self) -> Result<Vec<&'static str>> {
        let mut filled = Vec::new();
        for shape in self.shapes().await? {
            let has_rows = match &mut self.0 {
                Backend::Lite(connection) => connection.query_row(&shape.exists(), [], |row| row.get(0))?,
                Backend::Pg(connection) => {
                    let number = format!("SELECT CAST(({}) AS INT)::BIGINT", shape.exists());
                    pg::number(connection, number).await? == 1
                }
            };
            if has_rows {
                filled.push(shape.table);
            }
        }
        Ok(filled)
    }

    /// Gives every copied row of a table to `row`, in the order of the primary key.
    ///
    /// # Errors
    /// Those of the database and of `row`.
    pub async fn each(
        &mut self,
        shape: &Shape,
        row: impl AsyncFnMut(&[Value<'_>]) -> Result<()>,
    ) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => lite::each(connection, shape, row).await,
            Backend::Pg(connection) => pg::each(connection, shape, row).await,
        }
    }

    /// Writes rows to a table and returns what was written; `seen` is called for each row.
    ///
    /// # Errors
    /// Those of the database and of the feed.
    pub async fn load(
        &mut self,
        shape: &Shape,
        feed: &mut impl Feed,
        mut seen: impl FnMut(u64),
    ) -> Result<TableSum> {
        let mut tally = Tally::default();
        let mut count = |row: &[Value<'_>]| -> Result<()> {
            tally.add(row)?;
            seen(1);
            Ok(())
        };
        match &mut self.0 {
            Backend::Lite(connection) => {
                let mut statement = connection.prepare(&shape.insert())?;
                feed.each(async |row: &[Value<'_>]| {
                    count(row)?;
                    lite::insert(&mut statement, row)
                })
                .await?;
            }
            Backend::Pg(connection) => pg::load(connection, shape, feed, &mut count).await?,
        }
        Ok(tally.finish())
    }

    /// Counts a table's rows and computes its checksum by reading them.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn sum(&mut self, shape: &Shape) -> Result<TableSum> {
        let mut tally = Tally::default();
        self.each(shape, async |row: &[Value<'_>]| tally.add(row).map(drop)).await?;
        Ok(tally.finish())
    }

    /// Begins the transaction of a transfer into this database.
    ///
    /// # Errors
    /// Those of the database; on SQLite when another process writes.
    pub async fn begin(&mut self) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => connection.execute_batch("BEGIN IMMEDIATE")?,
            Backend::Pg(connection) => pg::command(connection, "BEGIN".to_owned()).await?,
        }
        Ok(())
    }

    /// Deletes every row that an earlier transfer copied or derived; no server has run on the database since.
    ///
    /// # Errors
    /// Those of [`Database::shapes`].
    pub async fn clear(&mut self) -> Result<()> {
        let tables = self.shapes().await?.into_iter().map(|shape| shape.table).chain(["search_queue"]);
        for table in tables {
            match &mut self.0 {
                Backend::Lite(connection) => connection.execute_batch(&format!("DELETE FROM {table}"))?,
                Backend::Pg(connection) => pg::command(connection, format!("TRUNCATE {table}")).await?,
            }
        }
        Ok(())
    }

    /// Fills the derived tables that are filled by a statement.
    ///
    /// # Errors
    /// Those of the database.
    pub async fn derive(&mut self) -> Result<()> {
        self.run(&FILL_SEARCH_QUEUE).await
    }

    /// Commits it; what was written is durable then.
    ///
    /// # Errors
    /// Those of the database; on PostgreSQL the outcome is unknown when the connection broke.
    pub async fn commit(&mut self) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => connection.execute_batch("COMMIT")?,
            Backend::Pg(connection) => pg::command(connection, "COMMIT".to_owned()).await?,
        }
        Ok(())
    }

    /// Closes the database after a commit: writes SQLite's log back into the file, and collects the statistics that
    /// PostgreSQL's planner needs. Failures of either are logged: the data is committed.
    pub async fn close(self) {
        let done = match self.0 {
            Backend::Lite(connection) => {
                connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").map_err(TransferError::from)
            }
            Backend::Pg(mut connection) => {
                let analyzed = pg::command(&mut connection, "ANALYZE".to_owned()).await;
                let _ = connection.close().await;
                analyzed
            }
        };
        if let Err(error) = done {
            tracing::warn!(%error, "failed to tidy the database after the transfer");
        }
    }

    /// Runs a statement without arguments.
    async fn run(&mut self, stmt: &'static Stmt) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => connection.execute_batch(stmt.for_sqlite()?)?,
            Backend::Pg(connection) => pg::command(connection, stmt.postgres.to_owned()).await?,
        }
        Ok(())
    }

    /// Runs a statement about a named number; `value` is its second argument, if it takes one.
    pub(super) async fn run_named(
        &mut self,
        stmt: &'static Stmt,
        name: &str,
        value: Option<i64>,
    ) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => {
                match value {
                    Some(value) => connection.execute(stmt.for_sqlite()?, rusqlite::params![name, value]),
                    None => connection.execute(stmt.for_sqlite()?, rusqlite::params![name]),
                }?;
            }
            Backend::Pg(connection) => {
                let query = sqlx::query(stmt.postgres).bind(name);
                let query = if let Some(value) = value { query.bind(value) } else { query };
                query.execute(&mut **connection).await?;
            }
        }
        Ok(())
    }

    /// Runs a statement about named bytes.
    pub(super) async fn run_bytes(&mut self, stmt: &'static Stmt, name: &str, bytes: &[u8]) -> Result<()> {
        match &mut self.0 {
            Backend::Lite(connection) => {
                connection.execute(stmt.for_sqlite()?, rusqlite::params![name, bytes])?;
            }
            Backend::Pg(connection) => {
                sqlx::query(stmt.postgres).bind(name).bind(bytes).execute(&mut **connection).await?;
            }
        }
        Ok(())
    }

    /// The number that a statement returns for a name.
    pub(super) async fn named_number(&mut self, stmt: &'static Stmt, name: &str) -> Result<Option<i64>> {
        match &mut self.0 {
            Backend::Lite(connection) => {
                let mut statement = connection.prepare(stmt.for_sqlite()?)?;
                let mut rows = statement.query([name])?;
                Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
            }
            Backend::Pg(connection) => {
                let query = sqlx::query_as(stmt.postgres).bind(name);
                Ok(query.fetch_optional(&mut **connection).await?.map(|(value,): (i64,)| value))
            }
        }
    }

    /// The bytes that a statement returns for a name.
    pub(super) async fn named_bytes(&mut self, stmt: &'static Stmt, name: &str) -> Result<Option<Vec<u8>>> {
        match &mut self.0 {
            Backend::Lite(connection) => {
                let mut statement = connection.prepare(stmt.for_sqlite()?)?;
                let mut rows = statement.query([name])?;
                Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
            }
            Backend::Pg(connection) => {
                let query = sqlx::query_as(stmt.postgres).bind(name);
                Ok(query.fetch_optional(&mut **connection).await?.map(|(value,): (Vec<u8>,)| value))
            }
        }
    }
}
