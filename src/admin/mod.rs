//! The admin API: handlers of `openapi/admin.yaml`. They convert wire types; decisions are made in the
//! workspace.

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
    api::cookies::Cookies,
    contract::Nullable,
    domain::{
        ids::WorkspaceId,
        refusal::{Code, Refusal},
    },
    generated::admin::types,
    workspace::{World, files::file_usage::FileUsage, paging::PageRequest},
};

impl From<FileUsage> for types::FileUsage {
    fn from(usage: FileUsage) -> Self {
        Self { bytes: usage.bytes, quota_bytes: Nullable(usage.quota) }
    }
}

/// The response without data.
const DONE: types::OkResult = types::OkResult { ok: types::True };

/// The admin API.
pub struct Admin {
    pub(crate) world: Arc<World>,
    cookies: Cookies,
}

impl Admin {
    /// Creates the API.
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

/// Returns the rejection of filters together with `order=ingested`.
fn no_filters() -> Refusal {
    Refusal::because(Code::InvalidRequest, "order=ingested takes no other filters")
}

/// A field of a `PATCH`: if absent the value is unchanged, null clears it.
#[expect(clippy::option_option, reason = "absent, null and a value are three things")]
fn change<T>(member: MaybeUndefined<T>) -> Option<Option<T>> {
    match member {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(None),
        MaybeUndefined::Value(value) => Some(Some(value)),
    }
}

/// A field of a `POST`: absent and null are the same.
fn value<T>(member: MaybeUndefined<T>) -> Option<T> {
    change(member).flatten()
}
