//! What bots read: people, conversations, history and files.

use std::sync::Arc;

mod conversations;

pub use conversations::Filter;

use crate::service::{
    World,
    bot::access::{self, Bot, BotCaller, PrefixedConversationId},
    callers::confirm::{ReadTime, Revocable},
    companies::VisibleCompany,
    conversations::ConversationView,
    files::FileView,
    paging::{Page, PageRequest},
    people::{VisibleUser, visible_user::Viewer},
    refuse,
};
use crate::{
    domain::{
        conversation::MessageType,
        cursor::CursorScope,
        ids::{ConversationId, FileId, MessageId, UserId},
        people::email_key,
        refusal::Code,
        time::Timestamp,
    },
    store::{
        LockKey, QueriedPosition, ReadOp, ReadSql, Result, bot_tokens,
        conversations::{self as stored, Conversation},
        files::{self, File},
        messages::{self, HistoryMessage},
        users::{self, User},
    },
};

/// The bot that presented a token.
#[derive(Clone)]
pub struct PresentedBot {
    pub bot: Bot,
    /// Whether the bot's installation is connected.
    pub is_connected: bool,
    /// When the installation was read.
    pub as_of: ReadTime,
}

/// A bot and its company.
#[derive(Clone, Debug, PartialEq)]
pub struct BotIdentity {
    pub company: VisibleCompany,
    pub id: UserId,
    pub name: String,
}

impl World {
    /// Returns the bot of a token, even if the bot's installation is disconnected; `None` for an unknown token.
    ///
    /// # Errors
    /// Store errors.
    pub async fn token_owner(self: &Arc<Self>, token_hash: [u8; 32]) -> Result<Option<PresentedBot>> {
        let arrived = self.clock.now();
        let found = self.db.token_owner(token_hash).await?;
        Ok(found.map(|found| PresentedBot {
            bot: Bot {
                world: Arc::clone(self),
                caller: BotCaller::new(&found.owner, found.position),
                arrived,
            },
            is_connected: found.owner.connected,
            as_of: ReadTime(found.as_of),
        }))
    }
}

impl Bot {
    /// On PostgreSQL, confirms that the bot's token still belongs to a connected installation, and returns `true`. To
    /// be called before a response is sent. On SQLite, confirms nothing and returns `false`.
    ///
    /// The query takes the bot's locks, for which every revocation waits. The locks are kept for 20 ms after the query,
    /// and the response must be sent in this time. So the confirmation is still valid when the response is sent,
    /// however long the query takes.
    ///
    /// # Errors
    /// `token_revoked`; store errors.
    pub async fn hold(&self, token_hash: [u8; 32]) -> Result<bool> {
        self.world.hold_caller(TokenHolder { bot: self.caller, token_hash }, Vec::new()).await
    }

    /// Returns the bot's company and the bot itself.
    ///
    /// # Errors
    /// `token_revoked` if the bot's user does not exist.
    pub async fn identity(&self) -> Result<BotIdentity> {
        let Some(found) = self.world.db.user_with_company(self.caller.user_id).await? else {
            return refuse(Code::TokenRevoked);
        };
        let company =
            VisibleCompany { id: found.workspace_id, name: found.workspace_name, domain: found.domain };
        Ok(BotIdentity { company, id: found.id, name: found.name })
    }

    /// Lists the people visible to members and bots, in order of creation (B-326…B-328).
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_people(&self, request: PageRequest<'_>) -> Result<Page<VisibleUser>> {
        let scope = cursor_scope("users", &self.caller, None, "");
        let after = self.world.position(&scope, request.cursor, 0)?;
        let op = ListPeople { bot: self.caller, after, limit: i64::from(request.limit) + 1 };
        let users = self.world.db.read(op).await?;
        let viewer = Viewer::from(&self.caller);
        Ok(self.world.page(&scope, request.limit, users, |u| u.id.0).map(|user| viewer.view(user)))
    }

