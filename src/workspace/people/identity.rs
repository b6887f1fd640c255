//! Which sign-in identity a person has: the account of their e-mail address.
//!
//! A person's address and their account's are always the same one, an account is at most one person of a company,
//! and an account without a person does not exist.
//!
//! Nobody proves that an address is theirs, so an account may stand under it, with a password, before its person comes.
//! Therefore a password opens only what its setter may open: an admin's the admin's company, the operator's all
//! ([decision 2](../../../docs/decisions/0002-reach-of-a-password.md)).

use super::conflict;
use crate::{
    domain::ids::{AccountId, WorkspaceId},
    store::{
        Result, Sql,
        accounts::{self, Membership},
    },
    workspace::{
        Stamp,
        principal::{Principal, Right},
    },
};

/// The account of an address, created without a password when there is none, held until the transaction ends.
pub(super) async fn of_address<C: Sql>(c: &mut C, at: &Stamp, email_key: &str) -> Result<AccountId> {
    let fresh = AccountId(at.id()?);
    loop {
        if accounts::insert(c, fresh, email_key, at.now).await? {
            return Ok(fresh);
        }
        // gone again only when its last person was removed between the two statements
        if let Some(account) = accounts::by_email_for_update(c, email_key).await? {
            return Ok(account.id);
        }
    }
}

/// The account a person has after a change of address: their own under the new address when nobody else uses it
/// and the address is free, else the address' account. What is left of the old one is for [`release`].
///
/// An account that an admin of `workspace` moves takes a password along that this company knows, to an address that may
/// be anybody's: it opens no other company from then on.
pub(super) async fn after_move<C: Sql>(
    c: &mut C,
    at: &Stamp,
    right: Right,
    workspace: WorkspaceId,
    own: Option<AccountId>,
    email_key: &str,
) -> Result<AccountId> {
    let Some(own) = own else { return of_address(c, at, email_key).await };
    let is_shared = {
        accounts::by_id_for_update(c, own).await?;
        accounts::memberships(c, own).await?.len() > 1
    };
    if is_shared {
        return of_address(c, at, email_key).await;
    }
    // to claim the free address first makes concurrent claims of it wait for this transaction
    let claim = AccountId(at.id()?);
    if !accounts::insert(c, claim, email_key, at.now).await? {
        return of_address(c, at, email_key).await;
    }
    accounts::delete(c, claim).await?;
    accounts::set_email(c, own, email_key).await?;
    if right != Right::Operator {
        accounts::confine_password(c, own, workspace).await?;
    }
    Ok(own)
}

/// Deletes an account and its sessions when no person has it any more.
pub(super) async fn release<C: Sql>(c: &mut C, account: AccountId) -> Result<()> {
    accounts::by_id_for_update(c, account).await?;
    if accounts::memberships(c, account).await?.is_empty() {
        accounts::delete(c, account).await?;
    }
    Ok(())
}

/// Sets an account's password and ends every session of it but the caller's own. The operator's opens every company of
/// the account, an admin's the admin's company, and a person's own what the one before did: who signed in by a password
/// that one company gave out has shown nothing to the others.
///
/// # Errors
/// `conflict` when an admin asks and the account is a person of another company too: one company must not get
/// into another, nor shut its person out there.
pub(super) async fn set_password<C: Sql>(
    c: &mut C,
    who: &Principal,
    right: Right,
    workspace: WorkspaceId,
    account: AccountId,
    hash: &str,
) -> Result<()> {
    let own_session = match who {
        Principal::Account { account_id, session, .. } if *account_id == account => Some(session),
        _ => None,
    };
    let opens = match (own_session, right) {
        (Some(_), _) => {
            accounts::by_id_for_update(c, account).await?.and_then(|own| own.password_workspace_id)
        }
        (None, Right::Operator) => None,
        (None, _) => {
            let persons = accounts::memberships(c, account).await?;
            if !is_only_of(workspace, &persons) {
                return conflict(
                    "the account belongs to another company too; only its person and the operator may change the \
                     password",
                );
            }
            Some(workspace)
        }
    };
    accounts::set_password(c, account, hash, opens).await?;
    accounts::delete_sessions(c, account, own_session).await
}

fn is_only_of(workspace: WorkspaceId, persons: &[Membership]) -> bool {
    persons.iter().all(|person| person.workspace_id == workspace)
}
