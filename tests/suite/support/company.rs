//! A company to test in, created through the admin API.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::{
    Server,
    api::{Api, Call},
};

/// Every scope of bots.
pub const ALL_SCOPES: [&str; 6] = [
    "messages:write",
    "users:read",
    "users:read.email",
    "conversations:read",
    "conversations:history",
    "files:read",
];

static NAMES: AtomicU32 = AtomicU32::new(0);

fn unique() -> u32 {
    NAMES.fetch_add(1, Ordering::Relaxed)
}

/// Returns the text at a JSON pointer, which must exist.
#[track_caller]
pub fn text(value: &Value, pointer: &str) -> String {
    value
        .pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_else(|| panic!("no {pointer} in {value}"))
        .to_owned()
}

/// A company, and the client with which the operator administers it.
#[derive(Clone)]
pub struct Company {
    pub id: String,
    pub operator: Api,
    /// The user id of an admin of the company.
    pub admin: String,
}

/// A registered app with its secrets.
#[derive(Clone)]
pub struct App {
    pub id: String,
    pub client_id: String,
    pub client_secret: String,
    pub signing_secret: String,
}

/// The bot of an installed app.
#[derive(Clone)]
pub struct Bot {
    pub api: Api,
    pub token: String,
    pub user_id: String,
    pub app: App,
}

impl Server {
    pub async fn company(&self) -> Company {
        Company::create(self.operator()).await
    }

    pub async fn app(&self, scopes: &[&str]) -> App {
        App::register(&self.operator(), scopes).await
    }
}

impl App {
    pub async fn register(operator: &Api, scopes: &[&str]) -> Self {
        Self::register_at(operator, scopes, "https://app.example/events").await
    }

    pub async fn register_at(operator: &Api, scopes: &[&str], callback_url: &str) -> Self {
        let body = json!({
            "name": format!("App {}", unique()),
            "redirect_uris": ["https://app.example/callback"],
            "callback_url": callback_url,
            "scopes": scopes,
        });
        let made = operator.post("/admin/v1/apps").json(&body).ok(201).await;
        Self {
            id: text(&made, "/app/id"),
            client_id: text(&made, "/client_id"),
            client_secret: text(&made, "/client_secret"),
            signing_secret: text(&made, "/signing_secret"),
        }
    }

    /// Exchanges an install code.
    pub async fn exchange(&self, api: &Api, code: &str) -> Value {
        let body = json!({
            "grant_type": "authorization_code", "code": code,
            "client_id": self.client_id, "client_secret": self.client_secret,
        });
        api.anonymous().post("/oauth/token").json(&body).ok(200).await
    }
}

impl Company {
    pub async fn create(operator: Api) -> Self {
        let body = json!({"name": format!("Company {}", unique()), "domain": "example.com"});
        let made = operator.post("/admin/v1/workspaces").json(&body).ok(201).await;
        let mut company = Self { id: text(&made, "/workspace/id"), operator, admin: String::new() };
        company.admin = company.person_with(json!({"name": "Ada Admin", "is_admin": true})).await;
        company
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/admin/v1/workspaces/{}{rest}", self.id)
    }

    /// Creates a person and returns the person's id. The request body has a new name and e-mail address. The JSON
    /// members in `members` are added to the body, or replace members of the body.
    pub async fn person_with(&self, members: Value) -> String {
        let n = unique();
        let mut body = json!({"name": format!("Person {n}"), "email": format!("person{n}@example.com")});
        for (name, value) in members.as_object().expect("members") {
            body[name] = value.clone();
        }
        let made = self.operator.post(&self.path("/users")).json(&body).ok(201).await;
        text(&made, "/user/id")
    }

    pub async fn person(&self) -> String {
        self.person_with(json!({})).await
    }

    pub async fn guest(&self, visible: bool) -> String {
        self.person_with(json!({"is_external": true, "guest_visible": visible})).await
    }

    pub async fn set_state(&self, user: &str, state: &str) {
        let path = format!("/admin/v1/users/{user}/state");
        self.operator.post(&path).json(&json!({"state": state})).ok(200).await;
    }

    pub async fn update_user(&self, user: &str, members: Value) {
        self.operator.patch(&format!("/admin/v1/users/{user}")).json(&members).ok(200).await;
    }

    /// Creates a conversation and returns its id. The request body is `{kind: group, name}` with a new name. The JSON
    /// members in `members` are added to the body, or replace members of the body.
    pub async fn conversation(&self, members: Value) -> String {
        let mut body = json!({"kind": "group", "name": format!("group-{}", unique())});
        for (name, value) in members.as_object().expect("members") {
            body[name] = value.clone();
        }
        let made = self.operator.post(&self.path("/conversations")).json(&body).ok(201).await;
        text(&made, "/conversation/id")
    }

