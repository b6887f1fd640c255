//! Every statement is declared with the type that its text requires: `Query`, `LockingQuery` or `Command`. A `Command`
//! is declared with `invalidates_token_cache` if and only if it writes one of [`TOKEN_CACHE_TABLES`].

use switchboard::store::{Effect, Stmt, TOKEN_CACHE_TABLES};

use super::statements::all_statements;

/// Returns the words of a statement in upper case, without the contents of its strings and comments.
fn words(sql: &str) -> Vec<String> {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let outside = text.split('\'').step_by(2).collect::<Vec<_>>().join(" ");
    let words = outside.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty());
    words.map(str::to_uppercase).collect()
}

/// Returns the effect of the text of a statement, including its `WITH` parts: if one of them deletes rows, the effect
/// is a change.
fn effect(sql: &str, token_cache_tables: &[&str]) -> Effect {
    let words = words(sql);
    let before = |at: usize, back: usize| at.checked_sub(back).map_or("", |at| words[at].as_str());
    let is_change = |at: usize| match words[at].as_str() {
        "INSERT" | "DELETE" => true,
        // without `INTO`, `REPLACE(…)` is a function
        "REPLACE" => words.get(at + 1).is_some_and(|next| next == "INTO"),
        // `FOR UPDATE` and `FOR NO KEY UPDATE` lock rows and do not change them
        "UPDATE" => !matches!(before(at, 1), "FOR" | "KEY"),
        _ => false,
    };
    if (0..words.len()).any(is_change) {
        // the forms `INTO t`, `UPDATE t`, `UPDATE OR IGNORE t` and `DELETE FROM t`
        let is_written = |at: usize| {
            before(at, 1) == "INTO"
                || before(at, 1) == "UPDATE"
                || (before(at, 2) == "OR" && before(at, 3) == "UPDATE")
                || (before(at, 1) == "FROM" && before(at, 2) == "DELETE")
        };
        let is_cached = |word: &str| token_cache_tables.iter().any(|table| table.eq_ignore_ascii_case(word));
        let invalidates_token_cache = (0..words.len()).any(|at| is_cached(&words[at]) && is_written(at));
        return Effect::Changes { invalidates_token_cache };
    }
    let has_row_lock =
        (1..words.len()).any(|at| words[at] == "UPDATE" && matches!(before(at, 1), "FOR" | "KEY"));
    let has_advisory_lock = words.iter().any(|word| word.starts_with("PG_") && word.contains("ADVISORY"));
    if has_row_lock || has_advisory_lock { Effect::Locks } else { Effect::None }
}

#[test]
fn every_statement_is_declared_with_the_type_of_its_effect() {
    for statement in all_statements() {
        let Stmt { name, sqlite, postgres, .. } = statement;
        let does = effect(postgres, &TOKEN_CACHE_TABLES);
        assert_eq!(
            statement.effect, does,
            "{name} must be declared with the effect of its text for PostgreSQL"
        );
        // The text for SQLite may have no effect in two cases:
        // - The statement only locks. SQLite has neither row locks nor advisory locks.
        // - Only PostgreSQL needs the statement. Then the text for SQLite only selects its parameters: `SELECT $1`.
        let on_sqlite = effect(sqlite, &TOKEN_CACHE_TABLES);
        let may_do_nothing = does == Effect::Locks || !words(sqlite).iter().any(|word| word == "FROM");
        let is_same = on_sqlite == does || (may_do_nothing && on_sqlite == Effect::None);
        assert!(is_same, "{name} must have the same effect on SQLite, but its text has {on_sqlite:?}");
    }
}

#[test]
fn the_effect_of_a_text_is_recognized() {
    let changes = |invalidates_token_cache| Effect::Changes { invalidates_token_cache };
    for (text, does) in [
        ("SELECT updated, inserted FROM t WHERE deleted_at IS NULL", Effect::None),
        ("SELECT 'DELETE FROM t' FROM installations -- UPDATE", Effect::None),
        ("SELECT id FROM t FOR UPDATE", Effect::Locks),
        ("SELECT id FROM installations FOR NO KEY UPDATE", Effect::Locks),
        ("SELECT pg_advisory_xact_lock($1)", Effect::Locks),
        ("INSERT INTO t (id) VALUES ($1) ON CONFLICT (id) DO NOTHING", changes(false)),
        ("update t set a = 1", changes(false)),
        ("REPLACE INTO t VALUES (1)", changes(false)),
        ("DELETE FROM t WHERE id = ANY(ARRAY(SELECT id FROM t FOR UPDATE))", changes(false)),
        ("WITH old AS (DELETE FROM t RETURNING id) SELECT id FROM old", changes(false)),
        ("DELETE FROM events WHERE id IN (SELECT id FROM installations)", changes(false)),
        ("UPDATE users SET x = (SELECT 1 FROM installations)", changes(false)),
        ("INSERT INTO former_installations SELECT * FROM installations", changes(false)),
        ("INSERT INTO installations (id) VALUES ($1)", changes(true)),
        ("insert or replace into installations values (1)", changes(true)),
        ("UPDATE installations SET connected = 0", changes(true)),
        ("UPDATE OR IGNORE installations SET connected = 0", changes(true)),
        ("WITH old AS (SELECT 1) DELETE FROM installations WHERE id IN old", changes(true)),
    ] {
        assert_eq!(effect(text, &TOKEN_CACHE_TABLES), does, "{text}");
    }
}
