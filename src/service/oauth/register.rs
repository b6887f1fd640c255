//! Dynamic client registration (RFC 7591), which requires no authentication.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::{
    domain::{
        assistant::{
            names,
            redirect::{Redirect, RedirectCombination},
        },
        json_fingerprint::compact_len,
        refusal::{Code, Refusal},
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::World,
    store::{
        Result,
        assistant_clients::{self, AssistantClient},
        op,
    },
};

/// Lifetime of a registered client that never completes a connection.
pub const UNUSED_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Maximum size of [`NewClient::extras`] as compact JSON (D-232).
const MAX_EXTRA_BYTES: usize = 4096;

/// A registration request.
#[derive(Clone, Debug)]
pub struct NewClient {
    pub client_name: String,
    pub redirect_uris: Vec<String>,
    /// Whether the client gets a secret.
    pub has_secret: bool,
    /// The client's authentication method and grant types.
    pub metadata: Map<String, Value>,
    /// The eight optional members that the server stores and never uses, from `logo_uri` to `software_version` in
    /// `openapi/assistant.yaml`.
    pub extras: Map<String, Value>,
}

/// A registered client.
#[derive(Clone, Debug)]
pub struct RegisteredClient {
    /// `mcpc_…`.
    pub client_id: String,
    /// `svc_msec_…`; `None` for a client without a secret. Only the hash of the secret is stored.
    pub client_secret: Option<String>,
    pub created_at: Timestamp,
    /// In Unicode normalization form C.
    pub client_name: String,
}

impl World {
    /// Registers a client.
    ///
    /// # Errors
    /// - `invalid_client_metadata` for an invalid or reserved name.
    /// - `invalid_redirect_uri` for an invalid redirect URI, and for redirect URIs that cannot be combined.
    /// - `invalid_client_metadata` if [`NewClient::extras`] has more than 4096 bytes as compact JSON (D-232).
    /// - Store errors.
    pub async fn register_client(&self, new: NewClient) -> Result<RegisteredClient> {
        let client_name = names::check(&new.client_name, &self.settings.reserved_names).map_err(|error| {
            Refusal::because(Code::InvalidClientMetadata, format!("`client_name` {error}"))
        })?;
        self.check_redirects(&new.redirect_uris)?;
        if compact_len(&new.extras) > MAX_EXTRA_BYTES {
            let why = format!(
                "the members from `logo_uri` to `software_version` have more than {MAX_EXTRA_BYTES} bytes in total"
            );
            return Err(Refusal::because(Code::InvalidClientMetadata, why).into());
        }
        let stamp = self.stamp();
        let client_secret = new.has_secret.then(|| self.mint(TokenKind::AssistantClientSecret));
        let mut metadata = new.metadata;
        metadata.extend(new.extras);
        let client = AssistantClient {
            id: stamp.id()?,
            client_id: self.mint(TokenKind::AssistantClientId),
            is_registered: true,
            client_name: Some(client_name.clone()),
            redirect_uris: Value::from(new.redirect_uris).to_string(),
            is_public: client_secret.is_none(),
            secret_hash: client_secret.as_deref().map(|secret| token::hash(secret).to_vec()),
            metadata: Some(Value::Object(metadata).to_string()),
            created_at: stamp.now,
            expires_at: stamp.now + UNUSED_LIFE,
            connected_at: None,
            last_used_at: None,
        };
        let client_id = client.client_id.clone();
        self.db.write(InsertAssistantClient(client)).await?;
        Ok(RegisteredClient { client_id, client_secret, created_at: stamp.now, client_name })
    }

    fn check_redirects(&self, uris: &[String]) -> std::result::Result<(), Refusal> {
        let refuse = |why: String| Refusal::because(Code::InvalidRedirectUri, why);
        let mut redirects = Vec::new();
        for (index, uri) in uris.iter().enumerate() {
            let redirect = Redirect::parse(uri, &self.settings.editor_schemes)
                .map_err(|error| refuse(format!("redirect URI {} {error}", index + 1)))?;
            redirects.push(redirect);
        }
        match RedirectCombination::of(&redirects) {
            Some(_) => Ok(()),
            None => Err(refuse(
                "redirect URIs must be all https on one host, all of one private-use scheme, all loopback, \
                 or loopback and https together"
                    .to_owned(),
            )),
        }
    }
}

struct InsertAssistantClient(AssistantClient);

op! {
    Op "register_assistant_client": InsertAssistantClient -> () = |op, c| assistant_clients::insert(c, &op.0)
}
