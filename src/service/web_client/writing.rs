//! Posting, editing and deleting messages in the web client. The rules of the admin API apply. In addition, the person
//! must be a member of the conversation.

use std::collections::HashMap;

use super::open;
use crate::{
    domain::{
        conversation::MessageType,
        ids::{ConversationId, MessageId},
        message::key_hash,
        refusal::Code,
    },
    service::{
        callers::Person,
        conversations::NamedConversation,
        employee::Employee,
        files::FileView,
        invalid,
        messages::{NamedMessage, NewPost, SenderChoice, may_write},
        refuse,
    },
    store::{
        Error, ReadOp, ReadSql, Result, files, keys,
        messages::{self, Message},
        users,
    },
};

/// Maximum length of the idempotency key of a form, in characters.
const MAX_CLIENT_KEY: usize = 255;

/// The message of the error `invalid_request` for an idempotency key that is too long, or has a character that is not
/// visible ASCII.
pub const INVALID_KEY: &str = "client_key must have at most 255 visible ASCII characters";

/// A message to post.
#[derive(Clone, Debug, Default)]
pub struct NewMessage {
    /// The text. It can be empty if there are files.
    pub text: String,
    /// The message to reply to; `Some(None)` if the form has a text that is not a message id.
    pub thread: Option<NamedMessage>,
    /// The files to attach, in this order. The person has uploaded them.
    pub files: Vec<FileView>,
    /// The idempotency key of the form. It prevents a second message if the form is submitted again.
    pub client_key: Option<String>,
}

