//! Finds candidates for a page of search results: messages that may be shown on it. The candidates come from the
//! cheapest of three sources: the newest messages of the index, the whole index, and the newest messages of the
//! employee's conversations (`docs/decisions/0009-searches-that-see-little.md`).
//!
//! An employee may see only one in a thousand of the messages with a common word. The cost of scanning the index grows
//! with the number of messages on the server. The cost of scanning the employee's conversations grows with the number
//! of messages in these conversations.
//!
//! The work of a call is bounded, with two exceptions. On PostgreSQL all matches of a rare word are read. And if an
//! earlier page has shown a part of a window, the window is searched to its end. A window consists of up to [`WINDOW`]
//! matches, which are ranked together. If the bound is reached before a page is full, the page ends with a cursor. The
//! candidates down to this cursor are complete.

use std::cmp::Reverse;

use super::{Find, WINDOW, as_limit};
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

/// Maximum number of index candidates examined.
const MAX_CANDIDATES: usize = 5_000;
/// Maximum number of index scans per page.
const MAX_SCANS: usize = 5;
/// On PostgreSQL, a word with fewer matches than this in one scan is assumed to be rare among all messages.
const RARE_BELOW: usize = 60;
/// Maximum number of conversations that are passed to one index query. The query then returns only candidates of these
/// conversations. Scans on PostgreSQL ignore the conversations.
const MAX_IDS_SQLITE: usize = 100;
const MAX_IDS_POSTGRES: usize = 50;
/// Maximum number of conversations that are passed in chunks, to several index queries.
const MAX_IDS_CHUNKED: usize = 500;
/// Maximum number of candidates per chunk of conversations.
const MAX_PER_CHUNK: usize = 5 * WINDOW;
/// Maximum number of messages of the employee's conversations that [`Finder::own`] compares in one step. The number is
/// smaller on SQLite. SQLite's index cannot filter a list of ids, so the text of each message has to be read.
const OWN_BATCH_SQLITE: usize = 2_000;
const OWN_BATCH_POSTGRES: usize = 4_000;
/// Maximum number of steps of [`Finder::own`]. If a page is not full after these steps, it ends with a cursor. The
/// maximum does not apply if an earlier page has shown a part of the window.
const MAX_STEPS: usize = 2;
/// Factor by which the range of ids shrinks if it contained too many messages, and grows if it contained only a few.
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
    pub find: &'a Find,
    pub sender: Option<UserId>,
    /// The lowest message id searched.
    pub from: MessageId,
    pub(super) filter: &'a VisibilityFilter,
}

/// The employee's conversations as parameters of index queries.
struct Conversations {
    /// `None` if there are more than [`MAX_IDS_CHUNKED`] conversations.
    open: Option<Vec<ConversationId>>,
    /// Maximum number of conversations passed to one query.
    chunk_size: usize,
}

impl Conversations {
    /// Returns the conversations, or an empty slice if one query cannot take all of them.
    fn named(&self) -> &[ConversationId] {
        self.open.as_deref().filter(|open| open.len() <= self.chunk_size).unwrap_or_default()
    }
}

impl Finder<'_> {
    /// Returns candidates with ids below `before`. Finds enough candidates for a window, unless a limit of the work is
    /// reached first. If an earlier page has shown a part of the window, returns all remaining candidates of the
    /// window.
    pub(super) async fn candidates<C: ReadSql>(&self, c: &mut C, before: MessageId) -> Result<Candidates> {
        let own_conversations = self.own_conversations(c).await?;
        if own_conversations.open.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Candidates::default());
        }
        let wanted = self.wanted(own_conversations.named());
        let is_wide = wanted.conversations.is_empty();
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
        let open = match self.filter.conversation {
            Some(id) => vec![id],
            None => rows::open_to(c, self.filter.reader, as_limit(MAX_IDS_CHUNKED + 1)).await?,
        };
        Ok(Conversations { open: (open.len() <= MAX_IDS_CHUNKED).then_some(open), chunk_size })
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

    /// Scans the newest candidates of the index, as long as many of them are visible to the employee. Returns `true` if
    /// one scan of up to 6,000 messages has fewer than [`RARE_BELOW`] matches. Matches of the query are then assumed to
    /// be rare in the whole index. Always returns `false` on SQLite.
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
            let is_slow =
                seen * MAX_CANDIDATES < WINDOW * scanned || (!is_cut && seen * MAX_SCANS < WINDOW * scans);
            if is_slow && !is_only_way {
                break;
            }
            step = (step * 5).min(MAX_CANDIDATES.saturating_sub(scanned)).max(WINDOW);
        }
        Ok(false)
    }

    /// Reads all remaining candidates of PostgreSQL's index.
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
    /// other messages.
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
            // the first step found few matches, so the index can be queried for all remaining matches
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

    /// Adds those of the given messages that match, newest first, until the window is full.
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

    /// Queries the index once for each chunk of the employee's conversations. In two cases, returns `false` and does
    /// not query the index:
    ///
    /// - The employee has more than [`MAX_IDS_CHUNKED`] conversations.
    /// - The query has a prefix. Each index query would look up the prefix again.
    async fn in_chunks<C: ReadSql>(
        &self,
        c: &mut C,
        own_conversations: &Conversations,
        all: &mut Candidates,
    ) -> Result<bool> {
        let has_prefix = self.find.search.query.parts.iter().any(|part| matches!(part, QueryPart::Prefix(_)));
        let (Some(open), Some(before), false) = (&own_conversations.open, all.reached, has_prefix) else {
            return Ok(false);
        };
        let (mut ids, mut reached) = (Vec::new(), None);
        for part in open.chunks(own_conversations.chunk_size) {
            let collected = rows::collect(c, &self.wanted(part), before, as_limit(MAX_PER_CHUNK)).await?;
            ids.extend(collected.ids);
            reached = reached.max(collected.reached);
        }
        // A query may have stopped before the end of its chunk. Below the id that it reached, candidates of the chunk
        // may be missing.
        ids.retain(|id| reached.is_none_or(|reached| *id >= reached));
        ids.sort_unstable_by_key(|id| Reverse(*id));
        all.ids.extend(rows::seen(c, &ids, self.filter, as_limit(ids.len())).await?);
        all.reached = reached;
        Ok(true)
    }
}
