//! A connection pool. Some connections are reserved for writes, and some for reads. Slow reads use at most half of the
//! connections.
//!
//! This pool is used instead of sqlx's pool, for three reasons:
//!
//! - sqlx's pool supports only one host.
//! - When sqlx's pool pings a connection, takes it back or closes it, the pool waits without a timeout. So the pool
//!   waits for ever if the connection was lost without an error.
//! - sqlx's pool pings every connection that is returned, which costs a round trip per operation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sqlx::{Connection, PgConnection};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::connector::Connector;
use super::failure::Cause;
use super::losses::Losses;
use super::replica_state::Replayed;
use super::timeouts::{PING, Workload};
use crate::store::engine::error::StoreError;

/// If a connection was idle for longer than this, the connection is pinged before its next use, because a firewall can
/// drop an idle connection without an error.
const IDLE_BEFORE_PING: Duration = Duration::from_secs(30);

/// A connection that was idle for longer than this is not used again. The pool closes the connection in two cases: when
/// it would be used next, or when another connection is returned and this connection has been idle for the longest
/// time.
const MAX_IDLE: Duration = Duration::from_secs(600);

/// If a connection is older than this, it is closed when it is returned. The memory of its server process is then
/// freed.
const MAX_AGE: Duration = Duration::from_secs(1800);

/// The first pause and the longest pause between attempts to open a connection.
const PAUSES: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// A pool. All clones have the same connections.
#[derive(Clone)]
pub(super) struct Pool(Arc<Inner>);

struct Inner {
    connector: Connector,
    /// The idle connections, in the order of their return. The last connection is used first.
    idle: Mutex<Vec<Idle>>,
    losses: Losses,
    /// How long a caller waits for a connection.
    wait: Duration,
    size: u32,
    /// Has one permit for each connection.
    all: Arc<Semaphore>,
    /// Has one semaphore for each workload, in the order of [`index`]. A semaphore has one permit for each connection
    /// that its workload may use ([`shares`]).
    shares: [Arc<Semaphore>; 3],
    closed: AtomicBool,
}

/// An open connection.
pub(super) struct OpenConnection {
    pub connection: PgConnection,
    /// The server process id.
    pub process: i32,
    opened: Instant,
    /// The epoch in which the connection was opened. A new epoch begins when the connections of earlier epochs must not
    /// be reused ([`losses`](super::losses)).
    pub epoch: u64,
    /// The replay position that the replica reported last on this connection.
    pub replayed: Option<Replayed>,
}

struct Idle {
    live: OpenConnection,
    since: Instant,
}

/// The result of looking for an idle connection.
enum IdleLookup {
    /// A usable connection.
    Sound(OpenConnection),
    /// There is no usable idle connection.
    Nothing,
    /// An idle connection did not respond in time. The number is the connection's epoch.
    Silence(u64),
}

/// Returns how many of `size` connections each workload may use.
fn shares(size: u32) -> [(Workload, u32); 3] {
    // the number of connections reserved for writes, and also the number reserved for reads
    let reserve = (size / 5).max(1);
    let most = size.saturating_sub(reserve).max(1);
    [(Workload::Write, most), (Workload::Read, most), (Workload::Scan, (size / 2).max(1).min(most))]
}

const fn index(kind: Workload) -> usize {
    match kind {
        Workload::Write => 0,
        Workload::Read => 1,
        Workload::Scan => 2,
    }
}

impl Pool {
    /// Creates a pool of at most `size` connections, or of 2 if `size` is less. Opens no connection.
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

    /// Returns the record of lost connections.
    pub(super) fn losses(&self) -> &Losses {
        &self.0.losses
    }

    /// Returns how long a caller waits for a connection.
    pub(super) fn wait(&self) -> Duration {
        self.0.wait
    }

