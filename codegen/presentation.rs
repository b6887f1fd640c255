//! Creates the presentation of an OpenAPI document, `generated/{stem}.presentation.json`. It has the parts of the
//! document that poem-openapi cannot express.
//!
//! poem-openapi publishes what the routes define: paths, parameters, bodies, statuses, headers, security and schemas.
//! It cannot publish examples, links, extensions (`x-…`), shared responses and parameters, or the order of members. The
//! presentation is the document with null in place of everything that the routes publish. `src/contract/publish.rs`
//! replaces each null.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_yaml::{Mapping, Value};

/// Members of `info` that the routes publish. The other members of `info` are published from the presentation.
const PUBLISHED_INFO: [&str; 2] = ["title", "version"];

/// Returns the presentation as JSON, with one line for each operation and component.
pub fn emit(document: &Value) -> String {
    let mut out = document.clone();
    let shared = shared(document);
    for (name, part) in members(&mut out) {
        match name {
            "info" => members(part)
                .filter(|(name, _)| PUBLISHED_INFO.contains(name))
                .for_each(|(_, value)| *value = Value::Null),
            "paths" => members(part)
                .flat_map(|(_, item)| members(item))
                .filter(|(_, operation)| !is_outside(operation))
                .for_each(|(_, operation)| leave_blank(operation, "")),
            "components" => members(part)
                .flat_map(|(kind, parts)| members(parts).map(move |(name, part)| (kind, name, part)))
                .filter(|(kind, name, part)| match *kind {
                    "schemas" | "securitySchemes" => !is_outside(part),
                    kind => shared.contains(&format!("#/components/{kind}/{name}")),
                })
                .for_each(|(_, _, part)| leave_blank(part, "")),
            _ => {}
        }
    }
    let mut text = String::new();
    print(&out, 0, &mut text);
    text + "\n"
}

/// Returns the members of an object. In a document the name of every member is a string.
fn members(node: &mut Value) -> impl Iterator<Item = (&str, &mut Value)> {
    let members = node.as_mapping_mut().into_iter().flatten();
    members.filter_map(|(name, value)| Some((name.as_str()?, value)))
}

/// Returns whether an operation or a component has `x-outside: true`. The routes do not publish such a part, so the
/// presentation has it completely.
fn is_outside(part: &Value) -> bool {
    part.get("x-outside").and_then(Value::as_bool).unwrap_or(false)
}

/// Returns whether a member is kept in the presentation because the routes do not publish it. `is_kept` in
/// `src/contract/publish.rs` must have the same members, and also has `security`.
fn is_presentation(name: &str) -> bool {
    matches!(name, "example" | "examples" | "externalDocs" | "links") || name.starts_with("x-")
}

/// Returns whether the value of this member is an object whose keys the author of the document chose, such as the names
/// of properties. These keys can equal keywords of OpenAPI. `src/contract/publish.rs` has the same function.
fn holds_names(name: &str) -> bool {
    matches!(name, "properties" | "schemas" | "headers" | "responses" | "paths" | "mapping" | "scopes")
}

/// Sets everything that the routes publish to null.
fn leave_blank(node: &mut Value, parent: &str) {
    match node {
        Value::Mapping(members) if target(members).is_some() => {}
        Value::Mapping(members) => {
            for (name, value) in members {
                let name = name.as_str().unwrap_or_default();
                // the alternatives of `security` can include schemes that the routes do not know, so `security` is kept
                let is_kept = is_presentation(name) || name == "security";
                if !is_kept || holds_names(parent) {
                    leave_blank(value, name);
                }
            }
        }
        Value::Sequence(items) if items.iter().any(Value::is_mapping) => {
            for item in items {
                leave_blank(item, "");
            }
        }
        _ => *node = Value::Null,
    }
}

/// Returns the target of a reference, if the target is a component other than a schema. poem-openapi publishes
/// references to schemas, and no other references.
fn target(members: &Mapping) -> Option<&str> {
    let target = members.get("$ref")?.as_str()?;
    (!target.starts_with("#/components/schemas/")).then_some(target)
}

