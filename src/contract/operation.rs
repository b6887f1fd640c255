//! The metadata of an operation that is needed before its request is parsed.

use crate::domain::{limit_name::LimitName, refusal::Code};

/// An operation of a document.
#[derive(Debug)]
pub struct OperationInfo {
    /// The document's name, `bot`, `assistant` or `admin`: two documents may have operations of the
    /// same name.
    pub api: &'static str,
    /// The operationId; also the name in logs and metrics.
    pub id: &'static str,
    /// Upper case.
    pub method: &'static str,
    /// With `{name}` for parameters.
    pub path: &'static str,
    /// The error format.
    pub dialect: Dialect,
    /// Security schemes, any of which suffices; empty for an operation without authentication.
    pub schemes: &'static [&'static str],
    /// Whether a request without any of them is allowed, because its body may contain the
    /// credentials.
    pub optional: bool,
    /// Required scopes (`x-scopes`).
    pub scopes: &'static [&'static str],
    /// Headers whose absence has its own error code (`x-missing-code`).
    pub required_headers: &'static [(&'static str, Code)],
    pub body: Option<BodyInfo>,
    /// Kinds of callers (`x-credentials`); empty if the scheme has only one kind.
    pub credentials: &'static [Credential],
    /// The rate limit (`x-limit`). A document without a limit for an operation fails to compile.
    pub limit: LimitName,
    /// Not available in production (`x-sandbox`).
    pub sandbox: bool,
    /// The handler reads the body itself (`x-raw`).
    pub raw: bool,
    /// Every error code that the document lists for it.
    pub errors: &'static [Code],
}

impl OperationInfo {
    /// Returns the metadata of an operation without authentication, body or errors; its place and
    /// name are blank.
    #[must_use]
    pub const fn plain(limit: LimitName) -> Self {
        Self {
            api: "",
            id: "",
            method: "",
            path: "",
            dialect: Dialect::Envelope,
            schemes: &[],
            optional: false,
            scopes: &[],
            required_headers: &[],
            body: None,
            credentials: &[],
            limit,
            sandbox: false,
            raw: false,
            errors: &[],
        }
    }
}

/// The body of an operation.
#[derive(Debug)]
pub struct BodyInfo {
    /// Lower case; `*/*` accepts any type and none.
    pub media_types: &'static [&'static str],
    /// Media types accepted in addition to the document's `content` (`x-also-accepts`).
    pub also: &'static [&'static str],
    pub required: bool,
    pub description: Option<&'static str>,
    /// Members that are arrays, which a form sends as repeated names.
    pub lists: &'static [&'static str],
}

/// The protocol style of a document (`x-dialect`): its error format and the steps of its pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The error envelope of the bot and admin APIs.
    Envelope,
    /// RFC 6749 §5.2: `{error, error_description}`. `Accept` and the query are not checked.
    Oauth,
}

/// Kinds of callers of the admin API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An operator key.
    Operator,
    /// A session of a company admin.
    Admin,
    /// A session of any user, for their own data.
    Person,
}

/// The type that represents an operation in generated code.
pub trait OperationType: Send + Sync + 'static {
    const INFO: &'static OperationInfo;
}
