//! A fixture: a company with one of each resource that the operations of the bot API use. Also helpers that read the
//! result of an operation.

use reqwest::Method;
use serde_json::{Value, json};

use super::{
    Operation, Server,
    api::{Api, Call},
    company::{ALL_SCOPES, Bot, Company, text, to_conversation, to_user},
    operations::fresh_key,
    words::with,
};

/// A bot and a person in a group. The person has attached a file to a message that the bot can read.
pub struct BotFixture {
    pub company: Company,
    pub bot: Bot,
    pub person: String,
    pub email: String,
    pub group: String,
    pub file: String,
}

impl BotFixture {
    pub async fn new(server: &Server) -> Self {
        Self::with(server, &ALL_SCOPES).await
    }

    /// Creates the fixture with a bot of these scopes. A bot without `messages:write` cannot use
    /// [`BotFixture::message`].
    pub async fn with(server: &Server, scopes: &[&str]) -> Self {
        let company = server.company().await;
        let bot = company.bot_with(server, scopes).await;
        let email = "anna@example.com".to_owned();
        let person = company.person_with(json!({"name": "Anna Example", "email": email})).await;
        let group = company.group(&[&person, &bot.user_id]).await;
        let file = company.file(&person, "plan.txt", "text/plain", b"the plan").await;
        company.post_with(&group, &person, json!({"type": "file", "file_ids": [file]})).await;
        Self { company, bot, person, email, group, file }
    }

    /// Sends a message as the bot, so that the bot can edit and delete the message. Returns the id of the message.
    pub async fn message(&self) -> String {
        let message = self.bot.send(&to_conversation(&self.group, "as sent")).await;
        message["id"].as_str().expect("an id").to_owned()
    }

    /// Returns the operation's path with existing ids. If the path needs a message, sends a new message.
    pub async fn path(&self, operation: &Operation) -> String {
        let mut path = operation.path.to_owned();
        if path.contains("{message}") {
            path = path.replace("{message}", &self.message().await);
        }
        path.replace("{conversation}", &self.group)
            .replace("{file}", &self.file)
            .replace("{user}", &self.person)
            .replace("{email}", &self.email)
    }

    /// Returns the body of a request that succeeds. Returns `None` if the operation takes no body.
    pub fn body(&self, operation: &Operation) -> Option<Value> {
        let body = if operation.method == Method::POST {
            to_conversation(&self.group, "from the table")
        } else {
            json!({"text": "edited"})
        };
        operation.takes_body().then_some(body)
    }

    /// Returns a request that succeeds if `api` has the token of the fixture's bot, and if the bot has the operation's
    /// scope.
    pub async fn call(&self, api: &Api, operation: &Operation) -> Call {
        self.call_at(api, operation, &self.path(operation).await)
    }

    /// Returns the request of [`BotFixture::call`], but with this path.
    pub fn call_at(&self, api: &Api, operation: &Operation, path: &str) -> Call {
        let call = api.call(operation.method.clone(), path);
        let call = if operation.method == Method::POST { call.key(&fresh_key()) } else { call };
        match self.body(operation) {
            Some(body) => call.json(&body),
            None => call,
        }
    }

    /// Returns the texts of the group's messages, as the admin API returns them: newest first. Leaves out messages
    /// without a text, such as deleted messages.
    pub async fn texts(&self) -> Vec<String> {
        let messages = self.company.messages(&self.group).await;
        messages.iter().filter_map(|m| m["text"].as_str()).map(str::to_owned).collect()
    }

    /// Returns the body of a post to the group: `{to, text}` with these members added or replaced.
    pub fn post(&self, members: Value) -> Value {
        with(to_conversation(&self.group, "hello"), members)
    }

    /// Returns the body of a direct message to the person: `{to, text}` with these members added or replaced.
    pub fn direct(&self, members: Value) -> Value {
        with(to_user(&self.person, "hello"), members)
    }

    /// Sends the body of [`BotFixture::post`] as the bot, and returns the message's id.
    pub async fn posted(&self, members: Value) -> String {
        text(&self.bot.send(&self.post(members)).await, "/id")
    }

    /// Returns the bot's messages in the group that are not deleted, newest first, as the admin API returns them.
    pub async fn visible_messages(&self) -> Vec<Value> {
        self.company.sent_by(&self.bot, &self.group).await
    }

    /// Returns one message of the group, as the admin API returns it.
    pub async fn stored(&self, id: &str) -> Value {
        self.company.message(&self.group, id).await
    }
}
