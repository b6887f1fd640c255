//! The server that commands call: its URL, the credential, and the generated client of the admin API.

mod upload;

use std::{net::IpAddr, time::Duration};

use clap::Args;
use progenitor_client::{Error as ClientError, ResponseValue};
use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use switchboard_clients::admin::{Client, types::ErrorEnvelope};
use url::{Host, Url};

use super::{
    failure::{Failure, Result},
    sandbox,
};
use crate::{
    config::ClientEnv,
    platform::{clock::Clock, secrets::Secret, tls::install_provider},
};

pub use switchboard_clients::admin::{with_content_type, with_nulls};

/// The URL if neither the arguments nor the environment nor a sandbox name one.
const DEFAULT_URL: &str = "http://127.0.0.1:8080";
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout of the wait for the head of the response, and of each read of the response's body. The wait includes sending
/// the request's body, so [`Server::upload`] does not use this timeout.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// Server and credential.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Server and credential")]
pub struct ServerArgs {
    /// URL of the server. Also `SWITCHBOARD_URL`. By default the URL of the sandbox in the current folder if no
    /// credential is given, otherwise `http://127.0.0.1:8080`; for `health`, the URL of the configured server
    #[arg(long, global = true, value_name = "URL")]
    pub url: Option<String>,
    /// The operator key, with access to every company. Also `SWITCHBOARD_OPERATOR_KEY`
    ///
    /// Other users of this machine can read command lines: prefer the variable. Without any credential, the
    /// sandbox of `switchboard dev` in the current folder is used, if there is one.
    #[arg(long, global = true, value_name = "KEY", conflicts_with = "session")]
    pub operator_key: Option<Secret>,
    /// A session token, from `switchboard session start`. Also `SWITCHBOARD_SESSION`
    #[arg(long, global = true, value_name = "TOKEN")]
    pub session: Option<Secret>,
    /// The person on whose behalf an operator key acts (X-Acting-User); ignored with a session
    #[arg(long = "as", global = true, value_name = "USER")]
    pub acting: Option<String>,
}

impl ServerArgs {
    /// Returns the server and the credential. The sources are these arguments, the environment and a sandbox in the
    /// current folder, in this order of precedence.
    ///
    /// # Errors
    /// - [`Failure::Usage`] if there is no credential, or if the environment has two credentials and the arguments have
    ///   none.
    /// - [`Failure::Usage`] for an invalid URL, credential or `--as`.
    pub fn connect(&self, env: &ClientEnv) -> Result<Server> {
        let (url, credential) = self.resolve(env, sandbox::operator_key_here)?;
        let credential = credential.ok_or_else(|| {
            Failure::Usage(
                "no credential: give --operator-key or --session, or set SWITCHBOARD_OPERATOR_KEY or \
                 SWITCHBOARD_SESSION (or run `switchboard dev` in this folder, for a sandbox)"
                    .to_owned(),
            )
        })?;
        Server::new(&url, Some(&credential), self.acting.as_deref())
    }

    /// Returns the server without a credential, for signing in. A credential of the arguments or of the environment is
    /// not sent. But if there is such a credential, the URL of a sandbox is not used; this is the rule of all commands.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an invalid URL.
    pub fn connect_without_credential(&self, env: &ClientEnv) -> Result<Server> {
        let ignored = [&self.operator_key, &self.session, &env.operator_key, &env.session];
        let (url, _) = self.locate(env, ignored.into_iter().flatten().next(), sandbox::operator_key_here);
        Server::new(&url, None, None)
    }

    fn resolve(
        &self,
        env: &ClientEnv,
        sandbox: impl FnOnce() -> Option<(String, Secret)>,
    ) -> Result<(String, Option<Secret>)> {
        let credential = match (&self.operator_key, &self.session, &env.operator_key, &env.session) {
            (Some(given), _, _, _) | (None, Some(given), _, _) => Some(given),
            (None, None, Some(_), Some(_)) => {
                return Err(Failure::Usage(
                    "SWITCHBOARD_OPERATOR_KEY and SWITCHBOARD_SESSION are both set: unset one".to_owned(),
                ));
            }
            (None, None, key, session) => key.as_ref().or(session.as_ref()),
        };
        Ok(self.locate(env, credential, sandbox))
    }

