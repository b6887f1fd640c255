//! Full-text search of the messages visible to an employee.
//!
//! The index or the employee's conversations provide [`candidates`], newest first. Up to [`MAX_UNINDEXED`] messages
//! that are not indexed yet are compared with the query, so that new messages are found before they are indexed.
//! Whether a candidate is visible and still matches is checked on the stored message.
//!
//! A *window* is a range of message ids. It contains up to [`WINDOW`] matches, which are ranked together. The first
//! window contains the newest matches, the second window the next older matches, and so on. So a search for a common
//! word does not rank all its matches (`docs/decisions/0005-message-search.md`).

mod candidates;

use std::{cmp::Reverse, collections::HashMap};

use self::candidates::{Candidates, Finder};
use super::{
    Assistant, Employee,
    access::{self, ConversationRef, Heading, PersonRef, Span},
    messages::{MessageWithFiles, with_files},
};
use crate::{
    domain::{
        cursor::{self, CursorScope},
        ids::{ConversationId, MessageId},
        refusal::Code,
        search::SearchQuery,
    },
    service::{World, callers::ShownConversation, refuse},
    store::{
        ReadOp, ReadSql, Result,
        candidates::{self as rows, VisibilityFilter},
        conversations, employee,
    },
};

/// Maximum number of matches in a window.
pub const WINDOW: usize = 100;
/// Maximum number of unindexed messages that a search compares.
const MAX_UNINDEXED: usize = 1_000;

/// Order of matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Best match first within each window. Windows with newer matches come first.
    Relevance,
    Newest,
}

/// A search request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub query: SearchQuery,
    pub conversation: Option<ConversationRef>,
    pub sender: Option<PersonRef>,
    pub span: Span,
    pub order: Order,
    /// Maximum number of messages on the page; at least 1.
    pub limit: usize,
    pub cursor: Option<String>,
}

/// A page of search results.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResults {
    pub items: Vec<MessageWithFiles>,
    /// The conversations of the messages in `items`.
    pub headings: HashMap<ConversationId, Heading>,
    /// `None` on the last page.
    pub next_cursor: Option<String>,
    /// Whether some messages were not searched, because too many messages are not indexed yet.
    pub is_incomplete: bool,
}

/// The start of a page: a window, and the offset of the page in the window's matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    /// The upper end of the window, exclusive.
    before: MessageId,
    /// The lower end of the window, inclusive. Present if an earlier page has shown a part of the window, and if
    /// another window follows. Without this end, the window would grow downwards if matches were deleted since the
    /// earlier page. An older message in the grown window could be ranked before `offset`, and would never be shown.
    from: Option<MessageId>,
    offset: usize,
}

impl Start {
    const fn window(before: MessageId) -> Self {
        Self { before, from: None, offset: 0 }
    }

    /// Returns whether an earlier page has shown a part of the window. In this case, the search must find all matches
    /// of the window again, because the offset counts them.
    const fn is_within(self) -> bool {
        self.offset > 0 || self.from.is_some()
    }
}

impl Assistant<'_> {
    /// Finds messages visible to the employee.
    ///
    /// # Errors
    /// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`, `user_not_found`.
    pub async fn search_messages(self, search: Search) -> Result<SearchResults> {
        find_messages(self.world, self.employee(), "mcp.search", search).await
    }

    /// Returns the conversations of the found messages. Immediately before the response is sent, the caller passes
    /// them to the check that the employee still sees the messages.
    #[must_use]
    pub fn shown_in_search(self, found: &SearchResults) -> Vec<ShownConversation> {
        let messages = found.items.iter().filter_map(|message| {
            let heading = found.headings.get(&message.conversation_id)?;
            Some(((heading.conversation.kind, message.conversation_id), message.id))
        });
        ShownConversation::of_messages(self.employee(), messages)
    }
}

