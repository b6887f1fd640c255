//! `switchboard health` and its exit codes, which the health checks of containers use.

use std::{
    io::{Read as _, Write as _},
    net::{SocketAddr, TcpListener},
    process::Command,
};

use switchboard::domain::token::{self, TokenKind};

use crate::support::Process;

/// Runs `switchboard health`. Returns the exit code and everything that the command printed.
pub fn health(arguments: &[&str], settings: &[(&str, &str)]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_switchboard"))
        .arg("health")
        .args(arguments)
        .env_clear()
        .envs(settings.iter().copied())
        .output()
        .unwrap();
    let printed = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(printed).unwrap())
}

/// Starts a server that sends `text` as the response to each request. Returns the server's address.
fn answering(text: &'static str) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let _ = connection.read(&mut [0; 4096]);
            let _ = connection.write_all(text.as_bytes());
        }
    });
    address
}

#[test]
fn a_ready_server_is_found_at_the_configured_listen_address() {
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &token::mint(TokenKind::Operator, &[7; 32]), &[]);
    let address = process.base.strip_prefix("http://").unwrap().to_owned();
    let settings = [("SWITCHBOARD_LISTEN", address.as_str()), ("SWITCHBOARD_ENVIRONMENT", "sandbox")];
    assert_eq!(health(&[], &settings), (Some(0), format!("http://{address} is ready.\n")));
    assert_eq!(health(&["--live"], &settings), (Some(0), format!("http://{address} is alive.\n")));
    // the address on the command line overrides the address in the configuration, as it does for other commands
    let (code, printed) =
        health(&["--url", &process.base, "--json"], &[("SWITCHBOARD_LISTEN", "127.0.0.1:1")]);
    assert_eq!(code, Some(0), "{printed}");
    let document: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(document["parts"]["store"], "ok");

    process.kill();
    let (code, printed) = health(&[], &settings);
    assert_eq!(code, Some(3), "a stopped server is unreachable: {printed}");
}

#[test]
fn a_server_other_than_switchboard_is_not_healthy() {
    let page = "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nwelcome";
    let url = format!("http://{}", answering(page));
    let (code, printed) = health(&["--url", &url], &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("returned 200 OK, which is not a health response of Switchboard"), "{printed}");
    // this listener accepts the connection and never responds
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let (code, printed) = health(&["--url", &url, "--timeout", "1"], &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("did not answer within 1 s"), "{printed}");
}

#[test]
fn an_error_response_says_nothing_about_readiness() {
    let limited = "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 59\r\nConnection: close\r\n\r\n\
                   {\"ok\":false,\"error\":\"rate_limited\",\"message\":\"connections\"}";
    let (code, printed) = health(&["--url", &format!("http://{}", answering(limited))], &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("returned 429 Too Many Requests"), "{printed}");
    // the server does not know this path prefix
    let folder = tempfile::tempdir().unwrap();
    let process = Process::start(folder.path(), &token::mint(TokenKind::Operator, &[7; 32]), &[]);
    let (code, printed) = health(&["--url", &format!("{}/prefix", process.base)], &[]);
    assert_eq!(code, Some(3), "{printed}");
    assert!(printed.contains("returned 404 Not Found"), "{printed}");
}

#[test]
fn a_server_that_is_not_ready_is_unhealthy() {
    let failing = "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 59\r\nConnection: close\r\n\r\n\
                   {\"ok\":false,\"parts\":{\"node\":\"ok\",\"store\":\"is unavailable\"}}";
    let (code, printed) = health(&["--url", &format!("http://{}", answering(failing))], &[]);
    assert_eq!(code, Some(8), "{printed}");
    assert!(printed.contains("is not ready: store is unavailable"), "{printed}");
}

#[test]
fn an_unknown_port_and_an_unsupported_url_are_usage_errors() {
    let (code, printed) =
        health(&[], &[("SWITCHBOARD_LISTEN", "127.0.0.1:0"), ("SWITCHBOARD_ENVIRONMENT", "sandbox")]);
    assert_eq!(code, Some(2), "{printed}");
    assert!(printed.contains("`listen` has port 0") && printed.contains("--url"), "{printed}");
    assert_eq!(health(&["--url", "ftp://127.0.0.1"], &[]).0, Some(2));
}
