//! The last known state of the replica. It decides whether reads may use the replica, and whether a read may wait until
//! the replica has caught up with the primary.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::store::engine::log_position::LogPosition;
use crate::store::engine::meters;

/// The length of the first backoff, and the greatest length. A backoff begins when a read has waited for the replica
/// and the wait has timed out. During a backoff, reads do not wait for the replica to catch up. A backoff ends when its
/// length has passed and the replica has replayed the position for which the wait timed out.
const BACKOFF: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(2));

/// If a wait times out within this time after the end of a backoff, the length of the next backoff is twice the length
/// of the previous backoff, up to the greatest length.
const SOON: Duration = Duration::from_secs(1);

/// The timeline of the primary's log, and the *mark* that proves that a replica follows this timeline. A mark is a
/// number that Switchboard writes on each timeline (see `watch`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lineage {
    /// The primary's timeline.
    pub timeline: u32,
    /// The mark that was written on this timeline. If a replica has the mark, it has replayed this timeline up to the
    /// mark.
    pub mark: i64,
}

/// A replay position that a replica has reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Replayed {
    /// The mark that the replica reported together with the position.
    pub mark: i64,
    /// The log position up to which the replica has replayed.
    pub lsn: u64,
}

/// Why the primary answers a read that a replica may answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReplicaMiss {
    /// The replica does not respond, is not a standby, or does not follow the primary.
    Unavailable,
    /// The replica has not replayed what the read must see.
    Behind,
    /// No connection to the replica was free in time.
    Busy,
    /// The read failed because of a replication conflict, or because the plan of a prepared statement was outdated. The
    /// connection is still usable.
    Conflict,
    /// The read failed on the replica for another reason.
    Failed,
    /// The position of the primary's log is unknown.
    Position,
    /// The read checks a membership, and the position of the primary's log that the read uses was queried more than
    /// `as_of::CURRENT` (120 ms) ago.
    Late,
}

impl ReplicaMiss {
    /// Returns the label `reason` of `switchboard_replica_fallbacks_total`.
    pub(super) const fn reason(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Behind => "behind",
            Self::Busy => "busy",
            Self::Conflict => "conflict",
            Self::Failed => "failed",
            Self::Position => "position",
            Self::Late => "late",
        }
    }
}

/// How a read uses the replica.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AdmittedRead {
    /// The mark that the replica must have.
    pub mark: i64,
    /// Whether the read may wait for the replica to catch up.
    pub waits: bool,
}

/// The last known state of the replica.
#[derive(Default)]
pub(super) struct ReplicaState {
    state: Mutex<FollowState>,
    wake: Notify,
}

#[derive(Default)]
struct FollowState {
    /// The lineage that the replica follows. `None` if reads must not use the replica.
    lineage: Option<Lineage>,
    /// Whether it was logged that the replica is excluded.
    is_loss_logged: bool,
    /// The highest replay position that the replica has reported. It is reset to 0 when the replica is admitted after
    /// an exclusion, or on another lineage.
    replayed: u64,
    backoff: Option<Backoff>,
    /// When the previous backoff ended, and its length.
    last_backoff: Option<(Instant, Duration)>,
}

impl FollowState {
    /// Sets the lineage, and the metric that reports whether reads may use the replica.
    fn follow(&mut self, lineage: Option<Lineage>) {
        self.lineage = lineage;
        meters::replica_up(lineage.is_some());
    }
}

/// A period in which reads do not wait for the replica to catch up.
#[derive(Clone, Copy)]
struct Backoff {
    /// The log position for which a wait timed out.
    wanted: u64,
    until: Instant,
    length: Duration,
}

impl ReplicaState {
    /// Returns whether reads may use the replica.
    pub(super) fn is_usable(&self) -> bool {
        self.state.lock().lineage.is_some()
    }

    /// Decides whether a read that needs the log up to `position` uses the replica, and whether the read may wait.
    pub(super) fn admit(&self, position: LogPosition) -> Result<AdmittedRead, ReplicaMiss> {
        let state = self.state.lock();
        let lineage = state.lineage.ok_or(ReplicaMiss::Unavailable)?;
        if lineage.timeline != position.timeline {
            drop(state);
            // after a failover, the primary is on another timeline; a check must write a mark on that timeline
            self.wake.notify_one();
            return Err(ReplicaMiss::Unavailable);
        }
        let (mark, has_position) = (lineage.mark, position.lsn <= state.replayed);
        match state.backoff {
            Some(_) if !has_position => Err(ReplicaMiss::Behind),
            backoff => Ok(AdmittedRead { mark, waits: backoff.is_none() }),
        }
    }

    /// Records a replay position that the replica has reported at `now`. Ends the backoff if the replica has replayed
    /// the position for which the wait timed out, and if the backoff's length has passed.
    pub(super) fn note_replayed(&self, lsn: u64, now: Instant) {
        let mut state = self.state.lock();
        state.replayed = state.replayed.max(lsn);
        if let Some(backoff) =
            state.backoff.filter(|backoff| state.replayed >= backoff.wanted && now >= backoff.until)
        {
            (state.backoff, state.last_backoff) = (None, Some((now, backoff.length)));
        }
    }

    /// Records that a read waited for the position `wanted` and timed out. Starts a backoff if none is in progress.
    pub(super) fn note_timeout(&self, wanted: u64, now: Instant) {
        let mut state = self.state.lock();
        if state.backoff.is_some() {
            return;
        }
        let recent = state.last_backoff.filter(|(ended, _)| now.saturating_duration_since(*ended) < SOON);
        let length = recent.map_or(BACKOFF.0, |(_, before)| (2 * before).min(BACKOFF.1));
        state.backoff = Some(Backoff { wanted, until: now + length, length });
        drop(state);
        self.wake.notify_one();
    }

