//! The open attempts of one app. Each is a task of its own, so its time is its own whatever the lane waits for.

use std::{collections::HashMap, future::pending, sync::Arc};

use tokio::task::{Id, JoinError, JoinSet};

use super::{Shared, attempt, lease::Right};
use crate::{
    domain::ids::{AppId, EventId},
    store::deliveries::{Attempt, Due, Queue},
};

/// The attempts. They end with this.
pub(super) struct Places {
    shared: Arc<Shared>,
    app: AppId,
    tasks: JoinSet<Option<Attempt>>,
    open: HashMap<Id, (EventId, Queue)>,
}

/// An attempt that has ended.
pub(super) struct Landed {
    pub(super) event: EventId,
    pub(super) queue: Queue,
    pub(super) end: End,
}

/// How it ended.
pub(super) enum End {
    /// The app's server was asked, and this came of it.
    Made(Attempt),
    /// It was not begun, for the lease might have ended before it.
    NotBegun,
    /// It panicked; nobody knows what came of it.
    Broken,
}

impl Places {
    pub(super) fn new(shared: Arc<Shared>, app: AppId) -> Self {
        Self { shared, app, tasks: JoinSet::new(), open: HashMap::new() }
    }

    /// How many attempts are open.
    pub(super) fn taken(&self) -> usize {
        self.open.len()
    }

    /// How many of them are repeated ones.
    pub(super) fn repeated(&self) -> usize {
        self.open.values().filter(|(_, queue)| *queue == Queue::Again).count()
    }

    /// Begins an attempt, which has `id` in the log. Between now and the task's first step the lease may be lost: so it
    /// looks again.
    pub(super) fn begin(&mut self, right: Right, queue: Queue, id: i64, due: Due, url: String) {
        let (shared, app, event) = (Arc::clone(&self.shared), self.app, due.id);
        let attempt = async move {
            right.then(|| async move { attempt::make(&shared, app, id, due, url).await }).await
        };
        let task = self.tasks.spawn(attempt);
        self.open.insert(task.id(), (event, queue));
    }

    /// Waits for one to end; for ever when none is open.
    pub(super) async fn next(&mut self) -> Landed {
        loop {
            let Some(ended) = self.tasks.join_next_with_id().await else { return pending().await };
            if let Some(landed) = self.land(ended) {
                return landed;
            }
        }
    }

    /// One that has ended already.
    pub(super) fn ready(&mut self) -> Option<Landed> {
        let ended = self.tasks.try_join_next_with_id()?;
        self.land(ended)
    }

    fn land(&mut self, ended: Result<(Id, Option<Attempt>), JoinError>) -> Option<Landed> {
        let (id, end) = match ended {
            Ok((id, Some(attempt))) => (id, End::Made(attempt)),
            Ok((id, None)) => (id, End::NotBegun),
            Err(error) => (error.id(), End::Broken),
        };
        let (event, queue) = self.open.remove(&id)?;
        Some(Landed { event, queue, end })
    }
}
