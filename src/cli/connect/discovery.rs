//! Discovers the authorization server of an MCP endpoint: reads the endpoint's challenge, the metadata of the resource
//! (RFC 9728), and the metadata of its authorization server (RFC 8414).

use http::{Method, header};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use url::Url;

use super::{challenge, errors::violation, mcp, report::ConnectReport};
use crate::cli::{
    client::is_loopback,
    failure::Result,
    web::{HttpResponse, Web},
};

/// The name of OpenID Connect's metadata under `/.well-known/`.
const OPENID: &str = "openid-configuration";

/// The fields of the protected resource's metadata that the command uses.
#[derive(Clone, Debug, Deserialize)]
pub struct ResourceMetadata {
    pub resource: String,
    #[serde(default)]
    pub authorization_servers: Vec<String>,
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    #[serde(default)]
    pub resource_name: Option<String>,
}

/// The fields of the authorization server's metadata that the command uses.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct AuthorizationServer {
    pub issuer: String,
    pub authorization_endpoint: String,
    pub token_endpoint: String,
    #[serde(default)]
    pub registration_endpoint: Option<String>,
    #[serde(default)]
    pub revocation_endpoint: Option<String>,
    #[serde(default)]
    pub response_types_supported: Vec<String>,
    #[serde(default)]
    pub grant_types_supported: Vec<String>,
    #[serde(default)]
    pub code_challenge_methods_supported: Vec<String>,
    #[serde(default)]
    pub token_endpoint_auth_methods_supported: Vec<String>,
    #[serde(default)]
    pub client_id_metadata_document_supported: bool,
    #[serde(default)]
    pub authorization_response_iss_parameter_supported: bool,
}

/// Result of the discovery.
#[derive(Clone, Debug)]
pub struct Discovery {
    /// The scopes to request, separated by spaces: the scopes that the challenge names. If it names none, all scopes in
    /// the metadata of the resource. `None` if neither the challenge nor this metadata names scopes.
    pub scope: Option<String>,
    pub server: AuthorizationServer,
}

/// Discovers the authorization server of the MCP endpoint `mcp`, and the scopes to request.
///
/// # Errors
/// [`Failure::Local`](crate::cli::failure::Failure::Local) with the violated rule; a failure to reach a server.
pub async fn discover(web: &Web, mcp: &str, report: &mut ConnectReport) -> Result<Discovery> {
    report.at("challenge");
    let challenge = challenge_of(web, mcp, report).await?;
    report.at("resource");
    let resource = resource(web, mcp, challenge.metadata.as_deref(), report).await?;
    report.at("server");
    let issuer = resource.authorization_servers.first().ok_or_else(|| {
        violation("the resource names no authorization server (RFC 9728 §2; MCP requires at least one)")
    })?;
    let server = server(web, issuer, report).await?;
    let all = Some(resource.scopes_supported.join(" ")).filter(|scopes| !scopes.is_empty());
    Ok(Discovery { scope: challenge.scope.or(all), server })
}

struct Challenge {
    metadata: Option<String>,
    scope: Option<String>,
}

async fn challenge_of(web: &Web, mcp: &str, report: &mut ConnectReport) -> Result<Challenge> {
    let request = mcp::modern(web.request(Method::POST, mcp), "server/discover", None, &json!({}), 1);
    let got = web.send(request).await?;
    let status = got.status.as_u16();
    let Some(parameters) = challenge::bearer(&got.headers) else {
        report.warn(&format!(
            "the response to POST {mcp} without a token has status {status} and no Bearer challenge; \
             trying the default URLs of the metadata"
        ))?;
        return Ok(Challenge { metadata: None, scope: None });
    };
    if status != 401 {
        report.warn(&format!("the response with the challenge has status {status}, not 401"))?;
    }
    let (metadata, scope) = (parameters.get("resource_metadata").cloned(), parameters.get("scope").cloned());
    let lines = got.headers.get_all(header::WWW_AUTHENTICATE).iter();
    let header = lines.filter_map(|line| line.to_str().ok()).collect::<Vec<_>>().join(", ");
    let has_url = if metadata.is_some() { "with" } else { "without" };
    let said = format!("without a token: {status}, {has_url} the URL of the metadata");
    report.done(&said, json!({"status": status, "www_authenticate": header}))?;
    report.note(&format!("WWW-Authenticate: {header}"))?;
    if metadata.is_none() {
        report.warn("the challenge has no resource_metadata; trying the default URLs of the metadata")?;
    }
    Ok(Challenge { metadata, scope })
}

