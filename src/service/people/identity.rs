//! Sign-in identity of a person: the account of their e-mail address.
//!
//! These rules hold:
//!
//! - A person with an account has the same address as the account.
//! - An account has at most one person in a company.
//! - Every account has a person.
//!
//! The server does not verify who owns an address. So an admin of one company can create the account of a stranger's
//! address, with a password, before the stranger's own company adds this person. Therefore a password that an admin
//! sets gives access only to the admin's company. A password that the operator sets gives access to all companies of
//! the account ([decision 2](../../../docs/decisions/0002-reach-of-a-password.md)).

use super::conflict;
use crate::{
    domain::ids::{AccountId, WorkspaceId},
    service::{
        Stamp,
        callers::principal::{CallerPrincipal, Right},
        sign_in::guesses,
    },
    store::{
        LockKey, Notice, Result, Sql,
        accounts::{self, Account, Membership},
    },
};

/// Returns the account of an e-mail address and locks the account. If the account does not exist, creates it without a
/// password.
pub(super) async fn of_address<C: Sql>(c: &mut C, stamp: &Stamp, email_key: &str) -> Result<AccountId> {
    let fresh = AccountId(stamp.id()?);
    loop {
        if accounts::insert(c, fresh, email_key, stamp.now).await? {
            return Ok(fresh);
        }
        // the account is missing only if, between the two statements, it was deleted or got another address
        if let Some(account) = accounts::by_email_for_update(c, email_key).await? {
            return Ok(account.id);
        }
    }
}

/// Returns the account of a person after a change of address.
///
/// If the present account has no other person and the new address is free, the person keeps the present account, and
/// this account gets the new address. In all other cases the person gets the account of the new address, and the caller
/// must [`release`] the old account.
///
/// If the person keeps the account and an admin of `workspace` changes the address, the account's password gives access
/// only to `workspace` from then on. The reason is that the admin possibly knows the password, and that the new address
/// can belong to anybody.
pub(super) async fn after_address_change<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    right: Right,
    workspace: WorkspaceId,
    own: Option<AccountId>,
    email_key: &str,
) -> Result<AccountId> {
    let Some(own) = own else { return of_address(c, stamp, email_key).await };
    let is_shared = {
        accounts::by_id_for_update(c, own).await?;
        accounts::memberships(c, own).await?.len() > 1
    };
    if is_shared {
        return of_address(c, stamp, email_key).await;
    }
    // the inserted row claims the address. A concurrent claim of the address waits for this transaction
    let claim = AccountId(stamp.id()?);
    if !accounts::insert(c, claim, email_key, stamp.now).await? {
        return of_address(c, stamp, email_key).await;
    }
    accounts::delete(c, claim).await?;
    accounts::set_email(c, own, email_key).await?;
    if right != Right::Operator {
        accounts::restrict_password(c, own, workspace).await?;
    }
    Ok(own)
}

/// Deletes an account and its sessions, if the account has no person any more.
pub(super) async fn release<C: Sql>(c: &mut C, account: AccountId) -> Result<()> {
    accounts::by_id_for_update(c, account).await?;
    if accounts::memberships(c, account).await?.is_empty() {
        accounts::delete(c, account).await?;
    }
    Ok(())
}

/// Sets an account's password, and ends all sessions of the account except the caller's. The companies to which the
/// password gives access depend on who sets it. A sign-in with a password that one company issued proves nothing to
/// another company.
///
/// - Set by the operator: every company of the account.
/// - Set by an admin: the admin's company only.
/// - Set by the person: the same companies as the previous password.
///
/// Also clears the count of failed attempts from unknown locations, because these were guesses at the previous
/// password. They are counted under `email_key`.
///
/// # Errors
/// `conflict` if an admin sets the password of an account that also belongs to another company, unless the present
/// password gives access to the admin's company only. One company must neither gain access to another company, nor lock
/// the person out of the other company.
pub(super) async fn set_password<C: Sql>(
    c: &mut C,
    principal: &CallerPrincipal,
    right: Right,
    workspace: WorkspaceId,
    (account, email_key): (AccountId, &str),
    hash: &str,
) -> Result<()> {
    // the sessions of all persons of the account end, so the lock to drain is the account's, not the person's
    c.notify(Notice::Drain(LockKey::account(account)));
    let own_session = match principal {
        CallerPrincipal::Account { account_id, session, .. } if *account_id == account => Some(session),
        _ => None,
    };
    let workspace_restriction = match (own_session, right) {
        (Some(_), _) => {
            accounts::by_id_for_update(c, account).await?.and_then(|own| own.password_workspace_id)
        }
        (None, Right::Operator) => None,
        (None, _) => {
            let present = accounts::by_id_for_update(c, account).await?;
            let persons = accounts::memberships(c, account).await?;
            if !is_only_of(workspace, &persons)
                && !present.is_some_and(|own| gives_access_only_to(&own, workspace))
            {
                return conflict(
                    "the account belongs to another company too; only its person and the operator may change the \
                     password",
                );
            }
            Some(workspace)
        }
    };
    accounts::set_password(c, account, hash, workspace_restriction).await?;
    guesses::clear_unknown_locations(c, email_key).await?;
    accounts::delete_sessions(c, account, own_session).await
}

/// Whether the account has a password that gives access to this company only. If so, a new password that an admin of
/// this company sets changes nothing for the other companies of the account.
fn gives_access_only_to(account: &Account, company: WorkspaceId) -> bool {
    account.password_hash.is_some() && account.password_workspace_id == Some(company)
}

fn is_only_of(workspace: WorkspaceId, persons: &[Membership]) -> bool {
    persons.iter().all(|person| person.workspace_id == workspace)
}
