//! Taking a content in as it comes, with bounded memory: small ones in one piece, larger ones in parts.

use std::pin::pin;

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use object_store::{MultipartUpload, ObjectStoreExt, path::Path};
use tokio::runtime::Handle;

use super::{BlobError, Blobs, parse_key};

/// Bytes of a part, of which one is in memory at a time. Buckets want 5 MiB at least, some of them all parts but the last
/// alike.
pub(super) const PART: usize = 8 << 20;

/// Why a content was not taken in.
#[derive(Debug)]
pub enum ReceiveError<E> {
    /// Where it came from failed.
    Source(E),
    /// The storage failed.
    Storage(BlobError),
}

/// A content that was taken in to its end and is not kept yet; dropping it leaves nothing behind.
pub struct Received {
    blobs: Blobs,
    key: Path,
    size: u64,
    /// What no part holds yet, at most [`PART`] bytes; empty only when the content is.
    rest: BytesMut,
    parts: Option<Parts>,
}

impl Blobs {
    /// Takes in a content for `key` until it ends.
    ///
    /// # Errors
    /// The source's or the storage's; nothing is left behind then, nor when the future is dropped.
    pub async fn receive<E>(
        &self,
        key: &str,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
    ) -> Result<Received, ReceiveError<E>> {
        let key = parse_key(key).map_err(ReceiveError::Storage)?;
        let mut received = Received { blobs: self.clone(), key, size: 0, rest: BytesMut::new(), parts: None };
        let mut content = pin!(content);
        while let Some(chunk) = content.next().await {
            received.take(chunk.map_err(ReceiveError::Source)?).await.map_err(ReceiveError::Storage)?;
        }
        Ok(received)
    }
}

impl Received {
    /// Its bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Keeps it under its key, whole or not at all; what was under the key before is replaced.
    ///
    /// # Errors
    /// [`BlobError::Storage`].
    pub async fn keep(mut self) -> Result<(), BlobError> {
        if self.parts.is_some() {
            self.store_rest().await?;
        }
        let Self { blobs, key, rest, parts, .. } = self;
        blobs
            .timed("put", async {
                match parts {
                    None => Ok(blobs.store().put(&key, rest.freeze().into()).await.map(drop)?),
                    Some(parts) => parts.complete().await,
                }
            })
            .await
    }

    async fn take(&mut self, mut chunk: Bytes) -> Result<(), BlobError> {
        self.size += chunk.len() as u64;
        // a part goes out when there is more than it, so that the last one is never empty
        while self.rest.len() + chunk.len() > PART {
            let fits = chunk.split_to(PART - self.rest.len());
            self.rest.extend_from_slice(&fits);
            self.store_rest().await?;
        }
        self.rest.extend_from_slice(&chunk);
        Ok(())
    }

    /// Stores what is in memory as the next part.
    async fn store_rest(&mut self) -> Result<(), BlobError> {
        let (blobs, part) = (self.blobs.clone(), std::mem::take(&mut self.rest).freeze());
        blobs
            .timed("put", async {
                let parts = match &mut self.parts {
                    Some(parts) => parts,
                    none => none.insert(Parts(Some(blobs.store().put_multipart(&self.key).await?))),
                };
                match &mut parts.0 {
                    Some(upload) => Ok(upload.put_part(part.into()).await?),
                    None => Err(BlobError::Storage("the upload has ended".to_owned())),
                }
            })
            .await
    }
}

/// An upload in parts, aborted unless it is completed: a bucket keeps parts, and charges for them, until it is told. `None`
/// once it was completed.
struct Parts(Option<Box<dyn MultipartUpload>>);

impl Parts {
    async fn complete(mut self) -> Result<(), BlobError> {
        if let Some(upload) = &mut self.0 {
            upload.complete().await?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let Some(mut upload) = self.0.take() else { return };
        // without a runtime the process is ending; a folder's part file still goes with `upload`
        if let Ok(runtime) = Handle::try_current() {
            runtime.spawn(async move {
                if let Err(error) = upload.abort().await {
                    tracing::warn!(%error, "the parts of an aborted upload may stay behind");
                }
            });
        }
    }
}
