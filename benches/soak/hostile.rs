//! Hostile traffic. Some clients keep connections open in states that are as expensive as possible for the server
//! (`benches/support/crowd.rs`). The other clients guess credentials, send garbage, disconnect early, and begin
//! authorizations without finishing them.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::json;

use super::{
    browser::Browser,
    crowd::Crowd,
    http::{Http, new_request},
    mcp::{Mcp, VERSIONS},
    oauth,
    site::Site,
    wire,
};

/// Number of calls of [`run`]. Each call simulates one client.
pub const COUNT: usize = 4;
/// Actions per second of each of these clients.
const RATE: f64 = 5.0;
/// The number of connections of `crowd`: from each of the [`ADDRESSES`] one connection of each of the first seven kinds
/// in `benches/support/crowd.rs`. The last two kinds, `Guesses` and `StalledUpload`, are left out.
const HELD: usize = 28;
/// The number of addresses from which `crowd` connects.
const ADDRESSES: usize = 4;

/// Starts the clients that keep the expensive connections open.
pub fn crowd(site: &Site) -> Crowd {
    Crowd::gather(site.address, HELD, ADDRESSES, &[])
}

pub async fn run(site: Arc<Site>, number: usize) {
    let (mut rng, mut pace) = (site.rng(9, number), site.rng(109, number));
    while !site.is_stopping() {
        let begun = Instant::now();
        // the requests through `http` have a random client address, so they seldom use up the rate limit of an address
        let address =
            format!("10.{}.{}.{}", rng.random_range(100..200), rng.random::<u8>(), rng.random::<u8>());
        let http = site.http.behind_proxy(address);
        match rng.random_range(0..14) {
            0..3 => guess_token(&http, &mut rng).await,
            3 => guess_password(&site, &http, &mut rng).await,
            4..6 => malformed(&http, &mut rng).await,
            6 => oversized(&site, &http).await,
            7..9 => unknown_paths(&http, &mut rng).await,
            9 => garbage(&site, &mut rng).await,
            10 => disconnect_early(&site, &mut rng).await,
            11 => unused_client(&http, &mut rng).await,
            12 => open_authorization(&site, &http).await,
            _ => unread_stream(&site, &http, &mut rng).await,
        }
        site.pace(&mut pace, begun, RATE).await;
    }
}

async fn guess_token(http: &Http, rng: &mut StdRng) {
    let token = format!("svc_bot_{:040x}", rng.random::<u128>());
    let (name, method, path) = match rng.random_range(0..4) {
        0 => ("hostile: bot token", Method::GET, "/v1/auth/test"),
        1 => ("hostile: operator key", Method::GET, "/admin/v1/workspaces"),
        2 => ("hostile: mcp token", Method::POST, "/mcp"),
        _ => ("hostile: file link", Method::GET, "/files/AQMwpJ0Zx4Vt7kQh2sYb8uLc5nRf1gWe9dXo6iTa3mPy"),
    };
    http.send(new_request(name, method, path).token(&token)).await;
}

async fn guess_password(site: &Site, http: &Http, rng: &mut StdRng) {
    let nobody = format!("nobody-{}@example.com", rng.random::<u32>());
    let email = if rng.random_bool(0.3) { &site.company.victim.email } else { &nobody };
    if rng.random_bool(0.5) {
        let body = json!({"email": email, "password": "password1"});
        http.send(new_request("hostile: password", Method::POST, "/admin/v1/sessions").json(&body)).await;
    } else {
        let mut browser = Browser::default();
        let page = browser.get(http, "/signin").await;
        browser.submit(http, &page, "/signin", &[("email", email), ("password", "password1")]).await;
    }
}

async fn malformed(http: &Http, rng: &mut StdRng) {
    let deep = "[".repeat(5_000);
    let bodies = ["", "{", "null", "[1,2,3]", "{\"grant_type\":7}", "\u{0}", "{\"a\":1e999999}", &deep];
    let body = bodies.choose(rng).unwrap().to_string();
    let path =
        ["/oauth/token", "/register", "/token", "/revoke", "/admin/v1/sessions", "/mcp"].choose(rng).unwrap();
    let media_type = ["application/json", "application/x-www-form-urlencoded"].choose(rng).unwrap();
    http.send(new_request("hostile: malformed body", Method::POST, *path).body(media_type, body)).await;
}

