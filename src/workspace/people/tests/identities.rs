//! One address, one account, several companies.

use super::*;

#[tokio::test]
async fn a_company_has_an_address_once_and_companies_share_accounts() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, with_password("ada@example.com")).await;
    let again = world.create_person(&OPERATOR, one.id, someone("ADA@example.com")).await;
    assert_eq!(code(again), Code::Conflict);
    let elsewhere = add(&world, &other, someone("Ada@Example.com")).await;
    assert_eq!(elsewhere.email.as_deref(), Some("Ada@Example.com"));
    let Principal::Account { persons, .. } = sign_in(&world, "aDa@example.com").await.unwrap() else {
        panic!("an account");
    };
    assert_eq!(persons.iter().map(|p| p.workspace_id).collect::<Vec<_>>(), [one.id, other.id]);
}

#[tokio::test]
async fn an_admin_gets_into_no_other_company_by_password() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let boss = add(&world, &one, admin("boss@example.com")).await;
    let victim = add(&world, &other, with_password("victim@example.com")).await;
    let who = sign_in(&world, "boss@example.com").await.unwrap();

    let taken = world.create_person(&who, one.id, with_password("victim@example.com")).await;
    assert_eq!(code(taken), Code::Conflict);
    let own = world.create_person(&who, one.id, with_password("new@example.com")).await.unwrap();
    world.change_person(&who, own.id, new_password("difference engine")).await.unwrap();

    let linked = world.create_person(&who, one.id, someone("victim@example.com")).await.unwrap();
    let reset = world.change_person(&who, linked.id, new_password("difference engine")).await;
    assert_eq!(code(reset), Code::Conflict);
    // nor by taking the victim's address over, at once or in two steps
    world.set_person_state(&OPERATOR, linked.id, UserState::Removed).await.unwrap();
    let both =
        PersonChange { password: Some(Secret::new("difference engine")), ..new_email("victim@example.com") };
    assert_eq!(code(world.change_person(&who, boss.id, both).await), Code::Conflict);
    world.change_person(&who, boss.id, new_email("victim@example.com")).await.unwrap();
    let after = world.change_person(&who, boss.id, new_password("difference engine")).await;
    assert_eq!(code(after), Code::Conflict);
    assert!(sign_in(&world, "victim@example.com").await.is_ok());

    world.change_person(&OPERATOR, victim.id, new_password("difference engine")).await.unwrap();
    assert!(sign_in_with(&world, "victim@example.com", "difference engine").await.is_ok());
}

#[tokio::test]
async fn a_new_password_ends_all_sessions_but_the_one_that_set_it() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let (one, other) = (
        sign_in(&world, "ada@example.com").await.unwrap(),
        sign_in(&world, "ada@example.com").await.unwrap(),
    );
    world.change_person(&one, ada.id, new_password("difference engine")).await.unwrap();
    assert!(lives(&world, &one).await && !lives(&world, &other).await);
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
    world.change_person(&OPERATOR, ada.id, new_password("analytical engine")).await.unwrap();
    assert!(!lives(&world, &one).await);
    assert!(sign_in(&world, "ada@example.com").await.is_ok());
}

#[tokio::test]
async fn a_lone_account_moves_with_its_person() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let who = sign_in(&world, "ada@example.com").await.unwrap();
    let moved = world.change_person(&OPERATOR, ada.id, new_email("ada@new.example.com")).await.unwrap();
    assert_eq!(moved.account_id, ada.account_id);
    assert!(lives(&world, &who).await);
    assert!(sign_in(&world, "ada@new.example.com").await.is_ok());
    // the old address is nobody's now
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
    let next = add(&world, &company, someone("ada@example.com")).await;
    assert_ne!(next.account_id, moved.account_id);
    let taken = world.change_person(&OPERATOR, next.id, new_email("ADA@new.example.com")).await;
    assert_eq!(code(taken), Code::Conflict);
    let same = world.change_person(&OPERATOR, moved.id, new_email("Ada@New.Example.com")).await.unwrap();
    assert_eq!((same.account_id, same.email.as_deref()), (moved.account_id, Some("Ada@New.Example.com")));
}

#[tokio::test]
async fn a_shared_account_stays_and_an_address_with_an_account_is_joined() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let ada = add(&world, &one, with_password("ada@example.com")).await;
    let same = add(&world, &other, someone("ada@example.com")).await;
    assert_eq!(ada.account_id, same.account_id);
    let left = world.change_person(&OPERATOR, same.id, new_email("bob@example.com")).await.unwrap();
    assert_ne!(left.account_id, ada.account_id);
    assert!(sign_in(&world, "ada@example.com").await.is_ok());
    let back = world.change_person(&OPERATOR, same.id, new_email("ada@example.com")).await.unwrap();
    assert_eq!(back.account_id, ada.account_id);
    // bob's account went with its last person
    assert!(world.db.read(AccountExists("bob@example.com")).await.unwrap().is_none());
}

/// The companies a sign-in with a password opens.
async fn opened(world: &TestWorld, email: &str, password: &str) -> Vec<WorkspaceId> {
    match sign_in_with(world, email, password).await {
        Ok(Principal::Account { persons, .. }) => persons.iter().map(|p| p.workspace_id).collect(),
        Ok(Principal::Operator) => panic!("a session"),
        Err(error) => {
            assert_eq!(code(Err::<(), _>(error)), Code::InvalidAuth);
            Vec::new()
        }
    }
}

const PASSWORD: &str = "analytical engine";

