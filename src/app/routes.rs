//! All routes of the server, inside one response middleware ([`Envelope`]).

use std::{net::IpAddr, pin::Pin, sync::Arc};

use ipnet::IpNet;
use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Route, endpoint::make_sync, get, http::StatusCode,
};
use serde_json::json;

use super::{
    diagnostics::Diagnostics,
    documents,
    reference::{self, SandboxToken},
    request_log::RequestLog,
};
use crate::{
    admin::Admin,
    api::recorder::Recorder,
    assistant::{self, Mcp},
    bot::{BotApi, downloads},
    config::Config,
    contract::{ApiError, Envelope, OperationInfo, PublishedDocument, reply},
    domain::refusal::Code,
    generated,
    pages::{
        Pages,
        console::{Console, ConsoleHandle, ConsoleParts},
    },
    platform::{
        client_ip::client_ip,
        health::Readiness,
        net::{BadHead, refuse_bad_heads},
        shutdown::Stop,
    },
    service::World,
    store::Availability,
};

/// Paths of GET requests. No OpenAPI document has these paths, and neither [`Pages`] nor [`Console`] serves them. If a
/// request to one of them has another method, [`Envelope`] lists GET in the 405 response.
const UNDOCUMENTED: [&str; 14] = [
    "/healthz",
    "/readyz",
    "/diagnostics/request",
    "/diagnostics/stream",
    "/docs",
    "/docs/{file}",
    "/openapi/bot.json",
    "/openapi/assistant.json",
    "/openapi/admin.json",
    "/openapi/bot-3.1.json",
    "/openapi/assistant-3.1.json",
    "/openapi/admin-3.1.json",
    "/files/{token}",
    "/files/download/{token}",
];

/// The pages of the assistant server's authorization endpoint.
const AUTHORIZATION_PAGES: [&str; 2] = ["/authorize", "/authorize/consent"];

/// `Retry-After` in seconds for a request on a connection beyond the connection limit of its address.
const RETRY_AFTER_CONNECTION: u32 = 5;

/// Returns the endpoint of the whole server, and the handle of its console. The handle is `None` in production. `token`
/// is the bot token that `/docs` fills in.
pub fn all(
    world: &Arc<World>,
    config: &Config,
    readiness: Readiness,
    stop: Stop,
    token: SandboxToken,
) -> (impl Endpoint<Output = Response> + use<>, Option<ConsoleHandle>) {
    let recorder = (!world.settings.production).then(|| Arc::new(Recorder::new(world.clock.clone())));
    let log = Arc::new(RequestLog::new(world.rng.clone(), recorder.clone()));
    let bot = Arc::new(BotApi::new(Arc::clone(world)));
    let admin = Arc::new(Admin::new(Arc::clone(world)));
    let settings = &world.settings;
    let diagnostics = Diagnostics::new(Arc::clone(world), config.trusted_proxies.clone());
    let document =
        |published: fn() -> PublishedDocument, url: &str| reference::document(world, published, url);
    let other = Route::new()
        .at("/healthz", get(make_sync(|_| reply::json(200, &json!({"ok": true})))))
        .at("/readyz", get(ready(Arc::clone(world), readiness)))
        .at("/diagnostics/request", get(diagnostics.clone().request()))
        .at("/diagnostics/stream", get(diagnostics.stream()))
        .at("/openapi/bot.json", get(document(documents::bot, &settings.base_url)))
        .at("/openapi/assistant.json", get(document(documents::assistant, &settings.mcp_url)))
        .at("/openapi/admin.json", get(document(documents::admin, &settings.base_url)))
        .at("/openapi/bot-3.1.json", get(document(|| documents::bot().to_3_1(), &settings.base_url)))
        .at(
            "/openapi/assistant-3.1.json",
            get(document(|| documents::assistant().to_3_1(), &settings.mcp_url)),
        )
        .at("/openapi/admin-3.1.json", get(document(|| documents::admin().to_3_1(), &settings.base_url)))
        .nest("/files", downloads::routes(Arc::clone(world)));
    let other = reference::add(other, Arc::clone(world), token);
    let console = recorder.map(|recorder| {
        let operations = generated::bot::OPERATIONS;
        let envelope = Envelope::new(Arc::clone(&log), operations.iter().copied());
        let bot_routes = envelope.around(generated::bot::routes(Arc::clone(&bot))).boxed();
        Console::new(Arc::clone(world), ConsoleParts { recorder, bot: bot_routes, operations })
    });
    let (console, handle) = console.unzip();
    let routes = ApiDispatch {
        bot: generated::bot::routes(bot),
        mcp: Mcp::new(Arc::clone(world), stop),
        assistant: assistant::routes(Arc::clone(world)),
        admin: generated::admin::routes(admin),
        pages: Pages::new(Arc::clone(world)),
        console,
        other,
    };

    let is_available = |operation: &&'static OperationInfo| !(operation.sandbox && world.settings.production);
    let documents =
        [generated::bot::OPERATIONS, generated::assistant::OPERATIONS, generated::admin::OPERATIONS];
    let operations =
        documents.into_iter().flatten().chain(assistant::MCP_OPERATIONS).copied().filter(is_available);
    let mut envelope = Envelope::new(log, operations).https_only(settings.base_url.starts_with("https://"));
    for path in UNDOCUMENTED {
        envelope = envelope.and("GET", path);
    }
    for path in assistant::CORS_PATHS.iter().map(|(path, _)| path).chain(&assistant::MCP_PATHS) {
        envelope = envelope.and("OPTIONS", path);
    }
    for path in AUTHORIZATION_PAGES {
        envelope = envelope.and_oauth_page(path);
    }
    let trusted = config.trusted_proxies.clone();
    let routes = routes.before(move |request| store_client_address(request, trusted.clone())).around(
        |inner, request| async move {
            refuse_bad_heads(inner, request).await.map(IntoResponse::into_response).map_err(with_message)
        },
    );
    (envelope.around(routes), handle)
}

