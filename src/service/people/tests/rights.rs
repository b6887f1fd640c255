//! Tests of the permissions of callers, of the validation of fields, of lists of users, and of removed people.

use super::*;

#[tokio::test]
async fn invalid_fields_are_rejected() {
    let world = world().await;
    let company = company(&world).await;
    for invalid_person in [
        someone("ada"),
        NewPerson { timezone: Some("Mars/Olympus".into()), ..someone("a@example.com") },
        NewPerson { is_admin: true, is_external: true, ..someone("a@example.com") },
        NewPerson { state: UserState::Removed, ..with_password("a@example.com") },
    ] {
        let refused = operator(&world).admin_of(company.id).unwrap().create_person(invalid_person).await;
        assert_eq!(code(refused), Code::InvalidRequest);
    }
    let unknown =
        operator(&world).admin_of(WorkspaceId(1)).unwrap().create_person(someone("a@example.com")).await;
    assert_eq!(code(unknown), Code::NotFound);
    let removed = NewPerson { state: UserState::Removed, ..someone("a@example.com") };
    let removed = add(&world, &company, removed).await;
    assert_eq!(account_of(&world, &removed).await, None);
    assert_eq!((removed.email, removed.title), (None, None));
    // another person can have the e-mail address of a removed person
    add(&world, &company, someone("a@example.com")).await;
}

#[tokio::test]
async fn people_change_only_their_own_unprivileged_fields() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let bob = add(&world, &company, someone("bob@example.com")).await;
    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    let title = PersonChange { title: Some(None), ..PersonChange::default() };
    assert_eq!(caller.change_person(ada.id, title.clone()).await.unwrap().title, None);
    for privileged in [
        new_email("x@example.com"),
        PersonChange { is_admin: Some(false), ..PersonChange::default() },
        PersonChange { is_external: Some(false), ..PersonChange::default() },
        PersonChange { guest_visible: Some(false), ..PersonChange::default() },
    ] {
        assert_eq!(code(caller.change_person(ada.id, privileged).await), Code::Forbidden);
    }
    assert_eq!(code(caller.change_person(bob.id, title).await), Code::Forbidden);
    assert_eq!(code(caller.full_person(bob.id).await), Code::Forbidden);
    assert_eq!(code(caller.set_person_state(ada.id, UserState::Deactivated).await), Code::Forbidden);
    assert_eq!(code(caller.log_person_out(ada.id).await), Code::Forbidden);
    assert_eq!(code(caller.admin_of(company.id)), Code::Forbidden);
}

#[tokio::test]
async fn callers_from_another_company_find_nothing() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, admin("boss@example.com")).await;
    let ada = add(&world, &other, someone("ada@example.com")).await;
    let caller = sign_in(&world, "boss@example.com").await.unwrap();
    assert_eq!(code(caller.full_person(ada.id).await), Code::UserNotFound);
    assert_eq!(code(caller.change_person(ada.id, PersonChange::default()).await), Code::UserNotFound);
    assert_eq!(code(caller.set_person_state(ada.id, UserState::Active).await), Code::UserNotFound);
    assert_eq!(code(caller.admin_of(other.id)), Code::NotFound);
    assert_eq!(code(caller.in_company(other.id)), Code::NotFound);
    assert_eq!(code(caller.person_in(other.id)), Code::UserNotFound);
    let page = PageRequest { limit: 10, cursor: None };
    assert_eq!(code(caller.operator()), Code::Forbidden);
    assert_eq!(caller.admin_of(one.id).unwrap().list_everybody(None, page).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn all_users_are_listed_page_by_page() {
    let world = world().await;
    let company = company(&world).await;
    let mut added = Vec::new();
    for n in 0..5 {
        added.push(add(&world, &company, someone(&format!("p{n}@example.com"))).await.id);
    }
    let (mut cursor, mut seen) = (None::<String>, Vec::new());
    loop {
        let request = PageRequest { limit: 2, cursor: cursor.as_deref() };
        let page =
            operator(&world).admin_of(company.id).unwrap().list_everybody(None, request).await.unwrap();
        seen.extend(page.items.iter().map(|user| user.id));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, added);
    let wrong = PageRequest { limit: 2, cursor: Some("x") };
    assert_eq!(
        code(operator(&world).admin_of(company.id).unwrap().list_everybody(None, wrong).await),
        Code::InvalidCursor
    );
}

#[tokio::test]
async fn a_removed_person_loses_personal_data_and_account_and_cannot_be_changed() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let removed = operator(&world).set_person_state(ada.id, UserState::Removed).await.unwrap();
    let expected =
        UserView { email: None, title: None, timezone: None, state: UserState::Removed, ..ada.clone() };
    assert_eq!(removed, expected);
    assert_eq!(account_of(&world, &removed).await, None);
    assert_eq!(operator(&world).full_person(ada.id).await.unwrap(), expected);
    assert!(world.db.read(FindAccount("ada@example.com")).await.unwrap().is_none());
    for state in [UserState::Active, UserState::Onboarding, UserState::Deactivated] {
        assert_eq!(code(operator(&world).set_person_state(ada.id, state).await), Code::Conflict);
    }
    assert_eq!(operator(&world).set_person_state(ada.id, UserState::Removed).await.unwrap(), expected);
    let change = PersonChange { name: Some("X".into()), ..PersonChange::default() };
    assert_eq!(code(operator(&world).change_person(ada.id, change).await), Code::Conflict);
    add(&world, &company, someone("ada@example.com")).await;
}
