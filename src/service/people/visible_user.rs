//! Which users a bot or a person sees, and which [fields](super::fields) of a user.
//!
//! These rules do not apply to the admin API. There the operator, the company's admins and the user themselves see
//! [every field](crate::service::people::UserView) of a user.

use super::VisibleUser;
use crate::{
    domain::{
        ids::{UserId, WorkspaceId},
        people::{UserVisibility, is_listed},
    },
    store::{
        ReadSql, Result,
        conversation_lists::MemberDetail,
        listed,
        users::{self, User},
    },
};

/// The bot or the person to whom users are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::service) struct Viewer {
    workspace: WorkspaceId,
    /// The id of the person, who always finds themselves and sees their own e-mail address. `None` for a bot.
    own: Option<UserId>,
    /// Whether the viewer may see the e-mail address of a user who shares it with colleagues.
    reads_email: bool,
}

impl Viewer {
    /// Returns a bot as a viewer. `reads_email` is true if the bot's token may read e-mail addresses (B-088).
    pub(in crate::service) const fn bot(workspace: WorkspaceId, reads_email: bool) -> Self {
        Self { workspace, own: None, reads_email }
    }

    /// Returns a person as a viewer. If the person is a guest, the calling code must also omit the users whom the guest
    /// does not know ([`known_to_guest`]).
    pub(in crate::service) const fn person(workspace: WorkspaceId, id: UserId) -> Self {
        Self { workspace, own: Some(id), reads_email: true }
    }

    fn is_own(self, user: &User) -> bool {
        self.own == Some(user.id)
    }

    /// Returns whether the viewer can find a user by id. Every viewer finds the listed users of the company, who are
    /// its people except hidden guests. A person also finds bots, and themselves even if they are a hidden guest.
    pub(in crate::service) fn sees(self, user: &User) -> bool {
        user.workspace_id == self.workspace
            && self.finds(user.id, user.is_bot, is_listed(user.is_bot, user.is_external, user.guest_visible))
    }

    /// Returns whether lists of people show a user to the viewer. The lists show the people of the company except
    /// hidden guests. A hidden guest does not see themselves in these lists either.
    pub(in crate::service) fn lists(self, user: &User) -> bool {
        user.workspace_id == self.workspace && is_listed(user.is_bot, user.is_external, user.guest_visible)
    }

    /// Does the same as [`Self::sees`], for a member of a conversation of the viewer's company.
    pub(in crate::service) fn sees_member(self, member: &MemberDetail) -> bool {
        let is_listed = is_listed(member.is_bot, member.is_external, member.guest_visible);
        self.finds(member.user_id, member.is_bot, is_listed)
    }

    fn finds(self, id: UserId, is_bot: bool, is_listed: bool) -> bool {
        is_listed || (self.own.is_some() && (self.own == Some(id) || is_bot))
    }

    /// Returns whether the viewer can find a user by e-mail address. Assumes that the user belongs to the viewer's
    /// company.
    pub(in crate::service) fn finds_by_email(self, user: &User) -> bool {
        self.is_own(user) || visibility(user).is_found_by_email()
    }

    /// Returns what the viewer sees of a user.
    pub(in crate::service) fn view(self, user: User) -> VisibleUser {
        let visibility = visibility(&user);
        let shows_email = self.is_own(&user) || visibility.shows_email(self.reads_email);
        let shows_profile = visibility.shows_profile();
        VisibleUser::of(user, shows_email, shows_profile)
    }
}

/// Returns the facts about a user that the visibility rules need.
#[must_use]
pub(in crate::service) fn visibility(user: &User) -> UserVisibility {
    UserVisibility {
        state: user.state,
        is_bot: user.is_bot,
        is_guest: user.is_external,
        guest_visible: user.guest_visible,
        email_visible: user.email_visible,
    }
}

/// Returns the users whom a guest may see: those of `users` who are in a conversation with the guest, and the guest.
pub(in crate::service) async fn known_to_guest<C: ReadSql>(
    c: &mut C,
    guest: UserId,
    users: &[UserId],
) -> Result<Vec<UserId>> {
    let mut known = listed::in_conversation_with(c, guest, users).await?;
    known.push(guest);
    Ok(known)
}

