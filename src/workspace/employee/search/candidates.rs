//! Finding candidates for a page of a search, by what is affordable: the newest messages of the index, the index as a
//! whole, or the newest messages of the employee's own conversations
//! (`docs/decisions/0009-searches-that-see-little.md`).
//!
//! An employee may see one in a thousand of the messages that have a common word. To look at all others costs by the
//! size of the server, to look at their own messages by theirs. What a call does is bounded either way: when it did not
//! fill the page, the page ends with a cursor, and nothing newer than that was left out.

use std::cmp::Reverse;

use super::{Find, WINDOW, as_limit};
use crate::{
    domain::{
        ids::{ConversationId, MessageId, UserId},
        search::Part,
    },
    store::{
        Engine, Result, Sql,
        candidates::{self as rows, Sight, Wanted},
    },
};

/// How many candidates of the index are looked at.
const CANDIDATES: usize = 5_000;
/// How often the index is walked for one page.
const WALKS: usize = 5;
/// On PostgreSQL: a word that has fewer matches among those that were walked has few in proportion to all messages.
const RARE: usize = 60;
/// How many conversations are named to the index at once, so that it names no candidates of others.
const NAMED_ON_SQLITE: usize = 100;
const NAMED_ON_POSTGRES: usize = 50;
/// How many are named to it one part after the other.
const NAMED_IN_PARTS: usize = 500;
/// How many candidates are wanted of each part.
const OF_A_PART: usize = 5 * WINDOW;
/// How many of the employee's own messages are compared in one step. SQLite has to read their texts.
const OWN_ON_SQLITE: usize = 2_000;
const OWN_ON_POSTGRES: usize = 4_000;
/// How many steps a page takes that is not full before.
const STEPS: usize = 2;
/// How much shorter a stretch of time is that held too many messages, or longer after one that held few.
const SHARE: i64 = 8;
/// Of how many messages the texts are read at once.
const TEXTS: usize = 500;

/// Candidates that the employee sees, newest first.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    pub ids: Vec<MessageId>,
    /// Down to which id, itself included, all are named; none when there are no more.
    pub reached: Option<MessageId>,
}

impl Candidates {
    fn is_full(&self) -> bool {
        self.ids.len() > WINDOW
    }

    /// From where to go on; none when there is nothing more or enough.
    fn open_end(&self) -> Option<MessageId> {
        self.reached.filter(|_| !self.is_full())
    }

    /// The newest that a window has room for.
    fn cut(mut self) -> Self {
        if self.is_full() {
            self.ids.truncate(WINDOW);
            self.reached = self.ids.last().copied();
        }
        self
    }
}

/// What is looked for, and who looks.
pub(super) struct Finder<'a> {
    pub find: &'a Find,
    pub sender: Option<UserId>,
    /// No messages before this.
    pub from: MessageId,
    pub sight: &'a Sight,
}

/// The employee's conversations as the index is asked for them.
struct Places {
    /// None when they are too many to be named at all.
    open: Option<Vec<ConversationId>>,
    /// How many are named at once.
    most: usize,
}

impl Places {
    /// Those that every question names; none when they are too many for one.
    fn named(&self) -> &[ConversationId] {
        self.open.as_deref().filter(|open| open.len() <= self.most).unwrap_or_default()
    }
}

