//! Answers that go on for hours and say little, such as the streams of assistants.
//!
//! Hyper keeps a buffer of 8 KB for each direction, and the state of a conversation, as long as an answer lasts. So when
//! it has sent the head and all that there is to say for now, the connection is taken out of its hands, and what comes
//! later is written here. `docs/decisions/0010-standing-streams.md` has the measurement.

use std::io::{self, ErrorKind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderValue, Version, header};
use http_body_util::BodyExt;
use hyper::body::{Body, Frame};
use parking_lot::Mutex;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::AnswerBody;

/// In the extensions of an answer to GET that goes on for long and says little. Its connection serves nothing after it.
#[derive(Clone, Copy, Debug)]
pub struct Standing;

/// The body of a standing answer, and whether it has nothing to say for now.
#[derive(Default)]
struct State {
    body: Option<AnswerBody>,
    is_idle: bool,
}

/// Where the body of a standing answer is found when its connection is taken over.
#[derive(Clone, Default)]
pub(super) struct Handover(Arc<Mutex<State>>);

impl Handover {
    /// Makes a marked answer one that can be taken over; others stay what they are. Only HTTP/1.1 has the chunks that
    /// [`go_on`] writes.
    pub(super) fn prepare(
        &self,
        version: Version,
        answer: hyper::Response<AnswerBody>,
    ) -> hyper::Response<AnswerBody> {
        if version != Version::HTTP_11 || answer.extensions().get::<Standing>().is_none() {
            return answer;
        }
        let (mut parts, body) = answer.into_parts();
        parts.headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
        *self.0.lock() = State { body: Some(body), is_idle: false };
        hyper::Response::from_parts(parts, BodyExt::boxed(Relay(self.clone())))
    }

    /// The body of a standing answer that has nothing to say for now.
    pub(super) fn take_idle(&self) -> Option<AnswerBody> {
        let mut state = self.0.lock();
        if state.is_idle { state.body.take() } else { None }
    }
}

/// A standing answer as hyper sees it.
struct Relay(Handover);

impl Body for Relay {
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

/// Writes the rest of a standing answer, until it ends or the client leaves.
///
/// # Errors
/// The socket's.
pub(super) async fn go_on(mut socket: TcpStream, mut body: AnswerBody) -> io::Result<()> {
    loop {
        let frame = tokio::select! {
            frame = body.frame() => frame,
            left = left(&socket) => return left,
        };
        let Some(frame) = frame else {
            socket.write_all(b"0\r\n\r\n").await?;
            return socket.shutdown().await;
        };
        let data = frame?.into_data().unwrap_or_default();
        // an empty chunk would be the last
        if !data.is_empty() {
            let chunk = [format!("{:x}\r\n", data.len()).as_bytes(), &data, b"\r\n"].concat();
            socket.write_all(&chunk).await?;
        }
    }
}

/// Waits for the client to leave. What it sends is for nobody: it was told that the connection closes.
async fn left(socket: &TcpStream) -> io::Result<()> {
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
