//! The server that receives the events of all apps. It accepts all events of most apps. Its responses to the events of
//! four apps differ: always an error, sometimes an error, a late response, or a large body. Switchboard reads at most
//! 64 KiB of a body.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};

/// How the receiver responds to the events of an app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Behaviour {
    Good,
    /// About one request in five gets 500. The requests of all apps are numbered together. A request of this app gets
    /// the error if its number is divisible by five.
    Shaky,
    /// Every request gets 503.
    Broken,
    /// Responses take five seconds, longer than the timeout of a delivery attempt.
    Slow,
    /// Responses are 200 with a body of 1 MiB.
    Talkative,
}

impl Behaviour {
    fn of(app: usize) -> Self {
        match app {
            1 => Self::Shaky,
            2 => Self::Broken,
            3 => Self::Slow,
            4 => Self::Talkative,
            _ => Self::Good,
        }
    }
}

#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    received: AtomicU64,
    failed: AtomicU64,
}

impl Receiver {
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let counts = Arc::<Counts>::default();
        let router = Router::new().route("/{app}", post(receive)).with_state(Arc::clone(&counts));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, counts }
    }

    /// Returns the callback URL of an app.
    pub fn url(&self, app: usize) -> String {
        format!("http://{}/{app}", self.address)
    }

    /// Returns two numbers: the requests that were received, and those of them that got an error or a late response on
    /// purpose.
    pub fn counts(&self) -> (u64, u64) {
        (self.counts.received.load(Ordering::Relaxed), self.counts.failed.load(Ordering::Relaxed))
    }
}

async fn receive(State(counts): State<Arc<Counts>>, Path(app): Path<usize>, body: Bytes) -> Response {
    let number = counts.received.fetch_add(1, Ordering::Relaxed);
    drop(body);
    let fail = || counts.failed.fetch_add(1, Ordering::Relaxed);
    match Behaviour::of(app) {
        Behaviour::Shaky if number % 5 == 0 => {
            fail();
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
        Behaviour::Broken => {
            fail();
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
        Behaviour::Slow => {
            // The failure is counted before the pause. The sender closes the connection at its timeout, which cancels
            // this handler.
            fail();
            tokio::time::sleep(Duration::from_secs(5)).await;
            StatusCode::OK.into_response()
        }
        Behaviour::Talkative => vec![b'x'; 1 << 20].into_response(),
        Behaviour::Good | Behaviour::Shaky => StatusCode::OK.into_response(),
    }
}
