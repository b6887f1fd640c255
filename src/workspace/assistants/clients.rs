//! Clients of the assistant connection server: who asks for a connection, and who authenticates at `/token`.
//!
//! Called by the assistant room and by the pages. A client has registered, or is known by its metadata document.

pub use crate::domain::grant::ClientKind;
use crate::{
    domain::{
        assistant::{
            client_id, keys,
            redirect::{Mix, Redirect, RedirectKind},
        },
        refusal::Code,
        time::Timestamp,
        token::{self, Kind},
    },
    platform::{outbound::Failure, secrets},
    store::{
        Op, Result, Sql, StoreError,
        assistant_clients::{self, AssistantClient},
    },
    workspace::{World, refuse},
};

/// A client that may ask for a connection with one of its redirect URIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// `mcpc_…`, or the URL of the document.
    pub client_id: String,
    pub kind: ClientKind,
    /// Without a secret.
    pub is_public: bool,
    /// As people see it: at most 40 characters, or a well-known host's fixed name.
    pub display_name: String,
    /// Anybody can register under any name (D-267).
    pub unverified: bool,
    /// The host of a document's URL.
    pub client_host: Option<String>,
    /// As it was asked for, port included.
    pub redirect_uri: String,
    pub redirect_kind: RedirectKind,
    /// Where the code goes: the host; of a private-use URI its scheme.
    pub redirect_host: String,
    /// The redirect URI without the port of the loopback: what makes two connections the same (D-313).
    pub redirect_key: String,
    /// What a company blocks it by.
    pub block_key: String,
}

/// Why a client may not ask. All but [`ClientProblem::NotPublic`] are told on an error page, never by a redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientProblem {
    /// No such client, or its document is no good; with a sentence for the page.
    Unknown(String),
    /// The network did not give its document. The cause is for the log: told to strangers, it would tell them which hosts
    /// and ports this server reaches.
    Unreached(Failure),
    /// The redirect URI is not one of the client's; with a sentence for the page.
    Redirect(String),
    /// Client and redirect URI are right, and the document is not that of a public client: `invalid_client` by
    /// redirect (D-222).
    NotPublic,
    /// The document was fetched too often of late; status 429 (D-213).
    TooManyFetches {
        /// Seconds.
        retry_after: u32,
    },
}

/// How a client authenticates at `/token` and `/revoke`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientCredentials {
    /// By its client id alone.
    Public,
    /// By a secret with this SHA-256.
    Secret(Vec<u8>),
}

/// A client that authenticated at `/token` or `/revoke`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OauthClient {
    /// `mcpc_…`, or the URL of a document.
    pub client_id: String,
    /// It has no secret: its id is all that it showed.
    pub is_public: bool,
}

/// Every redirect problem that is not about its form.
const NOT_LISTED: &str = "The redirect URI is not one of the client's.";
const LONG_HOST: &str = "The host of the client id has more than 249 characters, which is too many for a redirect URI \
                         on the employee's own computer.";
const NOT_REGISTERED: &str = "No client is registered under this client id.";

