//! Posting messages as a person or as the system, for the admin API and the web client.

use super::{FullMessage, NamedMessage, full_message, may_write};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{FileId, MessageId, UserId},
        message::{check_text, key_hash},
        refusal::{Code, Refusal},
    },
    platform::metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    service::{
        Stamp,
        callers::{
            Caller,
            principal::{CallerPrincipal, Right},
        },
        conversations::{NamedConversation, named},
        invalid, refuse,
    },
    store::{
        Engine, Error, LockKey, Locks, Op, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        files::{self, File},
        keys,
        messages::{self, Message},
        users::{self, User},
    },
};

/// The sender that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SenderChoice {
    /// The request names no sender. The sender is the caller, or the system if the caller is the operator.
    Default,
    /// The system.
    System,
    /// A person; `None` for text that is not a user id.
    Person(Option<UserId>),
}

/// A message to post. The number of files and the length of the idempotency key were already checked.
#[derive(Clone, Debug)]
pub struct NewPost {
    /// The sender that the request names.
    pub sender: SenderChoice,
    /// `system` if and only if the system is the sender.
    pub kind: MessageType,
    /// The text. It is required for a message of the type `text` without files, and optional for all other messages. An
    /// empty text is treated as absent.
    pub text: Option<String>,
    /// The files to attach. An element is `None` if its text is not a file id.
    pub files: Vec<Option<FileId>>,
    /// The message to reply to; `Some(None)` for text that is not a message id.
    pub thread: Option<NamedMessage>,
    /// The idempotency key chosen by the client, unique in the conversation.
    pub client_key: Option<String>,
}

impl Caller {
    /// Posts a message as a person, or a system message (W-22).
    ///
    /// A replay with the same `client_key`, content and sender posts nothing and returns the existing message. This is
    /// also true if the sender could not post the message now, for example because the group was archived, or because a
    /// file or the message to reply to was deleted. But a signed-in person who has left the conversation gets
    /// `not_in_conversation`.
    ///
    /// # Errors
    /// - `invalid_request` if the text is invalid, or if a message of the type `text` has neither a text nor files.
    /// - `conversation_not_found` for an unknown or deleted conversation, and for a caller outside the company.
    /// - `forbidden` if the caller has a session and names another person or the system.
    /// - `user_not_found` if the named sender is not a person of the company.
    /// - `invalid_request` if the sender of a system message is a person, or if the sender of a message of any other
    ///   type is the system.
    /// - `conversation_not_found` for a sender who never was a member.
    /// - `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`, `user_deactivated`.
    /// - `invalid_request` if the message to reply to is not in the conversation.
    /// - `file_not_found` for an unknown or deleted file, and for a file of another company. If the caller has a
    ///   session, also for a file of another person.
    /// - `conflict` if another message of the conversation has the `client_key`.
    pub async fn post(&self, id: NamedConversation, new: NewPost) -> Result<FullMessage> {
        match new.text.as_deref().filter(|text| !text.is_empty()) {
            Some(text) => check_text(text)?,
            None if new.kind == MessageType::Text && new.files.is_empty() => {
                return invalid("a message of the type `text` needs a text or files");
            }
            None => {}
        }
        let stamp = self.world().stamp();
        let (posted, is_new) = self.write(Post { stamp, principal: self.to_principal(), id, new }).await?;
        if is_new {
            let sender = posted.sender_id.map_or("system", |_| "person");
            let destination = posted.conversation.0.name();
            metrics::counter!(MESSAGES_SENT, "sender" => sender, "destination" => destination).increment(1);
        } else {
            metrics::counter!(IDEMPOTENT_REPLAYS, "operation" => Post::NAME).increment(1);
        }
        Ok(posted)
    }
}

struct Post {
    stamp: Stamp,
    principal: CallerPrincipal,
    id: NamedConversation,
    new: NewPost,
}

impl Op for Post {
    const NAME: &'static str = "post_message";
    /// The message, and whether it is new.
    type Out = (FullMessage, bool);

