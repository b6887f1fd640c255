//! A [`World`] with a new SQLite database, for tests of the service layer.

use std::{
    ops::Deref,
    sync::{Arc, OnceLock, mpsc},
    time::Duration,
};

use parking_lot::Mutex;
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::{
    Keys, Settings, World,
    bot::send::{GroupCommit, RecentKeys, RecentRefusals},
    files::file_usage::Quotas,
    files::open_uploads::{OpenUploads, UploadSettings},
    maintenance::KeyScan,
    oauth::{cleanup::TokenScan, documents::Documents, mcp_sessions::SessionUses},
    sandbox::ClockMoves,
    tool_calls::Queue,
};
use crate::{
    domain::{
        assistant::{keys::WellKnown, names::Reserved},
        time::Timestamp,
    },
    platform::{
        blobs::{BlobLocation, Blobs},
        clock::Clock,
        encryption::Keyring,
        ids::IdGen,
        limits::Limits,
        outbound::{self, Outbound},
        passwords::Passwords,
        rng::Rng,
    },
    store::{
        Command, DatabaseUrl, Db, DbOptions, Engine, FromRow, LockKey, LockingQuery, Notice, Op, Query, ReadSql,
        Result, Sql, Val, migrate, secrets::Encryption,
    },
};

/// A [`World`] with a manual clock in a temporary folder.
pub struct TestWorld {
    world: Arc<World>,
    _folder: TempDir,
}

impl Deref for TestWorld {
    type Target = Arc<World>;

    fn deref(&self) -> &Arc<World> {
        &self.world
    }
}

impl TestWorld {
    /// Blocks all writes to the store until the returned sender is dropped.
    pub async fn hold_writes(&self) -> mpsc::Sender<()> {
        let (release, released) = mpsc::channel();
        let (begin, begun) = oneshot::channel();
        let world = Arc::clone(&self.world);
        tokio::spawn(async move { world.db.write(Hold(Mutex::new(Some((begin, released))))).await.unwrap() });
        begun.await.unwrap();
        release
    }
}

/// A write that blocks the writer thread until its channel is closed.
struct Hold(Mutex<Option<(oneshot::Sender<()>, mpsc::Receiver<()>)>>);

impl Op for Hold {
    const NAME: &'static str = "hold";
    type Out = ();

    async fn run<C: Sql>(&self, _: &mut C) -> Result<()> {
        if let Some((begin, released)) = self.0.lock().take() {
            begin.send(()).unwrap();
            // the sender is dropped
            released.recv().unwrap_err();
        }
        Ok(())
    }
}

/// Runs an operation, and returns the names of its statements in their order, and its result.
pub struct Recorded<O>(pub O);

impl<O: Op> Op for Recorded<O> {
    const NAME: &'static str = O::NAME;
    type Out = (Vec<&'static str>, O::Out);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut recorder = Recorder { connection: c, statements: Vec::new() };
        let out = self.0.run(&mut recorder).await?;
        Ok((recorder.statements, out))
    }
}

/// A connection that records the names of the statements that it runs.
struct Recorder<'a, C> {
    connection: &'a mut C,
    statements: Vec<&'static str>,
}

impl<C: Sql> ReadSql for Recorder<'_, C> {
    fn engine(&self) -> Engine {
        self.connection.engine()
    }

    async fn opt<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Option<T>> {
        self.statements.push(query.name);
        self.connection.opt(query, args).await
    }

    async fn one<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<T> {
        self.statements.push(query.name);
        self.connection.one(query, args).await
    }

    async fn all<T: FromRow>(&mut self, query: &'static Query, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.statements.push(query.name);
        self.connection.all(query, args).await
    }
}

