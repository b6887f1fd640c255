//! The server under systemd with `Type=notify`. The server reports when it is ready and when it stops.

use std::{os::unix::net::UnixDatagram, path::Path, time::Duration};

use switchboard::domain::token::{self, TokenKind};

use crate::support::Process;

fn operator_key() -> String {
    token::mint(TokenKind::Operator, &[7; 32])
}

fn listen(path: &Path) -> UnixDatagram {
    let socket = UnixDatagram::bind(path).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    socket
}

fn received(socket: &UnixDatagram) -> String {
    let mut message = [0; 512];
    let length = socket.recv(&mut message).expect("a notification");
    String::from_utf8(message[..length].to_vec()).unwrap()
}

#[tokio::test]
async fn systemd_is_notified_of_the_start_and_of_the_shutdown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = listen(&path);
    let starting =
        Process::spawn(folder.path(), &operator_key(), &[("NOTIFY_SOCKET", path.to_str().unwrap())]);
    let ready = received(&socket);
    // When systemd receives `READY=1`, it starts the units that depend on the server. So the server must already
    // respond.
    let process = starting.listening();
    let alive = process.api("none").http.get(format!("{}/healthz", process.base)).send().await.unwrap();
    assert_eq!(alive.status(), 200);
    let address = process.base.strip_prefix("http://").unwrap();
    assert_eq!(ready, format!("READY=1\nSTATUS=serving on {address}\n"));

    let code = process.terminated_within(Duration::from_secs(30));
    assert_eq!(code, Some(0));
    assert_eq!(received(&socket), "STOPPING=1\nSTATUS=finishing open requests\n");
}

#[test]
fn a_server_that_does_not_start_is_not_reported_as_ready() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let socket = listen(&path);
    // `path` is a socket and not a folder, so the database cannot be created below `path`
    let database = format!("sqlite://{}", path.join("data.db").display());
    let settings =
        [("NOTIFY_SOCKET", path.to_str().unwrap()), ("SWITCHBOARD_DATABASE_URL", database.as_str())];
    Process::spawn(folder.path(), &operator_key(), &settings).refused();
    socket.set_nonblocking(true).unwrap();
    let error = socket.recv(&mut [0; 512]).unwrap_err();
    assert_eq!(
        error.kind(),
        std::io::ErrorKind::WouldBlock,
        "a server that does not start sends no notification"
    );
}

#[test]
fn a_service_manager_that_cannot_be_reached_does_not_prevent_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    let settings = [("NOTIFY_SOCKET", missing.to_str().unwrap())];
    let process = Process::spawn(folder.path(), &operator_key(), &settings).keeping_log().listening();
    let log = process.terminated_log();
    assert!(log.contains("failed to connect to NOTIFY_SOCKET"), "{log}");
}
