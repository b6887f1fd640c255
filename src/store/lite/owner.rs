//! One process serves from a database file, or changes its schema: ids and rate limits are in the process's memory, and
//! what runs knows the schema it began with.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::connection::create_folder;
use crate::store::error::{Result, StoreError};

/// Held for as long as this process serves from a file, or migrates it; the system lets go of it when the process ends.
#[derive(Debug)]
pub struct Owner {
    _lock: Option<File>,
}

impl Owner {
    /// Becomes the one that serves from the file, by a lock on a file beside it, whose folder is made. SQLite's own
    /// locks are no use here: other processes, such as a backup, may read and write the database all the same.
    ///
    /// # Errors
    /// Unavailable when another process serves from it, the file has several names, or the lock's file cannot be made.
    pub(in crate::store) fn of(database: &Path) -> Result<Self> {
        create_folder(database)?;
        refuse_hard_links(database)?;
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
                tracing::warn!(%error, "nothing keeps a second process from serving from this database");
                Ok(Self { _lock: None })
            }
        }
    }

    /// Whether another has become it; the lock's file is not made, and not held on to.
    pub(in crate::store) fn is_there(database: &Path) -> bool {
        let file = OpenOptions::new().write(true).open(lock_path(database));
        file.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
    }
}

/// Refuses a file with several hard links. SQLite keeps its log and our lock under the name that a process uses, so two
/// processes with different names would each miss what the other one writes.
fn refuse_hard_links(database: &Path) -> Result<()> {
    match database.metadata() {
        Ok(about) if about.nlink() > 1 => {
            let why = format!(
                "{}: the database file has {} names (hard links): remove all but one; a copy is made with \
                 `switchboard backup`",
                database.display(),
                about.nlink()
            );
            Err(StoreError::unavailable(why).into())
        }
        // a file that is not there yet is made later
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The lock's file, beside the file that symbolic links lead to, so that every path to a database has the same lock.
fn lock_path(database: &Path) -> PathBuf {
    let mut path = real_path(database).into_os_string();
    path.push(".lock");
    path.into()
}

/// The path without symbolic links; of a file that does not exist, that of its folder.
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
