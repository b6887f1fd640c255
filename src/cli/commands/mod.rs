//! Commands that call the admin API of a server. There is one file for each kind of object.
//!
//! Each enum is a group of commands for clap. The enum's method `run` makes the requests and returns an
//! [`Answer`](super::answer::Answer). The commands validate their arguments, so that errors are reported early. The
//! server validates the arguments again.

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

/// Parses the text of an argument into a type of the generated client, so that invalid text is rejected without a
/// request. `argument` is the name of the argument in the error text.
///
/// # Errors
/// [`Failure::Usage`](super::failure::Failure::Usage) with the argument's name.
pub fn checked<T>(argument: &str, text: impl AsRef<str>) -> super::failure::Result<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.as_ref()
        .parse()
        .map_err(|error| super::failure::Failure::Usage(format!("{argument} is not valid: {error}")))
}
