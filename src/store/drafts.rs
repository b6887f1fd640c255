//! Messages that assistants prepared for an employee, and the keys under which a call is repeated.

use super::{Result, Sql, args, keys::Hash, row, statements};
use crate::domain::{
    ids::{ConversationId, DraftId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};

/// A draft, sent or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    pub id: DraftId,
    pub workspace_id: WorkspaceId,
    pub owner_id: UserId,
    /// Where it goes; else to a person.
    pub conversation_id: Option<ConversationId>,
    pub person_id: Option<UserId>,
    pub thread_id: Option<MessageId>,
    pub text: String,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// Null until it is sent; then the next two say what it became.
    pub sent_at: Option<Timestamp>,
    pub sent_to: Option<ConversationId>,
    pub sent_message: Option<MessageId>,
}
row!(Draft {
    id,
    workspace_id,
    owner_id,
    conversation_id,
    person_id,
    thread_id,
    text,
    created_at,
    updated_at,
    sent_at,
    sent_to,
    sent_message
});

/// What a key was used for.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedKey {
    pub fingerprint: Vec<u8>,
    pub draft_id: DraftId,
}
row!(UsedKey { fingerprint, draft_id });

macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT id, workspace_id, owner_id, conversation_id, person_id, thread_id, text, created_at, updated_at,
                sent_at, sent_to, sent_message FROM drafts ",
            $rest
        )
    };
}

statements! {
    INSERT = "INSERT INTO drafts (id, workspace_id, owner_id, conversation_id, person_id, thread_id, text,
            created_at, updated_at, sent_at, sent_to, sent_message)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, NULL, NULL, NULL)";
    UPDATE = "UPDATE drafts SET conversation_id = $2, person_id = $3, thread_id = $4, text = $5, updated_at = $6
        WHERE id = $1";
    BY_ID = select!("WHERE id = $1");
    BY_ID_FOR_UPDATE = sqlite select!("WHERE id = $1") postgres select!("WHERE id = $1 FOR UPDATE");
    OPEN_PAGE =
        sqlite select!("WHERE owner_id = $1 AND id < $2 AND sent_at IS NULL ORDER BY id DESC LIMIT $3")
        postgres select!("WHERE (owner_id, id) >= ($1, 0) AND (owner_id, id) < ($1, $2) AND sent_at IS NULL
            ORDER BY owner_id DESC, id DESC LIMIT $3");
    OPEN_COUNT =
        sqlite "SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE owner_id = $1 AND sent_at IS NULL LIMIT $2) AS d"
        postgres "SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE (owner_id, id) >= ($1, 0)
                AND (owner_id, id) <= ($1, 9223372036854775807) AND sent_at IS NULL
            ORDER BY owner_id, id LIMIT $2) AS d";
    SENT = "UPDATE drafts SET sent_at = $2, sent_to = $3, sent_message = $4 WHERE id = $1";
    DELETE = "DELETE FROM drafts WHERE id = $1";
    // each goes by an index of its own, so that a page of open drafts never passes over sent ones
    DELETE_OPEN_OF = "DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NULL";
    DELETE_SENT_OF = "DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NOT NULL";
    DELETE_SENT = "DELETE FROM drafts WHERE sent_at <= $1";
    CLAIM_KEY = "INSERT INTO draft_keys (owner_id, key_hash, fingerprint, draft_id, created_at, workspace_id)
        SELECT $1, $2, $3, $4, $5, $8 WHERE NOT EXISTS (
            SELECT 1 FROM draft_keys WHERE owner_id = $1 AND key_hash = $7 AND created_at > $6)
        ON CONFLICT (owner_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
            draft_id = excluded.draft_id, created_at = excluded.created_at
        WHERE draft_keys.created_at <= $6";
    USED_KEYS = "SELECT fingerprint, draft_id FROM draft_keys
        WHERE owner_id = $1 AND key_hash IN ($2, $3) AND created_at > $4";
    FORGET_KEYS = "DELETE FROM draft_keys WHERE created_at <= $1";
}

