//! The commands that ask a server: thin clients of the admin API, one file per kind of thing.
//!
//! Each enum is a group of commands for clap; its `run` makes the calls and answers with an
//! [`Answer`](super::answer::Answer). Nothing is decided here that the server does not decide again.

pub mod apps;
pub mod audit;
pub mod connections;
pub mod conversations;
pub mod events;
pub mod files;
pub mod installs;
pub mod messages;
pub mod sandbox;
pub mod sessions;
pub mod users;
pub mod workspaces;

/// What apps may be granted.
pub const SCOPES: &[&str] = &[
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];

/// Every type of event.
pub const EVENT_TYPES: &[&str] = &["app.uninstalled", "directory.changed", "interaction"];

/// A new value for a text of the API that may be refused before it is sent.
///
/// # Errors
/// A usage failure that names the argument.
pub fn checked<T>(argument: &str, text: impl AsRef<str>) -> super::failure::Result<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.as_ref()
        .parse()
        .map_err(|error| super::failure::Failure::Usage(format!("{argument} is not valid: {error}")))
}
