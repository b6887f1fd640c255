//! Tests of accounts that belong to people of several companies.

use super::*;

#[tokio::test]
async fn an_email_address_is_unique_in_a_company_and_has_one_account_in_all_companies() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, with_password("ada@example.com")).await;
    let again = operator(&world).admin_of(one.id).unwrap().create_person(someone("ADA@example.com")).await;
    assert_eq!(code(again), Code::Conflict);
    let elsewhere = add(&world, &other, someone("Ada@Example.com")).await;
    assert_eq!(elsewhere.email.as_deref(), Some("Ada@Example.com"));
    let ada = sign_in(&world, "aDa@example.com").await.unwrap();
    assert_eq!(ada.persons().iter().map(|p| p.workspace_id).collect::<Vec<_>>(), [one.id, other.id]);
}

#[tokio::test]
async fn an_admin_cannot_gain_access_to_another_company_by_password() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let boss = add(&world, &one, admin("boss@example.com")).await;
    let victim = add(&world, &other, with_password("victim@example.com")).await;
    let caller = sign_in(&world, "boss@example.com").await.unwrap();

    let taken = caller.admin_of(one.id).unwrap().create_person(with_password("victim@example.com")).await;
    assert_eq!(code(taken), Code::Conflict);
    let own = caller.admin_of(one.id).unwrap().create_person(with_password("new@example.com")).await.unwrap();
    caller.change_person(own.id, new_password("difference engine")).await.unwrap();

    let linked = caller.admin_of(one.id).unwrap().create_person(someone("victim@example.com")).await.unwrap();
    let reset = caller.change_person(linked.id, new_password("difference engine")).await;
    assert_eq!(code(reset), Code::Conflict);
    // the admin also gets no access by changing their own address to the victim's address and setting a password, in
    // one request or in two
    operator(&world).set_person_state(linked.id, UserState::Removed).await.unwrap();
    let both = PersonChange {
        email: Some("victim@example.com".into()),
        ..own_password("difference engine", "analytical engine")
    };
    assert_eq!(code(caller.change_person(boss.id, both).await), Code::Conflict);
    caller.change_person(boss.id, new_email("victim@example.com")).await.unwrap();
    let after = caller.change_person(boss.id, new_password("difference engine")).await;
    assert_eq!(code(after), Code::InvalidAuth, "the session is deleted with the account that the boss left");
    assert!(sign_in(&world, "victim@example.com").await.is_ok());

    operator(&world).change_person(victim.id, new_password("difference engine")).await.unwrap();
    assert!(sign_in_with(&world, "victim@example.com", "difference engine").await.is_ok());
}

#[tokio::test]
async fn a_new_password_ends_all_sessions_except_the_session_that_set_it() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let (one, other) = (
        sign_in(&world, "ada@example.com").await.unwrap(),
        sign_in(&world, "ada@example.com").await.unwrap(),
    );
    one.change_person(ada.id, own_password("difference engine", "analytical engine")).await.unwrap();
    assert!(is_signed_in(&world, &one).await && !is_signed_in(&world, &other).await);
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
    operator(&world).change_person(ada.id, new_password("analytical engine")).await.unwrap();
    assert!(!is_signed_in(&world, &one).await);
    assert!(sign_in(&world, "ada@example.com").await.is_ok());
}

#[tokio::test]
async fn an_account_of_one_person_keeps_its_id_when_the_address_changes() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    let account = account_of(&world, &ada).await;
    let moved = operator(&world).change_person(ada.id, new_email("ada@new.example.com")).await.unwrap();
    assert_eq!(account_of(&world, &moved).await, account);
    assert!(is_signed_in(&world, &caller).await);
    assert!(sign_in(&world, "ada@new.example.com").await.is_ok());
    // the old address is free again
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
    let next = add(&world, &company, someone("ada@example.com")).await;
    assert_ne!(account_of(&world, &next).await, account);
    let taken = operator(&world).change_person(next.id, new_email("ADA@new.example.com")).await;
    assert_eq!(code(taken), Code::Conflict);
    let same = operator(&world).change_person(moved.id, new_email("Ada@New.Example.com")).await.unwrap();
    assert_eq!(
        (account_of(&world, &same).await, same.email.as_deref()),
        (account, Some("Ada@New.Example.com"))
    );
}

