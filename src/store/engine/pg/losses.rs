//! Tracks the lost connections of a pool. Connections can be lost without an error, for example because a firewall
//! drops them.
//!
//! The lifetime of a pool is divided into numbered *epochs*. Each connection belongs to the epoch in which it was
//! opened. A new epoch begins if connections were lost without an error, or if a connection leads to a read-only
//! server. Connections of earlier epochs are not reused. After a loss without an error, the timeout of statements that
//! run on these connections is also shortened.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::timeouts::GRACE;

/// Minimum age of an epoch before a read-only server causes the next epoch. Without this minimum, if a server remains
/// read-only, each write would open a new connection.
const BETWEEN_READ_ONLY: Duration = Duration::from_secs(1);

/// The epochs and the lost connections of one pool.
#[derive(Default)]
pub(super) struct Losses {
    state: Mutex<LossesState>,
    /// Notifies running statements when an epoch has begun because connections were lost without an error.
    begun: Notify,
}

#[derive(Default)]
struct LossesState {
    /// The number of the current epoch.
    epoch: u64,
    /// When the current epoch began; `None` in the first epoch.
    epoch_began: Option<Instant>,
    /// The epoch that began after connections were last lost without an error. All connections of earlier epochs count
    /// as lost.
    silent: u64,
    /// When a connection was last found broken.
    last: Option<Instant>,
    /// The epoch of a connection on which a statement got no response, not even the error of the server's timeout.
    unanswered: Option<u64>,
}

impl Losses {
    /// Returns the current epoch.
    pub(super) fn epoch(&self) -> u64 {
        self.state.lock().epoch
    }

    /// Returns whether the connections of `epoch` count as lost.
    pub(super) fn has_lost(&self, epoch: u64) -> bool {
        self.state.lock().silent > epoch
    }

    /// Records that a connection broke. Other connections are probably broken too. So each connection that is idle now
    /// is pinged before its next use.
    pub(super) fn record(&self) {
        self.state.lock().last = Some(Instant::now());
    }

    /// Returns whether a connection that has been idle for `idle` is possibly lost, because another connection broke
    /// during this time.
    pub(super) fn is_suspect(&self, idle: Duration) -> bool {
        self.state.lock().last.is_some_and(|lost| idle >= lost.elapsed())
    }

    /// Records that a statement on a connection of `epoch` reached the client's timeout, which is longer than the
    /// server's timeout. If the server then responds on a new connection, the connections of `epoch` count as lost.
    pub(super) fn record_unanswered(&self, epoch: u64) {
        self.state.lock().unanswered = Some(epoch);
    }

    /// Records that an idle connection of `epoch` has responded. So not all connections of this epoch are lost, and
    /// [`Losses::take_unanswered`] no longer returns this epoch.
    pub(super) fn record_response(&self, epoch: u64) {
        self.state.lock().unanswered.take_if(|unanswered| *unanswered == epoch);
    }

    /// Returns the epoch that [`Losses::record_unanswered`] has stored, and removes it.
    pub(super) fn take_unanswered(&self) -> Option<u64> {
        self.state.lock().unanswered.take()
    }

    /// Starts a new epoch, because connections were lost without an error. This shortens the timeout of statements that
    /// run on older connections to [`GRACE`], counted from the start of the statement.
    pub(super) fn renew(&self) {
        let mut state = self.state.lock();
        state.epoch += 1;
        state.silent = state.epoch;
        (state.epoch_began, state.last) = (Some(Instant::now()), Some(Instant::now()));
        state.unanswered = None;
        drop(state);
        self.begun.notify_waiters();
    }

    /// Starts a new epoch as [`Losses::renew`] does, because a connection of `epoch` did not respond. Does nothing if
    /// the connections of `epoch` already count as lost.
    pub(super) fn renew_from(&self, epoch: u64) {
        if !self.has_lost(epoch) {
            self.renew();
        }
    }

    /// Starts a new epoch, because a connection of `epoch` leads to a read-only server. Returns whether a new
    /// connection can lead to another server.
    ///
    /// - If `epoch` is earlier than the current epoch, starts no epoch and returns `true`.
    /// - If `epoch` is the current epoch and began less than a second ago, starts no epoch and returns `false`: a new
    ///   connection would lead to the same server.
    /// - Otherwise, starts an epoch and returns `true`.
    pub(super) fn renew_read_only(&self, epoch: u64) -> bool {
        let mut state = self.state.lock();
        if epoch < state.epoch {
            return true;
        }
        if state.epoch_began.is_some_and(|began| began.elapsed() < BETWEEN_READ_ONLY) {
            return false;
        }
        // running statements are not notified, because reads on the older connections still get their responses
        state.epoch += 1;
        state.epoch_began = Some(Instant::now());
        true
    }

    /// Runs a future that uses a connection of `epoch`, with the timeout `limit`. If the connections of `epoch` count
    /// as lost, the timeout is at most [`GRACE`]. Both timeouts are counted from the start of the future.
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

/// Why the wait for a statement ended without a response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Expired {
    /// The statement's timeout elapsed.
    Deadline(Duration),
    /// The connections of the statement's epoch count as lost, and [`GRACE`] has elapsed.
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
        assert_eq!(
            waited,
            Err(Expired::Deadline(short)),
            "a statement on a newer connection has its own timeout"
        );
    }

    #[test]
    fn an_unanswered_statement_is_reported_once_and_only_if_its_epoch_does_not_respond() {
        let losses = Losses::default();
        assert_eq!(losses.take_unanswered(), None);
        losses.record_unanswered(0);
        losses.record_response(1);
        assert_eq!(losses.take_unanswered(), Some(0), "a response in another epoch proves nothing");
        assert_eq!(losses.take_unanswered(), None);
        losses.record_unanswered(0);
        losses.record_response(0);
        assert_eq!(losses.take_unanswered(), None, "a connection of this epoch responded");
        losses.record_unanswered(0);
        losses.renew();
        assert_eq!(losses.take_unanswered(), None, "the loss is already recorded");
    }

    #[test]
    fn a_server_that_stays_read_only_starts_few_epochs() {
        let losses = Losses::default();
        assert!(losses.renew_read_only(0), "the first read-only connection is not reused");
        assert!(losses.renew_read_only(0), "other connections of the same epoch are not reused either");
        assert!(!losses.renew_read_only(1), "a new connection to the same read-only server is reused");
        assert_eq!(losses.epoch(), 1);
    }
}
