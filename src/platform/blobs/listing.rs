//! Lists all contents, for commands that copy them.

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};

use super::{BlobError, Blobs};

impl Blobs {
    /// Returns the keys of all stored file contents, in unspecified order. Other files in the folder or bucket are
    /// listed by their paths.
    pub fn keys(&self) -> BoxStream<'_, Result<String, BlobError>> {
        let found = self.store().list(None);
        found.map_ok(|object| object.location.to_string()).map_err(BlobError::from).boxed()
    }
}
