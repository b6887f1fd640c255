//! The clock of the server: the system time plus an offset. With the setting `test_clock`, the admin API of a sandbox
//! can change the offset (D-379).

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::sync::Notify;

use crate::domain::time::Timestamp;

/// A clock with an adjustable offset. Clones are cheap and share the offset.
#[derive(Clone, Debug)]
pub struct Clock {
    shared: Arc<ClockState>,
}

#[derive(Debug)]
struct ClockState {
    /// The time to which the offset is added; `None` for the system time.
    fixed: Option<Timestamp>,
    /// Microseconds added to `fixed` or to the system time.
    offset: AtomicI64,
    moved: Notify,
}

impl Clock {
    /// Creates a clock that follows the system clock.
    #[must_use]
    pub fn system() -> Self {
        Self::with_base(None)
    }

    /// Creates a clock that starts at `start` and changes only by [`Clock::advance`], [`Clock::shift`]
    /// and [`Clock::reset`].
    #[must_use]
    pub fn manual(start: Timestamp) -> Self {
        Self::with_base(Some(start))
    }

    fn with_base(fixed: Option<Timestamp>) -> Self {
        Self { shared: Arc::new(ClockState { fixed, offset: AtomicI64::new(0), moved: Notify::new() }) }
    }

    /// Returns the current time. The time goes backwards if the system clock is set back, and it can go backwards by
    /// [`Clock::shift`] and [`Clock::reset`].
    #[must_use]
    pub fn now(&self) -> Timestamp {
        Timestamp(self.without_offset().0.saturating_add(self.offset_micros()))
    }

    /// Returns the time without the offset. [`Clock::reset`] sets the clock back to this time.
    #[must_use]
    pub fn without_offset(&self) -> Timestamp {
        self.shared.fixed.unwrap_or_else(|| Timestamp(system_micros()))
    }

    /// Returns a monotonic reading for measuring durations. Changes of the offset have no effect.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this method reads the monotonic clock for other modules")]
    pub fn instant(&self) -> Instant {
        Instant::now()
    }

    /// Advances the clock and wakes all tasks that wait in [`Clock::pause`] or [`Stopwatch::sleep_until_elapsed`].
    pub fn advance(&self, by: Duration) {
        self.shift(i64::try_from(by.as_micros()).unwrap_or(i64::MAX));
    }

    /// Moves the clock by this many microseconds, backwards if negative, and wakes all tasks that wait in
    /// [`Clock::pause`] or [`Stopwatch::sleep_until_elapsed`].
    pub fn shift(&self, micros: i64) {
        if micros != 0 {
            let moved = |offset: i64| Some(offset.saturating_add(micros));
            // the closure always returns a value, so the update cannot fail
            let _ = self.shared.offset.fetch_update(Ordering::Relaxed, Ordering::Relaxed, moved);
            self.shared.moved.notify_waiters();
        }
    }

    /// Resets the offset to zero and wakes all tasks that wait in [`Clock::pause`] or
    /// [`Stopwatch::sleep_until_elapsed`].
    pub fn reset(&self) {
        self.shared.offset.store(0, Ordering::Relaxed);
        self.shared.moved.notify_waiters();
    }

    /// Returns the absolute value of the offset.
    #[must_use]
    pub fn offset(&self) -> Duration {
        Duration::from_micros(self.shared.offset.load(Ordering::Relaxed).unsigned_abs())
    }

    /// Returns a future that waits until `span` has elapsed by this clock. The span begins with the call of this method
    /// and is measured by a [`Stopwatch`]. For timeouts.
    pub fn sleep(&self, span: Duration) -> impl Future<Output = ()> + use<> {
        let watch = self.stopwatch();
        async move { watch.sleep_until_elapsed(span).await }
    }

    /// Starts to measure a duration by this clock.
    #[must_use]
    pub fn stopwatch(&self) -> Stopwatch {
        Stopwatch { clock: self.clone(), begun: self.instant(), from: self.offset_micros() }
    }

    fn offset_micros(&self) -> i64 {
        self.shared.offset.load(Ordering::Relaxed)
    }

    /// Waits until `end`, an instant as [`Clock::instant`] returns it. Changes of the offset have no effect. For
    /// deadlines in real time.
    #[expect(clippy::disallowed_methods, reason = "this method sleeps for other modules")]
    pub async fn sleep_until_real(&self, end: Instant) {
        tokio::time::sleep_until(end.into()).await;
    }

