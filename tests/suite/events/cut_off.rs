//! With `SWITCHBOARD_DRAIN_SECONDS=0`, a process that shuts down interrupts the open delivery attempts, and logs this.
//! If no attempt is open, the process must not log an interruption.

use serde_json::json;
use switchboard::domain::token::{self, TokenKind};
use tokio::{io::AsyncReadExt, net::TcpListener};

use crate::support::*;

const CUT_OFF: &str = "open delivery attempts were interrupted";

async fn terminated(process: Process) -> String {
    tokio::task::spawn_blocking(|| process.terminated_log()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_open_attempts_are_logged_as_interrupted() {
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = silent.local_addr().unwrap().to_string();
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "dev"),
        ("SWITCHBOARD_DRAIN_SECONDS", "0"),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", host.as_str()),
    ];
    // There is no open attempt here. The order in which the tasks of a process stop varies, so the test repeats the
    // shutdown.
    for _ in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::spawn(folder.path(), &key, &settings).keeping_log().listening();
        let log = terminated(process).await;
        assert!(!log.contains(CUT_OFF), "without an open attempt no interruption is logged: {log}");
    }
    // here an attempt is open: the app accepts the connection and does not respond
    let folder = tempfile::tempdir().unwrap();
    let process = Process::spawn(folder.path(), &key, &settings).keeping_log().listening();
    let operator = process.api(&key);
    let company = Company::create(operator.clone()).await;
    let app = App::register_at(&operator, &ALL_SCOPES, &format!("http://{host}/events")).await;
    company.install(&app, &ALL_SCOPES).await;
    let serving = tokio::spawn(async move {
        let (mut socket, _) = silent.accept().await.unwrap();
        let mut first = [0; 1];
        socket.read_exact(&mut first).await.unwrap();
        socket
    });
    company.person_with(json!({"name": "Somebody New"})).await;
    let _socket = serving.await.unwrap();
    let log = terminated(process).await;
    assert!(log.contains(CUT_OFF), "the interrupted attempt is logged: {log}");
}
