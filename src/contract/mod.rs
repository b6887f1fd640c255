//! The runtime of the generated code: what stands between HTTP and a handler.
//!
//! `build.rs` turns each document of `openapi/` into `generated/{stem}_server.rs`, which stands on this module.
//! Rooms implement the generated handler traits and use [`Problem`], [`Principal`], [`Door`]; `app` mounts the
//! routes under [`Envelope`] and serves [`docs_page`].
//!
//! - the ladder before a handler (D-001): [`guard`], with [`accept`] and [`body`]
//! - what a request holds: [`json`] read strictly, checked by [`schema`] and [`check`]; [`params`]; [`values`]
//! - what leaves: [`reply`], [`error`], [`envelope`] with [`failure`], [`answer`]
//! - the published document: [`meta`], [`publish`], [`docs`]
//!
//! It uses `domain` and nothing else of the crate.

mod accept;
pub mod answer;
mod body;
mod check;
mod docs;
mod envelope;
mod error;
mod failure;
mod guard;
mod meta;
mod operation;
mod params;
mod pattern;
mod publish;
pub mod reply;
mod schema;
mod values;

#[cfg(test)]
mod tests;

pub use crate::domain::strict as json;
pub use accept::{sends_json, takes};
pub use body::{
    Body, BodyLimits, BodySchema, Chunks, RawBody, RawRequest, declared_fits, form_members, read_limited,
    read_streamed,
};
pub use check::Violation;
pub use docs::{docs_page, docs_response};
pub use envelope::{Answered, Envelope, Observer};
pub use error::{ErrorCode, Fault, Problem};
pub use guard::{Admission, Anyone, Door, Guard, Guarded, Principal, has_token};
pub use meta::{Described, HeaderDoc, Property, ReplyDoc, describe_object, describe_schema, patched};
pub use operation::{BodyInfo, Credential, Dialect, LimitRow, OperationInfo, OperationType};
pub use params::{Header, ParamRules, ParamValue, Parameter, Path, Query, one_of, query_pairs};
pub use pattern::Pattern;
pub use publish::{publish, resolve, routed};
pub use schema::{Contract, Schema};
pub(crate) use values::constant;
pub use values::{Clamped, Nullable, constant_schema};