    /// Returns a person visible to the bot.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn person(&self, id: Option<UserId>) -> Result<VisibleUser> {
        let Some(id) = id else { return refuse(Code::UserNotFound) };
        Ok(Viewer::from(&self.caller).view(self.world.db.read(FindPerson { bot: self.caller, id }).await?))
    }

    /// Returns the person with this e-mail address, if bots may find the person by the address (B-335…B-341).
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn person_by_email(&self, address: &str) -> Result<VisibleUser> {
        let found = self.world.db.read(FindByEmail { bot: self.caller, key: email_key(address) }).await?;
        Ok(Viewer::from(&self.caller).view(found))
    }

    /// Returns a group or channel that the bot is a member of.
    ///
    /// # Errors
    /// `conversation_not_found`, `not_in_conversation`.
    pub async fn conversation(&self, id: Option<PrefixedConversationId>) -> Result<ConversationView> {
        let Some(id) = id else { return refuse(Code::ConversationNotFound) };
        Ok(self.world.db.read(FindConversation { bot: self.caller, id }).await?.into())
    }

    /// Returns a page of a conversation's messages since the bot joined, newest first.
    ///
    /// # Errors
    /// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`.
    pub async fn history(
        &self,
        id: Option<PrefixedConversationId>,
        request: PageRequest<'_>,
    ) -> Result<Page<HistoryItem>> {
        let scope = cursor_scope("history", &self.caller, id.map(|(_, id)| id), "");
        let before = MessageId(self.world.position(&scope, request.cursor, i64::MAX)?);
        let Some(id) = id else { return refuse(Code::ConversationNotFound) };
        let op = ReadHistory { bot: self.caller, id, before, limit: i64::from(request.limit) + 1 };
        let items = self.world.db.read(op).await?;
        Ok(self.world.page(&scope, request.limit, items, |m| m.id.0))
    }

    /// Returns a file of a message that the bot can read in a conversation.
    ///
    /// # Errors
    /// `conversation_not_found`, `not_in_conversation`, `file_not_found`.
    pub async fn file(
        &self,
        conversation: Option<PrefixedConversationId>,
        file: Option<FileId>,
    ) -> Result<FileView> {
        let Some(conversation) = conversation else { return refuse(Code::ConversationNotFound) };
        Ok(self.world.db.read(FindBotFile { bot: self.caller, conversation, file }).await?.into())
    }
}

fn cursor_scope<'a>(
    endpoint: &'a str,
    bot: &BotCaller,
    conversation: Option<ConversationId>,
    filter: &'a str,
) -> CursorScope<'a> {
    CursorScope { endpoint, owner: bot.installation_id.0, conversation, filter }
}

/// A bot, identified by the token that it presented.
struct TokenHolder {
    bot: BotCaller,
    token_hash: [u8; 32],
}

impl Revocable for TokenHolder {
    type Current = ();

    fn locks(&self) -> Vec<LockKey> {
        self.bot.locks()
    }

    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        match bot_tokens::owner(c, &self.token_hash).await? {
            Some(owner) if owner.connected => Ok(()),
            _ => refuse(Code::TokenRevoked),
        }
    }
}

struct ListPeople {
    bot: BotCaller,
    after: i64,
    limit: i64,
}

impl ReadOp for ListPeople {
    const NAME: &'static str = "list_people";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = Vec<User>;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        users::listed_page(c, self.bot.workspace_id, self.after, self.limit).await
    }
}

struct FindPerson {
    bot: BotCaller,
    id: UserId,
}