/// Dispatches a request to the routes of its API by its path. With nested routes of poem, each request would need a
/// pattern match and a copy of its path.
struct ApiDispatch<B, S, A, O> {
    bot: B,
    mcp: Mcp,
    assistant: S,
    admin: A,
    pages: Pages,
    /// The console; `None` in production. Without a console, requests to its paths get 404, as for unknown paths.
    console: Option<Console>,
    other: O,
}

impl<B, S, A, O> Endpoint for ApiDispatch<B, S, A, O>
where
    B: Endpoint<Output = Response>,
    S: Endpoint<Output = Response>,
    A: Endpoint<Output = Response>,
    O: Endpoint<Output = Response>,
{
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let path = request.uri().path();
        // boxed, because hyper moves the request's future several times. Without the boxes, the future would be as
        // large as the largest of these futures
        let answer: Pin<Box<dyn Future<Output = _> + Send>> =
            if path.starts_with("/v1/") || (path.starts_with("/oauth/") && !Pages::owns(path)) {
                Box::pin(self.bot.call(request))
            } else if Mcp::owns(path) {
                Box::pin(self.mcp.call(request))
            } else if path.starts_with("/admin/v1/") {
                Box::pin(self.admin.call(request))
            } else if Pages::owns(path) {
                Box::pin(self.pages.call(request))
            } else if let Some(console) = self.console.as_ref().filter(|_| Console::owns(path)) {
                Box::pin(console.call(request))
            } else if assistant::owns(path) {
                Box::pin(self.assistant.call(request))
            } else {
                Box::pin(self.other.call(request))
            };
        answer.await
    }
}

/// Adds a message to the errors for a malformed request head (400), and for a request on a connection beyond the
/// connection limit of its address (429). Other errors, for example for a head that is too large, keep the general
/// message of their status.
fn with_message(error: poem::Error) -> poem::Error {
    match error.downcast_ref::<BadHead>() {
        Some(head) if head.status == StatusCode::BAD_REQUEST => {
            ApiError::because(Code::InvalidRequest, head.why).into()
        }
        Some(head) if head.status == StatusCode::TOO_MANY_REQUESTS => ApiError {
            retry_after: Some(RETRY_AFTER_CONNECTION),
            ..ApiError::because(Code::RateLimited, head.why)
        }
        .into(),
        _ => error,
    }
}

/// Stores the client address in the request (D-375): the address that trusted proxies report, or the peer's address if
/// the peer is not a trusted proxy. If no trusted proxies are configured, stores nothing. The client address is then
/// the peer's address by default.
async fn store_client_address(mut request: Request, trusted: Vec<IpNet>) -> poem::Result<Request> {
    if !trusted.is_empty()
        && let Some(peer) = request.remote_addr().as_socket_addr().map(std::net::SocketAddr::ip)
    {
        let address: IpAddr = client_ip(peer, request.headers(), &trusted);
        request.set_data(address);
    }
    Ok(request)
}

/// Serves `/readyz`, which reports whether this process should receive traffic.
fn ready(world: Arc<World>, readiness: Readiness) -> impl Endpoint<Output = Response> {
    poem::endpoint::make(move |_| {
        let (world, readiness) = (Arc::clone(&world), readiness.clone());
        async move {
            readiness.set(
                "store",
                match world.db.ping().await {
                    Ok(Availability::ReadsAndWrites) => Ok(()),
                    Ok(Availability::ReadsOnly) => Err("cannot be written".to_owned()),
                    Err(_) => Err("does not answer".to_owned()),
                },
            );
            let report = readiness.report();
            let parts: serde_json::Map<_, _> =
                report.parts.into_iter().map(|(name, state)| (name.to_owned(), state.into())).collect();
            let mut response = reply::json(200, &json!({"ok": report.ready, "parts": parts}));
            if !report.ready {
                response.set_status(StatusCode::SERVICE_UNAVAILABLE);
            }
            Ok::<_, poem::Error>(response)
        }
    })
}
