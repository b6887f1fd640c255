//! Checks the assistant server's metadata documents. They must contain the configured URLs, whatever host the headers
//! of a request claim. Scripts of other origins must be allowed to read them.

use http::Method;

use super::{Finding, PublicUrl, readiness::member};
use crate::cli::web::{HttpResponse, Web};

const CHECK: &str = "metadata";
const CORS: &str = "cors";
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";
const READONLY: &str = "/.well-known/oauth-protected-resource/mcp/readonly";
const ORIGIN: &str = "https://client.example";
/// The host that spoofed headers claim, and that no document may contain.
const SPOOFED: &str = "spoofed.invalid";
/// For each metadata document: its path, and the fields that must be URLs of this server (RFC 8414 §2, RFC 9728 §2).
/// For each field: its JSON pointer, and the path that the URL must have.
const EXPECTED: [(&str, &[(&str, &str)]); 3] = [
    (
        AUTHORIZATION_SERVER,
        &[
            ("/issuer", ""),
            ("/authorization_endpoint", "/authorize"),
            ("/token_endpoint", "/token"),
            ("/registration_endpoint", "/register"),
            ("/revocation_endpoint", "/revoke"),
        ],
    ),
    (RESOURCE, &[("/resource", "/mcp"), ("/authorization_servers/0", "")]),
    (READONLY, &[("/resource", "/mcp/readonly"), ("/authorization_servers/0", "")]),
];

/// Checks the metadata documents at the public URL, their CORS headers, and a CORS preflight of `/token`.
pub async fn check(web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, members) in EXPECTED {
        findings.push(document(web, public_url, path, members).await);
    }
    if findings.iter().all(|finding| !finding.is_failure()) {
        findings = vec![Finding::ok(
            CHECK,
            format!("issuer, resources and endpoints are those of {}", public_url.url),
        )];
        findings.push(spoofed(web, public_url).await);
    }
    findings.push(preflight(web, public_url).await);
    findings.push(response_headers(web, public_url).await);
    findings
}

async fn document(web: &Web, public_url: &PublicUrl, path: &str, members: &[(&str, &str)]) -> Finding {
    let url = public_url.at(path);
    let failure = |found: String| Finding::failure(CHECK, found).of(public_url.setting);
    let got = match web.get(&url).await {
        Ok(got) => got,
        Err(error) => return failure(error.to_string()).remedy("let the proxy forward /.well-known/"),
    };
    let Some(body) = got.json().filter(|_| got.status == 200) else {
        return failure(format!("{url} returns {} without a document", got.status.as_u16()))
            .remedy("let the proxy forward /.well-known/ to the server");
    };
    for (pointer, path) in members {
        let (found, expected) = (member(&body, pointer), public_url.at(path));
        if found != expected {
            return failure(format!("{url}: {} is {found:?}, not {expected:?}", &pointer[1..])).remedy(
                "write the URL in the configuration exactly as clients use it, and restart the server with it",
            );
        }
    }
    Finding::ok(CHECK, url)
}

/// Checks that the authorization server's metadata stays the same if the headers of the request claim another host
/// (D-201).
async fn spoofed(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at(AUTHORIZATION_SERVER);
    let claimed = web
        .request(Method::GET, &url)
        .header("x-forwarded-host", SPOOFED)
        .header("x-forwarded-proto", "http")
        .header("forwarded", format!("host={SPOOFED};proto=http"));
    let (plain, claimed) = (web.get(&url).await, web.send(claimed).await);
    let text = |got: &HttpResponse| String::from_utf8_lossy(&got.body).into_owned();
    match (plain, claimed) {
        (Ok(plain), _) if plain.status != 200 => {
            Finding::failure(CHECK, format!("{url} returns {}", plain.status.as_u16())).of(public_url.setting)
        }
        (Ok(plain), Ok(claimed)) if text(&plain) == text(&claimed) => {
            Finding::ok(CHECK, "headers of the request do not change the URLs")
        }
        (Ok(_), Ok(claimed)) => {
            let found = format!(
                "with X-Forwarded-Host: {SPOOFED}, {url} returns {} and another body than without this header",
                claimed.status.as_u16()
            );
            Finding::failure(CHECK, found)
                .of(public_url.setting)
                .remedy("let the proxy remove X-Forwarded-Host and Forwarded from the requests of clients")
        }
        (Err(error), _) | (_, Err(error)) => {
            Finding::failure(CHECK, error.to_string()).of(public_url.setting)
        }
    }
}

/// Checks that a CORS preflight of `/token` reaches the server. The response must allow every origin and the request
/// header `Authorization` (D-311).
async fn preflight(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at("/token");
    let request = web
        .request(Method::OPTIONS, &url)
        .header("origin", ORIGIN)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization, content-type");
    let got = match web.send(request).await {
        Ok(got) => got,
        Err(error) => return Finding::failure(CORS, error.to_string()).of(public_url.setting),
    };
    let headers = got.header("access-control-allow-headers").unwrap_or_default().to_lowercase();
    let allows_all = origins(&got) == ["*"];
    if got.status == 204 && got.is_from_switchboard() && allows_all && headers.contains("authorization") {
        return Finding::ok(CORS, "a preflight reaches the server");
    }
    let found = format!(
        "OPTIONS {url} returns {} with Access-Control-Allow-Origin {:?} and \
         Access-Control-Allow-Headers {headers:?}{}",
        got.status.as_u16(),
        origins(&got),
        if got.is_from_switchboard() { "" } else { "; the response is not from the server" }
    );
    Finding::failure(CORS, found)
        .of(public_url.setting)
        .remedy("let the proxy forward OPTIONS and leave CORS to the server")
}

/// Checks the CORS headers of the authorization server's metadata. `Access-Control-Expose-Headers` must contain
/// `WWW-Authenticate`. `Access-Control-Allow-Origin` must be `*`, and must be present exactly once, because browsers
/// reject a repeated header.
async fn response_headers(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at(AUTHORIZATION_SERVER);
    let got = match web.send(web.request(Method::GET, &url).header("origin", ORIGIN)).await {
        Ok(got) => got,
        Err(error) => return Finding::failure(CORS, error.to_string()).of(public_url.setting),
    };
    let exposed = got.header("access-control-expose-headers").unwrap_or_default().to_lowercase();
    if origins(&got) == ["*"] && exposed.contains("www-authenticate") {
        return Finding::ok(CORS, "scripts of other origins can read responses");
    }
    let found = format!(
        "{url} has Access-Control-Allow-Origin {:?} and Access-Control-Expose-Headers {exposed:?}",
        origins(&got)
    );
    Finding::failure(CORS, found)
        .of(public_url.setting)
        .remedy("remove the CORS headers that the proxy adds, and let it pass on the server's")
}

fn origins(got: &HttpResponse) -> Vec<String> {
    let values = got.headers.get_all("access-control-allow-origin").iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}