#[tokio::test]
async fn a_person_leaves_a_shared_account_and_joins_the_account_of_the_new_address() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let ada = add(&world, &one, with_password("ada@example.com")).await;
    let same = add(&world, &other, someone("ada@example.com")).await;
    let account = account_of(&world, &ada).await;
    assert_eq!(account_of(&world, &same).await, account);
    let left = operator(&world).change_person(same.id, new_email("bob@example.com")).await.unwrap();
    assert_ne!(account_of(&world, &left).await, account);
    assert!(sign_in(&world, "ada@example.com").await.is_ok());
    let back = operator(&world).change_person(same.id, new_email("ada@example.com")).await.unwrap();
    assert_eq!(account_of(&world, &back).await, account);
    // bob's account is deleted, because its last person left it
    assert!(world.db.read(FindAccount("bob@example.com")).await.unwrap().is_none());
}

/// Returns the companies to which a sign-in with this password gives access. The list is empty if the sign-in is
/// rejected.
async fn accessible(world: &TestWorld, email: &str, password: &str) -> Vec<WorkspaceId> {
    match sign_in_with(world, email, password).await {
        Ok(caller) => caller.persons().iter().map(|p| p.workspace_id).collect(),
        Err(error) => {
            assert_eq!(code(Err::<(), _>(error)), Code::InvalidAuth);
            Vec::new()
        }
    }
}

const PASSWORD: &str = "analytical engine";

#[tokio::test]
async fn a_password_set_by_an_admin_gives_no_access_to_companies_joined_later() {
    let world = world().await;
    let (evil, good) = (company(&world).await, company(&world).await);
    add(&world, &evil, admin("mallory@example.com")).await;
    add(&world, &good, admin("boss@example.com")).await;
    let mallory = sign_in(&world, "mallory@example.com").await.unwrap();
    let boss = sign_in(&world, "boss@example.com").await.unwrap();

    // mallory adds ada's address before ada's company adds ada
    let bait =
        mallory.admin_of(evil.id).unwrap().create_person(with_password("ada@example.com")).await.unwrap();
    let early = sign_in(&world, "ada@example.com").await.unwrap();
    let ada = boss.admin_of(good.id).unwrap().create_person(someone("ada@example.com")).await.unwrap();
    assert_eq!(account_of(&world, &bait).await, account_of(&world, &ada).await);
    assert_eq!(accessible(&world, "ada@example.com", PASSWORD).await, [evil.id]);
    // the session that was created before ada's company added ada has no rights in this company either
    let early = world.session(session_of(&early)).await.unwrap();
    assert!(early.in_company(evil.id).is_ok() && early.in_company(good.id).is_err());
    assert_eq!(code(early.full_person(ada.id).await), Code::UserNotFound);

    // with this session, mallory replaces the password: the new password gives no access to ada's company either
    early.change_person(bait.id, own_password("difference engine", PASSWORD)).await.unwrap();
    assert_eq!(accessible(&world, "ada@example.com", "difference engine").await, [evil.id]);
    // the admin of ada's company cannot replace this password
    let refused = boss.change_person(ada.id, new_password("their own")).await;
    assert_eq!(code(refused), Code::Conflict);

    // a password that the operator sets gives access to both companies, and ends the existing sessions
    operator(&world).change_person(ada.id, new_password(PASSWORD)).await.unwrap();
    assert!(!is_signed_in(&world, &early).await);
    assert_eq!(accessible(&world, "ada@example.com", PASSWORD).await, [evil.id, good.id]);
    // a password that the person sets afterwards gives access to both companies
    let own = sign_in(&world, "ada@example.com").await.unwrap();
    own.change_person(ada.id, own_password("my own engine", PASSWORD)).await.unwrap();
    assert_eq!(accessible(&world, "ada@example.com", "my own engine").await, [evil.id, good.id]);
    assert!(is_signed_in(&world, &own).await);
}

#[tokio::test]
async fn a_password_set_by_the_operator_gives_access_to_all_companies_of_the_account() {
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
        assert_eq!(accessible(&world, &address, PASSWORD).await, [one.id, other.id], "{n}");
    }
    // a password that an admin set gives access to one company only, until the operator sets a new password
    add(&world, &one, admin("boss@example.com")).await;
    let boss = sign_in(&world, "boss@example.com").await.unwrap();
    boss.admin_of(one.id).unwrap().create_person(with_password("bob@example.com")).await.unwrap();
    add(&world, &other, someone("bob@example.com")).await;
    assert_eq!(
        accessible(&world, "bob@example.com", PASSWORD).await,
        [one.id],
        "a password set by an admin gives access to that admin's company only"
    );
    let third = company(&world).await;
    add(&world, &third, with_password("bob@example.com")).await;
    assert_eq!(accessible(&world, "bob@example.com", PASSWORD).await, [one.id, other.id, third.id]);
}

