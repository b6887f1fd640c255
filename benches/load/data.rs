//! What the databases are filled with: one company, its people, bots and conversations, and many messages.
//!
//! Written through the store, as the product writes them, in transactions of some thousand rows.

use std::sync::Arc;

use switchboard::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{AppId, ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
        message::key_hash,
        people::UserState,
        scopes::Scopes,
        time::Timestamp,
        token::{self, Kind},
    },
    store::{
        Op, Result, Sql,
        apps::{self, App, Installation},
        bot_tokens,
        conversations::{self, Conversation},
        keys::{self, Claim},
        messages::{self, Message},
        users::{self, User},
        workspaces::{self, Workspace},
    },
    workspace::World,
};

use super::CLIENTS;

const PEOPLE: usize = 1_000;
/// Every bot is in the long conversation and in its share of the others.
pub const TEXT: &str =
    "The nightly build of the main branch is green again; the two flaky tests are quarantined.";

/// What the load generator asks for.
#[derive(Clone)]
pub struct Data {
    pub workspace: WorkspaceId,
    /// One bot token per connection.
    pub tokens: Vec<String>,
    pub people: Vec<UserId>,
    /// The conversation whose history is read.
    pub long: ConversationId,
    /// Where the bots post: one list per bot.
    pub places: Vec<Vec<ConversationId>>,
}

/// Fills an empty database.
pub async fn fill(world: &World, message_count: usize) -> Data {
    fill_with(world, message_count, |_| TEXT.into()).await
}

/// The same, with a text for each message by its number.
pub async fn fill_with(world: &World, message_count: usize, text: impl Fn(usize) -> String) -> Data {
    let base = Base::write(world, message_count).await;
    let mut written = 0;
    while written < message_count {
        let end = (written + 5_000).min(message_count);
        let rows = (written..end)
            .map(|n| {
                let place = if n % base.every == 0 { 0 } else { 1 + n % (base.conversations.len() - 1) };
                let id = MessageId(world.ids.next().unwrap());
                (base.conversations[place], id, base.sender(place, n), text(n))
            })
            .collect();
        world
            .db
            .write(WriteMessages { workspace: base.workspace, rows, now: world.clock.now() })
            .await
            .unwrap();
        written = end;
    }
    base.data()
}

struct Bot {
    user: UserId,
    app: AppId,
    installation: InstallationId,
    token: String,
}

impl Bot {
    fn new(world: &World) -> Self {
        Self {
            user: UserId(world.ids.next().unwrap()),
            app: AppId(world.ids.next().unwrap()),
            installation: InstallationId(world.ids.next().unwrap()),
            token: world.mint(Kind::bot(world.settings.production)),
        }
    }
}

/// Everything but the messages.
pub struct Base {
    pub workspace: WorkspaceId,
    pub people: Vec<UserId>,
    bots: Vec<Bot>,
    /// The long one first.
    pub conversations: Vec<ConversationId>,
    /// One message of so many is in the long conversation, the others are in the others in turn.
    pub every: usize,
    pub now: Timestamp,
}

impl Base {
    /// Writes what databases with so many messages have.
    pub async fn write(world: &World, message_count: usize) -> Arc<Self> {
        let long_count = if message_count > 1_000_000 { 100_000 } else { message_count * 4 / 10 };
        let conversation_count = (message_count / 1_000).max(2 * CLIENTS);
        let base = Arc::new(Self {
            workspace: WorkspaceId(world.ids.next().unwrap()),
            people: (0..PEOPLE).map(|_| UserId(world.ids.next().unwrap())).collect(),
            bots: (0..CLIENTS).map(|_| Bot::new(world)).collect(),
            conversations: (0..=conversation_count)
                .map(|_| ConversationId(world.ids.next().unwrap()))
                .collect(),
            every: message_count / long_count.max(1),
            now: world.clock.now(),
        });
        world.db.write(WriteBase(Arc::clone(&base))).await.unwrap();
        base
    }

    /// What the load generator asks for.
    pub fn data(&self) -> Data {
        Data {
            workspace: self.workspace,
            tokens: self.bots.iter().map(|bot| bot.token.clone()).collect(),
            people: self.people.clone(),
            long: self.conversations[0],
            places: (0..CLIENTS)
                .map(|bot| self.conversations.iter().copied().skip(1 + bot).step_by(CLIENTS).collect())
                .collect(),
        }
    }

    /// The bot users of the conversations, in their order.
    pub fn bot_users(&self) -> Vec<UserId> {
        (0..self.conversations.len()).map(|place| self.bot(place).user).collect()
    }

    /// The bot of conversation `place`.
    fn bot(&self, place: usize) -> &Bot {
        &self.bots[place.wrapping_sub(1) % self.bots.len()]
    }

    /// Who wrote message `n`: every fourth is a bot's and comes with a key.
    fn sender(&self, place: usize, n: usize) -> (UserId, Option<String>) {
        match n % 4 {
            0 => (self.bot(place).user, Some(format!("seed-{n}"))),
            _ => (self.people[n % self.people.len()], None),
        }
    }
}

