//! Every route of the process, under one envelope.

use std::{
    net::IpAddr,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use bytes::Bytes;
use ipnet::IpNet;
use poem::{
    Endpoint, EndpointExt, IntoResponse, Request, Response, Route,
    endpoint::make_sync,
    get,
    http::{HeaderValue, StatusCode, header},
};
use serde_json::{Value, json};

use super::{diagnostics::Diagnostics, watch::Watch};
use crate::{
    admin::Admin,
    assistant::{self, Mcp},
    bot::{Bot, downloads},
    config::Config,
    contract::{Envelope, Fault, OperationInfo, docs_page, docs_response, reply},
    domain::refusal::Code,
    generated,
    pages::Pages,
    platform::{
        client_ip::client_ip,
        health::Readiness,
        net::{BadHead, refuse_bad_heads},
        shutdown::Stop,
    },
    store::Takes,
    workspace::World,
};

/// The paths outside the documents that take GET.
const PLAIN: [&str; 9] = [
    "/healthz",
    "/readyz",
    "/diagnostics/request",
    "/diagnostics/stream",
    "/docs",
    "/openapi/bot.json",
    "/openapi/assistant.json",
    "/openapi/admin.json",
    "/files/{token}",
];

/// The whole server.
pub fn all(
    world: &Arc<World>,
    config: &Config,
    readiness: Readiness,
    stop: Stop,
) -> impl Endpoint<Output = Response> + use<> {
    let bot = Arc::new(Bot::new(Arc::clone(world)));
    let admin = Arc::new(Admin::new(Arc::clone(world)));
    let settings = &world.settings;
    let diagnostics = Diagnostics::new(Arc::clone(world), config.trusted_proxies.clone());
    let other = Route::new()
        .at("/healthz", get(make_sync(|_| reply::json(200, &json!({"ok": true})))))
        .at("/readyz", get(ready(Arc::clone(world), readiness)))
        .at("/diagnostics/request", get(diagnostics.clone().request()))
        .at("/diagnostics/stream", get(diagnostics.stream()))
        .at("/docs", get(docs(settings.base_url.clone(), settings.mcp_url.clone())))
        .at("/openapi/bot.json", get(document(generated::bot::DOCUMENT)))
        .at("/openapi/assistant.json", get(document(generated::assistant::DOCUMENT)))
        .at("/openapi/admin.json", get(document(generated::admin::DOCUMENT)))
        .nest("/files", downloads::routes(Arc::clone(world)));
    let routes = ByDocument {
        bot: generated::bot::routes(bot),
        mcp: Mcp::new(Arc::clone(world), stop),
        assistant: assistant::routes(Arc::clone(world)),
        admin: generated::admin::routes(admin),
        pages: Pages::new(Arc::clone(world)),
        other,
    };

    let offered = |operation: &&'static OperationInfo| !(operation.sandbox && world.settings.production);
    let documents =
        [generated::bot::OPERATIONS, generated::assistant::OPERATIONS, generated::admin::OPERATIONS];
    let operations =
        documents.into_iter().flatten().chain(assistant::MCP_OPERATIONS).copied().filter(offered);
    let mut envelope = Envelope::new(Arc::new(Watch::new(world.rng.clone())), operations);
    for path in PLAIN.into_iter().chain(["/files/download/{token}"]) {
        envelope = envelope.and("GET", path);
    }
    for path in assistant::CORS_PATHS.iter().map(|(path, _)| path).chain(&assistant::MCP_PATHS) {
        envelope = envelope.and("OPTIONS", path);
    }
    let trusted = config.trusted_proxies.clone();
    let routes = routes.before(move |request| note_address(request, trusted.clone())).around(
        |inner, request| async move {
            refuse_bad_heads(inner, request).await.map(IntoResponse::into_response).map_err(worded)
        },
    );
    envelope.around(routes)
}

/// Sends a request to its document's routes. poem's own nesting costs every request a pattern and a copy.
struct ByDocument<B, S, A, O> {
    bot: B,
    mcp: Mcp,
    assistant: S,
    admin: A,
    pages: Pages,
    other: O,
}

impl<B, S, A, O> Endpoint for ByDocument<B, S, A, O>
where
    B: Endpoint<Output = Response>,
    S: Endpoint<Output = Response>,
    A: Endpoint<Output = Response>,
    O: Endpoint<Output = Response>,
{
    type Output = Response;

    async fn call(&self, request: Request) -> poem::Result<Response> {
        let path = request.uri().path();
        // boxed: hyper moves the future of a request, with room for the largest of these, several times
        let answer: Pin<Box<dyn Future<Output = _> + Send>> =
            if path.starts_with("/v1/") || (path.starts_with("/oauth/") && !Pages::owns(path)) {
                Box::pin(self.bot.call(request))
            } else if Mcp::owns(path) {
                Box::pin(self.mcp.call(request))
            } else if path.starts_with("/admin/v1/") {
                Box::pin(self.admin.call(request))
            } else if Pages::owns(path) {
                Box::pin(self.pages.call(request))
            } else if assistant::is_ours(path) {
                Box::pin(self.assistant.call(request))
            } else {
                Box::pin(self.other.call(request))
            };
        answer.await
    }
}

/// A head that breaks HTTP's rules is told why; sizes have sentences of their own.
fn worded(error: poem::Error) -> poem::Error {
    match error.downcast_ref::<BadHead>() {
        Some(head) if head.status == StatusCode::BAD_REQUEST => {
            Fault::because(Code::InvalidRequest, head.why).into()
        }
        _ => error,
    }
}

/// Behind trusted proxies the caller's address is what they say (D-375).
async fn note_address(mut request: Request, trusted: Vec<IpNet>) -> poem::Result<Request> {
    if !trusted.is_empty()
        && let Some(peer) = request.remote_addr().as_socket_addr().map(std::net::SocketAddr::ip)
    {
        let address: IpAddr = client_ip(peer, request.headers(), &trusted);
        request.set_data(address);
    }
    Ok(request)
}

/// The reference page, made when it is first asked for: it takes 1.6 MB, and many servers never show it.
fn docs(base_url: String, mcp_url: String) -> impl Endpoint<Output = Response> {
    let page = OnceLock::new();
    let make = move || {
        Bytes::from(docs_page(&[
            ("Bot API", &here(generated::bot::DOCUMENT, "base_url", &base_url)),
            ("Assistant connections", &here(generated::assistant::DOCUMENT, "mcp_url", &mcp_url)),
            ("Admin API", &here(generated::admin::DOCUMENT, "base_url", &base_url)),
        ]))
    };
    make_sync(move |_| docs_response(page.get_or_init(&make).clone()))
}

/// A document with this server's address as the default one, so that the page's "try it" works.
fn here(document: &str, variable: &str, address: &str) -> String {
    let mut document: Value = serde_json::from_str(document).expect("build.rs wrote it as JSON");
    let default = format!("/servers/0/variables/{variable}/default");
    if let Some(default) = document.pointer_mut(&default) {
        *default = address.into();
    }
    document.to_string()
}

/// A document as it is written in `openapi/`: a test proves that the routes are described by exactly that.
fn document(text: &'static str) -> impl Endpoint<Output = Response> {
    make_sync(move |_| {
        let mut response = Response::from(poem::Body::from(text));
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(reply::JSON));
        response
    })
}

/// `/readyz`: whether this process should be given traffic.
fn ready(world: Arc<World>, readiness: Readiness) -> impl Endpoint<Output = Response> {
    poem::endpoint::make(move |_| {
        let (world, readiness) = (Arc::clone(&world), readiness.clone());
        async move {
            readiness.set(
                "store",
                match world.db.ping().await {
                    Ok(Takes::ReadsAndWrites) => Ok(()),
                    Ok(Takes::ReadsOnly) => Err("cannot be written".to_owned()),
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
