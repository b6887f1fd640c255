//! The connections of one process, shared out so that neither writes nor long reads can take all of them.
//!
//! In place of sqlx's pool, which knows one host, waits without a bound on a connection that died without a word (when
//! it is pinged, given back or closed), and pings every connection that is given back: a round trip for each operation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sqlx::{Connection, PgConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::bounds::{Kind, PING};
use super::connector::Connector;
use super::failure::Cause;
use super::lease::Lease;
use super::losses::Losses;
use super::standing::Replayed;
use crate::store::error::StoreError;

/// A connection idle for longer is pinged before use: firewalls drop quiet connections without a word.
const IDLE_BEFORE_PING: Duration = Duration::from_secs(30);

/// A connection idle for longer is closed.
const MOST_IDLE: Duration = Duration::from_secs(600);

/// A connection older than this is closed when it is given back, so that the memory of its process is.
const MOST_AGE: Duration = Duration::from_secs(1800);

/// The pauses between attempts to connect: the first, and the longest.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// The pool. Cloning shares it.
#[derive(Clone)]
pub(super) struct Pool(Arc<Inner>);

struct Inner {
    connector: Connector,
    /// The one given back last comes last, and is used first.
    idle: Mutex<Vec<Idle>>,
    losses: Losses,
    /// How long to wait for a connection.
    wait: Duration,
    size: u32,
    all: Arc<Semaphore>,
    shares: [Arc<Semaphore>; 3],
    closed: AtomicBool,
}

/// An open connection.
pub(super) struct Live {
    pub connection: PgConnection,
    /// The server's process.
    pub process: i32,
    opened: Instant,
    pub epoch: u64,
    /// How far the replica had come when this connection last asked it.
    pub replayed: Option<Replayed>,
}

struct Idle {
    live: Live,
    since: Instant,
}

/// What was found among the idle connections.
enum Found {
    /// A connection that answers.
    Sound(Live),
    /// None, or none that is still open.
    Nothing,
    /// One of this epoch that did not answer in time.
    Silence(u64),
}

/// How many connections each kind of work may have of so many.
fn shares(size: u32) -> [(Kind, u32); 3] {
    // what is kept back for the other kind
    let reserve = (size / 5).max(1);
    let most = size.saturating_sub(reserve).max(1);
    [(Kind::Write, most), (Kind::Read, most), (Kind::Scan, (size / 2).max(1).min(most))]
}

const fn index(kind: Kind) -> usize {
    match kind {
        Kind::Write => 0,
        Kind::Read => 1,
        Kind::Scan => 2,
    }
}

impl Pool {
    /// A pool of `size` connections (at least 2), none of which is open yet.
    pub(super) fn new(connector: Connector, size: u32, wait: Duration) -> Self {
        let size = size.max(2);
        let semaphore = |permits: u32| Arc::new(Semaphore::new(usize::try_from(permits).unwrap_or(2)));
        Self(Arc::new(Inner {
            connector,
            idle: Mutex::default(),
            losses: Losses::default(),
            wait,
            size,
            all: semaphore(size),
            shares: shares(size).map(|(_, permits)| semaphore(permits)),
            closed: AtomicBool::new(false),
        }))
    }

    /// What is known of lost connections.
    pub(super) fn losses(&self) -> &Losses {
        &self.0.losses
    }

    /// Waits for a connection; opens one if none is idle.
    pub(super) async fn acquire(&self, kind: Kind) -> Result<Lease, Cause> {
        self.acquire_within(kind, self.0.wait).await
    }

    /// The same with a bound of its own.
    pub(super) async fn acquire_within(&self, kind: Kind, wait: Duration) -> Result<Lease, Cause> {
        let end = Instant::now() + wait;
        let Ok(permits) = tokio::time::timeout(wait, self.permits(kind)).await else {
            return Err(unavailable(format!("no connection was free within {} ms", wait.as_millis())));
        };
        let permits = permits?;
        let live = match self.take_idle(end).await {
            Found::Sound(live) => live,
            Found::Nothing => self.open(end).await?,
            Found::Silence(epoch) => {
                let mut live = self.open(end).await?;
                // a new one answers, so it is not the server that is slow: those as old as the silent one are lost
                self.0.losses.renew_from(epoch);
                self.drop_older();
                live.epoch = self.0.losses.epoch();
                live
            }
        };
        Ok(Lease::new(self.clone(), live, permits))
    }

    /// Waits for the permits of a connection. The permit of the kind comes first, so that whoever waits for it holds up no
    /// other kind.
    async fn permits(&self, kind: Kind) -> Result<Permits, Cause> {
        let Inner { all, shares, .. } = &*self.0;
        let one = |semaphore: &Arc<Semaphore>| Arc::clone(semaphore).acquire_owned();
        let closed = |_| unavailable("the store is closed");
        let long = match kind {
            Kind::Scan => Some(one(&shares[index(Kind::Scan)]).await.map_err(closed)?),
            Kind::Write | Kind::Read => None,
        };
        let share = if kind == Kind::Write { Kind::Write } else { Kind::Read };
        let share = one(&shares[index(share)]).await.map_err(closed)?;
        let any = one(all).await.map_err(closed)?;
        Ok(Permits { _any: any, _share: share, _long: long })
    }

