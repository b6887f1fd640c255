//! Employees connect an assistant with a browser.

use serde_json::json;

use super::{
    assistants,
    company::Connected,
    http::Http,
    support::oauth::{self, Decision},
};

/// The registered client of all assistants.
pub struct Client {
    id: String,
}

pub async fn register(http: &Http) -> Client {
    Client { id: oauth::register(http, "Fleet").await.expect("the client is registered") }
}

impl Client {
    /// Connects an assistant for an employee. Returns `None` if a step failed.
    pub async fn connect(&self, http: &Http, email: &str) -> Option<Connected> {
        let code = oauth::code(http, &self.id, email, Decision::Approve).await?;
        let access = oauth::exchange(http, &self.id, &code).await?.access;
        let who = assistants::call(http, &access, "whoami", &json!({})).await;
        let connection_id = who.text_at("/result/structuredContent/connection/id");
        (!connection_id.is_empty()).then_some(Connected { access, connection_id })
    }
}
