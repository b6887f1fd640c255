//! What is known of lost connections, and the deadline of a statement that heeds it.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::bounds::GRACE;

/// A new epoch because of a server that only reads begins at most this often, so that a server that goes on to only
/// read does not cost every write new connections.
const BETWEEN_READ_ONLY: Duration = Duration::from_secs(1);

/// The losses of one pool.
#[derive(Default)]
pub(super) struct Losses {
    state: Mutex<State>,
    begun: Notify,
}

#[derive(Default)]
struct State {
    /// Connections of an earlier epoch are not used again.
    epoch: u64,
    epoch_began: Option<Instant>,
    /// The first epoch after the latest silent loss.
    silent: u64,
    /// When a connection was last found broken.
    last: Option<Instant>,
}

impl Losses {
    /// The present epoch.
    pub(super) fn epoch(&self) -> u64 {
        self.state.lock().epoch
    }

    /// Whether connections of `epoch` are known to have died without a word.
    pub(super) fn has_lost(&self, epoch: u64) -> bool {
        self.state.lock().silent > epoch
    }

    /// A connection was found broken: its siblings are likely broken too, so each is pinged before its next use.
    pub(super) fn record(&self) {
        self.state.lock().last = Some(Instant::now());
    }

    /// Whether a connection that last answered `idle` ago may have been lost since.
    pub(super) fn is_suspect(&self, idle: Duration) -> bool {
        self.state.lock().last.is_some_and(|lost| idle >= lost.elapsed())
    }

    /// Begins a new epoch: connections died without a word. Statements that wait on older ones get [`GRACE`].
    pub(super) fn renew(&self) {
        let mut state = self.state.lock();
        state.epoch += 1;
        state.silent = state.epoch;
        (state.epoch_began, state.last) = (Some(Instant::now()), Some(Instant::now()));
        drop(state);
        self.begun.notify_waiters();
    }

    /// The same for a connection of `epoch` that was silent, unless the loss is known already.
    pub(super) fn renew_from(&self, epoch: u64) {
        if !self.has_lost(epoch) {
            self.renew();
        }
    }

    /// Begins a new epoch because a connection of `epoch` leads to a server that only reads; false if one began just
    /// now and the connection is of it, so that new connections would lead to the same.
    pub(super) fn renew_read_only(&self, epoch: u64) -> bool {
        let mut state = self.state.lock();
        if epoch < state.epoch {
            return true;
        }
        if state.epoch_began.is_some_and(|began| began.elapsed() < BETWEEN_READ_ONLY) {
            return false;
        }
        // nobody is woken: reads on the older connections are answered all the same
        state.epoch += 1;
        state.epoch_began = Some(Instant::now());
        true
    }

    /// Runs a part of the work on a connection of `epoch`, for `limit` at most.
    pub(super) async fn watch<T>(
        &self,
        epoch: u64,
        limit: Duration,
        work: impl Future<Output = T>,
    ) -> Result<T, Expired> {
        tokio::select! {
            biased;
            done = work => Ok(done),
            expired = self.expired(epoch, limit) => Err(expired),
        }
    }

    async fn expired(&self, epoch: u64, limit: Duration) -> Expired {
        let begun = Instant::now();
        let silent = async {
            loop {
                let next = self.begun.notified();
                if self.has_lost(epoch) {
                    break;
                }
                next.await;
            }
            tokio::time::sleep_until((begun + GRACE).into()).await;
        };
        tokio::select! {
            () = tokio::time::sleep_until((begun + limit).into()) => Expired::Deadline(limit),
            () = silent => Expired::Lost,
        }
    }
}

/// Why a statement was not waited for any longer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expired {
    /// It took too long.
    Deadline(Duration),
    /// Connections as old as its own were lost.
    Lost,
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test]
    async fn a_statement_ends_at_its_deadline() {
        let losses = Losses::default();
        let limit = Duration::from_millis(10);
        let waited = losses.watch(0, limit, std::future::pending::<()>()).await;
        assert_eq!(waited, Err(Expired::Deadline(limit)));
        assert_eq!(losses.watch(0, limit, async { 7 }).await, Ok(7));
    }

    #[tokio::test]
    async fn statements_on_older_connections_end_soon_after_a_silent_loss() {
        let losses = Losses::default();
        let waiting = losses.watch(0, LONG, std::future::pending::<()>());
        let (waited, ()) = tokio::join!(waiting, async { losses.renew() });
        assert_eq!(waited, Err(Expired::Lost));
        let (short, epoch) = (Duration::from_millis(1), losses.epoch());
        let waited = losses.watch(epoch, short, std::future::pending::<()>()).await;
        assert_eq!(waited, Err(Expired::Deadline(short)), "a new connection was not lost");
    }

    #[test]
    fn a_server_that_goes_on_to_only_read_begins_few_epochs() {
        let losses = Losses::default();
        assert!(losses.renew_read_only(0), "the first session that only reads is given up");
        assert!(losses.renew_read_only(0), "and so is each of its age");
        assert!(!losses.renew_read_only(1), "a new one that only reads as well is kept");
        assert_eq!(losses.epoch(), 1);
    }
}
