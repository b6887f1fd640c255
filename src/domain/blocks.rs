//! Validation of the member `blocks` of a message, and the buttons in blocks. Unknown members of `actions` blocks are
//! removed (B-473); unknown members of other blocks are kept (D-071). Blocks of unknown types are rejected, so that a
//! type that is added later does not change the meaning of older messages (D-070).
//!
//! The limit of 16,384 bytes of compact JSON applies to the blocks as the client sent them (D-066). The validation of
//! the request body checks this limit (`x-max-bytes` of the OpenAPI document). This module cannot check it: in the
//! blocks that it gets, the member `items` of a `fields` block may already be renamed to the longer `fields`.

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::refusal::{Code, Refusal};

/// Maximum number of blocks of a message.
pub const MAX_BLOCKS: usize = 50;
/// Maximum number of items of a `fields` block; the minimum is 1 (D-068).
pub const MAX_FIELDS: usize = 25;
/// Maximum number of buttons of an `actions` block; the minimum is 1 (B-472).
pub const MAX_BUTTONS: usize = 5;
/// Maximum length of a button's `action_id`, in visible ASCII characters (B-472).
pub const MAX_ACTION_ID: usize = 64;
/// Maximum length of a button's text, in characters (B-472).
pub const MAX_BUTTON_TEXT: usize = 40;
/// Maximum length of a button's value, in characters (B-472).
pub const MAX_BUTTON_VALUE: usize = 2_000;

/// The members of an `actions` block.
const ACTIONS_MEMBERS: [&str; 2] = ["type", "items"];
/// The members of a button.
const BUTTON_MEMBERS: [&str; 4] = ["action_id", "text", "value", "style"];

/// A button of an `actions` block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Button<'a> {
    /// The id, which is unique in the message.
    pub action_id: &'a str,
    pub text: &'a str,
    /// The value that the event of a click contains; `None` if the bot set no value.
    pub value: Option<&'a str>,
    pub style: Option<Style>,
}

/// The appearance of a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// The recommended choice.
    Primary,
    /// A choice with serious consequences, such as a deletion.
    Danger,
}

impl Style {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "primary" => Some(Self::Primary),
            "danger" => Some(Self::Danger),
            _ => None,
        }
    }
}

/// Validates the blocks of a message: first their number, then each block (D-065). Also removes the unknown members of
/// `actions` blocks (B-473).
///
/// # Errors
/// `invalid_blocks` with the location of the first error.
pub fn check(blocks: &mut [Value]) -> Result<(), Refusal> {
    if blocks.len() > MAX_BLOCKS {
        return Err(Refusal::because(Code::InvalidBlocks, "blocks must have at most 50 items"));
    }
    let mut action_ids = HashSet::new();
    blocks.iter().enumerate().try_for_each(|(at, block)| {
        check_block(block, &mut action_ids)
            .map_err(|message| Refusal::because(Code::InvalidBlocks, format!("blocks[{at}]{message}")))
    })?;
    blocks.iter_mut().filter_map(actions_of).for_each(keep_known_members);
    Ok(())
}

/// Returns the buttons of valid blocks, in the order of the message.
pub fn buttons(blocks: &[BTreeMap<String, Value>]) -> impl Iterator<Item = Button<'_>> {
    let actions = blocks.iter().filter(|block| block.get("type").is_some_and(|kind| kind == "actions"));
    let items = actions.filter_map(|block| block.get("items")?.as_array()).flatten();
    items.filter_map(|item| read_button(item.as_object()?).ok())
}

/// Returns the members of a block of type `actions`; `None` for other types.
fn actions_of(block: &mut Value) -> Option<&mut Map<String, Value>> {
    block.as_object_mut().filter(|block| block.get("type").is_some_and(|kind| kind == "actions"))
}

