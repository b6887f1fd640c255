//! Which life a message lives: that of the version 2026-07-28, where every request tells all about itself, or that of
//! the versions before, where `initialize` begins a session (D-338).
//!
//! What the body says counts first. A request that claims a version is held to it: the headers, by which proxies route,
//! must say the same as the body.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use poem::http::HeaderMap;
use rmcp::model::{ErrorCode, ErrorData, ProtocolVersion};
use serde_json::Value;

use super::{
    shape::Message,
    wire::{METHOD, NAME, PROTOCOL_VERSION, Said, said},
};
use crate::contract::json::echo;

/// The version without sessions.
pub(super) const MODERN: &str = "2026-07-28";
/// The versions that may be agreed on in a handshake, the latest first.
pub(super) const LEGACY: [&str; 2] = ["2025-11-25", "2025-06-18"];
/// Every supported version, newest first (D-346).
pub(super) const SUPPORTED: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18];

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// A value that cannot stand in a header as it is.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// How a message is to be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Era {
    /// By itself.
    Modern,
    /// It begins a session.
    Handshake,
    /// In a session.
    Session,
}

/// Whether a request without a body speaks the version that has none (D-350).
pub(super) fn is_modern(headers: &HeaderMap) -> bool {
    said(headers, PROTOCOL_VERSION) == Said::Text(MODERN)
}

/// Tells the era of a message and judges what the version asks of its headers and `_meta`.
pub(super) fn judge(headers: &HeaderMap, message: &Message) -> Result<Era, ErrorData> {
    let Some((method, params)) = message.call() else {
        return Ok(if is_modern(headers) { Era::Modern } else { by_header(headers)? });
    };
    let is_request = matches!(message, Message::Request(_));
    let meta = params.get("_meta");
    match meta.and_then(|meta| meta.get(META_VERSION)) {
        Some(Value::String(claimed)) => {
            says(headers, PROTOCOL_VERSION, claimed, !LEGACY.contains(&claimed.as_str()))?;
            if LEGACY.contains(&claimed.as_str()) {
                return Ok(legacy(is_request, method));
            }
            if claimed != MODERN {
                return Err(unsupported(claimed));
            }
        }
        Some(_) => return Err(invalid_meta(META_VERSION)),
        None if is_request && method == "initialize" => {
            supported_header(headers)?;
            return Ok(Era::Handshake);
        }
        None if is_modern(headers) && is_request => return Err(invalid_meta(META_VERSION)),
        None if is_modern(headers) => {}
        None => return by_header(headers),
    }
    if is_request && !meta.and_then(|meta| meta.get(META_CAPABILITIES)).is_some_and(Value::is_object) {
        return Err(invalid_meta(META_CAPABILITIES));
    }
    // what headers a notification has, this version leaves open
    says(headers, METHOD, method, is_request)?;
    if let Some(member) = repeated_member(method) {
        names(headers, params.get(member).and_then(Value::as_str))?;
    }
    Ok(Era::Modern)
}

fn legacy(is_request: bool, method: &str) -> Era {
    if is_request && method == "initialize" { Era::Handshake } else { Era::Session }
}

/// The era of what says nothing in its body: a session's, in the version of its header or the one agreed on.
pub(super) fn by_header(headers: &HeaderMap) -> Result<Era, ErrorData> {
    supported_header(headers)?;
    Ok(Era::Session)
}

fn supported_header(headers: &HeaderMap) -> Result<(), ErrorData> {
    match said(headers, PROTOCOL_VERSION) {
        Said::Nothing => Ok(()),
        Said::Text(version) if version == MODERN || LEGACY.contains(&version) => Ok(()),
        Said::Text(version) => Err(unsupported(version)),
        Said::Garbled => Err(unsupported("")),
    }
}

/// The wording is what SDKs look for (D-352).
fn unsupported(requested: &str) -> ErrorData {
    let requested = echo(requested);
    ErrorData::new(
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        format!("Unsupported protocol version: {requested}"),
        Some(serde_json::json!({"supported": SUPPORTED, "requested": requested})),
    )
}

