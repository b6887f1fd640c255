//! The HTTP requests of an assistant as an OAuth client: registration, code exchange, refresh and revocation. Also the
//! employee who connects the client, and the state of the employee's connections.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use switchboard::{
    domain::{ids::WorkspaceId, token},
    service::oauth::active_connection::Connected,
};

use super::{
    Server,
    api::Api,
    company::{Company, text},
};

/// The code verifier of RFC 7636 appendix B, and its challenge with S256.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
pub const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
pub const LOCAL: &str = "http://127.0.0.1:53682/callback";
pub const WEB: &str = "https://client.example/callback";
pub const PASSWORD: &str = "analytical engine";

/// An employee who may approve a connection.
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

/// A response of `/token` or `/revoke`.
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
        assert_eq!(
            self.headers["cache-control"], "no-store",
            "responses of `/token` (A-178, A-219) and `/revoke` are not cached"
        );
        self.json()
    }

    /// Asserts an error response in the format of RFC 6749 §5.2, without members of the bot API's error envelope.
    #[track_caller]
    pub fn refused(&self, status: u16, error: &str) {
        let body = self.json();
        assert_eq!((self.status, body["error"].as_str()), (status, Some(error)), "{body}");
        let members: Vec<_> = body.as_object().expect("an object").keys().collect();
        assert!(members.iter().all(|m| ["error", "error_description"].contains(&m.as_str())), "{body}");
        assert_eq!(
            self.headers["cache-control"], "no-store",
            "errors of `/token` (A-219) and `/revoke` are not cached"
        );
        if status == 401 {
            assert!(
                self.headers["www-authenticate"].as_bytes().starts_with(b"Basic"),
                "a failed client authentication gets a Basic challenge (A-214, A-225)"
            );
        }
        if status == 429 {
            let wait: u64 = self.headers["retry-after"].to_str().unwrap().parse().unwrap();
            assert!(wait >= 1, "a refusal by a rate limit has Retry-After (A-218, A-231)");
        }
    }
}

/// An access token and a refresh token, with their scope.
#[derive(Clone, Debug, PartialEq, Eq)]
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
    /// Creates an employee of a new company.
    pub async fn employee(&self) -> Employee {
        let company = self.company().await;
        self.employee_of(&company).await
    }

    /// Creates an employee of a company. The employee can sign in.
    pub async fn employee_of(&self, company: &Company) -> Employee {
        let n = token::hash(&format!("{:?}", std::time::Instant::now()));
        let email = format!("e{}@example.com", u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
        let members = json!({"name": "Emil Employee", "email": email, "password": PASSWORD});
        let id = company.person_with(members).await;
        Employee { id, email, company: company.clone() }
    }

    /// Registers a client with these redirect URIs. `method` is the client's `token_endpoint_auth_method`.
    pub async fn client_with(&self, method: &str, redirect_uris: &[&str]) -> Client {
        self.client_called("Calendar Helper", method, redirect_uris).await
    }

    /// Registers a public client with this name.
    pub async fn client_named(&self, name: &str) -> Client {
        self.client_called(name, "none", &[LOCAL]).await
    }

    async fn client_called(&self, name: &str, method: &str, redirect_uris: &[&str]) -> Client {
        let body = json!({
            "client_name": name,
            "redirect_uris": redirect_uris,
            "token_endpoint_auth_method": method,
        });
        let made = self.api().post("/register").json(&body).ok(201).await;
        Client {
            id: text(&made, "/client_id"),
            secret: made["client_secret"].as_str().map(str::to_owned),
            redirect_uri: redirect_uris[0].to_owned(),
            server: self.api(),
        }
    }

    /// Registers a public client with a loopback redirect URI.
    pub async fn client(&self) -> Client {
        self.client_with("none", &[LOCAL]).await
    }

    /// Returns the connection of an access token, for tests that call the service layer directly.
    pub async fn connected(&self, access: &str) -> Connected {
        let found =
            self.running().world().connection_for_token(access).await.expect("the store must be available");
        found.expect("a connection")
    }
}

impl Employee {
    pub fn workspace(&self) -> WorkspaceId {
        WorkspaceId::parse(&self.company.id).unwrap()
    }

    /// Signs the person in, and returns a client of the admin API with the session.
    pub async fn session(&self, server: &Server) -> Api {
        let body = json!({"email": self.email, "password": PASSWORD});
        let made = server.api().post("/admin/v1/sessions").json(&body).ok(201).await;
        server.api().bearer(&text(&made, "/session_token"))
    }

    /// Returns the person's connections, oldest first, as the company's admins see them.
    pub async fn connections(&self) -> Vec<Value> {
        let path = self.company.path(&format!("/connections?user_id={}&limit=1000", self.id));
        let page = self.company.operator.get(&path).ok(200).await;
        page["connections"].as_array().expect("connections").clone()
    }

    /// Returns the state of the newest connection, and the reason of its revocation. The reason is `null` if the
    /// connection is active.
    pub async fn state(&self) -> (String, Value) {
        let newest = self.connections().await.pop().expect("a connection");
        (text(&newest, "/state"), newest["reason"].clone())
    }

    /// Asserts that the newest connection is revoked for this reason.
    pub async fn assert_revoked_for(&self, reason: &str) {
        assert_eq!(self.state().await, ("revoked".to_owned(), json!(reason)));
    }
}

impl Client {
    /// Returns the query of a valid authorization request. `more` replaces, adds or removes parameters, as in [`over`].
    pub fn authorization_query<'a>(&'a self, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
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

    /// Returns the form of a code exchange.
    pub fn exchange_form<'a>(&'a self, code: &'a str, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
        let usual = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("code_verifier", VERIFIER),
            ("redirect_uri", &self.redirect_uri),
        ];
        over(&self.identified(&usual), more)
    }

    /// Returns the form of a refresh.
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

    /// Refreshes tokens, asserts a success, and returns the new tokens.
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

    /// Posts any body. `authorization` is the value of the header `Authorization`, if the request has this header.
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

    /// Returns the same client at another server.
    pub fn at(&self, server: &Server) -> Self {
        Self { server: server.api(), ..self.clone() }
    }
}

/// Returns the parameters of `usual` and `more`. Omits a parameter of `usual` if `more` has a parameter of the same
/// name. Omits a parameter of `more` if its value is empty. If a name is twice in `more`, returns both parameters.
pub fn over<'a>(usual: &[(&'a str, &'a str)], more: &[(&'a str, &'a str)]) -> Vec<(&'a str, String)> {
    let kept = usual.iter().filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
    let all = kept.chain(more.iter().filter(|(_, value)| !value.is_empty()));
    all.map(|(name, value)| (*name, (*value).to_owned())).collect()
}

/// Returns a duration of this many seconds.
pub const fn seconds(n: u64) -> Duration {
    Duration::from_secs(n)
}

pub const MINUTE: Duration = seconds(60);
pub const HOUR: Duration = seconds(60 * 60);
pub const DAY: Duration = seconds(24 * 60 * 60);
