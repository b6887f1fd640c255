//! Verifies the signatures of Switchboard's events.
//!
//! ```no_run
//! # fn demo(secret: &str, timestamp: &str, signature: &str, body: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
//! let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
//! verify_events::verify(secret, timestamp, signature, body, now)?;
//! // parse the body only after this check, and handle each event id once
//! # Ok(())
//! # }
//! ```

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Maximum age of a timestamp, in seconds. Older timestamps are refused.
pub const TOLERANCE: u64 = 5 * 60;

/// Why a request is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    BadTimestamp,
    Mismatch,
    TooOld,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadTimestamp => "X-Service-Timestamp is not Unix time in seconds",
            Self::Mismatch => "no value of X-Service-Signature matches",
            Self::TooOld => "the timestamp is more than 5 minutes old",
        })
    }
}

impl std::error::Error for Refused {}

/// Verifies the signature and the age of one request. `timestamp` and `signature` are the headers `X-Service-Timestamp`
/// and `X-Service-Signature`. `body` is the bytes of the body as received, and `now` is the Unix time in seconds.
///
/// # Errors
/// [`Refused`], in this order: an invalid timestamp, a wrong signature, an old timestamp. A timestamp in the future is
/// accepted.
pub fn verify(secret: &str, timestamp: &str, signature: &str, body: &[u8], now: u64) -> Result<(), Refused> {
    if timestamp.is_empty() || !timestamp.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(Refused::BadTimestamp);
    }
    let sent: u64 = timestamp.parse().map_err(|_| Refused::BadTimestamp)?;

    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("HMAC takes keys of every length");
    mac.update(timestamp.as_bytes());
    mac.update(b".");
    mac.update(body);
    // for 24 hours after a rotation of the secret, the header has two values; one match suffices
    let right = signature.split(',').any(|value| {
        let digest = value.trim().strip_prefix("v1=").and_then(parse_hex);
        // `verify_slice` compares in constant time
        digest.is_some_and(|digest| mac.clone().verify_slice(&digest).is_ok())
    });
    if !right {
        return Err(Refused::Mismatch);
    }
    if now.saturating_sub(sent) > TOLERANCE {
        return Err(Refused::TooOld);
    }
    Ok(())
}

/// Parses 64 lower-case hexadecimal digits.
fn parse_hex(text: &str) -> Option<[u8; 32]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut bytes = [0; 32];
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    Some(bytes)
}
