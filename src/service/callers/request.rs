//! What the server remembers about one request: whether it wrote anything, and in which companies rights were checked.
//! This decides whether the rights of the request's caller are checked again before the response is sent, and in which
//! companies (`docs/decisions/0030-revocations-and-answers.md`).

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use parking_lot::Mutex;

use crate::domain::ids::WorkspaceId;

/// Whether anything was written on behalf of one request's caller. All clones share the flag.
///
/// If a request has written something, its response counts as a report of the write. On the pages, this is limited to
/// redirects. The transaction of the write has checked the caller's rights. So a response that reports a write is sent
/// even if the caller is revoked after the commit.
///
/// Before any other response, the rights are checked again, as for a read. Examples are the responses to a replay and
/// to a change without effect, because these requests write nothing.
#[derive(Clone, Debug, Default)]
pub struct WrittenFlag(Arc<AtomicBool>);

impl PartialEq for WrittenFlag {
    fn eq(&self, other: &Self) -> bool {
        self.any() == other.any()
    }
}

impl WrittenFlag {
    /// Returns whether there was a write.
    #[must_use]
    pub fn any(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Notes that a write was committed.
    pub(in crate::service) fn note(&self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The companies in which a right of one request's caller was checked. All clones share the list.
#[derive(Clone, Debug, Default)]
pub struct CheckedCompanies(Arc<Mutex<Vec<WorkspaceId>>>);

impl CheckedCompanies {
    pub(in crate::service) fn note(&self, workspace: WorkspaceId) {
        let mut companies = self.0.lock();
        if !companies.contains(&workspace) {
            companies.push(workspace);
        }
    }

    /// Returns whether the request may be about the company `workspace`. Before the first check of a right, the request
    /// may be about every company.
    pub(in crate::service) fn may_be_about(&self, workspace: WorkspaceId) -> bool {
        let companies = self.0.lock();
        companies.is_empty() || companies.contains(&workspace)
    }
}
