//! Request bodies that are answered before they have come to their end, such as one that is too large.
//!
//! A connection that is closed with bytes unread is reset by the kernel, and a client that is still sending then
//! loses the answer that was waiting for it. So the rest of such a body is read and dropped, within bounds.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use tokio::runtime::Handle;
use tokio::time::timeout;

/// The most bytes that are read in order to be dropped.
const MAX_BYTES: usize = 16 << 20;
/// The longest that is waited for them.
const MAX_TIME: Duration = Duration::from_secs(5);

/// A body whose rest is read when it is dropped early.
pub(super) struct Lingering {
    /// Taken only to be dropped.
    body: Option<Incoming>,
    lingers: bool,
}

impl Lingering {
    /// Without `lingers` it is a body like others.
    pub(super) fn new(body: Incoming, lingers: bool) -> Self {
        Self { body: Some(body), lingers }
    }
}

impl Body for Lingering {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        Pin::new(body).poll_frame(context).map_err(io::Error::other)
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
        if self.lingers
            && let Some(body) = self.body.take().filter(|body| !body.is_end_stream())
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(timeout(MAX_TIME, discard(body)));
        }
    }
}

/// Reads until the end, the bound, or the client's leaving.
async fn discard(mut body: Incoming) {
    let mut left = MAX_BYTES;
    while let Some(Ok(frame)) = body.frame().await {
        match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
            Some(less) => left = less,
            None => return,
        }
    }
}
