//! Uploads: the content of a file is taken in, noted before it comes, and swept up when it never becomes a file.
//!
//! Called by the admin room; [`sweep_uploads`](World::sweep_uploads) by the upkeep.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, future::BoxFuture};

use super::{
    World,
    files::{Failures, TRIED_AGAIN_AFTER, unkept},
    principal::Principal,
    refuse,
};
use crate::{
    domain::{
        ids::{FileId, UserId, WorkspaceId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::blobs::{BlobError, Blobs, ReceiveError, Received},
    store::{
        Db, Error, Op, Result, Sql, StoreError,
        files::{self, File},
        users, workspaces,
    },
};

/// The most bytes of one file.
pub const MAX_FILE_BYTES: usize = 100 << 20;
/// Most characters of a file's name.
pub const MAX_NAME_CHARS: usize = 255;
/// The media type of a file that came without one.
pub const UNKNOWN_MEDIA_TYPE: &str = "application/octet-stream";
/// When an upload is given up: well after the time that its body may take. What is older never becomes a file.
pub const GIVEN_UP_AFTER: Duration = Duration::from_secs(60 * 60);

/// Most uploads swept up by one run of the upkeep.
const SWEPT_AT_ONCE: i64 = 1_000;

/// Leave to store one file: what [`World::receive_file`] asks for, so that no body is read for nothing.
#[derive(Debug)]
pub struct Upload {
    id: FileId,
    workspace: WorkspaceId,
    owner: Option<UserId>,
    name: String,
    mimetype: String,
}

/// A file whose content has come to its end, not stored yet; dropping it leaves nothing behind.
pub struct ReceivedFile {
    upload: Upload,
    content: Received,
}

impl World {
    /// Lets a caller store a file (W-27). `acting` is the person the operator acts for, `Some(None)` when that is
    /// no user's id; with a session it is not looked at. `mimetype` is the media type without parameters.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company; `user_not_found`; `user_deactivated` for a person the operator
    /// names who is deactivated or removed; `invalid_request` for the name.
    pub async fn admit_upload(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        acting: Option<Option<UserId>>,
        name: String,
        mimetype: Option<String>,
    ) -> Result<Upload> {
        let Some(right) = who.right_in(workspace) else { return refuse(Code::NotFound) };
        if name.is_empty() || name.contains('\0') || name.chars().nth(MAX_NAME_CHARS).is_some() {
            return Err(Refusal::because(Code::InvalidRequest, "name must have 1 to 255 characters").into());
        }
        let owner = match (right.person(), acting) {
            (Some(caller), _) => Some(Some(caller)),
            (None, acting) => acting,
        };
        let owner = self.db.read(FindOwner { workspace, owner }).await?;
        let mimetype = mimetype.unwrap_or_else(|| UNKNOWN_MEDIA_TYPE.to_owned());
        Ok(Upload { id: FileId(self.stamp().id()?), workspace, owner, name, mimetype })
    }

    /// Takes in the content of a file as it comes; little of it is in memory at a time.
    ///
    /// # Errors
    /// The source's, and the storage's for [`unkept`](super::files::unkept); nothing is left behind then, nor when the
    /// future is dropped. What a process leaves that ends meanwhile is removed by [`World::sweep_uploads`].
    pub async fn receive_file<E>(
        &self,
        upload: Upload,
        content: impl Stream<Item = std::result::Result<Bytes, E>> + Send,
    ) -> std::result::Result<ReceivedFile, ReceiveError<E>> {
        let (id, workspace, begun_at) = (upload.id, upload.workspace, self.clock.now());
        let noted = self.db.write(BeginUpload { id, workspace, begun_at }).await;
        noted.map_err(|error| ReceiveError::Storage(unnoted(&error)))?;
        let db = self.db.clone();
        let begun = move |parts: String| -> BoxFuture<'static, std::result::Result<(), BlobError>> {
            let noted = NoteParts { id, parts };
            let db = db.clone();
            Box::pin(async move { db.write(noted).await.map_err(|error| unnoted(&error)) })
        };
        let content = self.blobs.receive(&id.encode(), content, &begun).await?;
        Ok(ReceivedFile { upload, content })
    }

    /// Stores a file, the content first: a crash in between leaves a content without a file, never a file without
    /// its content; the sweep removes it. Once begun it is carried out even if the caller is dropped.
    ///
    /// # Errors
    /// `invalid_auth` and `not_found` for one who may not do so any more: the content may have taken minutes to come.
    /// Those of the storage and the store.
    pub async fn store_file(&self, who: &Principal, received: ReceivedFile) -> Result<File> {
        if self.still(who).await?.right_in(received.upload.workspace).is_none() {
            return refuse(Code::NotFound);
        }
        let ReceivedFile { upload, content } = received;
        let file = File {
            id: upload.id,
            workspace_id: upload.workspace,
            owner_id: upload.owner,
            name: upload.name,
            mimetype: upload.mimetype,
            size: i64::try_from(content.size()).unwrap_or(i64::MAX),
            created_at: self.clock.now(),
            deleted_at: None,
        };
        // a task of its own: a client that leaves now must not leave a content without a file
        let stored = tokio::spawn(store(self.db.clone(), self.blobs.clone(), file, content)).await;
        stored.unwrap_or_else(|error| Err(StoreError::bug(format!("storing a file: {error}")).into()))
    }

    /// Removes what uploads left that never became files: those whose process ended, whose client left, or that were
    /// refused on the way.
    ///
    /// # Errors
    /// As [`World::purge_files`].
    pub async fn sweep_uploads(&self, now: Timestamp) -> Result<()> {
        let given_up = now - GIVEN_UP_AFTER;
        let mut failures = Failures::default();
        for (id, parts) in self.db.write(Sweep(given_up)).await? {
            match self.blobs.sweep(&id.encode(), parts.as_deref()).await {
                Ok(()) => self.db.write(MarkSwept(id)).await?,
                Err(error) => {
                    self.db.write(SweepLater { id, begun_at: given_up + TRIED_AGAIN_AFTER }).await?;
                    if failures.note(&error) {
                        break;
                    }
                }
            }
        }
        failures.end()
    }
}

/// Without a note there is no upload.
fn unnoted(error: &Error) -> BlobError {
    BlobError::Storage(format!("the upload could not be noted: {error}"))
}

async fn store(db: Db, blobs: Blobs, file: File, content: Received) -> Result<File> {
    content.keep().await.map_err(|error| unkept(&error))?;
    match db.write(InsertFile(file.clone())).await {
        Ok(()) => Ok(file),
        Err(error) => {
            let key = file.id.encode();
            // the file may stand all the same when the answer to the commit was lost
            if !matches!(error, Error::Store(StoreError::Unavailable(_)))
                && let Err(error) = blobs.delete(&key).await
            {
                tracing::warn!(%error, key, "a content without a file stays until the sweep");
            }
            Err(error)
        }
    }
}

struct FindOwner {
    workspace: WorkspaceId,
    owner: Option<Option<UserId>>,
}

impl Op for FindOwner {
    const NAME: &'static str = "find_file_owner";
    type Out = Option<UserId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<UserId>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let Some(owner) = self.owner else { return Ok(None) };
        let Some(owner) = owner else { return refuse(Code::UserNotFound) };
        let person = users::by_id(c, owner).await?;
        match person.filter(|person| person.workspace_id == self.workspace && !person.is_bot) {
            // as for a message posted in their name
            Some(person) if !person.state.is_active() => refuse(Code::UserDeactivated),
            Some(person) => Ok(Some(person.id)),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct InsertFile(File);

impl Op for InsertFile {
    const NAME: &'static str = "insert_file";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        if !files::end_upload(c, self.0.id).await? {
            return Err(Refusal::because(Code::InvalidRequest, "the upload took too long").into());
        }
        files::insert(c, &self.0).await
    }
}

struct BeginUpload {
    id: FileId,
    workspace: WorkspaceId,
    begun_at: Timestamp,
}

impl Op for BeginUpload {
    const NAME: &'static str = "begin_upload";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::begin_upload(c, self.workspace, self.id, self.begun_at).await
    }
}

struct NoteParts {
    id: FileId,
    parts: String,
}

impl Op for NoteParts {
    const NAME: &'static str = "note_upload_parts";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::note_parts(c, self.id, &self.parts).await
    }
}

struct Sweep(Timestamp);

impl Op for Sweep {
    const NAME: &'static str = "sweep_uploads";
    type Out = Vec<(FileId, Option<String>)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        files::sweep(c, self.0, SWEPT_AT_ONCE).await
    }
}

struct SweepLater {
    id: FileId,
    begun_at: Timestamp,
}

impl Op for SweepLater {
    const NAME: &'static str = "sweep_upload_later";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::sweep_later(c, self.id, self.begun_at).await
    }
}

struct MarkSwept(FileId);

impl Op for MarkSwept {
    const NAME: &'static str = "mark_upload_swept";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        files::swept(c, self.0).await
    }
}
