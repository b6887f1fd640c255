//! Tests of sessions, of the limits on sign-in attempts and wrong passwords, and of changes of one's own password.

use std::net::IpAddr;

use super::*;
use crate::{
    domain::browser::BrowserId,
    store::{Query, args},
};

#[tokio::test]
async fn a_signed_out_person_stays_out_until_the_next_sign_in() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let ada = add(&world, &one, with_password("ada@example.com")).await;
    add(&world, &other, someone("ada@example.com")).await;
    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    operator(&world).log_person_out(ada.id).await.unwrap();
    let present = world.session(session_of(&caller)).await.unwrap();
    assert_eq!(present.persons().iter().map(|p| p.workspace_id).collect::<Vec<_>>(), [other.id]);
    let again = sign_in(&world, "ada@example.com").await.unwrap();
    assert!(again.in_company(one.id).is_ok());

    // A sign-in in the same microsecond as the log-out counts as later. A deactivation in this microsecond ends the
    // session of this sign-in, even if the person is reactivated.
    operator(&world).log_person_out(ada.id).await.unwrap();
    let at_once = world.sign_in("ada@example.com", &Secret::new("analytical engine"), HERE).await.unwrap();
    assert_eq!(at_once.persons.len(), 2);
    operator(&world).set_person_state(ada.id, UserState::Deactivated).await.unwrap();
    operator(&world).set_person_state(ada.id, UserState::Active).await.unwrap();
    let session = world.session(token::hash(at_once.token.expose())).await.unwrap();
    assert!(session.in_company(one.id).is_err());
}

#[tokio::test]
async fn sessions_end_by_sign_out_expiry_and_removal() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    caller.signed_in().unwrap().sign_out().await.unwrap();
    assert!(!is_signed_in(&world, &caller).await);
    assert_eq!(code(operator(&world).signed_in()), Code::Forbidden);

    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    world.clock.advance(Duration::from_secs(30 * 24 * 3600 - 1));
    assert!(is_signed_in(&world, &caller).await);
    world.clock.advance(Duration::from_secs(1));
    assert!(!is_signed_in(&world, &caller).await);

    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    operator(&world).set_person_state(ada.id, UserState::Removed).await.unwrap();
    assert!(!is_signed_in(&world, &caller).await);
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
}

#[tokio::test]
async fn sign_in_attempts_are_limited_per_address_and_account() {
    let world = world().await;
    let address = |n: u8| IpAddr::from([192, 0, 2, n]);
    for _ in 0..10 {
        assert!(world.admit_sign_in("Ada@example.com", address(1)).await.is_ok());
    }
    let refused = world.admit_sign_in("ada@EXAMPLE.com", address(1)).await.unwrap_err();
    assert_eq!((refused.retry_after(), refused.statuses.len()), (60, 1));
    assert!(world.admit_sign_in("bob@example.com", address(1)).await.is_ok());
    // the owner at another address is not locked out
    assert!(world.admit_sign_in("ada@example.com", address(2)).await.is_ok());
    let count_admitted = async |address: IpAddr| {
        let mut admitted = 0;
        while admitted < 1000 && world.admit_sign_in_from(address).await.is_ok() {
            admitted += 1;
        }
        admitted
    };
    assert_eq!(count_admitted(address(100)).await, 60, "60 attempts are admitted from one address");
    let mut of_network = 0;
    for n in 0..10 {
        of_network += count_admitted(format!("2001:db8:7:{n}::1").parse().unwrap()).await;
    }
    assert_eq!(of_network, 300, "300 attempts are admitted from one /48");
    assert_eq!(count_admitted("2001:db8:8::1".parse().unwrap()).await, 60, "the next /48 has its own limit");
}

