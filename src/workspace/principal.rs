//! Who calls the admin API, and as whom: the operator, or an account whose persons are admins or not.

use crate::{
    domain::{
        ids::{AccountId, UserId, WorkspaceId},
        people::UserState,
        refusal::Code,
    },
    store::{Result, accounts::Membership},
};

use super::refuse;

/// A caller of the admin API as one request authenticated it.
#[derive(Clone, Debug)]
pub enum Principal {
    /// The holder of the operator key: any company.
    Operator,
    /// Somebody who signed in.
    Account {
        /// Who signed in.
        account_id: AccountId,
        /// SHA-256 of the session's token.
        session: [u8; 32],
        /// The persons the account may speak for now: active, and not logged out since the sign-in.
        persons: Vec<Membership>,
    },
}

/// In what right a caller does something in one company.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// The holder of the operator key.
    Operator,
    /// A company admin, as this person.
    Admin(UserId),
    /// Somebody of the company, as this person.
    Person(UserId),
}

impl Right {
    /// The person who acts; none for the operator.
    #[must_use]
    pub const fn person(self) -> Option<UserId> {
        match self {
            Self::Operator => None,
            Self::Admin(id) | Self::Person(id) => Some(id),
        }
    }

    /// Operator or company admin.
    #[must_use]
    pub const fn administers(self) -> bool {
        !matches!(self, Self::Person(_))
    }
}

/// Whether this person acts as an admin of the company.
#[must_use]
pub fn administers(person: &Membership) -> bool {
    person.is_admin && person.state == UserState::Active
}

impl Principal {
    /// Whose walks through lists a cursor belongs to: an account's own, or any operator's.
    #[must_use]
    pub const fn cursor_owner(&self) -> i64 {
        match self {
            Self::Operator => 0,
            Self::Account { account_id, .. } => account_id.0,
        }
    }

    /// The caller's right in a company; none for strangers, who must not learn that it exists.
    #[must_use]
    pub fn right_in(&self, workspace: WorkspaceId) -> Option<Right> {
        match self {
            Self::Operator => Some(Right::Operator),
            Self::Account { persons, .. } => {
                let person = persons.iter().find(|p| p.workspace_id == workspace)?;
                let right = if administers(person) { Right::Admin } else { Right::Person };
                Some(right(person.user_id))
            }
        }
    }

    /// Whether this is the operator, or an admin of any company.
    #[must_use]
    pub fn administers_somewhere(&self) -> bool {
        match self {
            Self::Operator => true,
            Self::Account { persons, .. } => persons.iter().any(administers),
        }
    }

    /// The right of an operator or an admin of the company.
    ///
    /// # Errors
    /// `missing` for strangers, `forbidden` for people without the right.
    pub fn administer(&self, workspace: WorkspaceId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Person(_)) => refuse(Code::Forbidden),
            Some(right) => Ok(right),
        }
    }

    /// The right to something of one person: operator, an admin of the company, or that person.
    ///
    /// # Errors
    /// `missing` for strangers, `forbidden` for other people of the company.
    pub fn own_or_administer(&self, workspace: WorkspaceId, owner: UserId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Person(id)) if id != owner => refuse(Code::Forbidden),
            Some(right) => Ok(right),
        }
    }

    /// The right of the operator or of that very person: things an admin may not do for somebody.
    ///
    /// # Errors
    /// `missing` for strangers, `forbidden` for everyone else of the company.
    pub fn own(&self, workspace: WorkspaceId, owner: UserId, missing: Code) -> Result<Right> {
        match self.right_in(workspace) {
            None => refuse(missing),
            Some(Right::Operator) => Ok(Right::Operator),
            Some(Right::Admin(id) | Right::Person(id)) if id == owner => Ok(Right::Person(id)),
            Some(_) => refuse(Code::Forbidden),
        }
    }

    /// Only the operator.
    ///
    /// # Errors
    /// `forbidden` for everyone else.
    pub fn operator(&self) -> Result<()> {
        match self {
            Self::Operator => Ok(()),
            Self::Account { .. } => refuse(Code::Forbidden),
        }
    }
}
