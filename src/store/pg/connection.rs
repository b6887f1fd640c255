//! One PostgreSQL connection during one try of an operation.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query;
use sqlx::{Arguments, AssertSqlSafe, Connection, Postgres, SqlSafeStr};

use super::bounds::{Bounds, COMMIT, Kind};
use super::failure::{Cause, stale_plan};
use super::lease::{Lease, StatementError};
use super::losses::Expired;
use super::overdue::Overdue;
use crate::domain::ids::{AppId, ConnectionId, InstallationId};
use crate::store::error::{Error, Result, StoreError};
use crate::store::locks::{LockKey, Locks};
use crate::store::op::{Engine, Sql};
use crate::store::stmt::Stmt;
use crate::store::values::{FromRow, Row, Val, check};
use crate::store::woken::News;

/// How long BEGIN may take. The server has nothing to do for it, so without an answer the connection is lost.
const BEGIN: Duration = Duration::from_secs(3);

/// A connection, and what failed on it.
pub(super) struct Pg {
    lease: Lease,
    /// Our own deadline of each statement.
    limit: Duration,
    /// Whether statements are prepared by name.
    prepares: bool,
    in_transaction: bool,
    reads_only: bool,
    has_replica: bool,
    failure: Option<Cause>,
    stale_plan: bool,
    news: News,
    /// The locks that were free, of an operation that does not wait for any.
    held: HashSet<i64>,
}

/// Runs one thing on a lease's connection under a deadline, and notes how it ended.
macro_rules! run_on {
    ($lease:expr, $limit:expr, |$connection:ident| $work:expr) => {{
        let (pool, epoch) = ($lease.pool().clone(), $lease.epoch());
        match $lease.connection() {
            Ok($connection) => {
                let done = pool.losses().watch(epoch, $limit, $work).await;
                $lease.ended(done).map_err(Some)
            }
            Err(_) => Err(None),
        }
    }};
}

impl Pg {
    /// Begins a try of an operation: with a transaction, where one is needed, and with the locks it takes.
    pub(super) async fn begin(
        lease: Lease,
        bounds: &Bounds,
        kind: Kind,
        snapshot: bool,
        locks: &Locks,
    ) -> std::result::Result<Self, Cause> {
        let begin = bounds.begin(kind, snapshot);
        let mut pg = Self::on(lease, bounds, kind, begin.is_some());
        let Some(begin) = begin else { return Ok(pg) };
        // a pooler may have to wait for a connection of its own, and locks for those who hold them
        let taking = locks.statement();
        let is_quick = bounds.is_direct() && (taking.is_none() || locks.if_free);
        let limit = if is_quick { BEGIN } else { pg.limit };
        let begin = match taking {
            // numbers only
            Some(taking) => AssertSqlSafe(format!("{}; {taking}", begin.as_str())).into_sql_str(),
            None => begin,
        };
        pg.lease.set_in_transaction(true);
        match run_on!(pg.lease, limit, |connection| sqlx::raw_sql(begin).fetch_all(connection)) {
            Ok(rows) => {
                if locks.if_free {
                    let was_free = |place| rows.first().and_then(|row| sqlx::Row::try_get(row, place).ok());
                    let held = locks.numbers().into_iter().enumerate();
                    pg.held = held
                        .filter(|(place, _)| was_free(*place) == Some(true))
                        .map(|(_, number)| number)
                        .collect();
                }
                Ok(pg)
            }
            Err(Some(StatementError::Expired(_))) if is_quick => {
                Err(Cause::lost("BEGIN was not answered in time"))
            }
            Err(ended) => Err(cause(ended.as_ref())),
        }
    }

    /// A try on a connection where its transaction, if it has one, has begun.
    pub(super) fn on(lease: Lease, bounds: &Bounds, kind: Kind, in_transaction: bool) -> Self {
        Self {
            lease,
            limit: bounds.statement(kind),
            prepares: bounds.prepares(),
            in_transaction,
            reads_only: kind != Kind::Write,
            has_replica: bounds.has_replica(),
            failure: None,
            stale_plan: false,
            news: News::default(),
            held: HashSet::new(),
        }
    }

