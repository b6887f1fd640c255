//! Uploads of file contents in parts: starts, completes and aborts uploads, and deletes what interrupted uploads left
//! behind.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use object_store::aws::AmazonS3;
use object_store::multipart::{MultipartStore, PartId};
use object_store::path::Path;
use object_store::{MultipartId, MultipartUpload, ObjectStoreExt, PutPayload};
use tokio::runtime::Handle;

use super::{BlobBackend, BlobError, Blobs, parse_key};

/// A callback that receives the id of a multipart upload in a bucket before the first part is sent. It can store the
/// id, because [`Blobs::sweep`] needs the id after a crash. Not called for uploads to local disk.
pub type BegunParts<'a> = &'a (dyn Fn(String) -> BoxFuture<'static, Result<(), BlobError>> + Send + Sync);

/// An upload in parts; `None` after [`OpenMultipartUpload::complete`]. Dropping an incomplete upload aborts it, because
/// a bucket keeps the parts, and charges for them, until the upload is completed or aborted.
pub(super) struct OpenMultipartUpload(Option<UnfinishedUpload>);

enum UnfinishedUpload {
    /// A temporary file beside the final path. Dropping this value deletes the file.
    Disk(Box<dyn MultipartUpload>),
    /// A multipart upload of S3. Not the `MultipartUpload` of `object_store`, because that type hides the upload id,
    /// which [`Blobs::sweep`] needs after a crash.
    Bucket { bucket: Arc<AmazonS3>, key: Path, id: MultipartId, stored: Vec<PartId> },
}

impl OpenMultipartUpload {
    /// Starts an upload.
    pub(super) async fn begin(blobs: &Blobs, key: &Path, begun: BegunParts<'_>) -> Result<Self, BlobError> {
        let upload = match &blobs.backend {
            BlobBackend::Disk { disk, .. } => UnfinishedUpload::Disk(disk.put_multipart(key).await?),
            BlobBackend::S3(bucket) => {
                let id = bucket.create_multipart(key).await?;
                let (bucket, key) = (Arc::clone(bucket), key.clone());
                UnfinishedUpload::Bucket { bucket, key, id, stored: Vec::new() }
            }
        };
        let recorded = match &upload {
            UnfinishedUpload::Disk(_) => None,
            UnfinishedUpload::Bucket { id, .. } => Some(begun(id.clone())),
        };
        // if `begun` fails, or if this future is dropped before `begun` has finished, `parts` is dropped and aborts the
        // upload
        let parts = Self(Some(upload));
        if let Some(recorded) = recorded {
            recorded.await?;
        }
        Ok(parts)
    }

    /// Stores the next part.
    pub(super) async fn store(&mut self, part: PutPayload) -> Result<(), BlobError> {
        match &mut self.0 {
            Some(UnfinishedUpload::Disk(upload)) => Ok(upload.put_part(part).await?),
            Some(UnfinishedUpload::Bucket { bucket, key, id, stored }) => {
                let part = bucket.put_part(key, id, stored.len(), part).await?;
                stored.push(part);
                Ok(())
            }
            None => Err(BlobError::Storage("the upload has ended".to_owned())),
        }
    }

    /// Creates the content from the parts.
    pub(super) async fn complete(mut self) -> Result<(), BlobError> {
        match &mut self.0 {
            Some(UnfinishedUpload::Disk(upload)) => drop(upload.complete().await?),
            Some(UnfinishedUpload::Bucket { bucket, key, id, stored }) => {
                drop(bucket.complete_multipart(key, id, stored.clone()).await?);
            }
            None => {}
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for OpenMultipartUpload {
    fn drop(&mut self) {
        let Some(upload) = self.0.take() else { return };
        // without a runtime, the process is ending, and the upload cannot be aborted; dropping `upload` still deletes a
        // temporary file on disk
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                let aborted = match upload {
                    UnfinishedUpload::Disk(mut upload) => upload.abort().await,
                    UnfinishedUpload::Bucket { bucket, key, id, .. } => bucket.abort_multipart(&key, &id).await,
                };
                if let Err(error) = aborted {
                    tracing::warn!(%error, "failed to abort an upload; the maintenance job deletes its parts later");
                }
            });
        }
    }
}

impl Blobs {
    /// Deletes everything that an upload to `key` could have stored. On disk, these are the content and the temporary
    /// file. In a bucket, these are the content and the parts of the multipart upload with the id `parts`. Must not be
    /// called if a row of a file has this key. Idempotent.
    ///
    /// # Errors
    /// [`BlobError::Storage`].
    pub async fn sweep(&self, key: &str, parts: Option<&str>) -> Result<(), BlobError> {
        self.delete(key).await?;
        match &self.backend {
            BlobBackend::Disk { folder, .. } => {
                let file = folder.join(format!("{}{PART_FILE}", parse_key(key)?));
                match tokio::fs::remove_file(&file).await {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        Err(BlobError::Storage(format!("{}: {error}", file.display())))
                    }
                    _ => Ok(()),
                }
            }
            BlobBackend::S3(bucket) => {
                let Some(id) = parts else { return Ok(()) };
                let (key, id) = (parse_key(key)?, id.to_owned());
                let aborted =
                    self.timed("delete", async { Ok(bucket.abort_multipart(&key, &id).await?) }).await;
                match aborted {
                    Err(BlobError::NotFound) => Ok(()),
                    other => other,
                }
            }
        }
    }
}

/// The suffix that `object_store` appends to a file's name until the file is complete. `object_store` uses the lowest
/// number, from 1 on, for which no temporary file exists. Every key is written once, so the number is 1. A test
/// verifies the suffix.
const PART_FILE: &str = "#1";
