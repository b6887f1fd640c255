//! The assistant room: handlers of `openapi/assistant.yaml`. Wire types stop here; the decisions are the
//! workspace's.
//!
//! - [`metadata`]: discovery; [`register`]: dynamic registration; [`token`] and [`revoke`]
//! - [`auth`]: limits, and clients by their credentials; [`cors`]: scripts of other origins
//! - [`mcp`]: the endpoints that the tokens are for
//!
//! `/authorize` is a page and stands with the pages.

mod auth;
mod cors;
pub mod mcp;
mod metadata;
mod register;
mod revoke;
mod token;

use std::sync::Arc;

use poem::{Endpoint, Response};

use crate::{generated, workspace::World};

/// The assistant connection server over one world.
pub struct Assistant {
    world: Arc<World>,
}

impl Assistant {
    /// The room of a world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        Self { world }
    }
}

/// Paths of the document that scripts of any origin may use, for `OPTIONS` (D-312).
pub use cors::PATHS as CORS_PATHS;
pub use mcp::{Mcp, OPERATIONS as MCP_OPERATIONS, PATHS as MCP_PATHS};

/// The room's routes, open to scripts of any origin.
#[must_use]
pub fn routes(world: Arc<World>) -> impl Endpoint<Output = Response> {
    cors::open(generated::assistant::routes(Arc::new(Assistant::new(world))))
}

/// Whether a path is one of this room's.
#[must_use]
pub fn is_ours(path: &str) -> bool {
    path.starts_with("/.well-known/") || matches!(path, "/token" | "/register" | "/revoke")
}
