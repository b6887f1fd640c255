//! The database of the benchmark, filled before it is served: the company of `load` with 10,000 messages, and an
//! assistant connected for each of its employees, with the rows that the exchange of a code writes.

use std::path::PathBuf;
use std::time::Duration;

use switchboard::{
    app::{self, StartOptions},
    config::{Config, DatabaseUrl, Environment},
    domain::{
        connection_token,
        conversation::ConversationKind,
        grant::{Access, ClientKind, REFRESH_LIFE, Resource},
        ids::{ConnectionId, UserId, WorkspaceId},
        time::Timestamp,
        token::{self, Kind},
    },
    platform::clock::Clock,
    store::{
        Op, Result, Sql,
        assistant_clients::{self, AssistantClient},
        connections::{self, Connection, Origin, Token},
    },
    workspace::World,
};
use tempfile::TempDir;

use super::{
    CLIENTS,
    child::Process,
    data::{self, Data},
    options::Options,
};

/// Limits are never met, and are still counted.
const LIMITS: u32 = 100_000;
const MESSAGES: usize = 10_000;
/// Of the client, which all employees use.
const REDIRECT: &str = "http://127.0.0.1:53682/callback";
const LABEL: &str = "Bench";
/// More connections than the load generator has: `/metrics` and whoever looks.
const SPARE: usize = 100;

pub struct Place {
    folder: TempDir,
    /// Access tokens, by employee.
    pub tokens: Vec<String>,
    /// For each caller the number of an employee, and a conversation of theirs with more than 20 messages.
    pub readers: Vec<(usize, String)>,
}

impl Place {
    /// Makes the database.
    pub fn make(options: &Options) -> Self {
        let mut folder = tempfile::Builder::new();
        folder.prefix("switchboard-bench-");
        let folder = match &options.dir {
            Some(dir) => folder.tempdir_in(dir),
            None => folder.tempdir(),
        };
        let folder = folder.unwrap();
        let mut config = Config::default();
        config.listen = ([127, 0, 0, 1], 0).into();
        config.environment = Environment::Sandbox;
        config.database.url = DatabaseUrl::Sqlite(folder.path().join("data.db"));
        config.files.dir = folder.path().join("files");
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let (tokens, readers) = runtime.block_on(async {
            let options = StartOptions { signals: false, ..StartOptions::default() };
            let running = app::start(config, Clock::system(), options).await.unwrap();
            let world = running.world();
            let data = data::fill(world, MESSAGES).await;
            while world.index_some().await.unwrap() {}
            let filled = (connect(world, &data).await, readers(&data));
            running.drain();
            running.wait().await;
            filled
        });
        // whatever still holds the database lets go of it
        runtime.shutdown_timeout(Duration::from_secs(10));
        Self { folder, tokens, readers }
    }

    /// `switchboard serve` over the database, for so many connections.
    pub fn serve(&self, most: usize) -> Process {
        let database = format!("sqlite://{}", self.folder.path().join("data.db").display());
        let settings = [
            ("SWITCHBOARD_LIMITS_SCALE", LIMITS.to_string()),
            ("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0".to_owned()),
            ("SWITCHBOARD_MAX_CONNECTIONS", (most + SPARE).to_string()),
        ];
        Process::serve(&database, &self.folder.path().join("files"), &settings)
    }
}

/// `data` gives conversation n (the long one is 0) the employees from 8 n on, and the messages of a database of this
/// size to the long one and those of even number; `paths` makes sure that they are there.
fn readers(data: &Data) -> Vec<(usize, String)> {
    let reader = |caller: usize| {
        let place = 2 * (caller + 1);
        let conversation = data.places[(place - 1) % CLIENTS][(place - 1) / CLIENTS];
        (place * 8 % data.people.len(), conversation.encode(ConversationKind::Group))
    };
    (0..CLIENTS).map(reader).collect()
}

/// Connects every employee; their access tokens.
async fn connect(world: &World, data: &Data) -> Vec<String> {
    let now = world.clock.now();
    let client = client(world, now);
    let production = world.settings.production;
    let links: Vec<Link> = data
        .people
        .iter()
        .map(|person| {
            let connection = connection(world, data.workspace, *person, &client.client_id, now);
            let key = &world.keys.connection_tokens;
            let mint = |kind| connection_token::mint(key, kind, connection.id, &world.rng.bytes());
            let (access, refresh) = (mint(Kind::access(production)), mint(Kind::refresh(production)));
            Link { connection, access, refresh }
        })
        .collect();
    let tokens = links.iter().map(|link| link.access.clone()).collect();
    world.db.write(WriteLinks { client, links }).await.unwrap();
    tokens
}

fn client(world: &World, now: Timestamp) -> AssistantClient {
    AssistantClient {
        id: world.ids.next().unwrap(),
        client_id: world.mint(Kind::AssistantClientId),
        is_registered: true,
        client_name: Some(LABEL.into()),
        redirect_uris: serde_json::json!([REDIRECT]).to_string(),
        is_public: true,
        secret_hash: None,
        metadata: None,
        created_at: now,
        expires_at: now + REFRESH_LIFE,
        connected_at: Some(now),
        last_used_at: Some(now),
    }
}

fn connection(
    world: &World,
    workspace: WorkspaceId,
    person: UserId,
    client_id: &str,
    now: Timestamp,
) -> Connection {
    Connection {
        id: ConnectionId(world.ids.next().unwrap()),
        workspace_id: workspace,
        user_id: person,
        client_id: client_id.to_owned(),
        client_kind: ClientKind::Registered,
        display_name: LABEL.into(),
        block_key: "local:bench".into(),
        redirect_uri: REDIRECT.into(),
        resource: Resource::Full,
        scopes: Access::ALL,
        generation: 1,
        refresh_until: now + REFRESH_LIFE,
        created_at: now,
        refreshed_at: None,
        last_used_at: None,
        revoked_at: None,
        reason: None,
    }
}

/// A connection and its tokens.
struct Link {
    connection: Connection,
    access: String,
    refresh: String,
}

struct WriteLinks {
    client: AssistantClient,
    links: Vec<Link>,
}

impl Op for WriteLinks {
    const NAME: &'static str = "bench_connections";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        assistant_clients::insert(c, &self.client).await?;
        for Link { connection, access, refresh } in &self.links {
            // a code is exchanged once, so each connection has its own
            let code_hash = token::hash(&format!("code of {access}"));
            let origin = Origin { slot: &token::hash(REDIRECT), code_hash: &code_hash };
            connections::insert(c, connection, origin).await?;
            let refreshing = Token {
                connection_id: connection.id,
                is_refresh: true,
                generation: connection.generation,
                scopes: connection.scopes,
                expires_at: connection.refresh_until,
            };
            // as long as the connection, so that a long run needs no refresh
            let calling = Token { is_refresh: false, ..refreshing };
            let access = token::hash(access);
            let refresh = token::hash(refresh);
            let tokens = ((&access, &calling), (&refresh, &refreshing));
            connections::insert_tokens(c, connection.workspace_id, tokens.0, tokens.1).await?;
        }
        Ok(())
    }
}
