//! The source of the parser of forms with files: gives it little of the body at a time, and notes why it failed.

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

/// Number of bytes that the parser may hold without having found anything in them. It searches all of them again with each
/// chunk, and no boundary and no headers of a browser are as long.
const MAX_UNPARSED: usize = 64 << 10;

/// The state of a form that is being parsed. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Parsing(Arc<State>);

#[derive(Default)]
struct State {
    /// Whether the parser was polled since it last advanced or received a chunk, so that it found nothing in what it has.
    has_searched: AtomicBool,
    /// Bytes that the parser received since it last advanced, except the last chunk.
    searched: AtomicUsize,
    /// Length of the last chunk that it received since.
    last: AtomicUsize,
    /// Why the body could not be read: the parser keeps only an opaque error.
    error: Mutex<Option<ApiError>>,
}

impl Parsing {
    /// Notes that the parser returned a part, or content of a part.
    pub(super) fn advanced(&self) {
        self.0.has_searched.store(false, Relaxed);
        self.0.searched.store(0, Relaxed);
        self.0.last.store(0, Relaxed);
    }

    /// Returns the body for the parser. A chunk follows only when the parser has found nothing more in what it has: it would
    /// otherwise buffer all that has arrived. Fails with 413 if it finds nothing in [`MAX_UNPARSED`] bytes.
    pub(super) fn source(
        &self,
        mut chunks: Chunks,
    ) -> impl Stream<Item = Result<Bytes, io::Error>> + Send + 'static {
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

    /// Returns the page for an error of the parser.
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
