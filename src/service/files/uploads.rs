//! Uploads: authorizing an upload, receiving its content, and storing the file. An upload is recorded before its
//! content arrives. So a maintenance job can find an abandoned upload and delete its content.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, future::BoxFuture};

use crate::service::{
    World,
    callers::{Caller, CallerKind, CompanyCaller, confirm::WritingCaller},
    files::file_usage::{Quotas, record_rejection},
    files::open_uploads::OpenUpload,
    files::{Failures, FileView, RETRY_DELAY, unavailable},
    refuse,
};
use crate::{
    domain::{
        ids::{FileId, UserId, WorkspaceId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::{
        blobs::{BlobError, Blobs, ReceiveError, Received},
        metrics::FILE_BYTES,
    },
    store::{
        Db, Error, LockKey, Locks, Op, ReadOp, ReadSql, Result, Sql, StoreError,
        files::{self, File},
        op, users, workspaces,
    },
};

/// Maximum size of a file in bytes.
pub const MAX_FILE_BYTES: usize = 100 << 20;
/// Maximum number of characters of a file name.
pub const MAX_NAME_CHARS: usize = 255;
/// Media type of a file that was uploaded without a media type.
pub const UNKNOWN_MEDIA_TYPE: &str = "application/octet-stream";
/// Age at which an upload counts as abandoned. This is much longer than the time limit for receiving a body, which is
/// ten minutes. A maintenance job claims an abandoned upload before it deletes the content. A claimed upload cannot
/// become a file.
pub const ABANDONED_AFTER: Duration = Duration::from_secs(60 * 60);

/// Maximum number of abandoned uploads that one run of the maintenance job deletes.
const SWEEP_BATCH: i64 = 1_000;

/// An authorized upload. [`World::receive_file`] requires it, so the body of an unauthorized request is never read.
#[derive(Debug)]
pub struct Upload {
    id: FileId,
    workspace: WorkspaceId,
    owner: Option<UserId>,
    name: String,
    mimetype: String,
    /// Counts the upload as in progress until the file is stored or this value is dropped.
    open: OpenUpload,
}

/// A file whose content was received and is not stored yet. Dropping the value deletes the content.
pub struct ReceivedFile {
    upload: Upload,
    content: Received,
}

impl CompanyCaller<'_> {
    /// Authorizes an upload (W-27).
    ///
    /// If the caller is a signed-in person, the person owns the file, and `acting` is ignored. If the caller is the
    /// operator, `acting` is the person for whom the operator uploads. `None` then stands for a file without an owner,
    /// and `Some(None)` for text that is not a user id. `mimetype` is the media type without parameters. `length` is
    /// the minimum size of the content in bytes. This size is checked against the quotas before the content is
    /// received.
    ///
    /// # Errors
    /// - `invalid_request` for an invalid `name`.
    /// - `not_found` for an unknown company.
    /// - `user_not_found` if `acting` is not a person of the company.
    /// - `user_deactivated` if `acting` is a deactivated or removed person.
    /// - `conflict` if a quota would be exceeded.
    /// - Errors of [`OpenUploads::open`].
    /// - Errors of [`Stamp::id`](crate::service::Stamp::id).
    ///
    /// [`OpenUploads::open`]: crate::service::files::open_uploads::OpenUploads::open
    pub async fn admit_upload(
        self,
        acting: Option<Option<UserId>>,
        name: String,
        mimetype: Option<String>,
        length: i64,
    ) -> Result<Upload> {
        let workspace = self.company_id();
        if name.is_empty() || name.contains('\0') || name.chars().nth(MAX_NAME_CHARS).is_some() {
            let why = "name must have 1 to 255 characters, none of which is U+0000";
            return Err(Refusal::because(Code::InvalidRequest, why).into());
        }
        let owner = match (self.right().person(), acting) {
            (Some(caller), _) => Some(Some(caller)),
            (None, acting) => acting,
        };
        let quotas = self.world().settings.quotas;
        let find = FindOwner { workspace, owner, quotas, length };
        let owner = self.world().db.read(find).await.map_err(record_rejection)?;
        let mimetype = mimetype.unwrap_or_else(|| UNKNOWN_MEDIA_TYPE.to_owned());
        let open = self.world().open_uploads.open(owner, &self.world().settings.uploads)?;
        Ok(Upload { id: FileId(self.world().stamp().id()?), workspace, owner, name, mimetype, open })
    }
}

impl World {
    /// Receives the content of a file as a stream. Only a small part of the content is in memory at a time.
    ///
    /// # Errors
    /// Errors of the stream `content`, and errors of the file storage.
    /// [`unavailable`](crate::service::files::unavailable) converts an error of the file storage to a [`StoreError`].
    ///
    /// After an error, or if the future is dropped, this function deletes the received content. After a crash,
    /// [`World::sweep_uploads`] deletes the content.
    pub async fn receive_file<E>(
        &self,
        upload: Upload,
        content: impl Stream<Item = std::result::Result<Bytes, E>> + Send,
    ) -> std::result::Result<ReceivedFile, ReceiveError<E>> {
        let (id, workspace, begun_at) = (upload.id, upload.workspace, self.clock.now());
        let recorded = self.db.write(BeginUpload { id, workspace, begun_at }).await;
        recorded.map_err(|error| ReceiveError::Storage(record_failed(&error)))?;
        let db = self.db.clone();
        let begun = move |parts: String| -> BoxFuture<'static, std::result::Result<(), BlobError>> {
            let op = NoteParts { id, parts };
            let db = db.clone();
            Box::pin(async move { db.write(op).await.map_err(|error| record_failed(&error)) })
        };
        let content = self.blobs.receive(&id.encode(), content, &begun).await?;
        Ok(ReceivedFile { upload, content })
    }

    /// Deletes the contents of abandoned uploads. An upload is abandoned if it has not become a file within
    /// [`ABANDONED_AFTER`], for example because of a crash, a disconnect or a rejection. If a deletion fails, continues
    /// with the next upload, and stops after too many failures. A failed deletion is retried after ten minutes.
    ///
    /// # Errors
    /// Errors of [`World::purge_files`].
    pub async fn sweep_uploads(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - ABANDONED_AFTER;
        let mut failures = Failures::default();
        for (id, parts) in self.db.write(Sweep(cutoff)).await? {
            match self.blobs.sweep(&id.encode(), parts.as_deref()).await {
                Ok(()) => self.db.write(MarkSwept(id)).await?,
                Err(error) => {
                    self.db.write(SweepLater { id, begun_at: cutoff + RETRY_DELAY }).await?;
                    if failures.note(&error) {
                        break;
                    }
                }
            }
        }
        failures.into_result()
    }
}

