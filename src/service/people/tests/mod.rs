//! Tests of the rules for people, accounts and sessions, through the functions that the APIs call.

mod apps;
mod identities;
mod rights;
mod sign_in;

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use super::*;
use crate::{
    domain::{ids::AccountId, token},
    platform::secrets::Secret,
    service::{
        companies::{CompanyView, NewCompany},
        sign_in::guesses::SignInLocation,
        testing::{TestWorld, world},
    },
    store::{Error, accounts, op},
};

fn operator(world: &TestWorld) -> Caller {
    world.operator_caller()
}

fn code<T>(result: Result<T>) -> Code {
    match result.err() {
        Some(Error::Refused(refusal)) => refusal.code,
        other => panic!("expected a rejection: {other:?}"),
    }
}

/// Returns an active person without a password, who is neither an admin nor a guest.
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

/// Returns a change of the caller's own password. `current` is the current password.
fn own_password(password: &str, current: &str) -> PersonChange {
    PersonChange { current_password: Some(Secret::new(current)), ..new_password(password) }
}

/// The location of the sign-ins of most tests.
const HERE: SignInLocation =
    SignInLocation { address: IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), browser: None };

async fn company(world: &TestWorld) -> CompanyView {
    operator(world)
        .operator()
        .unwrap()
        .create_company(NewCompany { name: "Works".into(), domain: None })
        .await
        .unwrap()
}

async fn add(world: &TestWorld, company: &CompanyView, new: NewPerson) -> UserView {
    operator(world).admin_of(company.id).unwrap().create_person(new).await.unwrap()
}

/// Advances the clock by a second and signs in. So the sign-in is later than all earlier steps of the test.
async fn sign_in_with(world: &TestWorld, email: &str, password: &str) -> Result<Caller> {
    world.clock.advance(Duration::from_secs(1));
    let signed_in = world.sign_in(email, &Secret::new(password), HERE).await?;
    world.session(token::hash(signed_in.token.expose())).await
}

async fn sign_in(world: &TestWorld, email: &str) -> Result<Caller> {
    sign_in_with(world, email, "analytical engine").await
}

/// Returns whether the session of a caller can still act as at least one person.
async fn is_signed_in(world: &TestWorld, caller: &Caller) -> bool {
    world.session(session_of(caller)).await.is_ok()
}

fn session_of(caller: &Caller) -> [u8; 32] {
    caller.signed_in().unwrap().session()
}

async fn account_of(world: &TestWorld, person: &UserView) -> Option<AccountId> {
    operator(world).own_or_administered(person.id).await.unwrap().account_id
}

/// Reads the account of an e-mail address.
struct FindAccount(&'static str);

op! {
    ReadOp "test_find_account": FindAccount -> Option<accounts::Account> =
        |op, c| accounts::by_email(c, op.0)
}
