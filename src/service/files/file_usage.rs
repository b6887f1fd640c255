//! File storage of people and companies: quotas and usage counts.
//!
//! A file counts against the quotas from its upload until its content is purged. The content is purged two hours after
//! the deletion of the file, or later. If a file stopped counting at its deletion, alternating uploads and deletions
//! could fill the disk.

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

/// Maximum number of batches per run of a job.
const MAX_BATCHES: usize = 200;

/// Storage quotas.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotas {
    /// Bytes of one person's files in one company; `None` is unlimited.
    pub person: Option<i64>,
    /// Bytes of all files of a company; `None` is unlimited.
    pub company: Option<i64>,
}

/// Storage in use, with its quota.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileUsage {
    /// Bytes of files whose contents are stored.
    pub bytes: i64,
    /// Maximum number of bytes; `None` is unlimited.
    pub quota: Option<i64>,
}

impl Quotas {
    /// Adds a file to the usage count of its company. If the file has an owner, also adds it to the owner's usage
    /// count.
    ///
    /// # Errors
    /// `conflict` if the company or the owner would exceed its quota.
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

    /// Checks that the quotas leave room for another file, whose size is at least `bytes`.
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
        let more = |used: i64| used.saturating_add(bytes);
        if self.company.is_some() {
            within(more(file_usage::bytes(c, workspace, None).await?), self.company, QuotaOwner::Company)?;
        }
        if owner.is_some() && self.person.is_some() {
            within(more(file_usage::bytes(c, workspace, owner).await?), self.person, QuotaOwner::Person)?;
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

/// Returns the error of an upload unchanged. If the error reports an exceeded quota, counts it in the metrics.
pub(in crate::service) fn record_rejection(error: Error) -> Error {
    if matches!(&error, Error::Refused(refusal) if refusal.code == Code::Conflict) {
        metrics::counter!(UPLOADS_REFUSED, "bound" => "quota").increment(1);
    }
    error
}

impl CompanyAdmin<'_> {
    /// Returns the storage usage of a company (W-05).
    ///
    /// # Errors
    /// Store errors. The usage of an unknown company is 0 bytes.
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
    /// Deletes files that have been without a message for longer than
    /// [`unattached_life`](crate::service::ServiceSettings::unattached_life). Keeps their contents for another
    /// [`PURGE_AFTER`], so that links issued before the deletion work until they expire (B-302, D-136).
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

    /// Updates the usage counts: subtracts files whose contents were purged, and adds files that an earlier version
    /// of the server stored without counting them.
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
        let mut changed = file_usage::count(c, PURGE_BATCH).await?;
        changed.extend(file_usage::subtract_deleted(c, PURGE_BATCH).await?);
        file_usage::add_all(c, &changed).await?;
        Ok(changed.len())
    }
}
