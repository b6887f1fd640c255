//! Files: deleting them, and the two links behind one another that open them without a token. Storing them is in
//! [`uploads`](super::uploads).
//!
//! What is known of a file is in the store, its content in the blob storage under the file's id. Called by the
//! rooms; [`purge_files`](World::purge_files) by the upkeep.

use std::{ops::Range, time::Duration};

use super::{Stamp, World, principal::Principal, refuse};
use crate::{
    domain::{
        ids::FileId,
        links::{self, Claims, DOWNLOAD_LIFE, LINK_LIFE, Stage},
        refusal::Code,
        time::Timestamp,
    },
    platform::blobs::{BlobError, Content, LinkHeaders, attachment},
    store::{
        Error, Op, Result, Sql, StoreError,
        files::{self, File},
    },
};

/// How long a content outlives its file: longer than both links together (D-136).
pub const PURGE_AFTER: Duration = Duration::from_secs(2 * 60 * 60);

/// Most contents deleted by one run of the upkeep.
const PURGED_AT_ONCE: i64 = 1_000;

/// When a content that the storage would not delete is tried again.
pub(super) const TRIED_AGAIN_AFTER: Duration = Duration::from_secs(10 * 60);

/// How many failures end a run of the upkeep: a storage that is away would keep it for hours.
const MOST_FAILURES: usize = 20;

/// What failed in a run of the upkeep that goes on beyond failures.
#[derive(Default)]
pub(super) struct Failures {
    first: Option<Error>,
    count: usize,
}

impl Failures {
    /// Notes one; whether it is time to give up.
    pub(super) fn note(&mut self, error: &BlobError) -> bool {
        self.first.get_or_insert_with(|| unkept(error));
        self.count += 1;
        self.count >= MOST_FAILURES
    }

