//! Which contents there are, for commands that copy all of them.

use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};

use super::{BlobError, Blobs};

impl Blobs {
    /// The keys of all contents, in no order; of whatever else is in the folder or the bucket, the paths.
    pub fn keys(&self) -> BoxStream<'_, Result<String, BlobError>> {
        let found = self.store().list(None);
        found.map_ok(|object| object.location.to_string()).map_err(BlobError::from).boxed()
    }
}
