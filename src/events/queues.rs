//! How far an installation's two queues have been read: first attempts, and repeated ones.
//!
//! A queue is read from its beginning. What comes in while a lane is open comes in at the end, so from then on only the
//! end is read again at each news, and the whole about four times a second: on PostgreSQL what was delivered stays in
//! the index as dead entries until the next vacuum, and a lane that stepped over all of them at each news would do little
//! else.

use std::time::Duration;

use crate::{
    domain::{
        ids::{AppId, EventId, InstallationId},
        time::Timestamp,
    },
    store::{
        Op, Result, Sql,
        deliveries::{self, After, Due, Queue},
    },
};

/// How far before the last event read another may come in: commits overtake each other.
const OVERLAP: Duration = Duration::from_secs(1);

/// A place in a queue.
pub(super) type Position = (Timestamp, EventId);

/// Before every event.
const BEGINNING: Position = (Timestamp(i64::MIN), EventId(0));

/// How far a queue has been read.
#[derive(Debug)]
pub(super) struct Walk {
    after: Position,
    /// The farthest it has ever come.
    farthest: Position,
    /// Nothing was left.
    done: bool,
    /// Something may have come in before `after` since the walk began.
    stale: bool,
}

impl Walk {
    pub(super) const fn new() -> Self {
        Self { after: BEGINNING, farthest: BEGINNING, done: false, stale: false }
    }

    pub(super) const fn after(&self) -> Position {
        self.after
    }

    pub(super) const fn is_done(&self) -> bool {
        self.done
    }

    /// An event was passed.
    pub(super) fn pass(&mut self, position: Position) {
        self.after = position;
        self.farthest = self.farthest.max(position);
    }

    /// Something has come in, at the end unless a commit was overtaken.
    pub(super) fn refresh(&mut self) {
        if self.done {
            self.after = self.near_the_end();
            self.done = false;
        } else {
            self.stale = true;
        }
    }

    /// Something may be anywhere.
    pub(super) fn restart(&mut self) {
        self.after = BEGINNING;
        self.done = false;
        self.stale = false;
    }

    /// The end was reached.
    pub(super) fn end(&mut self) {
        self.done = !std::mem::take(&mut self.stale);
        self.after = self.near_the_end();
    }

    fn near_the_end(&self) -> Position {
        if self.farthest == BEGINNING { BEGINNING } else { (self.farthest.0 - OVERLAP, EventId(0)) }
    }
}

/// Reads what is due of some installations of an app, and which other installations have due events.
pub(super) struct NextDue {
    pub(super) app: AppId,
    pub(super) now: Timestamp,
    pub(super) first: Wanted,
    pub(super) again: Wanted,
}

/// What is read of the first attempts, or of the repeated ones.
#[derive(Clone, Default)]
pub(super) struct Wanted {
    /// Positions, one of each installation.
    pub(super) after: Vec<After>,
    /// Most events of each.
    pub(super) limit: usize,
    /// After which installation others are looked for, and how many steps are taken.
    pub(super) search: Option<(InstallationId, usize)>,
}

/// What was read of a queue.
pub(super) struct Found {
    pub(super) events: Vec<Due>,
    /// Installations in the order of their ids, and whether each has a due event.
    pub(super) installations: Vec<(InstallationId, bool)>,
}

impl NextDue {
    async fn read<C: Sql>(&self, c: &mut C, queue: Queue, wanted: &Wanted) -> Result<Found> {
        let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
        let events = match wanted.after.is_empty() {
            true => Vec::new(),
            false => {
                deliveries::due(c, self.app, queue, &wanted.after, self.now, count(wanted.limit)).await?
            }
        };
        let installations = match wanted.search {
            None => Vec::new(),
            Some((after, steps)) => {
                deliveries::installations(c, self.app, queue, after, self.now, count(steps)).await?
            }
        };
        Ok(Found { events, installations })
    }
}

impl Op for NextDue {
    const NAME: &'static str = "next_due_events";
    /// Of first and of repeated attempts.
    type Out = (Found, Found);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let first = self.read(c, Queue::First, &self.first).await?;
        let again = self.read(c, Queue::Again, &self.again).await?;
        Ok((first, again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Position {
        (Timestamp::from_seconds(seconds), EventId(seconds))
    }

    #[test]
    fn news_are_looked_for_near_the_end() {
        let mut walk = Walk::new();
        walk.end();
        assert!(walk.is_done() && walk.after() == BEGINNING, "nothing was there");
        walk.refresh();
        walk.pass(at(100));
        walk.end();
        walk.refresh();
        assert_eq!((walk.after(), walk.is_done()), ((Timestamp::from_seconds(99), EventId(0)), false));
        // the end is never nearer because an earlier one was read again
        walk.pass(at(99));
        walk.end();
        walk.refresh();
        assert_eq!(walk.after().0, Timestamp::from_seconds(99));
        walk.restart();
        assert_eq!((walk.after(), walk.is_done()), (BEGINNING, false));
    }

    #[test]
    fn what_comes_in_during_a_walk_is_read_after_it() {
        let mut walk = Walk::new();
        walk.pass(at(100));
        walk.refresh();
        assert_eq!(walk.after(), at(100), "the walk goes on");
        walk.end();
        assert!(!walk.is_done());
        walk.end();
        assert!(walk.is_done());
    }
}