/// Removes the unknown members of an `actions` block and of its buttons.
fn keep_known_members(block: &mut Map<String, Value>) {
    block.retain(|name, _| ACTIONS_MEMBERS.contains(&name.as_str()));
    let items = block.get_mut("items").and_then(Value::as_array_mut);
    for item in items.into_iter().flatten().filter_map(Value::as_object_mut) {
        item.retain(|name, _| BUTTON_MEMBERS.contains(&name.as_str()));
    }
}

/// An error message. The caller prepends the location of the block.
type BlockMessage = String;

fn check_block<'a>(block: &'a Value, action_ids: &mut HashSet<&'a str>) -> Result<(), BlockMessage> {
    let block = block.as_object().ok_or(" must be an object")?;
    match block.get("type").and_then(Value::as_str) {
        Some("header" | "section" | "context") => check_text(block, "text"),
        Some("fields") => check_fields(block),
        Some("actions") => check_actions(block, action_ids),
        _ => Err(".type must be one of header, section, context, fields, actions".into()),
    }
}

/// Checks the buttons of an `actions` block, and adds their ids to `action_ids`. If an id is already in `action_ids`,
/// returns an error (B-472).
fn check_actions<'a>(
    block: &'a Map<String, Value>,
    action_ids: &mut HashSet<&'a str>,
) -> Result<(), BlockMessage> {
    let items = match block.get("items").and_then(Value::as_array) {
        Some(items) if (1..=MAX_BUTTONS).contains(&items.len()) => items,
        _ => return Err(format!(".items must be a list of 1 to {MAX_BUTTONS} buttons")),
    };
    for (at, item) in items.iter().enumerate() {
        let with_path = |message: BlockMessage| format!(".items[{at}]{message}");
        let item = item.as_object().ok_or_else(|| with_path(" must be an object".into()))?;
        let button = read_button(item).map_err(with_path)?;
        if !action_ids.insert(button.action_id) {
            return Err(with_path(".action_id must be unique in the message".into()));
        }
    }
    Ok(())
}

fn read_button(item: &Map<String, Value>) -> Result<Button<'_>, BlockMessage> {
    let string = |name| item.get(name).and_then(Value::as_str);
    let is_action_id =
        |id: &&str| (1..=MAX_ACTION_ID).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic());
    let action_id = string("action_id").filter(is_action_id).ok_or_else(|| {
        format!(".action_id must be a string of 1 to {MAX_ACTION_ID} visible ASCII characters")
    })?;
    let text = string("text")
        .filter(|text| (1..=MAX_BUTTON_TEXT).contains(&text.chars().count()))
        .ok_or_else(|| format!(".text must be a string of 1 to {MAX_BUTTON_TEXT} characters"))?;
    let value = match item.get("value") {
        None => None,
        Some(Value::String(value)) if value.chars().count() <= MAX_BUTTON_VALUE => Some(value.as_str()),
        Some(_) => return Err(format!(".value must be a string of at most {MAX_BUTTON_VALUE} characters")),
    };
    let style = match item.get("style") {
        None => None,
        Some(style) => {
            let style = style.as_str().and_then(Style::parse);
            Some(style.ok_or(".style must be one of primary, danger")?)
        }
    };
    Ok(Button { action_id, text, value, style })
}

/// Checks the list of a `fields` block. The list is named `fields` or `items`; a block with both is invalid (D-067).
fn check_fields(block: &Map<String, Value>) -> Result<(), BlockMessage> {
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
        let with_path = |message: BlockMessage| format!(".{name}[{at}]{message}");
        let item = item.as_object().ok_or_else(|| with_path(" must be an object".into()))?;
        check_text(item, "label").and_then(|()| check_text(item, "value")).map_err(with_path)?;
    }
    Ok(())
}

