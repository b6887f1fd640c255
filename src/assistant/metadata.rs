//! OAuth metadata for discovery. All URLs come from the configuration and never from the request (D-201).

use poem::http::{HeaderValue, header};

use super::AssistantApi;
use crate::{
    contract::{OperationError, answer},
    generated::assistant::{
        GetAuthorizationServerError, GetAuthorizationServerRequest, GetAuthorizationServerSuccess,
        GetMcpResourceError, GetMcpResourceRequest, GetMcpResourceSuccess, GetProtectedResourceError,
        GetProtectedResourceRequest, GetProtectedResourceSuccess, GetReadonlyResourceError,
        GetReadonlyResourceRequest, GetReadonlyResourceSuccess, MetadataHandlers,
        types::{
            AssistantScope, AuthMethodValue, AuthorizationServer, BearerMethod, ChallengeMethod,
            GrantTypeValue, ProtectedResource, ResponseTypeValue, Supported,
        },
    },
};

impl MetadataHandlers for AssistantApi {
    async fn get_protected_resource(
        &self,
        _: GetProtectedResourceRequest,
    ) -> Result<GetProtectedResourceSuccess, OperationError<GetProtectedResourceError>> {
        // `/.well-known/oauth-protected-resource` without a further path describes the default resource, `/mcp` (D-198)
        Ok(self.resource("/mcp", AssistantScope::ALL).into())
    }

    async fn get_mcp_resource(
        &self,
        _: GetMcpResourceRequest,
    ) -> Result<GetMcpResourceSuccess, OperationError<GetMcpResourceError>> {
        Ok(self.resource("/mcp", AssistantScope::ALL).into())
    }

    async fn get_readonly_resource(
        &self,
        _: GetReadonlyResourceRequest,
    ) -> Result<GetReadonlyResourceSuccess, OperationError<GetReadonlyResourceError>> {
        Ok(self.resource("/mcp/readonly", &[AssistantScope::ServiceRead]).into())
    }

    async fn get_authorization_server(
        &self,
        _: GetAuthorizationServerRequest,
    ) -> Result<GetAuthorizationServerSuccess, OperationError<GetAuthorizationServerError>> {
        allow_caching();
        Ok(AuthorizationServer {
            issuer: self.url(""),
            authorization_endpoint: self.url("/authorize"),
            token_endpoint: self.url("/token"),
            registration_endpoint: self.url("/register"),
            revocation_endpoint: self.url("/revoke"),
            response_types_supported: ResponseTypeValue::ALL.to_vec(),
            grant_types_supported: GrantTypeValue::ALL.to_vec(),
            code_challenge_methods_supported: ChallengeMethod::ALL.to_vec(),
            token_endpoint_auth_methods_supported: AuthMethodValue::ALL.to_vec(),
            revocation_endpoint_auth_methods_supported: AuthMethodValue::ALL.to_vec(),
            scopes_supported: AssistantScope::ALL.to_vec(),
            client_id_metadata_document_supported: Supported,
            authorization_response_iss_parameter_supported: Supported,
            service_documentation: self.url("/docs"),
        }
        .into())
    }
}

impl AssistantApi {
    /// Returns the public URL of a path.
    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.world.settings.mcp_url)
    }

    fn resource(&self, path: &str, scopes: &[AssistantScope]) -> ProtectedResource {
        allow_caching();
        ProtectedResource {
            resource: self.url(path),
            authorization_servers: vec![self.url("")],
            scopes_supported: scopes.to_vec(),
            bearer_methods_supported: BearerMethod::ALL.to_vec(),
            resource_name: self.world.settings.service_name.clone(),
            resource_documentation: self.url("/docs"),
        }
    }
}

/// Allows clients and proxies to cache the metadata, which change only with the configuration (D-200).
fn allow_caching() {
    answer::header(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
}
