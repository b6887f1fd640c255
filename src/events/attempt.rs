//! One attempt to deliver an event.

use std::time::Duration;

use bytes::Bytes;
use http::Method;
use url::Url;

use super::{Shared, sign};
use crate::{
    domain::ids::AppId,
    platform::{
        metrics::{EVENT_ATTEMPT_SECONDS, EVENT_ATTEMPTS},
        outbound::{NoReply, Outgoing, Patience, Reply},
    },
    store::deliveries::{Attempt, Due},
};

/// What an app has to answer in (D-170). The body is of no use but to the log.
pub(super) const PATIENCE: Patience =
    Patience { head: Duration::from_secs(3), body: Duration::from_secs(1), most: 64 * 1024 };
/// How much of an answer's body the log keeps.
const KEPT: usize = 1024;
/// What the log calls an answer that is not a success.
const STATUS: &str = "status";

/// Sends an event that was just read, and tells what came of it. `id` is the attempt's.
pub(super) async fn make(shared: &Shared, app: AppId, event: Due, url: String, id: i64) -> Attempt {
    let clock = &shared.world.clock;
    let at = clock.now();
    let headers = sign::headers(&event, at, &shared.settings.agent);
    let place = place(&url);
    let request = Outgoing { method: Method::POST, url, headers, body: Bytes::from(event.body) };
    let answered = shared.outbound.send(request, PATIENCE).await;
    let latency = match &answered {
        Ok(reply) => reply.latency,
        Err(no_reply) => no_reply.latency,
    };
    let (status, error, answer) = match &answered {
        Ok(reply) => (Some(reply.status), (!reply.status.is_success()).then_some(STATUS), Some(kept(reply))),
        Err(NoReply { why, .. }) => (None, Some(why.word()), None),
    };
    let number = event.attempts + 1;
    let latency_ms = i64::try_from(latency.as_millis()).unwrap_or(i64::MAX);
    metrics::counter!(EVENT_ATTEMPTS, "outcome" => error.unwrap_or("delivered")).increment(1);
    metrics::histogram!(EVENT_ATTEMPT_SECONDS).record(latency.as_secs_f64());
    if let Some(error) = error {
        tracing::info!(
            app = app.encode(),
            event = event.id.encode(),
            attempt = number,
            place,
            error,
            status = status.map(|status| status.as_u16()),
            latency_ms,
            "an event was not delivered"
        );
    }
    Attempt {
        id,
        event_id: event.id,
        before: event.attempts,
        at,
        ended_at: clock.now(),
        delivered: error.is_none(),
        status: status.map(|status| i64::from(status.as_u16())),
        error,
        latency_ms,
        answer,
    }
}

/// Host and port of a URL: what a log may show, for the rest may hold secrets.
fn place(url: &str) -> String {
    let parsed = Url::parse(url).ok();
    let place = parsed.as_ref().and_then(|url| Some((url.host_str()?, url.port_or_known_default()?)));
    place.map_or_else(String::new, |(host, port)| format!("{host}:{port}"))
}

/// The beginning of an answer's body as a text that both databases can hold.
fn kept(reply: &Reply) -> String {
    let body = &reply.body[..reply.body.len().min(KEPT)];
    let mut text = String::from_utf8_lossy(body).replace('\0', "\u{fffd}");
    if reply.body.len() > KEPT && text.ends_with('\u{fffd}') {
        // a character that was cut in two
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests {
    use http::{HeaderMap, StatusCode};

    use super::*;

    #[test]
    fn the_log_keeps_a_text() {
        let keep = |body: &[u8]| {
            kept(&Reply {
                status: StatusCode::OK,
                headers: HeaderMap::new(),
                body: Bytes::copy_from_slice(body),
                is_whole: true,
                latency: Duration::ZERO,
            })
        };
        assert_eq!(keep(b""), "");
        assert_eq!(keep(b"a\0\xffb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(keep(&[b'x'; 5000]), "x".repeat(KEPT));
        assert_eq!(keep("é".repeat(2000).as_bytes()), "é".repeat(KEPT / 2));
        let odd = format!("x{}", "é".repeat(2000));
        assert_eq!(keep(odd.as_bytes()), format!("x{}", "é".repeat(KEPT / 2 - 1)));
    }

    #[test]
    fn logs_show_no_path() {
        assert_eq!(place("https://a.example/secret?x=1"), "a.example:443");
        assert_eq!(place("http://127.0.0.1:8080/secret"), "127.0.0.1:8080");
        assert_eq!(place("nothing"), "");
    }
}
