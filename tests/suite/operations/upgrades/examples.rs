//! Examples of migrations that the rules reject with a certain message, and of migrations that the rules accept.

use switchboard::store::{Engine, Migrations};

use super::rules::violations;
use super::{CONTRACT, CONTRACT_ONLINE, EXPAND, ONLINE};

/// Migrations that the rules reject: the header, the statements, and a part of the expected message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("", "SELECT 1;", "`-- expand` or `-- contract`"),
    ("-- expand\n", "", "`-- oldest compatible: NNNN`"),
    ("-- expand\n-- oldest compatible: 0002\n", "", "must keep the oldest compatible version"),
    ("-- contract\n-- oldest compatible: 0000\n", "", "it must not decrease"),
    ("-- contract\n-- oldest compatible: 0003\n", "", "the version before this migration must work"),
    (EXPAND, "CREATE INDEX i ON messages (id);", "CREATE INDEX blocks writes"),
    (EXPAND, "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON messages (id);", "CREATE INDEX blocks writes"),
    (ONLINE, "CREATE INDEX CONCURRENTLY i ON messages (id);", "CREATE INDEX blocks writes"),
    // the statement does not name the index, so after an interruption no statement could drop the invalid index by name
    (ONLINE, "CREATE INDEX CONCURRENTLY ON messages (id);", "CREATE INDEX blocks writes"),
    // `statements_of` splits the next three texts at the wrong places, so the rules must not accept them
    (EXPAND, "/* /* */ ; */ CREATE TABLE t (id BIGINT);", "is not known to be safe"),
    (EXPAND, "INSERT INTO server_state (name, value) VALUES (E'\\'; ', 1);", "is not known to be safe"),
    (
        EXPAND,
        "INSERT INTO server_state (name, value) VALUES (E'\\'', 1); CREATE TABLE t (id BIGINT);",
        "is not known to be safe",
    ),
    (
        ONLINE,
        "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON messages (id);",
        "a unique index on an existing table",
    ),
    (ONLINE, "DROP INDEX messages_by_id;", "DROP INDEX blocks writes"),
    (EXPAND, "DROP INDEX CONCURRENTLY IF EXISTS messages_by_id;", "DROP INDEX blocks writes"),
    (EXPAND, "ALTER TABLE messages ADD COLUMN made_at BIGINT DEFAULT random();", "rewrites the table"),
    (EXPAND, "ALTER TABLE messages ADD COLUMN weight BIGINT NOT NULL;", "needs a constant default"),
    (
        EXPAND,
        "ALTER TABLE messages ADD COLUMN weight BIGINT CHECK (weight > 0);",
        "a constraint of a new column",
    ),
    (EXPAND, "ALTER TABLE messages ADD COLUMN weight BIGINT UNIQUE;", "a constraint of a new column"),
    (
        EXPAND,
        "ALTER TABLE messages ADD COLUMN u BIGINT REFERENCES users (id);",
        "a constraint of a new column",
    ),
    (ONLINE, "ALTER TABLE messages ADD COLUMN weight BIGINT;", "write ADD COLUMN IF NOT EXISTS"),
    (EXPAND, "ALTER TABLE messages DROP COLUMN text;", "DROP COLUMN breaks the previous version"),
    (EXPAND, "DROP TABLE messages;", "DROP TABLE breaks the previous version"),
    (EXPAND, "CREATE TABLE t (id BIGINT); DROP TABLE t, messages;", "DROP TABLE breaks the previous version"),
    (CONTRACT, "ALTER TABLE messages RENAME COLUMN text TO words;", "renaming breaks the previous version"),
    (CONTRACT, "ALTER TABLE messages RENAME TO words;", "renaming breaks the previous version"),
    (CONTRACT, "ALTER TABLE messages ALTER COLUMN id TYPE TEXT;", "a new type rewrites the table"),
    (CONTRACT, "ALTER TABLE messages ALTER COLUMN text SET NOT NULL;", "SET NOT NULL reads the table"),
    // the validated constraint is about another column
    (
        CONTRACT_ONLINE,
        "ALTER TABLE messages DROP CONSTRAINT IF EXISTS c, ADD CONSTRAINT c CHECK (id IS NOT NULL) NOT VALID;
         ALTER TABLE messages VALIDATE CONSTRAINT c;
         ALTER TABLE messages ALTER COLUMN text SET NOT NULL;",
        "SET NOT NULL reads the table",
    ),
    // the constraint is not validated
    (
        CONTRACT_ONLINE,
        "ALTER TABLE messages DROP CONSTRAINT IF EXISTS c, ADD CONSTRAINT c CHECK (text IS NOT NULL) NOT VALID;
         ALTER TABLE messages ALTER COLUMN text SET NOT NULL;",
        "SET NOT NULL reads the table",
    ),
    (
        EXPAND,
        "ALTER TABLE messages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY;",
        "is not known to be safe",
    ),
    (
        EXPAND,
        "ALTER TABLE messages ALTER COLUMN text DROP NOT NULL;",
        "DROP NOT NULL breaks the previous version",
    ),
    (
        EXPAND,
        "ALTER TABLE messages ALTER COLUMN text DROP DEFAULT;",
        "DROP DEFAULT breaks the previous version",
    ),
    (EXPAND, "ALTER TABLE messages ALTER COLUMN id SET DEFAULT random();", "a default must be a constant"),
    (
        EXPAND,
        "ALTER TABLE messages ADD CONSTRAINT c CHECK (id > 0) NOT VALID;",
        "a constraint on an existing table breaks the previous version",
    ),
    (CONTRACT, "ALTER TABLE messages ADD CONSTRAINT c CHECK (id > 0);", "NOT VALID, then VALIDATE"),
    (
        CONTRACT,
        "ALTER TABLE messages ADD CONSTRAINT f FOREIGN KEY (id) REFERENCES users (id);",
        "NOT VALID, then VALIDATE",
    ),
    (
        CONTRACT,
        "ALTER TABLE messages ADD CONSTRAINT k UNIQUE (id);",
        "creating the index of a key blocks writes",
    ),
    (CONTRACT, "ALTER TABLE messages VALIDATE CONSTRAINT c;", "VALIDATE CONSTRAINT in the transaction"),
    (
        CONTRACT_ONLINE,
        "ALTER TABLE messages ADD CONSTRAINT c CHECK (id > 0) NOT VALID;",
        "DROP CONSTRAINT IF EXISTS name",
    ),
    (ONLINE, "UPDATE messages SET text = '';", "a line `-- batched`"),
    (ONLINE, "-- batched\nUPDATE messages SET text = '';", "a statement with a LIMIT"),
    (EXPAND, "DELETE FROM messages WHERE id = 1;", "a line `-- batched`"),
    (
        EXPAND,
        "-- batched\nDELETE FROM m WHERE id IN (SELECT id FROM m LIMIT 5);",
        "hold their locks until the end of the transaction",
    ),
    (EXPAND, "INSERT INTO messages SELECT * FROM old;", "a line `-- batched`"),
    (EXPAND, "CREATE TABLE copy AS SELECT * FROM messages;", "reads a table in one statement"),
    (EXPAND, "LOCK TABLE messages;", "is not known to be safe"),
    (EXPAND, "VACUUM FULL messages;", "is not known to be safe"),
    (EXPAND, "CLUSTER messages USING messages_pkey;", "is not known to be safe"),
    (EXPAND, "REINDEX TABLE messages;", "is not known to be safe"),
    (EXPAND, "TRUNCATE messages;", "is not known to be safe"),
    (EXPAND, "ALTER TABLE messages SET UNLOGGED;", "is not known to be safe"),
    (
        EXPAND,
        "ALTER TABLE messages ADD COLUMN a BIGINT; ALTER TABLE users ADD COLUMN a BIGINT;",
        "locks several tables (messages, users)",
    ),
];

