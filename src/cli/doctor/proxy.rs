//! What lies between this machine and the server does to requests and answers: headers that must pass, and whose
//! address the server takes for the caller's.

use http::Method;

use super::{Finding, Patient, Place, readiness::member};
use crate::{
    app::diagnostics::{SESSION, Seen},
    cli::web::{Got, Web},
};

const CHECK: &str = "proxy";
const CALLER: &str = "caller";
const TRUSTED: &str = "SWITCHBOARD_TRUSTED_PROXIES";
/// An address that nobody has (RFC 5737): claimed, to see whether the claim is believed.
const CLAIMED: &str = "192.0.2.77";
/// Headers that clients send and the server needs, with a value to know them by.
const NEEDED: [(&str, &str); 5] = [
    ("idempotency-key", "diagnostic-1"),
    ("mcp-protocol-version", "2026-07-28"),
    ("mcp-session-id", "diagnostic-2"),
    ("mcp-method", "tools/call"),
    ("mcp-name", "diagnostic-3"),
];

/// Looks at one public address.
pub async fn check(patient: &Patient, web: &Web, place: &Place) -> Vec<Finding> {
    let mut findings = vec![authorization(web, place).await, challenge(web, place).await];
    if place.is_mcp {
        findings.push(mcp(web, place).await);
    }
    let Some(key) = &patient.key else {
        let why =
            "what arrives of a request is told with the operator key only: set SWITCHBOARD_OPERATOR_KEY";
        findings.push(Finding::skipped(CHECK, why));
        return findings;
    };
    match seen(web, place, key.expose(), None).await {
        Ok((got, plain)) => {
            findings.push(requests(&plain, place));
            findings.push(answers(&got, place));
            findings.push(match seen(web, place, key.expose(), Some(CLAIMED)).await {
                Ok((_, claimed)) => caller(&plain, &claimed),
                Err(finding) => finding,
            });
        }
        Err(finding) => findings.push(finding),
    }
    findings
}

/// Tells apart whether the header was missing or its token wrong (D-029).
async fn authorization(web: &Web, place: &Place) -> Finding {
    let url = place.at("/v1/auth/test");
    let ask = web.request(Method::GET, &url).header("authorization", "Bearer svc_bot_test_diagnostic");
    let failure = |found: String| Finding::failure(CHECK, found).of(place.setting);
    match web.send(ask).await {
        Err(error) => failure(error.to_string()),
        Ok(got) => match got.json().map(|body| member(&body, "/error/code").to_owned()).as_deref() {
            Some("invalid_auth") => Finding::ok(CHECK, "Authorization reaches the server"),
            Some("not_authed") => {
                failure(format!("Authorization does not reach the server at {}", place.url)).cure(
                    "let the proxy pass the Authorization header on, and not use it for a log-in of its own",
                )
            }
            _ => failure(format!("{url} answers {} in a way that the server does not", got.status.as_u16()))
                .cure("let the proxy forward every path and leave answers as they are"),
        },
    }
}

async fn challenge(web: &Web, place: &Place) -> Finding {
    let url = place.at("/v1/auth/test");
    match web.get(&url).await {
        Err(error) => Finding::failure(CHECK, error.to_string()).of(place.setting),
        Ok(got) if got.header("www-authenticate").is_some() => {
            Finding::ok(CHECK, "WWW-Authenticate comes through")
        }
        Ok(_) => Finding::failure(CHECK, format!("{} loses WWW-Authenticate on the way", place.url))
            .of(place.setting)
            .cure("let the proxy pass the header on: assistants find out by it how to sign in"),
    }
}

/// The challenge of the MCP endpoint leads to this server's own metadata (RFC 9728 §5.1).
async fn mcp(web: &Web, place: &Place) -> Finding {
    let url = place.at("/mcp");
    let ask = web.request(Method::POST, &url).header("content-type", "application/json").body("{}");
    let failure = |found: String| Finding::failure(CHECK, found).of(place.setting);
    let got = match web.send(ask).await {
        Ok(got) => got,
        Err(error) => return failure(error.to_string()),
    };
    let challenge = got.header("www-authenticate").unwrap_or_default();
    let expected = format!("resource_metadata=\"{}\"", place.at("/.well-known/oauth-protected-resource/mcp"));
    if got.status == 401 && challenge.contains(&expected) {
        return Finding::ok(CHECK, "the MCP endpoint asks for a token as it should");
    }
    let found = format!("POST {url} answers {} with the challenge {challenge:?}", got.status.as_u16());
    failure(found)
        .cure("let the proxy forward POST, GET and DELETE of /mcp and /mcp/readonly, and their headers")
}

async fn seen(web: &Web, place: &Place, key: &str, claimed: Option<&str>) -> Result<(Got, Seen), Finding> {
    let url = place.at("/diagnostics/request");
    let mut ask = web.request(Method::GET, &url).bearer_auth(key);
    for (name, value) in NEEDED {
        ask = ask.header(name, value);
    }
    if let Some(address) = claimed {
        ask = ask.header("x-forwarded-for", address);
    }
    let failure = |found: String| Finding::failure(CHECK, found).of(place.setting);
    let got = web.send(ask).await.map_err(|error| failure(error.to_string()))?;
    match serde_json::from_slice::<Seen>(&got.body) {
        Ok(seen) => Ok((got, seen)),
        Err(_) if got.status == 401 => Err(failure(format!("{url} does not take the operator key"))
            .cure("see that the key is the server's, and that the proxy passes Authorization on")),
        Err(_) => Err(failure(format!("{url} answers {}", got.status.as_u16()))
            .cure("let the proxy forward /diagnostics/, which only the operator key opens")),
    }
}

