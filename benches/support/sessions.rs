//! Signs people in without passwords, by inserting an account and a session for each person.

use switchboard::{
    domain::{
        ids::{AccountId, UserId},
        people::email_key,
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::{World, sign_in::sessions::SESSION_LIFE},
    store::{
        Op, Result, Sql,
        accounts::{self, SignInSession},
        users,
    },
};

/// Signs people in and returns the tokens of their sessions.
pub async fn sign_in(world: &World, people: &[UserId]) -> Vec<String> {
    let now = world.clock.now();
    let sessions: Vec<_> = people
        .iter()
        .map(|person| (*person, AccountId(world.ids.next().unwrap()), world.mint(TokenKind::Session)))
        .collect();
    let tokens = sessions.iter().map(|(_, _, token)| token.clone()).collect();
    world.db.write(SignIn { sessions, now }).await.unwrap();
    tokens
}

struct SignIn {
    /// For each person: the person's id, the id of the person's new account, and the token of the new session.
    sessions: Vec<(UserId, AccountId, String)>,
    now: Timestamp,
}

impl Op for SignIn {
    const NAME: &'static str = "bench_sign_in";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (person, account, token) in &self.sessions {
            let mut user = users::by_id(c, *person).await?.expect("the person exists");
            let email = email_key(user.email.as_deref().expect("every person has an e-mail address"));
            accounts::insert(c, *account, &email, self.now).await?;
            user.account_id = Some(*account);
            users::update(c, &user, Some(&email)).await?;
            let session = SignInSession {
                account_id: *account,
                workspace_id: Some(user.workspace_id),
                created_at: self.now,
                expires_at: self.now + SESSION_LIFE,
            };
            accounts::insert_session(c, &token::hash(token), &session).await?;
        }
        Ok(())
    }
}