/// Writes a new draft.
pub async fn insert<C: Sql>(c: &mut C, d: &Draft) -> Result<()> {
    c.exec(
        &INSERT,
        args![
            d.id,
            d.workspace_id,
            d.owner_id,
            d.conversation_id,
            d.person_id,
            d.thread_id,
            &d.text,
            d.created_at,
            d.updated_at
        ],
    )
    .await?;
    Ok(())
}

/// Writes what may change before it is sent.
pub async fn update<C: Sql>(c: &mut C, d: &Draft) -> Result<()> {
    c.exec(&UPDATE, args![d.id, d.conversation_id, d.person_id, d.thread_id, &d.text, d.updated_at]).await?;
    Ok(())
}

/// One draft of anybody, sent ones too.
pub async fn by_id<C: Sql>(c: &mut C, id: DraftId) -> Result<Option<Draft>> {
    c.opt(&BY_ID, args![id]).await
}

/// The same, held until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: DraftId) -> Result<Option<Draft>> {
    c.opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// An employee's drafts that were not sent, newest first, before an id.
pub async fn open_page<C: Sql>(c: &mut C, owner: UserId, before: DraftId, limit: i64) -> Result<Vec<Draft>> {
    c.all(&OPEN_PAGE, args![owner, before, limit]).await
}

/// How many drafts of an employee were not sent, counted up to `most`.
pub async fn open_count<C: Sql>(c: &mut C, owner: UserId, most: i64) -> Result<i64> {
    Ok(c.one::<(i64,)>(&OPEN_COUNT, args![owner, most]).await?.0)
}

/// A draft became a message.
pub async fn sent<C: Sql>(
    c: &mut C,
    id: DraftId,
    now: Timestamp,
    (conversation, message): (ConversationId, MessageId),
) -> Result<()> {
    c.exec(&SENT, args![id, now, conversation, message]).await?;
    Ok(())
}

/// Removes a draft.
pub async fn delete<C: Sql>(c: &mut C, id: DraftId) -> Result<()> {
    c.exec(&DELETE, args![id]).await?;
    Ok(())
}

/// Removes everything of an employee who is gone.
pub async fn delete_of<C: Sql>(c: &mut C, owner: UserId) -> Result<()> {
    c.exec(&DELETE_OPEN_OF, args![owner]).await?;
    c.exec(&DELETE_SENT_OF, args![owner]).await?;
    Ok(())
}

/// Removes what was sent at a time or before, and keys that are as old as `keys`.
pub async fn delete_old<C: Sql>(c: &mut C, sent: Timestamp, keys: Timestamp) -> Result<()> {
    c.exec(&DELETE_SENT, args![sent]).await?;
    c.exec(&FORGET_KEYS, args![keys]).await?;
    Ok(())
}

/// Claims a key of an employee's client unless it was claimed after `cutoff`, by its own hash or by the one that it
/// shares with the employee's other clients. On PostgreSQL it waits for a claim in flight.
pub async fn claim_key<C: Sql>(
    c: &mut C,
    (workspace, owner): (WorkspaceId, UserId),
    (own, shared): (&Hash, &Hash),
    fingerprint: &Hash,
    draft: DraftId,
    now: Timestamp,
    cutoff: Timestamp,
) -> Result<bool> {
    let args = args![owner, own, fingerprint, draft, now, cutoff, shared, workspace];
    Ok(c.exec(&CLAIM_KEY, args).await? == 1)
}

/// What a key was claimed for after `cutoff`, by either hash.
pub async fn used_keys<C: Sql>(
    c: &mut C,
    owner: UserId,
    (own, shared): (&Hash, &Hash),
    cutoff: Timestamp,
) -> Result<Vec<UsedKey>> {
    c.all(&USED_KEYS, args![owner, own, shared, cutoff]).await
}
