//! Posting messages as a person or as the system.

use super::{FullMessage, NamedMessage, full_message, may_write};
use crate::{
    domain::{
        conversation::{ConversationKind, MessageType},
        ids::{ConversationId, FileId, MessageId, UserId},
        message::{check_text, key_hash},
        refusal::{Code, Refusal},
    },
    platform::metrics::{IDEMPOTENT_REPLAYS, MESSAGES_SENT},
    store::{
        Engine, LockKey, Locks, Op, ReadSql, Result, Sql,
        conversations::{self, Conversation},
        files::{self, File},
        keys,
        messages::{self, Message},
        users::{self, User},
    },
    workspace::{
        Stamp,
        callers::{
            Caller,
            principal::{Principal, Right},
        },
        conversations::{NamedConversation, named},
        invalid, refuse,
    },
};

/// The sender that a request names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Not given: the caller, or the system if the caller is the operator.
    Default,
    /// The system, for system messages.
    System,
    /// A person; `None` for text that is not a user id.
    Person(Option<UserId>),
}

/// A message to post; lengths are already checked.
#[derive(Clone, Debug)]
pub struct NewPost {
    /// The sender that the request names.
    pub sender: Sender,
    /// `system` if and only if the system is the sender.
    pub kind: MessageType,
    /// Required for a message of the kind `text` without files; otherwise a caption. An empty text is treated as
    /// absent.
    pub text: Option<String>,
    /// `None` for text that is not a file id.
    pub files: Vec<Option<FileId>>,
    /// `Some(None)` for text that is not a message id.
    pub thread: Option<Option<(bool, MessageId)>>,
    /// The idempotency key chosen by the client, unique in the conversation.
    pub client_key: Option<String>,
}

impl Caller {
    /// Posts a message as a person, or a system message (W-22).
    ///
    /// A replay with the same `client_key`, content and sender posts nothing and returns the existing
    /// message.
    ///
    /// # Errors
    /// `invalid_request` if the text does not match the type; `conversation_not_found`, also for a caller outside
    /// the company, for a deleted conversation, and for a sender who never was a member; `forbidden` if the caller
    /// has a session and names another person or the system; `user_not_found`; `invalid_request` if the sender
    /// does not match the type; `not_in_conversation`, `not_allowed_in_conversation`, `conversation_archived`,
    /// `user_deactivated`; `invalid_request` for the thread; `file_not_found` unless every file belongs to the
    /// company and, with a session, to the caller; `conflict` for a key of another message.
    pub async fn post(&self, id: NamedConversation, new: NewPost) -> Result<FullMessage> {
        match new.text.as_deref().filter(|text| !text.is_empty()) {
            Some(text) => check_text(text)?,
            None if new.kind == MessageType::Text && new.files.is_empty() => {
                return invalid("a message of the type `text` needs a text or files");
            }
            None => {}
        }
        let at = self.world().stamp();
        let (posted, is_new) = self.write(Post { at, who: self.who(), id, new }).await?;
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
    at: Stamp,
    who: Principal,
    id: NamedConversation,
    new: NewPost,
}

impl Op for Post {
    const NAME: &'static str = "post_message";
    /// The message, and whether it is new.
    type Out = (FullMessage, bool);

