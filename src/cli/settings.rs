//! Flags that set settings of the server. All commands that read the server's configuration have them, except `dev`.

use std::path::PathBuf;

use clap::Args;

use super::failure::{Failure, Result};
use crate::{
    app,
    config::{CLIENT_VARIABLES, ConfigError, ConfigErrors, Flag, Loaded, Sources},
};

/// Settings that can be set by flags.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Settings")]
pub struct SettingArgs {
    /// TOML file of settings; the environment variable `SWITCHBOARD_CONFIG` can name it too
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
    /// Address and port to serve the metrics on
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
    pub(super) fn read_partially(&self) -> (Loaded, Option<ConfigErrors>) {
        let (sources, mut errors) = Sources::gather(self.config.clone(), self.flags(), CLIENT_VARIABLES);
        let (loaded, more) = Loaded::read_lenient(&sources);
        errors.extend(more);
        // One error for each key: the key of a URL that cannot be parsed may already have an error. For example,
        // `database.replica_url` has one if `database.url` is a SQLite URL.
        let mut unparsable = unparsable_urls(&loaded);
        unparsable.retain(|url_error| errors.iter().all(|error| error.key != url_error.key));
        errors.extend(unparsable);
        (loaded, (!errors.is_empty()).then_some(ConfigErrors(errors)))
    }

    /// Returns the configuration.
    ///
    /// # Errors
    /// [`Failure::Usage`] with the errors of [`SettingArgs::read`].
    pub fn load(&self) -> Result<Loaded> {
        self.read().map_err(|error| Failure::Usage(error.to_string()))
    }

    /// Returns the configuration.
    ///
    /// # Errors
    /// All errors of the configuration, including database URLs that the store cannot parse.
    pub fn read(&self) -> std::result::Result<Loaded, ConfigErrors> {
        let (loaded, errors) = self.read_partially();
        errors.map_or(Ok(loaded), Err)
    }
}

/// Returns errors for database URLs that the store cannot parse.
fn unparsable_urls(loaded: &Loaded) -> Vec<ConfigError> {
    let urls = app::addresses(&loaded.config.database).into_iter();
    urls.filter_map(|(key, url)| Some(loaded.error(key, url.err()?.to_string()))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unparsable_database_urls_are_reported_with_the_other_errors() {
        let args = SettingArgs {
            listen: Some("nowhere".to_owned()),
            database_url: Some("postgres://db/chat?connect_timeout=soon".to_owned()),
            ..SettingArgs::default()
        };
        let errors = args.read().unwrap_err().0;
        for key in ["listen", "database.url"] {
            assert_eq!(errors.iter().filter(|error| error.key == key).count(), 1, "{key}: {errors:?}");
        }
    }
}
