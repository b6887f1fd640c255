//! A request body that waits for a permission right before it is sent.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_util::future::BoxFuture;
use hyper::body::{Body, Frame, SizeHint};
use parking_lot::Mutex;

/// A body of known length that waits for a permission when it is polled for the first time. The HTTP client does not
/// poll the body before it has established the connection. If the permission is denied, the poll fails, and the HTTP
/// client closes the connection.
pub(super) struct GuardedBody {
    /// The future that resolves to whether the body may be sent; `None` after it has resolved. The lock is never
    /// contended. Its only purpose is to make the type [`Sync`].
    permitted: Mutex<Option<BoxFuture<'static, bool>>>,
    body: Bytes,
}

impl GuardedBody {
    pub(super) fn new(permitted: impl Future<Output = bool> + Send + 'static, body: Bytes) -> Self {
        Self { permitted: Mutex::new(Some(Box::pin(permitted))), body }
    }
}

impl Body for GuardedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let permitted = self.permitted.get_mut();
        if let Some(pending) = permitted {
            let is_permitted = ready!(pending.as_mut().poll(cx));
            *permitted = None;
            if !is_permitted {
                self.body = Bytes::new();
                return Poll::Ready(Some(Err(io::Error::other("the body may no longer be sent"))));
            }
        }
        let body = std::mem::take(&mut self.body);
        Poll::Ready((!body.is_empty()).then(|| Ok(Frame::data(body))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.body.len() as u64)
    }
}