    /// Waits for permits, and then takes an idle connection or opens a connection, all within `wait`. Returns the
    /// connection and the permits. The caller keeps the permits as long as it uses the connection.
    pub(super) async fn acquire(
        &self,
        kind: Workload,
        wait: Duration,
    ) -> Result<(OpenConnection, Permits), Cause> {
        let end = Instant::now() + wait;
        let Ok(permits) = tokio::time::timeout(wait, self.permits(kind)).await else {
            return Err(unavailable(format!("no connection was free within {} ms", wait.as_millis())));
        };
        let permits = permits?;
        let silent = match self.take_idle(end).await {
            IdleLookup::Sound(live) => return Ok((live, permits)),
            IdleLookup::Nothing => None,
            IdleLookup::Silence(epoch) => Some(epoch),
        };
        let mut live = self.open(end).await?;
        if let Some(epoch) = silent.or_else(|| self.0.losses.take_unanswered()) {
            // The server has responded on a new connection, so it is not slow: the connection of `epoch` did not
            // respond because it was lost. The other connections of that epoch count as lost too.
            self.0.losses.renew_from(epoch);
            self.drop_older();
            live.epoch = self.0.losses.epoch();
        }
        Ok((live, permits))
    }

    /// Waits for the permits of a connection. First acquires the permits of the workload, and then a permit of `all`.
    /// So a caller that waits for the permits of its workload holds no permit that other workloads need.
    async fn permits(&self, kind: Workload) -> Result<Permits, Cause> {
        let Inner { all, shares, .. } = &*self.0;
        let one = |semaphore: &Arc<Semaphore>| Arc::clone(semaphore).acquire_owned();
        let closed = |_| unavailable("the store is closed");
        let scan = match kind {
            Workload::Scan => Some(one(&shares[index(Workload::Scan)]).await.map_err(closed)?),
            Workload::Write | Workload::Read => None,
        };
        let share = if kind == Workload::Write { Workload::Write } else { Workload::Read };
        let share = one(&shares[index(share)]).await.map_err(closed)?;
        let any = one(all).await.map_err(closed)?;
        Ok(Permits { _any: any, _share: share, _scan: scan })
    }

    /// Looks for a usable idle connection.
    async fn take_idle(&self, end: Instant) -> IdleLookup {
        loop {
            let Some(Idle { mut live, since }) = self.0.idle.lock().pop() else { return IdleLookup::Nothing };
            let idle = since.elapsed();
            if live.epoch < self.0.losses.epoch() || idle > MAX_IDLE {
                continue;
            }
            if idle <= IDLE_BEFORE_PING && !self.0.losses.is_suspect(idle) {
                return IdleLookup::Sound(live);
            }
            let limit = PING.min(end.saturating_duration_since(Instant::now()));
            match tokio::time::timeout(limit, live.connection.ping()).await {
                Ok(Ok(())) => {
                    self.0.losses.record_response(live.epoch);
                    return IdleLookup::Sound(live);
                }
                // the server has closed this connection, and possibly others; the next idle connection is tried
                Ok(Err(_)) => {}
                Err(_) => return IdleLookup::Silence(live.epoch),
            }
        }
    }

