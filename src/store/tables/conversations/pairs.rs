//! The pairs of users that have, or had, a direct conversation.

use crate::domain::ids::{ConversationId, UserId, WorkspaceId};
use crate::store::{ReadSql, Result, Sql, args, named_args, statements};

statements! {
    INSERT_PAIR: Command = "INSERT INTO direct_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        VALUES ($1, $2, $3, $4) ON CONFLICT (low_user_id, high_user_id) DO NOTHING";
    // The primary key of `direct_pairs` is the pair of users, so the statement looks up the two users in `members`. A
    // deleted direct conversation keeps its rows in `members`.
    DELETE_PAIR: Command = "DELETE FROM direct_pairs
        WHERE low_user_id = (SELECT MIN(user_id) FROM members WHERE conversation_id = $1)
            AND high_user_id = (SELECT MAX(user_id) FROM members WHERE conversation_id = $1)
            AND conversation_id = $1";
    KEEP_PAIR: Command = "INSERT INTO former_pairs (low_user_id, high_user_id, conversation_id, workspace_id)
        SELECT MIN(user_id), MAX(user_id), $1, MIN(workspace_id) FROM members WHERE conversation_id = $1 HAVING COUNT(*) = 2
        ON CONFLICT (low_user_id, high_user_id, conversation_id) DO NOTHING";
    ALL_OF_PAIR: Query = "SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2
        UNION ALL SELECT conversation_id FROM former_pairs WHERE low_user_id = $1 AND high_user_id = $2
        ORDER BY 1 DESC";
    PAIRS: Query =
        sqlite "SELECT j.value, p.conversation_id FROM json_each($2) j CROSS JOIN direct_pairs p
            ON p.low_user_id = MIN(j.value, $1) AND p.high_user_id = MAX(j.value, $1)"
        postgres "SELECT j.id, p.conversation_id FROM unnest(CAST($2 AS BIGINT[])) AS j (id)
            CROSS JOIN LATERAL (SELECT conversation_id FROM direct_pairs
                WHERE low_user_id = LEAST(j.id, $1) AND high_user_id = GREATEST(j.id, $1) LIMIT 1) AS p";
    PAIR: Query = "SELECT conversation_id FROM direct_pairs WHERE low_user_id = $1 AND high_user_id = $2";
}

/// Returns the direct conversation of two users; `None` if they have no direct conversation, or only deleted ones.
pub async fn direct<C: ReadSql>(c: &mut C, one: UserId, other: UserId) -> Result<Option<ConversationId>> {
    let (low, high) = (one.min(other), one.max(other));
    Ok(c.opt::<(ConversationId,)>(&PAIR, args![low, high]).await?.map(|(id,)| id))
}

/// Returns those of `others` with whom a user has a direct conversation, each with the id of that conversation.
pub async fn directs_with<C: ReadSql>(
    c: &mut C,
    user: UserId,
    others: &[UserId],
) -> Result<Vec<(UserId, ConversationId)>> {
    c.all(&PAIRS, args![user, others]).await
}

/// Registers a new direct conversation as the conversation of two users. If the two users already have a direct
/// conversation, changes nothing and returns `false`.
pub async fn claim_pair<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    (one, other): (UserId, UserId),
    id: ConversationId,
) -> Result<bool> {
    let (low, high) = (one.min(other), one.max(other));
    let inserted = c
        .exec(
            &INSERT_PAIR,
            named_args!(INSERT_PAIR {
                low_user_id: low,
                high_user_id: high,
                conversation_id: id,
                workspace_id: workspace,
            }),
        )
        .await?;
    Ok(inserted == 1)
}

/// Returns all direct conversations of two users, the newest conversation first. Includes deleted conversations.
pub async fn directs<C: ReadSql>(c: &mut C, one: UserId, other: UserId) -> Result<Vec<ConversationId>> {
    c.all(&ALL_OF_PAIR, args![one.min(other), one.max(other)]).await
}

/// Removes the registration of a deleted direct conversation, so that its two users can have a new direct conversation.
/// The deleted conversation remains known as a former conversation of the two users.
pub async fn release_pair<C: Sql>(c: &mut C, id: ConversationId) -> Result<()> {
    c.exec(&KEEP_PAIR, args![id]).await?;
    c.exec(&DELETE_PAIR, args![id]).await?;
    Ok(())
}
