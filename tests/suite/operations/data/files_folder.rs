//! If the folder of files (`files.dir`) is not configured, every command uses the folder `files` beside the SQLite
//! database.

use std::process::Command;

use switchboard::store::Engine;

use super::{Deployment, assert_serves, filled, stderr_text, text_of};

const FILES_DIR: &str = "SWITCHBOARD_FILES_DIR";

/// Returns a deployment on SQLite in which `files.dir` is not set. An empty variable counts as not set.
async fn without_files_dir() -> Deployment {
    let deployment = Deployment::new(Engine::Sqlite).await.expect("SQLite is always there");
    let home = crate::support::Home::on(deployment.folder.path(), deployment.url.clone());
    Deployment { home: home.with(FILES_DIR, ""), ..deployment }
}

fn command(deployment: &Deployment, args: &[&str]) -> Command {
    let mut command = deployment.command(args);
    command.env_remove(FILES_DIR);
    command
}

#[track_caller]
fn run(deployment: &Deployment, args: &[&str]) -> String {
    let output = command(deployment, args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", stderr_text(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_command_uses_the_folder_beside_the_database() {
    let (source, other) = (without_files_dir().await, without_files_dir().await);
    let (process, fixture) = filled(&source).await;
    let files = source.files();
    assert!(files.read_dir().unwrap().next().is_some(), "`serve` stores files beside the database");
    // a second server, whose database is in another folder, has its own folder of files, which is empty
    let second = other.home.start();
    assert_eq!(other.files().read_dir().unwrap().count(), 0);
    second.kill();

    let printed = run(&source, &["config", "print"]);
    let line = format!("dir = \"{}\" # beside the database", files.display());
    assert!(printed.contains(&line), "{line} is missing in {printed}");
    let report = command(&source, &["doctor", "--offline"]).output().unwrap();
    let report = format!("{}{}", String::from_utf8_lossy(&report.stdout), stderr_text(&report));
    assert!(report.contains(&format!("a test file in {}", files.display())), "{report}");

    let backup = source.folder.path().join("backup");
    run(&source, &["backup", text_of(&backup)]);
    process.kill();
    let restored = without_files_dir().await;
    run(&restored, &["restore", text_of(&backup)]);
    assert_serves(&restored, &fixture).await.kill();

    // two databases in one folder share the folder of files; the server of a database must use only the files of this
    // database
    let second_url = source.url.replace("data.db", "second.db");
    let home = crate::support::Home::on(source.folder.path(), second_url.clone()).with(FILES_DIR, "");
    let home = home.with("SWITCHBOARD_TEST_CLOCK", "1");
    let folder = tempfile::tempdir().unwrap();
    let second = Deployment { home, url: second_url, folder, ..without_files_dir().await };
    let names = || {
        let entries = files.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
        entries.collect::<std::collections::BTreeSet<_>>()
    };
    let before = names();
    let process = second.home.start();
    // runs the maintenance jobs, two days later
    let advance = serde_json::json!({"advance_seconds": 172_800});
    second.home.operator(&process).post("/admin/v1/clock").json(&advance).ok(200).await;
    process.kill();
    let backup = source.folder.path().join("second");
    run(&second, &["backup", text_of(&backup)]);
    assert_eq!(names(), before, "a server deletes only the files of its own database");
    let copied = backup.join("files").read_dir().map_or(0, Iterator::count);
    assert_eq!(copied, 0, "a backup copies only the files of its own database");

    // `move` does not move files. The folder beside the new database is another one, so `move` prints the setting with
    // which the moved deployment still uses the old folder.
    let moved = Deployment::new(Engine::Sqlite).await.expect("SQLite is always there");
    let said = run(&source, &["move", "--to", &moved.url]);
    let todo = format!("stay in the folder {}: set files.dir ({FILES_DIR}) to this folder", files.display());
    assert!(said.contains(&todo), "{said}");
    let home = crate::support::Home::on(moved.folder.path(), moved.url.clone());
    let moved = Deployment { home: home.with(FILES_DIR, text_of(&files)), ..moved };
    assert_serves(&moved, &fixture).await.kill();
}
