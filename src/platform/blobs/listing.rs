//! Lists all contents, for commands that copy them.

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};

use super::{BlobError, Blobs};

impl Blobs {
    /// Returns the keys of all contents, unordered; for other files in the folder or bucket, their
    /// paths.
    pub fn keys(&self) -> BoxStream<'_, Result<String, BlobError>> {
        let found = self.store().list(None);
        found.map_ok(|object| object.location.to_string()).map_err(BlobError::from).boxed()
    }
}