impl World {
    /// The client that asks for a connection, with the redirect URI it asked for (A-039 … … A-139).
    ///
    /// # Errors
    /// Those of the store. What is wrong with the client is the inner [`ClientProblem`].
    pub async fn client_for(
        &self,
        client_id: &str,
        redirect_uri: &str,
    ) -> Result<std::result::Result<Client, ClientProblem>> {
        if client_id.starts_with(Kind::AssistantClientId.prefix()) {
            return self.registered_for(client_id, redirect_uri).await;
        }
        let url = match client_id::parse(client_id) {
            Ok(url) => url,
            Err(fault) => return Ok(Err(ClientProblem::Unknown(fault.to_string()))),
        };
        let document = match self.client_document(client_id, &url).await? {
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
        let host = keys::normal_host(url.host);
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
        // editors' schemes may have left the configuration since
        let Some(mix) = self.mix(&redirect_uris) else {
            return Ok(Err(ClientProblem::Redirect(NOT_LISTED.to_owned())));
        };
        let name = found.client_name.as_deref().unwrap_or_default();
        Ok(Ok(Client {
            client_id: client_id.to_owned(),
            kind: ClientKind::Registered,
            is_public: found.is_public,
            display_name: self.settings.well_known_clients.of_registered(&mix, name),
            unverified: true,
            client_host: None,
            redirect_uri: redirect_uri.to_owned(),
            redirect_kind: redirect.kind,
            redirect_host: redirect.host,
            redirect_key: redirect.key,
            block_key: keys::registered_key(&mix, name),
        }))
    }

    /// The redirect URI, if it may be used and is one of these.
    fn redirect<'a>(
        &self,
        uri: &'a str,
        registered: &[String],
    ) -> std::result::Result<Redirect<'a>, ClientProblem> {
        let refused = |fault| ClientProblem::Redirect(format!("The redirect URI {fault}."));
        let redirect = Redirect::parse(uri, &self.settings.editor_schemes).map_err(refused)?;
        match redirect.is_one_of(registered) {
            true => Ok(redirect),
            false => Err(ClientProblem::Redirect(NOT_LISTED.to_owned())),
        }
    }

    pub(super) fn mix(&self, redirect_uris: &[String]) -> Option<Mix> {
        let editors = &self.settings.editor_schemes;
        let redirects = redirect_uris.iter().map(|uri| Redirect::parse(uri, editors).ok());
        Mix::of(&redirects.collect::<Option<Vec<_>>>()?)
    }

    /// How a client authenticates; `None` for one that does not exist. Never reads a document: a client known by one
    /// is public by the form of its id (A-068, D-215).
    ///
    /// # Errors
    /// Those of the store.
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
    /// `invalid_client` for an unknown client, a wrong or missing secret, and a secret of a client that has none
    /// (D-282). An empty secret is none (D-286).
    pub async fn authenticate_assistant_client(
        &self,
        client_id: &str,
        secret: Option<&str>,
    ) -> Result<OauthClient> {
        let secret = secret.filter(|secret| !secret.is_empty());
        let is_public = match (self.client_credentials(client_id).await?, secret) {
            (Some(ClientCredentials::Public), None) => true,
            (Some(ClientCredentials::Secret(hash)), Some(secret))
                if secrets::same(&token::hash(secret), &hash) =>
            {
                false
            }
            _ => return refuse(Code::InvalidClient),
        };
        Ok(OauthClient { client_id: client_id.to_owned(), is_public })
    }

    async fn registered(&self, client_id: &str) -> Result<Option<AssistantClient>> {
        // only what this server could have made is looked up, which also keeps U+0000 out
        if token::parse(client_id) != Some(Kind::AssistantClientId) {
            return Ok(None);
        }
        let found = self.db.read(FindAssistantClient(client_id.to_owned())).await?;
        let now = self.clock.now();
        Ok(found.filter(|client| client.is_registered && client.is_alive(now)))
    }
}

impl AssistantClient {
    /// Whether it counts: a client that connected nobody ends with its time, whether it is still stored or
    /// not.
    pub(super) fn is_alive(&self, now: Timestamp) -> bool {
        self.connected_at.is_some() || now < self.expires_at
    }

    /// As they were registered or are listed in the document.
    pub(super) fn redirect_uris(&self) -> Result<Vec<String>> {
        let read = serde_json::from_str(&self.redirect_uris);
        Ok(read.map_err(|e| StoreError::bug(format!("redirect URIs of client {}: {e}", self.id)))?)
    }
}

pub(super) struct FindAssistantClient(pub(super) String);

impl Op for FindAssistantClient {
    const NAME: &'static str = "find_assistant_client";
    type Out = Option<AssistantClient>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<AssistantClient>> {
        assistant_clients::by_client_id(c, &self.0).await
    }
}