#[tokio::test]
async fn after_an_admin_changes_an_address_the_password_gives_no_access_to_other_companies() {
    let world = world().await;
    let (evil, good) = (company(&world).await, company(&world).await);
    let mallory = add(&world, &evil, admin("mallory@example.com")).await;
    let pawn = add(&world, &evil, with_password("pawn@example.com")).await;
    let caller = sign_in(&world, "mallory@example.com").await.unwrap();
    // The operator has set both passwords. The admin changes the addresses of the accounts to addresses of other
    // people.
    caller.change_person(pawn.id, new_email("ada@example.com")).await.unwrap();
    caller.change_person(mallory.id, new_email("bob@example.com")).await.unwrap();
    for address in ["ada@example.com", "bob@example.com"] {
        add(&world, &good, someone(address)).await;
        assert_eq!(accessible(&world, address, PASSWORD).await, [evil.id], "{address}");
    }
    let still = world.session(session_of(&caller)).await.unwrap();
    assert!(still.in_company(evil.id).is_ok() && still.in_company(good.id).is_err());

    // if the operator changes the address, the password keeps access to every company of the account
    let eve = add(&world, &evil, with_password("eve@example.com")).await;
    operator(&world).change_person(eve.id, new_email("eva@example.com")).await.unwrap();
    add(&world, &good, someone("eva@example.com")).await;
    assert_eq!(accessible(&world, "eva@example.com", PASSWORD).await, [evil.id, good.id]);
}

#[tokio::test]
async fn a_password_set_by_an_admin_gives_no_access_after_the_admins_company_removed_the_person() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, admin("boss@example.com")).await;
    add(&world, &other, admin("chief@example.com")).await;
    let boss = sign_in(&world, "boss@example.com").await.unwrap();
    let chief = sign_in(&world, "chief@example.com").await.unwrap();
    let first = boss.admin_of(one.id).unwrap().create_person(with_password("ada@example.com")).await.unwrap();
    let second = chief.admin_of(other.id).unwrap().create_person(someone("ada@example.com")).await.unwrap();
    boss.set_person_state(first.id, UserState::Removed).await.unwrap();
    assert!(accessible(&world, "ada@example.com", PASSWORD).await.is_empty());
    // The remaining company sets a password. This password gives no access to the first company, even after the first
    // company adds the person again.
    chief.change_person(second.id, new_password("difference engine")).await.unwrap();
    boss.admin_of(one.id).unwrap().create_person(someone("ada@example.com")).await.unwrap();
    assert_eq!(accessible(&world, "ada@example.com", "difference engine").await, [other.id]);
}

#[tokio::test]
async fn after_an_address_change_a_password_set_in_another_company_gives_no_access() {
    let world = world().await;
    let (evil, good) = (company(&world).await, company(&world).await);
    add(&world, &evil, admin("mallory@example.com")).await;
    add(&world, &good, admin("boss@example.com")).await;
    let mallory = sign_in(&world, "mallory@example.com").await.unwrap();
    let boss = sign_in(&world, "boss@example.com").await.unwrap();
    let bait =
        mallory.admin_of(evil.id).unwrap().create_person(with_password("ada@example.com")).await.unwrap();
    let ada = boss.admin_of(good.id).unwrap().create_person(someone("ada@example.com")).await.unwrap();
    let early = sign_in(&world, "ada@example.com").await.unwrap();
    mallory.set_person_state(bait.id, UserState::Removed).await.unwrap();
    boss.change_person(ada.id, new_email("ada@good.example.com")).await.unwrap();
    assert!(
        accessible(&world, "ada@good.example.com", PASSWORD).await.is_empty(),
        "a password that an admin of one company set gives no access to another company"
    );
    let early = world.session(session_of(&early)).await;
    assert!(
        !early.is_ok_and(|early| early.in_company(good.id).is_ok()),
        "a session that was created with this password gives no access to another company either"
    );
    // the admin of the company sets a password, which gives access to the company
    boss.change_person(ada.id, new_password("difference engine")).await.unwrap();
    assert_eq!(accessible(&world, "ada@good.example.com", "difference engine").await, [good.id]);
}
