//! Passes the body of a form with files to the parser a chunk at a time, and keeps the error of the body.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    task::{Poll, ready},
};

use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use parking_lot::Mutex;
use poem::http::StatusCode;

use crate::{
    contract::{ApiError, Chunks},
    domain::refusal::Code,
    pages::error_page::PageError,
};

/// Maximum number of bytes that the parser may buffer without finding a boundary or the headers of a part. The parser
/// searches all of these bytes again with each chunk. Boundaries and headers that browsers send are shorter.
const MAX_UNPARSED: usize = 64 << 10;

/// The state of a form that is being parsed. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Parsing(Arc<State>);

#[derive(Default)]
struct State {
    /// Whether the parser was polled since it last advanced or received a chunk. It has then found nothing more in the
    /// bytes that it has.
    has_searched: AtomicBool,
    /// Bytes that the parser received since it last advanced, except the last chunk.
    searched: AtomicUsize,
    /// Length of the last chunk that the parser received since it last advanced.
    last: AtomicUsize,
    /// Why the body could not be read; the error of the parser does not contain the reason.
    error: Mutex<Option<ApiError>>,
}

impl Parsing {
    /// Records that the parser returned a part, or content of a part.
    pub(super) fn advanced(&self) {
        self.0.has_searched.store(false, Relaxed);
        self.0.searched.store(0, Relaxed);
        self.0.last.store(0, Relaxed);
    }

    /// Returns the body as a stream for the parser. The next chunk follows only when the parser has found nothing more
    /// in the bytes that it has; otherwise the parser would buffer everything that has arrived. The stream fails with
    /// 413 if the parser finds nothing in [`MAX_UNPARSED`] bytes.
    pub(super) fn source<'a>(
        &self,
        chunks: &'a mut Chunks,
    ) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + use<'a> {
        let Self(state) = self.clone();
        stream::poll_fn(move |cx| {
            if !state.has_searched.swap(true, Relaxed) {
                cx.waker().wake_by_ref();
                return Poll::Pending;
            }
            let searched = state.searched.load(Relaxed) + state.last.load(Relaxed);
            let chunk = match ready!(chunks.poll_next_unpin(cx)) {
                Some(Ok(_)) if state.searched.load(Relaxed) >= MAX_UNPARSED => {
                    Err(Code::PayloadTooLarge.into())
                }
                Some(chunk) => chunk,
                None => return Poll::Ready(None),
            };
            Poll::Ready(Some(match chunk {
                Ok(chunk) => {
                    state.has_searched.store(false, Relaxed);
                    state.searched.store(searched, Relaxed);
                    state.last.store(chunk.len(), Relaxed);
                    Ok(chunk)
                }
                Err(error) => {
                    *state.error.lock() = Some(error);
                    Err(io::Error::other("the body"))
                }
            }))
        })
    }

    /// Returns the error page for an error of the parser.
    pub(super) fn failed(&self, error: &multer::Error) -> PageError {
        match self.0.error.lock().take() {
            Some(error) => error.into(),
            None => {
                tracing::debug!(%error, "malformed form");
                PageError::new(
                    StatusCode::BAD_REQUEST,
                    "That did not work",
                    "The form was cut off or is malformed.",
                )
            }
        }
    }
}
