//! Tests of the validation of bodies against the schemas of a document.

use serde_json::{Map, Value, json};

use crate::{
    contract::{Contract, Violation},
    domain::refusal::Code,
};

const SCHEMAS: &str = r##"{
    "Thing": {"type":"object","required":["text"],"x-ignored-members":["old"],"properties":{
        "blocks":{"type":"array","maxItems":2,"x-max-bytes":60,"x-invalid-code":"invalid_blocks","items":{"$ref":"#/components/schemas/Block"}},
        "text":{"type":"string","minLength":1,"maxLength":5},
        "note":{"type":"string","nullable":true,"pattern":"^[a-z]+$"},
        "flag":{"type":"boolean"},
        "count":{"type":"integer","minimum":1,"maximum":10},
        "at":{"type":"string","format":"date-time"},
        "kind":{"$ref":"#/components/schemas/Kind"},
        "maybe":{"allOf":[{"$ref":"#/components/schemas/Kind"}],"nullable":true},
        "ok":{"$ref":"#/components/schemas/True"},
        "meta":{"type":"object","additionalProperties":{},"x-max-bytes":20},
        "tags":{"type":"array","uniqueItems":true,"maxItems":3,"x-max-items-code":"conflict","items":{"type":"string","minLength":1}}
    }},
    "Kind": {"type":"string","enum":["a","b"]},
    "True": {"type":"boolean","enum":[true]},
    "Block": {"oneOf":[{"$ref":"#/components/schemas/Head"},{"$ref":"#/components/schemas/Fields"}],
        "discriminator":{"propertyName":"type","mapping":{"head":"#/components/schemas/Head","fields":"#/components/schemas/Fields"}}},
    "Head": {"type":"object","required":["type","text"],"properties":{"type":{"type":"string","enum":["head"]},"text":{"type":"string","minLength":1}}},
    "Fields": {"type":"object","required":["type","fields"],"properties":{"type":{"type":"string","enum":["fields"]},
        "fields":{"type":"array","minItems":1,"maxItems":2,"x-alias":"items","items":{"type":"string"}}}}
}"##;

fn contract() -> Contract {
    Contract::compile(&serde_json::from_str::<Map<_, _>>(SCHEMAS).expect("JSON"))
}

fn check(body: &Value) -> Result<Value, Violation> {
    let contract = contract();
    let mut body = body.clone();
    contract.check(contract.schema("Thing"), &mut body).map(|()| body)
}

fn with(name: &str, value: Value) -> Value {
    let mut body = json!({"text": "x"});
    body[name] = value;
    body
}

#[test]
fn u0000_is_rejected_with_the_code_of_the_member_that_contains_it() {
    for (body, path, code) in [
        (with("text", json!("\0")), "text", None),
        (with("meta", json!({"a": "\0"})), "meta.a", None),
        (with("meta", json!({"\0": 1})), "meta", None),
        (with("more", json!([{"a": "\0"}])), "more", None),
        (with("\0", json!(1)), "", None),
        (with("meta", json!({"old": "\0"})), "meta.old", None),
        (with("tags", json!(["\0"])), "tags[0]", None),
        (
            with("blocks", json!([{"type": "head", "text": "\0"}])),
            "blocks[0].text",
            Some(Code::InvalidBlocks),
        ),
        (
            with("blocks", json!([{"type": "head", "text": "h", "more": "\0"}])),
            "blocks[0].more",
            Some(Code::InvalidBlocks),
        ),
    ] {
        let violation = check(&body).unwrap_err();
        assert_eq!((violation.path.as_str(), violation.code), (path, code), "{body}");
        assert!(violation.problem.contains("U+0000"), "{violation}");
    }
}

#[test]
fn valid_bodies_pass() {
    for body in [
        json!({"text": "x"}),
        json!({"text": "ααααα", "unknown": [1]}),
        with("note", json!(null)),
        with("note", json!("abc")),
        with("flag", json!(false)),
        with("at", json!("2026-11-20T17:35:00+01:00")),
        with("kind", json!("b")),
        with("maybe", json!(null)),
        with("ok", json!(true)),
        with("meta", json!({"a": {"b": 1}})),
        with("blocks", json!([{"type": "head", "text": "h", "more": 1}])),
        with("blocks", json!([])),
        with("tags", json!(["a", "b", "c"])),
        with("old", json!([{"\0": "\0"}])),
    ] {
        assert_eq!(check(&body), Ok(body));
    }
}