impl ReadOp for FindPerson {
    const NAME: &'static str = "find_person";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = User;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<User> {
        let found = users::by_id(c, self.id).await?;
        match found.filter(|user| Viewer::from(&self.bot).sees(user)) {
            Some(user) => Ok(user),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct FindByEmail {
    bot: BotCaller,
    key: String,
}

impl ReadOp for FindByEmail {
    const NAME: &'static str = "find_by_email";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = User;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<User> {
        let found = users::by_email(c, self.bot.workspace_id, &self.key).await?;
        match found.filter(|user| Viewer::from(&self.bot).finds_by_email(user)) {
            Some(user) => Ok(user),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct FindConversation {
    bot: BotCaller,
    id: PrefixedConversationId,
}

impl ReadOp for FindConversation {
    const NAME: &'static str = "find_conversation";
    const REPLICA: bool = true;
    const CHECKS_MEMBERSHIP: bool = true;
    type Out = Conversation;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Conversation> {
        // The conversation is read before the membership is checked. If the bot was removed before the read, the check
        // fails. So the bot never gets data that was read after its removal.
        let found = stored::by_id(c, self.id.1).await?;
        access::readable(c, &self.bot, self.id).await?;
        found.map_or_else(|| refuse(Code::ConversationNotFound), Ok)
    }
}

/// A message of a history page, with the ids of its files.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryItem {
    pub id: MessageId,
    pub sender_id: Option<UserId>,
    pub kind: MessageType,
    pub text: Option<String>,
    pub thread_id: Option<MessageId>,
    pub files: Vec<FileId>,
    pub created_at: Timestamp,
}

impl From<HistoryMessage> for HistoryItem {
    fn from(row: HistoryMessage) -> Self {
        let HistoryMessage { id, sender_id, kind, text, thread_id, created_at, .. } = row;
        Self { id, sender_id, kind, text, thread_id, files: Vec::new(), created_at }
    }
}

struct ReadHistory {
    bot: BotCaller,
    id: PrefixedConversationId,
    before: MessageId,
    limit: i64,
}

impl ReadOp for ReadHistory {
    const NAME: &'static str = "read_history";
    const REPLICA: bool = true;
    const CHECKS_MEMBERSHIP: bool = true;
    type Out = Vec<HistoryItem>;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let (_, conversation) = self.id;
        let readable = access::readable(c, &self.bot, self.id).await?;
        let from = readable.visible_from;
        let mut seen = messages::history(c, conversation, from, self.before, self.limit).await?;
        let with_files = || seen.iter().filter(|m| m.file_count > 0).map(|m| m.id);
        let range = with_files().next().zip(with_files().next_back());
        let files = match range {
            Some((last, first)) => messages::files_between(c, conversation, first, last).await?,
            None => Vec::new(),
        };
        // `hides_guests` is read again after the messages. The company may have hidden its first guest in the meantime,
        // and the history must not name this guest as a sender.
        if access::still_readable(c, &self.bot, self.id, readable).await?.hides_guests {
            hide_guests(c, &mut seen).await?;
        }
        let mut items: Vec<_> = seen.into_iter().map(HistoryItem::from).collect();
        for (message, file) in files {
            // `items` is sorted by descending id
            if let Ok(index) = items.binary_search_by(|m| message.cmp(&m.id)) {
                items[index].files.push(file);
            }
        }
        Ok(items)
    }
}

/// Removes the `sender_id` of each message of a guest whom members do not see (B-126). Looks up all senders, so call it
/// only if the company hides guests.
async fn hide_guests<C: ReadSql>(c: &mut C, seen: &mut [HistoryMessage]) -> Result<()> {
    let mut senders: Vec<UserId> = seen.iter().filter_map(|message| message.sender_id).collect();
    senders.sort_unstable();
    senders.dedup();
    let hidden = users::hidden_guests_among(c, &senders).await?;
    if !hidden.is_empty() {
        for message in seen {
            message.sender_id = message.sender_id.filter(|sender| !hidden.contains(sender));
        }
    }
    Ok(())
}

struct FindBotFile {
    bot: BotCaller,
    conversation: PrefixedConversationId,
    file: Option<FileId>,
}

impl ReadOp for FindBotFile {
    const NAME: &'static str = "find_file";
    type Out = File;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<File> {
        let readable = access::readable(c, &self.bot, self.conversation).await?;
        let Some(id) = self.file else { return refuse(Code::FileNotFound) };
        if !messages::carries_file(c, self.conversation.1, readable.visible_from, id).await? {
            return refuse(Code::FileNotFound);
        }
        let Some(file) = files::by_id(c, id).await?.filter(|f| f.deleted_at.is_none()) else {
            return refuse(Code::FileNotFound);
        };
        access::still_readable(c, &self.bot, self.conversation, readable).await?;
        Ok(file)
    }
}
