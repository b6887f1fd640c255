//! Drafts, which assistants prepare for employees. Also the idempotency keys of the tool calls that create, change,
//! send or discard drafts.

use crate::domain::{
    ids::{ConversationId, DraftId, MessageId, UserId, WorkspaceId},
    time::Timestamp,
};
use crate::store::{ReadSql, Result, Sql, args, keys::Hash, named_args, row, statements, table};

table! {
    /// A draft. It is open, sent or discarded.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Draft in drafts {
        key id: DraftId,
        workspace_id: WorkspaceId,
        /// The employee to whom the draft belongs.
        owner_id: UserId,
        /// The conversation to which the draft is addressed; `None` if the draft is addressed to `person_id`.
        mut conversation_id: Option<ConversationId>,
        /// The user to whom the draft is addressed; `None` if the draft is addressed to `conversation_id`.
        mut person_id: Option<UserId>,
        /// The message to which the draft replies.
        mut thread_id: Option<MessageId>,
        mut text: String,
        created_at: Timestamp,
        mut updated_at: Timestamp,
        /// The name of the assistant that last changed the draft. For a sent draft, the label of the message. `None`
        /// for a draft that an earlier version of the server stored.
        mut via_label: Option<String>,
        /// When an assistant first asked the owner to confirm the draft after the last change of the draft; `None` if
        /// no assistant has asked since this change.
        mut asked_at: Option<Timestamp>,
        /// When the server asked a client to open the page on which the owner confirms the draft; `None` if it has not
        /// asked since the last change of the draft. In MCP `2026-07-28`, the client answers this request by calling
        /// `send_draft` again. The server counts as having asked only when this second call arrives, and the column
        /// has the time of this call.
        mut elicited_at: Option<Timestamp>,
        /// When the owner discarded the draft on a page. The text of a discarded draft is empty.
        discarded_at: Option<Timestamp> = "NULL",
        /// When the draft was sent or discarded; `None` for an open draft.
        sent_at: Option<Timestamp> = "NULL",
        /// For a sent draft, the conversation of the message.
        sent_to: Option<ConversationId> = "NULL",
        /// For a sent draft, the message.
        sent_message: Option<MessageId> = "NULL",
    }
}

/// The tool call for which an idempotency key was claimed.
#[derive(Clone, Debug, PartialEq)]
pub struct UsedKey {
    /// The [`Hash`] of the tool and its arguments.
    pub fingerprint: Vec<u8>,
    /// The draft that the call has created, changed, sent or discarded.
    pub draft_id: DraftId,
}
row!(UsedKey { fingerprint, draft_id });