fn requests(seen: &Seen, place: &Place) -> Finding {
    let arrived = |(name, value): &(&str, &str)| {
        seen.headers.get(*name).is_some_and(|lines| lines.iter().any(|line| line == value))
    };
    let lost: Vec<_> = NEEDED.iter().filter(|header| !arrived(header)).map(|(name, _)| *name).collect();
    if lost.is_empty() {
        return Finding::ok(CHECK, "the headers of clients reach the server");
    }
    Finding::failure(CHECK, format!("requests to {} lose {}", place.url, lost.join(", ")))
        .of(place.setting)
        .cure("let the proxy pass all request headers on; bots and assistants need these")
}

fn answers(got: &Got, place: &Place) -> Finding {
    let mut lost = Vec::new();
    if got.header("mcp-session-id") != Some(SESSION) {
        lost.push("Mcp-Session-Id");
    }
    if !got.is_ours() {
        lost.push("X-Request-Id");
    }
    if lost.is_empty() {
        return Finding::ok(CHECK, "the headers of answers come through");
    }
    Finding::failure(CHECK, format!("answers of {} lose {}", place.url, lost.join(", ")))
        .of(place.setting)
        .cure("let the proxy pass all response headers on; assistants of 2025 cannot work without Mcp-Session-Id")
}

/// Who the server takes for the caller, without and with a false claim of ours (D-375).
fn caller(plain: &Seen, claimed: &Seen) -> Finding {
    let lines = |seen: &Seen| seen.headers.get("x-forwarded-for").cloned().unwrap_or_default();
    let entries = |seen: &Seen| -> Vec<String> {
        let lines = lines(seen);
        lines.iter().flat_map(|line| line.split(',')).map(|entry| entry.trim().to_owned()).collect()
    };
    let (peer, own) = (plain.peer, entries(plain));
    let failure = |found: String, remedy: String| Finding::failure(CALLER, found).of(TRUSTED).cure(remedy);
    if claimed.caller.to_string() == CLAIMED {
        return match entries(claimed).last().map(String::as_str) {
            Some(CLAIMED) => failure(
                format!("whoever sends X-Forwarded-For: {CLAIMED} is taken for {CLAIMED}"),
                format!(
                    "let the proxy at {peer} append the address it was called from; if no proxy is there, take {peer} \
                     out of the setting"
                ),
            ),
            _ => Finding::warning(
                CALLER,
                "this machine is itself in a trusted network, so its claims are believed",
            )
            .of(TRUSTED)
            .cure("name only the proxies; or run this from elsewhere, to see what others can claim"),
        };
    }
    if plain.peer_is_trusted && own.is_empty() {
        return failure(
            format!("the proxy at {peer} does not say who asked: all callers count as one address"),
            "let the proxy send X-Forwarded-For with the address it was called from".to_owned(),
        );
    }
    if !plain.peer_is_trusted && !own.is_empty() {
        return failure(
            format!(
                "a proxy at {peer} sends X-Forwarded-For and is not trusted: all callers count as {peer}"
            ),
            format!("add {peer} to the setting, if it is yours"),
        );
    }
    Finding::ok(CALLER, format!("the server takes this machine for {}", plain.caller))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::cli::doctor::finding::State;

    fn told(peer_is_trusted: bool, caller: &str, forwarded: &[&str]) -> Seen {
        let lines: Vec<String> = forwarded.iter().map(|line| (*line).to_owned()).collect();
        let mut headers = BTreeMap::new();
        if !lines.is_empty() {
            headers.insert("x-forwarded-for".to_owned(), lines);
        }
        Seen {
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
    fn who_is_taken_for_the_caller() {
        let us = "198.51.100.1";
        let good = caller(&told(true, us, &[us]), &told(true, us, &[&format!("{CLAIMED}, {us}")]));
        assert_eq!(good.state, State::Ok, "{good:?}");
        let direct = caller(&told(false, us, &[]), &told(false, us, &[CLAIMED]));
        assert_eq!(direct.state, State::Ok, "{direct:?}");
        let untrusted =
            caller(&told(false, "10.0.0.5", &[us]), &told(false, "10.0.0.5", &[&format!("{CLAIMED}, {us}")]));
        assert!(untrusted.is_failure() && untrusted.remedy.unwrap().contains("add 10.0.0.5"));
        let silent = caller(&told(true, "10.0.0.5", &[]), &told(true, "10.0.0.5", &[]));
        assert!(silent.is_failure() && silent.remedy.unwrap().contains("X-Forwarded-For"));
        let believed = caller(&told(true, us, &[us]), &told(true, CLAIMED, &[CLAIMED]));
        assert!(believed.is_failure() && believed.setting.as_deref() == Some(TRUSTED));
        let inside = format!("{CLAIMED}, 10.0.0.9");
        let inside = caller(&told(true, "10.0.0.9", &["10.0.0.9"]), &told(true, CLAIMED, &[&inside]));
        assert_eq!(inside.state, State::Warning);
    }
}
