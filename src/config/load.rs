//! Reads the tree from its sources and keeps where each value came from.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use super::Config;
use super::check;
use super::section::{Key, Section};
use super::values::Input;

/// What every variable of ours begins with.
pub(super) const ENV_PREFIX: &str = "SWITCHBOARD_";
/// The variable that names the TOML file.
pub(super) const CONFIG_VARIABLE: &str = "SWITCHBOARD_CONFIG";
/// Behind a secret's key, it names the file that holds the secret.
const FILE_SUFFIX: &str = "_file";
/// Files of secrets are read to this size: a wrong path must not fill the memory.
const MAX_SECRET_FILE: u64 = 64 * 1024;

/// A key set on the command line.
#[derive(Clone, Debug)]
pub struct Flag {
    /// With dots: `database.url`.
    pub key: &'static str,
    /// As the user wrote it: `--database-url`.
    pub name: &'static str,
    /// Its value.
    pub value: String,
}

/// Everything the configuration is read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The TOML file; the variable `SWITCHBOARD_CONFIG` names one if this does not.
    pub file: Option<PathBuf>,
    /// The variables of the environment; those of others are ignored.
    pub env: Vec<(String, String)>,
    /// Variables of ours that others read, such as those of the command line's clients.
    pub foreign_env: &'static [&'static str],
    /// The command line.
    pub flags: Vec<Flag>,
}

impl Sources {
    /// With the environment of this process.
    ///
    /// # Errors
    /// If a variable of ours is not UTF-8.
    pub fn from_process(
        file: Option<PathBuf>,
        flags: Vec<Flag>,
        foreign_env: &'static [&'static str],
    ) -> Result<Self, ConfigErrors> {
        let (sources, errors) = Self::gather(file, flags, foreign_env);
        if errors.is_empty() { Ok(sources) } else { Err(ConfigErrors(errors)) }
    }

    /// The same with those variables left out that are not UTF-8, and told of.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the environment")]
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
        (Self { file, env, foreign_env, flags }, errors)
    }
}

/// A configuration that may be used, and where its values came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The values.
    pub config: Config,
    /// By key; those not in it have their default.
    pub(super) origins: BTreeMap<&'static str, String>,
    /// Keys whose value cannot be read.
    pub(super) unreadable: BTreeSet<&'static str>,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The key, or the name that was meant to be one.
    pub key: String,
    /// Where it was found.
    pub source: String,
    /// What is wrong and what would be right. Holds no secret.
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

/// Everything that is wrong, for the user to mend in one go.
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
    /// The same as comments of TOML, for the end of a file.
    #[must_use]
    pub fn comments(&self) -> String {
        // a problem of more than one line would not stay in its comment
        self.to_string().lines().fold("\n".to_owned(), |text, line| format!("{text}# {line}\n"))
    }
}

impl Loaded {
    /// Reads, checks and combines all sources.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn read(sources: &Sources) -> Result<Self, ConfigErrors> {
        let (loaded, errors) = Self::look(sources);
        if errors.is_empty() { Ok(loaded) } else { Err(ConfigErrors(errors)) }
    }

    /// As much as can be read, to be looked at and not to be used, and everything that is wrong.
    #[must_use]
    pub fn look(sources: &Sources) -> (Self, Vec<ConfigError>) {
        let mut reader = Reader::new();
        let named = sources.env.iter().find(|(name, value)| name == CONFIG_VARIABLE && !value.is_empty());
        if let Some(file) = sources.file.as_deref().or(named.map(|(_, value)| Path::new(value))) {
            reader.read_file(file);
        }
        reader.read_env(&sources.env, sources.foreign_env);
        reader.read_flags(&sources.flags);
        let Reader { loaded, mut errors, .. } = reader;
        if errors.is_empty() {
            // rules between keys would only repeat what is wrong with the keys themselves
            errors = check::check(&loaded);
        }
        (loaded, errors)
    }

    /// Something that is wrong with a key's value and found by whoever uses it.
    #[must_use]
    pub fn error(&self, key: &str, problem: String) -> ConfigError {
        ConfigError::new(key, self.origin(key), problem)
    }

    /// Where a key's value came from.
    pub(super) fn origin(&self, key: &str) -> &str {
        self.origins.get(key).map_or("the default", String::as_str)
    }
}