/// Returns the users in `found` whom a person of a company sees. If the person is a guest, omits users who are not
/// [known](known_to_guest) to the guest.
pub(in crate::service) async fn seen_by_person<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    person: UserId,
    mut found: Vec<User>,
) -> Result<Vec<User>> {
    let viewer = Viewer::person(workspace, person);
    found.retain(|user| viewer.sees(user));
    if found.is_empty() {
        return Ok(found);
    }
    let is_guest = users::by_id(c, person).await?.is_none_or(|reader| reader.is_external);
    if is_guest {
        let ids: Vec<UserId> = found.iter().map(|user| user.id).collect();
        let known = known_to_guest(c, person, &ids).await?;
        found.retain(|user| known.contains(&user.id));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ids::MessageId, people::UserState, time::Timestamp};

    const COMPANY: WorkspaceId = WorkspaceId(1);
    const EMPLOYEE: Viewer = Viewer { workspace: COMPANY, own: Some(UserId(1)), reads_email: true };
    const BOT: Viewer = Viewer { workspace: COMPANY, own: None, reads_email: false };
    const BOT_WITH_EMAIL: Viewer = Viewer { reads_email: true, ..BOT };

    fn user(id: i64) -> User {
        User {
            email: Some("ada@example.com".into()),
            title: Some("Engineer".into()),
            timezone: Some("Europe/London".into()),
            ..User::new(UserId(id), COMPANY, "Ada Lovelace".into(), Timestamp(0))
        }
    }

    #[test]
    fn sees_member_agrees_with_sees() {
        for flags in 0..8 {
            let (is_bot, is_external, guest_visible) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
            for (viewer, id) in [(BOT, 2), (EMPLOYEE, 2), (EMPLOYEE, 1)] {
                let user = User { is_external, is_bot, guest_visible, ..user(id) };
                let member = MemberDetail {
                    user_id: user.id,
                    joined_at: Timestamp(0),
                    left_at: None,
                    visible_from: MessageId(0),
                    is_bot,
                    is_external,
                    guest_visible,
                };
                assert_eq!(viewer.sees_member(&member), viewer.sees(&user), "{viewer:?} {member:?}");
            }
        }
    }

    #[test]
    fn an_address_is_shown_if_the_viewer_may_read_it_and_its_owner_shares_it() {
        let address = |viewer: Viewer, user: User| viewer.view(user).email;
        let shown = Some("ada@example.com".to_owned());
        assert_eq!(address(BOT, user(2)), None, "the token lacks users:read.email (B-088)");
        assert_eq!(address(BOT_WITH_EMAIL, user(2)), shown);
        assert_eq!(address(EMPLOYEE, user(2)), shown);
        let hiding = |id| User { email_visible: false, ..user(id) };
        assert_eq!(address(BOT_WITH_EMAIL, hiding(2)), None);
        assert_eq!(address(EMPLOYEE, hiding(2)), None);
        assert_eq!(address(EMPLOYEE, hiding(1)), shown, "everybody sees their own address");
        assert!(!EMPLOYEE.finds_by_email(&hiding(2)) && EMPLOYEE.finds_by_email(&hiding(1)));
    }

    #[test]
    fn the_view_of_a_removed_person_has_no_profile() {
        let left = EMPLOYEE.view(User { state: UserState::Removed, ..user(2) });
        assert_eq!((left.email, left.title, left.timezone, left.is_active), (None, None, None, false));
        assert_eq!(left.name, "Ada Lovelace");
    }

    #[test]
    fn hidden_guests_and_users_of_other_companies_are_not_found_and_bots_find_no_bots() {
        let hidden = User { is_external: true, guest_visible: false, ..user(2) };
        assert!(!BOT.sees(&hidden) && !EMPLOYEE.sees(&hidden));
        let own = User { id: UserId(1), ..hidden };
        assert!(
            EMPLOYEE.sees(&own) && !EMPLOYEE.lists(&own),
            "a hidden guest sees themselves, but in no list"
        );
        assert!(EMPLOYEE.lists(&user(2)), "lists show people who are not hidden guests");
        let bot = User { is_bot: true, ..user(2) };
        assert!(EMPLOYEE.sees(&bot) && !EMPLOYEE.lists(&bot) && !BOT.sees(&bot));
        let foreign = User { workspace_id: WorkspaceId(2), ..user(1) };
        assert!(!BOT.sees(&foreign) && !EMPLOYEE.sees(&foreign) && !EMPLOYEE.lists(&foreign));
    }
}
