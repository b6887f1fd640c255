//! Databases that a newer version of the program has migrated. The tests show which programs of older versions, and
//! which of their commands, work on such databases. They also show how a migration waits for `switchboard move`,
//! repeats a batched statement, and records its oldest compatible version.

use std::process::Command;

use serde_json::{Value, json};
use switchboard::{
    platform::clock::Clock,
    store::{
        DatabaseUrl, Engine, MigrateError, Migrated, Migrations, Newer, inspect, migrate, pending,
        transfer::{Database, Isolation, Mark, TransferLock},
    },
};

use super::EXPAND;
use crate::support::{both_engines, database::TestDatabase, postgres, server::START, until};

/// Returns the migrations of a newer version of the program: all migrations of this version, and one more with this
/// SQL.
fn newer(engine: Engine, sql: &str) -> Migrations {
    let version = Migrations::of(engine).newest() + 1;
    Migrations::of(engine).with(version, "of tomorrow", sql)
}

async fn database(engine: Engine) -> Option<TestDatabase> {
    TestDatabase::new(engine).await
}

#[both_engines]
async fn a_program_works_on_a_schema_that_was_only_expanded(engine: Engine) -> Option<()> {
    let database = database(engine).await?;
    let tomorrow = newer(engine, &format!("{EXPAND}CREATE TABLE tomorrow (id BIGINT PRIMARY KEY);"));
    let (known, found) = (tomorrow.newest() - 1, tomorrow.newest());
    let migrated = tomorrow.migrate(&database.url).await.unwrap();
    assert_eq!(migrated, Migrated { applied: vec![found], newer: None });

    let ahead = Some(Newer { found, known, oldest_compatible: 1 });
    assert_eq!(inspect(&database.url).await.unwrap().newer, ahead);
    let nothing = Migrated { applied: vec![], newer: ahead };
    assert_eq!(migrate(&database.url).await.unwrap(), nothing, "a newer database is not changed");
    // `pending` fails, because it is used by commands that copy rows, and these commands must know every table
    assert_eq!(pending(&database.url).await, Err(MigrateError::Newer { found, known }));
    database.open().await.close().await.unwrap();
    Some(())
}

#[both_engines]
async fn a_program_refuses_an_incompatible_schema(engine: Engine) -> Option<()> {
    let database = database(engine).await?;
    let version = Migrations::of(engine).newest() + 1;
    let header = format!("-- contract\n-- oldest compatible: {version:04}\n");
    let tomorrow = newer(engine, &format!("{header}DROP TABLE user_words;"));
    tomorrow.migrate(&database.url).await.unwrap();
    let error = MigrateError::TooNew { found: version, known: version - 1, oldest_compatible: version };
    let sentence = error.to_string();
    let refused = Err(error);
    assert_eq!(migrate(&database.url).await.map(drop), refused);
    assert_eq!(inspect(&database.url).await.map(drop), refused);
    assert_eq!(pending(&database.url).await.map(drop), refused);
    let says = format!("needs a version of the server that knows migration {version} or later");
    assert!(sentence.contains(&says), "{sentence}");
    Some(())
}

/// While `switchboard move` copies a database, and after it has finished, a migration does not change the schema of
/// this database.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_waits_for_a_move_and_refuses_the_moved_database() {
    let Some(database) = database(Engine::Postgres).await else { return };
    let mut lock = TransferLock::acquire(&database.url, &Clock::system()).await.unwrap();
    lock.keep_schema().await.unwrap();
    let tomorrow =
        newer(Engine::Postgres, &format!("{EXPAND}CREATE TABLE tomorrow (id BIGINT PRIMARY KEY);"));
    let url = database.url.clone();
    let migrating = tokio::spawn(async move { tomorrow.migrate(&url).await });
    // Counts the sessions whose last statement tried to take a lock. If the migration waits, there are two: the session
    // of the move and the session of the migration.
    let polling = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'SELECT pg_try_advisory_lock(%'";
    let mut outside = database.outside().await;
    let is_polling = async |outside: &mut sqlx::PgConnection| {
        sqlx::query_scalar::<_, i64>(polling).fetch_one(outside).await.unwrap() == 2
    };
    until(async || migrating.is_finished() || is_polling(&mut outside).await).await;
    assert!(!migrating.is_finished(), "the migration waits for the move");
    let mut source = Database::open(&database.url, Isolation::Exclusive).await.unwrap();
    source.set_mark(&Mark::Moved { at: START, to: "sqlite:///elsewhere.db".to_owned() }).await.unwrap();
    source.close().await;
    drop(lock);
    let refused = migrating.await.unwrap().unwrap_err().to_string();
    assert!(refused.contains("this database was moved to another one"), "{refused}");
    let is_migrated: bool = sqlx::query_scalar("SELECT to_regclass('tomorrow') IS NOT NULL")
        .fetch_one(&mut outside)
        .await
        .unwrap();
    assert!(!is_migrated);
}