statements! {
    INSERT: Command = drafts!(INSERT);
    UPDATE: Command = drafts!(UPDATE);
    BY_ID: Query -> Draft = drafts!(SELECT "WHERE id = $1");
    BY_ID_FOR_UPDATE: LockingQuery -> Draft = sqlite drafts!(SELECT "WHERE id = $1") postgres drafts!(SELECT "WHERE id = $1 FOR UPDATE");
    OPEN_PAGE: Query -> Draft =
        sqlite drafts!(SELECT "WHERE owner_id = $1 AND id < $2 AND sent_at IS NULL ORDER BY id DESC LIMIT $3")
        postgres drafts!(SELECT "WHERE (owner_id, id) >= ($1, 0) AND (owner_id, id) <= ($1, $2) AND id <> $2 AND sent_at IS NULL
            ORDER BY owner_id DESC, id DESC LIMIT $3");
    OPEN_COUNT: Query =
        sqlite "SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE owner_id = $1 AND sent_at IS NULL LIMIT $2) AS d"
        postgres "SELECT COUNT(*) FROM (SELECT id FROM drafts WHERE (owner_id, id) >= ($1, 0)
                AND (owner_id, id) <= ($1, 9223372036854775807) AND sent_at IS NULL
            ORDER BY owner_id, id LIMIT $2) AS d";
    // The text is removed from the draft, so that no copy of the text remains when the message is edited or deleted.
    // The label remains in the draft, even if the message is deleted.
    SENT: Command = "UPDATE drafts SET sent_at = $2, sent_to = $3, sent_message = $4, via_label = $5, text = ''
        WHERE id = $1";
    ASKED: Command = "UPDATE drafts SET asked_at = $2, elicited_at = $3 WHERE id = $1";
    DISCARD: Command = "UPDATE drafts SET discarded_at = $2, sent_at = $2, text = '' WHERE id = $1";
    DELETE: Command = "DELETE FROM drafts WHERE id = $1";
    // Open drafts have one partial index, and sent or discarded drafts have another, so that a page of open drafts
    // never scans sent drafts. So the deletion of all drafts of an employee needs two statements, one for each
    // index.
    DELETE_OPEN_OF: Command = "DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NULL";
    DELETE_SENT_OF: Command = "DELETE FROM drafts WHERE owner_id = $1 AND sent_at IS NOT NULL";
    DELETE_SENT: Command =
        sqlite "DELETE FROM drafts WHERE id IN
            (SELECT id FROM drafts WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2)"
        postgres "DELETE FROM drafts WHERE id = ANY(ARRAY(
            SELECT id FROM drafts WHERE sent_at <= $1 ORDER BY sent_at LIMIT $2 FOR UPDATE))";
    CLAIM_KEY: Command = "INSERT INTO draft_keys (owner_id, key_hash, fingerprint, draft_id, created_at, workspace_id)
        SELECT $1, $2, $3, $4, $5, $8 WHERE NOT EXISTS (
            SELECT 1 FROM draft_keys WHERE owner_id = $1 AND key_hash = $7 AND created_at > $6)
        ON CONFLICT (owner_id, key_hash) DO UPDATE SET fingerprint = excluded.fingerprint,
            draft_id = excluded.draft_id, created_at = excluded.created_at
        WHERE draft_keys.created_at <= $6";
    USED_KEYS: Query -> UsedKey = "SELECT fingerprint, draft_id FROM draft_keys
        WHERE owner_id = $1 AND key_hash IN ($2, $3) AND created_at > $4";
    // on PostgreSQL, deletes by primary key and with arrays, for the reasons given at `tool_calls::DELETE_EXPIRED`
    FORGET_KEYS: Command =
        sqlite "DELETE FROM draft_keys WHERE (owner_id, key_hash) IN
            (SELECT owner_id, key_hash FROM draft_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2)"
        postgres "DELETE FROM draft_keys t USING (
                SELECT array_agg(owner_id) AS owners, array_agg(key_hash) AS hashes FROM (
                    SELECT owner_id, key_hash FROM draft_keys WHERE created_at <= $1 ORDER BY created_at LIMIT $2
                    FOR UPDATE) AS found) AS old
            CROSS JOIN LATERAL unnest(old.owners, old.hashes) AS o(owner_id, key_hash)
            WHERE t.owner_id = o.owner_id AND t.key_hash = o.key_hash";
}

/// Inserts a draft.
pub async fn insert<C: Sql>(c: &mut C, d: &Draft) -> Result<()> {
    c.exec(&INSERT, &d.insert_args()).await?;
    Ok(())
}

/// Updates those columns of an open draft that are declared `mut`.
pub async fn update<C: Sql>(c: &mut C, d: &Draft) -> Result<()> {
    c.exec(&UPDATE, &d.update_args()).await?;
    Ok(())
}

/// Returns a draft of any user, even if the draft is sent or discarded.
pub async fn by_id<C: ReadSql>(c: &mut C, id: DraftId) -> Result<Option<Draft>> {
    c.opt(&BY_ID, args![id]).await
}

/// Returns a draft, and locks its row until the transaction ends.
pub async fn by_id_for_update<C: Sql>(c: &mut C, id: DraftId) -> Result<Option<Draft>> {
    c.lock_opt(&BY_ID_FOR_UPDATE, args![id]).await
}

/// Returns up to `limit` of an employee's open drafts with ids below `before`, the newest draft first.
pub async fn open_page<C: ReadSql>(
    c: &mut C,
    owner: UserId,
    before: DraftId,
    limit: i64,
) -> Result<Vec<Draft>> {
    c.all(&OPEN_PAGE, args![owner, before, limit]).await
}

