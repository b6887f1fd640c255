//! Sessions: how they begin, whom they speak for, how they end.

use std::net::IpAddr;

use super::*;

#[tokio::test]
async fn who_is_logged_out_stays_out_until_the_next_sign_in() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let ada = add(&world, &one, with_password("ada@example.com")).await;
    add(&world, &other, someone("ada@example.com")).await;
    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.log_person_out(&OPERATOR, ada.id).await.unwrap();
    let Principal::Account { session, .. } = who else { panic!("an account") };
    let Principal::Account { persons, .. } = world.session(session).await.unwrap() else {
        panic!("an account")
    };
    assert_eq!(persons.iter().map(|p| p.workspace_id).collect::<Vec<_>>(), [other.id]);
    let again = sign_in(&world, "ada@example.com").await.unwrap();
    assert!(again.right_in(one.id).is_some());

    // also in the same microsecond, and when shut out in between
    world.log_person_out(&OPERATOR, ada.id).await.unwrap();
    let at_once = world.sign_in("ada@example.com", &Secret::new("analytical engine")).await.unwrap();
    assert_eq!(at_once.persons.len(), 2);
    world.set_person_state(&OPERATOR, ada.id, UserState::Deactivated).await.unwrap();
    world.set_person_state(&OPERATOR, ada.id, UserState::Active).await.unwrap();
    let session = world.session(token::hash(at_once.token.expose())).await.unwrap();
    assert!(session.right_in(one.id).is_none());
}

#[tokio::test]
async fn sessions_end() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.sign_out(&who).await.unwrap();
    assert!(!lives(&world, &who).await);
    assert_eq!(code(world.sign_out(&OPERATOR).await), Code::Forbidden);

    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.clock.advance(Duration::from_secs(30 * 24 * 3600 - 1));
    assert!(lives(&world, &who).await);
    world.clock.advance(Duration::from_secs(1));
    assert!(!lives(&world, &who).await);

    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.set_person_state(&OPERATOR, ada.id, UserState::Removed).await.unwrap();
    assert!(!lives(&world, &who).await);
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
}

#[tokio::test]
async fn attempts_to_sign_in_are_counted_by_place_by_account_there_and_by_account() {
    let world = world().await;
    let place = |n: u8| IpAddr::from([192, 0, 2, n]);
    for _ in 0..10 {
        assert!(world.admit_sign_in(Some("Ada@example.com"), place(1)).await.is_ok());
    }
    let refused = world.admit_sign_in(Some("ada@EXAMPLE.com"), place(1)).await.unwrap_err();
    assert_eq!((refused.retry_after(), refused.standings.len()), (60, 2));
    assert!(world.admit_sign_in(Some("bob@example.com"), place(1)).await.is_ok());
    // the owner elsewhere is not kept out, but guesses from many places are bounded
    for n in 0..90 {
        assert!(world.admit_sign_in(Some("ada@example.com"), place(10 + n)).await.is_ok());
    }
    let refused = world.admit_sign_in(Some("ada@example.com"), place(200)).await.unwrap_err();
    assert_eq!((refused.retry_after(), refused.standings.len()), (60, 3));
    assert!(world.admit_sign_in(Some("bob@example.com"), place(200)).await.is_ok());
    let mut passed = 0;
    while passed < 1000 && world.admit_sign_in(None, place(100)).await.is_ok() {
        passed += 1;
    }
    assert!(passed < 1000, "a place is bounded");
}
