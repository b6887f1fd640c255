//! The bot API: handlers of `openapi/bot.yaml`. The handlers only convert wire types. Business rules are in
//! [`service`](crate::service).

mod auth;
mod conversations;
pub mod downloads;
mod files;
mod messages;
mod oauth;
mod users;

use std::sync::Arc;

use crate::{api::large_bodies::LargeBodies, service::World};

/// The bot API.
pub struct BotApi {
    world: Arc<World>,
    large_bodies: LargeBodies,
}

impl BotApi {
    /// Creates the API.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world, large_bodies: LargeBodies::default() }
    }
}
