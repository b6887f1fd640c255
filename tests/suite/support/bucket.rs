//! A minimal S3-compatible object store for a server's files, on a real socket. It supports PUT, HEAD, GET (also of a
//! range) and DELETE of objects by their paths.

use std::{
    collections::HashMap,
    convert::Infallible,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use switchboard::{
    config::{BaseUrl, Config},
    platform::secrets::Secret,
};
use tokio::{
    net::TcpListener,
    sync::{RwLock, RwLockWriteGuard},
};

/// The objects, the number of GETs, and the settings that decide how GETs are answered.
#[derive(Default)]
struct Objects {
    by_path: Mutex<HashMap<String, Bytes>>,
    /// Each GET of an existing object takes a read lock. [`Bucket::hold`] takes the write lock, so these GETs wait.
    reading: RwLock<()>,
    /// The number of GETs of existing objects that have arrived.
    reads: AtomicUsize,
    /// Whether each GET of a range that does not begin at the first byte fails.
    is_broken: AtomicBool,
}

/// A running object store. It stops when the Tokio runtime in which it was started is dropped.
pub struct Bucket {
    endpoint: String,
    objects: Arc<Objects>,
}

impl Bucket {
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let objects = Arc::<Objects>::default();
        let shared = Arc::clone(&objects);
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let objects = Arc::clone(&shared);
                let service = service_fn(move |request| answer(Arc::clone(&objects), request));
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
            }
        });
        Self { endpoint, objects }
    }

    /// Configures a server to store its files here.
    pub fn configure(&self, config: &mut Config) {
        config.files.s3.bucket = Some("files".to_owned());
        config.files.s3.endpoint = Some(BaseUrl::parse(&self.endpoint).unwrap());
        config.files.s3.access_key_id = Some(Secret::new("id"));
        config.files.s3.secret_access_key = Some(Secret::new("secret"));
        config.files.s3.allow_http = true;
    }

    /// Returns the environment variables that configure a process to store its files here.
    pub fn variables(&self) -> [(&'static str, &str); 5] {
        [
            ("SWITCHBOARD_FILES_S3_BUCKET", "files"),
            ("SWITCHBOARD_FILES_S3_ENDPOINT", &self.endpoint),
            ("SWITCHBOARD_FILES_S3_ACCESS_KEY_ID", "id"),
            ("SWITCHBOARD_FILES_S3_SECRET_ACCESS_KEY", "secret"),
            ("SWITCHBOARD_FILES_S3_ALLOW_HTTP", "true"),
        ]
    }

    /// Makes each later GET fail if its range does not begin at the first byte of the object.
    pub fn break_after_first_part(&self) {
        self.objects.is_broken.store(true, Ordering::SeqCst);
    }

    /// Returns the number of objects.
    pub fn count(&self) -> usize {
        self.objects.by_path.lock().unwrap().len()
    }

    /// Makes every GET of an existing object wait until the guard is dropped.
    pub async fn hold(&self) -> RwLockWriteGuard<'_, ()> {
        self.objects.reading.write().await
    }

    /// Returns the number of GETs of existing objects that have arrived.
    pub fn reads(&self) -> usize {
        self.objects.reads.load(Ordering::SeqCst)
    }
}

async fn answer(
    objects: Arc<Objects>,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let (head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let answer = Response::builder().header("etag", "\"1\"");
    let empty = |status: StatusCode| Response::builder().status(status).body(Full::default()).unwrap();
    if head.method == Method::PUT {
        let content = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
        objects.by_path.lock().unwrap().insert(path, content);
        return Ok(answer.body(Full::default()).unwrap());
    }
    if head.method == Method::DELETE {
        objects.by_path.lock().unwrap().remove(&path);
        return Ok(empty(StatusCode::NO_CONTENT));
    }
    let Some(content) = objects.by_path.lock().unwrap().get(&path).cloned() else {
        return Ok(empty(StatusCode::NOT_FOUND));
    };
    let answer = answer.header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT");
    if head.method == Method::HEAD {
        return Ok(answer.header("content-length", content.len()).body(Full::default()).unwrap());
    }
    objects.reads.fetch_add(1, Ordering::SeqCst);
    let _reading = objects.reading.read().await;
    let range = head.headers.get("range").and_then(|range| range.to_str().ok()?.strip_prefix("bytes="));
    let Some((first, last)) = range.and_then(|range| range.split_once('-')) else {
        return Ok(answer.body(Full::new(content)).unwrap());
    };
    let (first, last): (usize, usize) = (first.parse().unwrap(), last.parse().unwrap());
    if first > 0 && objects.is_broken.load(Ordering::SeqCst) {
        return Ok(empty(StatusCode::FORBIDDEN));
    }
    // this rejects every range of an empty object, so the subtraction below cannot underflow
    if first >= content.len() {
        return Ok(empty(StatusCode::RANGE_NOT_SATISFIABLE));
    }
    let last = last.min(content.len() - 1);
    let range = format!("bytes {first}-{last}/{}", content.len());
    let answer = answer.status(StatusCode::PARTIAL_CONTENT).header("content-range", range);
    Ok(answer.body(Full::new(content.slice(first..=last))).unwrap())
}
