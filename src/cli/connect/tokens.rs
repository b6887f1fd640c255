//! Exchanges authorization codes for tokens, refreshes tokens (OAuth 2.1 §4), and revokes tokens (RFC 7009).

use http::Method;
use reqwest::RequestBuilder;
use serde::{Deserialize, Serialize};
use url::form_urlencoded::byte_serialize;

use super::{
    authorization::PendingAuthorization,
    discovery::AuthorizationServer,
    errors::{oauth_error, violation},
    registration::{AuthMethod, SavedClient},
};
use crate::cli::{failure::Result, web::Web};

/// The tokens of a connection. They are secrets, so `switchboard connect` must not print them.
#[derive(Clone, Deserialize, Serialize)]
pub struct Tokens {
    pub access_token: String,
    #[serde(default)]
    pub refresh_token: Option<String>,
    #[serde(default)]
    pub scope: Option<String>,
    /// Expiry in seconds since 1970 by this machine's clock; `None` if the server returned no `expires_in`.
    #[serde(default)]
    pub expires_at: Option<i64>,
}

#[derive(Deserialize)]
struct Issued {
    access_token: String,
    token_type: String,
    #[serde(default)]
    expires_in: Option<i64>,
    #[serde(default)]
    refresh_token: Option<String>,
    #[serde(default)]
    scope: Option<String>,
}

/// Exchanges `code`, which the server issued in response to `request`, for tokens.
///
/// # Errors
/// A failure to reach the server; an error response; a response that violates OAuth 2.1.
pub async fn exchange(
    web: &Web,
    server: &AuthorizationServer,
    client: &SavedClient,
    request: &PendingAuthorization,
    code: &str,
    resource: &str,
) -> Result<Tokens> {
    let form = [
        ("grant_type", "authorization_code"),
        ("code", code),
        ("code_verifier", request.verifier.as_str()),
        ("redirect_uri", request.redirect_uri.as_str()),
        ("resource", resource),
    ];
    request_tokens(web, server, client, &form).await
}

/// Exchanges a refresh token for new tokens. If the server rotates refresh tokens, this request invalidates `token`.
///
/// # Errors
/// A failure to reach the server; an error response; a response that violates OAuth 2.1.
pub async fn refresh(
    web: &Web,
    server: &AuthorizationServer,
    client: &SavedClient,
    token: &str,
    resource: &str,
) -> Result<Tokens> {
    let form = [("grant_type", "refresh_token"), ("refresh_token", token), ("resource", resource)];
    request_tokens(web, server, client, &form).await
}

/// Revokes a token. A Switchboard server then revokes the token's whole connection.
///
/// # Errors
/// [`Failure::Local`](crate::cli::failure::Failure::Local) if the server's metadata has no `revocation_endpoint`; a
/// failure to reach the server; an error response.
pub async fn revoke(
    web: &Web,
    server: &AuthorizationServer,
    client: &SavedClient,
    token: &str,
) -> Result<()> {
    let endpoint = server
        .revocation_endpoint
        .as_ref()
        .ok_or_else(|| violation("the server has no revocation_endpoint"))?;
    let got = web.send(request_with_form(web, endpoint, client, &[("token", token)])?).await?;
    if got.status.is_success() { Ok(()) } else { Err(oauth_error(&got, endpoint)) }
}

async fn request_tokens(
    web: &Web,
    server: &AuthorizationServer,
    client: &SavedClient,
    fields: &[(&str, &str)],
) -> Result<Tokens> {
    let now = web.clock().now().seconds();
    let got = web.send(request_with_form(web, &server.token_endpoint, client, fields)?).await?;
    if got.status != 200 {
        return Err(oauth_error(&got, &server.token_endpoint));
    }
    let issued: Issued = serde_json::from_slice(&got.body).map_err(|error| {
        violation(format!("the response of the token endpoint cannot be parsed: {error}"))
    })?;
    if !issued.token_type.eq_ignore_ascii_case("bearer") {
        return Err(violation(format!("the token is of the type {:?}, not Bearer", issued.token_type)));
    }
    if !got.header("cache-control").is_some_and(forbids_storing) {
        return Err(violation("the token response lacks Cache-Control: no-store (OAuth 2.1 §3.2.3)"));
    }
    Ok(received(issued, now))
}

/// Returns whether the value of `Cache-Control` has the directive `no-store`. Directives are case-insensitive (RFC 9111
/// §5.2).
fn forbids_storing(cache_control: &str) -> bool {
    cache_control.split(',').any(|directive| directive.trim().eq_ignore_ascii_case("no-store"))
}

/// Returns the tokens of a response. `now` is the time of the request in seconds since 1970.
fn received(issued: Issued, now: i64) -> Tokens {
    Tokens {
        access_token: issued.access_token,
        refresh_token: issued.refresh_token,
        scope: issued.scope,
        // saturates, because a server can send any number
        expires_at: issued.expires_in.map(|seconds| now.saturating_add(seconds)),
    }
}

fn request_with_form(
    web: &Web,
    endpoint: &str,
    client: &SavedClient,
    fields: &[(&str, &str)],
) -> Result<RequestBuilder> {
    let mut fields = fields.to_vec();
    let secret = client.client_secret.as_deref().unwrap_or_default();
    let mut request = web.request(Method::POST, endpoint).header("accept", "application/json");
    match client.auth {
        AuthMethod::None => fields.push(("client_id", &client.client_id)),
        AuthMethod::Post => {
            fields.extend([("client_id", client.client_id.as_str()), ("client_secret", secret)]);
        }
        AuthMethod::Basic => {
            // the client id and the secret must be form-encoded before the base64 encoding (RFC 6749 §2.3.1)
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encoded(&client.client_id), Some(encoded(secret)));
        }
    }
    let body = serde_urlencoded::to_string(&fields)
        .map_err(|error| violation(format!("failed to encode the form: {error}")))?;
    Ok(request.header("content-type", "application/x-www-form-urlencoded").body(body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_directives_are_case_insensitive() {
        for value in ["no-store", "No-Store", "no-cache, NO-STORE"] {
            assert!(forbids_storing(value), "{value}");
        }
        assert!(!forbids_storing("no-cache"));
    }

    #[test]
    fn any_expires_in_is_accepted() {
        for (expires_in, expected) in [(3600, 4600), (i64::MAX, i64::MAX), (i64::MIN, i64::MIN + 1000)] {
            let body = format!(r#"{{"access_token":"a","token_type":"Bearer","expires_in":{expires_in}}}"#);
            let issued = serde_json::from_str(&body).unwrap();
            assert_eq!(received(issued, 1000).expires_at, Some(expected));
        }
    }
}
