//! The statements of a *send*: a bot sends a message to a group, a channel or a user. One statement reads all facts on
//! which the send depends. On PostgreSQL, a second statement writes the message, or a statement
//! of [`bot_send_batch`](crate::store::bot_send_batch) writes the messages of several sends. On SQLite, several
//! statements write the message, one for each table.
//!
//! On PostgreSQL, the send takes its locks ([`locks`](crate::store::locks)) before it reads the facts, and holds the
//! locks until its commit. So if another operation changes one of the facts while the send holds the locks, the change
//! is acknowledged only after the commit of the send.

use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
    people::{UserState, UserVisibility},
    time::Timestamp,
};
use crate::store::{
    Engine, Notice, ReadSql, Result, Sql, args,
    keys::{self, KeyClaim},
    messages::{self, Extras, Message},
    named_args, row, statements,
};

/// The facts about a group or channel as the destination of a send.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Whether the bot's installation is connected.
    pub connected: bool,
    /// The kind of the conversation; `None` if the conversation does not exist. If it does not exist, `workspace_id` is
    /// also `None`, and `is_deleted` is `false`.
    pub kind: Option<ConversationKind>,
    pub workspace_id: Option<WorkspaceId>,
    pub is_deleted: bool,
    pub announcement_only: bool,
    /// Whether the group or channel is archived. A channel is archived if its group is archived.
    pub is_archived: bool,
    /// Whether the bot is a member: `Some(false)` if the bot has left, and `None` if the bot was never a member.
    pub is_member: Option<bool>,
    /// The new message must have at least this id.
    pub floor: MessageId,
    /// Whether the message to which the new message replies exists in the conversation. `false` if the new message is
    /// not a reply.
    pub has_thread: bool,
}
row!(Channel {
    connected,
    kind,
    workspace_id,
    is_deleted,
    announcement_only,
    is_archived,
    is_member,
    floor,
    has_thread
});

/// The facts about a user as the recipient of a send.
#[derive(Clone, Debug, PartialEq)]
pub struct Addressee {
    /// Whether the bot's installation is connected.
    pub connected: bool,
    /// The company of the user; `None` if the user does not exist.
    pub workspace_id: Option<WorkspaceId>,
    /// `None` if the user does not exist.
    pub state: Option<UserState>,
    pub is_bot: bool,
    pub is_external: bool,
    pub guest_visible: bool,
    pub email_visible: bool,
    /// Whether the user has blocked the app.
    pub has_blocked: bool,
    /// The direct conversation of the user and the bot; `None` if there is none yet.
    pub conversation_id: Option<ConversationId>,
    /// See [`Channel::floor`].
    pub floor: MessageId,
    /// See [`Channel::has_thread`].
    pub has_thread: bool,
    /// Whether an earlier direct conversation of the user and the bot was deleted. The idempotency keys of the deleted
    /// conversation cannot be used for new messages to the user.
    pub has_former: bool,
}
row!(Addressee {
    connected,
    workspace_id,
    state,
    is_bot,
    is_external,
    guest_visible,
    email_visible,
    has_blocked,
    conversation_id,
    floor,
    has_thread,
    has_former
});

impl Addressee {
    /// Returns those of the facts that the visibility rules need. `None` if the user does not exist.
    #[must_use]
    pub fn visibility(&self) -> Option<UserVisibility> {
        Some(UserVisibility {
            state: self.state?,
            is_bot: self.is_bot,
            is_guest: self.is_external,
            guest_visible: self.guest_visible,
            email_visible: self.email_visible,
        })
    }
}

/// Selects the facts of a group or channel. `$floor` is the SQL of the lowest id that the new message may have.
macro_rules! channel_facts {
    ($installation:literal, $id:literal, $thread:literal, $floor:literal) => {
        concat!(
            "SELECT i.connected, c.kind, c.workspace_id, c.deleted_at IS NOT NULL AS is_deleted,
                COALESCE(c.announcement_only, 0) AS announcement_only,
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL AS is_archived,
                CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END AS is_member, ",
            $floor,
            " AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = c.id AND t.id = ",
            $thread,
            ") AS has_thread
            FROM installations i
            LEFT JOIN conversations c ON c.id = ",
            $id,
            "
            LEFT JOIN conversations p ON p.id = c.parent_id
            LEFT JOIN members m ON m.conversation_id = c.id AND m.user_id = i.bot_user_id
            WHERE i.id = ",
            $installation
        )
    };
}

