//! Output for people: a list of objects as a table, and a single object as *details*, which have one line per field.
//!
//! The values are untrusted. Control characters in them could control the terminal, so spaces replace these characters.

use std::fmt::Write as _;

use serde_json::Value;

/// A column of a table: its heading, and its field (a JSON pointer without the first slash).
pub type Column = (&'static str, &'static str);

/// Maximum width of a table's column in characters. Longer values are truncated in tables only: details and `--json`
/// have complete values.
const MAX_WIDTH: usize = 60;

/// The fields that come first in details, in this order. The other fields follow in the order of their names.
const FIRST: [&str; 6] = ["id", "name", "kind", "type", "workspace_id", "app_id"];

/// Returns a value as text on one line. If all items of a list have an `id`, returns the ids.
#[must_use]
pub fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => one_line(text),
        Value::Array(items) if items.is_empty() => "-".to_owned(),
        Value::Array(items) if items.iter().all(|item| item.get("id").is_some()) => {
            items.iter().map(|item| cell(&item["id"])).collect::<Vec<_>>().join(", ")
        }
        Value::Array(items) if items.iter().all(|item| !item.is_object() && !item.is_array()) => {
            items.iter().map(cell).collect::<Vec<_>>().join(", ")
        }
        other => one_line(&other.to_string()),
    }
}

/// Replaces control characters by spaces, because they could move the cursor of a terminal or break the line.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(text: String) -> String {
    if text.chars().count() <= MAX_WIDTH {
        return text;
    }
    text.chars().take(MAX_WIDTH - 1).chain(['…']).collect()
}

/// Returns a table with a heading and one row per item, or the word `none` if there are no items.
#[must_use]
pub fn table(items: &[Value], columns: &[Column]) -> String {
    if items.is_empty() {
        return "none\n".to_owned();
    }
    let heading = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect::<Vec<_>>();
    let rows = items.iter().map(|item| {
        let of = |member: &str| item.pointer(&format!("/{member}")).unwrap_or(&Value::Null);
        columns.iter().map(|(_, member)| cut(cell(of(member)))).collect::<Vec<_>>()
    });
    let rows: Vec<_> = std::iter::once(heading).chain(rows).collect();
    aligned(&rows)
}

/// Returns the details of an object: one aligned line `name  value` for each field. If `object` is not an object,
/// returns the value on one line.
#[must_use]
pub fn details(object: &Value) -> String {
    let Some(members) = object.as_object() else { return format!("{}\n", cell(object)) };
    let first = FIRST.iter().filter_map(|name| members.get_key_value(*name));
    let others = members.iter().filter(|(name, _)| !FIRST.contains(&name.as_str()));
    let rows: Vec<_> = first
        .chain(others)
        .map(|(name, value)| vec![one_line(name).replace('_', " "), cell(value)])
        .collect();
    aligned(&rows)
}

/// Aligns columns by their widest value. The columns are two spaces apart, and lines have no trailing spaces.
fn aligned(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (value, width) in row.iter().zip(&widths) {
            // writing to a String cannot fail
            let _ = write!(line, "{value:width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_are_aligned() {
        let items =
            [json!({"id": "usr_1", "admin": true, "to": {"x": 1}}), json!({"id": "usr_222", "admin": false})];
        let text = table(&items, &[("ID", "id"), ("ADMIN", "admin"), ("X", "to/x")]);
        assert_eq!(text, "ID       ADMIN  X\nusr_1    yes    1\nusr_222  no     -\n");
        assert_eq!(table(&[], &[("ID", "id")]), "none\n");
    }

    #[test]
    fn the_id_is_the_first_detail() {
        let text = details(&json!({"domain": null, "created_at": "2026", "name": "N", "id": "cmp_1"}));
        assert_eq!(text, "id          cmp_1\nname        N\ncreated at  2026\ndomain      -\n");
    }

    #[test]
    fn control_characters_are_replaced() {
        assert_eq!(cell(&json!("a\u{1b}[2Jb\nc\r\u{9b}")), "a [2Jb c  ");
    }

    #[test]
    fn the_items_of_a_list_are_joined() {
        assert_eq!(cell(&json!(["messages:write", "users:read"])), "messages:write, users:read");
        assert_eq!(cell(&json!([{"id": "fil_1"}])), "fil_1");
        assert_eq!(cell(&json!([])), "-");
    }

    #[test]
    fn long_values_are_truncated_by_characters() {
        let text = table(&[json!({"t": "é".repeat(100)})], &[("T", "t")]);
        assert_eq!(text.lines().nth(1).unwrap().chars().count(), MAX_WIDTH);
    }
}
