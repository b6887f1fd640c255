//! Floors S and P, on PostgreSQL: the minimal cost of a server that uses the same libraries as Switchboard and runs one
//! query per request. Each floor is a bare poem-openapi operation that runs one prepared statement and returns its
//! result. Floor S (`/owner`) returns the owner of the bearer token, or 401. Floor P (`/page`) returns a page of a
//! conversation. It requires a bearer token, but does not check the token.

use poem::{EndpointExt, Route};
use poem_openapi::{
    ApiResponse, Object, OpenApi, OpenApiService, SecurityScheme, auth, param::Query, payload::Json,
};
use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use switchboard::{
    config::Config,
    domain::token,
    platform::{clock::Clock, net, shutdown},
};

const OWNER: &str = "SELECT i.id, i.workspace_id, i.app_id, i.bot_user_id, t.scopes, i.connected
    FROM bot_tokens t JOIN installations i ON i.id = t.installation_id WHERE t.token_hash = $1";
const PAGE: &str = "SELECT id, sender_id, type, text, thread_id, file_count, created_at FROM messages
    WHERE (conversation_id, id) < ($1, $2) AND conversation_id >= $1
    ORDER BY conversation_id DESC, id DESC LIMIT 200";

#[derive(SecurityScheme)]
#[oai(ty = "bearer")]
struct Bearer(auth::Bearer);

#[derive(Object)]
struct Owner {
    installation_id: i64,
    workspace_id: i64,
    app_id: i64,
    bot_user_id: i64,
    scopes: i64,
    connected: bool,
}

#[derive(Object)]
struct Message {
    id: i64,
    sender_id: Option<i64>,
    kind: i64,
    text: Option<String>,
    thread_id: Option<i64>,
    file_count: i64,
    created_at: i64,
}

#[derive(ApiResponse)]
enum OwnerReply {
    #[oai(status = 200)]
    Ok(Json<Owner>),
    #[oai(status = 401)]
    Unauthorized,
}

struct Api(PgPool);

#[OpenApi]
impl Api {
    #[oai(path = "/owner", method = "get")]
    async fn owner(&self, bearer: Bearer) -> OwnerReply {
        let hash = token::hash(&bearer.0.token);
        let found: Option<(i64, i64, i64, i64, i64, i64)> =
            sqlx::query_as(OWNER).bind(&hash[..]).fetch_optional(&self.0).await.unwrap();
        let Some((installation_id, workspace_id, app_id, bot_user_id, scopes, connected)) = found else {
            return OwnerReply::Unauthorized;
        };
        let connected = connected == 1;
        OwnerReply::Ok(Json(Owner { installation_id, workspace_id, app_id, bot_user_id, scopes, connected }))
    }

    #[oai(path = "/page", method = "get")]
    async fn page(
        &self,
        _bearer: Bearer,
        conversation: Query<i64>,
        before: Query<i64>,
    ) -> Json<Vec<Message>> {
        type Row = (i64, Option<i64>, i64, Option<String>, Option<i64>, i64, i64);
        let rows: Vec<Row> =
            sqlx::query_as(PAGE).bind(conversation.0).bind(before.0).fetch_all(&self.0).await.unwrap();
        let message = |(id, sender_id, kind, text, thread_id, file_count, created_at): Row| Message {
            id,
            sender_id,
            kind,
            text,
            thread_id,
            file_count,
            created_at,
        };
        Json(rows.into_iter().map(message).collect())
    }
}

/// Starts a server with both floors on a database that Switchboard has filled. Returns the address of the server, which
/// runs until `stop`.
pub async fn start(
    options: PgConnectOptions,
    connections: u32,
    stop: shutdown::Stop,
) -> std::net::SocketAddr {
    let pool = PgPoolOptions::new().max_connections(connections).test_before_acquire(false);
    let pool = pool.connect_with(options).await.unwrap();
    let listener = net::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr();
    let service = OpenApiService::new(Api(pool), "floor", "1");
    let endpoint = Route::new().nest("/", service).map_to_response();
    tokio::spawn(listener.serve(endpoint, Config::default().serve_options(), Clock::system(), stop));
    address
}