#[test]
fn violations_name_the_member() {
    let long = "ab".repeat(200);
    for (body, said, code) in [
        (json!([]), "the body must be an object", None),
        (json!({}), "`text` is missing", None),
        (json!({"text": 1}), "`text` must be a string", None),
        (json!({"text": ""}), "`text` must have at least 1 characters", None),
        (json!({"text": "123456"}), "`text` must have at most 5 characters", None),
        (with("text", json!(null)), "`text` must be a string", None),
        (with("note", json!("A")), "`note` must match ^[a-z]+$", None),
        (with("flag", json!(null)), "`flag` must be true or false", None),
        (with("flag", json!("true")), "`flag` must be true or false", None),
        (with("count", json!(0)), "`count` must be at least 1", None),
        (with("count", json!(11)), "`count` must be at most 10", None),
        (with("count", json!(1.5)), "`count` must be a whole number", None),
        (with("count", json!("1")), "`count` must be a whole number", None),
        (with("count", json!(u64::MAX)), "`count` must be at most 10", None),
        (with("count", json!(-1e20)), "`count` must be at least 1", None),
        (with("kind", json!(long)), "`kind` must be \"a\" or \"b\"", None),
        (with("kind", json!(null)), "`kind` must be \"a\" or \"b\"", None),
        (with("ok", json!(false)), "`ok` must be true", None),
        (with("meta", json!([])), "`meta` must be an object", None),
        (with("tags", json!(["a", ""])), "`tags[1]` must have at least 1 characters", None),
        (with("tags", json!(["a", "a"])), "`tags` must not contain an item twice", None),
        (with("tags", json!(["a", "b", "c", "d"])), "`tags` must have at most 3 items", Some(Code::Conflict)),
        (with("blocks", json!({})), "`blocks` must be an array", Some(Code::InvalidBlocks)),
        (
            with("blocks", json!([{"type": "z"}])),
            "`blocks[0].type` must be \"fields\" or \"head\"",
            Some(Code::InvalidBlocks),
        ),
        (with("blocks", json!([1])), "`blocks[0]` must be an object", Some(Code::InvalidBlocks)),
        (with("blocks", json!([{"type": "head"}])), "`blocks[0].text` is missing", Some(Code::InvalidBlocks)),
    ] {
        let violation = check(&body).expect_err("an invalid body is rejected");
        assert_eq!((violation.to_string().as_str(), violation.code), (said, code));
    }
    let violation = check(&with("at", json!("x".repeat(500)))).expect_err("an invalid time is rejected");
    assert!(violation.to_string().len() < 130, "a long value is shortened in the message: {violation}");
}

#[test]
fn a_violation_of_a_member_without_its_own_code_takes_precedence() {
    let violation = check(&json!({"blocks": [1], "text": 1})).expect_err("an invalid body is rejected");
    assert_eq!((violation.path.as_str(), violation.code), ("text", None));
}

#[test]
fn the_size_is_checked_first_then_the_number_of_items_then_the_items() {
    let block = json!({"type": "head", "text": "12345678901234567890"});
    let violation =
        check(&with("blocks", json!([block, block, block]))).expect_err("too many bytes are rejected");
    assert_eq!(violation.code, Some(Code::InvalidRequest));
    assert_eq!(violation.to_string(), "`blocks` must have at most 60 bytes as compact JSON");
    let violation = check(&with("blocks", json!([1, 2, 3]))).expect_err("too many items are rejected");
    assert_eq!(violation.to_string(), "`blocks` must have at most 2 items");
    // exactly 20 bytes pass
    assert!(check(&with("meta", json!({"abc": "0123456789"}))).is_ok());
    assert!(check(&with("meta", json!({"abc": "01234567890"}))).is_err());
    // `meta` is too large (`invalid_request`), and this violation takes precedence over that of `blocks`, whose code is
    // `invalid_blocks`
    let both = json!({"text": "x", "blocks": [1], "meta": {"abc": "01234567890"}});
    assert_eq!(check(&both).expect_err("an invalid body is rejected").path, "meta");
}

#[test]
fn an_alias_is_replaced_by_the_name() {
    let body = check(&with("blocks", json!([{"type": "fields", "items": ["a"]}]))).expect("valid");
    assert_eq!(body["blocks"][0], json!({"type": "fields", "fields": ["a"]}));
    let both = check(&with("blocks", json!([{"type": "fields", "items": ["a"], "fields": ["a"]}])));
    let violation = both.expect_err("the name and its alias exclude each other");
    assert_eq!(violation.to_string(), "`blocks[0].items` must not be sent together with `fields`");
    assert_eq!(violation.code, Some(Code::InvalidBlocks));
}

#[test]
fn whole_numbers_with_a_point_or_an_exponent_are_integers() {
    for text in [r#"{"text":"x","count":3.0}"#, r#"{"text":"x","count":0.3e1}"#] {
        let body = crate::contract::strict_json::read(text.as_bytes()).expect("JSON");
        assert_eq!(check(&body).expect("valid")["count"].as_i64(), Some(3), "{text}");
    }
}
