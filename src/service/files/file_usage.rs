//! File storage of people and companies: quotas and usage counts.
//!
//! A file counts against the quotas from its upload until its content is purged. The content is purged two hours after
//! the deletion of the file, or later. If a file stopped counting at its deletion, a person could fill the disk by
//! alternately uploading and deleting files.

use crate::service::{
    World,
    callers::{Caller, CompanyAdmin, principal::CallerPrincipal},
    files::{PURGE_AFTER, PURGE_BATCH},
    refuse,
};
use crate::{
    domain::{
        ids::{UserId, WorkspaceId},
        refusal::{Code, Refusal},
        time::Timestamp,
    },
    platform::metrics::UPLOADS_REFUSED,
    store::{Error, Op, ReadOp, ReadSql, Result, Sql, file_usage, files, op, users},
};

/// Maximum number of batches of each step in one run of the maintenance job.
const MAX_BATCHES: usize = 200;

/// The storage quotas of the deployment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotas {
    /// Maximum number of bytes of one person's files in one company; `None` means unlimited.
    pub person: Option<i64>,
    /// Maximum number of bytes of all files of a company; `None` means unlimited.
    pub company: Option<i64>,
}

/// The storage that a person or a company uses, with the quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileUsage {
    /// Number of bytes of the files that count against the quota.
    pub bytes: i64,
    /// Maximum number of bytes; `None` means unlimited.
    pub quota: Option<i64>,
}

impl Quotas {
    /// Adds the size of a new file to the usage count of its company. If the file has an owner, also adds the size to
    /// the owner's usage count.
    ///
    /// # Errors
    /// `conflict` if the files of the company or of the owner would exceed their quota.
    pub(in crate::service) async fn add<C: Sql>(
        self,
        c: &mut C,
        workspace: WorkspaceId,
        owner: Option<UserId>,
        bytes: i64,
    ) -> Result<()> {
        let used = file_usage::add(c, workspace, None, bytes).await?;
        within(used, self.company, QuotaOwner::Company)?;
        if owner.is_some() {
            let used = file_usage::add(c, workspace, owner, bytes).await?;
            within(used, self.person, QuotaOwner::Person)?;
        }
        Ok(())
    }

    /// Checks that the quotas allow a new file of at least `bytes` bytes. Changes no usage count.
    ///
    /// # Errors
    /// Errors of [`Quotas::add`].
    pub(in crate::service) async fn check<C: ReadSql>(
        self,
        c: &mut C,
        workspace: WorkspaceId,
        owner: Option<UserId>,
        bytes: i64,
    ) -> Result<()> {
        let total = |used: i64| used.saturating_add(bytes);
        if self.company.is_some() {
            within(total(file_usage::bytes(c, workspace, None).await?), self.company, QuotaOwner::Company)?;
        }
        if owner.is_some() && self.person.is_some() {
            within(total(file_usage::bytes(c, workspace, owner).await?), self.person, QuotaOwner::Person)?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
enum QuotaOwner {
    Person,
    Company,
}

fn within(used: i64, quota: Option<i64>, owner: QuotaOwner) -> Result<()> {
    let Some(quota) = quota.filter(|quota| used > *quota) else { return Ok(()) };
    let files = match owner {
        QuotaOwner::Person => "the person's files",
        QuotaOwner::Company => "the company's files",
    };
    let why = format!("{files} would exceed their quota of {} MiB; delete some of them", quota >> 20);
    Err(Refusal::because(Code::Conflict, why).into())
}

/// If the error of an upload reports an exceeded quota, counts the error in the metrics. Returns the error unchanged.
pub(in crate::service) fn record_rejection(error: Error) -> Error {
    if matches!(&error, Error::Refused(refusal) if refusal.code == Code::Conflict) {
        metrics::counter!(UPLOADS_REFUSED, "bound" => "quota").increment(1);
    }
    error
}

impl CompanyAdmin<'_> {
    /// Returns the storage usage of a company (W-05). The usage of an unknown company is 0 bytes.
    ///
    /// # Errors
    /// Store errors.
    pub async fn company_usage(self) -> Result<FileUsage> {
        let workspace = self.company_id();
        let bytes = self.world().db.read(FindUsage { workspace, owner: None }).await?;
        Ok(FileUsage { bytes, quota: self.world().settings.quotas.company })
    }
}

impl Caller {
    /// Returns the storage usage of a person (W-09).
    ///
    /// # Errors
    /// Errors of [`Caller::full_person`].
    pub async fn person_usage(&self, id: UserId) -> Result<FileUsage> {
        let bytes = self.world().db.read(FindPersonUsage { principal: self.to_principal(), id }).await?;
        Ok(FileUsage { bytes, quota: self.world().settings.quotas.person })
    }
}

impl World {
    /// Deletes files that no message has contained for
    /// [`unattached_life`](crate::service::ServiceSettings::unattached_life). Keeps their contents for [`PURGE_AFTER`]
    /// after the deletion, so that links issued before the deletion work until they expire (B-302, D-136).
    ///
    /// # Errors
    /// Store errors.
    pub(in crate::service) async fn delete_unattached_files(&self, now: Timestamp) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            if self.db.write(DeleteUnattached(now)).await? < PURGE_BATCH.unsigned_abs() {
                break;
            }
        }
        Ok(())
    }

    /// Updates the usage counts. Subtracts the sizes of files whose contents were purged. Adds the sizes of files that
    /// an earlier version of the server stored without counting them.
    ///
    /// # Errors
    /// Store errors.
    pub(in crate::service) async fn count_files(&self) -> Result<()> {
        for _ in 0..MAX_BATCHES {
            if self.db.write(CountFiles).await? == 0 {
                break;
            }
        }
        Ok(())
    }
}

struct FindUsage {
    workspace: WorkspaceId,
    owner: Option<UserId>,
}

op! { ReadOp "find_file_usage": FindUsage -> i64 = |op, c| file_usage::bytes(c, op.workspace, op.owner) }

struct FindPersonUsage {
    principal: CallerPrincipal,
    id: UserId,
}

impl ReadOp for FindPersonUsage {
    const NAME: &'static str = "find_person_file_usage";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        let Some(user) = users::by_id(c, self.id).await? else { return refuse(Code::UserNotFound) };
        self.principal.own_or_administer(user.workspace_id, user.id, Code::UserNotFound)?;
        file_usage::bytes(c, user.workspace_id, Some(user.id)).await
    }
}

struct DeleteUnattached(Timestamp);

op! {
    Op "delete_unattached_files": DeleteUnattached -> u64 =
        |op, c| files::delete_unattached(c, op.0, PURGE_BATCH, op.0 + PURGE_AFTER)
}

struct CountFiles;

impl Op for CountFiles {
    const NAME: &'static str = "count_files";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        let mut changed = file_usage::mark_counted(c, PURGE_BATCH).await?;
        changed.extend(file_usage::mark_subtracted(c, PURGE_BATCH).await?);
        file_usage::add_all(c, &changed).await?;
        Ok(changed.len())
    }
}
