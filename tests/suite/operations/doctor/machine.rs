//! The checks that `switchboard doctor` makes of the configuration, the database and the storage of files.

use switchboard::{
    config::{DatabaseUrlSetting, Environment},
    store::{
        Engine,
        diagnose::{ReadDatabaseInfo, RemoveProbe, WriteProbe},
    },
};

use super::*;
use crate::support::{Home, both_engines, database::TestDatabase, postgres};

/// Returns the input of `switchboard doctor --offline`, which makes no requests.
fn offline(config: Config) -> DoctorContext {
    DoctorContext { offline: true, ..context(config) }
}

/// Returns a new migrated database, an empty folder for files, and a configuration with both. Returns `None` if the
/// engine is not installed on this machine.
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
async fn a_database_is_checked_without_a_server_and_no_files_are_left() {
    for (engine, words) in [(Engine::Sqlite, "WAL, synchronous"), (Engine::Postgres, "PostgreSQL 1")] {
        let Some((database, folder, config)) = migrated(engine).await else { continue };
        let report = examine(offline(config)).await;
        is_ok(&report, "store", words);
        is_ok(&report, "store", "can be written");
        is_ok(&report, "files", "deleted");
        if engine == Engine::Postgres {
            is_ok(&report, "clock", "agree");
            // `fsync` is off on a PostgreSQL server that the suite has started. On another server it may be on.
            if postgres::is_private() || report.failures() > 0 {
                fails(&report, "store", "fsync", "SWITCHBOARD_DATABASE_URL", "postgresql.conf");
            }
        }
        assert!(report.failures() <= usize::from(engine == Engine::Postgres), "{}", report.text());
        // the checks leave no files
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(database);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ids_far_ahead_of_the_clock_are_reported_at_a_start_and_by_the_doctor() {
    let Some((database, folder, config)) = migrated(Engine::Sqlite).await else { return };
    let says = "the highest id is far ahead of the clock";
    let found = "is or was wrong";
    let start = || Home::on(folder.path(), database.text().to_owned()).spawn().keeping_log().listening();
    let process = start();
    let log = tokio::task::spawn_blocking(|| process.terminated_log()).await.unwrap();
    assert!(!log.contains(says), "{log}");
    let report = examine(offline(config.clone())).await;
    assert!(report.findings.iter().all(|one| !one.found.contains(found)), "{}", report.text());
    // the id of this company has a time in the year 2100, so the clock seems to be behind
    let company = format!(
        "INSERT INTO workspaces (id, name, ai_assistants, max_session_hours, created_at) VALUES ({}, 'Later', 1, 24, 0)",
        4_102_444_800_000_i64 << 21
    );
    database.execute(&company).await;
    let process = start();
    let log = tokio::task::spawn_blocking(|| process.terminated_log()).await.unwrap();
    let line = log.lines().find(|line| line.contains(says)).unwrap_or_else(|| panic!("{log}"));
    assert!(line.contains("seconds_ahead") && line.contains("WARN"), "{line}");
    let finding = find(&examine(offline(config.clone())).await, "clock", found).clone();
    assert_eq!(finding.state, CheckState::Warning);
    assert!(finding.remedy.is_some_and(|remedy| remedy.contains("NTP")));
    // a test clock is moved on purpose, so the doctor does not report ids that are far ahead of it
    let mut moved = config;
    moved.test_clock = true;
    let report = examine(offline(moved)).await;
    assert!(report.findings.iter().all(|one| !one.found.contains(found)), "{}", report.text());
}

#[tokio::test]
async fn the_settings_for_reserved_connections_are_read() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let db = database.open().await;
    let about = db.read(ReadDatabaseInfo).await.unwrap();
    assert!(about.setting("superuser_reserved_connections").is_some(), "{about:?}");
    let version: i64 = about.setting("server_version_num").unwrap().parse().unwrap();
    assert_eq!(about.setting("reserved_connections").is_some(), version >= 160_000, "{about:?}");
    db.close().await.unwrap();
}

#[both_engines]
async fn concurrent_runs_have_test_values_of_their_own(engine: Engine) {
    let Some(database) = TestDatabase::new(engine).await else { return };
    let db = database.open().await;
    for number in [1, 2] {
        db.write(WriteProbe(number)).await.unwrap();
    }
    for number in [1, 2] {
        assert!(db.write(RemoveProbe(number)).await.unwrap());
        assert!(!db.write(RemoveProbe(number)).await.unwrap(), "a test value is deleted only once");
    }
    // If the row has another value than the test write, `RemoveProbe` returns false, but still deletes the row. If the
    // row still existed, the `INSERT` below would fail.
    db.write(WriteProbe(3)).await.unwrap();
    database.execute("UPDATE server_state SET value = 4 WHERE name = 'doctor_probe_3'").await;
    assert!(!db.write(RemoveProbe(3)).await.unwrap());
    database.execute("INSERT INTO server_state (name, value) VALUES ('doctor_probe_3', 3)").await;
    db.close().await.unwrap();
}

#[tokio::test]
async fn connections_that_do_not_fit_under_the_limit_of_open_files_are_found() {
    let Some((_database, _folder, mut config)) = migrated(Engine::Sqlite).await else { return };
    config.max_connections = 1;
    is_ok(&examine(offline(config.clone())).await, "configuration", "open files");
    config.max_connections = u32::MAX;
    let report = examine(offline(config)).await;
    let finding = find(&report, "configuration", "open files");
    assert_eq!(finding.state, CheckState::Warning);
    assert_eq!(finding.setting.as_deref(), Some("SWITCHBOARD_MAX_CONNECTIONS"));
    assert!(report.text().contains("LimitNOFILE"), "{}", report.text());
}

#[tokio::test]
async fn a_missing_database_is_not_created() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("data.db");
    let mut config = Config::default();
    config.environment = Environment::Sandbox;
    config.database.url = DatabaseUrlSetting::Sqlite(path.clone());
    config.files.dir = home.path().join("files");
    let report = examine(offline(config.clone())).await;
    assert_eq!(find(&report, "store", "no database").state, CheckState::Warning);
    assert_eq!(find(&report, "files", "no folder").state, CheckState::Warning);
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    // the file at the path of the database is no database
    let text = "this text is not a database, although it is longer than the header of a database";
    std::fs::write(&path, text.repeat(20)).unwrap();
    std::fs::write(&config.files.dir, "no folder").unwrap();
    let report = examine(offline(config)).await;
    fails(&report, "store", "not a database", "SWITCHBOARD_DATABASE_URL", "address");
    fails(&report, "files", "files", "SWITCHBOARD_FILES_DIR", "can write there");
}