fn invalid_meta(key: &str) -> ErrorData {
    let message = format!("`_meta` must hold `{key}`, which is missing or of another type");
    ErrorData::new(ErrorCode::INVALID_PARAMS, message, None)
}

/// Which parameter of a method `Mcp-Name` repeats.
fn repeated_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    }
}

/// Holds a header to the body, letter by letter. One that is not `needed` may be left out.
fn says(headers: &HeaderMap, header: &str, expected: &str, needed: bool) -> Result<(), ErrorData> {
    match said(headers, header) {
        Said::Nothing if !needed => Ok(()),
        Said::Nothing => Err(mismatch(header, "is missing")),
        Said::Text(text) if text == expected => Ok(()),
        Said::Text(_) => Err(mismatch(header, "differs from the body")),
        Said::Garbled => Err(mismatch(header, "is sent twice or is not ASCII")),
    }
}

/// Holds `Mcp-Name` to the body, which may name nothing. It is the only one of these headers that may be encoded
/// (D-345): a method or a version never needs to be.
fn names(headers: &HeaderMap, expected: Option<&str>) -> Result<(), ErrorData> {
    match (said(headers, NAME), expected) {
        // there is nothing to repeat; that it is missing is for the method to say
        (Said::Nothing, None) => Ok(()),
        (Said::Nothing, Some(_)) => Err(mismatch(NAME, "is missing")),
        (Said::Garbled, _) => Err(mismatch(NAME, "is sent twice or is not ASCII")),
        (Said::Text(text), expected) => match decoded(text) {
            None => Err(mismatch(NAME, "is not valid base64")),
            Some(text) if Some(&*text) == expected => Ok(()),
            Some(_) => Err(mismatch(NAME, "differs from the body")),
        },
    }
}

fn mismatch(header: &str, why: &str) -> ErrorData {
    ErrorData::new(ErrorCode::HEADER_MISMATCH, format!("the header {header} {why}"), None)
}

/// The value of `Mcp-Name`, out of the base64 that carries what headers cannot.
fn decoded(text: &str) -> Option<Cow<'_, str>> {
    match text.strip_prefix(ENCODED.0).and_then(|rest| rest.strip_suffix(ENCODED.1)) {
        None => Some(Cow::Borrowed(text)),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned),
    }
}

#[cfg(test)]
mod tests {
    use poem::http::HeaderValue;
    use serde_json::json;

    use super::*;
    use crate::assistant::mcp::shape;

    fn judged(lines: &[(&'static str, &str)], message: &Value) -> Result<Era, i32> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let message = shape::read(message.to_string().as_bytes()).unwrap();
        judge(&headers, &message).map_err(|error| error.code.0)
    }

    fn request(method: &str, version: &str) -> Value {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {
            "name": "caf\u{e9}",
            "_meta": {META_VERSION: version, META_CAPABILITIES: {}},
        }})
    }

    const VERSION: (&str, &str) = (PROTOCOL_VERSION, MODERN);

    #[test]
    fn versions_are_the_library_s() {
        let texts: Vec<_> = SUPPORTED.iter().map(ProtocolVersion::as_str).collect();
        assert_eq!(texts, [MODERN, LEGACY[0], LEGACY[1]]);
        assert_eq!(ProtocolVersion::LATEST_WITH_INITIALIZE.as_str(), LEGACY[0]);
    }