impl<C: Sql> Sql for Recorder<'_, C> {
    fn notify(&mut self, notice: Notice) {
        self.connection.notify(notice);
    }

    fn holds(&self, key: LockKey) -> bool {
        self.connection.holds(key)
    }

    fn enter_queue(&mut self, keys: &[LockKey]) -> Result<()> {
        self.connection.enter_queue(keys)
    }

    fn has_changed(&self) -> bool {
        self.connection.has_changed()
    }

    async fn exec(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<u64> {
        self.statements.push(command.name);
        self.connection.exec(command, args).await
    }

    async fn exec_opt<T: FromRow>(
        &mut self,
        command: &'static Command,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.statements.push(command.name);
        self.connection.exec_opt(command, args).await
    }

    async fn exec_one<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<T> {
        self.statements.push(command.name);
        self.connection.exec_one(command, args).await
    }

    async fn exec_all<T: FromRow>(&mut self, command: &'static Command, args: &[Val<'_>]) -> Result<Vec<T>> {
        self.statements.push(command.name);
        self.connection.exec_all(command, args).await
    }

    async fn lock(&mut self, query: &'static LockingQuery, args: &[Val<'_>]) -> Result<()> {
        self.statements.push(query.name);
        self.connection.lock(query, args).await
    }

    async fn lock_opt<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Option<T>> {
        self.statements.push(query.name);
        self.connection.lock_opt(query, args).await
    }

    async fn lock_all<T: FromRow>(
        &mut self,
        query: &'static LockingQuery,
        args: &[Val<'_>],
    ) -> Result<Vec<T>> {
        self.statements.push(query.name);
        self.connection.lock_all(query, args).await
    }
}

/// Returns a world with an empty database and a clock at a fixed time.
pub async fn world() -> TestWorld {
    let folder = tempfile::tempdir().unwrap();
    let url = DatabaseUrl::Sqlite(folder.path().join("test.db"));
    migrate(&url).await.unwrap();
    let clock = Clock::manual(Timestamp::from_seconds(1_800_000_000));
    let rng = Rng::os();
    let world = World {
        db: Db::open(&url, DbOptions::default()).await.unwrap(),
        ids: Arc::new(IdGen::new(clock.clone())),
        limits: Arc::new(Limits::in_memory(1)),
        documents: Documents::new(Outbound::new(outbound::Settings::default(), clock.clone()).unwrap()),
        blobs: Blobs::open(BlobLocation::Disk(folder.path().join("files")), clock.clone()).unwrap(),
        open_uploads: OpenUploads::default(),
        passwords: Passwords::new(rng.clone()),
        keys: Keys { cursors: [1; 32], links: [2; 32], csrf: [3; 32], connection_tokens: [4; 32] },
        encryption: Encryption::new(Keyring::default(), rng.clone()),
        settings: Settings {
            base_url: "http://127.0.0.1:8080".into(),
            mcp_url: "http://127.0.0.1:8080".into(),
            service_name: "Switchboard".into(),
            editor_schemes: vec!["vscode".into()],
            reserved_names: Reserved::new("Switchboard", "Switchboard"),
            well_known_clients: WellKnown::default(),
            production: false,
            test_clock: true,
            operator_key_sha256: None,
            audit_life: Duration::from_secs(90 * 24 * 60 * 60),
            event_life: Duration::from_secs(3 * 24 * 60 * 60),
            refresh_overlap: Duration::ZERO,
            quotas: Quotas::default(),
            unattached_life: None,
            uploads: UploadSettings::default(),
            mcp_requests_per_minute: 120,
            allow_private_hosts: Vec::new(),
        },
        clock,
        rng,
        clock_moves: ClockMoves::default(),
        key_scan: KeyScan::default(),
        tool_calls: Queue::default(),
        token_scan: TokenScan::default(),
        recent_keys: RecentKeys::default(),
        sends: GroupCommit::default(),
        refused_sends: RecentRefusals::default(),
        live: Arc::default(),
        session_uses: SessionUses::default(),
        injected_failures: None,
        delivery: OnceLock::new(),
    };
    TestWorld { world: Arc::new(world), _folder: folder }
}
