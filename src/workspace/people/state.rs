//! Account states and forced log-out.

use super::{conflict, held, identity, is_counted, news};
use crate::{
    domain::{
        grant::EndReason,
        ids::UserId,
        people::{UserState, email_key},
        refusal::Code,
    },
    store::{
        Op, Result, Sql, accounts, conversations, drafts,
        users::{self, User},
    },
    workspace::{Stamp, World, assistants::connections::end_of_person, principal::Principal},
};

impl World {
    /// Moves a person to another account state (W-11). The state they have is accepted and changes nothing.
    ///
    /// Who may not act any more is logged out for good and loses every connected assistant; who is removed loses account,
    /// role, address, avatar, title and time zone (D-126) and stays a member that is not counted.
    ///
    /// # Errors
    /// `user_not_found`, also for strangers; `forbidden` for people who are no admins; `conflict` for a bot and
    /// for a move that is none (D-380).
    pub async fn set_person_state(&self, who: &Principal, id: UserId, state: UserState) -> Result<User> {
        self.db.write(SetPersonState { at: self.stamp(), who: who.clone(), id, state }).await
    }

    /// Ends what a person has signed in to in this company, and every assistant they connected (W-12, D-317).
    ///
    /// # Errors
    /// `user_not_found`, also for strangers; `forbidden` for people who are no admins; `conflict` for a bot.
    pub async fn log_person_out(&self, who: &Principal, id: UserId) -> Result<()> {
        self.db.write(LogPersonOut { at: self.stamp(), who: who.clone(), id }).await
    }
}

/// Takes from a removed person what is not kept of one.
pub(super) fn forget(user: &mut User) {
    user.account_id = None;
    user.is_admin = false;
    user.email = None;
    user.avatar_url = None;
    user.title = None;
    user.timezone = None;
}

/// Makes every session that exists stop speaking for a person, also one begun by a node whose clock is ahead.
async fn log_out<C: Sql>(c: &mut C, at: &Stamp, user: &User) -> Result<()> {
    let newest = match user.account_id {
        Some(account) => accounts::newest_session(c, account).await?,
        None => None,
    };
    users::log_out(c, user.id, newest.map_or(at.now, |newest| newest.max(at.now))).await
}

struct SetPersonState {
    at: Stamp,
    who: Principal,
    id: UserId,
    state: UserState,
}

impl Op for SetPersonState {
    const NAME: &'static str = "set_person_state";
    type Out = User;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let before = held(c, self.id).await?;
        self.who.administer(before.workspace_id, Code::UserNotFound)?;
        if before.is_bot {
            return conflict("a bot has no account state");
        }
        if before.state == self.state {
            return Ok(before);
        }
        if !before.state.may_become(self.state) {
            return conflict("the person's state does not allow this");
        }
        let mut after = User { state: self.state, ..before.clone() };
        let ends = match after.state {
            UserState::Active | UserState::Onboarding => None,
            UserState::Deactivated => Some(EndReason::UserDeactivated),
            UserState::Removed => Some(EndReason::UserRemoved),
        };
        if let Some(reason) = ends {
            log_out(c, &self.at, &before).await?;
            end_of_person(c, before.id, reason, self.at.now).await?;
        }
        if after.state == UserState::Removed {
            forget(&mut after);
            drafts::delete_of(c, before.id).await?;
        }
        users::update(c, &after, after.email.as_deref().map(email_key).as_deref()).await?;
        if let (Some(account), None) = (before.account_id, after.account_id) {
            identity::release(c, account).await?;
        }
        news::tell(c, &self.at, Some(&before), &after).await?;
        // last: every message in these conversations waits for the locks that this takes
        match (is_counted(&before), is_counted(&after)) {
            (false, true) => conversations::count_everywhere(c, after.id, 1).await?,
            (true, false) => conversations::count_everywhere(c, after.id, -1).await?,
            _ => {}
        }
        Ok(after)
    }
}

struct LogPersonOut {
    at: Stamp,
    who: Principal,
    id: UserId,
}

impl Op for LogPersonOut {
    const NAME: &'static str = "log_person_out";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let user = held(c, self.id).await?;
        self.who.administer(user.workspace_id, Code::UserNotFound)?;
        if user.is_bot {
            return conflict("a bot does not sign in");
        }
        log_out(c, &self.at, &user).await?;
        end_of_person(c, user.id, EndReason::LoggedOut, self.at.now).await
    }
}
