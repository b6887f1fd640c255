//! Converts the settings `files.*` for the service layer.

use std::time::Duration;

use crate::{
    config::Files,
    service::{files::file_usage::Quotas, files::open_uploads::UploadSettings},
};

/// Returns the storage quotas in bytes. A configured quota of 0 MiB means that there is no quota.
pub(super) fn quotas(files: &Files) -> Quotas {
    let bytes = |mib: u32| (mib > 0).then(|| i64::from(mib) << 20);
    Quotas { person: bytes(files.quota_mib_per_person), company: bytes(files.quota_mib_per_company) }
}

/// Returns the age at which files without a message are deleted; `None` if they are never deleted.
pub(super) fn unattached_life(files: &Files) -> Option<Duration> {
    let hours = u64::from(files.unattached_hours);
    (hours > 0).then(|| Duration::from_secs(hours * 60 * 60))
}

/// Returns the limits of uploads in progress.
pub(super) fn uploads(files: &Files) -> UploadSettings {
    let count = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
    UploadSettings {
        per_person: count(files.max_open_uploads_per_person),
        per_process: count(files.max_open_uploads),
        idle: Duration::from_secs(files.upload_idle_seconds.into()),
    }
}
