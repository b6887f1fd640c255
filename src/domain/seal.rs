//! Sealed texts: a few bytes with a MAC, as unpadded base64url. [`super::cursor`], [`super::links`], [`super::csrf`]
//! and [`super::console_session`] use them. [`super::connection_token`] uses only the MAC and [`derived`].
//! [`super::signature`] uses only [`keyed`].
//!
//! [`open`] accepts a text only exactly as [`seal`] wrote it: base64 of fixed length, without padding and without stray
//! trailing bits. The MAC covers the payload and some values that are not part of the text (`bound`).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// A key of the server, with 256 bits of entropy.
pub type ServerKey = [u8; 32];

/// Length of a MAC in bytes: HMAC-SHA256 truncated to 128 bits. RFC 2104 §5 recommends at least half of the hash
/// length. An attacker who has to send each guess to the server cannot guess 128 bits.
pub(super) const MAC_LEN: usize = 16;
/// Maximum length of a payload in bytes.
const MAX_PAYLOAD: usize = 32;

/// Computes the MAC state over `bound` and `payload`. Each part is prefixed with its length, so that different lists of
/// parts never lead to the same input of the MAC.
fn mac(key: &ServerKey, bound: &[&[u8]], payload: &[u8]) -> Hmac<Sha256> {
    let mut mac = keyed(key);
    for part in bound.iter().chain([&payload]) {
        mac.update(&(part.len() as u64).to_be_bytes());
        mac.update(part);
    }
    mac
}

/// Creates an HMAC-SHA256 with a key of any length.
pub(super) fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::new_from_slice(key).expect("HMAC takes keys of every length")
}

/// Returns the MAC alone, for modules with another text format. `bound` and `payload` are as in [`seal`].
pub(super) fn tag(key: &ServerKey, bound: &[&[u8]], payload: &[u8]) -> [u8; MAC_LEN] {
    let mac = mac(key, bound, payload).finalize().into_bytes();
    let mut tag = [0; MAC_LEN];
    tag.copy_from_slice(&mac[..MAC_LEN]);
    tag
}

/// Derives `N` secret bytes by HMAC-SHA256. `bound` and `payload` are as in [`seal`].
pub(super) fn derived<const N: usize>(key: &ServerKey, bound: &[&[u8]], payload: &[u8]) -> [u8; N] {
    const { assert!(N <= 32) };
    let mac = mac(key, bound, payload).finalize().into_bytes();
    let mut bytes = [0; N];
    bytes.copy_from_slice(&mac[..N]);
    bytes
}

/// Returns whether `tag` is the MAC that [`tag`] computes. Compares in constant time.
pub(super) fn is_tag(key: &ServerKey, bound: &[&[u8]], payload: &[u8], tag: &[u8]) -> bool {
    tag.len() == MAC_LEN && mac(key, bound, payload).verify_truncated_left(tag).is_ok()
}

/// Seals a payload. `bound` are values that the caller of [`open`] must provide again. The first value names the
/// purpose, so a text that was sealed for one purpose is rejected for another purpose.
pub(super) fn seal<const N: usize>(key: &ServerKey, bound: &[&[u8]], payload: &[u8; N]) -> String {
    const { assert!(N <= MAX_PAYLOAD) };
    let mut bytes = [0; MAX_PAYLOAD + MAC_LEN];
    bytes[..N].copy_from_slice(payload);
    bytes[N..N + MAC_LEN].copy_from_slice(&tag(key, bound, payload));
    URL_SAFE_NO_PAD.encode(&bytes[..N + MAC_LEN])
}

/// Returns the payload of a sealed text; `None` for any invalid text.
pub(super) fn open<const N: usize>(key: &ServerKey, bound: &[&[u8]], text: &str) -> Option<[u8; N]> {
    const { assert!(N <= MAX_PAYLOAD) };
    if text.len() != ((N + MAC_LEN) * 4).div_ceil(3) {
        return None;
    }
    // the decoder requires space for whole groups of three bytes
    let mut bytes = [0; MAX_PAYLOAD + MAC_LEN + 2];
    let len = URL_SAFE_NO_PAD.decode_slice(text, &mut bytes).ok()?;
    let (payload, tag) = bytes[..len].split_first_chunk::<N>()?;
    is_tag(key, bound, payload, tag).then_some(*payload)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: ServerKey = [7; 32];

    proptest! {
        #[test]
        fn opens_what_was_sealed(key: ServerKey, a: Vec<u8>, b: Vec<u8>, payload: [u8; 17]) {
            let text = seal(&key, &[&a, &b], &payload);
            prop_assert_eq!(open::<17>(&key, &[&a, &b], &text), Some(payload));
        }

        #[test]
        fn one_changed_bit_is_refused(payload: [u8; 8], at in 0usize..32, bit in 0u8..7) {
            let text = seal(&KEY, &[b"a"], &payload);
            let mut changed = text.clone().into_bytes();
            changed[at] ^= 1 << bit;
            let changed = String::from_utf8(changed).unwrap();
            prop_assert_eq!(open::<8>(&KEY, &[b"a"], &changed), None);
        }

        #[test]
        fn opening_never_panics(text in ".{0,80}") {
            prop_assert_eq!(open::<8>(&KEY, &[], &text), None);
        }
    }

    #[test]
    fn the_encoding_is_unique() {
        // 23 bytes have 31 characters, and the last character has more bits than the bytes need
        let payload = [1; 7];
        let text = seal(&KEY, &[b"a"], &payload);
        assert_eq!((text.len(), open::<7>(&KEY, &[b"a"], &text)), (31, Some(payload)));
        let mut accepted = 0;
        for last in b'!'..=b'~' {
            let changed = format!("{}{}", &text[..30], char::from(last));
            accepted += usize::from(open::<7>(&KEY, &[b"a"], &changed).is_some());
        }
        assert_eq!(accepted, 1);
        for wrong in
            [format!("{text}="), format!("{text}A"), text[..30].to_owned(), format!(" {text}"), String::new()]
        {
            assert_eq!(open::<7>(&KEY, &[b"a"], &wrong), None, "{wrong}");
        }
    }

    #[test]
    fn bound_parts_are_unambiguous() {
        let text = seal(&KEY, &[b"ab", b"c"], &[0; 8]);
        assert_eq!(open::<8>(&KEY, &[b"a", b"bc"], &text), None);
        assert_eq!(open::<8>(&KEY, &[b"ab", b"c", b""], &text), None);
        assert_eq!(open::<8>(&[8; 32], &[b"ab", b"c"], &text), None);
    }
}
