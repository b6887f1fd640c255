//! Signing in and out, and what a session may speak for. Called by the admin room and the pages.
//!
//! A session speaks for the persons that the account's password opens: every company's when the operator set it, one
//! company's when an admin did ([decision 2](../../docs/decisions/0002-reach-of-a-password.md)).

use std::{net::IpAddr, time::Duration};

use super::{Stamp, World, principal::Principal, refuse};
use crate::{
    domain::{
        ids::AccountId,
        people::email_key,
        refusal::Code,
        time::Timestamp,
        token::{self, Kind},
    },
    platform::{
        client_ip::network,
        limits::{Key, SIGN_IN_ACCOUNT, SIGN_IN_ACCOUNT_ANYWHERE, SIGN_IN_ADDRESS, Standing, Wait},
        secrets::Secret,
    },
    store::{
        Op, Result, Sql, StoreError,
        accounts::{self, Account, Membership, Session},
    },
};

/// How long a session lasts, used or not.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What the keys of the sign-in limits are counted under.
const SIGN_IN: &str = "sign_in";

/// A session that has begun.
#[derive(Debug)]
pub struct SignedIn {
    /// `svc_ses_…`; only its hash is kept.
    pub token: Secret,
    /// Whom it speaks for.
    pub persons: Vec<Membership>,
    /// When it ends.
    pub expires_at: Timestamp,
}

impl World {
    /// Counts an attempt to sign in: by network address, by account and address, and by account. So guesses at every
    /// account from one place and at one account from everywhere are both bounded, and a stranger who guesses at an
    /// account from a few places does not keep its owner out. To be called before every [`World::sign_in`]; without
    /// `email` only the place counts.
    ///
    /// # Errors
    /// [`Wait`] when there were too many in the last minute.
    pub async fn admit_sign_in(
        &self,
        email: Option<&str>,
        address: IpAddr,
    ) -> std::result::Result<Vec<Standing>, Wait> {
        let mut rows = vec![(SIGN_IN_ADDRESS, Key::address(SIGN_IN, address))];
        if let Some(account) = email.map(email_key) {
            let place = network(address).to_string();
            rows.push((SIGN_IN_ACCOUNT, Key::texts(SIGN_IN, &[&account, &place])));
            rows.push((SIGN_IN_ACCOUNT_ANYWHERE, Key::texts(SIGN_IN, &[&account])));
        }
        let mut standings = Vec::with_capacity(rows.len());
        for (row, key) in rows {
            let decision = self.limits.check_exact(row, key, self.clock.now()).await;
            standings.push(decision.standing);
            if let Some(wait) = decision.wait {
                return Err(Wait { standings, wait });
            }
        }
        Ok(standings)
    }

    /// Starts a session (W-01). An address without an account takes as long as a wrong password.
    ///
    /// # Errors
    /// `invalid_auth` when address and password do not belong together, and when no person of the account may
    /// act: the answers are alike.
    pub async fn sign_in(&self, email: &str, password: &Secret) -> Result<SignedIn> {
        let account = self.db.read(FindAccount(email_key(email))).await?;
        let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
        let is_right = match self.passwords.verify(password, hash).await {
            Ok(is_right) => is_right,
            Err(error) => return Err(StoreError::bug(error.to_string()).into()),
        };
        let Some(Account { id, password_hash: Some(hash), .. }) = account.filter(|_| is_right) else {
            return refuse(Code::InvalidAuth);
        };
        let token = self.mint(Kind::Session);
        let token_hash = token::hash(&token);
        let op = StartSession { at: self.stamp(), token_hash, account: id, verified_hash: hash };
        let (session, persons) = self.db.write(op).await?;
        Ok(SignedIn { token: Secret::new(token), persons, expires_at: session.expires_at })
    }

    /// Ends the caller's session (W-02).
    ///
    /// # Errors
    /// `forbidden` for the operator, who has none.
    pub async fn sign_out(&self, who: &Principal) -> Result<()> {
        match who {
            Principal::Operator => refuse(Code::Forbidden),
            Principal::Account { session, .. } => self.db.write(EndSession(*session)).await,
        }
    }

