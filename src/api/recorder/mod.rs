//! Records the requests that a sandbox shows in its console. The recorder keeps the last 1,000 requests to the APIs and
//! pages of this process. Production has no recorder.
//!
//! The recorder copies the path, the query and the headers of a request, and the headers of its response. While the
//! server reads or sends a body, the recorder copies up to [`MAX_BODY`] bytes of it. The accessors of a recorded
//! request mask its secrets ([`mask`]).

mod capture;
pub mod mask;
mod mask_json;
mod secret_names;

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use poem::{
    Request, Response,
    http::{HeaderMap, header},
};

use self::capture::Capture;
pub use self::capture::ShownBody;
use crate::{
    contract::{Answered, declared_length},
    domain::time::Timestamp,
    platform::clock::Clock,
};

/// Maximum number of requests kept.
pub const MAX_REQUESTS: usize = 1000;
/// Maximum number of bytes kept of each body.
pub const MAX_BODY: usize = 16 * 1024;
/// Maximum number of bytes kept of all recorded requests together. If they have more, the recorder discards bodies,
/// oldest first. If that is not enough, it also discards headers, oldest first.
pub const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Maximum number of bytes kept of the headers of a request or response, and of a path with its query.
const MAX_HEAD: usize = 8 * 1024;

/// First path segments of requests that are not recorded: the console itself, assets, the documentation, and paths for
/// monitoring and diagnosis.
const UNRECORDED: [&str; 8] =
    ["console", "assets", "docs", "openapi", "healthz", "readyz", "diagnostics", "favicon.ico"];

/// The recorded requests of a process.
pub struct Recorder {
    clock: Clock,
    requests: Mutex<Requests>,
    /// Number of bytes of the paths, headers and bodies of all recorded requests.
    bytes: Arc<AtomicUsize>,
}

#[derive(Default)]
struct Requests {
    /// Oldest first.
    list: VecDeque<Arc<RecordedRequest>>,
    /// Number of requests recorded since the start.
    count: u64,
    /// The bodies of all requests with a lower number were discarded.
    bodies_from: u64,
    /// The headers of all requests with a lower number were discarded.
    heads_from: u64,
}

/// A request whose response is not known yet.
pub struct SeenRequest {
    at: Timestamp,
    method: String,
    /// Path and query.
    target: String,
    head: String,
    body: Arc<Capture>,
}

/// A recorded request and its response.
pub struct RecordedRequest {
    /// The request id.
    pub id: String,
    /// Number of the request in the order in which this process recorded its requests, from 1.
    pub number: u64,
    /// When the request arrived, by the server's clock.
    pub at: Timestamp,
    pub method: String,
    /// The name of the API document and the operationId; `None` for pages and unknown paths.
    pub operation: Option<(&'static str, &'static str)>,
    pub status: u16,
    /// The error code of a failed request.
    pub code: Option<&'static str>,
    pub elapsed: Duration,
    target: String,
    request: RecordedMessage,
    response: RecordedMessage,
    bytes: Arc<AtomicUsize>,
}

/// Headers and body of a recorded request or of its response.
struct RecordedMessage {
    /// Headers, one `name: value` a line; `None` after they were discarded.
    head: Mutex<Option<String>>,
    body: Arc<Capture>,
}

/// Selects the requests to show.
#[derive(Clone, Debug, Default)]
pub struct RequestFilter {
    /// A status, or a text to find in the path and query, the operationId, the error code, the request id and the
    /// method. Letter case is ignored. Empty for all requests.
    pub text: String,
    /// Whether to select only requests whose response has a status of 400 or above.
    pub failed: bool,
    /// Selects only requests with a lower number than this.
    pub before: Option<u64>,
}

