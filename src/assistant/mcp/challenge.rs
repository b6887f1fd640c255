//! The 401 and 403 responses to a client without a suitable token. Their challenge (`WWW-Authenticate`) names the URL
//! of the metadata that the client needs to obtain a suitable token (RFC 6750 §3, RFC 9728 §5.1). The challenges of an
//! endpoint are created once, at the start.

use poem::{
    Response,
    http::{HeaderValue, StatusCode, header},
};

use super::response;
use crate::domain::grant::{Access, Resource};

/// The challenges of one endpoint: values of `WWW-Authenticate`.
pub(super) struct Challenges {
    missing: HeaderValue,
    invalid: HeaderValue,
    insufficient: HeaderValue,
}

impl Challenges {
    /// Creates the challenges of a resource of the server at `mcp_url`.
    ///
    /// At both endpoints, the 403 lists all scopes that exist (D-327, D-328). So a client at `/mcp` that requests the
    /// listed scopes keeps the scopes that it has, and gets the scope that it lacked.
    ///
    /// Each challenge names the metadata of its own endpoint, because a client must reject metadata whose resource
    /// differs from the URL of its request (RFC 9728 §3.3). A connection to `/mcp/readonly` cannot have
    /// `service:write`. So after a 403 at `/mcp/readonly`, a client that wants write tools has to connect to `/mcp`.
    pub(super) fn new(resource: Resource, mcp_url: &str) -> Self {
        let metadata = format!("{mcp_url}/.well-known/oauth-protected-resource{}", resource.name());
        let scopes = resource.scopes();
        let metadata_and_scopes = format!("resource_metadata=\"{metadata}\", scope=\"{scopes}\"");
        let metadata_and_all_scopes = format!("resource_metadata=\"{metadata}\", scope=\"{}\"", Access::ALL);
        // the conversion succeeds, because configured URLs are ASCII without quotes. The fallback is a valid challenge
        // too
        let value = |text: String| {
            HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static("Bearer"))
        };
        Self {
            missing: value(format!("Bearer {metadata_and_scopes}")),
            invalid: value(format!("Bearer error=\"invalid_token\", {metadata_and_scopes}")),
            insufficient: value(format!("Bearer error=\"insufficient_scope\", {metadata_and_all_scopes}")),
        }
    }

    /// Returns 401 for a request without a token (A-256 … A-258).
    pub(super) fn no_token(&self) -> Response {
        challenged(StatusCode::UNAUTHORIZED, "unauthorized", &self.missing)
    }

    /// Returns 401 for an invalid `Authorization` header, and for a token that is unknown, spent, expired, revoked, or
    /// not for this endpoint.
    pub(super) fn invalid_token(&self) -> Response {
        challenged(StatusCode::UNAUTHORIZED, "invalid_token", &self.invalid)
    }

    /// Returns 403 for a call of a tool whose scope the token lacks.
    pub(super) fn insufficient_scope(&self) -> Response {
        challenged(StatusCode::FORBIDDEN, "insufficient_scope", &self.insufficient)
    }
}

fn challenged(status: StatusCode, error: &'static str, challenge: &HeaderValue) -> Response {
    let mut response = response::plain(status, error);
    response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge.clone());
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_endpoint_has_its_own_challenges() {
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
        // the challenge of a 403 lists both scopes, also at the endpoint that has only read tools (D-327)
        let insufficient = readonly.insufficient.to_str().unwrap();
        assert!(insufficient.starts_with("Bearer error=\"insufficient_scope\", resource_metadata=\""));
        assert!(
            insufficient.ends_with("/mcp/readonly\", scope=\"service:read service:write\""),
            "{insufficient}"
        );
    }
}
