//! Starts MCP sessions, in the protocol versions in which a client sends `initialize` to start a session.

use std::cell::RefCell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;

use super::{
    client::{Connection, Work},
    requests,
};

/// A connection that was idle for longer than this is replaced, because the server closes idle connections after 75 s.
const FRESH: Duration = Duration::from_secs(30);

/// Starts a session as clients do, with `initialize` and `notifications/initialized`, and returns its id.
pub async fn begin(connection: &mut Connection, address: SocketAddr, token: &str) -> String {
    connection.out.clear();
    requests::initialize(&mut connection.out, address, token);
    connection.exchange(200).await;
    let session = connection.header("mcp-session-id").expect("initialize returns an id").to_owned();
    connection.out.clear();
    requests::initialized(&mut connection.out, address, token, &session);
    connection.exchange(202).await;
    session
}

/// Returns work in which each call starts a session with the token of its caller, on the caller's own keep-alive
/// connection.
pub fn starts(address: SocketAddr, tokens: Vec<String>) -> Work {
    let idle: Vec<Option<(Connection, Instant)>> = tokens.iter().map(|_| None).collect();
    let (idle, tokens) = (Rc::new(RefCell::new(idle)), Rc::new(tokens));
    Work::Calls(Rc::new(move |caller| {
        let (idle, tokens) = (Rc::clone(&idle), Rc::clone(&tokens));
        async move {
            let kept = idle.borrow_mut()[caller].take().filter(|(_, used)| used.elapsed() < FRESH);
            let mut connection = match kept {
                Some((connection, _)) => connection,
                None => Connection::open(address).await,
            };
            begin(&mut connection, address, &tokens[caller]).await;
            idle.borrow_mut()[caller] = Some((connection, Instant::now()));
        }
        .boxed_local()
    }))
}
