//! What apps are told of a change of a person.

use crate::{
    store::{Result, Sql, users::User},
    workspace::{
        Stamp,
        access::standing,
        outbox::{self, Kind},
    },
};

/// What there is to tell, at most one thing of one change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum News {
    Nothing,
    /// For every listener.
    Everyone(Kind),
    /// A new address, for those who know the old or the new one (D-174).
    Address,
}

/// Tells apps of a new person (`before` is none) or of a change of one.
pub(super) async fn tell<C: Sql>(c: &mut C, at: &Stamp, before: Option<&User>, after: &User) -> Result<()> {
    let (workspace, id) = (after.workspace_id, after.id);
    match of(before, after) {
        News::Nothing => Ok(()),
        News::Everyone(kind) => outbox::person(c, at, workspace, kind, id, outbox::everyone).await,
        News::Address => {
            let (old, new) = (standing(before.unwrap_or(after)), standing(after));
            let knows = |listener: &_| outbox::email_is_known(old, new, listener);
            outbox::person(c, at, workspace, Kind::UserUpdated, id, knows).await
        }
    }
}

/// B-447…B-453, B-462, B-464, D-173…D-176.
fn of(before: Option<&User>, after: &User) -> News {
    let was_listed = before.is_some_and(|user| standing(user).is_listed());
    let Some(before) = before.filter(|_| was_listed) else {
        return if standing(after).is_listed() { News::Everyone(Kind::UserCreated) } else { News::Nothing };
    };
    if !standing(after).is_listed() || (before.state != after.state && !after.state.is_active()) {
        News::Everyone(Kind::UserDeactivated)
    } else if before.state.is_active() != after.state.is_active()
        || before.name != after.name
        || before.title != after.title
    {
        News::Everyone(Kind::UserUpdated)
    } else if before.email != after.email {
        News::Address
    } else {
        News::Nothing
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::{
        ids::{UserId, WorkspaceId},
        people::UserState::{Active, Deactivated, Onboarding, Removed},
        time::Timestamp,
    };

    const fn user(is_external: bool, guest_visible: bool, is_bot: bool) -> User {
        User {
            id: UserId(2),
            workspace_id: WorkspaceId(1),
            account_id: None,
            app_id: None,
            name: String::new(),
            display_name: None,
            email: None,
            avatar_url: None,
            title: None,
            timezone: None,
            state: Active,
            is_admin: false,
            is_external,
            is_bot,
            email_visible: true,
            guest_visible,
            created_at: Timestamp(0),
        }
    }

    pub const PERSON: User = user(false, true, false);
    const GUEST: User = user(true, true, false);
    const HIDDEN: User = user(true, false, false);
    const BOT: User = user(false, true, true);
    const CREATED: News = News::Everyone(Kind::UserCreated);
    const UPDATED: News = News::Everyone(Kind::UserUpdated);
    const DEACTIVATED: News = News::Everyone(Kind::UserDeactivated);

    #[test]
    fn someone_appears() {
        for state in [Active, Onboarding, Deactivated, Removed] {
            assert_eq!(of(None, &User { state, ..PERSON }), CREATED);
        }
        assert_eq!(of(None, &GUEST), CREATED);
        assert_eq!(of(None, &HIDDEN), News::Nothing);
        assert_eq!(of(None, &BOT), News::Nothing);
        assert_eq!(of(Some(&HIDDEN), &GUEST), CREATED);
        assert_eq!(of(Some(&HIDDEN), &User { is_external: false, ..HIDDEN }), CREATED);
    }

    #[test]
    fn someone_disappears() {
        assert_eq!(of(Some(&GUEST), &HIDDEN), DEACTIVATED);
        assert_eq!(of(Some(&User { is_external: false, ..HIDDEN }), &HIDDEN), DEACTIVATED);
        assert_eq!(of(Some(&HIDDEN), &User { name: "B".into(), ..HIDDEN }), News::Nothing);
        assert_eq!(of(Some(&HIDDEN), &User { state: Removed, ..HIDDEN }), News::Nothing);
        assert_eq!(of(Some(&BOT), &User { name: "B".into(), ..BOT }), News::Nothing);
    }

    #[test]
    fn states() {
        let to = |from, to| of(Some(&User { state: from, ..PERSON }), &User { state: to, ..PERSON });
        assert_eq!(to(Active, Deactivated), DEACTIVATED);
        assert_eq!(to(Active, Removed), DEACTIVATED);
        assert_eq!(to(Deactivated, Removed), DEACTIVATED);
        assert_eq!(to(Onboarding, Removed), DEACTIVATED);
        assert_eq!(to(Deactivated, Active), UPDATED);
        assert_eq!(to(Onboarding, Active), News::Nothing);
    }

    #[test]
    fn fields() {
        let to = |after: User| of(Some(&PERSON), &after);
        assert_eq!(to(User { name: "B".into(), ..PERSON }), UPDATED);
        assert_eq!(to(User { title: Some("B".into()), ..PERSON }), UPDATED);
        assert_eq!(to(User { email: Some("b@c".into()), ..PERSON }), News::Address);
        assert_eq!(to(User { email: Some("b@c".into()), name: "B".into(), ..PERSON }), UPDATED);
        for silent in [
            PERSON,
            User { display_name: Some("B".into()), ..PERSON },
            User { timezone: Some("UTC".into()), ..PERSON },
            User { avatar_url: Some("https://a/b".into()), ..PERSON },
            User { is_admin: true, ..PERSON },
            User { email_visible: false, ..PERSON },
            GUEST,
        ] {
            assert_eq!(to(silent), News::Nothing);
        }
    }
}
