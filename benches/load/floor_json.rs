//! Floor A: the minimal cost of a server that uses the same libraries as Switchboard. A bare poem-openapi operation
//! behind a bearer check returns the JSON of `GET /v1/auth/test` from memory. Switchboard's accept loop serves it.

use poem::{EndpointExt, IntoResponse, Route};
use poem_openapi::{ApiResponse, Object, OpenApi, OpenApiService, SecurityScheme, auth, payload::Json};
use switchboard::{
    config::Config,
    platform::{clock::Clock, net, shutdown},
};

/// The only valid token.
pub const TOKEN: &str = "svc_bot_test_0000000000000000000000000000000000000000000000000";

#[derive(SecurityScheme)]
#[oai(ty = "bearer")]
struct Bearer(auth::Bearer);

#[derive(Object)]
struct Company {
    id: String,
    name: String,
    domain: String,
}

#[derive(Object)]
struct Bot {
    id: String,
    name: String,
}

#[derive(Object)]
struct Answer {
    ok: bool,
    workspace: Company,
    bot: Bot,
    app_id: String,
    scopes: Vec<String>,
}

#[derive(ApiResponse)]
enum Reply {
    #[oai(status = 200)]
    Ok(Json<Answer>),
    #[oai(status = 401)]
    Unauthorized,
}

struct Api;

#[OpenApi]
impl Api {
    #[oai(path = "/v1/auth/test", method = "get")]
    async fn test(&self, bearer: Bearer) -> Reply {
        if bearer.0.token != TOKEN {
            return Reply::Unauthorized;
        }
        let scopes = [
            "messages:write",
            "users:read",
            "users:read.email",
            "conversations:read",
            "conversations:history",
        ];
        Reply::Ok(Json(Answer {
            ok: true,
            workspace: Company {
                id: "cmp_0000000000000".into(),
                name: "Example Company".into(),
                domain: "example.com".into(),
            },
            bot: Bot { id: "usr_0000000000000".into(), name: "App 1".into() },
            app_id: "app_0000000000000".into(),
            scopes: scopes.map(String::from).into(),
        }))
    }
}

/// Starts the server and returns its address. The server runs until `stop`.
pub async fn start(stop: shutdown::Stop) -> std::net::SocketAddr {
    let listener = net::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr();
    let service = OpenApiService::new(Api, "floor", "1");
    let endpoint = Route::new().nest("/", service).map_to_response();
    tokio::spawn(listener.serve(endpoint, Config::default().serve_options(), Clock::system(), stop));
    address
}

/// Checks at compile time that `poem::Response` implements the trait that an endpoint's response must implement.
const _: fn() = || {
    fn needs<T: IntoResponse>() {}
    needs::<poem::Response>();
};
