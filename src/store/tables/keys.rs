//! Idempotency keys. A message *claims* its key: the transaction that inserts the message also inserts the key. If the
//! key is already in use, neither is inserted. A key is stored in up to two tables:
//!
//! - `send_keys` has the keys that bots have used in the last 24 hours, whatever the destination.
//! - `message_keys` has the keys with which the messages of a conversation were created, by any sender. These keys are
//!   never deleted.

use crate::domain::{
    ids::{ConversationId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, named_args, row, statements};

/// The first 16 bytes of the SHA-256 of a key, or of the canonical form of a request body. The hash of a request body
/// is the *fingerprint* of the request ([`fingerprint`](crate::domain::json_fingerprint::fingerprint)).
pub type Hash = [u8; 16];

/// The message that a bot has sent with a key.
#[derive(Clone, Debug, PartialEq)]
pub struct SendKey {
    pub fingerprint: Vec<u8>,
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
}
row!(SendKey { fingerprint, conversation_id, message_id });

/// The message that was created with a key in a conversation, as stored in `message_keys`.
#[derive(Clone, Debug, PartialEq)]
pub struct MessageKey {
    pub message_id: MessageId,
    /// The sender; `None` for a system message.
    pub sender_id: Option<UserId>,
    /// The fingerprint of the bot's request; `None` for messages of people and of the system.
    pub fingerprint: Option<Vec<u8>>,
}
row!(MessageKey { message_id, sender_id, fingerprint });

/// A stored key of a bot, with the time at which the bot claimed the key.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimedKey {
    pub bot_id: UserId,
    pub key_hash: Vec<u8>,
    pub created_at: Timestamp,
}
row!(ClaimedKey { bot_id, key_hash, created_at });

statements! {
    CLAIM_SEND: Command = "INSERT INTO send_keys (bot_id, key_hash, fingerprint, conversation_id, message_id, created_at,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6, $8)
        ON CONFLICT (bot_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
            conversation_id = excluded.conversation_id, message_id = excluded.message_id,
            created_at = excluded.created_at
        WHERE send_keys.created_at <= $7";
    LIVE_SEND: Query -> SendKey = "SELECT fingerprint, conversation_id, message_id FROM send_keys
        WHERE bot_id = $1 AND key_hash = $2 AND created_at > $3";
    CLAIM_MESSAGE: Command = "INSERT INTO message_keys (conversation_id, key_hash, message_id, sender_id, fingerprint,
            workspace_id)
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (conversation_id, key_hash) DO NOTHING";
    OF_MESSAGE: Query -> MessageKey = "SELECT message_id, sender_id, fingerprint FROM message_keys
        WHERE conversation_id = $1 AND key_hash = $2";
    WALK: Query -> ClaimedKey = "SELECT bot_id, key_hash, created_at FROM send_keys
        WHERE (bot_id, key_hash) > ($1, $2) ORDER BY bot_id, key_hash LIMIT $3";
    // On PostgreSQL, the scan of PURGE does not end at the key $4, but reads all later keys of the bot $3, too: the
    // upper bound compares rows (docs/decisions/0018). So a range of keys of one bot uses PURGE_OF_BOT.
    PURGE: Command = "DELETE FROM send_keys
        WHERE (bot_id, key_hash) > ($1, $2) AND (bot_id, key_hash) <= ($3, $4) AND created_at <= $5";
    PURGE_OF_BOT: Command = "DELETE FROM send_keys
        WHERE bot_id = $1 AND key_hash > $2 AND key_hash <= $3 AND created_at <= $4";
}

/// A key to be claimed for a bot's message. The caller inserts the message in the transaction that claims the key.
#[derive(Clone, Debug)]
pub struct KeyClaim {
    pub workspace_id: WorkspaceId,
    pub conversation_id: ConversationId,
    pub sender_id: UserId,
    pub message_id: MessageId,
    pub key_hash: Hash,
    pub fingerprint: Option<Hash>,
    pub now: Timestamp,
}

