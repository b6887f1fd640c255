//! The published document is the source document, and this is how that is known.
//!
//! What is served at `/openapi/*.json` is the generated `DOCUMENT`, the YAML as it was written. A test takes
//! poem-openapi's document of the compiled routes, adds what it cannot say, and compares it with the source,
//! strictly. Paths, parameters, bodies, statuses, headers, security and schemas come from the routes; titles,
//! examples, links and extensions come from the source, and cannot change what a document means.

use serde_json::{Map, Value, json};

/// Follows every reference but those to schemas, drops what they pointed at, and gives every operation the security
/// that it has.
///
/// # Panics
/// When a reference has no target: the document is part of the program.
#[must_use]
pub fn resolve(document: &Value) -> Value {
    let mut out = follow(document, document);
    if let Some(components) = out["components"].as_object_mut() {
        components.retain(|name, _| matches!(name.as_str(), "schemas" | "securitySchemes"));
    }
    if let Some(security) = document.get("security") {
        let items = out["paths"].as_object_mut().into_iter().flat_map(Map::values_mut);
        for operation in items.filter_map(Value::as_object_mut).flat_map(Map::values_mut) {
            if let Some(operation) = operation.as_object_mut().filter(|o| o.contains_key("operationId")) {
                operation.entry("security").or_insert_with(|| security.clone());
            }
        }
    }
    out
}

fn follow(node: &Value, root: &Value) -> Value {
    match node {
        Value::Object(members) => match members.get("$ref").and_then(Value::as_str) {
            Some(target) if !target.starts_with("#/components/schemas/") => {
                let target = root.pointer(&target[1..]).expect("a reference has a target");
                follow(target, root)
            }
            _ => Value::Object(members.iter().map(|(k, v)| (k.clone(), follow(v, root))).collect()),
        },
        Value::Array(items) => items.iter().map(|v| follow(v, root)).collect(),
        other => other.clone(),
    }
}

/// The document without what it only describes: operations under `x-outside`, which routes written by hand serve, and
/// security schemes of theirs.
#[must_use]
pub fn routed(document: &Value) -> Value {
    let mut out = document.clone();
    if let Some(paths) = out["paths"].as_object_mut() {
        for item in paths.values_mut().filter_map(Value::as_object_mut) {
            item.retain(|_, operation| operation.get("x-outside") != Some(&json!(true)));
        }
        paths.retain(|_, item| item.as_object().is_some_and(|item| !item.is_empty()));
    }
    if let Some(schemes) = out["components"]["securitySchemes"].as_object_mut() {
        schemes.retain(|_, scheme| scheme.get("x-outside") != Some(&json!(true)));
    }
    out
}

/// Finishes poem-openapi's document with the source's presentation.
///
/// # Panics
/// When one of them is not a document.
#[must_use]
pub fn publish(spec: &Value, source: &Value) -> Value {
    let source = resolve(source);
    let mut out = finish(spec, &source, "");
    for member in ["openapi", "info", "servers", "tags", "security"] {
        if let Some(value) = source.get(member) {
            out[member] = value.clone();
        }
    }
    out
}

/// Never part of what a document means.
fn is_presentation(member: &str) -> bool {
    matches!(member, "example" | "examples" | "externalDocs" | "links") || member.starts_with("x-")
}

/// Where members are names of the document's own, which `example` may be one of.
fn holds_names(member: &str) -> bool {
    matches!(member, "properties" | "schemas" | "headers" | "responses" | "paths" | "mapping" | "scopes")
}

pub(super) fn finish(spec: &Value, source: &Value, parent: &str) -> Value {
    match (spec, source) {
        (Value::Object(spec), Value::Object(source)) => {
            let mut out = Map::new();
            for (name, value) in spec {
                match source.get(name) {
                    Some(theirs) => out.insert(name.clone(), finish(value, theirs, name)),
                    None if is_default(name, value) && !holds_names(parent) => None,
                    None => out.insert(name.clone(), value.clone()),
                };
            }
            if !holds_names(parent) {
                let extra = source.iter().filter(|(name, _)| is_presentation(name));
                out.extend(extra.map(|(name, value)| (name.clone(), value.clone())));
            }
            // operations that need nothing say so; poem-openapi says nothing
            if source.get("security") == Some(&json!([])) && !spec.contains_key("security") {
                out.insert("security".into(), json!([]));
            }
            Value::Object(out)
        }
        (Value::Array(spec), Value::Array(source)) if spec.len() == source.len() => {
            spec.iter().zip(source).map(|(a, b)| finish(a, b, "")).collect()
        }
        // 1.0 and 1 are one number
        (Value::Number(a), Value::Number(b)) if a.as_f64() == b.as_f64() => source.clone(),
        _ => spec.clone(),
    }
}

/// poem-openapi spells these out.
fn is_default(member: &str, value: &Value) -> bool {
    match member {
        "deprecated" | "required" => *value == json!(false),
        "explode" => *value == json!(true),
        _ => false,
    }
}
