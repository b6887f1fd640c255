//! Request heads that are rejected before anything else is checked.

use std::sync::Arc;

use http::{HeaderMap, Version, header};
use poem::http::StatusCode;
use poem::{Endpoint, Request};
use thiserror::Error;

use super::rejected::Rejected;

/// Maximum length of a request line; longer ones are rejected with 414.
pub const MAX_REQUEST_LINE: usize = 16 * 1024;
/// Maximum size of the headers in bytes; larger ones are rejected with 431.
pub const MAX_HEADERS: usize = 32 * 1024;
/// Maximum number of bytes that hyper reads of a request head (see [`super::rejected`]).
pub(super) const MAX_HEAD_BUFFER: usize = 64 * 1024;

/// Detects what hyper accepts although HTTP forbids it, for every endpoint of every listener: a
/// missing or repeated Host header (RFC 9112 §3.2), and a transfer coding other than chunked
/// (§6.1), which is not supported.
pub(super) fn head_violation(version: Version, headers: &HeaderMap) -> Option<BadHead> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) if version != Version::HTTP_10 => {
            return Some(BadHead::invalid("the header Host is missing"));
        }
        (_, Some(_)) => return Some(BadHead::invalid("the header Host was sent more than once")),
        _ => {}
    }
    let mut codings = headers.get_all(header::TRANSFER_ENCODING).iter();
    let first = codings.next()?;
    match first.as_bytes().eq_ignore_ascii_case(b"chunked") && codings.next().is_none() {
        true => None,
        false => Some(BadHead::invalid("the only supported Transfer-Encoding is chunked")),
    }
}

/// Why the head of a request is rejected; see [`refuse_bad_heads`].
#[derive(Clone, Copy, Debug, Error)]
#[error("{why}")]
pub struct BadHead {
    /// 400, 414 or 431; 429 if the connection is rejected.
    pub status: StatusCode,
    /// A sentence for the client.
    pub why: &'static str,
}

impl BadHead {
    /// Creates a 400.
    pub(super) const fn invalid(why: &'static str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, why }
    }

    pub(super) const LINE_TOO_LONG: Self =
        Self { status: StatusCode::URI_TOO_LONG, why: "the request line is too long" };

    pub(super) const HEADERS_TOO_LARGE: Self =
        Self { status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, why: "the header fields are too large" };

    /// For every request of a connection beyond the limit of its address.
    pub(super) const TOO_MANY_CONNECTIONS: Self = Self {
        status: StatusCode::TOO_MANY_REQUESTS,
        why: "too many connections are open from this address: close some, or use them for several requests",
    };
}

impl poem::error::ResponseError for BadHead {
    fn status(&self) -> StatusCode {
        self.status
    }
}

/// A middleware for [`poem::EndpointExt::around`]: rejects requests whose head is too large,
/// malformed or against HTTP's rules, so that the response gets the application's error format.
///
/// # Errors
/// [`BadHead`]: 414 for the request line, 431 for the header fields, 400 or the status of a
/// malformed request; and errors of `next`.
pub async fn refuse_bad_heads<E: Endpoint>(next: Arc<E>, request: Request) -> poem::Result<E::Output> {
    if let Some(Rejected(rejected)) = request.extensions().get() {
        return Err((*rejected).into());
    }
    let uri = request.original_uri();
    let path = uri.path_and_query().map_or(0, |path| path.as_str().len());
    let authority = uri.authority().map_or(0, |authority| authority.as_str().len() + "http://".len());
    let line = request.method().as_str().len() + authority + path + "  HTTP/1.1".len();
    if line > MAX_REQUEST_LINE {
        return Err(BadHead::LINE_TOO_LONG.into());
    }
    let fields = request.headers().iter();
    let headers: usize = fields.map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len()).sum();
    if headers > MAX_HEADERS {
        return Err(BadHead::HEADERS_TOO_LARGE.into());
    }
    next.call(request).await
}
