//! Runs writes on SQLite, on one thread that commits several writes together.
//!
//! Writes wait in a queue for the writer thread. The thread takes all waiting writes, up to [`SqliteSettings::batch`],
//! runs them in one `BEGIN IMMEDIATE … COMMIT`, and replies after the commit. One fsync is enough for all these writes,
//! and each reply is sent after its write is durable. If an operation fails after it has changed something, only the
//! changes of this operation are rolled back (see [`transaction`]).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use async_channel::{Receiver, Sender, TrySendError};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::work::SqliteWork;
use super::{Lite, Role, SqliteSettings};
use crate::store::engine::as_of;
use crate::store::engine::commit_notices::CommitNotices;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::meters;
use crate::store::engine::notices::Notices;
use crate::store::engine::token_cache::TokenCache;

/// A handle to the writer thread.
pub(super) struct SqliteWriter {
    queue: Sender<QueuedWork>,
    thread: Mutex<Option<JoinHandle<()>>>,
    wait: Duration,
    commit_notices: Arc<CommitNotices>,
    status: WriterStatus,
}

/// The part of the writer thread's state that callers can read.
#[derive(Clone)]
struct WriterStatus {
    /// Number of operations that the writer has run.
    written: Arc<AtomicU64>,
    /// Whether commits fail. Set if a commit fails with [`StoreError::Unavailable`]. Cleared by the next successful
    /// commit that changes a row.
    failing: Arc<AtomicBool>,
    /// The token cache.
    owners: Arc<TokenCache>,
}

/// A *job*: a queued operation, its reply channel, and the outcome of its last run.
struct QueuedWork {
    work: Arc<dyn SqliteWork>,
    result: Option<Result<()>>,
    reply: oneshot::Sender<WriteReply>,
    notices: Notices,
    commit_notices: Arc<CommitNotices>,
}

/// The result of an operation, and whether it revoked something.
type WriteReply = (Result<()>, bool);

impl QueuedWork {
    /// Runs the operation and stores its result. If the operation was run before, replaces the earlier result. Returns
    /// whether the operation succeeded. If it failed, the caller must roll back its changes.
    fn run(&mut self, connection: &mut Lite) -> bool {
        let work = &*self.work;
        let result = connection.run(work.facts(), |connection| work.run_on_sqlite(connection));
        let has_succeeded = result.is_ok();
        self.notices = if has_succeeded { connection.take_notices() } else { Notices::default() };
        self.result = Some(result);
        has_succeeded
    }

    /// Returns the store error of the last run; `None` if the last run did not fail with a store error.
    fn failure(&self) -> Option<&StoreError> {
        match &self.result {
            Some(Err(Error::Store(failure))) => Some(failure),
            _ => None,
        }
    }

    /// If the commit succeeded, publishes the operation's notices. Then replies to the caller.
    fn finish(self, commit: std::result::Result<(), StoreError>) {
        let has_revoked = commit.is_ok() && self.notices.has_revoked();
        if commit.is_ok() {
            self.commit_notices.add(&self.notices);
        }
        let answer = match (self.result, commit) {
            (_, Err(failure)) => Err(failure.into()),
            (Some(result), Ok(())) => result,
            (None, Ok(())) => Err(StoreError::bug("a write was never run").into()),
        };
        // an error means that the caller was dropped; the commit is valid nevertheless
        let _ = self.reply.send((answer, has_revoked));
    }
}

