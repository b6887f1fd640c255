//! Delivery leases. One process at a time delivers the events of an app: the process that holds the app's lease. If
//! the holder dies, another process takes over after the lease has expired.
//!
//! An attempt starts only if the lease is certainly still valid when the attempt ends. The database's clock decides
//! when the lease expires, and this process cannot read that clock without a query. So this module measures the age of
//! the lease with the monotonic clock, from a moment before the lease was requested. The measured age is never less
//! than the real age.

use std::{
    future::pending,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::{RESPONSE_LIMITS, SharedDelivery, task::Task};
use crate::{
    domain::{delivery::LeaseClaim, ids::AppId},
    platform::metrics::EVENT_TAKEOVERS,
    service::Result,
};

/// The time for which a lease must remain valid after the end of an attempt, so that the result can be stored.
const MARGIN: Duration = Duration::from_secs(1);

/// The pause after a failed renewal.
const AFTER_FAILURE: Duration = Duration::from_millis(250);

/// A held lease.
pub(super) struct AppLease {
    app: AppId,
    validity: LeaseValidity,
}

/// The time for which a lease is guaranteed to be valid. All clones see later renewals and the loss of the lease.
#[derive(Clone, Debug)]
pub(super) struct LeaseValidity {
    term: Duration,
    /// When the last successful claim or renewal was requested; `None` after another process took the lease.
    requested: Arc<Mutex<Option<Instant>>>,
}

impl LeaseValidity {
    fn new(term: Duration, requested: Instant) -> Self {
        Self { term, requested: Arc::new(Mutex::new(Some(requested))) }
    }

    /// Returns the time since the last successful claim or renewal was requested; `None` after another process took the
    /// lease.
    fn age(&self) -> Option<Duration> {
        self.requested.lock().map(|requested| requested.elapsed())
    }

    /// Returns whether the lease is certainly valid until [`MARGIN`] after the end of an attempt that starts now.
    pub(super) fn outlasts_an_attempt(&self) -> bool {
        self.age().is_some_and(|age| age + RESPONSE_LIMITS.head + RESPONSE_LIMITS.body + MARGIN < self.term)
    }

    /// Runs an attempt if the lease [outlasts](Self::outlasts_an_attempt) it, and returns `None` if not. The lease is
    /// checked when the returned future is first polled, because the lease may be lost before that.
    pub(super) async fn then<F: Future>(self, attempt: impl FnOnce() -> F) -> Option<F::Output> {
        if self.outlasts_an_attempt() { Some(attempt().await) } else { None }
    }
}

impl AppLease {
    /// Claims the lease of an app. Returns `None` while another process has the lease.
    pub(super) async fn claim(shared: &SharedDelivery, app: AppId) -> Result<Option<Self>> {
        let requested = shared.world.clock.instant();
        let claimed = claim(shared, app).await?;
        if claimed == LeaseClaim::TakenOver {
            tracing::warn!(
                app = app.encode(),
                "took over the events of an app after the lease of another process expired"
            );
            metrics::counter!(EVENT_TAKEOVERS).increment(1);
        }
        let validity = LeaseValidity::new(shared.settings.lease, requested);
        Ok((claimed != LeaseClaim::Refused).then_some(Self { app, validity }))
    }

    pub(super) const fn validity(&self) -> &LeaseValidity {
        &self.validity
    }

    /// Returns whether it is time to renew the lease: a third of its term has passed, and no other process took it.
    pub(super) fn is_to_renew(&self) -> bool {
        self.validity.age().is_some_and(|age| age > self.validity.term / 3)
    }

    /// Records the result of a renewal. Returns `false` if another process has the lease.
    pub(super) fn renewed(&self, renewed: &Renewed) -> bool {
        match renewed {
            Renewed::From(requested) => *self.validity.requested.lock() = Some(*requested),
            Renewed::Refused => *self.validity.requested.lock() = None,
            Renewed::Unknown => {}
        }
        !matches!(renewed, Renewed::Refused)
    }

    /// Releases the lease. If the store fails, the lease stays until it expires.
    pub(super) async fn release(self, shared: &SharedDelivery) {
        let done = shared.world.release_event_lease(self.app, shared.holder).await;
        if let Err(error) = done {
            tracing::debug!(app = self.app.encode(), %error, "failed to release a lease; it will expire");
        }
    }
}

/// When a renewal was requested, and its result.
type RenewalResult = (Instant, Result<LeaseClaim>);

/// Renews a lease in a separate task, so that the worker does not have to wait for the store.
#[derive(Default)]
pub(super) struct Renewal {
    /// The app of the lease, and the running task.
    running: Option<(AppId, Task<RenewalResult>)>,
    /// Whether the last renewal failed.
    failing: bool,
}

/// The result of a renewal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Renewed {
    /// The lease was renewed by a request that was made at this moment.
    From(Instant),
    /// Another process has the lease.
    Refused,
    /// The store failed or the renewal panicked. The renewal is retried.
    Unknown,
}

