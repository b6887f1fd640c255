//! Unread counts. An unread count is the number of messages that are newer than the last message that a member has
//! read. The member's own messages do not count.

use std::collections::BTreeMap;

use crate::domain::ids::{ConversationId, MessageId, UserId};
use crate::store::{ReadSql, Result, args, row, statements};

/// Maximum of an unread count. For more unread messages, this number is returned.
pub const MAX_COUNTED: i64 = 100;
/// Maximum number of messages that are examined for one count, the newest messages first. It is higher than
/// [`MAX_COUNTED`], because the member's own messages among them do not count. If the member has sent more than 20 of
/// the examined messages, the count can be too low.
const EXAMINED: i64 = 120;
/// Maximum number of pairs of a user and a conversation in one statement. The maximum is low, because SQLite finds an
/// element of a JSON array with `json_extract`, whose time is proportional to the length of the array.
const BATCH: usize = 250;
/// If unread messages are counted for at least this number of members of one conversation, the newest messages of the
/// conversation are read only once for all these members.
const SHARED_FROM: usize = 16;

/// The SQL expression for the lowest id that an unread message of a member can have: the highest of several lower
/// bounds. `$bound` is the SQL of one of these bounds.
///
/// Messages from before migration 17 count as read. The migration stored the highest of their ids as `read_since`. An
/// id contains its time in milliseconds, above the lowest 21 bits. If the server's clock was once wrong, the stored id
/// is possibly years too high, and all messages of these years would count as read. So if the time in the stored id is
/// later than the time at which the migration was applied, the expression uses the id of the latter time instead.
macro_rules! first {
    (sqlite $bound:literal) => {
        concat!(
            "MAX(m.read_id + 1, m.visible_from, ",
            $bound,
            ", 1 + COALESCE((SELECT MIN(value, COALESCE((SELECT
                        ((CAST(strftime('%s', installed_on) AS INTEGER) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17), value))
                FROM server_state WHERE name = 'read_since'), 0))"
        )
    };
    (postgres $bound:literal) => {
        concat!(
            "GREATEST(read_id + 1, visible_from, ",
            $bound,
            ", 1 + COALESCE((SELECT LEAST(value, (SELECT
                        ((CAST(extract(epoch FROM installed_on) AS BIGINT) + 1) * 1000) << 21
                    FROM _sqlx_migrations WHERE version = 17))
                FROM server_state WHERE name = 'read_since'), 0))"
        )
    };
}

/// The number of messages that a member has not read.
struct UnreadCount {
    user_id: UserId,
    conversation_id: ConversationId,
    number: i64,
}
row!(UnreadCount { user_id, conversation_id, number });

statements! {
    COUNTS: Query -> UnreadCount =
        sqlite concat!("SELECT m.user_id, m.conversation_id, (SELECT COUNT(*) FROM (SELECT x.sender_id FROM messages x
                    WHERE x.conversation_id = m.conversation_id AND x.id >= ", first!(sqlite "1 + json_extract($3, '$[' || j.key || ']')"), "
                    ORDER BY x.id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS NOT m.user_id) AS number
            FROM json_each($1) j CROSS JOIN members m
                ON m.conversation_id = json_extract($2, '$[' || j.key || ']') AND m.user_id = j.value
            WHERE m.left_at IS NULL")
        postgres concat!("SELECT j.user_id, j.conversation_id, (SELECT COUNT(*) FROM (SELECT sender_id FROM messages
                    WHERE (conversation_id, id) >= (j.conversation_id, m.first_id)
                        AND (conversation_id, id) <= (j.conversation_id, 9223372036854775807)
                    ORDER BY conversation_id DESC, id DESC LIMIT $4) AS newest
                WHERE newest.sender_id IS DISTINCT FROM j.user_id) AS number
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

/// A pair of a user and a conversation for which unread messages are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnreadOf {
    pub user: UserId,
    pub conversation: ConversationId,
    /// The last message that the user has read, if it is not yet stored in the column `read_id`; 0 if it is stored.
    pub mark: MessageId,
}

/// Returns the unread counts, each at most [`MAX_COUNTED`]. Omits pairs whose user is not a member of the conversation.
pub async fn counts<C: ReadSql>(
    c: &mut C,
    wanted: &[UnreadOf],
) -> Result<Vec<(UserId, ConversationId, i64)>> {
    let mut conversations: BTreeMap<ConversationId, Vec<UnreadOf>> = BTreeMap::new();
    for pair in wanted {
        conversations.entry(pair.conversation).or_default().push(*pair);
    }
    let (mut counted, mut separate) = (Vec::with_capacity(wanted.len()), Vec::new());
    for (conversation, members) in conversations {
        if members.len() < SHARED_FROM {
            separate.extend(members);
        } else {
            count_shared(c, conversation, &members, &mut counted).await?;
        }
    }
    for batch in separate.chunks(BATCH) {
        let users: Vec<UserId> = batch.iter().map(|pair| pair.user).collect();
        let conversations: Vec<ConversationId> = batch.iter().map(|pair| pair.conversation).collect();
        let marks: Vec<MessageId> = batch.iter().map(|pair| pair.mark).collect();
        let rows: Vec<UnreadCount> = c.all(&COUNTS, args![&users, &conversations, &marks, EXAMINED]).await?;
        let count = |row: UnreadCount| (row.user_id, row.conversation_id, row.number.min(MAX_COUNTED));
        counted.extend(rows.into_iter().map(count));
    }
    Ok(counted)
}

/// Counts the unread messages of many members of one conversation. Reads the newest messages of the conversation once
/// for all members.
async fn count_shared<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    members: &[UnreadOf],
    counted: &mut Vec<(UserId, ConversationId, i64)>,
) -> Result<()> {
    let marks: BTreeMap<UserId, MessageId> = members.iter().map(|pair| (pair.user, pair.mark)).collect();
    let users: Vec<UserId> = marks.keys().copied().collect();
    let found: Vec<(UserId, i64)> = c.all(&FIRSTS, args![conversation, &users]).await?;
    let with_mark = |(user, first): (UserId, i64)| {
        let mark = marks.get(&user).map_or(0, |mark| mark.0);
        (user, MessageId(first.max(mark.saturating_add(1))))
    };
    let firsts: Vec<(UserId, MessageId)> = found.into_iter().map(with_mark).collect();
    let Some(lowest) = firsts.iter().map(|(_, first)| *first).min() else { return Ok(()) };
    let newest: Vec<(MessageId, Option<UserId>)> =
        c.all(&NEWEST, args![conversation, lowest, EXAMINED]).await?;
    for (user, first) in firsts {
        let unread = newest.iter().filter(|(id, sender)| *id >= first && *sender != Some(user)).count();
        let count = i64::try_from(unread).unwrap_or(MAX_COUNTED);
        counted.push((user, conversation, count.min(MAX_COUNTED)));
    }
    Ok(())
}
