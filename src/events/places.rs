//! The open attempts of one app. Each is a task of its own, so its time is its own whatever the lane waits for.
//!
//! Four places are the app's own; each further one holds a permit of those that all apps of the process share.

use std::{collections::HashMap, future::pending, sync::Arc};

use tokio::task::{Id, JoinError, JoinSet};

use super::{
    OPEN_PER_APP, OWN_PLACES, Shared, attempt,
    lease::Right,
    turns::{Extra, Turn},
};
use crate::{
    domain::ids::{AppId, EventId, InstallationId},
    store::deliveries::{Attempt, Due, Queue},
};

/// The attempts. They end with this.
pub(super) struct Places {
    shared: Arc<Shared>,
    app: AppId,
    tasks: JoinSet<Option<Attempt>>,
    open: HashMap<Id, Open>,
    /// How many attempts of an installation are open, and how many of these are repeated ones.
    of: HashMap<InstallationId, (usize, usize)>,
    /// Permits of the places beyond the app's own.
    extra: Vec<Extra>,
}

#[derive(Clone, Copy)]
struct Open {
    event: EventId,
    installation: InstallationId,
    queue: Queue,
}

/// An attempt that has ended.
pub(super) struct Landed {
    pub(super) event: EventId,
    pub(super) installation: InstallationId,
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
        Self {
            shared,
            app,
            tasks: JoinSet::new(),
            open: HashMap::new(),
            of: HashMap::new(),
            extra: Vec::new(),
        }
    }

    /// How many attempts are open.
    pub(super) fn taken(&self) -> usize {
        self.open.len()
    }

    /// How many attempts of an installation are open, and how many of these are repeated ones.
    pub(super) fn of(&self, installation: InstallationId) -> (usize, usize) {
        self.of.get(&installation).copied().unwrap_or_default()
    }

    /// The installations with open attempts, and how many each has.
    pub(super) fn open(&self) -> impl Iterator<Item = (InstallationId, usize)> {
        self.of.iter().map(|(id, (open, _))| (*id, *open))
    }

    /// Takes permits for up to `most` places, as far as there are any; returns how many places are free. Permits that are
    /// not used go back with [`Places::settle`].
    pub(super) fn free(&mut self, turn: &Turn, most: usize) -> usize {
        while OWN_PLACES + self.extra.len() < OPEN_PER_APP.min(most) {
            let Some(extra) = self.shared.turns.extra(turn) else { break };
            self.extra.push(extra);
        }
        (OWN_PLACES + self.extra.len()).saturating_sub(self.taken())
    }

    /// Gives back the permits of places that are not taken.
    pub(super) fn settle(&mut self) {
        let needed = self.taken().saturating_sub(OWN_PLACES);
        self.extra.truncate(needed);
    }

    /// Begins an attempt, which has `id` in the log. Between now and the task's first step the lease may be lost: so it
    /// looks again.
    pub(super) fn begin(&mut self, right: Right, queue: Queue, id: i64, due: Due, url: String) {
        let (shared, app) = (Arc::clone(&self.shared), self.app);
        let open = Open { event: due.id, installation: due.installation_id, queue };
        let attempt = async move {
            right.then(|| async move { attempt::make(&shared, app, id, due, url).await }).await
        };
        let task = self.tasks.spawn(attempt);
        self.open.insert(task.id(), open);
        let of = self.of.entry(open.installation).or_default();
        of.0 += 1;
        of.1 += usize::from(queue == Queue::Again);
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
        let Open { event, installation, queue } = self.open.remove(&id)?;
        if let Some(of) = self.of.get_mut(&installation) {
            of.0 -= 1;
            of.1 -= usize::from(queue == Queue::Again);
            if of.0 == 0 {
                self.of.remove(&installation);
            }
        }
        Some(Landed { event, installation, queue, end })
    }
}
