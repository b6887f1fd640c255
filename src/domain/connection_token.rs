//! Access and refresh tokens of connections. Each token contains the id of its connection.
//!
//! The row of a spent refresh token is deleted when the token expires. If the token is used again afterwards, the
//! connection must still be revoked (A-202, D-308). This is why a token contains the id of its connection
//! (docs/decisions/0008-tokens-that-name-their-connection.md).
//!
//! The body of a token is the base 62 encoding of 44 bytes: 160 random bits, the connection id, and a MAC. The MAC
//! covers the random bits, the connection id and the kind of the token. The random bits come first, so that the tokens
//! of one connection begin differently: traces show only the beginning of a token. The MAC proves only that a server
//! with the key issued the token. To check whether the token is valid, the server looks up the row of the token's
//! [`hash`](super::token::hash).

use super::{
    base62,
    ids::ConnectionId,
    seal,
    token::{self, CONNECTION_BODY_CHARS, TokenKind},
};

pub use super::seal::ServerKey;

/// Length of the random part in bytes: 160 bits (RFC 6749 §10.10).
pub const RANDOM_LEN: usize = 20;
const ID_LEN: usize = 8;
/// Length of the random part, the connection id and the MAC together in bytes.
const BODY_LEN: usize = RANDOM_LEN + ID_LEN + seal::MAC_LEN;

/// The purpose of the MAC. The MAC covers it, so a text that was sealed for another purpose is not accepted as a token.
const USE: &[u8] = b"connection token";
/// The purpose with which [`following`] derives the random part.
const USE_FOLLOWING: &[u8] = b"connection token that follows";
/// Length of the salt of [`following`] in bytes.
pub const SALT_LEN: usize = 32;

/// Creates a token of a connection. `kind` must be the kind of an access or refresh token. `random` must be new bytes
/// of a cryptographic random number generator, or derived by [`following`].
#[must_use]
pub fn mint(key: &ServerKey, kind: TokenKind, connection: ConnectionId, random: &[u8; RANDOM_LEN]) -> String {
    debug_assert!(kind.is_of_connection(), "{kind:?} is not a token of a connection");
    let id = connection.0.to_be_bytes();
    let tag = seal::tag(key, &bound(kind, &id), random);
    let mut body = [0; BODY_LEN];
    body[..RANDOM_LEN].copy_from_slice(random);
    body[RANDOM_LEN..RANDOM_LEN + ID_LEN].copy_from_slice(&id);
    body[RANDOM_LEN + ID_LEN..].copy_from_slice(&tag);
    token::with_checksum(kind, &base62::encode::<BODY_LEN, CONNECTION_BODY_CHARS>(&body))
}

/// Derives the random part of an access or refresh token for [`mint`]. A refresh with the refresh token `spent` issues
/// the token. The same arguments always give the same result, so a repeated refresh can return the same tokens
/// (docs/decisions/0026-refreshes-that-overlap.md). Somebody who lacks `key`, `spent` or `salt` cannot distinguish the
/// result from random bytes. `salt` must be new bytes of a cryptographic random number generator for each refresh. When
/// the salt is deleted, the result cannot be derived again.
#[must_use]
pub fn following(key: &ServerKey, kind: TokenKind, spent: &str, salt: &[u8; SALT_LEN]) -> [u8; RANDOM_LEN] {
    seal::derived(key, &[USE_FOLLOWING, kind.prefix().as_bytes(), salt], spent.as_bytes())
}

/// Returns the connection id in a token that [`mint`] created with this key. Returns `None` for any other text,
/// including tokens of the older format without a connection id. Does not check whether the token or the connection is
/// still valid.
#[must_use]
pub fn connection(key: &ServerKey, text: &str) -> Option<ConnectionId> {
    let kind = token::parse(text).filter(|kind| kind.is_of_connection())?;
    let body = token::body(kind, text).filter(|body| body.len() == CONNECTION_BODY_CHARS)?;
    let body: [u8; BODY_LEN] = base62::decode(body.as_bytes())?;
    let (random, rest) = body.split_first_chunk::<RANDOM_LEN>()?;
    let (id, tag) = rest.split_first_chunk::<ID_LEN>()?;
    seal::is_tag(key, &bound(kind, id), random, tag).then_some(ConnectionId(i64::from_be_bytes(*id)))
}

