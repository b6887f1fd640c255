//! Sessions of the sandbox console. A session is a sealed text in a cookie: an expiry and a random number, with a MAC.
//! Every node of a deployment accepts the text, and the database has no row for it. After a sign-out, only the process
//! that handled the sign-out rejects the text.
//!
//! A session is bound to the operator key. When the operator key is changed, the session becomes invalid.

use super::{seal, time::Timestamp};

/// Length in bytes of the random number in a session.
const NONCE_LEN: usize = 8;

/// The purpose that the MAC covers. So a text that was sealed for another purpose is not accepted as a session.
const USE: &[u8] = b"console session";

/// Creates a session. `operator` is the SHA-256 of the operator key. `random` must be new random bytes for each
/// session. If two sessions had the same text, the sign-out of one would end both.
#[must_use]
pub fn make(
    key: &seal::ServerKey,
    operator: &[u8; 32],
    expires_at: Timestamp,
    random: [u8; NONCE_LEN],
) -> String {
    let mut payload = [0; 8 + NONCE_LEN];
    payload[..8].copy_from_slice(&expires_at.0.to_be_bytes());
    payload[8..].copy_from_slice(&random);
    seal::seal(key, &[USE, operator], &payload)
}

/// Returns whether the text is a session that was created for this operator key and has not expired at `now`.
#[must_use]
pub fn is_valid(key: &seal::ServerKey, operator: &[u8; 32], text: &str, now: Timestamp) -> bool {
    let payload = seal::open::<{ 8 + NONCE_LEN }>(key, &[USE, operator], text);
    let expires_at = payload.and_then(|payload| payload.first_chunk().copied()).map(i64::from_be_bytes);
    expires_at.is_some_and(|at| now.0 < at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_valid_until_it_expires_and_for_its_operator_key_only() {
        let (key, operator) = ([1; 32], [2; 32]);
        let session = make(&key, &operator, Timestamp(100), [3; NONCE_LEN]);
        assert!(is_valid(&key, &operator, &session, Timestamp(99)));
        assert!(!is_valid(&key, &operator, &session, Timestamp(100)), "a session expires at its expiry time");
        assert!(!is_valid(&key, &[4; 32], &session, Timestamp(99)), "a session is bound to its operator key");
        assert!(!is_valid(&[5; 32], &operator, &session, Timestamp(99)), "a session is bound to its server");
        assert!(!is_valid(&key, &operator, &format!("{session}A"), Timestamp(99)));
        assert!(!is_valid(&key, &operator, "", Timestamp(99)));
        assert_ne!(session, make(&key, &operator, Timestamp(100), [6; NONCE_LEN]));
    }
}