/// Returns the number of an employee's open drafts, but at most `limit`.
pub async fn open_count<C: ReadSql>(c: &mut C, owner: UserId, limit: i64) -> Result<i64> {
    Ok(c.one::<(i64,)>(&OPEN_COUNT, args![owner, limit]).await?.0)
}

/// Records that a draft was sent as the message `message` of `conversation`. Removes the text of the draft, and stores
/// the label of the message.
pub async fn sent<C: Sql>(
    c: &mut C,
    id: DraftId,
    now: Timestamp,
    (conversation, message): (ConversationId, MessageId),
    label: &str,
) -> Result<()> {
    c.exec(&SENT, args![id, now, conversation, message, label]).await?;
    Ok(())
}

/// Records when an assistant asked the owner to confirm a draft, and when the server asked a client to open the page on
/// which the owner confirms the draft.
pub async fn asked<C: Sql>(
    c: &mut C,
    id: DraftId,
    asked_at: Timestamp,
    elicited_at: Option<Timestamp>,
) -> Result<()> {
    c.exec(&ASKED, args![id, asked_at, elicited_at]).await?;
    Ok(())
}

/// Records that the owner discarded an open draft on a page, and removes the text of the draft.
pub async fn discard<C: Sql>(c: &mut C, id: DraftId, now: Timestamp) -> Result<()> {
    c.exec(&DISCARD, args![id, now]).await?;
    Ok(())
}

/// Deletes a draft.
pub async fn delete<C: Sql>(c: &mut C, id: DraftId) -> Result<()> {
    c.exec(&DELETE, args![id]).await?;
    Ok(())
}

/// Deletes all drafts of a removed employee. Keeps the employee's idempotency keys, which [`forget_keys`] deletes
/// later.
pub async fn delete_of<C: Sql>(c: &mut C, owner: UserId) -> Result<()> {
    c.exec(&DELETE_OPEN_OF, args![owner]).await?;
    c.exec(&DELETE_SENT_OF, args![owner]).await?;
    Ok(())
}

/// Deletes up to `limit` drafts that were sent or discarded at or before `until`, in the order of these times. Returns
/// the number of deleted drafts.
pub async fn delete_sent<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&DELETE_SENT, args![until, limit]).await
}

/// Deletes up to `limit` idempotency keys that were claimed at or before `until`, the oldest keys first. Returns the
/// number of deleted keys.
pub async fn forget_keys<C: Sql>(c: &mut C, until: Timestamp, limit: i64) -> Result<u64> {
    c.exec(&FORGET_KEYS, args![until, limit]).await
}

/// Claims an idempotency key of an employee's client. Returns whether the key was free.
///
/// `own` is the hash of the key and the client, and is stored. `shared` is the hash of the key alone, which earlier
/// versions of the server stored. The key is free if neither hash was claimed after `cutoff`. On PostgreSQL, waits for
/// another transaction that is claiming the hash `own`.
pub async fn claim_key<C: Sql>(
    c: &mut C,
    (workspace, owner): (WorkspaceId, UserId),
    (own, shared): (&Hash, &Hash),
    fingerprint: &Hash,
    draft: DraftId,
    now: Timestamp,
    cutoff: Timestamp,
) -> Result<bool> {
    let claimed = c
        .exec(
            &CLAIM_KEY,
            named_args!(CLAIM_KEY {
                owner_id: owner,
                key_hash: own,
                fingerprint: fingerprint,
                draft_id: draft,
                created_at: now,
                cutoff: cutoff,
                shared_key_hash: shared,
                workspace_id: workspace,
            }),
        )
        .await?;
    Ok(claimed == 1)
}

/// Returns the tool calls for which a key was claimed after `cutoff`, with the hash `own` or the hash `shared`
/// ([`claim_key`] describes these hashes).
pub async fn used_keys<C: ReadSql>(
    c: &mut C,
    owner: UserId,
    (own, shared): (&Hash, &Hash),
    cutoff: Timestamp,
) -> Result<Vec<UsedKey>> {
    c.all(&USED_KEYS, args![owner, own, shared, cutoff]).await
}
