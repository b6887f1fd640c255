//! In each of several rounds, a server on SQLite is killed with `kill -9` while a bot sends messages.

use crate::support::Home;

use super::{Sender, rounds};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_nothing_and_duplicates_nothing() {
    let rounds = rounds();
    let folder = tempfile::tempdir().unwrap();
    let sender = Sender::new(Home::sqlite(folder.path())).await;
    for round in 0..rounds {
        let process = sender.home.start();
        sender.repeat_latest(&process, round).await;
        sender.send_and_kill(process, round, 20 + round % 40).await;
    }
    assert!(sender.acknowledged.lock().unwrap().len() >= rounds * 20, "each round has at least 20 responses");
    let process = sender.home.start();
    assert_eq!(sender.lost(&process).await, 0, "no acknowledged message is lost");
}
