//! Connects an assistant for employees. Makes no OAuth requests, but inserts the rows that the exchange of an
//! authorization code writes.

use switchboard::{
    domain::{
        connection_token,
        grant::{Access, ClientKind, REFRESH_LIFE, Resource},
        ids::{ConnectionId, UserId, WorkspaceId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::World,
    store::{
        Op, Result, Sql,
        assistant_clients::{self, AssistantClient},
        connections::{self, Connection, Origin, Token},
    },
};

const REDIRECT: &str = "http://127.0.0.1:53682/callback";
const LABEL: &str = "Bench";

/// Creates one new assistant, with a connection for each employee in `people`. Returns the access tokens of the
/// connections, in the order of `people`.
pub async fn connect(world: &World, workspace: WorkspaceId, people: &[UserId]) -> Vec<String> {
    let now = world.clock.now();
    let client = client(world, now);
    let production = world.settings.production;
    let issued: Vec<IssuedConnection> = people
        .iter()
        .map(|person| {
            let connection = connection(world, workspace, *person, &client.client_id, now);
            let key = &world.keys.connection_tokens;
            let mint = |kind| connection_token::mint(key, kind, connection.id, &world.rng.bytes());
            let (access, refresh) =
                (mint(TokenKind::access(production)), mint(TokenKind::refresh(production)));
            IssuedConnection { connection, access, refresh }
        })
        .collect();
    let tokens = issued.iter().map(|connection| connection.access.clone()).collect();
    world.db.write(InsertConnections { client, issued }).await.unwrap();
    tokens
}

fn client(world: &World, now: Timestamp) -> AssistantClient {
    AssistantClient {
        id: world.ids.next().unwrap(),
        client_id: world.mint(TokenKind::AssistantClientId),
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
struct IssuedConnection {
    connection: Connection,
    access: String,
    refresh: String,
}

struct InsertConnections {
    client: AssistantClient,
    issued: Vec<IssuedConnection>,
}

impl Op for InsertConnections {
    const NAME: &'static str = "bench_connections";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        assistant_clients::insert(c, &self.client).await?;
        for IssuedConnection { connection, access, refresh } in &self.issued {
            // an authorization code is exchanged only once, so each connection needs a code hash of its own
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
            // the access token is valid as long as the connection, so that a long run needs no refresh
            let calling = Token { is_refresh: false, ..refreshing };
            let access = token::hash(access);
            let refresh = token::hash(refresh);
            let tokens = ((&access, &calling), (&refresh, &refreshing));
            connections::insert_tokens(c, connection.workspace_id, tokens.0, tokens.1).await?;
        }
        Ok(())
    }
}
