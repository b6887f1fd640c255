//! Changes of a person's account state, and forced sign-out.

use super::{
    UserView, conflict, directory_events, fields::erase_personal_data, identity, is_counted, lock_person,
};
use crate::{
    domain::{
        grant::EndReason,
        ids::UserId,
        people::{UserState, email_key},
        refusal::Code,
    },
    service::{
        Stamp,
        callers::{Caller, principal::CallerPrincipal},
        oauth::connections::revoke_connections_of_user,
    },
    store::{
        LockKey, Locks, Op, Result, Sql, accounts, conversations, drafts,
        users::{self, User},
    },
};

impl Caller {
    /// Changes a person's account state (W-11). If the person already has the state, nothing changes.
    ///
    /// A deactivation or removal revokes the person's assistant connections. Sessions that exist at the time of the
    /// change can never act as the person again, not even after a reactivation. The person stays a member of
    /// conversations, but is no longer counted in `member_count`. A removed person also loses the account, the admin
    /// role, the personal data except the names (D-126), and all drafts and app blocks.
    ///
    /// # Errors
    /// `user_not_found` for an unknown id, and for a caller outside the company. `forbidden` for a person of the
    /// company who is not an admin. `conflict` for a bot, and for a change of state that D-380 does not allow.
    pub async fn set_person_state(&self, id: UserId, state: UserState) -> Result<UserView> {
        let op = SetPersonState { stamp: self.world().stamp(), principal: self.to_principal(), id, state };
        Ok(self.write(op).await?.into())
    }

    /// Signs a person out: no existing session of the account can act as this person any more. Also revokes all
    /// assistant connections of the person (W-12, D-317).
    ///
    /// # Errors
    /// `user_not_found` for an unknown id, and for a caller outside the company. `forbidden` for a person of the
    /// company who is not an admin. `conflict` for a bot.
    pub async fn log_person_out(&self, id: UserId) -> Result<()> {
        self.write(LogPersonOut { stamp: self.world().stamp(), principal: self.to_principal(), id }).await
    }
}

/// Makes all existing sessions of the account invalid for this person. A session whose creation time is later than now,
/// because the clock of the node that created it is ahead, becomes invalid too.
async fn log_out<C: Sql>(c: &mut C, stamp: &Stamp, user: &User) -> Result<()> {
    let newest = match user.account_id {
        Some(account) => accounts::newest_session(c, account).await?,
        None => None,
    };
    users::log_out(c, user.id, newest.map_or(stamp.now, |newest| newest.max(stamp.now))).await
}

struct SetPersonState {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: UserId,
    state: UserState,
}

impl Op for SetPersonState {
    const NAME: &'static str = "set_person_state";
    type Out = User;

    /// A removal takes the person's lock for drafts, which the creation of a draft also takes. Without this lock, a
    /// draft that a concurrent tool call creates could remain after the removal.
    fn locks(&self) -> Locks {
        if self.state == UserState::Removed {
            return Locks::default().and_exclusive(LockKey::drafts(self.id));
        }
        Locks::default()
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let before = lock_person(c, self.id).await?;
        self.principal.administer(before.workspace_id, Code::UserNotFound)?;
        if before.is_bot {
            return conflict("a bot has no account state");
        }
        if before.state == self.state {
            return Ok(before);
        }
        if !before.state.may_become(self.state) {
            return conflict("the person cannot change to this state");
        }
        let mut after = User { state: self.state, ..before.clone() };
        let end_reason = match after.state {
            UserState::Active | UserState::Onboarding => None,
            UserState::Deactivated => Some(EndReason::UserDeactivated),
            UserState::Removed => Some(EndReason::UserRemoved),
        };
        if let Some(reason) = end_reason {
            log_out(c, &self.stamp, &before).await?;
            revoke_connections_of_user(c, before.id, reason, self.stamp.now).await?;
        }
        if after.state == UserState::Removed {
            erase_personal_data(&mut after);
            drafts::delete_of(c, before.id).await?;
            users::delete_blocks(c, before.id).await?;
        }
        users::update(c, &after, after.email.as_deref().map(email_key).as_deref()).await?;
        if let (Some(account), None) = (before.account_id, after.account_id) {
            identity::release(c, account).await?;
        }
        directory_events::notify(c, &self.stamp, Some(&before), &after).await?;
        // `member_count` is updated last, because the update locks all conversations of the person, and sends to these
        // conversations wait until the commit
        match (is_counted(&before), is_counted(&after)) {
            (false, true) => conversations::count_everywhere(c, after.id, 1).await?,
            (true, false) => conversations::count_everywhere(c, after.id, -1).await?,
            _ => {}
        }
        Ok(after)
    }
}

struct LogPersonOut {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: UserId,
}

impl Op for LogPersonOut {
    const NAME: &'static str = "log_person_out";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let user = lock_person(c, self.id).await?;
        self.principal.administer(user.workspace_id, Code::UserNotFound)?;
        if user.is_bot {
            return conflict("a bot does not sign in");
        }
        log_out(c, &self.stamp, &user).await?;
        revoke_connections_of_user(c, user.id, EndReason::LoggedOut, self.stamp.now).await
    }
}
