//! `switchboard move` copies a stopped deployment to another database, on the same or on the other engine.
//!
//! A mark in a database makes servers refuse the database. A move makes three commits:
//!
//! 1. in the target: the copied rows and a mark;
//! 2. in the source: a mark;
//! 3. in the target: the removal of the mark.

use std::{
    collections::HashSet,
    process::Stdio,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::Value;
use switchboard::{
    platform::clock::Clock,
    store::{Engine, transfer::Mark, transfer::marks},
};

use super::{DIRECTIONS, Deployment, assert_serves, filled};
use crate::support::{postgres, tcp_proxy::TcpProxy, wait::delay, *};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_row_is_the_same_after_a_move_and_after_a_move_back() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        process.kill();
        let before = source.sums().await;
        let moved: Value =
            serde_json::from_str(&source.run(&["move", "--to", &target.url, "--json"])).unwrap();
        assert_eq!(moved["tables"].as_array().unwrap().len(), before.len());
        for table in moved["tables"].as_array().unwrap() {
            let sum = &before[table["name"].as_str().unwrap()];
            assert_eq!(
                (table["rows"].as_u64(), table["sha256"].as_str()),
                (Some(sum.rows), Some(&*sum.sha256))
            );
        }
        assert_eq!(source.sums().await, before, "the source is unchanged");
        assert_eq!(target.sums().await, before, "{from:?} to {to:?}");
        // moves the deployment back to the first engine
        let third = Deployment::new(from).await.unwrap();
        target.run(&["move", "--to", &third.url]);
        assert_eq!(third.sums().await, before, "{to:?} to {from:?}");
        // a move leaves the files in the folder of the source
        let files = [("SWITCHBOARD_FILES_DIR", source.files())];
        let third = Deployment {
            home: Home::on(third.folder.path(), third.url.clone())
                .with("SWITCHBOARD_FILES_DIR", files[0].1.to_str().unwrap()),
            ..third
        };
        assert_serves(&third, &fixture).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_moved_source_is_refused_until_the_move_is_undone() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        process.kill();
        source.refused(&["move", "--undo"], "is not marked as moved");
        source.run(&["move", "--to", &target.url]);
        let reported = source.refused(&["serve"], "this database was moved to ");
        assert!(reported.contains("switchboard move --undo"), "{reported}");
        let folder = source.folder.path().join("backup");
        source.refused(&["migrate"], "this database was moved to ");
        source.refused(&["backup", folder.to_str().unwrap()], "this database was moved to ");
        assert!(!folder.exists());
        source.refused(&["move", "--to", &target.url], "this database was moved to ");
        source.refused(&["restore", &backup_of(&target).await], "this database was moved to ");
        let said = source.run(&["move", "--undo"]);
        assert!(said.contains("can be served again"), "{said}");
        assert_serves(&source, &fixture).await;
    }
}

async fn backup_of(deployment: &Deployment) -> String {
    let folder = deployment.folder.path().join("of-target").display().to_string();
    // The contents of the files are still in the folder of the source. A backup that lists files without contents would
    // fail, so the rows of the files are deleted.
    deployment.execute("DELETE FROM files").await;
    deployment.run(&["backup", &folder]);
    folder
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_needs_a_stopped_source_and_an_empty_target() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        let before = source.sums().await;
        let why = if from == Engine::Sqlite { "another process uses" } else { "a server runs on" };
        source.refused(&["move", "--to", &target.url], why);
        assert!(target.is_empty().await);
        process.kill();
        // a server that runs on the target prevents the move; after it has stopped, the rows that it wrote prevent it
        let other = target.home.start();
        let why = if to == Engine::Sqlite { "another process uses" } else { "a server runs on" };
        source.refused(&["move", "--to", &target.url], why);
        other.kill();
        source.refused(&["move", "--to", &target.url], "is not empty: it has rows in server_secrets");
        source.refused(&["move", "--to", "sqlite:///dev/null/nowhere.db"], "nowhere.db");
        assert_eq!(source.sums().await, before, "the source is unchanged");
        let output = source.command(&["move", "--to", "mysql://x"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "an unsupported database URL is a usage error");
        assert_serves(&source, &fixture).await;
    }
}