/// Tries wrong passwords until the response is `rate_limited`, but at most `max` passwords. Returns how many passwords
/// were checked, and the `Retry-After` of the response `rate_limited` in seconds.
async fn guess(world: &TestWorld, email: &str, location: SignInLocation, max: usize) -> (usize, Option<u32>) {
    for checked in 0..max {
        match world.sign_in(email, &Secret::new("a guess"), location).await {
            Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth => {}
            Err(Error::Refused(refusal)) if refusal.code == Code::RateLimited => {
                return (checked, refusal.retry_after);
            }
            other => panic!("{other:?}"),
        }
    }
    (max, None)
}

/// Returns a location without a browser. Different numbers result in different addresses.
fn at(n: u8) -> SignInLocation {
    SignInLocation { address: IpAddr::from([198, 51, 100, n]), browser: None }
}

/// Returns the password of [`with_password`].
fn right() -> Secret {
    Secret::new("analytical engine")
}

#[tokio::test]
async fn guesses_from_one_location_wait_longer_and_longer() {
    let world = world().await;
    let company = company(&world).await;
    add(&world, &company, with_password("ada@example.com")).await;
    for email in ["ada@example.com", "nobody@example.com"] {
        assert_eq!(guess(&world, email, at(1), 20).await, (10, Some(60)), "{email}");
        world.clock.advance(Duration::from_secs(60));
        assert_eq!(guess(&world, email, at(1), 20).await, (1, Some(120)), "{email}");
    }
    // neither ten days nor the maintenance jobs reset the length of the wait
    world.clock.advance(Duration::from_secs(10 * 24 * 3600));
    world.run_due(world.clock.now()).await.unwrap();
    assert_eq!(guess(&world, "ada@example.com", at(1), 20).await, (1, Some(240)));
    // the right password resets the length of the wait
    world.clock.advance(Duration::from_secs(240));
    world.sign_in("ada@example.com", &right(), at(1)).await.unwrap();
    assert_eq!(guess(&world, "ada@example.com", at(1), 20).await, (10, Some(60)));
}

static GUESSES: Query = Query::new("GUESSES", &["SELECT COUNT(*) FROM guesses"]);

/// Returns the number of stored counts of failed sign-ins.
struct CountGuesses;

op! { ReadOp "test_count_guesses": CountGuesses -> i64 = |_, c| c.one(&GUESSES, args![]) }

#[tokio::test]
async fn a_few_failures_are_forgotten_after_a_day_and_ten_failures_after_30_days() {
    let world = world().await;
    let stored_after = async |time: Duration| {
        world.clock.advance(time);
        world.run_due(world.clock.now()).await.unwrap();
        world.db.read(CountGuesses).await.unwrap()
    };
    let (day, second) = (Duration::from_secs(24 * 3600), Duration::from_secs(1));
    assert_eq!(guess(&world, "few@example.com", at(1), 9).await, (9, None));
    assert_eq!(guess(&world, "many@example.com", at(1), 20).await, (10, Some(60)));
    // Each e-mail address has two counts: one for the location, and one for all unknown locations. If there were at
    // most ten failures, the second count expires within ten hours.
    assert_eq!(stored_after(Duration::ZERO).await, 4);
    assert_eq!(stored_after(day.saturating_sub(second)).await, 2);
    assert_eq!(stored_after(second).await, 1, "a count of nine failures is deleted after a day");
    assert_eq!(guess(&world, "many@example.com", at(1), 20).await, (1, Some(120)));
    assert_eq!(stored_after((30 * day).saturating_sub(second)).await, 1);
    assert_eq!(stored_after(second).await, 0);
}

