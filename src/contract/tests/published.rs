//! What is published is what is served, and what is served is what was written.

use std::{collections::BTreeSet, sync::Arc};

use poem_openapi::registry::Registry;
use serde_json::Value;

use crate::{
    contract::{
        publish::{finish, publish},
        resolve, routed,
    },
    generated::{admin, assistant, bot},
};

/// What may happen to poem-openapi's document unseen: that it leaves out what is so by default. It may only shrink.
const UNSEEN: &[&str] = &["remove deprecated", "remove explode", "remove required"];

/// The name, the routes' own document, and the source.
fn documents() -> [(&'static str, Value, Value); 3] {
    [
        (
            "bot",
            with_types(&bot::service(Arc::new(bot::Blank)).spec(), bot::types::register),
            parse(bot::DOCUMENT),
        ),
        (
            "assistant",
            with_types(&assistant::service(Arc::new(assistant::Blank)).spec(), assistant::types::register),
            routed(&parse(assistant::DOCUMENT)),
        ),
        (
            "admin",
            with_types(&admin::service(Arc::new(admin::Blank)).spec(), admin::types::register),
            parse(admin::DOCUMENT),
        ),
    ]
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a document is JSON")
}

/// poem-openapi publishes what its routes use; types for events have no route here.
fn with_types(spec: &str, register: fn(&mut Registry)) -> Value {
    let mut spec = parse(spec);
    let mut registry = Registry::new();
    register(&mut registry);
    let schemas = spec["components"]["schemas"].as_object_mut().expect("schemas");
    for (name, schema) in registry.schemas {
        schemas.entry(name).or_insert_with(|| serde_json::to_value(schema).expect("a schema is JSON"));
    }
    spec
}

#[test]
fn the_routes_publish_the_source_document() {
    for (name, spec, source) in documents() {
        let mut differences = Vec::new();
        compare(name, &resolve(&source), &publish(&spec, &source), &mut differences);
        assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
    }
}

fn compare(path: &str, source: &Value, published: &Value, out: &mut Vec<String>) {
    match (source, published) {
        (Value::Object(a), Value::Object(b)) => {
            for (name, value) in a {
                match b.get(name) {
                    Some(other) => compare(&format!("{path}/{name}"), value, other, out),
                    None => out.push(format!("{path}/{name}: not published: {value}")),
                }
            }
            for (name, value) in b.iter().filter(|(name, _)| !a.contains_key(*name)) {
                out.push(format!("{path}/{name}: not in the source: {value}"));
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                compare(&format!("{path}/{i}"), a, b, out);
            }
        }
        _ if source == published => {}
        _ => out.push(format!("{path}: {source} published as {published}")),
    }
}

/// Changes and removes every leaf of the document of the routes: nothing of it may go unnoticed.
#[test]
fn every_leaf_of_the_routes_document_counts() {
    let mut unseen = BTreeSet::new();
    for (_, spec, source) in documents() {
        let source = resolve(&source);
        // by operation and by component: what changes in one part shows in that part
        for (path, member) in parts(&spec) {
            let part = spec.pointer(&path).expect("a part");
            let expected = source.pointer(&path).expect("the same part");
            let mut paths = Vec::new();
            leaves(String::new(), part, &mut paths);
            for leaf in paths {
                let (parent, name) = leaf.rsplit_once('/').expect("a leaf has a parent");
                for (how, changed) in
                    [("change", change(part, &leaf)), ("remove", remove(part, parent, name))]
                {
                    if finish(&changed, expected, &member) == *expected {
                        unseen.insert(format!("{how} {}", name.to_ascii_lowercase()));
                    }
                }
            }
        }
    }
    let expected: BTreeSet<_> = UNSEEN.iter().map(ToString::to_string).collect();
    assert_eq!(unseen, expected);
}

/// Pointers to every operation and component, with the name of each.
fn parts(spec: &Value) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for top in ["paths", "components"] {
        for (group, members) in spec[top].as_object().into_iter().flatten() {
            for name in members.as_object().into_iter().flatten().map(|(name, _)| name) {
                out.push((format!("/{top}/{}/{}", escape(group), escape(name)), name.clone()));
            }
        }
    }
    out
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn leaves(path: String, node: &Value, out: &mut Vec<String>) {
    match node {
        Value::Object(m) if !m.is_empty() => {
            m.iter().for_each(|(k, v)| leaves(format!("{path}/{}", escape(k)), v, out));
        }
        Value::Array(a) if !a.is_empty() => {
            a.iter().enumerate().for_each(|(i, v)| leaves(format!("{path}/{i}"), v, out));
        }
        _ => out.push(path),
    }
}

fn change(part: &Value, leaf: &str) -> Value {
    let mut part = part.clone();
    *part.pointer_mut(leaf).expect("a leaf") = Value::String("CHANGED".into());
    part
}

fn remove(part: &Value, parent: &str, name: &str) -> Value {
    let mut part = part.clone();
    match part.pointer_mut(parent).expect("a parent") {
        Value::Object(members) => drop(members.remove(&name.replace("~1", "/").replace("~0", "~"))),
        Value::Array(items) => drop(items.remove(name.parse().expect("an index"))),
        _ => unreachable!("a leaf's parent has members"),
    }
    part
}
