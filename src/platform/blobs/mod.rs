//! File contents, on local disk or in an S3-compatible bucket that several nodes share.
//!
//! A content is written once under a generated key and never changed. The caller checks whether a user may access a
//! content; this module does not know users. The metric [`BLOB_SECONDS`](crate::platform::metrics::BLOB_SECONDS) counts
//! and times reads, writes and deletions. The time of a read ends when its stream begins.

mod listing;
mod parts;
mod receive;

use std::fmt::Write as _;
use std::ops::Range;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path as FsPath, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, future, stream};
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use thiserror::Error;

pub use parts::BegunParts;
pub use receive::{ReceiveError, Received};

use crate::platform::clock::Clock;
use crate::platform::metrics::{BLOB_ERRORS, BLOB_SECONDS};
use crate::platform::secrets::Secret;
use crate::platform::tls;

/// Maximum number of bytes that a read from the bucket holds in memory.
const READ_PART: u64 = 1 << 20;

/// Where contents are stored.
#[derive(Clone, Debug)]
pub enum BlobLocation {
    /// A folder. If it does not exist, it is created with mode 0700.
    Disk(PathBuf),
    /// A bucket.
    S3(Bucket),
}

/// An S3-compatible bucket.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// The name of the bucket.
    pub name: String,
    /// The region used for request signatures.
    pub region: String,
    /// The endpoint of the service; `None` for Amazon S3.
    pub endpoint: Option<String>,
    /// The access key id.
    pub access_key_id: Secret,
    /// The secret access key.
    pub secret_access_key: Secret,
    /// Whether the endpoint may use plain `http://`.
    pub allow_http: bool,
}

/// The storage of file contents. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    backend: BlobBackend,
    clock: Clock,
}

#[derive(Clone, Debug)]
enum BlobBackend {
    Disk { disk: Arc<LocalFileSystem>, folder: Arc<FsPath> },
    S3(Arc<AmazonS3>),
}

/// An opened content, or a range of one.
pub struct Content {
    /// The size of the whole content.
    pub size: u64,
    /// The range that the stream contains.
    pub range: Range<u64>,
    /// The bytes. An error in the stream means that the storage failed during the read.
    pub stream: BoxStream<'static, std::io::Result<Bytes>>,
}

/// Why an operation on a content failed.
#[derive(Debug, Error)]
pub enum BlobError {
    /// There is no content with this key.
    #[error("no such file content")]
    NotFound,
    /// The requested range is empty, or begins at or after the end of the content.
    #[error("the range lies outside the file")]
    OutOfRange,
    /// The disk or the bucket failed or cannot be opened, or the key is invalid.
    #[error("file storage failed: {0}")]
    Storage(String),
}

impl From<object_store::Error> for BlobError {
    fn from(error: object_store::Error) -> Self {
        match error {
            object_store::Error::NotFound { .. } => Self::NotFound,
            error => Self::Storage(error.to_string()),
        }
    }
}

impl Blobs {
    /// Opens the storage. Does not contact the bucket.
    ///
    /// # Errors
    /// [`BlobError::Storage`] if the folder cannot be created or the bucket's settings are invalid.
    pub fn open(location: BlobLocation, clock: Clock) -> Result<Self, BlobError> {
        let backend = match location {
            BlobLocation::Disk(folder) => {
                BlobBackend::Disk { disk: Arc::new(open_folder(&folder)?), folder: folder.into() }
            }
            BlobLocation::S3(bucket) => BlobBackend::S3(Arc::new(open_bucket(bucket)?)),
        };
        Ok(Self { backend, clock })
    }

    fn store(&self) -> &dyn ObjectStore {
        match &self.backend {
            BlobBackend::Disk { disk, .. } => disk.as_ref(),
            BlobBackend::S3(bucket) => bucket.as_ref(),
        }
    }

    /// Opens the content with this key, or a range of it. A range that ends after the end of the content is truncated.
    ///
    /// # Errors
    /// [`BlobError::NotFound`] if there is no such content; [`BlobError::OutOfRange`] if the range is empty or begins
    /// at or after the end of the content; [`BlobError::Storage`].
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Content, BlobError> {
        let key = parse_key(key)?;
        let opened = self.timed("get", async {
            match &self.backend {
                BlobBackend::Disk { disk, .. } => from_disk(disk, &key, range).await,
                BlobBackend::S3(bucket) => from_bucket(bucket, key, range).await,
            }
        });
        let Content { size, range, stream } = opened.await?;
        let stream = stream.inspect_err(|_| count_error("get")).boxed();
        Ok(Content { size, range, stream })
    }

    /// Deletes the content with this key. Idempotent: a missing content is not an error.
    ///
    /// # Errors
    /// [`BlobError::Storage`].
    pub async fn delete(&self, key: &str) -> Result<(), BlobError> {
        let key = parse_key(key)?;
        let deleted = self.timed("delete", async { Ok(self.store().delete(&key).await?) }).await;
        match deleted {
            Err(BlobError::NotFound) => Ok(()),
            other => other,
        }
    }

