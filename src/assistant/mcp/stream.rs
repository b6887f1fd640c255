//! The event stream of an MCP session (GET). The stream contains comments and no events (D-357). The server offers the
//! stream nevertheless, because clients open it. The stream stays open as long as the session lasts, because clients
//! take the end of the stream for the end of the session.
//!
//! The stream ends when its session or the assistant's connection ends. If this process ended the session or the
//! connection, the stream ends immediately. If another node ended it, or if it expired, the stream ends when the next
//! comment is due. The stream also ends at shutdown, or if the state of its session or connection cannot be read.

use std::{io, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use poem::{
    Body, Response,
    http::{HeaderValue, header},
};

use serde_json::Value;

use super::{Mcp, checks, endpoint::McpEndpoint, response::Step, sessions};
use crate::{
    contract::reply,
    domain::ids::ConnectionId,
    platform::{net::LongLivedBody, shutdown::Stop},
    service::{
        Result, World,
        oauth::{
            active_connection::Connected,
            mcp_sessions::{ConnectionWatch, SessionHash, SessionStream},
        },
    },
};

/// Interval of comments. Many proxies close a connection that is silent for a minute.
const COMMENT_INTERVAL: Duration = Duration::from_secs(15);
/// An SSE comment, which clients ignore.
const COMMENT: Bytes = Bytes::from_static(b": alive\n\n");

/// The state of an open stream.
struct OpenStream {
    world: Arc<World>,
    connection: ConnectionId,
    session: SessionHash,
    /// While this value exists, the session counts as used, so it does not expire.
    _in_use: SessionStream,
    changes: ConnectionWatch,
    stop: Stop,
    is_begun: bool,
}

/// Opens the event stream of a session. Rejects the request:
///
/// - with 429 if the connection or the employee already has the maximum number of open streams;
/// - with 401 if the connection has ended since the request was authenticated;
/// - with 404 if the session has ended.
pub(super) async fn open(
    mcp: &Mcp,
    endpoint: &McpEndpoint,
    connected: &Connected,
    session: SessionHash,
) -> Step<Response> {
    let Some(changes) = mcp.world.watch_connection(connected) else {
        let seconds = u32::try_from(COMMENT_INTERVAL.as_secs()).unwrap_or(u32::MAX);
        return Err(checks::too_many(seconds).into());
    };
    // the watch does not report a revocation that happened between the authentication and the start of the watch
    if !mcp.world.is_connection_active(connected.connection_id()).await? {
        return Err(endpoint.challenges.invalid_token().into());
    }
    if !mcp.world.touch_mcp_session(connected.connection_id(), session).await? {
        return Err(sessions::not_found(&Value::Null));
    }
    let open = OpenStream {
        world: Arc::clone(&mcp.world),
        connection: connected.connection_id(),
        session,
        _in_use: mcp.world.begin_session_stream(session),
        changes,
        stop: mcp.stop.clone(),
        is_begun: false,
    };
    let comments = stream::unfold(open, |mut open| async move {
        open.next().await.then_some((Ok::<_, io::Error>(COMMENT), open))
    });
    let mut response = Response::from(Body::from_bytes_stream(comments));
    for (name, value) in [
        (header::CONTENT_TYPE, reply::EVENT_STREAM),
        (header::CACHE_CONTROL, "no-store"),
        // without this header, nginx would buffer the stream
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.extensions_mut().insert(LongLivedBody);
    Ok(response)
}

impl OpenStream {
    /// Waits until the next comment is due, or until the stream has to end. Returns whether the stream continues.
    async fn next(&mut self) -> bool {
        if !self.is_begun {
            // the first comment is sent immediately, so that the client and proxies receive the headers
            self.is_begun = true;
            return true;
        }
        loop {
            let is_due = tokio::select! {
                () = self.stop.draining() => return false,
                () = self.changes.ended() => false,
                () = self.world.clock.pause(COMMENT_INTERVAL) => true,
            };
            // the check is boxed, so that its memory is released while the stream waits
            match Box::pin(self.is_active()).await {
                Ok(true) if is_due => return true,
                // another session of the same connection has ended
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    tracing::debug!(
                        %error,
                        "failed to read the session of an event stream; closing the stream"
                    );
                    return false;
                }
            }
        }
    }

    /// Whether the connection and the session are active. The call counts as a use of the session (D-361).
    async fn is_active(&self) -> Result<bool> {
        Ok(self.world.is_connection_active(self.connection).await?
            && self.world.touch_mcp_session(self.connection, self.session).await?)
    }
}
