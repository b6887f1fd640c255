//! Access and refresh tokens of assistants' connections: texts that still tell their connection when nothing is stored
//! of them any more.
//!
//! A spent token is cleared away once it has expired, and yet has to end its connection when it is presented after that
//! (A-202, D-308). So its body is the number of 44 bytes in base 62: 160 random bits, the connection's id, and a MAC over
//! both and the kind. Random bits come first, because what is shown of a token is its beginning. The MAC tells that we
//! made the text, and nothing else: a token that may be used is found by its [`hash`](super::token::hash) alone
//! (docs/decisions/0008-tokens-that-name-their-connection.md).
//!
//! Called by `workspace/assistants`.

use super::{
    base62,
    ids::ConnectionId,
    seal,
    token::{self, Kind},
};

pub use super::seal::Key;

/// Bytes of the random part: 160 bits (RFC 6749 §10.10).
pub const RANDOM_LEN: usize = 20;
const ID_LEN: usize = 8;
/// Bytes of random part, id and MAC.
const BODY_LEN: usize = RANDOM_LEN + ID_LEN + seal::MAC_LEN;
/// The same in base 62: 62^60 > 2^352.
pub(super) const BODY_CHARS: usize = 60;

/// What the MAC is for, so that no other sealed text passes as a token.
const USE: &[u8] = b"connection token";

/// Makes a token of a connection. `kind` is one of access and refresh tokens; `random` must be fresh from a cryptographic
/// random source.
#[must_use]
pub fn mint(key: &Key, kind: Kind, connection: ConnectionId, random: &[u8; RANDOM_LEN]) -> String {
    debug_assert!(kind.is_of_connection(), "{kind:?} names no connection");
    let id = connection.0.to_be_bytes();
    let tag = seal::tag(key, &bound(kind, &id), random);
    let mut body = [0; BODY_LEN];
    body[..RANDOM_LEN].copy_from_slice(random);
    body[RANDOM_LEN..RANDOM_LEN + ID_LEN].copy_from_slice(&id);
    body[RANDOM_LEN + ID_LEN..].copy_from_slice(&tag);
    token::with_checksum(kind, &base62::encode::<BODY_LEN, BODY_CHARS>(&body))
}

/// The connection of a token that [`mint`] made with this key, whatever has become of both; none for every other text,
/// and for tokens from before they named their connection. It is no sign that the token is good for anything.
#[must_use]
pub fn connection(key: &Key, text: &str) -> Option<ConnectionId> {
    let kind = token::parse(text).filter(|kind| kind.is_of_connection())?;
    let body = token::body(kind, text).filter(|body| body.len() == BODY_CHARS)?;
    let body: [u8; BODY_LEN] = base62::decode(body.as_bytes())?;
    let (random, rest) = body.split_first_chunk::<RANDOM_LEN>()?;
    let (id, tag) = rest.split_first_chunk::<ID_LEN>()?;
    seal::is_tag(key, &bound(kind, id), random, tag).then_some(ConnectionId(i64::from_be_bytes(*id)))
}

/// What the MAC binds beside the random part. The prefix also tells production from everything else.
fn bound(kind: Kind, id: &[u8; ID_LEN]) -> [&[u8]; 3] {
    [USE, kind.prefix().as_bytes(), id]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: Key = [7; 32];
    const KINDS: [Kind; 4] = [Kind::AccessLive, Kind::AccessTest, Kind::RefreshLive, Kind::RefreshTest];
    const ID: ConnectionId = ConnectionId(0x0123_4567_89ab_cdef);

    /// A token with other characters, as one would write it who knows the form.
    fn forged(kind: Kind, body: &[u8; BODY_LEN]) -> String {
        token::with_checksum(kind, &base62::encode::<BODY_LEN, BODY_CHARS>(body))
    }

    fn body_of(text: &str) -> [u8; BODY_LEN] {
        let kind = token::parse(text).unwrap();
        base62::decode(token::body(kind, text).unwrap().as_bytes()).unwrap()
    }

    #[test]
    fn form() {
        for kind in KINDS {
            let text = mint(&KEY, kind, ID, &[1; RANDOM_LEN]);
            assert!(text.starts_with(kind.prefix()));
            assert_eq!(text.len(), 16 + 60 + 6);
            assert_eq!(token::parse(&text), Some(kind));
        }
    }

    #[test]
    fn kinds_keys_and_uses_are_told_apart() {
        let text = mint(&KEY, Kind::RefreshTest, ID, &[1; RANDOM_LEN]);
        assert_eq!(connection(&KEY, &text), Some(ID));
        assert_eq!(connection(&[8; 32], &text), None);
        let body = body_of(&text);
        for kind in Kind::ALL {
            let expected = (kind == Kind::RefreshTest).then_some(ID);
            assert_eq!(connection(&KEY, &forged(kind, &body)), expected, "{kind:?}");
        }
        let id = ID.0.to_be_bytes();
        let mut other = body;
        let tag = seal::tag(&KEY, &[b"csrf", Kind::RefreshTest.prefix().as_bytes(), &id], &[1; RANDOM_LEN]);
        other[RANDOM_LEN + ID_LEN..].copy_from_slice(&tag);
        assert_eq!(connection(&KEY, &forged(Kind::RefreshTest, &other)), None);
    }

    #[test]
    fn tokens_of_the_old_form_name_nothing() {
        for kind in KINDS {
            let text = token::mint(kind, &[1; 32]);
            assert_eq!((token::parse(&text), connection(&KEY, &text)), (Some(kind), None));
        }
    }

    proptest! {
        #[test]
        fn names_its_connection(key: Key, id in 0..=i64::MAX, random: [u8; RANDOM_LEN]) {
            for kind in KINDS {
                let text = mint(&key, kind, ConnectionId(id), &random);
                prop_assert_eq!(connection(&key, &text), Some(ConnectionId(id)));
            }
        }

        #[test]
        fn one_changed_bit_is_refused(random: [u8; RANDOM_LEN], at in 0..BODY_LEN, bit in 0u8..8) {
            let mut body = body_of(&mint(&KEY, Kind::AccessTest, ID, &random));
            body[at] ^= 1 << bit;
            prop_assert_eq!(connection(&KEY, &forged(Kind::AccessTest, &body)), None);
        }

        #[test]
        fn one_changed_character_is_refused(random: [u8; RANDOM_LEN], at in 0..BODY_CHARS, new in "[0-9A-Za-z]") {
            let text = mint(&KEY, Kind::AccessTest, ID, &random);
            let mut body = token::body(Kind::AccessTest, &text).unwrap().to_owned();
            body.replace_range(at..=at, &new);
            let changed = token::with_checksum(Kind::AccessTest, body.as_bytes());
            prop_assert_eq!(connection(&KEY, &changed), (changed == text).then_some(ID));
        }

        #[test]
        fn no_text_panics(text in "(svc_mcp_at_test_)?.{0,80}") {
            prop_assert_eq!(connection(&KEY, &text), None);
        }
    }
}
