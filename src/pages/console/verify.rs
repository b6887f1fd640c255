//! The console's page that verifies a pasted webhook request, and shows the result of each check that an app should
//! make.

use std::time::Duration;

use askama::Template;
use poem::http::StatusCode;

use super::{
    Console,
    context::ConsoleContext,
    events::{Apps, ListedApp},
    live::span,
    shell::ConsoleShell,
};
use crate::{
    domain::{ids::EventId, signature::TOLERANCE, time::Timestamp},
    pages::{Outcome, answer, error_page::PageError, frame::Frame},
    service::{
        Error,
        events::deliveries::signing::{SecretVersion, SigningSecrets},
    },
};

const TIMESTAMP: &str = "x-service-timestamp";
const SIGNATURE: &str = "x-service-signature";
/// Name of the check that compares the pasted body with the body that was sent.
const BODY: &str = "The body is the one that was sent";
const MATCHES: &str = "The signature matches the raw body";

#[derive(Template)]
#[template(path = "console/verify.html")]
struct VerifyPage<'a> {
    frame: Frame,
    shell: ConsoleShell,
    choices: Vec<ListedApp>,
    is_cut: bool,
    headers: &'a str,
    body: &'a str,
    secret: &'a str,
    verdict: Option<Verdict>,
}

/// The results of all checks.
struct Verdict {
    heading: &'static str,
    checks: Vec<SignatureCheck>,
}

/// A check and its result.
#[derive(Debug, PartialEq, Eq)]
struct SignatureCheck {
    name: &'static str,
    /// `None` for a check that could not be made.
    passed: Option<bool>,
    detail: String,
}

impl SignatureCheck {
    fn new(name: &'static str, passed: impl Into<Option<bool>>, detail: impl Into<String>) -> Self {
        Self { name, passed: passed.into(), detail: detail.into() }
    }
}

/// GET /console/verify.
pub(super) async fn show(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let apps = Apps::read(console, caller, context.parameter("app")).await?;
    let (frame, shell) = ConsoleShell::new(console, context, "Verify", "/console/verify");
    let (choices, is_cut) = (apps.choices, apps.is_cut);
    let page = VerifyPage { frame, shell, choices, is_cut, headers: "", body: "", secret: "", verdict: None };
    answer::client_page(StatusCode::OK, &page)
}

/// POST /console/verify.
pub(super) async fn verify(console: &Console, context: &ConsoleContext) -> Outcome {
    let caller = context.operator()?;
    let operator = caller.operator()?;
    let apps = Apps::read(console, caller, context.field("app")).await?;
    let Some(app) = &apps.chosen else {
        return Err(PageError::invalid("There is no app yet. Register an app, then verify its requests."));
    };
    let headers = context.form.get("headers").unwrap_or_default();
    let body = context.form.get("body").unwrap_or_default();
    let secret = context.field("secret");
    let secrets = operator.signing_secrets(app.id).await?;
    let now = console.world().clock.now();
    let mut checks = checks(headers, body, &secrets, now);
    let id = event_id(body);
    match id {
        None => checks.push(SignatureCheck::new(
            "The body is an event",
            false,
            "it is not a JSON object whose “id” begins with evt_",
        )),
        Some(id) => match operator.inspect_event(app.id, id).await {
            Ok(event) if event.erased_at.is_some() => checks.push(SignatureCheck::new(
                BODY,
                None,
                "the message of this event was deleted, so the server no longer has the body that was sent",
            )),
            Ok(event) => checks.push(compare(body, &event.body)),
            Err(Error::Refused(_)) => checks.push(SignatureCheck::new(
                "The event is known",
                None,
                "this server has no such event for the app; the event may have been deleted",
            )),
            Err(error) => return Err(error.into()),
        },
    }
    let is_authentic = checks.iter().all(|check| check.passed != Some(false));
    // the secret that was typed does not affect whether the request is authentic
    let secret_check = (!secret.is_empty()).then(|| secret_check(&secrets, secret));
    let is_secret_wrong = secret_check.as_ref().is_some_and(|check| check.passed == Some(false));
    checks.extend(secret_check);
    let heading = match (is_authentic, is_secret_wrong) {
        (true, false) => "This request is authentic",
        (true, true) => "This request is authentic, but your app rejects it",
        (false, _) => "This request must be rejected",
    };
    let (frame, shell) = ConsoleShell::new(console, context, "Verify", "/console/verify");
    let verdict = Some(Verdict { heading, checks });
    let (choices, is_cut) = (apps.choices, apps.is_cut);
    let page = VerifyPage { frame, shell, choices, is_cut, headers, body, secret, verdict };
    answer::client_page(StatusCode::OK, &page)
}

