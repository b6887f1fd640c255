use std::convert::Infallible;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use http::{StatusCode, header};
use parking_lot::Mutex;
use poem::{Endpoint, Request, Response};

use super::receive::{BUCKET_PART as PART, DISK_PART};
use super::*;
use crate::platform::net::{self, ServeOptions};
use crate::platform::shutdown;

/// A minimal S3 server for one object: PUT at once or in parts, GET of the whole object or a range, HEAD, DELETE and
/// list.
#[derive(Clone, Default)]
struct FakeS3(Arc<Mutex<BucketState>>);

#[derive(Default)]
struct BucketState {
    object: Option<Vec<u8>>,
    /// The parts of the multipart upload in progress.
    parts: Option<Vec<Vec<u8>>>,
    aborted: usize,
    fail_parts: bool,
}

impl FakeS3 {
    /// Handles the requests of a multipart upload.
    async fn multipart(&self, mut request: Request) -> poem::Result<Response> {
        let query = request.uri().query().unwrap_or_default().to_owned();
        let body = request.take_body().into_vec().await?;
        let mut bucket = self.0.lock();
        let answer = Response::builder().header("etag", "\"1\"");
        match request.method().as_str() {
            "POST" if query.starts_with("uploads") => {
                bucket.parts = Some(Vec::new());
                Ok(answer.body(
                    "<InitiateMultipartUploadResult><Bucket>files</Bucket><Key>fil_1</Key>\
                     <UploadId>u1</UploadId></InitiateMultipartUploadResult>",
                ))
            }
            "PUT" if bucket.fail_parts => Ok(answer.status(StatusCode::FORBIDDEN).finish()),
            "PUT" => {
                bucket.parts.as_mut().expect("an upload has begun").push(body);
                Ok(answer.finish())
            }
            "POST" => {
                bucket.object = Some(bucket.parts.take().expect("an upload has begun").concat());
                Ok(answer.body(
                    "<CompleteMultipartUploadResult><Location>x</Location><Bucket>files</Bucket>\
                     <Key>fil_1</Key><ETag>\"1\"</ETag></CompleteMultipartUploadResult>",
                ))
            }
            _ => {
                bucket.parts = None;
                bucket.aborted += 1;
                Ok(answer.status(StatusCode::NO_CONTENT).finish())
            }
        }
    }
}

impl Endpoint for FakeS3 {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        let is_list = request.uri().query().is_some_and(|query| query.contains("list-type=2"));
        assert_eq!(
            request.uri().path().trim_end_matches('/'),
            if is_list { "/files" } else { "/files/fil_1" }
        );
        let authorization = request.header("authorization").unwrap_or_default();
        assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=key-id/"), "{authorization}");
        if is_list {
            let entry = "<Contents><Key>fil_1</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>\
                         <ETag>\"1\"</ETag><Size>10</Size></Contents>";
            let entry = if self.0.lock().object.is_some() { entry } else { "" };
            let list =
                format!("<ListBucketResult><IsTruncated>false</IsTruncated>{entry}</ListBucketResult>");
            return Ok(Response::builder().body(list));
        }
        if request.uri().query().is_some_and(|query| query.contains("upload")) {
            return self.multipart(request).await;
        }
        let answer = Response::builder().header("etag", "\"1\"");
        match request.method().as_str() {
            "PUT" => {
                let body = request.take_body().into_vec().await?;
                self.0.lock().object = Some(body);
                Ok(answer.finish())
            }
            "DELETE" => {
                self.0.lock().object.take();
                Ok(answer.status(StatusCode::NO_CONTENT).finish())
            }
            method => {
                let Some(content) = self.0.lock().object.clone() else {
                    return Err(StatusCode::NOT_FOUND.into());
                };
                let answer = answer.header("last-modified", "Thu, 01 Jan 2026 00:00:00 GMT");
                if method == "HEAD" {
                    return Ok(answer.header(header::CONTENT_LENGTH, content.len()).finish());
                }
                let Some(asked) = request.header("range").and_then(|range| range.strip_prefix("bytes="))
                else {
                    return Ok(answer.body(content));
                };
                let (first, last) = asked.split_once('-').unwrap();
                let first: usize = first.parse().unwrap();
                let last = last.parse::<usize>().unwrap().min(content.len() - 1);
                let range = format!("bytes {first}-{last}/{}", content.len());
                let answer = answer.status(StatusCode::PARTIAL_CONTENT).header("content-range", range);
                Ok(answer.body(content[first..=last].to_vec()))
            }
        }
    }
}