    /// Returns whether a backoff is in progress.
    pub(super) fn is_backing_off(&self) -> bool {
        self.state.lock().backoff.is_some()
    }

    /// Excludes the replica because a read could not use it, and logs nothing. Requests a check, which admits the
    /// replica again if it is usable.
    pub(super) fn suspect(&self) {
        self.state.lock().follow(None);
        self.wake.notify_one();
    }

    /// Excludes the replica until a check admits it again, and logs nothing. To be called if the replica has not yet
    /// replayed the mark, or if the position of the primary's log is unknown.
    pub(super) fn await_mark(&self) {
        self.state.lock().follow(None);
    }

    /// Admits the replica, because it follows the primary on this lineage.
    pub(super) fn admit_reads(&self, lineage: Lineage) {
        let mut state = self.state.lock();
        let was_loss_logged = std::mem::take(&mut state.is_loss_logged);
        if state.lineage != Some(lineage) {
            // positions of another timeline say nothing about this timeline, which can begin at a lower position
            (state.replayed, state.backoff) = (0, None);
        }
        state.follow(Some(lineage));
        drop(state);
        if was_loss_logged {
            tracing::info!("the read replica follows the primary again; reading from it");
        }
    }

    /// Excludes the replica until a check admits it again. Logs the reason if no exclusion was logged since the replica
    /// was last admitted.
    pub(super) fn exclude(&self, why: &str) {
        let mut state = self.state.lock();
        state.follow(None);
        let was_loss_logged = std::mem::replace(&mut state.is_loss_logged, true);
        drop(state);
        if !was_loss_logged {
            tracing::warn!(error = why, "the read replica is unusable; reading from the primary");
        }
    }

    /// Waits until a check of the replica is requested.
    pub(super) async fn check_requested(&self) {
        self.wake.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::*;
    use crate::platform::metrics::REPLICA_UP;

    const LINEAGE: Lineage = Lineage { timeline: 1, mark: 7 };

    fn at(lsn: u64) -> LogPosition {
        LogPosition { timeline: 1, lsn }
    }

    fn following(replayed: u64) -> ReplicaState {
        let state = ReplicaState::default();
        state.admit_reads(LINEAGE);
        state.note_replayed(replayed, Instant::now());
        state
    }

    #[test]
    fn a_read_uses_only_an_admitted_replica_on_its_own_timeline() {
        let state = ReplicaState::default();
        let unchecked = state.admit(at(0));
        assert_eq!(unchecked, Err(ReplicaMiss::Unavailable), "no read uses a replica before its first check");
        state.admit_reads(LINEAGE);
        assert_eq!(state.admit(at(5)), Ok(AdmittedRead { mark: 7, waits: true }));
        let failed_over = LogPosition { timeline: 2, lsn: 5 };
        assert_eq!(state.admit(failed_over), Err(ReplicaMiss::Unavailable));
        state.suspect();
        assert_eq!(state.admit(at(5)), Err(ReplicaMiss::Unavailable));
        state.exclude("removed");
        state.admit_reads(LINEAGE);
        assert!(state.admit(at(5)).is_ok());
    }

    #[test]
    fn the_metric_reports_each_exclusion() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            let state = ReplicaState::default();
            let excludes: [fn(&ReplicaState); 3] =
                [ReplicaState::suspect, ReplicaState::await_mark, |state| state.exclude("removed")];
            for exclude in excludes {
                state.admit_reads(LINEAGE);
                assert!(handle.render().contains(&format!("{REPLICA_UP} 1")), "{}", handle.render());
                exclude(&state);
                assert!(handle.render().contains(&format!("{REPLICA_UP} 0")), "{}", handle.render());
            }
        });
    }

    #[test]
    fn reads_do_not_wait_during_a_backoff() {
        let state = following(10);
        let now = Instant::now();
        state.note_timeout(20, now);
        assert_eq!(state.admit(at(15)), Err(ReplicaMiss::Behind));
        assert_eq!(
            state.admit(at(10)),
            Ok(AdmittedRead { mark: 7, waits: false }),
            "a replica that has the position answers during a backoff"
        );
        state.note_replayed(19, now + BACKOFF.0);
        assert!(
            state.is_backing_off(),
            "a backoff lasts until the replica has replayed the position for which the wait timed out"
        );
        state.note_replayed(20, now + BACKOFF.0);
        assert_eq!(state.admit(at(25)), Ok(AdmittedRead { mark: 7, waits: true }));
    }

    #[test]
    fn the_backoff_grows_when_the_replica_lags_again() {
        let state = following(0);
        let mut now = Instant::now();
        let mut lengths = Vec::new();
        for turn in 1..8 {
            state.note_timeout(turn, now);
            let before = now;
            while state.is_backing_off() {
                now += Duration::from_millis(50);
                state.note_replayed(turn, now);
            }
            lengths.push((now - before).as_millis());
        }
        assert_eq!(lengths, [100, 200, 400, 800, 1600, 2000, 2000]);
        now += SOON;
        state.note_timeout(99, now);
        state.note_replayed(99, now + BACKOFF.0);
        assert!(
            !state.is_backing_off(),
            "a backoff that begins a second after the previous one ended is as long as the first"
        );
    }

    #[test]
    fn another_lineage_resets_the_replay_position() {
        let state = following(100);
        state.admit_reads(Lineage { timeline: 2, mark: 9 });
        state.note_timeout(60, Instant::now());
        let position = LogPosition { timeline: 2, lsn: 50 };
        assert_eq!(
            state.admit(position),
            Err(ReplicaMiss::Behind),
            "a position that was reported on another lineage does not count"
        );
    }
}