impl Recorder {
    /// Creates an empty recorder.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { clock, requests: Mutex::default(), bytes: Arc::default() }
    }

    /// Copies path, query and headers of a request. Its body is copied while the server reads it. Returns `None` for a
    /// request that is not recorded.
    pub fn seen(&self, request: &mut Request) -> Option<Box<SeenRequest>> {
        let uri = request.uri();
        let root = uri.path().trim_start_matches('/').split('/').next().unwrap_or_default();
        if UNRECORDED.contains(&root) {
            return None;
        }
        let target = uri.path_and_query().map_or_else(|| uri.path(), |it| it.as_str()).to_owned();
        let head = head(request.headers());
        let body = Capture::of(media_type(request.headers()), declared_length(request.headers()));
        let taken = request.take_body();
        request.set_body(body.capture(taken));
        let (at, method) = (self.clock.now(), request.method().to_string());
        Some(Box::new(SeenRequest { at, method, target: cut(target, MAX_HEAD), head, body }))
    }

    /// Records a request with its response. The body of the response is copied while the server sends it.
    pub fn answered(&self, seen: SeenRequest, answered: &Answered<'_>, response: &mut Response) {
        let kind = media_type(response.headers());
        // the content of an HTML page is not kept: its forms contain CSRF tokens, and it does not help to debug an API
        let body = Capture::of(kind.filter(|kind| kind != "text/html"), declared_length(response.headers()));
        let head = head(response.headers());
        let taken = response.take_body();
        response.set_body(body.capture(taken));
        let SeenRequest { at, method, target, head: request_head, body: request_body } = seen;
        let heads = request_head.len() + head.len() + target.len();
        self.bytes.fetch_add(heads, Ordering::Relaxed);
        // The bytes of this request are counted from now on. The bytes of a request without a response are not counted,
        // because discarding parts of recorded requests cannot free them.
        for body in [&request_body, &body] {
            body.count_in(&self.bytes);
        }
        let mut requests = self.requests.lock();
        requests.count += 1;
        let recorded = RecordedRequest {
            id: answered.request_id.to_owned(),
            number: requests.count,
            at,
            method,
            operation: answered.operation.map(|operation| (operation.api, operation.id)),
            status: answered.status,
            code: answered.code,
            elapsed: answered.elapsed,
            target,
            request: RecordedMessage { head: Mutex::new(Some(request_head)), body: request_body },
            response: RecordedMessage { head: Mutex::new(Some(head)), body },
            bytes: Arc::clone(&self.bytes),
        };
        requests.list.push_back(Arc::new(recorded));
        if requests.list.len() > MAX_REQUESTS {
            requests.list.pop_front();
        }
        requests.discard(&self.bytes);
    }

    /// Returns the number of requests recorded since the start.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.requests.lock().count
    }

    /// Returns the number of bytes that the recorded requests take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Returns up to `limit` requests that match the filter, newest first.
    #[must_use]
    pub fn list(&self, filter: &RequestFilter, limit: usize) -> Vec<Arc<RecordedRequest>> {
        let requests = self.requests.lock().list.clone();
        let before = filter.before.unwrap_or(u64::MAX);
        let shown = requests.into_iter().rev().filter(|it| it.number < before && it.matches(filter));
        shown.take(limit).collect()
    }

    /// Returns the request with this id, if it is still kept.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<Arc<RecordedRequest>> {
        self.requests.lock().list.iter().rev().find(|it| it.id == id).cloned()
    }

    /// Deletes all recorded requests.
    pub fn clear(&self) {
        self.requests.lock().list.clear();
    }
}

impl Requests {
    /// Discards the bodies of the oldest requests until `bytes`, the size of all requests, is at most [`MAX_BYTES`]. If
    /// that is not enough, discards headers in the same way. Paths are never discarded: the paths of [`MAX_REQUESTS`]
    /// requests have fewer bytes than [`MAX_BYTES`].
    fn discard(&mut self, bytes: &AtomicUsize) {
        let exceeds = || bytes.load(Ordering::Relaxed) > MAX_BYTES;
        let mut at = self.list.partition_point(|it| it.number < self.bodies_from);
        while exceeds()
            && let Some(oldest) = self.list.get(at)
        {
            oldest.request.body.discard();
            oldest.response.body.discard();
            (at, self.bodies_from) = (at + 1, oldest.number + 1);
        }
        let mut at = self.list.partition_point(|it| it.number < self.heads_from);
        while exceeds()
            && let Some(oldest) = self.list.get(at)
        {
            oldest.discard_heads();
            (at, self.heads_from) = (at + 1, oldest.number + 1);
        }
    }
}

impl Drop for RecordedRequest {
    fn drop(&mut self) {
        self.discard_heads();
        self.bytes.fetch_sub(self.target.len(), Ordering::Relaxed);
    }
}

impl RecordedRequest {
    /// Returns path and query with their secrets masked.
    #[must_use]
    pub fn target(&self) -> String {
        mask::target(&self.target)
    }

    /// Returns names and values of the request's headers, with their secrets masked; `None` after they were discarded.
    #[must_use]
    pub fn request_headers(&self) -> Option<Vec<(String, String)>> {
        self.request.headers()
    }

    /// Returns names and values of the response's headers, with their secrets masked; `None` after they were discarded.
    #[must_use]
    pub fn response_headers(&self) -> Option<Vec<(String, String)>> {
        self.response.headers()
    }

    fn discard_heads(&self) {
        for message in [&self.request, &self.response] {
            let head = message.head.lock().take();
            self.bytes.fetch_sub(head.map_or(0, |head| head.len()), Ordering::Relaxed);
        }
    }

    /// Returns the body of the request with its secrets masked.
    #[must_use]
    pub fn request_body(&self) -> ShownBody {
        self.request.body.shown()
    }

    /// Returns the body of the response with its secrets masked.
    #[must_use]
    pub fn response_body(&self) -> ShownBody {
        self.response.body.shown()
    }

    fn matches(&self, filter: &RequestFilter) -> bool {
        let operation = self.operation.map_or("", |(_, id)| id);
        let texts = || [self.target(), operation.to_owned(), self.id.clone(), self.method.clone()];
        let wanted = filter.text.to_lowercase();
        let has_code = self.code.is_some_and(|code| code.contains(&wanted));
        (!filter.failed || self.status >= 400)
            && (wanted.is_empty()
                || has_code
                || self.status.to_string() == wanted
                || texts().iter().any(|text| text.to_lowercase().contains(&wanted)))
    }
}

