//! Creates companies, people and apps through the admin API, and installs the apps.

use reqwest::Method;
use serde_json::{Value, json};

use super::http::{Http, Reply, new_request};

/// The scopes of every bot.
pub const SCOPES: [&str; 6] = [
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];
/// The password of every person who has a password.
pub const PASSWORD: &str = "analytical engine";

/// The ids and the secrets of an app.
pub struct App {
    pub id: String,
    pub client_id: String,
    pub client_secret: String,
    pub signing_secret: String,
}

/// The bot token and the id of the app's bot user. If the app is installed again in the same company, the token is new,
/// and the id is the same.
#[derive(Clone, Debug, Default)]
pub struct Installed {
    pub token: String,
    pub user_id: String,
}

/// Sends a POST request to the admin API. Panics if the request fails.
pub async fn post(http: &Http, path: &str, body: &Value) -> Reply {
    http.admin(new_request("seed", Method::POST, path).json(body)).await.expect_success(path)
}

/// Creates a company and returns its id.
pub async fn company(http: &Http, name: &str) -> String {
    let body = json!({"name": name, "domain": "example.com"});
    post(http, "/admin/v1/workspaces", &body).await.text_at("/workspace/id")
}

/// Creates a person. `members` are the members of the request body besides the name and the e-mail address. Returns the
/// id and the e-mail address of the person.
pub async fn person(http: &Http, company: &str, name: &str, members: &Value) -> (String, String) {
    let email = format!("{name}@example.com");
    let mut body = json!({"name": format!("Person {name}"), "email": email});
    for (member, value) in members.as_object().unwrap() {
        body[member] = value.clone();
    }
    let reply = post(http, &format!("/admin/v1/workspaces/{company}/users"), &body).await;
    (reply.text_at("/user/id"), email)
}

/// Creates app number `number`. Its events are sent to `callback_url`.
pub async fn app(http: &Http, number: usize, callback_url: &str) -> App {
    let body = json!({
        "name": format!("App {number}"),
        "redirect_uris": ["https://app.example/callback"],
        "callback_url": callback_url,
        "scopes": SCOPES,
    });
    let reply = post(http, "/admin/v1/apps", &body).await;
    App {
        id: reply.text_at("/app/id"),
        client_id: reply.text_at("/client_id"),
        client_secret: reply.text_at("/client_secret"),
        signing_secret: reply.text_at("/signing_secret"),
    }
}

/// Installs an app on behalf of an admin, and exchanges the install code for a bot token. Returns `None` if a request
/// failed.
pub async fn install(
    http: &Http,
    company: &str,
    admin: &str,
    (app_id, client_id, client_secret): (&str, &str, &str),
) -> Option<Installed> {
    let body = json!({"app_id": app_id, "scopes": SCOPES});
    let path = format!("/admin/v1/workspaces/{company}/installations");
    let request = new_request("admin: install an app", Method::POST, path).json(&body);
    let approved = http.admin(request.header("x-acting-user", admin)).await;
    if !approved.is_ok() {
        return None;
    }
    let body = json!({
        "grant_type": "authorization_code", "code": approved.text_at("/code"),
        "client_id": client_id, "client_secret": client_secret,
    });
    let exchanged =
        http.send(new_request("exchange an install code", Method::POST, "/oauth/token").json(&body)).await;
    let installed =
        Installed { token: exchanged.text_at("/access_token"), user_id: exchanged.text_at("/bot/id") };
    exchanged.is_ok().then_some(installed)
}
