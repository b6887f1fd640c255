//! Event signatures: how they are computed and how a receiver verifies them.
//!
//! A value of `X-Service-Signature` is `v1=`, followed by the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>`.
//! The timestamp is the value of `X-Service-Timestamp`. The key of the HMAC is the whole text of the signing secret,
//! including `whsec_`. For 24 hours after a rotation of the secret the header has two values, separated by a comma:
//! first the value for the new secret, then the value for the previous secret.

use std::fmt;
use std::time::Duration;

use hmac::{Hmac, Mac as _};
use sha2::Sha256;

use super::seal::keyed;
use super::time::Timestamp;

/// The maximum age of a timestamp that a receiver accepts: 5 minutes.
pub const TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// The time after a rotation of the secret during which events are also signed with the previous secret: 24 hours.
pub const ROTATION_OVERLAP: Duration = Duration::from_secs(24 * 60 * 60);

const VERSION: &str = "v1=";
const MAC_LEN: usize = 32;

/// Returns one value of `X-Service-Signature`: `v1=` and 64 hex digits. `timestamp` is Unix time in seconds.
#[must_use]
pub fn sign(secret: &str, timestamp: i64, body: &[u8]) -> String {
    let mac = mac(secret, &timestamp.to_string(), body).finalize().into_bytes();
    let mut value = String::with_capacity(VERSION.len() + 2 * MAC_LEN);
    value.push_str(VERSION);
    for byte in mac {
        for nibble in [byte >> 4, byte & 15] {
            value.push(char::from(b"0123456789abcdef"[usize::from(nibble)]));
        }
    }
    value
}

/// Returns the content of the header `X-Service-Signature`: the value for the current secret. If there is a previous
/// secret, a comma and the value for the previous secret follow.
#[must_use]
pub fn header(secret: &str, previous: Option<&str>, timestamp: i64, body: &[u8]) -> String {
    let newest = sign(secret, timestamp, body);
    match previous {
        Some(previous) => format!("{newest},{}", sign(previous, timestamp, body)),
        None => newest,
    }
}

/// Why a receiver rejects an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SignatureError {
    /// `X-Service-Timestamp` is not Unix time in seconds.
    Timestamp,
    /// The timestamp is older than the tolerance.
    TooOld,
    /// No value of `X-Service-Signature` matches.
    Mismatch,
}

impl fmt::Display for SignatureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Timestamp => "the timestamp is not Unix time in seconds",
            Self::TooOld => "the timestamp is too old",
            Self::Mismatch => "no signature matches",
        })
    }
}

impl std::error::Error for SignatureError {}

/// Verifies the timestamp and the signature of an event against its raw body, as a receiver has to do. One matching
/// value of the signature header suffices. Values of other versions are ignored. The comparison takes constant time.
///
/// # Errors
/// [`SignatureError::Timestamp`], [`SignatureError::Mismatch`] and [`SignatureError::TooOld`], in this order. The age
/// is checked last, because a timestamp without a matching signature is not trusted.
pub fn verify(
    secret: &str,
    timestamp: &str,
    signature: &str,
    body: &[u8],
    now: Timestamp,
    tolerance: Duration,
) -> Result<(), SignatureError> {
    if timestamp.is_empty() || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(SignatureError::Timestamp);
    }
    let sent = Timestamp::from_seconds(timestamp.parse().map_err(|_| SignatureError::Timestamp)?);
    let expected = mac(secret, timestamp, body);
    let is_match = |value: &str| {
        value
            .trim()
            .strip_prefix(VERSION)
            .and_then(parse_hex)
            .is_some_and(|mac| expected.clone().verify_slice(&mac).is_ok())
    };
    if !signature.split(',').any(is_match) {
        return Err(SignatureError::Mismatch);
    }
    // the age is computed in whole seconds, because the timestamp has whole seconds
    if Timestamp::from_seconds(now.seconds()).since(sent) > tolerance {
        return Err(SignatureError::TooOld);
    }
    Ok(())
}

