//! Stores the results of attempts in batches, in the order in which the attempts ended, while the next attempts run.
//!
//! While the store is unavailable, no further attempts start and the results are kept.
//!
//! If the store rejects a batch, the batch is halved until the rejected result is found, so that this result does not
//! block the other results of the app forever. The store then gets the result without its entry in the delivery log. If
//! the store also rejects the result without the entry, one round has failed. After a pause the next round tries both
//! again: first with the log entry, then without it. After `MAX_TRIES` failed rounds the result is dropped, and this
//! process does not attempt its event again.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    SharedDelivery,
    in_flight::{InFlightEventCounter, InFlightEvents},
    task::Task,
};
use crate::{
    domain::{
        delivery::{Attempt, EventQueue},
        ids::{AppId, EventId, InstallationId},
    },
    platform::metrics::EVENT_RESULTS_LOST,
    service::{Error, Result},
};

/// Maximum number of results that are stored in one transaction.
const BATCH_SIZE: usize = 128;
/// If at least this many results wait to be stored, no further attempts start.
const MAX_UNSTORED: usize = 256;
/// The pause before results are written again, if the store was unavailable or a round has failed.
const AFTER_FAILURE: Duration = Duration::from_millis(250);
/// Number of failed rounds after which a result is dropped. In a failed round, the store rejects the result both with
/// its log entry and without it. There are several rounds, because the cause of a rejection can be temporary.
const MAX_TRIES: u32 = 8;

/// The part of a result that was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LostPart {
    /// Only the log entry of the result.
    Line,
    /// The whole result.
    Whole,
}

impl LostPart {
    pub(super) const ALL: [Self; 2] = [Self::Line, Self::Whole];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Whole => "whole",
        }
    }
}

/// The results of one app.
pub(super) struct Results {
    app: AppId,
    waiting: Vec<Attempt>,
    writing: Option<Writing>,
    /// Events with an open attempt or an unstored result, and the events in `held_back`.
    in_flight: InFlightEvents,
    /// Events whose attempt panicked. Each event has its queue, and the time before which it is not attempted again.
    held_back: Vec<(Instant, EventId, EventQueue)>,
    /// Whether the store is unavailable, or has rejected a result with its log entry and without it. While this is so,
    /// no further attempts start, and each write begins with a pause.
    failing: bool,
    search: ResultSearch,
}

/// A batch that is being stored, and the task that returns how many of its results were stored.
struct Writing {
    batch: Arc<[Attempt]>,
    task: Task<Result<usize>>,
}

/// State of the search for a rejected result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ResultSearch {
    /// Maximum number of results in the next batch.
    batch_size: usize,
    /// Whether the next result is stored without its log entry.
    bare: bool,
    /// Number of failed rounds of the next result.
    refused: u32,
}

/// How to continue after a rejection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recovery {
    /// Retry immediately, with a smaller batch or without the log entry.
    RetrySmaller,
    /// Retry later.
    RetryLater,
    /// Drop the result, and do not attempt its event again.
    Skip,
}

impl ResultSearch {
    const NONE: Self = Self { batch_size: BATCH_SIZE, bare: false, refused: 0 };

    /// Records the rejection of a batch of this length, and returns how to continue.
    fn refused(&mut self, length: usize) -> Recovery {
        if length > 1 {
            self.batch_size = length / 2;
            return Recovery::RetrySmaller;
        }
        self.batch_size = 1;
        self.bare = !self.bare;
        if self.bare {
            return Recovery::RetrySmaller;
        }
        self.refused += 1;
        if self.refused < MAX_TRIES { Recovery::RetryLater } else { Recovery::Skip }
    }
}

impl Results {
    pub(super) fn new(app: AppId, all: InFlightEventCounter) -> Self {
        Self {
            app,
            waiting: Vec::new(),
            writing: None,
            in_flight: InFlightEvents::new(all),
            held_back: Vec::new(),
            failing: false,
            search: ResultSearch::NONE,
        }
    }

    /// Records the start of an attempt.
    pub(super) fn start(&mut self, event: EventId, installation: InstallationId) {
        self.in_flight.insert(event, installation);
    }

    /// Records that the event of an attempt was not sent.
    pub(super) fn release(&mut self, event: EventId) {
        self.in_flight.remove(event);
    }

    /// Records that the attempt of an event panicked. The event stays in flight at least until `until`.
    pub(super) fn hold_back(&mut self, until: Instant, event: EventId, queue: EventQueue) {
        self.held_back.push((until, event, queue));
    }

