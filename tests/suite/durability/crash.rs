//! Over PostgreSQL: `kill -9` in a loop of sends, and the database's server crashes each time as well.
//!
//! A crash loses what PostgreSQL acknowledged before it was in its log, so this finds a send that is told too soon. What a
//! cut of the power takes from a log that was not synced is PostgreSQL's own affair (`fsync`), which `switchboard doctor`
//! looks at.

use crate::support::{
    Home,
    postgres::{Durability, Server},
};

use super::{Sender, rounds};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_database_loses_nothing_and_doubles_nothing() {
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
    assert!(sender.acknowledged.lock().unwrap().len() >= rounds * 20);
    let process = sender.home.start();
    assert_eq!(sender.lost(&process).await, 0);
}
