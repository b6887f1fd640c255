//! Checks what proxies do to requests and responses: whether they forward the necessary headers, and which
//! address the server uses for the caller.

use http::Method;

use super::{DoctorContext, Finding, PublicUrl, readiness::member};
use crate::{
    app::diagnostics::{ReceivedRequest, SESSION},
    cli::web::{HttpResponse, Web},
};

const CHECK: &str = "proxy";
const CALLER: &str = "caller";
const TRUSTED: &str = "SWITCHBOARD_TRUSTED_PROXIES";
/// An address for documentation (RFC 5737). The command sends it in a forged `X-Forwarded-For`, to find out whether the
/// server uses it.
const CLAIMED: &str = "192.0.2.77";
/// Headers that clients send and that the server needs, with recognizable values.
const NEEDED: [(&str, &str); 5] = [
    ("idempotency-key", "diagnostic-1"),
    ("mcp-protocol-version", "2026-07-28"),
    ("mcp-session-id", "diagnostic-2"),
    ("mcp-method", "tools/call"),
    ("mcp-name", "diagnostic-3"),
];

/// Checks one public URL.
pub async fn check(context: &DoctorContext, web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let mut findings = vec![authorization(web, public_url).await, challenge(web, public_url).await];
    if public_url.is_mcp {
        findings.push(mcp(web, public_url).await);
    }
    let Some(key) = &context.key else {
        let why = "checking which parts of a request arrive requires the operator key: set SWITCHBOARD_OPERATOR_KEY";
        findings.push(Finding::skipped(CHECK, why));
        return findings;
    };
    match received_request(web, public_url, key.expose(), None).await {
        Ok((got, plain)) => {
            findings.push(requests(&plain, public_url));
            findings.push(answers(&got, public_url));
            findings.push(match received_request(web, public_url, key.expose(), Some(CLAIMED)).await {
                Ok((_, claimed)) => caller(&plain, &claimed),
                Err(finding) => finding,
            });
        }
        Err(finding) => findings.push(finding),
    }
    findings
}

/// Checks that the `Authorization` header reaches the server. The server responds with `invalid_auth` to an invalid
/// token (B-031), and with `not_authed` to a request without the header (B-030).
async fn authorization(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at("/v1/auth/test");
    let request = web.request(Method::GET, &url).header("authorization", "Bearer svc_bot_test_diagnostic");
    let failure = |found: String| Finding::failure(CHECK, found).of(public_url.setting);
    match web.send(request).await {
        Err(error) => failure(error.to_string()),
        Ok(got) => match got.json().map(|body| member(&body, "/error/code").to_owned()).as_deref() {
            Some("invalid_auth") => Finding::ok(CHECK, "Authorization reaches the server"),
            Some("not_authed") => failure(format!(
                "Authorization does not reach the server at {}",
                public_url.url
            ))
            .remedy(
                "let the proxy pass on the Authorization header, and not use it for its own authentication",
            ),
            _ => foreign(&got, &url, public_url),
        },
    }
}

/// Returns the finding for a response that the server did not create, or that a proxy changed.
fn foreign(got: &HttpResponse, url: &str, public_url: &PublicUrl) -> Finding {
    let found = format!("{url} returns {}, which is not a response of the server", got.status.as_u16());
    Finding::failure(CHECK, found)
        .of(public_url.setting)
        .remedy("let the proxy forward every path and not change responses")
}

/// Checks that a 401 response still has the header `WWW-Authenticate` when it reaches the client (B-050).
async fn challenge(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at("/v1/auth/test");
    match web.get(&url).await {
        Err(error) => Finding::failure(CHECK, error.to_string()).of(public_url.setting),
        // excludes a 401 response of the proxy itself, which need not have the header
        Ok(got) if got.status != 401 || !is_not_authed(&got) => foreign(&got, &url, public_url),
        Ok(got) if got.header("www-authenticate").is_some() => {
            Finding::ok(CHECK, "WWW-Authenticate reaches clients")
        }
        Ok(_) => Finding::failure(
            CHECK,
            format!("a proxy removes WWW-Authenticate from responses of {}", public_url.url),
        )
        .of(public_url.setting)
        .remedy("let the proxy pass on the header, by which assistants discover how to sign in"),
    }
}