/// Selects the facts of a user. `$low` and `$high` are the SQL of the ids of the bot and the user, the lower id first.
/// `$floor` is the SQL of the lowest id that the new message may have.
macro_rules! addressee_facts {
    ($installation:literal, $person:literal, $low:literal, $high:literal, $thread:literal, $floor:literal) => {
        concat!(
            "SELECT i.connected, u.workspace_id, u.state, COALESCE(u.is_bot, 0) AS is_bot,
                COALESCE(u.is_external, 0) AS is_external, COALESCE(u.guest_visible, 0) AS guest_visible,
                COALESCE(u.email_visible, 0) AS email_visible,
                EXISTS (SELECT 1 FROM app_blocks b WHERE b.user_id = u.id AND b.app_id = i.app_id) AS has_blocked,
                d.conversation_id, ",
            $floor,
            " AS floor, EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = d.conversation_id AND t.id = ",
            $thread,
            ") AS has_thread, EXISTS (SELECT 1 FROM former_pairs f WHERE f.low_user_id = ",
            $low,
            " AND f.high_user_id = ",
            $high,
            ") AS has_former
            FROM installations i
            LEFT JOIN users u ON u.id = ",
            $person,
            "
            LEFT JOIN direct_pairs d ON d.low_user_id = ",
            $low,
            " AND d.high_user_id = ",
            $high,
            "
            WHERE i.id = ",
            $installation
        )
    };
}

/// Selects the facts of a group or channel on PostgreSQL. The id of the new message must be higher than the ids of all
/// messages of the conversation, including deleted messages. The highest ids in `messages` and in `deleted_messages`
/// are each read from the end of an index. The caller must have locked the conversation.
macro_rules! channel_postgres {
    ($installation:literal, $id:literal, $thread:literal) => {
        channel_facts!(
            $installation,
            $id,
            $thread,
            "COALESCE(GREATEST(c.floor_id, 1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = c.id ORDER BY h.id DESC LIMIT 1))), 0)"
        )
    };
}

/// Selects the facts of a user on PostgreSQL. The id of the new message must be higher than the ids of all messages of
/// the direct conversation, as in `channel_postgres`.
macro_rules! addressee_postgres {
    ($installation:literal, $person:literal, $low:literal, $high:literal, $thread:literal) => {
        addressee_facts!(
            $installation,
            $person,
            $low,
            $high,
            $thread,
            "COALESCE(1 + GREATEST(
            (SELECT h.id FROM messages h WHERE h.conversation_id = d.conversation_id ORDER BY h.id DESC LIMIT 1),
            (SELECT h.id FROM deleted_messages h WHERE h.conversation_id = d.conversation_id
                ORDER BY h.id DESC LIMIT 1)), 0)"
        )
    };
}

pub(in crate::store) use {addressee_facts, addressee_postgres, channel_facts, channel_postgres};

statements! {
    // On SQLite, no lower bound is computed from the existing messages: because of the single writer, ids are always in
    // the order of the commits.
    CHANNEL: Query -> Channel =
        sqlite channel_facts!("$1", "$2", "$3", "COALESCE(c.floor_id, 0)")
        postgres channel_postgres!("$1", "$2", "$3");
    ADDRESSEE: Query -> Addressee =
        sqlite addressee_facts!("$1", "$2", "$3", "$4", "$5", "0")
        postgres addressee_postgres!("$1", "$2", "$3", "$4", "$5");
    // Used on PostgreSQL only. The text for SQLite is never run; it exists because both texts must have the same
    // parameters. Inserts all rows in one round trip. `held` inserts its row only if `claimed` has claimed the key for
    // the bot. `stored` inserts the message only if `held` has claimed the key in the conversation.
    STORE: Command =
        sqlite "SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13"
        postgres "WITH claimed AS (
                INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                    workspace_id)
                VALUES ($3, $6, $7, $1, $2, $9, $13)
                ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
                    conversation_id = excluded.conversation_id, message_id = excluded.message_id,
                    created_at = excluded.created_at
                WHERE send_keys.created_at <= $10
                RETURNING 1
            ), held AS (
                INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
                    workspace_id)
                SELECT $1, $6, $2, $3, $7, $13 WHERE EXISTS (SELECT 1 FROM claimed)
                ON CONFLICT (conversation_id, key_hash) DO NOTHING
                RETURNING 1
            ), stored AS (
                INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
                    client_key, edited_at, created_at, workspace_id)
                SELECT $1, $2, $3, 0, CAST($4 AS TEXT), CAST($5 AS BIGINT), 0, NULL, CAST($8 AS TEXT), NULL, $9, $13
                WHERE EXISTS (SELECT 1 FROM held)
                RETURNING id
            ), queued AS (
                INSERT INTO search_queue (message_id, workspace_id) SELECT id, $13 FROM stored
            ), extended AS (
                INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
                SELECT id, $13, CAST($11 AS TEXT), CAST($12 AS TEXT) FROM stored
                WHERE CAST($11 AS TEXT) IS NOT NULL OR CAST($12 AS TEXT) IS NOT NULL
            )
            SELECT EXISTS (SELECT 1 FROM claimed), EXISTS (SELECT 1 FROM held)";
}

