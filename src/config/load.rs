//! Reads the configuration from its sources, and records the source of each value.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::check;
use super::section::{ENV_PREFIX, Section, SettingKey};
use super::values::Input;
use super::{Config, DatabaseUrlSetting};

/// The variable that names the TOML file.
pub const CONFIG_VARIABLE: &str = "SWITCHBOARD_CONFIG";

/// The key of errors that concern the TOML file as a whole.
pub const CONFIG_FILE_KEY: &str = "the configuration file";
/// The suffix of a key that names a file with a secret, as in `database.url_file`.
const FILE_SUFFIX: &str = "_file";
/// Maximum size in bytes of the file of a secret, so that a setting that names a large file by mistake does not exhaust
/// the memory.
const MAX_SECRET_FILE: u64 = 64 * 1024;

/// The key of the folder for file contents.
const FILES_DIR: &str = "files.dir";
/// Name of the default folder for file contents, beside the SQLite database file.
const FILES_FOLDER: &str = "files";

/// A key set on the command line.
#[derive(Clone, Debug)]
pub struct Flag {
    /// The key with dots: `database.url`.
    pub key: &'static str,
    /// The flag as the user wrote it: `--database-url`.
    pub name: &'static str,
    /// The value of the flag.
    pub value: String,
}

/// All sources of the configuration.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The TOML file. If it is unset, the variable `SWITCHBOARD_CONFIG` can name a TOML file.
    pub file: Option<PathBuf>,
    /// The environment. Variables without the prefix `SWITCHBOARD_` are ignored.
    pub env: Vec<(String, String)>,
    /// Variables with the prefix `SWITCHBOARD_` that are not settings of the server, such as the variables of the
    /// command line.
    pub foreign_env: &'static [&'static str],
    /// The keys set on the command line.
    pub flags: Vec<Flag>,
    /// Keys that only flags can set: their values in the file and in the environment are neither used nor checked. An
    /// entry that ends with a period stands for all keys that begin with the entry.
    pub unused: &'static [&'static str],
}

impl Sources {
    /// Returns the environment of this process as the only source. The variables in `foreign_env` are not settings.
    ///
    /// # Errors
    /// All `SWITCHBOARD_…` variables whose value is not UTF-8.
    pub fn from_process(foreign_env: &'static [&'static str]) -> Result<Self, ConfigErrors> {
        let (sources, errors) = Self::gather(None, Vec::new(), foreign_env);
        if errors.is_empty() { Ok(sources) } else { Err(ConfigErrors(errors)) }
    }

    /// Returns the sources with the `SWITCHBOARD_…` variables of this process, and an error for each variable that is
    /// not UTF-8.
    #[must_use]
    #[expect(
        clippy::disallowed_methods,
        reason = "the only place that reads the settings in the environment"
    )]
    pub fn gather(
        file: Option<PathBuf>,
        flags: Vec<Flag>,
        foreign_env: &'static [&'static str],
    ) -> (Self, Vec<ConfigError>) {
        let (mut env, mut errors) = (Vec::new(), Vec::new());
        for (name, value) in std::env::vars_os() {
            let Some(name) = name.to_str().filter(|name| name.starts_with(ENV_PREFIX)) else { continue };
            match value.into_string() {
                Ok(value) => env.push((name.to_owned(), value)),
                Err(_) => errors.push(ConfigError::new(name, "the environment", "is not UTF-8".to_owned())),
            }
        }
        (Self { file, env, foreign_env, flags, unused: &[] }, errors)
    }
}

/// A configuration and the sources of its values.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    /// The source of each value by key. A key that is not in the map has its default.
    pub(super) origins: BTreeMap<&'static str, String>,
    /// Keys whose values are invalid.
    pub(super) invalid_keys: BTreeSet<&'static str>,
}

/// An error in the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The key, the unknown name, or [`CONFIG_FILE_KEY`] for an error of the TOML file as a whole.
    pub key: String,
    /// The source of the value: a flag, a variable, the path of the TOML file, or `the default`. It is `the
    /// environment` for a variable that is unknown or not UTF-8. It is `beside the database` for a `files.dir` that is
    /// derived from `database.url`. For a secret that was read from a file, the path of this file is appended.
    pub source: String,
    /// What is wrong, and what would be valid. The text contains no secrets.
    pub problem: String,
}

impl ConfigError {
    pub(super) fn new(key: impl Into<String>, source: impl Into<String>, problem: String) -> Self {
        Self { key: key.into(), source: source.into(), problem }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, source, problem } = self;
        write!(f, "{key} (from {source}): {problem}")
    }
}

/// All errors of a configuration, so that the user can fix them together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigErrors(pub Vec<ConfigError>);

impl fmt::Display for ConfigErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the configuration cannot be used:")?;
        self.0.iter().try_for_each(|error| write!(f, "\n- {error}"))
    }
}

impl std::error::Error for ConfigErrors {}

