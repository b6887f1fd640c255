//! Determines the [`ProtocolMode`] of a JSON-RPC message. The mode depends on the protocol version. In 2026-07-28 every
//! request is self-contained. In earlier versions `initialize` creates a session (D-338).
//!
//! If the `_meta` of the body names a version, this is the version of the message. The headers must then not contradict
//! the body, because proxies route by the headers. Without a version in the body, `initialize` creates a session, and
//! the header `MCP-Protocol-Version` determines the mode of every other message.

use std::borrow::Cow;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use poem::http::HeaderMap;
use rmcp::model::{ErrorCode, ErrorData, ProtocolVersion};
use serde_json::Value;

use super::{
    jsonrpc::JsonRpcMessage,
    response::{METHOD, NAME, PROTOCOL_VERSION, SentHeader, header_text},
};
use crate::contract::strict_json::echo;

/// The version without sessions.
pub(super) const MODERN: &str = "2026-07-28";
/// Versions that `initialize` can negotiate, newest first.
pub(super) const LEGACY: [&str; 2] = ["2025-11-25", "2025-06-18"];
/// All supported versions, newest first (D-346).
pub(super) const SUPPORTED: [ProtocolVersion; 3] =
    [ProtocolVersion::V_2026_07_28, ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2025_06_18];

const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Prefix and suffix that mark a header value as base64. Clients encode a value that a header cannot contain, such as a
/// name with letters outside ASCII.
const ENCODED: (&str, &str) = ("=?base64?", "?=");

/// The protocol flow that a message belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolMode {
    /// A self-contained message of 2026-07-28.
    Modern,
    /// `initialize`, which creates a session.
    Handshake,
    /// A message in an existing session.
    Session,
}

/// Returns whether `MCP-Protocol-Version` names the protocol version without sessions (D-350).
pub fn is_modern(headers: &HeaderMap) -> bool {
    header_text(headers, PROTOCOL_VERSION) == SentHeader::Text(MODERN)
}

/// Determines the mode of a message and checks what its version requires of headers and `_meta`.
///
/// # Errors
/// - If the version in `_meta` is not a string.
/// - If `_meta` has a version, and `MCP-Protocol-Version` is invalid or differs from it. A missing header is an error
///   unless the version is in [`LEGACY`].
/// - If the version is not supported, or `_meta` has no version and `MCP-Protocol-Version` is invalid.
/// - 2026-07-28: if a required member of `_meta` is missing or has the wrong type.
/// - 2026-07-28: if `Mcp-Method` or `Mcp-Name` is missing or invalid, or differs from the body.
pub fn mode_of(headers: &HeaderMap, message: &JsonRpcMessage) -> Result<ProtocolMode, ErrorData> {
    let Some((method, params)) = message.call() else {
        return Ok(if is_modern(headers) { ProtocolMode::Modern } else { by_header(headers)? });
    };
    let is_request = matches!(message, JsonRpcMessage::Request(_));
    let meta = params.get("_meta");
    match meta.and_then(|meta| meta.get(META_VERSION)) {
        Some(Value::String(claimed)) => {
            check_header(headers, PROTOCOL_VERSION, claimed, !LEGACY.contains(&claimed.as_str()))?;
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
            return Ok(ProtocolMode::Handshake);
        }
        None if is_modern(headers) && is_request => return Err(invalid_meta(META_VERSION)),
        None if is_modern(headers) => {}
        None => return by_header(headers),
    }
    if is_request && !meta.and_then(|meta| meta.get(META_CAPABILITIES)).is_some_and(Value::is_object) {
        return Err(invalid_meta(META_CAPABILITIES));
    }
    // 2026-07-28 does not specify the headers of notifications, so a notification may omit `Mcp-Method`
    check_header(headers, METHOD, method, is_request)?;
    if let Some(member) = repeated_member(method) {
        check_name_header(headers, params.get(member).and_then(Value::as_str))?;
    }
    Ok(ProtocolMode::Modern)
}

