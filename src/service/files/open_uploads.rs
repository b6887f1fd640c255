//! Limits uploads in progress, per person and per process, so that stalled clients cannot exhaust the server.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;

use crate::{
    domain::{
        ids::UserId,
        refusal::{Code, Refusal},
    },
    platform::metrics::{UPLOADS_OPEN, UPLOADS_REFUSED},
};

/// `Retry-After` of rejected uploads, in seconds.
const RETRY_AFTER: u32 = 5;
/// The limits that reject uploads, as values of the label `bound` of [`UPLOADS_REFUSED`]. The module `file_usage`
/// counts the rejections by a storage quota.
const BOUNDS: [&str; 3] = ["person", "process", "quota"];

/// Limits of uploads in progress.
#[derive(Clone, Copy, Debug)]
pub struct UploadSettings {
    /// Maximum number of uploads of one person in a process; 0 means no limit.
    pub per_person: usize,
    /// Maximum number of all uploads in a process; 0 means no limit.
    pub per_process: usize,
    /// Length of each period in which at least 16 KiB of an upload, or its end, must arrive.
    pub idle: Duration,
}

impl Default for UploadSettings {
    fn default() -> Self {
        Self { per_person: 8, per_process: 64, idle: Duration::from_secs(30) }
    }
}

/// The uploads in progress in this process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct OpenUploads(Arc<Mutex<Counts>>);

#[derive(Debug, Default)]
struct Counts {
    /// All uploads, including the operator's uploads of files without an owner.
    total: usize,
    /// The uploads of each person's files. A person without uploads has no entry.
    by_person: HashMap<UserId, usize>,
}

/// An upload in progress. Dropping the value removes the upload from the counts.
#[derive(Debug)]
pub struct OpenUpload {
    uploads: OpenUploads,
    person: Option<UserId>,
}

impl Default for OpenUploads {
    /// Returns a value that counts no uploads. Creates the metric of rejected uploads with the value 0, so that
    /// monitoring sees the first rejection as an increase.
    fn default() -> Self {
        for bound in BOUNDS {
            metrics::counter!(UPLOADS_REFUSED, "bound" => bound).increment(0);
        }
        Self(Arc::default())
    }
}

impl OpenUploads {
    /// Counts an upload until the result is dropped. `person` is the owner of the file; `None` for a file without an
    /// owner, which only the operator can upload.
    ///
    /// # Errors
    /// `rate_limited` if the person has reached `per_person`. `server_error` if the process has reached `per_process`.
    /// Both have `Retry-After`.
    pub fn open(&self, person: Option<UserId>, settings: &UploadSettings) -> Result<OpenUpload, Refusal> {
        let mut counts = self.0.lock();
        let own = person.and_then(|person| counts.by_person.get(&person).copied()).unwrap_or(0);
        if is_full(own, settings.per_person) {
            metrics::counter!(UPLOADS_REFUSED, "bound" => "person").increment(1);
            let mut refusal =
                Refusal::because(Code::RateLimited, "too many uploads of this person are in progress");
            refusal.retry_after = Some(RETRY_AFTER);
            return Err(refusal);
        }
        if is_full(counts.total, settings.per_process) {
            metrics::counter!(UPLOADS_REFUSED, "bound" => "process").increment(1);
            return Err(Refusal::busy("too many uploads are in progress", RETRY_AFTER));
        }
        counts.total += 1;
        if let Some(person) = person {
            *counts.by_person.entry(person).or_default() += 1;
        }
        metrics::gauge!(UPLOADS_OPEN).increment(1.0);
        Ok(OpenUpload { uploads: self.clone(), person })
    }
}

fn is_full(open: usize, limit: usize) -> bool {
    limit > 0 && open >= limit
}

impl Drop for OpenUpload {
    fn drop(&mut self) {
        let mut counts = self.uploads.0.lock();
        counts.total -= 1;
        if let Some(person) = self.person
            && let Some(own) = counts.by_person.get_mut(&person)
        {
            *own -= 1;
            if *own == 0 {
                counts.by_person.remove(&person);
            }
        }
        metrics::gauge!(UPLOADS_OPEN).decrement(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uploads_are_limited_per_person_and_per_process() {
        let uploads = OpenUploads::default();
        let settings = UploadSettings { per_person: 2, per_process: 5, ..UploadSettings::default() };
        let open = |person: Option<i64>| uploads.open(person.map(UserId), &settings);
        let held = [open(Some(1)), open(Some(1)), open(Some(2)), open(None)].map(Result::unwrap);
        assert_eq!(open(Some(1)).unwrap_err().code, Code::RateLimited);
        let last = open(Some(2)).unwrap();
        let full = open(Some(3)).unwrap_err();
        assert_eq!((full.code, full.retry_after), (Code::ServerError, Some(RETRY_AFTER)));
        assert_eq!(
            open(None).unwrap_err().code,
            Code::ServerError,
            "the limit of the process applies to the operator too"
        );
        drop(last);
        drop(held);
        let counts = uploads.0.lock();
        assert!(counts.total == 0 && counts.by_person.is_empty(), "closed uploads are no longer counted");
    }

    #[test]
    fn a_limit_of_zero_means_no_limit() {
        let uploads = OpenUploads::default();
        let settings = UploadSettings { per_person: 0, per_process: 0, ..UploadSettings::default() };
        let held: Vec<_> = (0..100).map(|_| uploads.open(Some(UserId(1)), &settings)).collect();
        assert!(held.iter().all(Result::is_ok));
    }
}
