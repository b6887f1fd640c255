//! `GET /authorize`: checks a client's authorization request and stores it until the employee decides. The pages call
//! this module.
//!
//! The client and the redirect URI are checked first. If either is invalid, the employee sees an error page, and
//! nothing is sent to the client. Every later error is reported to the client by redirect. The first of these later
//! errors is that a metadata document does not describe a public client (D-222).

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use super::clients::{Client, ClientProblem};
use crate::{
    domain::{
        browser::BrowserId,
        grant::{Access, REQUEST_LIFE, Resource},
        pkce, redirect,
        token::{self, TokenKind},
    },
    platform::limits::AUTHORIZE,
    service::World,
    store::{
        Result,
        authorizations::{self, AuthorizationRequest},
        op,
    },
};

/// The response to a request to `/authorize`.
#[derive(Clone, Debug, PartialEq)]
pub enum Begin {
    /// Show the consent page for this request.
    Consent {
        /// Opaque request id, valid for ten minutes and in this browser only.
        request: String,
    },
    /// Redirect to this URL of the client, which contains an error.
    Redirect(String),
    /// Show an error page, because the client or its redirect URI is invalid or cannot be checked now.
    Page(ErrorPage),
}

/// An error page, which is shown instead of a redirect to the client.
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorPage {
    /// 400 or 429.
    pub status: u16,
    /// A whole sentence for the employee.
    pub reason: Cow<'static, str>,
    /// In seconds, with status 429.
    pub retry_after: Option<u32>,
}

impl ErrorPage {
    fn because(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { status: 400, reason: reason.into(), retry_after: None }
    }
}

/// Errors that are sent to the client by redirect (RFC 6749 §4.1.2.1, RFC 8707 §2; `invalid_client` by D-222).
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

/// The reason on the error page for every failure to fetch a metadata document or to read the response as JSON.
/// Different texts for a closed port, a timeout, a rejected address and a 404 would let strangers probe the network of
/// this server.
const NO_DOCUMENT: &str = "The client's metadata document cannot be used. Its host must be on the public Internet, have a \
                           valid certificate, and answer by HTTPS within 3 seconds with status 200 and a JSON document \
                           of at most 10 KB.";

/// An error for the client with its `error_description`.
type ClientError = (AuthorizeError, &'static str);

impl World {
    /// Counts a request to `/authorize` against the limit of 30 per minute and address.
    ///
    /// # Errors
    /// The value of `Retry-After`, in seconds, if the limit is exceeded.
    pub async fn admit_authorization(&self, address: IpAddr) -> std::result::Result<(), u32> {
        let key = AUTHORIZE.key(address);
        let decision = self.limits.check_exact(AUTHORIZE.counter, key, self.clock.now()).await;
        decision.retry_after().map_or(Ok(()), Err)
    }

    /// Checks an authorization request (D-253…D-262). A valid request is stored for ten minutes (D-274). `query` is the
    /// decoded query, whose values can be any bytes. `browser` is the browser that sent the request. The employee can
    /// approve or deny the request only in this browser (D-275). `address` is the network address of the browser.
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn begin_authorization(
        self: &Arc<Self>,
        query: &[(String, Vec<u8>)],
        browser: &BrowserId,
        address: IpAddr,
    ) -> Result<Begin> {
        let query = AuthorizeParameters(query);
        let (client_id, redirect_uri) = match query.identity() {
            Ok(identity) => identity,
            Err(reason) => return Ok(Begin::Page(ErrorPage::because(reason))),
        };
        // if `state` appears more than once, errors are returned to the client without a `state`
        let state = query.bytes("state").ok().flatten();
        let client = match self.client_for(client_id, redirect_uri, address).await? {
            Ok(client) => client,
            Err(ClientProblem::Unknown(reason) | ClientProblem::Redirect(reason)) => {
                return Ok(Begin::Page(ErrorPage::because(reason)));
            }
            Err(ClientProblem::Unreached(_) | ClientProblem::Unreadable(_)) => {
                return Ok(Begin::Page(ErrorPage::because(NO_DOCUMENT)));
            }
            Err(ClientProblem::TooManyFetches { retry_after }) => {
                let reason =
                    "This app's metadata document was requested too often. Try again in a few minutes."
                        .into();
                let page = ErrorPage { status: 429, reason, retry_after: Some(retry_after) };
                return Ok(Begin::Page(page));
            }
            Err(ClientProblem::NotPublic) => {
                let why = "the client's metadata document must have token_endpoint_auth_method none";
                let error = (AuthorizeError::InvalidClient, why);
                return Ok(Begin::Redirect(self.error_redirect(redirect_uri, state, error)));
            }
        };
        let requested_access = match query.requested_access(&self.settings.mcp_url) {
            Ok(requested_access) => requested_access,
            Err(error) => return Ok(Begin::Redirect(self.error_redirect(redirect_uri, state, error))),
        };
        let request = self.mint(TokenKind::AuthorizationRequest);
        let op = InsertRequest {
            hash: token::hash(&request),
            request: AuthorizationRequest {
                state: state.map(<[u8]>::to_vec),
                expires_at: self.trusted_now()? + REQUEST_LIFE,
                ..requested_access.of(client, browser)
            },
        };
        self.db.write(op).await?;
        Ok(Begin::Consent { request })
    }

    /// Returns the redirect that reports an error to a client, with `state` and `iss` (RFC 9207 §2).
    pub(super) fn error_redirect(
        &self,
        redirect_uri: &str,
        state: Option<&[u8]>,
        error: ClientError,
    ) -> String {
        let (error, description) = error;
        self.answer(redirect_uri, state, &[("error", error.name()), ("error_description", description)])
    }

    /// Returns the redirect that sends the parameters `answer` to a client, with `state` and `iss`.
    pub(super) fn answer(&self, redirect_uri: &str, state: Option<&[u8]>, answer: &[(&str, &str)]) -> String {
        let mut parameters: Vec<_> = answer.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
        parameters.extend(state.map(|state| ("state", state)));
        parameters.push(("iss", self.settings.mcp_url.as_bytes()));
        redirect::with_parameters(redirect_uri, &parameters)
    }
}

/// A decoded query. A parameter without a value counts as absent (D-257). A known parameter that is repeated is an
/// error. Unknown parameters are ignored, even if they are repeated (D-262; RFC 6749 §3.1 with erratum 5708).
struct AuthorizeParameters<'a>(&'a [(String, Vec<u8>)]);

