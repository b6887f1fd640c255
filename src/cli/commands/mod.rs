//! Commands that call a server: thin clients of the admin API, one file per kind of object.
//!
//! Each enum is a group of commands for clap; its `run` makes the calls and returns an
//! [`Answer`](super::answer::Answer). The server validates everything again.

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

/// Scopes that apps can be granted.
pub const SCOPES: &[&str] = &[
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];

/// All event types.
pub const EVENT_TYPES: &[&str] = &["app.uninstalled", "directory.changed", "interaction"];

/// Parses a text of the API that can be rejected before it is sent.
///
/// # Errors
/// A usage failure with the argument's name.
pub fn checked<T>(argument: &str, text: impl AsRef<str>) -> super::failure::Result<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.as_ref()
        .parse()
        .map_err(|error| super::failure::Failure::Usage(format!("{argument} is not valid: {error}")))
}
