//! The types of callers whose rights have been checked. Only the methods of [`Caller`] in this file construct values of
//! these types, after the check. So a value proves that its caller has the right.

use std::sync::Arc;

use super::{
    caller::Caller,
    principal::{CallerPrincipal, Right},
};
use crate::{
    domain::{
        ids::{AccountId, UserId, WorkspaceId},
        refusal::Code,
    },
    service::{World, refuse},
    store::Result,
};

/// The operator. Its methods are the operations that only the operator may request.
#[derive(Clone, Copy)]
pub struct Operator<'a> {
    caller: &'a Caller,
}

/// The operator or a company admin, in one company. Its methods are the operations that both may request there.
#[derive(Clone, Copy)]
pub struct CompanyAdmin<'a> {
    caller: &'a Caller,
    company: WorkspaceId,
    right: Right,
}

/// The operator or any person of a company, in this company. The methods are the operations that the operator and all
/// people of the company may request there.
#[derive(Clone, Copy)]
pub struct CompanyCaller<'a> {
    caller: &'a Caller,
    company: WorkspaceId,
    right: Right,
}

/// A person of a company, who may be an admin. Its methods are the operations that people may request for themselves in
/// the company.
#[derive(Clone, Copy)]
pub struct Person<'a> {
    caller: &'a Caller,
    company: WorkspaceId,
    id: UserId,
}

/// A signed-in account. The methods are the operations on the account itself, on the session of the request, and on the
/// account's persons.
#[derive(Clone, Copy)]
pub struct SignedIn<'a> {
    caller: &'a Caller,
    account: AccountId,
    session: [u8; 32],
}

impl Caller {
    /// Returns the caller as the operator.
    ///
    /// # Errors
    /// `forbidden` for everyone else.
    pub fn operator(&self) -> Result<Operator<'_>> {
        match self.principal() {
            CallerPrincipal::Operator => Ok(Operator { caller: self }),
            CallerPrincipal::Account { .. } => refuse(Code::Forbidden),
        }
    }

    /// Returns the caller as someone who administers a company.
    ///
    /// # Errors
    /// `not_found` for a caller outside the company, `forbidden` for people of the company who are not admins.
    pub fn admin_of(&self, company: WorkspaceId) -> Result<CompanyAdmin<'_>> {
        let right = self.principal().administer(company, Code::NotFound)?;
        Ok(CompanyAdmin { caller: self, company, right })
    }

    /// Returns the caller as the operator or a person of a company.
    ///
    /// # Errors
    /// `not_found` for a caller outside the company.
    pub fn in_company(&self, company: WorkspaceId) -> Result<CompanyCaller<'_>> {
        match self.principal().right_in(company) {
            Some(right) => Ok(CompanyCaller { caller: self, company, right }),
            None => refuse(Code::NotFound),
        }
    }

    /// Returns the caller as a person of a company.
    ///
    /// # Errors
    /// `user_not_found` for the operator and for a caller outside the company.
    pub fn person_in(&self, company: WorkspaceId) -> Result<Person<'_>> {
        match self.principal().right_in(company).and_then(Right::person) {
            Some(id) => Ok(Person { caller: self, company, id }),
            None => refuse(Code::UserNotFound),
        }
    }

    /// Returns the caller as a signed-in account.
    ///
    /// # Errors
    /// `forbidden` for the operator.
    pub fn signed_in(&self) -> Result<SignedIn<'_>> {
        match self.principal() {
            CallerPrincipal::Operator => refuse(Code::Forbidden),
            CallerPrincipal::Account { account_id, session, .. } => {
                Ok(SignedIn { caller: self, account: *account_id, session: *session })
            }
        }
    }
}

impl<'a> Operator<'a> {
    pub(in crate::service) const fn caller(self) -> &'a Caller {
        self.caller
    }

    pub(in crate::service) const fn world(self) -> &'a Arc<World> {
        self.caller.world()
    }
}

impl<'a> CompanyAdmin<'a> {
    pub(in crate::service) const fn caller(self) -> &'a Caller {
        self.caller
    }

    pub(in crate::service) const fn world(self) -> &'a Arc<World> {
        self.caller.world()
    }

    pub(in crate::service) const fn company_id(self) -> WorkspaceId {
        self.company
    }

    pub(in crate::service) const fn right(self) -> Right {
        self.right
    }
}

impl<'a> CompanyCaller<'a> {
    pub(in crate::service) const fn caller(self) -> &'a Caller {
        self.caller
    }

    pub(in crate::service) const fn world(self) -> &'a Arc<World> {
        self.caller.world()
    }

    pub(in crate::service) const fn company_id(self) -> WorkspaceId {
        self.company
    }

    pub(in crate::service) const fn right(self) -> Right {
        self.right
    }

    /// Returns the filter by person for a list of the company: the requested filter `of` for the operator and admins,
    /// and the caller's own id for all other callers. `None` is no filter. `Some(None)` is a filter by a text that is
    /// not a user id.
    ///
    /// # Errors
    /// `forbidden` if a caller who is neither the operator nor an admin requests a filter by anything but the caller's
    /// own id.
    #[expect(clippy::option_option, reason = "no filter, an invalid id, and a valid id")]
    pub(in crate::service) fn own_or_any(self, of: Option<Option<UserId>>) -> Result<Option<Option<UserId>>> {
        match self.right {
            Right::Person(own) if of.is_some_and(|of| of != Some(own)) => refuse(Code::Forbidden),
            Right::Person(own) => Ok(Some(Some(own))),
            Right::Operator | Right::Admin(_) => Ok(of),
        }
    }
}

impl<'a> Person<'a> {
    pub(in crate::service) const fn caller(self) -> &'a Caller {
        self.caller
    }

    pub(in crate::service) const fn world(self) -> &'a Arc<World> {
        self.caller.world()
    }

    pub(in crate::service) const fn company_id(self) -> WorkspaceId {
        self.company
    }

    /// Returns the person's id.
    #[must_use]
    pub const fn user_id(self) -> UserId {
        self.id
    }
}

impl<'a> SignedIn<'a> {
    pub(in crate::service) const fn caller(self) -> &'a Caller {
        self.caller
    }

    pub(in crate::service) const fn world(self) -> &'a Arc<World> {
        self.caller.world()
    }

    pub(in crate::service) const fn account(self) -> AccountId {
        self.account
    }

    pub(in crate::service) const fn session(self) -> [u8; 32] {
        self.session
    }
}