#[tokio::test]
async fn guesses_from_unknown_locations_do_not_lock_the_owner_out_of_known_ones() {
    let world = world().await;
    let company = company(&world).await;
    add(&world, &company, with_password("ada@example.com")).await;
    let browser = |n: u8| Some(BrowserId([n; 32]));
    let (home, desk) = (at(200), SignInLocation { browser: browser(1), ..at(201) });
    world.sign_in("ada@example.com", &right(), home).await.unwrap();
    world.sign_in("ada@example.com", &right(), desk).await.unwrap();
    let mut checked = 0;
    for n in 0..12 {
        checked += guess(&world, "ada@example.com", at(n), 10).await.0;
    }
    assert_eq!(checked, 100, "all unknown locations share one limit");
    let stranger = SignInLocation { browser: browser(2), ..at(150) };
    let refused = world.sign_in("ada@example.com", &right(), stranger).await;
    assert_eq!(code(refused), Code::RateLimited);
    // the owner can sign in from home, and from anywhere with the known browser
    world.sign_in("ada@example.com", &right(), home).await.unwrap();
    let on_the_train = SignInLocation { browser: browser(1), ..at(0) };
    world.sign_in("ada@example.com", &right(), on_the_train).await.unwrap();
    // a known address has a count of its own, which is at its limit after these guesses
    assert_eq!(guess(&world, "ada@example.com", home, 20).await, (10, Some(60)));
    world.clock.advance(Duration::from_secs(3600));
    world.sign_in("ada@example.com", &right(), stranger).await.unwrap();
    // after half a year without a sign-in, the address is no longer known
    world.clock.advance(Duration::from_secs(181 * 24 * 3600));
    world.run_due(world.clock.now()).await.unwrap();
    assert_eq!(guess(&world, "ada@example.com", home, 20).await, (10, Some(60)));
    for n in 0..9 {
        assert_eq!(guess(&world, "ada@example.com", at(n), 10).await.0, 10);
    }
    let elsewhere = world.sign_in("ada@example.com", &right(), at(250)).await;
    assert_eq!(
        code(elsewhere),
        Code::RateLimited,
        "guesses from the forgotten address count towards the limit of all unknown locations"
    );
}

#[tokio::test]
async fn concurrent_guesses_are_all_counted() {
    let world = world().await;
    let company = company(&world).await;
    add(&world, &company, with_password("ada@example.com")).await;
    let wrong = Secret::new("a guess");
    let crowd = (0..30).map(|_| world.sign_in("ada@example.com", &wrong, at(1)));
    let answers = futures_util::future::join_all(crowd).await;
    let checked = answers
        .into_iter()
        .filter(|answer| matches!(answer, Err(Error::Refused(refusal)) if refusal.code == Code::InvalidAuth));
    assert_eq!(checked.count(), 10);
}

#[tokio::test]
async fn a_change_of_ones_own_password_requires_the_current_password() {
    let world = world().await;
    let company = company(&world).await;
    let boss = add(&world, &company, admin("boss@example.com")).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    for (person, email) in [(boss.id, "boss@example.com"), (ada.id, "ada@example.com")] {
        let caller = sign_in(&world, email).await.unwrap();
        let other = sign_in(&world, email).await.unwrap();
        let change = |current: Option<&str>| PersonChange {
            current_password: current.map(Secret::new),
            ..new_password("difference engine")
        };
        assert_eq!(code(caller.change_person(person, change(None)).await), Code::InvalidRequest);
        for _ in 0..10 {
            let refused = caller.change_person(person, change(Some("a guess"))).await;
            assert_eq!(code(refused), Code::Forbidden, "{email}");
        }
        let refused = caller.change_person(person, change(Some("analytical engine"))).await;
        assert_eq!(code(refused), Code::RateLimited, "{email}");
        assert!(is_signed_in(&world, &other).await, "a rejected change ends no session");
        // the failures of one session do not lock out the owner's other sessions
        other.change_person(person, change(Some("analytical engine"))).await.unwrap();
        assert!(
            !is_signed_in(&world, &caller).await,
            "a new password ends every session except the one that set it"
        );
        assert!(sign_in_with(&world, email, "difference engine").await.is_ok());
    }
    // no current password is required to change one's own title or another person's password
    let caller = sign_in_with(&world, "boss@example.com", "difference engine").await.unwrap();
    let title = PersonChange { title: Some(Some("Chair".into())), ..PersonChange::default() };
    caller.change_person(boss.id, title).await.unwrap();
    caller.change_person(ada.id, new_password("jacquard loom")).await.unwrap();
    operator(&world).change_person(boss.id, new_password("jacquard loom")).await.unwrap();
}
