//! The SQLite engine. It has one writer thread, which commits several writes together, and a pool of connections for
//! reads. Short reads run on the caller's thread, and scans on tokio's blocking threads.

mod connection;
mod owner;
mod readers;
mod sql;
mod wal;
mod work;
mod writer;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use super::Availability;
use super::commit_notices::CommitNotices;
use super::error::{Result, StoreError};
use super::stmt::Stmt;
use super::token_cache::TokenCache;
use connection::{Lite, Role};
use readers::ReadConnections;
use wal::WalWatch;
use writer::SqliteWriter;

pub(in crate::store) use connection::{class_of, create_file, open_for_migration, open_unchanged};
pub use owner::FileOwner;
pub(in crate::store) use work::SqliteWork;

/// Settings of this engine.
#[derive(Clone, Debug)]
pub(in crate::store) struct SqliteSettings {
    pub path: PathBuf,
    /// Maximum number of read connections.
    pub readers: usize,
    /// Maximum number of operations in one commit.
    pub batch: usize,
    /// Maximum number of operations queued for the writer.
    pub queue: usize,
    /// How long an operation waits for a slot in the queue, or for a read connection.
    pub wait: Duration,
    /// Maximum size of the file in pages. Tests set this limit to simulate a full disk.
    pub max_pages: Option<u32>,
}

/// Timeout for both test writes of [`SqliteStore::ping`] together.
const TEST_WRITE_TIMEOUT: Duration = Duration::from_secs(2);

/// After this number of writes since the last checkpoint, [`SqliteStore::checkpoint`] no longer waits for a pause in
/// the writes.
const MANY_WRITES: u64 = 300;

/// The open database.
pub(in crate::store) struct SqliteStore {
    path: PathBuf,
    readers: ReadConnections,
    writer: SqliteWriter,
    /// Locked while a caller makes test writes.
    testing_writes: Mutex<()>,
    /// [`SqliteWriter::written`] at the last call of [`SqliteStore::checkpoint`].
    last_count: AtomicU64,
    /// [`SqliteWriter::written`] at the last checkpoint.
    written_at_checkpoint: AtomicU64,
    wal: Box<WalWatch>,
}

impl SqliteStore {
    /// Opens the database file and starts the writer thread. If the file is missing, creates the file.
    pub(in crate::store) fn open(
        settings: SqliteSettings,
        commit_notices: Arc<CommitNotices>,
    ) -> Result<Self> {
        create_file(&settings.path)?;
        let writer = SqliteWriter::start(settings.clone(), commit_notices)?;
        let path = settings.path.clone();
        let wal = Box::new(WalWatch::new(&path));
        // `written_at_checkpoint` begins with a value that differs from the number of writes. So `checkpoint` makes a
        // checkpoint even before the first write. This is needed, because the previous process can have left a
        // write-ahead log of any size.
        let (last_count, written_at_checkpoint) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        Ok(Self {
            path,
            readers: ReadConnections::new(settings),
            writer,
            testing_writes: Mutex::default(),
            last_count,
            written_at_checkpoint,
            wal,
        })
    }

    /// Returns the token cache.
    pub(in crate::store) fn owners(&self) -> &TokenCache {
        self.writer.owners()
    }

    /// Queues the operation. Returns after its commit.
    pub(in crate::store) async fn write(&self, work: Arc<dyn SqliteWork>) -> Result<()> {
        self.writer.submit(work).await
    }

    /// Runs the operation on the calling thread.
    pub(in crate::store) async fn read(&self, work: &dyn SqliteWork) -> Result<()> {
        self.readers.read(work).await
    }

    /// Runs the operation on tokio's pool of blocking threads. Scans use at most half of the read connections.
    pub(in crate::store) async fn scan(&self, work: Arc<dyn SqliteWork>) -> Result<()> {
        self.readers.scan(work).await
    }

    /// Returns whether the database accepts reads and writes. If the last writes failed, makes the two test writes, an
    /// insertion and its deletion. The second write begins after the commit of the first write, because one commit of
    /// both need not write to the disk. While one caller makes test writes, all other callers get
    /// [`Availability::ReadsOnly`].
    pub(in crate::store) async fn ping(&self, test_writes: [Arc<dyn SqliteWork>; 2]) -> Result<Availability> {
        self.readers.with(Lite::ping).await?;
        if !self.writer.is_failing() {
            return Ok(Availability::ReadsAndWrites);
        }
        let Ok(_guard) = self.testing_writes.try_lock() else { return Ok(Availability::ReadsOnly) };
        let test = timeout(TEST_WRITE_TIMEOUT, async {
            let [first, second] = test_writes;
            self.writer.submit(first).await?;
            self.writer.submit(second).await
        });
        Ok(match test.await {
            Ok(Ok(())) => Availability::ReadsAndWrites,
            Ok(Err(_)) | Err(_) => Availability::ReadsOnly,
        })
    }

    /// Makes a checkpoint of the write-ahead log in two cases: there were at least [`MANY_WRITES`] writes since the
    /// last checkpoint, or there were fewer, but none since the previous call. Does nothing if there was no write since
    /// the last checkpoint. To be called about every second.
    ///
    /// Checkpoints make reads faster: pages in the database file are read from mapped memory, but pages in the log must
    /// be looked up and copied. The writer thread also makes checkpoints, but only if the log is long, because its
    /// checkpoint delays the next commit.
    pub(in crate::store) async fn checkpoint(&self) -> Result<()> {
        let written = self.writer.written();
        let is_idle = self.last_count.swap(written, Ordering::Relaxed) == written;
        let since = written.wrapping_sub(self.written_at_checkpoint.load(Ordering::Relaxed));
        self.wal.measure();
        if since == 0 || (since < MANY_WRITES && !is_idle) {
            return Ok(());
        }
        let path = self.path.clone();
        let done =
            tokio::task::spawn_blocking(move || Lite::open(&path, Role::Writer, None)?.checkpoint()).await;
        let done = done.map_err(|error| StoreError::bug(error.to_string()))??;
        self.wal.checkpointed(done);
        // after an incomplete checkpoint the value stays, so the next call makes a checkpoint even without new writes
        if done.is_complete() {
            self.written_at_checkpoint.store(written, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Prepares a statement without running it. Returns the names of its columns.
    pub(in crate::store) async fn prepare(&self, stmt: &'static Stmt) -> Result<Vec<String>> {
        self.readers.with(|connection| connection.prepare(stmt)).await
    }

    /// Commits the queued writes. If commits fail, rejects the queued writes. Then makes a checkpoint and closes the
    /// database. Later operations fail as unavailable.
    pub(in crate::store) async fn close(&self) -> Result<()> {
        self.readers.close();
        let Some(thread) = self.writer.close() else { return Ok(()) };
        let ended = tokio::task::spawn_blocking(move || thread.join().is_ok()).await;
        if matches!(ended, Ok(true)) {
            Ok(())
        } else {
            Err(StoreError::bug("the writer thread panicked").into())
        }
    }
}
