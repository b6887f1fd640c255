//! The assistant connection server's metadata: equal to the configuration whatever a request claims, and open to
//! scripts of other origins.

use http::Method;

use super::{Finding, Place, readiness::member};
use crate::cli::web::{Got, Web};

const CHECK: &str = "metadata";
const CORS: &str = "cors";
const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
const RESOURCE: &str = "/.well-known/oauth-protected-resource/mcp";
const READONLY: &str = "/.well-known/oauth-protected-resource/mcp/readonly";
const ORIGIN: &str = "https://client.example";
/// A host that no document may name.
const SPOOFED: &str = "spoofed.invalid";
/// The documents, and which members are which addresses of ours (RFC 8414 §2, RFC 9728 §2).
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

/// Reads the documents at the public address.
pub async fn check(web: &Web, place: &Place) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, members) in EXPECTED {
        findings.push(document(web, place, path, members).await);
    }
    if findings.iter().all(|finding| !finding.is_failure()) {
        findings =
            vec![Finding::ok(CHECK, format!("issuer, resources and endpoints are those of {}", place.url))];
        findings.push(spoofed(web, place).await);
    }
    findings.push(preflight(web, place).await);
    findings.push(shared(web, place).await);
    findings
}

async fn document(web: &Web, place: &Place, path: &str, members: &[(&str, &str)]) -> Finding {
    let url = place.at(path);
    let failure = |found: String| Finding::failure(CHECK, found).of(place.setting);
    let got = match web.get(&url).await {
        Ok(got) => got,
        Err(error) => return failure(error.to_string()).cure("let the proxy forward /.well-known/"),
    };
    let Some(body) = got.json().filter(|_| got.status == 200) else {
        return failure(format!("{url} answers {} and no document", got.status.as_u16()))
            .cure("let the proxy forward /.well-known/ to the server, and not answer it itself");
    };
    for (pointer, path) in members {
        let (found, expected) = (member(&body, pointer), place.at(path));
        if found != expected {
            return failure(format!("{url}: {} is {found:?}, not {expected:?}", &pointer[1..])).cure(
                "start the server again with the same configuration; the address must be written as clients use it",
            );
        }
    }
    Finding::ok(CHECK, url)
}

/// The same document, asked for by somebody who claims another host (D-201).
async fn spoofed(web: &Web, place: &Place) -> Finding {
    let url = place.at(AUTHORIZATION_SERVER);
    let claimed = web
        .request(Method::GET, &url)
        .header("x-forwarded-host", SPOOFED)
        .header("x-forwarded-proto", "http")
        .header("forwarded", format!("host={SPOOFED};proto=http"));
    let (plain, claimed) = (web.get(&url).await, web.send(claimed).await);
    let text = |got: &Got| String::from_utf8_lossy(&got.body).into_owned();
    match (plain, claimed) {
        (Ok(plain), Ok(claimed)) if text(&plain) == text(&claimed) => {
            Finding::ok(CHECK, "headers of the request do not change the addresses")
        }
        (_, Ok(claimed)) => {
            let found = format!("with X-Forwarded-Host: {SPOOFED} {url} answers {}", claimed.status.as_u16());
            Finding::failure(CHECK, found)
                .of(place.setting)
                .cure("let the proxy drop X-Forwarded-Host and Forwarded from outside")
        }
        (_, Err(error)) => Finding::failure(CHECK, error.to_string()).of(place.setting),
    }
}

/// A browser asks before it posts to another origin (D-311).
async fn preflight(web: &Web, place: &Place) -> Finding {
    let url = place.at("/token");
    let ask = web
        .request(Method::OPTIONS, &url)
        .header("origin", ORIGIN)
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "authorization, content-type");
    let got = match web.send(ask).await {
        Ok(got) => got,
        Err(error) => return Finding::failure(CORS, error.to_string()).of(place.setting),
    };
    let headers = got.header("access-control-allow-headers").unwrap_or_default().to_lowercase();
    let open = origins(&got) == ["*"];
    if got.status == 204 && got.is_ours() && open && headers.contains("authorization") {
        return Finding::ok(CORS, "a preflight reaches the server");
    }
    let found = format!(
        "OPTIONS {url} answers {} with Access-Control-Allow-Origin {:?} and -Headers {headers:?}{}",
        got.status.as_u16(),
        origins(&got),
        if got.is_ours() { "" } else { ", and the server did not answer it" }
    );
    Finding::failure(CORS, found)
        .of(place.setting)
        .cure("let the proxy forward OPTIONS and leave CORS to the server, which opens what may be open")
}

/// One permission, not two: browsers refuse an answer that has it twice.
async fn shared(web: &Web, place: &Place) -> Finding {
    let url = place.at(AUTHORIZATION_SERVER);
    let got = match web.send(web.request(Method::GET, &url).header("origin", ORIGIN)).await {
        Ok(got) => got,
        Err(error) => return Finding::failure(CORS, error.to_string()).of(place.setting),
    };
    let exposed = got.header("access-control-expose-headers").unwrap_or_default().to_lowercase();
    if origins(&got) == ["*"] && exposed.contains("www-authenticate") {
        return Finding::ok(CORS, "answers are open to scripts as the server means them to be");
    }
    let found =
        format!("{url} has Access-Control-Allow-Origin {:?} and -Expose-Headers {exposed:?}", origins(&got));
    Finding::failure(CORS, found)
        .of(place.setting)
        .cure("remove the CORS headers that the proxy adds, and let it pass the server's on")
}

fn origins(got: &Got) -> Vec<String> {
    let values = got.headers.get_all("access-control-allow-origin").iter();
    values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
}