/// Starts a [`FakeS3`] on a socket. The server runs until the test ends.
async fn bucket() -> (shutdown::Trigger, FakeS3, Blobs) {
    let (trigger, stop) = shutdown::channel();
    let listener = net::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let blobs = in_bucket(&format!("http://{}", listener.local_addr()));
    let second = Duration::from_secs(1);
    let options = ServeOptions {
        max_connections: 4,
        max_per_address: 4,
        exempt: Vec::new(),
        keep_alive: 30 * second,
        drain: second,
    };
    let fake = FakeS3::default();
    tokio::spawn(listener.serve(fake.clone(), options, Clock::system(), stop));
    (trigger, fake, blobs)
}

fn in_bucket(endpoint: &str) -> Blobs {
    let bucket = Bucket {
        name: "files".into(),
        region: "eu-west-1".into(),
        endpoint: Some(endpoint.into()),
        access_key_id: Secret::new("key-id"),
        secret_access_key: Secret::new("very-secret"),
        allow_http: true,
    };
    Blobs::open(BlobLocation::S3(bucket), Clock::system()).unwrap()
}

fn on_disk() -> (tempfile::TempDir, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(BlobLocation::Disk(folder.path().join("a/files")), Clock::system()).unwrap();
    (folder, blobs)
}

async fn read(blobs: &Blobs, range: Option<Range<u64>>) -> Result<(u64, Range<u64>, Vec<u8>), BlobError> {
    let content = blobs.get("fil_1", range).await?;
    let parts: Vec<Bytes> = content.stream.try_collect().await.unwrap();
    Ok((content.size, content.range, parts.concat()))
}

/// A `begun` callback that ignores the id of the multipart upload.
fn ignore_upload_id(_: String) -> BoxFuture<'static, Result<(), BlobError>> {
    Box::pin(async { Ok(()) })
}

async fn put<const N: usize>(blobs: &Blobs, key: &str, chunks: [Bytes; N]) -> Result<(), BlobError> {
    let source = stream::iter(chunks.map(Ok::<_, Infallible>));
    match blobs.receive(key, source, &ignore_upload_id).await {
        Ok(received) => received.keep().await,
        Err(ReceiveError::Storage(error)) => Err(error),
        Err(ReceiveError::Source(never)) => match never {},
    }
}

/// Returns a content of `bytes` bytes, in chunks whose boundaries differ from the boundaries of parts.
fn large(bytes: usize) -> Vec<Bytes> {
    let all: Bytes = (0..bytes).map(|n| (n / 1000) as u8).collect();
    (0..bytes).step_by(300_001).map(|at| all.slice(at..bytes.min(at + 300_001))).collect()
}

/// Waits until `happened` returns true. A dropped upload is aborted by a spawned task, which takes a moment.
async fn eventually(mut happened: impl FnMut() -> bool) {
    for _ in 0..1000 {
        if happened() {
            return;
        }
        Clock::system().pause(Duration::from_millis(10)).await;
    }
    panic!("the upload was not aborted within ten seconds");
}

async fn stores_reads_ranges_and_deletes(blobs: &Blobs) {
    put(blobs, "fil_1", [Bytes::from_static(b"0123"), Bytes::new(), Bytes::from_static(b"456789")])
        .await
        .unwrap();
    assert_eq!(read(blobs, None).await.unwrap(), (10, 0..10, b"0123456789".to_vec()));
    assert_eq!(read(blobs, Some(2..4)).await.unwrap(), (10, 2..4, b"23".to_vec()));
    assert_eq!(blobs.keys().try_collect::<Vec<_>>().await.unwrap(), ["fil_1"]);
    assert_eq!(read(blobs, Some(8..99)).await.unwrap(), (10, 8..10, b"89".to_vec()));
    assert!(matches!(read(blobs, Some(10..11)).await, Err(BlobError::OutOfRange)));
    blobs.delete("fil_1").await.unwrap();
    assert!(blobs.keys().try_collect::<Vec<_>>().await.unwrap().is_empty());
    assert!(matches!(read(blobs, None).await, Err(BlobError::NotFound)));
    assert!(matches!(read(blobs, Some(0..1)).await, Err(BlobError::NotFound)));
    blobs.delete("fil_1").await.unwrap();
}