struct Reader {
    keys: Vec<Key>,
    loaded: Loaded,
    errors: Vec<ConfigError>,
    /// Keys set by the source being read, to notice a secret that is given twice.
    set_here: BTreeSet<&'static str>,
}

impl Reader {
    fn new() -> Self {
        let mut keys = Vec::new();
        Config::keys(&mut keys);
        let loaded =
            Loaded { config: Config::default(), origins: BTreeMap::new(), unreadable: BTreeSet::new() };
        Self { keys, loaded, errors: Vec::new(), set_here: BTreeSet::new() }
    }

    fn read_file(&mut self, file: &Path) {
        self.set_here.clear();
        let source = file.display().to_string();
        let text = match std::fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => {
                return self.errors.push(ConfigError::new(
                    "--config",
                    source,
                    format!("cannot be read: {error}"),
                ));
            }
        };
        match text.parse::<toml::Table>() {
            Ok(table) => self.read_table("", &table, &source),
            // only where and what, never the line itself: it may hold a secret
            Err(error) => {
                let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
                let line = before.matches('\n').count() + 1;
                let problem = format!("is not TOML at line {line}: {}", error.message());
                self.errors.push(ConfigError::new("--config", source, problem));
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
            // an empty variable is how compose files and shells say "unset"
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
                    unknown(name, self.keys.iter().map(Key::env).chain([CONFIG_VARIABLE.to_owned()]));
                self.errors.push(ConfigError::new(name, "the environment", problem));
            }
        }
    }

    fn read_flags(&mut self, flags: &[Flag]) {
        self.set_here.clear();
        for flag in flags {
            self.set(flag.key, flag.name, Input::Text(&flag.value), flag.name);
        }
    }

    /// Sets `path`, which the user calls `name`.
    fn set(&mut self, path: &str, name: &str, input: Input<'_>, source: &str) {
        let direct = self.keys.iter().find(|key| key.path == path);
        let by_file =
            || self.keys.iter().find(|key| key.secret && path.strip_suffix(FILE_SUFFIX) == Some(key.path));
        let (key, from_file) = match (direct, by_file()) {
            (Some(key), _) => (key.path, None),
            (None, Some(key)) => (key.path, Some(read_secret(input))),
            (None, None) => {
                let problem = unknown(path, self.keys.iter().map(|key| key.path.to_owned()));
                return self.errors.push(ConfigError::new(name, source, problem));
            }
        };
        let done = match &from_file {
            None => self.loaded.config.put(key, input),
            Some(Ok((text, _))) => self.loaded.config.put(key, Input::Text(text)),
            Some(Err(problem)) => Some(Err(problem.clone())),
        };
        if !self.set_here.insert(key) {
            let problem = "is given twice, once by file: remove one of the two".to_owned();
            self.errors.push(ConfigError::new(key, source, problem));
        }
        let origin = match &from_file {
            Some(Ok((_, file))) => format!("{source}, file {file}"),
            _ => source.to_owned(),
        };
        if let Some(Err(problem)) = done {
            self.loaded.unreadable.insert(key);
            self.errors.push(ConfigError::new(key, origin.clone(), problem));
        } else {
            self.loaded.unreadable.remove(key);
        }
        self.loaded.origins.insert(key, origin);
    }
}

/// The secret in a file and the file's name. Line ends behind the secret are editors' and do not belong to
/// it.
fn read_secret(input: Input<'_>) -> Result<(String, String), String> {
    use std::io::Read as _;
    let file: String = input.read()?;
    let mut text = String::new();
    let read =
        std::fs::File::open(&file).and_then(|file| file.take(MAX_SECRET_FILE).read_to_string(&mut text));
    read.map_err(|error| format!("the file {file} cannot be read: {error}"))?;
    Ok((text.trim_end_matches(['\r', '\n']).to_owned(), file))
}

/// Says that a name is unknown, and which one may have been meant.
fn unknown(name: &str, known: impl Iterator<Item = String>) -> String {
    let scored = known.map(|known| (strsim::damerau_levenshtein(name, &known), known));
    match scored.min() {
        Some((distance, nearest)) if distance <= name.len() / 3 => {
            format!("is not a known name; did you mean {nearest}?")
        }
        _ => "is not a known name; `switchboard config print` shows all".to_owned(),
    }
}
