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
    Keys, ServiceSettings, Stamp, World,
    bot::send::{GroupCommit, RecentKeys, RecentRefusals},
    callers::{Caller, console::ConsoleAccess},
    conversations::NewConversation,
    files::file_usage::Quotas,
    files::open_uploads::{OpenUploads, UploadSettings},
    maintenance::KeyScan,
    oauth::{
        cleanup::TokenScan, decisions::RecentDecisions, documents::Documents, mcp_sessions::SessionUses,
    },
    sandbox::ClockOffset,
    tool_calls::ToolCallQueue,
};
use crate::{
    domain::{
        assistant::{keys::WellKnown, names::Reserved, sending::AssistantSends},
        conversation::ConversationKind,
        ids::{AppId, ConversationId, EventId, InstallationId, UserId, WorkspaceId},
        scopes::Scopes,
        time::Timestamp,
        token,
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
        Command, DatabaseUrl, Db, DbOptions, Engine, FromRow, LockKey, LockingQuery, Notice, Op, Query,
        ReadSql, Result, Sql, Val,
        apps::{self, App, Installation},
        delivery_log::{self, InspectedEvent},
        migrate, op,
        secrets::{Encryption, StoredSecret},
        users::{self, User},
        workspaces::{self, Workspace},
    },
};

/// The operator key of a [`TestWorld`].
const OPERATOR_KEY: &str = "svc_op_test";

/// A [`World`] with a manual clock. The database and the files of the world are in a temporary folder.
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
    /// Returns the caller of a request with the operator key.
    pub fn operator_caller(&self) -> Caller {
        self.world.operator_by_key(OPERATOR_KEY).expect("the key is configured")
    }

    /// Configures another operator key, or none.
    pub fn configure_operator(&mut self, key_sha256: Option<[u8; 32]>) {
        let world = Arc::get_mut(&mut self.world).expect("nothing else refers to the world");
        world.settings.operator_key_sha256 = key_sha256;
    }

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
            // `recv` fails as soon as the sender is dropped
            released.recv().unwrap_err();
        }
        Ok(())
    }
}

/// People and bots of a company. Each bot has an app of its own, whose callback URL gets events.
pub(in crate::service) struct Team {
    pub(in crate::service) company: WorkspaceId,
    pub(in crate::service) people: Vec<User>,
    pub(in crate::service) bots: Vec<User>,
}

impl TestWorld {
    /// Creates a company with this many people and bots.
    pub(in crate::service) async fn team(&self, people: i64, bots: i64) -> Team {
        self.db.write(InsertTeam { stamp: self.stamp(), people, bots }).await.unwrap()
    }

    /// Creates a channel of `group`. If `group` is `None`, creates a private group instead. Returns the id of the new
    /// conversation.
    pub(in crate::service) async fn conversation(
        &self,
        company: WorkspaceId,
        group: Option<ConversationId>,
        members: &[User],
    ) -> ConversationId {
        let new = NewConversation {
            kind: if group.is_some() { ConversationKind::Channel } else { ConversationKind::Group },
            parent: group.map(|group| Some((ConversationKind::Group, group))),
            name: Some("Works".into()),
            topic: None,
            is_private: group.is_none().then_some(true),
            announcement_only: None,
            members: members.iter().map(|user| Some(user.id)).collect(),
        };
        let operator = self.operator_caller();
        operator.in_company(company).unwrap().create_conversation(new).await.unwrap().id
    }

    /// Returns the kind of the change and the id of the conversation, for each event of a bot's app, oldest first.
    pub(in crate::service) async fn changes_for(&self, bot: &User) -> Vec<(String, String)> {
        let found = self.db.read(InspectAllEvents(bot.app_id.unwrap())).await.unwrap();
        let change = |event: &InspectedEvent| {
            let body: serde_json::Value = serde_json::from_str(&event.body).unwrap();
            let text = |name: &str| body["data"][name].as_str().unwrap().to_owned();
            (text("kind"), text("id"))
        };
        found.iter().rev().map(change).collect()
    }
}

struct InsertTeam {
    stamp: Stamp,
    people: i64,
    bots: i64,
}

