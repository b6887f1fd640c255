//! Sign-in and sign-out. `callers/session.rs` decides as which persons a session can act.

use std::{net::IpAddr, time::Duration};

use crate::service::{
    Stamp, World,
    callers::{SignedIn, principal::ActingPerson, session::acting},
    refuse,
    sign_in::guesses::{Guess, SignInLocation, record_success, store_known_location},
};
use crate::{
    domain::{
        ids::AccountId,
        people::email_key,
        refusal::Code,
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::{
        client_ip::wide_network,
        limits::{ExactWindow, LimitKey, LimitStatus, RateLimited, SIGN_IN},
        secrets::Secret,
    },
    store::{
        LockKey, Notice, Op, Result, Sql,
        accounts::{self, Account, Membership, SignInSession},
    },
};

/// Lifetime of a session. Use of the session does not extend it.
pub const SESSION_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// A new session.
#[derive(Debug)]
pub struct NewSession {
    /// `svc_ses_…`; only its hash is stored.
    pub token: Secret,
    /// The persons as whom the session can act, at most one in each company.
    pub persons: Vec<ActingPerson>,
    /// When the session expires.
    pub expires_at: Timestamp,
}

impl World {
    /// Counts a sign-in attempt against the limit of its IP address. The limit applies to the attempts for all accounts
    /// together. An attempt from an IPv6 address is also counted against the limit of the address's /48 network. Call
    /// this method before the body of the request is read.
    ///
    /// # Errors
    /// [`RateLimited`] if there were too many attempts in the last minute.
    pub async fn admit_sign_in_from(
        &self,
        address: IpAddr,
    ) -> std::result::Result<Vec<LimitStatus>, RateLimited> {
        let mut takes = vec![SIGN_IN.address.key_and_counter(address)];
        takes.extend(wide_network(address).map(|wide| SIGN_IN.wide_network.key_and_counter(wide)));
        self.take_attempt(&takes).await
    }

    /// Counts a sign-in attempt against the limit of attempts from one IP address for one e-mail address. Call this
    /// method after [`World::admit_sign_in_from`] and before [`World::sign_in`], which also limits wrong passwords
    /// ([`guesses`](crate::service::sign_in::guesses)).
    ///
    /// # Errors
    /// [`RateLimited`] if there were too many attempts in the last minute.
    pub async fn admit_sign_in(
        &self,
        email: &str,
        address: IpAddr,
    ) -> std::result::Result<Vec<LimitStatus>, RateLimited> {
        self.take_attempt(&[SIGN_IN.account.key_and_counter((&email_key(email), address))]).await
    }

    async fn take_attempt(
        &self,
        takes: &[(LimitKey, ExactWindow)],
    ) -> std::result::Result<Vec<LimitStatus>, RateLimited> {
        let mut statuses = Vec::with_capacity(takes.len());
        for (key, window) in takes {
            let decision = self.limits.check_exact(*window, *key, self.clock.now()).await;
            statuses.push(decision.status);
            if let Some(wait) = decision.wait {
                return Err(RateLimited { statuses, wait });
            }
        }
        Ok(statuses)
    }

    /// Checks an e-mail address and a password, and creates a session (W-01). The check of an e-mail address without an
    /// account takes as long as the check of a wrong password, so its duration does not reveal whether the account
    /// exists.
    ///
    /// # Errors
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    /// - `rate_limited` after too many wrong passwords.
    /// - `server_error` with `Retry-After` if too many passwords wait to be checked.
    /// - `invalid_auth` for an unknown e-mail address, for a wrong password, and if the password gives access to no
    ///   active or onboarding person. The response does not reveal which of these is the case.
    pub async fn sign_in(
        &self,
        email: &str,
        password: &Secret,
        location: SignInLocation,
    ) -> Result<NewSession> {
        let (account, guess, requester) = self.count_sign_in(email_key(email), location).await?;
        let hash = account.as_ref().and_then(|account| account.password_hash.as_deref());
        let is_right = self.check_password(password, hash, requester, &guess).await?;
        let Some(Account { id, password_hash: Some(hash), .. }) = account.filter(|_| is_right) else {
            return refuse(Code::InvalidAuth);
        };
        let token = self.mint(TokenKind::Session);
        let token_hash = token::hash(&token);
        let stamp = self.stamp();
        let op = StartSession { stamp, token_hash, account: id, verified_hash: hash, guess, location };
        let (session, persons) = self.db.write(op).await?;
        let persons = persons.into_iter().map(ActingPerson::from).collect();
        Ok(NewSession { token: Secret::new(token), persons, expires_at: session.expires_at })
    }

    /// Deletes the session with this token hash, if the session exists. Called when a browser with a session signs in
    /// again (D-275) or signs out. Waits for writes of the session that are in progress, even if an earlier request has
    /// already deleted the session.
    ///
    /// # Errors
    /// Store errors.
    pub async fn end_session(&self, token_hash: [u8; 32]) -> Result<()> {
        self.db.write(EndSession(token_hash)).await
    }
}

impl SignedIn<'_> {
    /// Ends the caller's session (W-02).
    ///
    /// # Errors
    /// Store errors.
    pub async fn sign_out(self) -> Result<()> {
        self.world().db.write(EndSession(self.session())).await?;
        self.caller().note_written();
        Ok(())
    }
}

