//! The console's pages that list the requests recorded by this process, and show one request with its response.

use std::sync::Arc;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Console,
    context::ConsoleContext,
    live::{ConsoleTime, LivePart, latency},
    shell::ConsoleShell,
};
use crate::{
    api::recorder::{MAX_REQUESTS, RecordedRequest, RequestFilter, ShownBody},
    pages::{Outcome, answer, error_page::PageError, frame::Frame, labels},
};

const PATH: &str = "/console/requests";
/// Number of requests on a page.
const PER_PAGE: usize = 100;

#[derive(Template)]
#[template(path = "console/requests.html")]
struct RequestsPage<'a> {
    frame: Frame,
    shell: ConsoleShell,
    live: LivePart,
    /// Maximum number of requests that the process keeps.
    most: String,
    text: &'a str,
    failed: bool,
}

/// The list of requests: the part of the page that is refreshed while the page is open.
#[derive(Template)]
#[template(path = "console/requests_live.html")]
struct RequestList {
    rows: Vec<RequestRow>,
    is_filtered: bool,
    /// The query string of the link to the next page.
    next: Option<String>,
}

struct RequestRow {
    id: String,
    at: ConsoleTime,
    method: String,
    target: String,
    operation: String,
    status: u16,
    class: &'static str,
    code: &'static str,
    latency: String,
}

impl From<&Arc<RecordedRequest>> for RequestRow {
    fn from(request: &Arc<RecordedRequest>) -> Self {
        Self {
            id: request.id.clone(),
            at: ConsoleTime::of(request.at),
            method: request.method.clone(),
            target: request.target(),
            operation: request.operation.map_or("", |(_, id)| id).to_owned(),
            status: request.status,
            class: class(request.status),
            code: request.code.unwrap_or_default(),
            latency: latency(request.elapsed),
        }
    }
}

/// Returns the CSS class of a status.
pub(super) const fn class(status: u16) -> &'static str {
    match status {
        0..400 => "ok",
        400..500 => "refused",
        _ => "failed",
    }
}

/// GET /console/requests.
pub(super) fn list(console: &Console, context: &ConsoleContext) -> Outcome {
    let text = context.parameter("q").trim();
    let failed = context.parameter("show") == "errors";
    let before = context.parameter("before").parse().ok();
    let filter = RequestFilter { text: text.to_owned(), failed, before };
    let found = console.recorder.list(&filter, PER_PAGE + 1);
    let last = found.get(PER_PAGE - 1).filter(|_| found.len() > PER_PAGE);
    let next = last.map(|last| {
        let show = if failed { "errors" } else { "" };
        let before = last.number.to_string();
        let pairs = [("q", text), ("show", show), ("before", &before)];
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    });
    let rows = found.iter().take(PER_PAGE).map(RequestRow::from).collect();
    let is_filtered = failed || !text.is_empty() || before.is_some();
    let live = LivePart::render(&RequestList { rows, is_filtered, next })?;
    if let Some(answer) = live.answer(context) {
        return Ok(answer);
    }
    let (frame, shell) = ConsoleShell::new(console, context, "Requests", PATH);
    let most = labels::grouped(MAX_REQUESTS);
    answer::client_page(StatusCode::OK, &RequestsPage { frame, shell, live, most, text, failed })
}

/// POST /console/requests: clears the list.
pub(super) fn clear(console: &Console) -> Outcome {
    console.recorder.clear();
    Ok(answer::redirect("/console/requests?done=cleared"))
}

#[derive(Template)]
#[template(path = "console/request.html")]
struct RequestPage {
    frame: Frame,
    shell: ConsoleShell,
    row: RequestRow,
    api: &'static str,
    messages: [HttpMessage; 2],
}

struct HttpMessage {
    id: &'static str,
    title: &'static str,
    /// The headers; `None` if they are no longer kept.
    headers: Option<Vec<(String, String)>>,
    body: ShownBody,
    text: String,
}

impl HttpMessage {
    fn new(
        id: &'static str,
        title: &'static str,
        headers: Option<Vec<(String, String)>>,
        body: ShownBody,
    ) -> Self {
        Self { id, title, headers, text: pretty(&body.text), body }
    }
}

/// GET /console/requests/{request}.
pub(super) fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let id = context.parts.first().map_or("", String::as_str);
    let Some(request) = console.recorder.find(id) else { return Err(not_kept()) };
    let (frame, shell) = ConsoleShell::new(console, context, "Request", PATH);
    let page = RequestPage {
        frame,
        shell,
        row: RequestRow::from(&request),
        api: request.operation.map_or("", |(api, _)| api),
        messages: [
            HttpMessage::new("request", "Request", request.request_headers(), request.request_body()),
            HttpMessage::new("response", "Response", request.response_headers(), request.response_body()),
        ],
    };
    answer::client_page(StatusCode::OK, &page)
}

fn not_kept() -> PageError {
    PageError::new(
        StatusCode::NOT_FOUND,
        "Request not found",
        "The console keeps only the latest 1,000 requests of this process. A restart removes them.",
    )
}

/// Indents a JSON object or array and keeps the order of members. Returns any other text unchanged, even incomplete
/// JSON.
pub(super) fn pretty(text: &str) -> String {
    let is_json = text.starts_with(['{', '[']) && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if !is_json {
        return text.to_owned();
    }
    let mut shown = String::with_capacity(text.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    // line breaks and tabs are dropped: they occur only between tokens, because JSON strings must escape them (RFC 8259
    // §2, §7)
    let mut letters = text.chars().filter(|letter| !matches!(letter, '\t' | '\n' | '\r')).peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            shown.push(letter);
            in_string = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        match letter {
            ' ' => {}
            '{' | '[' => {
                while letters.next_if_eq(&' ').is_some() {}
                shown.push(letter);
                if let Some(end) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    shown.push(end);
                } else {
                    depth += 1;
                    line(&mut shown, depth);
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut shown, depth);
                shown.push(letter);
            }
            ',' => {
                shown.push(',');
                line(&mut shown, depth);
            }
            ':' => shown.push_str(": "),
            _ => {
                in_string = letter == '"';
                shown.push(letter);
            }
        }
    }
    shown
}

/// Maximum number of levels by which a line is indented. Without this maximum, the size of indented nested brackets
/// would grow with the square of the number of brackets.
const MAX_INDENT: usize = 64;

/// Begins a line with the indentation of a depth.
fn line(shown: &mut String, depth: usize) {
    shown.push('\n');
    shown.extend(std::iter::repeat_n("  ", depth.min(MAX_INDENT)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_indented_and_keeps_the_order_of_members() {
        assert_eq!(
            pretty(r#"{"b":[1, {}],"a":"x, {\"y\"}","c":[]}"#),
            "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": \"x, {\\\"y\\\"}\",\n  \"c\": []\n}"
        );
        assert_eq!(pretty("{\r\n\t\"a\":\t\"\u{7f} \\n\"}"), "{\n  \"a\": \"\u{7f} \\n\"\n}");
        for other in ["{\"cut", "plain, text", "3"] {
            assert_eq!(pretty(other), other);
        }
    }

    #[test]
    fn the_indentation_of_deep_json_is_bounded() {
        let deep = format!("{}{}", "[".repeat(8_000), "]".repeat(8_000));
        let shown = pretty(&deep);
        assert!(shown.len() < deep.len() * (2 * MAX_INDENT + 2), "{}", shown.len());
    }
}