/// Returns the value of a header in pasted lines. Accepts lines like `name: value`, `-H 'name: value'` (a `curl`
/// command) and `"name": "value",` (JSON).
fn header<'a>(lines: &'a str, wanted: &str) -> Option<&'a str> {
    let quotes: &[char] = &['\'', '"', ' ', '\\', '\t', ','];
    lines.lines().find_map(|line| {
        let line = line.trim().trim_start_matches("-H").trim_matches(quotes);
        let (name, value) = line.split_once(':')?;
        name.trim_matches(quotes).eq_ignore_ascii_case(wanted).then(|| value.trim_matches(quotes))
    })
}

fn checks(headers: &str, body: &str, secrets: &SigningSecrets, now: Timestamp) -> Vec<SignatureCheck> {
    let timestamp = header(headers, TIMESTAMP);
    let signature = header(headers, SIGNATURE);
    let seconds = timestamp.and_then(|text| text.parse::<i64>().ok()).filter(|seconds| *seconds >= 0);
    let mut checks = vec![
        match (timestamp, seconds) {
            (None, _) => SignatureCheck::new(
                "X-Service-Timestamp is present and valid",
                false,
                "the pasted headers do not contain it",
            ),
            (Some(_), None) => SignatureCheck::new(
                "X-Service-Timestamp is present and valid",
                false,
                "it is not Unix time in whole seconds",
            ),
            (Some(_), Some(seconds)) => SignatureCheck::new(
                "X-Service-Timestamp is present and valid",
                true,
                Timestamp::from_seconds(seconds).to_rfc3339(),
            ),
        },
        match signature {
            None => SignatureCheck::new(
                "X-Service-Signature is present and well-formed",
                false,
                "the pasted headers do not contain it",
            ),
            Some(text) if !text.split(',').any(is_value) => SignatureCheck::new(
                "X-Service-Signature is present and well-formed",
                false,
                "none of its values is v1= followed by 64 lower-case hex digits",
            ),
            Some(_) => SignatureCheck::new("X-Service-Signature is present and well-formed", true, ""),
        },
    ];
    let (Some(seconds), Some(signature)) = (seconds, signature) else {
        let why = "not checked: a valid timestamp and a signature are needed";
        checks.push(SignatureCheck::new(MATCHES, None, why));
        return checks;
    };
    checks.push(signature_check(secrets, seconds, signature, body));
    checks.push(age_check(Timestamp::from_seconds(seconds), now));
    checks
}

