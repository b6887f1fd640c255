//! Lists the keys of all file contents. The command `restore` uses the list to reject a storage that is not empty.

use futures_util::stream::{self, BoxStream};
use futures_util::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::{ObjectMeta, ObjectStore};

use super::{BlobBackend, BlobError, Blobs};

/// The folder into which `fsck` puts recovered files, in the root directory of a file system. Only the superuser can
/// read this folder, so listing it would fail.
const LOST_AND_FOUND: &str = "lost+found";

impl Blobs {
    /// Returns the keys of all contents, in unspecified order. Also returns the paths of other files in the folder or
    /// bucket. On disk, leaves out files in `lost+found` and the temporary files of uploads.
    pub fn keys(&self) -> BoxStream<'_, Result<String, BlobError>> {
        let found = match &self.backend {
            BlobBackend::Disk { disk, folder } if folder.join(LOST_AND_FOUND).exists() => files_in(disk),
            BlobBackend::Disk { disk, .. } => disk.list(None),
            BlobBackend::S3(bucket) => bucket.list(None),
        };
        found.map_ok(|object| object.location.to_string()).map_err(BlobError::from).boxed()
    }
}

/// Lists the files of a folder and its subfolders, except the subfolder `lost+found`. Reads the whole list of the files
/// directly in the folder, one for each content, into memory.
fn files_in(disk: &LocalFileSystem) -> BoxStream<'_, object_store::Result<ObjectMeta>> {
    stream::once(disk.list_with_delimiter(None))
        .map_ok(|top| {
            let folders = top.common_prefixes.into_iter().filter(|folder| folder.as_ref() != LOST_AND_FOUND);
            let inner = stream::iter(folders).flat_map(|folder| disk.list(Some(&folder)));
            stream::iter(top.objects).map(Ok).chain(inner)
        })
        .try_flatten()
        .boxed()
}
