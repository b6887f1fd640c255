//! Recent decisions on the consent page. For a minute, each process remembers the decisions that it handled. If an
//! employee submits the form twice, the second submission gets the response to the first ([`RecentDecisions`]). The
//! exception is an approval whose code the client has already exchanged (`consent.rs`).

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use crate::domain::{browser::BrowserId, ids::WorkspaceId, time::Timestamp};

/// How long after a decision a repeated submission of the form gets the response to the first submission.
const LIFE: Duration = Duration::from_secs(60);
/// Number of slots of [`RecentDecisions`]. Several authorization requests share a slot. A slot has the latest decision
/// about any of them.
const SLOTS: usize = 64;

/// A decision and the response to it.
#[derive(Clone)]
pub(super) struct RecentDecision {
    pub(super) form: ConsentForm,
    /// Hash of the authorization code that an approval issues. Unused for a denial.
    pub(super) code_hash: [u8; 32],
    pub(super) at: Timestamp,
    /// The URL of the response: the redirect URI of the client with the parameters of the response.
    pub(super) address: String,
}

/// A submitted form of the consent page. A form with the same values is a repeated submission.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ConsentForm {
    /// Hash of the id of the authorization request.
    pub(super) request: [u8; 32],
    pub(super) browser: BrowserId,
    /// Hash of the session.
    pub(super) session: [u8; 32],
    /// The chosen company; `None` for a denial.
    pub(super) company: Option<WorkspaceId>,
}

impl RecentDecision {
    /// Returns whether the same form made this decision less than [`LIFE`] ago.
    pub(super) fn is_of(&self, form: &ConsentForm, now: Timestamp) -> bool {
        self.form == *form && now < self.at + LIFE
    }
}

/// The latest decisions that this process handled.
///
/// A double click submits the form twice, and the browser shows only the response to the second submission. But the
/// first submission has already decided the authorization request. Without a remembered response, the employee would
/// see an error page, and would not get back to the client.
pub struct RecentDecisions(Box<[Mutex<Option<RecentDecision>>]>);

impl Default for RecentDecisions {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| Mutex::default()).collect())
    }
}

impl RecentDecisions {
    /// Locks the slot of an authorization request, and returns the decision in the slot. It can be a decision about
    /// another request, because several requests share a slot. The handler of a form holds the lock until the decision
    /// is written to the database. So the handler of a second form for the same request waits for the first handler.
    pub(super) async fn latest(&self, request: &[u8; 32]) -> MutexGuard<'_, Option<RecentDecision>> {
        self.0[usize::from(request[0]) % SLOTS].lock().await
    }
}
