//! Where most tests of sending begin: a bot and a person in one group, and words to ask what became of it.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::*;

/// A day and a minute: a key is no longer remembered for every destination (B-421).
pub const PAST_A_DAY: Duration = Duration::from_secs(24 * 60 * 60 + 60);
/// A minute short of a day.
pub const WITHIN_A_DAY: Duration = Duration::from_secs(24 * 60 * 60 - 60);
/// Bodies of ids that were never given out.
pub const NOBODY: &str = "usr_0000000000001";
pub const NOWHERE: &str = "grp_0000000000001";
pub const NOTHING: &str = "gmsg_0000000000001";

/// A company with a bot and a person, both in one group.
pub struct Setup {
    pub company: Company,
    pub bot: Bot,
    pub person: String,
    pub group: String,
}

impl Setup {
    pub async fn new(server: &Server) -> Self {
        let company = server.company().await;
        let bot = company.bot(server).await;
        let person = company.person().await;
        let group = company.group(&[&bot.user_id, &person]).await;
        Self { company, bot, person, group }
    }

    /// A post to the group with these members over `{to, text}`.
    pub fn post(&self, members: Value) -> Value {
        with(to_conversation(&self.group, "hello"), members)
    }

    /// A direct message to the person with these members over `{to, text}`.
    pub fn direct(&self, members: Value) -> Value {
        with(to_user(&self.person, "hello"), members)
    }

    /// Posts to the group with these members; tells the message's id.
    pub async fn posted(&self, members: Value) -> String {
        text(&self.bot.send(&self.post(members)).await, "/id")
    }

    /// What the bot has standing in the group, newest first, as the admin sees it.
    pub async fn standing(&self) -> Vec<Value> {
        self.company.sent_by(&self.bot, &self.group).await
    }

    /// The admin's view of one message of the group.
    pub async fn stored(&self, id: &str) -> Value {
        self.company.message(&self.group, id).await
    }
}

impl Company {
    /// The admin's view of one message.
    pub async fn message(&self, conversation: &str, id: &str) -> Value {
        let all = self.messages(conversation).await;
        all.into_iter().find(|m| m["id"] == id).unwrap_or_else(|| panic!("no {id} in {conversation}"))
    }

    /// The undeleted messages of a bot in a conversation, newest first, as the admin sees them.
    pub async fn sent_by(&self, bot: &Bot, conversation: &str) -> Vec<Value> {
        let mut all = self.messages(conversation).await;
        all.retain(|m| m["user_id"] == bot.user_id.as_str() && m["deleted_at"].is_null());
        all
    }

    /// Ids of the direct-message conversations of the company.
    pub async fn direct_conversations(&self) -> Vec<String> {
        let page = self.operator.get(&self.path("/conversations?limit=1000")).ok(200).await;
        let all = page["conversations"].as_array().expect("conversations");
        all.iter().filter(|c| c["kind"] == "dm").map(|c| text(c, "/id")).collect()
    }

    /// A company admin's deletion of any message.
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

impl Bot {
    /// A send under this key, not yet on its way.
    pub fn sending(&self, key: &str, body: &Value) -> Call {
        self.api.post("/v1/messages").key(key).json(body)
    }

    /// A send of this text as its JSON body.
    pub fn sending_text(&self, key: &str, body: impl Into<String>) -> Call {
        let call = self.api.post("/v1/messages").key(key).header("content-type", "application/json");
        call.body(body.into())
    }

    /// Expects that the body is refused as malformed.
    pub async fn malformed(&self, body: &Value) {
        self.cannot_send(body, 400, "invalid_request").await;
    }

    /// Expects that the key is taken by something else.
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

/// A JSON object with these members over its own.
pub fn with(mut object: Value, members: Value) -> Value {
    for (name, value) in members.as_object().expect("members") {
        object[name] = value.clone();
    }
    object
}

/// A JSON object without one of its members.
pub fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().expect("an object").remove(name);
    object
}

/// Names of an object's members, sorted.
#[track_caller]
pub fn members(object: &Value) -> Vec<String> {
    let mut names: Vec<_> = object.as_object().expect("an object").keys().cloned().collect();
    names.sort();
    names
}

/// The texts of messages, in their order.
pub fn texts(messages: &[Value]) -> Vec<String> {
    messages.iter().map(|m| text(m, "/text")).collect()
}

/// One `section` block that makes `blocks` exactly this long as compact JSON.
pub fn blocks_of(bytes: usize) -> Value {
    let frame = r#"[{"type":"section","text":""}]"#.len();
    json!([{"type": "section", "text": "x".repeat(bytes - frame)}])
}

/// Metadata of one member that is exactly this long as compact JSON.
pub fn metadata_of(bytes: usize) -> Value {
    json!({"k": "x".repeat(bytes - r#"{"k":""}"#.len())})
}
