//! The operations of the bot API as a table, and a company with one of everything they can touch.

use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Options, Server,
    api::{Api, Call},
    company::{ALL_SCOPES, Bot, Company, to_conversation},
};

/// One of the 11 operations that a bot token authenticates.
pub struct Operation {
    pub method: Method,
    /// With `{message}`, `{conversation}`, `{file}`, `{user}` and `{email}` to be filled in.
    pub path: &'static str,
    /// The scope it needs (B-052 … B-062).
    pub scope: Option<&'static str>,
    /// The status of a success (D-017).
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

/// The two operations that an app's own credentials authenticate.
pub static OAUTH_PATHS: [&str; 2] = ["/oauth/token", "/oauth/revoke"];

impl Operation {
    pub fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    pub fn is_read(&self) -> bool {
        self.method == Method::GET
    }

    /// Whether it takes a JSON body.
    pub fn takes_body(&self) -> bool {
        self.method == Method::POST || self.method == Method::PATCH
    }
}

/// An idempotency key nobody used.
pub fn fresh_key() -> String {
    static KEYS: AtomicU32 = AtomicU32::new(0);
    format!("scene-{}", KEYS.fetch_add(1, Ordering::Relaxed))
}

/// Text as a value of a query parameter.
pub fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Adds a parameter to a path that may have some already.
pub fn with_query(path: &str, parameter: &str) -> String {
    let separator = if path.contains('?') { '&' } else { '?' };
    format!("{path}{separator}{parameter}")
}

impl Server {
    /// A sandbox on SQLite with the limits of the contract.
    pub async fn limited() -> Self {
        Self::with(Options { limits: true, ..Options::default() }).await.expect("SQLite is always there")
    }

    /// Production, on SQLite.
    pub async fn production() -> Self {
        Self::with(Options { production: true, ..Options::default() }).await.expect("SQLite is always there")
    }
}

/// A bot in a group with a person, who attached a file to a message the bot can read.
pub struct Scene {
    pub company: Company,
    pub bot: Bot,
    pub user: String,
    pub email: String,
    pub conversation: String,
    pub file: String,
}

impl Scene {
    pub async fn new(server: &Server) -> Self {
        Self::with(server, &ALL_SCOPES).await
    }

    /// The same with a bot of these scopes; without `messages:write` there are no messages to edit or delete.
    pub async fn with(server: &Server, scopes: &[&str]) -> Self {
        let company = server.company().await;
        let bot = company.bot_with(server, scopes).await;
        let email = "anna@example.com".to_owned();
        let user = company.person_with(json!({"name": "Anna Example", "email": email})).await;
        let conversation = company.group(&[&user, &bot.user_id]).await;
        let file = company.file(&user, "plan.txt", "text/plain", b"the plan").await;
        company.post_with(&conversation, &user, json!({"type": "file", "file_ids": [file]})).await;
        Self { company, bot, user, email, conversation, file }
    }

    /// A message of the bot, to be edited or deleted.
    pub async fn message(&self) -> String {
        let message = self.bot.send(&to_conversation(&self.conversation, "as sent")).await;
        message["id"].as_str().expect("an id").to_owned()
    }

    /// The operation's path with ids of things that exist; makes a new message where one is needed.
    pub async fn path(&self, operation: &Operation) -> String {
        let mut path = operation.path.to_owned();
        if path.contains("{message}") {
            path = path.replace("{message}", &self.message().await);
        }
        path.replace("{conversation}", &self.conversation)
            .replace("{file}", &self.file)
            .replace("{user}", &self.user)
            .replace("{email}", &self.email)
    }

    /// The body of a request that succeeds, for the operations that take one.
    pub fn body(&self, operation: &Operation) -> Option<Value> {
        let body = if operation.method == Method::POST {
            to_conversation(&self.conversation, "from the table")
        } else {
            json!({"text": "edited"})
        };
        operation.takes_body().then_some(body)
    }

    /// A request that succeeds when `api` is a bot of the scene with the scope for it.
    pub async fn call(&self, api: &Api, operation: &Operation) -> Call {
        self.call_at(api, operation, &self.path(operation).await)
    }

    /// The same to another path of the operation.
    pub fn call_at(&self, api: &Api, operation: &Operation, path: &str) -> Call {
        let call = api.call(operation.method.clone(), path);
        let call = if operation.method == Method::POST { call.key(&fresh_key()) } else { call };
        match self.body(operation) {
            Some(body) => call.json(&body),
            None => call,
        }
    }

    /// Texts of the messages in the scene's conversation as the admin sees them, deleted ones left out.
    pub async fn texts(&self) -> Vec<String> {
        let messages = self.company.messages(&self.conversation).await;
        messages.iter().filter_map(|m| m["text"].as_str()).map(str::to_owned).collect()
    }
}
