//! A library for `LD_PRELOAD`. It replaces `fsync` and `fdatasync` of the C library, to simulate a disk that loses
//! everything that was not synced.
//!
//! This file is not part of the crate: `power_cut.rs` compiles it. The library calls no C function directly. It has
//! unsafe code for two purposes only: to export functions under names of the C library, and to use the file descriptors
//! of their callers.
//!
//! Whenever a file of the database is synced, the library copies the file to the folder in the environment variable
//! `DISK_SYNCED`. This copy is what survives a power cut. Writes are not intercepted. No real sync is done, because no
//! real power cut follows. With `DISK_SYNCS=checkpoints`, the write-ahead log is copied only when the database file is
//! synced at the end of a checkpoint. So a power cut loses the commits since the last checkpoint, as with
//! `synchronous=NORMAL` in SQLite.

use std::fs::{self, File};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The file descriptor with which the write-ahead log was last synced.
static LOG: Mutex<Option<i32>> = Mutex::new(None);

#[unsafe(no_mangle)]
pub extern "C" fn fsync(descriptor: i32) -> i32 {
    synced(descriptor)
}

#[unsafe(no_mangle)]
pub extern "C" fn fdatasync(descriptor: i32) -> i32 {
    synced(descriptor)
}

fn synced(descriptor: i32) -> i32 {
    let Some(name) = name_of(descriptor) else { return 0 };
    let checkpoints_only = std::env::var("DISK_SYNCS").is_ok_and(|syncs| syncs == "checkpoints");
    // the lock allows one copy at a time, so that an older copy does not replace a newer one
    let mut log = LOG.lock().unwrap_or_else(PoisonError::into_inner);
    if name == "data.db-wal" {
        *log = Some(descriptor);
        if !checkpoints_only {
            keep(&name, descriptor);
        }
    } else if name == "data.db" {
        if checkpoints_only && let Some(log) = *log && name_of(log).is_some_and(|name| name == "data.db-wal") {
            keep("data.db-wal", log);
        }
        keep(&name, descriptor);
    }
    0
}

fn name_of(descriptor: i32) -> Option<String> {
    let path = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    Some(path.file_name()?.to_str()?.to_owned())
}

/// Copies a file through its open descriptor. If the library opened the file again, closing the file would release the
/// POSIX locks that SQLite holds on the file.
fn keep(name: &str, descriptor: i32) {
    let Some(folder) = std::env::var_os("DISK_SYNCED").map(PathBuf::from) else { return };
    // SAFETY: the caller keeps the descriptor open during this call, and this function does not close it
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    let copy = || {
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, 0)?;
        let unfinished = folder.join(format!("{name}.unfinished"));
        fs::write(&unfinished, bytes)?;
        // if the process is killed while it copies, the previous copy remains
        fs::rename(unfinished, folder.join(name))
    };
    if let Err(error) = copy() {
        eprintln!("the simulated disk failed to copy {name}: {error}");
        std::process::abort();
    }
}
