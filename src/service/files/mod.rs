//! Files: deletion, links and downloads. A link redirects to a download URL, and the download URL returns the content.
//! Both work without a bot token or a sign-in. Uploads are in [`uploads`].
//!
//! A file is a row in the database and a content in the blob storage. The key of the content is the id of the file.

pub mod file_usage;
pub mod open_uploads;
pub mod uploads;

use std::{ops::Range, time::Duration};

use super::{
    Stamp, World,
    callers::{Caller, principal::CallerPrincipal},
    refuse, view,
};
use crate::{
    domain::{
        ids::{FileId, WorkspaceId},
        links::{self, Claims, DOWNLOAD_LIFE, LINK_LIFE, Stage},
        refusal::Code,
        time::Timestamp,
        visible::is_visible,
    },
    platform::blobs::{BlobError, Content},
    store::{
        Error, Op, ReadOp, ReadSql, Result, Sql, StoreError, changes,
        files::{self, File},
        op,
    },
};

/// How long a content is kept after its file was deleted. This is longer than the lifetime of a link (15 minutes) plus
/// the lifetime of a download URL (one hour), so existing links keep working (D-136).
pub const PURGE_AFTER: Duration = Duration::from_secs(2 * 60 * 60);

/// Maximum number of contents that one run of the maintenance job purges. Also the batch size for deleting unattached
/// files and for updating usage counts.
pub(super) const PURGE_BATCH: i64 = 1_000;

/// Delay before the failed deletion of a content is retried.
pub(super) const RETRY_DELAY: Duration = Duration::from_secs(10 * 60);

/// Number of failures after which a run of a job that deletes contents stops. If the storage cannot be reached, a run
/// that tried every file would take hours.
const MAX_FAILURES: usize = 20;

/// The failures in one run of a job that deletes contents. The run continues with the next file until it has
/// [`MAX_FAILURES`] failures.
#[derive(Default)]
pub(super) struct Failures {
    first: Option<Error>,
    count: usize,
}

impl Failures {
    /// Records a failure and returns whether the run has to stop.
    pub(super) fn note(&mut self, error: &BlobError) -> bool {
        self.first.get_or_insert_with(|| unavailable(error));
        self.count += 1;
        self.count >= MAX_FAILURES
    }

