//! What is known of the answer being made: a cell per request, for the guard and the handlers.
//!
//! A task-local, so that a handler without the request can add a header; outside a request every call does
//! nothing.

use std::cell::{Cell, RefCell};

use poem::http::{HeaderName, HeaderValue};

use super::OperationInfo;

/// Bytes of a request id: `req_` and 26 Crockford base32 characters (D-003).
pub const REQUEST_ID_LEN: usize = 30;

tokio::task_local! {
    static ANSWER: Answer;
}

pub(super) struct Answer {
    pub(super) request_id: [u8; REQUEST_ID_LEN],
    pub(super) operation: Cell<Option<&'static OperationInfo>>,
    pub(super) headers: RefCell<Vec<(HeaderName, HeaderValue)>>,
}

impl Answer {
    pub(super) fn new(request_id: [u8; REQUEST_ID_LEN]) -> Self {
        Self { request_id, operation: Cell::new(None), headers: RefCell::default() }
    }

    /// Runs a request and tells what it noted.
    pub(super) async fn scope<F: Future>(self, request: F) -> (F::Output, Noted) {
        ANSWER
            .scope(self, async {
                let outcome = request.await;
                let noted = ANSWER.with(|answer| Noted {
                    operation: answer.operation.get(),
                    headers: answer.headers.take(),
                });
                (outcome, noted)
            })
            .await
    }
}

/// What a request noted about its answer.
pub(super) struct Noted {
    pub(super) operation: Option<&'static OperationInfo>,
    pub(super) headers: Vec<(HeaderName, HeaderValue)>,
}

/// Sets a header on the answer, success or failure, whatever it was before: `RateLimit`, `RateLimit-Policy`.
pub fn header(name: HeaderName, value: HeaderValue) {
    let _ = ANSWER.try_with(|answer| {
        let mut headers = answer.headers.borrow_mut();
        headers.retain(|(known, _)| *known != name);
        headers.push((name, value));
    });
}

/// Notes which operation answers, for logs and metrics.
pub fn operation(operation: &'static OperationInfo) {
    let _ = ANSWER.try_with(|answer| answer.operation.set(Some(operation)));
}

/// The id of the request being answered, for logs.
#[must_use]
pub fn request_id() -> Option<String> {
    ANSWER.try_with(|answer| String::from_utf8_lossy(&answer.request_id).into_owned()).ok()
}
