//! Canonical form, fingerprints and sizes of JSON values.
//!
//! An idempotency key may be sent again only with an equal body, so the server compares the fingerprints of bodies. Two
//! bodies are equal if they are the same JSON value (D-048). So whitespace, member order, escapes and the spelling of
//! numbers make no difference. There are two exceptions:
//!
//! - A body with the top-level member `thread_id: null` is equal to the same body without this member.
//! - Numbers other than zero whose exponents do not fit in 64 bits are equal only if their spelling is the same, apart
//!   from the case of the `e`.

use std::io;

use serde::Serialize;
use serde_json::{Map, Number, Value};
use sha2::{Digest as _, Sha256};

/// The stored fingerprint of a body: the first half of a SHA-256 hash.
pub type Fingerprint = [u8; 16];

/// Returns the fingerprint of a body: a bot's message, or the arguments of a tool call. A top-level member
/// `thread_id: null` counts as absent, because both mean "not a reply" (D-048).
#[must_use]
pub fn fingerprint(body: &Value) -> Fingerprint {
    let mut text = Vec::with_capacity(512);
    match body {
        Value::Object(members) => {
            write_object(&mut text, members, |name, value| name == "thread_id" && value.is_null());
        }
        other => write_value(&mut text, other),
    }
    half_sha256(&text)
}

/// Returns the first half of the SHA-256 hash of `bytes`.
pub(super) fn half_sha256(bytes: &[u8]) -> [u8; 16] {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    *digest.first_chunk().expect("16 bytes are within 32")
}

/// Returns the canonical text of a JSON value, similar to RFC 8785: no whitespace, members sorted by the UTF-16 code
/// units of their names, and the shortest escapes.
///
/// RFC 8785 rounds numbers to doubles. This function keeps every digit, so different large integers stay different. It
/// writes a number as its significant digits and a power of ten (`15e-1`, `1e2`, `7`). So `1`, `1.0` and `1e0` have the
/// same canonical text. A number other than zero whose exponent does not fit in 64 bits keeps its original spelling, in
/// lower case.
#[must_use]
pub fn canonical(value: &Value) -> Vec<u8> {
    let mut text = Vec::with_capacity(512);
    write_value(&mut text, value);
    text
}

/// Returns the length in bytes of the compact JSON serialization in UTF-8. Size limits apply to this length (D-066).
/// Returns `usize::MAX` for a value that cannot be serialized.
#[must_use]
pub fn compact_len(value: &impl Serialize) -> usize {
    struct Counter(usize);
    impl io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // a value that cannot be serialized exceeds every limit; JSON values can always be serialized
    serde_json::to_writer(&mut counter, value).map_or(usize::MAX, |()| counter.0)
}

fn write_value(text: &mut Vec<u8>, value: &Value) {
    match value {
        Value::Null => text.extend(b"null"),
        Value::Bool(true) => text.extend(b"true"),
        Value::Bool(false) => text.extend(b"false"),
        Value::Number(number) => write_number(text, number),
        Value::String(string) => write_string(text, string),
        Value::Array(items) => {
            text.push(b'[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(b',');
                }
                write_value(text, item);
            }
            text.push(b']');
        }
        Value::Object(members) => write_object(text, members, |_, _| false),
    }
}

fn write_object(text: &mut Vec<u8>, members: &Map<String, Value>, leave_out: impl Fn(&str, &Value) -> bool) {
    let mut members: Vec<_> = members.iter().filter(|(name, value)| !leave_out(name, value)).collect();
    members.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    text.push(b'{');
    for (at, (name, value)) in members.into_iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        write_string(text, name);
        text.push(b':');
        write_value(text, value);
    }
    text.push(b'}');
}

/// Writes a string. `serde_json` uses exactly the escapes of RFC 8785 §3.2.2.2.
fn write_string(text: &mut Vec<u8>, string: &str) {
    serde_json::to_writer(text, string).expect("serializing a string into a Vec cannot fail");
}