struct WriteBase(Arc<Base>);

impl Op for WriteBase {
    const NAME: &'static str = "bench_base";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let base = &*self.0;
        let workspace = Workspace {
            id: base.workspace,
            name: "Example Company".into(),
            domain: Some("example.com".into()),
            ai_assistants: true,
            max_session_hours: None,
            created_at: base.now,
        };
        workspaces::insert(c, &workspace).await?;
        for (n, id) in base.people.iter().enumerate() {
            let email = format!("person{n}@example.com");
            let user = user(*id, base, format!("Person Number {n}"), Some(email.clone()), None);
            users::insert(c, &user, Some(&email)).await?;
        }
        for (n, bot) in base.bots.iter().enumerate() {
            write_bot(c, base, bot, n).await?;
        }
        for (place, id) in base.conversations.iter().enumerate() {
            write_conversation(c, base, place, *id).await?;
        }
        Ok(())
    }
}

fn user(id: UserId, base: &Base, name: String, email: Option<String>, app: Option<AppId>) -> User {
    let of_person = |text: &str| app.is_none().then(|| text.to_owned());
    User {
        id,
        workspace_id: base.workspace,
        account_id: None,
        app_id: app,
        display_name: of_person("Person"),
        avatar_url: of_person("https://example.com/avatars/person.png"),
        title: of_person("Engineer"),
        timezone: of_person("Europe/Berlin"),
        name,
        email,
        state: UserState::Active,
        is_admin: false,
        is_external: false,
        is_bot: app.is_some(),
        email_visible: true,
        guest_visible: true,
        created_at: base.now,
    }
}

async fn write_bot<C: Sql>(c: &mut C, base: &Base, bot: &Bot, n: usize) -> Result<()> {
    let app = App {
        id: bot.app,
        name: format!("App {n}"),
        client_id: format!("svc_app_bench{n}"),
        client_secret_hash: vec![0; 32],
        signing_secret: "whsec_bench".into(),
        previous_signing_secret: None,
        signing_rotated_at: None,
        callback_url: None,
        redirect_uris: "[]".into(),
        scopes: Scopes::ALL,
        disabled_at: None,
        created_at: base.now,
    };
    apps::insert(c, &app).await?;
    users::insert(c, &user(bot.user, base, format!("App {n}"), None, Some(bot.app)), None).await?;
    let installation = Installation {
        id: bot.installation,
        app_id: bot.app,
        workspace_id: base.workspace,
        bot_user_id: bot.user,
        scopes: Scopes::ALL,
        connected: true,
        reason: None,
        installed_by: None,
        created_at: base.now,
        disconnected_at: None,
    };
    apps::insert_installation(c, &installation).await?;
    bot_tokens::insert(c, &token::hash(&bot.token), &installation, Scopes::ALL, base.now).await
}

async fn write_conversation<C: Sql>(c: &mut C, base: &Base, place: usize, id: ConversationId) -> Result<()> {
    let conversation = Conversation {
        id,
        workspace_id: base.workspace,
        kind: ConversationKind::Group,
        parent_id: None,
        name: Some(format!("group-{place}")),
        topic: Some("What happened today".into()),
        is_private: false,
        announcement_only: false,
        archived_at: None,
        deleted_at: None,
        active_members: 0,
        created_at: base.now,
        floor_id: MessageId(0),
    };
    conversations::insert(c, &conversation).await?;
    for n in 0..8 {
        let person = base.people[(place * 8 + n) % base.people.len()];
        conversations::join(c, id, person, true, base.now, MessageId(0)).await?;
    }
    let bots = if place == 0 { &base.bots[..] } else { std::slice::from_ref(base.bot(place)) };
    for bot in bots {
        conversations::join(c, id, bot.user, false, base.now, MessageId(0)).await?;
    }
    Ok(())
}

struct WriteMessages {
    workspace: WorkspaceId,
    rows: Vec<(ConversationId, MessageId, (UserId, Option<String>), String)>,
    now: Timestamp,
}

impl Op for WriteMessages {
    const NAME: &'static str = "bench_messages";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (conversation, id, (sender, key), text) in &self.rows {
            if let Some(key) = key {
                let claim = Claim {
                    workspace_id: self.workspace,
                    conversation_id: *conversation,
                    sender_id: *sender,
                    message_id: *id,
                    key_hash: key_hash(key),
                    fingerprint: Some([7; 16]),
                    now: self.now,
                };
                keys::claim_send(c, &claim, &[7; 16], Timestamp(0)).await?;
                keys::claim_message(c, &claim).await?;
            }
            let message = Message {
                workspace_id: self.workspace,
                conversation_id: *conversation,
                id: *id,
                sender_id: Some(*sender),
                kind: MessageType::Text,
                text: Some(text.clone()),
                thread_id: None,
                file_count: 0,
                via_label: None,
                client_key: key.clone(),
                edited_at: None,
                created_at: self.now,
            };
            messages::insert(c, &message).await?;
        }
        Ok(())
    }
}