    /// Locks every person who is possibly the sender: the persons of the caller's account, and the person that the
    /// request names. So no message of a person is posted after the response that confirms the deactivation of the
    /// person.
    fn locks(&self) -> Locks {
        let persons = match &self.principal {
            CallerPrincipal::Operator => &[][..],
            CallerPrincipal::Account { persons, .. } => persons,
        };
        let named = match self.new.sender {
            SenderChoice::Person(id) => id,
            SenderChoice::Default | SenderChoice::System => None,
        };
        Locks::shared(persons.iter().map(|person| person.user_id).chain(named).map(LockKey::user))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<(FullMessage, bool)> {
        match self.post(c).await {
            Err(Error::Refused(refusal)) => match self.find_posted_before(c, refusal.code).await? {
                Some(earlier) => Ok((earlier, false)),
                None => Err(refusal.into()),
            },
            other => other,
        }
    }
}

impl Post {
    async fn post<C: Sql>(&self, c: &mut C) -> Result<(FullMessage, bool)> {
        if c.engine() == Engine::Postgres {
            // checked before the conversation is locked, so that a sender who may not write cannot delay other senders
            self.check_sender(c).await?;
        }
        if let Some((_, id)) = self.id {
            conversations::lock_for_write(c, id).await?;
        }
        let (conversation, right, sender) = self.check_sender(c).await?;
        let thread_id = thread_in(c, &conversation, self.new.thread).await?;
        let files = self.files(c, right, &conversation).await?;
        let message = Message {
            workspace_id: conversation.workspace_id,
            conversation_id: conversation.id,
            id: next_id(c, &self.stamp, &conversation).await?,
            sender_id: sender.map(|person| person.id),
            kind: self.new.kind,
            text: self.text(),
            thread_id,
            file_count: i64::try_from(files.len()).unwrap_or(i64::MAX),
            via_label: None,
            client_key: self.new.client_key.clone(),
            edited_at: None,
            created_at: self.stamp.now,
        };
        let claimed = match &message.client_key {
            Some(key) => {
                let Message { workspace_id, id, sender_id, .. } = message;
                keys::claim_for_person(c, workspace_id, conversation.id, id, sender_id, &key_hash(key))
                    .await?
            }
            None => true,
        };
        if !claimed {
            return match self.find_replayed(c, &conversation, message.sender_id).await? {
                Some(earlier) => Ok((earlier, false)),
                None => Err(Refusal::because(Code::Conflict, KEY_USED).into()),
            };
        }
        messages::insert(c, &message).await?;
        for (position, file) in (0..).zip(files) {
            messages::attach(c, &message, position, file).await?;
        }
        Ok((full_message(c, &conversation, message.id).await?, true))
    }

    /// Finds the conversation and the sender, and checks whether the sender may write to the conversation.
    async fn check_sender<C: ReadSql>(&self, c: &mut C) -> Result<(Conversation, Right, Option<User>)> {
        let (conversation, right, sender) = self.find_sender(c).await?;
        match &sender {
            Some(person) => may_write(c, &conversation, person).await?,
            None if conversation.archived_at.is_some() => return refuse(Code::ConversationArchived),
            None => {}
        }
        if sender.as_ref().is_some_and(|person| !person.state.is_active()) {
            return refuse(Code::UserDeactivated);
        }
        Ok((conversation, right, sender))
    }

    /// Finds the conversation and the sender.
    async fn find_sender<C: ReadSql>(&self, c: &mut C) -> Result<(Conversation, Right, Option<User>)> {
        let conversation = named(c, self.id).await?;
        let Some(right) = self.principal.right_in(conversation.workspace_id) else {
            return refuse(Code::ConversationNotFound);
        };
        if conversation.deleted_at.is_some() {
            return refuse(Code::ConversationNotFound);
        }
        let sender = self.sender(c, right, &conversation).await?;
        if (self.new.kind == MessageType::System) != sender.is_none() {
            return invalid("type must be `system` if and only if there is no sender");
        }
        Ok((conversation, right, sender))
    }

    /// Returns the person who posts; `None` for the system. The account state of the person is not checked.
    async fn sender<C: ReadSql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Option<User>> {
        let id = match (right.person(), self.new.sender) {
            (None, SenderChoice::Default | SenderChoice::System) => return Ok(None),
            (None, SenderChoice::Person(id)) => id,
            (Some(caller), SenderChoice::Default) => Some(caller),
            (Some(caller), SenderChoice::Person(id)) if id == Some(caller) => id,
            (Some(_), SenderChoice::System | SenderChoice::Person(_)) => return refuse(Code::Forbidden),
        };
        let user = match id {
            Some(id) => users::by_id(c, id).await?,
            None => None,
        };
        match user.filter(|user| user.workspace_id == conversation.workspace_id && !user.is_bot) {
            Some(user) => Ok(Some(user)),
            None => refuse(Code::UserNotFound),
        }
    }

