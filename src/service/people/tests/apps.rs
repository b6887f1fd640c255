//! Tests of events about people, and of app blocks. Also tests that the functions that change people reject the id of a
//! bot.

use super::*;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, InstallationId, MessageId},
        scopes::{Scope, Scopes},
        time::Timestamp,
    },
    store::{
        Query,
        apps::{self, App, Installation},
        args,
        conversations::{self, Conversation},
        delivery_log::{self, LogFilter},
        op,
        secrets::StoredSecret,
    },
};

/// Inserts an app that receives events, the app's bot in the company, and a group with the members `members`.
struct InsertAppWithBot {
    company: WorkspaceId,
    members: Vec<UserId>,
    scopes: Scopes,
}

const APP: AppId = AppId(7);
const BOT: UserId = UserId(8);
const GROUP: ConversationId = ConversationId(9);

impl Op for InsertAppWithBot {
    const NAME: &'static str = "test_insert_app_with_bot";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let (now, scopes) = (Timestamp(0), self.scopes);
        let app = App {
            id: APP,
            name: "App".into(),
            client_id: "svc_app_x".into(),
            client_secret_hash: vec![0; 32],
            signing_secret: StoredSecret::plain("whsec_x"),
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
            ..directory_events::tests::PERSON
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
            floor_id: MessageId(0),
        };
        conversations::insert(c, &group).await?;
        let members: Vec<_> = self.members.iter().map(|member| (*member, true)).collect();
        conversations::join(c, GROUP, &members, now, MessageId(0)).await?;
        Ok(())
    }
}

/// Reads the kinds of the app's events, oldest first, and the group's `member_count`.
struct EventKindsAndMembers;

impl ReadOp for EventKindsAndMembers {
    const NAME: &'static str = "test_event_kinds_and_members";
    type Out = (Vec<String>, i64);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let bodies = c.all::<(String,)>(&BODIES, args![APP]).await?;
        let kinds = bodies
            .into_iter()
            .map(|(body,)| serde_json::from_str::<serde_json::Value>(&body).unwrap())
            .map(|event| event["data"]["kind"].as_str().unwrap().to_owned())
            .collect();
        let counted = conversations::by_id(c, GROUP).await?.unwrap().active_members;
        Ok((kinds, counted))
    }
}

static BODIES: Query = Query::new("BODIES", &["SELECT body FROM events WHERE app_id = $1 ORDER BY id"]);

#[tokio::test]
async fn apps_are_notified_of_changes_and_members_are_counted() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let scopes: Scopes = [Scope::UsersRead].into_iter().collect();
    let insert = InsertAppWithBot { company: company.id, members: vec![ada.id], scopes };
    world.db.write(insert).await.unwrap();
    let mut expected: Vec<&str> = Vec::new();

    for (state, reported, counted) in [
        (UserState::Deactivated, Some("user.deactivated"), 0),
        (UserState::Deactivated, None, 0),
        (UserState::Active, Some("user.updated"), 1),
        (UserState::Removed, Some("user.deactivated"), 0),
    ] {
        operator(&world).set_person_state(ada.id, state).await.unwrap();
        expected.extend(reported);
        let (kinds, active_members) = world.db.read(EventKindsAndMembers).await.unwrap();
        assert_eq!((kinds, active_members), (expected.iter().map(ToString::to_string).collect(), counted));
    }

    let newcomer = NewPerson { state: UserState::Onboarding, ..someone("bob@example.com") };
    let bob = add(&world, &company, newcomer).await;
    expected.push("user.created");
    operator(&world).set_person_state(bob.id, UserState::Active).await.unwrap();
    // the app has no scope `users:read.email`, so it is not notified of a new address
    operator(&world).change_person(bob.id, new_email("bob@new.example.com")).await.unwrap();
    let hidden = NewPerson { is_external: true, guest_visible: false, ..someone("eve@example.com") };
    let guest = add(&world, &company, hidden).await;
    let name = PersonChange { name: Some("Eve".into()), ..PersonChange::default() };
    operator(&world).change_person(guest.id, name).await.unwrap();
    for (visible, reported) in [(true, "user.created"), (false, "user.deactivated")] {
        let change = PersonChange { guest_visible: Some(visible), ..PersonChange::default() };
        operator(&world).change_person(guest.id, change).await.unwrap();
        expected.push(reported);
    }
    assert_eq!(world.db.read(EventKindsAndMembers).await.unwrap().0, expected);
    assert_eq!(world.db.read(CountLoggedEvents).await.unwrap(), expected.len());
}

