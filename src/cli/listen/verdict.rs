//! Verification of a request's signature (B-441), for `listen` and `events verify`.
//!
//! [`signature::verify`] checks the raw bytes in constant time. This module also returns which secret and which value
//! of the header `X-Service-Signature` matched.

use std::fmt;

use crate::{
    domain::{
        signature::{self, SignatureError, TOLERANCE},
        time::Timestamp,
    },
    platform::secrets::Secret,
};

/// The signed parts of a request, and its signature, as received. A header is `None` if it is missing; in `listen`,
/// also if it is repeated or not ASCII.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// `X-Service-Timestamp`.
    pub timestamp: Option<&'a str>,
    /// `X-Service-Signature`.
    pub signature: Option<&'a str>,
    /// The raw body.
    pub body: &'a [u8],
}

/// Which value of `X-Service-Signature` matched, which secret this value was made with, and the age of the timestamp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Index of the matching secret among the receiver's secrets, from 0.
    pub secret: usize,
    /// Index of the matching value among the header's values, from 0.
    pub value: usize,
    /// Number of values in the header.
    pub values: usize,
    /// Age of the timestamp in seconds; negative if it is in the future.
    pub age: i64,
}

impl Match {
    /// Describes the age of the timestamp in words.
    #[must_use]
    pub fn age_text(&self) -> String {
        match self.age {
            // the clock of the sender is ahead
            ..0 => format!("{} s in the future", self.age.unsigned_abs()),
            age => format!("{age} s old"),
        }
    }
}

/// Why a request is rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InvalidSignature {
    /// `X-Service-Timestamp` is missing, was sent more than once, or is not ASCII.
    NoTimestamp,
    /// `X-Service-Timestamp` is not Unix time in seconds.
    BadTimestamp,
    /// `X-Service-Signature` is missing, was sent more than once, or is not ASCII.
    NoSignature,
    /// `X-Service-Signature` has no value `v1=` with 64 lower-case hexadecimal digits.
    BadSignature,
    /// No value of `X-Service-Signature` matches.
    Mismatch,
    /// A value matches, but the timestamp is older than 5 minutes. Contains the age in seconds.
    TooOld(i64),
}

impl InvalidSignature {
    /// Returns the name of the reason in JSON output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoTimestamp => "no_timestamp",
            Self::BadTimestamp => "bad_timestamp",
            Self::NoSignature => "no_signature",
            Self::BadSignature => "bad_signature",
            Self::Mismatch => "mismatch",
            Self::TooOld(_) => "too_old",
        }
    }
}

impl fmt::Display for InvalidSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTimestamp => {
                f.write_str("X-Service-Timestamp is missing, was sent more than once, or is not ASCII")
            }
            Self::BadTimestamp => f.write_str("X-Service-Timestamp is not Unix time in seconds"),
            Self::NoSignature => {
                f.write_str("X-Service-Signature is missing, was sent more than once, or is not ASCII")
            }
            Self::BadSignature => {
                f.write_str("X-Service-Signature has no value v1= with 64 lower-case hexadecimal digits")
            }
            Self::Mismatch => f.write_str("no value of X-Service-Signature matches"),
            Self::TooOld(age) => write!(f, "the timestamp is {age} seconds old; at most 300 are accepted"),
        }
    }
}

