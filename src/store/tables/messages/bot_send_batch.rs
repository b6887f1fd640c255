//! The statements of batched sends on PostgreSQL: one transaction writes several messages of bots. One statement reads
//! the facts about all groups and channels to which the batch sends. Another statement reads the facts about all users
//! to whom the batch sends. A third statement inserts all rows. [`bot_send`](crate::store::bot_send) has the statements
//! of a single send.

use serde_json::{Value, json};

use crate::store::{
    Notice, ReadSql, Result, Sql, StoreError, args,
    bot_send::{Addressee, Channel, addressee_facts, addressee_postgres, channel_facts, channel_postgres},
    keys::{Hash, KeyClaim},
    messages::{Extras, Message},
    row, statements,
};
use crate::{
    domain::{
        ids::{ConversationId, InstallationId, MessageId, UserId},
        time::Timestamp,
    },
    platform::secrets::hex,
};

/// A send of a batch: what is needed to look up its destination and its idempotency key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SendLookup<To> {
    pub installation: InstallationId,
    pub bot: UserId,
    /// The destination: the id of a conversation or of a user.
    pub to: To,
    /// The message to which the send replies.
    pub thread: Option<MessageId>,
    pub key_hash: Hash,
    /// If the bot claimed the key at or before this time, the bot can use the key again in another conversation.
    pub cutoff: Timestamp,
}

/// Facts about the destination of a send.
#[derive(Clone, Debug, PartialEq)]
pub struct SendFacts<Facts> {
    /// The index of the send in the batch.
    pub index: usize,
    /// Whether the key is free: the bot has not used the key after `cutoff`, and no message of the conversation has the
    /// key.
    pub key_is_free: bool,
    pub facts: Facts,
}

/// Declares a struct for a row, and its conversion into `SendFacts`. The first columns of a row are the columns that
/// the statements of `bot_send` select for one send. Two columns follow: `key_is_free`, and the position of the send in
/// the batch, counted from 1.
macro_rules! found {
    ($($row:ident $facts:ident),*) => { $(
        struct $row {
            facts: $facts,
            key_is_free: bool,
            place: i64,
        }
        row!($row { ..facts: $facts, key_is_free, place });

        impl $row {
            fn into_facts(self) -> Result<SendFacts<$facts>> {
                let Self { facts, key_is_free, place } = self;
                let index = usize::try_from(place - 1)
                    .map_err(|_| StoreError::bug(format!("no send is at {place}")))?;
                Ok(SendFacts { index, key_is_free, facts })
            }
        }
    )* };
}
found!(FoundChannel Channel, FoundAddressee Addressee);

/// Selects the facts of many destinations. Each key is looked up by a subquery with `LIMIT 1`. With `EXISTS` instead,
/// the planner would read all keys into a hash table while the tables have no statistics.
macro_rules! for_each {
    ($facts:ident $arguments:tt, $lists:literal, $columns:literal, $conversation:literal) => {
        concat!(
            "SELECT f.*, (SELECT 1 FROM send_keys k
                    WHERE k.bot_id = j.bot AND k.key_hash = j.key_hash AND k.created_at > j.cutoff LIMIT 1) IS NULL
                AND (SELECT 1 FROM message_keys h
                    WHERE h.conversation_id = ",
            $conversation,
            " AND h.key_hash = j.key_hash LIMIT 1) IS NULL AS key_is_free, j.place
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[]), CAST($4 AS BIGINT[]),
                CAST($5 AS BYTEA[]), CAST($6 AS BIGINT[])",
            $lists,
            ") WITH ORDINALITY AS j(installation, bot, destination, thread, key_hash, cutoff",
            $columns,
            ", place)
            CROSS JOIN LATERAL (",
            $facts! $arguments,
            " LIMIT 1) AS f"
        )
    };
}