    /// How the run ended.
    ///
    /// # Errors
    /// The first failure.
    pub(super) fn end(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// A content about to be sent.
pub struct Download {
    /// Deleted or not.
    pub file: File,
    /// All of it, or the part that was asked for.
    pub content: Content,
}

impl World {
    /// Deletes a file (W-28). Links issued before go on to work until they expire (B-302).
    ///
    /// # Errors
    /// `file_not_found`, also for strangers and when it is deleted already; `forbidden` unless the operator, an
    /// admin of the company or its owner asks.
    pub async fn delete_file(&self, who: &Principal, id: Option<FileId>) -> Result<()> {
        self.db.write(DeleteFile { at: self.stamp(), who: who.clone(), id }).await
    }

    /// A new link to a file, good for 15 minutes (B-300); whoever holds it may read the file.
    #[must_use]
    pub fn file_link(&self, file: FileId) -> String {
        let claims = Claims { file, expires_at: self.clock.now() + LINK_LIFE, stage: Stage::Link };
        format!("{}/files/{}", self.settings.base_url, links::encode(&self.keys.links, &claims))
    }

    /// Where a link leads: a download from the storage that opens for an hour (B-299, D-136).
    ///
    /// # Errors
    /// `not_found` for any text that is no link of this server, or one that has expired (D-135).
    pub async fn open_link(&self, token: &str) -> Result<String> {
        let file = self.linked_file(token, Stage::Link).await?;
        let content_disposition = attachment(saved_as(&file.name));
        let headers = LinkHeaders { content_type: &file.mimetype, content_disposition: &content_disposition };
        let signed = self.blobs.signed_url(&file.id.encode(), DOWNLOAD_LIFE, headers).await;
        if let Some(url) = signed.map_err(failed)? {
            return Ok(url);
        }
        let expires_at = self.clock.now() + DOWNLOAD_LIFE;
        let claims = Claims { file: file.id, expires_at, stage: Stage::Download };
        Ok(format!("{}/files/download/{}", self.settings.base_url, links::encode(&self.keys.links, &claims)))
    }

    /// The file of a download that this server gives itself.
    ///
    /// # Errors
    /// `not_found` for any text that is no download of this server, or one that has expired (D-135).
    pub async fn downloadable(&self, token: &str) -> Result<File> {
        self.linked_file(token, Stage::Download).await
    }

    /// Opens the content of a file, or a part of it that begins before its end.
    ///
    /// # Errors
    /// `not_found` when the content is gone.
    pub async fn open_download(&self, file: File, range: Option<Range<u64>>) -> Result<Download> {
        match self.blobs.get(&file.id.encode(), range).await {
            Ok(content) => Ok(Download { file, content }),
            Err(BlobError::NotFound) => refuse(Code::NotFound),
            Err(error) => Err(failed(error)),
        }
    }

    async fn linked_file(&self, token: &str, stage: Stage) -> Result<File> {
        let claims = links::decode(&self.keys.links, token);
        match claims.filter(|claims| claims.stage == stage && claims.is_live(self.clock.now())) {
            Some(claims) => self.db.read(FindAnyFile(claims.file)).await,
            None => refuse(Code::NotFound),
        }
    }

    /// Deletes the contents of files that were deleted long enough ago.
    ///
    /// # Errors
    /// The first of the storage, of which those that follow go on; those of the store. What was not deleted is tried
    /// again later, behind what is due by then.
    pub async fn purge_files(&self, now: Timestamp) -> Result<()> {
        let mut failures = Failures::default();
        for id in self.db.read(FindPurgeable(now)).await? {
            match self.blobs.delete(&id.encode()).await {
                Ok(()) => self.db.write(MarkPurged(id)).await?,
                Err(error) => {
                    self.db.write(PurgeLater { id, when: now + TRIED_AGAIN_AFTER }).await?;
                    if failures.note(&error) {
                        break;
                    }
                }
            }
        }
        failures.end()
    }
}

/// The name under which a download is saved: of a name that looks like a path, the last part (RFC 6266 §4.3).
#[must_use]
pub fn saved_as(name: &str) -> &str {
    match name.rsplit(['/', '\\']).next() {
        None | Some("" | "." | "..") => "file",
        Some(last) => last,
    }
}

/// A failure of the storage is one of the store to callers: 503, and try again.
#[must_use]
pub fn unkept(error: &BlobError) -> Error {
    StoreError::Unavailable(error.to_string().into()).into()
}

#[expect(clippy::needless_pass_by_value, reason = "what `map_err` calls")]
fn failed(error: BlobError) -> Error {
    unkept(&error)
}

struct DeleteFile {
    at: Stamp,
    who: Principal,
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
        let Some(right) = self.who.right_in(file.workspace_id) else { return refuse(Code::FileNotFound) };
        if !right.administers() && file.owner_id != right.person() {
            return refuse(Code::Forbidden);
        }
        if !files::delete(c, file.id, self.at.now, self.at.now + PURGE_AFTER).await? {
            return refuse(Code::FileNotFound);
        }
        Ok(())
    }
}

/// Also a deleted file: its links live on.
struct FindAnyFile(FileId);

impl Op for FindAnyFile {
    const NAME: &'static str = "find_any_file";
    type Out = File;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<File> {
        match files::by_id(c, self.0).await? {
            Some(file) => Ok(file),
            None => refuse(Code::NotFound),
        }
    }
}

struct FindPurgeable(Timestamp);

impl Op for FindPurgeable {
    const NAME: &'static str = "find_purgeable_files";
    type Out = Vec<FileId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<FileId>> {
        files::to_purge(c, self.0, PURGED_AT_ONCE).await
    }
}

struct PurgeLater {
    id: FileId,
    when: Timestamp,
}

impl Op for PurgeLater {
    const NAME: &'static str = "purge_file_later";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::purge_later(c, self.id, self.when).await
    }
}

struct MarkPurged(FileId);

impl Op for MarkPurged {
    const NAME: &'static str = "mark_file_purged";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::purged(c, self.0).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_download_is_saved_under_a_name_and_not_a_path() {
        for (name, saved) in [
            ("a b.txt", "a b.txt"),
            ("../../up.txt", "up.txt"),
            ("C:\\a\\b.txt", "b.txt"),
            ("/", "file"),
            ("..", "file"),
            ("a/..", "file"),
            (".profile", ".profile"),
        ] {
            assert_eq!(saved_as(name), saved, "{name}");
        }
    }
}
