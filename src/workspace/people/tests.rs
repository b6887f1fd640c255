//! The rules of people, identities and sessions, through the world as the rooms call it.

use std::time::Duration;

use super::*;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, InstallationId, MessageId},
        scopes::{Scope, Scopes},
        token,
    },
    store::{
        Error, accounts,
        apps::{App, Installation},
        conversations::{self, Conversation},
        events,
        workspaces::Workspace,
    },
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
    let both = PersonChange { password: Some(Secret::new("difference engine")), ..new_email("victim@example.com") };
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
    let (one, other) =
        (sign_in(&world, "ada@example.com").await.unwrap(), sign_in(&world, "ada@example.com").await.unwrap());
    world.change_person(&one, ada.id, new_password("difference engine")).await.unwrap();
    assert!(lives(&world, &one).await && !lives(&world, &other).await);
    assert_eq!(code(sign_in(&world, "ada@example.com").await), Code::InvalidAuth);
    world.change_person(&OPERATOR, ada.id, new_password("analytical engine")).await.unwrap();
    assert!(!lives(&world, &one).await);
    assert!(sign_in(&world, "ada@example.com").await.is_ok());
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
    assert_eq!(code(world.list_everybody(&who, company.id, page).await), Code::Forbidden);
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
    assert_eq!(code(world.list_everybody(&who, other.id, page).await), Code::NotFound);
    assert_eq!(code(world.list_companies(&who, page).await), Code::Forbidden);
    assert_eq!(world.list_everybody(&who, one.id, page).await.unwrap().items.len(), 1);
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

struct AccountExists(&'static str);

impl Op for AccountExists {
    const NAME: &'static str = "test_account_exists";
    type Out = Option<accounts::Account>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        accounts::by_email(c, self.0).await
    }
}

#[tokio::test]
async fn who_is_logged_out_stays_out_until_the_next_sign_in() {
    let world = world().await;
    let (one, other) = (company(&world).await, company(&world).await);
    let ada = add(&world, &one, with_password("ada@example.com")).await;
    add(&world, &other, someone("ada@example.com")).await;
    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.log_person_out(&OPERATOR, ada.id).await.unwrap();
    let Principal::Account { session, .. } = who else { panic!("an account") };
    let Principal::Account { persons, .. } = world.session(session).await.unwrap() else { panic!("an account") };
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
async fn attempts_to_sign_in_are_counted_by_account_and_by_place() {
    let world = world().await;
    let place = |n: u8| std::net::IpAddr::from([192, 0, 2, n]);
    for n in 0..10 {
        assert!(world.admit_sign_in(Some("Ada@example.com"), place(n)).is_ok());
    }
    let refused = world.admit_sign_in(Some("ada@EXAMPLE.com"), place(99)).unwrap_err();
    assert_eq!((refused.retry_after(), refused.standings.len()), (60, 2));
    assert!(world.admit_sign_in(Some("bob@example.com"), place(99)).is_ok());
    let passed = (0..1000).filter(|_| world.admit_sign_in(None, place(100)).is_ok()).count();
    assert!(passed < 1000, "a place is bounded");
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

/// An app with a bot in the company, heard by the events, and a group of everybody.
struct Listening {
    company: WorkspaceId,
    members: Vec<UserId>,
    scopes: Scopes,
}

const APP: AppId = AppId(7);
const BOT: UserId = UserId(8);
const GROUP: ConversationId = ConversationId(9);

impl Op for Listening {
    const NAME: &'static str = "test_listening";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (now, scopes) = (crate::domain::time::Timestamp(0), self.scopes);
        let app = App {
            id: APP,
            name: "App".into(),
            client_id: "svc_app_x".into(),
            client_secret_hash: vec![0; 32],
            signing_secret: "whsec_x".into(),
            previous_signing_secret: None,
            signing_rotated_at: None,
            callback_url: Some("https://app.example.com/events".into()),
            redirect_uris: "[]".into(),
            scopes,
            disabled_at: None,
            created_at: now,
        };
        apps::insert(c, &app).await?;
        let bot = User {
            id: BOT,
            workspace_id: self.company,
            app_id: Some(APP),
            is_bot: true,
            ..news::tests::PERSON
        };
        users::insert(c, &bot, None).await?;
        let installation = Installation {
            id: InstallationId(10),
            app_id: APP,
            workspace_id: self.company,
            bot_user_id: BOT,
            scopes,
            connected: true,
            reason: None,
            installed_by: None,
            created_at: now,
            disconnected_at: None,
        };
        apps::insert_installation(c, &installation).await?;
        let group = Conversation {
            id: GROUP,
            workspace_id: self.company,
            kind: ConversationKind::Group,
            parent_id: None,
            name: Some("Everybody".into()),
            topic: None,
            is_private: false,
            announcement_only: false,
            archived_at: None,
            deleted_at: None,
            active_members: 0,
            created_at: now,
        };
        conversations::insert(c, &group).await?;
        for member in &self.members {
            conversations::join(c, GROUP, *member, true, now, MessageId(0)).await?;
        }
        Ok(())
    }
}

/// The kinds of the events so far, oldest first, and the group's `member_count`.
struct Heard;

impl Op for Heard {
    const NAME: &'static str = "test_heard";
    type Out = (Vec<String>, i64);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut kinds = c.all::<(String,)>(&BODIES, crate::store::args![APP]).await?;
        let kinds = kinds
            .drain(..)
            .map(|(body,)| serde_json::from_str::<serde_json::Value>(&body).unwrap())
            .map(|event| event["data"]["kind"].as_str().unwrap().to_owned())
            .collect();
        let counted = conversations::by_id(c, GROUP).await?.unwrap().active_members;
        Ok((kinds, counted))
    }
}