    /// Waits for the duration `real` in real time, or until the offset is changed. For the loops of
    /// background jobs, which read [`Clock::now`] again afterwards.
    #[expect(clippy::disallowed_methods, reason = "this method sleeps for other modules")]
    pub async fn pause(&self, real: Duration) {
        tokio::select! {
            () = tokio::time::sleep(real) => {}
            () = self.shared.moved.notified() => {}
        }
    }
}

/// Measures a duration by a [`Clock`]: the real time since the start, plus the growth of the offset since then. If the
/// clock was created by [`Clock::manual`], only the growth of the offset counts. If the offset is lower than at the
/// start, its growth counts as zero.
#[derive(Clone, Debug)]
pub struct Stopwatch {
    clock: Clock,
    begun: Instant,
    /// The clock's offset at the start.
    from: i64,
}

impl Stopwatch {
    /// Returns the duration since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        let ahead = Duration::from_micros(u64::try_from(self.clock.offset_micros() - self.from).unwrap_or(0));
        if self.is_manual() { ahead } else { self.begun.elapsed() + ahead }
    }

    /// Waits until `span` has elapsed since the start.
    #[expect(clippy::disallowed_methods, reason = "this method sleeps for other modules")]
    pub async fn sleep_until_elapsed(&self, span: Duration) {
        loop {
            // registers for the notification before it reads the offset, so that no change is missed
            let mut moved = std::pin::pin!(self.clock.shared.moved.notified());
            moved.as_mut().enable();
            let left = span.saturating_sub(self.elapsed());
            if left.is_zero() {
                return;
            }
            if self.is_manual() {
                moved.await;
            } else {
                tokio::select! {
                    () = tokio::time::sleep(left) => {}
                    () = moved => {}
                }
            }
        }
    }

    /// Returns whether the clock was created by [`Clock::manual`], so that real time does not count.
    fn is_manual(&self) -> bool {
        self.clock.shared.fixed.is_some()
    }
}

#[expect(clippy::disallowed_methods, reason = "all other code reads the wall clock here")]
fn system_micros() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_micros()).map_or(i64::MIN, |micros| -micros),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_of_a_manual_clock_share_its_offset() {
        let clock = Clock::manual(Timestamp(1_000));
        let other = clock.clone();
        clock.advance(Duration::from_secs(2));
        assert_eq!(other.now(), Timestamp(2_001_000));
        assert_eq!(other.offset(), Duration::from_secs(2));
        assert_eq!(other.without_offset(), Timestamp(1_000));
        other.reset();
        assert_eq!((clock.now(), clock.offset()), (Timestamp(1_000), Duration::ZERO));
    }

    #[test]
    fn a_system_clock_can_be_advanced() {
        let clock = Clock::system();
        let before = clock.now();
        clock.advance(Duration::from_secs(86_400));
        assert!(clock.now().0 >= before.0 + 86_400_000_000);
        clock.advance(Duration::MAX);
        assert_eq!(clock.now(), Timestamp(i64::MAX));
    }

    #[tokio::test]
    async fn a_sleep_ends_when_its_span_has_elapsed_by_the_clock() {
        use futures_util::FutureExt;
        let clock = Clock::manual(Timestamp(0));
        let mut passing = std::pin::pin!(clock.sleep(Duration::from_secs(3)));
        assert!(passing.as_mut().now_or_never().is_none());
        clock.advance(Duration::from_millis(2_999));
        assert!(passing.as_mut().now_or_never().is_none());
        clock.advance(Duration::from_millis(1));
        assert!(passing.as_mut().now_or_never().is_some());
        // the span is measured from the call of `sleep`, not from the first poll of its future
        let passing = clock.sleep(Duration::from_secs(3));
        let watch = clock.stopwatch();
        clock.advance(Duration::from_secs(3));
        assert!(passing.now_or_never().is_some());
        assert_eq!(watch.elapsed(), Duration::from_secs(3));
        let clock = Clock::system();
        clock.sleep(Duration::from_millis(1)).await;
        let mut passing = std::pin::pin!(clock.sleep(Duration::from_secs(3600)));
        assert!(passing.as_mut().now_or_never().is_none());
        clock.advance(Duration::from_secs(3600));
        assert!(passing.as_mut().now_or_never().is_some());
    }

    #[tokio::test]
    async fn changing_the_clock_ends_a_pause() {
        let clock = Clock::system();
        let (paused, ()) = tokio::join!(
            tokio::time::timeout(Duration::from_secs(5), clock.pause(Duration::from_secs(3600))),
            async {
                tokio::task::yield_now().await;
                clock.advance(Duration::from_secs(1));
            }
        );
        assert!(paused.is_ok());
    }
}
