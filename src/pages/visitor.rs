//! The signed-in account of a request.

use crate::{
    domain::ids::WorkspaceId,
    service::{callers::Caller, people::OwnPerson},
};

/// A signed-in account.
pub(super) struct Visitor {
    pub(super) caller: Caller,
    /// SHA-256 of the session's token.
    pub(super) session: [u8; 32],
    /// The persons of the account as whom the session can act, at most one in each company; at least one person.
    pub(super) people: Vec<OwnPerson>,
    /// The company that the web client shows; `None` if the session has not chosen a company.
    pub(super) chosen: Option<WorkspaceId>,
}

impl Visitor {
    /// Returns the person in the company that the session has chosen. `None` if the session has not chosen a company,
    /// or if `people` has no person in that company.
    pub(super) fn chosen_person(&self) -> Option<&OwnPerson> {
        self.people.iter().find(|own_person| self.chosen == Some(own_person.workspace_id))
    }
}
