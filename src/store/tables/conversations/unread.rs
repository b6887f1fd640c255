//! Numbers of unread messages: those after the last that a member has read, not sent by the member.

use std::collections::BTreeMap;

use crate::domain::ids::{ConversationId, MessageId, UserId};
use crate::store::{ReadSql, Result, args, statements};

/// Highest number that is counted.
pub const MAX_COUNTED: i64 = 100;
/// Newest messages that are looked at, of which some may be the member's own.
const LOOKED_AT: i64 = 120;
/// Number of pairs of one statement: SQLite finds a pair in time that grows with their number.
const BATCH: usize = 250;
/// From this number of members of one conversation on, its newest messages are read once for all of them.
const SHARED_FROM: usize = 16;

/// The first message that a member has not read. `read_since` was written by the migration that made marks of what is read:
/// everything before counts as read. It is the highest id of that time, which a wrong clock may have put years ahead, so an id
/// of after the migration does not count. An id has the milliseconds above 21 bits.
macro_rules! first {
    (sqlite $mark:literal) => {
        concat!(
            "MAX(m.read_id + 1, m.visible_from, ",
            $mark,
            ", 1 + COALESCE((SELECT MIN(value, COALESCE((SELECT
                        ((CAST(strftime('%s', installed_on) AS INTEGER) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17), value))
                FROM server_state WHERE name = 'read_since'), 0))"
        )
    };
    (postgres $mark:literal) => {
        concat!(
            "GREATEST(read_id + 1, visible_from, ",
            $mark,
            ", 1 + COALESCE((SELECT LEAST(value, (SELECT
                        ((CAST(extract(epoch FROM installed_on) AS BIGINT) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17))
                FROM server_state WHERE name = 'read_since'), 0))"
        )
    };
}

statements! {
    COUNTS: Query =
        sqlite concat!("SELECT m.user_id, m.conversation_id, (SELECT COUNT(*) FROM (SELECT x.sender_id FROM messages x
                    WHERE x.conversation_id = m.conversation_id AND x.id >= ", first!(sqlite "1 + json_extract($3, '$[' || j.key || ']')"), "
                    ORDER BY x.id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS NOT m.user_id)
            FROM json_each($1) j CROSS JOIN members m
                ON m.conversation_id = json_extract($2, '$[' || j.key || ']') AND m.user_id = j.value
            WHERE m.left_at IS NULL")
        postgres concat!("SELECT j.user_id, j.conversation_id, (SELECT COUNT(*) FROM (SELECT sender_id FROM messages
                    WHERE (conversation_id, id) >= (j.conversation_id, m.first_id)
                        AND (conversation_id, id) <= (j.conversation_id, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS DISTINCT FROM j.user_id)
            FROM unnest(CAST($1 AS BIGINT[]), CAST($2 AS BIGINT[]), CAST($3 AS BIGINT[])) AS j (user_id, conversation_id, mark)
            CROSS JOIN LATERAL (SELECT ", first!(postgres "1 + j.mark"), " AS first_id FROM members
                WHERE conversation_id = j.conversation_id AND user_id = j.user_id AND left_at IS NULL LIMIT 1) AS m");
    FIRSTS: Query =
        sqlite concat!("SELECT m.user_id, ", first!(sqlite "0"), " FROM json_each($2) j CROSS JOIN members m
                ON m.conversation_id = $1 AND m.user_id = j.value
            WHERE m.left_at IS NULL")
        postgres concat!("SELECT j.user_id, m.first_id FROM unnest(CAST($2 AS BIGINT[])) AS j (user_id)
            CROSS JOIN LATERAL (SELECT ", first!(postgres "0"), " AS first_id FROM members
                WHERE conversation_id = $1 AND user_id = j.user_id AND left_at IS NULL LIMIT 1) AS m");
    NEWEST: Query =
        sqlite "SELECT id, sender_id FROM messages WHERE conversation_id = $1 AND id >= $2 ORDER BY id DESC LIMIT $3"
        postgres "SELECT id, sender_id FROM messages
            WHERE (conversation_id, id) >= ($1, $2) AND (conversation_id, id) <= ($1, 9223372036854775807)
            ORDER BY conversation_id DESC, id DESC LIMIT $3";
}

/// A member whose unread messages are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadOf {
    pub user: UserId,
    pub conversation: ConversationId,
    /// A message up to which the member has read and whose mark was not written yet; 0 if there is none.
    pub mark: MessageId,
}

/// Returns the numbers of unread messages, at most [`MAX_COUNTED`], of those users who are members of the conversation.
pub async fn counts<C: ReadSql>(
    c: &mut C,
    wanted: &[UnreadOf],
) -> Result<Vec<(UserId, ConversationId, i64)>> {
    let mut conversations: BTreeMap<ConversationId, Vec<UnreadOf>> = BTreeMap::new();
    for one in wanted {
        conversations.entry(one.conversation).or_default().push(*one);
    }
    let (mut counted, mut apart) = (Vec::with_capacity(wanted.len()), Vec::new());
    for (conversation, members) in conversations {
        if members.len() < SHARED_FROM {
            apart.extend(members);
        } else {
            shared(c, conversation, &members, &mut counted).await?;
        }
    }
    for some in apart.chunks(BATCH) {
        let users: Vec<UserId> = some.iter().map(|one| one.user).collect();
        let conversations: Vec<ConversationId> = some.iter().map(|one| one.conversation).collect();
        let marks: Vec<MessageId> = some.iter().map(|one| one.mark).collect();
        let rows: Vec<(UserId, ConversationId, i64)> =
            c.all(&COUNTS, args![&users, &conversations, &marks, LOOKED_AT]).await?;
        counted.extend(rows.into_iter().map(|(user, id, number)| (user, id, number.min(MAX_COUNTED))));
    }
    Ok(counted)
}

/// Counts for many members of one conversation, whose newest messages are read once.
async fn shared<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    members: &[UnreadOf],
    counted: &mut Vec<(UserId, ConversationId, i64)>,
) -> Result<()> {
    let marks: BTreeMap<UserId, MessageId> = members.iter().map(|one| (one.user, one.mark)).collect();
    let users: Vec<UserId> = marks.keys().copied().collect();
    let found: Vec<(UserId, i64)> = c.all(&FIRSTS, args![conversation, &users]).await?;
    let first = |(user, first): (UserId, i64)| {
        let mark = marks.get(&user).map_or(0, |mark| mark.0);
        (user, MessageId(first.max(mark.saturating_add(1))))
    };
    let firsts: Vec<(UserId, MessageId)> = found.into_iter().map(first).collect();
    let Some(lowest) = firsts.iter().map(|(_, first)| *first).min() else { return Ok(()) };
    let newest: Vec<(MessageId, Option<UserId>)> =
        c.all(&NEWEST, args![conversation, lowest, LOOKED_AT]).await?;
    for (user, first) in firsts {
        let unread = newest.iter().filter(|(id, sender)| *id >= first && *sender != Some(user)).count();
        let number = i64::try_from(unread).unwrap_or(MAX_COUNTED);
        counted.push((user, conversation, number.min(MAX_COUNTED)));
    }
    Ok(())
}
