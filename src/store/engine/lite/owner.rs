//! Ensures that only one process at a time serves from a database file or changes its schema. The generation of ids and
//! the counts of rate limits are in the memory of the serving process, so two serving processes would contradict each
//! other. And a running server relies on the version of the schema.

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
    /// Locks a file beside the database. If the folder is missing, creates the folder. The locks of SQLite are not
    /// sufficient, because they allow several processes to use the database. That is right for other processes, such as
    /// a backup. If the file system does not support locks, logs a warning and succeeds.
    ///
    /// # Errors
    /// Unavailable if:
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
                let why =
                    "another process serves from this database: stop it first; several nodes need PostgreSQL";
                Err(failed(&why).into())
            }
            Err(TryLockError::Error(error)) => {
                // a file system without locks
                tracing::warn!(%error, "failed to lock the database; a second process could serve from it");
                Ok(Self { _lock: None })
            }
        }
    }

    /// Returns whether another process has the lock. Does not create the lock file, and does not keep the lock.
    pub(in crate::store) fn is_locked(database: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(lock_path(database));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

/// Rejects a path that does not name a regular file, such as the folder of the database. Also rejects a file with
/// several hard links. The names of SQLite's write-ahead log and of the lock file ([`lock_path`]) are derived from the
/// path of the database. So if two processes used different links to one file, neither would see the writes of the
/// other process.
fn refuse_other_kinds(database: &Path) -> Result<()> {
    match database.metadata() {
        Ok(about) if !about.is_file() => {
            let kind = if about.is_dir() { "a folder" } else { "no regular file" };
            let why = format!(
                "{} is {kind}: a SQLite URL names the database file, such as \
                 sqlite:///var/lib/switchboard/switchboard.db",
                database.display()
            );
            Err(StoreError::unavailable(why).into())
        }
        Ok(about) if about.nlink() > 1 => {
            let why = format!(
                "{}: the database file has {} names (hard links): remove all but one; a copy is made with \
                 `switchboard backup`",
                database.display(),
                about.nlink()
            );
            Err(StoreError::unavailable(why).into())
        }
        // if the file is missing, it is created later
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Returns the path of the lock file. The symbolic links in the path of the database are resolved first. So all paths
/// that lead to the same database have the same lock file.
fn lock_path(database: &Path) -> PathBuf {
    let mut path = real_path(database).into_os_string();
    path.push(".lock");
    path.into()
}

/// Resolves the symbolic links in the path of a file. If the file does not exist, resolves those in the path of its
/// folder.
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