impl Op for InsertTeam {
    const NAME: &'static str = "test_insert_team";
    type Out = Team;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Team> {
        let now = self.stamp.now;
        let company = Workspace {
            id: WorkspaceId(self.stamp.id()?),
            name: "Works".into(),
            domain: None,
            ai_assistants: true,
            max_session_hours: None,
            assistant_sends: AssistantSends::Confirm,
            created_at: now,
        };
        workspaces::insert(c, &company).await?;
        let company = company.id;
        let (mut people, mut bots) = (Vec::new(), Vec::new());
        for n in 0..self.people {
            let person = User::new(UserId(self.stamp.id()?), company, format!("Person {n}"), now);
            users::insert(c, &person, None).await?;
            people.push(person);
        }
        for n in 0..self.bots {
            let app = App {
                id: AppId(self.stamp.id()?),
                name: format!("App {n}"),
                client_id: format!("svc_app_{n}_{}", company.0),
                client_secret_hash: vec![0; 32],
                signing_secret: StoredSecret::plain("whsec_x"),
                previous_signing_secret: None,
                signing_rotated_at: None,
                callback_url: Some("https://app.example.com/events".into()),
                redirect_uris: "[]".into(),
                scopes: Scopes::default(),
                disabled_at: None,
                created_at: now,
            };
            apps::insert(c, &app).await?;
            let bot = User {
                app_id: Some(app.id),
                is_bot: true,
                ..User::new(UserId(self.stamp.id()?), company, app.name.clone(), now)
            };
            users::insert(c, &bot, None).await?;
            let installation = Installation {
                id: InstallationId(self.stamp.id()?),
                app_id: app.id,
                workspace_id: company,
                bot_user_id: bot.id,
                scopes: app.scopes,
                connected: true,
                reason: None,
                installed_by: None,
                created_at: now,
                disconnected_at: None,
            };
            apps::insert_installation(c, &installation).await?;
            bots.push(bot);
        }
        Ok(Team { company, people, bots })
    }
}

struct InspectAllEvents(AppId);

op! {
    ReadOp "test_inspect_events": InspectAllEvents -> Vec<InspectedEvent> =
        |op, c| delivery_log::inspect(c, op.0, (Timestamp(i64::MAX), EventId(i64::MAX)), 1_000)
}

/// An operation that runs the operation `O`. Returns the names of the statements in the order in which they ran, and
/// the result of `O`.
pub struct Recorded<O>(pub O);

impl<O: Op> Op for Recorded<O> {
    const NAME: &'static str = O::NAME;
    type Out = (Vec<&'static str>, O::Out);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let mut recorder = StatementRecorder { connection: c, statements: Vec::new() };
        let out = self.0.run(&mut recorder).await?;
        Ok((recorder.statements, out))
    }
}

/// A connection that records the names of the statements that it runs.
struct StatementRecorder<'a, C> {
    connection: &'a mut C,
    statements: Vec<&'static str>,
}

impl<C: Sql> ReadSql for StatementRecorder<'_, C> {
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

impl<C: Sql> Sql for StatementRecorder<'_, C> {
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

/// Returns a sandbox world with an empty database. The clock of the world moves only when the test moves the clock.
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
        documents: Documents::new(
            Outbound::new(outbound::OutboundSettings::default(), clock.clone()).unwrap(),
        ),
        blobs: Blobs::open(BlobLocation::Disk(folder.path().join("files")), clock.clone()).unwrap(),
        open_uploads: OpenUploads::default(),
        passwords: Passwords::new(rng.clone()),
        keys: Keys { cursors: [1; 32], links: [2; 32], csrf: [3; 32], connection_tokens: [4; 32] },
        encryption: Encryption::new(Keyring::default(), rng.clone()),
        settings: ServiceSettings {
            base_url: "http://127.0.0.1:8080".into(),
            mcp_url: "http://127.0.0.1:8080".into(),
            service_name: "Switchboard".into(),
            editor_schemes: vec!["vscode".into()],
            reserved_names: Reserved::new("Switchboard", "Switchboard"),
            well_known_clients: WellKnown::default(),
            production: false,
            test_clock: true,
            operator_key_sha256: Some(token::hash(OPERATOR_KEY)),
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
        clock_offset: ClockOffset::default(),
        key_scan: KeyScan::default(),
        tool_calls: ToolCallQueue::default(),
        token_scan: TokenScan::default(),
        recent_keys: RecentKeys::default(),
        sends: GroupCommit::default(),
        refused_sends: RecentRefusals::default(),
        recent_decisions: RecentDecisions::default(),
        live: Arc::default(),
        session_uses: SessionUses::default(),
        console_access: ConsoleAccess::default(),
        injected_failures: None,
        delivery: OnceLock::new(),
    };
    TestWorld { world: Arc::new(world), _folder: folder }
}

/// Returns a [`world`] whose `settings.production` is true.
pub async fn production_world() -> TestWorld {
    let mut world = world().await;
    Arc::get_mut(&mut world.world).expect("the new world is not shared").settings.production = true;
    world
}
