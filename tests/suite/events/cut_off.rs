//! With `SWITCHBOARD_DRAIN_SECONDS=0`, a process that shuts down interrupts the open deliveries, and logs the
//! interruption. If no delivery is open, the process logs no interruption.

use serde_json::json;
use switchboard::domain::token::{self, TokenKind};
use tokio::{io::AsyncReadExt, net::TcpListener};

use crate::support::*;

const CUT_OFF: &str = "open deliveries were interrupted";

async fn terminated(process: Process) -> String {
    tokio::task::spawn_blocking(|| process.terminated_log()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_open_deliveries_are_logged_as_interrupted() {
    let key = token::mint(TokenKind::Operator, &[9; 32]);
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let host = silent.local_addr().unwrap().to_string();
    let settings = [
        ("SWITCHBOARD_ENVIRONMENT", "dev"),
        ("SWITCHBOARD_DRAIN_SECONDS", "0"),
        ("SWITCHBOARD_ALLOW_PRIVATE_HOSTS", host.as_str()),
    ];
    // no delivery is open; the order of the steps of a shutdown varies, so the test repeats the shutdown
    for _ in 0..4 {
        let folder = tempfile::tempdir().unwrap();
        let process = Process::spawn(folder.path(), &key, &settings).keeping_log().listening();
        let log = terminated(process).await;
        assert!(!log.contains(CUT_OFF), "no delivery was open: {log}");
    }
    // an app that accepts the request and does not respond
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
    assert!(log.contains(CUT_OFF), "the interrupted delivery is logged: {log}");
}
