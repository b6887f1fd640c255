//! Creates responses. JSON is serialized directly from the types, without an intermediate tree of values.

use std::cell::RefCell;

use bytes::Bytes;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};
use poem_openapi::registry::{MetaHeader, MetaMediaType, MetaResponse, MetaResponses};
use serde::Serialize;

use super::meta::ReplyDoc;

/// The media type of JSON bodies.
pub const JSON: &str = "application/json";
/// The media type of streams of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

/// Maximum size in bytes of the buffer that a thread keeps for its next response.
const MAX_KEPT_BUFFER_BYTES: usize = 256 << 10;

thread_local! {
    /// The serialization buffer of a thread. Growing a new buffer for each response costs more than copying the
    /// response out of this buffer.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn write<T: Serialize>(body: &T) -> serde_json::Result<Bytes> {
    SCRATCH.with_borrow_mut(|scratch| {
        scratch.clear();
        let written = serde_json::to_writer(&mut *scratch, body);
        let bytes = written.map(|()| Bytes::copy_from_slice(scratch));
        if scratch.capacity() > MAX_KEPT_BUFFER_BYTES {
            *scratch = Vec::new();
        }
        bytes
    })
}

/// Creates a response with a JSON body.
#[must_use]
pub fn json<T: Serialize>(status: u16, body: &T) -> Response {
    match write(body) {
        Ok(bytes) => {
            let mut response = Response::from(poem::Body::from(bytes));
            response.set_status(status_of(status));
            response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
            response
        }
        Err(error) => {
            // serializing generated types to memory cannot fail; if it did, the outer middleware would write the body
            // of the 500
            tracing::error!(%error, "failed to serialize a response");
            empty(500)
        }
    }
}

/// Creates a response without a body.
#[must_use]
pub fn empty(status: u16) -> Response {
    let mut response = Response::default();
    response.set_status(status_of(status));
    response
}

fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A type whose values can be response headers.
pub trait HeaderText {
    /// Returns the value of the header; `None` if there is no value, or if a header cannot have this value.
    fn text(&self) -> Option<HeaderValue>;
}

impl HeaderText for String {
    fn text(&self) -> Option<HeaderValue> {
        HeaderValue::from_str(self).ok()
    }
}

impl HeaderText for i64 {
    fn text(&self) -> Option<HeaderValue> {
        Some(HeaderValue::from(*self))
    }
}

impl<T: HeaderText> HeaderText for Option<T> {
    fn text(&self) -> Option<HeaderValue> {
        self.as_ref().and_then(T::text)
    }
}

/// Sets a documented header of a response. Does nothing if [`HeaderText::text`] returns `None`.
#[expect(clippy::needless_pass_by_value, reason = "called by generated code, which owns the value")]
pub fn set(response: &mut Response, name: &'static str, value: impl HeaderText) {
    if let Some(value) = value.text() {
        response.headers_mut().insert(name, value);
    }
}

/// Returns the documented responses as poem-openapi publishes them.
#[must_use]
pub fn meta(replies: &[ReplyDoc]) -> MetaResponses {
    let responses = replies
        .iter()
        .map(|reply| MetaResponse {
            description: reply.description,
            status: reply.status,
            status_range: None,
            content: reply
                .schema
                .map(|schema| MetaMediaType { content_type: JSON, schema: schema() })
                .into_iter()
                .collect(),
            headers: reply
                .headers
                .iter()
                .map(|(name, header)| MetaHeader {
                    name: (*name).into(),
                    description: header.description.map(Into::into),
                    required: header.required,
                    deprecated: false,
                    schema: (header.schema)(),
                })
                .collect(),
        })
        .collect();
    MetaResponses { responses }
}
