//! API calls that create the demo data of `switchboard seed` and `switchboard dev`.

use serde_json::{Value, json};

use super::SeededAssistantClient;
use switchboard_clients::admin::types;

use crate::cli::{
    client::{Server, accept, accept_json},
    failure::{Failure, Result},
    requests::{self, checked},
};

pub(super) struct Seeder<'a> {
    pub(super) server: &'a Server,
}

/// A conversation to create, with defaults for omitted fields.
#[derive(Default)]
pub(super) struct SeedConversation<'a> {
    pub(super) parent: Option<&'a str>,
    pub(super) name: &'a str,
    pub(super) topic: Option<&'a str>,
    pub(super) is_private: bool,
    pub(super) announcement_only: bool,
    pub(super) members: &'a [&'a str],
}

/// A message to post. If it has no sender, it is a system message.
#[derive(Default)]
pub(super) struct SeededMessage<'a> {
    pub(super) sender: Option<&'a str>,
    pub(super) kind: &'a str,
    pub(super) text: Option<&'a str>,
    pub(super) file: Option<&'a str>,
    pub(super) thread: Option<&'a str>,
}

/// Parses a text of the demo into the type of an API field.
///
/// # Errors
/// [`Failure::Usage`] if the API does not allow the text.
pub(super) fn given<T>(text: &str) -> Result<T>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    checked("the demo", text)
}

impl Seeder<'_> {
    /// Creates a channel of the group `conversation.parent`, or a group if `parent` is `None`. Returns its id.
    pub(super) async fn create_conversation(
        &self,
        workspace: &str,
        conversation: SeedConversation<'_>,
    ) -> Result<String> {
        let is_group = conversation.parent.is_none();
        let kind = if is_group { types::ConversationKind::Group } else { types::ConversationKind::Channel };
        let privacy = if conversation.is_private {
            types::ConversationType::PrivateChannel
        } else {
            types::ConversationType::Channel
        };
        let body = types::ConversationCreate {
            kind,
            parent_id: conversation.parent.map(given).transpose()?,
            name: Some(given(conversation.name)?),
            topic: conversation.topic.map(given).transpose()?,
            type_: is_group.then_some(privacy),
            announcement_only: Some(conversation.announcement_only),
            member_ids: conversation.members.iter().map(|user| given(user)).collect::<Result<_>>()?,
        };
        Ok(accept(self.server.admin().create_conversation(workspace, &body)).await?.conversation.id)
    }

    /// Creates the direct conversation of two people. Returns its id.
    pub(super) async fn direct(&self, workspace: &str, people: [&str; 2]) -> Result<String> {
        let body = types::ConversationCreate {
            kind: types::ConversationKind::Dm,
            parent_id: None,
            name: None,
            topic: None,
            type_: None,
            announcement_only: None,
            member_ids: people.into_iter().map(given).collect::<Result<_>>()?,
        };
        Ok(accept(self.server.admin().create_conversation(workspace, &body)).await?.conversation.id)
    }

    pub(super) async fn join(&self, conversation: &str, user: &str) -> Result<()> {
        accept(self.server.admin().add_member(conversation, user)).await.map(drop)
    }

    pub(super) async fn leave(&self, conversation: &str, user: &str) -> Result<()> {
        accept(self.server.admin().remove_member(conversation, user)).await.map(drop)
    }

    pub(super) async fn archive(&self, group: &str) -> Result<()> {
        let body = types::ConversationUpdate {
            is_archived: Some(true),
            announcement_only: None,
            name: None,
            topic: None,
            type_: None,
        };
        accept(self.server.admin().update_conversation(group, &body)).await.map(drop)
    }

    /// Posts a message of a person, or of the system. Returns its id.
    pub(super) async fn post(&self, conversation: &str, post: SeededMessage<'_>) -> Result<String> {
        let body = types::MessageCreate {
            user_id: post.sender.map(given).transpose()?,
            type_: given(post.kind)?,
            text: post.text.map(given).transpose()?,
            file_ids: post.file.map(given).transpose()?.into_iter().collect(),
            thread_id: post.thread.map(given).transpose()?,
            client_key: None,
        };
        Ok(accept(self.server.admin().create_message(conversation, None, &body)).await?.message.id)
    }

    /// Posts a text message of a person. Returns its id.
    pub(super) async fn say(&self, conversation: &str, sender: &str, text: &str) -> Result<String> {
        let post = SeededMessage {
            sender: Some(sender),
            kind: "text",
            text: Some(text),
            ..SeededMessage::default()
        };
        self.post(conversation, post).await
    }

    pub(super) async fn upload(
        &self,
        workspace: &str,
        owner: &str,
        name: &str,
        mimetype: &str,
        content: &str,
    ) -> Result<String> {
        let content = content.as_bytes().to_vec();
        Ok(requests::upload(self.server, workspace, Some(owner), name, mimetype.to_owned(), content)
            .await?
            .file
            .id)
    }

    /// Sends a message as the bot, through the bot API. Returns the ids of the message and of its conversation.
    pub(super) async fn bot_says(&self, token: &str, key: &str, body: &Value) -> Result<(String, String)> {
        let request =
            self.server.post("/v1/messages").bearer_auth(token).header("Idempotency-Key", key).json(body);
        let answer = accept_json(request).await?;
        let text = |member: &str| {
            let found = answer["message"][member].as_str().map(str::to_owned);
            found.ok_or_else(|| {
                Failure::Unreachable(
                    "the response does not have the format of this version of Switchboard".to_owned(),
                )
            })
        };
        Ok((text("id")?, text("conversation_id")?))
    }
}

impl Seeder<'_> {
    /// Registers a public assistant client. The request needs no credential.
    pub(super) async fn register(
        &self,
        client_name: &str,
        redirect_uri: &str,
    ) -> Result<SeededAssistantClient> {
        let body = json!({
            "client_name": client_name,
            "redirect_uris": [redirect_uri],
            "token_endpoint_auth_method": "none",
        });
        let response = self.server.post("/register").json(&body).send().await?;
        let status = response.status();
        let answer: Value = response.json().await?;
        let text = |member: &str| answer[member].as_str().map(str::to_owned);
        match text("client_id").filter(|_| status.is_success()) {
            Some(client_id) => Ok(SeededAssistantClient {
                client_id,
                client_name: client_name.to_owned(),
                redirect_uri: redirect_uri.to_owned(),
            }),
            // the error has the format of RFC 7591 §3.2.2
            None => Err(Failure::Refused {
                code: text("error").unwrap_or_else(|| status.to_string()),
                message: text("error_description")
                    .unwrap_or_else(|| "the assistant client was not registered".to_owned()),
                request_id: String::new(),
            }),
        }
    }
}

/// Returns the destination of a bot's message, the member `to` of the bot API.
pub(super) fn to(kind: &str, id: &str) -> Value {
    json!({"type": kind, "id": id})
}
