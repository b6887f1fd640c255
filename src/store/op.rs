//! Operations: one unit of work against the store, written once and compiled for both engines.

use super::error::Result;
use super::locks::{LockKey, Locks};
use super::position::LogPosition;
use super::stmt::Stmt;
use super::values::{FromRow, Val};
use crate::domain::ids::{AppId, ConnectionId, InstallationId};

/// Which database answers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// One file, one node.
    Sqlite,
    /// A server that several nodes share.
    Postgres,
}

/// One connection of either engine, inside the transaction of one operation.
///
/// After a call has failed the operation must return an error as well: PostgreSQL has given the transaction up by
/// then. An operation that returns `Ok` all the same is turned into [`StoreError::Bug`](super::StoreError::Bug) on
/// both engines. So expect a conflict with `ON CONFLICT …`, not by looking at the error.
pub trait Sql: Send {
    /// For the rare operation that must differ in more than its texts.
    fn engine(&self) -> Engine;

    /// Whether replicas answer reads, so that it is worth asking the primary for the position in its log.
    fn has_replica(&self) -> bool {
        false
    }

    /// Notes that an installation of an app has one more event to be delivered: reported to
    /// [`Db::woken`](super::Db::woken) when, and only if, the operation is committed.
    fn due(&mut self, app: AppId, installation: InstallationId);

    /// Notes that a connection ended, or a session on it: told to [`Db::endings`](super::Db::endings) when, and only
    /// if, the operation is committed.
    fn ended(&mut self, connection: ConnectionId);

    /// Notes that the operation changes a fact others rely on while they hold this lock shared: the operation is
    /// answered only when, after its commit, everybody who held the lock has ended. See [`locks`](super::locks).
    fn drain(&mut self, key: LockKey);

    /// Whether the operation holds a lock that it took [if it was free](Locks::if_free). Always on SQLite, which has one
    /// writer.
    fn holds(&self, key: LockKey) -> bool;

    /// Runs a statement that gives no rows; the number of rows it changed.
    fn exec(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> impl Future<Output = Result<u64>> + Send;

    /// The first row, if there is one.
    fn opt<T: FromRow>(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Option<T>>> + Send;

    /// The first row; a [`StoreError::Bug`](super::StoreError::Bug) if there is none.
    fn one<T: FromRow>(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<T>> + Send;

    /// All rows, in the order of the statement.
    fn all<T: FromRow>(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
    ) -> impl Future<Output = Result<Vec<T>>> + Send;
}

/// One unit of work, given to [`Db::read`](super::Db::read) or [`Db::write`](super::Db::write).
///
/// It may be run again from its beginning (serialization failures, lost connections, a batch that has to be taken
/// apart), so it changes nothing but the store. An `Err` rolls its writes back, and theirs only. It waits for
/// nothing but its [`Sql`] connection: SQLite runs it to the end in one go.
pub trait Op: Send + Sync + 'static {
    /// For metrics and logs, in snake case.
    const NAME: &'static str;

    /// On PostgreSQL, whether its statements must all see one state of the database. A read then runs REPEATABLE
    /// READ, READ ONLY (else each statement sees what is committed by then); a write runs SERIALIZABLE (else READ
    /// COMMITTED, where locks and unique indexes must do). On SQLite every operation sees one state.
    const SNAPSHOT: bool = false;

    /// Whether it reads with a single statement. Such a statement sees one state by itself, so SQLite needs no
    /// transaction around it, which costs about as much as a look-up. A second statement is then a
    /// [`StoreError::Bug`](super::StoreError::Bug) on SQLite.
    const SINGLE: bool = false;

    /// On PostgreSQL, whether a read may be answered by a replica that has replayed everything that was answered before the
    /// read began. Not for what refuses or admits a caller (tokens, sessions, idempotency keys, limits, consent), nor for
    /// what decides a write.
    const REPLICA: bool = false;

    /// The position of the primary's log, asked for after everything that the caller sent was received. Without one the
    /// primary is asked for it, in a round trip of its own.
    fn position(&self) -> Option<LogPosition> {
        None
    }

    /// On PostgreSQL, the advisory locks that a write holds from before its first statement to its commit. Not
    /// together with [`Op::SNAPSHOT`], whose one state is from before the locks were granted.
    fn locks(&self) -> Locks {
        Locks::default()
    }

    /// The answer.
    type Out: Send + 'static;

    /// The work. Implementations write `async fn run<C: Sql>(&self, c: &mut C) -> Result<…>`.
    fn run<C: Sql>(&self, c: &mut C) -> impl Future<Output = Result<Self::Out>> + Send;
}
