//! What is known of the replica between two looks at it: whether reads may go to it, and how long it is worth waiting for.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::store::meters;
use crate::store::position::LogPosition;

/// How long a replica that was waited for in vain is not waited for again: the first time, and the longest.
const REST: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// A replica that is behind again so soon is waited for less often.
const SOON: Duration = Duration::from_secs(1);

/// The history that primary and replica share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lineage {
    /// The primary's timeline.
    pub timeline: u32,
    /// What was written on it (`watch`), so that who has it follows this timeline and no other.
    pub mark: i64,
}

/// How far a replica had come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Replayed {
    /// The mark that it had then.
    pub mark: i64,
    /// It has replayed the log up to here.
    pub lsn: u64,
}

/// Why a read that a replica may answer goes to the primary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Miss {
    /// The replica does not answer, is none, or does not follow the primary.
    Unavailable,
    /// It has not replayed what the read must see.
    Behind,
    /// No connection to it was free in time.
    Busy,
    /// It gave the read up for what it had to replay.
    Conflict,
    /// The read failed on it.
    Failed,
    /// The primary's position is not known.
    Position,
}

impl Miss {
    /// The label `reason` of `switchboard_replica_fallbacks_total`.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Behind => "behind",
            Self::Busy => "busy",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
            Self::Position => "position",
        }
    }
}

/// How a read is let through to the replica.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Admitted {
    /// The mark that the replica must have.
    pub mark: i64,
    /// Whether the replica is waited for.
    pub waits: bool,
}

/// The standing of the replica.
#[derive(Default)]
pub(super) struct Standing {
    state: Mutex<State>,
    wake: Notify,
}

#[derive(Default)]
struct State {
    /// None while reads may not go to it.
    lineage: Option<Lineage>,
    /// The log has the loss.
    is_lost: bool,
    /// The furthest it was seen, of this lineage.
    replayed: u64,
    rest: Option<Rest>,
    /// When the last rest ended, and how long it was.
    rested: Option<(Instant, Duration)>,
}

/// While it is not waited for.
#[derive(Clone, Copy)]
struct Rest {
    /// What it was waited for to replay.
    wanted: u64,
    until: Instant,
    length: Duration,
}

impl Standing {
    /// Whether reads may go to the replica at all.
    pub(super) fn is_usable(&self) -> bool {
        self.state.lock().lineage.is_some()
    }

    /// Lets a read through that must see this position.
    pub(super) fn admit(&self, position: LogPosition) -> Result<Admitted, Miss> {
        let state = self.state.lock();
        let lineage = state.lineage.ok_or(Miss::Unavailable)?;
        if lineage.timeline != position.timeline {
            drop(state);
            // after a failover the new timeline has to be marked
            self.wake.notify_one();
            return Err(Miss::Unavailable);
        }
        let (mark, is_there) = (lineage.mark, position.lsn <= state.replayed);
        match state.rest {
            Some(_) if !is_there => Err(Miss::Behind),
            rest => Ok(Admitted { mark, waits: rest.is_none() }),
        }
    }

    /// The replica was seen so far.
    pub(super) fn seen(&self, lsn: u64, now: Instant) {
        let mut state = self.state.lock();
        state.replayed = state.replayed.max(lsn);
        if let Some(rest) = state.rest.filter(|rest| state.replayed >= rest.wanted && now >= rest.until) {
            (state.rest, state.rested) = (None, Some((now, rest.length)));
        }
    }

    /// It was waited for in vain to replay this.
    pub(super) fn waited_in_vain(&self, wanted: u64, now: Instant) {
        let mut state = self.state.lock();
        if state.rest.is_some() {
            return;
        }
        let again = state.rested.filter(|(ended, _)| now.saturating_duration_since(*ended) < SOON);
        let length = again.map_or(REST.0, |(_, before)| (2 * before).min(REST.1));
        state.rest = Some(Rest { wanted, until: now + length, length });
        drop(state);
        self.wake.notify_one();
    }

    /// Whether it is behind and not waited for.
    pub(super) fn is_resting(&self) -> bool {
        self.state.lock().rest.is_some()
    }

