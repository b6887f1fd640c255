//! Fuzzes the verification of event signatures by a receiver.
//!
//! The first three lines of an input are the secret, `X-Service-Timestamp` and `X-Service-Signature`. The rest is the
//! body.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::{Corpus, fuzz_target};
use switchboard::{
    cli::listen::verdict::{InvalidSignature, Signed, verify as verify_request},
    domain::{
        signature::{SignatureError, TOLERANCE, header, sign, verify},
        time::Timestamp,
    },
    platform::secrets::Secret,
};
use switchboard_fuzz::first_line;

const NOW: Timestamp = Timestamp::from_seconds(1_795_196_100);

fuzz_target!(|input: &[u8]| -> Corpus {
    let Some((secret, rest)) = first_line(input) else { return Corpus::Reject };
    let Some((timestamp, rest)) = first_line(rest) else { return Corpus::Reject };
    let Some((signature, body)) = first_line(rest) else { return Corpus::Reject };
    check_received(secret, timestamp, signature, body);
    check_signed(secret, timestamp, signature, body);
    Corpus::Keep
});

/// Asserts that a received request is accepted if and only if one of its signatures is correct and its timestamp is not
/// too old. This is asserted only for a timestamp in canonical decimal form. For all timestamps, asserts that the
/// verification by `switchboard listen` has the same result. The exception is a request that is signed with the secret
/// `other`, which `switchboard listen` also accepts here.
fn check_received(secret: &str, timestamp: &str, signature: &str, body: &[u8]) {
    let verified = verify(secret, timestamp, signature, body, NOW, TOLERANCE);
    if let Ok(seconds) = timestamp.parse::<i64>()
        && seconds.to_string() == timestamp
        && seconds >= 0
    {
        let right = sign(secret, seconds, body);
        let is_signed = signature.split(',').any(|value| value.trim() == right);
        let is_old = NOW.since(Timestamp::from_seconds(seconds)) > TOLERANCE;
        let expected = match (is_signed, is_old) {
            (false, _) => Err(SignatureError::Mismatch),
            (true, true) => Err(SignatureError::TooOld),
            (true, false) => Ok(()),
        };
        assert_eq!(verified, expected);
    }
    let signed = Signed { timestamp: Some(timestamp), signature: Some(signature), body };
    let judged = verify_request(&[Secret::new("other"), Secret::new(secret)], signed, NOW);
    match verified {
        Ok(()) => assert!(judged.is_ok_and(|found| found.secret == 1 || secret == "other")),
        Err(SignatureError::Timestamp) => assert_eq!(judged, Err(InvalidSignature::BadTimestamp)),
        Err(SignatureError::TooOld) => assert!(matches!(judged, Err(InvalidSignature::TooOld(_)))),
        Err(SignatureError::Mismatch) => {
            let is_other =
                verify("other", timestamp, signature, body, NOW, TOLERANCE) != Err(SignatureError::Mismatch);
            assert!(
                is_other
                    || matches!(judged, Err(InvalidSignature::Mismatch | InvalidSignature::BadSignature)),
                "{judged:?}"
            );
        }
    }
}

/// Asserts that an event signed with `secret` is accepted, even if the text `unknown` and a signature made with
/// `other_secret` precede the correct signature in the header. Also asserts that the event is rejected after a change
/// to the body, the signature or the timestamp. The length of `unknown` determines which byte of the body and which
/// digit of the signature are changed.
fn check_signed(secret: &str, other_secret: &str, unknown: &str, body: &[u8]) {
    let seconds = NOW.seconds();
    let at = seconds.to_string();
    let both = header(other_secret, Some(secret), seconds, body);
    let check = |signature: &str, body: &[u8], late: u64| {
        let now = Timestamp::from_seconds(seconds + i64::try_from(late).unwrap_or(i64::MAX / 2_000_000));
        verify(secret, &at, signature, body, now, TOLERANCE)
    };
    assert_eq!(check(&both, body, 0), Ok(()));
    assert_eq!(check(&format!("{unknown},{both}"), body, 300), Ok(()), "unknown signatures are ignored");
    assert_eq!(check(&both, body, 301), Err(SignatureError::TooOld));
    let alone = sign(secret, seconds, body);
    let at_byte = unknown.len();
    let mut changed = body.to_vec();
    match changed.get_mut(at_byte % body.len().max(1)) {
        Some(byte) => *byte ^= 1 << (at_byte % 8),
        None => changed.push(0),
    }
    assert_eq!(check(&alone, &changed, 0), Err(SignatureError::Mismatch), "a changed body is refused");
    let mut digits = alone.clone().into_bytes();
    let position = 3 + at_byte % 64;
    digits[position] = if digits[position] == b'0' { b'1' } else { b'0' };
    let digits = String::from_utf8(digits).expect("ASCII");
    assert_eq!(check(&digits, body, 0), Err(SignatureError::Mismatch), "a changed signature is refused");
    let later = verify(secret, &(seconds + 1).to_string(), &alone, body, NOW, Duration::from_secs(3600));
    assert_eq!(later, Err(SignatureError::Mismatch), "a changed timestamp is refused");
    if other_secret != secret {
        let signed = sign(other_secret, seconds, body);
        assert_eq!(check(&signed, body, 0).is_ok(), is_same_key(other_secret, secret));
    }
}

/// Returns whether two secrets are the same HMAC key. HMAC pads a key of up to 64 bytes with zeros, so two such secrets
/// are the same key if they differ only in zeros at the end.
fn is_same_key(one: &str, other: &str) -> bool {
    let filled = |text: &str| text.len() <= 64;
    filled(one) && filled(other) && one.trim_end_matches('\0') == other.trim_end_matches('\0')
}