fn legacy(is_request: bool, method: &str) -> ProtocolMode {
    if is_request && method == "initialize" { ProtocolMode::Handshake } else { ProtocolMode::Session }
}

/// Returns the mode of a message whose body names no version, or of a request without a body (GET, DELETE). The caller
/// has already handled the case that the header `MCP-Protocol-Version` names [`MODERN`]. In all other cases the message
/// belongs to a session, and is served in the version that `initialize` negotiated. The header may be missing,
/// or name a version of [`LEGACY`] that was not negotiated (D-352).
///
/// # Errors
/// If `MCP-Protocol-Version` names an unsupported version, is repeated, or is not ASCII.
pub fn by_header(headers: &HeaderMap) -> Result<ProtocolMode, ErrorData> {
    supported_header(headers)?;
    Ok(ProtocolMode::Session)
}

fn supported_header(headers: &HeaderMap) -> Result<(), ErrorData> {
    match header_text(headers, PROTOCOL_VERSION) {
        SentHeader::Absent => Ok(()),
        SentHeader::Text(version) if version == MODERN || LEGACY.contains(&version) => Ok(()),
        SentHeader::Text(version) => Err(unsupported(version)),
        SentHeader::Invalid => Err(unsupported("")),
    }
}

/// Returns the error for an unsupported version. SDKs compare the wording of its message.
fn unsupported(requested: &str) -> ErrorData {
    let requested = echo(requested);
    ErrorData::new(
        ErrorCode::UNSUPPORTED_PROTOCOL_VERSION,
        format!("Unsupported protocol version: {requested}"),
        Some(serde_json::json!({"supported": SUPPORTED, "requested": requested})),
    )
}

fn invalid_meta(key: &str) -> ErrorData {
    let message = format!("`_meta` has no `{key}`, or its value has the wrong type");
    ErrorData::new(ErrorCode::INVALID_PARAMS, message, None)
}

/// Returns the name of the parameter that `Mcp-Name` repeats for this method; `None` if the header is not used.
fn repeated_member(method: &str) -> Option<&'static str> {
    match method {
        "tools/call" | "prompts/get" => Some("name"),
        "resources/read" => Some("uri"),
        _ => None,
    }
}

/// Checks that a header equals the value in the body. A header that is not `required` may be absent.
fn check_header(headers: &HeaderMap, header: &str, expected: &str, required: bool) -> Result<(), ErrorData> {
    match header_text(headers, header) {
        SentHeader::Absent if !required => Ok(()),
        SentHeader::Absent => Err(mismatch(header, "is missing")),
        SentHeader::Text(text) if text == expected => Ok(()),
        SentHeader::Text(_) => Err(mismatch(header, "differs from the body")),
        SentHeader::Invalid => Err(mismatch(header, "is sent twice or is not ASCII")),
    }
}

/// Checks that `Mcp-Name` equals the parameter in the body, or that both are absent. No other header may be encoded in
/// base64 (D-345), because methods and versions never need it.
fn check_name_header(headers: &HeaderMap, expected: Option<&str>) -> Result<(), ErrorData> {
    match (header_text(headers, NAME), expected) {
        // the handler of the method reports that the parameter is missing
        (SentHeader::Absent, None) => Ok(()),
        (SentHeader::Absent, Some(_)) => Err(mismatch(NAME, "is missing")),
        (SentHeader::Invalid, _) => Err(mismatch(NAME, "is sent twice or is not ASCII")),
        (SentHeader::Text(text), expected) => match decoded(text) {
            None => Err(mismatch(NAME, "is not valid base64")),
            Some(text) if Some(&*text) == expected => Ok(()),
            Some(_) => Err(mismatch(NAME, "differs from the body")),
        },
    }
}

fn mismatch(header: &str, why: &str) -> ErrorData {
    ErrorData::new(ErrorCode::HEADER_MISMATCH, format!("the header {header} {why}"), None)
}

