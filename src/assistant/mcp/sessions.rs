//! Looks up the MCP session that a request names. Only the protocol versions with `initialize` have sessions.

use poem::http::{HeaderMap, StatusCode};
use rmcp::model::{ErrorCode, ErrorData};
use serde_json::Value;

use super::{
    Mcp,
    response::{self, RejectedRequest, SESSION_ID, SentHeader, Step, header_text},
};
use crate::service::oauth::{active_connection::Connected, mcp_sessions::UsedSession};

/// JSON-RPC error code for an unknown session, as used by the SDKs.
const SESSION_NOT_FOUND: ErrorCode = ErrorCode(-32001);

/// Returns the session that a request names, and records its use. Rejects the request with 400 if its `Mcp-Session-Id`
/// is missing, empty or invalid. Rejects it with 404 if the session is unknown, has ended, or belongs to
/// another connection (A-283 … A-285).
pub(super) async fn require_session(
    mcp: &Mcp,
    connected: &Connected,
    headers: &HeaderMap,
    id: &Value,
) -> Step<UsedSession> {
    let session = match header_text(headers, SESSION_ID) {
        // an id has at least one character, so an empty header names no session
        SentHeader::Text("") => return Err(bad(id, "Mcp-Session-Id is empty: begin with initialize")),
        SentHeader::Text(session) => session,
        SentHeader::Absent => return Err(bad(id, "Mcp-Session-Id is missing: begin with initialize")),
        SentHeader::Invalid => return Err(bad(id, "Mcp-Session-Id is sent twice or is not ASCII")),
    };
    mcp.world.use_mcp_session(connected.connection_id, session).await?.ok_or_else(|| not_found(id))
}

/// Checks that a request with `initialize` names no session, because `initialize` creates a session (D-340). If the
/// request names an existing session, rejects it with 400. If it names any other session, rejects it as
/// [`require_session`] does.
pub(super) async fn require_no_session(
    mcp: &Mcp,
    connected: &Connected,
    headers: &HeaderMap,
    id: &Value,
) -> Step<()> {
    if matches!(header_text(headers, SESSION_ID), SentHeader::Absent | SentHeader::Text("")) {
        return Ok(());
    }
    require_session(mcp, connected, headers, id).await?;
    Err(bad(id, "the session exists already: send initialize without Mcp-Session-Id for a new one"))
}

fn bad(id: &Value, why: &'static str) -> RejectedRequest {
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, why, None);
    response::error(StatusCode::BAD_REQUEST, id, &error).into()
}

/// Returns the 404 for an unknown session. It makes clients create a new session.
pub(super) fn not_found(id: &Value) -> RejectedRequest {
    let error = ErrorData::new(SESSION_NOT_FOUND, "Session not found: it is unknown or has ended", None);
    response::error(StatusCode::NOT_FOUND, id, &error).into()
}
