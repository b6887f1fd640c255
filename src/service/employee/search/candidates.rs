//! Finds *candidates* for a page of search results: messages that the employee sees and that possibly match the query.
//! A *window* is a range of message ids with up to [`WINDOW`] matches, which are ranked together. A page shows matches
//! of one window.
//!
//! Up to three sources are searched, one after another. Their candidates are combined until the window is full:
//!
//! - [`Finder::walk`]: the newest messages of the index.
//! - [`Finder::collect`]: the whole index, on PostgreSQL only.
//! - [`Finder::own`]: the messages of the employee's conversations. This source is searched only until a page is full.
//!
//! Often an employee has access to only a few of the messages with a common word, for example to one in a thousand. The
//! cost of scanning the index grows with the number of messages on the server. The cost of scanning the employee's
//! conversations grows with the number of messages in these conversations. So the index is left early if the employee
//! sees few of its matches (`docs/decisions/0009-searches-that-see-little.md`).
//!
//! The work of [`Finder::candidates`] is bounded, with two exceptions:
//!
//! - On PostgreSQL, [`rows::collect`] reads all matches of its query, although it returns only the newest.
//! - If an earlier page has shown a part of the window, the window is searched to its end.
//!
//! If the bound is reached before a page is full, the page has fewer messages and a cursor for the next page. No match
//! with an id above the position of the cursor is skipped.

use std::cmp::Reverse;

use super::{SearchMessages, WINDOW, as_limit};
use crate::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        search::QueryPart,
    },
    store::{
        Engine, ReadSql, Result,
        candidates::{self as rows, IndexQuery, VisibilityFilter},
    },
};

/// Number of matches in the index, visible or not, after which [`Finder::walk`] stops. Also the maximum number of such
/// matches that one query of [`Finder::collect`] returns.
const MAX_CANDIDATES: usize = 5_000;
/// Maximum number of index scans of [`Finder::walk`]. On SQLite, neither this maximum nor [`MAX_CANDIDATES`] applies if
/// only scans can complete a window that an earlier page has shown in part.
const MAX_SCANS: usize = 5;
/// On PostgreSQL, a query with fewer matches than this in one scan is assumed to have few matches in the whole index.
const RARE_BELOW: usize = 60;
/// Maximum number of conversations by which one index query filters. On PostgreSQL, [`rows::scan`] ignores this filter,
/// and [`rows::seen`] drops the messages of other conversations.
const MAX_IDS_SQLITE: usize = 100;
const MAX_IDS_POSTGRES: usize = 50;
/// Maximum number of the employee's conversations for which [`Finder::in_chunks`] queries the index, chunk by chunk.
const MAX_IDS_CHUNKED: usize = 500;
/// Maximum number of matches that [`Finder::in_chunks`] reads per chunk of conversations.
const MAX_PER_CHUNK: usize = 5 * WINDOW;
/// Maximum number of messages of the employee's conversations that [`Finder::own`] compares with the query in one step.
/// SQLite's index cannot be filtered by a list of ids, so on SQLite the text of each message has to be read. Therefore
/// the number is smaller on SQLite.
const OWN_BATCH_SQLITE: usize = 2_000;
const OWN_BATCH_POSTGRES: usize = 4_000;
/// Maximum number of steps of [`Finder::own`]. If a page is not full after these steps, it ends with a cursor. The
/// maximum does not apply if an earlier page has shown a part of the window.
const MAX_STEPS: usize = 2;
/// Factor by which the range of ids in [`Finder::own`] shrinks if it contained too many messages, and grows if it
/// contained only a few.
const RANGE_FACTOR: i64 = 8;
/// Batch size for reading texts.
const TEXT_BATCH: usize = 500;

/// Candidates visible to the employee, newest first.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub ids: Vec<MessageId>,
    /// The candidates are complete down to this id, inclusive. `None` if there are no more candidates.
    pub reached: Option<MessageId>,
}

impl Candidates {
    fn is_full(&self) -> bool {
        self.ids.len() > WINDOW
    }

    /// Returns the id below which the search continues. Returns `None` if there are no more candidates, or if enough
    /// were found.
    fn open_end(&self) -> Option<MessageId> {
        self.reached.filter(|_| !self.is_full())
    }

    /// Keeps the newest [`WINDOW`] candidates.
    fn truncated(mut self) -> Self {
        if self.is_full() {
            self.ids.truncate(WINDOW);
            self.reached = self.ids.last().copied();
        }
        self
    }
}

/// A search with its visibility filters.
pub(super) struct Finder<'a> {
    pub find: &'a SearchMessages,
    pub sender: Option<UserId>,
    /// The lowest message id searched.
    pub from: MessageId,
    pub(super) filter: &'a VisibilityFilter,
}

