//! Common code of the APIs: paths of assets, bearer tokens, cookies, the caller's address, large bodies and rate-limit
//! headers. It also converts errors of the service layer to responses, and records requests for the console.

pub mod assets;
pub mod cookies;
pub mod large_bodies;
pub mod recorder;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use poem::{
    Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};

use crate::{
    contract::{
        ApiError, ErrorCode, OperationError, OperationInfo,
        answer::{self, LoggedCaller},
    },
    domain::refusal::{Code, Refusal},
    platform::limits::{LimitDecision, LimitStatus, RateLimited, policy_header, status_header},
    service::{Error, callers::principal::ActingPerson},
};

/// Returns the token of a single `Authorization: Bearer …` header.
///
/// # Errors
/// - `not_authed` without the header.
/// - `invalid_auth` for two headers, and for a header that is not ASCII, has another scheme, or has no scheme or no
///   token (D-029…D-031).
pub fn bearer(headers: &HeaderMap) -> Result<&str, Code> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(Code::NotAuthed)?;
    let text = value.to_str().ok().filter(|_| values.next().is_none()).ok_or(Code::InvalidAuth)?;
    match text.trim().split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim_start()),
        _ => Err(Code::InvalidAuth),
    }
}

/// Records the users on whose behalf a request is made, for the request log.
pub fn note_persons(persons: &[ActingPerson]) {
    answer::caller(LoggedCaller::Persons(persons.iter().map(|person| person.user_id).collect()));
}

/// Parses the client id and the client secret of HTTP Basic (RFC 7617). Both are form-encoded (RFC 6749 §2.3.1). The
/// encoding does not change the ids and secrets that this server issues, so clients that omit the encoding are accepted
/// too. Returns `None` if the header is missing, invalid or repeated.
#[must_use]
pub fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().filter(|_| values.next().is_none())?.to_str().ok()?;
    let (scheme, encoded) = value.trim().split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let text = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
    let (id, secret) = text.split_once(':')?;
    Some((form_part(id)?, form_part(secret)?))
}

/// Returns whether an `Authorization` header has the scheme Basic.
#[must_use]
pub fn has_basic(headers: &HeaderMap) -> bool {
    headers.get_all(header::AUTHORIZATION).iter().any(|value| {
        let scheme = value.as_bytes().trim_ascii_start().split(|byte| *byte == b' ').next();
        scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case(b"basic"))
    })
}

/// Decodes a form-encoded client id or secret. Returns `None` for a text with `&`, which form encoding escapes.
fn form_part(text: &str) -> Option<String> {
    if text.contains('&') {
        return None;
    }
    url::form_urlencoded::parse(format!("v={text}").as_bytes()).next().map(|(_, value)| value.into_owned())
}

/// Returns the caller's network address: the address that the headers of trusted proxies name, or else the address of
/// the peer.
#[must_use]
pub fn caller_address(request: &Request) -> IpAddr {
    let peer = || request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    // the rate limits count all requests without an address together
    request.data::<IpAddr>().copied().or_else(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into())
}

/// Sets the response's rate-limit headers for the limits in `statuses` (D-196).
pub fn report_limits(statuses: &[LimitStatus]) {
    report_policies(statuses, statuses);
}

/// Sets the headers `RateLimit-Policy` and `RateLimit`. `policies` are all limits of the operation. `statuses` lacks a
/// limit whose counter is not known yet, such as the limit of a send's destination before the destination is known.
pub fn report_policies(policies: &[LimitStatus], statuses: &[LimitStatus]) {
    for (name, text) in
        [("ratelimit-policy", policy_header(policies)), ("ratelimit", status_header(statuses))]
    {
        if let Ok(value) = HeaderValue::from_str(&text) {
            answer::header(HeaderName::from_static(name), value);
        }
    }
}

/// Adds limits to the rate-limit headers that were set before.
pub fn report_more_limits(statuses: &[LimitStatus]) {
    for (name, text) in
        [("ratelimit-policy", policy_header(statuses)), ("ratelimit", status_header(statuses))]
    {
        if let Ok(value) = HeaderValue::from_str(&text) {
            answer::header_item(HeaderName::from_static(name), value);
        }
    }
}

