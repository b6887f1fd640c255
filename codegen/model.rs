//! The parts of an OpenAPI document from which the server's routes and types are generated. References (`$ref`) are
//! resolved, except those to named schemas, which stay names.

use std::collections::BTreeMap;

pub struct Api {
    pub title: String,
    pub version: String,
    pub tags: Vec<(String, Option<String>)>,
    pub schemes: Vec<Scheme>,
    pub scopes: Vec<(String, String)>,
    pub schemas: Vec<Named>,
    pub operations: Vec<Op>,
    /// The name of the schema of all error bodies.
    pub error_schema: String,
    /// The status of each error code, except `client_error` and `server_error`, which may have several.
    pub codes: BTreeMap<String, u16>,
    /// The error format (`x-dialect`); default `envelope`.
    pub dialect: String,
    /// Headers that any response can have (`x-ambient-headers`). The handlers do not set them.
    pub ambient: Vec<String>,
}

pub struct Scheme {
    pub name: String,
    pub description: Option<String>,
    pub kind: SchemeKind,
}

pub enum SchemeKind {
    Http { scheme: String, bearer_format: Option<String> },
    ApiKey { location: &'static str, name: String },
}

pub struct Named {
    /// The name of the Rust type. It lacks the document's `x-name-prefix`.
    pub name: String,
    /// The name in the document.
    pub wire: String,
    pub description: Option<String>,
    pub kind: NamedKind,
}

pub enum NamedKind {
    Object(Vec<Field>),
    Enum {
        values: Vec<String>,
        /// Whether more values may be added later (`x-extensible-enum`). The routes publish an extensible
        /// enumeration as an unrestricted string.
        extensible: bool,
    },
    Union {
        tag: String,
        variants: Vec<(String, String)>,
    },
    Constant(bool),
}

pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub required: bool,
    pub nullable: bool,
    pub limits: Limits,
}

/// The keywords of a schema other than its type.
#[derive(Clone, Default, PartialEq)]
pub struct Limits {
    pub description: Option<String>,
    pub format: Option<String>,
    pub min_length: Option<usize>,
    pub max_length: Option<usize>,
    pub pattern: Option<String>,
    pub min_items: Option<usize>,
    pub max_items: Option<usize>,
    pub unique_items: bool,
    pub minimum: Option<i64>,
    pub maximum: Option<i64>,
    pub default: Option<serde_json::Value>,
    /// Limits of the items of a list.
    pub items: Option<Box<Limits>>,
}

#[derive(Clone)]
pub enum Ty {
    Text,
    /// A string with a single value, such as the discriminator of a union's variant.
    Tag(String),
    Bool,
    Integer,
    Instant,
    Named(String),
    List(Box<Ty>),
    FreeForm,
}

pub struct Op {
    /// The operationId.
    pub id: String,
    /// The operationId without the document's `x-name-prefix`: the name used in Rust.
    pub name: String,
    pub method: String,
    pub path: String,
    pub summary: String,
    pub description: Option<String>,
    pub tag: String,
    /// The security scheme, at most one. If the list is empty, the operation needs no authentication.
    pub security: Vec<String>,
    /// Whether a request is also allowed without the security scheme (`{}` in the list `security`), because its body
    /// contains the credentials.
    pub optional_security: bool,
    /// Required scopes (`x-scopes`).
    pub scopes: Vec<String>,
    pub params: Vec<Param>,
    pub body: Option<Body>,
    pub successes: Vec<Reply>,
    pub errors: Vec<Reply>,
    /// The response for all statuses that are not listed (`default`).
    pub fallback: Option<Reply>,
    /// The allowed kinds of callers (`x-credentials`); empty if the security scheme has only one kind.
    pub credentials: Vec<String>,
    /// The name of the rate limit (`x-limit` of the operation or of the document), or `unlimited`.
    pub limit: String,
    /// Whether the operation is unavailable in production (`x-sandbox`).
    pub sandbox: bool,
    /// Whether the handler reads the body itself (`x-raw`).
    pub raw: bool,
}

pub struct Param {
    pub name: String,
    pub location: ParamLocation,
    pub description: Option<String>,
    pub required: bool,
    pub ty: Ty,
    pub limits: Limits,
    /// The maximum (`x-clamp`); a larger value counts as the maximum.
    pub clamp: Option<i64>,
    /// The error code for a missing value (`x-missing-code`); by default `invalid_request`.
    pub missing_code: Option<String>,
    /// The error code for an invalid value (`x-invalid-code`); by default `invalid_request`.
    pub invalid_code: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum ParamLocation {
    Path,
    Query,
    Header,
}

pub struct Body {
    pub description: Option<String>,
    pub required: bool,
    pub media_types: Vec<String>,
    /// Accepted media types that are not in `content` (`x-also-accepts`).
    pub also: Vec<String>,
    /// The name of the schema of the body; `None` for raw bytes.
    pub schema: Option<String>,
    /// Members of the schema that are arrays. A form sends such a member as several fields with the same name.
    pub lists: Vec<String>,
}

/// A documented response.
pub struct Reply {
    /// The name in `components`, if the operation refers to a response there.
    pub shared: Option<String>,
    /// The status; `None` for the `default` response. That response covers all statuses that are not listed.
    pub status: Option<u16>,
    pub description: String,
    pub schema: Option<String>,
    /// The names of the response's examples. In an error response, each name is an error code.
    pub codes: Vec<String>,
    pub headers: Vec<HeaderDoc>,
}

pub struct HeaderDoc {
    /// The name in `components`, if the response refers to a header there.
    pub shared: Option<String>,
    pub name: String,
    pub description: Option<String>,
    pub required: bool,
    pub integer: bool,
    pub limits: Limits,
}