    #[test]
    fn modern_requests_repeat_themselves_in_headers() {
        let list = request("tools/list", MODERN);
        assert_eq!(judged(&[VERSION, (METHOD, "tools/list")], &list), Ok(Era::Modern));
        let call = request("tools/call", MODERN);
        let name = (NAME, "=?base64?Y2Fmw6k=?=");
        assert_eq!(judged(&[VERSION, (METHOD, "tools/call"), name], &call), Ok(Era::Modern));
        for lines in [
            &[VERSION][..],
            &[(METHOD, "tools/call"), name],
            &[VERSION, (METHOD, "TOOLS/CALL"), name],
            &[VERSION, (METHOD, "tools/call")],
            &[VERSION, (METHOD, "tools/call"), (NAME, "cafe")],
            &[VERSION, (METHOD, "tools/call"), (NAME, "=?base64?Y2Fm!?=")],
            &[VERSION, (METHOD, "tools/call"), name, name],
            &[(PROTOCOL_VERSION, "2025-11-25"), (METHOD, "tools/call"), name],
            // encoded, which only a name may be
            &[VERSION, (METHOD, "=?base64?dG9vbHMvY2FsbA==?="), name],
            &[(PROTOCOL_VERSION, "=?base64?MjAyNi0wNy0yOA==?="), (METHOD, "tools/call"), name],
        ] {
            assert_eq!(judged(lines, &call), Err(-32020), "{lines:?}");
        }
        let odd = request("=?base64?eA==?=", MODERN);
        assert_eq!(judged(&[VERSION, (METHOD, "=?base64?eA==?=")], &odd), Ok(Era::Modern), "as it stands");
    }

    #[test]
    fn a_name_in_the_header_alone_is_no_name() {
        for name in [Value::Null, json!(5), json!(["whoami"])] {
            let mut call = request("tools/call", MODERN);
            call["params"]["name"] = name;
            let method = (METHOD, "tools/call");
            assert_eq!(judged(&[VERSION, method], &call), Ok(Era::Modern), "{call}");
            for header in ["whoami", "5", ""] {
                assert_eq!(judged(&[VERSION, method, (NAME, header)], &call), Err(-32020), "{call}");
            }
        }
        let mut read = request("resources/read", MODERN);
        let lines = [VERSION, (METHOD, "resources/read"), (NAME, "caf")];
        assert_eq!(judged(&lines, &read), Err(-32020), "a name is no address");
        read["params"]["uri"] = json!("caf");
        assert_eq!(judged(&lines, &read), Ok(Era::Modern));
    }

    #[test]
    fn the_body_tells_the_era_first() {
        let old = request("tools/list", "2025-11-25");
        assert_eq!(judged(&[], &old), Ok(Era::Session));
        assert_eq!(judged(&[(PROTOCOL_VERSION, "2025-11-25")], &old), Ok(Era::Session));
        assert_eq!(judged(&[VERSION], &old), Err(-32020));
        assert_eq!(judged(&[], &request("initialize", "2025-06-18")), Ok(Era::Handshake));
        let bare = |method: &str| json!({"jsonrpc": "2.0", "id": 1, "method": method});
        assert_eq!(judged(&[VERSION], &bare("initialize")), Ok(Era::Handshake));
        assert_eq!(judged(&[VERSION, (METHOD, "tools/list")], &bare("tools/list")), Err(-32602));
        assert_eq!(judged(&[], &bare("tools/list")), Ok(Era::Session));
        assert_eq!(judged(&[(PROTOCOL_VERSION, "2024-11-05")], &bare("tools/list")), Err(-32022));
        let future = request("tools/list", "2031-01-01");
        assert_eq!(judged(&[(PROTOCOL_VERSION, "2031-01-01")], &future), Err(-32022));
        assert_eq!(judged(&[VERSION], &future), Err(-32020));
        let mut odd = request("tools/list", MODERN);
        odd["params"]["_meta"][META_VERSION] = json!(20_260_728);
        assert_eq!(judged(&[VERSION, (METHOD, "tools/list")], &odd), Err(-32602));
    }

    #[test]
    fn what_wants_no_answer() {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
        assert_eq!(judged(&[], &note), Ok(Era::Session));
        assert_eq!(judged(&[VERSION, (METHOD, "notifications/cancelled")], &note), Ok(Era::Modern));
        assert_eq!(judged(&[VERSION], &note), Err(-32020));
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
        assert_eq!(judged(&[VERSION], &answer), Ok(Era::Modern));
        assert_eq!(judged(&[], &answer), Ok(Era::Session));
        assert_eq!(judged(&[(PROTOCOL_VERSION, "1")], &answer), Err(-32022));
    }
}
