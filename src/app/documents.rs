//! The published OpenAPI documents, one for each API.

use crate::{admin::Admin, assistant::AssistantApi, bot::BotApi, contract::PublishedDocument, generated};

/// Returns the document of the bot API.
#[must_use]
pub fn bot() -> PublishedDocument {
    generated::bot::document::<BotApi>()
}

/// Returns the document of the assistant server.
#[must_use]
pub fn assistant() -> PublishedDocument {
    generated::assistant::document::<AssistantApi>()
}

/// Returns the document of the admin API.
#[must_use]
pub fn admin() -> PublishedDocument {
    generated::admin::document::<Admin>()
}