    /// Returns the URL and the credential. These are the sandbox's URL and key if no credential is given, and if either
    /// no URL or the sandbox's URL is given.
    fn locate(
        &self,
        env: &ClientEnv,
        credential: Option<&Secret>,
        sandbox: impl FnOnce() -> Option<(String, Secret)>,
    ) -> (String, Option<Secret>) {
        let url = self.url.as_ref().or(env.url.as_ref());
        // The sandbox's key is sent only to the sandbox's URL. A sandbox whose URL is not a loopback URL is ignored:
        // otherwise, in a folder that another user created, commands could send their data to a remote server.
        if credential.is_none()
            && let Some((sandbox_url, key)) = sandbox()
            && Url::parse(&sandbox_url).is_ok_and(|url| is_loopback(&url))
            && url.is_none_or(|url| url.trim_end_matches('/') == sandbox_url)
        {
            return (sandbox_url, Some(key));
        }
        (url.map_or(DEFAULT_URL, String::as_str).to_owned(), credential.cloned())
    }
}

/// A server and a credential.
#[derive(Clone, Debug)]
pub struct Server {
    /// The URL of the server, without a trailing slash.
    url: String,
    acting: Option<String>,
    /// The client that sends the credential and `X-Acting-User`.
    admin: Client,
    /// A client like `admin`, but without [`READ_TIMEOUT`].
    uploads: Client,
    /// A client that sends no credential.
    plain: reqwest::Client,
}

impl Server {
    /// Creates a server with the URL `url`. `acting` is the id of the person on whose behalf an operator key acts.
    ///
    /// # Errors
    /// [`Failure::Usage`] for an invalid URL, credential or person.
    pub fn new(url: &str, credential: Option<&Secret>, acting: Option<&str>) -> Result<Self> {
        Self::with_read_timeout(READ_TIMEOUT, url, credential, acting)
    }

    fn with_read_timeout(
        read_timeout: Duration,
        url: &str,
        credential: Option<&Secret>,
        acting: Option<&str>,
    ) -> Result<Self> {
        let parsed =
            Url::parse(url).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        let parsed = parsed.ok_or_else(|| {
            Failure::Usage(format!(
                "the server URL (--url or SWITCHBOARD_URL) must be a valid URL with http:// or https:// and a \
                 host, not {url:?}"
            ))
        })?;
        let mut headers = HeaderMap::new();
        if let Some(credential) = credential {
            let bearer = format!("Bearer {}", credential.expose());
            headers.insert(AUTHORIZATION, header_value("the credential", &bearer, true)?);
        }
        if let Some(user) = acting {
            headers.insert(HeaderName::from_static("x-acting-user"), header_value("--as", user, false)?);
        }
        let url = url.trim_end_matches('/').to_owned();
        let admin = Client::new_with_client(&url, http_client(&parsed, headers.clone(), Some(read_timeout))?);
        let uploads = Client::new_with_client(&url, http_client(&parsed, headers, None)?);
        let plain = http_client(&parsed, HeaderMap::new(), Some(read_timeout))?;
        Ok(Self { admin, uploads, plain, acting: acting.map(str::to_owned), url })
    }

    /// Returns the generated client of the admin API.
    pub fn admin(&self) -> &Client {
        &self.admin
    }

