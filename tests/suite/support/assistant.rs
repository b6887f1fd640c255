//! An assistant client from outside: it registers, asks an employee, exchanges, refreshes and revokes; and what became
//! of its connection, as the company sees it.
//!
//! The employee's part (the pages) is done through the workspace; the pages have tests of their own.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use switchboard::{
    domain::{browser::BrowserId, ids::WorkspaceId, token},
    workspace::{
        assistants::{
            authorize::Begin,
            connections::Connected,
            consent::{Decision, Undecided},
        },
        principal::Principal,
    },
};

use super::{
    Server,
    api::Api,
    company::{Company, text},
};

/// RFC 7636 appendix B.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const LOCAL: &str = "http://127.0.0.1:53682/callback";
pub const WEB: &str = "https://client.example/callback";
pub const PASSWORD: &str = "analytical engine";

/// The browser of every test that does not say another one.
pub fn browser() -> BrowserId {
    BrowserId::of_cookie("a browser")
}

/// Somebody who may decide.
#[derive(Clone)]
pub struct Employee {
    pub id: String,
    pub email: String,
    pub company: Company,
}

/// A registered client.
#[derive(Clone)]
pub struct Client {
    pub id: String,
    pub secret: Option<String>,
    pub redirect_uri: String,
    pub server: Api,
}

/// Answer of `/token` or `/revoke`.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub bytes: Vec<u8>,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.headers["cache-control"], "no-store", "A-178, A-219");
        self.json()
    }

    /// An error of RFC 6749 §5.2, and nothing of the bot API's envelope.
    #[track_caller]
    pub fn refused(&self, status: u16, error: &str) {
        let body = self.json();
        assert_eq!((self.status, body["error"].as_str()), (status, Some(error)), "{body}");
        let members: Vec<_> = body.as_object().expect("an object").keys().collect();
        assert!(members.iter().all(|m| ["error", "error_description"].contains(&m.as_str())), "{body}");
        assert_eq!(self.headers["cache-control"], "no-store", "A-219");
        if status == 401 {
            assert!(self.headers["www-authenticate"].as_bytes().starts_with(b"Basic"), "A-214");
        }
        if status == 429 {
            let wait: u64 = self.headers["retry-after"].to_str().unwrap().parse().unwrap();
            assert!(wait >= 1, "A-218");
        }
    }
}

/// A pair of tokens.
#[derive(Clone, Debug)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub scope: String,
}

impl Tokens {
    #[track_caller]
    pub fn of(body: &Value) -> Self {
        Self {
            access: text(body, "/access_token"),
            refresh: text(body, "/refresh_token"),
            scope: text(body, "/scope"),
        }
    }
}

impl Server {
    /// An employee of a new company.
    pub async fn employee(&self) -> Employee {
        let company = self.company().await;
        self.employee_of(&company).await
    }

