//! Signed file links: the token in the path of a link that needs no bot token.
//!
//! There are two, one behind the other: the link of the file record, and the storage download it redirects to.
//! Access is checked when the first is issued; after that the token itself is the right to read the file, so it is
//! a secret. Expired and tampered links get the same answer (D-135).

use std::time::Duration;

use super::ids::FileId;
use super::seal::{self, Key};
use super::time::Timestamp;

/// How long the link of a file record opens: 15 minutes.
pub const LINK_LIFE: Duration = Duration::from_secs(15 * 60);
/// How long the download it redirects to opens, counted from the redirect: 60 minutes (D-136).
pub const DOWNLOAD_LIFE: Duration = Duration::from_secs(60 * 60);

/// Which of the two links a token is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// The `url` of a file record; redirects to a download.
    Link = 1,
    /// The storage download itself.
    Download = 2,
}

/// What a token says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claims {
    /// The file it opens.
    pub file: FileId,
    /// The first moment it no longer opens.
    pub expires_at: Timestamp,
    /// Which link it is.
    pub stage: Stage,
}

impl Claims {
    /// Whether the link still opens.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }
}

/// Binds the MAC to this use and this layout: stage (1 byte), file id (8), expiry in microseconds (8).
const BOUND: &[&[u8]] = &[b"file-link.1"];

/// The token: 44 characters fit for a path segment.
#[must_use]
pub fn encode(key: &Key, claims: &Claims) -> String {
    let mut payload = [0; 17];
    payload[0] = claims.stage as u8;
    payload[1..9].copy_from_slice(&claims.file.0.to_be_bytes());
    payload[9..].copy_from_slice(&claims.expires_at.0.to_be_bytes());
    seal::seal(key, BOUND, &payload)
}

/// The claims of a token made by [`encode`]; `None` for any other text. Expiry is not judged here: ask
/// [`Claims::is_live`].
#[must_use]
pub fn decode(key: &Key, token: &str) -> Option<Claims> {
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
    use crate::domain::cursor::{self, CursorScope};

    const KEY: Key = [9; 32];

    proptest! {
        #[test]
        fn round_trip(file in 0..i64::MAX, expires_at: i64, download: bool) {
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
    fn lives_until_its_expiry() {
        let issued = Timestamp::from_seconds(1_000);
        let claims = Claims { file: FileId(1), expires_at: issued + LINK_LIFE, stage: Stage::Link };
        assert!(claims.is_live(issued + Duration::from_secs(899)));
        assert!(!claims.is_live(issued + Duration::from_secs(900)));
    }

    #[test]
    fn a_cursor_is_not_a_link() {
        let scope = CursorScope { endpoint: "e", owner: 1, conversation: None, filter: "" };
        assert_eq!(decode(&KEY, &cursor::encode(&KEY, &scope, 1)), None);
    }
}
