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
