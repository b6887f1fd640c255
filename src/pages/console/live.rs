//! Pages with a part that the script refreshes. The script requests only this part. The response contains the part only
//! if the part has changed. This module also formats times and durations for the console.

use std::time::Duration;

use askama::Template;
use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::context::ConsoleContext;
use crate::{
    contract::is_known,
    domain::time::Timestamp,
    pages::{answer, error_page::PageError},
    platform::secrets::{hex, sha256},
};

/// The part of a page that is refreshed.
pub(super) struct LivePart {
    /// The HTML of the part. The template has escaped the values in it.
    pub(super) html: String,
    /// The `ETag`: a hash of the HTML, in double quotes.
    pub(super) tag: String,
}

impl LivePart {
    pub(super) fn render<T: Template>(template: &T) -> Result<Self, PageError> {
        let html = template.render().map_err(|error| {
            PageError::server(
                StatusCode::INTERNAL_SERVER_ERROR,
                format!("failed to render a template: {error}"),
            )
        })?;
        let tag = format!("\"{}\"", hex(&sha256(&html)[..16]));
        Ok(Self { html, tag })
    }

    /// Returns the response for the script: 304 if the page already shows this part, otherwise the part. Returns `None`
    /// if the request is for the whole page.
    pub(super) fn answer(&self, context: &ConsoleContext) -> Option<Response> {
        if !context.is_live {
            return None;
        }
        let is_known = is_known(&context.known_tags, &self.tag);
        let mut response = Response::default();
        if is_known {
            response.set_status(StatusCode::NOT_MODIFIED);
        } else {
            response.set_body(self.html.clone());
            let html = HeaderValue::from_static("text/html; charset=utf-8");
            response.headers_mut().insert(header::CONTENT_TYPE, html);
        }
        answer::common(response.headers_mut());
        if let Ok(tag) = HeaderValue::from_str(&self.tag) {
            response.headers_mut().insert(header::ETAG, tag);
        }
        Some(response)
    }
}

/// A time, for a `time` element.
pub(super) struct ConsoleTime {
    /// RFC 3339.
    pub(super) exact: String,
    /// `14:03:22.518`, in UTC.
    pub(super) clock: String,
    /// `23 Nov`.
    pub(super) day: String,
}

impl ConsoleTime {
    pub(super) fn of(at: Timestamp) -> Self {
        let exact = at.to_rfc3339();
        let part = |format: &str| {
            jiff::Timestamp::from_microsecond(at.micros())
                .map(|at| at.strftime(format).to_string())
                .unwrap_or_default()
        };
        Self { clock: part("%H:%M:%S%.3f"), day: part("%-d %b"), exact }
    }
}

/// Formats a duration with at most two units: `30 d 4 h`.
pub(super) fn span(span: Duration) -> String {
    let seconds = span.as_secs();
    let parts = [
        (seconds / 86_400, "d"),
        (seconds / 3600 % 24, "h"),
        (seconds / 60 % 60, "min"),
        (seconds % 60, "s"),
    ];
    let shown: Vec<_> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .take(2)
        .map(|(count, unit)| format!("{count} {unit}"))
        .collect();
    if shown.is_empty() { "0 s".to_owned() } else { shown.join(" ") }
}

/// Formats a latency: `3.4 ms`.
#[expect(clippy::cast_precision_loss, reason = "a latency is far below 2^52 microseconds")]
pub(super) fn latency(elapsed: Duration) -> String {
    let micros = elapsed.as_micros() as f64;
    match micros {
        ..10_000.0 => format!("{:.1} ms", micros / 1000.0),
        ..1_000_000.0 => format!("{:.0} ms", micros / 1000.0),
        _ => format!("{:.1} s", micros / 1_000_000.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_at_most_two_units() {
        for (seconds, text) in
            [(0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (86_400, "1 d"), (90_061, "1 d 1 h"), (3600, "1 h")]
        {
            assert_eq!(span(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn latencies_are_in_milliseconds_or_seconds() {
        assert_eq!(latency(Duration::from_micros(1234)), "1.2 ms");
        assert_eq!(latency(Duration::from_millis(1500)), "1.5 s");
    }
}
