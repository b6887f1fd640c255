//! Rules for the parts of a message: the limits of text and metadata, the merging of metadata, and idempotency keys.

use std::time::Duration;

use serde_json::{Map, Value};

use super::json_fingerprint;
use super::refusal::{Code, Refusal};

/// Maximum length of a text in characters (Unicode code points, D-059); the minimum is 1.
pub const MAX_TEXT_CHARS: usize = 4_000;
/// Maximum size of metadata in bytes of compact JSON (D-066). It applies to the metadata of a request and to the result
/// of a merge (D-093).
pub const MAX_METADATA_BYTES: usize = 4 * 1024;
/// Maximum length of an idempotency key in characters; the minimum is 1.
pub const MAX_KEY_LEN: usize = 255;
/// Time for which a used idempotency key of a bot is refused for other destinations: 24 hours (D-047). In a destination
/// where the bot has used the key, the key is refused for another message forever. The idempotency keys of assistants'
/// drafts are stored for 24 hours.
pub const KEY_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

/// The metadata of a message: any JSON object.
pub type Metadata = Map<String, Value>;

/// Checks that a text has 1 to 4000 code points and no U+0000 (D-025). The text is neither trimmed nor normalized
/// before the check (D-060).
///
/// # Errors
/// `invalid_request` for a text that is empty, too long, or contains U+0000.
pub fn check_text(text: &str) -> Result<(), Refusal> {
    if text.is_empty() {
        return Err(Refusal::because(Code::InvalidRequest, "text must not be empty"));
    }
    // a text never has more characters than bytes, so the characters of most texts need not be counted
    if text.len() > MAX_TEXT_CHARS && text.chars().nth(MAX_TEXT_CHARS).is_some() {
        return Err(Refusal::because(Code::InvalidRequest, "text must have at most 4000 characters"));
    }
    if text.contains('\0') {
        return Err(Refusal::because(Code::InvalidRequest, "text must not contain U+0000"));
    }
    Ok(())
}

/// Checks the size of the metadata in a request.
///
/// # Errors
/// `invalid_request` if the metadata exceed 4096 bytes.
pub fn check_metadata(metadata: &Metadata) -> Result<(), Refusal> {
    if json_fingerprint::compact_len(metadata) > MAX_METADATA_BYTES {
        return Err(Refusal::because(Code::InvalidRequest, "metadata must have at most 4096 bytes of JSON"));
    }
    Ok(())
}

/// Returns the metadata of a message after an edit. Each member of `given` replaces the stored member of the same name;
/// a member with the value null removes it. All other stored members stay. The merge is shallow (D-092).
///
/// # Errors
/// `invalid_request` if the given or the merged object exceeds 4096 bytes (D-093).
pub fn merge_metadata(stored: Option<&Metadata>, given: &Metadata) -> Result<Metadata, Refusal> {
    check_metadata(given)?;
    let mut merged = stored.cloned().unwrap_or_default();
    for (name, value) in given {
        if value.is_null() {
            merged.remove(name);
        } else {
            merged.insert(name.clone(), value.clone());
        }
    }
    if json_fingerprint::compact_len(&merged) > MAX_METADATA_BYTES {
        return Err(Refusal::because(
            Code::InvalidRequest,
            "metadata must have at most 4096 bytes of JSON after it is merged with the stored metadata",
        ));
    }
    Ok(merged)
}

/// Checks the value of an `Idempotency-Key` header, and returns it as text. A key has 1 to 255 characters from 0x21 to
/// 0x7E.
///
/// # Errors
/// `invalid_request` for any other value, including an empty value (D-044).
pub fn check_key(header: &[u8]) -> Result<&str, Refusal> {
    let fits = (1..=MAX_KEY_LEN).contains(&header.len()) && header.iter().all(u8::is_ascii_graphic);
    match str::from_utf8(header) {
        Ok(key) if fits => Ok(key),
        _ => Err(Refusal::because(
            Code::InvalidRequest,
            "Idempotency-Key must have 1 to 255 visible ASCII characters and no spaces",
        )),
    }
}

/// Returns the stored form of an idempotency key: the first half of its SHA-256. A look-up also compares the id of the
/// user or conversation to which the key belongs, so the hash need not include this id.
#[must_use]
pub fn key_hash(key: &str) -> [u8; 16] {
    json_fingerprint::half_sha256(key.as_bytes())
}

