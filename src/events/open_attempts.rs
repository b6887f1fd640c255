//! The open attempts of an app. Each attempt runs in a task of its own, so that its measured time does not include
//! times in which the worker waits for something else.
//!
//! Four attempt slots are reserved for the app. Each further slot needs a permit of the pool that all apps of the
//! process share.

use std::{collections::HashMap, future::pending, sync::Arc};

use tokio::task::{Id, JoinError, JoinSet};

use super::{
    OPEN_PER_APP, RESERVED_SLOTS, SharedDelivery,
    app_slots::{AppSlot, ExtraSlot},
    attempt::{self, Ready},
    lease::LeaseValidity,
};
use crate::domain::{
    delivery::{Attempt, EventQueue},
    ids::{AppId, EventId, InstallationId},
};

/// The open attempts. Dropping the value aborts them.
pub(super) struct OpenAttempts {
    shared: Arc<SharedDelivery>,
    app: AppId,
    tasks: JoinSet<Option<Attempt>>,
    open: HashMap<Id, OpenAttempt>,
    /// Number of open attempts per installation, and how many of them are retries.
    of: HashMap<InstallationId, (usize, usize)>,
    /// Permits of the slots that the app has in addition to the reserved slots.
    extra: Vec<ExtraSlot>,
}

#[derive(Clone, Copy)]
struct OpenAttempt {
    event: EventId,
    installation: InstallationId,
    queue: EventQueue,
}

/// The free slots of an app.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeSlots {
    pub(super) count: usize,
    /// Whether the app could use more slots, but the shared pool had no further slot for the app.
    pub(super) is_pool_exhausted: bool,
}

/// A finished attempt.
pub(super) struct FinishedAttempt {
    pub(super) event: EventId,
    pub(super) installation: InstallationId,
    pub(super) queue: EventQueue,
    pub(super) end: AttemptEnd,
}

/// How an attempt ended.
pub(super) enum AttemptEnd {
    /// The event was delivered, or the attempt failed.
    Completed(Attempt),
    /// The event was not sent, for one of these reasons:
    ///
    /// - The lease could have expired before the end of the attempt, or another process has taken the lease.
    /// - The installation was disconnected before the body was sent.
    /// - The check of the installation failed or took too long.
    NotSent,
    /// The attempt panicked, so its result is unknown.
    Panicked,
}

impl OpenAttempts {
    pub(super) fn new(shared: Arc<SharedDelivery>, app: AppId) -> Self {
        Self {
            shared,
            app,
            tasks: JoinSet::new(),
            open: HashMap::new(),
            of: HashMap::new(),
            extra: Vec::new(),
        }
    }

    /// Returns the number of open attempts.
    pub(super) fn count(&self) -> usize {
        self.open.len()
    }

    /// Returns the number of open attempts of an installation, and how many of them are retries.
    pub(super) fn of(&self, installation: InstallationId) -> (usize, usize) {
        self.of.get(&installation).copied().unwrap_or_default()
    }

    /// Returns the installations with open attempts, each with the number of its open attempts.
    pub(super) fn open(&self) -> impl Iterator<Item = (InstallationId, usize)> {
        self.of.iter().map(|(id, (open, _))| (*id, *open))
    }

    /// Acquires permits until the app has `most` slots, but at most [`OPEN_PER_APP`], or until the pool has no further
    /// slot for the app. Returns the free slots, including reserved slots. [`OpenAttempts::release_unused`] releases
    /// unused permits.
    pub(super) fn reserve_slots(&mut self, slot: &AppSlot, most: usize) -> FreeSlots {
        let mut is_pool_exhausted = false;
        while !is_pool_exhausted && RESERVED_SLOTS + self.extra.len() < OPEN_PER_APP.min(most) {
            match self.shared.app_slots.try_extra(slot) {
                Some(extra) => self.extra.push(extra),
                None => is_pool_exhausted = true,
            }
        }
        let count = (RESERVED_SLOTS + self.extra.len()).saturating_sub(self.count());
        FreeSlots { count, is_pool_exhausted }
    }

    /// Releases unused permits.
    pub(super) fn release_unused(&mut self) {
        let needed = self.count().saturating_sub(RESERVED_SLOTS);
        self.extra.truncate(needed);
    }

    /// Starts an attempt. `id` is the attempt's id in the delivery log. The lease can be lost before the attempt's task
    /// first runs, so the task checks the lease again.
    pub(super) fn begin(&mut self, validity: LeaseValidity, queue: EventQueue, id: i64, ready: Ready) {
        let (shared, app) = (Arc::clone(&self.shared), self.app);
        let open = OpenAttempt { event: ready.event.id, installation: ready.event.installation_id, queue };
        let attempt = async move {
            validity.then(|| async move { attempt::make(&shared, app, id, ready).await }).await.flatten()
        };
        let task = self.tasks.spawn(attempt);
        self.open.insert(task.id(), open);
        let of = self.of.entry(open.installation).or_default();
        of.0 += 1;
        of.1 += usize::from(queue == EventQueue::Retries);
    }

    /// Waits for an attempt to finish. If no attempt is open, waits forever.
    pub(super) async fn next(&mut self) -> FinishedAttempt {
        loop {
            let Some(ended) = self.tasks.join_next_with_id().await else { return pending().await };
            if let Some(finished) = self.finish(ended) {
                return finished;
            }
        }
    }

    /// Returns an attempt that has already finished, without waiting; `None` if there is none.
    pub(super) fn try_next(&mut self) -> Option<FinishedAttempt> {
        let ended = self.tasks.try_join_next_with_id()?;
        self.finish(ended)
    }

    fn finish(&mut self, ended: Result<(Id, Option<Attempt>), JoinError>) -> Option<FinishedAttempt> {
        let (id, end) = match ended {
            Ok((id, Some(attempt))) => (id, AttemptEnd::Completed(attempt)),
            Ok((id, None)) => (id, AttemptEnd::NotSent),
            Err(error) => (error.id(), AttemptEnd::Panicked),
        };
        let OpenAttempt { event, installation, queue } = self.open.remove(&id)?;
        if let Some(of) = self.of.get_mut(&installation) {
            of.0 -= 1;
            of.1 -= usize::from(queue == EventQueue::Retries);
            if of.0 == 0 {
                self.of.remove(&installation);
            }
        }
        Some(FinishedAttempt { event, installation, queue, end })
    }
}