impl RecordedMessage {
    fn headers(&self) -> Option<Vec<(String, String)>> {
        let head = self.head.lock();
        let pairs = head.as_ref()?.lines().filter_map(|line| line.split_once(": "));
        Some(pairs.map(|(name, value)| (name.to_owned(), mask::header(name, value))).collect())
    }
}

/// Copies headers, one `name: value` a line, up to [`MAX_HEAD`] bytes. A value can be a slice of a connection's buffer,
/// and a recorded request must not keep that buffer in memory.
fn head(headers: &HeaderMap) -> String {
    let mut text = String::new();
    for (name, value) in headers {
        text.push_str(name.as_str());
        text.push_str(": ");
        text.push_str(&String::from_utf8_lossy(value.as_bytes()));
        text.push('\n');
        if text.len() > MAX_HEAD {
            break;
        }
    }
    cut(text, MAX_HEAD)
}

fn cut(mut text: String, most: usize) -> String {
    if text.len() > most {
        let end = (0..=most).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.shrink_to_fit();
    }
    text
}

/// Returns the media type in lower case, without parameters.
fn media_type(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    Some(value.split(';').next()?.trim().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt, stream};

    use super::*;

    fn answered(request_id: &str) -> Answered<'_> {
        Answered {
            request_id,
            operation: None,
            page_action: None,
            page_change: None,
            caller: None,
            path: "/v1/slow",
            status: 200,
            code: None,
            elapsed: Duration::ZERO,
        }
    }

    /// Records a request whose JSON body consists of these chunks. If `fails`, an error follows the last chunk instead
    /// of the end of the body. Returns the shown body twice: while the body is in progress, and after it was read.
    async fn shown(chunks: &'static [&'static str], fails: bool) -> [ShownBody; 2] {
        let recorder = Recorder::new(Clock::manual(Timestamp(0)));
        let end = fails.then(|| Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof)));
        let chunks = stream::iter(chunks.iter().map(|chunk| Ok(*chunk)).chain(end));
        let mut request = Request::builder()
            .content_type("application/json")
            .uri_str("/v1/slow")
            .body(poem::Body::from_bytes_stream(chunks));
        let seen = recorder.seen(&mut request).unwrap();
        recorder.answered(*seen, &answered("req_1"), &mut Response::default());
        let recorded = recorder.find("req_1").unwrap();
        let mut body = request.take_body().into_bytes_stream();
        let _ = body.next().await;
        let first = recorded.request_body();
        while body.next().await.is_some() {}
        [first, recorded.request_body()]
    }

    #[tokio::test]
    async fn the_received_part_of_an_unfinished_json_body_is_shown() {
        let beginning = r#"{"name":"a","password":"[hidden]"#;
        for fails in [false, true] {
            let [first, last] = shown(&[r#"{"name":"a","password":"hunter"#, r#"2"}"#], fails).await;
            assert_eq!((first.is_cut, first.has_ended), (true, false), "a body in progress is shown as cut");
            assert_eq!(first.text, beginning);
            assert_eq!((last.is_cut, last.has_ended), (fails, !fails), "only an aborted body stays cut");
            assert_eq!(last.text, format!("{beginning}\"}}"));
        }
        let [_, last] = shown(&[r#"{"name":"#, r#""a""#], false).await;
        assert_eq!(
            (last.is_cut, last.text.as_str()),
            (false, mask::INVALID_JSON),
            "a complete, invalid body is hidden"
        );
        let [_, last] = shown(&[], true).await;
        assert_eq!((last.is_cut, last.length), (false, 0), "a body of which nothing was read is not cut");
    }

    /// Begins a request and reads its body. The request has no response yet.
    async fn in_progress(recorder: &Recorder) -> Box<SeenRequest> {
        let mut request =
            Request::builder().content_type("text/plain").uri_str("/v1/slow").body("x".repeat(MAX_BODY));
        let seen = recorder.seen(&mut request).unwrap();
        request.take_body().into_bytes().await.unwrap();
        seen
    }

    #[tokio::test]
    async fn requests_in_progress_do_not_displace_recorded_requests() {
        let recorder = Recorder::new(Clock::manual(Timestamp(0)));
        let mut waiting = Vec::new();
        for _ in 0..=MAX_BYTES / MAX_BODY {
            waiting.push(in_progress(&recorder).await);
        }
        let seen = in_progress(&recorder).await;
        recorder.answered(*seen, &answered("req_1"), &mut Response::default());
        let shown = recorder.find("req_1").unwrap().request_body();
        assert!(!shown.is_discarded, "requests in progress do not displace recorded bodies");
        let bytes = recorder.bytes();
        assert!((MAX_BODY..2 * MAX_BODY).contains(&bytes), "only the recorded request is counted: {bytes}");
        drop(waiting);
        let bytes = recorder.bytes();
        assert!((MAX_BODY..2 * MAX_BODY).contains(&bytes), "only the recorded request is counted: {bytes}");
        recorder.clear();
        assert_eq!(recorder.bytes(), 0);
    }
}