/// Migrations that the rules accept: the header and the statements.
const ACCEPTED: &[(&str, &str)] = &[
    (EXPAND, "CREATE TABLE t (id BIGINT PRIMARY KEY, a BIGINT NOT NULL); CREATE UNIQUE INDEX i ON t (a);"),
    // the previous version does not use a table that this migration creates
    (EXPAND, "CREATE TABLE t (id BIGINT PRIMARY KEY); DROP TABLE t;"),
    (EXPAND, "INSERT INTO server_state (name, value) VALUES ('a', 1);"),
    (EXPAND, "ALTER TABLE messages ADD COLUMN weight BIGINT NOT NULL DEFAULT -1, ADD COLUMN note TEXT;"),
    (EXPAND, "ALTER TABLE messages SET (fillfactor = 80);"),
    (EXPAND, "ALTER TABLE messages ALTER COLUMN text SET DEFAULT '';"),
    (ONLINE, "CREATE INDEX CONCURRENTLY IF NOT EXISTS i ON messages (id) WHERE text IS NULL;"),
    (ONLINE, "DROP INDEX CONCURRENTLY IF EXISTS messages_by_id;"),
    (
        ONLINE,
        "CREATE TABLE IF NOT EXISTS t (id BIGINT PRIMARY KEY);
         -- batched
         INSERT INTO t SELECT id FROM messages WHERE id > 0 ORDER BY id LIMIT 1000 ON CONFLICT DO NOTHING;",
    ),
    // no other session uses a new table, so CREATE INDEX may block writes to it
    (
        ONLINE,
        "CREATE TABLE IF NOT EXISTS t (id BIGINT PRIMARY KEY, a BIGINT NOT NULL);
         -- batched
         INSERT INTO t SELECT id, 1 FROM messages WHERE id > 0 ORDER BY id LIMIT 1000 ON CONFLICT DO NOTHING;
         CREATE INDEX IF NOT EXISTS i ON t (a);",
    ),
    (CONTRACT, "ALTER TABLE messages DROP COLUMN text;"),
    (CONTRACT, "DROP TABLE user_words;"),
    (
        CONTRACT_ONLINE,
        "ALTER TABLE messages DROP CONSTRAINT IF EXISTS c, ADD CONSTRAINT c CHECK (text IS NOT NULL) NOT VALID;
         ALTER TABLE messages VALIDATE CONSTRAINT c;
         ALTER TABLE messages ALTER COLUMN text SET NOT NULL;
         ALTER TABLE messages DROP CONSTRAINT IF EXISTS c;",
    ),
];

