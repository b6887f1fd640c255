//! What a bot's send needs to know of its destination, in one statement, and what it writes, in another.
//!
//! On PostgreSQL the facts are read under the locks of [`locks`](super::locks), so they hold until the commit.

use super::{
    Engine, Result, Sql, args,
    keys::{self, Claim},
    messages::{self, Extras, Message},
    row, statements,
};
use crate::domain::{
    conversation::ConversationKind,
    ids::{ConversationId, InstallationId, MessageId, UserId, WorkspaceId},
    people::{Standing, UserState},
    time::Timestamp,
};

/// A group or channel as the destination of a bot's message.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Whether the bot's installation is.
    pub connected: bool,
    /// What it is, its company included; `None` for all three when there is no such conversation.
    pub kind: Option<ConversationKind>,
    pub workspace_id: Option<WorkspaceId>,
    pub is_deleted: bool,
    pub announcement_only: bool,
    /// Its group is.
    pub is_archived: bool,
    /// Whether the bot is in it; `None` when it never was.
    pub is_member: Option<bool>,
    /// The lowest id that a new message may have.
    pub floor: MessageId,
    /// Whether the message to reply to is there.
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

/// A person as the addressee of a bot's message.
#[derive(Clone, Debug, PartialEq)]
pub struct Addressee {
    /// Whether the bot's installation is.
    pub connected: bool,
    /// `None` when there is nobody of this id.
    pub workspace_id: Option<WorkspaceId>,
    pub state: Option<UserState>,
    pub is_bot: bool,
    pub is_external: bool,
    pub guest_visible: bool,
    pub email_visible: bool,
    /// The person wants nothing of the app.
    pub has_blocked: bool,
    /// Their direct messages with the bot, if there are any.
    pub conversation_id: Option<ConversationId>,
    pub floor: MessageId,
    pub has_thread: bool,
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
    has_thread
});

impl Addressee {
    /// The facts that the rules of visibility and of direct messages ask for; `None` when there is nobody.
    #[must_use]
    pub fn standing(&self) -> Option<Standing> {
        Some(Standing {
            state: self.state?,
            is_bot: self.is_bot,
            is_guest: self.is_external,
            guest_visible: self.guest_visible,
            email_visible: self.email_visible,
        })
    }
}

/// Facts of a group or channel, with the lowest id that a new message may have.
macro_rules! channel_facts {
    ($installation:literal, $id:literal, $thread:literal, $floor:literal) => {
        concat!(
            "SELECT i.connected, c.kind, c.workspace_id, c.deleted_at IS NOT NULL,
                COALESCE(c.announcement_only, 0),
                CASE WHEN p.id IS NULL THEN c.archived_at ELSE p.archived_at END IS NOT NULL,
                CASE WHEN m.user_id IS NULL THEN NULL ELSE m.left_at IS NULL END, ",
            $floor,
            ", EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = c.id AND t.id = ",
            $thread,
            ")
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

/// Facts of a person, with the lowest id that a new message may have.
macro_rules! addressee_facts {
    ($installation:literal, $person:literal, $low:literal, $high:literal, $thread:literal, $floor:literal) => {
        concat!(
            "SELECT i.connected, u.workspace_id, u.state, COALESCE(u.is_bot, 0), COALESCE(u.is_external, 0),
                COALESCE(u.guest_visible, 0), COALESCE(u.email_visible, 0),
                EXISTS (SELECT 1 FROM app_blocks b WHERE b.user_id = u.id AND b.app_id = i.app_id),
                d.conversation_id, ",
            $floor,
            ", EXISTS (SELECT 1 FROM messages t WHERE t.conversation_id = d.conversation_id AND t.id = ",
            $thread,
            ")
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

/// The same on PostgreSQL, where the highest id is found at the ends of two indexes, under the conversation's lock.
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

/// The same on PostgreSQL.
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

pub(super) use {addressee_facts, addressee_postgres, channel_facts, channel_postgres};

statements! {
    // SQLite's one writer gives ids in their order by itself
    CHANNEL =
        sqlite channel_facts!("$1", "$2", "$3", "COALESCE(c.floor_id, 0)")
        postgres channel_postgres!("$1", "$2", "$3");
    ADDRESSEE =
        sqlite addressee_facts!("$1", "$2", "$3", "$4", "$5", "0")
        postgres addressee_postgres!("$1", "$2", "$3", "$4", "$5");
    // one round trip for all rows; each step is taken only if the one before took its key
    STORE =
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

/// The facts of a group or channel for a message of an installation's bot, a reply to `thread` if there is one; `None`
/// without such an installation.
pub async fn channel<C: Sql>(
    c: &mut C,
    installation: InstallationId,
    id: ConversationId,
    thread: Option<MessageId>,
) -> Result<Option<Channel>> {
    c.opt(&CHANNEL, args![installation, id, thread]).await
}

/// The facts of a person for a direct message of an installation's bot `bot`.
pub async fn addressee<C: Sql>(
    c: &mut C,
    installation: InstallationId,
    bot: UserId,
    person: UserId,
    thread: Option<MessageId>,
) -> Result<Option<Addressee>> {
    let (low, high) = (bot.min(person), bot.max(person));
    c.opt(&ADDRESSEE, args![installation, person, low, high, thread]).await
}

/// How far a bot's message came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// It is written.
    New,
    /// The bot holds the key since less than a day; nothing is written.
    KeyUsed,
    /// Another message of the conversation holds the key. The transaction has to be given up: it holds a claim.
    KeyHeld,
}

/// Writes a bot's message with the claims on its key, and has it indexed for search. A claim in flight is waited for,
/// so that the loser finds the winner's message.
pub async fn store<C: Sql>(
    c: &mut C,
    claim: &Claim,
    fingerprint: &keys::Hash,
    cutoff: Timestamp,
    message: &Message,
    extras: &Extras,
) -> Result<Stored> {
    let (claimed, held) = match c.engine() {
        Engine::Postgres => {
            c.one::<(bool, bool)>(
                &STORE,
                args![
                    message.conversation_id,
                    message.id,
                    claim.sender_id,
                    message.text.as_deref(),
                    message.thread_id,
                    &claim.key_hash,
                    fingerprint,
                    message.client_key.as_deref(),
                    claim.now,
                    cutoff,
                    extras.blocks.as_deref(),
                    extras.metadata.as_deref(),
                    message.workspace_id
                ],
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
        (false, _) => Stored::KeyUsed,
        (true, false) => Stored::KeyHeld,
        (true, true) => Stored::New,
    })
}