#[tokio::test]
async fn a_folder_is_private_and_stores_contents() {
    let (folder, blobs) = on_disk();
    let mode = std::fs::metadata(folder.path().join("a/files")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    stores_reads_ranges_and_deletes(&blobs).await;
}

#[tokio::test]
async fn a_bucket_stores_contents() {
    let (_trigger, _fake, blobs) = bucket().await;
    stores_reads_ranges_and_deletes(&blobs).await;
}

#[tokio::test]
async fn invalid_keys_are_rejected() {
    let (_folder, blobs) = on_disk();
    for key in ["../outside", "a/../../outside", "a//b"] {
        assert!(put(&blobs, key, []).await.is_err(), "{key}");
    }
}

#[tokio::test]
async fn a_large_content_is_stored_in_parts_as_it_arrives() {
    let (_trigger, fake, bucket) = bucket().await;
    let (folder, disk) = on_disk();
    // the last part is smaller than the others, has one byte, or is full
    for bytes in [2 * PART + 1_234_567, PART + 1, 3 * PART] {
        let chunks = large(bytes);
        let taken = Arc::new(Mutex::new(0));
        let most_buffered = Arc::new(Mutex::new(0));
        let source = {
            let (fake, taken, most_buffered) = (fake.clone(), Arc::clone(&taken), Arc::clone(&most_buffered));
            stream::iter(chunks.clone()).map(move |chunk| {
                let mut taken = taken.lock();
                let stored = fake.0.lock().parts.iter().flatten().map(Vec::len).sum::<usize>();
                let mut most_buffered = most_buffered.lock();
                *most_buffered = (*most_buffered).max(*taken - stored);
                *taken += chunk.len();
                Ok::<_, Infallible>(chunk)
            })
        };
        let Ok(received) = bucket.receive("fil_1", source, &ignore_upload_id).await else {
            panic!("failed to receive the content")
        };
        assert_eq!(received.size(), bytes as u64);
        assert!(*most_buffered.lock() <= PART, "at most one part is in memory: {}", *most_buffered.lock());
        assert_eq!(fake.0.lock().object, None, "before `keep` the object does not exist");
        let sizes: Vec<usize> = fake.0.lock().parts.iter().flatten().map(Vec::len).collect();
        assert!(sizes.iter().all(|size| *size == PART), "{sizes:?}");
        received.keep().await.unwrap();
        assert!(fake.0.lock().object.take().unwrap() == chunks.concat());

        let (taken, most_buffered) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
        let source = {
            let (taken, most_buffered) = (Arc::clone(&taken), Arc::clone(&most_buffered));
            let part_file = folder.path().join("a/files/fil_1#1");
            stream::iter(chunks.clone()).map(move |chunk| {
                let stored =
                    std::fs::metadata(&part_file).map_or(0, |file| usize::try_from(file.len()).unwrap());
                let (mut taken, mut most_buffered) = (taken.lock(), most_buffered.lock());
                *most_buffered = (*most_buffered).max(*taken - stored);
                *taken += chunk.len();
                Ok::<_, Infallible>(chunk)
            })
        };
        let Ok(received) = disk.receive("fil_1", source, &ignore_upload_id).await else {
            panic!("failed to receive the content")
        };
        assert!(
            *most_buffered.lock() <= DISK_PART,
            "at most one part is in memory: {}",
            *most_buffered.lock()
        );
        received.keep().await.unwrap();
        assert!(std::fs::read(folder.path().join("a/files/fil_1")).unwrap() == chunks.concat());
        assert_eq!(std::fs::read_dir(folder.path().join("a/files")).unwrap().count(), 1);
    }
    assert_eq!(fake.0.lock().aborted, 0);
}

#[tokio::test]
async fn an_incomplete_upload_leaves_nothing_behind() {
    let (_trigger, fake, bucket) = bucket().await;
    let (folder, disk) = on_disk();
    let files = || std::fs::read_dir(folder.path().join("a/files")).unwrap().count();
    for blobs in [&bucket, &disk] {
        // the source fails
        let chunks = large(2 * PART).into_iter().map(Ok).chain([Err("lost")]);
        let answer = blobs.receive("fil_1", stream::iter(chunks), &ignore_upload_id).await;
        assert!(matches!(answer, Err(ReceiveError::Source("lost"))));
        // the receiving future is dropped
        let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
        let endless = chunks.chain(stream::pending());
        let second = Duration::from_secs(1);
        assert!(
            tokio::time::timeout(second, blobs.receive("fil_1", endless, &ignore_upload_id)).await.is_err()
        );
        // the content is received, but `keep` is not called
        let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
        drop(blobs.receive("fil_1", chunks, &ignore_upload_id).await);
    }
    eventually(|| fake.0.lock().aborted == 3).await;
    eventually(|| files() == 0).await;
    assert!(fake.0.lock().parts.is_none() && fake.0.lock().object.is_none());
    // the storage fails
    fake.0.lock().fail_parts = true;
    let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
    let answer = bucket.receive("fil_1", chunks, &ignore_upload_id).await;
    assert!(matches!(answer, Err(ReceiveError::Storage(BlobError::Storage(_)))));
    eventually(|| fake.0.lock().aborted == 4).await;
}

#[tokio::test]
async fn a_bucket_is_read_part_by_part() {
    let (_trigger, fake, bucket) = bucket().await;
    let part = usize::try_from(READ_PART).unwrap();
    let content: Vec<u8> = (0..2 * part + 5).map(|n| u8::try_from(n % 251).unwrap()).collect();
    fake.0.lock().object = Some(content.clone());
    let size = content.len();
    for (first, end) in [(0, size), (part - 1, part + 1), (part, 2 * part), (1, size - 1), (size - 1, size)] {
        let range = u64::try_from(first).unwrap()..u64::try_from(end).unwrap();
        let (_, given, bytes) = read(&bucket, Some(range.clone())).await.unwrap();
        assert!(given == range && bytes == content[first..end], "{range:?}");
    }
    assert_eq!(read(&bucket, None).await.unwrap().2, content, "a read without a range returns everything");
    // the storage fails midway: the stream reports an error instead of ending early
    let mut stream = bucket.get("fil_1", None).await.unwrap().stream;
    assert_eq!(stream.next().await.unwrap().unwrap().len(), part);
    fake.0.lock().object = None;
    assert!(stream.next().await.unwrap().is_err());
    fake.0.lock().object = Some(Vec::new());
    assert_eq!(read(&bucket, None).await.unwrap(), (0, 0..0, Vec::new()), "an empty content can be read");
    assert!(!format!("{bucket:?}").contains("very-secret"), "Debug output does not contain secrets");
}

#[test]
fn file_names_are_escaped_in_content_disposition() {
    assert_eq!(attachment("a b.txt"), "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt");
    assert_eq!(
        attachment("ü\"\r\n;.txt"),
        "attachment; filename=\"_____.txt\"; filename*=UTF-8''%C3%BC%22%0D%0A%3B.txt"
    );
}

#[tokio::test]
async fn leftovers_of_a_crashed_process_are_removed() {
    let (_trigger, fake, bucket) = bucket().await;
    let (folder, disk) = on_disk();
    let names = || {
        let entries = std::fs::read_dir(folder.path().join("a/files")).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    for blobs in [&bucket, &disk] {
        let upload_ids = Arc::new(Mutex::new(Vec::new()));
        let begun = {
            let upload_ids = Arc::clone(&upload_ids);
            move |id: String| -> BoxFuture<'static, Result<(), BlobError>> {
                upload_ids.lock().push(id);
                Box::pin(async { Ok(()) })
            }
        };
        let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
        let Ok(received) = blobs.receive("fil_1", chunks, &begun).await else {
            panic!("failed to receive the content")
        };
        // as in a crash during the upload, no destructor runs
        std::mem::forget(received);
        let upload_ids = upload_ids.lock().clone();
        match blobs.backend {
            BlobBackend::S3(_) => {
                assert_eq!(upload_ids, ["u1"], "the callback received the upload id");
            }
            BlobBackend::Disk { .. } => {
                assert_eq!((upload_ids.len(), names()), (0, vec!["fil_1#1".to_owned()]));
            }
        }
        // `sweep` must be idempotent, because it runs again after an interrupted sweep
        for _ in 0..2 {
            blobs.sweep("fil_1", upload_ids.first().map(String::as_str)).await.unwrap();
        }
        // the content was stored, but the row of the file was not inserted
        put(blobs, "fil_1", [Bytes::from_static(b"x")]).await.unwrap();
        blobs.sweep("fil_1", None).await.unwrap();
        assert!(matches!(read(blobs, None).await, Err(BlobError::NotFound)));
    }
    assert!(names().is_empty(), "{:?}", names());
    let bucket = fake.0.lock();
    assert!(bucket.aborted > 0 && bucket.parts.is_none() && bucket.object.is_none());
}

#[tokio::test]
async fn an_upload_whose_id_cannot_be_recorded_is_aborted() {
    let (_trigger, fake, bucket) = bucket().await;
    let begun = |_: String| -> BoxFuture<'static, Result<(), BlobError>> {
        Box::pin(async { Err(BlobError::Storage("no".into())) })
    };
    let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
    let answer = bucket.receive("fil_1", chunks, &begun).await;
    assert!(matches!(answer, Err(ReceiveError::Storage(_))));
    eventually(|| fake.0.lock().aborted == 1).await;
}

#[tokio::test]
async fn an_upload_that_is_dropped_while_its_id_is_recorded_is_aborted() {
    let (_trigger, fake, bucket) = bucket().await;
    let begun = |_: String| -> BoxFuture<'static, Result<(), BlobError>> { Box::pin(future::pending()) };
    let chunks = stream::iter(large(2 * PART).into_iter().map(Ok::<_, Infallible>));
    let second = Duration::from_secs(1);
    assert!(tokio::time::timeout(second, bucket.receive("fil_1", chunks, &begun)).await.is_err());
    eventually(|| fake.0.lock().aborted == 1).await;
}