    /// An employee who can sign in.
    pub async fn employee_of(&self, company: &Company) -> Employee {
        let n = token::hash(&format!("{:?}", std::time::Instant::now()));
        let email = format!("e{}@example.com", u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
        let members = json!({"name": "Emil Employee", "email": email, "password": PASSWORD});
        let id = company.person_with(members).await;
        Employee { id, email, company: company.clone() }
    }

    /// Registers a client with these redirect URIs; `method` is how it authenticates.
    pub async fn client_with(&self, method: &str, redirect_uris: &[&str]) -> Client {
        self.client_called("Calendar Helper", method, redirect_uris).await
    }

    /// A public client with a name of its own.
    pub async fn client_named(&self, name: &str) -> Client {
        self.client_called(name, "none", &[LOCAL]).await
    }

    async fn client_called(&self, name: &str, method: &str, redirect_uris: &[&str]) -> Client {
        let body = json!({
            "client_name": name,
            "redirect_uris": redirect_uris,
            "token_endpoint_auth_method": method,
        });
        let http = &self.api().http;
        let sent = http.post(format!("{}/register", self.base)).json(&body).send().await.unwrap();
        let status = sent.status().as_u16();
        let made: Value = sent.json().await.unwrap();
        assert_eq!(status, 201, "{made}");
        Client {
            id: text(&made, "/client_id"),
            secret: made["client_secret"].as_str().map(str::to_owned),
            redirect_uri: redirect_uris[0].to_owned(),
            server: self.api(),
        }
    }

    /// A public client of the employee's computer.
    pub async fn client(&self) -> Client {
        self.client_with("none", &[LOCAL]).await
    }

    /// Where the browser goes from `/authorize`.
    pub async fn begin(&self, query: &[(&str, &str)]) -> Begin {
        self.begin_in(query, &browser()).await
    }

    pub async fn begin_in(&self, query: &[(&str, &str)], browser: &BrowserId) -> Begin {
        let query: Vec<_> = query.iter().map(|(n, v)| ((*n).to_owned(), v.as_bytes().to_vec())).collect();
        self.running().world().begin_authorization(&query, browser).await.unwrap()
    }

    /// The redirect to the client with which `/authorize` answers.
    pub async fn turned_back(&self, query: &[(&str, &str)]) -> Redirected {
        match self.begin(query).await {
            Begin::Redirect(address) => Redirected::read(&address),
            other => panic!("a redirect was expected: {other:?}"),
        }
    }

    /// The connection of an access token, when it may be used now: what every MCP request asks.
    pub async fn connected(&self, access: &str) -> Option<Connected> {
        self.running().world().connection_for_token(access).await.unwrap()
    }

    /// Asserts that a connection lives.
    pub async fn lives(&self, tokens: &Tokens) {
        assert!(self.connected(&tokens.access).await.is_some(), "the connection should live");
    }

    /// Asserts that a connection has ended for good: the next request and the next refresh are refused.
    pub async fn is_over(&self, client: &Client, tokens: &Tokens) {
        assert_eq!(self.connected(&tokens.access).await, None, "A-250");
        client.refresh(&tokens.refresh).await.refused(400, "invalid_grant");
    }
}

impl Employee {
    pub fn workspace(&self) -> WorkspaceId {
        WorkspaceId::parse(&self.company.id).unwrap()
    }

    /// Signs in; the person as the pages know them.
    pub async fn principal(&self, server: &Server) -> Principal {
        let body = json!({"email": self.email, "password": PASSWORD});
        let made = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
        let hash = token::hash(&text(&made, "/session_token"));
        server.running().world().session(hash).await.unwrap()
    }

    /// The person's own API.
    pub async fn session(&self, server: &Server) -> Api {
        let body = json!({"email": self.email, "password": PASSWORD});
        let made = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
        server.api().bearer(&text(&made, "/session_token"))
    }

    /// Decides a request.
    pub async fn decide(
        &self,
        server: &Server,
        request: &str,
        decision: Decision,
    ) -> Result<Redirected, Undecided> {
        let who = self.principal(server).await;
        let world = server.running().world();
        let decided = world.decide(request, &who, &browser(), decision).await.unwrap();
        decided.map(|address| Redirected::read(&address))
    }

    /// The person's connections as the company's admins see them, oldest first.
    pub async fn connections(&self) -> Vec<Value> {
        let path = self.company.path(&format!("/connections?user_id={}&limit=1000", self.id));
        let page = self.company.operator.get(&path).ok(200).await;
        page["connections"].as_array().expect("connections").clone()
    }

    /// State and reason of the newest connection.
    pub async fn state(&self) -> (String, Value) {
        let newest = self.connections().await.pop().expect("a connection");
        (text(&newest, "/state"), newest["reason"].clone())
    }

    pub async fn ended(&self, reason: &str) {
        assert_eq!(self.state().await, ("revoked".to_owned(), json!(reason)));
    }

    /// Agrees to what a client asks for; the code.
    pub async fn approve(&self, server: &Server, client: &Client, more: &[(&str, &str)]) -> String {
        let query = client.ask(more);
        let query: Vec<_> = query.iter().map(|(n, v)| (*n, v.as_str())).collect();
        let Begin::Consent { request } = server.begin(&query).await else { panic!("consent was expected") };
        let decided = self.decide(server, &request, Decision::Approve(self.workspace())).await;
        decided.expect("approved").get("code").expect("a code").to_owned()
    }

    /// Agrees, and the client exchanges the code.
    pub async fn connect(&self, server: &Server, client: &Client) -> Tokens {
        self.connect_with(server, client, &[]).await
    }