fn is_not_authed(got: &HttpResponse) -> bool {
    got.json().is_some_and(|body| member(&body, "/error/code") == "not_authed")
}

/// Checks that the challenge of the MCP endpoint leads to this server's own metadata (RFC 9728 §5.1).
async fn mcp(web: &Web, public_url: &PublicUrl) -> Finding {
    let url = public_url.at("/mcp");
    let request = web.request(Method::POST, &url).header("content-type", "application/json").body("{}");
    let failure = |found: String| Finding::failure(CHECK, found).of(public_url.setting);
    let got = match web.send(request).await {
        Ok(got) => got,
        Err(error) => return failure(error.to_string()),
    };
    let challenge = got.header("www-authenticate").unwrap_or_default();
    let expected =
        format!("resource_metadata=\"{}\"", public_url.at("/.well-known/oauth-protected-resource/mcp"));
    if got.status == 401 && challenge.contains(&expected) {
        return Finding::ok(CHECK, "the MCP endpoint returns a correct challenge");
    }
    let found = format!("POST {url} returns {} with the challenge {challenge:?}", got.status.as_u16());
    failure(found)
        .remedy("let the proxy forward POST, GET and DELETE of /mcp and /mcp/readonly, and their headers")
}

/// Calls `/diagnostics/request` with the [`NEEDED`] headers. If `claimed` is given, also sends it as `X-Forwarded-For`.
/// Returns the response, and the parts of the request that the server received.
///
/// # Errors
/// The finding to report if the server cannot be reached, or does not return the parts of the request.
async fn received_request(
    web: &Web,
    public_url: &PublicUrl,
    key: &str,
    claimed: Option<&str>,
) -> Result<(HttpResponse, ReceivedRequest), Finding> {
    let url = public_url.at("/diagnostics/request");
    let mut request = web.request(Method::GET, &url).bearer_auth(key);
    for (name, value) in NEEDED {
        request = request.header(name, value);
    }
    if let Some(address) = claimed {
        request = request.header("x-forwarded-for", address);
    }
    let failure = |found: String| Finding::failure(CHECK, found).of(public_url.setting);
    let got = web.send(request).await.map_err(|error| failure(error.to_string()))?;
    match serde_json::from_slice::<ReceivedRequest>(&got.body) {
        Ok(seen) => Ok((got, seen)),
        Err(_) if got.status == 401 => Err(failure(format!("{url} rejects the operator key")).remedy(
            "check that the key is this server's operator key, and that the proxy passes on Authorization",
        )),
        Err(_) => Err(failure(format!("{url} returns {}", got.status.as_u16()))
            .remedy("let the proxy forward /diagnostics/, which requires the operator key")),
    }
}

/// Checks that the [`NEEDED`] headers of requests reach the server.
fn requests(seen: &ReceivedRequest, public_url: &PublicUrl) -> Finding {
    let arrived = |(name, value): &(&str, &str)| {
        seen.headers.get(*name).is_some_and(|lines| lines.iter().any(|line| line == value))
    };
    let lost: Vec<_> = NEEDED.iter().filter(|header| !arrived(header)).map(|(name, _)| *name).collect();
    if lost.is_empty() {
        return Finding::ok(CHECK, "the headers of clients reach the server");
    }
    Finding::failure(CHECK, format!("requests to {} lose the headers {}", public_url.url, lost.join(", ")))
        .of(public_url.setting)
        .remedy("let the proxy pass on all request headers; bots and assistants need these")
}

/// Checks that the headers of the server's responses reach the client.
fn answers(got: &HttpResponse, public_url: &PublicUrl) -> Finding {
    let mut lost = Vec::new();
    if got.header("mcp-session-id") != Some(SESSION) {
        lost.push("Mcp-Session-Id");
    }
    if !got.is_from_switchboard() {
        lost.push("X-Request-Id");
    }
    if lost.is_empty() {
        return Finding::ok(CHECK, "the headers of responses reach clients");
    }
    Finding::failure(CHECK, format!("responses of {} lose the headers {}", public_url.url, lost.join(", ")))
        .of(public_url.setting)
        .remedy("let the proxy pass on all response headers; the MCP versions of 2025 need Mcp-Session-Id")
}