impl SqliteWriter {
    /// Opens the writer's connection and starts its thread.
    pub(super) fn start(settings: SqliteSettings, commit_notices: Arc<CommitNotices>) -> Result<Self> {
        let connection = Lite::open(&settings.path, Role::Writer, settings.max_pages)?;
        let (queue, jobs) = async_channel::bounded(settings.queue.max(1));
        let wait = settings.wait;
        // Entries do not expire: when this process changes one of the cached tables, the cache is cleared. In case
        // another program changes them, a background task clears the cache every second (`Db::clear_token_cache`).
        let owners = Arc::new(TokenCache::new(Duration::MAX));
        let status = WriterStatus { written: Arc::default(), failing: Arc::default(), owners };
        let shared = status.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || WriterThread::new(settings, connection, shared).run(&jobs))
            .map_err(|error| {
                StoreError::unavailable(format!("failed to start the writer thread: {error}"))
            })?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)), wait, commit_notices, status })
    }

    /// Returns the number of operations that the writer has run.
    pub(super) fn written(&self) -> u64 {
        self.status.written.load(Ordering::Relaxed)
    }

    /// Returns the token cache.
    pub(super) fn owners(&self) -> &TokenCache {
        &self.status.owners
    }

    /// Returns whether commits fail.
    pub(super) fn is_failing(&self) -> bool {
        self.status.failing.load(Ordering::Relaxed)
    }

    /// Queues an operation and waits for its commit. If the operation revoked something, also waits for
    /// [`as_of::HANDOVER`]. In this time, all responses whose permissions were checked before the commit are sent.
    /// After the operation was queued, it runs even if the caller is dropped.
    pub(super) async fn submit(&self, work: Arc<dyn SqliteWork>) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        let job = QueuedWork {
            work,
            result: None,
            reply,
            notices: Notices::default(),
            commit_notices: Arc::clone(&self.commit_notices),
        };
        if let Err(refused) = self.queue.try_send(job) {
            match refused {
                TrySendError::Closed(_) => return Err(closed().into()),
                TrySendError::Full(job) => match timeout(self.wait, self.queue.send(job)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return Err(closed().into()),
                    Err(_) => return Err(StoreError::unavailable("the write queue is full").into()),
                },
            }
        }
        let (result, has_revoked) = answer.await.unwrap_or_else(|_| (Err(closed().into()), false));
        if has_revoked {
            tokio::time::sleep(as_of::HANDOVER).await;
        }
        result
    }

    /// Stops accepting writes. The thread commits the queued writes and ends; while commits fail
    /// ([`Self::is_failing`]), it rejects the queued writes instead. Returns the handle of the thread; `None` if this
    /// method was called before.
    pub(super) fn close(&self) -> Option<JoinHandle<()>> {
        self.queue.close();
        self.thread.lock().take()
    }
}

fn closed() -> StoreError {
    StoreError::unavailable("the store is closed")
}

/// The state of the writer thread.
struct WriterThread {
    settings: SqliteSettings,
    /// `None` after a failure that has possibly made the connection unusable. The next commit then opens a connection.
    connection: Option<Lite>,
    /// Whether the first attempt of the next batch has a savepoint around each operation ([`transaction`]).
    with_savepoints: bool,
    status: WriterStatus,
}

impl WriterThread {
    fn new(settings: SqliteSettings, connection: Lite, status: WriterStatus) -> Self {
        Self { settings, connection: Some(connection), with_savepoints: false, status }
    }

    fn run(mut self, jobs: &Receiver<QueuedWork>) {
        let mut batch = Vec::with_capacity(self.settings.batch);
        while let Ok(first) = jobs.recv_blocking() {
            if jobs.is_closed() && self.status.failing.load(Ordering::Relaxed) {
                // rejected without an attempt, because each attempt could wait for a lock of another program until the
                // busy timeout, which would delay the shutdown
                first.finish(Err(closed()));
                continue;
            }
            batch.push(first);
            while batch.len() < self.settings.batch
                && let Ok(next) = jobs.try_recv()
            {
                batch.push(next);
            }
            meters::batch(batch.len(), jobs.len());
            let count = batch.len() as u64;
            self.process(&mut batch);
            self.status.written.fetch_add(count, Ordering::Relaxed);
        }
        if let Some(connection) = self.connection {
            connection.close();
        }
    }

    /// Commits a batch, replies to the callers, and empties the batch.
    fn process(&mut self, batch: &mut Vec<QueuedWork>) {
        let together = self.commit(batch);
        match together {
            // One of the operations makes the commit fail, for example by a deferred constraint. So each operation is
            // run again in a transaction of its own, and only the failing operation fails.
            Err(StoreError::Bug(_) | StoreError::Unique { .. }) if batch.len() > 1 => {
                for mut job in batch.drain(..) {
                    let alone = self.commit(std::slice::from_mut(&mut job));
                    job.finish(alone);
                }
            }
            _ => {
                for job in batch.drain(..) {
                    job.finish(together.clone());
                }
            }
        }
    }

    /// Runs jobs in one transaction, and records whether commits fail.
    fn commit(&mut self, jobs: &mut [QueuedWork]) -> std::result::Result<(), StoreError> {
        let outcome = self.try_commit(jobs);
        self.report(&outcome, jobs.len());
        outcome.map(|_| ())
    }