#[both_engines]
async fn every_migration_records_its_oldest_compatible_version(engine: Engine) -> Option<()> {
    let database = database(engine).await?;
    let expected: Vec<_> = Migrations::of(engine)
        .iter()
        .map(|migration| (migration.version, migration.header.oldest_compatible))
        .collect();
    assert_eq!(recorded(&database).await, expected);
    Some(())
}

#[both_engines]
async fn a_batched_statement_is_repeated_until_it_changes_nothing(engine: Engine) -> Option<()> {
    let database = database(engine).await?;
    let rows = "INSERT INTO server_state (name, value) VALUES ('a', 1), ('b', 1), ('c', 1), ('d', 2)";
    database.execute(rows).await;
    let transaction = if engine == Engine::Postgres { "-- no-transaction\n" } else { "" };
    let sql = format!(
        "{transaction}{EXPAND}
         -- batched
         UPDATE server_state SET value = 3 WHERE name IN (SELECT name FROM server_state WHERE value = 1 LIMIT 2);"
    );
    newer(engine, &sql).migrate(&database.url).await.unwrap();
    // if a row still has the value 1, this statement fails because of a duplicate name
    let wrong = "INSERT INTO server_state (name, value)
        SELECT 'a', COUNT(*) FROM server_state WHERE value = 1 HAVING COUNT(*) > 0";
    database.execute(wrong).await;
    Some(())
}

async fn recorded(database: &TestDatabase) -> Vec<(i64, i64)> {
    const LIST: &str = "SELECT version, oldest_compatible FROM schema_compatibility ORDER BY version";
    match &database.url {
        DatabaseUrl::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            let mut list = connection.prepare(LIST).unwrap();
            let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            rows.map(Result::unwrap).collect()
        }
        DatabaseUrl::Postgres(_) => {
            sqlx::query_as(LIST).fetch_all(&mut database.outside().await).await.unwrap()
        }
    }
}

/// A contraction is a migration that removes something which older programs need. Its oldest compatible version is
/// recorded before it runs. If the contraction then fails, older programs refuse the database, and the newer program
/// can migrate the database again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn older_programs_refuse_a_database_whose_contraction_has_failed() {
    let Some(database) = postgres::database().await else { return };
    let url: DatabaseUrl = database.url.parse().unwrap();
    let version = Migrations::of(Engine::Postgres).newest() + 1;
    let header = format!("-- contract\n-- oldest compatible: {version:04}\n");
    let broken = newer(Engine::Postgres, &format!("{header}DROP TABLE no_such_table;"));
    assert!(matches!(broken.migrate(&url).await, Err(MigrateError::Failed(_))));
    assert!(matches!(inspect(&url).await, Err(MigrateError::TooNew { .. })));
    let corrected = newer(Engine::Postgres, &format!("{header}DROP TABLE user_words;"));
    assert_eq!(corrected.migrate(&url).await.unwrap().applied, [version]);
}

/// On a newer, compatible schema `migrate` changes nothing and reports the newer version. `backup` is refused, because
/// its copy would lack a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_commands_say_that_the_database_is_newer() {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("sqlite://{}", folder.path().join("data.db").display());
    let tomorrow = newer(Engine::Sqlite, &format!("{EXPAND}CREATE TABLE tomorrow (id BIGINT PRIMARY KEY);"));
    tomorrow.migrate(&text.parse().unwrap()).await.unwrap();
    let command = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.env_clear().env("SWITCHBOARD_ENVIRONMENT", "sandbox").env("SWITCHBOARD_DATABASE_URL", &text);
        command.current_dir(folder.path());
        command.args(arguments).arg("--json").output().unwrap()
    };
    let migrated = command(&["migrate"]);
    let answer: Value = serde_json::from_slice(&migrated.stdout).expect("an answer in JSON");
    assert_eq!(answer, json!({"ok": true, "applied": [], "newer": tomorrow.newest()}));
    let backup = command(&["backup", "copy"]);
    let said = String::from_utf8(backup.stderr).unwrap();
    assert!(said.contains("backup, restore and move need the version that migrated the database"), "{said}");
    assert!(!backup.status.success() && !folder.path().join("copy").exists());
}

/// The error of a failed migration has the number and the name of the migration, and the message of the database. The
/// error does not have the SQL text of the migration, which can have hundreds of lines.
#[both_engines]
async fn a_failed_migration_is_reported_in_one_line(engine: Engine) -> Option<()> {
    let database = database(engine).await?;
    let tomorrow = newer(engine, &format!("{EXPAND}CREATE TABLE users (\n  id BIGINT PRIMARY KEY\n);"));
    let failure = tomorrow.migrate(&database.url).await.unwrap_err().to_string();
    let number_and_name = format!("{}_of tomorrow: ", tomorrow.newest());
    assert!(failure.contains(&number_and_name) && failure.contains("already exists"), "{failure}");
    assert!(!failure.contains('\n') && !failure.contains("PRIMARY KEY"), "{failure}");
    Some(())
}
