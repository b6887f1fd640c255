//! The admin room: handlers of `openapi/admin.yaml`. Wire types stop here; the decisions are the workspace's.

mod apps;
mod audit;
mod auth;
mod connections;
mod conversations;
mod events;
mod files;
mod installations;
mod messages;
mod sandbox;
mod sessions;
mod users;
mod workspaces;

use std::sync::Arc;

use poem_openapi::types::MaybeUndefined;

use crate::{
    domain::{
        ids::WorkspaceId,
        refusal::{Code, Refusal},
    },
    generated::admin::types,
    room::cookies::Cookies,
    workspace::{World, reading::PageRequest},
};

/// The answer when there is nothing more to say.
const DONE: types::OkResult = types::OkResult { ok: types::True };

/// The admin API over one world.
pub struct Admin {
    pub(crate) world: Arc<World>,
    cookies: Cookies,
}

impl Admin {
    /// The room of a world.
    #[must_use]
    pub fn new(world: Arc<World>) -> Self {
        let cookies = Cookies::of(&world.settings.base_url);
        Self { world, cookies }
    }
}

fn parse_workspace(id: &str) -> Result<WorkspaceId, Code> {
    WorkspaceId::parse(id).ok_or(Code::NotFound)
}

fn page_request(limit: u32, cursor: Option<&String>) -> PageRequest<'_> {
    PageRequest { limit, cursor: cursor.map(String::as_str) }
}

/// The refusal of filters beside `order=ingested`.
fn no_filters() -> Refusal {
    Refusal::because(Code::InvalidRequest, "order=ingested takes no other filters")
}

/// A member of a `PATCH`: absent leaves a field as it is, null clears it.
#[expect(clippy::option_option, reason = "absent, null and a value are three things")]
fn change<T>(member: MaybeUndefined<T>) -> Option<Option<T>> {
    match member {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(None),
        MaybeUndefined::Value(value) => Some(Some(value)),
    }
}

/// A member of a `POST`: absent and null are both nothing.
fn value<T>(member: MaybeUndefined<T>) -> Option<T> {
    change(member).flatten()
}
