//! The event streams (server-sent events) with which open browser windows show changes without a reload.
//!
//! | Event | Data |
//! |-|-|
//! | `message` | the article of a new message |
//! | `edited` | the article of an edited message in its present version |
//! | `deleted` | the id of a message |
//! | `unread` | `{"conversation": …, "unread": n}`, with `n` at most 100 |
//! | `renamed` | the id of a conversation that was deleted or archived, or whose name, topic or settings changed |
//! | `moved` | empty: the window has to read the list of conversations again |
//! | `reset` | empty: the window missed too many changes, or its position is too old: it has to load its page again |
//! | `alive` | empty: sent if there was no other event for 15 seconds |
//!
//! A window that shows a conversation opens the stream of this conversation, which also reports changes of the list of
//! conversations. Every other window opens the stream of the list.
//!
//! The events `message`, `edited` and `deleted` have an id ([`LivePosition`]): a position in the conversation, and the
//! time at which the event was sent. A request for the stream of a conversation has the last id that the window
//! received, in `Last-Event-ID` or in the query parameter `after`. If the window has received no id, the request has
//! the position that the page contains. The stream continues after this position. If the position is at most a minute
//! old, the stream also reports the changes of the list of conversations since the time of the position.
//!
//! The query parameter `state` is a hash of the conversation's name, topic and settings, and of whether it was
//! archived, when the page was rendered. If the hash has changed since then, the stream begins with `renamed`.
//!
//! A stream ends after `reset`, at shutdown, and when the person is signed out or deactivated. The stream of a
//! conversation also ends when the person leaves the conversation. If the store fails, a stream can end at any time. A
//! person who has too many windows open gets 429.

use std::io;

use bytes::Bytes;
use futures_util::stream;
use poem::{Body, Response, http::StatusCode};
use serde_json::json;

use super::{article, shell};
use crate::{
    contract::reply,
    domain::{
        ids::ConversationId,
        live::{Followed, LivePosition},
        refusal::Code,
    },
    pages::{Outcome, Pages, answer, context::PageContext, error_page::PageError},
    platform::{clock::Clock, net::LongLivedBody},
    service::{
        Error,
        web_client::{
            live::{ListNews, LiveWindow, News, ShownChange},
            message::ShownMessage,
        },
    },
};

/// The first data of a stream: the time in milliseconds after which a browser connects again.
const FIRST: Bytes = Bytes::from_static(b"retry: 1000\n\n");
/// By this event, the script sees that the connection works. A comment line of the stream would not be enough, because
/// scripts do not see comments.
const ALIVE: Bytes = Bytes::from_static(b"event: alive\ndata:\n\n");
const MOVED: Bytes = Bytes::from_static(b"event: moved\ndata:\n\n");
const RESET: Bytes = Bytes::from_static(b"event: reset\ndata:\n\n");

/// `Retry-After` in seconds, if the person has too many windows open.
const RETRY_AFTER: u32 = 60;

/// GET /c/{conversation}/live.
pub(in crate::pages) async fn conversation(pages: &Pages, context: &PageContext) -> Outcome {
    let person = shell::person(pages, context)?;
    let id = context.parts.first().and_then(|part| ConversationId::parse(part));
    let from = context.last_event_id.as_deref().or_else(|| context.parameter("after"));
    let (from, state) = (from.and_then(LivePosition::parse), context.parameter("state"));
    let window = person.follow(id, from, state).await.map_err(refused)?;
    Ok(answer(pages, window))
}

/// GET /conversations/live.
pub(in crate::pages) async fn list(pages: &Pages, context: &PageContext) -> Outcome {
    let window = shell::person(pages, context)?.follow_conversations().await.map_err(refused)?;
    Ok(answer(pages, window))
}

/// Returns the error page for a stream that cannot be opened. The script shows the text of a page with status 429 in
/// the window.
fn refused(error: Error) -> PageError {
    match error {
        Error::Refused(refusal) if refusal.code == Code::RateLimited => PageError::new(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many windows",
            "You have too many windows open, so this one does not show new messages by itself. Close others: this one \
             then connects within two minutes.",
        )
        .after(Some(RETRY_AFTER)),
        error => error.into(),
    }
}

fn answer(pages: &Pages, window: LiveWindow) -> Response {
    let open = OpenLiveStream { window, clock: pages.world.clock.clone(), is_begun: false };
    let events = stream::unfold(open, |mut open| async move {
        let bytes = open.next().await?;
        Some((Ok::<_, io::Error>(bytes), open))
    });
    let mut response = Response::from(Body::from_bytes_stream(events));
    answer::event_stream(&mut response, reply::EVENT_STREAM);
    response.extensions_mut().insert(LongLivedBody);
    response
}

struct OpenLiveStream {
    window: LiveWindow,
    clock: Clock,
    is_begun: bool,
}

impl OpenLiveStream {
    async fn next(&mut self) -> Option<Bytes> {
        if !self.is_begun {
            // sent immediately, because some proxies pass on the headers only with the first data
            self.is_begun = true;
            return Some(FIRST);
        }
        let news = self.window.next().await?;
        Some(self.render(&news))
    }

    fn render(&self, news: &News) -> Bytes {
        match news {
            News::Change(change) => change.bytes(|at, shown| self.event(at, shown)),
            News::List(ListNews::Moved) => MOVED,
            News::List(ListNews::Renamed { kind, id }) => {
                Bytes::from(format!("event: renamed\ndata: {}\n\n", id.encode(*kind)))
            }
            News::List(ListNews::Unread { kind, id, unread }) => {
                let data = json!({ "conversation": id.encode(*kind), "unread": unread });
                Bytes::from(format!("event: unread\ndata: {data}\n\n"))
            }
            News::Reset => RESET,
            News::Alive => ALIVE,
        }
    }

    fn event(&self, followed: Followed, change: ShownChange) -> Bytes {
        let (name, data) = match change {
            ShownChange::Posted(message) => ("message", article_of(&message)),
            ShownChange::Edited(message) => ("edited", article_of(&message)),
            ShownChange::Deleted(id) => ("deleted", id),
        };
        let id = LivePosition { followed, at: self.clock.now() };
        let mut event = format!("id: {id}\nevent: {name}\n");
        // LF, CR and CR LF end a line of an event stream, so every line of the data begins with `data: `
        for line in data.replace("\r\n", "\n").split(['\n', '\r']) {
            event.push_str("data: ");
            event.push_str(line);
            event.push('\n');
        }
        event.push('\n');
        Bytes::from(event)
    }
}

/// Renders a message with times in UTC, because the streams of several readers share the rendered bytes. The script
/// converts the times to the reader's time zone.
fn article_of(message: &ShownMessage) -> String {
    article::render_for(message, None, false).unwrap_or_else(|error| {
        tracing::error!(%error, "failed to render a message for browser windows");
        String::new()
    })
}