impl ConfigErrors {
    /// Formats the errors as TOML comments, for the end of a file.
    #[must_use]
    pub fn comments(&self) -> String {
        // each line gets its own `#`, because an error can have several lines
        self.to_string().lines().fold("\n".to_owned(), |text, line| format!("{text}# {line}\n"))
    }
}

impl Loaded {
    /// Reads, validates and combines all sources.
    ///
    /// # Errors
    /// All errors found.
    pub fn read(sources: &Sources) -> Result<Self, ConfigErrors> {
        let (loaded, errors) = Self::read_lenient(sources);
        if errors.is_empty() { Ok(loaded) } else { Err(ConfigErrors(errors)) }
    }

    /// Reads all values that can be read, and returns the errors found. If there are errors, the configuration may only
    /// be displayed.
    #[must_use]
    pub fn read_lenient(sources: &Sources) -> (Self, Vec<ConfigError>) {
        let mut reader = SettingReader::new(sources.unused);
        let named = sources.env.iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
        if let Some(file) = sources.file.as_deref().or(named.map(|(_, value)| Path::new(value))) {
            reader.read_file(file);
        }
        reader.read_env(&sources.env, sources.foreign_env);
        reader.read_flags(&sources.flags);
        reader.loaded.set_default_files_dir();
        let SettingReader { loaded, mut errors, .. } = reader;
        if errors.is_empty() {
            // skipped if there are errors, because the rules would be applied to the defaults of the keys that could
            // not be read
            let violations = check::check(&loaded.config).into_iter();
            errors = violations.map(|(key, problem)| loaded.error(key, problem)).collect();
        }
        (loaded, errors)
    }

    /// If the database is SQLite and no source sets `files.dir`, sets `files.dir` to the folder `files` beside the
    /// database file. The server can create this folder, because SQLite also creates files beside the database. If
    /// several databases are in one folder, their servers share the folder `files`. Each server deletes only contents
    /// whose ids are in its own database.
    fn set_default_files_dir(&mut self) {
        let is_given = self.origins.contains_key(FILES_DIR);
        let (DatabaseUrlSetting::Sqlite(database), false) = (&self.config.database.url, is_given) else {
            return;
        };
        let default_dir = database.with_file_name(FILES_FOLDER);
        if self.config.files.dir != default_dir {
            self.config.files.dir = default_dir;
            self.origins.insert(FILES_DIR, "beside the database".to_owned());
        }
    }

    /// Returns whether a source sets this key. If not, the key has its default. A `files.dir` that is derived from
    /// `database.url` counts as set.
    #[must_use]
    pub fn is_set(&self, key: &str) -> bool {
        self.origins.contains_key(key)
    }

    /// Creates an error about the value of a key.
    #[must_use]
    pub fn error(&self, key: &str, problem: String) -> ConfigError {
        ConfigError::new(key, self.origin(key), problem)
    }

    /// Returns the source of a key's value.
    pub(super) fn origin(&self, key: &str) -> &str {
        self.origins.get(key).map_or("the default", String::as_str)
    }
}

struct SettingReader {
    keys: Vec<SettingKey>,
    /// The keys that the current source cannot set ([`Sources::unused`]).
    unused: &'static [&'static str],
    loaded: Loaded,
    errors: Vec<ConfigError>,
    /// The keys that the current source has set, to detect a secret that is given twice.
    set_here: BTreeSet<&'static str>,
}

