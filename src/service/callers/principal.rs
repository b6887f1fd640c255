//! The rights of a caller of the admin API or the pages. The caller is the operator, or an account that can act as one
//! or more persons.

use crate::{
    domain::{
        ids::{AccountId, UserId, WorkspaceId},
        people::{UserState, is_active_admin},
        refusal::Code,
    },
    service::view,
    store::{Result, accounts::Membership},
};

use crate::service::{
    callers::request::{CheckedCompanies, WrittenFlag},
    refuse,
};

/// A caller of the admin API or the pages, as authenticated for one request.
#[derive(Clone, Debug)]
pub(in crate::service) enum CallerPrincipal {
    /// The holder of the operator key, with rights in every company.
    Operator,
    /// A signed-in account.
    Account {
        account_id: AccountId,
        /// SHA-256 of the session's token.
        session: [u8; 32],
        /// The company that was chosen for the session in the web client.
        chosen: Option<WorkspaceId>,
        /// The persons as whom the account can act. Each person is active or onboarding, was not signed out after the
        /// session was created, and belongs to a company to which the account's password gives access.
        persons: Vec<ActingPerson>,
        /// Whether the request has written anything. If not, the rights are checked again before the response is sent.
        written: WrittenFlag,
        /// The companies in which the rights of the caller were checked for this request.
        checked_companies: CheckedCompanies,
    },
}

/// The kind of a caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallerKind {
    /// The holder of the operator key.
    Operator,
    /// An account that can act as an active admin of at least one company.
    Admin,
    /// Any other signed-in account.
    Person,
}

view! {
    /// A person as whom an account can act, in one company.
    ActingPerson of Membership {
        user_id: UserId,
        workspace_id: WorkspaceId,
        state: UserState,
        is_admin: bool,
        /// Whether the person is a guest from outside the company.
        is_external: bool,
    }
}

/// The right by which a caller acts in one company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) enum Right {
    /// The holder of the operator key.
    Operator,
    /// A company admin.
    Admin(UserId),
    /// Any other person of the company.
    Person(UserId),
}

impl Right {
    /// Returns the acting person; `None` for the operator.
    #[must_use]
    pub const fn person(self) -> Option<UserId> {
        match self {
            Self::Operator => None,
            Self::Admin(id) | Self::Person(id) => Some(id),
        }
    }

    /// Returns whether this is the operator or a company admin.
    #[must_use]
    pub const fn administers(self) -> bool {
        !matches!(self, Self::Person(_))
    }
}

impl ActingPerson {
    /// Returns whether this is an active admin of the company.
    #[must_use]
    pub const fn administers(&self) -> bool {
        is_active_admin(self.is_admin, self.state)
    }
}

impl CallerPrincipal {
    /// Returns the owner of the caller's cursors: the account, or 0 for the operator.
    #[must_use]
    pub const fn cursor_owner(&self) -> i64 {
        match self {
            Self::Operator => 0,
            Self::Account { account_id, .. } => account_id.0,
        }
    }

    /// Returns the flag that records whether the request has written anything. Returns `None` for the operator, whose
    /// rights cannot be revoked and are not checked again.
    #[must_use]
    pub const fn written(&self) -> Option<&WrittenFlag> {
        match self {
            Self::Operator => None,
            Self::Account { written, .. } => Some(written),
        }
    }

    /// Returns the persons as whom the caller can act; none for the operator.
    #[must_use]
    pub fn persons(&self) -> &[ActingPerson] {
        match self {
            Self::Operator => &[],
            Self::Account { persons, .. } => persons,
        }
    }

    /// Returns whether the caller has kept every right in every company. `current` has the caller's rights at a later
    /// time.
    #[must_use]
    pub fn rights_are_kept_by(&self, current: &Self) -> bool {
        self.keeps_rights(current, |_| true)
    }

