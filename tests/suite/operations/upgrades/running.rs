//! Migrations on PostgreSQL while other transactions write.

use sqlx::{Connection, PgConnection};
use switchboard::store::{DatabaseUrl, Engine, MigrateError, Migrated, Migrations};
use tokio::task::JoinHandle;

use super::{EXPAND, ONLINE, flag, outside, run, someone_waits};
use crate::support::{postgres, until};

const WRITE: &str = "BEGIN; INSERT INTO server_state (name, value) VALUES ('writer', 1)";

fn with_migration(sql: &str) -> Migrations {
    let known = Migrations::of(Engine::Postgres);
    let version = known.newest() + 1;
    known.with(version, "of this test", sql)
}

fn started(
    database: &postgres::Database,
    migrations: &Migrations,
) -> JoinHandle<Result<Migrated, MigrateError>> {
    let (url, migrations): (DatabaseUrl, _) = (database.url.parse().unwrap(), migrations.clone());
    tokio::spawn(async move { migrations.migrate(&url).await })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_waits_for_a_table_lets_writes_pass() {
    let Some(database) = postgres::database().await else { return };
    let (mut writer, mut other) = (outside(&database).await, outside(&database).await);
    run(&mut writer, WRITE).await;
    let migrations = with_migration(&format!("{EXPAND}ALTER TABLE server_state ADD COLUMN probe BIGINT;"));
    let migrating = started(&database, &migrations);
    until(async || someone_waits(&mut other, "relation", "AccessExclusiveLock").await).await;
    // This statement waits in the lock queue behind the migration. After a timeout the migration stops waiting for its
    // lock. So the statement runs, even though the transaction of the first writer is still open.
    run(&mut other, "INSERT INTO server_state (name, value) VALUES ('other', 1)").await;
    assert!(!migrating.is_finished());
    run(&mut writer, "COMMIT").await;
    assert_eq!(migrating.await.unwrap().unwrap().applied, [migrations.newest()]);
    run(&mut other, "UPDATE server_state SET probe = 1").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_is_built_while_others_write_and_a_second_migration_waits() {
    let Some(database) = postgres::database().await else { return };
    let (mut writer, mut other) = (outside(&database).await, outside(&database).await);
    run(&mut writer, WRITE).await;
    let sql = format!("{ONLINE}CREATE INDEX CONCURRENTLY IF NOT EXISTS probe ON server_state (value);");
    let migrations = with_migration(&sql);
    let first = started(&database, &migrations);
    until(async || someone_waits(&mut other, "virtualxid", "ShareLock").await).await;
    // The index build waits until older snapshots are released, and the second migration waits for the build. So the
    // second migration must hold no snapshot, or there would be a deadlock.
    let second = started(&database, &migrations);
    // the index build does not block other writes
    run(&mut other, "SET lock_timeout = '1ms'; INSERT INTO server_state (name, value) VALUES ('other', 1)")
        .await;
    run(&mut writer, "COMMIT").await;
    let applied =
        [first.await.unwrap().unwrap(), second.await.unwrap().unwrap()].map(|done| done.applied.len());
    assert_eq!(applied.iter().sum::<usize>(), 1, "exactly one of the two calls applies the migration");
    let valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'probe'::regclass";
    assert!(flag(&mut other, valid).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_index_that_was_left_invalid_is_built_again() {
    let Some(database) = postgres::database().await else { return };
    let (mut writer, mut other) = (outside(&database).await, outside(&database).await);
    run(&mut writer, WRITE).await;
    let sql = format!("{ONLINE}CREATE INDEX CONCURRENTLY IF NOT EXISTS probe ON server_state (value);");
    let migrations = with_migration(&sql);
    let interrupted = started(&database, &migrations);
    until(async || someone_waits(&mut other, "virtualxid", "ShareLock").await).await;
    let terminate_build = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'
            AND pid <> pg_backend_pid()";
    run(&mut other, terminate_build).await;
    assert!(matches!(interrupted.await.unwrap(), Err(MigrateError::Failed(_))));
    run(&mut writer, "COMMIT").await;
    let invalid = "SELECT NOT indisvalid FROM pg_index WHERE indexrelid = 'probe'::regclass";
    assert!(flag(&mut other, invalid).await, "PostgreSQL leaves an invalid index behind");

    let done = started(&database, &migrations).await.unwrap().unwrap();
    assert_eq!(done.applied, [migrations.newest()]);
    assert!(!flag(&mut other, invalid).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_may_take_longer_than_the_timeouts_of_the_database() {
    let Some(database) = postgres::database().await else { return };
    let (mut writer, mut other) = (outside(&database).await, outside(&database).await);
    run(&mut writer, WRITE).await;
    run(
        &mut other,
        "DO $$ BEGIN
            EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''1s''', current_database());
            EXECUTE format('ALTER DATABASE %I SET lock_timeout = ''1s''', current_database());
        END $$",
    )
    .await;
    let sql = format!("{ONLINE}CREATE INDEX CONCURRENTLY IF NOT EXISTS probe ON server_state (value);");
    let migrations = with_migration(&sql);
    let migrating = started(&database, &migrations);
    let waits = "SELECT EXISTS (SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE 'CREATE INDEX CONCURRENTLY%' AND state = 'active'
            AND pid <> pg_backend_pid() AND query_start < clock_timestamp() - INTERVAL '1500 milliseconds')";
    until(async || migrating.is_finished() || flag(&mut other, waits).await).await;
    assert!(!migrating.is_finished(), "the timeouts of the database do not cancel a migration");
    run(&mut writer, "COMMIT").await;
    assert_eq!(migrating.await.unwrap().unwrap().applied, [migrations.newest()]);
}

/// Statements of every `StatementKind`.
const STEPS: &str = "
ALTER TABLE server_state ADD COLUMN IF NOT EXISTS probe BIGINT;
-- batched
UPDATE server_state SET probe = 0
WHERE name IN (SELECT name FROM server_state WHERE probe IS NULL ORDER BY name LIMIT 2);
CREATE INDEX CONCURRENTLY IF NOT EXISTS probe ON server_state (probe);
ALTER TABLE server_state DROP CONSTRAINT IF EXISTS probed, ADD CONSTRAINT probed CHECK (probe IS NOT NULL) NOT VALID;
ALTER TABLE server_state VALIDATE CONSTRAINT probed;
DROP INDEX CONCURRENTLY IF EXISTS to_be_dropped;
";

/// Creates triggers that number the commands of a migration, and terminate its session at the command whose number is
/// in `kill_at`. The effect is the same as if the process had been killed at this command.
const KILLER: &str = "
CREATE SEQUENCE commands;
CREATE TABLE kill_at (number BIGINT PRIMARY KEY);
INSERT INTO kill_at VALUES (0);
CREATE FUNCTION count_command() RETURNS BIGINT LANGUAGE plpgsql AS $$
DECLARE number BIGINT := nextval('commands');
BEGIN
    IF number = (SELECT kill_at.number FROM kill_at) THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
    RETURN number;
END $$;
CREATE FUNCTION on_command() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM count_command(); END $$;
CREATE FUNCTION on_write() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM count_command(); RETURN NULL; END $$;
CREATE TRIGGER killer BEFORE UPDATE ON server_state FOR EACH STATEMENT EXECUTE FUNCTION on_write();
CREATE TRIGGER killer BEFORE INSERT ON schema_compatibility FOR EACH STATEMENT EXECUTE FUNCTION on_write();
CREATE TRIGGER killer AFTER INSERT ON _sqlx_migrations FOR EACH STATEMENT EXECUTE FUNCTION on_write();
CREATE EVENT TRIGGER killer_before ON ddl_command_start EXECUTE FUNCTION on_command();
CREATE EVENT TRIGGER killer_after ON ddl_command_end EXECUTE FUNCTION on_command();
";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_goes_on_wherever_it_was_interrupted() {
    let Some(database) = postgres::database().await else { return };
    let mut other = outside(&database).await;
    run(
        &mut other,
        "CREATE INDEX to_be_dropped ON server_state (value);
         INSERT INTO server_state (name, value) SELECT 'row ' || n, n FROM generate_series(1, 5) AS n",
    )
    .await;
    run(&mut other, KILLER).await;
    let migrations = with_migration(&format!("{ONLINE}{STEPS}"));
    let mut interrupted = 0;
    let applied = loop {
        run(&mut other, "SELECT setval('commands', 1, false)").await;
        set_kill(&mut other, interrupted + 1).await;
        match started(&database, &migrations).await.unwrap() {
            Ok(done) => break done.applied,
            Err(MigrateError::Failed(_)) => interrupted += 1,
            Err(other) => panic!("{other}"),
        }
        assert!(interrupted < 100, "the migration must end after some interruptions");
    };
    assert_eq!(applied, [migrations.newest()]);
    // The triggers count the start and the end of each of the five schema statements, and the two inserts that record
    // the migration. The batches and the creation of `_sqlx_migrations` add more.
    assert!(interrupted >= 12, "the migration is interrupted at least 12 times, not {interrupted}");
    let whole = "SELECT (SELECT bool_and(probe = 0) FROM server_state)
        AND (SELECT indisvalid FROM pg_index WHERE indexrelid = 'probe'::regclass)
        AND (SELECT convalidated FROM pg_constraint WHERE conname = 'probed')
        AND to_regclass('to_be_dropped') IS NULL";
    assert!(flag(&mut other, whole).await);
    other.close().await.unwrap();
}

async fn set_kill(connection: &mut PgConnection, number: i64) {
    sqlx::query("UPDATE kill_at SET number = $1").bind(number).execute(connection).await.unwrap();
}
