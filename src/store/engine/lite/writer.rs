//! SQLite writes: one thread with group commit.
//!
//! Writes wait in a queue for the writer thread. The thread puts all waiting writes (up to [`SqliteSettings::batch`])
//! into one `BEGIN IMMEDIATE … COMMIT`, and replies after the commit. So many callers share one fsync, and no reply is
//! sent before its write is durable. If an operation fails after it changed something, only its own changes are rolled
//! back: see [`transaction`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use async_channel::{Receiver, Sender, TrySendError};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Lite, Role, SqliteSettings};
use crate::store::engine::as_of;
use crate::store::engine::commit_notices::CommitNotices;
use crate::store::engine::error::{Error, Result, StoreError};
use crate::store::engine::meters;
use crate::store::engine::notices::Notices;
use crate::store::engine::token_cache::TokenCache;
use crate::store::engine::work::Work;

/// A handle to the writer thread.
pub(super) struct SqliteWriter {
    queue: Sender<Job>,
    thread: Mutex<Option<JoinHandle<()>>>,
    wait: Duration,
    commit_notices: Arc<CommitNotices>,
    status: WriterStatus,
}

/// The state of the writer thread that callers may read.
#[derive(Clone)]
struct WriterStatus {
    /// Number of operations run so far.
    written: Arc<AtomicU64>,
    /// Whether commits fail. Set when a commit fails as unavailable. Cleared by the next commit that writes something.
    failing: Arc<AtomicBool>,
    /// The token cache.
    owners: Arc<TokenCache>,
}

/// A queued operation with its reply channel.
struct Job {
    work: Arc<dyn Work>,
    result: Option<Result<()>>,
    reply: oneshot::Sender<Reply>,
    notices: Notices,
    commit_notices: Arc<CommitNotices>,
}

/// The result of an operation, and whether it revoked something.
type Reply = (Result<()>, bool);

impl Job {
    /// Runs the operation and stores its result, which replaces that of an earlier run. Returns whether the writes of
    /// the operation should be kept.
    fn run(&mut self, connection: &mut Lite) -> bool {
        let work = &*self.work;
        let result = connection.run(work.facts(), |connection| work.run_on_sqlite(connection));
        let keep = result.is_ok();
        self.notices = if keep { connection.take_notices() } else { Notices::default() };
        self.result = Some(result);
        keep
    }

    /// Returns the store error that the last run failed with, if it did.
    fn failure(&self) -> Option<&StoreError> {
        match &self.result {
            Some(Err(Error::Store(failure))) => Some(failure),
            _ => None,
        }
    }

    /// Publishes the notifications if the commit succeeded, and replies to the caller.
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
        // The caller may have been dropped; the commit is valid anyway.
        let _ = self.reply.send((answer, has_revoked));
    }
}

