//! Copies the beginning of a request or response body while the server reads or sends the body, for the console of the
//! sandbox.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use parking_lot::Mutex;

use super::{MAX_BODY, mask};

/// Media types of the bodies whose content is kept. Of a body of another media type, only the length is kept.
const KEPT: [&str; 5] = [
    "application/json",
    "application/x-www-form-urlencoded",
    "application/problem+json",
    "text/event-stream",
    "text/plain",
];

/// The copied part of a body.
pub(super) struct Capture {
    /// `None` for a body without a media type, and for a response that is an HTML page.
    media_type: Option<String>,
    is_kept: bool,
    /// The value of the header `Content-Length`, if any.
    announced: Option<u64>,
    copied: Mutex<Copied>,
}

#[derive(Default)]
struct Copied {
    bytes: Vec<u8>,
    /// Number of bytes that are kept of all recorded requests together. `None` until the request to which this body
    /// belongs is recorded: until then, the bytes of this body are not included.
    total: Option<Arc<AtomicUsize>>,
    /// Number of bytes of the body that were read or sent, including bytes that were not copied.
    length: u64,
    /// Whether the end of the body was read or sent.
    has_ended: bool,
    /// Whether the copied bytes were discarded. No more bytes are copied then.
    is_discarded: bool,
}

/// A recorded body, with its secrets masked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShownBody {
    /// The text of the first [`MAX_BODY`] bytes, with its secrets masked; empty if the content is not kept or was
    /// discarded.
    pub text: String,
    /// Number of bytes of the body that were read or sent.
    pub length: u64,
    /// The media type without parameters; `None` for a body without a media type, and for a response that is an HTML
    /// page.
    pub media_type: Option<String>,
    /// Whether `text` is only the beginning of the body. This is the case if more than [`MAX_BODY`] bytes were read or
    /// sent, or if the body has begun and has not ended. `false` if the content is not kept or was discarded.
    pub is_cut: bool,
    /// Whether the end of the body was read or sent. If not, the body is in progress or was aborted, or the server does
    /// not read the body.
    pub has_ended: bool,
    /// Whether the body has content that is not kept because of its media type.
    pub is_hidden: bool,
    /// Whether the content was discarded in favour of newer requests.
    pub is_discarded: bool,
}

impl Capture {
    /// Creates a capture for a body. `announced` is the value of the header `Content-Length`, if any. If a response has
    /// this header, hyper does not poll the body again after its last byte. So a body also counts as ended when
    /// `announced` bytes were read or sent.
    pub(super) fn of(media_type: Option<String>, announced: Option<u64>) -> Arc<Self> {
        let is_kept = media_type.as_deref().is_some_and(|found| KEPT.contains(&found));
        Arc::new(Self { media_type, is_kept, announced, copied: Mutex::default() })
    }

    /// Adds the number of copied bytes to `total`, immediately and whenever more bytes are copied. When the capture is
    /// dropped or its bytes are discarded, the number is subtracted again.
    pub(super) fn count_in(&self, total: &Arc<AtomicUsize>) {
        let mut copied = self.copied.lock();
        total.fetch_add(copied.bytes.len(), Ordering::Relaxed);
        copied.total = Some(Arc::clone(total));
    }

    /// Returns a body with the content of `body`. This capture copies the content while the returned body is read.
    pub(super) fn capture(self: &Arc<Self>, body: poem::Body) -> poem::Body {
        let body: BoxBody<Bytes, io::Error> = body.into();
        if body.is_end_stream() {
            self.end();
            return body.into();
        }
        BoxBody::new(CapturedBody { body, capture: Arc::clone(self), has_failed: false }).into()
    }

    fn add(&self, piece: &[u8]) {
        let mut copied = self.copied.lock();
        copied.length += piece.len() as u64;
        let free = if self.is_kept && !copied.is_discarded { MAX_BODY - copied.bytes.len() } else { 0 };
        let piece = &piece[..piece.len().min(free)];
        copied.bytes.extend_from_slice(piece);
        if let Some(total) = &copied.total {
            total.fetch_add(piece.len(), Ordering::Relaxed);
        }
    }

    fn end(&self) {
        self.copied.lock().has_ended = true;
    }

    /// Frees the copied bytes. The rest of the body is not copied.
    pub(super) fn discard(&self) {
        let mut copied = self.copied.lock();
        copied.is_discarded = true;
        copied.free();
    }

    pub(super) fn shown(&self) -> ShownBody {
        let copied = self.copied.lock();
        let text = String::from_utf8_lossy(&copied.bytes);
        let is_discarded = self.is_kept && copied.is_discarded && copied.length > 0;
        let has_ended = copied.has_ended || self.announced.is_some_and(|length| copied.length >= length);
        let has_more = copied.length > copied.bytes.len() as u64 || (copied.length > 0 && !has_ended);
        let is_cut = self.is_kept && !is_discarded && has_more;
        ShownBody {
            text: mask::body(self.media_type.as_deref().unwrap_or_default(), &text, is_cut),
            length: copied.length,
            media_type: self.media_type.clone(),
            is_cut,
            has_ended,
            is_hidden: !self.is_kept && copied.length > 0,
            is_discarded,
        }
    }
}

impl Copied {
    /// Frees the copied bytes.
    fn free(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if let Some(total) = &self.total {
            total.fetch_sub(bytes.len(), Ordering::Relaxed);
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.copied.get_mut().free();
    }
}

/// A body that is copied while it is read. It reports the size hint and the end of the stream of the original body.
struct CapturedBody {
    body: BoxBody<Bytes, io::Error>,
    capture: Arc<Capture>,
    /// Whether reading failed. An end of the stream after an error is not the end of the body.
    has_failed: bool,
}

impl HttpBody for CapturedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if let Poll::Ready(Some(Ok(frame))) = &polled
            && let Some(piece) = frame.data_ref()
        {
            self.capture.add(piece);
        }
        self.has_failed |= matches!(polled, Poll::Ready(Some(Err(_))));
        // a reader may stop as soon as the body reports its end, and never poll the final `None`
        let has_ended = matches!(polled, Poll::Ready(None)) || self.body.is_end_stream();
        if has_ended && !self.has_failed {
            self.capture.end();
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