#[tokio::test]
async fn a_password_of_one_companys_admin_opens_no_company_that_comes_later() {
    let world = world().await;
    let (evil, good) = (company(&world).await, company(&world).await);
    add(&world, &evil, admin("mallory@example.com")).await;
    add(&world, &good, admin("boss@example.com")).await;
    let mallory = sign_in(&world, "mallory@example.com").await.unwrap();
    let boss = sign_in(&world, "boss@example.com").await.unwrap();

    // the address is claimed before its person comes
    let bait = world.create_person(&mallory, evil.id, with_password("ada@example.com")).await.unwrap();
    let early = sign_in(&world, "ada@example.com").await.unwrap();
    let ada = world.create_person(&boss, good.id, someone("ada@example.com")).await.unwrap();
    assert_eq!(bait.account_id, ada.account_id);
    assert_eq!(opened(&world, "ada@example.com", PASSWORD).await, [evil.id]);
    // nor does the session from before
    let Principal::Account { session, .. } = early else { panic!("a session") };
    let early = world.session(session).await.unwrap();
    assert!(early.right_in(evil.id).is_some() && early.right_in(good.id).is_none());
    assert_eq!(code(world.full_person(&early, ada.id).await), Code::UserNotFound);

    // nor a password that was the person's own for who knew the first one
    world.change_person(&early, bait.id, new_password("difference engine")).await.unwrap();
    assert_eq!(opened(&world, "ada@example.com", "difference engine").await, [evil.id]);
    // nor does the other company get into the first
    let answer = world.change_person(&boss, ada.id, new_password("their own")).await;
    assert_eq!(code(answer), Code::Conflict);

    // the operator's opens both, and ends what was
    world.change_person(&OPERATOR, ada.id, new_password(PASSWORD)).await.unwrap();
    assert!(!lives(&world, &early).await);
    assert_eq!(opened(&world, "ada@example.com", PASSWORD).await, [evil.id, good.id]);
    // and the person's own then does so too
    let own = sign_in(&world, "ada@example.com").await.unwrap();
    world.change_person(&own, ada.id, new_password("my own engine")).await.unwrap();
    assert_eq!(opened(&world, "ada@example.com", "my own engine").await, [evil.id, good.id]);
    assert!(lives(&world, &own).await);
}

#[tokio::test]
async fn the_operator_makes_one_person_of_two_companies_in_any_order() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    for (n, (first, second)) in [
        (with_password as fn(&str) -> NewPerson, someone as fn(&str) -> NewPerson),
        (someone, with_password),
        (with_password, with_password),
    ]
    .into_iter()
    .enumerate()
    {
        let address = format!("ada{n}@example.com");
        add(&world, &one, first(&address)).await;
        add(&world, &other, second(&address)).await;
        assert_eq!(opened(&world, &address, PASSWORD).await, [one.id, other.id], "{n}");
    }
    // also where an admin's password stood before
    add(&world, &one, admin("boss@example.com")).await;
    let boss = sign_in(&world, "boss@example.com").await.unwrap();
    world.create_person(&boss, one.id, with_password("bob@example.com")).await.unwrap();
    add(&world, &other, someone("bob@example.com")).await;
    assert_eq!(opened(&world, "bob@example.com", PASSWORD).await, [one.id], "nothing was set");
    let third = company(&world).await;
    add(&world, &third, with_password("bob@example.com")).await;
    assert_eq!(opened(&world, "bob@example.com", PASSWORD).await, [one.id, other.id, third.id]);
}

#[tokio::test]
async fn an_address_that_an_admin_gives_takes_no_password_to_another_company() {
    let world = world().await;
    let (evil, good) = (company(&world).await, company(&world).await);
    let mallory = add(&world, &evil, admin("mallory@example.com")).await;
    let pawn = add(&world, &evil, with_password("pawn@example.com")).await;
    let who = sign_in(&world, "mallory@example.com").await.unwrap();
    // passwords that the operator set, moved to addresses that may be anybody's
    world.change_person(&who, pawn.id, new_email("ada@example.com")).await.unwrap();
    world.change_person(&who, mallory.id, new_email("bob@example.com")).await.unwrap();
    for address in ["ada@example.com", "bob@example.com"] {
        add(&world, &good, someone(address)).await;
        assert_eq!(opened(&world, address, PASSWORD).await, [evil.id], "{address}");
    }
    let Principal::Account { session, .. } = who else { panic!("a session") };
    let still = world.session(session).await.unwrap();
    assert!(still.right_in(evil.id).is_some() && still.right_in(good.id).is_none());

    // one that the operator gives is meant for its person
    let eve = add(&world, &evil, with_password("eve@example.com")).await;
    world.change_person(&OPERATOR, eve.id, new_email("eva@example.com")).await.unwrap();
    add(&world, &good, someone("eva@example.com")).await;
    assert_eq!(opened(&world, "eva@example.com", PASSWORD).await, [evil.id, good.id]);
}

#[tokio::test]
async fn a_password_opens_nothing_once_its_company_let_the_person_go() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, admin("boss@example.com")).await;
    add(&world, &other, admin("chief@example.com")).await;
    let boss = sign_in(&world, "boss@example.com").await.unwrap();
    let chief = sign_in(&world, "chief@example.com").await.unwrap();
    let first = world.create_person(&boss, one.id, with_password("ada@example.com")).await.unwrap();
    let second = world.create_person(&chief, other.id, someone("ada@example.com")).await.unwrap();
    world.set_person_state(&boss, first.id, UserState::Removed).await.unwrap();
    assert!(opened(&world, "ada@example.com", PASSWORD).await.is_empty());
    // the company that is left gives its own, which does not open the first when it comes back
    world.change_person(&chief, second.id, new_password("difference engine")).await.unwrap();
    world.create_person(&boss, one.id, someone("ada@example.com")).await.unwrap();
    assert_eq!(opened(&world, "ada@example.com", "difference engine").await, [other.id]);
}