crate::store::statements! {
    BODIES = "SELECT body FROM events WHERE app_id = $1 ORDER BY id";
}

#[tokio::test]
async fn apps_hear_of_changes_and_members_are_counted() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let scopes: Scopes = [Scope::UsersRead].into_iter().collect();
    let listening = Listening { company: company.id, members: vec![ada.id], scopes };
    world.db.write(listening).await.unwrap();
    let mut expected: Vec<&str> = Vec::new();

    for (state, told, counted) in [
        (UserState::Deactivated, Some("user.deactivated"), 0),
        (UserState::Deactivated, None, 0),
        (UserState::Active, Some("user.updated"), 1),
        (UserState::Removed, Some("user.deactivated"), 0),
    ] {
        world.set_person_state(&OPERATOR, ada.id, state).await.unwrap();
        expected.extend(told);
        let (kinds, active_members) = world.db.read(Heard).await.unwrap();
        assert_eq!((kinds, active_members), (expected.iter().map(ToString::to_string).collect(), counted));
    }

    let newcomer = NewPerson { state: UserState::Onboarding, ..someone("bob@example.com") };
    let bob = add(&world, &company, newcomer).await;
    expected.push("user.created");
    world.set_person_state(&OPERATOR, bob.id, UserState::Active).await.unwrap();
    // without users:read.email the address is nobody's business
    world.change_person(&OPERATOR, bob.id, new_email("bob@new.example.com")).await.unwrap();
    let hidden = NewPerson { is_external: true, guest_visible: false, ..someone("eve@example.com") };
    let guest = add(&world, &company, hidden).await;
    let name = PersonChange { name: Some("Eve".into()), ..PersonChange::default() };
    world.change_person(&OPERATOR, guest.id, name).await.unwrap();
    for (visible, told) in [(true, "user.created"), (false, "user.deactivated")] {
        let change = PersonChange { guest_visible: Some(visible), ..PersonChange::default() };
        world.change_person(&OPERATOR, guest.id, change).await.unwrap();
        expected.push(told);
    }
    assert_eq!(world.db.read(Heard).await.unwrap().0, expected);
    assert_eq!(world.db.read(Pending).await.unwrap(), expected.len());
}

#[tokio::test]
async fn a_new_address_is_told_to_who_reads_addresses() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, someone("ada@example.com")).await;
    let scopes: Scopes = [Scope::UsersRead, Scope::UsersReadEmail].into_iter().collect();
    world.db.write(Listening { company: company.id, members: vec![], scopes }).await.unwrap();
    let hide = PersonChange { email_visible: Some(false), ..PersonChange::default() };
    for (change, told) in [
        (new_email("ada@2.example.com"), 1),
        (new_email("ada@2.example.com"), 1),
        (PersonChange { email_visible: Some(false), ..new_email("ada@3.example.com") }, 2),
        (new_email("ada@4.example.com"), 2),
        (hide, 2),
        (PersonChange { email_visible: Some(true), ..new_email("ada@5.example.com") }, 3),
    ] {
        world.change_person(&OPERATOR, ada.id, change).await.unwrap();
        assert_eq!(world.db.read(Heard).await.unwrap().0, vec!["user.updated"; told]);
    }
}

struct Pending;

impl Op for Pending {
    const NAME: &'static str = "test_pending";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        Ok(events::page(c, APP, i64::MAX, 100).await?.len())
    }
}

#[tokio::test]
async fn bots_are_not_people() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let listening = Listening { company: company.id, members: vec![], scopes: Scopes::default() };
    world.db.write(listening).await.unwrap();
    let change = PersonChange { name: Some("X".into()), ..PersonChange::default() };
    assert_eq!(code(world.change_person(&OPERATOR, BOT, change).await), Code::Conflict);
    assert_eq!(code(world.set_person_state(&OPERATOR, BOT, UserState::Removed).await), Code::Conflict);
    assert_eq!(code(world.log_person_out(&OPERATOR, BOT).await), Code::Conflict);
    assert_eq!(code(world.block_app(&OPERATOR, BOT, APP).await), Code::UserNotFound);
    let page = PageRequest { limit: 10, cursor: None };
    let ids: Vec<_> =
        world.list_everybody(&OPERATOR, company.id, page).await.unwrap().items.iter().map(|u| u.id).collect();
    assert_eq!(ids, [BOT, ada.id]);

    let who = sign_in(&world, "ada@example.com").await.unwrap();
    world.block_app(&who, ada.id, APP).await.unwrap();
    world.block_app(&who, ada.id, APP).await.unwrap();
    assert!(world.db.read(IsBlocked(ada.id)).await.unwrap());
    assert_eq!(code(world.block_app(&who, ada.id, AppId(1)).await), Code::NotFound);
    world.unblock_app(&OPERATOR, ada.id, APP).await.unwrap();
    world.unblock_app(&OPERATOR, ada.id, APP).await.unwrap();
    assert!(!world.db.read(IsBlocked(ada.id)).await.unwrap());
}

struct IsBlocked(UserId);

impl Op for IsBlocked {
    const NAME: &'static str = "test_is_blocked";
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        users::has_blocked(c, self.0, APP).await
    }
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
        let page = world.list_everybody(&OPERATOR, company.id, request).await.unwrap();
        seen += page.items.len();
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen, 5);
    let wrong = PageRequest { limit: 2, cursor: Some("x") };
    assert_eq!(code(world.list_everybody(&OPERATOR, company.id, wrong).await), Code::InvalidCursor);
}