    /// Returns whether the caller has kept every right in the companies in which this request has checked a right. If
    /// the request has checked no right, all companies count, as in [`CallerPrincipal::rights_are_kept_by`].
    #[must_use]
    pub fn keeps_checked_rights(&self, current: &Self) -> bool {
        match self {
            Self::Operator => true,
            Self::Account { checked_companies, .. } => {
                self.keeps_rights(current, |person| checked_companies.may_be_about(person.workspace_id))
            }
        }
    }

    fn keeps_rights(&self, current: &Self, is_in_question: impl Fn(&ActingPerson) -> bool) -> bool {
        let kept = |person: &ActingPerson| {
            current.persons().iter().any(|now| {
                now.user_id == person.user_id
                    && (!person.administers() || now.administers())
                    && (!now.is_external || person.is_external)
                    && (now.state == person.state || now.state == UserState::Active)
            })
        };
        self.persons().iter().filter(|person| is_in_question(person)).all(kept)
    }

    /// Returns the caller's right in a company, and notes that this request has checked a right in the company. Returns
    /// `None` for a caller outside the company, who must not learn that the company exists.
    #[must_use]
    pub fn right_in(&self, workspace: WorkspaceId) -> Option<Right> {
        match self {
            Self::Operator => Some(Right::Operator),
            Self::Account { persons, checked_companies, .. } => {
                checked_companies.note(workspace);
                let person = persons.iter().find(|p| p.workspace_id == workspace)?;
                let right = if person.administers() { Right::Admin } else { Right::Person };
                Some(right(person.user_id))
            }
        }
    }

    /// Returns the kind of the caller.
    #[must_use]
    pub fn kind(&self) -> CallerKind {
        match self {
            Self::Operator => CallerKind::Operator,
            Self::Account { persons, .. } if persons.iter().any(ActingPerson::administers) => {
                CallerKind::Admin
            }
            Self::Account { .. } => CallerKind::Person,
        }
    }

    /// Returns the caller's right if the caller is the operator or an admin of the company.
    ///
    /// # Errors
    /// The code passed as `missing` for a caller outside the company. `forbidden` for other people of the company.
    pub fn administer(&self, workspace: WorkspaceId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Person(_)) => refuse(Code::Forbidden),
            Some(right) => Ok(right),
        }
    }

    /// Returns the caller's right if the caller is the operator, an admin of the company, or the person `owner`.
    ///
    /// # Errors
    /// The code passed as `missing` for a caller outside the company. `forbidden` for other people of the company.
    pub fn own_or_administer(&self, workspace: WorkspaceId, owner: UserId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Person(id)) if id != owner => refuse(Code::Forbidden),
            Some(right) => Ok(right),
        }
    }

    /// Returns the caller's right if the caller is the operator or the person `owner`. Returns [`Right::Person`] for
    /// `owner`, even if `owner` is an admin. Operations that an admin may not request on behalf of another person call
    /// this method.
    ///
    /// # Errors
    /// The code passed as `missing` for a caller outside the company. `forbidden` for everyone else in the company.
    pub fn own(&self, workspace: WorkspaceId, owner: UserId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Operator) => Ok(Right::Operator),
            Some(Right::Admin(id) | Right::Person(id)) if id == owner => Ok(Right::Person(id)),
            Some(_) => refuse(Code::Forbidden),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_an_admin_only_if_it_can_act_as_an_active_admin() {
        let person = |is_admin, state| ActingPerson {
            user_id: UserId(1),
            workspace_id: WorkspaceId(1),
            state,
            is_admin,
            is_external: false,
        };
        let kind = |persons| {
            let (account_id, session, chosen) = (AccountId(1), [0; 32], None);
            let (written, checked_companies) = (WrittenFlag::default(), CheckedCompanies::default());
            CallerPrincipal::Account { account_id, session, chosen, persons, written, checked_companies }
                .kind()
        };
        let (admin, onboarding) = (person(true, UserState::Active), person(true, UserState::Onboarding));
        let other = person(false, UserState::Active);
        assert_eq!(CallerPrincipal::Operator.kind(), CallerKind::Operator);
        assert_eq!(kind(vec![other.clone(), admin]), CallerKind::Admin);
        assert_eq!(kind(vec![onboarding, other]), CallerKind::Person);
    }
}
