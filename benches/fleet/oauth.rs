//! Connects assistants, with the requests that an employee's browser and the assistant send.

use serde_json::json;

use super::{
    http::Http,
    support::oauth::{self, Decision},
    tool_calls,
};

/// The registered OAuth client that all assistants of the benchmark share.
pub struct Client {
    id: String,
}

pub async fn register(http: &Http) -> Client {
    Client { id: oauth::register(http, "Fleet").await.expect("the client is registered") }
}

/// The current connection of an assistant. If it is revoked, the benchmark connects the assistant again.
#[derive(Clone, Debug)]
pub struct Connected {
    pub access: String,
    pub connection_id: String,
}

impl Client {
    /// Connects an assistant for an employee. Returns `None` if a step failed.
    pub async fn connect(&self, http: &Http, email: &str) -> Option<Connected> {
        let code = oauth::code(http, &self.id, email, Decision::Approve).await?;
        let access = oauth::exchange(http, &self.id, &code).await?.access;
        let who = tool_calls::call(http, &access, "whoami", &json!({})).await;
        let connection_id = who.text_at("/result/structuredContent/connection/id");
        (!connection_id.is_empty()).then_some(Connected { access, connection_id })
    }
}