/// The employee's conversations as parameters of index queries.
struct Conversations {
    /// `None` if there are more than [`MAX_IDS_CHUNKED`] conversations.
    ids: Option<Vec<ConversationId>>,
    /// Maximum number of conversations passed to one query.
    chunk_size: usize,
}

impl Conversations {
    /// Returns the ids by which one query filters. If there are more ids than one query takes, returns an empty slice:
    /// the query then does not filter by conversation.
    fn ids_for_one_query(&self) -> &[ConversationId] {
        self.ids.as_deref().filter(|ids| ids.len() <= self.chunk_size).unwrap_or_default()
    }
}

impl Finder<'_> {
    /// Returns up to [`WINDOW`] candidates with ids below `before`. The candidates are enough for a page, unless there
    /// are no more candidates or a limit of the work is reached first. If an earlier page has shown a part of the
    /// window, returns all remaining candidates of the window.
    pub(super) async fn candidates<C: ReadSql>(&self, c: &mut C, before: MessageId) -> Result<Candidates> {
        let own_conversations = self.own_conversations(c).await?;
        if own_conversations.ids.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Candidates::default());
        }
        let wanted = self.wanted(own_conversations.ids_for_one_query());
        let is_wide = wanted.conversations.is_empty(); // not filtered by conversation
        let mut all = Candidates { ids: Vec::new(), reached: Some(before) };
        let is_rare = self.walk(c, &wanted, &mut all).await?;
        if c.engine() == Engine::Postgres && (is_rare || !is_wide || self.sender.is_some()) {
            self.collect(c, &wanted, &mut all).await?;
        }
        if is_wide {
            self.own(c, &own_conversations, &mut all).await?;
        }
        Ok(all.truncated())
    }

    async fn own_conversations<C: ReadSql>(&self, c: &mut C) -> Result<Conversations> {
        let chunk_size = match c.engine() {
            Engine::Sqlite => MAX_IDS_SQLITE,
            Engine::Postgres => MAX_IDS_POSTGRES,
        };
        let ids = match self.filter.conversation {
            Some(id) => vec![id],
            None => rows::open_to(c, self.filter.reader, as_limit(MAX_IDS_CHUNKED + 1)).await?,
        };
        Ok(Conversations { ids: (ids.len() <= MAX_IDS_CHUNKED).then_some(ids), chunk_size })
    }

    fn wanted<'a>(&'a self, conversations: &'a [ConversationId]) -> IndexQuery<'a> {
        let Self { find, sender, from, .. } = *self;
        IndexQuery { query: &find.search.query, conversations, sender, from }
    }

    /// Returns whether an earlier page has shown a part of this window. If it has, all remaining candidates must be
    /// found.
    fn must_complete(&self) -> bool {
        self.find.start.is_within()
    }

    /// Scans the newest messages of the index, as long as many of the matches are visible to the employee. If no other
    /// source follows, continues even if few are visible. Returns `true` if a scan of up to 6,000 messages found fewer
    /// than [`RARE_BELOW`] matches. In this case, the query is assumed to have few matches in the whole index. Always
    /// returns `false` on SQLite.
    async fn walk<C: ReadSql>(
        &self,
        c: &mut C,
        wanted: &IndexQuery<'_>,
        all: &mut Candidates,
    ) -> Result<bool> {
        let is_narrow = !wanted.conversations.is_empty();
        // On SQLite with few conversations, neither `collect` nor `own` runs. So only this scan can complete the
        // window.
        let is_only_way = c.engine() == Engine::Sqlite && is_narrow;
        let (mut scans, mut scanned, mut step) = (0, 0, 2 * WINDOW);
        while let Some(before) = all.open_end()
            && ((scans < MAX_SCANS && scanned < MAX_CANDIDATES) || (is_only_way && self.must_complete()))
        {
            let batch = rows::scan(c, wanted, before, as_limit(step)).await?;
            all.ids.extend(rows::seen(c, &batch.ids, self.filter, as_limit(step)).await?);
            all.reached = batch.reached;
            let (found, seen) = (batch.ids.len(), all.ids.len());
            scans += 1;
            scanned += found;
            // A scan with fewer matches than its limit has covered its whole range. The range is 6,000 messages on
            // PostgreSQL, and all messages on SQLite.
            let is_cut = found >= step;
            if c.engine() == Engine::Postgres && !is_cut && found < RARE_BELOW {
                return Ok(true);
            }
            // at this rate, `MAX_CANDIDATES` or `MAX_SCANS` would be reached before the window is full
            let is_slow =
                seen * MAX_CANDIDATES < WINDOW * scanned || (!is_cut && seen * MAX_SCANS < WINDOW * scans);
            if is_slow && !is_only_way {
                break;
            }
            step = (step * 5).min(MAX_CANDIDATES.saturating_sub(scanned)).max(WINDOW);
        }
        Ok(false)
    }

    /// Reads up to [`MAX_CANDIDATES`] further matches of PostgreSQL's index, and adds the visible ones. If an earlier
    /// page has shown a part of the window, reads on until the window is full or no matches are left.
    async fn collect<C: ReadSql>(
        &self,
        c: &mut C,
        wanted: &IndexQuery<'_>,
        all: &mut Candidates,
    ) -> Result<()> {
        while let Some(before) = all.open_end() {
            let collected = rows::collect(c, wanted, before, as_limit(MAX_CANDIDATES)).await?;
            all.ids.extend(rows::seen(c, &collected.ids, self.filter, as_limit(MAX_CANDIDATES)).await?);
            all.reached = collected.reached;
            if !self.must_complete() {
                break;
            }
        }
        Ok(())
    }

    /// Searches the messages of the employee's conversations, newest first. The cost does not depend on the number of
    /// messages in other conversations.
    async fn own<C: ReadSql>(
        &self,
        c: &mut C,
        own_conversations: &Conversations,
        all: &mut Candidates,
    ) -> Result<()> {
        let batch_size = match c.engine() {
            Engine::Sqlite => OWN_BATCH_SQLITE,
            Engine::Postgres => OWN_BATCH_POSTGRES,
        };
        let mut steps = 0;
        // starts with all ids: if the employee's conversations have few messages, one step reads all of them
        let mut range = i64::MAX;
        while let Some(before) = all.open_end() {
            let is_enough = steps > 0 && all.ids.len() >= self.find.search.limit;
            if !self.must_complete() && (is_enough || steps >= MAX_STEPS) {
                break;
            }
            steps += 1;
            // The first step has not filled the window. The index may find the remaining matches faster.
            if steps == 2 && self.in_chunks(c, own_conversations, all).await? {
                continue;
            }
            range = range.min(before.0 - self.from.0);
            let own = loop {
                match rows::own(c, self.filter.reader, (MessageId(before.0 - range), before), batch_size)
                    .await?
                {
                    Some(own) => break own,
                    None => range = (range / RANGE_FACTOR).max(1),
                }
            };
            self.compare(c, &own, all).await?;
            let low = MessageId(before.0 - range);
            all.reached = (low > self.from).then_some(low);
            if own.len() < batch_size / 10 {
                range = range.saturating_mul(RANGE_FACTOR);
            }
        }
        Ok(())
    }

    /// Adds the messages in `own` that match and are visible, newest first, until the window is full.
    async fn compare<C: ReadSql>(&self, c: &mut C, own: &[MessageId], all: &mut Candidates) -> Result<()> {
        let likely = rows::with_words(c, own, &self.find.search.query).await?;
        for some in likely.chunks(TEXT_BATCH) {
            let matches: Vec<_> = self.find.matches(c, some).await?.into_iter().map(|(id, _)| id).collect();
            all.ids.extend(rows::seen(c, &matches, self.filter, as_limit(TEXT_BATCH)).await?);
            if all.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Queries the index once for each chunk of the employee's conversations, adds the candidates, and returns `true`.
    /// In two cases, returns `false` and does not query the index:
    ///
    /// - The employee has more than [`MAX_IDS_CHUNKED`] conversations.
    /// - The query has a prefix. Each index query would look up the prefix again, which is expensive.
    async fn in_chunks<C: ReadSql>(
        &self,
        c: &mut C,
        own_conversations: &Conversations,
        all: &mut Candidates,
    ) -> Result<bool> {
        let has_prefix = self.find.search.query.parts.iter().any(|part| matches!(part, QueryPart::Prefix(_)));
        let (Some(own), Some(before), false) = (&own_conversations.ids, all.reached, has_prefix) else {
            return Ok(false);
        };
        let (mut ids, mut reached) = (Vec::new(), None);
        for chunk in own.chunks(own_conversations.chunk_size) {
            let collected = rows::collect(c, &self.wanted(chunk), before, as_limit(MAX_PER_CHUNK)).await?;
            ids.extend(collected.ids);
            reached = reached.max(collected.reached);
        }
        // A query returns only the newest matches of its chunk. Below the id that the query reached, matches of the
        // chunk may be missing. So matches are kept only down to the highest id that one of the queries reached.
        ids.retain(|id| reached.is_none_or(|reached| *id >= reached));
        ids.sort_unstable_by_key(|id| Reverse(*id));
        all.ids.extend(rows::seen(c, &ids, self.filter, as_limit(ids.len())).await?);
        all.reached = reached;
        Ok(true)
    }
}
