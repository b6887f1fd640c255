//! Clients of the authorization server for assistants: which clients may request a connection, and how they
//! authenticate at `/token` and `/revoke`.
//!
//! A client is either registered or identified by the URL of its metadata document.

use std::{net::IpAddr, sync::Arc};

pub use crate::domain::grant::ClientKind;
use crate::{
    domain::{
        assistant::{
            client_id, hosts, keys,
            redirect::{Redirect, RedirectCombination, RedirectKind},
        },
        refusal::Code,
        token::{self, TokenKind},
    },
    platform::{outbound::OutboundFailure, secrets},
    service::{World, refuse},
    store::{
        Result, StoreError,
        assistant_clients::{self, AssistantClient},
        op,
    },
};

/// A client that may request a connection with one of its redirect URIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// `mcpc_…`, or the URL of the metadata document.
    pub client_id: String,
    pub kind: ClientKind,
    /// Whether the client has no secret.
    pub is_public: bool,
    /// Name shown to people: at most 40 characters, or the fixed name of a well-known host.
    pub display_name: String,
    /// Whether the client registered itself. Anybody can register a client under any name that is not reserved.
    pub unverified: bool,
    /// Host of the metadata document's URL.
    pub client_host: Option<String>,
    /// The redirect URI as requested, port included.
    pub redirect_uri: String,
    pub redirect_kind: RedirectKind,
    /// Where the code is sent, for display: the host of the redirect URI, or the scheme of a private-use URI.
    pub redirect_host: String,
    /// The redirect URI, without its port if it is a loopback URI. A new connection replaces the employee's connection
    /// that has the same client and the same redirect key (D-313).
    pub redirect_key: String,
    /// Key by which a company blocks the client.
    pub block_key: String,
}

/// Why a client may not request a connection. [`ClientProblem::NotPublic`] is sent to the client by redirect. Every
/// other problem is shown on an error page and never sent to the client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientProblem {
    /// The client id is invalid, no such client exists, or the metadata document is invalid. Contains a sentence for
    /// the page.
    Unknown(String),
    /// The client's metadata document could not be fetched. The cause is only logged. If the page showed the cause,
    /// strangers could find out which hosts and ports this server can reach.
    Unreached(OutboundFailure),
    /// The client's host did not return a usable JSON document. Contains the reason, for the log only.
    Unreadable(String),
    /// The redirect URI is invalid or not one of the client's. Contains a sentence for the page.
    Redirect(String),
    /// The client and the redirect URI are valid, but the metadata document does not describe a public client. The
    /// client gets `invalid_client` by redirect (D-222).
    NotPublic,
    /// A limit on fetches of metadata documents is exceeded. The page has status 429 (D-213).
    TooManyFetches {
        /// The value of `Retry-After`, in seconds.
        retry_after: u32,
    },
}

/// How a client authenticates at `/token` and `/revoke`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientCredentials {
    /// By the client id alone.
    Public,
    /// By a secret with this SHA-256.
    Secret(Vec<u8>),
}

/// A client that authenticated at `/token` or `/revoke`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OauthClient {
    /// `mcpc_…`, or the URL of a metadata document.
    pub client_id: String,
    /// Whether the client has no secret, and so authenticated with its id alone.
    pub is_public: bool,
}

/// Reason for rejecting a redirect URI that has a valid form, but is not one of the client's.
const NOT_LISTED: &str = "The redirect URI is not one of the client's.";
/// Reason for rejecting a registered client whose redirect URIs are no longer allowed.
const NO_LONGER_ALLOWED: &str =
    "One of the client's redirect URIs is no longer allowed. The client has to register again.";
const LONG_HOST: &str = "The host of the client id has more than 249 characters. A client with such a host cannot use \
                         a redirect URI on the employee's own computer.";
const NOT_REGISTERED: &str = "No client is registered under this client id.";

impl World {
    /// Returns the client `client_id`, if it may request a connection with this redirect URI (A-039 … …
    /// `address` is the address of the browser.
    ///
    /// # Errors
    /// Errors of [`World::client_credentials`]. If a document was fetched, also errors of
    /// [`Stamp::id`](crate::service::Stamp::id). A problem with the client is returned as an inner `Err` with a
    /// [`ClientProblem`].
    pub async fn client_for(
        self: &Arc<Self>,
        client_id: &str,
        redirect_uri: &str,
        address: IpAddr,
    ) -> Result<std::result::Result<Client, ClientProblem>> {
        if client_id.starts_with(TokenKind::AssistantClientId.prefix()) {
            return self.registered_for(client_id, redirect_uri).await;
        }
        let url = match client_id::parse(client_id) {
            Ok(url) => url,
            Err(error) => return Ok(Err(ClientProblem::Unknown(error.to_string()))),
        };
        let document = match self.client_document(client_id, &url, address).await? {
            Ok(document) => document,
            Err(problem) => return Ok(Err(problem)),
        };
        let redirect = match self.redirect(redirect_uri, &document.redirect_uris) {
            Ok(redirect) => redirect,
            Err(problem) => return Ok(Err(problem)),
        };
        if !document.is_public {
            return Ok(Err(ClientProblem::NotPublic));
        }
        let host = hosts::normal_host(url.host);
        let Some(block_key) = keys::document_key(&host, redirect.kind) else {
            return Ok(Err(ClientProblem::Redirect(LONG_HOST.to_owned())));
        };
        let names = &self.settings.well_known_clients;
        Ok(Ok(Client {
            client_id: client_id.to_owned(),
            kind: ClientKind::Document,
            is_public: true,
            display_name: names.of_document(&host, document.client_name.as_deref()),
            unverified: false,
            block_key,
            client_host: Some(host),
            redirect_uri: redirect_uri.to_owned(),
            redirect_kind: redirect.kind,
            redirect_host: redirect.host,
            redirect_key: redirect.key,
        }))
    }

