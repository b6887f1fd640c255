//! The rules of people, identities and sessions, through the world as the rooms call it.

mod apps;
mod identities;
mod rights;
mod sign_in;

use std::time::Duration;

use super::*;
use crate::{
    domain::token,
    store::{Error, accounts, workspaces::Workspace},
    workspace::{
        companies::NewCompany,
        testing::{TestWorld, world},
    },
};

const OPERATOR: Principal = Principal::Operator;

fn code<T: std::fmt::Debug>(result: Result<T>) -> Code {
    match result {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("a refusal was expected: {other:?}"),
    }
}

fn someone(email: &str) -> NewPerson {
    NewPerson {
        name: "Ada Lovelace".into(),
        email: email.into(),
        display_name: None,
        title: Some("Engineer".into()),
        timezone: Some("Europe/London".into()),
        avatar_url: None,
        is_admin: false,
        is_external: false,
        email_visible: true,
        guest_visible: true,
        state: UserState::Active,
        password: None,
    }
}

fn with_password(email: &str) -> NewPerson {
    NewPerson { password: Some(Secret::new("analytical engine")), ..someone(email) }
}

fn admin(email: &str) -> NewPerson {
    NewPerson { is_admin: true, ..with_password(email) }
}

fn new_email(address: &str) -> PersonChange {
    PersonChange { email: Some(address.into()), ..PersonChange::default() }
}

fn new_password(password: &str) -> PersonChange {
    PersonChange { password: Some(Secret::new(password)), ..PersonChange::default() }
}

async fn company(world: &TestWorld) -> Workspace {
    world.create_company(&OPERATOR, NewCompany { name: "Works".into(), domain: None }).await.unwrap()
}

async fn add(world: &TestWorld, company: &Workspace, new: NewPerson) -> User {
    world.create_person(&OPERATOR, company.id, new).await.unwrap()
}

/// Signs in a second later than whatever was before.
async fn sign_in_with(world: &TestWorld, email: &str, password: &str) -> Result<Principal> {
    world.clock.advance(Duration::from_secs(1));
    let signed_in = world.sign_in(email, &Secret::new(password)).await?;
    world.session(token::hash(signed_in.token.expose())).await
}

async fn sign_in(world: &TestWorld, email: &str) -> Result<Principal> {
    sign_in_with(world, email, "analytical engine").await
}

/// Whether a session still speaks for anybody.
async fn lives(world: &TestWorld, who: &Principal) -> bool {
    let Principal::Account { session, .. } = who else { panic!("not a session") };
    world.session(*session).await.is_ok()
}

struct AccountExists(&'static str);

impl Op for AccountExists {
    const NAME: &'static str = "test_account_exists";
    type Out = Option<accounts::Account>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        accounts::by_email(c, self.0).await
    }
}
