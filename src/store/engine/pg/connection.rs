//! A PostgreSQL connection that runs the statements of one attempt of an operation.

use std::collections::HashSet;
use std::time::Duration;

use sqlx::postgres::{PgArguments, PgRow};
use sqlx::query::Query as PgQuery;
use sqlx::{Arguments, AssertSqlSafe, Connection, Postgres, SqlSafeStr};

use super::failure::{Cause, is_stale_plan};
use super::lease::{Lease, StatementError};
use super::losses::Expired;
use super::overdue::Overdue;
use super::timeouts::{COMMIT, Timeouts, Workload};
use super::write_queue::Queued;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::lock_key::{LockKey, Locks};
use crate::store::engine::notices::{Notice, Notices};
use crate::store::engine::op::{Engine, Facts, ReadSql, Sql};
use crate::store::engine::stmt::{Command, LockingQuery, Query, Stmt};
use crate::store::engine::values::{FromRow, Row, Val};

/// Timeout of a BEGIN that waits for no lock. The server responds to such a BEGIN at once. So if no response arrives,
/// the connection is lost.
const BEGIN: Duration = Duration::from_secs(3);

/// A connection and the state of the attempt that uses it.
pub(in crate::store) struct Pg {
    lease: Lease,
    /// The time that this process waits for the response to a statement: longer than the server's timeout.
    limit: Duration,
    /// Whether statements are prepared by name.
    prepares: bool,
    in_transaction: bool,
    has_replica: bool,
    failure: Option<Cause>,
    /// Number of statements that the operation has run.
    statements: usize,
    /// Whether a statement failed because its plan is no longer valid.
    stale_plan: bool,
    notices: Notices,
    /// Whether a statement was run that invalidates the token cache.
    changes_owners: bool,
    /// Whether a statement has changed a row.
    has_changed: bool,
    /// If the operation takes only those of its locks that are free ([`Locks::if_free`]): the numbers of the locks that
    /// it holds. Empty for all other operations.
    held: HashSet<i64>,
    /// The queues of the locks that a write takes within its transaction; `None` for a read.
    queued: Option<Queued>,
}