/// Returns the components, other than schemas, to which operations without `x-outside` refer, directly or through
/// another component of the result.
fn shared(document: &Value) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let items = document.get("paths").and_then(Value::as_mapping).into_iter().flatten();
    for operation in items.filter_map(|(_, item)| item.as_mapping()).flatten().map(|(_, operation)| operation)
    {
        if !is_outside(operation) {
            gather(operation, document, &mut found);
        }
    }
    found
}

fn gather(node: &Value, document: &Value, found: &mut BTreeSet<String>) {
    match node {
        Value::Mapping(members) => match target(members) {
            Some(target) if found.insert(target.to_owned()) => {
                let part = target.split('/').skip(1).try_fold(document, |node, name| node.get(name));
                gather(part.expect("a reference has a target"), document, found);
            }
            Some(_) => {}
            None => members
                .iter()
                .filter(|(name, _)| !is_presentation(name.as_str().unwrap_or_default()))
                .for_each(|(_, value)| gather(value, document, found)),
        },
        Value::Sequence(items) => items.iter().for_each(|item| gather(item, document, found)),
        _ => {}
    }
}

/// Prints an object of the outer three levels over several lines if the object contains another object. Prints all
/// other values on one line.
fn print(node: &Value, depth: usize, out: &mut String) {
    match node {
        Value::Mapping(members) if depth < 3 && members.values().any(Value::is_mapping) => {
            for (index, (name, value)) in members.iter().enumerate() {
                let before = if index == 0 { "{" } else { "," };
                let name = serde_json::to_string(name).expect("a name is a string");
                write!(out, "{before}\n{}{name}: ", " ".repeat(depth + 1))
                    .expect("writing to a String cannot fail");
                print(value, depth + 1, out);
            }
            write!(out, "\n{}}}", " ".repeat(depth)).expect("writing to a String cannot fail");
        }
        other => *out += &serde_json::to_string(other).expect("a document is JSON"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r##"
info: {title: Things, version: "1", description: All of them}
paths:
  /things:
    get:
      operationId: listThings
      x-limit: list
      parameters: [{$ref: "#/components/parameters/Limit"}]
      responses:
        "200": {description: They, content: {application/json: {examples: {one: {value: null}}}}}
    post: {operationId: createThing, x-outside: true, responses: {"200": {$ref: "#/components/responses/Made"}}}
components:
  parameters:
    Limit: {name: limit, in: query, schema: {type: integer}}
  responses:
    Made: {description: It}
  schemas:
    Thing:
      type: object
      required: [example]
      properties:
        example: {type: string, example: a}
"##;

    #[test]
    fn the_presentation_has_null_for_what_the_routes_publish() {
        let text = emit(&serde_yaml::from_str(DOCUMENT).expect("YAML"));
        let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(
            found,
            serde_json::json!({
                "info": {"title": null, "version": null, "description": "All of them"},
                "paths": {"/things": {
                    "get": {
                        "operationId": null,
                        "x-limit": "list",
                        "parameters": [{"$ref": "#/components/parameters/Limit"}],
                        "responses": {"200": {
                            "description": null,
                            "content": {"application/json": {"examples": {"one": {"value": null}}}},
                        }},
                    },
                    "post": {
                        "operationId": "createThing",
                        "x-outside": true,
                        "responses": {"200": {"$ref": "#/components/responses/Made"}},
                    },
                }},
                "components": {
                    "parameters": {"Limit": {"name": null, "in": null, "schema": {"type": null}}},
                    "responses": {"Made": {"description": "It"}},
                    "schemas": {"Thing": {
                        "type": null,
                        "required": null,
                        "properties": {"example": {"type": null, "example": "a"}},
                    }},
                },
            })
        );
    }

    #[test]
    fn an_operation_takes_one_line() {
        let text = emit(&serde_yaml::from_str(DOCUMENT).expect("YAML"));
        assert!(text.lines().any(|line| line.starts_with("   \"get\": {\"operationId\":null,")), "{text}");
    }
}
