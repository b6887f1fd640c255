//! CSRF tokens, which prove that a form was submitted from a page of this server (D-269).
//!
//! A token is a random number and a MAC ([`seal`]). The MAC covers the number, an owner (a session, or a browser before
//! sign-in) and a purpose (a form). The server stores no tokens. A token is valid as long as its owner is valid. The
//! random number makes the tokens of two responses differ, so that the size of compressed responses does not reveal a
//! token (BREACH).

use super::seal;

/// Length of the random number in bytes.
const NONCE_LEN: usize = 8;

/// Marks a sealed text as a CSRF token. So a text that was sealed for another use, such as a cursor, is not accepted.
const USE: &[u8] = b"csrf";

/// Creates a token. `owner` is the hash of a session token or of a browser's cookie, and `purpose` names the form. With
/// an empty purpose, the token is valid for every form of the owner that has no purpose of its own. `random` must be
/// new random bytes for each token.
#[must_use]
pub fn make(key: &seal::ServerKey, owner: &[u8; 32], purpose: &str, random: [u8; NONCE_LEN]) -> String {
    seal::seal(key, &[USE, owner, purpose.as_bytes()], &random)
}

/// Returns whether the text is a token of this owner for this purpose.
#[must_use]
pub fn is_valid(key: &seal::ServerKey, owner: &[u8; 32], purpose: &str, text: &str) -> bool {
    seal::open::<NONCE_LEN>(key, &[USE, owner, purpose.as_bytes()], text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_for_its_owner_and_purpose_only() {
        let (key, owner) = ([1; 32], [2; 32]);
        let token = make(&key, &owner, "consent", [3; 8]);
        assert!(is_valid(&key, &owner, "consent", &token));
        assert!(!is_valid(&key, &owner, "", &token));
        assert!(!is_valid(&key, &[4; 32], "consent", &token));
        assert!(!is_valid(&[5; 32], &owner, "consent", &token));
        assert!(!is_valid(&key, &owner, "consent", ""));
        assert!(!is_valid(&key, &owner, "consent", &format!("{token}A")));
        assert_ne!(token, make(&key, &owner, "consent", [6; 8]));
    }
}
