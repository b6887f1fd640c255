//! `switchboard serve`, `migrate` and `config`: the server itself and what it is configured with.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::{Value, json};

use super::{
    answer::Answer,
    failure::{Failure, Result},
    logging::start_logs,
};
use crate::{
    app::{self, Running, StartOptions},
    config::{CLIENT_VARIABLES, Config, ConfigError, ConfigErrors, Flag, Loaded, Sources},
    platform::clock::Clock,
    store::{self, Migrated, Newer},
};

/// Settings that flags may override.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Settings")]
pub struct SettingArgs {
    /// The TOML file of settings. Also `SWITCHBOARD_CONFIG`
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<String>,
    /// The server's public address
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// production, sandbox or dev
    #[arg(long, value_name = "NAME")]
    pub environment: Option<String>,
    /// `sqlite:///absolute/path.db` or `postgres://user:password@host/name`
    #[arg(long, value_name = "URL")]
    pub database_url: Option<String>,
    /// Folder of the contents of files
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

    /// As much of the configuration as can be read, and everything that is wrong with it.
    fn look(&self) -> (Loaded, Option<ConfigErrors>) {
        let (sources, mut faults) = Sources::gather(self.config.clone(), self.flags(), CLIENT_VARIABLES);
        let (loaded, more) = Loaded::look(&sources);
        faults.extend(more);
        faults.extend(bad_addresses(&loaded));
        (loaded, (!faults.is_empty()).then_some(ConfigErrors(faults)))
    }

    /// The configuration.
    ///
    /// # Errors
    /// [`Failure::Usage`] with everything that is wrong with it.
    pub fn load(&self) -> Result<Loaded> {
        self.read().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// The configuration, or everything that is wrong with it.
    ///
    /// # Errors
    /// What is wrong.
    pub fn read(&self) -> std::result::Result<Loaded, ConfigErrors> {
        let sources = Sources::from_process(self.config.clone(), self.flags(), CLIENT_VARIABLES);
        let loaded = sources.and_then(|sources| Loaded::read(&sources))?;
        let bad = bad_addresses(&loaded);
        if bad.is_empty() { Ok(loaded) } else { Err(ConfigErrors(bad)) }
    }
}

/// The addresses of databases that the store cannot read.
fn bad_addresses(loaded: &Loaded) -> Vec<ConfigError> {
    let read = app::addresses(&loaded.config.database).into_iter();
    read.filter_map(|(key, address)| Some(loaded.error(key, address.err()?.to_string()))).collect()
}

/// An address of a database without its secrets.
fn shown(loaded: &Loaded, key: &str) -> Option<String> {
    let mut read = app::addresses(&loaded.config.database).into_iter();
    read.find_map(|(of, address)| (of == key).then_some(address.ok()?.to_string()))
}

/// Run the server
///
/// Settings come from flags, the environment (`SWITCHBOARD_...`), a TOML file, and defaults, in this order;
/// docs/configuration.md lists them all. The first SIGTERM or SIGINT lets open requests end, the second does not.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard serve --config /etc/switchboard.toml
  switchboard serve --environment sandbox --base-url http://127.0.0.1:8080 --database-url sqlite:///srv/switchboard.db")]
pub struct ServeArgs {
    #[command(flatten)]
    settings: SettingArgs,
    /// Do not apply pending migrations first; refuse to start if there are any
    #[arg(long)]
    no_migrate: bool,
}

/// Serves until it is told to end.
///
/// # Errors
/// [`Failure::Usage`] for the configuration, [`Failure::Local`] if the server does not start.
pub async fn serve(args: ServeArgs) -> Result<()> {
    let config = args.settings.load()?.config;
    start_logs(config.log.format, config.log.level)?;
    start(config, StartOptions { migrate: !args.no_migrate, ..StartOptions::default() }).await?.wait().await;
    Ok(())
}

/// Starts a server in this process.
///
/// # Errors
/// [`Failure::Usage`] for files that the configuration names and that cannot be used, else [`Failure::Local`].
pub async fn start(config: Config, options: StartOptions) -> Result<Running> {
    app::start(config, Clock::system(), options).await.map_err(|error| match error.is_configuration() {
        true => Failure::Usage(error.to_string()),
        false => Failure::Local(error.to_string()),
    })
}

/// Bring the database up to date, without serving
///
/// `serve` does this too, unless told not to. Nodes on PostgreSQL go on meanwhile (docs/upgrading.md). A SQLite database
/// that a server serves from is left alone: stop the server first. So is a database that a newer version has migrated.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:
  switchboard migrate --database-url postgres://switchboard@db.example.com/switchboard")]
pub struct MigrateArgs {
    #[command(flatten)]
    settings: SettingArgs,
}

/// Applies the migrations that are missing.
///
/// # Errors
/// [`Failure::Usage`] for the configuration, [`Failure::Local`] if the database does not take them.
pub async fn migrate(args: MigrateArgs) -> Result<Answer> {
    let config = args.settings.load()?.config;
    let url = app::session_url(&config.database)
        .map_err(|error| Failure::Usage(format!("the database's address: {error}")))?;
    let _owner = store::own(&url).map_err(|error| Failure::Local(format!("the database: {error}")))?;
    let failed = |error: store::MigrateError| Failure::Local(format!("the database: {error}"));
    let Migrated { applied, newer } = store::migrate(&url).await.map_err(failed)?;
    let mut document = json!({"ok": true, "applied": applied});
    let text = match (applied.len(), newer) {
        (_, Some(Newer { found, known, .. })) => {
            document["newer"] = found.into();
            format!(
                "The database has migration {found}. This version knows none after {known} and works on the schema. \
                 Nothing was changed."
            )
        }
        (0, None) => "The database is up to date.".to_owned(),
        (1, None) => "Applied 1 migration.".to_owned(),
        (number, None) => format!("Applied {number} migrations."),
    };
    Ok(Answer::new(document, text))
}

/// The configuration in force.
#[derive(Clone, Debug, Subcommand)]
pub enum ConfigCommand {
    /// Print every setting, where it came from, and what is wrong; secrets are hidden
    ///
    /// What is wrong stands behind the settings, as comments, and with --json in the member `faults`, which is not there
    /// when nothing is; the exit code is then 2.
    #[command(after_help = "Examples:
  switchboard config print
  switchboard config print --config /etc/switchboard.toml --json")]
    Print {
        /// Which settings.
        #[command(flatten)]
        settings: Box<SettingArgs>,
    },
}

impl ConfigCommand {
    /// Prints the settings, and what is wrong with them.
    ///
    /// # Errors
    /// [`Failure::Usage`] when anything is wrong.
    pub fn run(self, json: bool) -> Result<()> {
        let Self::Print { settings } = self;
        let (loaded, errors) = settings.look();
        let mut text = loaded.print(|key| shown(&loaded, key));
        let table: toml::Table =
            text.parse().map_err(|error| Failure::Local(format!("not TOML: {error}")))?;
        let mut document: Value = json!(table);
        if let Some(errors) = &errors {
            text.push_str(&errors.comments());
            document["faults"] = errors.0.iter().map(fault).collect();
        }
        Answer::new(document, text).print(json)?;
        errors.map_or(Ok(()), |errors| Err(Failure::Usage(errors.to_string())))
    }
}

/// One thing that is wrong, for programs.
fn fault(error: &ConfigError) -> Value {
    json!({"key": error.key, "source": error.source, "problem": error.problem})
}
