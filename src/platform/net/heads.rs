//! Rejects request heads that are invalid or too large, before any other check of a request.

use std::sync::Arc;

use http::{HeaderMap, Version, header};
use poem::http::StatusCode;
use poem::{Endpoint, Request};
use thiserror::Error;

/// Maximum length of a request line in bytes, without its line break; longer request lines are rejected with 414.
pub const MAX_REQUEST_LINE: usize = 16 * 1024;
/// Maximum size of all header lines in bytes, with their line breaks; larger heads are rejected with 431.
pub const MAX_HEADERS: usize = 32 * 1024;
/// Size of hyper's read buffer in bytes: hyper itself rejects a head that does not fit into the buffer (see
/// [`super::rejected`]).
pub(super) const MAX_HEAD_BUFFER: usize = 64 * 1024;

/// Returns why a head that hyper accepts must be rejected; `None` if it is valid. The check is the same for every
/// endpoint of every listener. There are two reasons:
///
/// - The Host header is missing (allowed in HTTP/1.0 only) or repeated (RFC 9112 §3.2).
/// - The transfer coding is not chunked. Chunked is the only supported coding (RFC 9112 §6.1).
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
    /// 400, 414, 431 or another status with which hyper rejected the head; 429 if the connection is rejected.
    pub status: StatusCode,
    /// A sentence for the client.
    pub why: &'static str,
}

impl BadHead {
    /// Creates a 400 with this reason.
    pub(super) const fn invalid(why: &'static str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, why }
    }

    pub(super) const LINE_TOO_LONG: Self =
        Self { status: StatusCode::URI_TOO_LONG, why: "the request line is too long" };

    pub(super) const HEADERS_TOO_LARGE: Self =
        Self { status: StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, why: "the header fields are too large" };

    /// The response to every request on a connection that exceeds the connection limit of its network address.
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

/// Request extension that makes [`refuse_bad_heads`] reject the request with this [`BadHead`]. If hyper could not parse
/// a request, a placeholder request with this extension takes its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct RejectedHead(pub(super) BadHead);

/// A middleware for [`poem::EndpointExt::around`] that rejects requests whose head is too large, malformed or not
/// allowed by HTTP. It returns an error and not a response, so the code around it determines the format of the
/// response.
///
/// # Errors
/// In this order:
///
/// - [`BadHead`] with the reason of an earlier rejection, if the head was rejected before it reached this middleware;
/// - [`BadHead`] with 414 if the request line is too long;
/// - [`BadHead`] with 431 if the header fields are too large;
/// - errors of `next`.
pub async fn refuse_bad_heads<E: Endpoint>(next: Arc<E>, request: Request) -> poem::Result<E::Output> {
    if let Some(RejectedHead(rejected)) = request.extensions().get() {
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