/// Finds messages visible to `employee`. A cursor is valid only for the `endpoint` for which it was issued.
///
/// # Errors
/// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`, `user_not_found`.
pub(in crate::service) async fn find_messages(
    world: &World,
    employee: Employee,
    endpoint: &'static str,
    search: Search,
) -> Result<SearchResults> {
    let Search { query, conversation, sender, span, order, .. } = &search;
    let filter_key = format!("{} {conversation:?} {sender:?} {span:?} {order:?}", query.canonical());
    let scope = CursorScope { endpoint, owner: employee.user_id.0, conversation: None, filter: &filter_key };
    let start = match &search.cursor {
        None => Start::window(MessageId(i64::MAX)),
        Some(text) => match start_of(world, &scope, text) {
            Some(start) => start,
            None => return refuse(Code::InvalidCursor),
        },
    };
    // read as a scan, because a search can be slow and must not delay other reads
    let page = world.db.scan(SearchMessages { employee, search: search.clone(), start }).await?;
    let next_cursor = page.next.map(|next| cursor_of(world, &scope, next));
    Ok(SearchResults {
        items: page.items,
        headings: page.headings,
        next_cursor,
        is_incomplete: page.is_incomplete,
    })
}

/// Encodes the three values of a start as three cursors, joined by dots. Each cursor is bound to the cursors before it,
/// so that a client cannot combine parts of different cursors.
fn cursor_of(world: &World, scope: &CursorScope<'_>, start: Start) -> String {
    let offset = i64::try_from(start.offset).unwrap_or(i64::MAX);
    let mut text = cursor::encode(&world.keys.cursors, scope, start.before.0);
    for value in [start.from.map_or(0, |from| from.0), offset] {
        let bound_to = format!("{} {text}", scope.filter);
        let next = cursor::encode(&world.keys.cursors, &CursorScope { filter: &bound_to, ..*scope }, value);
        text = format!("{text}.{next}");
    }
    text
}

/// Decodes the result of [`cursor_of`]. Returns `None` for any other text.
fn start_of(world: &World, scope: &CursorScope<'_>, text: &str) -> Option<Start> {
    let (window, offset) = text.rsplit_once('.')?;
    let (before, from) = window.split_once('.')?;
    let decode_bound_to = |earlier: &str, value: &str| {
        let filter = format!("{} {earlier}", scope.filter);
        cursor::decode(&world.keys.cursors, &CursorScope { filter: &filter, ..*scope }, value)
    };
    let (from, offset) = (decode_bound_to(before, from)?, decode_bound_to(window, offset)?);
    let before = MessageId(cursor::decode(&world.keys.cursors, scope, before)?);
    let from = (from > 0).then_some(MessageId(from));
    Some(Start { before, from, offset: usize::try_from(offset).ok()? })
}

struct SearchMessages {
    employee: Employee,
    search: Search,
    start: Start,
}

struct FoundPage {
    items: Vec<MessageWithFiles>,
    headings: HashMap<ConversationId, Heading>,
    next: Option<Start>,
    is_incomplete: bool,
}

/// The matches of a window.
struct RankedWindow {
    /// The matches, each with its score.
    matches: Vec<(MessageId, f64)>,
    /// The upper end of the next window, exclusive; `None` if this window is the last one.
    next: Option<MessageId>,
    is_incomplete: bool,
}