/// Sends a large body without a token, and a body above the size limit with a token.
async fn oversized(site: &Site, http: &Http) {
    let body = format!("{{\"grant_type\": \"{}\"}}", "x".repeat(300_000));
    http.send(
        new_request("hostile: large body", Method::POST, "/oauth/token").body("application/json", body),
    )
    .await;
    let body = format!("{{\"text\": \"{}\"}}", "x".repeat(1_500_000));
    let token = site.company.bots[0].token();
    let request =
        new_request("hostile: large send", Method::POST, "/v1/messages").body("application/json", body);
    http.send(request.token(&token)).await;
}

async fn unknown_paths(http: &Http, rng: &mut StdRng) {
    let path = match rng.random_range(0..4) {
        0 => format!("/{:x}", rng.random::<u64>()),
        1 => "/v1/../../etc/passwd".to_owned(),
        2 => format!("/v1/users/{:x}", rng.random::<u64>()),
        _ => format!("/.well-known/{:x}", rng.random::<u32>()),
    };
    let host = format!("host-{:x}.example", rng.random::<u32>());
    http.send(new_request("hostile: unknown path and host", Method::GET, path).header("host", host)).await;
}

async fn garbage(site: &Site, rng: &mut StdRng) {
    let random: Vec<u8> = (0..2_000).map(|_| rng.random()).collect();
    let many = format!("GET / HTTP/1.1\r\nhost: x\r\n{}", "a: b\r\n".repeat(5_000));
    let long = format!("GET /{} HTTP/1.1\r\nhost: x\r\n\r\n", "a".repeat(100_000));
    let bytes: &[u8] = match rng.random_range(0..4) {
        0 => &random,
        1 => many.as_bytes(),
        2 => long.as_bytes(),
        _ => b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    };
    wire::hold(site.address, wire::from(rng.random_range(0..50)), bytes, Duration::from_secs(2)).await;
}

/// Sends a complete or incomplete request, and disconnects before the response or in the middle of the response.
async fn disconnect_early(site: &Site, rng: &mut StdRng) {
    let company = &site.company;
    let bot = company.bots.choose(rng).unwrap();
    let group = &company.groups[bot.groups[0]];
    let token = bot.token();
    let body = format!(r#"{{"to":{{"type":"conversation","id":"{group}"}},"text":"lost"}}"#);
    let send = format!(
        "POST /v1/messages HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nidempotency-key: lost-{:x}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        rng.random::<u64>(),
        body.len(),
    );
    let page = format!(
        "GET /v1/conversations/{group}/messages?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n"
    );
    let from = wire::from(rng.random_range(0..50));
    match rng.random_range(0..4) {
        0 => wire::send_and_reset(site.address, from, send.as_bytes()).await,
        1 => wire::send_and_reset(site.address, from, &send.as_bytes()[..send.len() - 10]).await,
        2 => wire::send_and_reset(site.address, from, page.as_bytes()).await,
        _ => {
            let document = b"GET /openapi/admin.json HTTP/1.1\r\nhost: x\r\n\r\n".repeat(8);
            wire::hold(site.address, from, &document, Duration::from_millis(5)).await;
        }
    }
}

async fn unused_client(http: &Http, rng: &mut StdRng) {
    oauth::register(http, &format!("Nobody {}", rng.random::<u16>())).await;
}

/// Begins authorizations that nobody completes.
async fn open_authorization(site: &Site, http: &Http) {
    if let Some(client) = oauth::register(http, "Somebody").await {
        Browser::default().get(http, &oauth::authorize_path(&client)).await;
        // a second authorization follows the redirects, signs in and stops at the consent page
        oauth::code(http, &client, &site.company.victim.email, oauth::Decision::None).await;
    }
}

/// Opens an event stream of MCP, does not read it, and resets the connection after some seconds.
async fn unread_stream(site: &Site, http: &Http, rng: &mut StdRng) {
    let token = site.company.tokens.lock().unwrap().back().cloned();
    let Some(token) = token else { return };
    let Some(mcp) = Mcp::begin(http, &token, VERSIONS[1]).await else { return };
    let Some(request) = mcp.stream(&token) else { return };
    let (server, from) = (site.address, wire::from(rng.random_range(50..60)));
    let span = Duration::from_secs(rng.random_range(1..40));
    tokio::spawn(async move { wire::send_without_reading(server, from, request.as_bytes(), span).await });
}