    /// Uploads `content`: runs `call` with the generated client and the request body. The upload has no total timeout.
    /// It fails if, for five minutes, no part of the body is sent and no response arrives.
    ///
    /// # Errors
    /// Those of `call`; [`Failure::Unreachable`] if the upload stalls for five minutes.
    pub async fn upload<'a, T, F: Future<Output = Result<T>>>(
        &'a self,
        content: Vec<u8>,
        call: impl FnOnce(&'a Client, reqwest::Body) -> F,
    ) -> Result<T> {
        upload::run(&Clock::system(), upload::TIMEOUT, content, |body| call(&self.uploads, body)).await
    }

    /// Returns the server's URL without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Returns the person named by `--as`.
    ///
    /// # Errors
    /// [`Failure::Usage`] if `--as` is missing. The message ends with `why`, a text that says whom `--as` must name.
    pub fn acting(&self, why: &str) -> Result<&str> {
        self.acting.as_deref().ok_or_else(|| Failure::Usage(format!("--as is required: {why}")))
    }

    /// Creates a POST request to a path of the server, without a credential.
    pub fn post(&self, path: &str) -> reqwest::RequestBuilder {
        self.plain.post(format!("{}{path}", self.url))
    }
}

fn header_value(what: &str, value: &str, secret: bool) -> Result<HeaderValue> {
    let mut value = HeaderValue::from_str(value).map_err(|_| {
        Failure::Usage(format!("{what} contains characters that are not allowed in an HTTP header"))
    })?;
    value.set_sensitive(secret);
    Ok(value)
}