fn as_limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl ReadOp for SearchMessages {
    const NAME: &'static str = "search_messages";
    const REPLICA: bool = true;
    // several statements read the index and the queue of unindexed messages, and must see the same state (see `window`)
    const SNAPSHOT: bool = true;
    type Out = FoundPage;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<FoundPage> {
        let mut window = self.window(c).await?;
        if self.search.order == Order::Relevance {
            window.matches.sort_by(|one, other| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
        }
        let Start { offset, .. } = self.start;
        let end = (offset + self.search.limit).min(window.matches.len());
        let page: Vec<MessageId> =
            window.matches.get(offset..end).unwrap_or_default().iter().map(|(id, _)| *id).collect();
        let after = window.next.or(self.start.from);
        let next = if end >= window.matches.len() {
            after.map(Start::window)
        } else if let (Order::Newest, Some(last)) = (self.search.order, page.last()) {
            Some(Start::window(*last))
        } else {
            // the cursor contains the upper end of the window, so that new messages do not change the window, and the
            // lower end if another window follows (`Start::from`)
            let newest = window.matches.iter().map(|(id, _)| id.0).max().unwrap_or_default();
            Some(Start { before: MessageId(newest + 1), from: after, offset: end })
        };
        let (items, headings) = self.load(c, &page).await?;
        Ok(FoundPage { items, headings, next, is_incomplete: window.is_incomplete })
    }
}

impl SearchMessages {
    /// Returns the matches of the window in which the page starts, newest first.
    async fn window<C: ReadSql>(&self, c: &mut C) -> Result<RankedWindow> {
        let Search { conversation, sender, span, .. } = &self.search;
        let conversation = match conversation {
            Some(named) => Some(access::open_conversation(c, self.employee, named).await?.0.id),
            None => None,
        };
        let sender = match sender {
            Some(person) => Some(access::find_known(c, self.employee, person).await?.id),
            None => None,
        };
        let (from, before) = span.ids();
        let (from, before) =
            (self.start.from.map_or(from, |end| end.max(from)), before.min(self.start.before));
        let (after_time, before_time) = span.times();
        let filter = VisibilityFilter {
            reader: self.employee.user_id,
            conversation,
            sender,
            after: after_time,
            before: before_time,
        };
        // All statements see one state of the database. In this state each message is queued for indexing or indexed,
        // or both if it was edited. If the statements saw different states, a message that is indexed between two
        // statements could be missed.
        let (unindexed, is_incomplete) = self.unindexed(c, (from, before), &filter).await?;
        let finder = Finder { find: self, sender, from, filter: &filter };
        let Candidates { mut ids, reached } = finder.candidates(c, before).await?;
        ids.extend(unindexed);
        ids.sort_unstable_by_key(|id| Reverse(*id));
        ids.dedup();
        // an unindexed message that is older than the scanned part of the index belongs to a later window
        if let Some(reached) = reached {
            ids.retain(|id| *id >= reached);
        }
        let next = if ids.len() > WINDOW {
            ids.truncate(WINDOW);
            ids.last().copied()
        } else {
            reached
        };
        let mut matches = self.matches(c, &ids).await?;
        matches.sort_unstable_by_key(|(id, _)| Reverse(*id));
        Ok(RankedWindow { matches, next, is_incomplete })
    }

    /// Returns the visible matches among unindexed messages. Also returns whether there are more unindexed messages
    /// than were compared.
    async fn unindexed<C: ReadSql>(
        &self,
        c: &mut C,
        (from, before): (MessageId, MessageId),
        filter: &VisibilityFilter,
    ) -> Result<(Vec<MessageId>, bool)> {
        let limit = as_limit(MAX_UNINDEXED);
        let mut unindexed = rows::queued(c, from, before, limit + 1).await?;
        let is_incomplete = unindexed.len() > MAX_UNINDEXED;
        unindexed.truncate(MAX_UNINDEXED);
        if unindexed.is_empty() {
            return Ok((unindexed, false));
        }
        let seen = rows::seen(c, &unindexed, filter, limit).await?;
        let matches = self.matches(c, &seen).await?;
        Ok((matches.into_iter().map(|(id, _)| id).collect(), is_incomplete))
    }

    /// Returns the messages in `ids` whose stored text matches, with their scores.
    async fn matches<C: ReadSql>(&self, c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, f64)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let texts = rows::texts(c, ids).await?;
        let score = |(id, text): (MessageId, String)| Some((id, self.search.query.score(&text)?));
        Ok(texts.into_iter().filter_map(score).collect())
    }

    /// Returns the messages in `ids` that the employee sees, in the same order, with the headings of their
    /// conversations.
    async fn load<C: ReadSql>(
        &self,
        c: &mut C,
        ids: &[MessageId],
    ) -> Result<(Vec<MessageWithFiles>, HashMap<ConversationId, Heading>)> {
        if ids.is_empty() {
            return Ok((Vec::new(), HashMap::new()));
        }
        let mut messages = employee::by_ids(c, self.employee.user_id, ids).await?;
        messages.sort_by_key(|message| ids.iter().position(|id| *id == message.id));
        let mut conversation_ids: Vec<ConversationId> =
            messages.iter().map(|message| message.conversation_id).collect();
        conversation_ids.sort_unstable();
        conversation_ids.dedup();
        let conversations = conversations::by_ids(c, &conversation_ids).await?;
        let headings = access::headings(c, self.employee, conversations).await?;
        let headings = headings.into_iter().map(|heading| (heading.conversation.id, heading)).collect();
        Ok((with_files(c, messages).await?, headings))
    }
}
