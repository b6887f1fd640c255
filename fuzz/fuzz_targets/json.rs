//! Compares the strict JSON parser with `serde_json`, and checks the canonical form, the compact length and the
//! fingerprint of the parsed value.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use switchboard::{
    contract::strict_json,
    domain::json_fingerprint::{canonical, compact_len, fingerprint},
};

fuzz_target!(|bytes: &[u8]| {
    let plain = serde_json::from_slice::<Value>(bytes);
    match (strict_json::read(bytes), plain) {
        (Ok(value), plain) => check_value(&value, &plain.expect("the strict parser accepts only JSON")),
        (Err(why), Ok(_)) => {
            let known = ["levels", "twice", "out of range", "reserved"];
            assert!(
                known.iter().any(|reason| why.contains(reason)),
                "the strict parser rejects valid JSON only for too many levels, a member that occurs twice, a number \
                 out of range or a reserved member name: {why}"
            );
        }
        (Err(_), Err(_)) => {}
    }
});

fn check_value(value: &Value, plain: &Value) {
    let text = canonical(value);
    assert_eq!(text, canonical(plain), "the values of both parsers have the same canonical form");
    let again: Value = serde_json::from_slice(&text).expect("the canonical text is JSON");
    assert_eq!(canonical(&again), text, "the canonical form of a canonical text is the same text");
    let written = serde_json::to_vec(value).expect("a value is serialized");
    assert_eq!(compact_len(value), written.len(), "the compact length is the length of the serialized value");
    assert_eq!(
        strict_json::read(&written).as_ref(),
        Ok(value),
        "a serialized value is parsed to the same value"
    );
    let pretty = serde_json::to_vec_pretty(value).expect("a value is serialized");
    let pretty = strict_json::read(&pretty).expect("white space between tokens is accepted");
    assert_eq!(fingerprint(&pretty), fingerprint(value), "white space does not change the fingerprint");
}