/// Restores the mark of the target, as if the move had been interrupted before its third commit.
async fn interrupt(source: &Deployment, target: &Deployment) {
    let Some(Mark::Moved { at, .. }) = marks::of(&source.database_url()).await.unwrap() else {
        panic!("the source is not marked as moved")
    };
    let moving = Mark::Moving { since: at, from: source.database_url().to_string() };
    target.open().await.set_mark(&moving).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_was_cut_off_after_its_second_commit_is_finished_by_running_it_again() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, _fixture) = filled(&source).await;
        process.kill();
        let before = source.sums().await;
        source.run(&["move", "--to", &target.url]);
        interrupt(&source, &target).await;
        source.refused(&["serve"], "this database was moved to ");
        target.refused(&["serve"], "was not finished: run `switchboard move` again");
        let folder = target.folder.path().join("backup");
        target.refused(&["backup", folder.to_str().unwrap()], "was not finished");
        let other = Deployment::new(from).await.unwrap();
        other.run(&["migrate"]);
        other.refused(&["move", "--to", &target.url], "was not finished");
        let said = source.run(&["move", "--to", &target.url]);
        assert!(said.contains("Finished the move"), "{said}");
        assert_eq!(target.sums().await, before);
        target.home.start().kill();
        source.refused(&["move", "--to", &target.url], "this database was moved to ");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_that_was_cut_off_after_its_first_commit_copies_again_when_it_is_run_again() {
    for (from, to) in DIRECTIONS {
        let (Some(source), Some(target)) = (Deployment::new(from).await, Deployment::new(to).await) else {
            continue;
        };
        let (process, fixture) = filled(&source).await;
        process.kill();
        source.run(&["move", "--to", &target.url]);
        interrupt(&source, &target).await;
        source.run(&["move", "--undo"]);
        // The move is not finished, so no server starts on the target. A server can still run on the source and change
        // it.
        target.refused(&["serve"], "was not finished");
        assert_serves(&source, &fixture).await.kill();
        let before = source.sums().await;
        assert_ne!(target.sums().await, before);
        source.run(&["move", "--to", &target.url]);
        assert_eq!(target.sums().await, before, "{from:?} to {to:?}");
        assert!(!target.is_marked().await && source.is_marked().await);
    }
}

/// While a move or a restore holds the lock of a database, no server starts on the database. The error of `serve`
/// depends on the engine: on PostgreSQL no node number is free, because the move or the restore has taken all of them.
#[both_engines]
async fn no_server_starts_while_a_command_holds_the_lock_of_the_database(engine: Engine) -> Option<()> {
    use switchboard::store::transfer::TransferLock;

    let deployment = Deployment::new(engine).await?;
    deployment.run(&["migrate"]);
    let mut lock = TransferLock::acquire(&deployment.database_url(), &Clock::system()).await.unwrap();
    lock.confirm().await.unwrap();
    let why = if engine == Engine::Sqlite { "another process uses" } else { "all node numbers are taken" };
    deployment.refused(&["serve"], why);
    drop(lock);
    Some(())
}

/// A database session holds a node's number. A node that has lost this session can write for some seconds before it
/// notices the loss. A move that begins in these seconds waits until the node can no longer write. So the move copies
/// every acknowledged send.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_move_waits_for_a_node_that_has_lost_its_number() {
    let (Some(source), Some(target)) =
        (Deployment::new(Engine::Postgres).await, Deployment::new(Engine::Sqlite).await)
    else {
        return;
    };
    if !postgres::is_private() {
        return;
    }
    let database = source.database.as_ref().unwrap();
    let proxy = TcpProxy::of_socket(database.server.folder()).await;
    // The session that holds the node number uses this URL. The connections of requests use the URL of the database.
    let direct = format!("postgres://postgres@{}/{}", proxy.address, database.name());
    let home =
        Home::on(source.folder.path(), source.url.clone()).with("SWITCHBOARD_DATABASE_DIRECT_URL", direct);
    let process = home.start();
    let operator = home.operator(&process);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let group = company.group(&[&bot.user_id]).await;

    let (stop, acknowledged) = (Arc::new(AtomicBool::new(false)), Arc::new(Mutex::new(Vec::new())));
    let is_refused = Arc::new(AtomicBool::new(false));
    let senders: Vec<_> = (0..4)
        .map(|sender| {
            let (api, body) = (home.api(&process, &bot.token), to_conversation(&group, "sent"));
            let (stop, acknowledged) = (Arc::clone(&stop), Arc::clone(&acknowledged));
            let is_refused = Arc::clone(&is_refused);
            tokio::spawn(async move {
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let key = format!("{sender}-{number}");
                    match api.post("/v1/messages").key(&key).json(&body).send().await.status {
                        201 => acknowledged.lock().unwrap().push(key),
                        status => {
                            assert_eq!(status, 503);
                            is_refused.store(true, Ordering::Relaxed);
                            delay(std::time::Duration::from_millis(50)).await;
                        }
                    }
                }
            })
        })
        .collect();
    until(async || acknowledged.lock().unwrap().len() > 50).await;
    proxy.hang_new(true);
    proxy.cut_open();
    let mut moving = source.command(&["move", "--to", &target.url]).stdout(Stdio::null()).spawn().unwrap();
    let mut moved = None;
    until(async || {
        moved = moved.or(moving.try_wait().unwrap());
        moved.is_some() && is_refused.load(Ordering::Relaxed)
    })
    .await;
    assert!(moved.unwrap().success());
    stop.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }
    process.kill();
    let path = target.folder.path().join("data.db");
    let stored = rusqlite::Connection::open(path).unwrap();
    let mut keys = stored.prepare("SELECT client_key FROM messages WHERE client_key IS NOT NULL").unwrap();
    let stored: HashSet<String> = keys.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let acknowledged = acknowledged.lock().unwrap();
    let lost: Vec<_> = acknowledged.iter().filter(|key| !stored.contains(*key)).collect();
    assert!(lost.is_empty(), "{} of {} acknowledged sends are missing", lost.len(), acknowledged.len());
}