/// Returns the parts that the MAC covers in addition to the random part. The prefix of the kind distinguishes access
/// tokens from refresh tokens, and live tokens from test tokens.
fn bound(kind: TokenKind, id: &[u8; ID_LEN]) -> [&[u8]; 3] {
    [USE, kind.prefix().as_bytes(), id]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: ServerKey = [7; 32];
    const KINDS: [TokenKind; 4] =
        [TokenKind::AccessLive, TokenKind::AccessTest, TokenKind::RefreshLive, TokenKind::RefreshTest];
    const ID: ConnectionId = ConnectionId(0x0123_4567_89ab_cdef);

    /// Creates a token with this body, as an attacker who knows the format could.
    fn forged(kind: TokenKind, body: &[u8; BODY_LEN]) -> String {
        token::with_checksum(kind, &base62::encode::<BODY_LEN, CONNECTION_BODY_CHARS>(body))
    }

    fn body_of(text: &str) -> [u8; BODY_LEN] {
        let kind = token::parse(text).unwrap();
        base62::decode(token::body(kind, text).unwrap().as_bytes()).unwrap()
    }

    #[test]
    fn tokens_have_prefix_body_and_checksum() {
        for kind in KINDS {
            let text = mint(&KEY, kind, ID, &[1; RANDOM_LEN]);
            assert!(text.starts_with(kind.prefix()));
            assert_eq!(text.len(), 16 + 60 + 6);
            assert_eq!(token::parse(&text), Some(kind));
        }
    }

    #[test]
    fn kinds_keys_and_purposes_are_distinguished() {
        let text = mint(&KEY, TokenKind::RefreshTest, ID, &[1; RANDOM_LEN]);
        assert_eq!(connection(&KEY, &text), Some(ID));
        assert_eq!(connection(&[8; 32], &text), None);
        let body = body_of(&text);
        for kind in TokenKind::ALL {
            let expected = (kind == TokenKind::RefreshTest).then_some(ID);
            assert_eq!(connection(&KEY, &forged(kind, &body)), expected, "{kind:?}");
        }
        let id = ID.0.to_be_bytes();
        let mut other = body;
        let tag =
            seal::tag(&KEY, &[b"csrf", TokenKind::RefreshTest.prefix().as_bytes(), &id], &[1; RANDOM_LEN]);
        other[RANDOM_LEN + ID_LEN..].copy_from_slice(&tag);
        assert_eq!(connection(&KEY, &forged(TokenKind::RefreshTest, &other)), None);
    }

    #[test]
    fn derived_random_parts_depend_on_every_input() {
        let of = |key: u8, kind, spent, salt: u8| following(&[key; 32], kind, spent, &[salt; SALT_LEN]);
        let one = of(1, TokenKind::AccessTest, "spent", 1);
        assert_eq!(one, of(1, TokenKind::AccessTest, "spent", 1));
        for other in [
            of(2, TokenKind::AccessTest, "spent", 1),
            of(1, TokenKind::RefreshTest, "spent", 1),
            of(1, TokenKind::AccessLive, "spent", 1),
            of(1, TokenKind::AccessTest, "spend", 1),
            of(1, TokenKind::AccessTest, "spent", 2),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn tokens_of_the_old_format_contain_no_connection() {
        for kind in KINDS {
            let text = token::mint(kind, &[1; 32]);
            assert_eq!((token::parse(&text), connection(&KEY, &text)), (Some(kind), None));
        }
    }

    proptest! {
        #[test]
        fn a_token_contains_its_connection(key: ServerKey, id in 0..=i64::MAX, random: [u8; RANDOM_LEN]) {
            for kind in KINDS {
                let text = mint(&key, kind, ConnectionId(id), &random);
                prop_assert_eq!(connection(&key, &text), Some(ConnectionId(id)));
            }
        }

        #[test]
        fn one_changed_bit_is_refused(random: [u8; RANDOM_LEN], at in 0..BODY_LEN, bit in 0u8..8) {
            let mut body = body_of(&mint(&KEY, TokenKind::AccessTest, ID, &random));
            body[at] ^= 1 << bit;
            prop_assert_eq!(connection(&KEY, &forged(TokenKind::AccessTest, &body)), None);
        }

        #[test]
        fn one_changed_character_is_refused(random: [u8; RANDOM_LEN], at in 0..CONNECTION_BODY_CHARS, new in "[0-9A-Za-z]") {
            let text = mint(&KEY, TokenKind::AccessTest, ID, &random);
            let mut body = token::body(TokenKind::AccessTest, &text).unwrap().to_owned();
            body.replace_range(at..=at, &new);
            let changed = token::with_checksum(TokenKind::AccessTest, body.as_bytes());
            prop_assert_eq!(connection(&KEY, &changed), (changed == text).then_some(ID));
        }

        #[test]
        fn parsing_never_panics(text in "(svc_mcp_at_test_)?.{0,80}") {
            prop_assert_eq!(connection(&KEY, &text), None);
        }
    }
}