#[tokio::test]
async fn a_new_address_is_reported_to_apps_that_may_read_addresses() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, someone("ada@example.com")).await;
    let scopes: Scopes = [Scope::UsersRead, Scope::UsersReadEmail].into_iter().collect();
    world.db.write(InsertAppWithBot { company: company.id, members: vec![], scopes }).await.unwrap();
    let hide = PersonChange { email_visible: Some(false), ..PersonChange::default() };
    for (change, reported) in [
        (new_email("ada@2.example.com"), 1),
        (new_email("ada@2.example.com"), 1),
        (PersonChange { email_visible: Some(false), ..new_email("ada@3.example.com") }, 2),
        (new_email("ada@4.example.com"), 2),
        (hide, 2),
        (PersonChange { email_visible: Some(true), ..new_email("ada@5.example.com") }, 3),
    ] {
        operator(&world).change_person(ada.id, change).await.unwrap();
        assert_eq!(world.db.read(EventKindsAndMembers).await.unwrap().0, vec!["user.updated"; reported]);
    }
}

/// Counts the entries of the app's delivery log. Each pending event has one entry.
struct CountLoggedEvents;

op! {
    ReadOp "test_count_logged_events": CountLoggedEvents -> usize =
        |_, c| Ok(delivery_log::page(c, APP, &LogFilter::default(), (0, i64::MAX), 100).await?.len())
}

#[tokio::test]
async fn bots_cannot_be_changed_like_people_and_people_can_block_apps() {
    let world = world().await;
    let company = company(&world).await;
    let ada = add(&world, &company, with_password("ada@example.com")).await;
    let insert = InsertAppWithBot { company: company.id, members: vec![], scopes: Scopes::default() };
    world.db.write(insert).await.unwrap();
    let change = PersonChange { name: Some("X".into()), ..PersonChange::default() };
    assert_eq!(code(operator(&world).change_person(BOT, change).await), Code::Conflict);
    assert_eq!(code(operator(&world).set_person_state(BOT, UserState::Removed).await), Code::Conflict);
    assert_eq!(code(operator(&world).log_person_out(BOT).await), Code::Conflict);
    assert_eq!(code(operator(&world).block_app(BOT, APP).await), Code::UserNotFound);
    let page = PageRequest { limit: 10, cursor: None };
    let ids: Vec<_> = operator(&world)
        .admin_of(company.id)
        .unwrap()
        .list_everybody(None, page)
        .await
        .unwrap()
        .items
        .iter()
        .map(|u| u.id)
        .collect();
    assert_eq!(ids, [BOT, ada.id]);

    // a repeated block has no effect, and neither has a repeated unblock
    let caller = sign_in(&world, "ada@example.com").await.unwrap();
    caller.block_app(ada.id, APP).await.unwrap();
    caller.block_app(ada.id, APP).await.unwrap();
    assert!(has_blocked(&caller, company.id).await);
    assert_eq!(code(caller.block_app(ada.id, AppId(1)).await), Code::NotFound);
    operator(&world).unblock_app(ada.id, APP).await.unwrap();
    operator(&world).unblock_app(ada.id, APP).await.unwrap();
    assert!(!has_blocked(&caller, company.id).await);
}

/// Returns whether the caller's person in the company has blocked the app.
async fn has_blocked(caller: &Caller, company: WorkspaceId) -> bool {
    let choices = caller.person_in(company).unwrap().app_choices().await.unwrap();
    choices.iter().any(|choice| choice.app_id == APP && choice.blocked_at.is_some())
}
