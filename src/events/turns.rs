//! Whose turn it is: how many apps this process serves at the same time, and that those whose servers do not answer
//! never take the turns of those whose servers do.
//!
//! An app that is being served has four places for itself, so nothing that another app's server does can delay its
//! attempts; an app with several busy installations gets more from a pool that all apps share. Of the pool and of the
//! number of apps served, apps that are known not to answer get at most three quarters. An app is known by its latest attempt; one that was not known takes its first turn among the
//! others, and has to give it up after that attempt when the share of the silent is taken.

use std::{collections::HashSet, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::domain::ids::AppId;

/// An app's server answers when its answer, whatever it says, comes within this time.
pub(super) const PROMPT: Duration = Duration::from_secs(1);

/// How many places beyond those of their own the apps share, for each turn there is.
const EXTRA_PER_TURN: usize = 2;

/// The turns of a process.
#[derive(Debug)]
pub(super) struct Turns {
    /// One for each app being served.
    all: Arc<Semaphore>,
    /// Those of them that apps may have that do not answer.
    silent: Arc<Semaphore>,
    /// Apps whose latest attempt was not answered promptly.
    known: Mutex<HashSet<AppId>>,
    /// Places beyond those that each app has for itself.
    extra: Arc<Semaphore>,
    /// Those of them that silent apps may have.
    silent_extra: Arc<Semaphore>,
}

/// The permit of a place beyond an app's own, given back when dropped.
#[derive(Debug)]
pub(super) struct Extra {
    _any: OwnedSemaphorePermit,
    _silent: Option<OwnedSemaphorePermit>,
}

/// An app's turn, given back when dropped.
#[derive(Debug)]
pub(super) struct Turn {
    app: AppId,
    _any: OwnedSemaphorePermit,
    silent: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// So many turns, at least 2.
    pub(super) fn new(count: usize) -> Self {
        let count = count.max(2);
        let silent = (count * 3 / 4).max(1);
        Self {
            all: Arc::new(Semaphore::new(count)),
            silent: Arc::new(Semaphore::new(silent)),
            known: Mutex::default(),
            extra: Arc::new(Semaphore::new(count * EXTRA_PER_TURN)),
            silent_extra: Arc::new(Semaphore::new(count * EXTRA_PER_TURN * 3 / 4)),
        }
    }

    /// Takes a place beyond an app's own if there is one.
    pub(super) fn extra(&self, turn: &Turn) -> Option<Extra> {
        let silent = match turn.silent {
            Some(_) => Some(Arc::clone(&self.silent_extra).try_acquire_owned().ok()?),
            None => None,
        };
        Some(Extra { _any: Arc::clone(&self.extra).try_acquire_owned().ok()?, _silent: silent })
    }

    /// Waits for an app's turn, first come, first served among its like.
    pub(super) async fn take(&self, app: AppId) -> Turn {
        let is_silent = self.known.lock().contains(&app);
        let silent = if is_silent { Some(acquire(&self.silent).await) } else { None };
        Turn { app, _any: acquire(&self.all).await, silent }
    }

    /// Notes whether the server of an app answered. Whether the app may keep its turn.
    pub(super) fn note(&self, turn: &mut Turn, answered: bool) -> bool {
        if answered {
            self.known.lock().remove(&turn.app);
            turn.silent = None;
            return true;
        }
        self.known.lock().insert(turn.app);
        if turn.silent.is_none() {
            turn.silent = Arc::clone(&self.silent).try_acquire_owned().ok();
        }
        turn.silent.is_some()
    }

    /// Whether others may be waiting for what an app has.
    pub(super) fn are_awaited(&self, turn: &Turn) -> bool {
        self.all.available_permits() == 0 || (turn.silent.is_some() && self.silent.available_permits() == 0)
    }
}

async fn acquire(semaphore: &Arc<Semaphore>) -> OwnedSemaphorePermit {
    match Arc::clone(semaphore).acquire_owned().await {
        Ok(permit) => permit,
        // it is never closed
        Err(_) => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    fn take(turns: &Turns, app: i64) -> Option<Turn> {
        turns.take(AppId(app)).now_or_never()
    }

    #[test]
    fn the_silent_leave_a_quarter_to_the_others() {
        let turns = Turns::new(8);
        // more die at the same moment than there are turns for
        let mut dying: Vec<Turn> = (0..8).map(|app| take(&turns, app).unwrap()).collect();
        assert!(take(&turns, 100).is_none(), "nothing is known of any of them");
        let kept: Vec<bool> = dying.iter_mut().map(|turn| turns.note(turn, false)).collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 6);
        dying.retain(|turn| turn.silent.is_some());
        // however many come back: two turns are for those that answer
        assert!(take(&turns, 7).is_none());
        let good = [take(&turns, 100).unwrap(), take(&turns, 101).unwrap()];
        assert!(take(&turns, 102).is_none());
        drop(good);
        assert!(take(&turns, 102).is_some());
        // one that answers again is one of the others
        assert!(turns.note(&mut dying[0], true));
        assert!(take(&turns, 7).is_some());
    }

    #[test]
    fn the_silent_leave_a_quarter_of_the_extra_places() {
        let turns = Turns::new(4);
        let (mut dying, good) = (take(&turns, 1).unwrap(), take(&turns, 2).unwrap());
        assert!(turns.note(&mut dying, false));
        let silent: Vec<_> = std::iter::from_fn(|| turns.extra(&dying)).collect();
        let others: Vec<_> = std::iter::from_fn(|| turns.extra(&good)).collect();
        assert_eq!((silent.len(), others.len()), (6, 2));
        drop(silent);
        assert!(turns.extra(&good).is_some());
    }

    #[test]
    fn turns_are_awaited_by_their_like() {
        let turns = Turns::new(4);
        let mut held: Vec<Turn> = (0..3).map(|app| take(&turns, app).unwrap()).collect();
        assert!(!turns.are_awaited(&held[0]));
        for turn in &mut held {
            assert!(turns.note(turn, false));
        }
        assert!(turns.are_awaited(&held[0]));
        let good = take(&turns, 100).unwrap();
        assert!(turns.are_awaited(&good), "all are taken");
        held.truncate(2);
        assert!(!turns.are_awaited(&good) && !turns.are_awaited(&held[0]));
    }
}
