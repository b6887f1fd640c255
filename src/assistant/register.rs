//! Dynamic registration of clients (RFC 7591).

use serde_json::{Map, Value};

use super::AssistantApi;
use crate::{
    contract::OperationError,
    domain::refusal::{Code, Refusal},
    generated::assistant::{
        ClientsHandlers, RegisterClientError, RegisterClientRequest, RegisterClientSuccess,
        types::{
            AuthMethod, AuthMethodValue, ClientMetadata, ClientRegistration, GrantType, GrantTypeValue,
            ResponseTypeValue,
        },
    },
    service::oauth::register::NewClient,
};

impl From<AuthMethod> for AuthMethodValue {
    fn from(method: AuthMethod) -> Self {
        match method {
            AuthMethod::None => Self::None,
            AuthMethod::ClientSecretBasic => Self::ClientSecretBasic,
            AuthMethod::ClientSecretPost => Self::ClientSecretPost,
        }
    }
}

impl From<GrantType> for GrantTypeValue {
    fn from(grant: GrantType) -> Self {
        match grant {
            GrantType::AuthorizationCode => Self::AuthorizationCode,
            GrantType::RefreshToken => Self::RefreshToken,
        }
    }
}

impl ClientsHandlers for AssistantApi {
    async fn register_client(
        &self,
        request: RegisterClientRequest,
    ) -> Result<RegisterClientSuccess, OperationError<RegisterClientError>> {
        let body = request.body;
        let grant_types = distinct(body.grant_types.as_deref().unwrap_or(GrantType::ALL));
        if !grant_types.contains(&GrantType::AuthorizationCode) {
            let why = "`grant_types` must contain `authorization_code`";
            return Err(Refusal::because(Code::InvalidClientMetadata, why).into());
        }
        let method = body.token_endpoint_auth_method.unwrap_or(AuthMethod::ClientSecretBasic);
        let mut metadata = Map::new();
        metadata.insert("grant_types".into(), grant_types.iter().map(|grant| grant.as_str()).collect());
        metadata.insert("token_endpoint_auth_method".into(), method.as_str().into());
        let new = NewClient {
            client_name: body.client_name.clone(),
            redirect_uris: body.redirect_uris.clone(),
            has_secret: method != AuthMethod::None,
            metadata,
            extras: extras(&body),
        };
        let registered = self.world.register_client(new).await?;
        let answer = ClientRegistration {
            client_id: registered.client_id,
            client_id_issued_at: registered.created_at.seconds(),
            // RFC 7591 §3.2.1 requires this member for a client with a secret; 0 means that the secret does not expire
            client_secret_expires_at: registered.client_secret.as_ref().map(|_| 0),
            client_secret: registered.client_secret,
            client_name: registered.client_name,
            redirect_uris: body.redirect_uris,
            grant_types: grant_types.into_iter().map(Into::into).collect(),
            response_types: ResponseTypeValue::ALL.to_vec(),
            token_endpoint_auth_method: method.into(),
            logo_uri: body.logo_uri,
            client_uri: body.client_uri,
            tos_uri: body.tos_uri,
            policy_uri: body.policy_uri,
            contacts: body.contacts,
            scope: body.scope,
            software_id: body.software_id,
            software_version: body.software_version,
        };
        Ok(answer.into())
    }
}

/// Returns the grant types without repetitions, in the order of their first occurrence.
fn distinct(grant_types: &[GrantType]) -> Vec<GrantType> {
    let mut kept = Vec::new();
    for grant in grant_types {
        if !kept.contains(grant) {
            kept.push(*grant);
        }
    }
    kept
}

/// Returns those optional members of the request that the server only stores and returns.
fn extras(body: &ClientMetadata) -> Map<String, Value> {
    let texts = [
        ("logo_uri", &body.logo_uri),
        ("client_uri", &body.client_uri),
        ("tos_uri", &body.tos_uri),
        ("policy_uri", &body.policy_uri),
        ("scope", &body.scope),
        ("software_id", &body.software_id),
        ("software_version", &body.software_version),
    ];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name.into(), text.clone()?.into())));
    let contacts = body.contacts.clone().map(|contacts| ("contacts".into(), contacts.into()));
    texts.chain(contacts).collect()
}
