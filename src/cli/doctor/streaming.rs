//! Checks of event streams, which assistants keep open. A proxy must forward each event as soon as the server sends it.
//! It must not buffer events until the response ends.

use std::time::{Duration, Instant};

use http::Method;

use super::{DoctorContext, Finding, PublicUrl};
use crate::cli::{failure::Failure, web::Web};

const CHECK: &str = "streaming";
/// Seconds between the two events of the stream, at the first and the second attempt. The second interval is longer, so
/// that a busy machine is not mistaken for a proxy that buffers.
const INTERVALS: [u64; 2] = [2, 6];
/// Texts that identify the two events.
const FIRST: &str = "\"number\":1";
const SECOND: &str = "\"number\":2";

/// Reads the diagnostic event stream at a public URL, and checks that its events arrive as soon as they are sent.
pub async fn check(context: &DoctorContext, web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let Some(key) = &context.key else {
        let why = "the diagnostic stream requires the operator key: set SWITCHBOARD_OPERATOR_KEY";
        return vec![Finding::skipped(CHECK, why)];
    };
    let mut last = None;
    for seconds in INTERVALS {
        match listen(web, public_url, key.expose(), seconds).await {
            // If a proxy buffers, both events arrive together. A gap of half the interval is accepted, because the
            // latencies of the two events can differ.
            Ok(gap) if gap * 2 >= Duration::from_secs(seconds) => {
                return vec![Finding::ok(
                    CHECK,
                    format!("events of {} arrive as they are sent", public_url.url),
                )];
            }
            Ok(gap) => {
                let found = format!(
                    "{} buffers responses: two events sent {seconds} s apart arrived {} ms apart",
                    public_url.url,
                    gap.as_millis()
                );
                last = Some(failure(found, public_url));
            }
            Err(error) => last = Some(failure(error.to_string(), public_url)),
        }
    }
    last.into_iter().collect()
}

fn failure(found: String, public_url: &PublicUrl) -> Finding {
    Finding::failure(CHECK, found).of(public_url.setting).remedy(
        "turn off the proxy's buffering and compression of text/event-stream (nginx: proxy_buffering off, \
         proxy_read_timeout 1h; Apache: flushpackets=on), and let it keep responses open for more than 15 seconds",
    )
}

/// Returns the time between the arrivals of the two events.
async fn listen(web: &Web, public_url: &PublicUrl, key: &str, seconds: u64) -> Result<Duration, Failure> {
    let url = public_url.at(&format!("/diagnostics/stream?seconds={seconds}"));
    let request = web.request(Method::GET, &url).bearer_auth(key).header("accept", "text/event-stream");
    let mut response = web.open(request).await?;
    let status = response.status();
    if status != 200 {
        return Err(Failure::Local(format!("{url} returns {}", status.as_u16())));
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
    Err(Failure::Local(format!("the event stream at {} was cut off before its end", public_url.url)))
}