    /// Looks for an idle connection that is fit for use.
    async fn take_idle(&self, end: Instant) -> Found {
        loop {
            let Some(Idle { mut live, since }) = self.0.idle.lock().pop() else { return Found::Nothing };
            let idle = since.elapsed();
            if live.epoch < self.0.losses.epoch() || idle > MOST_IDLE {
                continue;
            }
            if idle <= IDLE_BEFORE_PING && !self.0.losses.is_suspect(idle) {
                return Found::Sound(live);
            }
            let limit = PING.min(end.saturating_duration_since(Instant::now()));
            match tokio::time::timeout(limit, live.connection.ping()).await {
                Ok(Ok(())) => return Found::Sound(live),
                // it was closed in order, as the next may have been
                Ok(Err(_)) => {}
                Err(_) => return Found::Silence(live.epoch),
            }
        }
    }

    async fn open(&self, end: Instant) -> Result<Live, Cause> {
        let mut pause = PAUSES.0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            // of the moment before: a loss that is found meanwhile may be this connection's
            let epoch = self.0.losses.epoch();
            let none = match self.0.connector.connect(left).await {
                Ok(session) => {
                    let (connection, process) = (session.connection, session.process);
                    let opened = Instant::now();
                    return Ok(Live { connection, process, opened, epoch, replayed: None });
                }
                Err(none) => none,
            };
            let left = end.saturating_duration_since(Instant::now());
            if !none.may_pass || left <= pause || self.0.closed.load(Ordering::Relaxed) {
                return Err(Cause::Final(none.failure));
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(PAUSES.1);
        }
    }

    /// Connections died without a word: drops all that are idle, and gives those in use a short while.
    pub(super) fn renew(&self) {
        self.0.losses.renew();
        self.drop_older();
    }

    /// Drops idle connections of earlier epochs.
    fn drop_older(&self) {
        let epoch = self.0.losses.epoch();
        self.0.idle.lock().retain(|idle| idle.live.epoch >= epoch);
    }

    /// A connection of `epoch` leads to a server that only reads. Whether a new one may lead to another.
    pub(super) fn renew_read_only(&self, epoch: u64) -> bool {
        let renewed = self.0.losses.renew_read_only(epoch);
        if renewed {
            self.drop_older();
        }
        renewed
    }

    /// Takes back a connection on which no statement is under way and no transaction is open.
    pub(super) fn give_back(&self, live: Live) {
        let Inner { idle, losses, closed, .. } = &*self.0;
        let fit = live.epoch >= losses.epoch() && live.opened.elapsed() < MOST_AGE;
        if !fit || closed.load(Ordering::Relaxed) {
            close_beside(live.connection);
            return;
        }
        let mut idle = idle.lock();
        // the first has been idle for longest
        if idle.first().is_some_and(|first| first.since.elapsed() > MOST_IDLE) {
            close_beside(idle.remove(0).live.connection);
        }
        idle.push(Idle { live, since: Instant::now() });
    }

    /// Lets no connection be taken any more, waits up to `patience` for those in use, and closes.
    pub(super) async fn close(&self, patience: Duration) {
        let Inner { all, shares, idle, closed, size, .. } = &*self.0;
        // whoever waits for a share fails at once; whoever has one keeps it
        for share in shares {
            share.close();
        }
        let whole = tokio::time::timeout(patience, all.acquire_many(*size)).await.is_ok();
        closed.store(true, Ordering::Relaxed);
        all.close();
        if !whole {
            tracing::warn!("connections to the database were still in use when the store closed");
        }
        let idle = std::mem::take(&mut *idle.lock());
        let closing = idle.into_iter().map(|idle| idle.live.connection.close());
        // to say goodbye is a courtesy: the server notices a closed socket as well
        let _ = tokio::time::timeout(PING, futures_util::future::join_all(closing)).await;
    }
}

pub(super) fn unavailable(why: impl Into<std::borrow::Cow<'static, str>>) -> Cause {
    Cause::Final(StoreError::unavailable(why))
}

/// Says goodbye to the server without holding anybody up.
fn close_beside(connection: PgConnection) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move { tokio::time::timeout(PING, connection.close()).await });
    }
}

/// The permits of a connection in use; released when dropped.
pub(super) struct Permits {
    _any: OwnedSemaphorePermit,
    _share: OwnedSemaphorePermit,
    _long: Option<OwnedSemaphorePermit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_keeps_a_connection_whatever_the_others_do() {
        for size in 2..200 {
            let [(_, write), (_, read), (_, scan)] = shares(size);
            assert!(write >= 1 && read >= 1 && scan >= 1, "{size}");
            assert!(write < size && read < size, "{size}: the other kind keeps one");
            assert!(scan <= read, "{size}: long reads are reads");
        }
        assert_eq!(shares(10).map(|(_, most)| most), [8, 8, 5]);
        let [(_, _), (_, read), (_, scan)] = shares(20);
        assert!(scan < read, "quick reads keep connections beside the long ones");
    }
}