    /// Returns the ids of the files without duplicates, in the given order; `None` if one of them is not a file id.
    fn file_ids(&self) -> Option<Vec<FileId>> {
        let mut ids = Vec::with_capacity(self.new.files.len());
        for id in &self.new.files {
            let id = (*id)?;
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Some(ids)
    }

    /// Returns the text as it is stored.
    fn text(&self) -> Option<String> {
        match (self.new.kind, &self.new.text) {
            (MessageType::System, text) => text.clone().filter(|text| !text.is_empty()),
            // only system messages have no text, so a message with files only is stored with an empty text (D-127)
            (_, text) => Some(text.clone().unwrap_or_default()),
        }
    }

    /// Marks the files as attached, and returns their ids without duplicates, in the given order.
    async fn files<C: Sql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Vec<FileId>> {
        let Some(ids) = self.file_ids() else { return refuse(Code::FileNotFound) };
        if ids.is_empty() {
            return Ok(ids);
        }
        files::attach(c, &ids).await?;
        let may_attach = |file: &File| {
            file.workspace_id == conversation.workspace_id
                && file.deleted_at.is_none()
                && (right.person().is_none() || file.owner_id == right.person())
        };
        let found = files::by_ids(c, &ids).await?;
        match found.len() == ids.len() && found.iter().all(may_attach) {
            true => Ok(ids),
            false => refuse(Code::FileNotFound),
        }
    }

    /// Returns the message of the earlier request, if this request is a replay. `code` is the error with which this
    /// request was rejected.
    ///
    /// Returns `None` for a caller with a session who has left the conversation, never was a member of it, or may not
    /// post as the named sender, because such a caller may not see the message.
    async fn find_posted_before<C: ReadSql>(&self, c: &mut C, code: Code) -> Result<Option<FullMessage>> {
        let may_be_replay = match code {
            Code::InvalidRequest
            | Code::FileNotFound
            | Code::NotAllowedInConversation
            | Code::ConversationArchived
            | Code::UserDeactivated => true,
            Code::NotInConversation => matches!(self.principal, CallerPrincipal::Operator),
            _ => false,
        };
        if self.new.client_key.is_none() || !may_be_replay {
            return Ok(None);
        }
        let (conversation, _, sender) = self.find_sender(c).await?;
        self.find_replayed(c, &conversation, sender.map(|person| person.id)).await
    }

    /// Returns the message that has the key of this request. Returns `None` if there is no such message, if the message
    /// was deleted, or if it was posted by another sender or with another content.
    async fn find_replayed<C: ReadSql>(
        &self,
        c: &mut C,
        conversation: &Conversation,
        sender: Option<UserId>,
    ) -> Result<Option<FullMessage>> {
        let Some(key) = &self.new.client_key else { return Ok(None) };
        let used = keys::of_message(c, conversation.id, &key_hash(key)).await?;
        let Some(used) = used.filter(|used| used.sender_id == sender) else { return Ok(None) };
        if messages::in_conversation(c, conversation.id, used.message_id).await?.is_none() {
            return Ok(None);
        }
        let earlier = full_message(c, conversation, used.message_id).await?;
        let text = earlier.edits.first().map_or(earlier.text.as_ref(), |first| Some(&first.text));
        let is_dm = conversation.kind == ConversationKind::Dm;
        let is_same = text == self.text().as_ref()
            && earlier.kind == self.new.kind
            && earlier.thread_id.map(|id| Some((is_dm, id))) == self.new.thread
            && self.file_ids().is_some_and(|ids| ids == earlier.files);
        Ok(is_same.then_some(earlier))
    }
}

/// The text of the error `conflict` if another message of the conversation has the idempotency key.
pub const KEY_USED: &str = "another message of the conversation has this client_key";

/// Returns the id of the message to reply to; `None` if the request names no message.
///
/// # Errors
/// `invalid_request` for a message that is deleted or not in the conversation, and for text that is not a message id.
async fn thread_in<C: ReadSql>(
    c: &mut C,
    conversation: &Conversation,
    thread: Option<NamedMessage>,
) -> Result<Option<MessageId>> {
    let Some(thread) = thread else { return Ok(None) };
    if let Some((in_dm, id)) = thread
        && in_dm == (conversation.kind == ConversationKind::Dm)
        && messages::in_conversation(c, conversation.id, id).await?.is_some()
    {
        return Ok(Some(id));
    }
    invalid("thread_id is not a message of the conversation")
}

/// Returns the id for a new message. The caller must have locked the conversation.
pub(super) async fn next_id<C: ReadSql>(
    c: &mut C,
    stamp: &Stamp,
    conversation: &Conversation,
) -> Result<MessageId> {
    let floor = match c.engine() {
        // the single writer inserts messages in the order of their ids, so the highest id need not be queried
        Engine::Sqlite => conversation.floor_id,
        Engine::Postgres => messages::first_after(c, conversation.id).await?.max(conversation.floor_id),
    };
    stamp.message_id(floor)
}
