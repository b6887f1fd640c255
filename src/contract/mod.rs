//! The runtime of the generated code: everything between an HTTP request and the handler of its operation.
//!
//! `build.rs` generates `generated/{stem}_server.rs` from each document of `openapi/`. The generated code uses this
//! module. API modules implement the generated handler traits, whose methods fail with [`OperationError`]. They also
//! implement [`Principal`] for their callers, and [`RequestPolicy`]. `app` mounts the routes under [`Envelope`] and
//! serves the documents that [`publish`](fn@publish) returns.
//!
//! - the request pipeline (D-001): [`guard`], with [`operation`], [`accept`] and [`body`]
//! - parsing and validation: [`strict_json`], [`schema`] and [`check`], with [`pattern`]; [`params`]; [`form`];
//!   [`values`]
//! - responses: [`reply`], [`error`], [`envelope`] with [`failure`], [`answer`]
//! - the published document: [`meta`], [`publish`](mod@publish), [`convert`], [`ordered`]
//! - `declare`: macros for the generated code
//!
//! The module uses `domain` and no other module of the crate.

mod accept;
pub mod answer;
mod body;
mod check;
mod convert;
mod declare;
mod envelope;
mod error;
mod failure;
mod form;
mod guard;
mod meta;
mod operation;
mod ordered;
mod params;
mod pattern;
mod publish;
pub mod reply;
mod schema;
mod values;

#[cfg(test)]
mod tests;

pub use crate::domain::{limit_name::LimitName, strict_json};
pub use accept::{DeclaredType, is_known, media_type, sends_json, sent, takes};
pub use body::{
    Body, BodyLimits, BodyReader, BodySchema, Chunks, RawBody, RawRequest, SMALL_BODY, declared_fits,
    declared_length, read_authenticated, read_limited, read_streamed,
};
pub use check::Violation;
pub(crate) use declare::{enumeration, error_codes};
pub use envelope::{Answered, Envelope, Observer};
pub use error::{ApiError, ErrorCode, OperationError};
pub use form::{FormFields, form_fields};
pub use guard::{Anyone, Guard, Guarded, Principal, RequestContext, RequestPolicy, has_token};
pub use meta::{Described, HeaderDoc, Property, ReplyDoc, describe_object, describe_schema, patched};
pub use operation::{BodyInfo, Credential, Dialect, OperationInfo, OperationType};
pub use params::{
    HeaderParameter, ParamRules, ParamValue, Parameter, Path, QueryParameter, one_of, query_pairs,
};
pub use pattern::Pattern;
pub use publish::{PublishedDocument, publish, published_schemas, resolve};
pub use schema::{Contract, Schema};
pub(crate) use values::constant;
pub use values::{Clamped, Nullable, constant_schema};
