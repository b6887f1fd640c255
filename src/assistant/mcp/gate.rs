//! What every request passes before anything is done for it, in the order of A-277: where it comes from, a token that
//! leaked into the address, who sends it, how large and of what kind its body is, and later how often its sender asks.
//!
//! The credential is judged before the body is read, so that a stranger cannot make the server read one.

use bytes::Bytes;
use poem::{
    Body, Request, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use super::{
    Mcp, cors,
    door::Door,
    origin::{self, From as Sender},
    wire::{self, Refused, Step},
};
use crate::{
    contract::{BodyLimits, declared_fits, has_token, read_limited, reply, sends_json, takes},
    domain::refusal::Code,
    platform::limits::{self, Key},
    room::bearer,
    workspace::assistants::connections::Connected,
};

/// The limit's key beside the employee.
const ROUTE: &str = "mcp";

/// Judges where a request comes from, and lets a page read what is answered; tells whether it is one.
pub(super) fn origin(headers: &HeaderMap, is_reading: bool) -> Step<bool> {
    match origin::of(headers, is_reading) {
        Sender::Program => Ok(false),
        Sender::Page(origin) => {
            cors::permit(origin);
            Ok(true)
        }
        Sender::Refused => Err(wire::plain(StatusCode::FORBIDDEN, "forbidden").into()),
    }
}

/// Who sends the request: every one asks the store anew.
pub(super) async fn caller(room: &Mcp, door: &Door, request: &Request) -> Step<Connected> {
    if request.uri().query().is_some_and(has_token) {
        return Err(wire::plain(StatusCode::BAD_REQUEST, "invalid_request").into());
    }
    let token = match bearer(request.headers()) {
        Ok(token) => token,
        Err(Code::NotAuthed) => return Err(door.challenges.no_token().into()),
        Err(_) => return Err(door.challenges.invalid_token().into()),
    };
    let found = room.world.connection_for_token(token).await?;
    found
        .filter(|who| who.resource.admits(door.resource))
        .ok_or_else(|| door.challenges.invalid_token().into())
}

/// The body, of at most 1 MB, whatever its kind.
pub(super) async fn body(headers: &HeaderMap, body: Body) -> Step<Bytes> {
    let limits = BodyLimits::default();
    declared_fits(headers, limits)?;
    Ok(read_limited(body, limits).await?)
}

/// The kinds of body sent and wanted: JSON, and either kind that the protocol has (D-356).
pub(super) fn media(headers: &HeaderMap) -> Step<()> {
    if !sends_json(headers) {
        return Err(wire::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type").into());
    }
    if !takes(headers, reply::JSON) && !takes(headers, reply::EVENT_STREAM) {
        return Err(not_acceptable());
    }
    Ok(())
}

/// Whether a stream is wanted.
pub(super) fn takes_stream(headers: &HeaderMap) -> Step<()> {
    if takes(headers, reply::EVENT_STREAM) { Ok(()) } else { Err(not_acceptable()) }
}

fn not_acceptable() -> Refused {
    wire::plain(StatusCode::NOT_ACCEPTABLE, "not_acceptable").into()
}

/// Counts a request against the employee's limit, which all their assistants share (D-365). An employee's id is of one
/// company only, so the count is too.
pub(super) async fn limit(room: &Mcp, who: &Connected) -> Step<()> {
    let row = limits::mcp(room.world.settings.mcp_requests_per_minute);
    let key = Key::id(ROUTE, who.user_id.0);
    let decision = room.world.limits.check(row, key, room.world.clock.now());
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(too_many(seconds).into()),
    }
}

/// 429 with the seconds to wait.
pub(super) fn too_many(seconds: u32) -> Response {
    let mut response = wire::plain(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}
