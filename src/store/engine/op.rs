//! Operations. An operation is one unit of work on the database. It is written once and compiled for both engines.

use super::error::Result;
use super::lock_key::{LockKey, Locks};
use super::log_position::QueriedPosition;
use super::notices::Notice;
use super::stmt::{Command, LockingQuery, Query};
use super::values::{FromRow, Val};

/// A database engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// SQLite: the database is a file that only one node uses.
    Sqlite,
    /// PostgreSQL: the database is a server that several nodes can use.
    Postgres,
}

/// A connection of either engine that runs queries only, for one operation.
///
/// If a statement fails, the operation must return an error, because PostgreSQL has aborted the transaction. So an
/// operation must handle a conflict with `ON CONFLICT …`, and not by inspecting the error.
///
/// If the operation returns `Ok` although a statement failed, the store discards this result, on both engines. On
/// PostgreSQL, the store then runs the operation again if a retry can succeed. If the operation is not run again, its
/// caller gets an error: [`StoreError::Unavailable`](super::error::StoreError::Unavailable) if PostgreSQL was
/// unavailable, and [`StoreError::Bug`](super::error::StoreError::Bug) if the statement failed for any other reason.
pub trait ReadSql: Send {
    /// Returns the engine, for the few operations that differ in more than their SQL between the engines.
    fn engine(&self) -> Engine;

    /// Returns whether replicas answer reads. If the result is `false`, an operation need not query the primary's log
    /// position, because only reads on a replica use it.
    fn has_replica(&self) -> bool {
        false
    }

