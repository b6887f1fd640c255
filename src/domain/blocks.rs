//! The rules of `blocks`. They are stored and not displayed yet, so an unknown member is kept (D-071) while an
//! unknown type is refused: refusing keeps the later addition of types additive (D-070).
//!
//! The size is none of these rules: 16 384 bytes of compact JSON are measured on what the client sent (D-066), which is
//! known only where the body is read, by `x-max-bytes` of the document. Here an `items` may already read `fields`.

use serde_json::{Map, Value};

use super::refusal::{Code, Refusal};

/// Most blocks of a message.
pub const MAX_BLOCKS: usize = 50;
/// Most items of a `fields` block; the fewest is 1 (D-068).
pub const MAX_FIELDS: usize = 25;

/// Checks the blocks of a message in the order of D-065: their count, then each block.
///
/// # Errors
/// `invalid_blocks` with the place of the first fault.
pub fn check(blocks: &[Value]) -> Result<(), Refusal> {
    if blocks.len() > MAX_BLOCKS {
        return Err(Refusal::because(Code::InvalidBlocks, "blocks must have at most 50 items"));
    }
    blocks.iter().enumerate().try_for_each(|(at, block)| {
        check_block(block)
            .map_err(|fault| Refusal::because(Code::InvalidBlocks, format!("blocks[{at}]{fault}")))
    })
}

/// What is wrong, to be read after the place of the block.
type Fault = String;

fn check_block(block: &Value) -> Result<(), Fault> {
    let block = block.as_object().ok_or(" must be an object")?;
    match block.get("type").and_then(Value::as_str) {
        Some("header" | "section" | "context") => check_text(block, "text"),
        Some("fields") => check_fields(block),
        _ => Err(".type must be one of header, section, context, fields".into()),
    }
}

/// The list is named `fields`; `items` is accepted in its place, not beside it (D-067).
fn check_fields(block: &Map<String, Value>) -> Result<(), Fault> {
    let (name, list) = match (block.get("fields"), block.get("items")) {
        (Some(list), None) => ("fields", list),
        (None, Some(list)) => ("items", list),
        (None, None) => return Err(".fields is required".into()),
        (Some(_), Some(_)) => return Err(" must have only one of fields and items".into()),
    };
    let items = match list.as_array() {
        Some(items) if (1..=MAX_FIELDS).contains(&items.len()) => items,
        _ => return Err(format!(".{name} must be a list of 1 to {MAX_FIELDS} items")),
    };
    for (at, item) in items.iter().enumerate() {
        let place = |fault: Fault| format!(".{name}[{at}]{fault}");
        let item = item.as_object().ok_or_else(|| place(" must be an object".into()))?;
        check_text(item, "label").and_then(|()| check_text(item, "value")).map_err(place)?;
    }
    Ok(())
}

/// A string of at least one character; there is no maximum besides that of all blocks (D-069).
fn check_text(object: &Map<String, Value>, name: &str) -> Result<(), Fault> {
    match object.get(name).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(()),
        _ => Err(format!(".{name} must be a non-empty string")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(blocks: Value) -> Option<Code> {
        check(blocks.as_array().unwrap()).err().map(|refusal| refusal.code)
    }

    fn fields(count: usize) -> Value {
        json!([{"type": "fields", "fields": vec![json!({"label": "l", "value": "v"}); count]}])
    }

    #[test]
    fn good_blocks() {
        for blocks in [
            json!([]),
            json!([{"type": "header", "text": "h"}, {"type": "section", "text": "s"}, {"type": "context", "text": " "}]),
            json!([{"type": "section", "text": "s", "block_id": 7, "unknown": null}]),
            json!([{"type": "fields", "items": [{"label": "l", "value": "v", "short": true}]}]),
            json!([{"type": "section", "text": "s", "fields": "not looked at"}]),
            fields(1),
            fields(25),
            json!(vec![json!({"type": "header", "text": "h"}); 50]),
        ] {
            assert_eq!(code(blocks.clone()), None, "{blocks}");
        }
    }

    #[test]
    fn bad_blocks() {
        for block in [
            json!(null),
            json!("header"),
            json!([]),
            json!({}),
            json!({"text": "t"}),
            json!({"type": 1, "text": "t"}),
            json!({"type": "Header", "text": "t"}),
            json!({"type": "image", "text": "t"}),
            json!({"type": "divider"}),
            json!({"type": "actions"}),
            json!({"type": "header"}),
            json!({"type": "header", "text": ""}),
            json!({"type": "header", "text": null}),
            json!({"type": "section", "text": {"type": "plain", "text": "t"}}),
            json!({"type": "fields"}),
            json!({"type": "fields", "text": "t"}),
            json!({"type": "fields", "fields": null}),
            json!({"type": "fields", "fields": {}}),
            json!({"type": "fields", "fields": ["x"]}),
            json!({"type": "fields", "fields": [{"label": "l"}]}),
            json!({"type": "fields", "fields": [{"value": "v"}]}),
            json!({"type": "fields", "fields": [{"label": "", "value": "v"}]}),
            json!({"type": "fields", "fields": [{"label": "l", "value": 1}]}),
            json!({"type": "fields", "fields": [{"label": "l", "value": "v"}], "items": [{"label": "l", "value": "v"}]}),
        ] {
            assert_eq!(code(json!([block])), Some(Code::InvalidBlocks), "{block}");
        }
        assert_eq!(code(fields(0)), Some(Code::InvalidBlocks));
        assert_eq!(code(fields(26)), Some(Code::InvalidBlocks));
        assert_eq!(code(json!(vec![json!({"type": "header", "text": "h"}); 51])), Some(Code::InvalidBlocks));
    }

    #[test]
    fn the_message_names_the_place() {
        let refusal = check(
            json!([{"type": "header", "text": "h"}, {"type": "fields", "items": [{"label": "l"}]}])
                .as_array()
                .unwrap(),
        );
        assert_eq!(
            refusal.unwrap_err().message.unwrap(),
            "blocks[1].items[0].value must be a non-empty string"
        );
    }
}