    /// Ends a session by the SHA-256 of its token: the one a browser had when it signed in anew (D-275). None is no
    /// failure.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn end_session(&self, token_hash: [u8; 32]) -> Result<()> {
        self.db.write(EndSession(token_hash)).await
    }

    /// Whom a session speaks for now.
    ///
    /// # Errors
    /// `invalid_auth` when there is no such session, it has run out, or nobody is left who may act; unavailable while the
    /// clock is off ([`World::trusted_now`]).
    pub async fn session(&self, token_hash: [u8; 32]) -> Result<Principal> {
        self.db.read(FindSession { token_hash, now: self.trusted_now()? }).await
    }

    /// The same caller as of now, for what takes long between the door and the deed.
    ///
    /// # Errors
    /// Those of [`World::session`].
    pub async fn still(&self, who: &Principal) -> Result<Principal> {
        match who {
            Principal::Operator => Ok(Principal::Operator),
            Principal::Account { session, .. } => self.session(*session).await,
        }
    }
}

/// The persons that a session begun at `since` speaks for: they may act, and were not logged out after it began.
fn acting(mut persons: Vec<Membership>, since: Timestamp) -> Vec<Membership> {
    persons.retain(|person| person.state.is_active() && person.sessions_valid_after < since);
    persons
}

/// When a session for these persons begins: now, or just after their last log-out where that was told by a clock
/// ahead of this one.
fn beginning(now: Timestamp, persons: &[Membership]) -> Timestamp {
    let after_log_outs = persons.iter().map(|person| person.sessions_valid_after + Duration::from_micros(1));
    after_log_outs.fold(now, Timestamp::max)
}

struct FindAccount(String);

impl Op for FindAccount {
    const NAME: &'static str = "find_account";
    type Out = Option<Account>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<Account>> {
        accounts::by_email(c, &self.0).await
    }
}

struct StartSession {
    at: Stamp,
    token_hash: [u8; 32],
    account: AccountId,
    verified_hash: String,
}

impl Op for StartSession {
    const NAME: &'static str = "start_session";
    type Out = (Session, Vec<Membership>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        // held and compared: a password changed meanwhile has ended all sessions, this one must not come after
        let account = accounts::by_id_for_update(c, self.account).await?;
        if account.and_then(|account| account.password_hash).as_ref() != Some(&self.verified_hash) {
            return refuse(Code::InvalidAuth);
        }
        let persons = accounts::opened(c, self.account).await?;
        let created_at = beginning(self.at.now, &persons);
        let persons = acting(persons, created_at);
        if persons.is_empty() {
            return refuse(Code::InvalidAuth);
        }
        let expires_at = self.at.now + SESSION_LIFE;
        let session = Session { account_id: self.account, created_at, expires_at };
        accounts::insert_session(c, &self.token_hash, &session).await?;
        Ok((session, persons))
    }
}

struct EndSession([u8; 32]);

impl Op for EndSession {
    const NAME: &'static str = "end_session";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        accounts::delete_session(c, &self.0).await
    }
}

struct FindSession {
    token_hash: [u8; 32],
    now: Timestamp,
}

impl Op for FindSession {
    const NAME: &'static str = "find_session";
    type Out = Principal;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Principal> {
        let found = accounts::session(c, &self.token_hash).await?;
        let Some(session) = found.filter(|session| session.expires_at > self.now) else {
            return refuse(Code::InvalidAuth);
        };
        let persons = accounts::opened(c, session.account_id).await?;
        let persons = acting(persons, session.created_at);
        if persons.is_empty() {
            return refuse(Code::InvalidAuth);
        }
        Ok(Principal::Account { account_id: session.account_id, session: self.token_hash, persons })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        ids::{UserId, WorkspaceId},
        people::UserState,
    };

    fn person(state: UserState, logged_out_at: i64) -> Membership {
        Membership {
            user_id: UserId(1),
            workspace_id: WorkspaceId(1),
            state,
            is_admin: false,
            is_external: false,
            sessions_valid_after: Timestamp(logged_out_at),
        }
    }

    #[test]
    fn a_session_speaks_for_who_may_act_and_was_not_logged_out_since() {
        for (state, logged_out_at, speaks) in [
            (UserState::Active, 0, true),
            (UserState::Onboarding, 9, true),
            (UserState::Active, 10, false),
            (UserState::Active, 11, false),
            (UserState::Deactivated, 0, false),
            (UserState::Removed, 0, false),
        ] {
            let acting = acting(vec![person(state, logged_out_at)], Timestamp(10));
            assert_eq!(!acting.is_empty(), speaks, "{state} {logged_out_at}");
        }
    }

    #[test]
    fn a_sign_in_counts_after_a_log_out_told_by_a_clock_ahead() {
        let persons = vec![person(UserState::Active, 50), person(UserState::Active, 5)];
        assert_eq!(beginning(Timestamp(10), &persons), Timestamp(51));
        assert_eq!(acting(persons.clone(), beginning(Timestamp(10), &persons)).len(), 2);
        assert_eq!(beginning(Timestamp(60), &persons), Timestamp(60));
    }
}