    /// Runs jobs in one transaction. Returns the result of [`transaction`]. If the connection is possibly unusable
    /// after an error, closes the connection.
    fn try_commit(&mut self, jobs: &mut [QueuedWork]) -> std::result::Result<bool, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => match Lite::open(&self.settings.path, Role::Writer, self.settings.max_pages) {
                Ok(connection) => connection,
                Err(Error::Store(failure)) => return Err(failure),
                Err(Error::Refused(refusal)) => return Err(StoreError::bug(refusal.code.as_str())),
            },
        };
        let outcome = transaction(&mut connection, jobs, &mut self.with_savepoints, &self.status.owners);
        let clean = !connection.in_transaction() || connection.command("ROLLBACK").is_ok();
        // After a full disk or a failed write, the connection's memory can contain pages that SQLite could not write.
        // So the connection is then replaced.
        let unavailable = matches!(outcome, Err(StoreError::Unavailable(_)));
        if clean && !unavailable {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Records whether commits fail. Logs the first of several consecutive commits that fail with
    /// [`StoreError::Unavailable`], and the next successful commit that changes a row. The failures in between are not
    /// logged, because on a full disk thousands of commits fail per second.
    fn report(&self, outcome: &std::result::Result<bool, StoreError>, jobs: usize) {
        let failing = &self.status.failing;
        match outcome {
            Err(failure @ StoreError::Unavailable(_)) if !failing.swap(true, Ordering::Relaxed) => {
                tracing::error!(%failure, jobs, "failed to commit; further failures are not logged until writes succeed");
            }
            // a commit that has changed nothing does not prove that writes succeed
            Ok(true) if failing.swap(false, Ordering::Relaxed) => {
                tracing::warn!("writes succeed again");
            }
            _ => {}
        }
    }
}

/// Runs jobs in one transaction. Returns whether a job that changed a row succeeded. If `with_savepoints` is `true`,
/// the first attempt has a savepoint around each job. The function sets `with_savepoints` for the next batch.
///
/// A savepoint costs time, because SQLite copies every page that is changed after the savepoint. Operations rarely fail
/// after they have changed a row. So jobs first run without savepoints. If one of several jobs fails after it has
/// changed a row, all jobs are run again, with a savepoint around each job. The first attempts of the next batches then
/// have savepoints too, until a batch has no such failure.
fn transaction(
    connection: &mut Lite,
    jobs: &mut [QueuedWork],
    with_savepoints: &mut bool,
    owners: &TokenCache,
) -> std::result::Result<bool, StoreError> {
    connection.command("BEGIN IMMEDIATE")?;
    if !*with_savepoints {
        match run_together(connection, jobs)? {
            Some(ran) => {
                end(connection, ran.any_succeeded, owners)?;
                return Ok(ran.any_changed);
            }
            None => {
                connection.command("ROLLBACK")?;
                connection.command("BEGIN IMMEDIATE")?;
            }
        }
    }
    let ran = run_apart(connection, jobs)?;
    *with_savepoints = ran.rolled_back;
    end(connection, ran.any_succeeded, owners)?;
    Ok(ran.any_changed)
}

/// Commits the transaction if a job succeeded, or else rolls the transaction back. If a statement was run that
/// invalidates the token cache, clears the cache.
fn end(
    connection: &mut Lite,
    any_succeeded: bool,
    owners: &TokenCache,
) -> std::result::Result<(), StoreError> {
    // also clears the cache if the statement was rolled back, which does no harm
    let _changing = connection.take_changes_owners().then(|| owners.change());
    connection.command(if any_succeeded { "COMMIT" } else { "ROLLBACK" })
}

/// The result of jobs that ran in one transaction.
#[derive(Default)]
struct BatchOutcome {
    /// Whether a job succeeded.
    any_succeeded: bool,
    /// Whether a job succeeded that changed a row.
    any_changed: bool,
    /// Whether the changes of a job were rolled back to its savepoint.
    rolled_back: bool,
}

