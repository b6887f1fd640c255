//! Who may see and change whom, and what is refused.

use super::*;

#[tokio::test]
async fn forms_are_checked() {
    let world = world().await;
    let company = company(&world).await;
    for wrong in [
        someone("ada"),
        NewPerson { timezone: Some("Mars/Olympus".into()), ..someone("a@example.com") },
        NewPerson { is_admin: true, is_external: true, ..someone("a@example.com") },
        NewPerson { state: UserState::Removed, ..with_password("a@example.com") },
    ] {
        let refused = world.create_person(&OPERATOR, company.id, wrong).await;
        assert_eq!(code(refused), Code::InvalidRequest);
    }
    let unknown = world.create_person(&OPERATOR, WorkspaceId(1), someone("a@example.com")).await;
    assert_eq!(code(unknown), Code::NotFound);
    let removed = NewPerson { state: UserState::Removed, ..someone("a@example.com") };
    let removed = add(&world, &company, removed).await;
    assert_eq!((removed.email, removed.title, removed.account_id), (None, None, None));
    add(&world, &company, someone("a@example.com")).await;
}

#[tokio::test]
async fn people_change_of_themselves_what_is_theirs() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let bob = add(&world, &company, someone("bob@example.com")).await;
    let who = sign_in(&world, "ada@example.com").await.unwrap();
    let title = PersonChange { title: Some(None), ..PersonChange::default() };
    assert_eq!(world.change_person(&who, ada.id, title.clone()).await.unwrap().title, None);
    for theirs in [
        new_email("x@example.com"),
        PersonChange { is_admin: Some(false), ..PersonChange::default() },
        PersonChange { is_external: Some(false), ..PersonChange::default() },
        PersonChange { guest_visible: Some(false), ..PersonChange::default() },
    ] {
        assert_eq!(code(world.change_person(&who, ada.id, theirs).await), Code::Forbidden);
    }
    assert_eq!(code(world.change_person(&who, bob.id, title).await), Code::Forbidden);
    assert_eq!(code(world.full_person(&who, bob.id).await), Code::Forbidden);
    assert_eq!(code(world.set_person_state(&who, ada.id, UserState::Deactivated).await), Code::Forbidden);
    assert_eq!(code(world.log_person_out(&who, ada.id).await), Code::Forbidden);
    let page = PageRequest { limit: 10, cursor: None };
    assert_eq!(code(world.list_everybody(&who, company.id, None, page).await), Code::Forbidden);
}

#[tokio::test]
async fn strangers_find_nothing() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    add(&world, &one, admin("boss@example.com")).await;
    let ada = add(&world, &other, someone("ada@example.com")).await;
    let who = sign_in(&world, "boss@example.com").await.unwrap();
    assert_eq!(code(world.full_person(&who, ada.id).await), Code::UserNotFound);
    assert_eq!(code(world.change_person(&who, ada.id, PersonChange::default()).await), Code::UserNotFound);
    assert_eq!(code(world.set_person_state(&who, ada.id, UserState::Active).await), Code::UserNotFound);
    assert_eq!(code(world.create_person(&who, other.id, someone("x@example.com")).await), Code::NotFound);
    assert_eq!(code(world.company(&who, other.id).await), Code::NotFound);
    let page = PageRequest { limit: 10, cursor: None };
    assert_eq!(code(world.list_everybody(&who, other.id, None, page).await), Code::NotFound);
    assert_eq!(code(world.list_companies(&who, page).await), Code::Forbidden);
    assert_eq!(world.list_everybody(&who, one.id, None, page).await.unwrap().items.len(), 1);
}

#[tokio::test]
async fn everybody_is_walked_page_by_page() {
    let world = world().await;
    let company = company(&world).await;
    for n in 0..5 {
        add(&world, &company, someone(&format!("p{n}@example.com"))).await;
    }
    let (mut cursor, mut seen) = (None::<String>, 0);
    loop {
        let request = PageRequest { limit: 2, cursor: cursor.as_deref() };
        let page = world.list_everybody(&OPERATOR, company.id, None, request).await.unwrap();
        seen += page.items.len();
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, 5);
    let wrong = PageRequest { limit: 2, cursor: Some("x") };
    assert_eq!(code(world.list_everybody(&OPERATOR, company.id, None, wrong).await), Code::InvalidCursor);
}

#[tokio::test]
async fn a_removed_person_leaves_only_a_name() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let gone = world.set_person_state(&OPERATOR, ada.id, UserState::Removed).await.unwrap();
    let left = User {
        email: None,
        title: None,
        timezone: None,
        account_id: None,
        state: UserState::Removed,
        ..ada.clone()
    };
    assert_eq!(gone, left);
    assert_eq!(world.full_person(&OPERATOR, ada.id).await.unwrap(), left);
    assert!(world.db.read(AccountExists("ada@example.com")).await.unwrap().is_none());
    for state in [UserState::Active, UserState::Onboarding, UserState::Deactivated] {
        assert_eq!(code(world.set_person_state(&OPERATOR, ada.id, state).await), Code::Conflict);
    }
    assert_eq!(world.set_person_state(&OPERATOR, ada.id, UserState::Removed).await.unwrap(), left);
    let change = PersonChange { name: Some("X".into()), ..PersonChange::default() };
    assert_eq!(code(world.change_person(&OPERATOR, ada.id, change).await), Code::Conflict);
    add(&world, &company, someone("ada@example.com")).await;
}
