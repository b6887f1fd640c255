//! What apps hear of people, and bots among them.

use super::*;
use crate::{
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, InstallationId, MessageId},
        scopes::{Scope, Scopes},
        time::Timestamp,
    },
    store::{
        apps::{self, App, Installation},
        args,
        conversations::{self, Conversation},
        delivery_log::{self, LogFilter},
    },
};

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
        let (now, scopes) = (Timestamp(0), self.scopes);
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
            floor_id: MessageId(0),
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
        let bodies = c.all::<(String,)>(&sql::BODIES, args![APP]).await?;
        let kinds = bodies
            .into_iter()
            .map(|(body,)| serde_json::from_str::<serde_json::Value>(&body).unwrap())
            .map(|event| event["data"]["kind"].as_str().unwrap().to_owned())
            .collect();
        let counted = conversations::by_id(c, GROUP).await?.unwrap().active_members;
        Ok((kinds, counted))
    }
}

/// What only these tests ask.
#[allow(dead_code, reason = "the list of all statements is for the store's own tests")]
mod sql {
    crate::store::statements! {
        pub BODIES = "SELECT body FROM events WHERE app_id = $1 ORDER BY id";
    }
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
        Ok(delivery_log::page(c, APP, &LogFilter::default(), (0, i64::MAX), 100).await?.len())
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
    let ids: Vec<_> = world
        .list_everybody(&OPERATOR, company.id, None, page)
        .await
        .unwrap()
        .items
        .iter()
        .map(|u| u.id)
        .collect();
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