/// Checks that a member is a non-empty string. The text has no maximum length of its own, because the size of all
/// blocks is limited (D-069).
fn check_text(object: &Map<String, Value>, name: &str) -> Result<(), BlockMessage> {
    match object.get(name).and_then(Value::as_str) {
        Some(text) if !text.is_empty() => Ok(()),
        _ => Err(format!(".{name} must be a non-empty string")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn code(mut blocks: Value) -> Option<Code> {
        check(blocks.as_array_mut().unwrap()).err().map(|refusal| refusal.code)
    }

    fn button(action_id: &str) -> Value {
        json!({"action_id": action_id, "text": "Press"})
    }

    fn actions(items: Value) -> Value {
        json!([{"type": "actions", "items": items}])
    }

    fn fields(count: usize) -> Value {
        json!([{"type": "fields", "fields": vec![json!({"label": "l", "value": "v"}); count]}])
    }

    #[test]
    fn valid_blocks_are_accepted() {
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
    fn invalid_blocks_are_rejected() {
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
    fn the_error_message_names_the_location() {
        let header = json!({"type": "header", "text": "h"});
        for (block, message) in [
            (
                json!({"type": "fields", "items": [{"label": "l"}]}),
                "blocks[1].items[0].value must be a non-empty string",
            ),
            (
                json!({"type": "actions", "items": [button("a"), button("a")]}),
                "blocks[1].items[1].action_id must be unique in the message",
            ),
        ] {
            let refusal = check(&mut [header.clone(), block]).unwrap_err();
            assert_eq!(refusal.message.unwrap(), message);
        }
    }

    #[test]
    fn buttons_have_an_id_a_text_and_perhaps_a_value_and_a_style() {
        let with = |name: &str, value: Value| {
            let mut one = button("a");
            one[name] = value;
            actions(json!([one]))
        };
        let many =
            |count: usize| actions((0..count).map(|at| button(&at.to_string())).collect::<Vec<_>>().into());
        for valid in [
            many(1),
            many(5),
            with("action_id", json!("!~".repeat(32))),
            with("text", json!("\u{1f600}".repeat(40))),
            with("value", json!("")),
            with("value", json!("\u{e9}".repeat(2_000))),
            with("style", json!("primary")),
            with("style", json!("danger")),
            with("confirm", json!({"title": "unknown members are accepted"})),
        ] {
            assert_eq!(code(valid.clone()), None, "{valid}");
        }
        for invalid in [
            many(0),
            many(6),
            actions(json!(null)),
            actions(json!({})),
            actions(json!([[]])),
            actions(json!([{"action_id": "a"}])),
            actions(json!([{"text": "a"}])),
            with("action_id", json!("")),
            with("action_id", json!(1)),
            with("action_id", json!("a b")),
            with("action_id", json!("\u{e9}")),
            with("action_id", json!("a".repeat(65))),
            with("text", json!("")),
            with("text", json!({"type": "plain", "text": "t"})),
            with("text", json!("a".repeat(41))),
            with("value", json!(null)),
            with("value", json!(1)),
            with("value", json!("a".repeat(2_001))),
            with("style", json!(null)),
            with("style", json!("Primary")),
            json!([{"type": "actions", "fields": [button("a")]}]),
            json!([{"type": "actions", "items": [button("a")]}, {"type": "actions", "items": [button("a")]}]),
        ] {
            assert_eq!(code(invalid.clone()), Some(Code::InvalidBlocks), "{invalid}");
        }
    }

    #[test]
    fn unknown_members_of_actions_are_dropped_and_those_of_other_blocks_kept() {
        let mut blocks = [
            json!({"type": "section", "text": "s", "id": 1}),
            json!({"type": "actions", "id": 1, "items": [{"action_id": "a", "text": "A", "style": "danger", "x": 1}]}),
        ];
        check(&mut blocks).unwrap();
        assert_eq!(blocks[0], json!({"type": "section", "text": "s", "id": 1}));
        let kept = json!({"type": "actions", "items": [{"action_id": "a", "text": "A", "style": "danger"}]});
        assert_eq!(blocks[1], kept);
        let stored: Vec<BTreeMap<_, _>> =
            blocks.into_iter().map(|block| serde_json::from_value(block).unwrap()).collect();
        let button = Button { action_id: "a", text: "A", value: None, style: Some(Style::Danger) };
        assert_eq!(buttons(&stored).collect::<Vec<_>>(), [button]);
    }
}
