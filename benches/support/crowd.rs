//! Hostile clients. Each of them keeps one connection in a state that is as expensive as possible for the server. When
//! the server has closed the connection, the client reconnects.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tokio::time::sleep;

/// The pause before reconnecting, and between the bytes of slow senders.
const PAUSE: Duration = Duration::from_secs(1);

/// What a hostile client does.
#[derive(Clone, Copy)]
enum Kind {
    /// Sends nothing.
    Silent,
    /// Sends one byte of a request head per second.
    SlowHead,
    /// Sends one byte of a body per second, to an endpoint without authentication.
    SlowBody,
    /// Requests a stylesheet 1,000 times and does not read the responses.
    NotReading,
    /// Sends the beginning of a TLS handshake to the port for plain HTTP.
    Garbage,
    /// Sends a request with both `Content-Length` and `Transfer-Encoding`.
    TwoLengths,
    /// Sends 1 MB of JSON to an endpoint without authentication.
    LargeBody,
    /// Tries to sign in with wrong passwords, each time with another e-mail address.
    Guesses,
    /// Begins to upload a file as an employee, and stops in the middle of the file. Sends nothing if the crowd has no
    /// employees.
    StalledUpload,
}

const KINDS: [Kind; 9] = [
    Kind::Silent,
    Kind::SlowHead,
    Kind::SlowBody,
    Kind::NotReading,
    Kind::Garbage,
    Kind::TwoLengths,
    Kind::LargeBody,
    Kind::Guesses,
    Kind::StalledUpload,
];

/// An employee who is signed in. Hostile clients upload files as this employee.
#[derive(Clone)]
pub struct Employee {
    /// The header line `cookie: …` without its line break.
    pub cookie: String,
    /// A conversation of which the employee is a member.
    pub conversation: String,
}

#[derive(Default)]
struct Counts {
    held: AtomicUsize,
    opened: AtomicUsize,
}

/// All hostile clients. Dropping this value disconnects them.
pub struct Crowd {
    counts: Arc<Counts>,
    runtime: Option<Runtime>,
}

impl Crowd {
    /// Starts `connections` clients, which connect from `addresses` loopback addresses. The first `addresses` clients,
    /// one from each address, have the first kind of [`KINDS`]. The next `addresses` clients have the second kind, and
    /// so on. Every kind exists if there are more than `8 * addresses` clients.
    pub fn gather(server: SocketAddr, connections: usize, addresses: usize, employees: &[Employee]) -> Self {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let counts = Arc::new(Counts::default());
        for n in 0..connections {
            let from = Ipv4Addr::new(127, 0, 1, 1 + (n % addresses) as u8);
            let kind = KINDS[(n / addresses) % KINDS.len()];
            let employee = employees.get(n % employees.len().max(1)).cloned();
            runtime.spawn(keep_connected(server, from, kind, employee, Arc::clone(&counts)));
        }
        Self { counts, runtime: Some(runtime) }
    }

    /// Returns the number of connections that the clients consider open.
    pub fn held(&self) -> usize {
        self.counts.held.load(Ordering::Relaxed)
    }

    /// Returns the number of connections opened since [`Crowd::count_from_here`].
    pub fn reopened(&self) -> usize {
        self.counts.opened.load(Ordering::Relaxed)
    }

    /// Resets the number of opened connections.
    pub fn count_from_here(&self) {
        self.counts.opened.store(0, Ordering::Relaxed);
    }
}

impl Drop for Crowd {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(10));
        }
    }
}

/// Keeps one connection open: whenever the connection has ended, opens another after [`PAUSE`].
async fn keep_connected(
    server: SocketAddr,
    from: Ipv4Addr,
    kind: Kind,
    employee: Option<Employee>,
    counts: Arc<Counts>,
) {
    loop {
        if let Ok(mut socket) = open(server, from).await {
            counts.opened.fetch_add(1, Ordering::Relaxed);
            counts.held.fetch_add(1, Ordering::Relaxed);
            // errors are expected
            let _ = misbehave(&mut socket, kind, employee.as_ref()).await;
            counts.held.fetch_sub(1, Ordering::Relaxed);
        }
        sleep(PAUSE).await;
    }
}

async fn open(server: SocketAddr, from: Ipv4Addr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(8 << 10)?;
    socket.bind((from, 0).into())?;
    socket.connect(server).await
}