#[tokio::test]
async fn an_empty_database_lacks_migrations() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("data.db");
    std::fs::write(&path, "").unwrap();
    let mut config = Config::default();
    config.database.url = DatabaseUrlSetting::Sqlite(path);
    config.files.dir = home.path().to_owned();
    let finding = examine(offline(config)).await;
    let finding = find(&finding, "store", "migrations");
    assert_eq!(finding.state, CheckState::Warning);
    assert!(finding.remedy.as_ref().unwrap().contains("switchboard migrate"));
}

#[both_engines]
async fn a_database_of_a_newer_version_needs_the_newer_program(engine: Engine) -> Option<()> {
    let (database, _folder, config) = migrated(engine).await?;
    let checksum = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
    database
        .execute(&format!(
            "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'of tomorrow', TRUE, {checksum}, 0)"
        ))
        .await;
    let report = examine(offline(config)).await;
    fails(&report, "store", "migration 9999", "SWITCHBOARD_DATABASE_URL", "newer version of the server");
    assert!(!find(&report, "store", "9999").remedy.as_ref().unwrap().contains("password"));
    Some(())
}

#[both_engines]
async fn a_database_of_a_newer_version_that_is_compatible_is_a_warning(engine: Engine) -> Option<()> {
    let (database, _folder, config) = migrated(engine).await?;
    let checksum = if engine == Engine::Sqlite { "x'00'" } else { "'\\x00'" };
    database
        .execute(&format!(
            "INSERT INTO schema_compatibility (version, oldest_compatible) VALUES (9999, 1);
             INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
             VALUES (9999, 'of tomorrow', TRUE, {checksum}, 0)"
        ))
        .await;
    let report = examine(offline(config)).await;
    assert_eq!(find(&report, "store", "migration 9999").state, CheckState::Warning);
    assert_eq!(find(&report, "store", "can be written").state, CheckState::Ok);
    Some(())
}

