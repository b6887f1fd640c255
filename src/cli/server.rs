//! `switchboard serve`, `migrate` and `config`: the server and its configuration.

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    answer::Answer,
    data,
    failure::{Failure, Result},
    logging::start_logs,
    settings::SettingArgs,
};
use crate::{
    app::{self, Running, StartOptions},
    config::{self, Config, ConfigError, Loaded},
    platform::{clock::Clock, service_manager::ServiceManager},
    store::{
        self, Migrated, Newer,
        transfer::{Marked, marks},
    },
};

/// Returns the database URL in the setting `key`, without the URL's secrets. Returns `None` if `key` is not the
/// setting of a database URL, or if the URL is invalid.
fn shown(loaded: &Loaded, key: &str) -> Option<String> {
    let mut urls = app::addresses(&loaded.config.database).into_iter();
    urls.find_map(|(url_key, url)| (url_key == key).then_some(url.ok()?.to_string()))
}

/// Run the server
///
/// Settings come from flags, the environment (`SWITCHBOARD_...`), a TOML file, and defaults, in this order of
/// precedence; docs/configuration.md lists them all. The first SIGTERM or SIGINT lets open requests complete,
/// the second aborts them. systemd is notified when the server is ready and when it stops (Type=notify).
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard serve --config /etc/switchboard.toml
  switchboard serve --environment sandbox --base-url http://127.0.0.1:8080 --database-url sqlite:///srv/switchboard.db")]
pub struct ServeArgs {
    #[command(flatten)]
    settings: SettingArgs,
    /// Do not apply pending migrations; refuse to start if there are any
    #[arg(long)]
    no_migrate: bool,
}

/// Serves requests until a signal stops the process.
///
/// # Errors
/// [`Failure::Usage`] if the configuration is invalid, [`Failure::Local`] if the server does not start.
pub async fn serve(args: ServeArgs) -> Result<()> {
    let config = args.settings.load()?.config;
    start_logs(config.log.format, config.log.level)?;
    let manager = service_manager();
    let options = StartOptions { migrate: !args.no_migrate, ..StartOptions::default() };
    let running = start(config, options).await?;
    log_failure(manager.ready(&format!("serving on {}", running.address())));
    running.draining().await;
    log_failure(manager.stopping("finishing open requests"));
    running.wait().await;
    Ok(())
}

/// Connects to the service manager that started this process. A failure is only logged, so that the server starts.
fn service_manager() -> ServiceManager {
    ServiceManager::connect(config::notify_socket().as_deref()).unwrap_or_else(|error| {
        tracing::warn!(%error, "failed to connect to NOTIFY_SOCKET; the service manager is not notified");
        ServiceManager::default()
    })
}

/// Logs a warning if the service manager could not be notified.
fn log_failure(sent: std::io::Result<()>) {
    if let Err(error) = sent {
        tracing::warn!(%error, "failed to notify the service manager");
    }
}

/// Starts a server in this process.
///
/// # Errors
/// [`Failure::Usage`] if the configuration has to be corrected, and [`Failure::Local`] for every other error.
pub async fn start(config: Config, options: StartOptions) -> Result<Running> {
    app::start(config, Clock::system(), options).await.map_err(|error| match error.is_configuration() {
        true => Failure::Usage(error.to_string()),
        false => Failure::Local(error.to_string()),
    })
}

/// Apply pending migrations, without serving
///
/// `serve` does this too, unless `--no-migrate` is set. Nodes on PostgreSQL can keep running (docs/upgrading.md). If a
/// server uses a SQLite database, stop the server first. A database that a newer version has migrated is not changed.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard migrate --database-url postgres://switchboard@db.example.com/switchboard")]
pub struct MigrateArgs {
    #[command(flatten)]
    settings: SettingArgs,
}

/// Applies pending migrations.
///
/// # Errors
/// [`Failure::Usage`] if the configuration is invalid, [`Failure::Local`] if the migration fails.
pub async fn migrate(args: MigrateArgs) -> Result<Answer> {
    let config = args.settings.load()?.config;
    let url = app::session_url(&config.database)
        .map_err(|error| Failure::Usage(format!("the database URL: {error}")))?;
    let _owner = store::own(&url).map_err(|error| Failure::Local(format!("the database: {error}")))?;
    if let Some(mark) = marks::of(&url).await.map_err(data::failed)? {
        return Err(Failure::Local(Marked::from(mark).to_string()));
    }
    let failed = |error: store::MigrateError| Failure::Local(format!("the database: {error}"));
    let Migrated { applied, newer } = store::migrate(&url).await.map_err(failed)?;
    let mut document = json!({"ok": true, "applied": applied});
    let text = match (applied.len(), newer) {
        (_, Some(Newer { found, known, .. })) => {
            document["newer"] = found.into();
            format!(
                "The database has migration {found}; the latest migration of this version is {known}. This version is \
                 compatible with the newer schema. Nothing was changed."
            )
        }
        (0, None) => "The database is up to date.".to_owned(),
        (1, None) => "Applied 1 migration.".to_owned(),
        (number, None) => format!("Applied {number} migrations."),
    };
    Ok(Answer::new(document, text))
}

/// The effective configuration.
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every setting with its source, and all errors; secrets are hidden
    ///
    /// Errors are printed after the settings, as comments. If there are errors, the exit code is 2. With --json, the
    /// errors are in the field `faults`, which is omitted if there are none. The JSON also omits the sources, and
    /// settings that are unset, secret or invalid.
    #[command(after_help = "Examples:
  switchboard config print
  switchboard config print --config /etc/switchboard.toml --json")]
    Print {
        /// The settings.
        #[command(flatten)]
        settings: Box<SettingArgs>,
    },
}

impl ConfigCommand {
    /// Prints the settings and all errors.
    ///
    /// # Errors
    /// [`Failure::Usage`] if there are errors.
    pub fn run(self, json: bool) -> Result<()> {
        let Self::Print { settings } = self;
        let (loaded, errors) = settings.read_partially();
        let mut text = loaded.print(|key| shown(&loaded, key));
        let table: toml::Table =
            text.parse().map_err(|error| Failure::Local(format!("the settings are not TOML: {error}")))?;
        let mut document: Value = json!(table);
        if let Some(errors) = &errors {
            text.push_str(&errors.comments());
            document["faults"] = errors.0.iter().map(error_document).collect();
        }
        Answer::new(document, text).print(json)?;
        errors.map_or(Ok(()), |errors| Err(Failure::Usage(errors.to_string())))
    }
}

/// Returns the JSON document of a configuration error.
fn error_document(error: &ConfigError) -> Value {
    json!({"key": error.key, "source": error.source, "problem": error.problem})
}
