//! Monitors the size of SQLite's write-ahead log (*the log*), and logs a warning (*reports the log*) if the log keeps
//! growing. As long as any process keeps a read transaction open on the database, SQLite cannot reuse the log. So the
//! log grows with every write, until the disk is full.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use metrics::gauge;
use parking_lot::Mutex;

use super::connection::Checkpoint;
use crate::platform::metrics::SQLITE_WAL_BYTES;

/// If the log is larger than this number of bytes, an incomplete checkpoint is reported at once. If there are no long
/// transactions, the log is checkpointed at 32 MB and its file is truncated to 64 MB. A large write can leave a larger
/// file, which SQLite truncates when it restarts the log. Such a file is not reported, because the checkpoints of its
/// log are complete.
const LARGE: u64 = 256 << 20;
/// The log is reported after this number of consecutive checkpoints without progress.
const STUCK_AFTER: u32 = 4;
/// Minimum time between two reports of the log.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// The monitored log.
pub(super) struct WalWatch {
    log: PathBuf,
    state: Mutex<WalState>,
}

#[derive(Default)]
struct WalState {
    bytes: u64,
    last: Option<Checkpoint>,
    /// Number of consecutive checkpoints without progress: they wrote no further page to the database file, although
    /// the log had grown.
    stuck: u32,
    reported: Option<Instant>,
}

impl WalWatch {
    /// Monitors the log of a database.
    pub(super) fn new(database: &Path) -> Self {
        // SQLite creates the log beside the file to which the symbolic links of the path resolve
        let database = database.canonicalize().unwrap_or_else(|_| database.to_owned());
        let mut log = database.into_os_string();
        log.push("-wal");
        Self { log: log.into(), state: Mutex::default() }
    }

    /// Measures the size of the log, and reports the log if a report is due. To be called about every second.
    pub(super) fn measure(&self) {
        // 0 if there is no log file
        let bytes = self.log.metadata().map_or(0, |about| about.len());
        #[expect(clippy::cast_precision_loss, reason = "exact up to 8 PB")]
        gauge!(SQLITE_WAL_BYTES).set(bytes as f64);
        let mut state = self.state.lock();
        state.bytes = bytes;
        self.report(&mut state);
    }

    /// Evaluates the result of a checkpoint, and reports the log if a report is due.
    pub(super) fn checkpointed(&self, checkpoint: Checkpoint) {
        let mut state = self.state.lock();
        state.add(checkpoint);
        self.report(&mut state);
    }

    fn report(&self, state: &mut WalState) {
        let now = Instant::now();
        if state.is_due(now) {
            state.reported = Some(now);
            let (pages, written) = state.last.map_or((0, 0), |last| (last.pages, last.written));
            tracing::warn!(
                log = %self.log.display(),
                bytes = state.bytes,
                pages,
                checkpointed_pages = written,
                "the write-ahead log cannot be checkpointed and grows: another process, such as a SQL shell or a backup \
                 tool, probably keeps a read transaction open on the database; end that process"
            );
        }
    }
}

impl WalState {
    fn add(&mut self, checkpoint: Checkpoint) {
        let is_complete = checkpoint.is_complete();
        // a restarted log has fewer pages than before, so it does not count as a log without progress
        let is_stuck =
            self.last.is_some_and(|last| last.written == checkpoint.written && last.pages < checkpoint.pages);
        self.stuck = if !is_complete && is_stuck { self.stuck + 1 } else { 0 };
        self.last = Some(checkpoint);
    }

    fn is_due(&self, now: Instant) -> bool {
        let is_incomplete = self.last.is_some_and(|last| !last.is_complete());
        let is_stuck = self.stuck >= STUCK_AFTER || (self.bytes > LARGE && is_incomplete);
        is_stuck && self.reported.is_none_or(|at| now.duration_since(at) >= REPORT_EVERY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(checkpoints: &[(i64, i64)]) -> WalState {
        let mut state = WalState::default();
        for &(pages, written) in checkpoints {
            state.add(Checkpoint { pages, written });
        }
        state
    }

    #[test]
    fn a_log_that_grows_and_is_not_checkpointed_is_reported_once_a_minute() {
        let now = Instant::now();
        let mut stalled = state(&[(10, 7), (20, 7), (30, 7), (40, 7)]);
        assert!(!stalled.is_due(now), "no report after three checkpoints without progress");
        stalled.add(Checkpoint { pages: 50, written: 7 });
        assert!(stalled.is_due(now), "a report after four checkpoints without progress");
        stalled.reported = Some(now);
        assert!(!stalled.is_due(now + REPORT_EVERY / 2));
        assert!(stalled.is_due(now + REPORT_EVERY));
        stalled.add(Checkpoint { pages: 50, written: 50 });
        assert!(!stalled.is_due(now + REPORT_EVERY), "no report after a complete checkpoint");
    }

    #[test]
    fn progress_and_a_restarted_log_are_not_reported() {
        let now = Instant::now();
        assert!(
            !state(&[(10, 7), (20, 8), (30, 9), (40, 10), (50, 11), (60, 12)]).is_due(now),
            "checkpoints with progress are not reported"
        );
        assert!(
            !state(&[(90, 5), (8, 5), (7, 5), (6, 5), (5, 4), (4, 3)]).is_due(now),
            "a restarted log is not reported"
        );
        assert!(!state(&[(9, 9); 8]).is_due(now), "no report while every checkpoint is complete");
    }

    #[test]
    fn a_large_log_is_reported_at_the_first_incomplete_checkpoint() {
        let now = Instant::now();
        let mut large = WalState { bytes: LARGE + 1, ..WalState::default() };
        assert!(!large.is_due(now), "a large log is not reported before the first checkpoint");
        large.add(Checkpoint { pages: 70_000, written: 70_000 });
        assert!(!large.is_due(now), "a large log is not reported after a complete checkpoint");
        large.add(Checkpoint { pages: 70_010, written: 70_000 });
        assert!(large.is_due(now));
        large.add(Checkpoint { pages: 70_010, written: 70_010 });
        assert!(!large.is_due(now), "no report after a complete checkpoint");
    }
}
