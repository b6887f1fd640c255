//! The floor with which the server is compared: a bare broadcast of server-sent events. `POST /send` sends an event to
//! all streams of `GET /live`. The event contains the number that is the body of the request.

use std::net::SocketAddr;
use std::process::Command;

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::{get, post},
    serve::ListenerExt,
};
use futures_util::stream;
use tokio::sync::broadcast::{Sender, error::RecvError};

use super::{streams, support::process::Process};

/// With this argument, this program runs the floor. The number of bytes of an event follows this argument.
pub const ARGUMENT: &str = "--serve-floor";
/// Maximum number of events that wait for a slow stream. The server has the same maximum for a window.
const BACKLOG: usize = 64;

/// Starts the floor in a process of its own.
pub fn start(event_bytes: usize) -> Process {
    let program = std::env::current_exe().unwrap();
    let mut command = Command::new(program);
    command.args([ARGUMENT, &event_bytes.to_string()]);
    Process::with_port(&mut command).expect("the floor starts")
}

/// Prints the port, and serves until the process ends.
pub fn serve() {
    let event_bytes = std::env::args().next_back().unwrap().parse().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address: SocketAddr = listener.local_addr().unwrap();
        println!("{}", address.port());
        let app = Router::new()
            .route("/live", get(live))
            .route("/send", post(send))
            .with_state(Broadcast { events: Sender::new(BACKLOG), event_bytes });
        let listener = listener.tap_io(|socket| socket.set_nodelay(true).unwrap());
        axum::serve(listener, app).await.unwrap();
    });
}

#[derive(Clone)]
struct Broadcast {
    events: Sender<Bytes>,
    event_bytes: usize,
}

async fn live(State(broadcast): State<Broadcast>) -> impl IntoResponse {
    let events = stream::unfold((broadcast.events.subscribe(), true), |(mut events, is_first)| async move {
        let event = match is_first {
            true => Bytes::from_static(b"retry: 1000\n\n"),
            false => match events.recv().await {
                Ok(event) => event,
                Err(RecvError::Lagged(_)) => panic!("every stream reads the events in time"),
                Err(RecvError::Closed) => return None,
            },
        };
        Some((Ok::<_, std::convert::Infallible>(event), (events, false)))
    });
    ([(header::CONTENT_TYPE, "text/event-stream")], Body::from_stream(events))
}

async fn send(State(broadcast): State<Broadcast>, number: String) -> StatusCode {
    let text = streams::numbered_text(number.parse().unwrap());
    let padding = "-".repeat(broadcast.event_bytes.saturating_sub(text.len() + 30));
    let event = format!("id: {number}\nevent: message\ndata: {text}{padding}\n\n");
    // sending fails only if no stream is open
    let _ = broadcast.events.send(event.into());
    StatusCode::CREATED
}
