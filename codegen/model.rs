//! What the server half needs to know of a document, with every reference resolved.

use std::collections::BTreeMap;

pub struct Api {
    pub title: String,
    pub version: String,
    pub tags: Vec<(String, Option<String>)>,
    pub schemes: Vec<Scheme>,
    pub scopes: Vec<(String, String)>,
    pub schemas: Vec<Named>,
    pub operations: Vec<Op>,
    /// The schema of every error body.
    pub error_schema: String,
    /// Error code -> its status.
    pub codes: BTreeMap<String, u16>,
    /// How its failures are written (`x-dialect`); `envelope` unless said.
    pub dialect: String,
    /// Headers that the platform writes (`x-ambient-headers`).
    pub ambient: Vec<String>,
}

pub struct Scheme {
    pub name: String,
    pub description: Option<String>,
    pub kind: SchemeKind,
}

pub enum SchemeKind {
    Http { scheme: String, bearer_format: Option<String> },
    ApiKey { place: &'static str, name: String },
    OAuth2 { authorization_url: String, token_url: String, scopes: Vec<(String, String)> },
}

pub struct Named {
    pub name: String,
    pub description: Option<String>,
    pub kind: NamedKind,
}

pub enum NamedKind {
    Object(Vec<Field>),
    Enum(Vec<String>),
    Union { tag: String, variants: Vec<(String, String)> },
    Constant(bool),
}

pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub required: bool,
    pub nullable: bool,
    pub limits: Limits,
}

/// What a schema says besides its type.
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
    /// Of the items of a list.
    pub items: Option<Box<Limits>>,
}

#[derive(Clone)]
pub enum Ty {
    Text,
    /// A string of one value, such as the discriminator of a union's variant.
    Tag(String),
    Bool,
    Integer,
    Instant,
    Named(String),
    List(Box<Ty>),
    FreeForm,
}

pub struct Op {
    pub id: String,
    pub method: String,
    pub path: String,
    pub summary: String,
    pub description: Option<String>,
    pub tag: String,
    /// Alternatives: scheme, scopes. None: open to anyone.
    pub security: Vec<(String, Vec<String>)>,
    pub params: Vec<Param>,
    pub body: Option<Body>,
    pub successes: Vec<Reply>,
    pub errors: Vec<Reply>,
    pub credentials: Vec<String>,
    pub limit: String,
    pub sandbox: bool,
    pub raw: bool,
}

pub struct Param {
    pub name: String,
    pub place: Place,
    pub description: Option<String>,
    pub required: bool,
    pub ty: Ty,
    pub limits: Limits,
    pub clamp: Option<i64>,
    pub missing_code: Option<String>,
    pub invalid_code: Option<String>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Path,
    Query,
    Header,
}

pub struct Body {
    pub description: Option<String>,
    pub required: bool,
    pub media_types: Vec<String>,
    /// None: raw bytes.
    pub schema: Option<String>,
    /// Members of the schema that are arrays, which a form sends as repeated names.
    pub lists: Vec<String>,
}

/// A documented answer.
pub struct Reply {
    /// The component it is, when it is shared.
    pub shared: Option<String>,
    pub status: u16,
    pub description: String,
    pub schema: Option<String>,
    /// Error codes, by their examples.
    pub codes: Vec<String>,
    pub headers: Vec<HeaderDoc>,
}

pub struct HeaderDoc {
    /// The component it is, when it is shared.
    pub shared: Option<String>,
    pub name: String,
    pub description: Option<String>,
    pub required: bool,
    pub integer: bool,
    pub limits: Limits,
}
