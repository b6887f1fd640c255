//! Writing on SQLite: one thread, group commit.
//!
//! Writes queue for the one writer thread, which takes as many as wait (up to [`Settings::batch`]) into one
//! `BEGIN IMMEDIATE … COMMIT` and answers them after the commit. So many callers share one fsync, and no answer leaves
//! before its write is durable. An operation that refuses after it changed something takes back its own changes only:
//! see [`transaction`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use async_channel::{Receiver, Sender, TrySendError};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::{Lite, Role, Settings};
use crate::store::error::{Error, Result, StoreError};
use crate::store::known_owners::KnownOwners;
use crate::store::meters;
use crate::store::op::Op;
use crate::store::woken::{News, Woken};

/// The way to the writer thread.
pub(super) struct Writer {
    queue: Sender<Box<dyn Job>>,
    thread: Mutex<Option<JoinHandle<()>>>,
    wait: Duration,
    woken: Arc<Woken>,
    known: Known,
}

/// What callers may know of the thread.
#[derive(Clone, Default)]
struct Known {
    /// How many operations were carried out so far.
    written: Arc<AtomicU64>,
    /// Whether the last commits failed.
    failing: Arc<AtomicBool>,
    /// The owners of tokens, as they were read since the last change.
    owners: Arc<KnownOwners>,
}

/// What the queue carries: an operation of any type with a place for its answer.
trait Job: Send {
    /// Runs the operation and keeps its result, instead of that of an earlier run; whether its writes are to stay.
    fn run(&mut self, connection: &mut Lite) -> bool;

    /// Why the last run failed, when it was the store's fault.
    fn failure(&self) -> Option<&StoreError>;

    /// Answers the caller, given how the commit went.
    fn finish(self: Box<Self>, commit: std::result::Result<(), StoreError>);
}

struct Typed<O: Op> {
    op: O,
    result: Option<Result<O::Out>>,
    reply: oneshot::Sender<Result<O::Out>>,
    news: News,
    woken: Arc<Woken>,
}

impl<O: Op> Job for Typed<O> {
    fn run(&mut self, connection: &mut Lite) -> bool {
        let result = connection.run(&self.op);
        let keep = result.is_ok();
        self.news = if keep { connection.take_news() } else { News::default() };
        self.result = Some(result);
        keep
    }

    fn failure(&self) -> Option<&StoreError> {
        match &self.result {
            Some(Err(Error::Store(failure))) => Some(failure),
            _ => None,
        }
    }

    fn finish(self: Box<Self>, commit: std::result::Result<(), StoreError>) {
        if commit.is_ok() {
            self.woken.add(&self.news);
        }
        let answer = match (self.result, commit) {
            (_, Err(failure)) => Err(failure.into()),
            (Some(result), Ok(())) => result,
            (None, Ok(())) => Err(StoreError::bug("a write was never run").into()),
        };
        // The caller may have gone; what is committed stands.
        let _ = self.reply.send(answer);
    }
}

impl Writer {
    /// Opens the writer's connection and starts its thread.
    pub(super) fn start(settings: Settings, woken: Arc<Woken>) -> Result<Self> {
        let connection = Lite::open(&settings.path, Role::Writer, settings.max_pages)?;
        let (queue, jobs) = async_channel::bounded(settings.queue.max(1));
        let wait = settings.wait;
        let known = Known::default();
        let shared = known.clone();
        let thread = std::thread::Builder::new()
            .name("store-writer".into())
            .spawn(move || Loop::new(settings, connection, shared).run(&jobs))
            .map_err(|error| StoreError::unavailable(format!("no thread for the writer: {error}")))?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)), wait, woken, known })
    }

    /// How many operations were carried out so far.
    pub(super) fn written(&self) -> u64 {
        self.known.written.load(Ordering::Relaxed)
    }

    /// The owners of tokens, as they were read since the last change.
    pub(super) fn owners(&self) -> &KnownOwners {
        &self.known.owners
    }

    /// Whether nothing could be written when that was last tried.
    pub(super) fn is_failing(&self) -> bool {
        self.known.failing.load(Ordering::Relaxed)
    }

    /// Queues an operation and waits for its commit. Once queued it is carried out, even if the caller goes away.
    pub(super) async fn submit<O: Op>(&self, op: O) -> Result<O::Out> {
        let (reply, answer) = oneshot::channel();
        let job = Typed { op, result: None, reply, news: News::default(), woken: Arc::clone(&self.woken) };
        if let Err(refused) = self.queue.try_send(Box::new(job)) {
            match refused {
                TrySendError::Closed(_) => return Err(closed()),
                TrySendError::Full(job) => match timeout(self.wait, self.queue.send(job)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return Err(closed()),
                    Err(_) => return Err(StoreError::unavailable("too many writes are waiting").into()),
                },
            }
        }
        answer.await.unwrap_or_else(|_| Err(closed()))
    }

    /// Takes no more writes; the thread ends when those that wait are committed.
    pub(super) fn close(&self) -> Option<JoinHandle<()>> {
        self.queue.close();
        self.thread.lock().take()
    }
}

fn closed() -> Error {
    StoreError::unavailable("the store is closed").into()
}

/// The writer thread's state. Without a connection after a failure, until the next batch.
struct Loop {
    settings: Settings,
    connection: Option<Lite>,
    /// Whether operations get savepoints from the start.
    apart: bool,
    known: Known,
}

impl Loop {
    fn new(settings: Settings, connection: Lite, known: Known) -> Self {
        Self { settings, connection: Some(connection), apart: false, known }
    }