/// Checks which address the server uses for this machine, first in a request without `X-Forwarded-For`, then in a
/// request with the forged address [`CLAIMED`] (D-375).
fn caller(plain: &ReceivedRequest, claimed: &ReceivedRequest) -> Finding {
    let lines = |seen: &ReceivedRequest| seen.headers.get("x-forwarded-for").cloned().unwrap_or_default();
    let entries = |seen: &ReceivedRequest| -> Vec<String> {
        let lines = lines(seen);
        lines.iter().flat_map(|line| line.split(',')).map(|entry| entry.trim().to_owned()).collect()
    };
    let (peer, own) = (plain.peer, entries(plain));
    let failure = |found: String, remedy: String| Finding::failure(CALLER, found).of(TRUSTED).remedy(remedy);
    if claimed.caller.to_string() == CLAIMED {
        return match entries(claimed).last().map(String::as_str) {
            Some(CLAIMED) => failure(
                format!(
                    "callers can forge their address: the server accepts X-Forwarded-For: {CLAIMED} from this machine"
                ),
                format!(
                    "let the proxy at {peer} append the address of its caller; if {peer} is no proxy, remove it from \
                     the setting"
                ),
            ),
            _ => Finding::warning(
                CALLER,
                "this machine is in a trusted network, so the server uses the X-Forwarded-For that this machine sends",
            )
            .of(TRUSTED)
            .remedy(
                "list only the proxies; or run the command on another machine to test what other callers can forge",
            ),
        };
    }
    if plain.peer_is_trusted && own.is_empty() {
        return failure(
            format!("the proxy at {peer} does not report the caller: all callers count as one address"),
            "let the proxy send X-Forwarded-For with the address of its caller".to_owned(),
        );
    }
    if !plain.peer_is_trusted && !own.is_empty() {
        return failure(
            format!(
                "a proxy at {peer} sends X-Forwarded-For and is not trusted: all callers count as {peer}"
            ),
            format!("if the proxy is yours, add {peer} to the setting"),
        );
    }
    Finding::ok(CALLER, format!("the server sees this machine as {}", plain.caller))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cli::doctor::finding::CheckState;

    fn received(peer_is_trusted: bool, caller: &str, forwarded: &[&str]) -> ReceivedRequest {
        let lines: Vec<String> = forwarded.iter().map(|line| (*line).to_owned()).collect();
        let mut headers = BTreeMap::new();
        if !lines.is_empty() {
            headers.insert("x-forwarded-for".to_owned(), lines);
        }
        ReceivedRequest {
            ok: true,
            version: String::new(),
            peer: "10.0.0.5".parse().unwrap(),
            peer_is_trusted,
            caller: caller.parse().unwrap(),
            headers,
            base_url: String::new(),
            mcp_url: String::new(),
            now: String::new(),
            clock_moved_seconds: 0,
        }
    }

    #[test]
    fn the_callers_address_is_checked() {
        let client = "198.51.100.1";
        let good = caller(
            &received(true, client, &[client]),
            &received(true, client, &[&format!("{CLAIMED}, {client}")]),
        );
        assert_eq!(good.state, CheckState::Ok, "{good:?}");
        let direct = caller(&received(false, client, &[]), &received(false, client, &[CLAIMED]));
        assert_eq!(direct.state, CheckState::Ok, "{direct:?}");
        let untrusted = caller(
            &received(false, "10.0.0.5", &[client]),
            &received(false, "10.0.0.5", &[&format!("{CLAIMED}, {client}")]),
        );
        assert!(untrusted.is_failure() && untrusted.remedy.unwrap().contains("add 10.0.0.5"));
        let silent = caller(&received(true, "10.0.0.5", &[]), &received(true, "10.0.0.5", &[]));
        assert!(silent.is_failure() && silent.remedy.unwrap().contains("X-Forwarded-For"));
        let believed = caller(&received(true, client, &[client]), &received(true, CLAIMED, &[CLAIMED]));
        assert!(believed.is_failure() && believed.setting.as_deref() == Some(TRUSTED));
        let inside = format!("{CLAIMED}, 10.0.0.9");
        let inside = caller(&received(true, "10.0.0.9", &["10.0.0.9"]), &received(true, CLAIMED, &[&inside]));
        assert_eq!(inside.state, CheckState::Warning);
    }
}
