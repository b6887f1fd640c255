//! Links to files. Anyone who has a link can open it, without a bot token (B-298 … B-302).
//!
//! The paths are not part of `openapi/bot.yaml`, where the `url` of a file is opaque. A link redirects to a download,
//! which this server always serves itself. An object store would not send the headers that protect a download (decision
//! 29).

use std::sync::Arc;

use futures_util::TryStreamExt;
use poem::{
    Body, Endpoint, Request, Response, Route, get,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use crate::{
    contract::{ApiError, answer},
    domain::{
        range::{self, RequestedPart},
        refusal::Code,
    },
    platform::blobs::attachment,
    service::{
        World,
        files::uploads::UNKNOWN_MEDIA_TYPE,
        files::{FileView, saved_as},
    },
};

/// Values of `Sec-Fetch-Dest` (Fetch Metadata) for content that a browser runs as a script or applies as a stylesheet.
/// Requests for downloads that have one of these values are refused: the Content-Security-Policy of pages with scripts
/// allows every script of this origin, so an injected `<script>` tag could run an uploaded file.
const CODE: [&str; 8] =
    ["audioworklet", "paintworklet", "script", "serviceworker", "sharedworker", "style", "worker", "xslt"];

/// Routes `{token}` and `download/{token}`, to be nested under `/files`.
pub fn routes(world: Arc<World>) -> Route {
    Route::new()
        .at("/:token", get(LinkEndpoint(Arc::clone(&world))))
        .at("/download/:token", get(DownloadEndpoint(world)))
}

/// Endpoint of the `url` of a file: redirects to its download.
struct LinkEndpoint(Arc<World>);

impl Endpoint for LinkEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let target = self.0.open_link(token(&request)?).await.map_err(ApiError::from)?;
        let location = HeaderValue::from_str(&target).map_err(ApiError::internal)?;
        let mut response = Response::default();
        response.set_status(StatusCode::FOUND);
        response.headers_mut().insert(header::LOCATION, location);
        protect(response.headers_mut());
        Ok(response)
    }
}

/// Endpoint of the download: serves the content, or a range of it.
struct DownloadEndpoint(Arc<World>);

impl Endpoint for DownloadEndpoint {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        if is_loaded_as_code(request.headers()) {
            return Err(ApiError::from(Code::NotFound).into());
        }
        let file = self.0.downloadable(token(&request)?).await.map_err(ApiError::from)?;
        let size = u64::try_from(file.size).map_err(ApiError::internal)?;
        let part = match requested_range(request.headers())
            .map_or(RequestedPart::Whole, |text| range::part(text, size))
        {
            RequestedPart::Whole => None,
            RequestedPart::Bytes(range) => Some(range),
            RequestedPart::Unsatisfiable => {
                answer::header(header::CONTENT_RANGE, value(&format!("bytes */{size}"))?);
                return Err(ApiError::client(StatusCode::RANGE_NOT_SATISFIABLE).into());
            }
        };
        let is_part = part.is_some();
        let mut headers = HeaderMap::new();
        describe(&mut headers, &file)?;
        let file_id = file.id;
        let download = self.0.open_download(file, part).await.map_err(ApiError::from)?;
        let range = download.content.range;
        headers.insert(header::CONTENT_LENGTH, (range.end - range.start).into());
        // if reading fails, the status has already been sent, so the client only sees that the content is incomplete
        let stream = download.content.stream.inspect_err(move |error| {
            tracing::error!(%error, file = %file_id, "failed to read a file; its download is incomplete");
        });
        let mut response = Response::from(Body::from_bytes_stream(stream));
        if is_part {
            // the end of `Content-Range` is inclusive, and that of `range` exclusive
            let text = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
            headers.insert(header::CONTENT_RANGE, value(&text)?);
            response.set_status(StatusCode::PARTIAL_CONTENT);
        }
        *response.headers_mut() = headers;
        protect(response.headers_mut());
        Ok(response)
    }
}

fn token(request: &Request) -> Result<&str, ApiError> {
    request.raw_path_param("token").ok_or_else(|| Code::NotFound.into())
}

/// Returns whether a page requests the content to run it as code.
fn is_loaded_as_code(headers: &HeaderMap) -> bool {
    headers.get("sec-fetch-dest").is_some_and(|dest| CODE.iter().any(|code| dest == code))
}

/// Returns the value of `Range`; `None` if the header is missing, repeated or not ASCII. Also returns `None` if the
/// request has `If-Range`, because contents have no validator to compare (RFC 9110 §13.1.5).
fn requested_range(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(header::IF_RANGE) {
        return None;
    }
    let mut values = headers.get_all(header::RANGE).iter();
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// Sets the headers that describe the content. Browsers save the content under the file's name and do not display it.
fn describe(headers: &mut HeaderMap, file: &FileView) -> Result<(), ApiError> {
    let media_type = HeaderValue::from_str(&file.mimetype);
    headers.insert(
        header::CONTENT_TYPE,
        media_type.unwrap_or_else(|_| HeaderValue::from_static(UNKNOWN_MEDIA_TYPE)),
    );
    headers.insert(header::CONTENT_DISPOSITION, value(&attachment(&saved_as(&file.name)))?);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(())
}

/// Protects uploaded content: it must not run as a page of this server, be cached, or leak its link in
/// `Referer` (B-305, D-137).
fn protect(headers: &mut HeaderMap) {
    for (name, text) in [
        (header::CACHE_CONTROL, "private, no-store"),
        (header::CONTENT_SECURITY_POLICY, "sandbox; default-src 'none'"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(text));
    }
}

fn value(text: &str) -> Result<HeaderValue, ApiError> {
    HeaderValue::from_str(text).map_err(ApiError::internal)
}
