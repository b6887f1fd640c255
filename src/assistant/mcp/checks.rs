//! Checks of a request to an MCP endpoint: origin, token in the query, access token, size and media type of the body,
//! rate limit. The parent module calls the checks that apply to the HTTP method, in the order of A-277 and D-323.
//! Before the rate limit, it also checks the JSON-RPC message, the protocol version and the MCP session.
//!
//! The access token is checked before the body is read. So an unauthenticated caller cannot make the server read a
//! body.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use poem::{
    Body, Request, Response,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use rmcp::model::CallToolResult;
use serde_json::Value;

use super::{
    Mcp,
    challenge::Challenges,
    cors,
    endpoint::McpEndpoint,
    origin::{self, RequestOrigin as Sender},
    response::{self, RejectedRequest, Step},
};
use crate::{
    api::bearer,
    contract::{
        ApiError, BodyLimits,
        answer::{self, Confirmation, Rejection},
        declared_fits, has_token, read_authenticated, reply, sends_json, takes,
    },
    domain::refusal::Code,
    platform::limits,
    service::{
        Error, World, callers::ShownConversation, callers::confirm::ReadTime,
        oauth::active_connection::Connected,
    },
};

/// Checks the origin of a request, and returns whether a web page sent the request. `is_reading` is set for GET.
///
/// - For a page of an allowed origin, returns `true`, and adds the CORS headers that allow the page to read the
///   response.
/// - For a program that is not a browser, returns `false`.
/// - Rejects every other sender with 403.
pub(super) fn origin(headers: &HeaderMap, is_reading: bool) -> Step<bool> {
    match origin::of(headers, is_reading) {
        Sender::Program => Ok(false),
        Sender::Page(origin) => {
            cors::permit(origin);
            Ok(true)
        }
        Sender::Rejected => Err(response::plain(StatusCode::FORBIDDEN, "forbidden").into()),
    }
}

/// Authenticates a request, and returns its connection and the time at which the token was looked up. The token of each
/// request is looked up, also within a session, so that a revocation takes effect with the next request
/// . Also sets the [`ConnectionConfirmation`] that runs before the response is sent.
///
/// Rejects a token in the query with status 400. Rejects a missing or invalid token with 401, and also a token for
/// `/mcp/readonly` that is used at `/mcp`.
pub(super) async fn caller(
    mcp: &Mcp,
    endpoint: &McpEndpoint,
    request: &Request,
) -> Step<(Connected, ReadTime)> {
    if request.uri().query().is_some_and(has_token) {
        return Err(response::plain(StatusCode::BAD_REQUEST, "invalid_request").into());
    }
    let token = match bearer(request.headers()) {
        Ok(token) => token,
        Err(Code::NotAuthed) => return Err(endpoint.challenges.no_token().into()),
        Err(_) => return Err(endpoint.challenges.invalid_token().into()),
    };
    let as_of = mcp.world.as_of();
    let found = mcp.world.connection_for_token(token).await?;
    let Some(connected) = found.filter(|connected| connected.resource().admits(endpoint.resource)) else {
        return Err(endpoint.challenges.invalid_token().into());
    };
    answer::confirm_with(ConnectionConfirmation::new(mcp, endpoint, connected.clone(), as_of));
    Ok((connected, as_of))
}

/// Replaces the confirmation that [`caller`] set. The new confirmation also checks whether the employee still sees the
/// conversations in the response. `as_of` is the time at which the token was looked up, before the data of the response
/// were read.
pub(super) fn replace_confirmation(
    mcp: &Mcp,
    endpoint: &McpEndpoint,
    connected: Connected,
    as_of: ReadTime,
    shown: ShownMessages,
) {
    let confirmation = ConnectionConfirmation::new(mcp, endpoint, connected, as_of);
    answer::confirm_with(ConnectionConfirmation { shown: Some(shown), ..confirmation });
}

/// What a [`ConnectionConfirmation`] must know about a response that shows messages.
pub(super) struct ShownMessages {
    /// The conversations whose messages the response shows.
    pub(super) conversations: Vec<ShownConversation>,
    /// The id of the JSON-RPC request.
    pub(super) id: Value,
    /// The result that is returned instead if the employee no longer sees one of the conversations.
    pub(super) replacement: CallToolResult,
}

/// Confirms, before data are returned, that the connection is still active and that the token is still the connection's
/// current access token. A write confirms both in its own transaction. So the response to a write needs no
/// confirmation, and is sent even if the connection was revoked after the commit.
struct ConnectionConfirmation {
    world: Arc<World>,
    challenges: Arc<Challenges>,
    connected: Connected,
    as_of: ReadTime,
    /// `None` if the response shows no messages, or if the query that read them also checked the membership.
    shown: Option<ShownMessages>,
}