/// Returns the MAC state over `<timestamp>.<raw body>`.
fn mac(secret: &str, timestamp: &str, body: &[u8]) -> Hmac<Sha256> {
    keyed(secret.as_bytes()).chain_update(timestamp).chain_update(b".").chain_update(body)
}

/// Parses 64 lower-case hex digits.
fn parse_hex(text: &str) -> Option<[u8; MAC_LEN]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let digits: &[u8; 2 * MAC_LEN] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; MAC_LEN];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const SECRET: &str = "whsec_new";
    const OLD: &str = "whsec_old";
    const AT: i64 = 1_795_196_100;

    fn check(secret: &str, signature: &str, body: &[u8], now: i64) -> Result<(), SignatureError> {
        verify(secret, &AT.to_string(), signature, body, Timestamp::from_seconds(now), TOLERANCE)
    }

    #[test]
    fn a_known_signature_is_computed() {
        // the expected value was computed with another implementation of HMAC
        assert_eq!(
            sign(SECRET, AT, br#"{"id":"evt_1"}"#),
            "v1=12d0c06786a542844d6d9b9992e08cc9dc54898cc8b84fee7ba7d308a0f91840"
        );
    }

    // a receiver accepts a header in which at least one value matches (B-441)
    #[test]
    fn the_new_and_the_previous_secret_verify_after_a_rotation() {
        let both = header(SECRET, Some(OLD), AT, b"{}");
        assert_eq!(both, format!("{},{}", sign(SECRET, AT, b"{}"), sign(OLD, AT, b"{}")));
        assert_eq!(check(SECRET, &both, b"{}", AT), Ok(()));
        assert_eq!(check(OLD, &both, b"{}", AT), Ok(()));
        assert_eq!(check("whsec_other", &both, b"{}", AT), Err(SignatureError::Mismatch));
        assert_eq!(check(OLD, &header(SECRET, None, AT, b"{}"), b"{}", AT), Err(SignatureError::Mismatch));
    }

    // a receiver refuses timestamps older than five minutes (B-441)
    #[test]
    fn old_timestamps_are_refused() {
        let signature = sign(SECRET, AT, b"{}");
        assert_eq!(check(SECRET, &signature, b"{}", AT + 300), Ok(()));
        assert_eq!(check(SECRET, &signature, b"{}", AT + 301), Err(SignatureError::TooOld));
        assert_eq!(check(SECRET, &signature, b"{}", AT - 1_000), Ok(()));
        let other_time = (AT + 301).to_string();
        let now = Timestamp::from_seconds(AT + 301);
        assert_eq!(
            verify(SECRET, &other_time, &signature, b"{}", now, TOLERANCE),
            Err(SignatureError::Mismatch)
        );
        for bad in ["", "-1", "+1", "1.0", " 1", "99999999999999999999", "now"] {
            assert_eq!(
                verify(SECRET, bad, &signature, b"{}", now, TOLERANCE),
                Err(SignatureError::Timestamp),
                "{bad}"
            );
        }
    }

    #[test]
    fn malformed_signatures_are_refused() {
        let good = sign(SECRET, AT, b"{}");
        assert_eq!(check(SECRET, &format!("v0=abc, {good}"), b"{}", AT), Ok(()));
        for bad in [
            "",
            ",",
            "v1=",
            &good[3..],
            &good.to_uppercase(),
            &good[..66],
            &format!("{good}0"),
            &good.replace("v1", "v2"),
        ] {
            assert_eq!(check(SECRET, bad, b"{}", AT), Err(SignatureError::Mismatch), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn only_the_signed_bytes_verify(body: Vec<u8>, other: Vec<u8>, timestamp in 0..4_000_000_000i64) {
            let signature = sign(SECRET, timestamp, &body);
            prop_assert_eq!(signature.len(), 67);
            let now = Timestamp::from_seconds(timestamp);
            let text = timestamp.to_string();
            prop_assert_eq!(verify(SECRET, &text, &signature, &body, now, TOLERANCE), Ok(()));
            prop_assert_eq!(verify(SECRET, &text, &signature, &other, now, TOLERANCE).is_ok(), body == other);
        }
    }
}
