//! The measured paths, the floors with which they are compared, and the goals. `main.rs` describes paths and floors.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::Value;
use switchboard::domain::{conversation::ConversationKind, ids::ConversationId};

use super::{
    CLIENTS,
    client::{self, Work, Writer},
    data::Data,
    floor_json, mcp_requests,
    server::{Ready, Servers},
};

/// What is measured: a path, a floor, or [`HELLO`].
pub struct Subject {
    pub name: &'static str,
    pub against: Against,
    pub goals: &'static [Goal],
    pub work: Work,
    /// Number of connections.
    pub clients: usize,
}

/// The floor or path with which a subject is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Against {
    Nothing,
    /// Responses per second, relative to those of a floor.
    Floor(&'static str),
    /// The CPU time per request, as a multiple of that of another path. The CPU time is that of Switchboard and of the
    /// PostgreSQL servers that the benchmark has started.
    Cost(&'static str),
}

/// The goal of a subject.
#[derive(Clone, Copy)]
pub enum Goal {
    /// At least this share of the floor's responses per second.
    Ratio(f64),
    /// At most this multiple of the other path's CPU time per request.
    Cost(f64),
    /// At least this many responses per second.
    Rate(f64),
    /// At least this share of the responses per second of [`HELLO`].
    OfHello(f64),
}

pub const FLOOR_A: &str = "floor A: bare JSON";
pub const FLOOR_B: &str = "floor B: bare commits";
/// An axum server that responds with "hello". Benchmarks of other products can measure the same server as a baseline.
pub const HELLO: &str = "bare axum hello";
/// Floors S and P exist only on PostgreSQL. Each is an operation that requires a bearer token and runs one statement.
const FLOOR_S: &str = "floor S: one SELECT";
const FLOOR_P: &str = "floor P: one page";
const HISTORY: &str = "history page of 200";

/// Number of messages for each connection. They are sent before the measurement, and replayed during the measurement.
const REPLAYS: usize = 64;

/// Returns every subject, in the order in which a round measures them. A floor comes before the paths that are compared
/// with it.
pub async fn all(servers: &Servers, small: &Ready, large: Option<&Ready>) -> Vec<Subject> {
    let mut subjects = match servers.is_on_postgres() {
        true => on_postgres(servers, small).await,
        false => on_sqlite(servers, small).await,
    };
    subjects.extend(on_large_database(large).await);
    if servers.is_on_postgres() {
        for subject in &mut subjects {
            // the goals on PostgreSQL refer to these numbers of connections
            let is_page = subject.name.starts_with(HISTORY) || subject.name == FLOOR_P;
            subject.clients = if is_page { 8 } else { 32 };
        }
    }
    subjects
}

async fn on_sqlite(servers: &Servers, small: &Ready) -> Vec<Subject> {
    vec![
        floor_a(servers).await,
        path("token check", Against::Floor(FLOOR_A), &[Goal::Ratio(0.5)], token_checks(small)),
        path("person by id", Against::Floor(FLOOR_A), &[Goal::Ratio(0.4)], people(small)),
        path(HISTORY, Against::Floor(FLOOR_A), &[Goal::Rate(3_000.0)], history(small).await),
        path("replay of a key", Against::Floor(FLOOR_A), &[Goal::Rate(20_000.0)], replays(small).await),
        path(FLOOR_B, Against::Nothing, &[], servers.floor_rows().await),
        path("durable send", Against::Floor(FLOOR_B), &[Goal::Ratio(0.4), Goal::Rate(8_000.0)], sends(small)),
    ]
}

async fn on_postgres(servers: &Servers, small: &Ready) -> Vec<Subject> {
    let floor = vec![servers.floor_select(small).await];
    let Data { tokens, long, .. } = &small.data;
    let owners = tokens.iter().map(|token| client::get("/owner", token)).collect();
    let page = format!("/page?conversation={}&before={}", long.0, i64::MAX);
    let hello = client::get("/", "none");
    let token_check = &[Goal::Ratio(0.5), Goal::OfHello(0.166)];
    let a_page = &[Goal::Ratio(0.6), Goal::OfHello(0.018)];
    let a_send = &[Goal::Ratio(0.5), Goal::OfHello(0.036)];
    vec![
        path(
            HELLO,
            Against::Nothing,
            &[],
            http(vec![servers.hello().await], 200, Arc::new(move |_, out| out.extend_from_slice(&hello))),
        ),
        floor_a(servers).await,
        path(FLOOR_S, Against::Nothing, &[], in_turn(floor.clone(), owners)),
        path("token check", Against::Floor(FLOOR_S), token_check, token_checks(small)),
        path("person by id", Against::Floor(FLOOR_S), &[], people(small)),
        path(FLOOR_P, Against::Nothing, &[], in_turn(floor, vec![client::get(&page, &tokens[0])])),
        path(HISTORY, Against::Floor(FLOOR_P), a_page, history(small).await),
        path("replay of a key", Against::Floor(FLOOR_S), &[], replays(small).await),
        path("MCP whoami", Against::Floor(FLOOR_S), &[Goal::Ratio(0.5)], whoami(small)),
        path(FLOOR_B, Against::Nothing, &[], servers.floor_rows().await),
        path("durable send", Against::Floor(FLOOR_B), a_send, sends(small)),
    ]
}

async fn floor_a(servers: &Servers) -> Subject {
    let bare = client::get("/v1/auth/test", floor_json::TOKEN);
    let work =
        http(vec![servers.floor_json().await], 200, Arc::new(move |_, out| out.extend_from_slice(&bare)));
    path(FLOOR_A, Against::Nothing, &[], work)
}

/// Names of the paths on the large database.
pub const LARGE: [&str; 5] = [
    "history page of 200, large",
    "token check, large",
    "person by id, large",
    "replay of a key, large",
    "durable send, large",
];

/// Returns the paths on the large database.
async fn on_large_database(large: Option<&Ready>) -> Vec<Subject> {
    let mut subjects = Vec::new();
    if let Some(large) = large {
        let cost = &[Goal::Cost(1.3)];
        let [page, check, person, replay, send] = LARGE;
        subjects.push(path(page, Against::Cost(HISTORY), cost, history(large).await));
        subjects.push(path(check, Against::Cost("token check"), cost, token_checks(large)));
        subjects.push(path(person, Against::Cost("person by id"), cost, people(large)));
        subjects.push(path(replay, Against::Cost("replay of a key"), cost, replays(large).await));
        subjects.push(path(send, Against::Cost("durable send"), cost, sends(large)));
    }
    subjects
}

fn path(name: &'static str, against: Against, goals: &'static [Goal], work: Work) -> Subject {
    Subject { name, against, goals, work, clients: CLIENTS }
}

fn http(addresses: Vec<SocketAddr>, expected: u16, request: Writer) -> Work {
    Work::Http { addresses, expected, request }
}

/// Returns the work in which each connection sends the next of the prepared requests. All connections share the
/// position in `requests`.
fn in_turn(addresses: Vec<SocketAddr>, requests: Vec<Vec<u8>>) -> Work {
    let next = AtomicU64::new(0);
    http(
        addresses,
        200,
        Arc::new(move |_, out| {
            let n = next.fetch_add(1, Ordering::Relaxed) as usize;
            out.extend_from_slice(&requests[n % requests.len()]);
        }),
    )
}

fn token_checks(ready: &Ready) -> Work {
    in_turn(ready.addresses(), ready.data.tokens.iter().map(|t| client::get("/v1/auth/test", t)).collect())
}

fn whoami(ready: &Ready) -> Work {
    let address = ready.running.address();
    let call = |token: &String| {
        mcp_requests::tool_call(address, token, "whoami", &Value::Object(serde_json::Map::new()))
    };
    in_turn(ready.addresses(), ready.assistants.iter().map(call).collect())
}

fn people(ready: &Ready) -> Work {
    let Data { people, tokens, .. } = &ready.data;
    let request = |(n, id): (usize, &switchboard::domain::ids::UserId)| {
        client::get(&format!("/v1/users/{}", id.encode()), &tokens[n % tokens.len()])
    };
    in_turn(ready.addresses(), people.iter().enumerate().map(request).collect())
}

/// Requests the full pages of the long conversation. The cursors of the pages are collected before the measurement.
async fn history(ready: &Ready) -> Work {
    let address = ready.running.address();
    let Data { tokens, long, .. } = &ready.data;
    let base = format!("/v1/conversations/{}/messages?limit=200", group(*long));
    let token = &tokens[0];
    let mut requests = vec![client::get(&base, token)];
    loop {
        let page = client::once(address, requests.last().unwrap().clone(), 200).await;
        let page: Value = serde_json::from_slice(&page).unwrap();
        if page["messages"].as_array().unwrap().len() < 200 {
            requests.pop();
        }
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        requests.push(client::get(&format!("{base}&cursor={cursor}"), token));
    }
    in_turn(ready.addresses(), requests)
}

fn group(id: ConversationId) -> String {
    id.encode(ConversationKind::Group)
}

/// Appends a request by which the bot of the connection `caller` sends a message to one of the bot's conversations.
fn send(data: &Data, caller: usize, key: u64, out: &mut Vec<u8>) {
    use std::io::Write;
    let conversations = &data.destinations[caller];
    let body = format!(
        r#"{{"to":{{"type":"conversation","id":"{}"}},"text":"The nightly build of the main branch is green again; run {key} took 412 seconds."}}"#,
        group(conversations[key as usize % conversations.len()])
    );
    // writing to memory does not fail
    let _ = write!(
        out,
        "POST /v1/messages HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {}\r\naccept: application/json\r\n\
         idempotency-key: 0193e3a6-{key:016x}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        data.tokens[caller],
        body.len()
    );
}

fn sends(ready: &Ready) -> Work {
    let (data, next) = (ready.data.clone(), AtomicU64::new(1 << 32));
    let request =
        move |caller, out: &mut Vec<u8>| send(&data, caller, next.fetch_add(1, Ordering::Relaxed), out);
    http(ready.addresses(), 201, Arc::new(request))
}

/// Replays sends. Each send was made once before the measurement.
async fn replays(ready: &Ready) -> Work {
    let (address, data) = (ready.running.address(), &ready.data);
    let mut requests = vec![Vec::new(); CLIENTS];
    for (caller, of_caller) in requests.iter_mut().enumerate() {
        for n in 0..REPLAYS {
            let mut request = Vec::new();
            send(data, caller, (caller * REPLAYS + n) as u64, &mut request);
            of_caller.push(request);
        }
    }
    let firsts = requests.iter().map(|of_caller| async move {
        for request in of_caller {
            client::once(address, request.clone(), 201).await;
        }
    });
    futures_util::future::join_all(firsts).await;
    let next = AtomicU64::new(0);
    let request = move |caller: usize, out: &mut Vec<u8>| {
        let n = next.fetch_add(1, Ordering::Relaxed) as usize;
        out.extend_from_slice(&requests[caller][n % REPLAYS]);
    };
    http(ready.addresses(), 201, Arc::new(request))
}
