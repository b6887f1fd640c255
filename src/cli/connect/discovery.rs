//! From the address of an MCP endpoint to everything that signing in needs: the challenge, the metadata of the
//! resource (RFC 9728) and of its authorization server (RFC 8414), each checked as those documents demand.

use http::Method;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::json;
use url::Url;

use super::{challenge, mcp, story::Story};
use crate::cli::{
    client::is_loopback,
    failure::{Failure, Result},
    web::{Got, Web},
};

/// The metadata of the protected resource that matter here.
#[derive(Clone, Debug, Deserialize)]
pub struct Resource {
    pub resource: String,
    #[serde(default)]
    pub authorization_servers: Vec<String>,
    #[serde(default)]
    pub scopes_supported: Vec<String>,
    #[serde(default)]
    pub resource_name: Option<String>,
}

/// The metadata of the authorization server that matter here.
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

/// What was found out.
#[derive(Clone, Debug)]
pub struct Found {
    /// What the challenge asks for, or else everything that the resource knows.
    pub scope: Option<String>,
    pub server: AuthorizationServer,
}

/// Finds out how to sign in to `mcp`.
///
/// # Errors
/// The rule that is broken.
pub async fn discover(web: &Web, mcp: &str, story: &mut Story) -> Result<Found> {
    story.at("challenge");
    let asked = challenge_of(web, mcp, story).await?;
    story.at("resource");
    let resource = resource(web, mcp, asked.metadata.as_deref(), story).await?;
    story.at("server");
    let issuer = resource.authorization_servers.first().ok_or_else(|| {
        broken("the resource names no authorization server (RFC 9728 §2, MCP: at least one)")
    })?;
    let server = server(web, issuer, story).await?;
    let all = Some(resource.scopes_supported.join(" ")).filter(|scopes| !scopes.is_empty());
    Ok(Found { scope: asked.scope.or(all), server })
}

/// A rule is broken by the server.
pub(super) fn broken(what: impl Into<String>) -> Failure {
    Failure::Local(what.into())
}

struct Asked {
    metadata: Option<String>,
    scope: Option<String>,
}

async fn challenge_of(web: &Web, mcp: &str, story: &mut Story) -> Result<Asked> {
    let ask = mcp::modern(web.request(Method::POST, mcp), "server/discover", None, &json!({}), 1);
    let got = web.send(ask).await?;
    let status = got.status.as_u16();
    let header = got.header("www-authenticate").unwrap_or_default();
    let Some(parameters) = challenge::bearer(header) else {
        story.warn(&format!(
            "POST {mcp} without a token answers {status} and no Bearer challenge, so the usual addresses are tried"
        ))?;
        return Ok(Asked { metadata: None, scope: None });
    };
    if status != 401 {
        story.warn(&format!("the challenge comes with status {status}, not 401"))?;
    }
    let (metadata, scope) = (parameters.get("resource_metadata").cloned(), parameters.get("scope").cloned());
    let said = format!("without a token: {status}, and the way to the metadata");
    story.done(&said, json!({"status": status, "www_authenticate": header}))?;
    story.note(&format!("WWW-Authenticate: {header}"))?;
    if metadata.is_none() {
        story.warn("the challenge names no resource_metadata, so the usual addresses are tried")?;
    }
    Ok(Asked { metadata, scope })
}

async fn resource(web: &Web, mcp: &str, named: Option<&str>, story: &mut Story) -> Result<Resource> {
    let places = match named {
        Some(url) => vec![url.to_owned()],
        None => well_known(mcp, &["oauth-protected-resource"])?,
    };
    let (url, resource): (String, Resource) = first(web, &places, "the resource's metadata").await?;
    // RFC 9728 §3.3: else somebody could have tokens made for another's resource
    if resource.resource != mcp {
        return Err(broken(format!(
            "{url} is about {:?}, not about {mcp:?} (RFC 9728 §3.3: they must be identical): use that address, or mend \
             the server's public address",
            resource.resource
        )));
    }
    let named = resource.resource_name.as_deref().unwrap_or("the resource");
    let said = format!("{named}, scopes: {}", resource.scopes_supported.join(" "));
    story.done(
        &said,
        json!({"url": url, "resource": resource.resource, "authorization_servers": resource.authorization_servers,
               "scopes_supported": resource.scopes_supported}),
    )?;
    Ok(resource)
}