    async fn timed<T>(
        &self,
        action: &'static str,
        work: impl Future<Output = Result<T, BlobError>>,
    ) -> Result<T, BlobError> {
        let start = self.clock.instant();
        let done = work.await;
        metrics::histogram!(BLOB_SECONDS, "action" => action).record(start.elapsed());
        if let Err(BlobError::Storage(_)) = &done {
            count_error(action);
        }
        done
    }
}

fn count_error(action: &'static str) {
    metrics::counter!(BLOB_ERRORS, "action" => action).increment(1);
}

/// Returns a `Content-Disposition` value that makes a browser save a file as `filename` (RFC 6266). The value contains
/// the name in two parameters. In the parameter `filename`, for old clients, all characters except ASCII letters,
/// digits, spaces and a few punctuation marks are replaced. In the parameter `filename*` (UTF-8, RFC 8187), only
/// slashes and backslashes are replaced.
#[must_use]
pub fn attachment(filename: &str) -> String {
    let kept_or_replaced = |c: char| if c.is_ascii_alphanumeric() || " .-_()".contains(c) { c } else { '_' };
    let plain: String = filename.chars().map(kept_or_replaced).collect();
    let mut value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''");
    for byte in filename.bytes() {
        if b"/\\".contains(&byte) {
            // a careless client could interpret a name with a slash or backslash as a path (RFC 6266 §4.3)
            value.push('_');
        } else if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            value.push(char::from(byte));
        } else {
            // writing to a String cannot fail
            let _ = write!(value, "%{byte:02X}");
        }
    }
    value
}

async fn from_disk(
    disk: &LocalFileSystem,
    key: &Path,
    range: Option<Range<u64>>,
) -> Result<Content, BlobError> {
    if let Some(asked) = &range {
        within(asked, disk.head(key).await?.size)?;
    }
    let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
    let found = disk.get_opts(key, options).await?;
    let (size, range) = (found.meta.size, found.range.clone());
    Ok(Content { size, range, stream: found.into_stream().map_err(std::io::Error::other).boxed() })
}

/// Reads a content from the bucket in parts. Each part has a request of its own, which ends before the reader gets the
/// part. With one request for the whole content, a slow reader could run out of time: the HTTP client of `object_store`
/// ends a request after 30 seconds, and resumes it for at most three minutes in total.
async fn from_bucket(
    bucket: &Arc<AmazonS3>,
    key: Path,
    range: Option<Range<u64>>,
) -> Result<Content, BlobError> {
    let size = bucket.head(&key).await?.size;
    let range = match range {
        Some(asked) => within(&asked, size)?,
        None => 0..size,
    };
    // the first part is read before the response begins, so that a failure still leads to an error response
    let first = range.start..range.end.min(range.start + READ_PART);
    let rest = first.end..range.end;
    let first = if first.is_empty() { Bytes::new() } else { bucket.get_range(&key, first).await? };
    let bucket = Arc::clone(bucket);
    let rest = stream::try_unfold(rest, move |left| {
        let (bucket, key) = (Arc::clone(&bucket), key.clone());
        async move {
            if left.is_empty() {
                return Ok(None);
            }
            let end = left.end.min(left.start + READ_PART);
            let part = bucket.get_range(&key, left.start..end).await.map_err(std::io::Error::other)?;
            Ok(Some((part, end..left.end)))
        }
    });
    Ok(Content { size, range, stream: stream::once(future::ready(Ok(first))).chain(rest).boxed() })
}

/// Returns the part of the range `asked` that lies within a content of `size` bytes.
///
/// # Errors
/// [`BlobError::OutOfRange`] if there is no such part.
fn within(asked: &Range<u64>, size: u64) -> Result<Range<u64>, BlobError> {
    match asked.start < size && !asked.is_empty() {
        true => Ok(asked.start..asked.end.min(size)),
        // checked here, because the two backends report an invalid range differently
        false => Err(BlobError::OutOfRange),
    }
}

fn parse_key(key: &str) -> Result<Path, BlobError> {
    Path::parse(key).map_err(|error| BlobError::Storage(error.to_string()))
}

fn open_folder(folder: &FsPath) -> Result<LocalFileSystem, BlobError> {
    let named = |error: std::io::Error| BlobError::Storage(format!("{}: {error}", folder.display()));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(named)?;
    Ok(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))
}

fn open_bucket(bucket: Bucket) -> Result<AmazonS3, BlobError> {
    tls::install_provider();
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(bucket.name)
        .with_region(bucket.region)
        .with_access_key_id(bucket.access_key_id.expose())
        .with_secret_access_key(bucket.secret_access_key.expose())
        .with_allow_http(bucket.allow_http)
        // contents are deleted one by one, because some compatible services do not support bulk deletion
        .with_disable_bulk_delete(true);
    if let Some(endpoint) = bucket.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    Ok(builder.build()?)
}

#[cfg(test)]
mod tests;