    /// Returns the first row; `None` if there is no row.
    fn opt<T: FromRow>(
        &mut self,
        query: &'static Query,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Returns the first row; a [`StoreError::Bug`](super::error::StoreError::Bug) if there is no row.
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

/// A connection of either engine that runs statements of all kinds, inside the transaction of one operation.
pub trait Sql: ReadSql {
    /// Records a notification about a change that the operation makes. The notification is published only if the
    /// operation commits.
    fn notify(&mut self, notice: Notice);

    /// Returns whether the operation holds the lock `key`. To be called only by an operation that takes its locks [only
    /// if they are free](Locks::if_free). On SQLite, the result is always `true`, because there is a single writer.
    fn holds(&self, key: LockKey) -> bool;

    /// Enters this process's queue of each of these exclusive locks. The operation takes the locks in its transaction
    /// after this call. Because of the queues, a write that must wait for other writes of this process occupies no
    /// connection while it waits. Does nothing if the operation has already waited in a queue. Does nothing on SQLite,
    /// which has a single writer.
    ///
    /// # Errors
    /// Unavailable if another write of this process is already in one of the queues. The operation must return this
    /// error. The store then rolls the operation back, lets it wait in that queue without a connection, and runs it
    /// again as soon as it is first in the queue.
    fn enter_queue(&mut self, keys: &[LockKey]) -> Result<()>;

    /// Returns whether a statement of the operation has already changed a row. An update to the same values counts as a
    /// change.
    fn has_changed(&self) -> bool;

    /// Runs a command and returns the number of changed rows.
    fn exec(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<u64>> + Send;

    /// Runs a command and returns its first row; `None` if there is no row.
    fn exec_opt<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Runs a command and returns its first row; a [`StoreError::Bug`](super::error::StoreError::Bug) if there is no
    /// row.
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

    /// Runs a locking query and ignores its rows.
    fn lock(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<()>> + Send;

    /// Runs a locking query and returns its first row; `None` if there is no row.
    fn lock_opt<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// Runs a locking query and returns all rows, in the order of the statement.
    fn lock_all<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Vec<T>>> + Send;
}

/// One unit of work that only reads, passed to [`Db::read`](crate::store::Db::read).
///
/// After a serialization failure or a lost connection, the store can run the operation again from the beginning. So the
/// operation must have no side effects. [`ReadOp::run`] must await only calls of its [`ReadSql`] connection, because on
/// SQLite its future is polled only once.
///
/// The connection runs a [`Query`]:
///
/// ```
/// use switchboard::store::{ReadOp, ReadSql, Result, args, statements};
///
/// statements! { NAME_OF: Query = "SELECT name FROM users WHERE id = $1"; }
///
/// struct NameOf(i64);
///
/// impl ReadOp for NameOf {
///     const NAME: &'static str = "name_of";
///     type Out = String;
///
///     async fn run<C: ReadSql>(&self, c: &mut C) -> Result<String> {
///         c.one(&NAME_OF, args![self.0]).await
///     }
/// }
/// ```
///
/// The connection cannot run a [`Command`]. This example differs in the statement's type only:
///
/// ```compile_fail,E0308
/// use switchboard::store::{ReadOp, ReadSql, Result, args, statements};
///
/// statements! { NAME_OF: Command = "SELECT name FROM users WHERE id = $1"; }
///
/// struct NameOf(i64);
///
/// impl ReadOp for NameOf {
///     const NAME: &'static str = "name_of";
///     type Out = String;
///
///     async fn run<C: ReadSql>(&self, c: &mut C) -> Result<String> {
///         c.one(&NAME_OF, args![self.0]).await
///     }
/// }
/// ```
///
/// The connection cannot run a [`LockingQuery`] either:
///
/// ```compile_fail,E0308
/// use switchboard::store::{ReadOp, ReadSql, Result, args, statements};
///
/// statements! { NAME_OF: LockingQuery = "SELECT name FROM users WHERE id = $1"; }
///
/// struct NameOf(i64);
///
/// impl ReadOp for NameOf {
///     const NAME: &'static str = "name_of";
///     type Out = String;
///
///     async fn run<C: ReadSql>(&self, c: &mut C) -> Result<String> {
///         c.one(&NAME_OF, args![self.0]).await
///     }
/// }
/// ```
pub trait ReadOp: Send + Sync + 'static {
    /// The name in metrics and logs, in snake case.
    const NAME: &'static str;

    /// On PostgreSQL, whether all statements of the operation must see the same state of the database. If `true`, the
    /// transaction is REPEATABLE READ, READ ONLY. If `false`, each statement sees what was committed before the
    /// statement started. On SQLite, all statements of an operation always see the same state.
    const SNAPSHOT: bool = false;

    /// Whether the operation runs only one statement. If `true`, SQLite runs the statement without a transaction,
    /// because a transaction would cost about as much as a look-up. If the operation runs a second statement, its
    /// result is a [`StoreError::Bug`](super::error::StoreError::Bug), because the two statements can see different
    /// states of the database.
    const SINGLE: bool = false;

    /// On PostgreSQL, whether a replica may run the operation. The store ensures that the replica has replayed every
    /// write that was acknowledged before the operation began. Must be `false` for a read that decides about a write or
    /// authorizes a caller: reads of tokens, sessions, idempotency keys, limits and consent.
    const REPLICA: bool = false;

    /// Whether the last step of the operation checks a second time that the caller is a member of the conversation. The
    /// check ensures that no data is returned after the removal of the member was acknowledged. On a replica, the check
    /// can miss removals that were committed after the primary's log position was queried. A removal is acknowledged at
    /// the earliest 140 ms after its commit (`FINAL` in `as_of.rs`). So the result of a replica is used only up to
    /// 120 ms after the query of the position (`CURRENT` in `as_of.rs`). If the result arrives later, it is discarded,
    /// and the primary runs the operation.
    const CHECKS_MEMBERSHIP: bool = false;

    /// Returns a position of the primary's log that was queried after the whole request had been received. A replica
    /// may run the operation only after it has replayed the log up to this position. If the result is `None`, the store
    /// queries the position from the primary in a separate round trip.
    fn position(&self) -> Option<QueriedPosition> {
        None
    }

    /// Returns the advisory locks that are taken before the first statement, on PostgreSQL only.
    /// [`Db::hold`](crate::store::Db::hold) and [`Db::write`](crate::store::Db::write) take these locks.
    /// [`Db::read`](crate::store::Db::read) and [`Db::scan`](crate::store::Db::scan) take no locks.
    fn locks(&self) -> Locks {
        Locks::default()
    }

    /// The type of the result.
    type Out: Send + 'static;

    /// Runs the operation. Implementations write `async fn run<C: ReadSql>(&self, c: &mut C) -> Result<…>`.
    fn run<C: ReadSql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Out>> + Send;
}

/// One unit of work in a transaction, passed to [`Db::write`](crate::store::Db::write). Every [`ReadOp`] is also an
/// `Op`.
///
/// After a serialization failure or a lost connection, the store can run the operation again from the beginning. On
/// SQLite, several operations share a transaction, and the failure of one of them can cause all of them to be run
/// again. So the operation must change nothing outside of the store. If the operation returns an `Err`, only its own
/// writes are rolled back. [`Op::run`] must await only calls of its [`Sql`] connection, because on SQLite its future is
/// polled only once.
///
/// An operation that writes is passed to `write`:
///
/// ```
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
/// async fn rename(db: &Db) -> Result<u64> {
///     db.write(Rename(1, String::new())).await
/// }
/// ```
///
/// Such an operation cannot be passed to `read`. This example differs in the method only:
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
/// async fn rename(db: &Db) -> Result<u64> {
///     db.read(Rename(1, String::new())).await
/// }
/// ```
pub trait Op: Send + Sync + 'static {
    /// The name in metrics and logs, in snake case.
    const NAME: &'static str;

    /// On PostgreSQL, whether all statements of the operation must see the same state of the database. If `true`, the
    /// transaction is SERIALIZABLE. If `false`, the transaction is READ COMMITTED, and the operation relies on locks
    /// and unique indexes.
    const SNAPSHOT: bool = false;

    /// Returns the advisory locks that the operation holds from before its first statement until its commit, on
    /// PostgreSQL only. An operation with [`Op::SNAPSHOT`] must not have locks, because its snapshot would be older
    /// than the locks.
    fn locks(&self) -> Locks {
        Locks::default()
    }

    /// The type of the result.
    type Out: Send + 'static;

    /// Runs the operation. Implementations write `async fn run<C: Sql>(&self, c: &mut C) -> Result<…>`.
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

/// Implements [`ReadOp`] or [`Op`] for an operation that consists of one call, usually of a function in a table module.
///
/// ```
/// use switchboard::{domain::ids::UserId, store::{op, users}};
///
/// struct FindUser(UserId);
///
/// op! { ReadOp "find_user", SINGLE: FindUser -> Option<users::User> = |op, c| users::by_id(c, op.0) }
/// ```
///
/// The parts are, in this order: the trait, the name, the type of the operation, the type of its result, and the call.
/// With `ReadOp`, constants such as [`SINGLE`](ReadOp::SINGLE) and [`REPLICA`](ReadOp::REPLICA) can follow the name.
/// The macro sets these constants to `true`. With `Op`, no constants can follow. The call is written as a closure,
/// whose parameters are the operation and the connection. The macro awaits the call. A closure that also converts the
/// result of the call must await the call itself: `Ok(convert(call.await?))`. If an operation needs anything else, for
/// example locks, it must implement the trait without this macro.
#[macro_export]
macro_rules! op {
    ($kind:ident $name:literal $(, $flag:ident)*: $op:ident -> $out:ty = |$this:tt, $c:ident| Ok($value:expr)) => {
        $crate::op! { @impl $kind $name [$($flag)*] $op $out, $this, $c, Ok($value) }
    };
    ($kind:ident $name:literal $(, $flag:ident)*: $op:ident -> $out:ty = |$this:tt, $c:ident| $call:expr) => {
        $crate::op! { @impl $kind $name [$($flag)*] $op $out, $this, $c, $call.await }
    };
    (@impl ReadOp $name:literal [$($flag:ident)*] $op:ident $out:ty, $this:tt, $c:ident, $run:expr) => {
        impl $crate::store::ReadOp for $op {
            const NAME: &'static str = $name;
            $(const $flag: bool = true;)*
            type Out = $out;

            async fn run<C: $crate::store::ReadSql>(&self, $c: &mut C) -> $crate::store::Result<$out> {
                let $this = self;
                $run
            }
        }
    };
    (@impl Op $name:literal [] $op:ident $out:ty, $this:tt, $c:ident, $run:expr) => {
        impl $crate::store::Op for $op {
            const NAME: &'static str = $name;
            type Out = $out;

            async fn run<C: $crate::store::Sql>(&self, $c: &mut C) -> $crate::store::Result<$out> {
                let $this = self;
                $run
            }
        }
    };
}

/// The constants that an operation's implementation of [`Op`] or [`ReadOp`] sets.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Facts {
    pub name: &'static str,
    pub snapshot: bool,
    pub single: bool,
    pub replica: bool,
    pub checks_membership: bool,
}
