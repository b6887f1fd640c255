//! What is measured, and the goals.

use std::net::SocketAddr;
use std::sync::Arc;

use serde_json::{Value, json};

use super::{
    CLIENTS,
    client::{self, Work},
    place::Place,
    requests,
    rivals::{BARE, FASTMCP},
    sessions,
    support::process::Process,
};

/// A subject of the measurement.
pub struct Subject {
    pub name: &'static str,
    /// Compared with the other servers' calls.
    pub is_compared: bool,
    pub goals: &'static [Goal],
    pub work: Work,
}

/// The minimal ratio of throughput to another server's.
#[derive(Clone, Copy)]
pub struct Goal {
    pub times: f64,
    pub than: &'static str,
}

const WHOAMI: &str = "whoami";
const READ: &str = "read_messages of 20";
const SESSION: &str = "session start";
/// The goals of Switchboard.
pub const NAMES: [&str; 3] = [WHOAMI, READ, SESSION];

/// Messages per page.
const PAGE: usize = 20;

/// Returns the paths of Switchboard, whose process need not answer yet.
pub async fn ours(place: &Place, process: &mut Process) -> Vec<Subject> {
    let address = process.address;
    let calls = |tool: &str, arguments: &dyn Fn(usize) -> Value| -> Vec<Vec<u8>> {
        let call = |caller: usize| {
            let (employee, _) = place.readers[caller];
            requests::tool_call(address, &place.tokens[employee], tool, &arguments(caller))
        };
        (0..CLIENTS).map(call).collect()
    };
    let whoami = calls("whoami", &|_| json!({}));
    let read =
        calls("read_messages", &|caller| json!({"conversation": place.readers[caller].1, "limit": PAGE}));
    process.first_answer(&whoami[0]);
    for (who, page) in whoami.iter().zip(&read) {
        assert!(answer(address, who).await["user"]["email"].is_string());
        assert_eq!(answer(address, page).await["messages"].as_array().map(Vec::len), Some(PAGE));
    }
    let tokens = place.readers.iter().map(|(employee, _)| place.tokens[*employee].clone()).collect();
    vec![
        Subject {
            name: WHOAMI,
            is_compared: true,
            goals: &[Goal { times: 0.8, than: BARE }, Goal { times: 10.0, than: FASTMCP }],
            work: each_its_own(address, whoami),
        },
        // rmcp's constant response is not comparable with a page of messages: its ratio is printed without a goal
        Subject {
            name: READ,
            is_compared: true,
            goals: &[Goal { times: 10.0, than: FASTMCP }],
            work: each_its_own(address, read),
        },
        Subject { name: SESSION, is_compared: false, goals: &[], work: sessions::starts(address, tokens) },
    ]
}

/// Returns the only path of another server. The token is sent too, so that all servers read as many bytes.
pub async fn rival(name: &'static str, process: &mut Process) -> Subject {
    let address = process.address;
    let token = "svc_mcp_at_test_000000000000000000000000000000000000000000000000000000000000000000";
    let request = requests::tool_call(address, token, "whoami", &json!({}));
    process.first_answer(&request);
    let expected: Value = serde_json::from_str(include_str!("answer.json")).unwrap();
    assert_eq!(answer(address, &request).await, expected);
    Subject { name, is_compared: false, goals: &[], work: each_its_own(address, vec![request; CLIENTS]) }
}

/// Returns the result of a tool, which must not be an error.
async fn answer(address: SocketAddr, request: &[u8]) -> Value {
    let body = client::once(address, request.to_vec(), 200).await;
    let mut message: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(message["result"]["isError"], false, "{message}");
    message["result"]["structuredContent"].take()
}

/// Every caller repeats its own request.
fn each_its_own(address: SocketAddr, requests: Vec<Vec<u8>>) -> Work {
    Work::Http {
        address,
        expected: 200,
        request: Arc::new(move |caller, out| out.extend_from_slice(&requests[caller])),
    }
}
