//! Copies file contents from the storage (a folder or a bucket) into a backup, verifies them, and restores them.

use std::path::Path;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, future::BoxFuture, stream};
use sha2::{Digest as _, Sha256};
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::manifest::{FileEntry, content_file, create};
use super::rows::Expected;
use crate::cli::failure::{Failure, Result};
use crate::platform::blobs::{BlobError, Blobs, ReceiveError};
use crate::platform::secrets::hex;

/// Maximum number of contents that are copied or verified concurrently. Concurrency hides the latency of a bucket.
pub const MAX_CONCURRENT: usize = 8;
/// Number of bytes that one read requests.
const PIECE: usize = 256 << 10;

/// Result of exporting the content of a file.
pub enum Exported {
    /// The content was copied.
    Copied {
        /// The copied content.
        entry: FileEntry,
        /// Size of the content in bytes according to the database.
        expected: u64,
    },
    /// The storage does not have the content of the file with this id.
    Missing {
        /// The file's id.
        key: String,
        /// Whether the file is deleted in the database. If so, its content may have been purged during the backup.
        is_deleted: bool,
    },
}

/// Copies the content of a file from the storage into the backup.
///
/// # Errors
/// [`Failure::Local`] if the storage cannot be read or the folder cannot be written.
pub async fn export(blobs: &Blobs, expected: Expected, folder: &Path) -> Result<Exported> {
    let key = expected.id.encode();
    let path = content_file(folder, &key);
    let unreadable =
        |why: &dyn std::fmt::Display| Failure::Local(format!("cannot read the content {key}: {why}"));
    let mut content = match blobs.get(&key, None).await {
        Ok(content) => content,
        Err(BlobError::NotFound) => {
            return Ok(Exported::Missing { key, is_deleted: expected.is_deleted });
        }
        Err(error) => return Err(unreadable(&error)),
    };
    let failed = |error: std::io::Error| Failure::file("write", &path, &error);
    let mut file = File::from_std(create(&path)?);
    let (mut size, mut hash) = (0_u64, Sha256::new());
    while let Some(piece) = content.stream.next().await {
        let piece = piece.map_err(|error| unreadable(&error))?;
        size += piece.len() as u64;
        hash.update(&piece);
        file.write_all(&piece).await.map_err(failed)?;
    }
    file.flush().await.map_err(failed)?;
    file.sync_all().await.map_err(failed)?;
    let entry = FileEntry { key, size, sha256: hex(&hash.finalize()) };
    Ok(Exported::Copied { entry, expected: expected.size })
}

/// Checks the size and the checksum of a content in the backup against the manifest.
///
/// # Errors
/// [`Failure::Local`] with the file's id if the content cannot be read or differs from the manifest.
pub async fn verify(entry: &FileEntry, folder: &Path) -> Result<()> {
    let mut check = ContentCheck::new(entry);
    let mut file = open(entry, folder).await?;
    let mut piece = vec![0; PIECE];
    loop {
        let read = file.read(&mut piece).await.map_err(|error| damaged(entry, &error))?;
        if read == 0 {
            return check.end();
        }
        check.take(&piece[..read]);
    }
}

/// Copies a content from the backup into the storage. The storage keeps only a content that matches the manifest.
///
/// # Errors
/// [`Failure::Local`] with the file's id if the content cannot be read, differs from the manifest, or cannot be stored.
pub async fn restore(blobs: &Blobs, entry: &FileEntry, folder: &Path) -> Result<()> {
    let file = open(entry, folder).await?;
    let reading = stream::try_unfold((file, ContentCheck::new(entry)), |(mut file, mut check)| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await.map_err(|error| damaged(check.entry, &error))?;
        if read == 0 {
            return check.end().map(|()| None);
        }
        piece.truncate(read);
        check.take(&piece);
        Ok(Some((Bytes::from(piece), (file, check))))
    });
    let not_stored =
        |error: BlobError| Failure::Local(format!("cannot store the content {}: {error}", entry.key));
    let received =
        blobs.receive(&entry.key, reading, &ignore_upload_id).await.map_err(|error| match error {
            ReceiveError::Source(failure) => failure,
            ReceiveError::Storage(error) => not_stored(error),
        })?;
    received.keep().await.map_err(not_stored)
}

/// Checks that every content in the storage has a key that `is_ours` accepts.
///
/// # Errors
/// [`Failure::Local`] if the storage cannot be listed, or has a content with a key that `is_ours` rejects.
pub async fn refuse_others(blobs: &Blobs, mut is_ours: impl FnMut(&str) -> bool) -> Result<()> {
    let failed = |error: BlobError| Failure::Local(format!("cannot list the file storage: {error}"));
    let mut keys = blobs.keys();
    while let Some(key) = keys.try_next().await.map_err(failed)? {
        if !is_ours(&key) {
            return Err(Failure::Local(format!(
                "the file storage is not empty: it has {key}. Restore into a new or empty folder or bucket \
                 (files.dir, files.s3.bucket)"
            )));
        }
    }
    Ok(())
}

/// Ignores the id of a multipart upload. After a crash during an upload, the parts cannot be deleted without this id.
/// In this case they remain in the bucket until a lifecycle rule aborts the upload (docs/backup.md).
fn ignore_upload_id(_: String) -> BoxFuture<'static, std::result::Result<(), BlobError>> {
    Box::pin(async { Ok(()) })
}

async fn open(entry: &FileEntry, folder: &Path) -> Result<File> {
    File::open(content_file(folder, &entry.key)).await.map_err(|error| damaged(entry, &error))
}

fn damaged(entry: &FileEntry, why: &dyn std::fmt::Display) -> Failure {
    Failure::Local(format!("the backup is damaged: file {}: {why}", entry.key))
}

/// Computes the size and the checksum of a content while it is read, and compares them with the manifest.
struct ContentCheck<'a> {
    entry: &'a FileEntry,
    size: u64,
    hash: Sha256,
}

impl<'a> ContentCheck<'a> {
    fn new(entry: &'a FileEntry) -> Self {
        Self { entry, size: 0, hash: Sha256::new() }
    }

    fn take(&mut self, piece: &[u8]) {
        self.size += piece.len() as u64;
        self.hash.update(piece);
    }

    fn end(&mut self) -> Result<()> {
        if self.size != self.entry.size {
            let (found, expected) = (self.size, self.entry.size);
            return Err(damaged(
                self.entry,
                &format_args!("it has {found} bytes, and the manifest says {expected}"),
            ));
        }
        let hash = std::mem::take(&mut self.hash);
        if hex(&hash.finalize()) == self.entry.sha256 {
            Ok(())
        } else {
            Err(damaged(self.entry, &"its checksum differs from the manifest"))
        }
    }
}
