//! The right to deliver the events of an app. One process has it at a time; when it dies, another takes it after the
//! lease has run out.
//!
//! The lease runs by the database's clock. How long it surely runs is reckoned here from before it was asked for, by
//! a clock that nobody can move, so that an attempt is begun only when the lease outlasts it.

use std::{
    future::pending,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{Shared, attempt::PATIENCE, task::Task};
use crate::{
    domain::ids::AppId,
    platform::metrics::EVENT_TAKEOVERS,
    store::{
        Op, Result, Sql,
        event_leases::{self, Claim},
    },
};

/// How much longer than an attempt a lease must run, for its result to be written.
const MARGIN: Duration = Duration::from_secs(1);

/// The pause after a renewal that failed.
const AFTER_FAILURE: Duration = Duration::from_millis(250);

/// A lease that was got.
pub(super) struct Lease {
    app: AppId,
    right: Right,
}

/// What a lease gives its holder the right to, for as long as it surely runs. Cloning shares it.
#[derive(Clone, Debug)]
pub(super) struct Right {
    term: Duration,
    /// Before the lease was last asked for; `None` when it is another's.
    asked: Arc<Mutex<Option<Instant>>>,
}

impl Right {
    fn new(term: Duration, asked: Instant) -> Self {
        Self { term, asked: Arc::new(Mutex::new(Some(asked))) }
    }

    /// How long ago the lease was asked for.
    fn age(&self) -> Option<Duration> {
        self.asked.lock().map(|asked| asked.elapsed())
    }

    /// Whether an attempt that begins now ends before the lease can.
    pub(super) fn outlasts_an_attempt(&self) -> bool {
        self.age().is_some_and(|age| age + PATIENCE.head + PATIENCE.body + MARGIN < self.term)
    }

    /// Begins an attempt and makes it, if the lease outlasts it at the moment when this is first polled.
    pub(super) async fn then<F: Future>(self, attempt: impl FnOnce() -> F) -> Option<F::Output> {
        if self.outlasts_an_attempt() { Some(attempt().await) } else { None }
    }
}

impl Lease {
    /// Asks for the lease of an app; `None` while another process has it.
    pub(super) async fn take(shared: &Shared, app: AppId) -> Result<Option<Self>> {
        let asked = shared.world.clock.instant();
        let claimed = claim(shared, app).await?;
        if claimed == Claim::TakenOver {
            tracing::warn!(
                app = app.encode(),
                "events of an app are taken over from a process that left them"
            );
            metrics::counter!(EVENT_TAKEOVERS).increment(1);
        }
        let right = Right::new(shared.settings.lease, asked);
        Ok((claimed != Claim::Refused).then_some(Self { app, right }))
    }

    pub(super) const fn right(&self) -> &Right {
        &self.right
    }

    /// Whether a third of it has passed.
    pub(super) fn is_to_renew(&self) -> bool {
        self.right.age().is_some_and(|age| age > self.right.term / 3)
    }

    /// Notes what came of asking for it to run on; whether it does, or may yet.
    pub(super) fn renewed(&self, renewed: &Renewed) -> bool {
        match renewed {
            Renewed::From(asked) => *self.right.asked.lock() = Some(*asked),
            Renewed::Refused => *self.right.asked.lock() = None,
            Renewed::Unknown => {}
        }
        !matches!(renewed, Renewed::Refused)
    }

    /// Gives it back.
    pub(super) async fn release(self, shared: &Shared) {
        let done = shared.world.db.write(ReleaseLease { app: self.app, holder: shared.holder }).await;
        if let Err(error) = done {
            tracing::debug!(%error, "a lease was not given back and runs out by itself");
        }
    }
}

/// Asks for a lease to run on, in a task of its own.
#[derive(Default)]
pub(super) struct Renewal {
    asking: Option<Task<(Instant, Result<Claim>)>>,
    /// The last answer was a failure of the store.
    failing: bool,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Renewed {
    /// It runs on, as asked for then.
    From(Instant),
    /// Another process has it.
    Refused,
    /// The store did not answer; it is asked again.
    Unknown,
}

impl Renewal {
    /// Asks, unless that is under way; after a failure not before a pause.
    pub(super) fn begin(&mut self, shared: &Arc<Shared>, app: AppId) {
        if self.asking.is_some() {
            return;
        }
        let (shared, again) = (Arc::clone(shared), self.failing);
        self.asking = Some(Task::spawn(async move {
            if again {
                shared.world.clock.pause(AFTER_FAILURE).await;
            }
            let asked = shared.world.clock.instant();
            (asked, claim(&shared, app).await)
        }));
    }

    /// Waits for the answer; for ever when nothing is asked.
    pub(super) async fn answer(&mut self) -> Renewed {
        let Some(asking) = &mut self.asking else { return pending().await };
        let answer = asking.await;
        self.asking = None;
        self.judge(answer)
    }

    fn judge(&mut self, answer: Option<(Instant, Result<Claim>)>) -> Renewed {
        let failed = match answer {
            Some((asked, Ok(claim))) => {
                self.failing = false;
                return if claim == Claim::Refused { Renewed::Refused } else { Renewed::From(asked) };
            }
            Some((_, Err(error))) => error.to_string(),
            None => "it panicked".to_owned(),
        };
        if !self.failing {
            tracing::warn!(error = failed, "a lease was not renewed and is asked for again");
        }
        self.failing = true;
        Renewed::Unknown
    }

    /// Waits until nothing is under way, or it might be carried out after the release.
    pub(super) async fn end(&mut self) {
        if let Some(asking) = self.asking.take() {
            asking.await;
        }
    }
}

/// Asks for a lease, or for it to run on.
async fn claim(shared: &Shared, app: AppId) -> Result<Claim> {
    let micros = i64::try_from(shared.settings.lease.as_micros()).unwrap_or(i64::MAX);
    shared.world.db.write(ClaimLease { app, holder: shared.holder, micros }).await
}

/// Forgets all leases. On SQLite the process that had them is gone when another starts.
pub(super) async fn clear(shared: &Shared) -> Result<()> {
    shared.world.db.write(ClearLeases).await
}

struct ClaimLease {
    app: AppId,
    holder: i64,
    micros: i64,
}

impl Op for ClaimLease {
    const NAME: &'static str = "claim_event_lease";
    type Out = Claim;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Claim> {
        event_leases::claim(c, self.app, self.holder, self.micros).await
    }
}

struct ReleaseLease {
    app: AppId,
    holder: i64,
}

impl Op for ReleaseLease {
    const NAME: &'static str = "release_event_lease";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        event_leases::release(c, self.app, self.holder).await
    }
}

struct ClearLeases;

impl Op for ClearLeases {
    const NAME: &'static str = "clear_event_leases";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        event_leases::clear(c).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreError;

    /// The lease of a test, asked for this long ago.
    #[expect(clippy::disallowed_methods, reason = "leases run by a clock that nobody can move")]
    fn asked(ago: Duration) -> Lease {
        let asked = Instant::now().checked_sub(ago).unwrap();
        Lease { app: AppId(1), right: Right::new(Duration::from_secs(3600), asked) }
    }

    #[tokio::test]
    async fn no_attempt_begins_after_the_lease_was_lost() {
        let lease = asked(Duration::ZERO);
        assert_eq!(lease.right().clone().then(|| async { 7 }).await, Some(7));
        // prepared while the lease ran, and first polled when it is another's
        let prepared = lease.right().clone().then(|| async { panic!("it began") });
        assert!(!lease.renewed(&Renewed::Refused));
        assert_eq!(prepared.await, None::<()>);
        assert!(!lease.is_to_renew(), "there is nothing to renew");
    }

    #[tokio::test]
    async fn no_attempt_begins_that_the_lease_may_not_outlast() {
        // an attempt takes four seconds, and its result one more
        let lease = asked(Duration::from_secs(3595));
        let prepared = lease.right().clone().then(|| async { panic!("it began") });
        assert_eq!(prepared.await, None::<()>);
        assert!(lease.is_to_renew());
        let (renewed, right) = (asked(Duration::ZERO), lease.right().clone());
        let from = renewed.right().asked.lock().unwrap();
        assert!(lease.renewed(&Renewed::From(from)));
        assert!(right.outlasts_an_attempt() && !lease.is_to_renew());
    }

    #[test]
    fn an_outage_is_known_until_an_answer_comes() {
        let mut renewal = Renewal::default();
        let error = StoreError::bug("gone");
        let now = asked(Duration::ZERO).right().asked.lock().unwrap();
        assert_eq!(renewal.judge(Some((now, Err(error.into())))), Renewed::Unknown);
        assert!(renewal.failing);
        assert_eq!(renewal.judge(None), Renewed::Unknown);
        assert!(renewal.failing);
        assert_eq!(renewal.judge(Some((now, Ok(Claim::Held)))), Renewed::From(now));
        assert!(!renewal.failing);
        assert_eq!(renewal.judge(Some((now, Ok(Claim::Refused)))), Renewed::Refused);
    }
}
