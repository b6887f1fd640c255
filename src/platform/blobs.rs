//! The contents of files: on local disk, or in an S3-compatible bucket when several nodes share them.
//!
//! A content is written once under a key of ours and never changed. Who may read it was decided before: this
//! module knows no people. Calls are counted and timed under
//! [`BLOB_SECONDS`](crate::platform::metrics::BLOB_SECONDS).

mod listing;
mod parts;
mod receive;

use std::fmt::Write as _;
use std::ops::Range;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path as FsPath, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use http::Method;
use object_store::aws::{AmazonS3, AmazonS3Builder};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::signer::{SignedUrlOptions, Signer};
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt};
use thiserror::Error;

pub use parts::BegunParts;
pub use receive::{ReceiveError, Received};

use crate::platform::clock::Clock;
use crate::platform::metrics::{BLOB_ERRORS, BLOB_SECONDS};
use crate::platform::secrets::Secret;

/// Where contents are kept.
#[derive(Clone, Debug)]
pub enum Place {
    /// A folder, created for this user only if it is missing.
    Disk(PathBuf),
    /// A bucket.
    S3(Bucket),
}

/// An S3-compatible bucket.
#[derive(Clone, Debug)]
pub struct Bucket {
    /// Its name.
    pub name: String,
    /// The region to sign for.
    pub region: String,
    /// The service's address, or `None` for Amazon's own.
    pub endpoint: Option<String>,
    /// The access key's id.
    pub access_key_id: Secret,
    /// The access key.
    pub secret_access_key: Secret,
    /// Whether the endpoint may be plain `http://`.
    pub allow_http: bool,
}

/// The contents of files. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Blobs {
    backend: Backend,
    clock: Clock,
}

#[derive(Clone, Debug)]
enum Backend {
    Disk { disk: Arc<LocalFileSystem>, folder: Arc<FsPath> },
    S3(Arc<AmazonS3>),
}

/// An opened content, or a part of one.
pub struct Content {
    /// The size of the whole.
    pub size: u64,
    /// Which part the stream holds.
    pub range: Range<u64>,
    /// The bytes. An error in it means that the storage failed midway.
    pub stream: BoxStream<'static, std::io::Result<Bytes>>,
}

/// How a bucket shall answer the holder of a signed link.
#[derive(Clone, Copy, Debug)]
pub struct LinkHeaders<'a> {
    /// `Content-Type`.
    pub content_type: &'a str,
    /// `Content-Disposition`, see [`attachment`].
    pub content_disposition: &'a str,
}

/// Why a content could not be handled.
#[derive(Debug, Error)]
pub enum BlobError {
    /// There is no content under this key.
    #[error("no such file content")]
    NotFound,
    /// The asked part begins at or after the end.
    #[error("the range lies outside the file")]
    OutOfRange,
    /// The disk or the bucket failed, or cannot be opened.
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
    /// Opens the storage. A bucket is not asked yet.
    ///
    /// # Errors
    /// [`BlobError::Storage`] if the folder cannot be created or the bucket's settings make no sense.
    pub fn open(place: Place, clock: Clock) -> Result<Self, BlobError> {
        let backend = match place {
            Place::Disk(folder) => {
                Backend::Disk { disk: Arc::new(open_folder(&folder)?), folder: folder.into() }
            }
            Place::S3(bucket) => Backend::S3(Arc::new(open_bucket(bucket)?)),
        };
        Ok(Self { backend, clock })
    }

    fn store(&self) -> &dyn ObjectStore {
        match &self.backend {
            Backend::Disk { disk, .. } => disk.as_ref(),
            Backend::S3(bucket) => bucket.as_ref(),
        }
    }

    /// Opens the content under `key`, or the part `range` of it; a part that ends after the end is cut there.
    ///
    /// # Errors
    /// [`BlobError`].
    pub async fn get(&self, key: &str, range: Option<Range<u64>>) -> Result<Content, BlobError> {
        let key = parse_key(key)?;
        self.timed("get", async {
            if let Some(asked) = &range {
                // the stores word this error each in their own way
                let size = self.store().head(&key).await?.size;
                if asked.start >= size || asked.is_empty() {
                    return Err(BlobError::OutOfRange);
                }
            }
            let options = GetOptions { range: range.map(GetRange::Bounded), ..GetOptions::default() };
            let found = self.store().get_opts(&key, options).await?;
            let (size, range) = (found.meta.size, found.range.clone());
            Ok(Content { size, range, stream: found.into_stream().map_err(std::io::Error::other).boxed() })
        })
        .await
    }

    /// Deletes the content under `key`; that there is none is fine, so a deletion may be repeated.
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

    /// A link with which anybody may download `key` straight from the bucket for `lifetime` (D-136). `None`
    /// on local disk, which has no address of its own.
    ///
    /// # Errors
    /// [`BlobError::Storage`].
    pub async fn signed_url(
        &self,
        key: &str,
        lifetime: Duration,
        headers: LinkHeaders<'_>,
    ) -> Result<Option<String>, BlobError> {
        let Backend::S3(bucket) = &self.backend else {
            return Ok(None);
        };
        let options = SignedUrlOptions::default().with_query([
            ("response-cache-control", "no-store"),
            ("response-content-disposition", headers.content_disposition),
            ("response-content-type", headers.content_type),
        ]);
        let url = bucket.signed_url_opts(Method::GET, &parse_key(key)?, lifetime, &options).await?;
        Ok(Some(url.into()))
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
            metrics::counter!(BLOB_ERRORS, "action" => action).increment(1);
        }
        done
    }
}

/// The value of `Content-Disposition` that makes a browser save under `filename` (RFC 6266): the plain form
/// for old clients with everything unusual replaced, and the exact form in UTF-8 (RFC 8187).
#[must_use]
pub fn attachment(filename: &str) -> String {
    let usual = |c: char| if c.is_ascii_alphanumeric() || " .-_()".contains(c) { c } else { '_' };
    let plain: String = filename.chars().map(usual).collect();
    let mut value = format!("attachment; filename=\"{plain}\"; filename*=UTF-8''");
    for byte in filename.bytes() {
        if b"/\\".contains(&byte) {
            // a name is not a path, whatever a careless client makes of it (RFC 6266 §4.3)
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

fn parse_key(key: &str) -> Result<Path, BlobError> {
    Path::parse(key).map_err(|error| BlobError::Storage(error.to_string()))
}

fn open_folder(folder: &FsPath) -> Result<LocalFileSystem, BlobError> {
    let named = |error: std::io::Error| BlobError::Storage(format!("{}: {error}", folder.display()));
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(named)?;
    Ok(LocalFileSystem::new_with_prefix(folder)?.with_fsync(true))
}

fn open_bucket(bucket: Bucket) -> Result<AmazonS3, BlobError> {
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(bucket.name)
        .with_region(bucket.region)
        .with_access_key_id(bucket.access_key_id.expose())
        .with_secret_access_key(bucket.secret_access_key.expose())
        .with_allow_http(bucket.allow_http)
        // contents are deleted one by one, and not every compatible service knows the bulk request
        .with_disable_bulk_delete(true);
    if let Some(endpoint) = bucket.endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    Ok(builder.build()?)
}

#[cfg(test)]
mod tests;