async fn resource(
    web: &Web,
    mcp: &str,
    url: Option<&str>,
    report: &mut ConnectReport,
) -> Result<ResourceMetadata> {
    let urls = match url {
        Some(url) => vec![url.to_owned()],
        None => well_known(mcp, &["oauth-protected-resource"])?,
    };
    let (url, resource): (String, ResourceMetadata) = first(web, &urls, "the resource's metadata").await?;
    // without this check, a malicious endpoint could obtain tokens for another resource (RFC 9728 §3.3)
    if resource.resource != mcp {
        return Err(violation(format!(
            "{url} is the metadata of {:?}, not of {mcp:?} (RFC 9728 §3.3: they must be identical): use the URL in the \
             metadata, or correct the server's public URL",
            resource.resource
        )));
    }
    let name = resource.resource_name.as_deref().unwrap_or("the resource");
    let scopes = match resource.scopes_supported.as_slice() {
        [] => "no scopes listed".to_owned(),
        scopes => format!("scopes: {}", scopes.join(" ")),
    };
    let said = format!("{name}, {scopes}");
    report.done(
        &said,
        json!({"url": url, "resource": resource.resource, "authorization_servers": resource.authorization_servers,
               "scopes_supported": resource.scopes_supported}),
    )?;
    Ok(resource)
}

