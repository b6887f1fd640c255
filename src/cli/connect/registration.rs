//! Registration of a client: dynamically (RFC 7591), or by a metadata document at the client's own URL.

use clap::ValueEnum;
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

use super::{
    discovery::AuthorizationServer,
    errors::{oauth_error, violation},
    report::ConnectReport,
};
use crate::{
    cli::{failure::Result, web::Web},
    domain::redirect::WebUri,
};

/// How a client authenticates at the token endpoint.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize, ValueEnum)]
pub enum AuthMethod {
    /// Without authentication: a public client, like programs on people's machines
    #[default]
    #[serde(rename = "none")]
    None,
    /// With a secret by HTTP Basic
    #[serde(rename = "client_secret_basic")]
    Basic,
    /// With a secret in the body
    #[serde(rename = "client_secret_post")]
    Post,
}

impl AuthMethod {
    /// Returns the name of the method in `token_endpoint_auth_method`.
    #[must_use]
    pub const fn wire(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Basic => "client_secret_basic",
            Self::Post => "client_secret_post",
        }
    }

    fn of_wire(name: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|method| method.wire() == name)
    }
}

/// A client that a run of `switchboard connect` saves for later runs. Its secret must not be printed.
#[derive(Clone, Deserialize, Serialize)]
pub struct SavedClient {
    pub client_id: String,
    #[serde(default)]
    pub client_secret: Option<String>,
    pub auth: AuthMethod,
    /// The method that the registration requested. The server can have registered another method, which is `auth`.
    #[serde(default)]
    pub requested_auth: Option<AuthMethod>,
    /// Host of the client's loopback redirect URI.
    pub redirect_host: String,
    /// Path and query of the client's registered redirect URI. The path can be empty. The port is not saved, because
    /// each run may use another port (RFC 8252 §7.3).
    pub redirect_path: String,
}

#[derive(Deserialize)]
struct RegistrationResponse {
    client_id: String,
    #[serde(default)]
    client_secret: Option<String>,
    #[serde(default)]
    token_endpoint_auth_method: Option<String>,
}

/// Path of the redirect URI of a dynamically registered client.
pub const PATH: &str = "/callback";

/// Registers a client dynamically, with the redirect URI `redirect_uri`. The client authenticates by the method in the
/// response, because the server can choose another method than `auth`.
///
/// # Errors
/// - The server does not support registration or the method `auth`.
/// - The server cannot be reached, or responds with an error or an unknown method.
/// - The response violates RFC 7591.
pub async fn register(
    web: &Web,
    server: &AuthorizationServer,
    name: &str,
    auth: AuthMethod,
    redirect_uri: &str,
    report: &mut ConnectReport,
) -> Result<SavedClient> {
    report.at("registration");
    let endpoint = server.registration_endpoint.as_ref().ok_or_else(|| {
        violation("the server does not support registration: publish a metadata document, and give its URL with --cimd")
    })?;
    let methods = &server.token_endpoint_auth_methods_supported;
    if !methods.is_empty() && !methods.iter().any(|method| method == auth.wire()) {
        return Err(violation(format!(
            "the server does not support client authentication by {}: {methods:?}",
            auth.wire()
        )));
    }
    let body = json!({
        "client_name": name,
        "redirect_uris": [redirect_uri],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": auth.wire(),
    });
    let got = web.send(web.request(Method::POST, endpoint).json(&body)).await?;
    if !got.status.is_success() {
        return Err(oauth_error(&got, endpoint));
    }
    if got.status != 201 {
        report
            .warn(&format!("the registration returned {}, not 201 (RFC 7591 §3.2.1)", got.status.as_u16()))?;
    }
    let registered: RegistrationResponse = serde_json::from_slice(&got.body)
        .map_err(|error| violation(format!("the response to the registration cannot be parsed: {error}")))?;
    let requested = auth;
    let auth = match registered.token_endpoint_auth_method.as_deref() {
        None => requested,
        Some(name) => AuthMethod::of_wire(name).ok_or_else(|| {
            violation(format!(
                "the server registered a client with the unsupported authentication method {name:?}"
            ))
        })?,
    };
    if auth != requested {
        let (given, requested) = (auth.wire(), requested.wire());
        report.warn(&format!(
            "the server registered the authentication method {given} instead of {requested} (RFC 7591 §3.2.1)"
        ))?;
    }
    if auth != AuthMethod::None && registered.client_secret.is_none() {
        return Err(violation("the server registered a client with a secret, but returned no client_secret"));
    }
    let proof = if auth == AuthMethod::None { "a public client" } else { "a client with a secret" };
    let said = format!("{name:?} is the client {}, {proof}", registered.client_id);
    report.done(
        &said,
        json!({"client_id": registered.client_id, "redirect_uri": redirect_uri, "auth": auth.wire()}),
    )?;
    let redirect_host = Url::parse(redirect_uri).ok().and_then(|url| url.host_str().map(str::to_owned));
    Ok(SavedClient {
        client_id: registered.client_id,
        client_secret: registered.client_secret,
        auth,
        requested_auth: Some(requested),
        redirect_host: redirect_host.unwrap_or_default(),
        redirect_path: PATH.to_owned(),
    })
}

