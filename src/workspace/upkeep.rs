//! What is due by the clock and belongs to nobody's request: contents of deleted files, uploads that came to nothing,
//! sessions, codes, keys, MCP sessions, connections, drafts and rows of the audit that have run out, and limits that are
//! whole again. Also people and messages that search does not know yet.
//!
//! Called by the process every minute, on every node, and by [`sandbox`](super::sandbox) when the clock was moved,
//! which also waits for the deliveries that became due.
//! Nothing here changes an answer: what has run out is refused whether it is still stored or not.

use std::time::Duration;

use parking_lot::Mutex;

use super::World;
use crate::{
    domain::{delivery::LOG_LIFE, ids::UserId, message::KEY_LIFE, time::Timestamp},
    store::{Error, Op, Result, Sql, StoreError, accounts, apps, assistant_clients, delivery_log, keys},
};

/// How long a metadata document is kept after it is out of date: longer than an authorization takes, so that the
/// client is still there when it connects somebody.
const DOCUMENT_GRACE: Duration = Duration::from_secs(60 * 60);
/// How many keys are read in one go.
const KEYS_AT_ONCE: i64 = 500;
/// How many goes a run makes in any case.
const GOES: usize = 20;
/// How many goes a run makes at most, while at least half of what it reads is old: so the walk forgets more in a minute
/// than a server takes in, and what is stored stays below twice what is needed.
const GOES_BEHIND: usize = 2_000;

/// How many events are removed in one transaction. A run goes on until it finds fewer: up to 33,000 a second.
const EVENTS_AT_ONCE: i64 = 1000;

/// How far the walk through the bots' keys has come; they are kept by bot and not by age, so that sending is cheap.
#[derive(Debug, Default)]
pub struct KeyWalk(Mutex<Option<(UserId, Vec<u8>)>>);

impl World {
    /// Does what is due at `now`. One kind of work failing does not keep the others from being done.
    ///
    /// # Errors
    /// The first failure; what was not done is tried again by the next run.
    pub async fn run_due(&self, now: Timestamp) -> Result<()> {
        let files = self.purge_files(now).await;
        let uploads = self.sweep_uploads(now).await;
        let expired = self.db.write(ForgetExpired(now)).await;
        let keys = self.forget_keys(now).await;
        let log = self.forget_deliveries(now).await;
        let sessions = self.tidy_mcp_sessions(now).await;
        let connections = self.tidy_connections(now).await;
        let ended = self.forget_ended_connections(now).await;
        let noted = self.flush_tool_calls().await;
        let calls = self.forget_tool_calls(now).await;
        let words = self.give_words().await;
        let drafts = self.forget_drafts(now).await;
        let index = self.index_messages().await;
        let limits = self.limits.forget_idle(now).await;
        let limits = limits.map_err(|why| Error::from(StoreError::Unavailable(why.to_string().into())));
        let tidied = files.and(uploads).and(expired).and(keys).and(log).and(sessions).and(connections);
        tidied.and(ended).and(noted).and(calls).and(words).and(drafts).and(index).and(limits)
    }

    /// The same, and waits until the events that are due at `now` were tried, if this process delivers events.
    ///
    /// # Errors
    /// As [`World::run_due`]; an event that could not be delivered is none.
    pub async fn catch_up(&self, now: Timestamp) -> Result<()> {
        let done = self.run_due(now).await;
        if let Some(delivery) = self.delivery.get() {
            delivery.catch_up(now).await;
        }
        done
    }

    /// Forgets events that were finished two weeks ago, with their attempts.
    async fn forget_deliveries(&self, now: Timestamp) -> Result<()> {
        for _ in 0..GOES_BEHIND {
            let removed = self.db.write(ForgetDeliveries(now - LOG_LIFE)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < EVENTS_AT_ONCE) {
                break;
            }
        }
        Ok(())
    }

    /// Goes on with the walk through the bots' keys, and forgets those that are a day old (B-421).
    async fn forget_keys(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - KEY_LIFE;
        for go in 0..GOES_BEHIND {
            let after = self.key_walk.0.lock().clone().unwrap_or((UserId(0), Vec::new()));
            let found = self.db.read(ReadKeys(after.clone())).await?;
            let old = found.iter().filter(|(_, _, created_at)| *created_at <= cutoff).count();
            let is_end = found.len() < usize::try_from(KEYS_AT_ONCE).unwrap_or(usize::MAX);
            let is_behind = old * 2 >= found.len();
            let last = found.into_iter().next_back().map(|(bot, key, _)| (bot, key));
            if let Some(last) = last.clone().filter(|_| old > 0) {
                self.db.write(ForgetKeys { after, last, cutoff }).await?;
            }
            *self.key_walk.0.lock() = last.filter(|_| !is_end);
            if is_end || (go + 1 >= GOES && !is_behind) {
                return Ok(());
            }
        }
        Ok(())
    }
}

struct ForgetDeliveries(Timestamp);

impl Op for ForgetDeliveries {
    const NAME: &'static str = "forget_deliveries";
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        delivery_log::forget(c, self.0, EVENTS_AT_ONCE).await
    }
}

struct ForgetExpired(Timestamp);

impl Op for ForgetExpired {
    const NAME: &'static str = "forget_expired";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        accounts::delete_expired_sessions(c, self.0).await?;
        apps::delete_codes(c, self.0).await?;
        assistant_clients::delete_unused(c, self.0, self.0 - DOCUMENT_GRACE).await?;
        Ok(())
    }
}

struct ReadKeys((UserId, Vec<u8>));

impl Op for ReadKeys {
    const NAME: &'static str = "read_send_keys";
    type Out = Vec<(UserId, Vec<u8>, Timestamp)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let (bot, key) = &self.0;
        keys::walk(c, (*bot, key), KEYS_AT_ONCE).await
    }
}

/// Forgets the old ones of a stretch that was read.
struct ForgetKeys {
    after: (UserId, Vec<u8>),
    last: (UserId, Vec<u8>),
    cutoff: Timestamp,
}

impl Op for ForgetKeys {
    const NAME: &'static str = "forget_send_keys";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Self { after, last, cutoff } = self;
        keys::forget(c, (after.0, &after.1), (last.0, &last.1), *cutoff).await
    }
}