    fn run(mut self, jobs: &Receiver<Box<dyn Job>>) {
        let mut batch = Vec::with_capacity(self.settings.batch);
        while let Ok(first) = jobs.recv_blocking() {
            batch.push(first);
            while batch.len() < self.settings.batch
                && let Ok(next) = jobs.try_recv()
            {
                batch.push(next);
            }
            meters::batch(batch.len(), jobs.len());
            let count = batch.len() as u64;
            self.carry_out(&mut batch);
            self.known.written.fetch_add(count, Ordering::Relaxed);
        }
        if let Some(connection) = self.connection {
            connection.close();
        }
    }

    /// Commits a batch and answers its callers; leaves it empty.
    fn carry_out(&mut self, batch: &mut Vec<Box<dyn Job>>) {
        let together = self.commit(batch);
        match together {
            // One of them spoils the commit (say, by a deferred constraint). Alone, only that one fails.
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

    /// Runs jobs in one transaction. After an error nothing of them is stored, and the connection is fit for the next
    /// batch or gone.
    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> std::result::Result<(), StoreError> {
        let outcome = self.try_commit(jobs);
        self.report(&outcome, jobs.len());
        outcome.map(|_| ())
    }

    /// Whether anything was written.
    fn try_commit(&mut self, jobs: &mut [Box<dyn Job>]) -> std::result::Result<bool, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => match Lite::open(&self.settings.path, Role::Writer, self.settings.max_pages) {
                Ok(connection) => connection,
                Err(Error::Store(failure)) => return Err(failure),
                Err(Error::Refused(refusal)) => return Err(StoreError::bug(refusal.code.as_str())),
            },
        };
        let outcome = transaction(&mut connection, jobs, &mut self.apart, &self.known.owners);
        let clean = !connection.in_transaction() || connection.command("ROLLBACK").is_ok();
        // After a full disk or a failed write SQLite may hold on to what it could not write: start afresh.
        let unavailable = matches!(outcome, Err(StoreError::Unavailable(_)));
        if clean && !unavailable {
            self.connection = Some(connection);
        }
        outcome
    }

    /// Logs the first of a row of failed commits and the end of the row: a full disk fails thousands in a second.
    fn report(&self, outcome: &std::result::Result<bool, StoreError>, jobs: usize) {
        let failing = &self.known.failing;
        match outcome {
            Err(failure @ StoreError::Unavailable(_)) if !failing.swap(true, Ordering::Relaxed) => {
                tracing::error!(%failure, jobs, "nothing can be written");
            }
            // that operations refused, or found nothing to change, proves nothing
            Ok(true) if failing.swap(false, Ordering::Relaxed) => {
                tracing::warn!("writing works again");
            }
            _ => {}
        }
    }
}

/// Runs jobs in one transaction, together unless `apart`, and notes how to run the next ones. Whether anything was
/// written.
///
/// Few operations refuse once they have changed something, and a savepoint costs as much as a small write, because
/// SQLite keeps a copy of every page that is changed after one. So there are none until such a refusal: then the
/// transaction begins anew with a savepoint around each job, and so do those that follow, while there are refusals of
/// this kind among them.
fn transaction(
    connection: &mut Lite,
    jobs: &mut [Box<dyn Job>],
    apart: &mut bool,
    owners: &KnownOwners,
) -> std::result::Result<bool, StoreError> {
    let before = connection.changes();
    connection.command("BEGIN IMMEDIATE")?;
    if !*apart {
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
    *apart = ran.taken_back;
    end(connection, ran.anything, owners)?;
    Ok(ran.anything && connection.changes() != before)
}

fn end(connection: &mut Lite, anything: bool, owners: &KnownOwners) -> std::result::Result<(), StoreError> {
    // also of jobs that were taken back: too much is forgotten, never too little
    let _changing = connection.take_changes_owners().then(|| owners.change());
    connection.command(if anything { "COMMIT" } else { "ROLLBACK" })
}

/// Runs jobs without savepoints; whether anything is to stay, or `None` as soon as one has changes to take back while
/// there are others.
fn run_together(
    connection: &mut Lite,
    jobs: &mut [Box<dyn Job>],
) -> std::result::Result<Option<bool>, StoreError> {
    let alone = jobs.len() == 1;
    let mut anything = false;
    for job in jobs {
        let changes = connection.changes();
        let keep = run(connection, &mut **job)?;
        if !keep && !alone && connection.changes() != changes {
            return Ok(None);
        }
        anything |= keep;
    }
    Ok(Some(anything))
}

/// What became of jobs that ran apart.
struct Ran {
    /// Whether anything is to stay.
    anything: bool,
    /// Whether any had changes that were taken back.
    taken_back: bool,
}

/// Runs each job in a savepoint of its own.
fn run_apart(connection: &mut Lite, jobs: &mut [Box<dyn Job>]) -> std::result::Result<Ran, StoreError> {
    let mut ran = Ran { anything: false, taken_back: false };
    for job in jobs {
        connection.command("SAVEPOINT job")?;
        let changes = connection.changes();
        let keep = run(connection, &mut **job)?;
        if !keep {
            ran.taken_back |= connection.changes() != changes;
            connection.command("ROLLBACK TO job")?;
        }
        connection.command("RELEASE job")?;
        ran.anything |= keep;
    }
    Ok(ran)
}

/// Runs a job; whether its writes are to stay.
fn run(connection: &mut Lite, job: &mut dyn Job) -> std::result::Result<bool, StoreError> {
    let keep = job.run(connection);
    if connection.in_transaction() {
        return Ok(keep);
    }
    // SQLite gave up the whole transaction (full disk, failed write), with all that ran before in it.
    let failure = job.failure().or(connection.failure()).cloned();
    Err(failure.unwrap_or_else(|| StoreError::bug("an operation ended the transaction")))
}
