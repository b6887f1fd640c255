//! The strict JSON reader against `serde_json`, and the canonical text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use switchboard::{
    contract::json,
    domain::json::{canonical, compact_len, fingerprint},
};

fuzz_target!(|bytes: &[u8]| {
    let plain = serde_json::from_slice::<Value>(bytes);
    match (json::read(bytes), plain) {
        (Ok(value), plain) => check(&value, &plain.expect("what is read strictly is JSON")),
        (Err(why), Ok(_)) => {
            let known = ["levels", "twice", "out of range", "reserved"];
            assert!(
                known.iter().any(|reason| why.contains(reason)),
                "valid JSON is refused for its rules only: {why}"
            );
        }
        (Err(_), Err(_)) => {}
    }
});

fn check(value: &Value, plain: &Value) {
    let text = canonical(value);
    assert_eq!(text, canonical(plain), "both readers understand the same");
    let again: Value = serde_json::from_slice(&text).expect("the canonical text is JSON");
    assert_eq!(canonical(&again), text, "the canonical text is a fixed point");
    let written = serde_json::to_vec(value).expect("a value is written");
    assert_eq!(compact_len(value), written.len());
    assert_eq!(json::read(&written).as_ref(), Ok(value), "what was read and written is read the same");
    let pretty = serde_json::to_vec_pretty(value).expect("a value is written");
    let pretty = json::read(&pretty).expect("white space does not matter");
    assert_eq!(fingerprint(&pretty), fingerprint(value));
}