/// Sets the rate-limit headers for a rate limit that was checked. If the limit is exceeded, rejects the request.
///
/// # Errors
/// 429 `rate_limited`, with the time to wait.
pub fn check_window(decision: LimitDecision) -> Result<(), ApiError> {
    report_limits(&[decision.status]);
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(Refusal::rate_limited(seconds).into()),
    }
}

/// Logs and returns a 500 error for an operation whose `x-limit` this API does not implement. Without the error, a
/// mistake in the OpenAPI document could make an operation unlimited.
pub fn unsupported_limit(operation: &'static OperationInfo) -> ApiError {
    let OperationInfo { id, limit, .. } = operation;
    tracing::error!(
        operation = id,
        ?limit,
        "the operation names a rate limit that this API does not implement"
    );
    Code::InternalError.into()
}

/// Sets the rate-limit headers for the limits in `wait`, and returns 429 `rate_limited` with the time to wait.
#[must_use]
pub fn rate_limited(wait: &RateLimited) -> ApiError {
    report_limits(&wait.statuses);
    Refusal::rate_limited(wait.retry_after()).into()
}

/// Implements `From` between two enums whose variants have the same names. The match is exhaustive: a variant that only
/// the first enum has is a compile error, and so is a listed variant that the second enum lacks.
macro_rules! same_variants {
    ($from:ty => $to:ty { $($variant:ident),* $(,)? }) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                match value { $(<$from>::$variant => Self::$variant),* }
            }
        }
    };
}
pub(crate) use same_variants;

impl From<Error> for ApiError {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error) if error.is_unavailable() => Self::unavailable(error),
            Error::Store(error) => Self::internal(error),
        }
    }
}

impl<E: ErrorCode> From<Error> for OperationError<E> {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error) if error.is_unavailable() => Self::unavailable(error),
            Error::Store(error) => Self::internal(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&str]) -> Result<String, Code> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        }
        bearer(&headers).map(str::to_owned)
    }

    #[test]
    fn exactly_one_bearer_header_is_accepted() {
        assert_eq!(read(&[]), Err(Code::NotAuthed));
        assert_eq!(read(&["Bearer a"]).as_deref(), Ok("a"));
        assert_eq!(read(&["bEARER   a "]).as_deref(), Ok("a"));
        for wrong in ["", "Bearer", "Bearer ", "Basic a", "a", "Bearera"] {
            assert_eq!(read(&[wrong]), Err(Code::InvalidAuth), "{wrong}");
        }
        assert_eq!(read(&["Bearer a", "Bearer a"]), Err(Code::InvalidAuth));
    }

    #[test]
    fn a_limit_that_the_api_does_not_implement_is_an_internal_error() {
        use crate::domain::limit_name::LimitName;
        static OPERATION: OperationInfo = OperationInfo::plain(LimitName::Mcp);
        let error = unsupported_limit(&OPERATION);
        assert_eq!((error.status.as_u16(), error.retry_after), (500, None));
    }

    fn read_basic(value: &str) -> Option<(String, String)> {
        let mut headers = HeaderMap::new();
        headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        basic(&headers)
    }

    #[test]
    fn basic_credentials_are_parsed() {
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(read_basic("Basic YTpi"), pair("a", "b"));
        assert_eq!(read_basic("bASIC  YTpi"), pair("a", "b"));
        assert_eq!(read_basic("Basic YTo="), pair("a", ""));
        assert_eq!(read_basic("Basic YSUyMDpi"), pair("a ", "b"));
        for wrong in ["Basic", "Basic YQ==", "Basic !", "Bearer YTpi", ""] {
            assert_eq!(read_basic(wrong), None, "{wrong}");
        }
        for not_encoded in ["a&x:b", "a:b&x", "a:b&"] {
            let value = format!("Basic {}", STANDARD.encode(not_encoded));
            assert_eq!(read_basic(&value), None, "a form-encoded part has no `&`: {not_encoded}");
        }
    }
}