/// Returns the stored form of an idempotency key that an assistant client has chosen. The hash includes the client id,
/// so two clients of an employee can use the same key for different drafts. It does not include the connection, so a
/// client can repeat a call after it has connected again.
#[must_use]
pub fn client_key_hash(client_id: &str, key: &str) -> [u8; 16] {
    // neither the client id nor the key contains U+0000, so different pairs have different hash inputs, and no pair has
    // the hash input of a key alone (`key_hash`)
    json_fingerprint::half_sha256(format!("{client_id}\0{key}").as_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn metadata(value: Value) -> Metadata {
        let Value::Object(metadata) = value else { panic!("an object") };
        metadata
    }

    /// Returns `{"k":"…"}` with this many bytes.
    fn metadata_of(bytes: usize) -> Metadata {
        metadata(json!({"k": "x".repeat(bytes - 8)}))
    }

    #[test]
    fn texts_are_counted_in_code_points() {
        for unit in ["a", "é", "😀", "\n", " "] {
            assert!(check_text(unit).is_ok());
            assert!(check_text(&unit.repeat(4_000)).is_ok());
            assert_eq!(check_text(&unit.repeat(4_001)).unwrap_err().code, Code::InvalidRequest);
        }
        assert!(check_text("").is_err());
        assert!(check_text("a\0b").is_err());
    }

    #[test]
    fn the_size_of_metadata_is_limited() {
        assert!(check_metadata(&metadata_of(4_096)).is_ok());
        assert_eq!(check_metadata(&metadata_of(4_097)).unwrap_err().code, Code::InvalidRequest);
        assert!(check_metadata(&Metadata::new()).is_ok());
    }

    #[test]
    fn metadata_is_merged_shallowly() {
        let stored = metadata(json!({"a": 1, "b": {"c": 2}, "d": 3}));
        let merged = merge_metadata(
            Some(&stored),
            &metadata(json!({"b": {"e": 4}, "d": null, "f": null, "g": [null]})),
        );
        assert_eq!(merged, Ok(metadata(json!({"a": 1, "b": {"e": 4}, "g": [null]}))));
        assert_eq!(merge_metadata(None, &metadata(json!({"a": null}))), Ok(Metadata::new()));
        assert_eq!(merge_metadata(Some(&stored), &Metadata::new()), Ok(stored));
    }

    #[test]
    fn given_and_merged_metadata_are_both_bounded() {
        let stored = metadata_of(4_000);
        assert!(merge_metadata(Some(&stored), &metadata(json!({"j": "x".repeat(89)}))).is_ok());
        assert!(merge_metadata(Some(&stored), &metadata(json!({"j": "x".repeat(90)}))).is_err());
        assert!(merge_metadata(Some(&stored), &metadata_of(4_096)).is_ok());
        assert!(merge_metadata(Some(&stored), &metadata_of(4_097)).is_err());
        // the given metadata is too large, although the merge would remove its member
        assert!(merge_metadata(None, &metadata(json!({"x".repeat(4_096): null}))).is_err());
    }

    #[test]
    fn idempotency_keys_are_visible_ascii() {
        for good in ["!", "~", "a:b,c", &"k".repeat(255)] {
            assert_eq!(check_key(good.as_bytes()), Ok(good));
        }
        for bad in ["", " ", "a b", "a\t", "\x7f", "é", &"k".repeat(256)] {
            assert_eq!(check_key(bad.as_bytes()).unwrap_err().code, Code::InvalidRequest, "{bad}");
        }
        assert!(check_key(b"\xff").is_err());
        assert_ne!(key_hash("a"), key_hash("A"));
    }

    proptest! {
        #[test]
        fn keys_follow_their_pattern(header in prop_oneof![
            any::<Vec<u8>>(),
            proptest::collection::vec(0x20_u8..=0x7f, 0..50),
            proptest::collection::vec(0x21_u8..=0x7e, 250..=260),
        ]) {
            let fits = (1..=255).contains(&header.len()) && header.iter().all(|byte| (0x21..=0x7e).contains(byte));
            prop_assert_eq!(check_key(&header).is_ok(), fits);
        }

        #[test]
        fn merging_is_idempotent(stored: Vec<(String, u8)>, given: Vec<(String, Option<u8>)>) {
            let stored: Metadata = stored.into_iter().map(|(name, value)| (name, value.into())).collect();
            let given: Metadata = given.into_iter().map(|(name, value)| (name, value.into())).collect();
            if let Ok(once) = merge_metadata(Some(&stored), &given) {
                prop_assert_eq!(merge_metadata(Some(&once), &given), Ok(once));
            }
        }
    }
}
