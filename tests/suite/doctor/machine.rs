//! This machine: the configuration, the database, the files' storage.

use switchboard::{
    config::{self, DatabaseUrl, Environment},
    store::Engine,
};

use super::*;
use crate::support::{database::TestDatabase, postgres};

/// Offline, with a database and a folder of its own.
fn offline(config: Config) -> Patient {
    Patient { offline: true, ..patient(config) }
}

async fn migrated(engine: Engine) -> Option<(TestDatabase, tempfile::TempDir, Config)> {
    let database = TestDatabase::new(engine).await?;
    let db = database.open().await;
    db.close().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.environment = Environment::Sandbox;
    config.database.url = database.config_url();
    config.files.dir = folder.path().to_owned();
    Some((database, folder, config))
}

#[tokio::test]
async fn a_database_that_nobody_serves_is_opened_and_left_as_it_was() {
    for (engine, words) in [(Engine::Sqlite, "WAL, synchronous"), (Engine::Postgres, "PostgreSQL 1")] {
        let Some((database, folder, config)) = migrated(engine).await else { continue };
        let report = examine(offline(config)).await;
        is_ok(&report, "store", words);
        is_ok(&report, "store", "takes writes");
        is_ok(&report, "files", "deleted");
        if engine == Engine::Postgres {
            is_ok(&report, "clock", "agree");
            // the one that tests start is quick, and would lose what it acknowledged; another may be either
            if postgres::is_private() || report.failures() > 0 {
                fails(&report, "store", "fsync", "SWITCHBOARD_DATABASE_URL", "postgresql.conf");
            }
        }
        assert!(report.failures() <= usize::from(engine == Engine::Postgres), "{}", report.text());
        // nothing stays behind
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(database);
    }
}

#[tokio::test]
async fn a_missing_database_is_not_made() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("data.db");
    let mut config = Config::default();
    config.environment = Environment::Sandbox;
    config.database.url = DatabaseUrl::Sqlite(path.clone());
    config.files.dir = home.path().join("files");
    let report = examine(offline(config.clone())).await;
    assert_eq!(find(&report, "store", "no database").state, State::Warning);
    assert_eq!(find(&report, "files", "no folder").state, State::Warning);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    // a file of something else
    std::fs::write(&path, "no database at all, but long enough to be one, if it were one".repeat(20))
        .unwrap();
    std::fs::write(&config.files.dir, "no folder").unwrap();
    let report = examine(offline(config)).await;
    fails(&report, "store", "not a database", "SWITCHBOARD_DATABASE_URL", "address");
    fails(&report, "files", "files", "SWITCHBOARD_FILES_DIR", "may write");
}

#[tokio::test]
async fn an_empty_database_lacks_migrations() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("data.db");
    std::fs::write(&path, "").unwrap();
    let mut config = Config::default();
    config.database.url = DatabaseUrl::Sqlite(path);
    config.files.dir = home.path().to_owned();
    let finding = examine(offline(config)).await;
    let finding = find(&finding, "store", "migrations");
    assert_eq!(finding.state, State::Warning);
    assert!(finding.remedy.as_ref().unwrap().contains("switchboard migrate"));
}

#[tokio::test]
async fn a_database_of_a_newer_version_needs_the_newer_program() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((database, _folder, config)) = migrated(engine).await else { continue };
        let checksum = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
        database
            .execute(&format!(
                "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (9999, 'of tomorrow', TRUE, {checksum}, 0)"
            ))
            .await;
        let report = examine(offline(config)).await;
        fails(&report, "store", "migration 9999", "SWITCHBOARD_DATABASE_URL", "newer version of the program");
        assert!(!find(&report, "store", "9999").remedy.as_ref().unwrap().contains("password"));
    }
}

#[tokio::test]
async fn a_database_of_a_newer_version_that_suits_this_one_is_a_warning() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let Some((database, _folder, config)) = migrated(engine).await else { continue };
        let checksum = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
        database
            .execute(&format!(
                "INSERT INTO schema_compatibility (version, oldest_compatible) VALUES (9999, 1);
                 INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (9999, 'of tomorrow', TRUE, {checksum}, 0)"
            ))
            .await;
        let report = examine(offline(config)).await;
        assert_eq!(find(&report, "store", "migration 9999").state, State::Warning);
        assert_eq!(find(&report, "store", "takes writes").state, State::Ok);
    }
}

#[tokio::test]
async fn what_production_should_not_have() {
    let home = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.base_url = BaseUrl::parse("https://chat.example.com").unwrap();
    config.limits.scale = 10;
    config.metrics.listen = Some("0.0.0.0:9100".parse().unwrap());
    config.events.enabled = false;
    config.database.url = DatabaseUrl::Sqlite(home.path().join("data.db"));
    config.files.dir = home.path().to_owned();
    let report = examine(offline(config.clone())).await;
    for (words, setting) in [
        ("no operator key", "SWITCHBOARD_OPERATOR_KEY_SHA256"),
        ("no proxy is trusted", "SWITCHBOARD_TRUSTED_PROXIES"),
        ("multiplied by 10", "SWITCHBOARD_LIMITS_SCALE"),
        ("everybody who reaches their port", "SWITCHBOARD_METRICS_LISTEN"),
        ("delivers no events", "SWITCHBOARD_EVENTS_ENABLED"),
    ] {
        let finding = find(&report, "configuration", words);
        assert_eq!((finding.state, finding.setting.as_deref()), (State::Warning, Some(setting)));
    }
    assert_eq!(report.failures(), 0, "{}", report.text());
    config.extra_ca_file = Some(home.path().join("missing.pem"));
    config.listen = ([127, 0, 0, 1], 0).into();
    let report = examine(patient(config)).await;
    fails(&report, "configuration", "cannot be read", "SWITCHBOARD_EXTRA_CA_FILE", "PEM");
}
