//! The account of a person, with which the person signs in. It is the account of the person's e-mail address.
//!
//! These rules always hold after a transaction:
//!
//! - A person with an account has the same address as the account.
//! - An account has at most one person in each company.
//! - Every account has at least one person.
//!
//! The server does not verify who owns an address. So an admin of one company can create the account of a stranger's
//! address, with a password, before the stranger's own company adds the stranger. Therefore a password that an admin
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
    let new = AccountId(stamp.id()?);
    loop {
        if accounts::insert(c, new, email_key, stamp.now).await? {
            return Ok(new);
        }
        // if no account is found, another request has deleted the account or changed its address between the statements
        if let Some(account) = accounts::by_email_for_update(c, email_key).await? {
            return Ok(account.id);
        }
    }
}

/// Returns the account of a person after the person's e-mail address is changed to `email_key`. `own` is the person's
/// account before the change, if any.
///
/// If the account `own` has no other person and no account has the new address, the person keeps the account `own`, and
/// this function changes the account's address. In all other cases the person gets the account of the new address,
/// which is created if it does not exist. If this is not the account `own`, the caller must [`release`] the account
/// `own`.
///
/// If the person keeps the account and an admin of `workspace` changes the address, the account's password gives access
/// only to `workspace` from then on. The reason is that the admin possibly knows the password, and that the new address
/// can belong to anybody. If the password already gives access to one company only, this restriction stays unchanged.
/// If it is restricted to another company, an admin of that company possibly knows the password and must not gain
/// access to `workspace`.
pub(super) async fn after_address_change<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    right: Right,
    workspace: WorkspaceId,
    own: Option<AccountId>,
    email_key: &str,
) -> Result<AccountId> {
    let Some(own) = own else { return of_address(c, stamp, email_key).await };
    let stored = accounts::by_id_for_update(c, own).await?;
    let is_shared = accounts::memberships(c, own).await?.len() > 1;
    if is_shared {
        return of_address(c, stamp, email_key).await;
    }
    // A temporary account tests whether the address is free. Its row also makes concurrent inserts of the same address
    // wait for this transaction.
    let claim = AccountId(stamp.id()?);
    if !accounts::insert(c, claim, email_key, stamp.now).await? {
        return of_address(c, stamp, email_key).await;
    }
    accounts::delete(c, claim).await?;
    accounts::set_email(c, own, email_key).await?;
    let is_restricted = stored.is_some_and(|stored| stored.password_workspace_id.is_some());
    if right != Right::Operator && !is_restricted {
        accounts::restrict_password(c, own, workspace).await?;
    }
    Ok(own)
}

/// If an account has no person any more, deletes the account, its sessions and its known sign-in locations.
pub(super) async fn release<C: Sql>(c: &mut C, account: AccountId) -> Result<()> {
    accounts::by_id_for_update(c, account).await?;
    if accounts::memberships(c, account).await?.is_empty() {
        accounts::delete(c, account).await?;
    }
    Ok(())
}

/// Sets an account's password, and ends all sessions of the account except the caller's. Who sets the password
/// determines the companies to which the password gives access, because a sign-in with a password that one company
/// issued proves nothing to another company:
///
/// - Set by the operator: every company of the account.
/// - Set by an admin: the admin's company only.
/// - Set by the account's owner, signed in: the same companies as the previous password.
///
/// Also clears the count of sign-in attempts from unknown locations for the e-mail address `email_key`. These attempts
/// were guesses at the previous password.
///
/// # Errors
/// `conflict` if an admin sets the password of an account that also belongs to another company, unless the current
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
    // On PostgreSQL, the response waits until writes of the ended sessions have finished. These can be writes of every
    // person of the account, so the response waits for the lock of the account and not for that of one person.
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
            let stored = accounts::by_id_for_update(c, account).await?;
            let persons = accounts::memberships(c, account).await?;
            if !is_only_of(workspace, &persons)
                && !stored.is_some_and(|stored| gives_access_only_to(&stored, workspace))
            {
                return conflict(
                    "the account belongs to another company too; only the person and the operator may change the \
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

/// Returns whether the account has a password that gives access to `company` only. If so, an admin of `company` can set
/// a new password, which changes nothing for the other companies of the account.
fn gives_access_only_to(account: &Account, company: WorkspaceId) -> bool {
    account.password_hash.is_some() && account.password_workspace_id == Some(company)
}

fn is_only_of(workspace: WorkspaceId, persons: &[Membership]) -> bool {
    persons.iter().all(|person| person.workspace_id == workspace)
}