async fn server(web: &Web, issuer: &str, story: &mut Story) -> Result<AuthorizationServer> {
    let places = well_known(issuer, &["oauth-authorization-server", "openid-configuration"])?;
    let (url, server): (String, AuthorizationServer) =
        first(web, &places, "the authorization server's metadata").await?;
    check(&server, issuer, &url)?;
    let ways: Vec<_> = [
        server.client_id_metadata_document_supported.then_some("metadata documents"),
        server.registration_endpoint.is_some().then_some("registration"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let said = format!("issuer {issuer}, PKCE with S256; clients by {}", ways.join(" and "));
    story.done(&said, json!({"url": url, "metadata": server}))?;
    if !server.authorization_response_iss_parameter_supported {
        story.warn("no iss parameter is promised (RFC 9207), so a mix-up of servers would not be noticed")?;
    }
    Ok(server)
}

fn check(server: &AuthorizationServer, issuer: &str, url: &str) -> Result<()> {
    if server.issuer != issuer {
        return Err(broken(format!(
            "{url} is about the issuer {:?}, not {issuer:?} (RFC 8414 §3.3: they must be identical)",
            server.issuer
        )));
    }
    if !server.code_challenge_methods_supported.iter().any(|method| method == "S256") {
        return Err(broken(format!(
            "{url} offers no code_challenge_method S256: without PKCE no MCP client may go on"
        )));
    }
    let types = &server.response_types_supported;
    if !types.iter().any(|kind| kind == "code") {
        return Err(broken(format!("{url} offers no response_type code, but {types:?}")));
    }
    let more = [&server.registration_endpoint, &server.revocation_endpoint];
    let endpoints = [&server.authorization_endpoint, &server.token_endpoint];
    for endpoint in endpoints.into_iter().chain(more.into_iter().flatten()) {
        let is_safe = Url::parse(endpoint).is_ok_and(|url| url.scheme() == "https" || is_loopback(&url));
        if !is_safe {
            return Err(broken(format!("the endpoint {endpoint} is not https:// (OAuth 2.1 §1.5)")));
        }
    }
    Ok(())
}

/// Where metadata of a URL lie: the well-known part goes before the path; at the root as well, where older servers put
/// what is about all of them.
fn well_known(url: &str, names: &[&str]) -> Result<Vec<String>> {
    let parsed = Url::parse(url).ok().filter(Url::has_host);
    let parsed = parsed.ok_or_else(|| broken(format!("{url:?} is no address")))?;
    let (origin, path) = (parsed.origin().ascii_serialization(), parsed.path().trim_end_matches('/'));
    let mut places: Vec<_> = names.iter().map(|name| format!("{origin}/.well-known/{name}{path}")).collect();
    if !path.is_empty() {
        places.push(format!("{origin}/.well-known/{}", names[0]));
    }
    Ok(places)
}

/// The first of some places that has a document.
async fn first<T: DeserializeOwned>(web: &Web, places: &[String], what: &str) -> Result<(String, T)> {
    let mut answers = Vec::new();
    for place in places {
        let got: Got = web.send(web.request(Method::GET, place).header("accept", "application/json")).await?;
        if got.status == 200 {
            let read = serde_json::from_slice(&got.body);
            return read
                .map(|document| (place.clone(), document))
                .map_err(|error| broken(format!("{place} is not {what}: {error}")));
        }
        answers.push(format!("{place} answers {}", got.status.as_u16()));
    }
    Err(broken(format!("{what} cannot be read: {}", answers.join(", "))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_metadata_lie() {
        let places = well_known("https://h/mcp", &["oauth-protected-resource"]).unwrap();
        let root = "https://h/.well-known/oauth-protected-resource";
        assert_eq!(places, [format!("{root}/mcp"), root.to_owned()]);
        assert_eq!(well_known("https://h", &["x", "y"]).unwrap().len(), 2);
        assert!(well_known("nothing", &["x"]).is_err());
    }

    #[test]
    fn what_a_server_must_offer() {
        let good = AuthorizationServer {
            issuer: "https://h".to_owned(),
            authorization_endpoint: "https://h/authorize".to_owned(),
            token_endpoint: "https://h/token".to_owned(),
            response_types_supported: vec!["code".to_owned()],
            code_challenge_methods_supported: vec!["S256".to_owned()],
            ..AuthorizationServer::default()
        };
        let wrong = |server: &AuthorizationServer, rule: &str| {
            let failure = check(server, "https://h", "its metadata").unwrap_err().to_string();
            assert!(failure.contains(rule), "{failure}");
        };
        check(&good, "https://h", "its metadata").unwrap();
        wrong(&AuthorizationServer { issuer: "https://h/".to_owned(), ..good.clone() }, "RFC 8414 §3.3");
        wrong(
            &AuthorizationServer {
                code_challenge_methods_supported: vec!["plain".to_owned()],
                ..good.clone()
            },
            "S256",
        );
        wrong(&AuthorizationServer { response_types_supported: Vec::new(), ..good.clone() }, "response_type");
        wrong(&AuthorizationServer { token_endpoint: "http://h/token".to_owned(), ..good }, "https://");
    }
}
