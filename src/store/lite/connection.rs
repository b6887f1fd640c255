//! One SQLite connection: how it is opened, how statements run on it, what its errors mean.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, ffi};

use crate::domain::ids::{AppId, ConnectionId, InstallationId};
use crate::store::error::{Error, Result, StoreError};
use crate::store::locks::LockKey;
use crate::store::op::{Engine, Op, Sql};
use crate::store::stmt::Stmt;
use crate::store::values::{FromRow, Row, Val, check};
use crate::store::woken::News;

/// How long SQLite waits for a lock of another process (a backup, a command of the operator).
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Writer,
    Reader,
}

/// A connection and what happened on it in the current operation.
pub(super) struct Lite {
    connection: Connection,
    role: Role,
    failure: Option<StoreError>,
    news: News,
    /// Statements that the current operation ran.
    statements: usize,
    /// Whether statements of the current transaction change the owners of tokens.
    changes_owners: bool,
}

/// What a checkpoint did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Checkpoint {
    /// Pages in the log.
    pub pages: i64,
    /// Those of them that are in the file.
    pub written: i64,
}

/// Creates the database file, readable by its owner only, and its folder. Does nothing when it exists.
pub(in crate::store) fn create_file(path: &Path) -> Result<()> {
    create_folder(path)?;
    // SQLite gives its -wal and -shm files the same permissions.
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(why) if why.kind() != ErrorKind::AlreadyExists => Err(cannot_make(path, &why)),
        _ => Ok(()),
    }
}

/// Creates the folder of a database file, for its owner only.
pub(super) fn create_folder(path: &Path) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|why| cannot_make(path, &why))
}

fn cannot_make(path: &Path, why: &std::io::Error) -> Error {
    StoreError::unavailable(format!("{}: {why}", path.display())).into()
}

/// A plain connection to an existing file in WAL mode, for looking at its migrations.
pub(in crate::store) fn open_for_migration(path: &Path) -> Result<Connection> {
    Ok(Lite::open(path, Role::Writer, None)?.connection)
}

impl Lite {
    /// Opens an existing file.
    pub(super) fn open(path: &Path, role: Role, max_pages: Option<u32>) -> Result<Self> {
        // Turning a new file to WAL takes a lock that two processes may deny each other without waiting.
        let deadline = Instant::now() + BUSY_TIMEOUT;
        loop {
            match Self::try_open(path, role, max_pages) {
                Err(error)
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && Instant::now() < deadline =>
                {
                    std::thread::sleep(Duration::from_millis(5));
                }
                opened => {
                    return opened
                        .map(|connection| Self {
                            connection,
                            role,
                            failure: None,
                            news: News::default(),
                            statements: 0,
                            changes_owners: false,
                        })
                        .map_err(|error| class_of(&error).into());
                }
            }
        }
    }

    fn try_open(path: &Path, role: Role, max_pages: Option<u32>) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        // synchronous=FULL: with NORMAL a power cut takes acknowledged writes. The writer writes the log back when it
        // has 32 MB: each time costs it as many pages as were changed since, and most were changed again and again.
        // The caches are small because the file is mapped into memory anyway (negative: KiB).
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;
             PRAGMA journal_size_limit = 67108864; PRAGMA mmap_size = 1073741824;
             PRAGMA foreign_keys = ON; PRAGMA temp_store = memory;",
        )?;
        connection.execute_batch(match role {
            Role::Writer => "PRAGMA cache_size = -8192;",
            Role::Reader => "PRAGMA cache_size = -1024; PRAGMA query_only = ON;",
        })?;
        if let Some(pages) = max_pages {
            connection.execute_batch(&format!("PRAGMA max_page_count = {pages};"))?;
        }
        connection.set_prepared_statement_cache_capacity(256);
        Ok(connection)
    }

    /// Runs one operation inside a transaction that the caller has begun and will end.
    pub(super) fn run<O: Op>(&mut self, op: &O) -> Result<O::Out> {
        self.failure = None;
        self.news.clear();
        self.statements = 0;
        let result = catch_unwind(AssertUnwindSafe(|| op.run(self).now_or_never()));
        match result {
            Err(_) => Err(StoreError::bug(format!("{} panicked", O::NAME)).into()),
            Ok(None) => {
                Err(StoreError::bug(format!("{} waited for something else than the store", O::NAME)).into())
            }
            Ok(Some(Ok(_))) if self.failure.is_some() => {
                Err(StoreError::bug(format!("{} went on after a failed statement", O::NAME)).into())
            }
            Ok(Some(_)) if O::SINGLE && self.statements > 1 => {
                Err(StoreError::bug(format!("{} ran more than a single statement", O::NAME)).into())
            }
            Ok(Some(result)) => result,
        }
    }

    /// Why the last statement that failed in the current operation did.
    pub(super) fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    /// What the last operation has to tell.
    pub(super) fn take_news(&mut self) -> News {
        std::mem::take(&mut self.news)
    }

    /// Whether anything changed the owners of tokens since the last time.
    pub(super) fn take_changes_owners(&mut self) -> bool {
        std::mem::take(&mut self.changes_owners)
    }

    /// Runs a transaction command.
    pub(super) fn command(&self, sql: &'static str) -> std::result::Result<(), StoreError> {
        let run = || self.connection.prepare_cached(sql)?.raw_execute();
        run().map(|_| ()).map_err(|error| class_of(&error))
    }

    /// Whether a transaction is open. SQLite ends it by itself on some errors.
    pub(super) fn in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// How many rows this connection has ever changed, also in transactions that were rolled back.
    pub(super) fn changes(&self) -> u64 {
        self.connection.total_changes()
    }

    /// Reads the schema's version.
    pub(super) fn ping(&mut self) -> Result<()> {
        self.connection
            .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))
            .map_err(|error| class_of(&error).into())
    }

    /// Prepares a statement without running it.
    pub(super) fn prepare(&mut self, stmt: &'static Stmt) -> Result<()> {
        self.connection
            .prepare(stmt.for_sqlite()?)
            .map(|_| ())
            .map_err(|error| self.named(stmt, &error).into())
    }

    /// Writes of the WAL back into the file what nobody reads any more, without waiting for anybody.
    pub(super) fn write_back(&self) -> Result<Checkpoint> {
        let read = |row: &rusqlite::Row<'_>| Ok(Checkpoint { pages: row.get(1)?, written: row.get(2)? });
        self.connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], read)
            .map_err(|error| class_of(&error).into())
    }

    /// Writes the WAL back into the file and closes.
    pub(super) fn close(self) {
        if self.role == Role::Writer
            && let Err(error) = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")
        {
            tracing::warn!(%error, "the last checkpoint failed; the write-ahead log is kept");
        }
    }

    /// Prepares and binds, then lets `read` step through the statement.
    fn with<T>(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
        read: impl FnOnce(&mut CachedStatement<'_>) -> std::result::Result<T, Failure>,
    ) -> Result<T> {
        self.statements += 1;
        let run = || {
            check(stmt, args)?;
            self.changes_owners |= stmt.changes_owners()?;
            let mut prepared = self.connection.prepare_cached(stmt.for_sqlite()?)?;
            bind(&mut prepared, args)?;
            read(&mut prepared)
        };
        run().map_err(|failure| {
            let failure = match failure {
                Failure::Sqlite(error) => self.named(stmt, &error),
                Failure::Store(failure) => failure,
            };
            self.failure = Some(failure.clone());
            Error::Store(failure)
        })
    }

    fn named(&self, stmt: &Stmt, error: &rusqlite::Error) -> StoreError {
        match class_of(error) {
            _ if self.role == Role::Reader && error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
                StoreError::bug(format!("{}: a read wrote", stmt.name))
            }
            StoreError::Bug(what) => StoreError::bug(format!("{}: {what}", stmt.name)),
            class => class,
        }
    }
}

