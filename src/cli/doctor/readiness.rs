//! Checks whether a server responds and is ready, at its listen address and at its public URLs.

use serde_json::Value;

use super::{DoctorContext, Finding, PublicUrl};
use crate::cli::{
    dev::reachable,
    failure::Failure,
    web::{HttpResponse, Web},
};

const CHECK: &str = "server";
const LISTEN: &str = "SWITCHBOARD_LISTEN";

/// Checks the server on this machine.
pub async fn local(context: &DoctorContext, web: &Web) -> Vec<Finding> {
    let listen = context.config.listen;
    if listen.port() == 0 {
        return vec![
            Finding::skipped(CHECK, "the server listens on a random port, which only its log shows")
                .of(LISTEN),
        ];
    }
    let address = reachable(listen);
    vec![match web.get(&format!("http://{address}/readyz")).await {
        Ok(got) => finding_of(&got, &address.to_string(), LISTEN, CheckedAddress::Listen),
        Err(_) => Finding::warning(CHECK, format!("no server responds at {address}"))
            .of(LISTEN)
            .remedy("start `switchboard serve`; or, if the server runs on another machine, run doctor there"),
    }]
}

/// Checks the server at a public URL.
pub async fn public(web: &Web, public_url: &PublicUrl) -> Vec<Finding> {
    let url = public_url.at("/readyz");
    let mut findings = vec![match web.get(&url).await {
        Ok(got) => finding_of(&got, &public_url.url, public_url.setting, CheckedAddress::Public),
        Err(error) => unreachable(&error, public_url),
    }];
    if findings[0].is_failure() {
        return findings;
    }
    let alive = web.get(&public_url.at("/healthz")).await;
    if !alive.is_ok_and(|got| got.status == 200 && got.json().is_some_and(|body| body["ok"] == true)) {
        findings.push(
            Finding::warning(
                CHECK,
                format!("{} does not return the server's health response", public_url.at("/healthz")),
            )
            .of(public_url.setting)
            .remedy("let the proxy forward every path"),
        );
    }
    findings
}

fn unreachable(error: &Failure, public_url: &PublicUrl) -> Finding {
    Finding::failure(CHECK, error.to_string()).of(public_url.setting).remedy(
        "check that the name resolves to the proxy, that the proxy runs, and that nothing blocks the port",
    )
}

/// An address at which the server is checked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CheckedAddress {
    /// The listen address, without a proxy.
    Listen,
    /// A public URL, which can lead through a proxy.
    Public,
}

fn finding_of(got: &HttpResponse, at: &str, setting: &'static str, address: CheckedAddress) -> Finding {
    let not_switchboard = || {
        let status = got.status.as_u16();
        let found = match got.header("location") {
            Some(to) => format!("{at} redirects to {to} ({status}), instead of responding as Switchboard"),
            None if address == CheckedAddress::Public && matches!(status, 502..=504) => {
                format!("{at} returns {status}: the proxy does not reach the server")
            }
            None => format!("{at} returns {status}, which is not a health response of Switchboard"),
        };
        Finding::failure(CHECK, found).of(setting).remedy(match address {
            CheckedAddress::Listen => {
                "another program listens at this address: stop it, or choose another address"
            }
            CheckedAddress::Public => {
                "let the proxy forward every path to the address of SWITCHBOARD_LISTEN, and not change responses"
            }
        })
    };
    let Some(body) = got.json().filter(|body| body["parts"].is_object()) else { return not_switchboard() };
    if got.status == 200 && body["ok"] == true {
        return Finding::ok(CHECK, format!("{at} is ready"));
    }
    let parts = body["parts"].as_object().into_iter().flatten();
    let failed: Vec<_> = parts
        .filter(|(_, state)| *state != "ok")
        .map(|(name, state)| format!("{name} {}", state.as_str().unwrap_or_default()))
        .collect();
    let setting = if failed.iter().any(|part| part.starts_with("store")) {
        "SWITCHBOARD_DATABASE_URL"
    } else {
        setting
    };
    Finding::failure(CHECK, format!("{at} is not ready: {}", failed.join(", ")))
        .of(setting)
        .remedy("check the server's log; the server is ready again when all these parts are ok")
}

/// Returns the string at `pointer` (RFC 6901) in `body`; an empty string if there is none.
pub(super) fn member<'a>(body: &'a Value, pointer: &str) -> &'a str {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
