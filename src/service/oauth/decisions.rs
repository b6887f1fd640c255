//! Recent decisions on the consent page. They are stored so that an employee who submits the form twice gets back to
//! the client.

use std::time::Duration;

use tokio::sync::{Mutex, MutexGuard};

use crate::domain::{browser::BrowserId, ids::WorkspaceId, time::Timestamp};

/// How long a decision is remembered.
const LIFE: Duration = Duration::from_secs(60);
/// Number of remembered decisions.
const SLOTS: usize = 64;

/// A decision and the response to it.
#[derive(Clone)]
pub(super) struct RecentDecision {
    pub(super) form: ConsentForm,
    /// Hash of the code that an approval issues.
    pub(super) code_hash: [u8; 32],
    pub(super) at: Timestamp,
    /// The redirect URI of the client with the parameters of the response.
    pub(super) address: String,
}

/// What the form of the consent page decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ConsentForm {
    /// Hash of the request's id.
    pub(super) request: [u8; 32],
    pub(super) browser: BrowserId,
    /// Hash of the session.
    pub(super) session: [u8; 32],
    /// The chosen company; `None` for a denial.
    pub(super) company: Option<WorkspaceId>,
}

impl RecentDecision {
    /// Returns whether this is a decision of the same form within [`LIFE`].
    pub(super) fn is_of(&self, form: &ConsentForm, now: Timestamp) -> bool {
        self.form == *form && now < self.at + LIFE
    }
}

/// The latest decisions that this process handled.
///
/// A double click submits the form twice, and the browser shows only the response to the second form. The first form
/// has ended the authorization request. Without a stored response, the second form would get an error page, and the
/// employee would not get back to the client.
pub struct RecentDecisions(Box<[Mutex<Option<RecentDecision>>]>);

impl Default for RecentDecisions {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| Mutex::default()).collect())
    }
}

impl RecentDecisions {
    /// Locks the slot of a request, and returns the latest decision in the slot. The decision can be about another
    /// request, because several requests share a slot. The handler of a form holds the lock until the decision is
    /// stored. So a second form for the same request waits for the first form.
    pub(super) async fn latest(&self, request: &[u8; 32]) -> MutexGuard<'_, Option<RecentDecision>> {
        self.0[usize::from(request[0]) % SLOTS].lock().await
    }
}