/// Returns the creation time for a new session of these persons. A forced sign-out of a person ends the sessions whose
/// creation time is not later than the sign-out ([`acting`]). So the new session's creation time is `now`, or one
/// microsecond after the last forced sign-out, whichever is later. The recorded time of a sign-out can be later than
/// `now`, for example if the clock of the node that recorded it was ahead.
pub(super) fn creation_time(now: Timestamp, persons: &[Membership]) -> Timestamp {
    let after_log_outs = persons.iter().map(|person| person.sessions_valid_after + Duration::from_micros(1));
    after_log_outs.fold(now, Timestamp::max)
}

struct StartSession {
    stamp: Stamp,
    token_hash: [u8; 32],
    account: AccountId,
    verified_hash: String,
    guess: Guess,
    location: SignInLocation,
}

impl Op for StartSession {
    const NAME: &'static str = "start_session";
    type Out = (SignInSession, Vec<Membership>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        // The password was verified before this transaction. The account is now locked, and its password hash is
        // compared with the verified hash. Without this comparison, the old password could create a session after a
        // change of the password has ended all sessions.
        let account = accounts::by_id_for_update(c, self.account).await?;
        if account.and_then(|account| account.password_hash).as_ref() != Some(&self.verified_hash) {
            return refuse(Code::InvalidAuth);
        }
        let persons = accounts::opened(c, self.account).await?;
        let created_at = creation_time(self.stamp.now, &persons);
        let persons = acting(persons, created_at);
        if persons.is_empty() {
            return refuse(Code::InvalidAuth);
        }
        let expires_at = self.stamp.now + SESSION_LIFE;
        let session = SignInSession { account_id: self.account, created_at, expires_at, workspace_id: None };
        accounts::insert_session(c, &self.token_hash, &session).await?;
        record_success(c, &self.guess).await?;
        store_known_location(c, self.account, self.location, self.stamp.now).await?;
        Ok((session, persons))
    }
}

struct EndSession([u8; 32]);

impl Op for EndSession {
    const NAME: &'static str = "end_session";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        // On PostgreSQL, this notice delays the response until the writes of the session have ended. The notice is
        // necessary even if the session does not exist: possibly an earlier sign-out has deleted the session, and still
        // waits for these writes.
        c.notify(Notice::Drain(LockKey::session(&self.0)));
        accounts::delete_session(c, &self.0).await
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
    fn a_new_session_is_valid_even_if_the_last_sign_out_was_recorded_in_the_future() {
        let persons = vec![person(UserState::Active, 50), person(UserState::Active, 5)];
        assert_eq!(creation_time(Timestamp(10), &persons), Timestamp(51));
        assert_eq!(acting(persons.clone(), creation_time(Timestamp(10), &persons)).len(), 2);
        assert_eq!(creation_time(Timestamp(60), &persons), Timestamp(60));
    }
}