impl Caller {
    /// Stores a file: first its content, then its row. So a crash between the two steps leaves content without a row,
    /// which a maintenance job deletes, and never a row without content. If the future is dropped while the content is
    /// being stored, the operation still completes.
    ///
    /// # Errors
    /// Receiving the content can take minutes. So the conditions under which the upload was authorized are checked
    /// again.
    ///
    /// - `invalid_auth`, `not_found` or `forbidden` if the caller has lost the right to upload.
    /// - `user_deactivated` if the person for whom the operator uploads was deactivated or removed.
    /// - `invalid_request` if the upload took so long that a maintenance job has claimed it as abandoned.
    /// - `conflict` if a quota would be exceeded.
    /// - Errors of the file storage and of the store.
    pub async fn store_file(&self, received: ReceivedFile) -> Result<FileView> {
        if self.refreshed().await?.right_in(received.upload.workspace).is_none() {
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
            created_at: self.world().clock.now(),
            deleted_at: None,
        };
        let insert = InsertFile {
            unattached_until: self.world().settings.unattached_life.map(|life| file.created_at + life),
            quotas: self.world().settings.quotas,
            // for a person with a session, `caller.write` confirms that the person is active
            acting: file.owner_id.filter(|_| self.kind() == CallerKind::Operator),
            file,
        };
        // stored in a task of its own: if the client disconnects now, the task still completes, and no content is left
        // without a row
        let stored = tokio::spawn(store(
            self.world().db.clone(),
            self.world().blobs.clone(),
            self.writer()?,
            insert,
            content,
            upload.open,
        ))
        .await;
        let stored =
            stored.unwrap_or_else(|error| Err(StoreError::bug(format!("storing a file: {error}")).into()));
        stored.map(FileView::from)
    }
}

/// Converts a failure to record an upload into an error of the file storage. After such an error, [`Blobs::receive`]
/// receives no more content.
fn record_failed(error: &Error) -> BlobError {
    BlobError::Storage(format!("failed to record the upload: {error}"))
}

