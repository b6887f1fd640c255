//! What is due by the clock and belongs to nobody's request: contents of deleted files, and sessions, codes, keys and
//! connections that have run out.
//!
//! Called by the process every minute, on every node, and by [`sandbox`](super::sandbox) when the clock was moved,
//! which also waits for the deliveries that became due.
//! Nothing here changes an answer: what has run out is refused whether it is still stored or not.

use std::time::Duration;

use parking_lot::Mutex;

use super::World;
use crate::{
    domain::{delivery::LOG_LIFE, ids::UserId, message::KEY_LIFE, time::Timestamp},
    store::{Op, Result, Sql, accounts, apps, assistant_clients, delivery_log, keys},
};

/// How long a metadata document is kept after it is out of date: longer than an authorization takes, so that the
/// client is still there when it connects somebody.
const DOCUMENT_GRACE: Duration = Duration::from_secs(60 * 60);
/// How many keys are read in one go.
const KEYS_AT_ONCE: i64 = 500;
/// How many goes a run makes at most: ten thousand keys a minute are far more than bots may send.
const GOES: usize = 20;

/// How many events are removed in one transaction. Twenty times as many in a minute: 8,000 a second.
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
        let expired = self.db.write(ForgetExpired(now)).await;
        let keys = self.forget_keys(now).await;
        let log = self.forget_deliveries(now).await;
        let connections = self.tidy_connections(now).await;
        files.and(expired).and(keys).and(log).and(connections)
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
        for _ in 0..GOES {
            let removed = self.db.write(ForgetDeliveries(now - LOG_LIFE)).await?;
            if (removed as i64) < EVENTS_AT_ONCE {
                break;
            }
        }
        Ok(())
    }

    /// Goes on with the walk through the bots' keys, and forgets those that are a day old (B-421).
    async fn forget_keys(&self, now: Timestamp) -> Result<()> {
        let cutoff = now - KEY_LIFE;
        for _ in 0..GOES {
            let after = self.key_walk.0.lock().clone();
            let found = self.db.read(ReadKeys(after.unwrap_or((UserId(0), Vec::new())))).await?;
            let is_end = found.len() < usize::try_from(KEYS_AT_ONCE).unwrap_or(usize::MAX);
            let next = found.last().filter(|_| !is_end).map(|(bot, key, _)| (*bot, key.clone()));
            let old = |(bot, key, created_at)| (created_at <= cutoff).then_some((bot, key));
            let old: Vec<_> = found.into_iter().filter_map(old).collect();
            if !old.is_empty() {
                self.db.write(ForgetKeys { keys: old, cutoff }).await?;
            }
            *self.key_walk.0.lock() = next;
            if is_end {
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

struct ForgetKeys {
    keys: Vec<(UserId, Vec<u8>)>,
    cutoff: Timestamp,
}

impl Op for ForgetKeys {
    const NAME: &'static str = "forget_send_keys";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (bot, key) in &self.keys {
            keys::forget(c, *bot, key, self.cutoff).await?;
        }
        Ok(())
    }
}
