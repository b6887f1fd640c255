//! Small helpers that many tests use: times, ids that do not exist, and JSON.

use std::time::Duration;

use serde_json::{Value, json};

use super::company::text;

/// A day and a minute. For a day after a send, its idempotency key is recognized in sends to every destination. After
/// that, the key is recognized only in sends to the same destination (B-421).
pub const PAST_A_DAY: Duration = Duration::from_secs(24 * 60 * 60 + 60);
/// A day minus a minute.
pub const WITHIN_A_DAY: Duration = Duration::from_secs(24 * 60 * 60 - 60);
/// Ids that were never assigned.
pub const NOBODY: &str = "usr_0000000000001";
pub const NOWHERE: &str = "grp_0000000000001";
pub const NOTHING: &str = "gmsg_0000000000001";

/// Returns a JSON object with these members added or replaced.
pub fn with(mut object: Value, members: Value) -> Value {
    for (name, value) in members.as_object().expect("members") {
        object[name] = value.clone();
    }
    object
}

/// Returns a JSON object without one of its members.
pub fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().expect("an object").remove(name);
    object
}

/// Returns the names of an object's members, sorted.
#[track_caller]
pub fn members(object: &Value) -> Vec<String> {
    let mut names: Vec<_> = object.as_object().expect("an object").keys().cloned().collect();
    names.sort();
    names
}

/// Returns the texts of messages, in their order.
pub fn texts(messages: &[Value]) -> Vec<String> {
    messages.iter().map(|m| text(m, "/text")).collect()
}

/// Returns `blocks` with one `section` block, exactly this many bytes long as compact JSON.
pub fn blocks_of(bytes: usize) -> Value {
    let frame = r#"[{"type":"section","text":""}]"#.len();
    json!([{"type": "section", "text": "x".repeat(bytes - frame)}])
}

/// Returns metadata with one member, exactly this many bytes long as compact JSON.
pub fn metadata_of(bytes: usize) -> Value {
    json!({"k": "x".repeat(bytes - r#"{"k":""}"#.len())})
}