/// Verifies the signature of a request, and the age of its timestamp at the time `now`. One value of the header that
/// was made with one of the secrets suffices.
///
/// # Errors
/// In this order:
///
/// - [`InvalidSignature::NoTimestamp`], [`InvalidSignature::NoSignature`] and [`InvalidSignature::BadTimestamp`];
/// - [`InvalidSignature::TooOld`] if a value matches, but the timestamp is too old;
/// - [`InvalidSignature::BadSignature`] if no value is well-formed;
/// - [`InvalidSignature::Mismatch`] if values are well-formed, but none matches.
pub fn verify(secrets: &[Secret], signed: Signed<'_>, now: Timestamp) -> Result<Match, InvalidSignature> {
    let timestamp = signed.timestamp.ok_or(InvalidSignature::NoTimestamp)?;
    let header = signed.signature.ok_or(InvalidSignature::NoSignature)?;
    let values: Vec<_> = header.split(',').collect();
    let age = |timestamp: &str| timestamp.parse::<i64>().map_or(0, |sent| now.seconds().saturating_sub(sent));
    let mut reason = InvalidSignature::Mismatch;
    for (value, text) in values.iter().enumerate() {
        for (secret, key) in secrets.iter().enumerate() {
            match signature::verify(key.expose(), timestamp, text, signed.body, now, TOLERANCE) {
                Ok(()) => return Ok(Match { secret, value, values: values.len(), age: age(timestamp) }),
                Err(SignatureError::Timestamp) => return Err(InvalidSignature::BadTimestamp),
                Err(SignatureError::TooOld) => reason = InvalidSignature::TooOld(age(timestamp)),
                Err(SignatureError::Mismatch) => {}
            }
        }
    }
    if reason == InvalidSignature::Mismatch && !values.iter().any(|value| is_well_formed(value)) {
        reason = InvalidSignature::BadSignature;
    }
    Err(reason)
}

fn is_well_formed(value: &str) -> bool {
    let digits = value.trim().strip_prefix("v1=");
    digits.is_some_and(|digits| {
        digits.len() == 64 && digits.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: i64 = 1_795_196_100;

    fn secrets(texts: &[&str]) -> Vec<Secret> {
        texts.iter().map(|text| Secret::new(*text)).collect()
    }

    fn verified(
        known_secrets: &[&str],
        header: Option<&str>,
        timestamp: Option<&str>,
        now: i64,
    ) -> Result<Match, InvalidSignature> {
        let signed = Signed { timestamp, signature: header, body: b"{}" };
        verify(&secrets(known_secrets), signed, Timestamp::from_seconds(now))
    }

    #[test]
    fn the_matching_value_and_secret_are_returned() {
        let at = AT.to_string();
        let both = signature::header("whsec_new", Some("whsec_old"), AT, b"{}");
        let found = |known: &[&str], now| verified(known, Some(&both), Some(&at), now);
        assert_eq!(found(&["whsec_new"], AT), Ok(Match { secret: 0, value: 0, values: 2, age: 0 }));
        // B-441: one matching value suffices
        assert_eq!(found(&["whsec_old"], AT + 9), Ok(Match { secret: 0, value: 1, values: 2, age: 9 }));
        assert_eq!(found(&["x", "whsec_old"], AT - 5), Ok(Match { secret: 1, value: 1, values: 2, age: -5 }));
        assert_eq!(found(&["whsec_x"], AT), Err(InvalidSignature::Mismatch));
        // B-441: a timestamp may be at most 5 minutes old
        assert!(found(&["whsec_new"], AT + 300).is_ok());
        assert_eq!(found(&["whsec_new"], AT + 301), Err(InvalidSignature::TooOld(301)));
        // if the signature does not match and the timestamp is too old, the reason is the signature
        assert_eq!(found(&["whsec_x"], AT + 301), Err(InvalidSignature::Mismatch));
    }

    #[test]
    fn missing_and_malformed_headers_are_distinguished() {
        let at = AT.to_string();
        let good = signature::sign("s", AT, b"{}");
        assert_eq!(verified(&["s"], Some(&good), None, AT), Err(InvalidSignature::NoTimestamp));
        assert_eq!(verified(&["s"], None, Some(&at), AT), Err(InvalidSignature::NoSignature));
        for bad in ["", "soon", "1.5", "-1"] {
            assert_eq!(
                verified(&["s"], Some(&good), Some(bad), AT),
                Err(InvalidSignature::BadTimestamp),
                "{bad}"
            );
        }
        for bad in ["", "v1=", &good[3..], &good.to_uppercase(), &good.replace("v1", "v2"), "v1=zz,,"] {
            assert_eq!(
                verified(&["s"], Some(bad), Some(&at), AT),
                Err(InvalidSignature::BadSignature),
                "{bad}"
            );
        }
        assert!(verified(&["s"], Some(&format!("v2=abc, {good}")), Some(&at), AT).is_ok());
    }
}
