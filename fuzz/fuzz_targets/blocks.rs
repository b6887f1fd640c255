//! Fuzzes blocks and metadata of messages. An input is JSON: an array of blocks, or an object of metadata.
//!
//! The JSON Schema and the validation in `domain` must accept the same blocks, except for a few rules that only one of
//! the two has. The checks below name these rules. Metadata up to the maximum size must be accepted, and merged
//! metadata never exceeds the maximum size.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value, json};
use switchboard::{
    contract::strict_json,
    domain::{blocks, json_fingerprint::compact_len, message},
    generated::bot,
};

fuzz_target!(|bytes: &[u8]| {
    match strict_json::read(bytes) {
        Ok(Value::Array(blocks)) => check_blocks(blocks),
        Ok(Value::Object(metadata)) => check_metadata(&metadata),
        _ => {}
    }
});

fn check_blocks(mut sent: Vec<Value>) {
    let mut body = json!({"text": "x", "blocks": sent.clone()});
    let contract = &bot::CONTRACT;
    match contract.check(contract.schema("MessageUpdate"), &mut body) {
        Ok(()) => {
            let taken = body["blocks"].as_array_mut().expect("blocks that the schema accepts are an array");
            if let Err(refusal) = blocks::check(taken) {
                let why = refusal.message.expect("the error message names the invalid block");
                assert!(
                    why.ends_with(".action_id must be unique in the message"),
                    "the validation rejects only what the schema cannot express: {why}"
                );
                return;
            }
            // the server renames the member `items` of a block to `fields`, and the new name is one byte longer
            assert!(
                compact_len(taken) <= 16_384 + blocks::MAX_BLOCKS,
                "accepted blocks have at most 16,384 bytes, plus one for each renamed member"
            );
            let mut again = body.clone();
            assert_eq!(contract.check(contract.schema("MessageUpdate"), &mut again), Ok(()));
            assert_eq!(again, body, "an accepted body is accepted again, unchanged");
        }
        Err(violation) => {
            assert!(violation.path.starts_with("blocks"), "the violation is in the blocks: {violation}");
            if blocks::check(&mut sent).is_ok() {
                let why = violation.to_string();
                assert!(
                    why.contains("U+0000") || why.contains("bytes"),
                    "the schema rejects only what the validation does not check: {why}"
                );
            }
        }
    }
}

fn check_metadata(given: &Map<String, Value>) {
    let stored = json!({"a": 1, "b": {"c": [null]}});
    let stored = stored.as_object().expect("an object");
    let is_small = compact_len(given) <= message::MAX_METADATA_BYTES;
    assert_eq!(message::check_metadata(given).is_ok(), is_small);
    let Ok(merged) = message::merge_metadata(Some(stored), given) else { return };
    assert!(compact_len(&merged) <= message::MAX_METADATA_BYTES);
    for (name, value) in given {
        let expected = Some(value).filter(|value| !value.is_null());
        assert_eq!(merged.get(name), expected, "a given member replaces the stored one, and null removes it");
    }
    for (name, value) in stored.iter().filter(|(name, _)| !given.contains_key(*name)) {
        assert_eq!(merged.get(name), Some(value), "members that were not given stay");
    }
    assert_eq!(
        message::merge_metadata(Some(&merged), given).as_ref(),
        Ok(&merged),
        "merging the same metadata again changes nothing"
    );
}
