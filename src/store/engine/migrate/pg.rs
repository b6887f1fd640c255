//! Migrations on PostgreSQL. They run while nodes serve.
//!
//! Only one process migrates at a time: the process that holds an advisory lock. The other processes try repeatedly to
//! take the lock with `pg_try_advisory_lock`. They do not wait in `pg_advisory_lock`, because a session that waits
//! there holds a snapshot. `CREATE INDEX CONCURRENTLY` waits until all older snapshots are released, so there would be
//! a deadlock.
//!
//! While a statement waits for the lock of a table, later queries of the table wait behind the statement. So a
//! statement that has waited for [`LOCK_TIMEOUT`] fails, and is retried later.

use std::time::{Duration, Instant};

use super::script::{Statement, StatementKind, statements_of};
use super::set::{Migration, Migrations};
use super::{Applied, MigrateError, Migrated, Result, WAIT, compare, failed};
use crate::store::engine::pg::{LongSession, NODE_LOCK_CLASS, NODE_VALIDITY, class_of};
use crate::store::engine::url::PostgresUrl;

/// How long a statement of a migration waits for the lock of a table. The queries that wait behind the statement wait
/// at most as long.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);

/// The pause between two attempts to lock a table. The pause is longer than an attempt, so that other queries of the
/// table can run most of the time.
const PAUSE: Duration = Duration::from_secs(2);

/// The pause between two attempts to take the migration lock.
const POLL: Duration = Duration::from_millis(200);

/// The second key of the migration lock. The first key is the same as for the locks of node numbers, whose second keys
/// are 0 or higher. A move or restore of the whole database also takes the migration lock, so it never runs during a
/// migration.
pub(in crate::store) const LOCK_KEY: i32 = -1;

/// The table of applied migrations. It has the form that sqlx creates, because earlier versions of the server used sqlx
/// for migrations.
const CREATE_APPLIED: &str = "CREATE TABLE IF NOT EXISTS _sqlx_migrations (
    version BIGINT PRIMARY KEY,
    description TEXT NOT NULL,
    installed_on TIMESTAMPTZ NOT NULL DEFAULT now(),
    success BOOLEAN NOT NULL,
    checksum BYTEA NOT NULL,
    execution_time BIGINT NOT NULL
)";
const LOCK: &str = "SELECT pg_try_advisory_lock($1, $2)";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1, $2)";
const EXISTS: &str = "SELECT to_regclass($1) IS NOT NULL";
const IS_MOVED: &str = "SELECT EXISTS (SELECT 1 FROM server_state WHERE name = 'moved')";
const RECORD: &str = "INSERT INTO schema_compatibility (version, oldest_compatible) VALUES ($1, $2)
    ON CONFLICT (version) DO UPDATE SET oldest_compatible = excluded.oldest_compatible";
const APPLY: &str = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
    VALUES ($1, $2, TRUE, $3, $4)";
const INVALID: &str = "SELECT EXISTS (SELECT 1 FROM pg_index
    WHERE indexrelid = to_regclass($1) AND NOT (indisvalid AND indisready))";

/// Returns the migrations that were applied to a database. Changes nothing.
pub(super) async fn applied_at(url: &PostgresUrl) -> Result<Applied> {
    let mut session = LongSession::open(url).await?;
    let applied = applied(&mut session).await;
    session.close().await;
    applied
}

async fn applied(session: &mut LongSession) -> Result<Applied> {
    read(session).await.map_err(|error| class_of(&error).into())
}

async fn read(session: &mut LongSession) -> sqlx::Result<Applied> {
    let mut applied = Applied::default();
    if scalar(session, sqlx::query_as(EXISTS).bind("_sqlx_migrations")).await? {
        let rows = sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations");
        let rows: Vec<(i64, Vec<u8>)> = session.watch.guard(rows.fetch_all(&mut session.connection)).await?;
        applied.checksums = rows.into_iter().collect();
    }
    if scalar(session, sqlx::query_as(EXISTS).bind("schema_compatibility")).await? {
        let rows = sqlx::query_as("SELECT version, oldest_compatible FROM schema_compatibility");
        let rows: Vec<(i64, i64)> = session.watch.guard(rows.fetch_all(&mut session.connection)).await?;
        applied.oldest_compatible = rows.into_iter().collect();
    }
    Ok(applied)
}

type BoolQuery<'q> = sqlx::query::QueryAs<'q, sqlx::Postgres, (bool,), sqlx::postgres::PgArguments>;

async fn scalar(session: &mut LongSession, query: BoolQuery<'_>) -> sqlx::Result<bool> {
    session.watch.guard(query.fetch_one(&mut session.connection)).await.map(|(flag,)| flag)
}