impl SqliteWriter {
    /// Opens the writer's connection and starts its thread.
    pub(super) fn start(settings: SqliteSettings, commit_notices: Arc<CommitNotices>) -> Result<Self> {
        let connection = Lite::open(&settings.path, Role::Writer, settings.max_pages)?;
        let (queue, jobs) = async_channel::bounded(settings.queue.max(1));
        let wait = settings.wait;
        // entries do not expire: a change by this process clears the cache, and so does `Db::clear_token_cache`
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

    /// Returns the number of operations run so far.
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

    /// Queues an operation and waits for its commit. After a revocation, also waits until the responses that were
    /// checked before the commit have been sent. Once the operation is queued, it runs even if the caller is dropped.
    pub(super) async fn submit(&self, work: Arc<dyn Work>) -> Result<()> {
        let (reply, answer) = oneshot::channel();
        let job = Job {
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

    /// Stops accepting writes. The thread ends after it has committed the queued writes, or rejected them if
    /// commits fail. Returns its handle, or `None` if this was called before.
    pub(super) fn close(&self) -> Option<JoinHandle<()>> {
        self.queue.close();
        self.thread.lock().take()
    }
}

fn closed() -> StoreError {
    StoreError::unavailable("the store is closed")
}

/// The state of the writer thread. `connection` is `None` after a failure that may have left the connection unusable.
/// The next commit then opens another.
struct WriterThread {
    settings: SqliteSettings,
    connection: Option<Lite>,
    /// Whether the next batch is run with a savepoint around each operation from its start.
    with_savepoints: bool,
    status: WriterStatus,
}

impl WriterThread {
    fn new(settings: SqliteSettings, connection: Lite, status: WriterStatus) -> Self {
        Self { settings, connection: Some(connection), with_savepoints: false, status }
    }

    fn run(mut self, jobs: &Receiver<Job>) {
        let mut batch = Vec::with_capacity(self.settings.batch);
        while let Ok(first) = jobs.recv_blocking() {
            if jobs.is_closed() && self.status.failing.load(Ordering::Relaxed) {
                // not committed, because every further commit could wait for a lock of another program until the busy
                // timeout
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

    /// Commits a batch, replies to its callers and empties it.
    fn process(&mut self, batch: &mut Vec<Job>) {
        let together = self.commit(batch);
        match together {
            // One operation makes the commit fail (for example by a deferred constraint). If each
            // operation is run alone, only that one fails.
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

    /// Runs jobs in one transaction, and records whether commits fail. After an error, the connection is either usable
    /// for the next commit or closed.
    fn commit(&mut self, jobs: &mut [Job]) -> std::result::Result<(), StoreError> {
        let outcome = self.try_commit(jobs);
        self.report(&outcome, jobs.len());
        outcome.map(|_| ())
    }

    /// Runs jobs in one transaction and returns whether anything was written.
    fn try_commit(&mut self, jobs: &mut [Job]) -> std::result::Result<bool, StoreError> {
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
        // After a full disk or a failed write, SQLite may keep the pages that it could not write, so
        // the connection is replaced.
        let unavailable = matches!(outcome, Err(StoreError::Unavailable(_)));
        if clean && !unavailable {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Logs the first of consecutive failed commits, and the recovery. Not every failure is logged, because on a full
    /// disk thousands of commits fail per second.
    fn report(&self, outcome: &std::result::Result<bool, StoreError>, jobs: usize) {
        let failing = &self.status.failing;
        match outcome {
            Err(failure @ StoreError::Unavailable(_)) if !failing.swap(true, Ordering::Relaxed) => {
                tracing::error!(%failure, jobs, "failed to commit; further failures are not logged until writes succeed");
            }
            // operations that were rejected or changed nothing do not prove that writes succeed
            Ok(true) if failing.swap(false, Ordering::Relaxed) => {
                tracing::warn!("writes succeed again");
            }
            _ => {}
        }
    }
}

/// Runs jobs in one transaction. `with_savepoints` determines whether to use savepoints, and is set for the next batch.
/// Returns whether anything was written.
///
/// An operation rarely fails after it changed something. A savepoint costs time, because SQLite copies every page that
/// is changed after it. So jobs run without savepoints until one of several jobs fails after it changed something. Then
/// the transaction is restarted with a savepoint around each job. The following batches also have savepoints, as long
/// as they contain such failures.
fn transaction(
    connection: &mut Lite,
    jobs: &mut [Job],
    with_savepoints: &mut bool,
    owners: &TokenCache,
) -> std::result::Result<bool, StoreError> {
    let before = connection.changes();
    connection.command("BEGIN IMMEDIATE")?;
    if !*with_savepoints {
        match run_together(connection, jobs)? {
            Some(anything) => {
                end(connection, anything, owners)?;
                return Ok(anything && connection.changes() != before);
            }
            None => {
                connection.command("ROLLBACK")?;
                connection.command("BEGIN IMMEDIATE")?;
            }
        }
    }
    let ran = run_apart(connection, jobs)?;
    *with_savepoints = ran.rolled_back;
    end(connection, ran.anything, owners)?;
    Ok(ran.anything && connection.changes() != before)
}

/// Commits if any writes should be kept, otherwise rolls back. Clears the token cache if a statement may have changed
/// the owner of a token.
fn end(connection: &mut Lite, anything: bool, owners: &TokenCache) -> std::result::Result<(), StoreError> {
    // also if the statement was rolled back: clearing more than necessary is safe
    let _changing = connection.take_changes_owners().then(|| owners.change());
    connection.command(if anything { "COMMIT" } else { "ROLLBACK" })
}

/// Runs jobs without savepoints. Returns whether any writes should be kept. If one of several jobs fails after it
/// changed something, returns `None` at once, because the changes of the job must be rolled back.
fn run_together(connection: &mut Lite, jobs: &mut [Job]) -> std::result::Result<Option<bool>, StoreError> {
    let alone = jobs.len() == 1;
    let mut anything = false;
    for job in jobs {
        let changes = connection.changes();
        let keep = run(connection, job)?;
        if !keep && !alone && connection.changes() != changes {
            return Ok(None);
        }
        anything |= keep;
    }
    Ok(Some(anything))
}

/// The result of jobs that ran in savepoints.
struct BatchOutcome {
    /// Whether any writes should be kept.
    anything: bool,
    /// Whether any job's changes were rolled back.
    rolled_back: bool,
}

/// Runs each job in its own savepoint.
fn run_apart(connection: &mut Lite, jobs: &mut [Job]) -> std::result::Result<BatchOutcome, StoreError> {
    let mut ran = BatchOutcome { anything: false, rolled_back: false };
    for job in jobs {
        connection.command("SAVEPOINT job")?;
        let changes = connection.changes();
        let keep = run(connection, job)?;
        if !keep {
            ran.rolled_back |= connection.changes() != changes;
            connection.command("ROLLBACK TO job")?;
        }
        connection.command("RELEASE job")?;
        ran.anything |= keep;
    }
    Ok(ran)
}

/// Runs a job and returns whether its writes should be kept.
fn run(connection: &mut Lite, job: &mut Job) -> std::result::Result<bool, StoreError> {
    let keep = job.run(connection);
    if connection.in_transaction() {
        return Ok(keep);
    }
    // SQLite rolled back the whole transaction (full disk, failed write), including the jobs before
    // this one.
    let failure = job.failure().or(connection.failure()).cloned();
    Err(failure.unwrap_or_else(|| StoreError::bug("an operation ended the transaction")))
}