    /// Commits, gives the connection back and returns what the operation reports. A COMMIT that takes too long is waited
    /// for in the background, and the caller learns that its outcome is unknown.
    pub(super) async fn commit(mut self, overdue: &Overdue) -> std::result::Result<News, Cause> {
        match run_on!(self.lease, COMMIT, |connection| sqlx::raw_sql("COMMIT").execute(connection)) {
            Ok(_) => {
                self.lease.set_in_transaction(false);
                Ok(self.news)
            }
            Err(Some(StatementError::Failed(error))) => {
                // whatever the answer was, the transaction is over
                self.lease.set_in_transaction(false);
                Err(Cause::of_commit(&error))
            }
            Err(Some(StatementError::Expired(Expired::Deadline(_)))) => {
                overdue.wait_in_background(self.lease, self.news);
                Err(Cause::Final(StoreError::unavailable("COMMIT was not answered in time")))
            }
            Err(Some(StatementError::Expired(Expired::Lost))) => {
                Err(Cause::Final(StoreError::unavailable("the connection was lost during COMMIT")))
            }
            Err(None) => Err(cause(None)),
        }
    }

    /// Rolls back where a transaction is open, and gives the connection back.
    pub(super) async fn end(mut self) {
        if !self.in_transaction {
            return;
        }
        match run_on!(self.lease, COMMIT, |connection| sqlx::raw_sql("ROLLBACK").execute(connection)) {
            Ok(_) => self.lease.set_in_transaction(false),
            Err(ended) => {
                // the server rolls back when the connection closes
                tracing::debug!(?ended, "failed to roll back; dropping the connection");
                self.lease.discard();
            }
        }
    }

    /// Why a statement failed, if one did.
    pub(super) async fn take_failure(&mut self) -> Option<Cause> {
        if std::mem::take(&mut self.stale_plan) {
            // in a transaction that has failed this is refused, so the connection may have to go
            let cleared = run_on!(self.lease, self.limit, |connection| connection.clear_cached_statements());
            if cleared.is_err() {
                self.lease.discard();
            }
        }
        self.failure.take()
    }

    /// The epoch of its connection.
    pub(super) fn epoch(&self) -> u64 {
        self.lease.epoch()
    }

    /// The connection is not to be used again.
    pub(super) fn discard(&mut self) {
        self.lease.discard();
    }

    /// Keeps the cause of a failed statement and gives the operation the error.
    fn failed(&mut self, stmt: &Stmt, ended: Option<&StatementError>) -> Error {
        if let Some(StatementError::Failed(error)) = ended {
            self.stale_plan |= stale_plan(error);
        }
        let cause = match cause(ended) {
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
            Ok(arguments) => Ok(sqlx::query_with(stmt.postgres, arguments).persistent(self.prepares)),
            Err(failure) => Err(self.keep(Cause::Final(failure))),
        }
    }

    fn read_row<T: FromRow>(&mut self, stmt: &Stmt, row: &PgRow) -> Result<T> {
        T::from_row(&Row::Pg(row))
            .map_err(|failure| self.keep(Cause::Final(StoreError::bug(format!("{}: {failure}", stmt.name)))))
    }
}

fn cause(ended: Option<&StatementError>) -> Cause {
    match ended {
        Some(ended) => ended.cause(),
        None => Cause::Final(StoreError::bug("the connection was given back")),
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

    fn has_replica(&self) -> bool {
        self.has_replica
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

    fn holds(&self, key: LockKey) -> bool {
        self.held.contains(&key.number())
    }

    async fn exec(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<u64> {
        let query = self.bind(stmt, args)?;
        if self.reads_only {
            // As on SQLite. Without a transaction PostgreSQL would let it pass.
            return Err(self.keep(Cause::Final(StoreError::bug(format!("{}: a read wrote", stmt.name)))));
        }
        match run_on!(self.lease, self.limit, |connection| query.execute(connection)) {
            Ok(done) => Ok(done.rows_affected()),
            Err(ended) => Err(self.failed(stmt, ended.as_ref())),
        }
    }

    async fn opt<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<T>> {
        let query = self.bind(stmt, args)?;
        match run_on!(self.lease, self.limit, |connection| query.fetch_optional(connection)) {
            Ok(Some(row)) => self.read_row(stmt, &row).map(Some),
            Ok(None) => Ok(None),
            Err(ended) => Err(self.failed(stmt, ended.as_ref())),
        }
    }

    async fn one<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<T> {
        let row = self.opt(stmt, args).await?;
        row.ok_or_else(|| StoreError::bug(format!("{}: no row", stmt.name)).into())
    }

    async fn all<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<T>> {
        let query = self.bind(stmt, args)?;
        match run_on!(self.lease, self.limit, |connection| query.fetch_all(connection)) {
            Ok(rows) => rows.iter().map(|row| self.read_row(stmt, row)).collect(),
            Err(ended) => Err(self.failed(stmt, ended.as_ref())),
        }
    }
}
