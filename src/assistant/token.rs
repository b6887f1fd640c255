//! `/token`: codes and refresh tokens. No connection can be made yet, so there is no code and no token to exchange.

use super::Assistant;
use crate::{
    contract::Problem,
    domain::refusal::{Code, Refusal},
    generated::assistant::{
        ExchangeGrantError, ExchangeGrantRequest, ExchangeGrantSuccess, RevokeConnectionError,
        RevokeConnectionRequest, RevokeConnectionSuccess, TokensHandlers,
    },
    workspace::assistants::clients::OauthClient,
};

impl TokensHandlers for Assistant {
    async fn exchange_grant(
        &self,
        _: OauthClient,
        request: ExchangeGrantRequest,
    ) -> Result<ExchangeGrantSuccess, Problem<ExchangeGrantError>> {
        match request.body.grant_type.as_str() {
            "authorization_code" | "refresh_token" => Err(ExchangeGrantError::InvalidGrant.into()),
            "" => Err(Refusal::because(Code::InvalidRequest, "`grant_type` is missing").into()),
            _ => Err(ExchangeGrantError::UnsupportedGrantType.into()),
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