/// Applies the missing migrations.
pub(super) async fn migrate(url: &PostgresUrl, migrations: &Migrations) -> Result<Migrated> {
    let mut session = LongSession::open(url).await?;
    let migrated = run(&mut session, migrations).await;
    // closing the session releases the migration lock, whatever the result is
    session.close().await;
    migrated
}

async fn run(session: &mut LongSession, migrations: &Migrations) -> Result<Migrated> {
    let end = Instant::now() + WAIT;
    loop {
        let schema = compare(migrations, &applied(session).await?)?;
        if schema.missing.is_empty() {
            return Ok(Migrated { applied: Vec::new(), newer: schema.newer });
        }
        let lock = sqlx::query_as(LOCK).bind(NODE_LOCK_CLASS).bind(LOCK_KEY);
        if scalar(session, lock).await.map_err(|error| class_of(&error))? {
            break;
        }
        if Instant::now() >= end {
            let why = format!(
                "another process has been migrating, moving or restoring this database for more than {} s: wait for it to \
                 finish, then start again",
                WAIT.as_secs()
            );
            return Err(MigrateError::Failed(why));
        }
        tokio::time::sleep(POLL).await;
    }
    let done = run_locked(session, migrations).await;
    let unlock = sqlx::query(UNLOCK).bind(NODE_LOCK_CLASS).bind(LOCK_KEY);
    // if this fails, the lock is released when the connection is closed
    let _ = session.watch.guard(unlock.execute(&mut session.connection)).await;
    done
}

async fn run_locked(session: &mut LongSession, migrations: &Migrations) -> Result<Migrated> {
    session.remove_timeouts().await.map_err(|error| class_of(&error))?;
    run_sql(session, CREATE_APPLIED).await.map_err(failed)?;
    refuse_moved(session).await?;
    let before = applied(session).await?;
    // compared again, because another process can have applied the migrations in the meantime
    let schema = compare(migrations, &before)?;
    // `floor` is the highest migration that an applied migration requires nodes to know, so all running nodes know it.
    // A migration that was announced (see `announce`) but not applied does not count, because its announcement was
    // possibly interrupted during the wait. So it is announced again.
    let mut floor = before.oldest_compatible_applied();
    for version in &schema.missing {
        let Some(migration) = migrations.get(*version) else { continue };
        let wanted = migration.header.oldest_compatible;
        if wanted > floor && !before.checksums.is_empty() {
            announce(session, migration).await.map_err(failed)?;
        }
        floor = floor.max(wanted);
        let begun = Instant::now();
        tracing::info!(version, name = %migration.name, "applying a migration");
        apply(session, migration)
            .await
            .map_err(|error| failed(format!("{version}_{}: {error}", migration.name)))?;
        tracing::info!(version, elapsed_ms = begun.elapsed().as_millis(), "applied a migration");
    }
    Ok(Migrated { applied: schema.missing, newer: schema.newer })
}

/// Fails if the data of the database was moved to another database. This is checked under the migration lock, because
/// the move can have happened while this process waited for the lock.
async fn refuse_moved(session: &mut LongSession) -> Result<()> {
    if is_moved(session).await.map_err(|error| class_of(&error))? {
        let why =
            "this database was moved to another one in the meantime: set `database.url` to the new database";
        return Err(MigrateError::Failed(why.to_owned()));
    }
    Ok(())
}

async fn is_moved(session: &mut LongSession) -> sqlx::Result<bool> {
    let has_table = sqlx::query_as(EXISTS).bind("server_state");
    Ok(scalar(session, has_table).await? && scalar(session, sqlx::query_as(IS_MOVED)).await?)
}

/// Announces a migration: records its oldest compatible migration before the migration runs, and waits until all
/// running nodes have read the record. A node reads the record when it confirms its node number, and stops serving if
/// it does not know the recorded migration.
async fn announce(session: &mut LongSession, migration: &Migration) -> sqlx::Result<()> {
    record_compatibility(session, migration).await?;
    tracing::warn!(
        version = migration.version,
        oldest_compatible = migration.header.oldest_compatible,
        "nodes that do not know the oldest compatible migration stop serving now"
    );
    // waits even if no node has a node number now, because a node that has lost its database session can continue to
    // serve for this time
    tokio::time::sleep(NODE_VALIDITY).await;
    Ok(())
}

async fn record_compatibility(session: &mut LongSession, migration: &Migration) -> sqlx::Result<()> {
    let record = sqlx::query(RECORD).bind(migration.version).bind(migration.header.oldest_compatible);
    session.watch.guard(record.execute(&mut session.connection)).await.map(drop)
}

