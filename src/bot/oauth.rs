//! Handlers that exchange install codes for bot tokens, and revoke tokens.

use super::BotApi;
use crate::{
    contract::OperationError,
    domain::refusal::{Code, Refusal},
    generated::bot::{
        ExchangeTokenError, ExchangeTokenRequest, ExchangeTokenSuccess, OauthHandlers, RevokeTokenError,
        RevokeTokenRequest, RevokeTokenSuccess, types,
    },
    service::apps::installs::{AuthenticatedApp, CodeExchange},
};

impl OauthHandlers for BotApi {
    async fn exchange_token(
        &self,
        caller: AuthenticatedApp,
        request: ExchangeTokenRequest,
    ) -> Result<ExchangeTokenSuccess, OperationError<ExchangeTokenError>> {
        let body = request.body;
        if body.grant_type != "authorization_code" {
            return Err(ExchangeTokenError::UnsupportedGrantType.into());
        }
        let Some(code) = body.code.filter(|code| !code.is_empty()) else {
            return Err(Refusal::because(Code::InvalidRequest, "`code` is missing").into());
        };
        // a parameter without a value counts as absent (RFC 6749 §3.2)
        let redirect_uri = body.redirect_uri.filter(|uri| !uri.is_empty());
        let code_verifier = body.code_verifier.filter(|verifier| !verifier.is_empty());
        let exchange = CodeExchange { code, redirect_uri, code_verifier };
        let done = self.world.exchange_code(caller, exchange).await?;
        let answer = types::TokenResult {
            ok: types::True,
            access_token: done.token,
            token_type: types::TokenType::Bearer,
            scope: done.scopes.to_string(),
            app_id: done.app_id.encode(),
            bot: types::BotRef { id: done.bot_user_id.encode() },
            workspace: types::WorkspaceRef { id: done.workspace_id.encode(), name: done.workspace_name },
        };
        Ok(answer.into())
    }

    async fn revoke_token(
        &self,
        caller: AuthenticatedApp,
        request: RevokeTokenRequest,
    ) -> Result<RevokeTokenSuccess, OperationError<RevokeTokenError>> {
        self.world.revoke_token(caller, &request.body.token).await?;
        Ok(types::OkResult { ok: types::True }.into())
    }
}
