//! The rights of a session: its account, and the persons as whom it can act.
//!
//! A session acts as those persons of its account to whom the account's password gives access. A password that the
//! operator set gives access to the account's persons in all companies. A password that an admin set gives access to
//! the person in the admin's company only. A password that the signed-in person set gives access to the same persons as
//! the previous password ([decision 2](../../../docs/decisions/0002-reach-of-a-password.md)).

use crate::{
    domain::{refusal::Code, time::Timestamp},
    service::{
        World,
        callers::{
            Caller,
            principal::{ActingPerson, CallerPrincipal},
            request::{CheckedCompanies, WrittenFlag},
        },
        refuse,
    },
    store::{
        ReadSql, Result,
        accounts::{self, Membership},
        op,
    },
};

impl World {
    /// Reads the current rights of a session.
    ///
    /// # Errors
    /// Errors of [`World::session`].
    pub(in crate::service) async fn find_session(&self, token_hash: [u8; 32]) -> Result<CallerPrincipal> {
        self.db.read(FindSession { token_hash, now: self.trusted_now()? }).await
    }
}

impl Caller {
    /// Reads the caller's current rights. Called by requests that write long after they were authenticated.
    ///
    /// # Errors
    /// Errors of [`World::session`].
    pub(in crate::service) async fn refreshed(&self) -> Result<CallerPrincipal> {
        match self.principal() {
            CallerPrincipal::Operator => Ok(CallerPrincipal::Operator),
            CallerPrincipal::Account { session, .. } => self.world().find_session(*session).await,
        }
    }
}

/// Keeps the persons as whom a session that was created at `since` can act. Such a person is active or onboarding, and
/// was not signed out at `since` or later.
pub(in crate::service) fn acting(mut persons: Vec<Membership>, since: Timestamp) -> Vec<Membership> {
    persons.retain(|person| person.state.is_active() && person.sessions_valid_after < since);
    persons
}

struct FindSession {
    token_hash: [u8; 32],
    now: Timestamp,
}

op! { ReadOp "find_session": FindSession -> CallerPrincipal = |op, c| find(c, op.token_hash, op.now) }

/// Returns the account of a session, and the persons as whom the session can act.
///
/// # Errors
/// - `invalid_auth` if the session does not exist or has expired.
/// - `invalid_auth` if the session cannot act as any person: the account's password gives access to nobody, or each
///   person to whom it gives access is inactive, or was signed out at or after the session's creation.
pub(in crate::service) async fn find<C: ReadSql>(
    c: &mut C,
    token_hash: [u8; 32],
    now: Timestamp,
) -> Result<CallerPrincipal> {
    let found = accounts::session(c, &token_hash).await?;
    let Some(session) = found.filter(|session| session.expires_at > now) else {
        return refuse(Code::InvalidAuth);
    };
    let persons = acting(accounts::opened(c, session.account_id).await?, session.created_at);
    if persons.is_empty() {
        return refuse(Code::InvalidAuth);
    }
    Ok(CallerPrincipal::Account {
        account_id: session.account_id,
        session: token_hash,
        chosen: session.workspace_id,
        persons: persons.into_iter().map(ActingPerson::from).collect(),
        written: WrittenFlag::default(),
        checked_companies: CheckedCompanies::default(),
    })
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
    fn a_session_acts_as_active_persons_who_were_not_signed_out_since_its_creation() {
        for (state, logged_out_at, is_acting) in [
            (UserState::Active, 0, true),
            (UserState::Onboarding, 9, true),
            (UserState::Active, 10, false),
            (UserState::Active, 11, false),
            (UserState::Deactivated, 0, false),
            (UserState::Removed, 0, false),
        ] {
            let acting = acting(vec![person(state, logged_out_at)], Timestamp(10));
            assert_eq!(!acting.is_empty(), is_acting, "{state} {logged_out_at}");
        }
    }
}