#[derive(Deserialize)]
struct MetadataDocument {
    client_id: String,
    #[serde(default)]
    client_name: Option<String>,
    #[serde(default)]
    redirect_uris: Vec<String>,
    #[serde(default)]
    token_endpoint_auth_method: Option<String>,
}

/// Fetches the metadata document at `url`. Returns the client that the document describes, with its first loopback
/// redirect URI. Checks the status, `client_id` and `token_endpoint_auth_method`, so that the user sees early what the
/// server would reject.
///
/// # Errors
/// The document cannot be fetched or parsed, fails one of these checks, or has no loopback redirect URI.
pub async fn document(
    web: &Web,
    server: &AuthorizationServer,
    url: &str,
    report: &mut ConnectReport,
) -> Result<SavedClient> {
    report.at("document");
    if !server.client_id_metadata_document_supported {
        report.warn("the server's metadata does not announce support for client metadata documents")?;
    }
    let got = web.get(url).await?;
    if got.status != 200 {
        return Err(violation(format!(
            "{url} returned {}, not 200; the authorization server does not follow redirects",
            got.status.as_u16()
        )));
    }
    let document: MetadataDocument = serde_json::from_slice(&got.body)
        .map_err(|error| violation(format!("{url} is not a client metadata document: {error}")))?;
    if document.client_id != url {
        return Err(violation(format!(
            "the document's client_id is {:?}, and must be {url:?}",
            document.client_id
        )));
    }
    if let Some(method) = document.token_endpoint_auth_method.filter(|method| method != "none") {
        return Err(violation(format!(
            "the document's token_endpoint_auth_method is {method:?}: a client with a document must be public, \"none\""
        )));
    }
    // The redirect URI is used as it is written, because servers compare all bytes except the port (RFC 8252 §7.3). A
    // URL parser would add a path.
    let uris = document.redirect_uris.iter().filter(|uri| uri.starts_with("http://"));
    let local =
        uris.filter_map(|uri| WebUri::parse(uri).ok()).find(WebUri::is_loopback).ok_or_else(|| {
            violation(format!(
                "none of the document's redirect URIs is an http URL with the host 127.0.0.1, [::1] or localhost: {:?}",
                document.redirect_uris
            ))
        })?;
    let query = local.query.map(|query| format!("?{query}")).unwrap_or_default();
    let client = SavedClient {
        client_id: document.client_id,
        client_secret: None,
        auth: AuthMethod::None,
        requested_auth: None,
        redirect_host: local.host.to_owned(),
        redirect_path: format!("{}{query}", local.path),
    };
    let name = document.client_name;
    let shown =
        name.as_ref().map_or_else(|| "a client without a name".to_owned(), |name| format!("{name:?}"));
    report.done(&format!("{shown} is the client {url}"), json!({"client_id": url, "client_name": name}))?;
    Ok(client)
}
