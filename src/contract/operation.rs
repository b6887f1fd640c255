//! The metadata of an operation, which the request pipeline reads before it parses a request.

use crate::domain::{limit_name::LimitName, refusal::Code};

/// An operation of an OpenAPI document.
#[derive(Debug)]
pub struct OperationInfo {
    /// The name of the document: `bot`, `assistant` or `admin`.
    pub api: &'static str,
    /// The `operationId`, unique over all documents, which is also the operation's name in logs and
    /// metrics.
    pub id: &'static str,
    /// The HTTP method in upper case.
    pub method: &'static str,
    /// The path, with `{name}` in place of each path parameter.
    pub path: &'static str,
    /// The error format and the steps of the pipeline.
    pub dialect: Dialect,
    /// The security schemes. A request must satisfy one of them. Empty for an operation without authentication.
    pub schemes: &'static [&'static str],
    /// Whether the pipeline accepts a request that satisfies no security scheme, because the body may contain the
    /// credentials.
    pub optional: bool,
    /// Required scopes (`x-scopes`).
    pub scopes: &'static [&'static str],
    /// Headers whose absence has its own error code (`x-missing-code`).
    pub required_headers: &'static [(&'static str, Code)],
    pub body: Option<BodyInfo>,
    /// The allowed kinds of callers (`x-credentials`); empty if the security scheme has only one kind.
    pub credentials: &'static [Credential],
    /// The rate limit: the `x-limit` of the operation or, if it has none, of the document. If both are missing, the
    /// code generator fails.
    pub limit: LimitName,
    /// Whether the operation is unavailable in production (`x-sandbox`).
    pub sandbox: bool,
    /// Whether the handler reads the body itself (`x-raw`).
    pub raw: bool,
    /// Every error code that the document lists for the operation.
    pub errors: &'static [Code],
}

impl OperationInfo {
    /// Returns the metadata of an operation without authentication, body or errors. `api`, `id`, `method`
    /// and `path` are empty.
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
    /// The media types of the document's `content`, in lower case.
    pub media_types: &'static [&'static str],
    /// Media types accepted in addition to `media_types` (`x-also-accepts`). `*/*` accepts any type.
    pub also: &'static [&'static str],
    pub required: bool,
    pub description: Option<&'static str>,
    /// The names of members that are arrays. A form sends an array as several fields with the same name.
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
