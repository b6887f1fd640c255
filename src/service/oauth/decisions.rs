//! Recent decisions on the consent page. Each process remembers the decisions that it handled, so that an employee who
//! submits the form twice gets back to the client.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use crate::domain::{browser::BrowserId, ids::WorkspaceId, time::Timestamp};

/// For how long after a decision a repeated form gets the response to the first form.
const LIFE: Duration = Duration::from_secs(60);
/// Number of slots. Each slot has the latest decision about the requests that share it.
const SLOTS: usize = 64;

/// A decision and the response to it.
#[derive(Clone)]
pub(super) struct RecentDecision {
    pub(super) form: ConsentForm,
    /// Hash of the authorization code that an approval issues. A denial does not use it.
    pub(super) code_hash: [u8; 32],
    pub(super) at: Timestamp,
    /// The redirect URI of the client with the parameters of the response.
    pub(super) address: String,
}

/// What the form of the consent page decides.
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
