//! `examples/verify/vectors.json` has the test vectors of the verifiers in `examples/verify`. The server's signature
//! code generates them.
//!
//! The tests of the verifiers run in CI (`.ci/run samples`). The test here proves that `domain::signature` reaches the
//! verdict that each vector expects, and that the committed file is up to date (B-432, B-433, B-434, B-441).

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use switchboard::domain::{
    signature::{self, SignatureError, TOLERANCE},
    time::Timestamp,
};

use crate::support::committed::assert_committed;

const NEW: &str = "whsec_2v8mZ4qJx1hT6pYwB9sKc3nRf7dLg5eA";
const OLD: &str = "whsec_9kQ3tVb7WzN1yXr5uHj8mPf2cDg6sLaE";
const AT: i64 = 1_794_826_964;
const BODY: &str = r#"{"id":"evt_38f40r646007j","type":"directory.changed","workspace_id":"cmp_38f3jpq800005","created_at":"2026-11-16T11:02:44.035Z","data":{"kind":"user.created","id":"usr_38f40r5vr007h"}}"#;

/// A signed request, and the time in seconds at which the request is verified.
#[derive(Clone)]
struct Case {
    secret: &'static str,
    timestamp: String,
    signature: String,
    body: Vec<u8>,
    now: i64,
}

/// Returns a request as the server sends it, verified at the time of its signature.
fn sent(body: impl AsRef<[u8]>) -> Case {
    let body = body.as_ref().to_vec();
    Case { secret: NEW, timestamp: AT.to_string(), signature: signature::sign(NEW, AT, &body), body, now: AT }
}

fn plain() -> Case {
    sent(BODY)
}

fn signature(value: impl Into<String>) -> Case {
    Case { signature: value.into(), ..plain() }
}

fn timestamp(value: &str) -> Case {
    Case { timestamp: value.to_owned(), ..plain() }
}

fn cases() -> Vec<(&'static str, &'static str, Case)> {
    let good = plain().signature;
    let old = signature::sign(OLD, AT, BODY.as_bytes());
    let both = signature::header(NEW, Some(OLD), AT, BODY.as_bytes());
    let tampered = BODY.replace("user.created", "user.updated").into_bytes();
    let digits = &good[3..];
    let of_earlier_time = signature::sign(NEW, AT - 1, BODY.as_bytes());
    vec![
        ("an event", "ok", plain()),
        ("a body beyond ASCII", "ok", sent("{\"name\":\"Ingrid Ångström 🦊 \u{2028}\"}")),
        ("an empty body", "ok", sent("")),
        ("line breaks are part of the body", "ok", sent("{\r\n  \"id\": \"evt_1\"\r\n}\r\n")),
        ("white space is part of the body", "ok", sent("{ \"id\" : \"evt_1\" }\n")),
        ("bytes that are not UTF-8", "ok", sent(b"\xff\xfe\x00{}")),
        ("during a rotation, with the new secret", "ok", signature(both.clone())),
        ("during a rotation, with the old secret", "ok", Case { secret: OLD, ..signature(both.clone()) }),
        ("white space around the values", "ok", signature(both.replace(',', " , "))),
        ("the old value only, with the old secret", "ok", Case { secret: OLD, ..signature(old.clone()) }),
        ("the old value only, with the new secret", "mismatch", signature(old)),
        ("both values, with another secret", "mismatch", Case { secret: "whsec_other", ..signature(both) }),
        ("exactly 5 minutes old", "ok", Case { now: AT + 300, ..plain() }),
        ("5 minutes and a second old", "too_old", Case { now: AT + 301, ..plain() }),
        ("a sender whose clock is ahead", "ok", Case { now: AT - 60, ..plain() }),
        ("another body", "mismatch", Case { body: tampered.clone(), ..plain() }),
        ("a line break more", "mismatch", Case { body: format!("{BODY}\n").into_bytes(), ..plain() }),
        ("another body, and too old", "mismatch", Case { body: tampered, now: AT + 301, ..plain() }),
        ("another time than was signed", "mismatch", signature(of_earlier_time)),
        ("a stale timestamp made fresh", "mismatch", {
            Case { now: AT + 600, ..timestamp(&(AT + 600).to_string()) }
        }),
        ("upper-case digits", "mismatch", signature(format!("v1={}", digits.to_uppercase()))),
        ("an upper-case version", "mismatch", signature(format!("V1={digits}"))),
        ("another version beside the valid value", "ok", signature(format!("v2={},{good}", "0".repeat(64)))),
        ("another version only", "mismatch", signature(format!("v2={digits}"))),
        ("no version", "mismatch", signature(digits)),
        ("a digit less", "mismatch", signature(&good[..66])),
        ("a digit more", "mismatch", signature(format!("{good}0"))),
        ("no digits", "mismatch", signature("v1=")),
        ("not hexadecimal", "mismatch", signature(format!("v1={}", "é".repeat(32)))),
        ("an empty signature", "mismatch", signature("")),
        ("empty values beside the valid value", "ok", signature(format!(",{good},"))),
        ("a timestamp that is no number", "bad_timestamp", timestamp("soon")),
        ("an empty timestamp", "bad_timestamp", timestamp("")),
        ("a timestamp with a fraction", "bad_timestamp", timestamp("1794826964.0")),
        ("a negative timestamp", "bad_timestamp", timestamp("-1794826964")),
        ("a timestamp with a plus sign", "bad_timestamp", timestamp("+1794826964")),
        ("a timestamp with white space", "bad_timestamp", timestamp("1794826964 ")),
    ]
}

fn verdict(case: &Case) -> &'static str {
    let Case { secret, timestamp, signature, body, now } = case;
    match signature::verify(secret, timestamp, signature, body, Timestamp::from_seconds(*now), TOLERANCE) {
        Ok(()) => "ok",
        Err(SignatureError::Timestamp) => "bad_timestamp",
        Err(SignatureError::TooOld) => "too_old",
        Err(SignatureError::Mismatch) => "mismatch",
    }
}

#[test]
fn the_vectors_of_the_samples_have_the_servers_signatures_and_verdicts() {
    let mut vectors = Vec::new();
    for (name, expected, case) in cases() {
        assert_eq!(verdict(&case), expected, "{name}");
        vectors.push(json!({
            "name": name,
            "secret": case.secret,
            "timestamp": case.timestamp,
            "signature": case.signature,
            "body_base64": STANDARD.encode(&case.body),
            "now": case.now,
            "expected": expected,
        }));
    }
    let wanted = serde_json::to_string_pretty(&Value::from(vectors)).unwrap() + "\n";
    assert_committed("examples/verify/vectors.json", &wanted);
}
