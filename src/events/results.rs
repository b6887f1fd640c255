//! What became of attempts, on its way into the store: written in the order they ended, together when several wait,
//! while the next attempts are already under way.
//!
//! While the store does not answer, everything waits for it. When it refuses a batch, the one result that it cannot
//! take is looked for by halves, so that it does not keep the others, and the app, for ever: it is written without its
//! line in the log, and if not even that can be done it is left out and its event set aside.

use std::{sync::Arc, time::Duration};

use super::{
    Shared,
    held::{Held, UnderWay},
    task::Task,
};
use crate::{
    domain::ids::{AppId, EventId, InstallationId},
    platform::metrics::EVENT_RESULTS_LOST,
    store::{
        Error, Op, Result, Sql, StoreError,
        deliveries::{self, Attempt},
    },
};

/// How many results are written in one transaction.
const AT_ONCE: usize = 128;
/// How many may wait before no more attempts are begun.
const MOST: usize = 256;
/// The pause after they could not be written.
const AFTER_FAILURE: Duration = Duration::from_millis(250);
/// How often a single result is tried that the store refuses, for the fault may not be the result's.
const TRIES: u32 = 8;

/// What may be lost of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Its line in the log.
    Line,
    /// All of it.
    Whole,
}

impl Part {
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
    /// Events with an open attempt or a result that is not written.
    held: Held,
    /// The store does not answer, or refused what it should take: no more attempts, and a pause before the next try.
    failing: bool,
    search: Search,
}

/// A batch that is being written; how many of it the store took.
struct Writing {
    batch: Arc<[Attempt]>,
    task: Task<Result<usize>>,
}

/// How a result that the store cannot take is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Search {
    /// How many results are written together.
    at_once: usize,
    /// The next one is written without its line in the log.
    bare: bool,
    /// How often the next one was refused, with and without it.
    refused: u32,
}

/// What a refusal makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Another try, at once.
    Narrower,
    /// Another try, later.
    Later,
    /// The result cannot be written.
    Hopeless,
}

impl Search {
    const NONE: Self = Self { at_once: AT_ONCE, bare: false, refused: 0 };

    /// A batch of this length was refused.
    fn refused(&mut self, length: usize) -> Verdict {
        if length > 1 {
            self.at_once = length / 2;
            return Verdict::Narrower;
        }
        self.at_once = 1;
        self.bare = !self.bare;
        if self.bare {
            return Verdict::Narrower;
        }
        self.refused += 1;
        if self.refused < TRIES { Verdict::Later } else { Verdict::Hopeless }
    }
}

impl Results {
    pub(super) fn new(app: AppId, all: UnderWay) -> Self {
        Self {
            app,
            waiting: Vec::new(),
            writing: None,
            held: Held::new(all),
            failing: false,
            search: Search::NONE,
        }
    }

    /// Notes that an attempt has begun.
    pub(super) fn hold(&mut self, event: EventId, installation: InstallationId) {
        self.held.insert(event, installation);
    }

    /// Notes that it has not.
    pub(super) fn release(&mut self, event: EventId) {
        self.held.remove(event);
    }

    pub(super) fn holds(&self, event: EventId) -> bool {
        self.held.contains(event)
    }

    /// How many events of an installation are held.
    pub(super) fn held_of(&self, installation: InstallationId) -> usize {
        self.held.of(installation)
    }

    /// Whether so many wait that none should be added.
    pub(super) fn are_many(&self) -> bool {
        self.failing || self.waiting.len() >= MOST
    }

