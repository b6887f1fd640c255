//! The words by which people and bots are found. The table `user_words` stores the words as bytes, which both engines
//! order in the same way.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::domain::{
    ids::{UserId, WorkspaceId},
    people::email_key,
    people_search::{self, MAX_PREFIXES},
};
use crate::platform::secrets::hex;
use crate::store::{
    ReadSql, Result, Sql, args, row, statements,
    users::{self, User},
};

/// If this byte is appended to a prefix, the result is greater than every word with the prefix, because UTF-8 never
/// contains this byte.
const AFTER_PREFIX: u8 = 0xff;

/// If every prefix of a search matches at least this number of words in the company, [`page`] runs the statement `WALK`
/// instead of `PAGE`.
const MAX_COLLECTED: i64 = 5_000;

/// The fields from which the search words of a user are taken.
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
    OF_USERS: Query =
        sqlite "SELECT user_id, word FROM user_words WHERE user_id IN (SELECT value FROM json_each($1))"
        postgres "SELECT user_id, word FROM user_words WHERE user_id = ANY($1)";
    // $1 is a JSON array. Each of its elements is an array of the user's id, the word's bytes in hexadecimal, and the
    // company's id.
    INSERT: Command =
        sqlite "INSERT INTO user_words (user_id, word, workspace_id)
            SELECT json_extract(value, '$[0]'), unhex(json_extract(value, '$[1]')), json_extract(value, '$[2]')
            FROM json_each($1) WHERE true ON CONFLICT (user_id, word) DO NOTHING"
        postgres "INSERT INTO user_words (user_id, word, workspace_id)
            SELECT CAST(value ->> 0 AS BIGINT), decode(value ->> 1, 'hex'), CAST(value ->> 2 AS BIGINT)
            FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value
            ON CONFLICT (user_id, word) DO NOTHING";
    DELETE: Command =
        sqlite "DELETE FROM user_words WHERE (user_id, word) IN
            (SELECT json_extract(value, '$[0]'), unhex(json_extract(value, '$[1]')) FROM json_each($1))"
        postgres "DELETE FROM user_words w
            USING (SELECT CAST(value ->> 0 AS BIGINT) AS user_id, decode(value ->> 1, 'hex') AS word
                FROM json_array_elements(CAST(CAST($1 AS TEXT) AS JSON)) AS value OFFSET 0) AS j
            WHERE w.user_id = j.user_id AND w.word = j.word";
    COUNT: Query = "SELECT COUNT(*) FROM (SELECT user_id FROM user_words
        WHERE workspace_id = $1 AND word >= $2 AND word < $3 LIMIT $4) AS found";
    // Collects the matches of the first (rarest) prefix, and filters them by the others. $6 is the number of prefixes.
    // The condition `(SELECT … LIMIT 1) = 1` means the same as EXISTS, but PostgreSQL never runs the condition as a
    // scan of all words.
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
    // scans the users of the company until enough of them match
    WALK: Query =
        sqlite walk!("w.workspace_id = $1 AND w.id > $4")
        postgres walk!("(w.workspace_id, w.id) >= ($1, $4) AND (w.workspace_id, w.id) <= ($1, 9223372036854775807)
            AND w.id <> $4");
    WITHOUT: LockingQuery -> NameFields =
        sqlite "SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1"
        postgres "SELECT id, workspace_id, name, display_name, email FROM users WHERE has_words = 0
            ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED";
    HAS_USERS_WITHOUT_WORDS: Query = "SELECT EXISTS (SELECT 1 FROM users WHERE has_words = 0)";
    DONE: Command =
        sqlite "UPDATE users SET has_words = 1 WHERE id IN (SELECT value FROM json_each($1))"
        postgres "UPDATE users SET has_words = 1 WHERE id = ANY($1)";
}

/// Replaces the stored words of a user by the words of the user's name, display name and e-mail address. `email_key` is
/// the address in the form that the function [`email_key`] returns.
pub async fn keep<C: Sql>(c: &mut C, user: &User, email_key: Option<&str>) -> Result<()> {
    let words = people_search::words_of(&user.name, user.display_name.as_deref(), email_key);
    replace(c, vec![(user.id, user.workspace_id, words)]).await
}

/// Replaces the stored words of bots by the words of `name`. Bots have no display name and no e-mail address.
pub async fn keep_name<C: Sql>(c: &mut C, bots: &[User], name: &str) -> Result<()> {
    let words = people_search::words_of(name, None, None);
    replace(c, bots.iter().map(|bot| (bot.id, bot.workspace_id, words.clone())).collect()).await
}

