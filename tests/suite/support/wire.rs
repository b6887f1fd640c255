//! HTTP requests that are written as bytes to a socket, so that tests can send requests that no HTTP library sends.

use std::{net::Ipv4Addr, time::Duration};

use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
};

/// The longest wait for a response or for the end of the connection. After this time the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

/// A response as received.
#[derive(Clone, Debug)]
pub struct Wire {
    pub status: u16,
    /// The headers. Their names are in lower case.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

/// Opens a connection, sends bytes on it, and returns the first final response.
pub async fn exchange(base: &str, request: &[u8]) -> Wire {
    exchange_from(None, base, request).await
}

/// Does what [`exchange`] does. If `from` is given, connects from this address of the machine.
async fn exchange_from(from: Option<Ipv4Addr>, base: &str, request: &[u8]) -> Wire {
    let talking = talk(from, base, request);
    tokio::time::timeout(PATIENCE, talking).await.expect("the server responds or closes in time")
}

/// Sends a request with `Host`, `Connection: close`, these header lines and this body, and returns the response. `line`
/// is the method and the path. The header lines have no line ends.
pub async fn request(base: &str, line: &str, headers: &[&str], body: &[u8]) -> Wire {
    request_from(None, base, line, headers, body).await
}

/// Does what [`request`] does. If `from` is given, connects from this address of the machine.
pub async fn request_from(
    from: Option<Ipv4Addr>,
    base: &str,
    line: &str,
    headers: &[&str],
    body: &[u8],
) -> Wire {
    let mut bytes =
        format!("{line} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n", authority(base)).into_bytes();
    for header in headers {
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    bytes.extend_from_slice(b"\r\n");
    bytes.extend_from_slice(body);
    exchange_from(from, base, &bytes).await
}

fn authority(base: &str) -> &str {
    base.trim_start_matches("http://").trim_end_matches('/')
}

async fn connect(from: Option<Ipv4Addr>, base: &str) -> TcpStream {
    let Some(from) = from else {
        return TcpStream::connect(authority(base)).await.expect("the server listens");
    };
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((from, 0).into()).expect("an address of this machine");
    let at = authority(base).parse().expect("an address and a port");
    socket.connect(at).await.expect("the server listens")
}

async fn talk(from: Option<Ipv4Addr>, base: &str, request: &[u8]) -> Wire {
    let socket = connect(from, base).await;
    let (mut reading, mut writing) = socket.into_split();
    let request = request.to_vec();
    // a failed write is no error, because a server may respond and close the connection before it has read everything
    let sending = tokio::spawn(async move {
        let _ = writing.write_all(&request).await;
        writing
    });
    let response = response(&mut reading).await;
    sending.abort();
    response
}

async fn response(reading: &mut (impl AsyncReadExt + Unpin)) -> Wire {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        if let Some(response) = parse(&bytes, false) {
            return response;
        }
        match reading.read(&mut chunk).await {
            Ok(0) | Err(_) => {
                return parse(&bytes, true).unwrap_or_else(|| panic!("no response: {:?}", show(&bytes)));
            }
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
        }
    }
}

/// A request whose head was sent. The server waits for the body.
pub struct Asked {
    socket: TcpStream,
    body: Vec<u8>,
}

/// Sends the head of a request and waits for `100 Continue` (RFC 9110 §10.1.1), which the server sends after it has
/// authenticated the caller.
pub async fn asked(base: &str, line: &str, headers: &[&str], body: &[u8]) -> Asked {
    let mut head = format!(
        "{line} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: {}\r\n",
        authority(base),
        body.len()
    );
    for header in headers {
        head += header;
        head += "\r\n";
    }
    head += "\r\n";
    let mut socket = TcpStream::connect(authority(base)).await.expect("the server listens");
    let waiting = async {
        socket.write_all(head.as_bytes()).await.expect("the server accepts the head");
        let mut interim = Vec::new();
        while !interim.ends_with(b"\r\n\r\n") {
            interim.push(socket.read_u8().await.expect("the server asks for the body"));
        }
        assert!(interim.starts_with(b"HTTP/1.1 100 "), "{}", show(&interim));
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("the server asks for the body in time");
    Asked { socket, body: body.to_vec() }
}

impl Asked {
    /// Sends only the first `bytes` bytes of the body, and returns the response.
    pub async fn partly(mut self, bytes: usize) -> Wire {
        let answered = async {
            let _ = self.socket.write_all(&self.body[..bytes]).await;
            response(&mut self.socket).await
        };
        tokio::time::timeout(PATIENCE, answered).await.expect("the server responds or closes in time")
    }

    /// Sends the body, and returns the response.
    pub async fn end(mut self) -> Wire {
        let answered = async {
            let _ = self.socket.write_all(&self.body).await;
            response(&mut self.socket).await
        };
        tokio::time::timeout(PATIENCE, answered).await.expect("the server responds or closes in time")
    }
}

fn show(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned()
}

/// Parses the first final response in the bytes. Returns `None` while the response is incomplete. If the connection has
/// ended, a body that is not chunked may be shorter than `Content-Length`.
fn parse(bytes: &[u8], ended: bool) -> Option<Wire> {
    let end = bytes.windows(4).position(|w| w == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let rest = &bytes[end + 4..];
    let mut lines = head.split("\r\n");
    let status: u16 = lines.next()?.split(' ').nth(1)?.parse().ok()?;
    if (100..200).contains(&status) {
        return parse(rest, ended);
    }
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let find = |name: &str| headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let body = if let Some(length) = find("content-length") {
        let length: usize = length.parse().ok()?;
        if rest.len() < length && !ended {
            return None;
        }
        rest[..length.min(rest.len())].to_vec()
    } else if find("transfer-encoding").is_some_and(|v| v.eq_ignore_ascii_case("chunked")) {
        unchunked(rest)?
    } else if ended {
        rest.to_vec()
    } else {
        return None;
    };
    Some(Wire { status, headers, body })
}

fn unchunked(mut bytes: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let line = bytes.windows(2).position(|w| w == b"\r\n")?;
        let size =
            usize::from_str_radix(std::str::from_utf8(&bytes[..line]).ok()?.split(';').next()?, 16).ok()?;
        let data = bytes.get(line + 2..)?;
        if size == 0 {
            return Some(body);
        }
        body.extend_from_slice(data.get(..size)?);
        bytes = data.get(size + 2..)?;
    }
}

impl Wire {
    /// Returns the value of a header. The header must not occur twice.
    #[track_caller]
    pub fn header(&self, name: &str) -> Option<&str> {
        let values: Vec<_> = self.headers.iter().filter(|(n, _)| n == name).collect();
        assert!(values.len() < 2, "a response has {name} at most once: {self:?}");
        values.first().map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", show(&self.body)))
    }

    /// Asserts the error envelope (B-003 … B-005, B-007) with this status, and returns the code.
    #[track_caller]
    pub fn envelope(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", show(&self.body));
        let id = self.header("x-request-id").expect("a response has X-Request-Id (B-004)");
        assert!(!id.is_empty(), "the header X-Request-Id is not empty (B-004)");
        let content_type = self.header("content-type").expect("a response has a content type (B-007)");
        assert!(content_type.starts_with("application/json"), "responses are JSON (B-007): {content_type}");
        let body = self.json();
        assert_eq!(body["ok"], Value::Bool(false), "a failure has the error envelope (B-003): {body}");
        assert_eq!(body["request_id"], id, "header and body have the same request id (B-005): {body}");
        assert!(
            body["error"]["message"].as_str().is_some_and(|m| !m.is_empty()),
            "a failure has the error envelope (B-003): {body}"
        );
        body["error"]["code"].as_str().expect("a failure has the error envelope (B-003)").to_owned()
    }

    /// Asserts an error with this status and code.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(self.envelope(status), code);
    }
}
