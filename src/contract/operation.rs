//! What a document says of an operation that matters before its request is parsed.

use crate::domain::refusal::Code;

/// One operation of a document.
#[derive(Debug)]
pub struct OperationInfo {
    /// The document's name, `bot`, `assistant` or `admin`: two documents may have operations of one name.
    pub api: &'static str,
    /// The operationId; also the name in logs and metrics.
    pub id: &'static str,
    /// Upper case.
    pub method: &'static str,
    /// With `{name}` for parameters.
    pub path: &'static str,
    pub tag: &'static str,
    /// How its failures are written.
    pub dialect: Dialect,
    /// Security schemes, any of which admits; none for an open operation.
    pub schemes: &'static [&'static str],
    /// Scopes of which all are needed.
    pub scopes: &'static [&'static str],
    /// Headers whose absence has a code of its own (`x-missing-code`).
    pub required_headers: &'static [(&'static str, Code)],
    pub body: Option<BodyInfo>,
    /// Who may call (`x-credentials`); empty where the scheme knows only one kind.
    pub credentials: &'static [Credential],
    /// Which rate limit applies (`x-limit`). A document that names none for an operation is not compiled.
    pub limit: LimitRow,
    /// Absent in production (`x-sandbox`).
    pub sandbox: bool,
    /// The handler reads the body itself (`x-raw`).
    pub raw: bool,
    /// Every error code that the document lists for it.
    pub errors: &'static [Code],
}

/// The body of an operation.
#[derive(Debug)]
pub struct BodyInfo {
    /// Lower case; `*/*` takes any, and none.
    pub media_types: &'static [&'static str],
    pub required: bool,
    pub description: Option<&'static str>,
    /// Members that are arrays, which a form sends as repeated names.
    pub lists: &'static [&'static str],
}

/// How a document speaks (`x-dialect`): the shape of its failures, and which steps the ladder has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The error envelope of the bot and admin APIs.
    Envelope,
    /// RFC 6749 §5.2: `{error, error_description}`. `Accept` and the query are not judged.
    Oauth,
}

/// Kinds of callers of the admin API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credential {
    /// An operator key.
    Operator,
    /// A session of a company admin.
    Admin,
    /// A session of anybody, for their own things.
    Person,
}

/// The rate limits that documents name with `x-limit`: the whole table of all three APIs.
///
/// Each API matches it exhaustively where it counts requests, and refuses an operation whose row belongs to another API,
/// so that no operation is unlimited by omission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitRow {
    /// Bot API: lists.
    List,
    /// Bot API: single reads.
    Single,
    /// Bot API: changing and deleting messages.
    Edit,
    /// Bot API: sending.
    Send,
    /// Bot API: the token and revocation endpoints.
    Oauth,
    /// Assistant server: the registration endpoint.
    Register,
    /// Assistant server: the token endpoint.
    Token,
    /// Assistant server: the revocation endpoint.
    Revoke,
    /// Assistant server: the authorization page, which is served by hand.
    Authorize,
    /// Assistant server: the MCP endpoints, which are served by hand.
    Mcp,
    /// Admin API: everything that needs a credential.
    Admin,
    /// Admin API: signing in.
    SignIn,
    /// No limit, on purpose: small public documents.
    Unlimited,
}

/// The type that stands for an operation in generated code.
pub trait OperationType: Send + Sync + 'static {
    const INFO: &'static OperationInfo;
}