impl Finder<'_> {
    /// Candidates before an id, enough for a window if there are and if they are not too far apart. Of a window of which
    /// a page was shown: all that it had.
    pub(super) async fn candidates<C: Sql>(&self, c: &mut C, before: MessageId) -> Result<Candidates> {
        let places = self.places(c).await?;
        if places.open.as_ref().is_some_and(Vec::is_empty) {
            return Ok(Candidates::default());
        }
        let wanted = self.wanted(places.named());
        let is_wide = wanted.conversations.is_empty();
        let mut all = Candidates { ids: Vec::new(), reached: Some(before) };
        let is_rare = self.walk(c, &wanted, &mut all).await?;
        if c.engine() == Engine::Postgres && (is_rare || !is_wide || self.sender.is_some()) {
            self.collect(c, &wanted, &mut all).await?;
        }
        if is_wide {
            self.own(c, &places, &mut all).await?;
        }
        Ok(all.cut())
    }

    async fn places<C: Sql>(&self, c: &mut C) -> Result<Places> {
        let most = match c.engine() {
            Engine::Sqlite => NAMED_ON_SQLITE,
            Engine::Postgres => NAMED_ON_POSTGRES,
        };
        let open = match self.sight.conversation {
            Some(id) => vec![id],
            None => rows::open_to(c, self.sight.reader, as_limit(NAMED_IN_PARTS + 1)).await?,
        };
        Ok(Places { open: (open.len() <= NAMED_IN_PARTS).then_some(open), most })
    }

    fn wanted<'a>(&'a self, conversations: &'a [ConversationId]) -> Wanted<'a> {
        let Self { find, sender, from, .. } = *self;
        Wanted { query: &find.search.query, conversations, sender, from }
    }

    /// A page of this window was shown, so the rest of it has to be whole.
    fn is_bound(&self) -> bool {
        self.find.start.is_within()
    }

    /// The newest candidates of the index, as long as many of them are seen. Tells whether they are few in proportion to
    /// all messages, whoever's they are.
    async fn walk<C: Sql>(&self, c: &mut C, wanted: &Wanted<'_>, all: &mut Candidates) -> Result<bool> {
        let is_narrow = !wanted.conversations.is_empty();
        // only this finds what is left of the window then
        let is_only_way = c.engine() == Engine::Sqlite && is_narrow;
        let (mut walks, mut looked, mut step) = (0, 0, 2 * WINDOW);
        while let Some(before) = all.open_end()
            && ((walks < WALKS && looked < CANDIDATES) || (is_only_way && self.is_bound()))
        {
            let walked = rows::walk(c, wanted, before, as_limit(step)).await?;
            all.ids.extend(rows::seen(c, &walked.ids, self.sight, as_limit(step)).await?);
            all.reached = walked.reached;
            let (found, seen) = (walked.ids.len(), all.ids.len());
            walks += 1;
            looked += found;
            // fewer than it may name: it came as far as it goes in one walk
            let is_cut = found >= step;
            if c.engine() == Engine::Postgres && !is_cut && found < RARE {
                return Ok(true);
            }
            let is_slow = seen * CANDIDATES < WINDOW * looked || (!is_cut && seen * WALKS < WINDOW * walks);
            if is_slow && !is_only_way {
                break;
            }
            step = (step * 5).min(CANDIDATES.saturating_sub(looked)).max(WINDOW);
        }
        Ok(false)
    }

    /// All other candidates of PostgreSQL's index at once.
    async fn collect<C: Sql>(&self, c: &mut C, wanted: &Wanted<'_>, all: &mut Candidates) -> Result<()> {
        while let Some(before) = all.open_end() {
            let collected = rows::collect(c, wanted, before, as_limit(CANDIDATES)).await?;
            all.ids.extend(rows::seen(c, &collected.ids, self.sight, as_limit(CANDIDATES)).await?);
            all.reached = collected.reached;
            if !self.is_bound() {
                break;
            }
        }
        Ok(())
    }

    /// The employee's own messages, the newest first, whatever others wrote.
    async fn own<C: Sql>(&self, c: &mut C, places: &Places, all: &mut Candidates) -> Result<()> {
        let most = match c.engine() {
            Engine::Sqlite => OWN_ON_SQLITE,
            Engine::Postgres => OWN_ON_POSTGRES,
        };
        let mut steps = 0;
        // all of them at first: who sees little has mostly little to see
        let mut stretch = i64::MAX;
        while let Some(before) = all.open_end() {
            let is_enough = steps > 0 && all.ids.len() >= self.find.search.limit;
            if !self.is_bound() && (is_enough || steps >= STEPS) {
                break;
            }
            steps += 1;
            // few of many messages matched: so few that the index can be asked for all
            if steps == 2 && self.in_parts(c, places, all).await? {
                continue;
            }
            stretch = stretch.min(before.0 - self.from.0);
            let own = loop {
                match rows::own(c, self.sight.reader, (MessageId(before.0 - stretch), before), most).await? {
                    Some(own) => break own,
                    None => stretch = (stretch / SHARE).max(1),
                }
            };
            self.compare(c, &own, all).await?;
            let low = MessageId(before.0 - stretch);
            all.reached = (low > self.from).then_some(low);
            if own.len() < most / 10 {
                stretch = stretch.saturating_mul(SHARE);
            }
        }
        Ok(())
    }

    /// Adds those of some messages that match, newest first, until there are enough.
    async fn compare<C: Sql>(&self, c: &mut C, own: &[MessageId], all: &mut Candidates) -> Result<()> {
        let likely = rows::with_words(c, own, &self.find.search.query).await?;
        for some in likely.chunks(TEXTS) {
            let matches: Vec<_> = self.find.matches(c, some).await?.into_iter().map(|(id, _)| id).collect();
            all.ids.extend(rows::seen(c, &matches, self.sight, as_limit(TEXTS)).await?);
            if all.is_full() {
                break;
            }
        }
        Ok(())
    }

    /// Asks the index for the employee's conversations, some at a time; whether that is affordable. A prefix is not: it
    /// is looked up anew each time.
    async fn in_parts<C: Sql>(&self, c: &mut C, places: &Places, all: &mut Candidates) -> Result<bool> {
        let has_prefix = self.find.search.query.parts.iter().any(|part| matches!(part, Part::Prefix(_)));
        let (Some(open), Some(before), false) = (&places.open, all.reached, has_prefix) else {
            return Ok(false);
        };
        let (mut ids, mut reached) = (Vec::new(), None);
        for part in open.chunks(places.most) {
            let collected = rows::collect(c, &self.wanted(part), before, as_limit(OF_A_PART)).await?;
            ids.extend(collected.ids);
            reached = reached.max(collected.reached);
        }
        // what is older than the end of one part may lack what that part has more
        ids.retain(|id| reached.is_none_or(|reached| *id >= reached));
        ids.sort_unstable_by_key(|id| Reverse(*id));
        all.ids.extend(rows::seen(c, &ids, self.sight, as_limit(ids.len())).await?);
        all.reached = reached;
        Ok(true)
    }
}
