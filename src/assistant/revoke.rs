//! `/revoke`: giving a connection up (RFC 7009).

use super::{
    Assistant,
    token::{missing, sent},
};
use crate::{
    contract::{OperationType as _, Problem},
    generated::assistant::{
        RevokeConnection, RevokeConnectionError, RevokeConnectionRequest, RevokeConnectionSuccess,
        types::Nothing,
    },
    platform::secrets::Secret,
    workspace::assistants::clients::OauthClient,
};

impl Assistant {
    pub(super) async fn revoke(
        &self,
        client: OauthClient,
        request: RevokeConnectionRequest,
    ) -> Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>> {
        let Some(token) = sent(Some(request.body.token)) else { return Err(missing("token").into()) };
        if self.world.revoke_assistant_token(client.clone(), &Secret::new(token)).await? {
            self.count_proved(RevokeConnection::INFO, &client).await;
        }
        Ok(Nothing {}.into())
    }
}
