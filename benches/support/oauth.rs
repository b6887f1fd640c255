//! The steps that connect an assistant by OAuth: the requests of the assistant, and the pages on which the employee
//! signs in and decides. The assistant's requests register its client, and obtain, refresh and revoke tokens.

use reqwest::Method;
use serde_json::json;

use super::{
    browser::Browser,
    http::{Http, Reply, new_request},
    seed::PASSWORD,
};

/// The code verifier of the example in RFC 7636 appendix B. `CHALLENGE` is its code challenge.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "http://127.0.0.1:53682/callback";

/// The tokens of a connection.
#[derive(Clone, Default)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
}

/// What the employee does on the consent page.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    Approve,
    Deny,
    /// The employee never decides.
    None,
}

/// Registers a client and returns its id. Returns `None` if the request failed.
pub async fn register(http: &Http, name: &str) -> Option<String> {
    let body = json!({
        "client_name": name, "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none",
    });
    let reply = http.send(new_request("register a client", Method::POST, "/register").json(&body)).await;
    reply.is_ok().then(|| reply.text_at("/client_id"))
}

/// Returns the path of an authorization request.
pub fn authorize_path(client: &str) -> String {
    let query = [
        ("response_type", "code"),
        ("client_id", client),
        ("redirect_uri", REDIRECT),
        ("code_challenge", CHALLENGE),
        ("code_challenge_method", "S256"),
        ("state", "a state"),
    ];
    format!("/authorize?{}", serde_urlencoded::to_string(query).unwrap())
}

/// Opens `/authorize` in the employee's browser, signs in, and submits the decision. Returns the code from the redirect
/// to the client. Returns `None` if the employee does not approve or if a step failed.
pub async fn code(http: &Http, client: &str, email: &str, decision: Decision) -> Option<String> {
    let mut path = authorize_path(client);
    let mut browser = Browser::default();
    let mut page = browser.get(http, &path).await;
    for _ in 0..8 {
        if let Some(location) = page.header("location").map(str::to_owned) {
            if location.starts_with(REDIRECT) {
                let url = url::Url::parse(&location).ok()?;
                return url.query_pairs().find(|(name, _)| name == "code").map(|(_, code)| code.into_owned());
            }
            path = location.strip_prefix(&http.base).unwrap_or(&location).to_owned();
            page = browser.get(http, &path).await;
        } else if page.status == 200 && path.starts_with("/signin") {
            let more = [("email", email), ("password", PASSWORD)];
            page = browser.submit(http, &page, "/signin", &more).await?;
        } else if page.status == 200 && path.starts_with("/authorize/consent") {
            let more: &[_] = match decision {
                Decision::Approve => &[("decision", "approve")],
                Decision::Deny => &[("decision", "deny")],
                Decision::None => return None,
            };
            page = browser.submit(http, &page, "/authorize/consent", more).await?;
        } else {
            return None;
        }
    }
    None
}

/// Exchanges a code for tokens. Returns `None` if the request failed.
pub async fn exchange(http: &Http, client: &str, code: &str) -> Option<Tokens> {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("code_verifier", VERIFIER),
        ("redirect_uri", REDIRECT),
        ("client_id", client),
    ];
    tokens(&http.send(new_request("exchange a code", Method::POST, "/token").form(&form)).await)
}

/// Exchanges a refresh token for new tokens. Returns `None` if the request failed.
pub async fn refresh(http: &Http, client: &str, refresh: &str) -> Option<Tokens> {
    let form = [("grant_type", "refresh_token"), ("refresh_token", refresh), ("client_id", client)];
    tokens(&http.send(new_request("refresh tokens", Method::POST, "/token").form(&form)).await)
}

/// Revokes the connection of a token.
pub async fn revoke(http: &Http, client: &str, token: &str) -> Reply {
    let form = [("token", token), ("client_id", client)];
    http.send(new_request("revoke a token", Method::POST, "/revoke").form(&form)).await
}

fn tokens(reply: &Reply) -> Option<Tokens> {
    let tokens = Tokens { access: reply.text_at("/access_token"), refresh: reply.text_at("/refresh_token") };
    (reply.is_ok() && !tokens.access.is_empty()).then_some(tokens)
}
