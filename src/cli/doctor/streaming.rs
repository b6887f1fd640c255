//! Event streams: what the server sends must arrive when it is sent, not when the answer ends. Assistants hold such
//! streams open.

use std::time::{Duration, Instant};

use http::Method;

use super::{Finding, Patient, Place};
use crate::cli::{failure::Failure, web::Web};

const CHECK: &str = "streaming";
/// Seconds between the two events. The second try is longer, lest a machine that is busy be taken for a proxy that
/// holds answers back.
const TRIES: [u64; 2] = [2, 6];
/// How an event is known.
const FIRST: &str = "\"number\":1";
const SECOND: &str = "\"number\":2";

/// Reads the diagnostic stream at a public address.
pub async fn check(patient: &Patient, web: &Web, place: &Place) -> Vec<Finding> {
    let Some(key) = &patient.key else {
        let why = "the diagnostic stream opens with the operator key only: set SWITCHBOARD_OPERATOR_KEY";
        return vec![Finding::skipped(CHECK, why)];
    };
    let mut last = None;
    for seconds in TRIES {
        match listen(web, place, key.expose(), seconds).await {
            // half of the pause is far more than the way takes
            Ok(gap) if gap * 2 >= Duration::from_secs(seconds) => {
                return vec![Finding::ok(CHECK, format!("events of {} arrive as they are sent", place.url))];
            }
            Ok(gap) => {
                let found = format!(
                    "{} holds answers back: two events that were sent {seconds} s apart came {} ms apart",
                    place.url,
                    gap.as_millis()
                );
                last = Some(failure(found, place));
            }
            Err(error) => last = Some(failure(error.to_string(), place)),
        }
    }
    last.into_iter().collect()
}

fn failure(found: String, place: &Place) -> Finding {
    Finding::failure(CHECK, found).of(place.setting).cure(
        "turn off the proxy's buffering and compression of text/event-stream (nginx: proxy_buffering off, \
         proxy_read_timeout 1h; Apache: flushpackets=on), and let it keep answers open for more than 15 seconds",
    )
}

/// How long after the first event the second one came.
async fn listen(web: &Web, place: &Place, key: &str, seconds: u64) -> Result<Duration, Failure> {
    let url = place.at(&format!("/diagnostics/stream?seconds={seconds}"));
    let ask = web.request(Method::GET, &url).bearer_auth(key).header("accept", "text/event-stream");
    let mut response = web.open(ask).await?;
    let status = response.status();
    if status != 200 {
        return Err(Failure::Local(format!("{url} answers {}", status.as_u16())));
    }
    let (mut text, mut first): (String, Option<Instant>) = (String::new(), None);
    while let Some(chunk) = response.chunk().await? {
        text.push_str(&String::from_utf8_lossy(&chunk));
        let now = web.clock().instant();
        if text.contains(FIRST) && first.is_none() {
            first = Some(now);
        }
        if text.contains(SECOND) {
            return Ok(first.map_or(Duration::ZERO, |first| now - first));
        }
    }
    Err(Failure::Local(format!("the event stream at {} was cut off before its end", place.url)))
}
