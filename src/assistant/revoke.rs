//! `/revoke`: revokes the connection of the access or refresh token in the request (RFC 7009).

use super::{
    AssistantApi,
    token::{missing, non_empty},
};
use crate::{
    contract::{OperationError, OperationType as _},
    generated::assistant::{
        RevokeConnection, RevokeConnectionError, RevokeConnectionRequest, RevokeConnectionSuccess,
        types::Nothing,
    },
    platform::secrets::Secret,
    service::oauth::clients::OauthClient,
};

impl AssistantApi {
    pub(super) async fn revoke(
        &self,
        client: OauthClient,
        request: RevokeConnectionRequest,
    ) -> Result<RevokeConnectionSuccess, OperationError<RevokeConnectionError>> {
        let Some(token) = non_empty(Some(request.body.token)) else { return Err(missing("token").into()) };
        if self.world.revoke_assistant_token(client.clone(), &Secret::new(token)).await? {
            self.count_proved(RevokeConnection::INFO, &client).await;
        }
        Ok(Nothing {}.into())
    }
}
