//! SQLite: while another process uses the database, `serve` and `migrate` fail and change nothing. They also fail if
//! the database file has several hard links, and if the URL names a folder.

use std::{
    path::Path,
    process::{Command, Output},
};

use switchboard::{
    domain::token::{self, TokenKind},
    store::{DatabaseUrl, own},
};

use crate::support::Process;

fn switchboard(command: &str, folder: &Path) -> Output {
    switchboard_on(command, folder, &url_text(folder))
}

fn switchboard_on(command: &str, folder: &Path, url: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg(command)
        .env_clear()
        .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
        .env("SWITCHBOARD_LISTEN", "127.0.0.1:0")
        .env("SWITCHBOARD_DATABASE_URL", url)
        .env("SWITCHBOARD_FILES_DIR", folder.join("files"))
        .output()
        .unwrap()
}

fn url_text(folder: &Path) -> String {
    format!("sqlite://{}", folder.join("deep/data.db").display())
}

/// Asserts that the command failed because another process uses the database.
#[track_caller]
fn assert_in_use(output: &Output) {
    let reported = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(reported.contains("another process uses this database: stop it first"), "{reported}");
    assert!(reported.contains("data.db.lock"), "{reported}");
}

#[test]
fn a_schema_is_not_changed_while_a_server_is_running() {
    let folder = tempfile::tempdir().unwrap();
    // this test holds the lock, as a running server with an earlier schema would
    let url: DatabaseUrl = url_text(folder.path()).parse().unwrap();
    let owner = own(&url).unwrap();
    for command in ["serve", "migrate"] {
        assert_in_use(&switchboard(command, folder.path()));
        assert!(!folder.path().join("deep/data.db").exists(), "{command} does not create the database");
    }
    drop(owner);
    let migrated = switchboard("migrate", folder.path());
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    assert!(String::from_utf8_lossy(&migrated.stdout).contains("Applied"));
}

#[test]
fn a_second_process_is_refused_while_a_server_is_running() {
    let folder = tempfile::tempdir().unwrap();
    let text = url_text(folder.path());
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let running = Process::start(folder.path(), &key, &[("SWITCHBOARD_DATABASE_URL", &text)]);
    for command in ["serve", "migrate"] {
        assert_in_use(&switchboard(command, folder.path()));
    }
    running.kill();
    let migrated = switchboard("migrate", folder.path());
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    assert!(String::from_utf8_lossy(&migrated.stdout).contains("up to date"));
}

#[test]
fn every_symbolic_link_to_a_database_leads_to_the_same_lock() {
    let folder = tempfile::tempdir().unwrap();
    let text = url_text(folder.path());
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let running = Process::start(folder.path(), &key, &[("SWITCHBOARD_DATABASE_URL", &text)]);
    // a link to the file, a link to its folder, and a link to a link
    let [file, deep, twice] = ["file.db", "linked", "twice.db"].map(|name| folder.path().join(name));
    std::os::unix::fs::symlink(folder.path().join("deep/data.db"), &file).unwrap();
    std::os::unix::fs::symlink(folder.path().join("deep"), &deep).unwrap();
    std::os::unix::fs::symlink(&file, &twice).unwrap();
    for path in [&file, &deep.join("data.db"), &twice] {
        for command in ["serve", "migrate"] {
            assert_in_use(&switchboard_on(command, folder.path(), &format!("sqlite://{}", path.display())));
        }
        let url: DatabaseUrl = format!("sqlite://{}", path.display()).parse().unwrap();
        assert!(switchboard::store::is_served(&url), "{}", path.display());
    }
    running.kill();
    let migrated = switchboard_on("migrate", folder.path(), &format!("sqlite://{}", twice.display()));
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
}

/// A database file with hard links is rejected, because SQLite would use a separate write-ahead log for each name.
#[test]
fn a_database_file_with_several_hard_links_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(switchboard("migrate", folder.path()).status.success());
    std::fs::hard_link(folder.path().join("deep/data.db"), folder.path().join("other.db")).unwrap();
    let output = switchboard("migrate", folder.path());
    let reported = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{reported}");
    assert!(reported.contains("has 2 names (hard links)"), "{reported}");
    std::fs::remove_file(folder.path().join("other.db")).unwrap();
    assert!(switchboard("migrate", folder.path()).status.success());
}

/// The URL must name a file. A folder with a subfolder has several hard links, but the error must not be that of a file
/// with several hard links.
#[test]
fn a_folder_is_not_a_database() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("deep");
    std::fs::create_dir_all(database.join("inner")).unwrap();
    for command in ["serve", "migrate"] {
        let output = switchboard_on(command, folder.path(), &format!("sqlite://{}", database.display()));
        let reported = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{command}: {reported}");
        assert!(reported.contains("deep is a folder: a SQLite URL names the database file"), "{reported}");
    }
    assert!(!folder.path().join("deep.lock").exists(), "no lock file is created");
}