fn is_value(text: &str) -> bool {
    let digits = text.trim().strip_prefix("v1=").unwrap_or_default();
    digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn signature_check(secrets: &SigningSecrets, seconds: i64, signature: &str, body: &str) -> SignatureCheck {
    let verified_by = |body: &str| secrets.verified_by(seconds, signature, body.as_bytes());
    // browsers send the line breaks of a form as CRLF
    let body_with_lf = body.replace("\r\n", "\n");
    match verified_by(body).or_else(|| verified_by(&body_with_lf)) {
        Some(SecretVersion::Current) => {
            return SignatureCheck::new(MATCHES, true, "with the app’s signing secret");
        }
        Some(SecretVersion::Previous) => {
            return SignatureCheck::new(
                MATCHES,
                true,
                "with the secret before the latest rotation: events have both signatures for 24 hours",
            );
        }
        None => {}
    }
    let trimmed = body_with_lf.trim();
    let detail = if verified_by(trimmed).is_some() {
        "it matches without the spaces and line breaks around the body: the app must verify the exact bytes"
            .to_owned()
    } else if verified_by(&format!("{body_with_lf}\n")).is_some()
        || verified_by(&format!("{trimmed}\n")).is_some()
    {
        "it matches with a line break at the end of the body: the app must verify the exact bytes".to_owned()
    } else {
        "the body, the timestamp or the secret is not the one that was used for signing. The signature is the \
         HMAC-SHA256 of <timestamp>.<raw body>; its key is the whole secret, including whsec_"
            .to_owned()
    };
    SignatureCheck::new(MATCHES, false, detail)
}

fn age_check(sent: Timestamp, now: Timestamp) -> SignatureCheck {
    const NAME: &str = "The timestamp is at most five minutes old";
    let age = Timestamp::from_seconds(now.seconds()).since(sent);
    match age {
        age if age > TOLERANCE => SignatureCheck::new(
            NAME,
            false,
            format!("it is {} old by the server’s clock: a receiver must reject it", span(age)),
        ),
        Duration::ZERO if sent > now => SignatureCheck::new(
            NAME,
            true,
            format!("it is {} ahead of the server’s clock", span(sent.since(now))),
        ),
        age => SignatureCheck::new(NAME, true, format!("it is {} old by the server’s clock", span(age))),
    }
}

fn secret_check(secrets: &SigningSecrets, secret: &str) -> SignatureCheck {
    const NAME: &str = "Your secret is the app’s";
    match secrets.version_of(secret) {
        Some(SecretVersion::Current) => SignatureCheck::new(NAME, true, ""),
        Some(SecretVersion::Previous) => {
            SignatureCheck::new(NAME, true, "it is the secret before the latest rotation")
        }
        None if !secret.starts_with("whsec_") => SignatureCheck::new(
            NAME,
            false,
            "a signing secret begins with whsec_, which is part of the secret",
        ),
        None => SignatureCheck::new(
            NAME,
            false,
            "the app’s events are signed with another secret: it was rotated, or yours is another app’s",
        ),
    }
}

/// Returns the id in the body of an event; `None` if the body is not an event.
fn event_id(body: &str) -> Option<EventId> {
    let value: serde_json::Value = serde_json::from_str(body.trim()).ok()?;
    EventId::parse(value.get("id")?.as_str()?)
}

/// Compares a pasted body with the body that was sent.
fn compare(pasted: &str, sent: &str) -> SignatureCheck {
    let pasted = pasted.replace("\r\n", "\n");
    if pasted == sent {
        return SignatureCheck::new(BODY, true, format!("{} bytes", sent.len()));
    }
    let equal_bytes = pasted.bytes().zip(sent.bytes()).take_while(|(pasted, sent)| pasted == sent).count();
    let is_same_json = serde_json::from_str::<serde_json::Value>(pasted.trim()).ok()
        == serde_json::from_str::<serde_json::Value>(sent).ok();
    let why = match is_same_json {
        true => ". It is the same JSON, written differently: verify the received bytes before parsing them",
        false => "",
    };
    SignatureCheck::new(BODY, false, format!("the first difference is at byte {}{why}", equal_bytes + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_in_http_curl_and_json_lines() {
        for lines in [
            "X-Service-Timestamp: 12",
            "content-type: x\r\nx-service-timestamp:12\r\n",
            "  -H 'X-Service-Timestamp: 12' \\",
            "\"x-service-timestamp\": \"12\",",
        ] {
            assert_eq!(header(lines, TIMESTAMP), Some("12"), "{lines}");
        }
        assert_eq!(header("x-service-attempt: 1", TIMESTAMP), None);
    }

    #[test]
    fn the_result_says_whether_a_body_with_other_bytes_is_the_same_json() {
        assert_eq!(compare("{\"a\":1}", "{\"a\":1}").passed, Some(true));
        assert!(compare("{ \"a\": 1 }", "{\"a\":1}").detail.contains("the same JSON"));
        assert_eq!(compare("{\"a\":2}", "{\"a\":1}").detail, "the first difference is at byte 6");
    }
}
