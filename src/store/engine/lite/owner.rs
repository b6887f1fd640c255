//! Ensures that only one process at a time serves from a database file or changes its schema. Each server generates ids
//! and counts rate limits in its own memory. So two servers could generate the same ids, and would count the limits
//! separately. A running server also relies on the schema, so no other process may migrate the database.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::connection::create_folder;
use crate::store::engine::error::{Result, StoreError};

/// A lock that this process holds while it serves from a database file or migrates it. The operating system releases
/// the lock when the process ends. On a file system without locks, nothing is locked.
#[derive(Debug)]
pub struct FileOwner {
    _lock: Option<File>,
}

impl FileOwner {
    /// Locks a file beside the database. If the folder is missing, creates the folder. If the file system does not
    /// support locks, logs a warning and succeeds.
    ///
    /// The locks of SQLite itself are not sufficient, because they allow several processes to use the database. They
    /// must allow that, because for example a backup reads the database while a server runs.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if:
    ///
    /// - the folder cannot be created;
    /// - the database is not a regular file, or has several hard links;
    /// - the lock file cannot be opened;
    /// - another process has the lock.
    pub(in crate::store) fn of(database: &Path) -> Result<Self> {
        create_folder(database)?;
        refuse_other_kinds(database)?;
        let path = lock_path(database);
        let failed =
            |why: &dyn std::fmt::Display| StoreError::unavailable(format!("{}: {why}", path.display()));
        let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
        let file = file.map_err(|error| failed(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _lock: Some(file) }),
            Err(TryLockError::WouldBlock) => {
                let why = "another process uses this database: stop it first; several nodes need PostgreSQL";
                Err(failed(&why).into())
            }
            Err(TryLockError::Error(error)) => {
                // a file system without locks
                tracing::warn!(%error, "failed to lock the database; a second process could serve from it");
                Ok(Self { _lock: None })
            }
        }
    }

    /// Returns whether a process has the lock. Does not create the lock file, and does not keep the lock.
    pub(in crate::store) fn is_locked(database: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(lock_path(database));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

/// Rejects a path that names a folder or anything else except a regular file. Also rejects a file with several hard
/// links. The names of SQLite's write-ahead log and of the lock file ([`lock_path`]) are derived from the path of the
/// database. So if two processes used different links to one file, each would have its own lock file and its own
/// write-ahead log, and would not see the other's writes.
fn refuse_other_kinds(database: &Path) -> Result<()> {
    match database.metadata() {
        Ok(about) if !about.is_file() => {
            let kind = if about.is_dir() { "a folder" } else { "not a regular file" };
            let why = format!(
                "{} is {kind}: a SQLite URL names the database file, such as \
                 sqlite:///var/lib/switchboard/switchboard.db",
                database.display()
            );
            Err(StoreError::unavailable(why).into())
        }
        Ok(about) if about.nlink() > 1 => {
            let why = format!(
                "{}: the database file has {} names (hard links): remove all names but one; to copy the \
                 database, use `switchboard backup`",
                database.display(),
                about.nlink()
            );
            Err(StoreError::unavailable(why).into())
        }
        // if the file is missing, it is created later
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Returns the path of the lock file. Symbolic links in the path of the database are resolved first, so that all paths
/// that lead to the same database have the same lock file.
fn lock_path(database: &Path) -> PathBuf {
    let mut path = real_path(database).into_os_string();
    path.push(".lock");
    path.into()
}

/// Resolves the symbolic links in the path of a database. If the file does not exist, resolves only the symbolic links
/// in the path of its folder.
fn real_path(database: &Path) -> PathBuf {
    if let Ok(path) = database.canonicalize() {
        return path;
    }
    let folder = database.parent().and_then(|folder| folder.canonicalize().ok());
    match (folder, database.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => database.to_owned(),
    }
}