/// Runs jobs without savepoints. If one of several jobs fails after it has changed a row, returns `None` at once:
/// without a savepoint, the changes of this job cannot be rolled back alone.
fn run_together(
    connection: &mut Lite,
    jobs: &mut [QueuedWork],
) -> std::result::Result<Option<BatchOutcome>, StoreError> {
    let alone = jobs.len() == 1;
    let mut ran = BatchOutcome::default();
    for job in jobs {
        let changes = connection.changes();
        let has_succeeded = run(connection, job)?;
        let has_changed = connection.changes() != changes;
        if !has_succeeded && !alone && has_changed {
            return Ok(None);
        }
        ran.any_succeeded |= has_succeeded;
        ran.any_changed |= has_succeeded && has_changed;
    }
    Ok(Some(ran))
}

/// Runs each job in a savepoint of its own.
fn run_apart(
    connection: &mut Lite,
    jobs: &mut [QueuedWork],
) -> std::result::Result<BatchOutcome, StoreError> {
    let mut ran = BatchOutcome::default();
    for job in jobs {
        connection.command("SAVEPOINT job")?;
        let changes = connection.changes();
        let has_succeeded = run(connection, job)?;
        let has_changed = connection.changes() != changes;
        if !has_succeeded {
            ran.rolled_back |= has_changed;
            connection.command("ROLLBACK TO job")?;
        }
        connection.command("RELEASE job")?;
        ran.any_succeeded |= has_succeeded;
        ran.any_changed |= has_succeeded && has_changed;
    }
    Ok(ran)
}

/// Runs a job and returns whether it succeeded. Returns an error if the whole transaction was rolled back.
fn run(connection: &mut Lite, job: &mut QueuedWork) -> std::result::Result<bool, StoreError> {
    let has_succeeded = job.run(connection);
    if connection.in_transaction() {
        return Ok(has_succeeded);
    }
    // SQLite has rolled back the transaction, including the changes of the previous jobs (full disk, failed write)
    let failure = job.failure().or(connection.failure()).cloned();
    Err(failure.unwrap_or_else(|| StoreError::bug("an operation ended the transaction")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::engine::lite::connection::create_file;
    use crate::store::engine::lock_key::Locks;
    use crate::store::engine::log_position::QueriedPosition;
    use crate::store::engine::op::Facts;
    use crate::store::engine::work::Work;

    /// A job that runs a command and then fails or succeeds.
    struct TestJob {
        command: &'static str,
        fails: bool,
    }

    impl Work for TestJob {
        fn facts(&self) -> Facts {
            Facts { name: "test", snapshot: false, single: false, replica: false, checks_membership: false }
        }

        fn position(&self) -> Option<QueriedPosition> {
            None
        }

        fn locks(&self) -> Locks {
            Locks::default()
        }
    }

    impl SqliteWork for TestJob {
        fn run_on_sqlite(&self, connection: &mut Lite) -> Result<()> {
            connection.command(self.command)?;
            if self.fails { Err(StoreError::bug("the job fails").into()) } else { Ok(()) }
        }
    }

    #[test]
    fn only_committed_changes_prove_that_writes_succeed() {
        const CHANGES: &str = "INSERT INTO t VALUES (1)";
        const READS: &str = "SELECT * FROM t WHERE a = 0";
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.db");
        create_file(&file).unwrap();
        let mut connection = Lite::open(&file, Role::Writer, None).unwrap();
        connection.command("CREATE TABLE t (a)").unwrap();
        let mut proves = |commands: &[(&'static str, bool)], mut with_savepoints| {
            let mut jobs: Vec<QueuedWork> = commands
                .iter()
                .map(|&(command, fails)| QueuedWork {
                    work: Arc::new(TestJob { command, fails }),
                    result: None,
                    reply: oneshot::channel().0,
                    notices: Notices::default(),
                    commit_notices: Arc::default(),
                })
                .collect();
            transaction(&mut connection, &mut jobs, &mut with_savepoints, &TokenCache::new(Duration::MAX))
                .unwrap()
        };
        for with_savepoints in [false, true] {
            assert!(proves(&[(CHANGES, false)], with_savepoints));
            assert!(proves(&[(CHANGES, true), (CHANGES, false), (READS, true)], with_savepoints));
            assert!(!proves(&[(READS, false)], with_savepoints));
            assert!(!proves(&[(CHANGES, true)], with_savepoints));
            assert!(
                !proves(&[(CHANGES, true), (READS, false)], with_savepoints),
                "a change that was rolled back does not prove that writes succeed"
            );
        }
    }
}
