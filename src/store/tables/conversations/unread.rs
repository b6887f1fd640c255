//! Numbers of unread messages: those after the last that a member has read, not sent by the member.

use crate::domain::ids::{ConversationId, UserId};
use crate::store::{ReadSql, Result, args, statements};

/// Highest number that is counted.
pub const MAX_COUNTED: i64 = 100;
/// Number of pairs of one statement: SQLite finds a pair in time that grows with their number.
const BATCH: usize = 250;

// the newest 200 messages of a conversation are looked at, of which some may be the member's own
statements! {
    COUNTS: Query =
        sqlite "SELECT m.user_id, m.conversation_id, (SELECT COUNT(*) FROM (SELECT x.sender_id FROM messages x
                    WHERE x.conversation_id = m.conversation_id AND x.id > m.read_id AND x.id >= m.visible_from
                    ORDER BY x.id DESC LIMIT 200) AS newest
                WHERE newest.sender_id IS NOT m.user_id)
            FROM json_each($1) j CROSS JOIN members m
                ON m.conversation_id = json_extract($2, '$[' || j.key || ']') AND m.user_id = j.value
            WHERE m.left_at IS NULL"
        postgres "SELECT j.user_id, j.conversation_id, (SELECT COUNT(*) FROM (SELECT sender_id FROM messages
                    WHERE (conversation_id, id) >= (j.conversation_id, m.first_id)
                        AND (conversation_id, id) <= (j.conversation_id, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT 200) AS newest
                WHERE newest.sender_id IS DISTINCT FROM j.user_id)
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[])) AS j (user_id, conversation_id)
            CROSS JOIN LATERAL (SELECT GREATEST(read_id + 1, visible_from) AS first_id FROM members
                WHERE conversation_id = j.conversation_id AND user_id = j.user_id AND left_at IS NULL LIMIT 1) AS m";
}

/// Returns the numbers of unread messages, at most [`MAX_COUNTED`], of those pairs in which the user is a member of the
/// conversation.
pub async fn counts<C: ReadSql>(
    c: &mut C,
    pairs: &[(UserId, ConversationId)],
) -> Result<Vec<(UserId, ConversationId, i64)>> {
    let mut counted = Vec::with_capacity(pairs.len());
    for some in pairs.chunks(BATCH) {
        let (users, conversations): (Vec<UserId>, Vec<ConversationId>) = some.iter().copied().unzip();
        let rows: Vec<(UserId, ConversationId, i64)> = c.all(&COUNTS, args![&users, &conversations]).await?;
        counted.extend(rows.into_iter().map(|(user, id, number)| (user, id, number.min(MAX_COUNTED))));
    }
    Ok(counted)
}
