//! Responses to requests that hyper rejects itself: 400 for malformed HTTP, and 431 or 414 for a head that is larger
//! than hyper's buffer.
//!
//! Hyper's own response has neither the error body nor the request id that responses must have (B-003, B-004). So
//! [`Socket`] recognizes this response when hyper writes it, and withholds it. After hyper's connection is dropped,
//! this module calls the application's endpoint and sends the endpoint's response instead.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::BodyExt;
use parking_lot::Mutex;
use poem::http::StatusCode;
use poem::{Endpoint, IntoResponse, Request};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::net::TcpStream;

use super::framing::{Framing, PartialRequest};
use super::heads::{BadHead, MAX_REQUEST_LINE, RejectedHead};
use super::progress::{DirectionProgress, reset, write_all};
use crate::platform::clock::Clock;

/// Maximum number of bytes that are read and discarded after a rejection. Closing a socket with unread bytes would
/// reset the connection, and the client would lose the response.
const LINGER_BYTES: u64 = 4 << 20;
/// Maximum time of reading after a rejection.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// A withheld response of hyper, the request that hyper rejected, and the socket of the connection.
pub(super) struct WithheldResponse {
    status: StatusCode,
    /// All bytes of the response: hyper's own response has no body.
    head: Vec<u8>,
    request: PartialRequest,
    socket: TcpStream,
}

/// The state that a [`Socket`] shares with the code that serves its connection: the withheld response, whether the
/// socket is full, and which request had both `Content-Length` and `Transfer-Encoding`.
#[derive(Clone)]
pub(super) struct RejectionState(Arc<Observed>);

struct Observed {
    clock: Clock,
    withheld: Mutex<Option<WithheldResponse>>,
    is_full: AtomicBool,
    /// Number of requests that hyper has passed to the endpoint.
    served: AtomicU64,
    /// The number, from 1, of the request that had both `Content-Length` and `Transfer-Encoding`; 0 if there was none.
    conflict: AtomicU64,
}

/// The socket of a connection as hyper sees it.
pub(super) struct Socket {
    inner: Option<TcpStream>,
    withheld: Option<(StatusCode, Vec<u8>)>,
    framing: Framing,
    writing: DirectionProgress,
    rejections: RejectionState,
}

impl RejectionState {
    pub(super) fn new(clock: Clock) -> Self {
        Self(Arc::new(Observed {
            clock,
            withheld: Mutex::default(),
            is_full: AtomicBool::default(),
            served: AtomicU64::default(),
            conflict: AtomicU64::default(),
        }))
    }

    pub(super) fn socket(&self, inner: TcpStream) -> Socket {
        Socket {
            inner: Some(inner),
            withheld: None,
            framing: Framing::default(),
            writing: DirectionProgress::new(self.0.clock.clone()),
            rejections: self.clone(),
        }
    }

    /// Must be called once for each request that hyper passes to the endpoint, in order. Returns a rejection if the
    /// head of the request had both `Content-Length` and `Transfer-Encoding`.
    pub(super) fn next_request(&self) -> Option<BadHead> {
        let number = self.0.served.fetch_add(1, Ordering::Relaxed) + 1;
        let why = "Content-Length and Transfer-Encoding must not be sent together";
        (self.0.conflict.load(Ordering::Relaxed) == number).then_some(BadHead::invalid(why))
    }

    /// Returns whether the socket was full at the last write.
    pub(super) fn is_full(&self) -> bool {
        self.0.is_full.load(Ordering::Relaxed)
    }

    /// Returns the withheld response. Must be called after hyper's connection was dropped.
    pub(super) fn take(&self) -> Option<WithheldResponse> {
        self.0.withheld.lock().take()
    }
}

impl WithheldResponse {
    /// Sends the application's response in place of hyper's, and closes the connection.
    pub(super) async fn answer<E>(self, endpoint: &E, clock: &Clock)
    where
        E: Endpoint,
        E::Output: IntoResponse,
    {
        let rejected = self.rejection();
        let mut request = Request::default();
        // The path determines the format of the error response. A path with an empty segment is left out: the
        // application would respond with 404 to such a path, and not with the status of the rejection.
        let path = self.request.path.filter(|path| !path.contains("//"));
        if let Some(Ok(uri)) = path.as_deref().map(str::parse) {
            *request.uri_mut() = uri;
        }
        request.extensions_mut().insert(RejectedHead(rejected));
        let response: hyper::Response<_> = endpoint.get_response(request).await.into();
        let (parts, body) = response.into_parts();
        let mut bytes = self.head;
        // if the endpoint ignored the rejection, hyper's own response is sent
        if parts.status == rejected.status
            && let Ok(body) = body.collect().await
        {
            let body = body.to_bytes();
            let mut head = format!("HTTP/1.1 {}\r\n", parts.status).into_bytes();
            head.extend(without_length(&bytes));
            for (name, value) in &parts.headers {
                head.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
            }
            head.extend(format!("content-length: {}\r\n\r\n", body.len()).into_bytes());
            head.extend(body);
            bytes = head;
        }
        if let Err(error) = send_and_close(self.socket, &bytes, clock).await {
            tracing::debug!(%error, "failed to send a rejection or to close its connection");
        }
    }