    /// A read found that something is wrong with it: it is looked at before the next read goes to it.
    pub(super) fn suspect(&self) {
        self.state.lock().lineage = None;
        self.wake.notify_one();
    }

    /// It has not replayed the mark yet: no read goes to it.
    pub(super) fn awaits_mark(&self) {
        self.state.lock().lineage = None;
    }

    /// It follows the primary: reads may go to it.
    pub(super) fn follows(&self, lineage: Lineage) {
        let mut state = self.state.lock();
        let was_lost = std::mem::take(&mut state.is_lost);
        if state.lineage != Some(lineage) {
            // the new timeline may have begun behind what was replayed of another
            (state.replayed, state.rest) = (0, None);
        }
        state.lineage = Some(lineage);
        drop(state);
        meters::replica_up(true);
        if was_lost {
            tracing::info!("the read replica follows the primary again; reading from it");
        }
    }

    /// It cannot be used; the log has it once.
    pub(super) fn lost(&self, why: &str) {
        let mut state = self.state.lock();
        state.lineage = None;
        let was_lost = std::mem::replace(&mut state.is_lost, true);
        drop(state);
        meters::replica_up(false);
        if !was_lost {
            tracing::warn!(error = why, "the read replica cannot be used; reading from the primary");
        }
    }

    /// Waits until it should be looked at.
    pub(super) async fn woken(&self) {
        self.wake.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEAGE: Lineage = Lineage { timeline: 1, mark: 7 };

    fn at(lsn: u64) -> LogPosition {
        LogPosition { timeline: 1, lsn }
    }

    fn following(replayed: u64) -> Standing {
        let standing = Standing::default();
        standing.follows(LINEAGE);
        standing.seen(replayed, Instant::now());
        standing
    }

    #[test]
    fn only_a_replica_of_the_same_timeline_is_read() {
        let standing = Standing::default();
        assert_eq!(standing.admit(at(0)), Err(Miss::Unavailable), "nobody has looked at it yet");
        standing.follows(LINEAGE);
        assert_eq!(standing.admit(at(5)), Ok(Admitted { mark: 7, waits: true }));
        let failed_over = LogPosition { timeline: 2, lsn: 5 };
        assert_eq!(standing.admit(failed_over), Err(Miss::Unavailable));
        standing.suspect();
        assert_eq!(standing.admit(at(5)), Err(Miss::Unavailable));
        standing.lost("gone");
        standing.follows(LINEAGE);
        assert!(standing.admit(at(5)).is_ok());
    }

    #[test]
    fn a_replica_that_is_behind_is_not_waited_for_twice() {
        let standing = following(10);
        let now = Instant::now();
        standing.waited_in_vain(20, now);
        assert_eq!(standing.admit(at(15)), Err(Miss::Behind));
        assert_eq!(
            standing.admit(at(10)),
            Ok(Admitted { mark: 7, waits: false }),
            "what it has it may answer"
        );
        standing.seen(19, now + REST.0);
        assert!(standing.is_resting(), "it has not come as far as was waited for");
        standing.seen(20, now + REST.0);
        assert_eq!(standing.admit(at(25)), Ok(Admitted { mark: 7, waits: true }));
    }

    #[test]
    fn rests_become_longer_when_it_is_behind_again() {
        let standing = following(0);
        let mut now = Instant::now();
        let mut lengths = Vec::new();
        for turn in 1..8 {
            standing.waited_in_vain(turn, now);
            let before = now;
            while standing.is_resting() {
                now += Duration::from_millis(50);
                standing.seen(turn, now);
            }
            lengths.push((now - before).as_millis());
        }
        assert_eq!(lengths, [100, 200, 400, 800, 1600, 2000, 2000]);
        now += SOON;
        standing.waited_in_vain(99, now);
        standing.seen(99, now + REST.0);
        assert!(!standing.is_resting(), "after a while it is the shortest again");
    }

    #[test]
    fn another_lineage_begins_anew() {
        let standing = following(100);
        standing.follows(Lineage { timeline: 2, mark: 9 });
        standing.waited_in_vain(60, Instant::now());
        let position = LogPosition { timeline: 2, lsn: 50 };
        assert_eq!(standing.admit(position), Err(Miss::Behind), "what was replayed before does not count");
    }
}
