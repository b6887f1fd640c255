//! Refusals of a credential: 401 and 403 with the challenge that tells a client where to get a better one (RFC 6750 §3,
//! RFC 9728 §5.1). Made once for each of the two endpoints.

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::wire;
use crate::domain::grant::Resource;

/// The challenges of one endpoint.
pub(super) struct Challenges {
    missing: HeaderValue,
    invalid: HeaderValue,
    insufficient: HeaderValue,
}

impl Challenges {
    /// Those of a resource of the server at `mcp_url`.
    ///
    /// The 403 names every scope of the resource (D-327): granted and needed together are never more, and a client that
    /// asks for them again loses nothing it had.
    pub(super) fn new(resource: Resource, mcp_url: &str) -> Self {
        let metadata = format!("{mcp_url}/.well-known/oauth-protected-resource{}", resource.name());
        let scopes = resource.scopes();
        let place = format!("resource_metadata=\"{metadata}\", scope=\"{scopes}\"");
        // configured addresses are ASCII without quotes; were one not, the plain challenge would still be true
        let value = |text: String| {
            HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
        };
        Self {
            missing: value(format!("Bearer {place}")),
            invalid: value(format!("Bearer error=\"invalid_token\", {place}")),
            insufficient: value(format!("Bearer error=\"insufficient_scope\", {place}")),
        }
    }

    /// 401 for a request without a token (A-256 … A-258).
    pub(super) fn no_token(&self) -> Response {
        challenged(StatusCode::UNAUTHORIZED, "unauthorized", &self.missing)
    }

    /// 401 for a token that is unknown, expired, revoked, or not for this endpoint.
    pub(super) fn invalid_token(&self) -> Response {
        challenged(StatusCode::UNAUTHORIZED, "invalid_token", &self.invalid)
    }

    /// 403 for a tool that needs a scope the token does not have.
    pub(super) fn insufficient_scope(&self) -> Response {
        challenged(StatusCode::FORBIDDEN, "insufficient_scope", &self.insufficient)
    }
}

fn challenged(status: StatusCode, error: &'static str, challenge: &HeaderValue) -> Response {
    let mut response = wire::plain(status, error);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge.clone());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_endpoint_has_its_own() {
        let full = Challenges::new(Resource::Full, "https://mcp.example");
        assert_eq!(
            full.missing,
            "Bearer resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp\", \
             scope=\"service:read service:write\""
        );
        let readonly = Challenges::new(Resource::ReadOnly, "https://mcp.example");
        assert_eq!(
            readonly.invalid,
            "Bearer error=\"invalid_token\", \
             resource_metadata=\"https://mcp.example/.well-known/oauth-protected-resource/mcp/readonly\", \
             scope=\"service:read\""
        );
    }
}
