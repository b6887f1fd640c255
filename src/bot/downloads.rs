//! The links of files: opened by anybody who holds one, without a token (B-298…B-302).
//!
//! Not in `openapi/bot.yaml`, whose `url` is opaque; a link redirects to a download, here or at the storage.

use std::sync::Arc;

use poem::{
    Body, Endpoint, Request, Response, Route, get,
    http::{HeaderMap, HeaderValue, StatusCode, header},
};

use crate::{
    contract::{Fault, answer},
    domain::{
        range::{self, Part},
        refusal::Code,
    },
    platform::blobs::attachment,
    store::files::File,
    workspace::{World, files::saved_as, uploads::UNKNOWN_MEDIA_TYPE},
};

/// `{token}` and `download/{token}`, to be nested under `/files`.
pub fn routes(world: Arc<World>) -> Route {
    Route::new().at("/:token", get(Link(Arc::clone(&world)))).at("/download/:token", get(Download(world)))
}

/// The `url` of a file record.
struct Link(Arc<World>);

impl Endpoint for Link {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let target = self.0.open_link(token(&request)?).await.map_err(Fault::from)?;
        let location = HeaderValue::from_str(&target).map_err(Fault::internal)?;
        let mut response = Response::default();
        response.set_status(StatusCode::FOUND);
        response.headers_mut().insert(header::LOCATION, location);
        protect(response.headers_mut());
        Ok(response)
    }
}

/// The content itself, where the storage has no address of its own.
struct Download(Arc<World>);

impl Endpoint for Download {
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let file = self.0.downloadable(token(&request)?).await.map_err(Fault::from)?;
        let size = u64::try_from(file.size).map_err(Fault::internal)?;
        let part = match asked_range(request.headers()).map_or(Part::Whole, |text| range::part(text, size)) {
            Part::Whole => None,
            Part::Bytes(range) => Some(range),
            Part::Unsatisfiable => {
                answer::header(header::CONTENT_RANGE, value(&format!("bytes */{size}"))?);
                return Err(Fault::client(StatusCode::RANGE_NOT_SATISFIABLE).into());
            }
        };
        let is_part = part.is_some();
        let mut headers = HeaderMap::new();
        describe(&mut headers, &file)?;
        let download = self.0.open_download(file, part).await.map_err(Fault::from)?;
        let range = download.content.range;
        headers.insert(header::CONTENT_LENGTH, (range.end - range.start).into());
        let mut response = Response::from(Body::from_bytes_stream(download.content.stream));
        if is_part {
            // the last byte is named, not the one after it
            let text = format!("bytes {}-{}/{size}", range.start, range.end.saturating_sub(1));
            headers.insert(header::CONTENT_RANGE, value(&text)?);
            response.set_status(StatusCode::PARTIAL_CONTENT);
        }
        *response.headers_mut() = headers;
        protect(response.headers_mut());
        Ok(response)
    }
}

fn token(request: &Request) -> Result<&str, Fault> {
    request.raw_path_param("token").ok_or_else(|| Code::NotFound.into())
}

/// What the request wants of the content. A range under a condition is not followed, since contents carry no tag to
/// compare (RFC 9110 §13.1.5).
fn asked_range(headers: &HeaderMap) -> Option<&str> {
    if headers.contains_key(header::IF_RANGE) {
        return None;
    }
    let mut values = headers.get_all(header::RANGE).iter();
    match (values.next(), values.next()) {
        (Some(only), None) => only.to_str().ok(),
        _ => None,
    }
}

/// What the content is: saved under its name, never shown in place.
fn describe(headers: &mut HeaderMap, file: &File) -> Result<(), Fault> {
    let media_type = HeaderValue::from_str(&file.mimetype);
    headers.insert(
        header::CONTENT_TYPE,
        media_type.unwrap_or_else(|_| HeaderValue::from_static(UNKNOWN_MEDIA_TYPE)),
    );
    headers.insert(header::CONTENT_DISPOSITION, value(&attachment(saved_as(&file.name)))?);
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    Ok(())
}

/// A file is somebody's: it must not run as a page of this server, be kept, or tell its link to other sites (B-305, D-137).
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

fn value(text: &str) -> Result<HeaderValue, Fault> {
    HeaderValue::from_str(text).map_err(Fault::internal)
}
