//! Renders `docs/configuration.md` from the sections and keys of [`Config`].

use std::fmt::Write as _;

use super::Config;
use super::client::CLIENT_VARIABLES;
use super::load::CONFIG_VARIABLE;
use super::section::{Section, SettingKey};

const INTRODUCTION: &str = "\
# Configuration

This page is generated from the code; do not edit it.

A value comes from the first of: a command-line flag, the environment, the TOML file (`--config`, or the variable
`SWITCHBOARD_CONFIG`), the default. An empty variable counts as unset. In the environment and in flags, commas separate the
items of a list. The server does not start with an unknown name or an invalid value.

The variables of the [command line](cli.md) are not settings of the server, which ignores them: `SWITCHBOARD_URL`,
`SWITCHBOARD_OPERATOR_KEY`, `SWITCHBOARD_SESSION` and `SWITCHBOARD_SIGNING_SECRET`.

`switchboard config print` hides the value of a key marked *secret*; of a database URL, it shows the parts that are not
secret. The value of a key marked *secret* can also be read from a file of at most 64 KiB. To do this, append `_file` to the
key (`_FILE` to the variable), and set the resulting key or variable to the path of the file.
";

/// Returns the text of the page.
#[must_use]
pub fn render_docs() -> String {
    debug_assert!(INTRODUCTION.contains(CONFIG_VARIABLE));
    debug_assert!(CLIENT_VARIABLES.iter().all(|variable| INTRODUCTION.contains(variable)));
    let defaults = Config::default();
    let (mut keys, mut sections) = (Vec::new(), Vec::new());
    Config::keys(&mut keys);
    Config::sections(&mut sections);
    let mut page = INTRODUCTION.to_owned();
    for (section, about) in sections {
        let heading = if section.is_empty() { "Top-level keys".to_owned() } else { format!("`[{section}]`") };
        let about = if section.is_empty() { String::new() } else { format!("{}\n\n", one_line(about)) };
        // writing to a String cannot fail
        let _ = write!(
            page,
            "\n## {heading}\n\n{about}| Key | Variable | Value | Default | Meaning |\n|-|-|-|-|-|\n"
        );
        for key in keys.iter().filter(|key| split(key.path).0 == section) {
            let default = defaults.get(key.path).map_or("unset".to_owned(), |value| format!("`{value}`"));
            let SettingKey { path, kind, secret, doc } = key;
            let secret = if *secret { "; *secret*" } else { "" };
            let (env, doc) = (key.env(), one_line(doc));
            let _ = writeln!(page, "| `{path}` | `{env}` | {kind}{secret} | {default} | {doc} |");
        }
    }
    page
}

/// Splits the path of a key into its section and its name in the section.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('.').unwrap_or(("", path))
}

/// Joins the lines of a doc comment to one line.
fn one_line(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}
