//! The fields of a person: in requests that add or change a person, and in the views that callers get.
//!
//! The section "A field" of docs/recipes.md lists the places where a new field of [`User`] is added. `visible_user`
//! decides whether a caller sees a user's e-mail address and profile. [`VisibleUser::of`] fills the fields accordingly.

use crate::{
    domain::{
        email,
        ids::{AppId, UserId, WorkspaceId},
        people::{self, UserState},
        time::Timestamp,
    },
    platform::secrets::Secret,
    service::{check_visible, invalid, view},
    store::{Result, users::User},
};

view! {
    /// A person or bot with all fields, for the operator, the company's admins and the person themselves.
    UserView of User {
        id: UserId,
        workspace_id: WorkspaceId,
        /// The app of a bot.
        app_id: Option<AppId>,
        name: String,
        display_name: Option<String>,
        email: Option<String>,
        avatar_url: Option<String>,
        title: Option<String>,
        timezone: Option<String>,
        state: UserState,
        is_admin: bool,
        is_external: bool,
        is_bot: bool,
        email_visible: bool,
        guest_visible: bool,
        created_at: Timestamp,
    }
}

/// A user as a caller sees them. A field that the caller may not see is `None`.
#[derive(Clone, Debug, PartialEq)]
pub struct VisibleUser {
    pub id: UserId,
    pub name: String,
    pub display_name: Option<String>,
    pub email: Option<String>,
    pub avatar_url: Option<String>,
    pub title: Option<String>,
    pub timezone: Option<String>,
    pub is_active: bool,
    pub is_bot: bool,
    pub is_admin: bool,
    pub is_external: bool,
}

impl VisibleUser {
    /// Returns the view of a user. The view has the e-mail address only if `shows_email` is true, and the profile
    /// (avatar, title and time zone) only if `shows_profile` is true.
    pub(super) fn of(user: User, shows_email: bool, shows_profile: bool) -> Self {
        Self {
            id: user.id,
            name: user.name,
            display_name: user.display_name,
            email: user.email.filter(|_| shows_email),
            avatar_url: user.avatar_url.filter(|_| shows_profile),
            title: user.title.filter(|_| shows_profile),
            timezone: user.timezone.filter(|_| shows_profile),
            is_active: user.state.is_active(),
            is_bot: user.is_bot,
            is_admin: user.is_admin,
            is_external: user.is_external,
        }
    }
}

/// A person to add.
#[derive(Clone, Debug)]
pub struct NewPerson {
    /// The full name.
    pub name: String,
    /// The e-mail address, which is also the sign-in name.
    pub email: String,
    /// The first name.
    pub display_name: Option<String>,
    /// The job title.
    pub title: Option<String>,
    /// IANA name of the time zone.
    pub timezone: Option<String>,
    /// An `https` URL.
    pub avatar_url: Option<String>,
    /// Whether the person administers the company.
    pub is_admin: bool,
    /// Whether the person is a guest from outside the company.
    pub is_external: bool,
    /// Whether colleagues see the e-mail address.
    pub email_visible: bool,
    /// For a guest: whether the members of the company see the guest.
    pub guest_visible: bool,
    /// The initial state. Every state is allowed, but a removed person must have no `password`.
    pub state: UserState,
    /// The new password of the person's account. If it is `None`, the password of an existing account is not changed,
    /// and a new account has no password. Nobody can sign in to an account without a password.
    pub password: Option<Secret>,
}

impl NewPerson {
    /// Rejects values that no person can have.
    pub(super) fn check(&self) -> Result<()> {
        check(Some(&self.name), self.display_name.as_deref(), Some(&self.email), self.timezone.as_deref())
    }

    /// Returns the person, without an account.
    pub(super) fn user(&self, id: UserId, workspace_id: WorkspaceId, created_at: Timestamp) -> User {
        // every field is named, so that a new field is a compile error until it is stored here
        let Self {
            name,
            email,
            display_name,
            title,
            timezone,
            avatar_url,
            is_admin,
            is_external,
            email_visible,
            guest_visible,
            state,
            password: _,
        } = self.clone();
        let mut user = User {
            display_name,
            email: Some(email::normal(&email)),
            avatar_url,
            title,
            timezone,
            state,
            is_admin,
            is_external,
            email_visible,
            guest_visible,
            ..User::new(id, workspace_id, name, created_at)
        };
        if user.state == UserState::Removed {
            erase_personal_data(&mut user);
        }
        user
    }
}

