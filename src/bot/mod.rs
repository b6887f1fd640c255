//! The bot room: handlers of `openapi/bot.yaml`. Wire types stop here; the decisions are the workspace's.

mod auth;
mod conversations;
pub mod downloads;
mod files;
mod messages;
mod oauth;
mod users;

use std::sync::Arc;

use crate::workspace::{World, reading::PageRequest};

/// The bot API over one world.
pub struct Bot {
    world: Arc<World>,
}

impl Bot {
    /// The room of a world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world }
    }
}

fn page_request(limit: u32, cursor: Option<&String>) -> PageRequest<'_> {
    PageRequest { limit, cursor: cursor.map(String::as_str) }
}
