//! Changes of a person's fields and password.

use super::{
    PersonChange, UserView, check_roles, claim_address, conflict, directory_events, identity, lock_person,
};
use crate::{
    domain::{
        email,
        ids::{AccountId, UserId},
        people::{UserState, email_key},
        refusal::Code,
    },
    service::{
        Stamp,
        callers::{
            Caller,
            principal::{CallerPrincipal, Right},
        },
        refuse,
        sign_in::guesses::Proof,
    },
    store::{
        Op, Result, Sql, accounts,
        users::{self, User},
    },
};

impl Caller {
    /// Changes a person (W-10). The operator and admins may change every field. People may change their own fields,
    /// except e-mail address, roles and guest visibility.
    ///
    /// # Errors
    /// - `invalid_request` for an invalid value of a field.
    /// - `user_not_found`, also for a caller outside the company.
    /// - `forbidden` for a caller of the company who is neither the person nor an admin.
    /// - If the change contains a new password for the caller's own account, the errors of `prove_own_password`.
    /// - `server_error` with `Retry-After` if too many passwords wait to be hashed.
    /// - `forbidden` if a person who is not an admin changes a field that only admins may change.
    /// - `invalid_request` if the change would result in a guest who is an admin.
    /// - `conflict` for a bot, a removed person, and the e-mail address of another person of the company.
    /// - `conflict` if an admin sets the password of an account that also belongs to another company, unless the
    ///   current password gives access to the admin's company only.
    /// - `conflict` if the change contains a new password for the caller's own account, and another request has changed
    ///   the password in the meantime.
    pub async fn change_person(&self, id: UserId, change: PersonChange) -> Result<UserView> {
        change.check()?;
        // the caller's right is checked before a password is hashed, because hashing is expensive
        let person = self.own_or_administered(id).await?;
        let proof = match (&change.password, self.signed_in()) {
            (Some(_), Ok(own)) if person.account_id == Some(own.account()) => {
                Some(own.prove_own_password(change.current_password.as_ref()).await?)
            }
            _ => None,
        };
        let password_hash = self.hash_password(change.password.as_ref()).await?;
        let op = ChangePerson {
            stamp: self.world().stamp(),
            principal: self.to_principal(),
            id,
            change,
            proof,
            password_hash,
        };
        Ok(self.write(op).await?.into())
    }
}

struct ChangePerson {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: UserId,
    change: PersonChange,
    proof: Option<Proof>,
    password_hash: Option<String>,
}

impl Op for ChangePerson {
    const NAME: &'static str = "change_person";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let before = lock_person(c, self.id).await?;
        let right = self.principal.own_or_administer(before.workspace_id, before.id, Code::UserNotFound)?;
        if matches!(right, Right::Person(_)) && self.change.is_for_admins() {
            return refuse(Code::Forbidden);
        }
        let mut after = self.change.of(&before);
        check_roles(&after)?;
        if before.is_bot {
            return conflict("a bot is changed through its app");
        }
        if before.state == UserState::Removed {
            return conflict("the person was removed");
        }
        let key = after.email.as_deref().map(email_key);
        // The person's row also stores the key of the address (`email_key`). Earlier versions stored addresses without
        // normalizing them, and kept a final sigma in keys. So the stored key of such an address can differ from the
        // key that this version computes. If the old address may be such an address, a change that contains an address
        // stores the computed key, even if the old and the new address have the same computed key.
        let may_have_old_key = |address: &str| email::normal(address) != address || address.contains('ς');
        let renews_key = self.change.email.is_some() && before.email.as_deref().is_some_and(may_have_old_key);
        let stores_key = renews_key || key != before.email.as_deref().map(email_key);
        if let Some(key) = key.as_deref().filter(|_| stores_key) {
            claim_address(c, after.workspace_id, key, after.id).await?;
            let (own, workspace) = (before.account_id, before.workspace_id);
            let account = identity::after_address_change(c, &self.stamp, right, workspace, own, key).await?;
            after.account_id = Some(account);
        }
        if stores_key || after != before {
            users::update(c, &after, key.as_deref()).await?;
        }
        if let Some(old_account) = before.account_id.filter(|_| after.account_id != before.account_id) {
            identity::release(c, old_account).await?;
        }
        if let (Some(hash), Some(account)) = (&self.password_hash, after.account_id) {
            self.check_proof(c, account).await?;
            let account = (account, key.as_deref().unwrap_or_default());
            identity::set_password(c, &self.principal, right, after.workspace_id, account, hash).await?;
        }
        directory_events::notify(c, &self.stamp, Some(&before), &after).await?;
        Ok(after)
    }
}

impl ChangePerson {
    /// If `account` is the caller's own account, checks that the caller has proved to know the current password, and
    /// that the password is unchanged since the proof.
    async fn check_proof<C: Sql>(&self, c: &mut C, account: AccountId) -> Result<()> {
        if !matches!(self.principal, CallerPrincipal::Account { account_id, .. } if account_id == account) {
            return Ok(());
        }
        let stored = accounts::by_id_for_update(c, account).await?.and_then(|own| own.password_hash);
        match &self.proof {
            Some(proof) if stored.as_ref() == Some(&proof.hash) => proof.record_success(c).await,
            _ => conflict("the account or its password was changed in the meantime"),
        }
    }
}