/// Changes to a person; `None` leaves a field unchanged, `Some(None)` clears it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersonChange {
    /// The full name.
    pub name: Option<String>,
    /// The e-mail address, which is also the sign-in name.
    pub email: Option<String>,
    /// The first name.
    pub display_name: Option<Option<String>>,
    /// The job title.
    pub title: Option<Option<String>>,
    /// IANA name of the time zone.
    pub timezone: Option<Option<String>>,
    /// An `https` URL.
    pub avatar_url: Option<Option<String>>,
    /// Whether the person administers the company.
    pub is_admin: Option<bool>,
    /// Whether the person is a guest from outside the company.
    pub is_external: Option<bool>,
    /// Whether colleagues see the e-mail address.
    pub email_visible: Option<bool>,
    /// For a guest: whether the members of the company see the guest.
    pub guest_visible: Option<bool>,
    /// The new password. A new password ends all sessions of the account, except the caller's own session.
    pub password: Option<Secret>,
    /// The current password, required to change the password of one's own account.
    pub current_password: Option<Secret>,
}

impl PersonChange {
    /// Returns whether the change includes a field that only admins and the operator may change.
    pub(super) fn is_for_admins(&self) -> bool {
        // every field is named, so that a new field is a compile error until this function says who may change it
        let Self {
            name: _,
            email,
            display_name: _,
            title: _,
            timezone: _,
            avatar_url: _,
            is_admin,
            is_external,
            email_visible: _,
            guest_visible,
            password: _,
            current_password: _,
        } = self;
        email.is_some() || is_admin.is_some() || is_external.is_some() || guest_visible.is_some()
    }

    /// Rejects values that no person can have.
    pub(super) fn check(&self) -> Result<()> {
        let display_name = self.display_name.as_ref().and_then(Option::as_deref);
        let timezone = self.timezone.as_ref().and_then(Option::as_deref);
        check(self.name.as_deref(), display_name, self.email.as_deref(), timezone)
    }

    /// Returns the changed person, with the account unchanged.
    pub(super) fn of(&self, before: &User) -> User {
        // every field is named, so that a new field is a compile error until this function applies it
        let Self {
            name,
            email,
            display_name,
            title,
            timezone,
            avatar_url,
            is_admin,
            is_external,
            email_visible,
            guest_visible,
            password: _,
            current_password: _,
        } = self.clone();
        let mut user = before.clone();
        user.name = name.unwrap_or(user.name);
        user.email = email.map(|address| email::normal(&address)).or(user.email);
        user.display_name = display_name.unwrap_or(user.display_name);
        user.title = title.unwrap_or(user.title);
        user.timezone = timezone.unwrap_or(user.timezone);
        user.avatar_url = avatar_url.unwrap_or(user.avatar_url);
        user.is_admin = is_admin.unwrap_or(user.is_admin);
        user.is_external = is_external.unwrap_or(user.is_external);
        user.email_visible = email_visible.unwrap_or(user.email_visible);
        user.guest_visible = guest_visible.unwrap_or(user.guest_visible);
        user
    }
}

/// Rejects names without visible characters, invalid e-mail addresses, and unknown time zones, with `invalid_request`.
fn check(
    name: Option<&str>,
    display_name: Option<&str>,
    email: Option<&str>,
    timezone: Option<&str>,
) -> Result<()> {
    check_visible("name", name)?;
    check_visible("display_name", display_name)?;
    if email.is_some_and(|address| !email::is_address(&email::normal(address))) {
        return invalid("email is not an e-mail address");
    }
    if timezone.is_some_and(|name| !people::is_time_zone(name)) {
        return invalid("timezone is not an IANA time zone name");
    }
    Ok(())
}

/// Erases the personal data of a removed person: account, admin role, e-mail address, avatar, title and time zone.
/// Names and the other flags stay.
pub(super) fn erase_personal_data(user: &mut User) {
    // every field is named, so that a new field is a compile error until this function erases or keeps it
    let User {
        id: _,
        workspace_id: _,
        account_id,
        app_id: _,
        name: _,
        display_name: _,
        email,
        avatar_url,
        title,
        timezone,
        state: _,
        is_admin,
        is_external: _,
        is_bot: _,
        email_visible: _,
        guest_visible: _,
        created_at: _,
    } = user;
    (*account_id, *is_admin) = (None, false);
    for text in [email, avatar_url, title, timezone] {
        *text = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::people::directory_events::tests::PERSON;

    #[test]
    fn only_admins_change_address_roles_and_guest_visibility() {
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
    fn absent_fields_stay_and_null_clears_a_field() {
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
