//! The list of a bot's groups and channels.

use super::cursor_scope;
use crate::{
    service::{
        bot::access::{Bot, BotCaller},
        conversations::ConversationView,
        paging::{Page, PageRequest},
    },
    store::{QueriedPosition, ReadOp, ReadSql, Result, conversation_lists, conversations::Conversation},
};

/// A page is read in batches. After this number of conversations, no further batch is read, even if the page is not
/// full.
const MAX_SCANNED: usize = 5_000;
/// Size of the second and later batches for one page. These batches are read only if the filter excludes conversations.
const SCAN_BATCH: i64 = 500;

/// Which of a bot's groups and channels to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    pub public: bool,
    pub private: bool,
    /// Whether archived conversations are included.
    pub archived: bool,
}

impl Filter {
    /// Returns whether a conversation matches. Direct messages and deleted conversations never match. Announcement-only
    /// conversations never match either, because bots cannot read them.
    #[must_use]
    pub(in crate::service) fn matches(self, conversation: &Conversation) -> bool {
        let wanted = if conversation.is_private { self.private } else { self.public };
        let is_readable = !conversation.kind.is_dm()
            && !conversation.announcement_only
            && conversation.deleted_at.is_none();
        wanted && is_readable && (self.archived || conversation.archived_at.is_none())
    }
}

impl Bot {
    /// Lists the bot's groups and channels in order of creation. If the filter excludes thousands of conversations, a
    /// page can be short or empty although there is a next page.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_conversations(
        &self,
        filter: Filter,
        request: PageRequest<'_>,
    ) -> Result<Page<ConversationView>> {
        let Filter { public, private, archived } = filter;
        let filter_key = format!("{}{}{}", u8::from(public), u8::from(private), u8::from(archived));
        let scope = cursor_scope("conversations", &self.caller, None, &filter_key);
        let mut after = self.world.position(&scope, request.cursor, 0)?;
        let mut limit = i64::from(request.limit) + 1;
        let (mut found, mut scanned) = (Vec::new(), 0);
        let scan_end = loop {
            let read = self.world.db.read(ListBotConversations { bot: self.caller, after, limit }).await?;
            let is_last = i64::try_from(read.len()).is_ok_and(|read| read < limit);
            scanned += read.len();
            after = read.last().map_or(after, |last| last.id.0);
            found.extend(read.into_iter().filter(|conversation| filter.matches(conversation)));
            if is_last || found.len() > request.limit as usize {
                break None;
            }
            if scanned >= MAX_SCANNED {
                break Some(after);
            }
            limit = SCAN_BATCH;
        };
        Ok(self.world.page_to(&scope, request.limit, found, |v| v.id.0, scan_end).map(ConversationView::from))
    }
}

struct ListBotConversations {
    bot: BotCaller,
    after: i64,
    limit: i64,
}

impl ReadOp for ListBotConversations {
    const NAME: &'static str = "list_conversations";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = Vec<Conversation>;

    fn position(&self) -> Option<QueriedPosition> {
        self.bot.position
    }

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        conversation_lists::groups_and_channels_of_user(c, self.bot.user_id, self.after, self.limit).await
    }
}
