//! Sign-in identity of a person: the account of their e-mail address.
//!
//! These rules hold:
//!
//! - A person with an account has the same address as the account.
//! - An account has at most one person in a company.
//! - Every account has a person.
//!
//! Nobody proves ownership of an address. So an admin of one company may create the account of an address, with a
//! password, before another company adds the address's owner. Therefore a password that an admin sets gives access only
//! to the admin's company. A password that the operator sets gives access to all companies of the account ([decision
//! 2](../../../docs/decisions/0002-reach-of-a-password.md)).

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

/// Returns the account of an e-mail address and locks it. Creates it without a password if it does not exist.
pub(super) async fn of_address<C: Sql>(c: &mut C, stamp: &Stamp, email_key: &str) -> Result<AccountId> {
    let fresh = AccountId(stamp.id()?);
    loop {
        if accounts::insert(c, fresh, email_key, stamp.now).await? {
            return Ok(fresh);
        }
        // the account is missing only if it was deleted or got another address between the two statements
        if let Some(account) = accounts::by_email_for_update(c, email_key).await? {
            return Ok(account.id);
        }
    }
}

/// Returns the account of a person after a change of address. If the present account has no other person, and the new
/// address is free, the person keeps the account under the new address. Otherwise returns the account of the new
/// address. The caller must [`release`] the old account.
///
/// If an admin of `workspace` changes the address, the account keeps a password that this company may know, but gets an
/// address that may belong to anybody. Therefore the password then gives access to no other company.
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
    // claiming the free address first makes concurrent claims wait for this transaction
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

/// Deletes an account with its sessions if it has no person any more.
pub(super) async fn release<C: Sql>(c: &mut C, account: AccountId) -> Result<()> {
    accounts::by_id_for_update(c, account).await?;
    if accounts::memberships(c, account).await?.is_empty() {
        accounts::delete(c, account).await?;
    }
    Ok(())
}

/// Sets an account's password and ends all its sessions but the caller's. Who sets the password decides to which
/// companies it gives access, because a sign-in with a password issued by one company proves nothing to the others:
///
/// - The operator: every company of the account.
/// - An admin: the admin's company only.
/// - The person: the same companies as the previous password.
///
/// Clears the failed attempts from unknown locations, which are counted under `email_key` and concerned the previous
/// password.
///
/// # Errors
/// `conflict` if an admin sets the password and the account belongs to another company too, unless the present password
/// gives access to the admin's company only. One company must neither gain access to another company, nor lock the
/// person out there.
pub(super) async fn set_password<C: Sql>(
    c: &mut C,
    principal: &CallerPrincipal,
    right: Right,
    workspace: WorkspaceId,
    (account, email_key): (AccountId, &str),
    hash: &str,
) -> Result<()> {
    // all sessions of the account end, whichever of its persons the request names
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
/// the company sets changes nothing for other companies, which may have added the person without asking.
fn gives_access_only_to(account: &Account, company: WorkspaceId) -> bool {
    account.password_hash.is_some() && account.password_workspace_id == Some(company)
}

fn is_only_of(workspace: WorkspaceId, persons: &[Membership]) -> bool {
    persons.iter().all(|person| person.workspace_id == workspace)
}
