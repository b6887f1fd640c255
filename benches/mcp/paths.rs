//! The requests whose throughput is measured, and the goals for their throughput.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    CLIENTS,
    client::{self, Work},
    database::BenchDatabase,
    requests,
    rivals::{BARE, FASTMCP},
    sessions,
    support::process::Process,
};

/// A request, or a sequence of requests, whose throughput is measured on one server.
pub struct Subject {
    pub name: &'static str,
    /// Whether the throughput is compared with that of the tool calls of the other servers.
    pub is_compared: bool,
    pub goals: &'static [Goal],
    pub work: Work,
}

/// A minimum throughput: `times` the throughput of the other server with the name `than`.
#[derive(Clone, Copy)]
pub struct Goal {
    pub times: f64,
    pub than: &'static str,
}

const WHOAMI: &str = "whoami";
const READ: &str = "read_messages of 20";
const SESSION: &str = "session start";
/// The names of the subjects of Switchboard.
pub const NAMES: [&str; 3] = [WHOAMI, READ, SESSION];

/// Number of messages that a `read_messages` call requests.
const PAGE: usize = 20;

/// Waits until `process` answers, and checks one response to each tool call of each caller. Returns the subjects of
/// Switchboard.
pub async fn ours(database: &BenchDatabase, process: &mut Process) -> Vec<Subject> {
    let address = process.address;
    let calls = |tool: &str, arguments: &dyn Fn(usize) -> Value| -> Vec<Vec<u8>> {
        let call = |caller: usize| {
            let (employee, _) = database.readers[caller];
            requests::tool_call(address, &database.tokens[employee], tool, &arguments(caller))
        };
        (0..CLIENTS).map(call).collect()
    };
    let whoami = calls("whoami", &|_| json!({}));
    let read =
        calls("read_messages", &|caller| json!({"conversation": database.readers[caller].1, "limit": PAGE}));
    process.first_answer(&whoami[0]);
    for (who, page) in whoami.iter().zip(&read) {
        assert!(answer(address, who).await["user"]["email"].is_string());
        assert_eq!(answer(address, page).await["messages"].as_array().map(Vec::len), Some(PAGE));
    }
    let tokens = database.readers.iter().map(|(employee, _)| database.tokens[*employee].clone()).collect();
    vec![
        Subject {
            name: WHOAMI,
            is_compared: true,
            goals: &[Goal { times: 0.8, than: BARE }, Goal { times: 10.0, than: FASTMCP }],
            work: each_its_own(address, whoami),
        },
        // `BARE` and `FASTMCP` return a constant, which costs less than a page of messages. So there is no goal
        // relative to `BARE`, the faster of the two.
        Subject {
            name: READ,
            is_compared: true,
            goals: &[Goal { times: 10.0, than: FASTMCP }],
            work: each_its_own(address, read),
        },
        Subject { name: SESSION, is_compared: false, goals: &[], work: sessions::starts(address, tokens) },
    ]
}

/// Returns the only subject of one of the other servers: a tool call. The server ignores the request's token, which is
/// sent so that every server reads the same number of bytes.
pub async fn rival(name: &'static str, process: &mut Process) -> Subject {
    let address = process.address;
    let token = "svc_mcp_at_test_000000000000000000000000000000000000000000000000000000000000000000";
    let request = requests::tool_call(address, token, "whoami", &json!({}));
    process.first_answer(&request);
    let expected: Value = serde_json::from_str(include_str!("answer.json")).unwrap();
    assert_eq!(answer(address, &request).await, expected);
    Subject { name, is_compared: false, goals: &[], work: each_its_own(address, vec![request; CLIENTS]) }
}

/// Sends a tool call and returns the structured content of its result, which must not be an error.
async fn answer(address: SocketAddr, request: &[u8]) -> Value {
    let body = client::once(address, request.to_vec(), 200).await;
    let mut message: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(message["result"]["isError"], false, "{message}");
    message["result"]["structuredContent"].take()
}

/// Returns the work in which caller n sends `requests[n]` repeatedly.
fn each_its_own(address: SocketAddr, requests: Vec<Vec<u8>>) -> Work {
    Work::Http {
        addresses: vec![address],
        expected: 200,
        request: Arc::new(move |caller, out| out.extend_from_slice(&requests[caller])),
    }
}
