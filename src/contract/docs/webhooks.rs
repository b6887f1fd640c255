//! The events of a document, as a document of their own for the reference page.
//!
//! OpenAPI 3.0 has no place for events, so they stand in `x-webhooks`, which Swagger UI does not show. OpenAPI 3.1
//! has one, `webhooks`, which it does show. Here the first becomes the second, for the page only: what is served at
//! `/openapi/*.json` stays as it was written.

use serde_json::{Map, Value, json};

use crate::contract::resolve;

/// The heading in the document's description under which its events are told.
const HEADING: &str = "# Events";

/// An OpenAPI 3.1 document of `document`'s events, or `None` when it has none.
#[must_use]
pub fn webhooks_document(document: &Value) -> Option<Value> {
    let resolved = resolve(document);
    let webhooks = resolved.get("x-webhooks")?;
    let mut schemas = Map::new();
    gather(webhooks, &resolved["components"]["schemas"], &mut schemas);
    let info = &resolved["info"];
    let description = info["description"].as_str().unwrap_or_default();
    Some(json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Events",
            "version": info["version"],
            "description": section(description),
        },
        "webhooks": by_type(webhooks),
        "components": {"schemas": schemas},
    }))
}

/// The events under their types, the names that receivers know them by; an event without an example keeps its own.
fn by_type(webhooks: &Value) -> Map<String, Value> {
    let events = webhooks.as_object().into_iter().flatten();
    events
        .map(|(name, event)| {
            let example = &event["post"]["requestBody"]["content"]["application/json"]["example"];
            (example["type"].as_str().unwrap_or(name).to_owned(), event.clone())
        })
        .collect()
}

/// What stands under the heading, up to the next one of its level.
fn section(description: &str) -> String {
    let lines = description.lines().skip_while(|line| *line != HEADING).skip(1);
    // a comment of a code sample begins like a heading
    let mut in_code = false;
    let lines = lines.take_while(|line| {
        in_code ^= line.starts_with("```");
        in_code || !line.starts_with("# ")
    });
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

/// Copies the schemas that `node` refers to, and those they refer to.
fn gather(node: &Value, all: &Value, found: &mut Map<String, Value>) {
    match node {
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str);
            if let Some(name) = target.and_then(|target| target.strip_prefix("#/components/schemas/"))
                && !found.contains_key(name)
            {
                found.insert(name.to_owned(), modern(&all[name]));
                gather(&all[name], all, found);
            }
            members.values().for_each(|member| gather(member, all, found));
        }
        Value::Array(items) => items.iter().for_each(|item| gather(item, all, found)),
        _ => {}
    }
}

/// A schema as OpenAPI 3.1 writes it: null is a type, and `nullable` does not exist.
fn modern(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let mut out: Map<_, _> = members
                .iter()
                .filter(|(name, _)| *name != "nullable")
                .map(|(name, member)| (name.clone(), modern(member)))
                .collect();
            if members.get("nullable") == Some(&Value::Bool(true)) {
                if let Some(kind) = out.get_mut("type") {
                    *kind = json!([kind.take(), "null"]);
                } else if let Some(all) = out.remove("allOf") {
                    out.insert("anyOf".to_owned(), json!([{"allOf": all}, {"type": "null"}]));
                }
            }
            Value::Object(out)
        }
        Value::Array(items) => items.iter().map(modern).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::{admin, bot};

    #[test]
    fn every_event_is_shown_as_it_was_written() {
        let source: Value = serde_json::from_str(bot::DOCUMENT).unwrap();
        let shown = webhooks_document(&source).unwrap();
        let written = resolve(&source)["x-webhooks"].clone();
        let types: Vec<_> = shown["webhooks"].as_object().unwrap().keys().collect();
        assert_eq!(types, ["app.uninstalled", "directory.changed", "interaction"]);
        for name in ["appUninstalled", "directoryChanged", "interaction"] {
            assert!(
                shown["webhooks"].as_object().unwrap().values().any(|event| *event == written[name]),
                "{name}"
            );
        }
        let text = shown.to_string();
        for schema in ["AppUninstalledEvent", "DirectoryChangedEvent", "InteractionEvent", "UserRef"] {
            assert!(shown["components"]["schemas"][schema].is_object(), "{schema}");
        }
        assert!(!text.contains("nullable") && !text.contains("#/components/parameters"));
        let removed_by = &shown["components"]["schemas"]["AppUninstalledData"]["properties"]["removed_by"];
        assert_eq!(removed_by["anyOf"][1], json!({"type": "null"}));
        let value = &shown["components"]["schemas"]["InteractionData"]["properties"]["value"];
        assert_eq!(value["type"], json!(["string", "null"]));
        let description = shown["info"]["description"].as_str().unwrap();
        assert!(description.starts_with("Events are `POST` requests"), "{description}");
        assert!(!description.contains("# Versions"));
    }

    #[test]
    fn a_document_without_events_has_none() {
        assert_eq!(webhooks_document(&serde_json::from_str(admin::DOCUMENT).unwrap()), None);
    }

    #[test]
    fn a_section_ends_at_the_next_heading_and_not_in_code() {
        let text = "# A\na\n# Events\n\none\n```sh\n# no heading\n```\n## deeper\ntwo\n# B\nb";
        assert_eq!(section(text), "one\n```sh\n# no heading\n```\n## deeper\ntwo");
        assert_eq!(section("# A\na"), "");
    }
}
