//! Fills the databases of benchmarks with one company, its people, bots and conversations, and many messages.
//!
//! The rows are inserted through the store, as the server inserts them. A transaction inserts up to 5,000 messages. For
//! more than 100,000 messages on PostgreSQL, the benchmark `load` uses the larger batches of `benches/load/bulk.rs`.

use std::sync::Arc;

use switchboard::{
    domain::{
        assistant::sending::AssistantSends,
        conversation::{ConversationKind, MessageType},
        ids::{AppId, ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
        message::key_hash,
        scopes::Scopes,
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::World,
    store::{
        Op, Result, Sql,
        apps::{self, App, Installation},
        bot_tokens,
        conversations::{self, Conversation},
        keys::{self, KeyClaim},
        messages::{self, Message},
        secrets::StoredSecret,
        users::{self, User},
        workspaces::{self, Workspace},
    },
};

/// Number of bots, and maximum number of connections of the load generator.
pub const CLIENTS: usize = 64;
const PEOPLE: usize = 1_000;
/// Text of every message of [`fill`].
pub const TEXT: &str =
    "The nightly build of the main branch is green again; the two flaky tests are quarantined.";

/// The ids and tokens that the load generator needs for its requests.
#[derive(Clone)]
pub struct Data {
    pub workspace: WorkspaceId,
    /// The tokens of the bots.
    pub tokens: Vec<String>,
    pub people: Vec<UserId>,
    /// The conversation whose history is read.
    pub long: ConversationId,
    /// For each bot, the conversations to which it sends.
    pub destinations: Vec<Vec<ConversationId>>,
}

/// Fills an empty database.
pub async fn fill(world: &World, message_count: usize) -> Data {
    fill_with(world, message_count, |_| TEXT.into()).await
}

/// Fills an empty database. Message `n` has the text `text(n)`.
pub async fn fill_with(world: &World, message_count: usize, text: impl Fn(usize) -> String) -> Data {
    let base = Base::write(world, message_count).await;
    let mut written = 0;
    while written < message_count {
        let end = (written + 5_000).min(message_count);
        let rows = (written..end)
            .map(|n| {
                let (index, number) = base.place(n);
                let id = MessageId(world.ids.next().unwrap());
                (base.conversations[index], id, base.sender(n, index, number), text(n))
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
            token: world.mint(TokenKind::bot(world.settings.production)),
        }
    }
}

/// All data except the messages. The first conversation is the *long* one, whose history the load generator reads.
/// Every bot is a member of the long conversation. Each of the other conversations has one bot.
pub struct Base {
    pub workspace: WorkspaceId,
    pub people: Vec<UserId>,
    bots: Vec<Bot>,
    /// The ids of the conversations, the long conversation first.
    pub conversations: Vec<ConversationId>,
    /// Number of messages of all conversations.
    message_count: usize,
    /// Number of messages of the long conversation. In the order of ids, they are spread evenly among all messages. The
    /// remaining messages belong to the other conversations, round-robin.
    pub long_count: usize,
    pub now: Timestamp,
}

impl Base {
    /// Inserts everything except the messages, for a database that will have this many messages.
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
            message_count,
            long_count,
            now: world.clock.now(),
        });
        world.db.write(WriteBase(Arc::clone(&base))).await.unwrap();
        base
    }

    /// Returns what the load generator needs.
    pub fn data(&self) -> Data {
        Data {
            workspace: self.workspace,
            tokens: self.bots.iter().map(|bot| bot.token.clone()).collect(),
            people: self.people.clone(),
            long: self.conversations[0],
            destinations: (0..CLIENTS)
                .map(|bot| self.conversations.iter().copied().skip(1 + bot).step_by(CLIENTS).collect())
                .collect(),
        }
    }

    /// Returns the bot user of each conversation, in the order of `conversations`.
    pub fn bot_users(&self) -> Vec<UserId> {
        (0..self.conversations.len()).map(|index| self.bot(index).user).collect()
    }

    /// Returns the bot of the conversation at this index. For the long conversation, which has all bots, returns the
    /// last bot.
    fn bot(&self, index: usize) -> &Bot {
        &self.bots[index.wrapping_sub(1) % self.bots.len()]
    }

    /// Returns the index of the conversation of message `n`, and the number of earlier messages in this conversation.
    /// The statements in `benches/load/bulk.rs` compute the same.
    fn place(&self, n: usize) -> (usize, usize) {
        let long_before = n * self.long_count / self.message_count;
        if (n + 1) * self.long_count / self.message_count > long_before {
            return (0, long_before);
        }
        let (other, conversations) = (n - long_before, self.conversations.len() - 1);
        (1 + other % conversations, other / conversations)
    }

    /// Returns the author and the idempotency key of message `n`, which is message `number` of the conversation at this
    /// index. Every fourth message of a conversation is from the conversation's bot. Only these messages have a key.
    fn sender(&self, n: usize, index: usize, number: usize) -> (UserId, Option<String>) {
        match (index + number) % 4 {
            0 => (self.bot(index).user, Some(format!("seed-{n}"))),
            _ => (self.people[(n + number) % self.people.len()], None),
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
            assistant_sends: AssistantSends::Direct,
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
        for (index, id) in base.conversations.iter().enumerate() {
            write_conversation(c, base, index, *id).await?;
        }
        Ok(())
    }
}

fn user(id: UserId, base: &Base, name: String, email: Option<String>, app: Option<AppId>) -> User {
    let of_person = |text: &str| app.is_none().then(|| text.to_owned());
    User {
        app_id: app,
        display_name: of_person("Person"),
        avatar_url: of_person("https://example.com/avatars/person.png"),
        title: of_person("Engineer"),
        timezone: of_person("Europe/Berlin"),
        email,
        is_bot: app.is_some(),
        ..User::new(id, base.workspace, name, base.now)
    }
}

async fn write_bot<C: Sql>(c: &mut C, base: &Base, bot: &Bot, n: usize) -> Result<()> {
    let app = App {
        id: bot.app,
        name: format!("App {n}"),
        client_id: format!("svc_app_bench{n}"),
        client_secret_hash: vec![0; 32],
        signing_secret: StoredSecret::plain("whsec_bench"),
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

async fn write_conversation<C: Sql>(c: &mut C, base: &Base, index: usize, id: ConversationId) -> Result<()> {
    let conversation = Conversation {
        id,
        workspace_id: base.workspace,
        kind: ConversationKind::Group,
        parent_id: None,
        name: Some(format!("group-{index}")),
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
        let person = base.people[(index * 8 + n) % base.people.len()];
        conversations::join(c, id, &[(person, true)], base.now, MessageId(0)).await?;
    }
    let bots = if index == 0 { &base.bots[..] } else { std::slice::from_ref(base.bot(index)) };
    for bot in bots {
        conversations::join(c, id, &[(bot.user, false)], base.now, MessageId(0)).await?;
    }
    Ok(())
}

/// The conversation, the id, the sender, the idempotency key if the sender is a bot, and the text.
type MessageRow = (ConversationId, MessageId, (UserId, Option<String>), String);

struct WriteMessages {
    workspace: WorkspaceId,
    rows: Vec<MessageRow>,
    now: Timestamp,
}

impl Op for WriteMessages {
    const NAME: &'static str = "bench_messages";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (conversation, id, (sender, key), text) in &self.rows {
            if let Some(key) = key {
                let claim = KeyClaim {
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
