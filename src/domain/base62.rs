//! Base 62 encoding: the bytes are one big-endian number, which is written in the digits 0-9, A-Z and a-z. Used by
//! [`super::token`] and [`super::connection_token`] for the bodies and checksums of tokens.

/// The digits, in ASCII order because [`decode`] uses a binary search.
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Maximum length of a number, counted in words of 32 bits.
const MAX_WORDS: usize = 11;

/// Encodes `N` bytes, read as one big-endian number, in `LEN` digits with leading zeros. `N` must be a multiple of 4
/// and at most 44.
#[must_use]
pub fn encode<const N: usize, const LEN: usize>(bytes: &[u8; N]) -> [u8; LEN] {
    const {
        assert!(N.is_multiple_of(4) && N <= 4 * MAX_WORDS);
        // the largest number of `N` bytes must fit in `LEN` digits; a digit holds log2 62 = 5.954… bits
        assert!(LEN * 5_954 >= 8 * N * 1_000);
    }
    let mut number = [0u32; MAX_WORDS];
    let number = &mut number[..N / 4];
    for (word, four) in number.iter_mut().zip(bytes.as_chunks().0) {
        *word = u32::from_be_bytes(*four);
    }
    let mut text = [DIGITS[0]; LEN];
    for digit in text.iter_mut().rev() {
        let mut remainder = 0u64;
        for word in number.iter_mut() {
            let part = remainder << 32 | u64::from(*word);
            // the remainder is below 62, so the quotient is below 2^32
            *word = (part / 62) as u32;
            remainder = part % 62;
        }
        *digit = DIGITS[remainder as usize];
    }
    text
}

/// Decodes digits to `N` bytes. Returns `None` if the text contains a character that is not a digit of base 62, or if
/// its number does not fit in `N` bytes. So two different texts of the same length are never decoded to the same bytes.
#[must_use]
pub fn decode<const N: usize>(text: &[u8]) -> Option<[u8; N]> {
    const { assert!(N.is_multiple_of(4) && N <= 4 * MAX_WORDS) };
    let mut number = [0u32; MAX_WORDS];
    let number = &mut number[..N / 4];
    for digit in text {
        let mut carry = DIGITS.binary_search(digit).ok()? as u64;
        for word in number.iter_mut().rev() {
            let part = u64::from(*word) * 62 + carry;
            // the word keeps the lower half of `part`, and the upper half is the carry
            *word = part as u32;
            carry = part >> 32;
        }
        if carry != 0 {
            return None;
        }
    }
    let mut bytes = [0; N];
    for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(number) {
        *four = word.to_be_bytes();
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_numbers_are_encoded() {
        assert_eq!(&encode::<4, 6>(&[0; 4]), b"000000");
        assert_eq!(&encode::<4, 6>(&63u32.to_be_bytes()), b"000011");
        assert_eq!(&encode::<4, 6>(&u32::MAX.to_be_bytes()), b"4gfFC3");
        // the largest 256-bit number needs all 43 digits
        assert_ne!(encode::<32, 43>(&[0xff; 32])[0], b'0');
    }

    #[test]
    fn invalid_digits_and_overflows_are_rejected() {
        assert_eq!(decode::<4>(b"4gfFC3"), Some([0xff; 4]));
        assert_eq!(decode::<4>(b"4gfFC4"), None, "the number does not fit in 4 bytes");
        assert_eq!(decode::<4>(b"zzzzzz"), None);
        for other in [&b"-"[..], b" 1", b"\xff", "é".as_bytes()] {
            assert_eq!(decode::<4>(other), None, "{other:?}");
        }
        assert_eq!(decode::<4>(b""), Some([0; 4]));
    }

    proptest! {
        #[test]
        fn encoding_round_trips(short: [u8; 4], long: [u8; 32], longest in prop::array::uniform::<_, 44>(any::<u8>())) {
            prop_assert_eq!(decode(&encode::<4, 6>(&short)), Some(short));
            prop_assert_eq!(decode(&encode::<32, 43>(&long)), Some(long));
            prop_assert_eq!(decode(&encode::<44, 60>(&longest)), Some(longest));
        }

        #[test]
        fn decoding_then_encoding_returns_the_text(text in "[0-9A-Za-z]{6}") {
            if let Some(bytes) = decode::<4>(text.as_bytes()) {
                prop_assert_eq!(&encode::<4, 6>(&bytes)[..], text.as_bytes());
            }
        }
    }
}