    /// Whether everything is written.
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.writing.is_none()
    }

    pub(super) fn add(&mut self, attempt: Attempt) {
        self.waiting.push(attempt);
    }

    /// Begins to write what waits, unless a batch is under way.
    pub(super) fn write(&mut self, shared: &Arc<Shared>) {
        if self.writing.is_some() || self.waiting.is_empty() {
            return;
        }
        let count = self.waiting.len().min(self.search.at_once);
        let batch: Arc<[Attempt]> = self.waiting.drain(..count).collect();
        let (shared, again) = (Arc::clone(shared), self.failing);
        let op = RecordAttempts { app: self.app, batch: Arc::clone(&batch), bare: self.search.bare };
        let task = Task::spawn(async move {
            if again {
                shared.world.clock.pause(AFTER_FAILURE).await;
            }
            shared.world.db.write(op).await
        });
        self.writing = Some(Writing { batch, task });
    }

    /// Waits until the batch under way is written; forever when there is none. What could not be written waits for
    /// the next try.
    pub(super) async fn written(&mut self, shared: &Shared) {
        let Some(Writing { task, .. }) = &mut self.writing else { return std::future::pending().await };
        let result = task.await.unwrap_or_else(|| Err(StoreError::bug("writing results panicked").into()));
        let Some(Writing { batch, .. }) = self.writing.take() else { return };
        match result {
            Ok(taken) => self.took(&batch, taken),
            Err(error) => {
                self.waiting.splice(..0, batch.iter().cloned());
                if self.failed(&error, batch.len()) == Verdict::Hopeless {
                    self.leave_out(shared, &error);
                }
            }
        }
        shared.settled.notify_waiters();
    }

    fn took(&mut self, batch: &[Attempt], taken: usize) {
        for attempt in batch {
            self.held.remove(attempt.event_id);
            if self.search.bare {
                self.lost(attempt, Part::Line);
            }
        }
        self.failing = false;
        self.search = Search::NONE;
        if taken < batch.len() {
            tracing::warn!(
                app = self.app.encode(),
                overtaken = batch.len() - taken,
                "another process had delivered the same events"
            );
        }
    }

    /// What to do after a failure.
    fn failed(&mut self, error: &Error, length: usize) -> Verdict {
        let verdict = match error {
            Error::Store(StoreError::Unavailable(_)) => Verdict::Later,
            _ => self.search.refused(length),
        };
        let pauses = verdict == Verdict::Later;
        if pauses && !self.failing {
            tracing::error!(app = self.app.encode(), %error, "results of deliveries cannot be written");
        }
        self.failing = pauses;
        verdict
    }

    /// Goes on without the first result that waits.
    fn leave_out(&mut self, shared: &Shared, error: &Error) {
        let attempt = self.waiting.remove(0);
        tracing::error!(app = self.app.encode(), %error, "a result of a delivery is refused by the store");
        self.lost(&attempt, Part::Whole);
        // it looks due for ever
        shared.aside.lock().insert(attempt.event_id);
        self.held.remove(attempt.event_id);
        self.search = Search::NONE;
    }

    fn lost(&self, attempt: &Attempt, part: Part) {
        metrics::counter!(EVENT_RESULTS_LOST, "part" => part.name()).increment(1);
        tracing::error!(
            app = self.app.encode(),
            event = attempt.event_id.encode(),
            attempt = attempt.before + 1,
            delivered = attempt.delivered,
            part = part.name(),
            "the result of a delivery was lost"
        );
    }
}

struct RecordAttempts {
    app: AppId,
    batch: Arc<[Attempt]>,
    /// Without lines in the log.
    bare: bool,
}

impl Op for RecordAttempts {
    const NAME: &'static str = "record_attempts";
    /// How many were taken: those that no other process had made before.
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        deliveries::record(c, self.app, &self.batch, self.bare).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::time::Timestamp;

    fn attempt(event: i64) -> Attempt {
        let now = Timestamp(0);
        Attempt {
            id: event,
            event_id: EventId(event),
            before: 0,
            at: now,
            ended_at: now,
            delivered: true,
            status: Some(200),
            error: None,
            latency_ms: 1,
            answer: None,
        }
    }

    /// What a store that cannot take one of them does with so many results: which it wrote, which without their line,
    /// and how many tries there were.
    fn write_all(count: i64, refuses: impl Fn(&Attempt, bool) -> bool) -> (Vec<i64>, Vec<i64>, usize) {
        let mut results = Results::new(AppId(1), UnderWay::default());
        (0..count).for_each(|event| results.add(attempt(event)));
        let (mut written, mut bare, mut tries) = (Vec::new(), Vec::new(), 0);
        while !results.waiting.is_empty() {
            tries += 1;
            let length = results.waiting.len().min(results.search.at_once);
            let batch: Vec<_> = results.waiting.drain(..length).collect();
            if batch.iter().any(|one| refuses(one, results.search.bare)) {
                results.waiting.splice(..0, batch);
                let error = StoreError::bug("refused").into();
                if results.failed(&error, length) == Verdict::Hopeless {
                    results.waiting.remove(0);
                    results.search = Search::NONE;
                }
            } else {
                let into = if results.search.bare { &mut bare } else { &mut written };
                into.extend(batch.iter().map(|one| one.event_id.0));
                results.took(&batch, batch.len());
            }
        }
        (written, bare, tries)
    }

    #[test]
    fn one_that_cannot_be_logged_keeps_no_other() {
        let (written, bare, tries) = write_all(300, |one, bare| one.id == 77 && !bare);
        assert_eq!(written, (0..300).filter(|n| *n != 77).collect::<Vec<_>>());
        assert_eq!(bare, [77]);
        assert!(tries < 40, "{tries}");
    }

    #[test]
    fn one_that_cannot_be_written_is_left_out() {
        let (written, bare, tries) = write_all(300, |one, _| one.id == 299 || one.id == 3);
        assert_eq!(written, (0..299).filter(|n| *n != 3).collect::<Vec<_>>());
        assert!(bare.is_empty());
        assert!(tries < 100, "{tries}");
    }

    #[test]
    fn nothing_is_left_out_while_the_store_is_away() {
        let mut results = Results::new(AppId(1), UnderWay::default());
        let away = StoreError::Unavailable("away".into()).into();
        for _ in 0..1000 {
            assert_eq!(results.failed(&away, 1), Verdict::Later);
            assert!(results.are_many());
        }
        assert_eq!(results.search, Search::NONE);
    }
}
