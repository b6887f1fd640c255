//! A simulated power cut during sends. Only the synced contents of the database's files survive.
//!
//! The server runs with the library of `disk.rs`. Whenever a file of the database is synced, the library copies the
//! file to another folder. After the process was killed, these copies replace the files. So the first test would fail
//! if the server used `synchronous=NORMAL`. A test that only kills the process would not, because unsynced writes
//! survive in the page cache. The second test shows that the first test can fail: it simulates the syncs of
//! `synchronous=NORMAL`, and expects that messages are lost.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::Home;

use super::{Sender, rounds};

const FILES: [&str; 2] = ["data.db", "data.db-wal"];

/// Compiles the library that replaces `fsync` in the server, with the toolchain that runs the tests. Returns its path.
fn disk_library(folder: &Path) -> PathBuf {
    let rustc = std::env::var_os("CARGO").map(|cargo| Path::new(&cargo).with_file_name("rustc"));
    let rustc = rustc.filter(|path| path.exists()).unwrap_or_else(|| "rustc".into());
    let library = folder.join("libdisk.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/operations/durability/disk.rs");
    let options = ["--edition=2024", "--crate-type=cdylib", "-Copt-level=2", "-Cpanic=abort"];
    let done = Command::new(rustc).args(options).arg("-o").arg(&library).arg(source).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    library
}

/// A server on a simulated disk that loses unsynced writes.
struct Rig {
    folder: tempfile::TempDir,
    sender: Sender,
}

impl Rig {
    /// Creates a sender whose server runs on the simulated disk. `syncs` is the value of `DISK_SYNCS`, which `disk.rs`
    /// explains.
    async fn new(syncs: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let synced = folder.path().join("synced");
        std::fs::create_dir(&synced).unwrap();
        let home = Home::sqlite(folder.path())
            .with("LD_PRELOAD", disk_library(folder.path()).display().to_string())
            .with("DISK_SYNCED", synced.display().to_string())
            .with("DISK_SYNCS", syncs);
        let sender = Sender::new(home).await;
        assert!(synced.join(FILES[0]).exists(), "the server runs with the library that replaces fsync");
        let rig = Self { folder, sender };
        // the contents at this moment count as synced
        for file in FILES {
            rig.copy(file, rig.folder.path(), &synced);
        }
        rig
    }

    /// Replaces the files of the database by their synced copies.
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
async fn a_power_cut_loses_nothing_and_duplicates_nothing() {
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
async fn with_synchronous_normal_a_power_cut_loses_messages() {
    // A sync of the write-ahead log takes effect only at the end of a checkpoint, as with `synchronous=NORMAL`. So the
    // commits after the last checkpoint are lost.
    let rig = Rig::new("checkpoints").await;
    rig.sender.send_and_kill(rig.sender.home.start(), 0, 100).await;
    rig.cut_power();
    let process = rig.sender.home.start();
    let lost = rig.sender.lost(&process).await;
    assert!(
        lost > 0,
        "with synchronous=NORMAL a power cut must lose messages, or the first test proves nothing"
    );
}