/// Returns the violations of migration 3 with this text, after migrations 1 and 2, which are both released.
fn violations_of(engine: Engine, sql: &str) -> Vec<String> {
    let before = Migrations::default().with(1, "init", "").with(2, "two", EXPAND);
    let migrations = before.clone().with(3, "example", sql);
    violations(engine, &before, migrations.get(3).unwrap(), 2)
}

#[test]
fn unsafe_migrations_are_refused_with_a_reason() {
    for (header, sql, sentence) in REFUSED {
        let wrong = violations_of(Engine::Postgres, &format!("{header}{sql}"));
        assert!(wrong.iter().any(|it| it.contains(sentence)), "{header}{sql}\n{sentence}: {wrong:#?}");
    }
}

#[test]
fn safe_migrations_are_accepted() {
    for (header, sql) in ACCEPTED {
        let wrong = violations_of(Engine::Postgres, &format!("{header}{sql}"));
        assert!(wrong.is_empty(), "{header}{sql}\n{wrong:#?}");
    }
}

/// On SQLite no other process writes during a migration. So statements that block writes on PostgreSQL are accepted.
#[test]
fn on_sqlite_blocking_statements_are_accepted_and_breaking_statements_refused() {
    for (header, sql, sentence) in [
        (EXPAND, "DROP TABLE messages;", "DROP TABLE breaks the previous version"),
        (EXPAND, "ALTER TABLE messages DROP COLUMN text;", "DROP COLUMN breaks the previous version"),
        (EXPAND, "ALTER TABLE messages RENAME COLUMN text TO words;", "renaming breaks"),
        (EXPAND, "ALTER TABLE messages ADD COLUMN a INTEGER NOT NULL;", "needs a constant default"),
        (ONLINE, "CREATE INDEX i ON messages (id);", "SQLite always migrates in a transaction"),
    ] {
        let wrong = violations_of(Engine::Sqlite, &format!("{header}{sql}"));
        assert!(wrong.iter().any(|it| it.contains(sentence)), "{header}{sql}\n{sentence}: {wrong:#?}");
    }
    for (header, sql) in [
        (
            EXPAND,
            "CREATE INDEX i ON messages (id); DROP INDEX i; UPDATE messages SET text = '' WHERE id = 1;",
        ),
        (EXPAND, "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; INSERT INTO t SELECT id FROM messages;"),
        (
            CONTRACT,
            "CREATE TABLE t (id INTEGER) STRICT; DROP TABLE messages; ALTER TABLE t RENAME TO messages;",
        ),
    ] {
        let wrong = violations_of(Engine::Sqlite, &format!("{header}{sql}"));
        assert!(wrong.is_empty(), "{header}{sql}\n{wrong:#?}");
    }
}

/// The last release must work on the schema after every later migration. Here the last release knows only migration 1,
/// and migration 3 requires a program that knows migration 2.
#[test]
fn a_contraction_that_breaks_the_last_release_is_refused() {
    let before = Migrations::default().with(1, "init", "").with(2, "two", EXPAND);
    let migrations = before.clone().with(3, "example", CONTRACT);
    let wrong = violations(Engine::Postgres, &before, migrations.get(3).unwrap(), 1);
    assert!(wrong.iter().any(|it| it.contains("the last release must work on the new schema")), "{wrong:#?}");
}
