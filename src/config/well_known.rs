//! The file of well-known assistant clients: hosts and display names.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::Config;

/// Hosts of well-known assistant clients and their display names, used if `well_known_clients` is unset.
const USUAL: [(&str, &str); 5] = [
    ("chatgpt.com", "ChatGPT"),
    ("claude.ai", "Claude"),
    ("cursor.com", "Cursor"),
    ("vscode.dev", "Visual Studio Code"),
    ("zed.dev", "Zed"),
];

/// Why the file of `well_known_clients` cannot be used.
#[derive(Debug, Error)]
#[error("well_known_clients: {}: {why}", .path.display())]
pub struct WellKnownError {
    path: PathBuf,
    why: String,
}

impl Config {
    /// Returns the hosts and display names from the file whose path is in the setting `well_known_clients`. If the
    /// setting is unset, returns the built-in hosts and display names.
    ///
    /// # Errors
    /// If the file cannot be read or is not TOML, or if an entry is not of the form `host = "name"` with a non-empty
    /// name.
    pub fn well_known_clients(&self) -> Result<Vec<(String, String)>, WellKnownError> {
        match &self.well_known_clients {
            Some(path) => read(path).map_err(|why| WellKnownError { path: path.clone(), why }),
            None => Ok(USUAL.map(|(host, name)| (host.to_owned(), name.to_owned())).to_vec()),
        }
    }
}

fn read(path: &Path) -> Result<Vec<(String, String)>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: toml::Table = text.parse().map_err(|e: toml::de::Error| e.to_string())?;
    let mut names = Vec::new();
    collect("", &table, &mut names)?;
    Ok(names)
}

/// Adds the hosts and names of a table to `names`. TOML parses a host without quotes, as in `claude.ai = "Claude"`, as
/// nested tables. This function joins their keys with periods to get the host.
fn collect(prefix: &str, table: &toml::Table, names: &mut Vec<(String, String)>) -> Result<(), String> {
    for (key, value) in table {
        let host = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::String(name) if !name.trim().is_empty() => names.push((host, name.clone())),
            toml::Value::Table(inner) => collect(&host, inner, names)?,
            _ => return Err(format!("the value of {host} must be a non-empty text in quotes")),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_of_well_known_clients_is_read_and_checked() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut config = Config { well_known_clients: Some(file.path().to_owned()), ..Config::default() };
        let read = |text: &str| {
            std::fs::write(file.path(), text).unwrap();
            config.well_known_clients()
        };
        let names = read("claude.ai = \"Claude\"\n\"a.b.example\" = \"B\"\n").unwrap();
        assert_eq!(names, [("a.b.example".into(), "B".into()), ("claude.ai".into(), "Claude".into())]);
        for wrong in ["claude.ai = 1", "claude.ai = \"\"", "claude.ai = \" \""] {
            let error = read(wrong).unwrap_err().to_string();
            assert!(
                error.ends_with("the value of claude.ai must be a non-empty text in quotes"),
                "{wrong}: {error}"
            );
        }
        assert!(read("claude").is_err());
        config.well_known_clients = Some("/nowhere/names.toml".into());
        assert!(config.well_known_clients().unwrap_err().to_string().contains("/nowhere/names.toml"));
        config.well_known_clients = None;
        assert!(config.well_known_clients().unwrap().contains(&("claude.ai".into(), "Claude".into())));
    }
}