/// Runs a future on the connection of a lease, with a timeout, and records the outcome in the lease.
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
    /// Begins an attempt of an operation. If the attempt needs a transaction, begins the transaction and takes the
    /// locks.
    pub(super) async fn begin(
        lease: Lease,
        timeouts: &Timeouts,
        kind: Workload,
        snapshot: bool,
        locks: &Locks,
    ) -> std::result::Result<Self, Cause> {
        let begin = timeouts.begin(kind, snapshot);
        let mut pg = Self::on(lease, timeouts, kind, begin.is_some());
        let Some(begin) = begin else { return Ok(pg) };
        // A BEGIN can take long in two cases: a pooler has no free connection to the server, or the BEGIN is sent
        // together with a statement that waits for locks.
        let taking = locks.statement();
        let is_quick = timeouts.is_direct() && (taking.is_none() || locks.if_free);
        let limit = if is_quick { BEGIN } else { pg.limit };
        let begin = match taking {
            // safe, because the variable parts of the statement are numbers
            Some(taking) => AssertSqlSafe(format!("{}; {taking}", begin.as_str())).into_sql_str(),
            None => begin,
        };
        pg.lease.set_in_transaction(true);
        match run_on!(pg.lease, limit, |connection| sqlx::raw_sql(begin).fetch_all(connection)) {
            Ok(rows) => {
                if locks.if_free {
                    let was_free = |index| rows.first().and_then(|row| sqlx::Row::try_get(row, index).ok());
                    let held = locks.numbers().into_iter().enumerate();
                    pg.held = held
                        .filter(|(index, _)| was_free(*index) == Some(true))
                        .map(|(_, number)| number)
                        .collect();
                }
                Ok(pg)
            }
            Err(ended) => {
                pg.note_unanswered(ended.as_ref());
                match ended {
                    Some(StatementError::Expired(_)) if is_quick => Err(Cause::lost("BEGIN timed out")),
                    ended => Err(cause(ended.as_ref())),
                }
            }
        }
    }

    /// Creates the state of an attempt on a connection. `in_transaction` is whether the attempt runs in a transaction.
    pub(super) fn on(lease: Lease, timeouts: &Timeouts, kind: Workload, in_transaction: bool) -> Self {
        Self {
            lease,
            limit: timeouts.statement(kind),
            prepares: timeouts.prepares(),
            in_transaction,
            has_replica: timeouts.has_replica(),
            failure: None,
            statements: 0,
            stale_plan: false,
            notices: Notices::default(),
            changes_owners: false,
            has_changed: false,
            held: HashSet::new(),
            queued: None,
        }
    }

    /// Makes [`Sql::enter_queue`] use `queued`. The operation keeps its slots in the queues until the transaction ends.
    pub(super) fn queue_in(&mut self, queued: Queued) {
        self.queued = Some(queued);
    }

    /// Returns the lock in whose queue the operation must wait before it is run again; `None` if it need not wait.
    pub(super) fn awaited_lock(&self) -> Option<LockKey> {
        self.queued.as_ref().and_then(Queued::awaited_lock)
    }

    /// Returns whether a statement was run that invalidates the token cache.
    pub(super) fn changes_owners(&self) -> bool {
        self.changes_owners
    }

    /// Commits the transaction, returns the connection to the pool, and returns the operation's notifications. If
    /// COMMIT times out, a background task waits for its response. The caller gets an error, although the transaction
    /// is possibly committed.
    pub(super) async fn commit(mut self, overdue: &Overdue) -> std::result::Result<Notices, Cause> {
        match run_on!(self.lease, COMMIT, |connection| sqlx::raw_sql("COMMIT").execute(connection)) {
            Ok(_) => {
                self.lease.set_in_transaction(false);
                Ok(self.notices)
            }
            Err(Some(StatementError::Failed(error))) => {
                // if the server has responded to COMMIT, the transaction has ended; if the connection broke, it is not
                // reused
                self.lease.set_in_transaction(false);
                let cause = Cause::of_commit(&error);
                if matches!(cause, Cause::Final(_)) {
                    overdue.unconfirmed(&self.notices);
                }
                Err(cause)
            }
            Err(Some(StatementError::Expired(Expired::Deadline(_)))) => {
                overdue.wait_in_background(self.lease, self.notices);
                Err(Cause::Final(StoreError::unavailable("COMMIT timed out")))
            }
            Err(Some(StatementError::Expired(Expired::Lost))) => {
                overdue.unconfirmed(&self.notices);
                Err(Cause::Final(StoreError::unavailable("the connection was lost during COMMIT")))
            }
            Err(None) => Err(cause(None)),
        }
    }

    /// Rolls back an open transaction and returns the connection to the pool.
    pub(super) async fn end(mut self) {
        if !self.in_transaction {
            return;
        }
        match run_on!(self.lease, COMMIT, |connection| sqlx::raw_sql("ROLLBACK").execute(connection)) {
            Ok(_) => self.lease.set_in_transaction(false),
            Err(ended) => {
                // when the connection is closed, the server rolls the transaction back
                tracing::debug!(?ended, "failed to roll back; dropping the connection");
                self.lease.discard();
            }
        }
    }

    /// Returns why the first failed statement failed; `None` if no statement failed. If a statement failed because its
    /// plan is no longer valid, clears the statements that are cached on the connection.
    pub(super) async fn take_failure(&mut self) -> Option<Cause> {
        if std::mem::take(&mut self.stale_plan) {
            let cleared = run_on!(self.lease, self.limit, |connection| connection.clear_cached_statements());
            if cleared.is_err() {
                self.lease.discard();
            }
        }
        self.failure.take()
    }

    /// Returns [`StoreError::Bug`] if the operation declares that it runs a single statement and has run several,
    /// because these statements can have seen different states of the database.
    pub(super) fn check_single(&self, facts: Facts) -> Result<()> {
        if facts.single && self.statements > 1 {
            return Err(StoreError::bug(format!("{} ran more than a single statement", facts.name)).into());
        }
        Ok(())
    }

    /// Returns the epoch of the connection. `losses` defines the epochs.
    pub(super) fn epoch(&self) -> u64 {
        self.lease.epoch()
    }

    /// Excludes the connection from reuse.
    pub(super) fn discard(&mut self) {
        self.lease.discard();
    }

    /// Stores the cause of a failed statement. Returns the error that the operation receives.
    fn failed(&mut self, stmt: &Stmt, ended: Option<&StatementError>) -> Error {
        if let Some(StatementError::Failed(error)) = ended {
            self.stale_plan |= is_stale_plan(error);
        }
        self.note_unanswered(ended);
        let cause = match cause(ended) {
            Cause::Final(StoreError::Bug(what)) => {
                Cause::Final(StoreError::bug(format!("{}: {what}", stmt.name)))
            }
            cause => cause,
        };
        self.keep(cause)
    }

    /// If no response to a statement arrived in time, records that the server did not respond. Not called for COMMIT:
    /// the server has no timeout for a COMMIT that waits for a standby, so a late response does not mean a lost
    /// connection.
    fn note_unanswered(&self, ended: Option<&StatementError>) {
        if let Some(StatementError::Expired(Expired::Deadline(_))) = ended {
            self.lease.unanswered();
        }
    }

    fn keep(&mut self, cause: Cause) -> Error {
        // Only the first failure is kept. It causes the later failures, because PostgreSQL rejects every further
        // statement of the transaction.
        self.failure.get_or_insert_with(|| cause.clone());
        cause.into()
    }

    fn bind(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
    ) -> Result<PgQuery<'static, Postgres, PgArguments>> {
        self.statements += 1;
        let bound = stmt.check_args(args).and_then(|()| arguments(args));
        match bound {
            Ok(arguments) => {
                self.changes_owners |= stmt.clears_token_cache();
                Ok(sqlx::query_with(stmt.postgres, arguments).persistent(self.prepares))
            }
            Err(failure) => Err(self.keep(Cause::Final(failure))),
        }
    }

    // `fetch_optional`, `fetch_all` and `execute` are not generic. So they are compiled once, and not once for each
    // type of row.
    async fn fetch_optional(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<PgRow>> {
        let query = self.bind(stmt, args)?;
        let done = run_on!(self.lease, self.limit, |connection| query.fetch_optional(connection));
        let row = done.map_err(|ended| self.failed(stmt, ended.as_ref()))?;
        self.note(stmt, u64::from(row.is_some()));
        Ok(row)
    }

    async fn fetch_all(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<PgRow>> {
        let query = self.bind(stmt, args)?;
        let done = run_on!(self.lease, self.limit, |connection| query.fetch_all(connection));
        let rows = done.map_err(|ended| self.failed(stmt, ended.as_ref()))?;
        self.note(stmt, rows.len() as u64);
        Ok(rows)
    }

    async fn execute(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<u64> {
        let query = self.bind(stmt, args)?;
        let done = run_on!(self.lease, self.limit, |connection| query.execute(connection));
        let done = done.map_err(|ended| self.failed(stmt, ended.as_ref()))?;
        self.note(stmt, done.rows_affected());
        Ok(done.rows_affected())
    }

    async fn first_row<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<T>> {
        let row = self.fetch_optional(stmt, args).await?;
        row.map(|row| self.read_row(stmt, &row)).transpose()
    }

    async fn all_rows<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<T>> {
        let rows = self.fetch_all(stmt, args).await?;
        rows.iter().map(|row| self.read_row(stmt, row)).collect()
    }

    /// Records whether a statement has changed a row. `rows` is the number of rows that the statement changed or
    /// returned.
    fn note(&mut self, stmt: &Stmt, rows: u64) {
        self.has_changed |= rows > 0 && stmt.changes_rows();
    }

    fn read_row<T: FromRow>(&mut self, stmt: &Stmt, row: &PgRow) -> Result<T> {
        let read = stmt.check_row::<T>().and_then(|()| T::from_row(&Row::Pg(row)));
        read.map_err(|failure| self.keep(Cause::Final(StoreError::bug(format!("{}: {failure}", stmt.name)))))
    }
}

fn cause(ended: Option<&StatementError>) -> Cause {
    match ended {
        Some(ended) => ended.cause(),
        None => Cause::Final(StoreError::bug("the connection was already returned to the pool")),
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

fn no_row(stmt: &Stmt) -> Error {
    StoreError::bug(format!("{}: no row", stmt.name)).into()
}

impl ReadSql for Pg {
    fn engine(&self) -> Engine {
        Engine::Postgres
    }

    fn has_replica(&self) -> bool {
        self.has_replica
    }

    async fn opt<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Option<T>> {
        self.first_row(query, args).await
    }

    async fn one<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<T> {
        self.first_row(query, args).await?.ok_or_else(|| no_row(query))
    }

    async fn all<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.all_rows(query, args).await
    }
}

impl Sql for Pg {
    fn notify(&mut self, notice: Notice) {
        self.notices.add(notice);
    }

    fn holds(&self, key: LockKey) -> bool {
        self.held.contains(&key.number())
    }

    fn enter_queue(&mut self, keys: &[LockKey]) -> Result<()> {
        match &mut self.queued {
            Some(queued) => Ok(queued.enter(keys)?),
            None => Ok(()),
        }
    }

    fn has_changed(&self) -> bool {
        self.has_changed
    }

    async fn exec(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<u64> {
        self.execute(command, args).await
    }

    async fn exec_opt<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.first_row(command, args).await
    }

    async fn exec_one<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<T> {
        self.first_row(command, args).await?.ok_or_else(|| no_row(command))
    }

    async fn exec_all<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.all_rows(command, args).await
    }

    async fn lock(&mut self, query: &'static LockingQuery, args: &[Val<'_>]) -> Result<()> {
        self.execute(query, args).await.map(|_| ())
    }

    async fn lock_opt<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.first_row(query, args).await
    }

    async fn lock_all<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Vec<T>> {
        self.all_rows(query, args).await
    }
}
