//! Employees who connect an assistant with a browser: sign-in, consent, and the exchange of the code.

use std::collections::BTreeMap;

use regex::Regex;
use reqwest::Method;
use serde_json::json;

use super::{
    assistants,
    company::{Connected, PASSWORD},
    http::{Http, Reply, ask},
};

/// RFC 7636 appendix B.
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const REDIRECT: &str = "http://127.0.0.1:53682/callback";

/// A registered client, which all assistants are.
pub struct Client {
    id: String,
}

pub async fn register(http: &Http) -> Client {
    let body = json!({
        "client_name": "Fleet", "redirect_uris": [REDIRECT], "token_endpoint_auth_method": "none",
    });
    let made = http.send(ask("seed", Method::POST, "/register").json(&body)).await.must("a client");
    Client { id: made.text_at("/client_id") }
}

impl Client {
    /// Connects an assistant for an employee; nothing if a step had no good answer.
    pub async fn connect(&self, http: &Http, email: &str) -> Option<Connected> {
        let code = self.code(http, email).await?;
        let form = [
            ("grant_type", "authorization_code"),
            ("code", &code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", REDIRECT),
            ("client_id", &self.id),
        ];
        let tokens = http.send(ask("exchange a code", Method::POST, "/token").form(&form)).await;
        let access = tokens.text_at("/access_token");
        if !tokens.is_ok() || access.is_empty() {
            return None;
        }
        let who = assistants::call(http, &access, "whoami", &json!({})).await;
        let connection_id = who.text_at("/result/structuredContent/connection/id");
        (!connection_id.is_empty()).then_some(Connected { access, connection_id })
    }

    /// Follows the pages from `/authorize` to the redirect to the client.
    async fn code(&self, http: &Http, email: &str) -> Option<String> {
        let query = [
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", REDIRECT),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "a state"),
        ];
        let mut path = format!("/authorize?{}", serde_urlencoded::to_string(query).unwrap());
        let mut browser = Browser { cookies: BTreeMap::new() };
        let mut answer = browser.get(http, &path).await;
        for _ in 0..8 {
            if let Some(location) = answer.header("location").map(str::to_owned) {
                if location.starts_with(REDIRECT) {
                    let url = url::Url::parse(&location).ok()?;
                    return url
                        .query_pairs()
                        .find(|(name, _)| name == "code")
                        .map(|(_, code)| code.into_owned());
                }
                path = location.strip_prefix(&http.base).unwrap_or(&location).to_owned();
                answer = browser.get(http, &path).await;
            } else if answer.status == 200 && path.starts_with("/signin") {
                let more = [("email", email), ("password", PASSWORD)];
                answer = browser.submit(http, &answer, "/signin", &more).await?;
            } else if answer.status == 200 && path.starts_with("/authorize/consent") {
                answer =
                    browser.submit(http, &answer, "/authorize/consent", &[("decision", "approve")]).await?;
            } else {
                return None;
            }
        }
        None
    }
}

/// A browser without scripts.
struct Browser {
    cookies: BTreeMap<String, String>,
}

impl Browser {
    async fn get(&mut self, http: &Http, path: &str) -> Reply {
        let request = ask("pages", Method::GET, path).header("accept", "text/html");
        let reply = http.send(request.header("cookie", self.cookie())).await;
        self.keep(&reply);
        reply
    }

    /// Fills in the form of a page that posts to this path.
    async fn submit(
        &mut self,
        http: &Http,
        page: &Reply,
        path: &str,
        more: &[(&str, &str)],
    ) -> Option<Reply> {
        let forms = Regex::new(r"(?s)<form ([^>]*)>(.*?)</form>").unwrap();
        let inputs = Regex::new(r"<input [^>]*>").unwrap();
        let found =
            forms.captures_iter(&page.text).find(|form| attribute(&form[1], "action").starts_with(path));
        let form = found?;
        let action = attribute(&form[1], "action");
        let hidden = inputs.find_iter(&form[2]).map(|input| input.as_str());
        let hidden = hidden.filter(|input| attribute(input, "type") == "hidden");
        let mut fields: Vec<_> =
            hidden.map(|input| (attribute(input, "name"), attribute(input, "value"))).collect();
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let request = ask("pages", Method::POST, action).form(&fields).header("accept", "text/html");
        let request = request.header("cookie", self.cookie()).header("origin", http.base.clone());
        let reply = http.send(request.header("sec-fetch-site", "same-origin")).await;
        self.keep(&reply);
        Some(reply)
    }

    fn cookie(&self) -> String {
        let pairs: Vec<_> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.join("; ")
    }

    fn keep(&mut self, reply: &Reply) {
        for cookie in reply.headers.get_all("set-cookie") {
            let text = cookie.to_str().unwrap_or_default();
            let pair = text.split(';').next().unwrap_or_default();
            if let Some((name, value)) = pair.split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }
}

/// An attribute's value, with the character references that the pages use.
fn attribute(element: &str, name: &str) -> String {
    let pattern = Regex::new(&format!(r#"\b{name}="([^"]*)""#)).unwrap();
    let value = pattern.captures(element).map_or(String::new(), |found| found[1].to_owned());
    let numbers = Regex::new(r"&#(\d+);").unwrap();
    let plain = numbers.replace_all(&value, |code: &regex::Captures<'_>| {
        code[1].parse().ok().and_then(char::from_u32).map_or(String::new(), String::from)
    });
    plain.replace("&amp;", "&")
}