impl Renewal {
    /// Starts a renewal, unless a renewal is running. If the last renewal failed, the new renewal begins with a pause.
    pub(super) fn begin(&mut self, shared: &Arc<SharedDelivery>, app: AppId) {
        if self.running.is_some() {
            return;
        }
        let (shared, is_failing) = (Arc::clone(shared), self.failing);
        let renewing = Task::spawn(async move {
            if is_failing {
                shared.world.clock.pause(AFTER_FAILURE).await;
            }
            let requested = shared.world.clock.instant();
            (requested, claim(&shared, app).await)
        });
        self.running = Some((app, renewing));
    }

    /// Waits for the result of the running renewal. If no renewal is running, waits forever.
    pub(super) async fn answer(&mut self) -> Renewed {
        let Some((app, running)) = &mut self.running else { return pending().await };
        let (app, answer) = (*app, running.await);
        self.running = None;
        self.result_of(app, answer)
    }

    fn result_of(&mut self, app: AppId, answer: Option<(Instant, Result<LeaseClaim>)>) -> Renewed {
        let failed = match answer {
            Some((requested, Ok(claim))) => {
                self.failing = false;
                return if claim == LeaseClaim::Refused {
                    Renewed::Refused
                } else {
                    Renewed::From(requested)
                };
            }
            Some((_, Err(error))) => error.to_string(),
            None => "the renewal panicked".to_owned(),
        };
        if !self.failing {
            tracing::warn!(app = app.encode(), error = failed, "failed to renew a lease; retrying");
        }
        self.failing = true;
        Renewed::Unknown
    }

    /// Waits until a running renewal has ended. Must be called before the release of the lease: a renewal after the
    /// release would claim the lease again.
    pub(super) async fn end(&mut self) {
        if let Some((_, running)) = self.running.take() {
            running.await;
        }
    }
}

/// Claims or renews a lease.
async fn claim(shared: &SharedDelivery, app: AppId) -> Result<LeaseClaim> {
    shared.world.claim_event_lease(app, shared.holder, shared.settings.lease).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Error;

    /// Returns a lease with a term of one hour. The lease was requested `ago` before now.
    #[expect(clippy::disallowed_methods, reason = "lease validity is measured by the monotonic clock")]
    fn lease_requested(ago: Duration) -> AppLease {
        let requested = Instant::now().checked_sub(ago).unwrap();
        AppLease { app: AppId(1), validity: LeaseValidity::new(Duration::from_secs(3600), requested) }
    }

    #[tokio::test]
    async fn no_attempt_begins_after_the_lease_was_lost() {
        let lease = lease_requested(Duration::ZERO);
        assert_eq!(lease.validity().clone().then(|| async { 7 }).await, Some(7));
        // created while the lease was valid, and first polled after another process took the lease
        let prepared = lease.validity().clone().then(|| async { panic!("the attempt started") });
        assert!(!lease.renewed(&Renewed::Refused));
        assert_eq!(prepared.await, None::<()>);
        assert!(!lease.is_to_renew(), "a lost lease is not renewed");
    }

    #[tokio::test]
    async fn no_attempt_begins_if_the_lease_could_expire_during_it() {
        // The lease is valid for five more seconds. An attempt takes up to four seconds, and the lease must outlast it
        // by more than one second (`MARGIN`).
        let lease = lease_requested(Duration::from_secs(3595));
        let prepared = lease.validity().clone().then(|| async { panic!("the attempt started") });
        assert_eq!(prepared.await, None::<()>);
        assert!(lease.is_to_renew());
        let (renewed, validity) = (lease_requested(Duration::ZERO), lease.validity().clone());
        let from = renewed.validity().requested.lock().unwrap();
        assert!(lease.renewed(&Renewed::From(from)));
        assert!(validity.outlasts_an_attempt() && !lease.is_to_renew());
    }

    #[test]
    fn a_failed_renewal_is_remembered_until_a_renewal_succeeds() {
        let mut renewal = Renewal::default();
        let error = Error::bug("lost");
        let now = lease_requested(Duration::ZERO).validity().requested.lock().unwrap();
        assert_eq!(renewal.result_of(AppId(1), Some((now, Err(error)))), Renewed::Unknown);
        assert!(renewal.failing);
        assert_eq!(renewal.result_of(AppId(1), None), Renewed::Unknown);
        assert!(renewal.failing);
        assert_eq!(renewal.result_of(AppId(1), Some((now, Ok(LeaseClaim::Held)))), Renewed::From(now));
        assert!(!renewal.failing);
        assert_eq!(renewal.result_of(AppId(1), Some((now, Ok(LeaseClaim::Refused)))), Renewed::Refused);
    }
}
