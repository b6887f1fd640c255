use std::os::unix::fs::PermissionsExt;

use http::{StatusCode, header};
use parking_lot::Mutex;
use poem::{Endpoint, Request, Response};

use super::*;
use crate::platform::net::{self, ServeOptions};
use crate::platform::shutdown;

/// Just enough of S3 for one object: PUT, GET with a range, HEAD and DELETE.
#[derive(Clone, Default)]
struct FakeS3(Arc<Mutex<Option<Vec<u8>>>>);

impl Endpoint for FakeS3 {
    type Output = Response;

    async fn call(&self, mut request: Request) -> poem::Result<Response> {
        assert_eq!(request.uri().path(), "/files/fil_1");
        let authorization = request.header("authorization").unwrap_or_default();
        assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=key-id/"), "{authorization}");
        let answer = Response::builder().header("etag", "\"1\"");
        match request.method().as_str() {
            "PUT" => {
                let body = request.take_body().into_vec().await?;
                *self.0.lock() = Some(body);
                Ok(answer.finish())
            }
            "DELETE" => {
                self.0.lock().take();
                Ok(answer.status(StatusCode::NO_CONTENT).finish())
            }
            method => {
                let Some(content) = self.0.lock().clone() else { return Err(StatusCode::NOT_FOUND.into()) };
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

fn in_bucket(endpoint: &str) -> Blobs {
    let bucket = Bucket {
        name: "files".into(),
        region: "eu-west-1".into(),
        endpoint: Some(endpoint.into()),
        access_key_id: Secret::new("key-id"),
        secret_access_key: Secret::new("very-secret"),
        allow_http: true,
    };
    Blobs::open(Place::S3(bucket), Clock::system()).unwrap()
}

fn on_disk() -> (tempfile::TempDir, Blobs) {
    let folder = tempfile::tempdir().unwrap();
    let blobs = Blobs::open(Place::Disk(folder.path().join("a/files")), Clock::system()).unwrap();
    (folder, blobs)
}

async fn read(blobs: &Blobs, range: Option<Range<u64>>) -> Result<(u64, Range<u64>, Vec<u8>), BlobError> {
    let content = blobs.get("fil_1", range).await?;
    let parts: Vec<Bytes> = content.stream.try_collect().await.unwrap();
    Ok((content.size, content.range, parts.concat()))
}

/// What both kinds of storage must do.
async fn keeps_reads_in_part_and_deletes(blobs: &Blobs) {
    blobs.put("fil_1", Bytes::from_static(b"0123456789")).await.unwrap();
    assert_eq!(read(blobs, None).await.unwrap(), (10, 0..10, b"0123456789".to_vec()));
    assert_eq!(read(blobs, Some(2..4)).await.unwrap(), (10, 2..4, b"23".to_vec()));
    assert_eq!(read(blobs, Some(8..99)).await.unwrap(), (10, 8..10, b"89".to_vec()));
    assert!(matches!(read(blobs, Some(10..11)).await, Err(BlobError::OutOfRange)));
    blobs.delete("fil_1").await.unwrap();
    assert!(matches!(read(blobs, None).await, Err(BlobError::NotFound)));
    assert!(matches!(read(blobs, Some(0..1)).await, Err(BlobError::NotFound)));
    blobs.delete("fil_1").await.unwrap();
}

#[tokio::test]
async fn a_folder_is_private_and_keeps_contents() {
    let (folder, blobs) = on_disk();
    let mode = std::fs::metadata(folder.path().join("a/files")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    keeps_reads_in_part_and_deletes(&blobs).await;
}

#[tokio::test]
async fn a_bucket_keeps_contents() {
    let (_trigger, stop) = shutdown::channel();
    let listener = net::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let blobs = in_bucket(&format!("http://{}", listener.local_addr()));
    let second = Duration::from_secs(1);
    let options = ServeOptions { max_connections: 4, keep_alive: 30 * second, drain: second };
    tokio::spawn(listener.serve(FakeS3::default(), options, Clock::system(), stop));
    keeps_reads_in_part_and_deletes(&blobs).await;
}

#[tokio::test]
async fn keys_cannot_leave_the_folder() {
    let (_folder, blobs) = on_disk();
    for key in ["../outside", "a/../../outside", "a//b"] {
        assert!(blobs.put(key, Bytes::new()).await.is_err(), "{key}");
    }
}

#[tokio::test]
async fn only_a_bucket_gives_links() {
    let headers =
        LinkHeaders { content_type: "image/png", content_disposition: &attachment("Grüße \"1\".png") };
    let (_folder, disk) = on_disk();
    assert_eq!(disk.signed_url("fil_1", Duration::from_secs(60), headers).await.unwrap(), None);
    let bucket = in_bucket("http://127.0.0.1:9000");
    let link = bucket.signed_url("fil_1", Duration::from_secs(3600), headers).await.unwrap().unwrap();
    assert!(link.starts_with("http://127.0.0.1:9000/files/fil_1?"), "{link}");
    for part in ["X-Amz-Expires=3600", "response-content-type=image%2Fpng", "X-Amz-Signature="] {
        assert!(link.contains(part), "{part} is missing in {link}");
    }
    assert!(!link.contains("very-secret") && !format!("{bucket:?}").contains("very-secret"));
}

#[test]
fn file_names_cannot_break_out_of_the_header() {
    assert_eq!(attachment("a b.txt"), "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt");
    assert_eq!(
        attachment("ü\"\r\n;.txt"),
        "attachment; filename=\"_____.txt\"; filename*=UTF-8''%C3%BC%22%0D%0A%3B.txt"
    );
}
