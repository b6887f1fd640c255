//! Opens SQLite connections, runs statements on them, and maps their errors to store errors.

use std::fs::{DirBuilder, OpenOptions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, config::DbConfig, ffi};

use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::notices::Notices;
use crate::store::engine::op::Facts;
use crate::store::engine::stmt::Stmt;
use crate::store::engine::values::Val;

/// How long SQLite waits for a lock of another process, for example of a backup or an operator's command.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The purpose of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Writer,
    Reader,
}

/// A connection, with the state of the operation that runs on it.
pub(in crate::store) struct Lite {
    connection: Connection,
    role: Role,
    failure: Option<StoreError>,
    pub(super) notices: Notices,
    /// Number of statements that the current operation has run.
    statements: usize,
    /// The value of [`Lite::changes`] before the current operation.
    pub(super) changes_before: u64,
    /// Whether a statement that invalidates the token cache was run after the last call of
    /// [`Lite::take_changes_owners`].
    changes_owners: bool,
}

/// The result of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Checkpoint {
    /// Number of pages in the write-ahead log.
    pub pages: i64,
    /// Number of pages of the log that were written to the database file.
    pub written: i64,
}

impl Checkpoint {
    /// Returns whether every page of the log was written to the database file.
    pub const fn is_complete(self) -> bool {
        self.written >= self.pages
    }
}

/// Creates the database file and its folder with access for their owner only. Does not change an existing file or
/// folder.
pub(in crate::store) fn create_file(path: &Path) -> Result<()> {
    create_folder(path)?;
    // SQLite gives its files `-wal` and `-shm` the permissions of the database file
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(path) {
        Err(why) if why.kind() != ErrorKind::AlreadyExists => Err(cannot_make(path, &why)),
        _ => Ok(()),
    }
}

/// Creates the folder of a database file with access for the folder's owner only. Does not change an existing folder.
pub(super) fn create_folder(path: &Path) -> Result<()> {
    let Some(folder) = path.parent() else { return Ok(()) };
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|why| cannot_make(path, &why))
}

fn cannot_make(path: &Path, why: &std::io::Error) -> Error {
    StoreError::unavailable(format!("{}: {why}", path.display())).into()
}

/// Opens an existing file for reading, and leaves its journal mode unchanged.
pub(in crate::store) fn open_unchanged(path: &Path) -> rusqlite::Result<Connection> {
    // not SQLITE_OPEN_READ_ONLY, because a read-only connection can fail to delete the files of the write-ahead log
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.execute_batch("PRAGMA query_only = ON;")?;
    Ok(connection)
}

/// Opens an existing file in WAL mode, for migrations.
pub(in crate::store) fn open_for_migration(path: &Path) -> Result<Connection> {
    Ok(Lite::open(path, Role::Writer, None)?.connection)
}