impl Person<'_> {
    /// Checks that the person is allowed to post. `thread` is the message to reply to. Called before the files of the
    /// message are received.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `not_allowed_in_conversation` if only admins may post there, and the person is not an admin.
    /// - `conversation_archived`.
    /// - `invalid_request` if the message to reply to was deleted, or if the person does not see it.
    pub async fn check_post(self, id: NamedConversation, thread: Option<NamedMessage>) -> Result<()> {
        self.world().db.read(CheckPost { employee: self.into(), id, thread }).await
    }

    /// Posts a message.
    ///
    /// A form is *repeated* if the person has already posted a message with the same key, text, thread and files in the
    /// conversation, and the message was not deleted. A repeated form posts no second message. It succeeds even if the
    /// message could not be posted now, for example because the conversation was archived. But a repeated form is
    /// rejected if the person was signed out or has left the conversation. The files that come with a repeated or
    /// rejected form are deleted.
    ///
    /// # Errors
    /// - Those of [`Person::check_post`].
    /// - `invalid_request` for an invalid text or key.
    /// - `file_not_found` if one of the files was deleted.
    /// - `conflict` if another message of the conversation has the key.
    /// - `invalid_auth` if the session has ended, `forbidden` if the person has lost rights.
    pub async fn post_message(self, id: NamedConversation, new: NewMessage) -> Result<()> {
        match self.try_post(id, &new).await {
            Err(Error::Refused(refusal)) => {
                let is_repeated = may_be_repeated(refusal.code) && self.is_repeated(id, &new).await?;
                self.discard_files(&new.files).await;
                if is_repeated { Ok(()) } else { Err(refusal.into()) }
            }
            other => other,
        }
    }

    async fn try_post(self, id: NamedConversation, new: &NewMessage) -> Result<()> {
        self.check_post(id, new.thread).await?;
        if new.text.trim().is_empty() && new.files.is_empty() {
            return invalid("write a message, or choose a file");
        }
        let is_key =
            |key: &str| key.len() <= MAX_CLIENT_KEY && key.bytes().all(|byte| byte.is_ascii_graphic());
        if new.client_key.as_deref().is_some_and(|key| !is_key(key)) {
            return invalid(INVALID_KEY);
        }
        let post = NewPost {
            sender: SenderChoice::Person(Some(self.user_id())),
            kind: kind_of(new),
            text: Some(new.text.clone()).filter(|text| !text.is_empty()),
            files: new.files.iter().map(|file| Some(file.id)).collect(),
            thread: new.thread,
            client_key: new.client_key.clone(),
        };
        match self.caller().post(id, post).await {
            Err(Error::Refused(refusal)) if refusal.code == Code::NotInConversation => {
                refuse(Code::ConversationNotFound)
            }
            other => other.map(drop),
        }
    }

    /// Returns whether the person has posted a message with this idempotency key in the conversation. The content of
    /// the message is not compared.
    ///
    /// # Errors
    /// Store errors.
    pub async fn has_posted(self, id: NamedConversation, client_key: &str) -> Result<bool> {
        let Some((_, conversation)) = id else { return Ok(false) };
        let find = FindPosted { employee: self.into(), conversation, key_hash: key_hash(client_key) };
        self.world().db.read(find).await
    }

    /// Returns whether an earlier submission of the form has posted the message. Files are compared by name and size,
    /// because a file that is sent again gets a new id.
    async fn is_repeated(self, id: NamedConversation, new: &NewMessage) -> Result<bool> {
        let (Some(client_key), Some((_, conversation))) = (&new.client_key, id) else { return Ok(false) };
        let find = FindRepeated {
            employee: self.into(),
            conversation,
            key_hash: key_hash(client_key),
            text: new.text.clone(),
            thread: new.thread.flatten().map(|(_, id)| id),
            files: new.files.iter().map(|file| (file.name.clone(), file.size)).collect(),
        };
        self.world().db.read(find).await
    }

    /// Deletes the files of a message that is not posted. If a file cannot be deleted now, the maintenance job for
    /// unattached files deletes the file later.
    pub async fn discard_files(self, files: &[FileView]) {
        for file in files {
            if let Err(error) = self.caller().delete_file(Some(file.id)).await {
                tracing::warn!(%error, file = %file.id, "failed to delete a file of an unposted message");
            }
        }
    }

    /// Replaces the text of a message that the person sent. If the text is unchanged, does nothing.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `message_not_found` unless the person sees the message in this conversation.
    /// - `forbidden` unless the person sent the message.
    /// - `invalid_request` for an empty or invalid text.
    /// - `not_allowed_in_conversation` if only admins may post there, and the person is not an admin.
    /// - `conversation_archived`.
    /// - `invalid_auth` if the session has ended, `forbidden` if the person has lost rights.
    pub async fn edit_message(
        self,
        id: NamedConversation,
        message: NamedMessage,
        text: String,
    ) -> Result<()> {
        let found = self.world().db.read(FindVisible { employee: self.into(), id, message }).await?;
        if found.sender_id != Some(self.user_id()) {
            return refuse(Code::Forbidden);
        }
        // a message with files can be posted without a text, but an edit must not remove the text
        if text.trim().is_empty() {
            return invalid("the message must have a text; delete the message instead");
        }
        if found.text.as_ref() == Some(&text) {
            return Ok(());
        }
        match self.caller().edit_post(message, text).await {
            Err(Error::Refused(refusal)) if refusal.code == Code::NotInConversation => {
                refuse(Code::ConversationNotFound)
            }
            other => other.map(drop),
        }
    }

    /// Deletes a message that the person sent. An admin can delete the messages of all senders.
    ///
    /// # Errors
    /// - `conversation_not_found` unless the person is a member.
    /// - `message_not_found` unless the person sees the message in this conversation.
    /// - `forbidden` unless the person sent the message or is an admin.
    /// - `invalid_auth` if the session has ended, `forbidden` if the person has lost rights.
    pub async fn delete_message(self, id: NamedConversation, message: NamedMessage) -> Result<()> {
        self.world().db.read(FindVisible { employee: self.into(), id, message }).await?;
        self.caller().delete_any_message(message).await
    }
}

/// Returns whether a form that was rejected with `code` succeeds nevertheless if it is repeated
/// ([`Person::post_message`]). The other codes also reject a repeated form, for example because the person was signed
/// out or has left the conversation.
const fn may_be_repeated(code: Code) -> bool {
    matches!(
        code,
        Code::Conflict | Code::InvalidRequest | Code::NotAllowedInConversation | Code::ConversationArchived
    )
}