    /// Releases the events that were held back until `now` or earlier. Returns their installations and queues.
    pub(super) fn release_held_back(&mut self, now: Instant) -> Vec<(InstallationId, EventQueue)> {
        let in_flight = &mut self.in_flight;
        let released = self.held_back.extract_if(.., |(until, ..)| *until <= now);
        released.filter_map(|(_, event, queue)| Some((in_flight.remove(event)?, queue))).collect()
    }

    pub(super) fn is_in_flight(&self, event: EventId) -> bool {
        self.in_flight.contains(event)
    }

    /// Returns how many events of an installation are in flight.
    pub(super) fn in_flight_of(&self, installation: InstallationId) -> usize {
        self.in_flight.of(installation)
    }

    /// Returns whether the start of further attempts must wait, because the store fails or too many results wait to be
    /// stored.
    pub(super) fn is_full(&self) -> bool {
        self.failing || self.waiting.len() >= MAX_UNSTORED
    }

    /// Returns whether all results are stored.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.writing.is_none()
    }

    pub(super) fn add(&mut self, attempt: Attempt) {
        self.waiting.push(attempt);
    }

    /// If no batch is being stored, starts to store a batch of the waiting results.
    pub(super) fn write(&mut self, shared: &Arc<SharedDelivery>) {
        if self.writing.is_some() || self.waiting.is_empty() {
            return;
        }
        let count = self.waiting.len().min(self.search.batch_size);
        let batch: Arc<[Attempt]> = self.waiting.drain(..count).collect();
        let (shared, is_failing) = (Arc::clone(shared), self.failing);
        let (app, bare, results) = (self.app, self.search.bare, Arc::clone(&batch));
        let task = Task::spawn(async move {
            if is_failing {
                shared.world.clock.pause(AFTER_FAILURE).await;
            }
            shared.world.record_attempts(app, results, bare).await
        });
        self.writing = Some(Writing { batch, task });
    }

    /// Waits until the write of the current batch ends. If there is no current batch, waits forever. If the write has
    /// failed, the results of the batch wait to be written again, except a result that was rejected too often.
    pub(super) async fn written(&mut self, shared: &SharedDelivery) {
        let Some(Writing { task, .. }) = &mut self.writing else { return std::future::pending().await };
        let result = task.await.unwrap_or_else(|| Err(Error::bug("writing results panicked")));
        let Some(Writing { batch, .. }) = self.writing.take() else { return };
        match result {
            Ok(stored) => self.note_stored(&batch, stored),
            Err(error) => {
                self.waiting.splice(..0, batch.iter().cloned());
                if self.failed(&error, batch.len()) == Recovery::Skip {
                    self.skip_first(shared, &error);
                }
            }
        }
        shared.settled.notify_waiters();
    }

    fn note_stored(&mut self, batch: &[Attempt], stored: usize) {
        for attempt in batch {
            self.in_flight.remove(attempt.event_id);
            if self.search.bare {
                self.lost(attempt, LostPart::Line);
            }
        }
        self.failing = false;
        self.search = ResultSearch::NONE;
        if stored < batch.len() {
            tracing::warn!(
                app = self.app.encode(),
                overtaken = batch.len() - stored,
                "results were not stored, because results of the same attempts are already stored"
            );
        }
    }

    /// Decides how to continue after a failure.
    fn failed(&mut self, error: &Error, length: usize) -> Recovery {
        let recovery = match error {
            Error::Store(error) if error.is_unavailable() => Recovery::RetryLater,
            _ => self.search.refused(length),
        };
        let pauses = recovery == Recovery::RetryLater;
        if pauses && !self.failing {
            tracing::error!(app = self.app.encode(), %error, "failed to store delivery results; retrying");
        }
        self.failing = pauses;
        recovery
    }

    /// Drops the first waiting result. This process does not attempt its event again.
    fn skip_first(&mut self, shared: &SharedDelivery, error: &Error) {
        let attempt = self.waiting.remove(0);
        tracing::error!(app = self.app.encode(), %error, "the store rejected a delivery result");
        self.lost(&attempt, LostPart::Whole);
        // queries still return the event as due, so it is added to `skipped`
        shared.skipped.lock().insert(attempt.event_id);
        self.in_flight.remove(attempt.event_id);
        self.search = ResultSearch::NONE;
    }

    fn lost(&self, attempt: &Attempt, part: LostPart) {
        metrics::counter!(EVENT_RESULTS_LOST, "part" => part.name()).increment(1);
        tracing::error!(
            app = self.app.encode(),
            event = attempt.event_id.encode(),
            attempt = attempt.before + 1,
            delivered = attempt.delivered,
            part = part.name(),
            "lost a delivery result or its log entry"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        domain::{delivery::Retry, time::Timestamp},
        platform::clock::Clock,
        store::StoreError,
    };

    fn attempt(event: i64) -> Attempt {
        let now = Timestamp(0);
        Attempt {
            id: event,
            event_id: EventId(event),
            before: 0,
            at: now,
            ended_at: now,
            retry: Retry::after(1, now),
            delivered: true,
            status: Some(200),
            error: None,
            latency_ms: 1,
            response_body: None,
        }
    }

    /// Simulates a store that rejects the results for which `refuses` returns `true`. Returns the ids of the results
    /// that were stored with a log entry, the ids of those that were stored without one, and the number of
    /// transactions.
    fn write_all(count: i64, refuses: impl Fn(&Attempt, bool) -> bool) -> (Vec<i64>, Vec<i64>, usize) {
        let mut results = Results::new(AppId(1), InFlightEventCounter::default());
        (0..count).for_each(|event| results.add(attempt(event)));
        let (mut written, mut bare, mut tries) = (Vec::new(), Vec::new(), 0);
        while !results.waiting.is_empty() {
            tries += 1;
            let length = results.waiting.len().min(results.search.batch_size);
            let batch: Vec<_> = results.waiting.drain(..length).collect();
            if batch.iter().any(|one| refuses(one, results.search.bare)) {
                results.waiting.splice(..0, batch);
                let error = StoreError::bug("refused").into();
                if results.failed(&error, length) == Recovery::Skip {
                    results.waiting.remove(0);
                    results.search = ResultSearch::NONE;
                }
            } else {
                let into = if results.search.bare { &mut bare } else { &mut written };
                into.extend(batch.iter().map(|one| one.event_id.0));
                results.note_stored(&batch, batch.len());
            }
        }
        (written, bare, tries)
    }

    #[test]
    fn a_result_whose_log_entry_is_rejected_does_not_block_others() {
        let (written, bare, tries) = write_all(300, |one, bare| one.id == 77 && !bare);
        assert_eq!(written, (0..300).filter(|n| *n != 77).collect::<Vec<_>>());
        assert_eq!(bare, [77]);
        assert!(tries < 40, "the rejected result is found in few transactions: {tries}");
    }

    #[test]
    fn a_result_that_cannot_be_stored_is_skipped() {
        let (written, bare, tries) = write_all(300, |one, _| one.id == 299 || one.id == 3);
        assert_eq!(written, (0..299).filter(|n| *n != 3).collect::<Vec<_>>());
        assert!(bare.is_empty());
        assert!(tries < 100, "the rejected results are found and skipped in few transactions: {tries}");
    }

    #[test]
    fn an_event_whose_attempt_panicked_is_released_after_a_while() {
        let all = InFlightEventCounter::default();
        let mut results = Results::new(AppId(1), all.clone());
        let now = Clock::system().instant();
        let second = Duration::from_secs(1);
        for (id, queue, seconds) in [(1, EventQueue::FirstAttempts, 1), (2, EventQueue::Retries, 3)] {
            results.start(EventId(id), InstallationId(id));
            results.hold_back(now + seconds * second, EventId(id), queue);
        }
        assert!(results.release_held_back(now).is_empty());
        assert_eq!(results.release_held_back(now + second), [(InstallationId(1), EventQueue::FirstAttempts)]);
        assert!(!results.is_in_flight(EventId(1)) && results.is_in_flight(EventId(2)));
        assert_eq!(results.release_held_back(now + 9 * second), [(InstallationId(2), EventQueue::Retries)]);
        assert_eq!(all.count(), 0);
    }

    #[test]
    fn no_result_is_skipped_while_the_store_is_unavailable() {
        let mut results = Results::new(AppId(1), InFlightEventCounter::default());
        let away = StoreError::Unavailable("away".into()).into();
        for _ in 0..1000 {
            assert_eq!(results.failed(&away, 1), Recovery::RetryLater);
            assert!(results.is_full());
        }
        assert_eq!(results.search, ResultSearch::NONE);
    }
}
