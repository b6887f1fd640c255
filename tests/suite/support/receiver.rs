//! An app's callback server on a real socket, over HTTPS, or over HTTP for [`Identity::Plain`]. The test sets how the
//! server treats each request.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::Value;
use switchboard::domain::{signature, time::Timestamp};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::{Notify, Semaphore},
};
use tokio_rustls::TlsAcceptor;

use super::identity::tls;
pub use super::identity::{Identity, authority_pem};

/// The longest wait for requests. After this time a test fails.
const PATIENCE: Duration = Duration::from_secs(120);

/// How the receiver treats a request.
#[derive(Clone)]
pub enum Treatment {
    /// Answers with a status and this body.
    Answer(u16, Vec<u8>),
    /// Answers with a status and a `Location`.
    Redirect(u16, String),
    /// Closes the connection without a response.
    Close,
    /// Answers with bytes that are not HTTP.
    Garbage,
    /// Sends these bytes and leaves the connection open.
    Hang(Vec<u8>),
    /// Waits until the test adds a permit, and then answers 200.
    Gate(Arc<Semaphore>),
    /// Waits until the test adds a permit, and then does the same as [`Treatment::Hang`].
    Late(Arc<Semaphore>, Vec<u8>),
}

impl Treatment {
    pub fn status(status: u16) -> Self {
        Self::Answer(status, Vec::new())
    }
}

/// A received request.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub method: String,
    pub path: String,
    /// The headers. Their names are in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl ReceivedRequest {
    #[track_caller]
    pub fn header(&self, name: &str) -> &str {
        let found: Vec<_> = self.headers.iter().filter(|(n, _)| n == name).collect();
        assert_eq!(found.len(), 1, "the request has exactly one header {name}: {self:?}");
        &found[0].1
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("an event is JSON")
    }

    pub fn id(&self) -> String {
        self.json()["id"].as_str().expect("an id").to_owned()
    }

    pub fn attempt(&self) -> u32 {
        self.header("x-service-attempt").parse().expect("a number")
    }

    /// Returns whether the signature is valid for this secret at this time.
    pub fn verifies(&self, secret: &str, now: Timestamp) -> bool {
        let (timestamp, values) = (self.header("x-service-timestamp"), self.header("x-service-signature"));
        signature::verify(secret, timestamp, values, &self.body, now, signature::TOLERANCE).is_ok()
    }

    /// Returns the values of the signature header.
    pub fn signatures(&self) -> Vec<&str> {
        self.header("x-service-signature").split(',').collect()
    }
}

/// Decides how a request is treated.
type Rule = Arc<dyn Fn(&ReceivedRequest) -> Treatment + Send + Sync>;

struct Shared {
    hits: Mutex<Vec<ReceivedRequest>>,
    /// The treatments of the next requests.
    script: Mutex<VecDeque<Treatment>>,
    /// The treatment of requests while `script` is empty.
    otherwise: Mutex<Rule>,
    connections: AtomicUsize,
    /// The number of requests that are being answered.
    open: AtomicUsize,
    /// The highest value that `open` has had.
    most_open: AtomicUsize,
    news: Notify,
}

/// A running receiver. It stops when its runtime is dropped.
#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    scheme: &'static str,
    shared: Arc<Shared>,
}

impl Receiver {
    /// Starts a receiver on a free port. It responds 200 until a test sets another treatment.
    pub async fn start() -> Self {
        Self::with(Identity::Good, &["127.0.0.1"]).await
    }

    pub async fn with(identity: Identity, names: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            hits: Mutex::default(),
            script: Mutex::default(),
            otherwise: Mutex::new(Arc::new(|_| Treatment::status(200))),
            connections: AtomicUsize::new(0),
            open: AtomicUsize::new(0),
            most_open: AtomicUsize::new(0),
            news: Notify::new(),
        });
        let acceptor = (identity != Identity::Plain).then(|| tls(identity, names));
        let serving = Arc::clone(&shared);
        tokio::spawn(async move {
            loop {
                let Ok((socket, _)) = listener.accept().await else { continue };
                tokio::spawn(connection(socket, acceptor.clone(), Arc::clone(&serving)));
            }
        });
        let scheme = if identity == Identity::Plain { "http" } else { "https" };
        Self { address, scheme, shared }
    }

    /// Returns the callback URL that the app registers.
    pub fn url(&self) -> String {
        format!("{}://{}/events?key=secret", self.scheme, self.address)
    }

    /// Uses these treatments for the next requests, one for each, in order.
    pub fn then(&self, treatments: impl IntoIterator<Item = Treatment>) {
        self.shared.script.lock().unwrap().extend(treatments);
    }

    /// Uses this treatment for every request for which [`Receiver::then`] has set no treatment.
    pub fn always(&self, treatment: Treatment) {
        self.respond_with(move |_| treatment.clone());
    }

    /// Lets this function choose the treatment of every request for which [`Receiver::then`] has set no treatment.
    pub fn respond_with(&self, rule: impl Fn(&ReceivedRequest) -> Treatment + Send + Sync + 'static) {
        *self.shared.otherwise.lock().unwrap() = Arc::new(rule);
    }

    /// Returns all requests that were received until now.
    pub fn hits(&self) -> Vec<ReceivedRequest> {
        self.shared.hits.lock().unwrap().clone()
    }

    pub fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Returns the number of requests that are being answered.
    pub fn open(&self) -> usize {
        self.shared.open.load(Ordering::SeqCst)
    }

    /// Returns the highest number of requests that were being answered at the same time.
    pub fn most_open(&self) -> usize {
        self.shared.most_open.load(Ordering::SeqCst)
    }

    /// Waits until at least `count` requests were received, and returns all received requests.
    #[track_caller]
    pub fn wait_for(&self, count: usize) -> impl Future<Output = Vec<ReceivedRequest>> + '_ {
        let caller = std::panic::Location::caller();
        async move {
            let waiting = async {
                loop {
                    let news = self.shared.news.notified();
                    let hits = self.hits();
                    if hits.len() >= count {
                        return hits;
                    }
                    news.await;
                }
            };
            tokio::time::timeout(PATIENCE, waiting).await.unwrap_or_else(|_| {
                panic!("{caller}: expected {count} requests, got {}: {:#?}", self.hits().len(), self.hits())
            })
        }
    }
}

