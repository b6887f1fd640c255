//! Fuzzes search queries: SQLite's full-text index accepts every query, and finds exactly the messages to which
//! [`SearchQuery::score`] gives a score. Also fuzzes the search for people.
//!
//! The first line of an input is the query. The rest is the text of a message.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use rusqlite::Connection;
use switchboard::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        people::email_key,
        people_search::{MAX_PREFIXES, search_prefixes, words_of},
        search::{MAX_PARTS, QueryPart, SearchQuery, words},
    },
    store::{
        Engine,
        candidates::{IndexQuery, expression},
    },
};
use switchboard_fuzz::first_line;

/// The same definition as in `migrations/sqlite`.
const TABLE: &str = "CREATE VIRTUAL TABLE message_index USING fts5 (
  words, tags, content = '', contentless_delete = 1, tokenize = 'ascii'
)";

thread_local! {
    static INDEX: Connection = {
        let index = Connection::open_in_memory().expect("a database in memory");
        index.execute(TABLE, []).expect("a table");
        index
    };
}

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((asked, text)) = first_line(input) else { return Corpus::Reject };
    let Ok(text) = std::str::from_utf8(text) else { return Corpus::Reject };
    // the maximum length of a message
    let text: String = text.chars().take(4_000).collect();
    check_people(asked, &text);
    for word in words(&text) {
        assert_eq!(words(&word), [word.clone()], "a word is not split further");
        assert!(word.len() <= 256 && !word.contains([' ', '\'', '"', '\\', '\0']), "{word}");
    }
    let Some(query) = SearchQuery::parse(asked) else { return Corpus::Keep };
    assert!((1..=MAX_PARTS).contains(&query.parts.len()));
    let spelled = SearchQuery::parse(&query.canonical()).expect("a canonical form is a valid query");
    assert_eq!(spelled.canonical(), query.canonical(), "the canonical form of a canonical form is the same");
    check_postgres(&query);
    INDEX.with(|index| check_sqlite(index, &query, &text));
    Corpus::Keep
});

fn check_sqlite(index: &Connection, query: &SearchQuery, text: &str) {
    // the message is in conversation 1, and its sender is user 2
    let tags = "c1 u2";
    let indexed = words(text).join(" ");
    index
        .prepare_cached("INSERT INTO message_index (rowid, words, tags) VALUES (1, ?1, ?2)")
        .and_then(|mut insert| insert.execute([&*indexed, tags]))
        .expect("a message is indexed");
    let find = |wanted: &IndexQuery<'_>| -> bool {
        let mut select = index
            .prepare_cached("SELECT COUNT(*) FROM message_index WHERE message_index MATCH ?1")
            .expect("a statement");
        let count: i64 = select
            .query_row([expression(Engine::Sqlite, wanted)], |row| row.get(0))
            .expect("SQLite accepts the query");
        count == 1
    };
    let anywhere = IndexQuery { query, conversations: &[], sender: None, from: MessageId(0) };
    let here = [ConversationId(1), ConversationId(7)];
    let there = [ConversationId(7)];
    let found = find(&anywhere);
    assert_eq!(found, query.score(text).is_some(), "{:?} in {indexed:?}", query.canonical());
    assert_eq!(
        find(&IndexQuery { conversations: &here, sender: Some(UserId(2)), ..anywhere.clone() }),
        found
    );
    assert!(!find(&IndexQuery { conversations: &there, ..anywhere.clone() }));
    assert!(!find(&IndexQuery { sender: Some(UserId(3)), ..anywhere }));
    index
        .prepare_cached("DELETE FROM message_index WHERE rowid = 1")
        .and_then(|mut delete| delete.execute([]))
        .expect("a message is deleted from the index");
}

/// Checks the syntax of the search expression for PostgreSQL, without a PostgreSQL server. The expression must consist
/// of operators and of quoted words that need no escapes.
fn check_postgres(query: &SearchQuery) {
    let wanted = IndexQuery { query, conversations: &[], sender: None, from: MessageId(0) };
    let text = expression(Engine::Postgres, &wanted);
    assert!(!text.contains('\\') && text.matches('\'').count() % 2 == 0, "{text}");
    for (at, outside) in text.split('\'').enumerate() {
        let is_operator = |c: char| " &|()<->:*".contains(c);
        assert!(at % 2 == 1 || outside.chars().all(is_operator), "{text}");
    }
    for part in &query.parts {
        let words = match part {
            QueryPart::Word(word) | QueryPart::Prefix(word) => std::slice::from_ref(word),
            QueryPart::Phrase(words) => words,
        };
        // PostgreSQL rejects a query with a word of more than 2,046 bytes
        assert!(words.iter().all(|word| (1..=2_046).contains(&word.len())));
    }
}

fn check_people(asked: &str, name: &str) {
    let prefixes = search_prefixes(asked);
    assert!(
        prefixes.len() <= MAX_PREFIXES && prefixes.iter().all(|word| (1..=128).contains(&word.len())),
        "{prefixes:?}"
    );
    let key = email_key(asked);
    assert_eq!(email_key(&key), key, "the e-mail key of an e-mail key is the same");
    let words = words_of(name, Some(asked), Some(&key));
    assert!(words.iter().all(|word| (1..=128).contains(&word.len()) && !word.contains('\0')), "{words:?}");
    assert!(words.is_sorted(), "{words:?}");
}
