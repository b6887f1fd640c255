//! Reading positions in the two queues of an installation: first attempts, and retries.
//!
//! A queue is first read from its beginning. New events are appended at the end, so after a notification of new events
//! only the end is read. Reading the whole queue at each notification would be slow: on PostgreSQL, delivered events
//! remain in the index as dead entries until the next vacuum, and each read of the whole queue scans these entries. So
//! the whole queue is read only about four times a second, and after an attempt that panicked or sent nothing.

use std::time::Duration;

use crate::domain::{ids::EventId, time::Timestamp};

/// Transactions do not commit in the order of their times. So a new event can have an earlier time than an event that
/// was already read. A read of new events begins this much before the highest position that was reached.
const OVERLAP: Duration = Duration::from_secs(1);

/// A position in a queue.
pub(super) type Position = (Timestamp, EventId);

/// The position before every event.
const BEGINNING: Position = (Timestamp(i64::MIN), EventId(0));

/// The reading position of a queue.
#[derive(Debug)]
pub(super) struct QueueReader {
    after: Position,
    /// The highest position that was ever reached.
    farthest: Position,
    /// Whether the end of the queue was reached.
    done: bool,
    /// Whether events may have been inserted before `after` since this pass over the queue began.
    stale: bool,
}

impl QueueReader {
    pub(super) const fn new() -> Self {
        Self { after: BEGINNING, farthest: BEGINNING, done: false, stale: false }
    }

    pub(super) const fn after(&self) -> Position {
        self.after
    }

    pub(super) const fn is_done(&self) -> bool {
        self.done
    }

    /// Advances past an event.
    pub(super) fn advance_past(&mut self, position: Position) {
        self.after = position;
        self.farthest = self.farthest.max(position);
    }

    /// Prepares to read new events. They are at the end of the queue, or up to [`OVERLAP`] before the end.
    pub(super) fn refresh(&mut self) {
        if self.done {
            self.after = self.near_the_end();
            self.done = false;
        } else {
            self.stale = true;
        }
    }

    /// Restarts at the beginning of the queue. Called if due events may be anywhere in the queue.
    pub(super) fn restart(&mut self) {
        self.after = BEGINNING;
        self.done = false;
        self.stale = false;
    }

    /// Records that the end of the queue was reached. If events may have been inserted during the pass, the end is read
    /// once more.
    pub(super) fn end(&mut self) {
        self.done = !std::mem::take(&mut self.stale);
        self.after = self.near_the_end();
    }

    fn near_the_end(&self) -> Position {
        if self.farthest == BEGINNING { BEGINNING } else { (self.farthest.0 - OVERLAP, EventId(0)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Position {
        (Timestamp::from_seconds(seconds), EventId(seconds))
    }

    #[test]
    fn new_events_are_read_near_the_end() {
        let mut reader = QueueReader::new();
        reader.end();
        assert!(
            reader.is_done() && reader.after() == BEGINNING,
            "an empty queue is next read from its beginning"
        );
        reader.refresh();
        reader.advance_past(at(100));
        reader.end();
        reader.refresh();
        assert_eq!((reader.after(), reader.is_done()), ((Timestamp::from_seconds(99), EventId(0)), false));
        // reading an earlier event again does not move the end backwards
        reader.advance_past(at(99));
        reader.end();
        reader.refresh();
        assert_eq!(reader.after().0, Timestamp::from_seconds(99));
        reader.restart();
        assert_eq!((reader.after(), reader.is_done()), (BEGINNING, false));
    }

    #[test]
    fn events_inserted_during_a_pass_are_read_in_the_next() {
        let mut reader = QueueReader::new();
        reader.advance_past(at(100));
        reader.refresh();
        assert_eq!(reader.after(), at(100), "a refresh does not interrupt a pass");
        reader.end();
        assert!(!reader.is_done());
        reader.end();
        assert!(reader.is_done());
    }
}
