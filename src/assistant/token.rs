//! `/token`: codes and refresh tokens into access tokens (RFC 6749 §4.1.3, §6).

use super::Assistant;
use crate::{
    contract::{OperationType as _, Problem},
    domain::{
        grant::ACCESS_LIFE,
        refusal::{Code, Refusal},
    },
    generated::assistant::{
        ExchangeGrant, ExchangeGrantError, ExchangeGrantRequest, ExchangeGrantSuccess, RevokeConnectionError,
        RevokeConnectionRequest, RevokeConnectionSuccess, TokensHandlers, types,
    },
    platform::secrets::Secret,
    workspace::assistants::{
        clients::OauthClient,
        exchange::CodeGrant,
        refresh::RefreshGrant,
        tokens::{GrantError, TokenSet},
    },
};

impl TokensHandlers for Assistant {
    async fn exchange_grant(
        &self,
        client: OauthClient,
        request: ExchangeGrantRequest,
    ) -> Result<ExchangeGrantSuccess, Problem<ExchangeGrantError>> {
        let (body, asking) = (request.body, client.clone());
        let resource = sent(body.resource);
        let tokens = match body.grant_type.as_str() {
            "authorization_code" => {
                let grant = CodeGrant {
                    code: Secret::new(needed(body.code, "code")?),
                    redirect_uri: needed(body.redirect_uri, "redirect_uri")?,
                    code_verifier: Secret::new(needed(body.code_verifier, "code_verifier")?),
                    resource,
                };
                self.world.exchange_authorization_code(client, grant).await?
            }
            "refresh_token" => {
                let grant = RefreshGrant {
                    refresh_token: Secret::new(needed(body.refresh_token, "refresh_token")?),
                    scope: sent(body.scope),
                    resource,
                };
                self.world.refresh_connection(client, grant).await?
            }
            "" => return Err(missing("grant_type").into()),
            _ => return Err(ExchangeGrantError::UnsupportedGrantType.into()),
        };
        // an unknown code or token is no proof of being the client
        if tokens.as_ref().err() != Some(&GrantError::InvalidGrant) {
            self.count_proved(ExchangeGrant::INFO, &asking).await;
        }
        match tokens {
            Ok(tokens) => Ok(answer(&tokens).into()),
            Err(GrantError::InvalidGrant | GrantError::OverGrant) => {
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
    ) -> Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>> {
        self.revoke(client, request).await
    }
}

/// A parameter; an empty one is as good as none (OAuth 2.1 §3.2).
pub(super) fn sent(value: Option<String>) -> Option<String> {
    value.filter(|value| !value.is_empty())
}

fn needed(value: Option<String>, name: &str) -> Result<String, Refusal> {
    sent(value).ok_or_else(|| missing(name))
}

pub(super) fn missing(name: &str) -> Refusal {
    Refusal::because(Code::InvalidRequest, format!("`{name}` is missing"))
}

fn answer(tokens: &TokenSet) -> types::Tokens {
    types::Tokens {
        access_token: tokens.access_token.expose().to_owned(),
        token_type: types::TokenType::Bearer,
        expires_in: i64::try_from(ACCESS_LIFE.as_secs()).unwrap_or(i64::MAX),
        refresh_token: tokens.refresh_token.expose().to_owned(),
        scope: tokens.scopes.to_string(),
    }
}
