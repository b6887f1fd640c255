//! What every room does alike: reads the bearer token, learns the caller's address, tells what is left of a limit,
//! and turns a failure of the workspace into an answer.

pub mod cookies;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use poem::{
    Request,
    http::{HeaderMap, HeaderName, HeaderValue, header},
};

use crate::{
    contract::{
        Dialect, ErrorCode, Fault, OperationInfo, Problem,
        answer::{self, Caller},
    },
    domain::{
        refusal::{Code, Refusal},
        token,
    },
    platform::{
        limits::{Decision, Standing, Wait, policy_header, standing_header},
        secrets,
    },
    store::{Error, StoreError, accounts::Membership},
};

/// The token of the one `Authorization: Bearer …`.
///
/// # Errors
/// `not_authed` without the header; `invalid_auth` for another scheme, none, or two headers (D-029…D-031).
pub fn bearer(headers: &HeaderMap) -> Result<&str, Code> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let value = values.next().ok_or(Code::NotAuthed)?;
    let text = value.to_str().ok().filter(|_| values.next().is_none()).ok_or(Code::InvalidAuth)?;
    match text.trim().split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => Ok(token.trim_start()),
        _ => Err(Code::InvalidAuth),
    }
}

/// Whether this is the configured operator key; hashes are compared, in constant time.
#[must_use]
pub fn is_operator(key: &str, configured: Option<&[u8; 32]>) -> bool {
    configured.is_some_and(|expected| secrets::same(&token::hash(key), expected))
}

/// Notes that a request is answered for somebody who is signed in, so that the log tells who changed something.
pub fn note_persons(persons: &[Membership]) {
    answer::caller(Caller::Persons(persons.iter().map(|person| person.user_id).collect()));
}

/// Client id and secret by HTTP Basic: RFC 7617, with both parts form-encoded as RFC 6749 §2.3.1 asks; our own ids and secrets read the same either way.
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
    Some((form_part(id), form_part(secret)))
}

fn form_part(text: &str) -> String {
    url::form_urlencoded::parse(format!("v={text}").as_bytes())
        .next()
        .map_or_else(String::new, |(_, value)| value.into_owned())
}

/// The network address of the caller: what the routes noted when there are trusted proxies, else the peer's.
#[must_use]
pub fn caller_address(request: &Request) -> IpAddr {
    let peer = || request.remote_addr().as_socket_addr().map(SocketAddr::ip);
    // without any address all callers share one count
    request.data::<IpAddr>().copied().or_else(peer).unwrap_or(Ipv4Addr::UNSPECIFIED.into())
}

/// Puts what is left of some limits on the answer (D-196).
pub fn tell(standings: &[Standing]) {
    tell_among(standings, standings);
}

/// Puts all limits of an operation on the answer, and what is left of those that are known to concern the request.
pub fn tell_among(policies: &[Standing], standings: &[Standing]) {
    for (name, text) in
        [("ratelimit-policy", policy_header(policies)), ("ratelimit", standing_header(standings))]
    {
        if let Ok(value) = HeaderValue::from_str(&text) {
            answer::header(HeaderName::from_static(name), value);
        }
    }
}

/// Tells the outcome of a window and refuses what is over it.
///
/// # Errors
/// 429 `rate_limited`.
pub fn within(decision: Decision) -> Result<(), Fault> {
    tell(&[decision.standing]);
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(Refusal::rate_limited(seconds).into()),
    }
}

/// The refusal of an operation whose limit this API does not know: a mistake in a document, never an unlimited operation.
pub fn misplaced_limit(operation: &'static OperationInfo) -> Fault {
    tracing::error!(operation = operation.id, limit = ?operation.limit, "this API has no such rate limit");
    let code = match operation.dialect {
        Dialect::Envelope => Code::InternalError,
        Dialect::Oauth => Code::ServerError,
    };
    code.into()
}

/// The refusal of a bucket, told.
#[must_use]
pub fn over(wait: &Wait) -> Fault {
    tell(&wait.standings);
    Refusal::rate_limited(wait.retry_after()).into()
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error @ StoreError::Unavailable(_)) => Self::unavailable(error),
            Error::Store(error) => Self::internal(error),
        }
    }
}

impl<E: ErrorCode> From<Error> for Problem<E> {
    fn from(error: Error) -> Self {
        match error {
            Error::Refused(refusal) => refusal.into(),
            Error::Store(error @ StoreError::Unavailable(_)) => Self::unavailable(error),
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
    fn one_bearer_header() {
        assert_eq!(read(&[]), Err(Code::NotAuthed));
        assert_eq!(read(&["Bearer a"]).as_deref(), Ok("a"));
        assert_eq!(read(&["bEARER   a "]).as_deref(), Ok("a"));
        for wrong in ["", "Bearer", "Bearer ", "Basic a", "a", "Bearera"] {
            assert_eq!(read(&[wrong]), Err(Code::InvalidAuth), "{wrong}");
        }
        assert_eq!(read(&["Bearer a", "Bearer a"]), Err(Code::InvalidAuth));
    }

    #[test]
    fn the_operator_key_is_compared_by_its_hash() {
        let key = token::mint(token::Kind::Operator, &[7; 32]);
        let hash = token::hash(&key);
        assert!(is_operator(&key, Some(&hash)));
        assert!(!is_operator(&token::mint(token::Kind::Operator, &[8; 32]), Some(&hash)));
        assert!(!is_operator(&key, None));
    }

    fn read_basic(value: &str) -> Option<(String, String)> {
        let mut headers = HeaderMap::new();
        headers.append(header::AUTHORIZATION, HeaderValue::from_str(value).unwrap());
        basic(&headers)
    }

    #[test]
    fn basic_credentials() {
        let pair = |a: &str, b: &str| Some((a.to_owned(), b.to_owned()));
        assert_eq!(read_basic("Basic YTpi"), pair("a", "b"));
        assert_eq!(read_basic("bASIC  YTpi"), pair("a", "b"));
        assert_eq!(read_basic("Basic YTo="), pair("a", ""));
        assert_eq!(read_basic("Basic YSUyMDpi"), pair("a ", "b"));
        for wrong in ["Basic", "Basic YQ==", "Basic !", "Bearer YTpi", ""] {
            assert_eq!(read_basic(wrong), None, "{wrong}");
        }
    }
}