#[expect(
    clippy::disallowed_methods,
    reason = "only the server restricts the addresses of its requests; commands do not"
)]
fn http_client(url: &Url, headers: HeaderMap, read_timeout: Option<Duration>) -> Result<reqwest::Client> {
    install_provider();
    let builder = reqwest::Client::builder()
        .default_headers(headers)
        .user_agent(concat!("switchboard-cli/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(CONNECT_TIMEOUT)
        // a redirect could send the credential to another server
        .redirect(reqwest::redirect::Policy::none());
    let builder = match read_timeout {
        Some(timeout) => builder.read_timeout(timeout),
        None => builder,
    };
    // a proxy from the environment cannot reach the loopback addresses of this machine
    let builder = if is_loopback(url) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| Failure::of_builder(&error))
}

/// Returns whether the host of a URL is `localhost` or a loopback address.
pub(super) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name == "localhost",
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Returns the body of a response of the generated client.
///
/// # Errors
/// An error response, a failure to reach the server, or a response that the client cannot parse.
pub async fn accept<T>(
    answer: impl Future<Output = std::result::Result<ResponseValue<T>, ClientError<ErrorEnvelope>>>,
) -> Result<T> {
    match answer.await {
        Ok(value) => Ok(value.into_inner()),
        Err(error) => Err(Failure::of_client(error).await),
    }
}

/// Sends a request that [`Server::post`] created, and returns the JSON response.
///
/// # Errors
/// Those of [`accept`].
pub async fn accept_json(request: reqwest::RequestBuilder) -> Result<Value> {
    let response = request.send().await?;
    if !response.status().is_success() {
        return Err(Failure::of_response(response).await);
    }
    Ok(response.json().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> Option<Secret> {
        Some(Secret::new(text))
    }

    fn sandbox() -> Option<(String, Secret)> {
        Some(("http://127.0.0.1:9000".to_owned(), Secret::new("sandbox")))
    }

    #[test]
    fn flags_take_precedence_over_the_environment_and_both_over_a_sandbox() {
        let env =
            ClientEnv { url: Some("http://env".into()), operator_key: key("env"), ..ClientEnv::default() };
        let args = ServerArgs { session: key("flag"), ..ServerArgs::default() };
        assert_eq!(args.resolve(&env, sandbox).unwrap(), ("http://env".to_owned(), key("flag")));
        let none = ServerArgs::default();
        assert_eq!(none.resolve(&env, sandbox).unwrap(), ("http://env".to_owned(), key("env")));
        let nothing = ClientEnv::default();
        assert_eq!(
            none.resolve(&nothing, sandbox).unwrap(),
            ("http://127.0.0.1:9000".to_owned(), key("sandbox"))
        );
        assert_eq!(none.resolve(&nothing, || None).unwrap(), (DEFAULT_URL.to_owned(), None));
    }

    #[test]
    fn the_key_of_a_sandbox_is_sent_to_the_sandbox_only() {
        let other_url = ServerArgs { url: Some("http://127.0.0.1:9001".into()), ..ServerArgs::default() };
        assert_eq!(other_url.resolve(&ClientEnv::default(), sandbox).unwrap().1, None);
        let sandbox_url = ServerArgs { url: Some("http://127.0.0.1:9000/".into()), ..ServerArgs::default() };
        assert_eq!(sandbox_url.resolve(&ClientEnv::default(), sandbox).unwrap().1, key("sandbox"));
        let remote_sandbox = || Some(("https://elsewhere.example".to_owned(), Secret::new("x")));
        let found = ServerArgs::default().resolve(&ClientEnv::default(), remote_sandbox).unwrap();
        assert_eq!(found, (DEFAULT_URL.to_owned(), None));
    }

    #[test]
    fn two_credentials_in_the_environment_are_rejected_except_for_signing_in() {
        let env = ClientEnv { operator_key: key("a"), session: key("b"), ..ClientEnv::default() };
        assert!(matches!(ServerArgs::default().resolve(&env, || None), Err(Failure::Usage(_))));
        let signing_in = ServerArgs::default().connect_without_credential(&env).unwrap();
        assert_eq!(signing_in.url(), DEFAULT_URL);
    }

    /// Starts a server that reads the whole body of each request and then responds with 201 and `answer`. Returns the
    /// server's URL.
    async fn answering_after_the_body(answer: String) -> String {
        use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            loop {
                let mut socket = BufReader::new(listener.accept().await.unwrap().0);
                let (mut length, mut line) = (0, String::new());
                while socket.read_line(&mut line).await.unwrap() > 2 {
                    if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    line.clear();
                }
                socket.read_exact(&mut vec![0; length]).await.unwrap();
                let head = "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nConnection: close";
                let response = format!("{head}\r\nContent-Length: {}\r\n\r\n{answer}", answer.len());
                socket.write_all(response.as_bytes()).await.unwrap();
            }
        });
        url
    }

    #[tokio::test]
    async fn the_read_timeout_does_not_limit_uploads() {
        let file = serde_json::json!({"ok": true, "file": {
            "id": "fil_1", "name": "a.bin", "mimetype": "application/octet-stream", "size": 1,
            "created_at": "2026-01-01T00:00:00Z", "workspace_id": "cmp_1"
        }});
        let url = answering_after_the_body(file.to_string()).await;
        let server = Server::with_read_timeout(Duration::ZERO, &url, None, None).unwrap();
        let content = vec![7; 4 << 20];
        let name = "a.bin";
        let sent = crate::cli::requests::upload(&server, "cmp_1", None, name, "image/png".into(), content);
        assert_eq!(sent.await.unwrap().file.id, "fil_1");
        let other = accept(server.admin().get_workspace("cmp_1")).await;
        assert!(
            matches!(other, Err(Failure::Unreachable(_))),
            "other requests have the read timeout: {other:?}"
        );
    }

    #[test]
    fn urls_are_validated() {
        for good in ["http://127.0.0.1:8080", "https://chat.example.com/", "http://[::1]:1/base"] {
            assert!(!Server::new(good, None, None).unwrap().url().ends_with('/'), "{good}");
        }
        for bad in ["127.0.0.1:8080", "ftp://x", "", "http://"] {
            assert!(matches!(Server::new(bad, None, None), Err(Failure::Usage(_))), "{bad}");
        }
        assert!(matches!(Server::new(DEFAULT_URL, Some(&Secret::new("a\nb")), None), Err(Failure::Usage(_))));
    }
}
