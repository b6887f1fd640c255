//! Signed links to files. The path of a link contains a token with a MAC. To open a link, a client needs no bot token.
//!
//! There are two kinds of links: the `url` that the bot API returns for a file, and the storage download to which the
//! `url` redirects. The server checks access when it issues the `url`. Afterwards the token itself grants access to the
//! file, so the token is a secret. The response is the same for expired links and for tampered links (D-135).

use std::time::Duration;

use super::ids::FileId;
use super::seal::{self, ServerKey};
use super::time::Timestamp;

/// Lifetime of the `url` of a file: 15 minutes.
pub const LINK_LIFE: Duration = Duration::from_secs(15 * 60);
/// Lifetime of the link of the storage download, counted from the redirect to it: 60 minutes (D-136).
pub const DOWNLOAD_LIFE: Duration = Duration::from_secs(60 * 60);

/// The kind of link to which a token belongs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The `url` that the bot API returns for a file. It redirects to a download.
    Link = 1,
    /// The storage download.
    Download = 2,
}

/// The contents of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claims {
    /// The file to which the token grants access.
    pub file: FileId,
    /// The first moment at which the link is expired.
    pub expires_at: Timestamp,
    /// The kind of link to which the token belongs.
    pub stage: Stage,
}

impl Claims {
    /// Returns whether the link has not expired.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }
}

/// Binds the MAC to file links and to this layout of the payload: stage (1 byte), file id (8 bytes), expiry in
/// microseconds (8 bytes).
const BOUND: &[&[u8]] = &[b"file-link.1"];

/// Creates a token: 44 characters that are valid in a path segment.
#[must_use]
pub fn encode(key: &ServerKey, claims: &Claims) -> String {
    let mut payload = [0; 17];
    payload[0] = claims.stage as u8;
    payload[1..9].copy_from_slice(&claims.file.0.to_be_bytes());
    payload[9..].copy_from_slice(&claims.expires_at.0.to_be_bytes());
    seal::seal(key, BOUND, &payload)
}

/// Returns the contents of a token created by [`encode`]; `None` for any other text. Does not check whether the link
/// has expired; [`Claims::is_live`] does.
#[must_use]
pub fn decode(key: &ServerKey, token: &str) -> Option<Claims> {
    let payload: [u8; 17] = seal::open(key, BOUND, token)?;
    let (&[stage], rest) = payload.split_first_chunk()?;
    let (file, expires_at) = rest.split_first_chunk()?;
    Some(Claims {
        file: FileId(i64::from_be_bytes(*file)),
        expires_at: Timestamp(i64::from_be_bytes(expires_at.try_into().ok()?)),
        stage: match stage {
            1 => Stage::Link,
            2 => Stage::Download,
            _ => return None,
        },
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: ServerKey = [9; 32];

    proptest! {
        #[test]
        fn tokens_round_trip(file in 0..i64::MAX, expires_at: i64, download: bool) {
            let stage = if download { Stage::Download } else { Stage::Link };
            let claims = Claims { file: FileId(file), expires_at: Timestamp(expires_at), stage };
            let token = encode(&KEY, &claims);
            prop_assert_eq!(token.len(), 44);
            prop_assert_eq!(decode(&KEY, &token), Some(claims));
            prop_assert_eq!(decode(&[8; 32], &token), None);
        }

        #[test]
        fn one_changed_bit_is_refused(at in 0usize..44, bit in 0u8..7) {
            let claims = Claims { file: FileId(1), expires_at: Timestamp(2), stage: Stage::Link };
            let mut token = encode(&KEY, &claims).into_bytes();
            token[at] ^= 1 << bit;
            prop_assert_eq!(decode(&KEY, &String::from_utf8(token).unwrap()), None);
        }
    }

    #[test]
    fn a_link_is_live_until_its_expiry() {
        let issued = Timestamp::from_seconds(1_000);
        let claims = Claims { file: FileId(1), expires_at: issued + LINK_LIFE, stage: Stage::Link };
        assert!(claims.is_live(issued + Duration::from_secs(899)));
        assert!(!claims.is_live(issued + Duration::from_secs(900)));
    }

    #[test]
    fn a_text_that_was_sealed_for_another_purpose_is_not_a_link() {
        // with the payload of a link, so that the text is not rejected for its length
        let claims = Claims { file: FileId(1), expires_at: Timestamp(2), stage: Stage::Link };
        let payload: [u8; 17] = seal::open(&KEY, BOUND, &encode(&KEY, &claims)).unwrap();
        assert_eq!(decode(&KEY, &seal::seal(&KEY, BOUND, &payload)), Some(claims));
        assert_eq!(decode(&KEY, &seal::seal(&KEY, &[b"cursor.1"], &payload)), None);
    }
}