/// What stops a statement.
enum Failure {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for Failure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn bind(prepared: &mut CachedStatement<'_>, args: &[Val<'_>]) -> rusqlite::Result<()> {
    for (index, arg) in args.iter().enumerate() {
        let place = index + 1;
        match arg {
            Val::Int(value) => prepared.raw_bind_parameter(place, value)?,
            Val::Text(value) => prepared.raw_bind_parameter(place, value)?,
            Val::Bytes(value) => prepared.raw_bind_parameter(place, value)?,
            Val::List(values) => prepared.raw_bind_parameter(place, json_list(values))?,
            // NULL finds nothing; only statements of PostgreSQL take these
            Val::BytesList(_) => prepared.raw_bind_parameter(place, None::<i64>)?,
        }
    }
    Ok(())
}

fn json_list(values: &[i64]) -> String {
    let numbers: Vec<_> = values.iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(","))
}

// Asynchronous by their shape only: each is finished when first polled.
impl Sql for Lite {
    fn engine(&self) -> Engine {
        Engine::Sqlite
    }

    fn due(&mut self, app: AppId, installation: InstallationId) {
        self.news.due.push((app, installation));
    }

    fn ended(&mut self, connection: ConnectionId) {
        self.news.ended.push(connection);
    }

    fn drain(&mut self, _: LockKey) {}

    fn holds(&self, _: LockKey) -> bool {
        true
    }

    async fn exec(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<u64> {
        self.with(stmt, args, |prepared| Ok(prepared.raw_execute()? as u64))
    }

    async fn opt<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Option<T>> {
        self.with(stmt, args, |prepared| {
            let mut rows = prepared.raw_query();
            let Some(row) = rows.next()? else { return Ok(None) };
            let first = T::from_row(&Row::Lite(row))?;
            // A statement that writes is only done, its constraints only checked, when it is stepped to the end.
            rows.next()?;
            Ok(Some(first))
        })
    }

    async fn one<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<T> {
        let row = self.opt(stmt, args).await?;
        row.ok_or_else(|| StoreError::bug(format!("{}: no row", stmt.name)).into())
    }

    async fn all<T: FromRow>(&mut self, stmt: &'static Stmt, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.with(stmt, args, |prepared| {
            let mut rows = prepared.raw_query();
            let mut all = Vec::new();
            while let Some(row) = rows.next()? {
                all.push(T::from_row(&Row::Lite(row))?);
            }
            Ok(all)
        })
    }
}

/// What an error of SQLite means to the caller.
pub(in crate::store) fn class_of(error: &rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(code, message) = error else {
        return StoreError::bug(error.to_string());
    };
    let unique =
        [ffi::SQLITE_CONSTRAINT_UNIQUE, ffi::SQLITE_CONSTRAINT_PRIMARYKEY, ffi::SQLITE_CONSTRAINT_ROWID];
    if unique.contains(&code.extended_code) {
        let message = message.as_deref().unwrap_or_default();
        let constraint = message.strip_prefix("UNIQUE constraint failed: ").unwrap_or(message).to_owned();
        return StoreError::Unique { constraint };
    }
    match code.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::DiskFull
        | ErrorCode::SystemIoFailure
        | ErrorCode::CannotOpen
        | ErrorCode::PermissionDenied
        | ErrorCode::ReadOnly
        | ErrorCode::OutOfMemory
        | ErrorCode::FileLockingProtocolFailed
        | ErrorCode::OperationInterrupted
        | ErrorCode::DatabaseCorrupt
        | ErrorCode::NotADatabase => StoreError::unavailable(error.to_string()),
        _ => StoreError::bug(error.to_string()),
    }
}
