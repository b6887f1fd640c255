//! `switchboard serve`, `migrate` and `config`: the server and its configuration.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    answer::Answer,
    data,
    failure::{Failure, Result},
    logging::start_logs,
};
use crate::{
    app::{self, Running, StartOptions},
    config::{self, CLIENT_VARIABLES, Config, ConfigError, ConfigErrors, Flag, Loaded, Sources},
    platform::{clock::Clock, service_manager::ServiceManager},
    store::{
        self, Migrated, Newer,
        transfer::{Marked, marks},
    },
};

/// Settings that can be set by flags.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Settings")]
pub struct SettingArgs {
    /// The TOML file of settings. Also `SWITCHBOARD_CONFIG`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port to listen on; port 0 chooses a free one
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// The server's public URL
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// production, sandbox or dev
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,
    /// `sqlite:///absolute/path.db` or `postgres://user:password@host/name`
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
    /// Folder of the file contents; by default `files` beside a SQLite database
    #[arg(long, value_name = "FOLDER")]
    pub files_dir: Option<String>,
    /// SHA-256 of the operator key, from `switchboard operator-key new`
    #[arg(long, value_name = "HASH")]
    pub operator_key_sha256: Option<String>,
    /// Address and port of the metrics
    #[arg(long, value_name = "ADDRESS")]
    pub metrics_listen: Option<String>,
    /// json or text
    #[arg(long, value_name = "FORMAT")]
    pub log_format: Option<String>,
    /// error, warn, info, debug or trace
    #[arg(long, value_name = "LEVEL")]
    pub log_level: Option<String>,
}

impl SettingArgs {
    fn flags(&self) -> Vec<Flag> {
        let all = [
            ("listen", "--listen", &self.listen),
            ("base_url", "--base-url", &self.base_url),
            ("environment", "--environment", &self.environment),
            ("database.url", "--database-url", &self.database_url),
            ("files.dir", "--files-dir", &self.files_dir),
            ("operator_key_sha256", "--operator-key-sha256", &self.operator_key_sha256),
            ("metrics.listen", "--metrics-listen", &self.metrics_listen),
            ("log.format", "--log-format", &self.log_format),
            ("log.level", "--log-level", &self.log_level),
        ];
        let given = all.into_iter().filter_map(|(key, name, value)| Some((key, name, value.clone()?)));
        given.map(|(key, name, value)| Flag { key, name, value }).collect()
    }

    /// Returns the settings that can be read, and all errors of the configuration.
    fn read_partially(&self) -> (Loaded, Option<ConfigErrors>) {
        let (sources, mut errors) = Sources::gather(self.config.clone(), self.flags(), CLIENT_VARIABLES);
        let (loaded, more) = Loaded::look(&sources);
        errors.extend(more);
        // a URL of the wrong engine is reported once
        let mut bad = bad_addresses(&loaded);
        bad.retain(|bad| errors.iter().all(|error| error.key != bad.key));
        errors.extend(bad);
        (loaded, (!errors.is_empty()).then_some(ConfigErrors(errors)))
    }

    /// Returns the configuration.
    ///
    /// # Errors
    /// [`Failure::Usage`] with all errors of the configuration.
    pub fn load(&self) -> Result<Loaded> {
        self.read().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Returns the configuration.
    ///
    /// # Errors
    /// All errors of the configuration.
    pub fn read(&self) -> std::result::Result<Loaded, ConfigErrors> {
        let sources = Sources::from_process(self.config.clone(), self.flags(), CLIENT_VARIABLES);
        let loaded = sources.and_then(|sources| Loaded::read(&sources))?;
        let bad = bad_addresses(&loaded);
        if bad.is_empty() { Ok(loaded) } else { Err(ConfigErrors(bad)) }
    }
}

/// Returns errors for database URLs that the store cannot parse.
fn bad_addresses(loaded: &Loaded) -> Vec<ConfigError> {
    let read = app::addresses(&loaded.config.database).into_iter();
    read.filter_map(|(key, address)| Some(loaded.error(key, address.err()?.to_string()))).collect()
}

/// Returns the database URL of a key without its secrets; `None` for other keys and for an invalid URL.
fn shown(loaded: &Loaded, key: &str) -> Option<String> {
    let mut read = app::addresses(&loaded.config.database).into_iter();
    read.find_map(|(of, address)| (of == key).then_some(address.ok()?.to_string()))
}

/// Run the server
///
/// Settings come from flags, the environment (`SWITCHBOARD_...`), a TOML file, and defaults, in this order of
/// precedence; docs/configuration.md lists them all. The first SIGTERM or SIGINT lets open requests complete,
/// the second aborts them.
/// systemd is notified when the server is ready and when it stops (Type=notify).
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
/// [`Failure::Usage`] for the configuration, [`Failure::Local`] if the server does not start.
pub async fn serve(args: ServeArgs) -> Result<()> {
    let config = args.settings.load()?.config;
    start_logs(config.log.format, config.log.level)?;
    let manager = service_manager();
    let options = StartOptions { migrate: !args.no_migrate, ..StartOptions::default() };
    let running = start(config, options).await?;
    note(manager.ready(&format!("serving on {}", running.address())));
    running.draining().await;
    note(manager.stopping("finishing open requests"));
    running.wait().await;
    Ok(())
}

/// Connects to the service manager that started this process. A failed connection is logged and does not prevent the
/// start.
fn service_manager() -> ServiceManager {
    ServiceManager::connect(config::notify_socket().as_deref()).unwrap_or_else(|error| {
        tracing::warn!(%error, "failed to connect to NOTIFY_SOCKET; the service manager is not notified");
        ServiceManager::default()
    })
}

/// Logs a failed notification of the service manager.
fn note(sent: std::io::Result<()>) {
    if let Err(error) = sent {
        tracing::warn!(%error, "failed to notify the service manager");
    }
}

/// Starts a server in this process.
///
/// # Errors
/// [`Failure::Usage`] if the configuration has to be corrected, otherwise [`Failure::Local`].
pub async fn start(config: Config, options: StartOptions) -> Result<Running> {
    app::start(config, Clock::system(), options).await.map_err(|error| match error.is_configuration() {
        true => Failure::Usage(error.to_string()),
        false => Failure::Local(error.to_string()),
    })
}

/// Apply pending migrations, without serving
///
/// `serve` does this too, unless `--no-migrate` is set. Nodes on PostgreSQL can keep running (docs/upgrading.md). A
/// SQLite database in use by a server is not changed: stop the server first. A database that a newer version has
/// migrated is not changed either.
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
/// [`Failure::Usage`] for the configuration, [`Failure::Local`] if the migration fails.
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
                "The database has migration {found}. The latest migration of this version is {known}; it is compatible \
                 with the newer schema. Nothing was changed."
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
    /// Errors are printed after the settings, as comments, or with --json in the field `faults`, which is
    /// omitted if there are none; the exit code is then 2.
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
            text.parse().map_err(|error| Failure::Local(format!("not TOML: {error}")))?;
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