#[tokio::test]
async fn settings_that_are_unsafe_in_production_are_warnings() {
    let home = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.base_url = BaseUrl::parse("https://chat.example.com").unwrap();
    config.limits.scale = 10;
    config.metrics.listen = Some("0.0.0.0:9100".parse().unwrap());
    config.events.enabled = false;
    config.assistant.refresh_overlap_seconds = 30;
    config.database.url = DatabaseUrlSetting::Sqlite(home.path().join("data.db"));
    config.files.dir = home.path().to_owned();
    let report = examine(offline(config.clone())).await;
    for (words, setting) in [
        ("no operator key", "SWITCHBOARD_OPERATOR_KEY_SHA256"),
        ("no proxy is trusted", "SWITCHBOARD_TRUSTED_PROXIES"),
        ("multiplied by 10", "SWITCHBOARD_LIMITS_SCALE"),
        ("everybody who can connect to their port", "SWITCHBOARD_METRICS_LISTEN"),
        ("delivers no events", "SWITCHBOARD_EVENTS_ENABLED"),
        (
            "for 30 seconds after a refresh, the spent refresh token",
            "SWITCHBOARD_ASSISTANT_REFRESH_OVERLAP_SECONDS",
        ),
    ] {
        let finding = find(&report, "configuration", words);
        assert_eq!((finding.state, finding.setting.as_deref()), (CheckState::Warning, Some(setting)));
    }
    assert_eq!(report.failures(), 0, "{}", report.text());
    config.extra_ca_file = Some(home.path().join("missing.pem"));
    config.listen = ([127, 0, 0, 1], 0).into();
    let report = examine(context(config)).await;
    fails(&report, "configuration", "cannot be read", "SWITCHBOARD_EXTRA_CA_FILE", "PEM");
}

/// The tests can run as root, who may open every folder. So the test cannot use a path in a folder that must not be
/// opened. It uses a path below a file, which no user can examine.
#[tokio::test]
async fn a_path_that_cannot_be_examined_is_not_called_missing() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let mut config = Config::default();
    config.environment = Environment::Sandbox;
    config.database.url = DatabaseUrlSetting::Sqlite(file.join("data.db"));
    config.files.dir = file.join("files");
    let report = examine(offline(config)).await;
    fails(&report, "store", "Not a directory", "SWITCHBOARD_DATABASE_URL", "the server's user");
    fails(&report, "files", "Not a directory", "SWITCHBOARD_FILES_DIR", "the server's user");
}

#[tokio::test]
async fn configured_files_that_are_missing_or_invalid_are_failures() {
    let Some((_database, folder, config)) = migrated(Engine::Sqlite).await else { return };
    assert_eq!(examine(offline(config.clone())).await.failures(), 0);
    let wrong = folder.path().join("wrong");
    for content in [None, Some("neither certificates nor names")] {
        if let Some(content) = content {
            std::fs::write(&wrong, content).unwrap();
        }
        let named = Config {
            well_known_clients: Some(wrong.clone()),
            extra_ca_file: Some(wrong.clone()),
            ..config.clone()
        };
        let report = examine(offline(named)).await;
        assert_eq!(report.failures(), 2, "{content:?}: {}", report.text());
        fails(&report, "configuration", "well_known_clients", "SWITCHBOARD_WELL_KNOWN_CLIENTS", "TOML");
        fails(&report, "configuration", "extra_ca_file", "SWITCHBOARD_EXTRA_CA_FILE", "PEM");
    }
}
