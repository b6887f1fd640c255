//! A disk that forgets what was not synced, as a library that stands before the C library's `fsync` (LD_PRELOAD).
//!
//! Not part of the crate: `power_cut.rs` compiles it for itself. It calls no C function, so all that is unsafe in it is
//! to give two functions the names of the C library's, and to borrow the file descriptors they are called with.
//!
//! At each sync of one of the database's files it copies the file to the folder `DISK_SYNCED`: what it holds at that
//! moment survives a power cut. Writes are left alone; nothing is really synced, because nothing is really cut.
//! With `DISK_SYNCS=checkpoints` a sync of the write-ahead log is not taken for one until the database file is synced,
//! at the end of a checkpoint: what SQLite does with `synchronous=NORMAL`.

use std::fs::{self, File};
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The last descriptor of the write-ahead log that was synced.
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
    // one at a time, and in order: a copy must not overtake a later one
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

/// Copies a file by its open descriptor: to open and close it would drop the locks SQLite holds on it.
fn keep(name: &str, descriptor: i32) {
    let Some(folder) = std::env::var_os("DISK_SYNCED").map(PathBuf::from) else { return };
    // SAFETY: the caller has the descriptor open for the time of this call, and it is not closed here
    let file = ManuallyDrop::new(unsafe { File::from_raw_fd(descriptor) });
    let copy = || {
        let length = usize::try_from(file.metadata()?.len()).unwrap_or(0);
        let mut bytes = vec![0; length];
        file.read_exact_at(&mut bytes, 0)?;
        let unfinished = folder.join(format!("{name}.unfinished"));
        fs::write(&unfinished, bytes)?;
        // a kill in the middle leaves the copy before
        fs::rename(unfinished, folder.join(name))
    };
    if let Err(error) = copy() {
        eprintln!("the disk that forgets cannot keep {name}: {error}");
        std::process::abort();
    }
}
