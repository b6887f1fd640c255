//! What a bot reads: people, conversations, history and files.

mod conversations;

pub use conversations::Filter;

use super::{
    World,
    access::{self, BotCaller, Named},
    refuse,
};
use crate::{
    domain::{
        cursor::{self, CursorScope},
        ids::{ConversationId, FileId, MessageId, UserId},
        people::email_key,
        refusal::Code,
    },
    store::{
        Op, Result, Sql,
        bot_tokens::TokenOwner,
        conversations::{self as stored, Conversation},
        files::{self, File},
        messages::{self, Seen},
        position::LogPosition,
        users::{self, Introduced, User},
    },
};

/// One page of a list, and the position to go on from.
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// None on the last page.
    pub next_cursor: Option<String>,
}

/// Which page is asked for.
#[derive(Clone, Copy, Debug)]
pub struct PageRequest<'a> {
    /// 1 to 1000.
    pub limit: u32,
    pub cursor: Option<&'a str>,
}

impl World {
    /// The position a cursor stands for; `first` without one.
    ///
    /// # Errors
    /// `invalid_cursor` when it is not a cursor of exactly this walk (B-318…B-321).
    pub fn position(&self, scope: &CursorScope<'_>, cursor: Option<&str>, first: i64) -> Result<i64> {
        match cursor {
            None => Ok(first),
            Some(text) => match cursor::decode(&self.keys.cursors, scope, text) {
                Some(position) => Ok(position),
                None => refuse(Code::InvalidCursor),
            },
        }
    }

    /// Cuts a list read one item beyond `limit` into a page (B-316).
    pub fn page<T>(
        &self,
        scope: &CursorScope<'_>,
        limit: u32,
        mut items: Vec<T>,
        position: impl Fn(&T) -> i64,
    ) -> Page<T> {
        let limit = limit as usize;
        let more = items.len() > limit;
        items.truncate(limit);
        let last = items.last().filter(|_| more);
        let next_cursor = last.map(|item| cursor::encode(&self.keys.cursors, scope, position(item)));
        Page { items, next_cursor }
    }

    /// The same of a list that was looked through as far as `reach` only, if that is not its end: a page that is not full
    /// goes on from there.
    pub(super) fn page_to<T>(
        &self,
        scope: &CursorScope<'_>,
        limit: u32,
        items: Vec<T>,
        position: impl Fn(&T) -> i64,
        reach: Option<i64>,
    ) -> Page<T> {
        let mut page = self.page(scope, limit, items, position);
        if page.next_cursor.is_none() {
            page.next_cursor = reach.map(|reach| cursor::encode(&self.keys.cursors, scope, reach));
        }
        page
    }

    /// Returns where a log is followed from: a (number, id), before everything without a cursor.
    pub(super) fn follow_position(
        &self,
        scope: &CursorScope<'_>,
        cursor: Option<&str>,
    ) -> Result<(i64, i64)> {
        match cursor {
            None => Ok((-1, 0)),
            Some(text) => match cursor::decode_pair(&self.keys.cursors, scope, text) {
                Some(position) => Ok(position),
                None => refuse(Code::InvalidCursor),
            },
        }
    }

    /// Makes a page of a log that is followed: it always has a cursor, also at the end.
    pub(super) fn followed<T>(&self, scope: &CursorScope<'_>, items: Vec<T>, last: (i64, i64)) -> Page<T> {
        Page { items, next_cursor: Some(cursor::encode_pair(&self.keys.cursors, scope, last)) }
    }

    /// Who holds a token, connected or not; and the position in the database's log of after the call, if replicas can use
    /// it.
    pub async fn token_owner(
        &self,
        token_hash: [u8; 32],
    ) -> Result<Option<(TokenOwner, Option<LogPosition>)>> {
        self.db.token_owner(token_hash).await
    }

    /// The bot's company and the bot itself.
    pub async fn introduce(&self, bot: BotCaller) -> Result<Introduced> {
        match self.db.introduction(bot.user_id).await? {
            Some(introduced) => Ok(introduced),
            None => refuse(Code::TokenRevoked),
        }
    }

