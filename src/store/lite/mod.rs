//! The SQLite engine: one writer thread with group commit, and connections for reading that callers use inline.

mod connection;
mod owner;
mod readers;
mod wal;
mod writer;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::timeout;

use super::Takes;
use super::error::{Result, StoreError};
use super::known_owners::KnownOwners;
use super::op::Op;
use super::server::{PutProbe, TakeProbe};
use super::stmt::Stmt;
use super::woken::Woken;
use connection::{Lite, Role};
use readers::Readers;
use wal::WalWatch;
use writer::Writer;

pub(super) use connection::{class_of, create_file, open_for_migration};
pub use owner::Owner;

/// How this engine is set up.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub path: PathBuf,
    /// Most connections for reading.
    pub readers: usize,
    /// Most operations in one commit.
    pub batch: usize,
    /// Most operations waiting for the writer.
    pub queue: usize,
    /// How long to wait for a place in the queue or a connection for reading.
    pub wait: Duration,
    /// Most pages of the file; for tests of a full disk.
    pub max_pages: Option<u32>,
}

/// How long it is waited for a write that shows whether writing works again.
const TRY: Duration = Duration::from_secs(2);

/// So many writes since the last time are worth writing back while more of them come.
const MANY: u64 = 300;

/// The open database.
pub(super) struct Store {
    path: PathBuf,
    readers: Readers,
    writer: Writer,
    /// Held by whoever tries whether writing works again.
    trying: Mutex<()>,
    /// How many writes there had been at the last look, and when the log was last written back.
    looked: AtomicU64,
    written_back: AtomicU64,
    wal: Box<WalWatch>,
}

impl Store {
    /// Opens the file, creating it when missing, and starts the writer.
    pub(super) fn open(settings: Settings, woken: Arc<Woken>) -> Result<Self> {
        create_file(&settings.path)?;
        let writer = Writer::start(settings.clone(), woken)?;
        let path = settings.path.clone();
        let wal = Box::new(WalWatch::new(&path));
        // nobody knows what the process before left in the log
        let (looked, written_back) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        Ok(Self {
            path,
            readers: Readers::new(settings),
            writer,
            trying: Mutex::default(),
            looked,
            written_back,
            wal,
        })
    }

    /// The owners of tokens, as they were read since the last change.
    pub(super) fn owners(&self) -> &KnownOwners {
        self.writer.owners()
    }

    /// Queues the operation; returns after the commit that holds it.
    pub(super) async fn write<O: Op>(&self, op: O) -> Result<O::Out> {
        self.writer.submit(op).await
    }

    /// Runs the operation on the calling thread.
    pub(super) async fn read<O: Op>(&self, op: &O) -> Result<O::Out> {
        self.readers.read(op).await
    }

    /// Runs the operation on a thread for blocking work; these never take all connections.
    pub(super) async fn scan<O: Op>(&self, op: O) -> Result<O::Out> {
        self.readers.scan(op).await
    }

    /// Whether the file can be read, and what it takes. Only when the last writes failed is one tried, by one caller at
    /// a time.
    pub(super) async fn ping(&self) -> Result<Takes> {
        self.readers.with(Lite::ping).await?;
        if !self.writer.is_failing() {
            return Ok(Takes::ReadsAndWrites);
        }
        let Ok(_trying) = self.trying.try_lock() else { return Ok(Takes::ReadsOnly) };
        let tried = timeout(TRY, async {
            // two commits: what is written and taken away in one need not get to the disk
            self.writer.submit(PutProbe).await?;
            self.writer.submit(TakeProbe).await
        });
        Ok(match tried.await {
            Ok(Ok(())) => Takes::ReadsAndWrites,
            Ok(Err(_)) | Err(_) => Takes::ReadsOnly,
        })
    }

    /// Writes the write-ahead log back into the file if there was much to write since the last time, or if there is
    /// nothing to write now. To be called every second or so: what stands in the file is read out of mapped memory,
    /// what stands in the log is looked up and copied. The writer does it too, but only when the log has grown long,
    /// because then it has to be done before the next commit.
    pub(super) async fn write_back(&self) -> Result<()> {
        let written = self.writer.written();
        let rests = self.looked.swap(written, Ordering::Relaxed) == written;
        let since = written.wrapping_sub(self.written_back.load(Ordering::Relaxed));
        self.wal.measure();
        if since == 0 || (since < MANY && !rests) {
            return Ok(());
        }
        let path = self.path.clone();
        let done =
            tokio::task::spawn_blocking(move || Lite::open(&path, Role::Writer, None)?.write_back()).await;
        let done = done.map_err(|error| StoreError::bug(error.to_string()))??;
        self.wal.checkpointed(done);
        self.written_back.store(written, Ordering::Relaxed);
        Ok(())
    }

    /// Prepares a statement without running it.
    pub(super) async fn prepare(&self, stmt: &'static Stmt) -> Result<()> {
        self.readers.with(|connection| connection.prepare(stmt)).await
    }

    /// Commits what is queued, checkpoints and closes. Later operations fail as unavailable.
    pub(super) async fn close(&self) -> Result<()> {
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