/// Replaces the stored words of users. Writes only the words that differ. Each element of `users` has the user, the
/// company and the new words.
async fn replace<C: Sql>(c: &mut C, users: Vec<(UserId, WorkspaceId, Vec<String>)>) -> Result<()> {
    let ids: Vec<UserId> = users.iter().map(|(id, ..)| *id).collect();
    let stored: Vec<(UserId, Vec<u8>)> = c.all(&OF_USERS, args![&ids]).await?;
    let mut stored: HashSet<(UserId, Vec<u8>)> = stored.into_iter().collect();
    let mut new = Vec::new();
    for (id, workspace, words) in users {
        for word in words {
            // after the loop, `stored` has only the words that the users no longer have
            if !stored.remove(&(id, word.as_bytes().to_vec())) {
                new.push(json!([id.0, hex(word.as_bytes()), workspace.0]));
            }
        }
    }
    if !stored.is_empty() {
        let old: Vec<Value> = stored.iter().map(|(id, word)| json!([id.0, hex(word)])).collect();
        c.exec(&DELETE, args![&Value::Array(old).to_string()]).await?;
    }
    if !new.is_empty() {
        c.exec(&INSERT, args![&Value::Array(new).to_string()]).await?;
    }
    Ok(())
}

/// Returns up to `limit` people and bots of a company with ids above `after`, ordered by id. Each of them has, for
/// every prefix in `prefixes`, a word that begins with the prefix. Prefixes after the first [`MAX_PREFIXES`] are
/// ignored. There must be at least one prefix: without a prefix, every user would match.
///
/// If the rarest prefix matches fewer than `MAX_COLLECTED` (5,000) words, its matches are collected and filtered by the
/// other prefixes (`PAGE`). If every prefix matches at least this number of words, the users of the company are scanned
/// in the order of their ids (`WALK`). The scan ends when `limit` users match.
///
/// If fewer than `limit` users match all prefixes, `WALK` scans all users of the company with ids above `after`. The
/// existing indexes allow no plan that is always cheaper. They order the matches of a prefix by word and not by user.
/// So a plan that intersects the matches of two frequent prefixes must read all matches of one of them.
pub async fn page<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    prefixes: &[String],
    after: i64,
    limit: i64,
) -> Result<Vec<User>> {
    let mut ranges = Vec::with_capacity(MAX_PREFIXES);
    for prefix in prefixes.iter().take(MAX_PREFIXES) {
        let (from, to) = (prefix.as_bytes().to_vec(), [prefix.as_bytes(), &[AFTER_PREFIX]].concat());
        let matches: i64 = c.one(&COUNT, args![workspace, &from, &to, MAX_COLLECTED]).await?;
        ranges.push((matches, from, to));
    }
    ranges.sort_unstable();
    let statement =
        if ranges.first().is_some_and(|(matches, ..)| *matches < MAX_COLLECTED) { &PAGE } else { &WALK };
    let prefix_count = i64::try_from(ranges.len()).unwrap_or(i64::MAX);
    // the statements ignore these empty ranges, because $6 is the number of prefixes
    ranges.resize(MAX_PREFIXES, (0, Vec::new(), Vec::new()));
    let [first, second, third, fourth] = &ranges[..] else { return Ok(Vec::new()) };
    let args = args![
        workspace,
        &first.1,
        &first.2,
        after,
        limit,
        prefix_count,
        &second.1,
        &second.2,
        &third.1,
        &third.2,
        &fourth.1,
        &fourth.2
    ];
    let found: Vec<UserId> = c.all(statement, args).await?;
    users::by_ids(c, &found).await
}

/// Returns whether there is a user whose search words are not yet stored, because an earlier version of the server
/// created the user.
pub async fn has_users_without_words<C: ReadSql>(c: &mut C) -> Result<bool> {
    c.one(&HAS_USERS_WITHOUT_WORDS, args![]).await
}

/// Stores the search words of up to `limit` users whose words are not yet stored. Returns the number of these users. On
/// PostgreSQL, skips users whose rows are locked.
pub async fn catch_up<C: Sql>(c: &mut C, limit: i64) -> Result<usize> {
    let without: Vec<NameFields> = c.lock_all(&WITHOUT, args![limit]).await?;
    if without.is_empty() {
        return Ok(0);
    }
    let ids: Vec<UserId> = without.iter().map(|user| user.id).collect();
    let words_of = |user: &NameFields| {
        let email = user.email.as_deref().map(email_key);
        let words = people_search::words_of(&user.name, user.display_name.as_deref(), email.as_deref());
        (user.id, user.workspace_id, words)
    };
    replace(c, without.iter().map(words_of).collect()).await?;
    c.exec(&DONE, args![&ids]).await?;
    Ok(ids.len())
}