/// Claims a key of a bot. Returns `false` if the bot has used the key after `cutoff`.
///
/// If another transaction is claiming the same key on PostgreSQL, this call waits until that transaction has ended. So
/// if this call returns `false`, the caller can read the other transaction's message.
pub async fn claim_send<C: Sql>(
    c: &mut C,
    k: &KeyClaim,
    fingerprint: &Hash,
    cutoff: Timestamp,
) -> Result<bool> {
    let claimed = c
        .exec(
            &CLAIM_SEND,
            named_args!(CLAIM_SEND {
                bot_id: k.sender_id,
                key_hash: &k.key_hash,
                fingerprint: fingerprint,
                conversation_id: k.conversation_id,
                message_id: k.message_id,
                created_at: k.now,
                cutoff: cutoff,
                workspace_id: k.workspace_id,
            }),
        )
        .await?;
    Ok(claimed == 1)
}

/// Returns the message that a bot has sent with a key after `cutoff`; `None` if there is no such message.
pub async fn live_send<C: ReadSql>(
    c: &mut C,
    bot: UserId,
    key_hash: &Hash,
    cutoff: Timestamp,
) -> Result<Option<SendKey>> {
    c.opt(&LIVE_SEND, args![bot, key_hash, cutoff]).await
}

/// Claims a key in a conversation for a message of a bot. Returns `false` if the key already belongs to a message of
/// the conversation, whoever sent that message.
pub async fn claim_message<C: Sql>(c: &mut C, k: &KeyClaim) -> Result<bool> {
    let fingerprint = k.fingerprint.as_ref().map(|f| &f[..]);
    let KeyClaim { workspace_id, conversation_id, sender_id, message_id, key_hash, .. } = k;
    claim_in(c, *workspace_id, *conversation_id, key_hash, *message_id, Some(*sender_id), fingerprint).await
}

/// Claims a key in a conversation for a message of a person or of the system. Returns `false` if the key already
/// belongs to a message of the conversation, whoever sent that message.
pub async fn claim_for_person<C: Sql>(
    c: &mut C,
    workspace_id: WorkspaceId,
    conversation_id: ConversationId,
    message_id: MessageId,
    sender_id: Option<UserId>,
    key_hash: &Hash,
) -> Result<bool> {
    claim_in(c, workspace_id, conversation_id, key_hash, message_id, sender_id, None).await
}

async fn claim_in<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    conversation: ConversationId,
    key_hash: &Hash,
    message: MessageId,
    sender: Option<UserId>,
    fingerprint: Option<&[u8]>,
) -> Result<bool> {
    let claimed = c
        .exec(
            &CLAIM_MESSAGE,
            named_args!(CLAIM_MESSAGE {
                conversation_id: conversation,
                key_hash: key_hash,
                message_id: message,
                sender_id: sender,
                fingerprint: fingerprint,
                workspace_id: workspace,
            }),
        )
        .await?;
    Ok(claimed == 1)
}

/// Returns the message that was created with a key in a conversation, even if the message was deleted; `None` if there
/// was no such message.
pub async fn of_message<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    key_hash: &Hash,
) -> Result<Option<MessageKey>> {
    c.opt(&OF_MESSAGE, args![conversation, key_hash]).await
}

/// Returns up to `limit` keys of `send_keys`, ordered by bot and key hash, with the times at which they were claimed.
/// Begins after the bot and the key hash in `after`. The maintenance job that purges expired keys calls this function.
pub async fn walk<C: ReadSql>(c: &mut C, after: (UserId, &[u8]), limit: i64) -> Result<Vec<ClaimedKey>> {
    c.all(&WALK, args![after.0, after.1, limit]).await
}

/// Deletes from `send_keys` the keys that were claimed at or before `cutoff`. Deletes only keys between `after`
/// (exclusive) and `last` (inclusive), in the order of [`walk`].
pub async fn purge<C: Sql>(
    c: &mut C,
    after: (UserId, &[u8]),
    last: (UserId, &[u8]),
    cutoff: Timestamp,
) -> Result<()> {
    if after.0 == last.0 {
        c.exec(&PURGE_OF_BOT, args![after.0, after.1, last.1, cutoff]).await?;
    } else {
        c.exec(&PURGE, args![after.0, after.1, last.0, last.1, cutoff]).await?;
    }
    Ok(())
}
