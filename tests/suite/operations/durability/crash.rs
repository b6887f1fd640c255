//! Crashes of PostgreSQL. In each round, a bot sends messages until the Switchboard process is killed with SIGKILL.
//! Then the PostgreSQL server crashes.
//!
//! With `synchronous_commit = off`, PostgreSQL acknowledges a commit before it has written the commit's write-ahead
//! log, and a crash can lose the commit. So the test fails if Switchboard commits a send with this setting.
//!
//! The test does not detect `fsync = off`. With this setting, PostgreSQL has written the write-ahead log to the
//! operating system, but perhaps not to the disk. So commits are lost only if the whole machine fails, for example in a
//! power cut. `switchboard doctor` checks the setting.

use crate::support::{
    Home,
    postgres::{Durability, Server},
};

use super::{Sender, rounds};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_database_loses_nothing_and_duplicates_nothing() {
    let Some(database) = Server::start(Durability::Full) else { return };
    database.create("crashing", None).await;
    let rounds = (rounds() / 10).max(3);
    let folder = tempfile::tempdir().unwrap();
    let sender = Sender::new(Home::on(folder.path(), database.url("crashing"))).await;
    for round in 0..rounds {
        let process = sender.home.start();
        sender.repeat_latest(&process, round).await;
        sender.send_and_kill(process, round, 20 + round % 40).await;
        database.crash();
    }
    assert!(sender.acknowledged.lock().unwrap().len() >= rounds * 20, "each round has at least 20 responses");
    let process = sender.home.start();
    assert_eq!(sender.lost(&process).await, 0, "no acknowledged message is lost");
}
