//! `GET /authorize`: what a client asks an employee for, judged and kept until the employee decides.
//!
//! Called by the pages. Who asks and where the answer goes come first: while either is in doubt the employee sees an
//! error page and nothing is sent anywhere. From then on every fault goes back to the client as a redirect.

use std::borrow::Cow;
use std::net::IpAddr;

use super::clients::{Client, ClientProblem};
use crate::{
    domain::{
        browser::BrowserId,
        grant::{Access, REQUEST_LIFE, Resource},
        pkce, redirect,
        token::{self, Kind},
    },
    platform::limits::{AUTHORIZE, Key},
    store::{
        Op, Result, Sql,
        authorizations::{self, AuthorizationRequest},
    },
    workspace::World,
};

/// Where a browser goes from `/authorize`.
#[derive(Clone, Debug, PartialEq)]
pub enum Begin {
    /// To the consent page, with this id of the request.
    Consent {
        /// Opaque; good for ten minutes and for this browser.
        request: String,
    },
    /// Back to the client, with an error.
    Redirect(String),
    /// Nowhere: the client or its redirect URI is wrong.
    Page(ErrorPage),
}

/// What the page says when nothing may be sent to the client.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorPage {
    /// 400 or 429.
    pub status: u16,
    /// In words, a whole sentence.
    pub reason: Cow<'static, str>,
    /// Seconds, with 429.
    pub retry_after: Option<u32>,
}

impl ErrorPage {
    fn because(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { status: 400, reason: reason.into(), retry_after: None }
    }
}

/// Errors that go back to the client (RFC 6749 §4.1.2.1, RFC 8707 §2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AuthorizeError {
    UnsupportedResponseType,
    InvalidRequest,
    InvalidTarget,
    InvalidScope,
    InvalidClient,
    AccessDenied,
}

impl AuthorizeError {
    const fn name(self) -> &'static str {
        match self {
            Self::UnsupportedResponseType => "unsupported_response_type",
            Self::InvalidRequest => "invalid_request",
            Self::InvalidTarget => "invalid_target",
            Self::InvalidScope => "invalid_scope",
            Self::InvalidClient => "invalid_client",
            Self::AccessDenied => "access_denied",
        }
    }
}

/// One sentence for everything the network may have done.
const UNREACHED: &str = "The client's metadata document was not fetched within 3 seconds. Its host must be on the \
                         public Internet, have a valid certificate, and answer by HTTPS.";

/// A fault for the client, with words for its developer.
type Fault = (AuthorizeError, &'static str);

impl World {
    /// Counts a request to `/authorize` (30 per minute and address).
    ///
    /// # Errors
    /// The `Retry-After` in seconds when there were too many.
    pub async fn admit_authorization(&self, address: IpAddr) -> std::result::Result<(), u32> {
        let decision =
            self.limits.check_exact(AUTHORIZE, Key::address("authorize", address), self.clock.now()).await;
        decision.retry_after().map_or(Ok(()), Err)
    }

    /// Judges an authorization request by its decoded query, whose values may be any bytes, and keeps a good one for
    /// ten minutes (D-253…D-262, D-274). `browser` is the one that asked: no other may decide (D-275).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn begin_authorization(
        &self,
        query: &[(String, Vec<u8>)],
        browser: &BrowserId,
    ) -> Result<Begin> {
        let query = Parameters(query);
        let (client_id, redirect_uri) = match query.identity() {
            Ok(identity) => identity,
            Err(reason) => return Ok(Begin::Page(ErrorPage::because(reason))),
        };
        // a state sent twice cannot be returned unchanged
        let state = query.bytes("state").ok().flatten();
        let client = match self.client_for(client_id, redirect_uri).await? {
            Ok(client) => client,
            Err(ClientProblem::Unknown(reason) | ClientProblem::Redirect(reason)) => {
                return Ok(Begin::Page(ErrorPage::because(reason)));
            }
            Err(ClientProblem::Unreached(_)) => return Ok(Begin::Page(ErrorPage::because(UNREACHED))),
            Err(ClientProblem::TooManyFetches { retry_after }) => {
                let reason =
                    "This app's description was asked for too often. Try again in a few minutes.".into();
                let page = ErrorPage { status: 429, reason, retry_after: Some(retry_after) };
                return Ok(Begin::Page(page));
            }
            Err(ClientProblem::NotPublic) => {
                let why = "the client's metadata document must have token_endpoint_auth_method none";
                let fault = (AuthorizeError::InvalidClient, why);
                return Ok(Begin::Redirect(self.error_redirect(redirect_uri, state, fault)));
            }
        };
        let wish = match query.wish(&self.settings.mcp_url) {
            Ok(wish) => wish,
            Err(fault) => return Ok(Begin::Redirect(self.error_redirect(redirect_uri, state, fault))),
        };
        let request = self.mint(Kind::AuthorizationRequest);
        let op = KeepRequest {
            hash: token::hash(&request),
            request: AuthorizationRequest {
                state: state.map(<[u8]>::to_vec),
                expires_at: self.clock.now() + REQUEST_LIFE,
                ..wish.of(client, browser)
            },
        };
        self.db.write(op).await?;
        Ok(Begin::Consent { request })
    }

    /// The address that tells a client of a fault, with `state` and `iss` (RFC 9207 §2).
    pub(super) fn error_redirect(&self, redirect_uri: &str, state: Option<&[u8]>, fault: Fault) -> String {
        let (error, description) = fault;
        self.answer(redirect_uri, state, &[("error", error.name()), ("error_description", description)])
    }

    /// The address that takes an answer to a client.
    pub(super) fn answer(&self, redirect_uri: &str, state: Option<&[u8]>, answer: &[(&str, &str)]) -> String {
        let mut parameters: Vec<_> = answer.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
        parameters.extend(state.map(|state| ("state", state)));
        parameters.push(("iss", self.settings.mcp_url.as_bytes()));
        redirect::with_parameters(redirect_uri, &parameters)
    }
}