/// The text that replaces a parameter value that is not UTF-8. No parameter accepts this text, so the request is
/// rejected. The exception is `state`: its value can be any bytes, and is stored as it was sent.
const NOT_UTF8: &str = "\u{fffd}";

/// The error for a parameter with more than one value.
struct DuplicateParameter;

/// The access that a client requests.
struct RequestedAccess<'a> {
    resource: Resource,
    scopes: Access,
    challenge: &'a str,
}

impl RequestedAccess<'_> {
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

impl<'a> AuthorizeParameters<'a> {
    fn single(&self, name: &str) -> std::result::Result<Option<&'a str>, DuplicateParameter> {
        let value = self.bytes(name)?;
        Ok(value.map(|value| std::str::from_utf8(value).unwrap_or(NOT_UTF8)))
    }

    fn bytes(&self, name: &str) -> std::result::Result<Option<&'a [u8]>, DuplicateParameter> {
        let all = self.0.iter().filter(|(key, value)| key == name && !value.is_empty());
        let mut values = all.map(|(_, value)| value.as_slice());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(DuplicateParameter),
            (value, None) => Ok(value),
        }
    }

    /// Returns the client id and the redirect URI, or a sentence for the error page (D-253, D-256).
    fn identity(&self) -> std::result::Result<(&'a str, &'a str), &'static str> {
        let client_id = match self.single("client_id") {
            Ok(Some(value)) => value,
            Ok(None) => return Err("The app did not say who it is: client_id is missing."),
            Err(DuplicateParameter) => {
                return Err("The app did not say clearly who it is: client_id appears more than once.");
            }
        };
        match self.single("redirect_uri") {
            Ok(Some(value)) => Ok((client_id, value)),
            Ok(None) => Err("The app did not say where to return to: redirect_uri is missing."),
            Err(DuplicateParameter) => {
                Err("The app did not say clearly where to return to: redirect_uri appears more than once.")
            }
        }
    }

    /// Returns the requested access, or the first error. The parameters are checked in the order of A-152.
    fn requested_access(&self, mcp_url: &str) -> std::result::Result<RequestedAccess<'a>, ClientError> {
        use AuthorizeError::{InvalidRequest, InvalidScope, InvalidTarget, UnsupportedResponseType};
        let once = |name, why| self.single(name).map_err(|DuplicateParameter| (InvalidRequest, why));
        let response_type = once("response_type", "response_type appears more than once")?;
        let challenge = once("code_challenge", "code_challenge appears more than once")?;
        let method = once("code_challenge_method", "code_challenge_method appears more than once")?;
        let scope = once("scope", "scope appears more than once")?;
        once("state", "state appears more than once")?;
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
            Err(DuplicateParameter) => return Err((InvalidTarget, "resource appears more than once")),
        };
        let Some(resource) = resource else {
            return Err((InvalidTarget, "resource must be one of this server's two MCP addresses"));
        };
        let scopes = match scope {
            None => resource.scopes(),
            Some(scope) => {
                match Access::parse(scope).filter(|&asked| resource.scopes().contains_all(asked)) {
                    Some(scopes) => scopes,
                    None => {
                        return Err((
                            InvalidScope,
                            "scope includes a scope that the resource does not offer",
                        ));
                    }
                }
            }
        };
        Ok(RequestedAccess { resource, scopes, challenge })
    }
}

struct InsertRequest {
    hash: [u8; 32],
    request: AuthorizationRequest,
}

op! {
    Op "keep_authorization_request": InsertRequest -> () =
        |op, c| authorizations::insert_request(c, &op.hash, &op.request)
}