statements! {
    // These statements are used on PostgreSQL only, because SQLite runs sends one after another, without round trips.
    // The texts for SQLite are never run. They do nothing, but have the same parameters as the texts for PostgreSQL.
    CHANNELS: Query -> FoundChannel =
        sqlite concat!("SELECT $1, $2, $3, $4, $5, $6")
        postgres for_each!(channel_postgres("j.installation", "j.destination", "j.thread"), "", "", "j.destination");
    ADDRESSEES: Query -> FoundAddressee =
        sqlite concat!("SELECT $1, $2, $3, $4, $5, $6, $7, $8")
        postgres for_each!(
            addressee_postgres("j.installation", "j.destination", "j.low", "j.high", "j.thread"),
            ", CAST($7 AS BIGINT[]), CAST($8 AS BIGINT[])", ", low, high", "f.conversation_id");
    // `claimed` has the sends whose keys were claimed for their bots. `held` inserts rows only for the sends in
    // `claimed`. The later steps insert rows only for the sends in `held`.
    STORE: Command =
        sqlite "SELECT $1"
        postgres "WITH given AS MATERIALIZED (
                SELECT * FROM json_to_recordset(CAST(CAST($1 AS TEXT) AS JSON)) AS g(workspace BIGINT, bot BIGINT, key_hash BYTEA,
                    fingerprint BYTEA, conversation BIGINT, message BIGINT, now BIGINT, cutoff BIGINT, text TEXT,
                    thread BIGINT, key TEXT, blocks TEXT, metadata TEXT)
            ), claimed AS (
                INSERT INTO send_keys AS s (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
                    workspace_id)
                SELECT bot, key_hash, fingerprint, conversation, message, now, workspace FROM given
                ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
                    conversation_id = excluded.conversation_id, message_id = excluded.message_id,
                    created_at = excluded.created_at
                WHERE s.created_at <= (SELECT min(cutoff) FROM given)
                RETURNING message_id
            ), held AS (
                INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
                    workspace_id)
                SELECT conversation, key_hash, message, bot, fingerprint, workspace FROM given
                WHERE message IN (SELECT message_id FROM claimed)
                ON CONFLICT (conversation_id, key_hash) DO NOTHING
                RETURNING message_id
            ), stored AS (
                INSERT INTO messages (conversation_id, id, sender_id, type, text, thread_id, file_count, via_label,
                    client_key, edited_at, created_at, workspace_id)
                SELECT conversation, message, bot, 0, text, thread, 0, NULL, key, NULL, now, workspace FROM given
                WHERE message IN (SELECT message_id FROM held)
                RETURNING id, workspace_id
            ), queued AS (
                INSERT INTO search_queue (message_id, workspace_id) SELECT id, workspace_id FROM stored
            ), extended AS (
                INSERT INTO message_extras (message_id, workspace_id, blocks, metadata)
                SELECT message, workspace, blocks, metadata FROM given
                WHERE message IN (SELECT id FROM stored) AND (blocks IS NOT NULL OR metadata IS NOT NULL)
            )
            SELECT c.message_id, c.message_id IN (SELECT id FROM stored) FROM claimed c";
}

/// Arguments of a statement. Each argument is a list with one element for each send.
struct Lists {
    installations: Vec<InstallationId>,
    bots: Vec<UserId>,
    threads: Vec<MessageId>,
    keys: Vec<Hash>,
    cutoffs: Vec<Timestamp>,
}

impl Lists {
    fn of<To>(sends: &[SendLookup<To>]) -> Self {
        Self {
            installations: sends.iter().map(|send| send.installation).collect(),
            bots: sends.iter().map(|send| send.bot).collect(),
            // no message has the id 0
            threads: sends.iter().map(|send| send.thread.unwrap_or(MessageId(0))).collect(),
            keys: sends.iter().map(|send| send.key_hash).collect(),
            cutoffs: sends.iter().map(|send| send.cutoff).collect(),
        }
    }
}