    /// Returns the result of the run.
    ///
    /// # Errors
    /// The first failure.
    pub(super) fn into_result(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

view! {
    /// A file, with the fields that are shown to everybody who may see it.
    FileView of File {
        id: FileId,
        workspace_id: WorkspaceId,
        name: String,
        mimetype: String,
        /// Size in bytes.
        size: i64,
        created_at: Timestamp,
    }
}

/// Maximum number of messages with a deleted file for which open windows of the web client are updated. Without this
/// limit, the deletion of a file that is in very many messages would write very many rows.
const MAX_CARRIERS: i64 = 100;

/// A file with its content, for a download.
pub struct Download {
    /// The file. It may have been deleted already, because its links work until they expire.
    pub file: FileView,
    /// The whole content, or the requested range of it.
    pub content: Content,
}

impl Caller {
    /// Deletes a file (W-28). Existing links work until they expire (B-302, D-136).
    ///
    /// # Errors
    /// - `file_not_found`, also for a caller outside the company and for a deleted file.
    /// - `forbidden` for people of the company who are neither admins nor the owner of the file.
    pub async fn delete_file(&self, id: Option<FileId>) -> Result<()> {
        self.write(DeleteFile { stamp: self.world().stamp(), principal: self.to_principal(), id }).await
    }
}

impl World {
    /// Returns a new link to a file. Anybody who has the link can use it for 15 minutes (B-300).
    #[must_use]
    pub fn file_link(&self, file: FileId) -> String {
        let claims = Claims { file, expires_at: self.clock.now() + LINK_LIFE, stage: Stage::Link };
        format!("{}/files/{}", self.settings.base_url, links::encode(&self.keys.links, &claims))
    }

    /// Returns a download URL for the file of a link (B-299). `token` is the token in the link. The download URL is
    /// valid for an hour (B-301, D-136). It is a URL of this server and not of the object store, because the object
    /// store cannot send the headers that make a download safe to open (decision 29).
    ///
    /// # Errors
    /// `not_found` for a token that is not from a link of this server, and for an expired link (D-135).
    pub async fn open_link(&self, token: &str) -> Result<String> {
        let file = self.linked_file(token, Stage::Link).await?;
        let expires_at = self.clock.now() + DOWNLOAD_LIFE;
        let claims = Claims { file: file.id, expires_at, stage: Stage::Download };
        Ok(format!("{}/files/download/{}", self.settings.base_url, links::encode(&self.keys.links, &claims)))
    }

    /// Returns the file of a download URL. `token` is the token in the URL.
    ///
    /// # Errors
    /// `not_found` for a token that is not from a download URL of this server, and for an expired download URL (D-135).
    pub async fn downloadable(&self, token: &str) -> Result<FileView> {
        Ok(self.linked_file(token, Stage::Download).await?.into())
    }

    /// Opens the content of a file, or a range of it.
    ///
    /// # Errors
    /// - `not_found` if the content was purged.
    /// - `Unavailable` if the storage fails.
    pub async fn open_download(&self, file: FileView, range: Option<Range<u64>>) -> Result<Download> {
        match self.blobs.get(&file.id.encode(), range).await {
            Ok(content) => Ok(Download { file, content }),
            Err(BlobError::NotFound) => refuse(Code::NotFound),
            Err(error) => Err(unavailable(&error)),
        }
    }

    /// Returns the time at which the files of a message are deleted if the message is deleted at `now`; `None` means
    /// never. A file that another message contains at the returned time is kept.
    pub(in crate::service) fn detached_files_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.settings.unattached_life.map(|life| now + life)
    }

    async fn linked_file(&self, token: &str, stage: Stage) -> Result<File> {
        let claims = links::decode(&self.keys.links, token);
        match claims.filter(|claims| claims.stage == stage && claims.is_live(self.clock.now())) {
            Some(claims) => self.db.read(FindAnyFile(claims.file)).await,
            None => refuse(Code::NotFound),
        }
    }

    /// Purges the contents of files that were deleted at least [`PURGE_AFTER`] ago. If a purge fails, continues with
    /// the next file, and stops after too many failures. A failed purge is retried after ten minutes.
    ///
    /// # Errors
    /// - Store errors.
    /// - The first failure of the storage, after the run.
    pub async fn purge_files(&self, now: Timestamp) -> Result<()> {
        let mut failures = Failures::default();
        for id in self.db.read(FindPurgeable(now)).await? {
            match self.blobs.delete(&id.encode()).await {
                Ok(()) => self.db.write(MarkPurged(id)).await?,
                Err(error) => {
                    self.db.write(PurgeLater { id, when: now + RETRY_DELAY }).await?;
                    if failures.note(&error) {
                        break;
                    }
                }
            }
        }
        failures.into_result()
    }
}

/// The name shown for a file without a visible name.
const UNNAMED: &str = "file";

/// Returns the name of a file as people see it. Replaces a name without visible characters, because people could not
/// see a link with such a name. Also replaces each character that controls the direction of text, because with such a
/// character `gpj.exe` could look like `exe.jpg`. Separators of lines and paragraphs are replaced too.
#[must_use]
pub fn shown_name(name: &str) -> String {
    let name = if is_visible(name) { name } else { UNNAMED };
    name.chars().map(|c| if is_directional(c) { '_' } else { c }).collect()
}

/// Returns the file name under which a download is saved. If `name` looks like a path, uses only its last segment
/// (RFC 6266 §4.3). Makes the same replacements as [`shown_name`], and also replaces control characters.
#[must_use]
pub fn saved_as(name: &str) -> String {
    let last = match name.rsplit(['/', '\\']).next() {
        None | Some("." | "..") => UNNAMED,
        Some(last) => last,
    };
    shown_name(last).chars().map(|c| if c.is_control() { '_' } else { c }).collect()
}

/// Returns whether a character controls the direction of text (Unicode `Bidi_Control`), or separates lines or
/// paragraphs (U+2028, U+2029).
const fn is_directional(c: char) -> bool {
    matches!(
        c,
        '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Converts a failure of the blob storage to a store error. For this error, clients get the status 503 and are asked to
/// retry.
#[must_use]
pub fn unavailable(error: &BlobError) -> Error {
    StoreError::Unavailable(error.to_string().into()).into()
}

struct DeleteFile {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: Option<FileId>,
}

impl Op for DeleteFile {
    const NAME: &'static str = "delete_file";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let found = match self.id {
            Some(id) => files::by_id(c, id).await?,
            None => None,
        };
        let Some(file) = found.filter(|file| file.deleted_at.is_none()) else {
            return refuse(Code::FileNotFound);
        };
        let Some(right) = self.principal.right_in(file.workspace_id) else {
            return refuse(Code::FileNotFound);
        };
        if !right.administers() && file.owner_id != right.person() {
            return refuse(Code::Forbidden);
        }
        let carriers = changes::lock_carriers(c, file.id, MAX_CARRIERS).await?;
        if !files::delete(c, file.id, self.stamp.now, self.stamp.now + PURGE_AFTER).await? {
            return refuse(Code::FileNotFound);
        }
        // the deletion is recorded, so that open windows of the web client show these messages without the file
        changes::file_deleted(c, file.workspace_id, carriers, self.stamp.now).await
    }
}

/// Finds a file, even if it is deleted, because links to deleted files still work.
struct FindAnyFile(FileId);

impl ReadOp for FindAnyFile {
    const NAME: &'static str = "find_any_file";
    type Out = File;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<File> {
        match files::by_id(c, self.0).await? {
            Some(file) => Ok(file),
            None => refuse(Code::NotFound),
        }
    }
}

struct FindPurgeable(Timestamp);

op! {
    ReadOp "find_purgeable_files": FindPurgeable -> Vec<FileId> =
        |op, c| files::to_purge(c, op.0, PURGE_BATCH)
}

struct PurgeLater {
    id: FileId,
    when: Timestamp,
}

op! { Op "purge_file_later": PurgeLater -> () = |op, c| files::purge_later(c, op.id, op.when) }

struct MarkPurged(FileId);

op! { Op "mark_file_purged": MarkPurged -> () = |op, c| files::purged(c, op.0) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_is_saved_under_a_safe_name() {
        for (name, saved) in [
            ("a b.txt", "a b.txt"),
            ("../../up.txt", "up.txt"),
            ("C:\\a\\b.txt", "b.txt"),
            ("/", "file"),
            ("..", "file"),
            ("a/..", "file"),
            (".profile", ".profile"),
            ("\u{202e}gpj.exe", "_gpj.exe"),
            ("a\r\nb\u{2067}\u{7f}.txt", "a__b__.txt"),
            ("\u{5e9}\u{200d}\u{1f600}.txt", "\u{5e9}\u{200d}\u{1f600}.txt"),
            ("\u{200b}", "file"),
            ("a/\u{3164} ", "file"),
        ] {
            assert_eq!(saved_as(name), saved, "{name}");
        }
    }
}
