//! `/revoke`: giving a connection up (RFC 7009).

use super::{
    Assistant,
    token::{missing, sent},
};
use crate::{
    contract::Problem,
    generated::assistant::{
        RevokeConnectionError, RevokeConnectionRequest, RevokeConnectionSuccess, types::Nothing,
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
        self.world.revoke_assistant_token(client, &Secret::new(token)).await?;
        Ok(Nothing {}.into())
    }
}