/// Writes the significant digits and the power of ten. The number is never written out with all its zeros, because
/// `1e999999999` would then occupy a gigabyte of memory.
fn write_number(text: &mut Vec<u8>, number: &Number) {
    let written = number.as_str();
    let (sign, magnitude) = match written.strip_prefix('-') {
        Some(magnitude) => ("-", magnitude),
        None => ("", written),
    };
    let (mantissa, exponent) = magnitude.split_once(['e', 'E']).unwrap_or((magnitude, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let leading = digits.trim_start_matches('0');
    let significant = leading.trim_end_matches('0');
    if significant.is_empty() {
        // as in RFC 8785, minus zero is zero
        return text.push(b'0');
    }
    let zeros = leading.len() - significant.len();
    let Some(power) = power_of_ten(exponent, zeros, fraction.len()) else {
        // the exponent does not fit in 64 bits
        return text.extend(written.to_ascii_lowercase().bytes());
    };
    text.extend(sign.bytes());
    text.extend(significant.bytes());
    if power != 0 {
        text.extend(format!("e{power}").bytes());
    }
}

/// Returns the exponent of the power of ten by which the significant digits are multiplied. Returns `None` if this
/// exponent, or the exponent in the text, does not fit in 64 bits.
fn power_of_ten(exponent: &str, trailing_zeros: usize, fraction_digits: usize) -> Option<i64> {
    let exponent: i64 = exponent.parse().ok()?;
    exponent.checked_add_unsigned(trailing_zeros as u64)?.checked_sub_unsigned(fraction_digits as u64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text(json: &str) -> String {
        String::from_utf8(canonical(&serde_json::from_str(json).unwrap())).unwrap()
    }

    #[test]
    fn equal_numbers_have_one_canonical_form() {
        for same in [
            &["1", "1.0", "1e0", "1E+0", "10e-1", "0.1e1", "1.000"][..],
            &["0", "-0", "0.0", "-0e5", "0e99999999999999999999"],
            &["100", "1e2", "100.0", "1E2", "0.1e3"],
            &["-1.5", "-15e-1", "-1.50"],
            &["12345678901234567890123", "12345678901234567890123.0"],
            &["1e999999999", "10e999999998"],
        ] {
            for other in same {
                assert_eq!(text(other), text(same[0]), "{other}");
            }
        }
        for (a, b) in [
            ("9007199254740993", "9007199254740992"),
            ("1", "-1"),
            ("1", "10"),
            ("0.1", "0.10000000000000001"),
            ("1e400", "1e401"),
            ("1e99999999999999999999", "1e99999999999999999998"),
            ("1e99999999999999999999", "1e-99999999999999999999"),
        ] {
            assert_ne!(text(a), text(b), "{a} {b}");
        }
        assert_eq!(text("[1.5e3, -0.25, 120]"), "[15e2,-25e-2,12e1]");
    }

    #[test]
    fn members_sort_by_utf16() {
        // U+1F600 is D83D DE00 in UTF-16, so it sorts before U+FB33. In UTF-8 it would sort after U+FB33 (RFC 8785
        // §3.2.3).
        assert_eq!(
            text("{\"\u{fb33}\":1,\"\u{1f600}\":2,\"b\":3,\"a\":{\"d\":4,\"c\":5}}"),
            "{\"a\":{\"c\":5,\"d\":4},\"b\":3,\"\u{1f600}\":2,\"\u{fb33}\":1}"
        );
        assert_eq!(text(r#""\u00e9\u000a\u001f\/""#), "\"é\\n\\u001f/\"");
    }

    #[test]
    fn only_a_top_level_thread_id_null_counts_as_absent() {
        let print = |value: Value| fingerprint(&value);
        assert_eq!(print(json!({"text": "a", "thread_id": null})), print(json!({"text": "a"})));
        assert_ne!(print(json!({"text": "a", "thread_id": ""})), print(json!({"text": "a"})));
        assert_ne!(print(json!({"m": {"thread_id": null}})), print(json!({"m": {}})));
        assert_ne!(print(json!({"text": "a", "other": null})), print(json!({"text": "a"})));
        assert_ne!(print(json!({"text": "a", "blocks": []})), print(json!({"text": "a"})));
        assert_eq!(print(json!([1])), print(serde_json::from_str("[1.0]").unwrap()));
    }

    #[test]
    fn sizes_count_compact_utf8_bytes() {
        assert_eq!(compact_len(&json!({"a": "é"})), 10);
        assert_eq!(
            compact_len(&serde_json::from_str::<Value>("[ 1.0 , 12345678901234567890 ]").unwrap()),
            26
        );
        assert_eq!(compact_len(&Map::new()), 2);
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn canonical_text_is_a_fixed_point_and_still_json(value in any_json()) {
            let once = canonical(&value);
            let again: Value = serde_json::from_slice(&once).unwrap();
            prop_assert_eq!(canonical(&again), once);
        }

        #[test]
        fn whitespace_does_not_change_the_fingerprint(value in any_json()) {
            let pretty: Value = serde_json::from_str(&serde_json::to_string_pretty(&value).unwrap()).unwrap();
            prop_assert_eq!(fingerprint(&pretty), fingerprint(&value));
            prop_assert_eq!(compact_len(&value), serde_json::to_string(&value).unwrap().len());
        }

        #[test]
        fn integers_keep_all_digits(a: i128, b: i128) {
            prop_assert_eq!(text(&a.to_string()) == text(&b.to_string()), a == b);
            prop_assert_eq!(text(&format!("{a}.0")), text(&a.to_string()));
        }
    }
}
