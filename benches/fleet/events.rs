//! The receiver to which the server sends the events of all apps. It verifies and records each event. If configured, it
//! answers the first attempt of some events with 500.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::Value;
use switchboard::{domain::signature, platform::clock::Clock};

/// The maximum age of an event's timestamp (B-441).
const TOLERANCE: Duration = Duration::from_secs(300);

/// The ids of the accepted events, by the number of the app, the kind, and the id of the changed object. The kind of an
/// event is `data.kind` for `directory.changed`, and `type` for all other events.
pub type Received = BTreeMap<(usize, String, String), BTreeSet<String>>;

#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    secrets: Mutex<HashMap<usize, String>>,
    received: Mutex<Received>,
    counts: Mutex<Counts>,
    failing: u64,
}

/// Counts of requests to the receiver.
#[derive(Clone, Debug, Default)]
pub struct Counts {
    /// All requests.
    pub deliveries: u64,
    /// Requests with an event that the receiver had accepted before.
    pub repeated: u64,
    /// Requests that the receiver answered with 500 on purpose.
    pub failed: u64,
    /// Requests that the receiver rejected because of their signature or timestamp, by reason.
    pub refused: BTreeMap<String, u64>,
}

impl Receiver {
    /// Starts a receiver. If `failing` is not 0, about one in `failing` events gets 500 at its first attempt.
    pub async fn start(failing: u64) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared { failing, ..Shared::default() });
        let router = Router::new().route("/{app}", post(receive)).with_state(Arc::clone(&shared));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, shared }
    }

    /// Returns the callback URL of an app.
    pub fn url(&self, app: usize) -> String {
        format!("http://{}/{app}", self.address)
    }

    /// Sets the secret with which the receiver verifies the requests for an app.
    pub fn expect(&self, app: usize, secret: String) {
        self.shared.secrets.lock().unwrap().insert(app, secret);
    }

    pub fn received(&self) -> Received {
        self.shared.received.lock().unwrap().clone()
    }

    pub fn counts(&self) -> Counts {
        self.shared.counts.lock().unwrap().clone()
    }
}

async fn receive(
    State(shared): State<Arc<Shared>>,
    Path(app): Path<usize>,
    headers: HeaderMap,
    body: Bytes,
) -> StatusCode {
    let secret = shared.secrets.lock().unwrap().get(&app).cloned().unwrap_or_default();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let (timestamp, given) = (header("x-service-timestamp"), header("x-service-signature"));
    let verified = signature::verify(&secret, timestamp, given, &body, Clock::system().now(), TOLERANCE);
    let mut counts = shared.counts.lock().unwrap();
    counts.deliveries += 1;
    if let Err(error) = verified {
        *counts.refused.entry(error.to_string()).or_default() += 1;
        return StatusCode::UNAUTHORIZED;
    }
    let event: Value = serde_json::from_slice(&body).unwrap();
    let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned();
    let id = text("/id");
    // the event's id decides whether its first attempt fails; later attempts succeed
    let fails_first_attempt =
        shared.failing > 0 && id.bytes().map(u64::from).sum::<u64>() % shared.failing == 0;
    if fails_first_attempt && header("x-service-attempt") == "1" {
        counts.failed += 1;
        return StatusCode::INTERNAL_SERVER_ERROR;
    }
    let kind = match text("/type").as_str() {
        "directory.changed" => text("/data/kind"),
        other => other.to_owned(),
    };
    let subject = (app, kind, text("/data/id"));
    if !shared.received.lock().unwrap().entry(subject).or_default().insert(id) {
        counts.repeated += 1;
    }
    StatusCode::OK
}
