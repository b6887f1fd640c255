//! The limit of open files. In these tests the server reserves 256 files for everything except connections.

use switchboard::domain::token::{self, TokenKind};

use crate::support::Process;

fn start(limits: &str, settings: &[(&str, &str)]) -> (tempfile::TempDir, Process) {
    let folder = tempfile::tempdir().unwrap();
    let key = token::mint(TokenKind::Operator, &[7; 32]);
    let process = Process::spawn_under(limits, folder.path(), &key, settings).keeping_log().listening();
    (folder, process)
}

#[test]
fn the_soft_limit_is_raised() {
    let (_folder, process) =
        start("ulimit -Sn 512; ulimit -Hn 2000", &[("SWITCHBOARD_MAX_CONNECTIONS", "1744")]);
    assert_eq!(process.open_files(), ("2000".to_owned(), "2000".to_owned()));
    assert!(!process.terminated_log().contains("max_connections does not fit"));
}

#[test]
fn max_connections_is_lowered_to_the_limit_of_open_files() {
    let (_folder, process) = start("ulimit -Sn 512; ulimit -Hn 700", &[]);
    assert_eq!(process.open_files(), ("700".to_owned(), "700".to_owned()));
    let log = process.terminated_log();
    let line = log
        .lines()
        .find(|line| line.contains("max_connections does not fit"))
        .expect("the server warns that max_connections exceeds the limit of open files");
    for part in
        ["\"WARN\"", "\"max_connections\":10000", "\"lowered_to\":444", "\"open_files\":700", "LimitNOFILE"]
    {
        assert!(line.contains(part), "{part}: {line}");
    }
}