/// Returns the facts about the groups and channels to which `sends` go. Omits a send if its installation does not
/// exist.
pub async fn channels<C: ReadSql>(
    c: &mut C,
    sends: &[SendLookup<ConversationId>],
) -> Result<Vec<SendFacts<Channel>>> {
    let Lists { installations, bots, threads, keys, cutoffs } = Lists::of(sends);
    let to: Vec<ConversationId> = sends.iter().map(|send| send.to).collect();
    let found: Vec<FoundChannel> =
        c.all(&CHANNELS, args![&installations, &bots, &to, &threads, &keys[..], &cutoffs]).await?;
    found.into_iter().map(FoundChannel::into_facts).collect()
}

/// Returns the facts about the users to whom `sends` go. Omits a send if its installation does not exist.
pub async fn addressees<C: ReadSql>(
    c: &mut C,
    sends: &[SendLookup<UserId>],
) -> Result<Vec<SendFacts<Addressee>>> {
    let Lists { installations, bots, threads, keys, cutoffs } = Lists::of(sends);
    let to: Vec<UserId> = sends.iter().map(|send| send.to).collect();
    let low: Vec<UserId> = sends.iter().map(|send| send.bot.min(send.to)).collect();
    let high: Vec<UserId> = sends.iter().map(|send| send.bot.max(send.to)).collect();
    let args = args![&installations, &bots, &to, &threads, &keys[..], &cutoffs, &low, &high];
    let found: Vec<FoundAddressee> = c.all(&ADDRESSEES, args).await?;
    found.into_iter().map(FoundAddressee::into_facts).collect()
}

/// A message to insert, and the claim of its key.
#[derive(Clone, Debug)]
pub struct BatchedSend {
    pub claim: KeyClaim,
    pub fingerprint: Hash,
    /// See [`SendLookup::cutoff`].
    pub cutoff: Timestamp,
    pub message: Message,
    pub extras: Extras,
}

impl BatchedSend {
    fn json(&self) -> Value {
        let bytes = |bytes: &[u8]| format!("\\x{}", hex(bytes));
        json!({
            "workspace": self.message.workspace_id.0,
            "bot": self.claim.sender_id.0,
            "key_hash": bytes(&self.claim.key_hash),
            "fingerprint": bytes(&self.fingerprint),
            "conversation": self.message.conversation_id.0,
            "message": self.message.id.0,
            "now": self.claim.now.0,
            "cutoff": self.cutoff.0,
            "text": self.message.text,
            "thread": self.message.thread_id.map(|id| id.0),
            "key": self.message.client_key,
            "blocks": self.extras.blocks,
            "metadata": self.extras.metadata,
        })
    }
}

/// Claims the keys of bots' messages, inserts the messages, and queues them for the search index. Returns the ids of
/// the inserted messages. Writes nothing for a send whose bot has used the key after the earliest `cutoff` in `sends`.
/// If other transactions are claiming some of the keys, waits for these transactions in a fixed order, so that two
/// callers cannot deadlock.
///
/// The caller must ensure that each pair of a bot and a key occurs only once in `sends`, and that each pair of a
/// conversation and a key occurs only once. The caller must hold the locks of the conversations. While it holds these
/// locks, it must have found that the keys are free ([`SendFacts::key_is_free`]).
///
/// # Errors
/// [`StoreError::Bug`] if a message of the conversation already has a key that the caller found to be free.
pub async fn store<C: Sql>(c: &mut C, sends: &[BatchedSend]) -> Result<Vec<MessageId>> {
    for send in sends {
        c.notify(Notice::Changed(send.message.conversation_id));
    }
    let mut ordered: Vec<&BatchedSend> = sends.iter().collect();
    ordered.sort_unstable_by_key(|send| (send.claim.sender_id, send.claim.key_hash));
    let rows = Value::Array(ordered.into_iter().map(BatchedSend::json).collect()).to_string();
    let claimed: Vec<(MessageId, bool)> = c.exec_all(&STORE, args![&rows]).await?;
    if claimed.iter().any(|(_, stored)| !stored) {
        return Err(StoreError::bug("a key that was free in its conversation is used").into());
    }
    Ok(claimed.into_iter().map(|(id, _)| id).collect())
}
