//! Receives a content as a stream in bounded memory. A small content is stored with one request, a larger one in parts.

use std::pin::pin;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayloadMut};

use super::parts::{BegunParts, OpenMultipartUpload};
use super::{BlobBackend, BlobError, Blobs, parse_key};

/// Size in bytes of a part of a multipart upload to an S3 bucket. One part of a content is in memory at a time. Buckets
/// require at least 5 MiB for each part, and some require parts of equal size. Both rules exempt the last part.
pub(super) const BUCKET_PART: usize = 5 << 20;
/// Size in bytes of a part on disk: small, so that stalled clients occupy little memory.
pub(super) const DISK_PART: usize = PIECE;
/// Size in bytes of each allocation of the buffer. A buffer that grows by reallocation would fragment the heap. A list
/// of received chunks would keep a whole network buffer for each byte that a client sends separately.
const PIECE: usize = 256 << 10;

fn new_buffer() -> PutPayloadMut {
    PutPayloadMut::new().with_block_size(PIECE)
}

/// Why a content was not received.
#[derive(Debug)]
pub enum ReceiveError<E> {
    /// The source failed.
    Source(E),
    /// The storage or the callback [`BegunParts`] failed, or the key is invalid.
    Storage(BlobError),
}

/// A completely received content that is not stored under its key yet. Dropping this value deletes the parts that are
/// already stored.
pub struct Received {
    blobs: Blobs,
    key: Path,
    size: u64,
    /// Size of a part in bytes.
    part: usize,
    /// Received data that is not stored in a part yet, at most `part` bytes. Empty only if the whole content is empty.
    rest: PutPayloadMut,
    parts: Option<OpenMultipartUpload>,
}

impl Blobs {
    /// Receives a content for `key` until its end. If the content is stored as a multipart upload in a bucket, `begun`
    /// receives the id of the upload before the first part is sent. After a crash, [`Blobs::sweep`] needs this id to
    /// delete the parts.
    ///
    /// # Errors
    /// [`ReceiveError`]. After an error, and if the future is dropped, the parts that are already stored are deleted.
    pub async fn receive<E>(
        &self,
        key: &str,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        begun: BegunParts<'_>,
    ) -> Result<Received, ReceiveError<E>> {
        let key = parse_key(key).map_err(ReceiveError::Storage)?;
        let part = match &self.backend {
            BlobBackend::Disk { .. } => DISK_PART,
            BlobBackend::S3(_) => BUCKET_PART,
        };
        let mut received =
            Received { blobs: self.clone(), key, size: 0, part, rest: new_buffer(), parts: None };
        let mut content = pin!(content);
        while let Some(chunk) = content.next().await {
            let chunk = chunk.map_err(ReceiveError::Source)?;
            received.append(chunk, begun).await.map_err(ReceiveError::Storage)?;
        }
        Ok(received)
    }
}

impl Received {
    /// Returns the size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Stores the content under its key atomically, replacing an existing content.
    ///
    /// # Errors
    /// [`BlobError::Storage`].
    pub async fn keep(mut self) -> Result<(), BlobError> {
        let Self { blobs, key, rest, parts, .. } = &mut self;
        let rest = std::mem::take(rest).freeze();
        let parts = parts.take();
        blobs
            .timed("put", async {
                match parts {
                    None => Ok(blobs.store().put(key, rest).await.map(drop)?),
                    Some(mut parts) => {
                        parts.store(rest).await?;
                        parts.complete().await
                    }
                }
            })
            .await
    }

    async fn append(&mut self, mut chunk: Bytes, begun: BegunParts<'_>) -> Result<(), BlobError> {
        self.size += chunk.len() as u64;
        // a part is stored only if more data follows it, so that the last part is never empty
        while self.rest.content_length() + chunk.len() > self.part {
            let fits = chunk.split_to(self.part - self.rest.content_length());
            self.rest.extend_from_slice(&fits);
            self.store_rest(begun).await?;
        }
        self.rest.extend_from_slice(&chunk);
        Ok(())
    }

    /// Stores the buffered data as the next part.
    async fn store_rest(&mut self, begun: BegunParts<'_>) -> Result<(), BlobError> {
        let (blobs, part) = (self.blobs.clone(), std::mem::replace(&mut self.rest, new_buffer()).freeze());
        blobs
            .timed("put", async {
                let parts = match &mut self.parts {
                    Some(parts) => parts,
                    none => none.insert(OpenMultipartUpload::begin(&blobs, &self.key, begun).await?),
                };
                parts.store(part).await
            })
            .await
    }
}
