//! The operations of the bot API as a table, and values for their requests.

use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::Method;

/// An operation that needs a bot token.
pub struct Operation {
    pub method: Method,
    /// The path, with the placeholders `{message}`, `{conversation}`, `{file}`, `{user}` and `{email}`.
    pub path: &'static str,
    /// The required scope (B-052 … B-062).
    pub scope: Option<&'static str>,
    /// The status of a success.
    pub status: u16,
}

const fn operation(
    method: Method,
    path: &'static str,
    scope: Option<&'static str>,
    status: u16,
) -> Operation {
    Operation { method, path, scope, status }
}

pub static OPERATIONS: [Operation; 11] = [
    operation(Method::POST, "/v1/messages", Some("messages:write"), 201),
    operation(Method::PATCH, "/v1/messages/{message}", Some("messages:write"), 200),
    operation(Method::DELETE, "/v1/messages/{message}", Some("messages:write"), 200),
    operation(Method::GET, "/v1/conversations", Some("conversations:read"), 200),
    operation(Method::GET, "/v1/conversations/{conversation}", Some("conversations:read"), 200),
    operation(Method::GET, "/v1/conversations/{conversation}/messages", Some("conversations:history"), 200),
    operation(Method::GET, "/v1/conversations/{conversation}/files/{file}", Some("files:read"), 200),
    operation(Method::GET, "/v1/users", Some("users:read"), 200),
    operation(Method::GET, "/v1/users/{user}", Some("users:read"), 200),
    operation(Method::GET, "/v1/users/lookup?email={email}", Some("users:read.email"), 200),
    operation(Method::GET, "/v1/auth/test", None, 200),
];

/// The two operations that authenticate an app by its client id and secret.
pub static OAUTH_PATHS: [&str; 2] = ["/oauth/token", "/oauth/revoke"];

impl Operation {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn is_read(&self) -> bool {
        self.method == Method::GET
    }

    /// Returns whether the operation takes a JSON body.
    pub fn takes_body(&self) -> bool {
        self.method == Method::POST || self.method == Method::PATCH
    }
}

/// Returns a new idempotency key.
pub fn fresh_key() -> String {
    static KEYS: AtomicU32 = AtomicU32::new(0);
    format!("key-{}", KEYS.fetch_add(1, Ordering::Relaxed))
}

/// Encodes text as the value of a query parameter.
pub fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Appends a query parameter to a path.
pub fn with_query(path: &str, parameter: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{parameter}")
}
