//! The session that a request names, for the versions with a handshake.

use poem::http::{HeaderMap, StatusCode};
use rmcp::model::{ErrorCode, ErrorData};
use serde_json::Value;

use super::{
    Mcp,
    wire::{self, Refused, SESSION_ID, Said, Step, said},
};
use crate::workspace::assistants::{connections::Connected, mcp_sessions::SessionHash};

/// What SDKs answer for a session that is not there.
const SESSION_NOT_FOUND: ErrorCode = ErrorCode(-32001);

/// Uses the session that a request names: 400 without one or with an empty one, 404 for one that is not the connection's or has
/// ended (A-283 … A-285).
pub(super) async fn used(room: &Mcp, who: &Connected, headers: &HeaderMap, id: &Value) -> Step<SessionHash> {
    let session = match said(headers, SESSION_ID) {
        // an id has at least one character, so this is a request without one
        Said::Text("") => return Err(bad(id, "Mcp-Session-Id is empty: begin with initialize")),
        Said::Text(session) => session,
        Said::Nothing => return Err(bad(id, "Mcp-Session-Id is missing: begin with initialize")),
        Said::Garbled => return Err(bad(id, "Mcp-Session-Id is sent twice or is not ASCII")),
    };
    room.world.use_mcp_session(who.connection_id, session).await?.ok_or_else(|| gone(id))
}

/// `initialize` begins a session, so it names none (D-340).
pub(super) async fn none(room: &Mcp, who: &Connected, headers: &HeaderMap, id: &Value) -> Step<()> {
    if matches!(said(headers, SESSION_ID), Said::Nothing | Said::Text("")) {
        return Ok(());
    }
    used(room, who, headers, id).await?;
    Err(bad(id, "the session has begun: send initialize without Mcp-Session-Id for another one"))
}

fn bad(id: &Value, why: &'static str) -> Refused {
    let error = ErrorData::new(ErrorCode::INVALID_REQUEST, why, None);
    wire::error(StatusCode::BAD_REQUEST, id, &error).into()
}

/// 404, at which clients begin a new session.
pub(super) fn gone(id: &Value) -> Refused {
    let error = ErrorData::new(SESSION_NOT_FOUND, "Session not found: it is unknown or has ended", None);
    wire::error(StatusCode::NOT_FOUND, id, &error).into()
}
