//! The admin API: handlers of `openapi/admin.yaml`. `auth` authenticates the callers. The handlers convert between wire
//! types and types of the service layer ([`service`](crate::service)), which has the business rules.

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
    service::{World, files::file_usage::FileUsage},
};

impl From<FileUsage> for types::FileUsage {
    fn from(usage: FileUsage) -> Self {
        Self { bytes: usage.bytes, quota_bytes: Nullable(usage.quota) }
    }
}

/// The response `{"ok": true}` of operations that return no data.
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

/// Returns the error for a request that combines filters with `order=ingested`.
fn no_filters() -> Refusal {
    Refusal::because(Code::InvalidRequest, "order=ingested cannot be combined with filters")
}

/// Converts a field of a `PATCH`: `None` for an absent field, which leaves the value unchanged; `Some(None)` for
/// null, which clears it.
#[expect(clippy::option_option, reason = "an absent field, null and a value are three cases")]
fn change<T>(member: MaybeUndefined<T>) -> Option<Option<T>> {
    match member {
        MaybeUndefined::Undefined => None,
        MaybeUndefined::Null => Some(None),
        MaybeUndefined::Value(value) => Some(Some(value)),
    }
}

/// Converts a field of a `POST`, where an absent field and null are the same.
fn value<T>(member: MaybeUndefined<T>) -> Option<T> {
    change(member).flatten()
}