/// A decoded query. A parameter without a value counts as absent (D-257). Only those that are read may not be there
/// twice: unknown ones are ignored, however often they come (D-262; RFC 6749 §3.1 with erratum 5708).
struct Parameters<'a>(&'a [(String, Vec<u8>)]);

/// Stands for a value that is no text; no parameter but `state` has such a value, and this is none of theirs.
const NO_TEXT: &str = "\u{fffd}";

/// More than one value where one is allowed.
struct Repeated;

/// What is asked for, apart from who asks.
struct Wish<'a> {
    resource: Resource,
    scopes: Access,
    challenge: &'a str,
}

impl Wish<'_> {
    fn of(self, client: Client, browser: &BrowserId) -> AuthorizationRequest {
        AuthorizationRequest {
            browser: browser.0.to_vec(),
            client_id: client.client_id,
            client_kind: client.kind,
            display_name: client.display_name,
            unverified: client.unverified,
            client_host: client.client_host,
            redirect_uri: client.redirect_uri,
            redirect_kind: client.redirect_kind,
            redirect_host: client.redirect_host,
            redirect_key: client.redirect_key,
            block_key: client.block_key,
            resource: self.resource,
            scopes: self.scopes,
            challenge: self.challenge.to_owned(),
            state: None,
            expires_at: crate::domain::time::Timestamp(0),
        }
    }
}

impl<'a> Parameters<'a> {
    fn single(&self, name: &str) -> std::result::Result<Option<&'a str>, Repeated> {
        let value = self.bytes(name)?;
        Ok(value.map(|value| std::str::from_utf8(value).unwrap_or(NO_TEXT)))
    }

    fn bytes(&self, name: &str) -> std::result::Result<Option<&'a [u8]>, Repeated> {
        let all = self.0.iter().filter(|(key, value)| key == name && !value.is_empty());
        let mut values = all.map(|(_, value)| value.as_slice());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(Repeated),
            (value, None) => Ok(value),
        }
    }

    /// Client and redirect URI, or what is wrong with them in words for the page (D-253, D-256).
    fn identity(&self) -> std::result::Result<(&'a str, &'a str), &'static str> {
        let client_id = match self.single("client_id") {
            Ok(Some(value)) => value,
            Ok(None) => return Err("The app did not say who it is: client_id is missing."),
            Err(Repeated) => return Err("The app did not say clearly who it is: client_id is there twice."),
        };
        match self.single("redirect_uri") {
            Ok(Some(value)) => Ok((client_id, value)),
            Ok(None) => Err("The app did not say where to return to: redirect_uri is missing."),
            Err(Repeated) => {
                Err("The app did not say clearly where to return to: redirect_uri is there twice.")
            }
        }
    }

    /// What is asked for, or the first fault in the order of A-152.
    fn wish(&self, mcp_url: &str) -> std::result::Result<Wish<'a>, Fault> {
        use AuthorizeError::{InvalidRequest, InvalidScope, InvalidTarget, UnsupportedResponseType};
        let once = |name, twice| self.single(name).map_err(|Repeated| (InvalidRequest, twice));
        let response_type = once("response_type", "response_type is there twice")?;
        let challenge = once("code_challenge", "code_challenge is there twice")?;
        let method = once("code_challenge_method", "code_challenge_method is there twice")?;
        let scope = once("scope", "scope is there twice")?;
        once("state", "state is there twice")?;
        match response_type {
            Some("code") => {}
            Some(_) => return Err((UnsupportedResponseType, "response_type must be code")),
            None => return Err((InvalidRequest, "response_type is missing")),
        }
        let Some(challenge) = challenge.filter(|challenge| pkce::is_challenge(challenge)) else {
            let why = "code_challenge must be the 43 base64url characters of a SHA-256";
            return Err((InvalidRequest, why));
        };
        if method != Some("S256") {
            return Err((InvalidRequest, "code_challenge_method must be S256"));
        }
        let resource = match self.single("resource") {
            Ok(None) => Some(Resource::Full),
            Ok(Some(resource)) => Resource::parse(resource, mcp_url),
            Err(Repeated) => None,
        };
        let Some(resource) = resource else {
            return Err((InvalidTarget, "resource must be one of this server's two MCP addresses"));
        };
        let scopes = match scope {
            None => resource.scopes(),
            Some(scope) => {
                match Access::parse(scope).filter(|&asked| resource.scopes().contains_all(asked)) {
                    Some(scopes) => scopes,
                    None => return Err((InvalidScope, "scope has what the resource does not have")),
                }
            }
        };
        Ok(Wish { resource, scopes, challenge })
    }
}

struct KeepRequest {
    hash: [u8; 32],
    request: AuthorizationRequest,
}

impl Op for KeepRequest {
    const NAME: &'static str = "keep_authorization_request";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        authorizations::insert_request(c, &self.hash, &self.request).await
    }
}
