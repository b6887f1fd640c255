//! Requests that hyper refuses by itself: 400 for what is not HTTP, 431 or 414 for a head beyond its buffer.
//!
//! Hyper's own answer has no body and no request id, which every answer must have (B-003, B-004). It goes out
//! through the socket like any other, so the socket holds it back, and when the connection is over the application
//! is asked for its answer, which takes the place of hyper's.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::BodyExt;
use parking_lot::Mutex;
use poem::http::StatusCode;
use poem::{Endpoint, IntoResponse, Request};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;

use super::BadHead;

/// How much, and how long, is read from a client after its request was refused. Closing with something unread would
/// reset the connection, and the answer would be lost on its way.
const LINGER_BYTES: u64 = 4 << 20;
const LINGER_TIME: Duration = Duration::from_secs(1);

/// In the extensions of a request that is to be refused, or of the one that stands for one that never became one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refused(pub(super) BadHead);

/// An answer held back: the status, the bytes, and where they were to go.
pub(super) struct Held {
    status: StatusCode,
    head: Vec<u8>,
    socket: TcpStream,
}

/// Where a [`Socket`] leaves what it held back.
#[derive(Clone, Default)]
pub(super) struct Refusals(Arc<Shared>);

#[derive(Default)]
struct Shared {
    held: Mutex<Option<Held>>,
    is_full: AtomicBool,
}

/// A connection as hyper sees it.
pub(super) struct Socket {
    inner: Option<TcpStream>,
    held: Option<(StatusCode, Vec<u8>)>,
    refusals: Refusals,
}

impl Refusals {
    pub(super) fn socket(&self, inner: TcpStream) -> Socket {
        Socket { inner: Some(inner), held: None, refusals: self.clone() }
    }

    /// Whether the client's side took no more at the last attempt to send.
    pub(super) fn is_full(&self) -> bool {
        self.0.is_full.load(Ordering::Relaxed)
    }

    /// After the connection was dropped: the answer that was held back.
    pub(super) fn take(&self) -> Option<Held> {
        self.0.held.lock().take()
    }
}

impl Held {
    /// Gives the application's answer where hyper would have given its own.
    pub(super) async fn answer<E>(self, endpoint: &E)
    where
        E: Endpoint,
        E::Output: IntoResponse,
    {
        let mut request = Request::default();
        let why = "the request is not one of HTTP/1.1";
        request.extensions_mut().insert(Refused(BadHead { status: self.status, why }));
        let response: hyper::Response<_> = endpoint.get_response(request).await.into();
        let (parts, body) = response.into_parts();
        let mut bytes = self.head;
        // an endpoint that knows nothing of this is not asked again; hyper's answer is an answer
        if parts.status == self.status
            && let Ok(body) = body.collect().await
        {
            let body = body.to_bytes();
            bytes = without_length(&bytes);
            for (name, value) in &parts.headers {
                bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
            }
            bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).into_bytes());
            bytes.extend(body);
        }
        if let Err(error) = say_goodbye(self.socket, &bytes).await {
            tracing::debug!(%error, "a client did not wait for its refusal");
        }
    }
}

/// The head without its length and without its end.
fn without_length(head: &[u8]) -> Vec<u8> {
    let lines = head.split_inclusive(|byte| *byte == b'\n');
    lines
        .filter(|line| !starts_with_name(line, b"content-length:") && *line != b"\r\n")
        .flatten()
        .copied()
        .collect()
}

fn starts_with_name(line: &[u8], name: &[u8]) -> bool {
    line.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

async fn say_goodbye(mut socket: TcpStream, bytes: &[u8]) -> io::Result<()> {
    socket.write_all(bytes).await?;
    socket.shutdown().await?;
    let mut rest = socket.take(LINGER_BYTES);
    let mut sink = tokio::io::sink();
    // the time being over is as good an end as any
    tokio::time::timeout(LINGER_TIME, tokio::io::copy(&mut rest, &mut sink)).await.unwrap_or(Ok(0)).map(drop)
}

/// The status of an answer that hyper made up: a head alone, that says the connection ends and nothing of a content.
/// An answer of the application always says what its content is.
fn made_up(bytes: &[u8]) -> Option<StatusCode> {
    let status = bytes.strip_prefix(b"HTTP/1.1 ").or_else(|| bytes.strip_prefix(b"HTTP/1.0 "))?.get(..3)?;
    let status = StatusCode::from_bytes(status).ok().filter(StatusCode::is_client_error)?;
    let lines = || bytes.split(|byte| *byte == b'\n');
    let says = |name: &[u8]| lines().any(|line| starts_with_name(line, name));
    let alone = bytes.ends_with(b"\r\n\r\n") && says(b"connection: close") && says(b"content-length: 0");
    (alone && !says(b"content-type:")).then_some(status)
}

impl Socket {
    /// Whether these bytes, or what came before, are held back.
    fn holds(&mut self, bytes: &[u8]) -> bool {
        if self.held.is_none() {
            self.held = made_up(bytes).map(|status| (status, bytes.to_vec()));
        }
        self.held.is_some()
    }

    /// The connection itself; none if an answer is held back.
    pub(super) fn into_inner(mut self) -> Option<TcpStream> {
        if self.held.is_some() { None } else { self.inner.take() }
    }

    /// Notes whether the client's side takes more.
    fn noted<T>(&self, sent: Poll<T>) -> Poll<T> {
        self.refusals.0.is_full.store(sent.is_pending(), Ordering::Relaxed);
        sent
    }

    fn inner(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        // it is there until the drop
        self.inner.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        if let (Some((status, head)), Some(socket)) = (self.held.take(), self.inner.take()) {
            *self.refusals.0.held.lock() = Some(Held { status, head, socket });
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.inner()?.poll_read(cx, buf)
    }
}

impl AsyncWrite for Socket {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.holds(bytes) {
            return Poll::Ready(Ok(bytes.len()));
        }
        let sent = self.inner()?.poll_write(cx, bytes);
        self.noted(sent)
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
        if self.holds(only) {
            return Poll::Ready(Ok(slices.iter().map(|slice| slice.len()).sum()));
        }
        let sent = self.inner()?.poll_write_vectored(cx, slices);
        self.noted(sent)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.inner()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.held {
            Some(_) => Poll::Ready(Ok(())),
            None => self.inner()?.poll_shutdown(cx),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hypers_own_answers_are_held_back() {
        let own = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: x\r\n\r\n";
        assert_eq!(made_up(own), Some(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE));
        for other in [
            &b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"[..],
            b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 0\r\n\r\n",
            b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 2\r\n\r\n{}",
            b"",
            b"400",
        ] {
            assert_eq!(made_up(other), None, "{}", String::from_utf8_lossy(other));
        }
        assert_eq!(
            without_length(own),
            b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ndate: x\r\n"
        );
    }
}
