//! Clients as authorization sees them: who asks, where the code goes, and under which key a company blocks it.

use crate::{
    domain::grant::{ClientKind, RedirectKind},
    store::Result,
    workspace::World,
};

/// A client together with the redirect URI it asks with.
#[derive(Clone, Debug, PartialEq)]
pub struct Client {
    /// Begins `mcpc_`, or is the URL of the client's metadata document.
    pub client_id: String,
    /// How it is known.
    pub kind: ClientKind,
    /// It has no secret.
    pub is_public: bool,
    /// The name people see, cut to 40 characters.
    pub display_name: String,
    /// The name is the client's own word.
    pub unverified: bool,
    /// Host of a metadata document's URL.
    pub client_host: Option<String>,
    /// As it was asked with.
    pub redirect_uri: String,
    /// Where that leads.
    pub redirect_kind: RedirectKind,
    /// Its host, or its private-use scheme.
    pub redirect_host: String,
    /// The redirect URI without a loopback port.
    pub redirect_key: String,
    /// What a company blocks.
    pub block_key: String,
}

/// Why a client may not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientProblem {
    /// No such client; the reason in words for the page.
    Unknown(&'static str),
    /// The redirect URI is none of the client's; the reason in words for the page.
    Redirect(&'static str),
    /// The client's document says that it is not public, which is told to the client (D-222).
    NotPublic,
    /// The client's document was asked for too often (D-213).
    TooManyFetches {
        /// In seconds.
        retry_after: u32,
    },
}

/// How a client proves at `/token` and `/revoke` that it is the client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientCredentials {
    /// SHA-256 of its secret; none for a public client.
    pub secret_hash: Option<[u8; 32]>,
}

impl World {
    /// The client of an id as it may ask with a redirect URI.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn client_for(
        &self,
        client_id: &str,
        redirect_uri: &str,
    ) -> Result<std::result::Result<Client, ClientProblem>> {
        let _ = (client_id, redirect_uri);
        Ok(Err(ClientProblem::Unknown("There is no such app.")))
    }

    /// The credentials of a client id. A metadata document is never fetched for this: its clients are public by the
    /// form of their id (D-215).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn client_credentials(&self, client_id: &str) -> Result<Option<ClientCredentials>> {
        let is_url = client_id.starts_with("https://");
        Ok(is_url.then_some(ClientCredentials { secret_hash: None }))
    }
}
