//! The measured Switchboard server. It runs in this process, on a Tokio runtime of its own. Its SQLite database flushes
//! every commit to disk. Only requests to the token endpoint are measured. So no employee approves a connection on the
//! consent page: the benchmark itself inserts the authorization codes into the database.

use switchboard::{
    app::Running,
    domain::{
        grant::{CODE_LIFE, ClientKind, Resource},
        ids::{UserId, WorkspaceId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    platform::clock::Clock,
    store::{
        Op, Result, Sql,
        assistant_clients::{self, AssistantClient},
        authorizations::{self, AuthorizationCode},
        users,
    },
};
use tempfile::TempDir;

use super::{
    CLIENTS, data,
    grants::{CHALLENGE, Peer, REDIRECT},
    support::in_process,
};

pub struct Server {
    running: Running,
    client_ids: Vec<String>,
    people: Vec<UserId>,
    workspace: WorkspaceId,
    /// The number of codes that were created so far. It determines the employee of the next code.
    made: std::cell::Cell<usize>,
    _folder: TempDir,
}

impl Server {
    pub async fn start() -> Self {
        let folder = in_process::folder(None);
        let mut config = in_process::config(&in_process::sqlite(folder.path()), folder.path());
        // the limits are so high that no request is rejected; requests are still counted
        config.limits.scale = 1_000_000;
        let running = in_process::start(config, Clock::system()).await;
        let world = running.world();
        let people = data::fill(world, 0).await.people;
        let client_ids: Vec<String> =
            (0..CLIENTS).map(|_| world.mint(TokenKind::AssistantClientId)).collect();
        let now = world.clock.now();
        let clients = client_ids.iter().map(|id| client(world.ids.next().unwrap(), id, now)).collect();
        let workspace = world.db.write(WriteClients(clients, people[0])).await.unwrap();
        Self { running, client_ids, people, workspace, made: std::cell::Cell::new(0), _folder: folder }
    }

    pub fn peer(&self) -> Peer {
        Peer { address: self.running.address(), client_ids: self.client_ids.clone() }
    }

    /// Creates `count` authorization codes. The code at index i is for client i modulo [`CLIENTS`].
    pub async fn codes(&self, count: usize) -> Vec<String> {
        let world = self.running.world();
        let expires_at = world.clock.now() + CODE_LIFE;
        let codes: Vec<String> = (0..count).map(|_| world.mint(TokenKind::AssistantCode)).collect();
        let first = self.made.replace(self.made.get() + count);
        let rows = codes.iter().enumerate().map(|(n, code)| {
            let user_id = self.people[((first + n) / CLIENTS) % self.people.len()];
            let code_of = AuthorizationCode {
                client_id: self.client_ids[n % CLIENTS].clone(),
                client_kind: ClientKind::Registered,
                display_name: "Bench".into(),
                redirect_uri: REDIRECT.into(),
                redirect_key: "http://127.0.0.1/callback".into(),
                block_key: "local:bench".into(),
                workspace_id: self.workspace,
                user_id,
                resource: Resource::Full,
                scopes: Resource::Full.scopes(),
                challenge: CHALLENGE.into(),
                expires_at,
            };
            (token::hash(code), code_of)
        });
        world.db.write(WriteCodes(rows.collect())).await.unwrap();
        codes
    }

    pub fn stop(&self) {
        self.running.drain();
    }
}

fn client(id: i64, client_id: &str, now: Timestamp) -> AssistantClient {
    AssistantClient {
        id,
        client_id: client_id.to_owned(),
        is_registered: true,
        client_name: Some("Bench".into()),
        redirect_uris: serde_json::json!([REDIRECT]).to_string(),
        is_public: true,
        secret_hash: None,
        metadata: None,
        created_at: now,
        expires_at: now + std::time::Duration::from_secs(24 * 60 * 60),
        connected_at: None,
        last_used_at: None,
    }
}

/// Inserts clients, and reads the company of an employee.
struct WriteClients(Vec<AssistantClient>, UserId);

impl Op for WriteClients {
    const NAME: &'static str = "bench_clients";
    /// The company of the employee.
    type Out = WorkspaceId;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<WorkspaceId> {
        for client in &self.0 {
            assistant_clients::insert(c, client).await?;
        }
        Ok(users::by_id(c, self.1).await?.expect("a person").workspace_id)
    }
}

struct WriteCodes(Vec<([u8; 32], AuthorizationCode)>);

impl Op for WriteCodes {
    const NAME: &'static str = "bench_codes";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for (hash, code) in &self.0 {
            authorizations::insert_code(c, hash, code).await?;
        }
        Ok(())
    }
}
