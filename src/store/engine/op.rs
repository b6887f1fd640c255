//! Operations: one unit of work against the store, written once and compiled for both engines.

use super::error::Result;
use super::lock_key::{LockKey, Locks};
use super::log_position::QueriedPosition;
use super::notices::Notice;
use super::stmt::{Command, LockingQuery, Query};
use super::values::{FromRow, Val};

/// A database engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// A file used by one node.
    Sqlite,
    /// A server shared by several nodes.
    Postgres,
}

/// A connection of either engine that runs queries, inside the transaction of one operation.
///
/// After a call fails, the operation must return an error, because PostgreSQL has aborted the transaction. If the
/// operation returns `Ok` anyway, its result is [`StoreError::Bug`](super::error::StoreError::Bug) on both engines. So
/// handle a conflict with `ON CONFLICT …`, not by inspecting the error.
pub trait ReadSql: Send {
    /// Returns the engine, for the few operations that differ between the engines in more than their SQL.
    fn engine(&self) -> Engine;

    /// Returns whether replicas answer reads. Only then is it worthwhile to read the primary's log position.
    fn has_replica(&self) -> bool {
        false
    }

    /// Returns the first row, if any.
    fn opt<T: FromRow>(
        &mut self,
        query: &'static Query,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Returns the first row; a [`StoreError::Bug`](super::error::StoreError::Bug) if there is none.
    fn one<T: FromRow>(
        &mut self,
        query: &'static Query,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<T>> + Send;

    /// Returns all rows, in the order of the statement.
    fn all<T: FromRow>(
        &mut self,
        query: &'static Query,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Vec<T>>> + Send;
}

/// A connection of either engine that runs every statement, inside the transaction of one operation.
pub trait Sql: ReadSql {
    /// Records a notification of a change by the operation. It is published only if the operation
    /// commits.
    fn notify(&mut self, notice: Notice);

    /// Returns whether the operation holds a lock that it took [if it was free](Locks::if_free).
    /// Always `true` on SQLite, which has a single writer.
    fn holds(&self, key: LockKey) -> bool;

    /// Enters the queues of exclusive locks, before the operation takes the locks in its transaction. Does nothing on
    /// SQLite, which has a single writer.
    ///
    /// # Errors
    /// Unavailable if other writes of this process are in one of the queues. Then the operation is rolled back, and run
    /// again when it is first in that queue.
    fn enter_queue(&mut self, keys: &[LockKey]) -> Result<()>;

    /// Returns whether a statement of the operation has changed a row so far. A row that is updated
    /// to the same values counts.
    fn has_changed(&self) -> bool;

    /// Runs a command and returns the number of changed rows.
    fn exec(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<u64>> + Send;

    /// Runs a command and returns its first row, if any.
    fn exec_opt<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Runs a command and returns its first row; a [`StoreError::Bug`](super::error::StoreError::Bug) if there is
    /// none.
    fn exec_one<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<T>> + Send;

    /// Runs a command and returns its rows.
    fn exec_all<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Vec<T>>> + Send;

    /// Runs a query that locks, and ignores its rows.
    fn lock(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<()>> + Send;

    /// Returns the first row of a query that locks, if any.
    fn lock_opt<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Returns all rows of a query that locks, in the order of the statement.
    fn lock_all<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Vec<T>>> + Send;
}

/// One unit of work that only reads, passed to [`Db::read`](crate::store::Db::read).
///
/// The operation may be run again from the beginning, after a serialization failure or a lost connection. So it must
/// change nothing. [`ReadOp::run`] must await nothing but its [`ReadSql`] connection, because on SQLite it is polled
/// only once.
///
/// The connection cannot run a [`Command`]:
///
/// ```compile_fail,E0308
/// use switchboard::store::{ReadOp, ReadSql, Result, args, statements};
///
/// statements! { RENAME: Command = "UPDATE users SET name = $2 WHERE id = $1 RETURNING name"; }
///
/// struct Rename(i64, String);
///
/// impl ReadOp for Rename {
///     const NAME: &'static str = "rename";
///     type Out = String;
///
///     async fn run<C: ReadSql>(&self, c: &mut C) -> Result<String> {
///         c.one(&RENAME, args![self.0, &self.1]).await
///     }
/// }
/// ```
pub trait ReadOp: Send + Sync + 'static {
    /// The name in metrics and logs, in snake case.
    const NAME: &'static str;

    /// On PostgreSQL, whether all statements must see one state of the database. If so, the transaction is REPEATABLE
    /// READ, READ ONLY. Otherwise each statement sees what is committed when it starts. On SQLite every operation sees
    /// one state.
    const SNAPSHOT: bool = false;

    /// Whether the operation runs a single statement. A single statement sees one state anyway. So SQLite runs it
    /// without a transaction, which would cost about as much as a look-up. If the operation runs a second statement,
    /// its result is a [`StoreError::Bug`](super::error::StoreError::Bug).
    const SINGLE: bool = false;

    /// On PostgreSQL, whether the read may run on a replica that has replayed everything acknowledged before the read
    /// began. Must be `false` for reads that decide a write, and for reads that authorize a caller (tokens, sessions,
    /// idempotency keys, limits, consent).
    const REPLICA: bool = false;

    /// Whether the operation ends with a second check of a membership. The check ensures that no data are returned
    /// after the removal of the member was acknowledged. On a replica this check sees only the removals that were
    /// committed before the position of the log was queried. So the result of a replica is used only within 120 ms
    /// after that query (`CURRENT` in `as_of.rs`). Later, the primary runs the operation.
    const CHECKS_MEMBERSHIP: bool = false;

    /// Returns a position of the primary's log that was read after the whole request was received.
    /// If it is `None`, the position is queried from the primary in a separate round trip.
    fn position(&self) -> Option<QueriedPosition> {
        None
    }

    /// On PostgreSQL, the advisory locks that are taken before the first statement.
    /// [`Db::hold`](crate::store::Db::hold) and [`Db::write`](crate::store::Db::write) take them,
    /// [`Db::read`](crate::store::Db::read) does not.
    fn locks(&self) -> Locks {
        Locks::default()
    }

    /// The result.
    type Out: Send + 'static;

    /// Runs the operation. Implementations write `async fn run<C: ReadSql>(&self, c: &mut C) ->
    /// Result<…>`.
    fn run<C: ReadSql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Out>> + Send;
}

/// One unit of work in a transaction, passed to [`Db::write`](crate::store::Db::write). Every [`ReadOp`] is
/// also an `Op`.
///
/// The operation may be run again from the beginning, after a serialization failure or a lost connection, or if its
/// batch is split up. So it must change nothing but the store. An `Err` rolls back the writes of this operation only.
/// [`Op::run`] must await nothing but its [`Sql`] connection, because on SQLite it is polled only once.
///
/// An operation that writes cannot be passed to `read`:
///
/// ```compile_fail,E0277
/// use switchboard::store::{Db, Op, Result, Sql, args, statements};
///
/// statements! { RENAME: Command = "UPDATE users SET name = $2 WHERE id = $1"; }
///
/// struct Rename(i64, String);
///
/// impl Op for Rename {
///     const NAME: &'static str = "rename";
///     type Out = u64;
///
///     async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
///         c.exec(&RENAME, args![self.0, &self.1]).await
///     }
/// }
///
/// async fn wrong(db: &Db) -> Result<u64> {
///     db.read(Rename(1, String::new())).await
/// }
/// ```
pub trait Op: Send + Sync + 'static {
    /// The name in metrics and logs, in snake case.
    const NAME: &'static str;

    /// On PostgreSQL, whether all statements must see one state of the database. If so, the transaction is
    /// SERIALIZABLE. Otherwise it is READ COMMITTED, and the operation relies on locks and unique indexes.
    const SNAPSHOT: bool = false;

    /// On PostgreSQL, the advisory locks that the operation holds from before its first statement until its commit.
    /// Cannot be combined with [`Op::SNAPSHOT`], whose snapshot is older than the locks.
    fn locks(&self) -> Locks {
        Locks::default()
    }

    /// The result.
    type Out: Send + 'static;

    /// Runs the operation. Implementations write `async fn run<C: Sql>(&self, c: &mut C) ->
    /// Result<…>`.
    fn run<C: Sql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Out>> + Send;
}

impl<R: ReadOp> Op for R {
    const NAME: &'static str = R::NAME;
    const SNAPSHOT: bool = R::SNAPSHOT;
    type Out = R::Out;

    fn locks(&self) -> Locks {
        ReadOp::locks(self)
    }

    fn run<C: Sql>(&self, c: &mut C) -> impl Future<Output = Result<R::Out>> + Send {
        ReadOp::run(self, c)
    }
}

/// Implements [`ReadOp`] or [`Op`] for an operation that consists of one call, usually of a function of a
/// table module.
///
/// ```
/// use switchboard::{domain::ids::UserId, store::{op, users}};
///
/// struct FindUser(UserId);
///
/// op! { ReadOp "find_user", SINGLE: FindUser -> Option<users::User> = |op, c| users::by_id(c, op.0) }
/// ```
///
/// `SINGLE` after the trait and the name sets [`ReadOp::SINGLE`]. Then follow the type of the operation, its result,
/// and the call. The call is a closure whose parameters name the operation and the connection. An operation with other
/// properties implements the trait itself.
#[macro_export]
macro_rules! op {
    (ReadOp $name:literal, SINGLE: $($rest:tt)+) => {
        $crate::op! { @read $name [const SINGLE: bool = true;] $($rest)+ }
    };
    (ReadOp $name:literal: $($rest:tt)+) => {
        $crate::op! { @read $name [] $($rest)+ }
    };
    (@read $name:literal [$($single:tt)*] $op:ident -> $out:ty = |$this:tt, $c:ident| $run:expr) => {
        impl $crate::store::ReadOp for $op {
            const NAME: &'static str = $name;
            $($single)*
            type Out = $out;

            async fn run<C: $crate::store::ReadSql>(&self, $c: &mut C) -> $crate::store::Result<$out> {
                let $this = self;
                $run.await
            }
        }
    };
    (Op $name:literal: $op:ident -> $out:ty = |$this:tt, $c:ident| $run:expr) => {
        impl $crate::store::Op for $op {
            const NAME: &'static str = $name;
            type Out = $out;

            async fn run<C: $crate::store::Sql>(&self, $c: &mut C) -> $crate::store::Result<$out> {
                let $this = self;
                $run.await
            }
        }
    };
}

/// The constants of an operation's [`Op`] or [`ReadOp`].
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Facts {
    pub name: &'static str,
    pub snapshot: bool,
    pub single: bool,
    pub replica: bool,
    pub checks_membership: bool,
}
