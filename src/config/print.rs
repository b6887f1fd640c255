//! Formats the effective configuration as TOML, with the source of each value.

use std::fmt::Write as _;

use super::load::Loaded;
use super::section::Section;
use super::{Config, docs};

impl Loaded {
    /// Returns all keys with their values and the sources of the values, as TOML. Secrets, unset keys and invalid
    /// values are written as comments. So the text, used as a configuration file, does not set these keys.
    ///
    /// `shown` receives the configuration key of a secret. It returns the part of the secret that may be displayed;
    /// `None` hides the whole secret.
    #[must_use]
    pub fn print(&self, shown: impl Fn(&str) -> Option<String>) -> String {
        let mut keys = Vec::new();
        Config::keys(&mut keys);
        let mut text = String::new();
        let mut section = "";
        for key in &keys {
            let (of, name) = docs::split(key.path);
            if of != section {
                section = of;
                // writing to a String cannot fail
                let _ = write!(text, "\n[{section}]\n");
            }
            let origin = self.origin(key.path);
            let _ = match self.config.get(key.path) {
                _ if self.invalid_keys.contains(key.path) => {
                    writeln!(text, "# {name} is invalid # {origin}")
                }
                None => writeln!(text, "# {name} is not set"),
                Some(_) if key.secret => match shown(key.path) {
                    None => writeln!(text, "# {name} is hidden # {origin}"),
                    Some(shown) => writeln!(text, "# {name} without its secrets: {shown} # {origin}"),
                },
                Some(value) => writeln!(text, "{name} = {value} # {origin}"),
            };
        }
        text
    }
}
