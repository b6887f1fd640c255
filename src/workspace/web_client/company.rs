//! The choice of a company, for people of several.

use crate::{
    domain::{ids::WorkspaceId, refusal::Code},
    store::{Op, Result, Sql, accounts},
    workspace::{
        callers::{Caller, SignedIn, principal::Principal},
        refuse,
    },
};

impl Caller {
    /// Returns the company that the session has chosen, which may not have the account any more.
    #[must_use]
    pub const fn chosen_company(&self) -> Option<WorkspaceId> {
        match self.principal() {
            Principal::Operator => None,
            Principal::Account { chosen, .. } => *chosen,
        }
    }
}

impl SignedIn<'_> {
    /// Chooses one of the companies of the caller's persons for the session.
    ///
    /// # Errors
    /// `not_found` for another company.
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

impl Op for ChooseCompany {
    const NAME: &'static str = "choose_company";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        accounts::choose_company(c, &self.session, self.company).await
    }
}