async fn connection(socket: TcpStream, acceptor: Option<TlsAcceptor>, shared: Arc<Shared>) {
    shared.connections.fetch_add(1, Ordering::SeqCst);
    match acceptor {
        None => serve(socket, &shared).await,
        Some(acceptor) => {
            if let Ok(stream) = acceptor.accept(socket).await {
                serve(stream, &shared).await;
            }
        }
    }
}

async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin, shared: &Shared) {
    let mut bytes = Vec::new();
    while let Some(hit) = request(&mut stream, &mut bytes).await {
        let open = shared.open.fetch_add(1, Ordering::SeqCst) + 1;
        shared.most_open.fetch_max(open, Ordering::SeqCst);
        let treatment = shared.script.lock().unwrap().pop_front();
        let rule = Arc::clone(&shared.otherwise.lock().unwrap());
        let treatment = treatment.unwrap_or_else(|| rule(&hit));
        shared.hits.lock().unwrap().push(hit);
        shared.news.notify_waiters();
        let goes_on = respond(&mut stream, treatment).await;
        shared.open.fetch_sub(1, Ordering::SeqCst);
        if !goes_on {
            return;
        }
    }
}

/// Sends these bytes, and waits until the client disconnects.
async fn hang(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), bytes: &[u8]) {
    let _ = stream.write_all(bytes).await;
    let _ = stream.flush().await;
    let _ = stream.read(&mut [0; 1]).await;
}

/// Sends a response, and returns whether the connection stays open.
async fn respond(stream: &mut (impl AsyncRead + AsyncWrite + Unpin), treatment: Treatment) -> bool {
    let (head, body) = match treatment {
        Treatment::Answer(status, body) => {
            (format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n", body.len()), body)
        }
        Treatment::Redirect(status, to) => {
            (format!("HTTP/1.1 {status} X\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"), Vec::new())
        }
        Treatment::Close => return false,
        Treatment::Garbage => ("no HTTP at all\r\n\r\n".to_owned(), Vec::new()),
        Treatment::Hang(bytes) => {
            hang(stream, &bytes).await;
            return false;
        }
        Treatment::Late(gate, bytes) => {
            gate.acquire().await.unwrap().forget();
            hang(stream, &bytes).await;
            return false;
        }
        Treatment::Gate(gate) => {
            gate.acquire().await.unwrap().forget();
            ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".to_owned(), Vec::new())
        }
    };
    let mut bytes = head.into_bytes();
    bytes.extend(body);
    stream.write_all(&bytes).await.is_ok() && stream.flush().await.is_ok()
}

/// Reads one request. Returns `None` at the end of the connection.
async fn request(stream: &mut (impl AsyncRead + Unpin), bytes: &mut Vec<u8>) -> Option<ReceivedRequest> {
    let mut chunk = vec![0; 16 * 1024];
    loop {
        if let Some(end) = bytes.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8(bytes[..end].to_vec()).expect("a head is ASCII");
            let mut lines = head.split("\r\n");
            let mut first = lines.next()?.split(' ');
            let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
            let headers: Vec<(String, String)> = lines
                .filter_map(|line| line.split_once(": "))
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect();
            let length = headers.iter().find(|(name, _)| name == "content-length");
            let length: usize = length.map_or(0, |(_, value)| value.parse().expect("a length"));
            let whole = end + 4 + length;
            if bytes.len() >= whole {
                let body = bytes[end + 4..whole].to_vec();
                bytes.drain(..whole);
                return Some(ReceivedRequest { method, path, headers, body });
            }
        }
        match stream.read(&mut chunk).await {
            Ok(0) | Err(_) => return None,
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
    }
}

/// Starts a server that supports at most TLS 1.1. It responds to a ClientHello with a ServerHello of that version.
/// Returns the server's address, and the bytes that clients send after the ServerHello.
pub async fn tls_1_1() -> (SocketAddr, Arc<Mutex<Vec<u8>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let after = Arc::<Mutex<Vec<u8>>>::default();
    let received = Arc::clone(&after);
    tokio::spawn(async move {
        loop {
            let Ok((mut socket, _)) = listener.accept().await else { continue };
            let mut greeting = [0; 4096];
            if socket.read(&mut greeting).await.is_err() {
                continue;
            }
            // ServerHello: version 3.2 (TLS 1.1), a random, no session, TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA, no
            // compression
            let mut hello = vec![3, 2];
            hello.extend([7; 32]);
            hello.extend([0, 0xc0, 0x13, 0]);
            let mut message = vec![2, 0, 0, hello.len() as u8];
            message.extend(hello);
            let mut record = vec![22, 3, 2, 0, message.len() as u8];
            record.extend(message);
            let _ = socket.write_all(&record).await;
            let mut rest = Vec::new();
            let _ = socket.read_to_end(&mut rest).await;
            received.lock().unwrap().extend(rest);
        }
    });
    (address, after)
}