/// Stores the content of a file, and then the row. If the row is rejected, deletes the content. Holds `_open` until the
/// end, so that the upload counts as in progress until then.
async fn store(
    db: Db,
    blobs: Blobs,
    caller: WritingCaller,
    insert: InsertFile,
    content: Received,
    _open: OpenUpload,
) -> Result<File> {
    let file = insert.file.clone();
    content.keep().await.map_err(|error| unavailable(&error))?;
    match caller.write(&db, insert).await {
        Ok(()) => {
            metrics::counter!(FILE_BYTES).increment(file.size.unsigned_abs());
            Ok(file)
        }
        Err(error) => {
            let key = file.id.encode();
            // if the connection to the database was lost during the commit, the row possibly exists, so the content is
            // kept
            if !matches!(error, Error::Store(StoreError::Unavailable(_)))
                && let Err(error) = blobs.delete(&key).await
            {
                tracing::warn!(
                    %error, key, "failed to delete a content without a file; the maintenance job retries"
                );
            }
            Err(record_rejection(error))
        }
    }
}

struct FindOwner {
    workspace: WorkspaceId,
    /// `None` for a file without an owner; `Some(None)` for text that is not a user id.
    owner: Option<Option<UserId>>,
    quotas: Quotas,
    /// Minimum size of the file in bytes.
    length: i64,
}

impl ReadOp for FindOwner {
    const NAME: &'static str = "find_file_owner";
    type Out = Option<UserId>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Option<UserId>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let owner = self.find(c).await?;
        self.quotas.check(c, self.workspace, owner, self.length).await?;
        Ok(owner)
    }
}

impl FindOwner {
    async fn find<C: ReadSql>(&self, c: &mut C) -> Result<Option<UserId>> {
        let Some(owner) = self.owner else { return Ok(None) };
        let Some(owner) = owner else { return refuse(Code::UserNotFound) };
        let person = users::by_id(c, owner).await?;
        match person.filter(|person| person.workspace_id == self.workspace && !person.is_bot) {
            // the operator gets the same error for a message that they post as a deactivated person
            Some(person) if !person.state.is_active() => refuse(Code::UserDeactivated),
            Some(person) => Ok(Some(person.id)),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct InsertFile {
    file: File,
    /// The person for whom the operator uploads the file; `None` for all other uploads.
    acting: Option<UserId>,
    unattached_until: Option<Timestamp>,
    quotas: Quotas,
}

impl Op for InsertFile {
    const NAME: &'static str = "insert_file";
    type Out = ();

    /// Locks the person for whom the operator acts. So no file is stored for this person after the response that
    /// confirms the person's deactivation.
    fn locks(&self) -> Locks {
        Locks::shared(self.acting.map(LockKey::user))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        if let Some(id) = self.acting
            && !users::by_id(c, id).await?.is_some_and(|person| person.state.is_active())
        {
            return refuse(Code::UserDeactivated);
        }
        let File { id, workspace_id, owner_id, size, .. } = self.file;
        if !files::end_upload(c, id).await? {
            return Err(Refusal::because(Code::InvalidRequest, "the upload took too long").into());
        }
        self.quotas.add(c, workspace_id, owner_id, size).await?;
        files::insert(c, &self.file, self.unattached_until).await
    }
}

struct BeginUpload {
    id: FileId,
    workspace: WorkspaceId,
    begun_at: Timestamp,
}

op! {
    Op "begin_upload": BeginUpload -> () = |op, c| files::begin_upload(c, op.workspace, op.id, op.begun_at)
}

struct NoteParts {
    id: FileId,
    /// Id of the multipart upload in the bucket.
    parts: String,
}

op! { Op "note_upload_parts": NoteParts -> () = |op, c| files::note_parts(c, op.id, &op.parts) }

struct Sweep(Timestamp);

op! {
    Op "sweep_uploads": Sweep -> Vec<(FileId, Option<String>)> = |op, c| files::sweep(c, op.0, SWEEP_BATCH)
}

struct SweepLater {
    id: FileId,
    begun_at: Timestamp,
}

op! { Op "sweep_upload_later": SweepLater -> () = |op, c| files::sweep_later(c, op.id, op.begun_at) }

struct MarkSwept(FileId);

op! { Op "mark_upload_swept": MarkSwept -> () = |op, c| files::swept(c, op.0) }
