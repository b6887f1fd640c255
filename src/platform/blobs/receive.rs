//! Taking a content in as it comes, with bounded memory: small ones in one piece, larger ones in parts.

use std::pin::pin;

use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use object_store::path::Path;
use object_store::{ObjectStoreExt, PutPayloadMut};

use super::parts::{BegunParts, Parts};
use super::{BlobError, Blobs, parse_key};

/// Bytes of a part, of which one is in memory at a time. Buckets want 5 MiB at least, some of them all parts but the last
/// alike.
pub(super) const PART: usize = 8 << 20;
/// How much memory is taken for it at once: a buffer that grows would leave smaller ones behind, and a list of what came
/// would hold a network buffer for each byte that a client sends by itself.
const PIECE: usize = 256 << 10;

fn waiting() -> PutPayloadMut {
    PutPayloadMut::new().with_block_size(PIECE)
}

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
    rest: PutPayloadMut,
    parts: Option<Parts>,
}

impl Blobs {
    /// Takes in a content for `key` until it ends. `begun` is told of an upload in parts before its first part, for
    /// [`Blobs::sweep`] when the process does not live to end it.
    ///
    /// # Errors
    /// The source's, the storage's or `begun`'s; nothing is left behind then, nor when the future is dropped.
    pub async fn receive<E>(
        &self,
        key: &str,
        content: impl Stream<Item = Result<Bytes, E>> + Send,
        begun: BegunParts<'_>,
    ) -> Result<Received, ReceiveError<E>> {
        let key = parse_key(key).map_err(ReceiveError::Storage)?;
        let mut received = Received { blobs: self.clone(), key, size: 0, rest: waiting(), parts: None };
        let mut content = pin!(content);
        while let Some(chunk) = content.next().await {
            let chunk = chunk.map_err(ReceiveError::Source)?;
            received.take(chunk, begun).await.map_err(ReceiveError::Storage)?;
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

    async fn take(&mut self, mut chunk: Bytes, begun: BegunParts<'_>) -> Result<(), BlobError> {
        self.size += chunk.len() as u64;
        // a part goes out when there is more than it, so that the last one is never empty
        while self.rest.content_length() + chunk.len() > PART {
            let fits = chunk.split_to(PART - self.rest.content_length());
            self.rest.extend_from_slice(&fits);
            self.store_rest(begun).await?;
        }
        self.rest.extend_from_slice(&chunk);
        Ok(())
    }

    /// Stores what is in memory as the next part.
    async fn store_rest(&mut self, begun: BegunParts<'_>) -> Result<(), BlobError> {
        let (blobs, part) = (self.blobs.clone(), std::mem::replace(&mut self.rest, waiting()).freeze());
        blobs
            .timed("put", async {
                let parts = match &mut self.parts {
                    Some(parts) => parts,
                    none => none.insert(Parts::begin(&blobs, &self.key, begun).await?),
                };
                parts.store(part).await
            })
            .await
    }
}