fn kind_of(new: &NewMessage) -> MessageType {
    match &new.files[..] {
        _ if !new.text.is_empty() => MessageType::Text,
        [] => MessageType::Text,
        files if files.iter().all(|file| file.mimetype.starts_with("image/")) => MessageType::Image,
        _ => MessageType::File,
    }
}

struct CheckPost {
    employee: Employee,
    id: NamedConversation,
    thread: Option<NamedMessage>,
}

impl ReadOp for CheckPost {
    const NAME: &'static str = "check_post";
    type Out = ();

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        let Some(sender) = users::by_id(c, self.employee.user_id).await? else {
            return refuse(Code::ConversationNotFound);
        };
        may_write(c, &conversation, &sender).await?;
        if let Some(thread) = self.thread {
            let is_visible = |(in_dm, id): (bool, MessageId)| {
                in_dm == conversation.kind.is_dm() && id >= member.visible_from
            };
            let found = match thread.filter(|named| is_visible(*named)) {
                Some((_, id)) => messages::in_conversation(c, conversation.id, id).await?,
                None => None,
            };
            if found.is_none() {
                return invalid("the message that you reply to was deleted");
            }
        }
        Ok(())
    }
}

struct FindVisible {
    employee: Employee,
    id: NamedConversation,
    message: NamedMessage,
}

impl ReadOp for FindVisible {
    const NAME: &'static str = "find_visible_message";
    type Out = Message;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Message> {
        let (conversation, member) = open(c, self.employee, self.id).await?;
        let Some((in_dm, id)) = self.message else { return refuse(Code::MessageNotFound) };
        if in_dm != conversation.kind.is_dm() || id < member.visible_from {
            return refuse(Code::MessageNotFound);
        }
        match messages::in_conversation(c, conversation.id, id).await? {
            Some(message) => Ok(message),
            None => refuse(Code::MessageNotFound),
        }
    }
}

struct FindPosted {
    employee: Employee,
    conversation: ConversationId,
    key_hash: [u8; 16],
}

impl ReadOp for FindPosted {
    const NAME: &'static str = "find_posted_message";
    const SINGLE: bool = true;
    type Out = bool;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<bool> {
        let used = keys::of_message(c, self.conversation, &self.key_hash).await?;
        Ok(used.is_some_and(|used| used.sender_id == Some(self.employee.user_id)))
    }
}

struct FindRepeated {
    employee: Employee,
    conversation: ConversationId,
    key_hash: [u8; 16],
    text: String,
    thread: Option<MessageId>,
    files: Vec<(String, i64)>,
}

impl ReadOp for FindRepeated {
    const NAME: &'static str = "find_repeated_message";
    /// Whether the person has posted a message with this key, and with the same text, thread and files.
    type Out = bool;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<bool> {
        let used = keys::of_message(c, self.conversation, &self.key_hash).await?;
        let Some(used) = used.filter(|used| used.sender_id == Some(self.employee.user_id)) else {
            return Ok(false);
        };
        let Some(message) = messages::in_conversation(c, self.conversation, used.message_id).await? else {
            return Ok(false);
        };
        // compares the text as it was posted, before any edit
        let first = messages::edits_of(c, message.id).await?.into_iter().next().map(|edit| edit.text);
        let text = first.or(message.text).unwrap_or_default();
        let attached = messages::files_between(c, self.conversation, message.id, message.id).await?;
        let ids: Vec<_> = attached.into_iter().map(|(_, id)| id).collect();
        // `by_ids` also returns files that were deleted after the message was posted
        let found = files::by_ids(c, &ids).await?;
        let found: HashMap<_, _> = found.into_iter().map(|file| (file.id, (file.name, file.size))).collect();
        let files = ids.iter().map(|id| found.get(id));
        Ok(text == self.text && message.thread_id == self.thread && files.eq(self.files.iter().map(Some)))
    }
}