impl SettingReader {
    fn new(unused: &'static [&'static str]) -> Self {
        let mut keys = Vec::new();
        Config::keys(&mut keys);
        let loaded =
            Loaded { config: Config::default(), origins: BTreeMap::new(), invalid_keys: BTreeSet::new() };
        Self { keys, unused, loaded, errors: Vec::new(), set_here: BTreeSet::new() }
    }

    fn read_file(&mut self, file: &Path) {
        self.set_here.clear();
        let source = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                return self.errors.push(ConfigError::new(
                    CONFIG_FILE_KEY,
                    source,
                    format!("cannot be read: {error}"),
                ));
            }
        };
        match text.parse::<toml::Table>() {
            Ok(table) => self.read_table("", &table, &source),
            // the error contains the number of the line and not its text, because the text can contain a secret
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let problem = format!("is not TOML at line {line}: {}", error.message());
                self.errors.push(ConfigError::new(CONFIG_FILE_KEY, source, problem));
            }
        }
    }

    fn read_table(&mut self, prefix: &str, table: &toml::Table, source: &str) {
        for (name, value) in table {
            let path = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
            match value {
                toml::Value::Table(table) => self.read_table(&path, table, source),
                value => self.set(&path, &path, Input::Toml(value), source),
            }
        }
    }

    fn read_env(&mut self, env: &[(String, String)], foreign: &[&str]) {
        self.set_here.clear();
        for (name, value) in env {
            let ours =
                name.starts_with(ENV_PREFIX) && name != CONFIG_VARIABLE && !foreign.contains(&name.as_str());
            // compose files and shells set a variable to an empty text to unset it
            if !ours || value.is_empty() {
                continue;
            }
            let path = self.keys.iter().find_map(|key| {
                let file = name.strip_suffix(&FILE_SUFFIX.to_uppercase()).filter(|_| key.secret);
                match key.env() {
                    env if env == *name => Some(key.path.to_owned()),
                    env if file == Some(env.as_str()) => Some(format!("{}{FILE_SUFFIX}", key.path)),
                    _ => None,
                }
            });
            if let Some(path) = path {
                self.set(&path, name, Input::Text(value), name);
            } else {
                let problem =
                    unknown(name, self.keys.iter().map(SettingKey::env).chain([CONFIG_VARIABLE.to_owned()]));
                self.errors.push(ConfigError::new(name, "the environment", problem));
            }
        }
    }

    fn read_flags(&mut self, flags: &[Flag]) {
        self.set_here.clear();
        self.unused = &[];
        for flag in flags {
            self.set(flag.key, flag.name, Input::Text(&flag.value), flag.name);
        }
    }

    /// Sets the key `path`. `name` is the name of the key in `source`, such as the name of a flag. If the key is
    /// unknown, the error contains this name.
    fn set(&mut self, path: &str, name: &str, input: Input<'_>, source: &str) {
        let direct = self.keys.iter().find(|key| key.path == path);
        let by_file =
            || self.keys.iter().find(|key| key.secret && path.strip_suffix(FILE_SUFFIX) == Some(key.path));
        let (key, is_file) = match (direct, by_file()) {
            (Some(key), _) => (key.path, false),
            (None, Some(key)) => (key.path, true),
            (None, None) => {
                let problem = unknown(path, self.keys.iter().map(|key| key.path.to_owned()));
                return self.errors.push(ConfigError::new(name, source, problem));
            }
        };
        if self.is_unused(key) {
            return;
        }
        let from_file = is_file.then(|| read_secret(input));
        let done = match &from_file {
            None => self.loaded.config.put(key, input),
            Some(Ok((text, _))) => self.loaded.config.put(key, Input::Text(text)),
            Some(Err(problem)) => Some(Err(problem.clone())),
        };
        let origin = match &from_file {
            Some(Ok((_, file))) => format!("{source}, file {file}"),
            _ => source.to_owned(),
        };
        if !self.set_here.insert(key) {
            let problem = "is given twice, once by file: remove one of the two".to_owned();
            self.errors.push(ConfigError::new(key, origin.clone(), problem));
        }
        if let Some(Err(problem)) = done {
            self.loaded.invalid_keys.insert(key);
            self.errors.push(ConfigError::new(key, origin.clone(), problem));
        } else {
            self.loaded.invalid_keys.remove(key);
        }
        self.loaded.origins.insert(key, origin);
    }

    fn is_unused(&self, key: &str) -> bool {
        let names = |unused: &&str| key == *unused || (unused.ends_with('.') && key.starts_with(*unused));
        self.unused.iter().any(names)
    }
}

/// Returns the secret in the file that `input` names, and the name of the file. Line breaks at the end are removed,
/// because editors add them.
///
/// # Errors
/// The text for [`ConfigError::problem`] if the input is not a text, or if the file cannot be read, is larger than
/// [`MAX_SECRET_FILE`], or is not UTF-8.
fn read_secret(input: Input<'_>) -> Result<(String, String), String> {
    use std::io::Read as _;
    let file: String = input.read()?;
    let mut bytes = Vec::new();
    let read =
        std::fs::File::open(&file).and_then(|file| file.take(MAX_SECRET_FILE + 1).read_to_end(&mut bytes));
    let length = read.map_err(|error| format!("the file {file} cannot be read: {error}"))?;
    if length as u64 > MAX_SECRET_FILE {
        return Err(format!("the file {file} is larger than {} KiB", MAX_SECRET_FILE / 1024));
    }
    let text = String::from_utf8(bytes);
    let text = text.map_err(|_| format!("the file {file} cannot be read: it is not UTF-8"))?;
    Ok((text.trim_end_matches(['\r', '\n']).to_owned(), file))
}

/// Returns the error text for an unknown name. If a known name is similar enough, the text suggests the most similar
/// one.
fn unknown(name: &str, known: impl Iterator<Item = String>) -> String {
    let distance = |known: &str| match known.strip_prefix(name) {
        // `name` consists of the first words of a known name
        Some(rest) if rest.starts_with(['_', '.']) => 0,
        _ => strsim::damerau_levenshtein(name, known),
    };
    let scored = known.map(|known| (distance(&known), known));
    match scored.min() {
        Some((distance, nearest)) if distance <= name.len() / 3 => {
            format!("is not a known name; did you mean {nearest}?")
        }
        _ => "is not a known name; `switchboard config print` shows all".to_owned(),
    }
}