    async fn open(&self, end: Instant) -> Result<OpenConnection, Cause> {
        let mut pause = PAUSES.0;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            // read before the attempt, because a loss that is found during the attempt possibly affects this connection
            // too
            let epoch = self.0.losses.epoch();
            let failed = match self.0.connector.connect(left).await {
                Ok(session) => {
                    let (connection, process) = (session.connection, session.process);
                    let opened = Instant::now();
                    return Ok(OpenConnection { connection, process, opened, epoch, replayed: None });
                }
                Err(failed) => failed,
            };
            let left = end.saturating_duration_since(Instant::now());
            if !failed.is_transient || left <= pause || self.0.closed.load(Ordering::Relaxed) {
                return Err(Cause::Final(failed.failure));
            }
            tokio::time::sleep(pause).await;
            pause = (2 * pause).min(PAUSES.1);
        }
    }

    /// Closes all idle connections, and shortens the timeouts of statements on the connections in use. To be called
    /// after connections were lost without an error.
    pub(super) fn renew(&self) {
        self.0.losses.renew();
        self.drop_older();
    }

    /// Closes idle connections of earlier epochs.
    fn drop_older(&self) {
        let epoch = self.0.losses.epoch();
        self.0.idle.lock().retain(|idle| idle.live.epoch >= epoch);
    }

    /// Calls [`Losses::renew_read_only`], closes the idle connections of earlier epochs, and returns whether a new
    /// connection can lead to another server. To be called after a connection of `epoch` led to a read-only server.
    pub(super) fn renew_read_only(&self, epoch: u64) -> bool {
        let renewed = self.0.losses.renew_read_only(epoch);
        if renewed {
            self.drop_older();
        }
        renewed
    }

    /// Takes a connection back into the pool. The connection must have no running statement and no open transaction.
    pub(super) fn release(&self, live: OpenConnection) {
        let Inner { idle, losses, closed, .. } = &*self.0;
        let is_reusable = live.epoch >= losses.epoch() && live.opened.elapsed() < MAX_AGE;
        if !is_reusable || closed.load(Ordering::Relaxed) {
            close_in_background(live.connection);
            return;
        }
        let mut idle = idle.lock();
        // the first connection has been idle for the longest time
        if idle.first().is_some_and(|first| first.since.elapsed() > MAX_IDLE) {
            close_in_background(idle.remove(0).live.connection);
        }
        idle.push(Idle { live, since: Instant::now() });
    }

    /// Rejects new callers, waits up to `timeout` for the connections in use, and closes the idle connections. Returns
    /// whether all connections in use were returned in time.
    pub(super) async fn close(&self, timeout: Duration) -> bool {
        let Inner { all, shares, idle, closed, size, .. } = &*self.0;
        // Callers that wait for the permit of their workload fail at once. Callers that already wait for a permit of
        // `all` get it before this method does, because the semaphore is fair. Connections in use stay usable.
        for share in shares {
            share.close();
        }
        let is_unused = tokio::time::timeout(timeout, all.acquire_many(*size)).await.is_ok();
        closed.store(true, Ordering::Relaxed);
        all.close();
        let idle = std::mem::take(&mut *idle.lock());
        let closing = idle.into_iter().map(|idle| idle.live.connection.close());
        // if this times out, the sockets are closed nevertheless, and the server detects that
        let _ = tokio::time::timeout(PING, futures_util::future::join_all(closing)).await;
        is_unused
    }
}

/// Returns the cause for an attempt that fails as unavailable and is not retried.
pub(super) fn unavailable(why: impl Into<std::borrow::Cow<'static, str>>) -> Cause {
    Cause::Final(StoreError::unavailable(why))
}

/// Starts a task that ends the session with PostgreSQL's `Terminate` message and closes the connection.
fn close_in_background(connection: PgConnection) {
    if let Ok(runtime) = tokio::runtime::Handle::try_current() {
        runtime.spawn(async move { tokio::time::timeout(PING, connection.close()).await });
    }
}

/// The permits of a connection in use. They are released on drop.
pub(super) struct Permits {
    _any: OwnedSemaphorePermit,
    _share: OwnedSemaphorePermit,
    _scan: Option<OwnedSemaphorePermit>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_have_reserved_connections() {
        for size in 2..200 {
            let [(_, write), (_, read), (_, scan)] = shares(size);
            assert!(write >= 1 && read >= 1 && scan >= 1, "{size}");
            assert!(
                write < size && read < size,
                "{size}: at least one connection is reserved for reads, and one for writes"
            );
            assert!(scan <= read, "{size}: slow reads have no more connections than all reads");
        }
        assert_eq!(shares(10).map(|(_, most)| most), [8, 8, 5]);
        let [(_, _), (_, read), (_, scan)] = shares(20);
        assert!(scan < read, "some connections are reserved for fast reads");
    }
}
