//! Tests of the conversion of the documents to OpenAPI 3.1.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::{
    app::documents,
    contract::{PublishedDocument, convert::to_3_1, ordered::Ordered},
    generated::{admin, assistant, bot},
};

fn documents() -> [(&'static str, PublishedDocument, Value); 3] {
    [
        ("bot", documents::bot(), bot::SOURCE),
        ("assistant", documents::assistant(), assistant::SOURCE),
        ("admin", documents::admin(), admin::SOURCE),
    ]
    .map(|(name, document, source)| (name, document, serde_json::from_str(source).expect("JSON")))
}

/// Converts a document that contains `schema` in the positions where OpenAPI 3.0 allows a schema.
fn converted(schema: &Value) -> Value {
    let media = json!({"application/json": {
        "schema": schema,
        "encoding": {"a": {"headers": {"X": {"schema": schema}}}},
    }});
    let operation = json!({
        "parameters": [{"name": "a", "schema": schema}, {"name": "b", "content": media}],
        "requestBody": {"content": media},
        "responses": {"200": {"headers": {"X": {"schema": schema}}, "content": media}},
        "callbacks": {"c": {"{$request.body#/url}": {"post": {"requestBody": {"content": media}}}}},
    });
    let document = json!({
        "openapi": "3.0.3",
        "paths": {"/": {"parameters": [{"name": "c", "schema": schema}], "get": operation, "trace": operation}},
        "x-webhooks": {"event": {"post": operation}},
        "components": {
            "schemas": {
                "A": schema,
                "B": {"properties": {"p": schema}, "items": schema, "additionalProperties": schema, "not": schema},
                "C": {"allOf": [schema], "anyOf": [schema], "oneOf": [schema]},
            },
            "responses": {"D": {"content": media}},
            "requestBodies": {"E": {"content": media}},
            "parameters": {"F": {"schema": schema}},
            "headers": {"G": {"schema": schema}},
            "callbacks": {"H": {"{$url}": {"post": operation}}},
        },
    });
    to_3_1(&Ordered::from(&document)).to_value()
}

#[test]
fn keywords_of_schemas_become_those_of_json_schema() {
    let reference = json!({"$ref": "#/components/schemas/A"});
    for (schema, expected) in [
        (json!({"type": "string"}), json!({"type": "string"})),
        (json!({"type": "string", "nullable": false}), json!({"type": "string"})),
        (json!({"type": "string", "nullable": true}), json!({"type": ["string", "null"]})),
        (
            json!({"type": "string", "nullable": true, "enum": ["a", null]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (
            json!({"type": "string", "nullable": true, "enum": ["a"]}),
            json!({"type": ["string", "null"], "enum": ["a", null]}),
        ),
        (json!({"type": "string", "nullable": true, "enum": [null]}), json!({"type": "null"})),
        (json!({"type": "boolean", "enum": [true]}), json!({"type": "boolean", "const": true})),
        (json!({"type": "string", "enum": ["a", "b"]}), json!({"type": "string", "enum": ["a", "b"]})),
        (
            json!({"allOf": [reference], "nullable": true, "description": "D", "x-limit": "a"}),
            json!({"description": "D", "x-limit": "a", "anyOf": [reference, {"type": "null"}]}),
        ),
        (
            json!({"oneOf": [reference], "discriminator": {"propertyName": "type"}, "nullable": true}),
            json!({"anyOf": [
                {"oneOf": [reference], "discriminator": {"propertyName": "type"}}, {"type": "null"},
            ]}),
        ),
        (
            json!({"$ref": "#/components/schemas/A", "nullable": true}),
            json!({"anyOf": [reference, {"type": "null"}]}),
        ),
        (json!({"nullable": true, "enum": [null]}), json!({"anyOf": [{"const": null}, {"type": "null"}]})),
        (json!({"nullable": true, "description": "anything"}), json!({"description": "anything"})),
        (
            json!({"type": "integer", "minimum": 1, "exclusiveMinimum": true, "maximum": 9, "exclusiveMaximum": false}),
            json!({"type": "integer", "exclusiveMinimum": 1, "maximum": 9}),
        ),
        (
            json!({"type": "integer", "maximum": 9, "exclusiveMaximum": true}),
            json!({"type": "integer", "exclusiveMaximum": 9}),
        ),
        (json!({"type": "string", "example": "a"}), json!({"type": "string", "examples": ["a"]})),
        (
            json!({"type": "string", "format": "binary", "maxLength": 9}),
            json!({"contentMediaType": "application/octet-stream", "maxLength": 9}),
        ),
        (json!({"type": "string", "format": "byte"}), json!({"type": "string", "contentEncoding": "base64"})),
        (
            json!({"type": "array", "items": {"type": "string", "nullable": true}}),
            json!({"type": "array", "items": {"type": ["string", "null"]}}),
        ),
        (json!({"additionalProperties": false}), json!({"additionalProperties": false})),
    ] {
        let wanted = converted(&expected);
        assert_eq!(wanted["components"]["schemas"]["A"], expected, "a schema of OpenAPI 3.1 stays unchanged");
        assert_eq!(converted(&schema), wanted, "{schema}");
    }
}

#[test]
fn examples_extensions_and_names_stay_unchanged() {
    let data = json!({"nullable": true, "type": "string", "example": 1, "enum": ["a"], "format": "binary"});
    let names = json!({
        "nullable": {"type": "boolean"}, "example": {"type": "string"}, "format": {"type": "string"},
        "enum": {"type": "string"}, "minimum": {"type": "string"}, "x-webhooks": {"type": "string"},
    });
    let schema = json!({
        "type": "object", "properties": names, "default": data, "enum": [data, {}], "x-extra": {"schema": data},
    });
    let media = json!({"schema": schema, "example": data, "examples": {"schema": {"value": data}}});
    // the extension looks like a path item and like a response, but its schema is not converted
    let body = json!({"a/b": {"schema": data}});
    let extension = json!({"post": {"requestBody": {"content": body}}, "content": body});
    let document = json!({
        "openapi": "3.1.1",
        "info": {"title": "T", "x-schema": data},
        "paths": {"x-path": extension, "/schema": {"post": {
            "parameters": [{"name": "nullable", "schema": schema, "example": data}],
            "requestBody": {"content": {"application/json": media}},
            "responses": {"x-response": extension},
            "callbacks": {"c": {"x-path": extension}},
            "x-schemas": {"schema": data},
        }}},
        "components": {"examples": {"schema": {"value": data}}, "schemas": {"example": schema}},
    });
    assert_eq!(to_3_1(&Ordered::from(&document)).to_value(), document);
}

/// Converts a part of a document back to OpenAPI 3.0. Supports only the keywords that the documents use.
fn reverted(node: &Value) -> Value {
    let members = match node {
        Value::Object(members) => members,
        Value::Array(items) => return items.iter().map(reverted).collect(),
        other => return other.clone(),
    };
    let mut out: Map<_, _> = members.iter().map(|(name, value)| (name.clone(), reverted(value))).collect();
    if members.get("type") == Some(&json!("null")) {
        out.extend([("type".to_owned(), json!(["string", "null"])), ("enum".to_owned(), json!([null]))]);
    }
    if let Some(types) = out.get("type").and_then(Value::as_array).cloned() {
        assert!(types.len() == 2 && types[1] == "null", "{node}");
        out.extend([("type".to_owned(), types[0].clone()), ("nullable".to_owned(), json!(true))]);
    }
    if let Some(value) = out.remove("const") {
        out.insert("enum".to_owned(), json!([value]));
    }
    if out.remove("contentMediaType").is_some() {
        out.extend([("type".to_owned(), json!("string")), ("format".to_owned(), json!("binary"))]);
    }
    Value::Object(out)
}

#[test]
fn converting_back_returns_the_source() {
    for (name, document, source) in documents() {
        let mut reverted = reverted(&document.to_3_1().value());
        let members = reverted.as_object_mut().expect("a document is an object");
        assert_eq!(members.insert("openapi".to_owned(), json!("3.0.3")), Some(json!("3.1.1")), "{name}");
        if let Some(webhooks) = members.remove("webhooks") {
            members.insert("x-webhooks".to_owned(), webhooks);
        }
        assert!(reverted == source, "{name}: the conversion to 3.1 and back returns the source document");
    }
}

/// Visits every member of a document.
fn walk(node: &Value, visit: &mut dyn FnMut(&str, &Value)) {
    match node {
        Value::Object(members) => members.iter().for_each(|(name, value)| {
            visit(name, value);
            walk(value, visit);
        }),
        Value::Array(items) => items.iter().for_each(|item| walk(item, visit)),
        _ => {}
    }
}

#[test]
fn no_keyword_of_3_0_is_left() {
    for (name, document, _) in documents() {
        walk(&document.to_3_1().value(), &mut |member, value| {
            assert!(!matches!(member, "nullable" | "x-webhooks"), "{name}: {member}");
            let is_exclusive = matches!(member, "exclusiveMinimum" | "exclusiveMaximum");
            assert!(!(is_exclusive && value.is_boolean()), "{name}: {member} is a number in JSON Schema");
            let is_binary = member == "format" && (value == "binary" || value == "byte");
            assert!(!is_binary, "{name}: {member}: {value}");
        });
    }
}

#[test]
fn the_conversion_keeps_paths_operations_schemas_and_events() {
    let names = |node: &Value| -> BTreeSet<String> {
        node.as_object().into_iter().flatten().map(|(name, _)| name.clone()).collect()
    };
    let ids = |document: &Value| {
        let mut ids = BTreeSet::new();
        walk(document, &mut |member, value| {
            if member == "operationId" {
                ids.insert(value.to_string());
            }
        });
        ids
    };
    for (name, document, source) in documents() {
        let converted = document.to_3_1().value();
        assert_eq!(names(&converted["paths"]), names(&source["paths"]), "{name}");
        assert_eq!(names(&converted["webhooks"]), names(&source["x-webhooks"]), "{name}");
        for kind in names(&source["components"]) {
            assert_eq!(names(&converted["components"][&kind]), names(&source["components"][&kind]), "{name}");
        }
        assert_eq!(ids(&converted), ids(&source), "{name}");
        assert_eq!(
            names(&converted["webhooks"]).is_empty(),
            name != "bot",
            "{name}: only the bot API has events"
        );
    }
}
