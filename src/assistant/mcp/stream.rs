//! The stream of a session (GET): there is nothing to tell on it in these versions, but clients open it and take its
//! end for the session's (D-357).
//!
//! It ends with its session and with its connection: at once when this process ended them, and at the next comment when
//! another node did or the clock. It ends as well when that cannot be told, and when the process is to end.

use std::{io, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::stream;
use poem::{
    Body, Response,
    http::{HeaderValue, header},
};

use serde_json::Value;

use super::{Mcp, door::Door, gate, sessions, wire::Step};
use crate::{
    contract::reply,
    domain::ids::ConnectionId,
    platform::{net::Standing, shutdown::Stop},
    store::{MostWatching, Result, Watching},
    workspace::{
        World,
        assistants::{connections::Connected, mcp_sessions::SessionHash},
    },
};

/// How often a comment is sent: proxies cut what is silent for a minute.
const EVERY: Duration = Duration::from_secs(15);
/// How many streams a connection and an employee may hold open in one process.
const MOST: MostWatching = MostWatching { of_connection: 16, of_person: 64 };
/// A comment, which no client shows.
const COMMENT: Bytes = Bytes::from_static(b": alive\n\n");

struct Open {
    world: Arc<World>,
    connection: ConnectionId,
    session: SessionHash,
    news: Watching,
    stop: Stop,
    is_begun: bool,
}

/// Opens the stream of a session.
pub(super) async fn open(room: &Mcp, door: &Door, who: &Connected, session: SessionHash) -> Step<Response> {
    let Some(news) = room.world.db.endings().watch(who.connection_id, who.user_id, MOST) else {
        let seconds = u32::try_from(EVERY.as_secs()).unwrap_or(u32::MAX);
        return Err(gate::too_many(seconds).into());
    };
    let open = Open {
        world: Arc::clone(&room.world),
        connection: who.connection_id,
        session,
        news,
        stop: room.stop.clone(),
        is_begun: false,
    };
    // what ended between the request's judgement and the watch told nobody
    if !open.world.connection_stands(open.connection).await? {
        return Err(door.challenges.invalid_token().into());
    }
    if !open.world.touch_mcp_session(open.connection, session).await? {
        return Err(sessions::gone(&Value::Null));
    }
    let comments = stream::unfold(open, |mut open| async move {
        open.next().await.then_some((Ok::<_, io::Error>(COMMENT), open))
    });
    let mut response = Response::from(Body::from_bytes_stream(comments));
    for (name, value) in [
        (header::CONTENT_TYPE, reply::EVENT_STREAM),
        (header::CACHE_CONTROL, "no-store"),
        // nginx would keep it to itself
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response.extensions_mut().insert(Standing);
    Ok(response)
}

impl Open {
    /// Waits until a comment is due; tells whether the stream goes on.
    async fn next(&mut self) -> bool {
        if !self.is_begun {
            // at once, so that the client and what stands between see the head
            self.is_begun = true;
            return true;
        }
        loop {
            let is_due = tokio::select! {
                () = self.stop.draining() => return false,
                () = self.news.ended() => false,
                () = self.world.clock.pause(EVERY) => true,
            };
            // boxed: what it takes to look is given back while the stream waits
            match Box::pin(self.stands()).await {
                Ok(true) if is_due => return true,
                // another session of the connection ended
                Ok(true) => {}
                Ok(false) => return false,
                Err(error) => {
                    tracing::debug!(%error, "a stream ends because its session cannot be looked up");
                    return false;
                }
            }
        }
    }

    /// Whether session and connection still live. It is a use of the session (D-361).
    async fn stands(&self) -> Result<bool> {
        Ok(self.world.connection_stands(self.connection).await?
            && self.world.touch_mcp_session(self.connection, self.session).await?)
    }
}
