//! The apps' receiver of events. Most apps accept every event; some fail, are slow, or send too large responses.

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

/// The behaviour of an app's server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Good,
    /// One request in five is answered 500.
    Shaky,
    /// Every request is answered 503.
    Broken,
    /// Responses come after the timeout of an attempt.
    Slow,
    /// Responses have a body of one megabyte.
    Talkative,
}

impl Manner {
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

    /// The callback URL of an app.
    pub fn url(&self, app: usize) -> String {
        format!("http://{}/{app}", self.address)
    }

    /// The number of requests so far, and of those that did not get 200 in time.
    pub fn counts(&self) -> (u64, u64) {
        (self.counts.received.load(Ordering::Relaxed), self.counts.failed.load(Ordering::Relaxed))
    }
}

async fn receive(State(counts): State<Arc<Counts>>, Path(app): Path<usize>, body: Bytes) -> Response {
    let number = counts.received.fetch_add(1, Ordering::Relaxed);
    drop(body);
    let fail = |status: StatusCode| {
        counts.failed.fetch_add(1, Ordering::Relaxed);
        status.into_response()
    };
    match Manner::of(app) {
        Manner::Shaky if number % 5 == 0 => fail(StatusCode::INTERNAL_SERVER_ERROR),
        Manner::Broken => fail(StatusCode::SERVICE_UNAVAILABLE),
        Manner::Slow => {
            tokio::time::sleep(Duration::from_secs(5)).await;
            fail(StatusCode::OK)
        }
        Manner::Talkative => vec![b'x'; 1 << 20].into_response(),
        Manner::Good | Manner::Shaky => StatusCode::OK.into_response(),
    }
}