/// Returns the facts about the group or channel `id` for a send of an installation's bot. `thread` is the message to
/// which the new message replies. Returns `None` if the installation does not exist.
pub async fn channel<C: ReadSql>(
    c: &mut C,
    installation: InstallationId,
    id: ConversationId,
    thread: Option<MessageId>,
) -> Result<Option<Channel>> {
    c.opt(&CHANNEL, args![installation, id, thread]).await
}

/// Returns the facts about the user `person` for a send of an installation's bot. `bot` is the installation's bot.
/// `thread` is the message to which the new message replies. Returns `None` if the installation does not exist.
pub async fn addressee<C: ReadSql>(
    c: &mut C,
    installation: InstallationId,
    bot: UserId,
    person: UserId,
    thread: Option<MessageId>,
) -> Result<Option<Addressee>> {
    let (low, high) = (bot.min(person), bot.max(person));
    c.opt(&ADDRESSEE, args![installation, person, low, high, thread]).await
}

/// The result of storing a bot's message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreOutcome {
    /// The message was stored.
    New,
    /// The bot has already used the key after the `cutoff` of [`store`]. Nothing was written.
    KeyUsed,
    /// Another message of the conversation has the key. The caller must roll the transaction back, because this
    /// transaction has claimed the key for the bot.
    KeyInConversation,
}

/// Claims the idempotency key of a bot's message, inserts the message, and queues the message for the search index. A
/// key that the bot used at or before `cutoff` can be claimed again.
///
/// If another transaction is claiming the key for the same bot, waits until that transaction has ended. If that
/// transaction was committed, the result is [`StoreOutcome::KeyUsed`], and the caller can read the other transaction's
/// message.
pub async fn store<C: Sql>(
    c: &mut C,
    claim: &KeyClaim,
    fingerprint: &keys::Hash,
    cutoff: Timestamp,
    message: &Message,
    extras: &Extras,
) -> Result<StoreOutcome> {
    let (claimed, held) = match c.engine() {
        Engine::Postgres => {
            c.notify(Notice::Changed(message.conversation_id));
            c.exec_one::<(bool, bool)>(
                &STORE,
                named_args!(STORE {
                    conversation_id: message.conversation_id,
                    message_id: message.id,
                    sender_id: claim.sender_id,
                    text: message.text.as_deref(),
                    thread_id: message.thread_id,
                    key_hash: &claim.key_hash,
                    fingerprint: fingerprint,
                    client_key: message.client_key.as_deref(),
                    created_at: claim.now,
                    cutoff: cutoff,
                    blocks: extras.blocks.as_deref(),
                    metadata: extras.metadata.as_deref(),
                    workspace_id: message.workspace_id,
                }),
            )
            .await?
        }
        Engine::Sqlite => {
            let claimed = keys::claim_send(c, claim, fingerprint, cutoff).await?;
            let held = claimed && keys::claim_message(c, claim).await?;
            if held {
                messages::insert(c, message).await?;
                if *extras != Extras::default() {
                    messages::put_extras(c, message, extras).await?;
                }
            }
            (claimed, held)
        }
    };
    Ok(match (claimed, held) {
        (false, _) => StoreOutcome::KeyUsed,
        (true, false) => StoreOutcome::KeyInConversation,
        (true, true) => StoreOutcome::New,
    })
}
