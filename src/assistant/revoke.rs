//! `/revoke`: giving a connection up (RFC 7009).

use super::Assistant;
use crate::{
    contract::Problem,
    domain::refusal::{Code, Refusal},
    generated::assistant::{
        RevokeConnectionError, RevokeConnectionRequest, RevokeConnectionSuccess, types::Nothing,
    },
    workspace::assistants::clients::OauthClient,
};

impl Assistant {
    pub(super) async fn revoke(
        &self,
        _: OauthClient,
        request: RevokeConnectionRequest,
    ) -> Result<RevokeConnectionSuccess, Problem<RevokeConnectionError>> {
        // an empty parameter is as good as none (OAuth 2.1 §3.2)
        if request.body.token.is_empty() {
            return Err(Refusal::because(Code::InvalidRequest, "`token` is missing").into());
        }
        Ok(Nothing {}.into())
    }
}
