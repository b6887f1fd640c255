//! The groups and channels that a bot is listed.

use super::{Page, PageRequest, scope};
use crate::{
    store::{Op, Result, Sql, conversation_lists, conversations::Conversation, position::LogPosition},
    workspace::{World, access::BotCaller},
};

/// Conversations of a bot that are looked at for one page: behind very many that a filter leaves out it ends early.
const LOOKED_AT: usize = 5_000;
/// Conversations that are read at once when a filter left out some.
const READ_AT_ONCE: i64 = 500;

/// Which of a bot's conversations to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    pub public: bool,
    pub private: bool,
    pub archived: bool,
}

impl Filter {
    /// Whether a group or channel that the bot is in is listed. Bots cannot read announcements.
    #[must_use]
    pub fn admits(self, conversation: &Conversation) -> bool {
        let wanted = if conversation.is_private { self.private } else { self.public };
        let is_readable = !conversation.kind.is_dm()
            && !conversation.announcement_only
            && conversation.deleted_at.is_none();
        wanted && is_readable && (self.archived || conversation.archived_at.is_none())
    }
}

impl World {
    /// The groups and channels the bot is in, in order of creation. Behind thousands that the filter leaves out a page has
    /// fewer than were asked for, or none, and the next one goes on.
    ///
    /// # Errors
    /// `invalid_cursor`.
    pub async fn list_conversations(
        &self,
        bot: BotCaller,
        filter: Filter,
        request: PageRequest<'_>,
    ) -> Result<Page<Conversation>> {
        let Filter { public, private, archived } = filter;
        let walk = format!("{}{}{}", u8::from(public), u8::from(private), u8::from(archived));
        let scope = scope("conversations", &bot, None, &walk);
        let mut after = self.position(&scope, request.cursor, 0)?;
        let mut limit = i64::from(request.limit) + 1;
        let (mut found, mut looked_at) = (Vec::new(), 0);
        let reach = loop {
            let read = self.db.read(ListConversations { bot, after, limit }).await?;
            let is_last = i64::try_from(read.len()).is_ok_and(|read| read < limit);
            looked_at += read.len();
            after = read.last().map_or(after, |last| last.id.0);
            found.extend(read.into_iter().filter(|conversation| filter.admits(conversation)));
            if is_last || found.len() > request.limit as usize {
                break None;
            }
            if looked_at >= LOOKED_AT {
                break Some(after);
            }
            limit = READ_AT_ONCE;
        };
        Ok(self.page_to(&scope, request.limit, found, |v| v.id.0, reach))
    }
}

struct ListConversations {
    bot: BotCaller,
    after: i64,
    limit: i64,
}

impl Op for ListConversations {
    const NAME: &'static str = "list_conversations";
    const REPLICA: bool = true;
    const SINGLE: bool = true;
    type Out = Vec<Conversation>;

    fn position(&self) -> Option<LogPosition> {
        self.bot.position
    }

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        conversation_lists::places_of_user(c, self.bot.user_id, self.after, self.limit).await
    }
}
