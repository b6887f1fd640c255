//! Sign-in as a person without the person's password, for the sandbox console. It is not available in production.

use super::sessions::{NewSession, SESSION_LIFE, creation_time};
use crate::{
    domain::{
        ids::UserId,
        refusal::Code,
        token::{self, TokenKind},
    },
    platform::secrets::Secret,
    service::{
        Stamp,
        callers::{Operator, principal::ActingPerson, session::acting},
        conflict, refuse,
    },
    store::{
        Op, Result, Sql,
        accounts::{self, Membership, SignInSession},
        users,
    },
};

impl Operator<'_> {
    /// Creates a session of a person's account, as if the person had signed in.
    ///
    /// # Errors
    /// - `not_found` in production.
    /// - `Unavailable` while this node's clock is too far from the database's clock.
    /// - `user_not_found` for a bot or an unknown user.
    /// - `conflict` for a person who has no account, or who is deactivated or removed.
    /// - `conflict` if the account's password is not valid in the person's company.
    pub async fn sign_in_as(self, user: UserId) -> Result<NewSession> {
        self.sandbox_only()?;
        let token = self.world().mint(TokenKind::Session);
        let op = SignInAs { stamp: self.world().trusted_stamp()?, token_hash: token::hash(&token), user };
        let (session, persons) = self.caller().write(op).await?;
        let persons = persons.into_iter().map(ActingPerson::from).collect();
        Ok(NewSession { token: Secret::new(token), persons, expires_at: session.expires_at })
    }
}

struct SignInAs {
    stamp: Stamp,
    token_hash: [u8; 32],
    user: UserId,
}

impl Op for SignInAs {
    const NAME: &'static str = "sign_in_as";
    type Out = (SignInSession, Vec<Membership>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(user) = users::by_id(c, self.user).await?.filter(|user| !user.is_bot) else {
            return refuse(Code::UserNotFound);
        };
        let Some(account) = user.account_id else {
            return conflict("this person has no account to sign in with");
        };
        // The row is locked, so that a concurrent change of the password, or a concurrent deletion of the account, also
        // ends the new session.
        if accounts::by_id_for_update(c, account).await?.is_none() {
            return conflict("this person has no account to sign in with");
        }
        let persons = accounts::opened(c, account).await?;
        let created_at = creation_time(self.stamp.now, &persons);
        let persons = acting(persons, created_at);
        if !persons.iter().any(|person| person.user_id == self.user) {
            return conflict(
                "this person cannot sign in: the person is deactivated or removed, or the account's password \
                 is not valid in the person's company",
            );
        }
        let expires_at = self.stamp.now + SESSION_LIFE;
        let session = SignInSession { account_id: account, workspace_id: None, created_at, expires_at };
        accounts::insert_session(c, &self.token_hash, &session).await?;
        // if the account has persons in several companies, the web client opens the company of this person
        accounts::choose_company(c, &self.token_hash, user.workspace_id).await?;
        Ok((session, persons))
    }
}