    /// Returns the rejection. Hyper responds with 431 whenever a head fills its buffer. If the request line alone was
    /// too long, the rejection has the status 414 instead.
    fn rejection(&self) -> BadHead {
        match self.status {
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE | StatusCode::URI_TOO_LONG
                if self.request.line_length > MAX_REQUEST_LINE =>
            {
                BadHead::LINE_TOO_LONG
            }
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => BadHead::HEADERS_TOO_LARGE,
            status => BadHead { status, why: "the request is not a valid HTTP/1.1 request" },
        }
    }
}

/// Returns the header lines of a head, except for Content-Length and the final empty line.
fn without_length(head: &[u8]) -> Vec<u8> {
    let lines = head.split_inclusive(|byte| *byte == b'\n').skip(1);
    lines
        .filter(|line| !starts_with_name(line, b"content-length:") && *line != b"\r\n")
        .flatten()
        .copied()
        .collect()
}

fn starts_with_name(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

async fn send_and_close(mut socket: TcpStream, bytes: &[u8], clock: &Clock) -> io::Result<()> {
    write_all(&mut socket, bytes, clock).await?;
    socket.shutdown().await?;
    let mut rest = socket.take(LINGER_BYTES);
    let mut sink = tokio::io::sink();
    // reaching the time limit is not an error
    tokio::time::timeout(LINGER_TIME, tokio::io::copy(&mut rest, &mut sink)).await.unwrap_or(Ok(0)).map(drop)
}

/// Returns the status of a response that hyper created itself: a 4xx with `connection: close`, `content-length: 0`, and
/// neither a body nor a `content-type`. Every error response of the application has a `content-type`.
fn hyper_status(bytes: &[u8]) -> Option<StatusCode> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
    let status = StatusCode::from_bytes(status).ok().filter(StatusCode::is_client_error)?;
    let lines = || bytes.split(|byte| *byte == b'\n');
    let has_header = |name: &[u8]| lines().any(|line| starts_with_name(line, name));
    let is_bare =
        bytes.ends_with(b"\r\n\r\n") && has_header(b"connection: close") && has_header(b"content-length: 0");
    (is_bare && !has_header(b"content-type:")).then_some(status)
}

impl Socket {
    /// Returns whether `bytes` must be withheld: they are hyper's own response, or follow it.
    fn withholds(&mut self, bytes: &[u8]) -> bool {
        if self.withheld.is_none() {
            self.withheld = hyper_status(bytes).map(|status| (status, bytes.to_vec()));
        }
        self.withheld.is_some()
    }

    /// Returns the socket of the connection; `None` if a response is withheld.
    pub(super) fn into_inner(mut self) -> Option<TcpStream> {
        if self.withheld.is_some() { None } else { self.inner.take() }
    }

    /// Records whether the socket is full. If writes have been pending for `STALL_TIMEOUT`, returns an error, and
    /// prepares the socket so that closing the socket resets the connection.
    fn record_write(
        &mut self,
        cx: &mut Context<'_>,
        sent: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.rejections.0.is_full.store(sent.is_pending(), Ordering::Relaxed);
        let was_pending = sent.is_pending();
        let sent = self.writing.within(cx, sent);
        if was_pending
            && sent.is_ready()
            && let Some(socket) = &self.inner
        {
            reset(socket);
        }
        sent
    }

    fn inner(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        // the socket is present until this value is dropped
        self.inner.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let (Some((status, head)), Some(socket)) = (self.withheld.take(), self.inner.take()) {
            *self.rejections.0.withheld.lock() =
                Some(WithheldResponse { status, head, request: self.framing.begun(), socket });
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        let read = self.inner()?.poll_read(cx, buf);
        if let Some(number) = self.framing.read(&buf.filled()[before..]) {
            self.rejections.0.conflict.store(number, Ordering::Relaxed);
        }
        read
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.withholds(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let sent = self.inner()?.poll_write(cx, bytes);
        self.record_write(cx, sent)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut parts = slices.iter().filter(|slice| !slice.is_empty());
        let only = match (parts.next(), parts.next()) {
            (Some(only), None) => &**only,
            _ => &[],
        };
        if self.withholds(only) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        let sent = self.inner()?.poll_write_vectored(cx, slices);
        self.record_write(cx, sent)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.withheld {
            Some(_) => Poll::Ready(Ok(())),
            None => self.inner()?.poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hypers_own_responses_are_withheld() {
        let own = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        assert_eq!(hyper_status(own), Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
        for other in [
            &b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
            b"",
            b"400",
        ] {
            assert_eq!(hyper_status(other), None, "{}", String::from_utf8_lossy(other));
        }
        assert_eq!(without_length(own), b"connection: close\r\ndate: x\r\n");
    }
}
