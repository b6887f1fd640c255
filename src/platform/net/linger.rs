//! Request bodies. If the client stops sending, reading the body fails with a timeout. If the response is sent before
//! the end of the body, for example because the body is too large, the rest of the body is read and discarded.
//!
//! The rest is discarded because the kernel resets a connection that is closed with unread bytes. A client that is
//! still sending then loses the response. [`MAX_BYTES`] and [`MAX_TIME`] limit the discarding.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::progress::DirectionProgress;
use crate::platform::clock::Clock;

/// Maximum number of discarded bytes.
const MAX_BYTES: usize = 16 << 20;
/// Maximum time spent on discarding.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A request body. If a `Lingering` is dropped before the end of the body was read, the rest of the body is discarded
/// in the background. If no data arrives for [`STALL_TIMEOUT`](super::progress::STALL_TIMEOUT), a read fails with
/// [`io::ErrorKind::TimedOut`].
pub(super) struct Lingering {
    /// `None` only during drop.
    body: Option<Incoming>,
    /// Whether the client certainly sends the body. Only then is the rest discarded.
    is_sent: bool,
    progress: DirectionProgress,
}

impl Lingering {
    /// Wraps a body. If `expects_continue` is true, the client sends the body only after 100 Continue. If such a body
    /// is dropped before its first data has arrived, nothing is read or discarded.
    pub(super) fn new(body: Incoming, expects_continue: bool, clock: Clock) -> Self {
        Self { body: Some(body), is_sent: !expects_continue, progress: DirectionProgress::new(clock) }
    }
}

impl Body for Lingering {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Self { body: Some(body), is_sent, progress } = &mut *self else { return Poll::Ready(None) };
        let frame =
            Pin::new(body).poll_frame(context).map(|frame| frame.transpose().map_err(io::Error::other));
        // The first data sets the flag. The first poll does not, because hyper possibly sends 100 Continue only after
        // the poll. A client that receives the final response instead of 100 Continue may omit the body and send its
        // next request. Then there is no rest to discard.
        *is_sent |= matches!(frame, Poll::Ready(Ok(Some(_))));
        progress.within(context, frame).map(Result::transpose)
    }

    fn is_end_stream(&self) -> bool {
        self.body.as_ref().is_none_or(Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.body.as_ref().map(Body::size_hint).unwrap_or_default()
    }
}

impl Drop for Lingering {
    fn drop(&mut self) {
        if self.is_sent
            && let Some(body) = self.body.take().filter(|body| !body.is_end_stream())
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(timeout(MAX_TIME, discard(body)));
        }
    }
}

/// Reads and discards the rest of a body, until the body ends, the rest exceeds [`MAX_BYTES`], or the client
/// disconnects.
async fn discard(mut body: Incoming) {
    let mut left = MAX_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(less) => left = less,
            None => return,
        }
    }
}
