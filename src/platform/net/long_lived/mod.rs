//! Responses that last for hours and rarely send data, such as the streams of assistants.
//!
//! For the duration of a response, hyper keeps a buffer of 8 KB for each direction and the state of an HTTP exchange.
//! To save this memory, hyper sends only the head and the data that is available immediately. Then this module takes
//! the socket from hyper and writes later data itself. `docs/decisions/0010-long-lived-streams.md` has the measurement.

use std::io::{self, ErrorKind, Write as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_util::FutureExt;
use http::{HeaderValue, Version, header};
use http_body_util::BodyExt;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Frame};
use parking_lot::Mutex;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::progress::write_all;
use crate::platform::clock::Clock;

/// The body of a response.
pub(super) type AnswerBody = BoxBody<Bytes, io::Error>;

/// If a write has this size in bytes or more, no further data is added to it.
const MAX_TOGETHER: usize = 64 << 10;

/// Response extension that marks a long-lived response to GET. After such a response, the connection serves no further
/// requests.
#[derive(Clone, Copy, Debug)]
pub struct LongLivedBody;

/// The body of a long-lived response, and whether it has no data at the moment.
#[derive(Default)]
struct LongLivedState {
    body: Option<AnswerBody>,
    is_idle: bool,
}

/// Holds the body of a long-lived response. Hyper reads the body through [`HandoffBody`] until the connection is
/// detached from hyper. Then [`write_rest`] gets the body.
#[derive(Clone, Default)]
pub(super) struct StreamHandoff(Arc<Mutex<LongLivedState>>);

impl StreamHandoff {
    /// Prepares a response with the extension [`LongLivedBody`], so that its connection can be detached from hyper.
    /// Returns other responses unchanged, and also every response to an HTTP/1.0 request, because HTTP/1.0 does not
    /// support the chunks that [`write_rest`] writes.
    pub(super) fn prepare(
        &self,
        version: Version,
        answer: hyper::Response<AnswerBody>,
    ) -> hyper::Response<AnswerBody> {
        if version != Version::HTTP_11 || answer.extensions().get::<LongLivedBody>().is_none() {
            return answer;
        }
        let (mut parts, body) = answer.into_parts();
        parts.headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        *self.0.lock() = LongLivedState { body: Some(body), is_idle: false };
        hyper::Response::from_parts(parts, BodyExt::boxed(HandoffBody(self.clone())))
    }

    /// Takes the body of the long-lived response if the body has no data at the moment.
    pub(super) fn take_idle(&self) -> Option<AnswerBody> {
        let mut state = self.0.lock();
        if state.is_idle { state.body.take() } else { None }
    }
}

/// The body of a long-lived response as seen by hyper.
struct HandoffBody(StreamHandoff);

impl Body for HandoffBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let mut state = self.0.0.lock();
        let Some(body) = &mut state.body else { return Poll::Pending };
        let polled = Pin::new(body).poll_frame(context);
        state.is_idle = polled.is_pending();
        polled
    }
}

/// Writes the rest of a long-lived response until the response ends, the client disconnects, or the client stops
/// reading. Data that is available at the same time is written together.
///
/// # Errors
/// Errors of the body, of the socket, and of [`write_all`].
pub(super) async fn write_rest(mut socket: TcpStream, mut body: AnswerBody, clock: &Clock) -> io::Result<()> {
    loop {
        let frame = tokio::select! {
            frame = body.frame() => frame,
            disconnected = disconnected(&socket) => return disconnected,
        };
        let mut chunks = Vec::new();
        let mut end = add_chunk(&mut chunks, frame);
        while end.is_none() && chunks.len() < MAX_TOGETHER {
            let Some(frame) = body.frame().now_or_never() else { break };
            end = add_chunk(&mut chunks, frame);
        }
        write_all(&mut socket, &chunks, clock).await?;
        match end {
            None => {}
            Some(Ok(())) => return socket.shutdown().await,
            Some(Err(error)) => return Err(error),
        }
    }
}

/// Adds the chunk of a frame to `chunks`, or the last chunk at the end of the body. Returns how the body ended; `None`
/// if it has not ended.
fn add_chunk(chunks: &mut Vec<u8>, frame: Option<io::Result<Frame<Bytes>>>) -> Option<io::Result<()>> {
    let data = match frame {
        Some(Ok(frame)) => frame.into_data().unwrap_or_default(),
        Some(Err(error)) => return Some(Err(error)),
        None => {
            chunks.extend_from_slice(b"0\r\n\r\n");
            return Some(Ok(()));
        }
    };
    // an empty chunk would mark the end of the body
    if !data.is_empty() {
        chunks.reserve(data.len() + 16);
        // writing to memory cannot fail
        let _ = write!(chunks, "{:x}\r\n", data.len());
        chunks.extend_from_slice(&data);
        chunks.extend_from_slice(b"\r\n");
    }
    None
}

/// Waits for the client to disconnect. Discards what the client sends, because the response has announced that the
/// connection serves no further request (`Connection: close`).
async fn disconnected(socket: &TcpStream) -> io::Result<()> {
    loop {
        socket.readable().await?;
        match socket.try_read(&mut [0; 64]) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
