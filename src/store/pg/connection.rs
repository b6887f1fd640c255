//! One PostgreSQL connection during one try of an operation.

use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Arguments, Connection, PgConnection, Postgres, Transaction};

use super::failure::{Cause, stale_plan};
use crate::domain::ids::{AppId, ConnectionId, InstallationId};
use crate::store::error::{Error, Result, StoreError};
use crate::store::locks::LockKey;
use crate::store::op::{Engine, Sql};
use crate::store::stmt::Stmt;
use crate::store::values::{FromRow, Row, Val, check};
use crate::store::woken::News;

/// A connection, and what failed on it.
pub(super) struct Pg {
    inner: Inner,
    reads_only: bool,
    failure: Option<Cause>,
    stale_plan: bool,
    news: News,
}

enum Inner {
    Plain(PoolConnection<Postgres>),
    Transaction(Transaction<'static, Postgres>),
}

impl Pg {
    /// Each statement by itself.
    pub(super) fn reading(connection: PoolConnection<Postgres>) -> Self {
        Self {
            inner: Inner::Plain(connection),
            reads_only: true,
            failure: None,
            stale_plan: false,
            news: News::default(),
        }
    }

    /// A transaction that only reads.
    pub(super) fn snapshot(transaction: Transaction<'static, Postgres>) -> Self {
        Self {
            inner: Inner::Transaction(transaction),
            reads_only: true,
            failure: None,
            stale_plan: false,
            news: News::default(),
        }
    }

    /// A transaction that writes.
    pub(super) fn writing(transaction: Transaction<'static, Postgres>) -> Self {
        Self {
            inner: Inner::Transaction(transaction),
            reads_only: false,
            failure: None,
            stale_plan: false,
            news: News::default(),
        }
    }

    /// What the operation has to tell.
    pub(super) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Commits, and gives the connection back.
    pub(super) async fn commit(self) -> std::result::Result<(), Cause> {
        match self.inner {
            Inner::Plain(_) => Ok(()),
            Inner::Transaction(transaction) => {
                transaction.commit().await.map_err(|error| Cause::of_commit(&error))
            }
        }
    }

    /// Rolls back, and gives the connection back.
    pub(super) async fn end(self) {
        if let Inner::Transaction(transaction) = self.inner
            && let Err(error) = transaction.rollback().await
        {
            // The server rolls back when the connection closes, which the pool does with a broken one.
            tracing::debug!(%error, "could not roll back");
        }
    }

    /// Why a statement failed, if one did.
    pub(super) async fn take_failure(&mut self) -> Option<Cause> {
        if std::mem::take(&mut self.stale_plan)
            && let Err(error) = self.connection().clear_cached_statements().await
        {
            tracing::debug!(%error, "could not forget prepared statements");
        }
        self.failure.take()
    }

    fn connection(&mut self) -> &mut PgConnection {
        match &mut self.inner {
            Inner::Plain(connection) => connection,
            Inner::Transaction(transaction) => transaction,
        }
    }

    /// Keeps the cause of a failed statement and gives the operation the error.
    fn failed(&mut self, stmt: &Stmt, error: &sqlx::Error) -> Error {
        self.stale_plan |= stale_plan(error);
        let cause = match Cause::of(error) {
            Cause::Final(StoreError::Bug(what)) => {
                Cause::Final(StoreError::bug(format!("{}: {what}", stmt.name)))
            }
            cause => cause,
        };
        self.keep(cause)
    }

    fn keep(&mut self, cause: Cause) -> Error {
        // The first failure is the cause of the others: PostgreSQL refuses every statement after it.
        self.failure.get_or_insert_with(|| cause.clone());
        cause.into()
    }

    fn bind(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
    ) -> Result<Query<'static, Postgres, PgArguments>> {
        let bound = check(stmt, args).and_then(|()| arguments(args));
        match bound {
            Ok(arguments) => Ok(sqlx::query_with(stmt.postgres, arguments)),
            Err(failure) => Err(self.keep(Cause::Final(failure))),
        }
    }

    fn read_row<T: FromRow>(&mut self, stmt: &Stmt, row: &PgRow) -> Result<T> {
        T::from_row(&Row::Pg(row))
            .map_err(|failure| self.keep(Cause::Final(StoreError::bug(format!("{}: {failure}", stmt.name)))))
    }
}

fn arguments(args: &[Val<'_>]) -> std::result::Result<PgArguments, StoreError> {
    let mut arguments = PgArguments::default();
    for arg in args {
        match arg {
            Val::Int(value) => arguments.add(*value),
            Val::Text(value) => arguments.add(*value),
            Val::Bytes(value) => arguments.add(*value),
            Val::List(values) => arguments.add(&values[..]),
            Val::BytesList(values) => arguments.add(&values[..]),
        }
        .map_err(|error| StoreError::bug(format!("an argument cannot be encoded: {error}")))?;
    }
    Ok(arguments)
}

impl Sql for Pg {
    fn engine(&self) -> Engine {
        Engine::Postgres
    }

    fn due(&mut self, app: AppId, installation: InstallationId) {
        self.news.due.push((app, installation));
    }

    fn ended(&mut self, connection: ConnectionId) {
        self.news.ended.push(connection);
    }

    fn drain(&mut self, key: LockKey) {
        self.news.drained.push(key);
    }

    async fn exec(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<u64> {
        let query = self.bind(stmt, args)?;
        if self.reads_only {
            // As on SQLite. Without a transaction PostgreSQL would let it pass.
            return Err(self.keep(Cause::Final(StoreError::bug(format!("{}: a read wrote", stmt.name)))));
        }
        match query.execute(self.connection()).await {
            Ok(done) => Ok(done.rows_affected()),
            Err(error) => Err(self.failed(stmt, &error)),
        }
    }

    async fn opt<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<T>> {
        let query = self.bind(stmt, args)?;
        match query.fetch_optional(self.connection()).await {
            Ok(Some(row)) => self.read_row(stmt, &row).map(Some),
            Ok(None) => Ok(None),
            Err(error) => Err(self.failed(stmt, &error)),
        }
    }

    async fn one<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<T> {
        let row = self.opt(stmt, args).await?;
        row.ok_or_else(|| StoreError::bug(format!("{}: no row", stmt.name)).into())
    }

    async fn all<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<T>> {
        let query = self.bind(stmt, args)?;
        match query.fetch_all(self.connection()).await {
            Ok(rows) => rows.iter().map(|row| self.read_row(stmt, row)).collect(),
            Err(error) => Err(self.failed(stmt, &error)),
        }
    }
}
