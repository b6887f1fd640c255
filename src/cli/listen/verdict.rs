//! What a receiver finds when it checks a request's signature (B-441): `listen` answers by it, `events verify` tells
//! it.
//!
//! The check itself is [`signature::verify`]: over the raw bytes, in constant time. Here is only what it says of
//! which secret and which value.

use std::fmt;

use crate::{
    domain::{
        signature::{self, Fault, TOLERANCE},
        time::Timestamp,
    },
    platform::secrets::Secret,
};

/// What the signature of a request is made with, as received; `None` for a header that was not sent.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// `X-Service-Timestamp`.
    pub timestamp: Option<&'a str>,
    /// `X-Service-Signature`.
    pub signature: Option<&'a str>,
    /// The raw body.
    pub body: &'a [u8],
}

/// Which of the values is right, and by which of the secrets; both counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Match {
    /// Of the secrets the receiver knows.
    pub secret: usize,
    /// Of the values in the header.
    pub value: usize,
    /// How many values the header holds.
    pub values: usize,
    /// How old the timestamp is, in seconds; negative when it lies ahead.
    pub age: i64,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wrong {
    /// `X-Service-Timestamp` is missing.
    NoTimestamp,
    /// It is not Unix time in seconds.
    BadTimestamp,
    /// `X-Service-Signature` is missing.
    NoSignature,
    /// It holds no value `v1=` with 64 lower-case hexadecimal digits.
    BadSignature,
    /// None of its values is right.
    Mismatch,
    /// One is right, but the timestamp is older than 5 minutes, by so many seconds in all.
    TooOld(i64),
}

impl Wrong {
    /// The name for programs.
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

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTimestamp => f.write_str("X-Service-Timestamp is missing"),
            Self::BadTimestamp => f.write_str("X-Service-Timestamp is not Unix time in seconds"),
            Self::NoSignature => f.write_str("X-Service-Signature is missing"),
            Self::BadSignature => {
                f.write_str("X-Service-Signature has no value v1= with 64 lower-case hexadecimal digits")
            }
            Self::Mismatch => f.write_str("no value of X-Service-Signature matches"),
            Self::TooOld(age) => write!(f, "the timestamp is {age} seconds old; at most 300 are accepted"),
        }
    }
}

/// Checks a request at the moment `now`. Any one value that any one of the secrets made is enough.
///
/// # Errors
/// Why it is refused.
pub fn judge(secrets: &[Secret], signed: Signed<'_>, now: Timestamp) -> Result<Match, Wrong> {
    let timestamp = signed.timestamp.ok_or(Wrong::NoTimestamp)?;
    let header = signed.signature.ok_or(Wrong::NoSignature)?;
    let values: Vec<_> = header.split(',').collect();
    let age = |timestamp: &str| timestamp.parse::<i64>().map_or(0, |sent| now.seconds().saturating_sub(sent));
    let mut wrong = Wrong::Mismatch;
    for (value, text) in values.iter().enumerate() {
        for (secret, key) in secrets.iter().enumerate() {
            match signature::verify(key.expose(), timestamp, text, signed.body, now, TOLERANCE) {
                Ok(()) => return Ok(Match { secret, value, values: values.len(), age: age(timestamp) }),
                Err(Fault::Timestamp) => return Err(Wrong::BadTimestamp),
                Err(Fault::TooOld) => wrong = Wrong::TooOld(age(timestamp)),
                Err(Fault::Mismatch) => {}
            }
        }
    }
    if wrong == Wrong::Mismatch && !values.iter().any(|value| has_form(value)) {
        wrong = Wrong::BadSignature;
    }
    Err(wrong)
}

fn has_form(value: &str) -> bool {
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

    fn check(
        known: &[&str],
        header: Option<&str>,
        timestamp: Option<&str>,
        now: i64,
    ) -> Result<Match, Wrong> {
        let signed = Signed { timestamp, signature: header, body: b"{}" };
        judge(&secrets(known), signed, Timestamp::from_seconds(now))
    }

    #[test]
    fn which_value_and_which_secret() {
        let at = AT.to_string();
        let both = signature::header("whsec_new", Some("whsec_old"), AT, b"{}");
        let found = |known: &[&str], now| check(known, Some(&both), Some(&at), now);
        assert_eq!(found(&["whsec_new"], AT), Ok(Match { secret: 0, value: 0, values: 2, age: 0 }));
        // B-441: any one value is enough
        assert_eq!(found(&["whsec_old"], AT + 9), Ok(Match { secret: 0, value: 1, values: 2, age: 9 }));
        assert_eq!(found(&["x", "whsec_old"], AT - 5), Ok(Match { secret: 1, value: 1, values: 2, age: -5 }));
        assert_eq!(found(&["whsec_x"], AT), Err(Wrong::Mismatch));
        // B-441: 5 minutes and no more
        assert!(found(&["whsec_new"], AT + 300).is_ok());
        assert_eq!(found(&["whsec_new"], AT + 301), Err(Wrong::TooOld(301)));
        // what nobody signed is not called old
        assert_eq!(found(&["whsec_x"], AT + 301), Err(Wrong::Mismatch));
    }

    #[test]
    fn what_is_no_signature_is_told_from_a_wrong_one() {
        let at = AT.to_string();
        let good = signature::sign("s", AT, b"{}");
        assert_eq!(check(&["s"], Some(&good), None, AT), Err(Wrong::NoTimestamp));
        assert_eq!(check(&["s"], None, Some(&at), AT), Err(Wrong::NoSignature));
        for bad in ["", "soon", "1.5", "-1"] {
            assert_eq!(check(&["s"], Some(&good), Some(bad), AT), Err(Wrong::BadTimestamp), "{bad}");
        }
        for bad in ["", "v1=", &good[3..], &good.to_uppercase(), &good.replace("v1", "v2"), "v1=zz,,"] {
            assert_eq!(check(&["s"], Some(bad), Some(&at), AT), Err(Wrong::BadSignature), "{bad}");
        }
        assert!(check(&["s"], Some(&format!("v2=abc, {good}")), Some(&at), AT).is_ok());
    }
}