    /// Locks everybody who may be the sender: the caller's persons, and the person that the request names.
    fn locks(&self) -> Locks {
        let persons = match &self.who {
            Principal::Operator => &[][..],
            Principal::Account { persons, .. } => persons,
        };
        let named = match self.new.sender {
            Sender::Person(id) => id,
            Sender::Default | Sender::System => None,
        };
        Locks::shared(persons.iter().map(|person| person.user_id).chain(named).map(LockKey::user))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<(FullMessage, bool)> {
        if c.engine() == Engine::Postgres {
            // checked before the lock, so that a sender who may not write cannot block those who may
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
            id: next_id(c, &self.at, &conversation).await?,
            sender_id: sender.map(|person| person.id),
            kind: self.new.kind,
            text: match (self.new.kind, &self.new.text) {
                (MessageType::System, text) => text.clone().filter(|text| !text.is_empty()),
                (_, text) => Some(text.clone().unwrap_or_default()), // D-127
            },
            thread_id,
            file_count: i64::try_from(files.len()).unwrap_or(i64::MAX),
            via_label: None,
            client_key: self.new.client_key.clone(),
            edited_at: None,
            created_at: self.at.now,
        };
        if let Some(earlier) = self.find_replayed(c, &conversation, &message, &files).await? {
            return Ok((earlier, false));
        }
        messages::insert(c, &message).await?;
        for (position, file) in (0..).zip(files) {
            messages::attach(c, &message, position, file).await?;
        }
        Ok((full_message(c, &conversation, message.id).await?, true))
    }
}

impl Post {
    /// Finds the conversation and the sender, and checks that the sender may write to the conversation.
    async fn check_sender<C: ReadSql>(&self, c: &mut C) -> Result<(Conversation, Right, Option<User>)> {
        let conversation = named(c, self.id).await?;
        let Some(right) = self.who.right_in(conversation.workspace_id) else {
            return refuse(Code::ConversationNotFound);
        };
        if conversation.deleted_at.is_some() {
            return refuse(Code::ConversationNotFound);
        }
        let sender = self.sender(c, right, &conversation).await?;
        if (self.new.kind == MessageType::System) != sender.is_none() {
            return invalid("type must be `system` if and only if there is no sender");
        }
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

    /// Returns the person who posts, in any state; `None` for the system.
    async fn sender<C: ReadSql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Option<User>> {
        let id = match (right.person(), self.new.sender) {
            (None, Sender::Default | Sender::System) => return Ok(None),
            (None, Sender::Person(id)) => id,
            (Some(caller), Sender::Default) => Some(caller),
            (Some(caller), Sender::Person(id)) if id == Some(caller) => id,
            (Some(_), Sender::System | Sender::Person(_)) => return refuse(Code::Forbidden),
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

    /// Marks the files as attached, and returns their ids without duplicates, in the given order.
    async fn files<C: Sql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Vec<FileId>> {
        let mut ids = Vec::with_capacity(self.new.files.len());
        for id in &self.new.files {
            let Some(id) = *id else { return refuse(Code::FileNotFound) };
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
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

    /// Claims the idempotency key of a message. Returns `None` if it was free, and the earlier message if this
    /// request is its replay.
    ///
    /// # Errors
    /// `conflict` if the key belongs to another message.
    async fn find_replayed<C: Sql>(
        &self,
        c: &mut C,
        conversation: &Conversation,
        message: &Message,
        files: &[FileId],
    ) -> Result<Option<FullMessage>> {
        let Some(key) = &message.client_key else { return Ok(None) };
        let key_hash = key_hash(key);
        let sender = message.sender_id;
        if keys::claim_for_person(c, message, &key_hash).await? {
            return Ok(None);
        }
        let used = keys::of_message(c, conversation.id, &key_hash).await?;
        if let Some(used) = used.filter(|used| used.sender_id == sender)
            && messages::in_conversation(c, conversation.id, used.message_id).await?.is_some()
        {
            let earlier = full_message(c, conversation, used.message_id).await?;
            let text = earlier.edits.first().map_or(earlier.text.as_ref(), |first| Some(&first.text));
            let same = text == message.text.as_ref()
                && earlier.kind == message.kind
                && earlier.thread_id == message.thread_id
                && earlier.files == files;
            if same {
                return Ok(Some(earlier));
            }
        }
        Err(Refusal::because(Code::Conflict, "another message of the conversation has this client_key")
            .into())
    }
}

/// Returns the id of the message to reply to; `None` if the request names none.
///
/// # Errors
/// `invalid_request` unless the message is in the conversation.
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

/// Returns the id for a new message. The conversation must be locked.
async fn next_id<C: ReadSql>(c: &mut C, at: &Stamp, conversation: &Conversation) -> Result<MessageId> {
    let floor = match c.engine() {
        // the single writer assigns ids in order
        Engine::Sqlite => conversation.floor_id,
        Engine::Postgres => messages::first_after(c, conversation.id).await?.max(conversation.floor_id),
    };
    at.message_id(floor)
}

/// Reason for rejecting a draft that replies to a deleted message.
const THREAD_DELETED: &str = "the message that this draft replies to was deleted: prepare a new draft without thread_id, or discard this one";

/// A draft to post as a person.
#[derive(Clone, Copy, Debug)]
pub(in crate::workspace) struct Prepared<'a> {
    pub sender: UserId,
    pub text: &'a str,
    pub thread_id: Option<MessageId>,
    /// Label of the connection through which the message is sent, or of the assistant that wrote the draft.
    pub via_label: &'a str,
}

/// Posts a draft by the rules of [`Caller::post`]. Returns the message and its conversation.
///
/// # Errors
/// Errors of [`Caller::post`] for a person's message, except those of files and keys.
pub(in crate::workspace) async fn post_prepared<C: Sql>(
    c: &mut C,
    at: &Stamp,
    conversation: ConversationId,
    prepared: &Prepared<'_>,
) -> Result<(Message, Conversation)> {
    conversations::lock_for_write(c, conversation).await?;
    let conversation = may_post(c, conversation, prepared).await?;
    let message = Message {
        workspace_id: conversation.workspace_id,
        conversation_id: conversation.id,
        id: next_id(c, at, &conversation).await?,
        sender_id: Some(prepared.sender),
        kind: MessageType::Text,
        text: Some(prepared.text.to_owned()),
        thread_id: prepared.thread_id,
        file_count: 0,
        via_label: Some(prepared.via_label.to_owned()),
        client_key: None,
        edited_at: None,
        created_at: at.now,
    };
    messages::insert(c, &message).await?;
    Ok((message, conversation))
}

/// Checks that a draft can be posted as it is and returns its conversation.
///
/// # Errors
/// Those of [`post_prepared`].
pub(in crate::workspace) async fn may_post<C: ReadSql>(
    c: &mut C,
    conversation: ConversationId,
    prepared: &Prepared<'_>,
) -> Result<Conversation> {
    check_text(prepared.text)?;
    let found = conversations::by_id(c, conversation).await?;
    let Some(conversation) = found.filter(|conversation| conversation.deleted_at.is_none()) else {
        return refuse(Code::ConversationNotFound);
    };
    let Some(sender) = users::by_id(c, prepared.sender).await? else { return refuse(Code::UserNotFound) };
    may_write(c, &conversation, &sender).await?;
    if !sender.state.is_active() {
        return refuse(Code::UserDeactivated);
    }
    if let Some(id) = prepared.thread_id
        && messages::in_conversation(c, conversation.id, id).await?.is_none()
    {
        return invalid(THREAD_DELETED);
    }
    Ok(conversation)
}