    pub async fn group(&self, member_ids: &[&str]) -> String {
        self.conversation(json!({"member_ids": member_ids})).await
    }

    pub async fn channel(&self, group: &str, member_ids: &[&str]) -> String {
        let body = json!({
            "kind": "channel", "parent_id": group, "name": format!("channel-{}", unique()),
            "member_ids": member_ids,
        });
        self.conversation(body).await
    }

    /// Creates the direct conversation of two people.
    pub async fn direct(&self, one: &str, other: &str) -> String {
        let body = json!({"kind": "dm", "member_ids": [one, other]});
        let made = self.operator.post(&self.path("/conversations")).json(&body).ok(201).await;
        text(&made, "/conversation/id")
    }

    pub async fn update_conversation(&self, id: &str, members: Value) {
        self.operator.patch(&format!("/admin/v1/conversations/{id}")).json(&members).ok(200).await;
    }

    pub async fn delete_conversation(&self, id: &str) {
        self.operator.delete(&format!("/admin/v1/conversations/{id}")).ok(200).await;
    }

    pub async fn add(&self, conversation: &str, user: &str) {
        self.operator.put(&format!("/admin/v1/conversations/{conversation}/members/{user}")).ok(200).await;
    }

    pub async fn remove(&self, conversation: &str, user: &str) {
        self.operator.delete(&format!("/admin/v1/conversations/{conversation}/members/{user}")).ok(200).await;
    }

    /// Posts a message of a person and returns the message's id. The request body is `{user_id, type: text, text}`. The
    /// JSON members in `members` are added to the body, or replace members of the body.
    pub async fn post_with(&self, conversation: &str, user: &str, members: Value) -> String {
        let mut body = json!({"user_id": user, "type": "text", "text": "hello"});
        for (name, value) in members.as_object().expect("members") {
            body[name] = value.clone();
        }
        let path = format!("/admin/v1/conversations/{conversation}/messages");
        let made = self.operator.post(&path).json(&body).ok(201).await;
        text(&made, "/message/id")
    }

    pub async fn post(&self, conversation: &str, user: &str, words: &str) -> String {
        self.post_with(conversation, user, json!({"text": words})).await
    }

    /// Uploads a file as a person, and returns its id.
    pub async fn file(&self, user: &str, name: &str, mimetype: &str, content: &[u8]) -> String {
        let path = self.path(&format!("/files?name={name}"));
        let call = self.operator.post(&path).header("content-type", mimetype).header("x-acting-user", user);
        let made = call.body(content.to_vec()).ok(201).await;
        text(&made, "/file/id")
    }

    /// Returns the newest messages of a conversation, as the admin API returns them: newest first, at most 1,000,
    /// including deleted messages.
    pub async fn messages(&self, conversation: &str) -> Vec<Value> {
        let path = format!("/admin/v1/conversations/{conversation}/messages?limit=1000");
        let page = self.operator.get(&path).ok(200).await;
        page["messages"].as_array().expect("messages").clone()
    }

    pub async fn install_code(&self, app: &App, scopes: &[&str]) -> String {
        let body = json!({"app_id": app.id, "scopes": scopes});
        let path = self.path("/installations");
        let made = self.operator.post(&path).header("x-acting-user", &self.admin).json(&body).ok(201).await;
        text(&made, "/code")
    }

    /// Installs an app with these scopes, and exchanges the install code for a bot token.
    pub async fn install(&self, app: &App, scopes: &[&str]) -> Bot {
        let code = self.install_code(app, scopes).await;
        let answer = app.exchange(&self.operator, &code).await;
        let token = text(&answer, "/access_token");
        Bot { api: self.operator.bearer(&token), token, user_id: text(&answer, "/bot/id"), app: app.clone() }
    }

    /// Creates an app with every scope, and installs it with these scopes.
    pub async fn bot_with(&self, server: &Server, scopes: &[&str]) -> Bot {
        let app = server.app(&ALL_SCOPES).await;
        self.install(&app, scopes).await
    }

    /// Creates an app with every scope, and installs it with all scopes.
    pub async fn bot(&self, server: &Server) -> Bot {
        self.bot_with(server, &ALL_SCOPES).await
    }

    pub async fn installation_of(&self, bot: &Bot) -> String {
        let list = self.operator.get(&self.path("/installations")).ok(200).await;
        let found = list["installations"]
            .as_array()
            .expect("installations")
            .iter()
            .rfind(|i| i["app_id"] == bot.app.id);
        text(found.expect("the app is installed"), "/id")
    }

