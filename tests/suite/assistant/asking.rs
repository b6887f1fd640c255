//! Helpers that send requests to `/authorize` for clients with a metadata document.

use std::{
    net::Ipv4Addr,
    sync::atomic::{AtomicU32, Ordering},
};

use switchboard::{
    platform::outbound::OutboundFailure, service::oauth::clients::ClientProblem::Unreached, store::Engine,
};

use crate::support::{
    assistant::{CHALLENGE, Client, Employee},
    authorize::{AuthorizeAnswer, Redirected},
    browser::{Page, unescape},
    oauth::ClientHost,
    *,
};

/// The error page's message if the client's metadata document cannot be fetched, or is not valid JSON.
pub const NO_DOCUMENT: &str = "The client's metadata document cannot be used. Its host must be on the public Internet, have a \
                               valid certificate, and answer by HTTPS within 3 seconds with status 200 and a JSON document \
                               of at most 10 KB.";

/// The id of the authorization request that the consent page shows, or the error.
pub type AuthorizeResult = Result<String, Refused>;

/// An error of `/authorize`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// An error page with this message.
    Page { status: u16, reason: String, retry_after: Option<u32> },
    /// A redirect to the client with this error.
    Client(String),
}

/// Returns the query of a valid authorization request, with the parameters `more` changed or added. An empty value
/// removes the parameter.
pub fn request<'a>(
    client_id: &'a str,
    redirect_uri: &'a str,
    more: &[(&'a str, &'a str)],
) -> Vec<(&'a str, &'a str)> {
    let usual = [
        ("response_type", "code"),
        ("client_id", client_id),
        ("redirect_uri", redirect_uri),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "a state"),
    ];
    let kept = usual.into_iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    kept.chain(more.iter().copied()).filter(|(_, value)| !value.is_empty()).collect()
}

/// Sends an authorization request from an IP address that no earlier call has used, so that the calls do not share the
/// rate limit of one address.
pub async fn authorize_as(server: &Server, client_id: &str, redirect_uri: &str) -> AuthorizeResult {
    static NEXT: AtomicU32 = AtomicU32::new(0x7f01_0001);
    authorize_from(server, client_id, redirect_uri, NEXT.fetch_add(1, Ordering::Relaxed).into()).await
}

pub async fn authorize_from(
    server: &Server,
    client_id: &str,
    redirect_uri: &str,
    address: Ipv4Addr,
) -> AuthorizeResult {
    match server.begin_from(address, &request(client_id, redirect_uri, &[])).await {
        AuthorizeAnswer::Consent { request } => Ok(request),
        AuthorizeAnswer::Redirect(to) => {
            assert!(to.starts_with(redirect_uri), "{to}");
            Err(Refused::Client(Redirected::read(&to).get("error").expect("the error parameter").to_owned()))
        }
        AuthorizeAnswer::Page(page) => {
            page.is(page.wire.status, "<h1>This app cannot be connected</h1>");
            let retry_after = page.header("retry-after").map(|seconds| seconds.parse().expect("seconds"));
            Err(Refused::Page { status: page.wire.status, reason: reason(&page), retry_after })
        }
    }
}

pub async fn authorize(server: &Server, host: &ClientHost, redirect_uri: &str) -> AuthorizeResult {
    authorize_as(server, &host.client_id, redirect_uri).await
}

/// Returns the message of an error page.
fn reason(page: &Page) -> String {
    let rest = page.text.split("</h1>\n<p>").nth(1).expect("the page has a message");
    unescape(rest.split("</p>").next().expect("the message ends"))
}

/// Returns the message on the error page for an invalid client. Panics for any other response.
#[track_caller]
pub fn invalid_client_message(result: AuthorizeResult) -> String {
    match result {
        Err(Refused::Page { status: 400, reason, retry_after: None }) => reason,
        other => panic!("{other:?}"),
    }
}

/// Asserts that the message of the error page is [`NO_DOCUMENT`]. This message is the same for all failed fetches, so
/// that it does not reveal why the fetch failed.
#[track_caller]
pub fn unusable(result: AuthorizeResult) {
    assert_eq!(invalid_client_message(result), NO_DOCUMENT);
}

/// Returns why the client's document could not be fetched, which the error page does not reveal. Returns `None` if no
/// fetch failed, for example because the client id is not the URL of a document.
pub async fn cause(server: &Server, client_id: &str, redirect_uri: &str) -> Option<OutboundFailure> {
    let address = Ipv4Addr::LOCALHOST.into();
    let found = server.running().world().client_for(client_id, redirect_uri, address).await;
    match found.expect("the database is available") {
        Err(Unreached(why)) => Some(why),
        _ => None,
    }
}

/// Returns the client's name as the consent page shows it.
pub async fn name_shown(server: &Server, employee: &Employee, result: AuthorizeResult) -> String {
    let form = employee.open(server, &result.expect("the consent page")).await.expect("the consent page");
    let title = form.page.text.split("<h1>Connect ").nth(1).expect("a title");
    unescape(title.split("?</h1>").next().expect("the title ends"))
}

/// Returns the client whose metadata document `host` publishes, for requests to `/token`.
pub fn client_of(server: &Server, host: &ClientHost, redirect_uri: &str) -> Client {
    Client {
        id: host.client_id.clone(),
        secret: None,
        redirect_uri: redirect_uri.to_owned(),
        server: server.api(),
    }
}

/// Starts a host of metadata documents and a server. The server has no rate limits, and may fetch documents from this
/// host.
pub async fn host_and_server() -> (ClientHost, Server) {
    let host = ClientHost::start().await;
    let server = host.server(Engine::Sqlite, false).await.expect("SQLite is always available");
    (host, server)
}
