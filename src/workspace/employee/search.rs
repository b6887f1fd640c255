//! Searching the messages that an employee sees.
//!
//! The index names [`candidates`], newest first; what the index has not taken in yet is compared by itself, so what was
//! written is found at once. Who may see a message, and whether it still says what was looked for, is asked of the
//! message. Ranked are the newest [`WINDOW`] matches, then the next ones: so a word that half of all messages have
//! costs no more than a rare one (`docs/decisions/0005-message-search.md`).

mod candidates;

use std::{cmp::Reverse, collections::HashMap};

use self::candidates::{Candidates, Finder};
use super::{
    Employee,
    access::{self, Heading, PersonRef, Place, Span},
    messages::{Shown, with_files},
};
use crate::{
    domain::{
        cursor::{self, CursorScope},
        ids::{ConversationId, MessageId},
        refusal::Code,
        search::Query,
    },
    store::{
        Op, Result, Sql,
        candidates::{self as rows, Sight},
        conversations, employee,
    },
    workspace::{World, refuse},
};

/// How many matches are ranked among each other.
pub const WINDOW: usize = 100;
/// How many messages that wait for the index are compared.
const WAITING: usize = 1_000;

/// In what order matches come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The best of the newest matches first.
    Relevance,
    Newest,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    pub query: Query,
    pub place: Option<Place>,
    pub sender: Option<PersonRef>,
    pub span: Span,
    pub order: Order,
    /// At least 1.
    pub limit: usize,
    pub cursor: Option<String>,
}

/// One page of what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    pub items: Vec<Shown>,
    /// Of the messages on the page.
    pub headings: HashMap<ConversationId, Heading>,
    /// None when there is nothing more.
    pub next_cursor: Option<String>,
    /// Messages were left out that wait for the index.
    pub is_incomplete: bool,
}

/// Where a page begins: in which window, and how far into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Start {
    before: MessageId,
    /// The lower end of a window of which a page was shown, so that nothing older is ranked among what is left of it.
    from: Option<MessageId>,
    offset: usize,
}

impl Start {
    const fn window(before: MessageId) -> Self {
        Self { before, from: None, offset: 0 }
    }

    /// Whether a page of the window was shown, so that all the rest of it has to be found again.
    const fn is_within(self) -> bool {
        self.offset > 0 || self.from.is_some()
    }
}

impl World {
    /// Finds messages that the employee sees.
    ///
    /// # Errors
    /// `invalid_cursor`, `conversation_not_found`, `not_in_conversation`, `user_not_found`.
    pub async fn search_messages(&self, who: Employee, search: Search) -> Result<Found> {
        let Search { query, place, sender, span, order, .. } = &search;
        let walk = format!("{} {place:?} {sender:?} {span:?} {order:?}", query.spelling());
        let scope =
            CursorScope { endpoint: "mcp.search", owner: who.user_id.0, conversation: None, filter: &walk };
        let start = match &search.cursor {
            None => Start::window(MessageId(i64::MAX)),
            Some(text) => match self.start_of(&scope, text) {
                Some(start) => start,
                None => return refuse(Code::InvalidCursor),
            },
        };
        // a scan: it may take some milliseconds, which no other request should wait for
        let page = self.db.scan(Find { who, search: search.clone(), start }).await?;
        let next_cursor = page.next.map(|next| self.cursor_of(&scope, next));
        Ok(Found {
            items: page.items,
            headings: page.headings,
            next_cursor,
            is_incomplete: page.is_incomplete,
        })
    }

    /// Cursors in one, each good behind those before it only.
    fn cursor_of(&self, scope: &CursorScope<'_>, start: Start) -> String {
        let offset = i64::try_from(start.offset).unwrap_or(i64::MAX);
        let mut text = cursor::encode(&self.keys.cursors, scope, start.before.0);
        for value in [start.from.map_or(0, |from| from.0), offset] {
            let behind = format!("{} {text}", scope.filter);
            let next = cursor::encode(&self.keys.cursors, &CursorScope { filter: &behind, ..*scope }, value);
            text = format!("{text}.{next}");
        }
        text
    }

    fn start_of(&self, scope: &CursorScope<'_>, text: &str) -> Option<Start> {
        let (window, offset) = text.rsplit_once('.')?;
        let (before, from) = window.split_once('.')?;
        let behind = |known: &str, value: &str| {
            let filter = format!("{} {known}", scope.filter);
            cursor::decode(&self.keys.cursors, &CursorScope { filter: &filter, ..*scope }, value)
        };
        let (from, offset) = (behind(before, from)?, behind(window, offset)?);
        let before = MessageId(cursor::decode(&self.keys.cursors, scope, before)?);
        let from = (from > 0).then_some(MessageId(from));
        Some(Start { before, from, offset: usize::try_from(offset).ok()? })
    }
}