    pub async fn uninstall(&self, bot: &Bot) {
        let id = self.installation_of(bot).await;
        let path = format!("/admin/v1/installations/{id}");
        self.operator.delete(&path).header("x-acting-user", &self.admin).ok(200).await;
    }

    /// Returns a message of a conversation, as the admin API returns it.
    pub async fn message(&self, conversation: &str, id: &str) -> Value {
        let all = self.messages(conversation).await;
        all.into_iter().find(|m| m["id"] == id).unwrap_or_else(|| panic!("no {id} in {conversation}"))
    }

    /// Returns the messages of a bot in a conversation, as the admin API returns them: newest first, without deleted
    /// messages.
    pub async fn sent_by(&self, bot: &Bot, conversation: &str) -> Vec<Value> {
        let mut all = self.messages(conversation).await;
        all.retain(|m| m["user_id"] == bot.user_id.as_str() && m["deleted_at"].is_null());
        all
    }

    /// Returns the ids of the direct conversations of the company.
    pub async fn direct_conversations(&self) -> Vec<String> {
        let page = self.operator.get(&self.path("/conversations?limit=1000")).ok(200).await;
        let all = page["conversations"].as_array().expect("conversations");
        all.iter().filter(|c| c["kind"] == "dm").map(|c| text(c, "/id")).collect()
    }

    /// Deletes a message of any sender through the admin API.
    pub async fn erase(&self, message: &str) {
        self.operator.delete(&format!("/admin/v1/messages/{message}")).ok(200).await;
    }

    pub async fn block_app(&self, person: &str, bot: &Bot) {
        let path = format!("/admin/v1/users/{person}/app_blocks/{}", bot.app.id);
        self.operator.put(&path).ok(200).await;
    }

    pub async fn unblock_app(&self, person: &str, bot: &Bot) {
        let path = format!("/admin/v1/users/{person}/app_blocks/{}", bot.app.id);
        self.operator.delete(&path).ok(200).await;
    }

    pub async fn archive(&self, group: &str, archived: bool) {
        self.update_conversation(group, json!({"is_archived": archived})).await;
    }
}

/// Returns the body of a bot's direct message.
pub fn to_user(user: &str, words: &str) -> Value {
    json!({"to": {"type": "user", "id": user}, "text": words})
}

/// Returns the body of a bot's message to a conversation.
pub fn to_conversation(conversation: &str, words: &str) -> Value {
    json!({"to": {"type": "conversation", "id": conversation}, "text": words})
}

impl Bot {
    /// Sends a message with a new idempotency key, and returns the message.
    pub async fn send(&self, body: &Value) -> Value {
        let key = format!("key-{}", unique());
        self.api.post("/v1/messages").key(&key).json(body).ok(201).await["message"].clone()
    }

    /// Sends a message with a new idempotency key. Asserts that the response has this status and this error code.
    pub async fn cannot_send(&self, body: &Value, status: u16, code: &str) {
        let answer = self.sending(&format!("key-{}", unique()), body).send().await;
        let got = answer.json()["error"]["code"].as_str().map(str::to_owned);
        assert_eq!((answer.status, got.as_deref()), (status, Some(code)), "{body}: {}", answer.text());
    }

    /// Returns the first page of a conversation's history in the bot API. The newest message is the first.
    pub async fn history(&self, conversation: &str) -> Vec<Value> {
        let page = self.api.get(&format!("/v1/conversations/{conversation}/messages")).ok(200).await;
        page["messages"].as_array().expect("messages").clone()
    }

    /// Returns a request to send a message with this idempotency key. The request is not sent yet.
    pub fn sending(&self, key: &str, body: &Value) -> Call {
        self.api.post("/v1/messages").key(key).json(body)
    }

    /// Returns a request to send a message with this idempotency key and this text as its JSON body. The request is not
    /// sent yet.
    pub fn sending_text(&self, key: &str, body: impl Into<String>) -> Call {
        let call = self.api.post("/v1/messages").key(key).header("content-type", "application/json");
        call.body(body.into())
    }

    /// Asserts that the body is rejected as malformed.
    pub async fn malformed(&self, body: &Value) {
        self.cannot_send(body, 400, "invalid_request").await;
    }

    /// Asserts that the request is rejected because the key was used for another request.
    pub async fn key_is_taken(&self, key: &str, body: &Value) {
        self.sending(key, body).refused(422, "idempotency_key_reused").await;
    }

    pub fn editing(&self, id: &str, body: &Value) -> Call {
        self.api.patch(&format!("/v1/messages/{id}")).json(body)
    }

    pub fn deleting(&self, id: &str) -> Call {
        self.api.delete(&format!("/v1/messages/{id}"))
    }
}