    /// The people that members and bots see, in order of creation (B-326…B-328).
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_people(&self, bot: BotCaller, request: PageRequest<'_>) -> Result<Page<User>> {
        let scope = scope("users", &bot, None, "");
        let after = self.position(&scope, request.cursor, 0)?;
        let op = ListPeople { bot, after, limit: i64::from(request.limit) + 1 };
        let users = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, users, |u| u.id.0))
    }

    /// One person a bot may see.
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn person(&self, bot: BotCaller, id: Option<UserId>) -> Result<User> {
        let Some(id) = id else { return refuse(Code::UserNotFound) };
        self.db.read(FindPerson { bot, id }).await
    }

    /// The person with an e-mail address that the bot may see (B-335…B-341).
    ///
    /// # Errors
    /// `user_not_found`.
    pub async fn person_by_email(&self, bot: BotCaller, address: &str) -> Result<User> {
        self.db.read(FindByEmail { bot, key: email_key(address) }).await
    }

    /// One group or channel the bot is in.
    ///
    /// # Errors
    /// `conversation_not_found`, `not_in_conversation`.
    pub async fn conversation(&self, bot: BotCaller, id: Option<Named>) -> Result<Conversation> {
        let Some(id) = id else { return refuse(Code::ConversationNotFound) };
        self.db.read(FindConversation { bot, id }).await
    }

    /// A page of history, newest first, as one who joined with the bot sees it.
    ///
    /// # Errors
    /// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`.
    pub async fn history(
        &self,
        bot: BotCaller,
        id: Option<Named>,
        request: PageRequest<'_>,
    ) -> Result<Page<HistoryItem>> {
        let scope = scope("history", &bot, id.map(|(_, id)| id), "");
        let before = MessageId(self.position(&scope, request.cursor, i64::MAX)?);
        let Some(id) = id else { return refuse(Code::ConversationNotFound) };
        let op = ReadHistory { bot, id, before, limit: i64::from(request.limit) + 1 };
        let items = self.db.read(op).await?;
        Ok(self.page(&scope, request.limit, items, |m| m.seen.id.0))
    }

    /// A file attached to a message the bot can read in a conversation.
    ///
    /// # Errors
    /// `conversation_not_found`, `not_in_conversation`, `file_not_found`.
    pub async fn readable_file(
        &self,
        bot: BotCaller,
        conversation: Option<Named>,
        file: Option<FileId>,
    ) -> Result<File> {
        let Some(conversation) = conversation else { return refuse(Code::ConversationNotFound) };
        self.db.read(FindFile { bot, conversation, file }).await
    }
}

fn scope<'a>(
    endpoint: &'a str,
    bot: &BotCaller,
    conversation: Option<ConversationId>,
    filter: &'a str,
) -> CursorScope<'a> {
    CursorScope { endpoint, owner: bot.installation_id.0, conversation, filter }
}

struct ListPeople {
    bot: BotCaller,
    after: i64,
    limit: i64,
}

impl Op for ListPeople {
    const NAME: &'static str = "list_people";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = Vec<User>;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        users::listed_page(c, self.bot.workspace_id, self.after, self.limit).await
    }
}

struct FindPerson {
    bot: BotCaller,
    id: UserId,
}

impl Op for FindPerson {
    const NAME: &'static str = "find_person";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = User;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let found = users::by_id(c, self.id).await?;
        match found.filter(|u| u.workspace_id == self.bot.workspace_id && access::standing(u).is_listed()) {
            Some(user) => Ok(user),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct FindByEmail {
    bot: BotCaller,
    key: String,
}

impl Op for FindByEmail {
    const NAME: &'static str = "find_by_email";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = User;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<User> {
        let found = users::by_email(c, self.bot.workspace_id, &self.key).await?;
        match found.filter(|u| access::standing(u).is_found_by_email()) {
            Some(user) => Ok(user),
            None => refuse(Code::UserNotFound),
        }
    }
}

struct FindConversation {
    bot: BotCaller,
    id: Named,
}

impl Op for FindConversation {
    const NAME: &'static str = "find_conversation";
    const REPLICA: bool = true;
    type Out = Conversation;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Conversation> {
        // first, so that whoever is found to be in it is shown nothing of after a removal
        let found = stored::by_id(c, self.id.1).await?;
        access::readable(c, &self.bot, self.id).await?;
        found.map_or_else(|| refuse(Code::ConversationNotFound), Ok)
    }
}

/// A message on a page of history with its files.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryItem {
    pub seen: Seen,
    pub files: Vec<FileId>,
}

struct ReadHistory {
    bot: BotCaller,
    id: Named,
    before: MessageId,
    limit: i64,
}

impl Op for ReadHistory {
    const NAME: &'static str = "read_history";
    const REPLICA: bool = true;
    type Out = Vec<HistoryItem>;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let (_, conversation) = self.id;
        let visible_from = access::readable(c, &self.bot, self.id).await?;
        let seen = messages::history(c, conversation, visible_from, self.before, self.limit).await?;
        let mut items: Vec<_> =
            seen.into_iter().map(|seen| HistoryItem { seen, files: Vec::new() }).collect();
        let with_files = || items.iter().filter(|m| m.seen.file_count > 0).map(|m| m.seen.id);
        if let (Some(last), Some(first)) = (with_files().next(), with_files().next_back()) {
            for (message, file) in messages::files_between(c, conversation, first, last).await? {
                // newest first, so descending by id
                if let Ok(index) = items.binary_search_by(|m| message.cmp(&m.seen.id)) {
                    items[index].files.push(file);
                }
            }
        }
        Ok(items)
    }
}

struct FindFile {
    bot: BotCaller,
    conversation: Named,
    file: Option<FileId>,
}

impl Op for FindFile {
    const NAME: &'static str = "find_file";
    type Out = File;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<File> {
        let visible_from = access::readable(c, &self.bot, self.conversation).await?;
        let Some(id) = self.file else { return refuse(Code::FileNotFound) };
        if !messages::carries_file(c, self.conversation.1, visible_from, id).await? {
            return refuse(Code::FileNotFound);
        }
        match files::by_id(c, id).await?.filter(|f| f.deleted_at.is_none()) {
            Some(file) => Ok(file),
            None => refuse(Code::FileNotFound),
        }
    }
}
