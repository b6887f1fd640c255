//! The company that the web client shows in a session. If the account has persons in several companies, one of these
//! companies is chosen for the session.

use crate::{
    domain::{ids::WorkspaceId, refusal::Code},
    service::{
        callers::{Caller, SignedIn, principal::CallerPrincipal},
        refuse,
    },
    store::{Result, accounts, op},
};

impl Caller {
    /// Returns the company that was chosen for the session; `None` if no company was chosen. The account possibly has
    /// no person in this company any more.
    #[must_use]
    pub const fn chosen_company(&self) -> Option<WorkspaceId> {
        match self.principal() {
            CallerPrincipal::Operator => None,
            CallerPrincipal::Account { chosen, .. } => *chosen,
        }
    }
}

impl SignedIn<'_> {
    /// Stores `company` as the company that the web client shows in the session.
    ///
    /// # Errors
    /// `not_found` for a company in which the caller has no person.
    pub async fn choose_company(self, company: WorkspaceId) -> Result<()> {
        if self.caller().person_in(company).is_err() {
            return refuse(Code::NotFound);
        }
        self.caller().write(ChooseCompany { session: self.session(), company }).await
    }
}

struct ChooseCompany {
    session: [u8; 32],
    company: WorkspaceId,
}

op! {
    Op "choose_company": ChooseCompany -> () = |op, c| accounts::choose_company(c, &op.session, op.company)
}
