//! Changing what is known of a person.

use super::{check_fields, check_roles, claim_address, conflict, held, identity, news};
use crate::{
    domain::{
        email,
        ids::UserId,
        people::{UserState, email_key},
        refusal::Code,
    },
    platform::secrets::Secret,
    store::{
        Op, Result, Sql,
        users::{self, User},
    },
    workspace::{
        Stamp, World,
        principal::{Principal, Right},
        refuse,
    },
};

/// What changes of a person; `None` leaves a field as it is, an inner `None` clears it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersonChange {
    /// The full name.
    pub name: Option<String>,
    /// Also the sign-in name.
    pub email: Option<String>,
    /// The first name.
    pub display_name: Option<Option<String>>,
    /// The job title.
    pub title: Option<Option<String>>,
    /// An IANA name.
    pub timezone: Option<Option<String>>,
    /// An `https` address.
    pub avatar_url: Option<Option<String>>,
    /// Administers the company.
    pub is_admin: Option<bool>,
    /// A guest from outside the company.
    pub is_external: Option<bool>,
    /// Whether colleagues see the address.
    pub email_visible: Option<bool>,
    /// Whether members see this guest.
    pub guest_visible: Option<bool>,
    /// A new one; ends other sessions.
    pub password: Option<Secret>,
}

impl PersonChange {
    /// Whether it has what only admins change.
    fn is_for_admins(&self) -> bool {
        self.email.is_some()
            || self.is_admin.is_some()
            || self.is_external.is_some()
            || self.guest_visible.is_some()
    }

    /// The person after the change, with the old account.
    fn of(&self, before: &User) -> User {
        let change = self.clone();
        let mut user = before.clone();
        user.name = change.name.unwrap_or(user.name);
        user.email = change.email.map(|address| email::normal(&address)).or(user.email);
        user.display_name = change.display_name.unwrap_or(user.display_name);
        user.title = change.title.unwrap_or(user.title);
        user.timezone = change.timezone.unwrap_or(user.timezone);
        user.avatar_url = change.avatar_url.unwrap_or(user.avatar_url);
        user.is_admin = change.is_admin.unwrap_or(user.is_admin);
        user.is_external = change.is_external.unwrap_or(user.is_external);
        user.email_visible = change.email_visible.unwrap_or(user.email_visible);
        user.guest_visible = change.guest_visible.unwrap_or(user.guest_visible);
        user
    }
}

impl World {
    /// Changes a person (W-10): the operator and admins everything, people of themselves all but address, roles
    /// and a guest's visibility.
    ///
    /// # Errors
    /// `user_not_found`, also for strangers; `forbidden`; `invalid_request`; `conflict` for a bot, a removed
    /// person, an address of another person of the company, and an admin's password for an account that is a
    /// person of another company too.
    pub async fn change_person(&self, who: &Principal, id: UserId, change: PersonChange) -> Result<User> {
        check_fields(change.email.as_deref(), change.timezone.as_ref().and_then(Option::as_deref))?;
        // before the costly hash
        self.full_person(who, id).await?;
        let password_hash = self.hash_password(change.password.as_ref()).await?;
        self.db.write(ChangePerson { at: self.stamp(), who: who.clone(), id, change, password_hash }).await
    }
}

struct ChangePerson {
    at: Stamp,
    who: Principal,
    id: UserId,
    change: PersonChange,
    password_hash: Option<String>,
}

impl Op for ChangePerson {
    const NAME: &'static str = "change_person";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let before = held(c, self.id).await?;
        let right = self.who.own_or_administer(before.workspace_id, before.id, Code::UserNotFound)?;
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
        // one that was stored in another form stands under a key of that form until it is entered again
        let is_reformed = self.change.email.is_some()
            && before.email.as_deref().is_some_and(|address| email::normal(address) != address);
        let moved = is_reformed || key != before.email.as_deref().map(email_key);
        if let Some(key) = key.as_deref().filter(|_| moved) {
            claim_address(c, after.workspace_id, key, after.id).await?;
            let (own, workspace) = (before.account_id, before.workspace_id);
            let account = identity::after_move(c, &self.at, right, workspace, own, key).await?;
            after.account_id = Some(account);
        }
        users::update(c, &after, key.as_deref()).await?;
        if let Some(left) = before.account_id.filter(|_| after.account_id != before.account_id) {
            identity::release(c, left).await?;
        }
        if let (Some(hash), Some(account)) = (&self.password_hash, after.account_id) {
            identity::set_password(c, &self.who, right, after.workspace_id, account, hash).await?;
        }
        news::tell(c, &self.at, Some(&before), &after).await?;
        Ok(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::people::news::tests::PERSON;

    #[test]
    fn what_only_admins_change() {
        let own = PersonChange {
            name: Some("A".into()),
            display_name: Some(None),
            title: Some(None),
            timezone: Some(None),
            avatar_url: Some(None),
            email_visible: Some(false),
            password: Some(Secret::new("analytical engine")),
            ..PersonChange::default()
        };
        assert!(!own.is_for_admins());
        for change in [
            PersonChange { email: Some("a@b".into()), ..own.clone() },
            PersonChange { is_admin: Some(false), ..own.clone() },
            PersonChange { is_external: Some(false), ..own.clone() },
            PersonChange { guest_visible: Some(true), ..own.clone() },
        ] {
            assert!(change.is_for_admins(), "{change:?}");
        }
    }

    #[test]
    fn absent_fields_stay_and_null_clears() {
        let before = User {
            title: Some("Engineer".into()),
            timezone: Some("Europe/London".into()),
            email: Some("ada@example.com".into()),
            ..PERSON
        };
        let change = PersonChange { title: Some(None), name: Some("Ada".into()), ..PersonChange::default() };
        let after = change.of(&before);
        assert_eq!(after, User { title: None, name: "Ada".into(), ..before.clone() });
        assert_eq!(PersonChange::default().of(&before), before);
    }
}
