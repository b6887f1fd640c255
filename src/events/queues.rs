//! How far an app's two queues have been read: first attempts, and repeated ones.
//!
//! A queue is read from its beginning. What comes in while a lane is open comes in at the end, so from then on only the
//! end is read again at each news, and the whole about four times a second: on PostgreSQL what was delivered stays in
//! the index as dead entries until the next vacuum, and a lane that stepped over all of them at each news would do little
//! else.

use std::time::Duration;

use crate::{
    domain::{
        ids::{AppId, EventId},
        time::Timestamp,
    },
    store::{
        Op, Result, Sql,
        deliveries::{self, Due, Queue},
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

/// Reads what is next in both queues.
pub(super) struct NextDue {
    pub(super) app: AppId,
    pub(super) now: Timestamp,
    /// After which, and how many at most.
    pub(super) first: (Position, usize),
    pub(super) again: (Position, usize),
}

impl Op for NextDue {
    const NAME: &'static str = "next_due_events";
    type Out = (Vec<Due>, Vec<Due>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut read = [Vec::new(), Vec::new()];
        for (into, queue, (after, limit)) in [(0, Queue::First, self.first), (1, Queue::Again, self.again)] {
            if limit > 0 {
                let limit = i64::try_from(limit).unwrap_or(i64::MAX);
                read[into] = deliveries::due(c, self.app, queue, after, self.now, limit).await?;
            }
        }
        let [first, again] = read;
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
