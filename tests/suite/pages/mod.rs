//! Tests of the pages with an HTTP client that runs no scripts. Tests that need a real browser are in `tests/browser`.

mod administration;
mod buttons;
mod client;
mod consent;
mod conversation;
mod drafts;
mod forms;
mod hostile;
mod install;
mod install_state;
mod limits;
mod live;
mod revoked_meanwhile;
mod settings;
mod sign_in;
mod surface;

use serde_json::json;

use crate::support::{assistant::PASSWORD, browser::Browser, *};

/// A company with an admin who is signed in.
pub struct Office {
    pub company: Company,
    pub admin: Browser,
    pub admin_id: String,
}

impl Office {
    pub async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let (admin_id, admin) =
            colleague(server, &company, json!({"name": "Olga Office", "is_admin": true})).await;
        Self { company, admin, admin_id }
    }

    /// Creates a person of the company, and signs the person in. Returns the id and the browser.
    pub async fn colleague(&self, server: &Server) -> (String, Browser) {
        colleague(server, &self.company, json!({})).await
    }
}

/// Creates a person, and signs the person in. `members` are JSON members of the request, in addition to the defaults or
/// in place of them. Returns the id and the browser.
pub async fn colleague(server: &Server, company: &Company, members: serde_json::Value) -> (String, Browser) {
    static NUMBER: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let email = format!("page{number}@example.com");
    let mut body = json!({"name": "Paul Page", "email": email, "password": PASSWORD});
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    let id = company.person_with(body).await;
    (id, server.signed_in(&email, PASSWORD).await)
}
