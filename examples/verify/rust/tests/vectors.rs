use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde::Deserialize;
use verify_events::{Refused, verify};

#[derive(Deserialize)]
struct Vector {
    name: String,
    secret: String,
    timestamp: String,
    signature: String,
    body_base64: String,
    now: u64,
    expected: String,
}

#[test]
fn every_vector_has_the_expected_result() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("../../vectors.json")).unwrap();
    assert!(!vectors.is_empty());
    for vector in vectors {
        let body = STANDARD.decode(&vector.body_base64).unwrap();
        let found = match verify(&vector.secret, &vector.timestamp, &vector.signature, &body, vector.now) {
            Ok(()) => "ok",
            Err(Refused::BadTimestamp) => "bad_timestamp",
            Err(Refused::Mismatch) => "mismatch",
            Err(Refused::TooOld) => "too_old",
        };
        assert_eq!(found, vector.expected, "{}", vector.name);
    }
}
