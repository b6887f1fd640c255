//! Notifies apps of new and changed people, by `directory.changed` events.

use crate::{
    service::{
        Stamp,
        outbox::{self, DirectoryEventKind},
        people::visible_user::visibility,
    },
    store::{Result, Sql, users::User},
};

/// The event that a change causes, and which apps get the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Report {
    /// No event.
    Nothing,
    /// An event of this kind, for every connected app with the scope `users:read`.
    Everyone(DirectoryEventKind),
    /// The event `user.updated` about a new e-mail address, for every connected app with the scope `users:read` that
    /// may see the old or the new address (D-174).
    Address,
}

/// Notifies apps of a new person (`before` is `None`) or of a change.
pub(super) async fn notify<C: Sql>(
    c: &mut C,
    stamp: &Stamp,
    before: Option<&User>,
    after: &User,
) -> Result<()> {
    let (workspace, id) = (after.workspace_id, after.id);
    match report_of(before, after) {
        Report::Nothing => Ok(()),
        Report::Everyone(kind) => outbox::person(c, stamp, workspace, kind, id, outbox::everyone).await,
        Report::Address => {
            let (old, new) = (visibility(before.unwrap_or(after)), visibility(after));
            let may_see = |listener: &_| outbox::email_was_or_is_visible(old, new, listener);
            outbox::person(c, stamp, workspace, DirectoryEventKind::UserUpdated, id, may_see).await
        }
    }
}

/// Returns the event of a change (B-447…B-453, B-462, B-464, D-173…D-176).
fn report_of(before: Option<&User>, after: &User) -> Report {
    let was_listed = before.is_some_and(|user| visibility(user).is_listed());
    let Some(before) = before.filter(|_| was_listed) else {
        return if visibility(after).is_listed() {
            Report::Everyone(DirectoryEventKind::UserCreated)
        } else {
            Report::Nothing
        };
    };
    if !visibility(after).is_listed() || (before.state != after.state && !after.state.is_active()) {
        Report::Everyone(DirectoryEventKind::UserDeactivated)
    } else if before.state.is_active() != after.state.is_active()
        || before.name != after.name
        || before.title != after.title
    {
        Report::Everyone(DirectoryEventKind::UserUpdated)
    } else if before.email != after.email {
        Report::Address
    } else {
        Report::Nothing
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
        let mut user = User::new(UserId(2), WorkspaceId(1), String::new(), Timestamp(0));
        user.is_external = is_external;
        user.guest_visible = guest_visible;
        user.is_bot = is_bot;
        user
    }

    pub const PERSON: User = user(false, true, false);
    const GUEST: User = user(true, true, false);
    const HIDDEN: User = user(true, false, false);
    const BOT: User = user(false, true, true);
    const CREATED: Report = Report::Everyone(DirectoryEventKind::UserCreated);
    const UPDATED: Report = Report::Everyone(DirectoryEventKind::UserUpdated);
    const DEACTIVATED: Report = Report::Everyone(DirectoryEventKind::UserDeactivated);

    #[test]
    fn a_person_who_becomes_visible_is_reported_as_created() {
        for state in [Active, Onboarding, Deactivated, Removed] {
            assert_eq!(report_of(None, &User { state, ..PERSON }), CREATED);
        }
        assert_eq!(report_of(None, &GUEST), CREATED);
        assert_eq!(report_of(None, &HIDDEN), Report::Nothing);
        assert_eq!(report_of(None, &BOT), Report::Nothing);
        assert_eq!(report_of(Some(&HIDDEN), &GUEST), CREATED);
        assert_eq!(report_of(Some(&HIDDEN), &User { is_external: false, ..HIDDEN }), CREATED);
    }

    #[test]
    fn a_person_who_becomes_hidden_is_reported_as_deactivated() {
        assert_eq!(report_of(Some(&GUEST), &HIDDEN), DEACTIVATED);
        assert_eq!(report_of(Some(&User { is_external: false, ..HIDDEN }), &HIDDEN), DEACTIVATED);
        assert_eq!(report_of(Some(&HIDDEN), &User { name: "B".into(), ..HIDDEN }), Report::Nothing);
        assert_eq!(report_of(Some(&HIDDEN), &User { state: Removed, ..HIDDEN }), Report::Nothing);
        assert_eq!(report_of(Some(&BOT), &User { name: "B".into(), ..BOT }), Report::Nothing);
    }

    #[test]
    fn changes_of_state_are_reported_except_from_onboarding_to_active() {
        let report =
            |from, to| report_of(Some(&User { state: from, ..PERSON }), &User { state: to, ..PERSON });
        assert_eq!(report(Active, Deactivated), DEACTIVATED);
        assert_eq!(report(Active, Removed), DEACTIVATED);
        assert_eq!(report(Deactivated, Removed), DEACTIVATED);
        assert_eq!(report(Onboarding, Removed), DEACTIVATED);
        assert_eq!(report(Deactivated, Active), UPDATED);
        assert_eq!(report(Onboarding, Active), Report::Nothing);
    }

    #[test]
    fn apart_from_the_state_only_changes_of_name_title_and_email_are_reported() {
        let report = |after: User| report_of(Some(&PERSON), &after);
        assert_eq!(report(User { name: "B".into(), ..PERSON }), UPDATED);
        assert_eq!(report(User { title: Some("B".into()), ..PERSON }), UPDATED);
        assert_eq!(report(User { email: Some("b@c".into()), ..PERSON }), Report::Address);
        assert_eq!(report(User { email: Some("b@c".into()), name: "B".into(), ..PERSON }), UPDATED);
        for silent in [
            PERSON,
            User { display_name: Some("B".into()), ..PERSON },
            User { timezone: Some("UTC".into()), ..PERSON },
            User { avatar_url: Some("https://a/b".into()), ..PERSON },
            User { is_admin: true, ..PERSON },
            User { email_visible: false, ..PERSON },
            GUEST,
        ] {
            assert_eq!(report(silent), Report::Nothing);
        }
    }
}