    pub async fn connect_with(&self, server: &Server, client: &Client, more: &[(&str, &str)]) -> Tokens {
        let code = self.approve(server, client, more).await;
        let redirect =
            more.iter().find(|(n, _)| *n == "redirect_uri").map_or(&*client.redirect_uri, |(_, v)| v);
        Tokens::of(&client.exchange_with(&code, &[("redirect_uri", redirect)]).await.ok())
    }
}

impl Client {
    /// The query of a good request, with these parameters over it; an empty value leaves one out.
    pub fn ask<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
        let usual = [
            ("response_type", "code"),
            ("client_id", &self.id),
            ("redirect_uri", &self.redirect_uri),
            ("code_challenge", CHALLENGE),
            ("code_challenge_method", "S256"),
            ("state", "a state"),
        ];
        over(&usual, more)
    }

    /// The form of an exchange.
    pub fn exchange_form<'a>(&'a self, code: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
        let usual = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", &self.redirect_uri),
        ];
        over(&self.identified(&usual), more)
    }

    /// The form of a refresh.
    pub fn refresh_form<'a>(&'a self, token: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
        over(&self.identified(&[("grant_type", "refresh_token"), ("refresh_token", token)]), more)
    }

    fn identified<'a>(&'a self, form: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
        let mut form = form.to_vec();
        form.push(("client_id", &self.id));
        form.extend(self.secret.as_deref().map(|secret| ("client_secret", secret)));
        form
    }

    pub async fn exchange(&self, code: &str) -> Reply {
        self.exchange_with(code, &[]).await
    }

    pub async fn exchange_with(&self, code: &str, more: &[(&str, &str)]) -> Reply {
        self.post_form("/token", &self.exchange_form(code, more)).await
    }

    pub async fn refresh(&self, token: &str) -> Reply {
        self.refresh_with(token, &[]).await
    }

    pub async fn refresh_with(&self, token: &str, more: &[(&str, &str)]) -> Reply {
        self.post_form("/token", &self.refresh_form(token, more)).await
    }

    /// Refreshes well.
    pub async fn renewed(&self, tokens: &Tokens) -> Tokens {
        Tokens::of(&self.refresh(&tokens.refresh).await.ok())
    }

    pub async fn revoke(&self, token: &str) -> Reply {
        self.revoke_with(token, &[]).await
    }

    pub async fn revoke_with(&self, token: &str, more: &[(&str, &str)]) -> Reply {
        self.post_form("/revoke", &over(&self.identified(&[("token", token)]), more)).await
    }

    pub async fn post_form(&self, path: &str, form: &[(&str, String)]) -> Reply {
        let text = serde_urlencoded::to_string(form).unwrap();
        self.post(path, "application/x-www-form-urlencoded", text, None).await
    }

    /// Any body, and `Authorization` when it is sent.
    pub async fn post(
        &self,
        path: &str,
        media_type: &str,
        body: impl Into<reqwest::Body>,
        authorization: Option<&str>,
    ) -> Reply {
        let mut call = self.server.http.post(format!("{}{path}", self.server.base));
        call = call.header("content-type", media_type).body(body);
        if let Some(value) = authorization {
            call = call.header("authorization", value);
        }
        let response = call.send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Reply { status, headers, bytes: response.bytes().await.unwrap().to_vec() }
    }

    /// The same client as another server sees it.
    pub fn at(&self, server: &Server) -> Self {
        Self { server: server.api(), ..self.clone() }
    }
}

/// Parameters with others over them; an empty value leaves one out, a name twice in `more` is sent twice.
pub fn over<'a>(usual: &[(&'a str, &'a str)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
    let kept = usual.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    let all = kept.chain(more.iter().filter(|(_, value)| !value.is_empty()));
    all.map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// Where a client is told something: the address and its parameters.
#[derive(Clone, Debug)]
pub struct Redirected {
    pub address: String,
    pub parameters: Vec<(String, String)>,
}

impl Redirected {
    pub fn read(address: &str) -> Self {
        let url = url::Url::parse(address).unwrap_or_else(|e| panic!("{address}: {e}"));
        let parameters = url.query_pairs().map(|(n, v)| (n.into_owned(), v.into_owned())).collect();
        Self { address: address.to_owned(), parameters }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }
}

/// A whole number of seconds.
pub const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

pub const MINUTE: Duration = seconds(60);
pub const HOUR: Duration = seconds(60 * 60);
pub const DAY: Duration = seconds(24 * 60 * 60);
