//! Commands that call the admin API of a server. There is one file for each kind of object, or for a few related
//! kinds.
//!
//! Each file declares one or more groups of commands for clap. Each group is an enum, whose method `run` makes the
//! requests and returns an [`Answer`](super::answer::Answer). The commands validate their arguments only to report
//! errors early. The server validates the arguments again.

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

/// All event types.
pub const EVENT_TYPES: &[&str] = &["app.uninstalled", "directory.changed", "interaction"];