/// Behaves like a client of this kind, and returns when the connection has ended.
async fn misbehave(socket: &mut TcpStream, kind: Kind, employee: Option<&Employee>) -> std::io::Result<()> {
    let json_post = "POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n";
    match kind {
        Kind::Silent => {}
        Kind::SlowHead => socket.write_all(b"GET / HTTP/1.1\r\nhost: x\r\nx-slow: ").await?,
        Kind::SlowBody => {
            socket.write_all(format!("{json_post}content-length: 10000\r\n\r\n").as_bytes()).await?
        }
        Kind::NotReading => {
            // a stylesheet, because larger responses, such as OpenAPI documents, have a rate limit per address
            let page = get(socket, "/signin", "").await?;
            let style = between(&page, "href=\"/assets/pages-", "\"");
            let request = format!("GET /assets/pages-{style} HTTP/1.1\r\nhost: x\r\n\r\n");
            socket.write_all(request.repeat(1000).as_bytes()).await?;
            return until_reset(socket).await;
        }
        Kind::Garbage => socket.write_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").await?,
        Kind::TwoLengths => {
            let head = format!("{json_post}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n3\r\nab");
            socket.write_all(head.as_bytes()).await?;
        }
        Kind::LargeBody => {
            let body = "[".to_owned() + &"[],".repeat(349_000) + "[]]";
            let head = format!("{json_post}content-length: {}\r\n\r\n", body.len());
            socket.write_all(head.as_bytes()).await?;
            socket.write_all(body.as_bytes()).await?;
        }
        Kind::Guesses => return guess(socket).await,
        Kind::StalledUpload => {
            if let Some(employee) = employee {
                begin_upload(socket, employee).await?;
            }
        }
    }
    let is_slow = matches!(kind, Kind::SlowHead | Kind::SlowBody);
    let (mut reading, mut writing) = socket.split();
    let mut nowhere = tokio::io::sink();
    tokio::select! {
        read = tokio::io::copy(&mut reading, &mut nowhere) => read.map(drop),
        wrote = async {
            loop {
                sleep(PAUSE).await;
                if is_slow {
                    writing.write_all(b"x").await?;
                }
            }
        } => wrote,
    }
}

/// Waits until the connection is reset. Reads nothing, because the server would count a read as progress.
async fn until_reset(socket: &TcpStream) -> std::io::Result<()> {
    loop {
        sleep(PAUSE).await;
        if let Some(error) = socket.take_error()? {
            return Err(error);
        }
    }
}

/// Tries to sign in with wrong passwords, one after the other, until the connection ends.
async fn guess(socket: &mut TcpStream) -> std::io::Result<()> {
    let page = get(socket, "/signin", "").await?;
    let browser = between(&page, "set-cookie: ", ";");
    let csrf = between(&page, "name=\"csrf\" value=\"", "\"");
    for number in 0_u64.. {
        let address = socket.local_addr()?;
        let body = format!(
            "csrf={csrf}&next=%2F&email=guess-{number}-{}-{}%40example.com&password=wrong",
            address.ip(),
            address.port()
        );
        let request = format!(
            "POST /signin HTTP/1.1\r\nhost: x\r\ncookie: {browser}\r\n\
             content-type: application/x-www-form-urlencoded\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        socket.write_all(request.as_bytes()).await?;
        response(socket).await?;
    }
    Ok(())
}

/// Sends a form with a file of 1 MiB, up to the middle of the file.
async fn begin_upload(socket: &mut TcpStream, employee: &Employee) -> std::io::Result<()> {
    let Employee { cookie, conversation } = employee;
    let path = format!("/c/{conversation}");
    let page = get(socket, &path, &format!("{cookie}\r\n")).await?;
    let csrf = between(&page, "name=\"csrf\" value=\"", "\"");
    let key = between(&page, "name=\"client_key\" value=\"", "\"");
    let field = |name: &str, value: &str| {
        format!("--limit\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let begin = format!(
        "{}{}--limit\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n\
         content-type: application/octet-stream\r\n\r\n",
        field("csrf", &csrf),
        field("client_key", &key)
    );
    let head = format!(
        "POST {path}/messages HTTP/1.1\r\nhost: x\r\n{cookie}\r\ncontent-type: multipart/form-data; \
         boundary=limit\r\ncontent-length: {}\r\n\r\n{begin}",
        begin.len() + (1 << 20)
    );
    socket.write_all(head.as_bytes()).await?;
    socket.write_all(&[0; 512 << 10]).await
}

/// Requests a page and returns its head and body. `line` is a further header line with its line break, or empty.
async fn get(socket: &mut TcpStream, path: &str, line: &str) -> std::io::Result<String> {
    socket.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n{line}\r\n").as_bytes()).await?;
    response(socket).await
}

/// Reads a response with a `Content-Length`.
async fn response(socket: &mut TcpStream) -> std::io::Result<String> {
    let (mut received, mut chunk) = (Vec::new(), [0; 8192]);
    loop {
        let read = socket.read(&mut chunk).await?;
        if read == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        received.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&received);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return Ok(text.into_owned());
        }
    }
}

/// Returns the text between `begin` and `end`, or an empty text if one of them does not occur, as on an error page.
fn between(text: &str, begin: &str, end: &str) -> String {
    let rest = text.split_once(begin).map_or("", |(_, rest)| rest);
    rest.split_once(end).map_or("", |(found, _)| found).to_owned()
}