async fn server(web: &Web, issuer: &str, report: &mut ConnectReport) -> Result<AuthorizationServer> {
    let urls = well_known(issuer, &["oauth-authorization-server", OPENID])?;
    let (url, server): (String, AuthorizationServer) =
        first(web, &urls, "the authorization server's metadata").await?;
    check_server(&server, issuer, &url)?;
    let ways: Vec<_> = [
        server.client_id_metadata_document_supported.then_some("metadata documents"),
        server.registration_endpoint.is_some().then_some("registration"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let clients = match ways.as_slice() {
        [] => "neither metadata documents nor registration of clients".to_owned(),
        ways => format!("clients by {}", ways.join(" and ")),
    };
    let said = format!("issuer {issuer}, PKCE with S256; {clients}");
    report.done(&said, json!({"url": url, "metadata": server}))?;
    if !server.authorization_response_iss_parameter_supported {
        report.warn(
            "the metadata announces no iss parameter (RFC 9207), so a mix-up attack would not be detected",
        )?;
    }
    Ok(server)
}

fn check_server(server: &AuthorizationServer, issuer: &str, url: &str) -> Result<()> {
    if server.issuer != issuer {
        return Err(violation(format!(
            "{url} is the metadata of {:?}, not of {issuer:?} (RFC 8414 §3.3: they must be identical)",
            server.issuer
        )));
    }
    if !server.code_challenge_methods_supported.iter().any(|method| method == "S256") {
        return Err(violation(format!(
            "{url} does not support code_challenge_method S256: MCP clients must not continue without PKCE"
        )));
    }
    let types = &server.response_types_supported;
    if !types.iter().any(|kind| kind == "code") {
        return Err(violation(format!("{url} does not support response_type code, but {types:?}")));
    }
    let optional = [&server.registration_endpoint, &server.revocation_endpoint];
    let endpoints = [&server.authorization_endpoint, &server.token_endpoint];
    for endpoint in endpoints.into_iter().chain(optional.into_iter().flatten()) {
        let is_safe = Url::parse(endpoint).is_ok_and(|url| url.scheme() == "https" || is_loopback(&url));
        if !is_safe {
            return Err(violation(format!("the endpoint {endpoint} is not https:// (OAuth 2.1 §1.5)")));
        }
    }
    Ok(())
}

/// Returns the metadata URLs for a URL, in the order in which they are tried:
///
/// - for each name, the URL with `/.well-known/NAME` inserted before the path and the query (RFC 8414 §3.1, RFC 9728
///   §3.1);
/// - for [`OPENID`], if the path is not empty, the URL with `/.well-known/NAME` appended to the path (OpenID Connect
///   Discovery 1.0 §4). MCP requires clients to try this URL;
/// - for the first name, the well-known URL without the path and the query. Older servers use this URL.
fn well_known(url: &str, names: &[&str]) -> Result<Vec<String>> {
    let parsed = Url::parse(url).ok().filter(Url::has_host);
    let parsed = parsed.ok_or_else(|| violation(format!("{url:?} is not a URL")))?;
    let (origin, path) = (parsed.origin().ascii_serialization(), parsed.path().trim_end_matches('/'));
    let query = parsed.query().map(|query| format!("?{query}")).unwrap_or_default();
    let mut urls: Vec<_> =
        names.iter().map(|name| format!("{origin}/.well-known/{name}{path}{query}")).collect();
    if !path.is_empty() && names.contains(&OPENID) {
        urls.push(format!("{origin}{path}/.well-known/{OPENID}{query}"));
    }
    if !path.is_empty() || !query.is_empty() {
        urls.push(format!("{origin}/.well-known/{}", names[0]));
    }
    Ok(urls)
}

/// Returns the first URL in `urls` that responds with 200, and its document. `what` names the document in failures.
async fn first<T: DeserializeOwned>(web: &Web, urls: &[String], what: &str) -> Result<(String, T)> {
    let mut answers = Vec::new();
    for url in urls {
        let got: HttpResponse =
            web.send(web.request(Method::GET, url).header("accept", "application/json")).await?;
        if got.status == 200 {
            let read = serde_json::from_slice(&got.body);
            return read
                .map(|document| (url.clone(), document))
                .map_err(|error| violation(format!("{url} is not {what}: {error}")));
        }
        answers.push(format!("{url} answers {}", got.status.as_u16()));
    }
    Err(violation(format!("{what} cannot be read: {}", answers.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metadata_urls_follow_the_rfcs() {
        let urls = well_known("https://h/mcp", &["oauth-protected-resource"]).unwrap();
        let root = "https://h/.well-known/oauth-protected-resource";
        assert_eq!(urls, [format!("{root}/mcp"), root.to_owned()]);
        let urls = well_known("https://h/mcp?tenant=1", &["oauth-protected-resource"]).unwrap();
        assert_eq!(urls, [format!("{root}/mcp?tenant=1"), root.to_owned()]);
        let urls = well_known("https://h/?tenant=1", &["oauth-protected-resource"]).unwrap();
        assert_eq!(urls, [format!("{root}?tenant=1"), root.to_owned()]);
        assert_eq!(well_known("https://h", &["x", "y"]).unwrap().len(), 2);
        // MCP 2025-11-25, "Authorization Server Metadata Discovery"; the last URL in the list is for older servers
        let urls = well_known("https://h/tenant", &["oauth-authorization-server", OPENID]).unwrap();
        assert_eq!(
            urls,
            [
                "https://h/.well-known/oauth-authorization-server/tenant",
                "https://h/.well-known/openid-configuration/tenant",
                "https://h/tenant/.well-known/openid-configuration",
                "https://h/.well-known/oauth-authorization-server",
            ]
        );
        assert_eq!(well_known("https://h", &["oauth-authorization-server", OPENID]).unwrap().len(), 2);
        assert!(well_known("nothing", &["x"]).is_err());
    }

    #[test]
    fn required_features_of_a_server_are_checked() {
        let good = AuthorizationServer {
            issuer: "https://h".to_owned(),
            authorization_endpoint: "https://h/authorize".to_owned(),
            token_endpoint: "https://h/token".to_owned(),
            response_types_supported: vec!["code".to_owned()],
            code_challenge_methods_supported: vec!["S256".to_owned()],
            ..AuthorizationServer::default()
        };
        let violates = |server: &AuthorizationServer, rule: &str| {
            let failure = check_server(server, "https://h", "its metadata").unwrap_err().to_string();
            assert!(failure.contains(rule), "{failure}");
        };
        check_server(&good, "https://h", "its metadata").unwrap();
        violates(&AuthorizationServer { issuer: "https://h/".to_owned(), ..good.clone() }, "RFC 8414 §3.3");
        violates(
            &AuthorizationServer {
                code_challenge_methods_supported: vec!["plain".to_owned()],
                ..good.clone()
            },
            "S256",
        );
        violates(
            &AuthorizationServer { response_types_supported: Vec::new(), ..good.clone() },
            "response_type",
        );
        violates(&AuthorizationServer { token_endpoint: "http://h/token".to_owned(), ..good }, "https://");
    }
}