impl ConnectionConfirmation {
    fn new(mcp: &Mcp, endpoint: &McpEndpoint, connected: Connected, as_of: ReadTime) -> Self {
        let (world, challenges) = (Arc::clone(&mcp.world), Arc::clone(&endpoint.challenges));
        Self { world, challenges, connected, as_of, shown: None }
    }

    fn conversations(&self) -> Vec<ShownConversation> {
        self.shown.as_ref().map(|shown| shown.conversations.clone()).unwrap_or_default()
    }

    fn rejection(&self, error: Error) -> Rejection {
        match (error, &self.shown) {
            (Error::Refused(refusal), Some(shown)) if refusal.code == Code::ConversationNotFound => {
                Rejection::Response(Box::new(response::result(&shown.id, &shown.replacement)))
            }
            (Error::Refused(_), _) => Rejection::Response(Box::new(self.challenges.invalid_token())),
            (error @ Error::Store(_), _) => ApiError::from(error).into(),
        }
    }
}

impl Confirmation for ConnectionConfirmation {
    fn is_current(&self) -> bool {
        self.connected.has_written() || self.world.is_current(&self.as_of)
    }

    fn confirm(&mut self) -> BoxFuture<'_, Result<(), Rejection>> {
        Box::pin(async move {
            self.as_of = self.world.as_of();
            if !self.world.is_still_connected(&self.connected).await.map_err(ApiError::from)? {
                return Err(Rejection::Response(Box::new(self.challenges.invalid_token())));
            }
            let confirmed = self.world.confirm_shown(self.conversations()).await;
            confirmed.map_err(|error| self.rejection(error))
        })
    }

    fn hold(&mut self) -> BoxFuture<'_, Result<bool, Rejection>> {
        Box::pin(async move {
            let held = self.world.hold_connection(&self.connected, self.conversations()).await;
            held.map_err(|error| self.rejection(error))
        })
    }
}

/// Reads a body of at most 1 MiB, and returns the body with the caller. If the server had to wait for the body,
/// authenticates the caller again, because the token can have been replaced or revoked in the meantime.
pub(super) async fn body(
    mcp: &Mcp,
    endpoint: &McpEndpoint,
    request: &Request,
    connected: (Connected, ReadTime),
    body: Body,
) -> Step<((Connected, ReadTime), Bytes)> {
    let limits = BodyLimits::default();
    declared_fits(request.headers(), limits)?;
    let (bytes, has_waited) = read_authenticated(request.headers(), body, limits).await?;
    let connected = if has_waited { caller(mcp, endpoint, request).await? } else { connected };
    Ok((connected, bytes))
}

/// Checks that the request declares a JSON body, and that the request accepts JSON or an event stream (D-356).
pub(super) fn media(headers: &HeaderMap) -> Step<()> {
    if !sends_json(headers) {
        return Err(response::plain(StatusCode::UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type").into());
    }
    if !takes(headers, reply::JSON) && !takes(headers, reply::EVENT_STREAM) {
        return Err(not_acceptable());
    }
    Ok(())
}

/// Checks that the request accepts an event stream.
pub(super) fn accepts_stream(headers: &HeaderMap) -> Step<()> {
    if takes(headers, reply::EVENT_STREAM) { Ok(()) } else { Err(not_acceptable()) }
}

fn not_acceptable() -> RejectedRequest {
    response::plain(StatusCode::NOT_ACCEPTABLE, "not_acceptable").into()
}

/// Counts a request against the rate limit of the employee. All assistants of the employee share this limit (D-365). A
/// user id belongs to one company, so an account with users in several companies has one limit in each company.
pub(super) async fn limit(mcp: &Mcp, connected: &Connected) -> Step<()> {
    let limit = limits::mcp(mcp.world.settings.mcp_requests_per_minute);
    let key = limit.key(connected.user_id());
    // The request is counted at the time of its arrival, but at most half a second in the past. If slow look-ups
    // delayed the count, a client that keeps to the limit could get a 429.
    let at = limits::counted_at(connected.arrived(), mcp.world.clock.now());
    let decision = mcp.world.limits.check(limit.counter, key, at);
    match decision.retry_after() {
        None => Ok(()),
        Some(seconds) => Err(too_many(seconds).into()),
    }
}

/// Returns 429 with the number of seconds to wait.
pub(super) fn too_many(seconds: u32) -> Response {
    let mut response = response::plain(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}
