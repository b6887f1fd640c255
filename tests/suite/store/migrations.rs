//! Migrations: by several nodes at the same time, of a database of another version, and of an unusable database. Also
//! the list of pending migrations.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use switchboard::store::{DatabaseUrl, MigrateError, StoreError, migrate, pending, schema_version};

use crate::support::postgres;

/// Runs the test on an empty database of each engine. The test gets the database's URL, and access to the database
/// outside the store.
async fn on_empty_databases<F: Future<Output = ()>>(test: impl Fn(DatabaseUrl, Outside) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db").display().to_string();
    test(format!("sqlite://{path}").parse().unwrap(), Outside::Sqlite(path)).await;
    if let Some(database) = postgres::empty_database().await {
        test(database.url.parse().unwrap(), Outside::Postgres(database.url.clone())).await;
    }
}

enum Outside {
    Sqlite(String),
    Postgres(String),
}

impl Outside {
    async fn change(&self, sqlite: &str, postgres: &str) {
        match self {
            Self::Sqlite(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sqlite).unwrap(),
            Self::Postgres(url) => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                connection.execute(AssertSqlSafe(postgres.to_owned())).await.unwrap();
            }
        }
    }

    /// Returns the applied migrations with their durations in nanoseconds. A migration that ran again would have a
    /// different duration.
    async fn applied(&self) -> Vec<(i64, i64)> {
        const LIST: &str = "SELECT version, execution_time FROM _sqlx_migrations ORDER BY version";
        match self {
            Self::Sqlite(path) => {
                let connection = rusqlite::Connection::open(path).unwrap();
                let mut list = connection.prepare(LIST).unwrap();
                let rows = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
                rows.map(Result::unwrap).collect()
            }
            Self::Postgres(url) => {
                let mut connection = PgConnection::connect(url).await.unwrap();
                sqlx::query_as(LIST).fetch_all(&mut connection).await.unwrap()
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_nodes_may_migrate_at_the_same_time() {
    on_empty_databases(|url, outside| async move {
        let all = pending(&url).await.unwrap().len();
        assert!(all > 0);
        let nodes: Vec<_> = (0..4)
            .map(|_| {
                let url = url.clone();
                tokio::spawn(async move { migrate(&url).await })
            })
            .collect();
        for node in nodes {
            node.await.unwrap().unwrap();
        }
        assert_eq!(pending(&url).await, Ok(vec![]));
        let applied = outside.applied().await;
        assert_eq!(applied.len(), all);
        migrate(&url).await.unwrap();
        assert_eq!(outside.applied().await, applied, "without pending migrations nothing is applied");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_of_another_version_is_refused() {
    on_empty_databases(|url, outside| async move {
        migrate(&url).await.unwrap();
        let insert = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)";
        let (sqlite, postgres) = (
            format!("{insert} VALUES (9999, 'x', 1, x'00', 0)"),
            format!("{insert} VALUES (9999, 'x', true, '0', 0)"),
        );
        outside.change(&sqlite, &postgres).await;
        let too_new = |result: Result<(), MigrateError>| {
            assert!(matches!(result, Err(MigrateError::TooNew { found: 9999, .. })), "{result:?}");
        };
        too_new(migrate(&url).await.map(drop));
        too_new(pending(&url).await.map(drop));

        let change = "UPDATE _sqlx_migrations SET version = 0 WHERE version = 9999";
        outside.change(change, change).await;
        assert_eq!(migrate(&url).await, Err(MigrateError::Unknown(0)));
        assert_eq!(pending(&url).await, Err(MigrateError::Unknown(0)));
        let error = MigrateError::Unknown(0).to_string();
        assert!(error.contains("migration 0, which this version of the server lacks"), "{error}");

        let removed = "DELETE FROM _sqlx_migrations WHERE version = 0";
        outside.change(removed, removed).await;
        // the database has a newer, compatible migration, and lacks the newest migration of this version
        let newest = schema_version();
        let newer = newest + 1;
        let moved = format!(
            "UPDATE _sqlx_migrations SET version = {newer} WHERE version = {newest};
             UPDATE schema_compatibility SET version = {newer} WHERE version = {newest};"
        );
        outside.change(&moved, &moved).await;
        assert_eq!(migrate(&url).await, Err(MigrateError::NotApplied(newest)));
        let error = MigrateError::NotApplied(newest).to_string();
        assert!(error.contains(&format!("but lacks migration {newest}")), "{error}");

        let changed = |checksum: &str| {
            let set = format!("SET version = {newest}, checksum = {checksum}");
            format!("UPDATE _sqlx_migrations {set} WHERE version = {newer}")
        };
        outside.change(&changed("x'00'"), &changed("'0'")).await;
        assert_eq!(migrate(&url).await, Err(MigrateError::Changed(newest)));
        let error = MigrateError::Changed(newest).to_string();
        assert!(error.starts_with(&format!("migration {newest} of the database differs from")), "{error}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_from_before_the_first_release_is_refused() {
    on_empty_databases(|url, outside| async move {
        migrate(&url).await.unwrap();
        // Changes all checksums. If the checksum of the first migration differs, the database was made before the first
        // release: all releases have the same first migration.
        let change = "UPDATE _sqlx_migrations SET checksum =";
        outside.change(&format!("{change} x'00'"), &format!("{change} '0'")).await;
        let before = outside.applied().await;
        assert_eq!(migrate(&url).await, Err(MigrateError::Unreleased));
        assert_eq!(pending(&url).await, Err(MigrateError::Unreleased));
        assert_eq!(outside.applied().await, before, "a refused database is not changed");
        let error = MigrateError::Unreleased;
        assert!(error.to_string().contains("made by a build from before the first release"), "{error}");
        assert!(error.remedy().contains("make a new database"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listing_pending_migrations_does_not_create_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    let url = format!("sqlite://{}", path.display()).parse().unwrap();
    assert!(!pending(&url).await.unwrap().is_empty());
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn listing_pending_migrations_keeps_the_journal_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.db");
    rusqlite::Connection::open(&path).unwrap().execute_batch("CREATE TABLE other (x)").unwrap();
    let before = std::fs::read(&path).unwrap();
    let url = format!("sqlite://{}", path.display()).parse().unwrap();
    assert!(!pending(&url).await.unwrap().is_empty());
    assert!(std::fs::read(&path).unwrap() == before, "the file is not switched to WAL mode");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no write-ahead log is left");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_cannot_be_opened_is_reported_as_unavailable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").unwrap();
    for url in
        [format!("sqlite://{}/data.db", file.display()), format!("sqlite://{}", folder.path().display())]
    {
        let result = migrate(&url.parse().unwrap()).await;
        assert!(matches!(result, Err(MigrateError::Store(StoreError::Unavailable(_)))), "{result:?}");
    }
}