    async fn registered_for(
        &self,
        client_id: &str,
        redirect_uri: &str,
    ) -> Result<std::result::Result<Client, ClientProblem>> {
        let Some(found) = self.registered(client_id).await? else {
            return Ok(Err(ClientProblem::Unknown(NOT_REGISTERED.to_owned())));
        };
        let redirect_uris = found.redirect_uris()?;
        let redirect = match self.redirect(redirect_uri, &redirect_uris) {
            Ok(redirect) => redirect,
            Err(problem) => return Ok(Err(problem)),
        };
        // All of the client's redirect URIs must be valid, not only the requested one. An earlier version of the server
        // can have registered a redirect URI that this version rejects.
        let Some(combination) = self.combination(&redirect_uris) else {
            return Ok(Err(ClientProblem::Redirect(NO_LONGER_ALLOWED.to_owned())));
        };
        let name = found.client_name.as_deref().unwrap_or_default();
        Ok(Ok(Client {
            client_id: client_id.to_owned(),
            kind: ClientKind::Registered,
            is_public: found.is_public,
            display_name: self.settings.well_known_clients.of_registered(&combination, name),
            unverified: true,
            client_host: None,
            redirect_uri: redirect_uri.to_owned(),
            redirect_kind: redirect.kind,
            redirect_host: redirect.host,
            redirect_key: redirect.key,
            block_key: keys::registered_key(&combination, name),
        }))
    }

    /// Parses the requested redirect URI `uri`, and checks that it is one of the client's redirect URIs `allowed`.
    fn redirect<'a>(
        &self,
        uri: &'a str,
        allowed: &[String],
    ) -> std::result::Result<Redirect<'a>, ClientProblem> {
        let invalid = |error| ClientProblem::Redirect(format!("The redirect URI {error}."));
        let redirect = Redirect::requested(uri, &self.settings.editor_schemes).map_err(invalid)?;
        match redirect.is_one_of(allowed) {
            true => Ok(redirect),
            false => Err(ClientProblem::Redirect(NOT_LISTED.to_owned())),
        }
    }

    /// Returns which [`RedirectCombination`] a client's redirect URIs are. Returns `None` if one of the URIs is
    /// invalid, or if the combination is not allowed.
    pub(super) fn combination(&self, redirect_uris: &[String]) -> Option<RedirectCombination> {
        let editors = &self.settings.editor_schemes;
        let redirects = redirect_uris.iter().map(|uri| Redirect::parse(uri, editors).ok());
        RedirectCombination::of(&redirects.collect::<Option<Vec<_>>>()?)
    }

    /// Returns how a client authenticates; `None` if the client does not exist. Never fetches a metadata document: the
    /// form of a client id shows whether the client has a document, and every such client is public (A-068, D-215).
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]). This
    ///   error is returned only for a registered client that never completed a connection.
    pub async fn client_credentials(&self, client_id: &str) -> Result<Option<ClientCredentials>> {
        if client_id::parse(client_id).is_ok() {
            return Ok(Some(ClientCredentials::Public));
        }
        Ok(self.registered(client_id).await?.map(|client| match client.secret_hash {
            Some(hash) => ClientCredentials::Secret(hash),
            None => ClientCredentials::Public,
        }))
    }

    /// Authenticates a client.
    ///
    /// # Errors
    /// - Errors of [`World::client_credentials`].
    /// - `invalid_client` for an unknown client, for a wrong or missing secret, and for a public client that sends a
    ///   secret. An empty secret counts as missing (D-286).
    pub async fn authenticate_assistant_client(
        &self,
        client_id: &str,
        secret: Option<&str>,
    ) -> Result<OauthClient> {
        let secret = secret.filter(|secret| !secret.is_empty());
        let is_public = match (self.client_credentials(client_id).await?, secret) {
            (Some(ClientCredentials::Public), None) => true,
            (Some(ClientCredentials::Secret(hash)), Some(secret))
                if secrets::constant_time_eq(&token::hash(secret), &hash) =>
            {
                false
            }
            _ => return refuse(Code::InvalidClient),
        };
        Ok(OauthClient { client_id: client_id.to_owned(), is_public })
    }

    /// Returns a registered client that has not expired.
    async fn registered(&self, client_id: &str) -> Result<Option<AssistantClient>> {
        // only a well-formed id is looked up. So the query never contains U+0000, which PostgreSQL rejects
        if token::parse(client_id) != Some(TokenKind::AssistantClientId) {
            return Ok(None);
        }
        let found = self.db.read(FindAssistantClient(client_id.to_owned())).await?;
        let Some(client) = found.filter(|client| client.is_registered) else { return Ok(None) };
        // A client that never completed a connection is invalid when it expires, even if its row is not deleted yet
        // . For a client that has completed a connection the time is not read, so that the client can revoke
        // tokens even if the clock of this node is wrong.
        let is_valid = client.connected_at.is_some() || self.trusted_now()? < client.expires_at;
        Ok(is_valid.then_some(client))
    }
}

impl AssistantClient {
    /// Returns the redirect URIs of the registration or the document.
    pub(super) fn redirect_uris(&self) -> Result<Vec<String>> {
        let read = serde_json::from_str(&self.redirect_uris);
        Ok(read.map_err(|e| StoreError::bug(format!("redirect URIs of client {}: {e}", self.id)))?)
    }
}

pub(super) struct FindAssistantClient(pub(super) String);

op! {
    ReadOp "find_assistant_client": FindAssistantClient -> Option<AssistantClient> =
        |op, c| assistant_clients::by_client_id(c, &op.0)
}
