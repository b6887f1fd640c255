//! Adding a person to a company.

use super::{NewPerson, UserView, check_roles, claim_address, directory_events, identity, invalid};
use crate::{
    domain::{
        ids::UserId,
        people::{UserState, email_key},
        refusal::Code,
    },
    service::{
        Stamp,
        callers::{
            CompanyAdmin,
            principal::{CallerPrincipal, Right},
        },
        refuse,
    },
    store::{
        Op, Result, Sql,
        users::{self, User},
        workspaces,
    },
};

impl CompanyAdmin<'_> {
    /// Adds a person in any state (W-07). A removed person has no account. For any other person, finds or creates the
    /// account of the e-mail address.
    ///
    /// # Errors
    /// - `invalid_request` for an invalid field, for a removed person with a password, and for a guest who is an admin.
    /// - `server_error` with `Retry-After` if too many passwords wait to be hashed.
    /// - `not_found` for an unknown company.
    /// - `conflict` if another person of the company has the e-mail address. If the new person is removed, the address
    ///   is not checked, because it is not stored.
    /// - `conflict` if an admin sets the password of an account that also belongs to another company. The exception is
    ///   an account whose current password gives access to this company only (see `identity::set_password`).
    pub async fn create_person(self, new: NewPerson) -> Result<UserView> {
        let workspace = self.company_id();
        new.check()?;
        if new.state == UserState::Removed && new.password.is_some() {
            return invalid("a removed person has no password");
        }
        let stamp = self.world().stamp();
        let user = new.user(UserId(stamp.id()?), workspace, stamp.now);
        check_roles(&user)?;
        let password_hash = self.caller().hash_password(new.password.as_ref()).await?;
        let email_key = email_key(&new.email);
        let op = CreatePerson {
            stamp,
            right: self.right(),
            principal: self.caller().to_principal(),
            user,
            email_key,
            password_hash,
        };
        Ok(self.caller().write(op).await?.into())
    }
}

struct CreatePerson {
    stamp: Stamp,
    right: Right,
    principal: CallerPrincipal,
    /// The person to insert. The operation adds the account.
    user: User,
    /// The normalized form of the requested e-mail address. A removed person is stored without the address.
    email_key: String,
    password_hash: Option<String>,
}

impl Op for CreatePerson {
    const NAME: &'static str = "create_person";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let mut user = self.user.clone();
        match &user.email {
            Some(_) => claim_address(c, user.workspace_id, &self.email_key, user.id).await?,
            // A removed person is stored without an address, so there is no address to claim. Only the other check of
            // `claim_address` remains: whether the company exists.
            None if workspaces::by_id_for_update(c, user.workspace_id).await?.is_none() => {
                return refuse(Code::NotFound);
            }
            None => {}
        }
        if user.email.is_some() {
            let account = identity::of_address(c, &self.stamp, &self.email_key).await?;
            user.account_id = Some(account);
            if let Some(hash) = &self.password_hash {
                let account = (account, self.email_key.as_str());
                identity::set_password(c, &self.principal, self.right, user.workspace_id, account, hash)
                    .await?;
            }
        }
        let email_key = user.email.as_ref().map(|_| self.email_key.as_str());
        users::insert(c, &user, email_key).await?;
        directory_events::notify(c, &self.stamp, None, &user).await?;
        Ok(user)
    }
}