impl Lite {
    /// Opens an existing file, and switches it to WAL mode.
    pub(super) fn open(path: &Path, role: Role, max_pages: Option<u32>) -> Result<Self> {
        // SQLite takes a lock to switch a new file to WAL mode. If two processes do this at the same time, SQLite can
        // return SQLITE_BUSY at once, without the wait of the busy timeout. So the loop repeats the attempt.
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
                            notices: Notices::default(),
                            statements: 0,
                            changes_before: 0,
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
        // - synchronous = FULL, because with NORMAL a power cut loses acknowledged writes.
        // - wal_autocheckpoint: the writer makes a checkpoint only when the log has 8000 pages (32 MB). A checkpoint
        //   writes each changed page once, however often the page was changed since the last checkpoint. So fewer
        //   checkpoints write less.
        // - journal_size_limit: when SQLite restarts the log, it truncates the log's file to 64 MB.
        // - The caches are small, because the file is memory-mapped. A negative cache size is in KiB.
        connection.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 8000;
             PRAGMA journal_size_limit = 67108864; PRAGMA mmap_size = 1073741824;
             PRAGMA foreign_keys = ON; PRAGMA temp_store = memory;",
        )?;
        connection.execute_batch(match role {
            // secure_delete = FAST overwrites deleted content with zeros where this writes no additional page
            Role::Writer => "PRAGMA cache_size = -8192; PRAGMA secure_delete = FAST;",
            Role::Reader => "PRAGMA cache_size = -1024; PRAGMA query_only = ON;",
        })?;
        if let Some(pages) = max_pages {
            connection.execute_batch(&format!("PRAGMA max_page_count = {pages};"))?;
        }
        // Enables the query planner stability guarantee. Without this guarantee, SQLite decides by the values of the
        // arguments whether it can use a partial index. So it compiles a prepared statement again whenever such a value
        // changes.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        connection.set_prepared_statement_cache_capacity(256);
        Ok(connection)
    }

    /// Runs an operation by calling `run`. The caller begins and ends the transaction, except for a read of a single
    /// statement, which needs no transaction.
    ///
    /// # Errors
    /// - A [`StoreError::Bug`] if the operation panics, if it returns `Ok` although a statement failed, or if it runs
    ///   several statements although it declares a single one.
    /// - The errors of the operation.
    pub(super) fn run(&mut self, facts: Facts, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let Facts { name, single, .. } = facts;
        self.failure = None;
        self.notices.clear();
        self.statements = 0;
        self.changes_before = self.changes();
        let result = catch_unwind(AssertUnwindSafe(|| run(self)));
        match result {
            Err(_) => Err(StoreError::bug(format!("{name} panicked")).into()),
            Ok(Ok(())) if self.failure.is_some() => {
                Err(StoreError::bug(format!("{name} continued after a failed statement")).into())
            }
            Ok(_) if single && self.statements > 1 => {
                Err(StoreError::bug(format!("{name} ran more than a single statement")).into())
            }
            Ok(result) => result,
        }
    }

    /// Returns the error of the last failed statement of the current operation; `None` if no statement failed.
    pub(super) fn failure(&self) -> Option<&StoreError> {
        self.failure.as_ref()
    }

    /// Removes and returns the notifications of the last operation.
    pub(super) fn take_notices(&mut self) -> Notices {
        std::mem::take(&mut self.notices)
    }

    /// Returns whether a statement that invalidates the token cache was run after the last call of this method.
    pub(super) fn take_changes_owners(&mut self) -> bool {
        std::mem::take(&mut self.changes_owners)
    }

    /// Runs a command such as BEGIN, COMMIT or SAVEPOINT.
    pub(super) fn command(&self, sql: &'static str) -> std::result::Result<(), StoreError> {
        let run = || self.connection.prepare_cached(sql)?.raw_execute();
        run().map(|_| ()).map_err(|error| class_of(&error))
    }

    /// Returns whether a transaction is open. After some errors, SQLite itself ends the transaction.
    pub(super) fn in_transaction(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Returns the number of rows that this connection has changed since it was opened. Changes that were rolled back
    /// count too.
    pub(super) fn changes(&self) -> u64 {
        self.connection.total_changes()
    }

    /// Reads the schema table, to check that the file is readable.
    pub(super) fn ping(&mut self) -> Result<()> {
        self.connection
            .query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))
            .map_err(|error| class_of(&error).into())
    }

    /// Prepares a statement without running it, and returns the names of its columns.
    pub(super) fn prepare(&mut self, stmt: &'static Stmt) -> Result<Vec<String>> {
        let prepared = self.connection.prepare(stmt.for_sqlite()?);
        let prepared = prepared.map_err(|error| self.named(stmt, &error))?;
        Ok(prepared.column_names().into_iter().map(str::to_owned).collect())
    }

    /// Makes a passive checkpoint, which does not wait for readers and blocks neither readers nor the writer.
    pub(super) fn checkpoint(&self) -> Result<Checkpoint> {
        let read = |row: &rusqlite::Row<'_>| Ok(Checkpoint { pages: row.get(1)?, written: row.get(2)? });
        self.connection
            .query_row("PRAGMA wal_checkpoint(PASSIVE)", [], read)
            .map_err(|error| class_of(&error).into())
    }

    /// Closes the connection. If it is the writer's connection, first checkpoints the whole write-ahead log and
    /// truncates the log.
    pub(super) fn close(self) {
        if self.role == Role::Writer
            && let Err(error) = self.connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")
        {
            tracing::warn!(%error, "failed to checkpoint on close; the write-ahead log is kept");
        }
    }

    /// Prepares a statement and binds its arguments. Then calls `read`, which steps through the statement.
    pub(super) fn with<T>(
        &mut self,
        stmt: &'static Stmt,
        args: &[Val<'_>],
        read: impl FnOnce(&mut CachedStatement<'_>) -> std::result::Result<T, StatementFailure>,
    ) -> Result<T> {
        self.statements += 1;
        let run = || {
            stmt.check_args(args)?;
            self.changes_owners |= stmt.clears_token_cache();
            let mut prepared = self.connection.prepare_cached(stmt.for_sqlite()?)?;
            bind(&mut prepared, args)?;
            read(&mut prepared)
        };
        run().map_err(|failure| {
            let failure = match failure {
                StatementFailure::Sqlite(error) => self.named(stmt, &error),
                StatementFailure::Store(failure) => failure,
            };
            self.failure = Some(failure.clone());
            Error::Store(failure)
        })
    }

    fn named(&self, stmt: &Stmt, error: &rusqlite::Error) -> StoreError {
        match class_of(error) {
            _ if self.role == Role::Reader && error.sqlite_error_code() == Some(ErrorCode::ReadOnly) => {
                StoreError::bug(format!("{}: a read-only operation tried to write", stmt.name))
            }
            StoreError::Bug(what) => StoreError::bug(format!("{}: {what}", stmt.name)),
            class => class,
        }
    }
}

/// Why a statement failed.
pub(super) enum StatementFailure {
    Sqlite(rusqlite::Error),
    Store(StoreError),
}

impl From<rusqlite::Error> for StatementFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<StoreError> for StatementFailure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn bind(prepared: &mut CachedStatement<'_>, args: &[Val<'_>]) -> rusqlite::Result<()> {
    for (index, arg) in args.iter().enumerate() {
        let parameter = index + 1;
        match arg {
            Val::Int(value) => prepared.raw_bind_parameter(parameter, value)?,
            Val::Text(value) => prepared.raw_bind_parameter(parameter, value)?,
            Val::Bytes(value) => prepared.raw_bind_parameter(parameter, value)?,
            Val::List(values) => prepared.raw_bind_parameter(parameter, json_list(values))?,
            // lists of byte strings are for PostgreSQL only; here NULL is bound, which matches nothing
            Val::BytesList(_) => prepared.raw_bind_parameter(parameter, None::<i64>)?,
        }
    }
    Ok(())
}

fn json_list(values: &[i64]) -> String {
    let numbers: Vec<_> = values.iter().map(i64::to_string).collect();
    format!("[{}]", numbers.join(","))
}

/// Maps a SQLite error to a store error.
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

#[cfg(test)]
mod tests {
    use rusqlite::StatementStatus;

    use super::*;

    #[test]
    fn a_statement_is_not_compiled_again_for_other_arguments() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        Connection::open(&file).unwrap();
        let connection = Lite::try_open(&file, Role::Writer, None).unwrap();
        connection
            .execute_batch("CREATE TABLE t (a, b); CREATE INDEX t_of_large ON t (a, b) WHERE b >= 5;")
            .unwrap();
        let mut statement = connection.prepare("SELECT a FROM t WHERE a = ?1 AND b >= ?2").unwrap();
        for argument in 4..8 {
            assert!(!statement.exists([1, argument]).unwrap());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
