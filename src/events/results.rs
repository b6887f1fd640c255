//! What became of attempts, on its way into the store: written in the order they ended, together when several wait,
//! while the next attempts are already under way.

use std::{collections::HashSet, sync::Arc, time::Duration};

use futures_util::future::{BoxFuture, FutureExt};

use super::Shared;
use crate::{
    domain::ids::{AppId, EventId},
    store::{
        Op, Result, Sql,
        deliveries::{self, Attempt},
    },
};

/// How many results are written in one transaction.
const AT_ONCE: usize = 128;
/// How many may wait before no more attempts are begun.
const MOST: usize = 256;
/// The pause after they could not be written.
const AFTER_FAILURE: Duration = Duration::from_millis(250);

/// The results of one app.
pub(super) struct Results {
    app: AppId,
    waiting: Vec<Attempt>,
    writing: Option<BoxFuture<'static, Written>>,
    /// Events with an open attempt or a result that is not written: in the table they look as if they were due.
    held: HashSet<EventId>,
    failing: bool,
}

/// A batch, and how many of it the store took.
struct Written {
    batch: Arc<[Attempt]>,
    result: Result<usize>,
}

impl Results {
    pub(super) fn new(app: AppId) -> Self {
        Self { app, waiting: Vec::new(), writing: None, held: HashSet::new(), failing: false }
    }

    /// Notes that an attempt has begun.
    pub(super) fn hold(&mut self, event: EventId) {
        self.held.insert(event);
    }

    pub(super) fn holds(&self, event: EventId) -> bool {
        self.held.contains(&event)
    }

    /// How many events are held.
    pub(super) fn held(&self) -> usize {
        self.held.len()
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
        let batch: Arc<[Attempt]> = self.waiting.drain(..self.waiting.len().min(AT_ONCE)).collect();
        let (shared, app, again) = (Arc::clone(shared), self.app, self.failing);
        self.writing = Some(
            async move {
                if again {
                    shared.world.clock.pause(AFTER_FAILURE).await;
                }
                let result = shared.world.db.write(RecordAttempts { app, batch: Arc::clone(&batch) }).await;
                Written { batch, result }
            }
            .boxed(),
        );
    }

    /// Waits until the batch under way is written; forever when there is none. What could not be written waits for
    /// the next try.
    pub(super) async fn written(&mut self, shared: &Shared) {
        let Some(writing) = &mut self.writing else { return std::future::pending().await };
        let Written { batch, result } = writing.await;
        self.writing = None;
        match result {
            Ok(taken) => {
                self.failing = false;
                for attempt in batch.iter() {
                    self.held.remove(&attempt.event_id);
                }
                if taken < batch.len() {
                    tracing::warn!(
                        app = self.app.encode(),
                        overtaken = batch.len() - taken,
                        "another process had delivered the same events"
                    );
                }
                shared.settled.notify_waiters();
            }
            Err(error) => {
                if !self.failing {
                    tracing::error!(app = self.app.encode(), %error, "results of deliveries cannot be written");
                }
                self.failing = true;
                self.waiting.splice(..0, batch.iter().cloned());
            }
        }
    }
}

struct RecordAttempts {
    app: AppId,
    batch: Arc<[Attempt]>,
}

impl Op for RecordAttempts {
    const NAME: &'static str = "record_attempts";
    /// How many were taken: those that no other process had made before.
    type Out = usize;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<usize> {
        let mut taken = 0;
        for attempt in self.batch.iter() {
            taken += usize::from(deliveries::record(c, self.app, attempt).await?);
        }
        Ok(taken)
    }
}