struct Find {
    who: Employee,
    search: Search,
    start: Start,
}

struct FoundPage {
    items: Vec<Shown>,
    headings: HashMap<ConversationId, Heading>,
    next: Option<Start>,
    is_incomplete: bool,
}

/// Matches that are ranked together.
struct Window {
    /// With how well they fit.
    matches: Vec<(MessageId, f64)>,
    /// Where the next window begins; none when this is the last.
    next: Option<MessageId>,
    is_incomplete: bool,
}

fn as_limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Op for Find {
    const NAME: &'static str = "search_messages";
    const REPLICA: bool = true;
    // the end of a walk is found by a statement of its own
    const SNAPSHOT: bool = true;
    type Out = FoundPage;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<FoundPage> {
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
            // the window stays the same, whatever is written meanwhile
            let newest = window.matches.iter().map(|(id, _)| id.0).max().unwrap_or_default();
            Some(Start { before: MessageId(newest + 1), from: after, offset: end })
        };
        let (items, headings) = self.shown(c, &page).await?;
        Ok(FoundPage { items, headings, next, is_incomplete: window.is_incomplete })
    }
}

impl Find {
    async fn window<C: Sql>(&self, c: &mut C) -> Result<Window> {
        let Search { place, sender, span, .. } = &self.search;
        let conversation = match place {
            Some(place) => Some(access::open_place(c, self.who, place).await?.0.id),
            None => None,
        };
        let sender = match sender {
            Some(person) => Some(access::find(c, self.who, person).await?.id),
            None => None,
        };
        let (from, before) = span.ids();
        let (from, before) =
            (self.start.from.map_or(from, |end| end.max(from)), before.min(self.start.before));
        let (after_time, before_time) = span.times();
        let sight =
            Sight { reader: self.who.user_id, conversation, sender, after: after_time, before: before_time };
        // what waits first: what moves into the index meanwhile is found there
        let (waiting, is_incomplete) = self.waiting(c, (from, before), &sight).await?;
        let finder = Finder { find: self, sender, from, sight: &sight };
        let Candidates { mut ids, reached } = finder.candidates(c, before).await?;
        ids.extend(waiting);
        ids.sort_unstable_by_key(|id| Reverse(*id));
        ids.dedup();
        // what waits and is older than the index was asked for belongs to the next window
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
        Ok(Window { matches, next, is_incomplete })
    }

    /// Matches among the messages that wait for the index, and whether some were left out.
    async fn waiting<C: Sql>(
        &self,
        c: &mut C,
        (from, before): (MessageId, MessageId),
        sight: &Sight,
    ) -> Result<(Vec<MessageId>, bool)> {
        let limit = as_limit(WAITING);
        let mut waiting = rows::queued(c, from, before, limit + 1).await?;
        let is_incomplete = waiting.len() > WAITING;
        waiting.truncate(WAITING);
        if waiting.is_empty() {
            return Ok((waiting, false));
        }
        let seen = rows::seen(c, &waiting, sight, limit).await?;
        let matches = self.matches(c, &seen).await?;
        Ok((matches.into_iter().map(|(id, _)| id).collect(), is_incomplete))
    }

    /// Those of some messages that match as they are now, with how well.
    async fn matches<C: Sql>(&self, c: &mut C, ids: &[MessageId]) -> Result<Vec<(MessageId, f64)>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let texts = rows::texts(c, ids).await?;
        let score = |(id, text): (MessageId, String)| Some((id, self.search.query.score(&text)?));
        Ok(texts.into_iter().filter_map(score).collect())
    }

    /// The messages of a page in their order, with their conversations.
    async fn shown<C: Sql>(
        &self,
        c: &mut C,
        ids: &[MessageId],
    ) -> Result<(Vec<Shown>, HashMap<ConversationId, Heading>)> {
        if ids.is_empty() {
            return Ok((Vec::new(), HashMap::new()));
        }
        let mut sights = employee::by_ids(c, self.who.user_id, ids).await?;
        sights.sort_by_key(|sight| ids.iter().position(|id| *id == sight.id));
        let mut places: Vec<ConversationId> = sights.iter().map(|sight| sight.conversation_id).collect();
        places.sort_unstable();
        places.dedup();
        let places = conversations::by_ids(c, &places).await?;
        let headings = access::headings(c, self.who, places).await?;
        let headings = headings.into_iter().map(|heading| (heading.conversation.id, heading)).collect();
        Ok((with_files(c, sights).await?, headings))
    }
}
