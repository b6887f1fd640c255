//! Posting as a person or as the system.

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
        Engine, LockKey, Locks, Op, Result, Sql,
        conversations::{self, Conversation},
        files, keys,
        messages::{self, Message},
        users::{self, User},
    },
    workspace::{
        Stamp, World,
        conversations::{NamedConversation, named},
        invalid,
        principal::{Principal, Right},
        refuse,
    },
};

/// Who is to be the sender, as the request says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// Nothing is said: the caller, or the system when the operator asks.
    Unsaid,
    /// Nobody: a notice of the system.
    System,
    /// A person; `None` for a text that is no user's id.
    Person(Option<UserId>),
}

/// A message about to be posted; lengths were checked.
#[derive(Clone, Debug)]
pub struct NewPost {
    /// Who it is from.
    pub sender: Sender,
    /// `system` exactly for the system.
    pub kind: MessageType,
    /// Needed for the kind `text`; the caption of others.
    pub text: Option<String>,
    /// `None` for a text that is no file's id.
    pub files: Vec<Option<FileId>>,
    /// `Some(None)` when the value is no message id at all.
    pub thread: Option<Option<(bool, MessageId)>>,
    /// The sender's own key, unique in the conversation.
    pub client_key: Option<String>,
}

impl World {
    /// Posts as a person, or a notice of the system (W-22).
    ///
    /// A repeat with the same `client_key` and the same content by the same sender posts nothing and answers the
    /// message there is.
    ///
    /// # Errors
    /// `conversation_not_found`, also for strangers, once it is deleted, and for a sender who never was a member;
    /// `forbidden` when a session names somebody else; `user_not_found`, `not_in_conversation`,
    /// `not_allowed_in_conversation`, `conversation_archived`, `user_deactivated`; `invalid_request` when type and
    /// sender or type and text do not go together, and for the thread; `file_not_found` unless every file is one
    /// of the company and, with a session, of the caller; `conflict` for a key that another message holds.
    pub async fn post(&self, who: &Principal, id: NamedConversation, new: NewPost) -> Result<FullMessage> {
        if let Some(text) = &new.text {
            check_text(text)?;
        }
        if new.kind == MessageType::Text && new.text.is_none() {
            return invalid("text is required");
        }
        let at = self.stamp();
        let (posted, is_new) = self.db.write(Post { at, who: who.clone(), id, new }).await?;
        if is_new {
            let sender = posted.message.sender_id.map_or("system", |_| "person");
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
    /// And whether it is new.
    type Out = (FullMessage, bool);

    /// Of whoever may turn out to be the sender: the caller's persons, and whom an operator names.
    fn locks(&self) -> Locks {
        let persons = match &self.who {
            Principal::Operator => &[][..],
            Principal::Account { persons, .. } => persons,
        };
        let named = match self.new.sender {
            Sender::Person(id) => id,
            Sender::Unsaid | Sender::System => None,
        };
        Locks::shared(persons.iter().map(|person| person.user_id).chain(named).map(LockKey::user))
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<(FullMessage, bool)> {
        if c.engine() == Engine::Postgres {
            // whoever may not write does not get the lock, and holds up nobody who may
            self.judge(c).await?;
        }
        if let Some((_, id)) = self.id {
            conversations::lock_for_write(c, id).await?;
        }
        let (conversation, right, sender) = self.judge(c).await?;
        let thread_id = thread_in(c, &conversation, self.new.thread).await?;
        let files = self.files(c, right, &conversation).await?;
        let message = Message {
            workspace_id: conversation.workspace_id,
            conversation_id: conversation.id,
            id: next_id(c, &self.at, &conversation).await?,
            sender_id: sender.map(|person| person.id),
            kind: self.new.kind,
            text: match (self.new.kind, &self.new.text) {
                (MessageType::System, text) => text.clone(),
                (_, text) => Some(text.clone().unwrap_or_default()), // D-127
            },
            thread_id,
            file_count: i64::try_from(files.len()).unwrap_or(i64::MAX),
            via_label: None,
            client_key: self.new.client_key.clone(),
            edited_at: None,
            created_at: self.at.now,
        };
        if let Some(earlier) = self.earlier(c, &conversation, &message, &files).await? {
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
    /// Lets the sender write to the conversation.
    async fn judge<C: Sql>(&self, c: &mut C) -> Result<(Conversation, Right, Option<User>)> {
        let conversation = named(c, self.id).await?;
        let Some(right) = self.who.right_in(conversation.workspace_id) else {
            return refuse(Code::ConversationNotFound);
        };
        if conversation.deleted_at.is_some() {
            return refuse(Code::ConversationNotFound);
        }
        let sender = self.sender(c, right, &conversation).await?;
        if (self.new.kind == MessageType::System) != sender.is_none() {
            return invalid("type is `system` exactly when there is no sender");
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

    /// The person who posts, of whatever state; none for the system.
    async fn sender<C: Sql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Option<User>> {
        let id = match (right.person(), self.new.sender) {
            (None, Sender::Unsaid | Sender::System) => return Ok(None),
            (None, Sender::Person(id)) => id,
            (Some(caller), Sender::Unsaid) => Some(caller),
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

    /// The files to attach, each once, in the order they were named.
    async fn files<C: Sql>(
        &self,
        c: &mut C,
        right: Right,
        conversation: &Conversation,
    ) -> Result<Vec<FileId>> {
        let mut ids = Vec::with_capacity(self.new.files.len());
        for id in &self.new.files {
            let Some(id) = *id else { return refuse(Code::FileNotFound) };
            let file = files::by_id(c, id).await?.filter(|file| {
                file.workspace_id == conversation.workspace_id
                    && file.deleted_at.is_none()
                    && (right.person().is_none() || file.owner_id == right.person())
            });
            if file.is_none() {
                return refuse(Code::FileNotFound);
            }
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        Ok(ids)
    }

    /// Claims the message's key. When the key is held: the message that holds it if this one repeats it.
    async fn earlier<C: Sql>(
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
        let held = keys::of_message(c, conversation.id, &key_hash).await?;
        if let Some(held) = held.filter(|held| held.sender_id == sender)
            && messages::in_conversation(c, conversation.id, held.message_id).await?.is_some()
        {
            let earlier = full_message(c, conversation, held.message_id).await?;
            let text = earlier.edits.first().map_or(earlier.message.text.as_ref(), |first| Some(&first.text));
            let same = text == message.text.as_ref()
                && earlier.message.kind == message.kind
                && earlier.message.thread_id == message.thread_id
                && earlier.files == files;
            if same {
                return Ok(Some(earlier));
            }
        }
        Err(Refusal::because(Code::Conflict, "another message of the conversation has this client_key")
            .into())
    }
}

/// The message to reply to, which has to stand in the conversation.
async fn thread_in<C: Sql>(
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

/// The id of a message about to be written, under the conversation's lock.
async fn next_id<C: Sql>(c: &mut C, at: &Stamp, conversation: &Conversation) -> Result<MessageId> {
    let floor = match c.engine() {
        // one writer gives ids in their order
        Engine::Sqlite => conversation.floor_id,
        Engine::Postgres => messages::first_after(c, conversation.id).await?.max(conversation.floor_id),
    };
    at.message_id(floor)
}

/// Why a prepared reply cannot be sent, and what can.
const THREAD_GONE: &str =
    "the message that it replies to was deleted: prepare a new draft without thread_id, or discard this one";

/// A text that an assistant prepared for a person.
#[derive(Clone, Copy, Debug)]
pub(in crate::workspace) struct Prepared<'a> {
    pub sender: UserId,
    pub text: &'a str,
    pub thread_id: Option<MessageId>,
    /// The connection it is sent through.
    pub via_label: &'a str,
}

/// Posts a prepared text under the rules of [`World::post`]; the message, and the conversation as it was then.
///
/// # Errors
/// Those of a person's post, without those of files and keys.
pub(in crate::workspace) async fn post_prepared<C: Sql>(
    c: &mut C,
    at: &Stamp,
    conversation: ConversationId,
    prepared: &Prepared<'_>,
) -> Result<(Message, Conversation)> {
    check_text(prepared.text)?;
    conversations::lock_for_write(c, conversation).await?;
    let found = conversations::by_id(c, conversation).await?;
    let Some(conversation) = found.filter(|conversation| conversation.deleted_at.is_none()) else {
        return refuse(Code::ConversationNotFound);
    };
    let Some(sender) = users::by_id(c, prepared.sender).await? else { return refuse(Code::UserNotFound) };
    may_write(c, &conversation, &sender).await?;
    if !sender.state.is_active() {
        return refuse(Code::UserDeactivated);
    }
    let thread = prepared.thread_id;
    if let Some(id) = thread
        && messages::in_conversation(c, conversation.id, id).await?.is_none()
    {
        return invalid(THREAD_GONE);
    }
    let message = Message {
        workspace_id: conversation.workspace_id,
        conversation_id: conversation.id,
        id: next_id(c, at, &conversation).await?,
        sender_id: Some(sender.id),
        kind: MessageType::Text,
        text: Some(prepared.text.to_owned()),
        thread_id: thread,
        file_count: 0,
        via_label: Some(prepared.via_label.to_owned()),
        client_key: None,
        edited_at: None,
        created_at: at.now,
    };
    messages::insert(c, &message).await?;
    Ok((message, conversation))
}
