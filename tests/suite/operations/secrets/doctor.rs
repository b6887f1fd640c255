//! The findings of `switchboard doctor` about the secrets in a database.

use switchboard::{
    cli::doctor::{
        DoctorContext, examine,
        finding::{CheckState, Finding},
    },
    config::{BaseUrl, Environment},
    platform::clock::Clock,
};

use super::*;

/// Returns the findings about secrets for a stopped deployment with these keys.
async fn findings(database: &TestDatabase, keys: &[u8], environment: Environment) -> Vec<Finding> {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    config.environment = environment;
    config.base_url = BaseUrl::parse("https://chat.example.com").unwrap();
    config.database.url = database.config_url();
    config.files.dir = folder.path().to_owned();
    give_keys(&mut config, keys);
    let context = DoctorContext {
        config,
        key: None,
        callbacks: Vec::new(),
        send: None,
        offline: true,
        clock: Clock::system(),
    };
    let report = examine(context).await;
    report.findings.into_iter().filter(|finding| finding.check == "secrets").collect()
}

/// Asserts that there is exactly one finding about secrets, with this state and these words. If the finding is not OK,
/// it must have a remedy and name a setting of `secrets`.
async fn assert_only(database: &TestDatabase, keys: &[u8], state: CheckState, words: &str) {
    let found = findings(database, keys, Environment::Sandbox).await;
    let [finding] = &found[..] else { panic!("{found:?}") };
    assert_eq!(finding.state, state, "{finding:?}");
    assert!(finding.found.contains(words), "{finding:?}");
    let has_remedy =
        finding.remedy.is_some() && finding.setting.as_ref().is_some_and(|it| it.contains("SECRETS"));
    assert!(has_remedy || state == CheckState::Ok, "{finding:?}");
}

#[both_engines]
async fn doctor_reports_missing_and_unused_keys(engine: Engine) -> Option<()> {
    let server = Server::with(Options { engine, ..Options::default() }).await?;
    server.app(&["users:read"]).await;
    let database = server.stopped().await;
    assert_eq!(findings(&database, &[], Environment::Sandbox).await, []);
    let production = findings(&database, &[], Environment::Production).await;
    assert_eq!(production.len(), 1);
    assert_eq!(
        (production[0].state, production[0].setting.as_deref()),
        (CheckState::Warning, Some("SWITCHBOARD_SECRETS_KEY_FILE"))
    );
    assert_only(&database, &[1], CheckState::Warning, "not every secret").await;
    let db = database.open().await;
    db.rotate_secrets(&encryption(&[1]), Some(id(1)), async || ()).await.unwrap();
    db.close().await.unwrap();
    assert_only(&database, &[1], CheckState::Ok, &id(1).to_string()).await;
    assert_only(&database, &[1, 2], CheckState::Ok, "old keys are not needed").await;
    assert_only(&database, &[2, 1], CheckState::Warning, "not every secret").await;
    assert_only(&database, &[2], CheckState::Failure, &id(1).to_string()).await;
    assert_only(&database, &[], CheckState::Failure, &id(1).to_string()).await;
    let production = findings(&database, &[], Environment::Production).await;
    let states: Vec<_> = production.iter().map(|finding| finding.state).collect();
    assert_eq!(
        states,
        [CheckState::Failure],
        "if the secrets are encrypted, no warning says that they are in plain text: {production:?}"
    );
    Some(())
}