async fn apply(session: &mut LongSession, migration: &Migration) -> sqlx::Result<()> {
    let begun = Instant::now();
    set_lock_timeout(session, LOCK_TIMEOUT).await?;
    if !migration.in_transaction {
        for statement in statements_of(&migration.sql) {
            run_statement(session, &statement).await?;
        }
    }
    with_retries(session, LockingWork::Transaction(migration, begun)).await?;
    set_lock_timeout(session, Duration::ZERO).await
}

/// Records that a migration was applied.
async fn record_applied(
    session: &mut LongSession,
    migration: &Migration,
    begun: Instant,
) -> sqlx::Result<()> {
    record_compatibility(session, migration).await?;
    let took = i64::try_from(begun.elapsed().as_nanos()).unwrap_or(i64::MAX);
    let apply = sqlx::query(APPLY).bind(migration.version).bind(&*migration.name);
    let apply = apply.bind(&*migration.checksum).bind(took);
    session.watch.guard(apply.execute(&mut session.connection)).await.map(drop)
}

/// Runs one statement of a migration that does not run in a transaction. If an earlier run of the migration was
/// interrupted, the statement has possibly been run already, so it must be repeatable.
async fn run_statement(session: &mut LongSession, statement: &Statement) -> sqlx::Result<()> {
    match &statement.kind {
        StatementKind::Plain => with_retries(session, LockingWork::Statement(&statement.sql)).await.map(drop),
        StatementKind::Batched => {
            while with_retries(session, LockingWork::Statement(&statement.sql)).await? > 0 {}
            Ok(())
        }
        StatementKind::BuildIndex(name) => {
            let invalid = sqlx::query_as(INVALID).bind(name);
            if scalar(session, invalid).await? {
                tracing::warn!(index = name, "dropping an index that an interrupted migration left invalid");
                concurrently(session, &format!("DROP INDEX CONCURRENTLY {name}")).await?;
            }
            concurrently(session, &statement.sql).await
        }
        StatementKind::Concurrent => concurrently(session, &statement.sql).await,
    }
}

/// Runs a statement with `CONCURRENTLY`. Such a statement waits for all older transactions, however long they take, but
/// does not block reads and writes. So it has no lock timeout.
async fn concurrently(session: &mut LongSession, sql: &str) -> sqlx::Result<()> {
    set_lock_timeout(session, Duration::ZERO).await?;
    run_sql(session, sql).await?;
    set_lock_timeout(session, LOCK_TIMEOUT).await
}

/// Work that needs locks of tables.
#[derive(Clone, Copy)]
enum LockingWork<'a> {
    /// A single statement.
    Statement(&'a str),
    /// The transaction that records a migration as applied. If the migration runs in a transaction, this transaction
    /// also contains the migration's statements. The [`Instant`] is the start of the migration.
    Transaction(&'a Migration, Instant),
}

impl LockingWork<'_> {
    /// Runs the work. For a single statement, returns the number of changed rows.
    async fn run(self, session: &mut LongSession) -> sqlx::Result<u64> {
        match self {
            Self::Statement(sql) => run_sql(session, sql).await,
            Self::Transaction(migration, begun) => {
                run_sql(session, "BEGIN").await?;
                if migration.in_transaction {
                    run_sql(session, &migration.sql).await?;
                }
                record_applied(session, migration, begun).await?;
                run_sql(session, "COMMIT").await
            }
        }
    }
}

/// Runs the work. If the lock of a table is not available, retries the work for up to [`WAIT`]. For a single statement,
/// returns the number of changed rows.
async fn with_retries(session: &mut LongSession, work: LockingWork<'_>) -> sqlx::Result<u64> {
    let end = Instant::now() + WAIT;
    loop {
        let done = work.run(session).await;
        let Err(error) = done else { return done };
        let is_lost = match work {
            LockingWork::Statement(_) => false,
            LockingWork::Transaction(..) => run_sql(session, "ROLLBACK").await.is_err(),
        };
        if is_lost || !is_busy(&error) || Instant::now() >= end {
            return Err(error);
        }
        tracing::warn!(%error, "failed to lock a table (timeout or deadlock); retrying");
        tokio::time::sleep(PAUSE).await;
    }
}

/// Returns whether a lock was not available in time (55P03) or there was a deadlock (40P01).
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "55P03" || code == "40P01")
}

async fn set_lock_timeout(session: &mut LongSession, timeout: Duration) -> sqlx::Result<()> {
    run_sql(session, &format!("SET lock_timeout = {}", timeout.as_millis())).await.map(drop)
}

async fn run_sql(session: &mut LongSession, sql: &str) -> sqlx::Result<u64> {
    session.execute(sql.to_owned()).await
}
