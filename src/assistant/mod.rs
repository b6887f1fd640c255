//! The assistant API: handlers of `openapi/assistant.yaml`. The handlers only convert wire types. Business rules are in
//! [`service`](crate::service).
//!
//! - [`metadata`]: discovery; [`register`]: dynamic client registration; [`token`], [`revoke`]: the endpoints `/token`
//!   and `/revoke`
//! - [`auth`]: rate limits and client authentication; [`cors`]: CORS for scripts of other origins
//! - [`mcp`]: the MCP endpoints, which accept the access tokens
//!
//! `/authorize` is a page, which `pages` implements.

mod auth;
mod cors;
pub mod mcp;
mod metadata;
mod register;
mod revoke;
mod token;

use std::sync::Arc;

use poem::{Endpoint, Response};

use crate::{api::large_bodies::LargeBodies, generated, service::World};

/// The assistant API.
pub struct AssistantApi {
    world: Arc<World>,
    large_bodies: LargeBodies,
}

impl AssistantApi {
    /// Creates the API.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world, large_bodies: LargeBodies::default() }
    }
}

/// Paths that respond to `OPTIONS` and allow every origin (D-312).
pub use cors::PATHS as CORS_PATHS;
pub use mcp::{Mcp, OPERATIONS as MCP_OPERATIONS, PATHS as MCP_PATHS};

/// Returns the routes of the API, with CORS for every origin.
#[must_use]
pub fn routes(world: Arc<World>) -> impl Endpoint<Output = Response> {
    cors::open(generated::assistant::routes(Arc::new(AssistantApi::new(world))))
}

/// Returns whether `path` belongs to [`routes`]. The paths of [`Mcp`] do not belong to it.
#[must_use]
pub fn owns(path: &str) -> bool {
    path.starts_with("/.well-known/") || matches!(path, "/token" | "/register" | "/revoke")
}
