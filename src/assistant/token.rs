//! `/token`: exchanges authorization codes and refresh tokens for new tokens (RFC 6749 §4.1.3, §6).

use super::AssistantApi;
use crate::{
    contract::{OperationError, OperationType as _},
    domain::refusal::{Code, Refusal},
    generated::assistant::{
        ExchangeGrant, ExchangeGrantError, ExchangeGrantRequest, ExchangeGrantSuccess, RevokeConnectionError,
        RevokeConnectionRequest, RevokeConnectionSuccess, TokensHandlers, types,
    },
    platform::secrets::Secret,
    service::oauth::{
        clients::OauthClient,
        exchange::CodeGrant,
        refresh::RefreshGrant,
        tokens::{GrantError, TokenSet},
    },
};

impl TokensHandlers for AssistantApi {
    async fn exchange_grant(
        &self,
        client: OauthClient,
        request: ExchangeGrantRequest,
    ) -> Result<ExchangeGrantSuccess, OperationError<ExchangeGrantError>> {
        let (body, client_to_count) = (request.body, client.clone());
        let resource = non_empty(body.resource);
        let tokens = match body.grant_type.as_str() {
            "authorization_code" => {
                let grant = CodeGrant {
                    code: Secret::new(required(body.code, "code")?),
                    redirect_uri: required(body.redirect_uri, "redirect_uri")?,
                    code_verifier: Secret::new(required(body.code_verifier, "code_verifier")?),
                    resource,
                };
                self.world.exchange_authorization_code(client, grant).await?
            }
            "refresh_token" => {
                let grant = RefreshGrant {
                    refresh_token: Secret::new(required(body.refresh_token, "refresh_token")?),
                    scope: non_empty(body.scope),
                    resource,
                };
                self.world.refresh_connection(client, grant).await?
            }
            "" => return Err(missing("grant_type").into()),
            _ => return Err(ExchangeGrantError::UnsupportedGrantType.into()),
        };
        // an invalid code or token does not prove that the client sent the request, so the request does not count
        // against the client's limit over all addresses
        if tokens.as_ref().err() != Some(&GrantError::InvalidGrant) {
            self.count_proved(ExchangeGrant::INFO, &client_to_count).await;
        }
        match tokens {
            Ok(tokens) => Ok(answer(&tokens).into()),
            Err(GrantError::InvalidGrant | GrantError::EndedGrant) => {
                Err(ExchangeGrantError::InvalidGrant.into())
            }
            Err(GrantError::InvalidScope) => Err(ExchangeGrantError::InvalidScope.into()),
            Err(GrantError::InvalidTarget) => Err(ExchangeGrantError::InvalidTarget.into()),
        }
    }

    async fn revoke_connection(
        &self,
        client: OauthClient,
        request: RevokeConnectionRequest,
    ) -> Result<RevokeConnectionSuccess, OperationError<RevokeConnectionError>> {
        self.revoke(client, request).await
    }
}

/// Returns `None` for an empty parameter, which counts as absent (OAuth 2.1 §3.2).
pub(super) fn non_empty(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.is_empty())
}

fn required(value: Option<String>, name: &str) -> Result<String, Refusal> {
    non_empty(value).ok_or_else(|| missing(name))
}

pub(super) fn missing(name: &str) -> Refusal {
    Refusal::because(Code::InvalidRequest, format!("`{name}` is missing"))
}

fn answer(tokens: &TokenSet) -> types::Tokens {
    types::Tokens {
        access_token: tokens.access_token.expose().to_owned(),
        token_type: types::AccessTokenType::Bearer,
        expires_in: i64::try_from(tokens.expires_in.as_secs()).unwrap_or(i64::MAX),
        refresh_token: tokens.refresh_token.expose().to_owned(),
        scope: tokens.scopes.to_string(),
    }
}
