//! Whether a server answers and is ready: where it listens, and at its public address.

use serde_json::Value;

use super::{Finding, Patient, Place};
use crate::cli::{
    dev::reachable,
    failure::Failure,
    web::{Got, Web},
};

const CHECK: &str = "server";
const LISTEN: &str = "SWITCHBOARD_LISTEN";

/// The server on this machine.
pub async fn local(patient: &Patient, web: &Web) -> Vec<Finding> {
    let listen = patient.config.listen;
    if listen.port() == 0 {
        return vec![Finding::skipped(CHECK, "it listens on a free port that only its log names").of(LISTEN)];
    }
    let address = reachable(listen);
    vec![match web.get(&format!("http://{address}/readyz")).await {
        Ok(got) => judge(&got, &address.to_string(), LISTEN),
        Err(_) => Finding::warning(CHECK, format!("nothing answers at {address}"))
            .of(LISTEN)
            .cure("start `switchboard serve`; or, when it runs on another machine, run this there"),
    }]
}

/// The server at a public address.
pub async fn public(web: &Web, place: &Place) -> Vec<Finding> {
    let url = place.at("/readyz");
    let mut findings = vec![match web.get(&url).await {
        Ok(got) => judge(&got, &place.url, place.setting),
        Err(error) => unreachable(&error, place),
    }];
    if findings[0].is_failure() {
        return findings;
    }
    // what load balancers ask
    let alive = web.get(&place.at("/healthz")).await;
    if !alive.is_ok_and(|got| got.status == 200 && got.json().is_some_and(|body| body["ok"] == true)) {
        findings.push(
            Finding::warning(
                CHECK,
                format!("{} answers something else than the server", place.at("/healthz")),
            )
            .of(place.setting)
            .cure("let the proxy forward every path"),
        );
    }
    findings
}

fn unreachable(error: &Failure, place: &Place) -> Finding {
    Finding::failure(CHECK, error.to_string())
        .of(place.setting)
        .cure("see that the name leads to the proxy, that the proxy runs, and that nothing blocks the port")
}

fn judge(got: &Got, at: &str, setting: &'static str) -> Finding {
    let elsewhere = || {
        let status = got.status.as_u16();
        let found = match got.header("location") {
            Some(to) => format!("{at} answers {status} and leads to {to}, not to Switchboard"),
            None if status == 502 || status == 503 || status == 504 => {
                format!("{at} answers {status}: the proxy does not reach the server behind it")
            }
            None => format!("{at} answers {status}, but not as Switchboard does"),
        };
        Finding::failure(CHECK, found)
            .of(setting)
            .cure("let the proxy forward every path, with its answers unchanged, to the address of SWITCHBOARD_LISTEN")
    };
    let Some(body) = got.json().filter(|body| body["parts"].is_object()) else { return elsewhere() };
    if got.status == 200 && body["ok"] == true {
        return Finding::ok(CHECK, format!("{at} is ready"));
    }
    let parts = body["parts"].as_object().into_iter().flatten();
    let bad: Vec<_> = parts
        .filter(|(_, state)| *state != "ok")
        .map(|(name, state)| format!("{name} {}", state.as_str().unwrap_or_default()))
        .collect();
    let setting =
        if bad.iter().any(|part| part.starts_with("store")) { "SWITCHBOARD_DATABASE_URL" } else { setting };
    Finding::failure(CHECK, format!("{at} is not ready: {}", bad.join(", ")))
        .of(setting)
        .cure("look at the server's log; it comes back by itself when the part does")
}

/// A member of a JSON answer as text, for what is told of it.
pub(super) fn member<'a>(body: &'a Value, pointer: &str) -> &'a str {
    body.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}