/// Returns the value of `Mcp-Name`. A value that is marked as base64 is decoded. Returns `None` for invalid base64.
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
    use crate::assistant::mcp::jsonrpc;

    fn mode(lines: &[(&'static str, &str)], message: &Value) -> Result<ProtocolMode, i32> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, HeaderValue::from_str(value).unwrap());
        }
        let message = jsonrpc::read(message.to_string().as_bytes()).unwrap();
        mode_of(&headers, &message).map_err(|error| error.code.0)
    }

    fn request(method: &str, version: &str) -> Value {
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": {
            "name": "caf\u{e9}",
            "_meta": {META_VERSION: version, META_CAPABILITIES: {}},
        }})
    }

    const VERSION: (&str, &str) = (PROTOCOL_VERSION, MODERN);

    #[test]
    fn versions_equal_those_of_rmcp() {
        let texts: Vec<_> = SUPPORTED.iter().map(ProtocolVersion::as_str).collect();
        assert_eq!(texts, [MODERN, LEGACY[0], LEGACY[1]]);
        assert_eq!(ProtocolVersion::LATEST_WITH_INITIALIZE.as_str(), LEGACY[0]);
    }

    #[test]
    fn modern_requests_repeat_method_and_name_in_headers() {
        let list = request("tools/list", MODERN);
        assert_eq!(mode(&[VERSION, (METHOD, "tools/list")], &list), Ok(ProtocolMode::Modern));
        let call = request("tools/call", MODERN);
        let name = (NAME, "=?base64?Y2Fmw6k=?=");
        assert_eq!(mode(&[VERSION, (METHOD, "tools/call"), name], &call), Ok(ProtocolMode::Modern));
        for lines in [
            &[VERSION][..],
            &[(METHOD, "tools/call"), name],
            &[VERSION, (METHOD, "TOOLS/CALL"), name],
            &[VERSION, (METHOD, "tools/call")],
            &[VERSION, (METHOD, "tools/call"), (NAME, "cafe")],
            &[VERSION, (METHOD, "tools/call"), (NAME, "=?base64?Y2Fm!?=")],
            &[VERSION, (METHOD, "tools/call"), name, name],
            &[(PROTOCOL_VERSION, "2025-11-25"), (METHOD, "tools/call"), name],
            // only `Mcp-Name` may be encoded
            &[VERSION, (METHOD, "=?base64?dG9vbHMvY2FsbA==?="), name],
            &[(PROTOCOL_VERSION, "=?base64?MjAyNi0wNy0yOA==?="), (METHOD, "tools/call"), name],
        ] {
            assert_eq!(mode(lines, &call), Err(-32020), "{lines:?}");
        }
        let odd = request("=?base64?eA==?=", MODERN);
        assert_eq!(
            mode(&[VERSION, (METHOD, "=?base64?eA==?=")], &odd),
            Ok(ProtocolMode::Modern),
            "`Mcp-Method` is compared without decoding"
        );
    }

    #[test]
    fn a_name_header_without_a_name_in_the_body_is_rejected() {
        for name in [Value::Null, json!(5), json!(["whoami"])] {
            let mut call = request("tools/call", MODERN);
            call["params"]["name"] = name;
            let method = (METHOD, "tools/call");
            assert_eq!(mode(&[VERSION, method], &call), Ok(ProtocolMode::Modern), "{call}");
            for header in ["whoami", "5", ""] {
                assert_eq!(mode(&[VERSION, method, (NAME, header)], &call), Err(-32020), "{call}");
            }
        }
        let mut read = request("resources/read", MODERN);
        let lines = [VERSION, (METHOD, "resources/read"), (NAME, "caf")];
        assert_eq!(mode(&lines, &read), Err(-32020), "resources/read repeats the URI, not the name");
        read["params"]["uri"] = json!("caf");
        assert_eq!(mode(&lines, &read), Ok(ProtocolMode::Modern));
    }

    #[test]
    fn the_mode_depends_on_the_version_in_the_body_the_method_and_the_header() {
        let old = request("tools/list", "2025-11-25");
        assert_eq!(mode(&[], &old), Ok(ProtocolMode::Session));
        assert_eq!(mode(&[(PROTOCOL_VERSION, "2025-11-25")], &old), Ok(ProtocolMode::Session));
        assert_eq!(mode(&[VERSION], &old), Err(-32020));
        assert_eq!(mode(&[], &request("initialize", "2025-06-18")), Ok(ProtocolMode::Handshake));
        let bare = |method: &str| json!({"jsonrpc": "2.0", "id": 1, "method": method});
        assert_eq!(mode(&[VERSION], &bare("initialize")), Ok(ProtocolMode::Handshake));
        assert_eq!(mode(&[VERSION, (METHOD, "tools/list")], &bare("tools/list")), Err(-32602));
        assert_eq!(mode(&[], &bare("tools/list")), Ok(ProtocolMode::Session));
        assert_eq!(mode(&[(PROTOCOL_VERSION, "2024-11-05")], &bare("tools/list")), Err(-32022));
        let future = request("tools/list", "2031-01-01");
        assert_eq!(mode(&[(PROTOCOL_VERSION, "2031-01-01")], &future), Err(-32022));
        assert_eq!(mode(&[VERSION], &future), Err(-32020));
        let mut odd = request("tools/list", MODERN);
        odd["params"]["_meta"][META_VERSION] = json!(20_260_728);
        assert_eq!(mode(&[VERSION, (METHOD, "tools/list")], &odd), Err(-32602));
    }

    /// The errors have the same order as in the table of errors in `docs/mcp.md`.
    #[test]
    fn the_first_of_several_errors_is_reported() {
        let mut call = request("tools/call", MODERN);
        call["params"]["_meta"] = json!({META_VERSION: 5});
        let unsupported = (PROTOCOL_VERSION, "1");
        assert_eq!(mode(&[unsupported], &call), Err(-32602), "a version that is not a string");
        call["params"]["_meta"] = json!({META_VERSION: "2"});
        assert_eq!(mode(&[unsupported], &call), Err(-32020), "headers that differ from the version");
        assert_eq!(mode(&[(PROTOCOL_VERSION, "2")], &call), Err(-32022), "an unsupported version");
        call["params"]["_meta"] = json!({META_VERSION: MODERN});
        assert_eq!(mode(&[VERSION], &call), Err(-32602), "no capabilities");
        call["params"]["_meta"] = json!({META_CAPABILITIES: {}});
        assert_eq!(mode(&[VERSION], &call), Err(-32602), "no version");
        call["params"]["_meta"] = json!({META_VERSION: MODERN, META_CAPABILITIES: {}});
        assert_eq!(mode(&[VERSION], &call), Err(-32020), "the method is not repeated in a header");
        assert_eq!(
            mode(&[VERSION, VERSION], &call),
            Err(-32020),
            "a repeated header beside a version in `_meta`"
        );
        let bare = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        assert_eq!(
            mode(&[VERSION, VERSION], &bare),
            Err(-32022),
            "a repeated header without a version in `_meta`"
        );
    }

    #[test]
    fn notifications_and_responses_have_a_mode() {
        let note = json!({"jsonrpc": "2.0", "method": "notifications/cancelled"});
        assert_eq!(mode(&[], &note), Ok(ProtocolMode::Session));
        assert_eq!(mode(&[VERSION, (METHOD, "notifications/cancelled")], &note), Ok(ProtocolMode::Modern));
        assert_eq!(mode(&[VERSION], &note), Ok(ProtocolMode::Modern));
        assert_eq!(mode(&[VERSION, (METHOD, "tools/list")], &note), Err(-32020));
        let answer = json!({"jsonrpc": "2.0", "id": 1, "result": {}});
        assert_eq!(mode(&[VERSION], &answer), Ok(ProtocolMode::Modern));
        assert_eq!(mode(&[], &answer), Ok(ProtocolMode::Session));
        assert_eq!(mode(&[(PROTOCOL_VERSION, "1")], &answer), Err(-32022));
    }
}
