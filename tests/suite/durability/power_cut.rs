//! A power cut in a loop of sends: of the database's files only what was synced survives.
//!
//! The server runs over `disk.rs`, which keeps in a folder of its own what every file held when it was last synced;
//! after the kill that is put in the place of the files. Unlike `kill -9` alone this tells `synchronous=FULL` from
//! `NORMAL`, and the second test proves that it does.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::Home;

use super::{Sender, rounds};

const FILES: [&str; 2] = ["data.db", "data.db-wal"];

/// The library that stands before the server's `fsync`, compiled by the toolchain that runs the tests.
fn disk_library(folder: &Path) -> PathBuf {
    let rustc = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("rustc"));
    let rustc = rustc.filter(|path| path.exists()).unwrap_or_else(|| "rustc".into());
    let library = folder.join("libdisk.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/durability/disk.rs");
    let options = ["--edition=2024", "--crate-type=cdylib", "-Copt-level=2", "-Cpanic=abort"];
    let done = Command::new(rustc).args(options).arg("-o").arg(&library).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    library
}

/// A server whose power can be cut.
struct Rig {
    folder: tempfile::TempDir,
    sender: Sender,
}

impl Rig {
    /// `syncs` is what `DISK_SYNCS` takes.
    async fn new(syncs: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let synced = folder.path().join("synced");
        std::fs::create_dir(&synced).unwrap();
        let home = Home::sqlite(folder.path())
            .with("LD_PRELOAD", disk_library(folder.path()).display().to_string())
            .with("DISK_SYNCED", synced.display().to_string())
            .with("DISK_SYNCS", syncs);
        let sender = Sender::new(home).await;
        assert!(synced.join(FILES[0]).exists(), "the server runs over the disk that loses");
        let rig = Self { folder, sender };
        // what is there by now is taken for synced
        for file in FILES {
            rig.copy(file, rig.folder.path(), &synced);
        }
        rig
    }

    /// Puts what was synced in the place of the files.
    fn cut_power(&self) {
        let synced = self.folder.path().join("synced");
        for file in FILES {
            self.copy(file, &synced, self.folder.path());
        }
        let _ = std::fs::remove_file(self.folder.path().join("data.db-shm"));
    }

    fn copy(&self, file: &str, from: &Path, to: &Path) {
        if from.join(file).exists() {
            std::fs::copy(from.join(file), to.join(file)).unwrap();
        } else {
            let _ = std::fs::remove_file(to.join(file));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_power_cut_loses_nothing_and_doubles_nothing() {
    let rig = Rig::new("all").await;
    let rounds = (rounds() / 10).max(3);
    for round in 0..rounds {
        let process = rig.sender.home.start();
        rig.sender.repeat_latest(&process, round).await;
        rig.sender.send_and_kill(process, round, 100 + 10 * (round % 40)).await;
        rig.cut_power();
    }
    let process = rig.sender.home.start();
    assert_eq!(rig.sender.lost(&process).await, 0);
    process.kill();
    let database = rusqlite::Connection::open(rig.folder.path().join(FILES[0])).unwrap();
    let check: String = database.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "ok");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_syncs_less_is_found_out() {
    // the write-ahead log is synced before a checkpoint only, as with `synchronous=NORMAL`
    let rig = Rig::new("checkpoints").await;
    rig.sender.send_and_kill(rig.sender.home.start(), 0, 100).await;
    rig.cut_power();
    let process = rig.sender.home.start();
    let lost = rig.sender.lost(&process).await;
    assert!(lost > 0, "a power cut took nothing: the tests of this file see nothing");
}
