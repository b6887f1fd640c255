//! The search words of people and bots. The table `user_words` stores them as bytes, which both engines
//! compare in the same order.

use crate::domain::{
    ids::{UserId, WorkspaceId},
    people::email_key,
    people_search::{self, MAX_SOUGHT},
};
use crate::store::{
    ReadSql, Result, Sql, args, row, statements,
    users::{self, User},
};

/// A prefix followed by this byte is greater than every word with the prefix, because UTF-8 never
/// contains the byte.
const AFTER_PREFIX: u8 = 0xff;

/// If every prefix matches at least this many words of a company, `WALK` is used instead of `PAGE`.
const MAX_COLLECTED: i64 = 5_000;

/// The fields that a user's words are taken from.
struct NameFields {
    id: UserId,
    workspace_id: WorkspaceId,
    name: String,
    display_name: Option<String>,
    email: Option<String>,
}
row!(NameFields { id, workspace_id, name, display_name, email });

macro_rules! walk {
    ($after:literal) => {
        concat!(
            "SELECT w.id FROM users w WHERE ",
            $after,
            " AND ($6 < 1 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $2 AND o.word < $3 LIMIT 1) = 1)
            AND ($6 < 2 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $7 AND o.word < $8 LIMIT 1) = 1)
            AND ($6 < 3 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $9 AND o.word < $10 LIMIT 1) = 1)
            AND ($6 < 4 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.id AND o.word >= $11 AND o.word < $12 LIMIT 1) = 1)
            ORDER BY w.workspace_id, w.id LIMIT $5"
        )
    };
}

statements! {
    OF_USER: Query = "SELECT word FROM user_words WHERE user_id = $1 ORDER BY word";
    INSERT: Command = "INSERT INTO user_words (user_id, word, workspace_id) VALUES ($1, $2, $3)
        ON CONFLICT (user_id, word) DO NOTHING";
    DELETE: Command = "DELETE FROM user_words WHERE user_id = $1 AND word = $2";
    COUNT: Query = "SELECT COUNT(*) FROM (SELECT user_id FROM user_words
        WHERE workspace_id = $1 AND word >= $2 AND word < $3 LIMIT $4) AS found";
    // collects the matches of the first prefix and filters them by the others; (SELECT … LIMIT 1) = 1
    // is an EXISTS that PostgreSQL does not turn into a scan of all words
    PAGE: Query = "WITH found AS MATERIALIZED (
            SELECT user_id FROM user_words
            WHERE workspace_id = $1 AND word >= $2 AND word < $3 AND user_id > $4
        )
        SELECT DISTINCT w.user_id FROM found w
        WHERE ($6 < 2 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $7 AND o.word < $8 LIMIT 1) = 1)
            AND ($6 < 3 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $9 AND o.word < $10 LIMIT 1) = 1)
            AND ($6 < 4 OR (SELECT 1 FROM user_words o
                WHERE o.user_id = w.user_id AND o.word >= $11 AND o.word < $12 LIMIT 1) = 1)
        ORDER BY w.user_id LIMIT $5";
    // scans users until enough match
    WALK: Query =
        sqlite walk!("w.workspace_id = $1 AND w.id > $4")
        postgres walk!("(w.workspace_id, w.id) >= ($1, $4) AND (w.workspace_id, w.id) <= ($1, 9223372036854775807)
            AND w.id <> $4");
    WITHOUT: LockingQuery -> NameFields =
        sqlite "SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1"
        postgres "SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED";
    ANYONE_WITHOUT: Query = "SELECT EXISTS (SELECT 1 FROM users WHERE has_words = 0)";
    DONE: Command = "UPDATE users SET has_words = 1 WHERE id = $1";
}

/// Updates a user's words to those of the name and the address.
pub async fn keep<C: Sql>(c: &mut C, user: &User, email_key: Option<&str>) -> Result<()> {
    let words = people_search::words_of(&user.name, user.display_name.as_deref(), email_key);
    replace(c, user.id, user.workspace_id, &words).await
}

async fn replace<C: Sql>(c: &mut C, id: UserId, workspace: WorkspaceId, words: &[String]) -> Result<()> {
    let kept: Vec<Vec<u8>> = c.all(&OF_USER, args![id]).await?;
    for old in kept.iter().filter(|old| !words.iter().any(|word| word.as_bytes() == *old)) {
        c.exec(&DELETE, args![id, old]).await?;
    }
    for new in words.iter().map(String::as_bytes).filter(|new| !kept.iter().any(|old| old == new)) {
        c.exec(&INSERT, args![id, new, workspace]).await?;
    }
    Ok(())
}

/// Returns the people and bots of a company that have a word for every prefix in `sought` (at least
/// one), after `after` in creation order.
///
/// If the rarest prefix has few matches, they are collected (`PAGE`). Otherwise many users match, so
/// the users are scanned until enough match (`WALK`). Both cost far less than scanning the whole
/// company.
pub async fn page<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    sought: &[String],
    after: i64,
    limit: i64,
) -> Result<Vec<User>> {
    let mut ranges = Vec::with_capacity(MAX_SOUGHT);
    for word in sought.iter().take(MAX_SOUGHT) {
        let (from, to) = (word.as_bytes().to_vec(), [word.as_bytes(), &[AFTER_PREFIX]].concat());
        let number: i64 = c.one(&COUNT, args![workspace, &from, &to, MAX_COLLECTED]).await?;
        ranges.push((number, from, to));
    }
    ranges.sort_unstable();
    let statement =
        if ranges.first().is_some_and(|(number, ..)| *number < MAX_COLLECTED) { &PAGE } else { &WALK };
    let number = i64::try_from(ranges.len()).unwrap_or(i64::MAX);
    // unused ranges are ignored
    ranges.resize(MAX_SOUGHT, (0, Vec::new(), Vec::new()));
    let [first, second, third, fourth] = &ranges[..] else { return Ok(Vec::new()) };
    let args = args![
        workspace, &first.1, &first.2, after, limit, number, &second.1, &second.2, &third.1, &third.2,
        &fourth.1, &fourth.2
    ];
    let found: Vec<UserId> = c.all(statement, args).await?;
    users::by_ids(c, &found).await
}

/// Returns whether any user has no words yet.
pub async fn is_anyone_without<C: ReadSql>(c: &mut C) -> Result<bool> {
    c.one(&ANYONE_WITHOUT, args![]).await
}

/// Creates the words of up to `limit` users who have none, and returns the number of users.
pub async fn catch_up<C: Sql>(c: &mut C, limit: i64) -> Result<usize> {
    let without: Vec<NameFields> = c.lock_all(&WITHOUT, args![limit]).await?;
    for user in &without {
        let email = user.email.as_deref().map(email_key);
        let words = people_search::words_of(&user.name, user.display_name.as_deref(), email.as_deref());
        replace(c, user.id, user.workspace_id, &words).await?;
        c.exec(&DONE, args![user.id]).await?;
    }
    Ok(without.len())
}
