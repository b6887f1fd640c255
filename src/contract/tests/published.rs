//! Tests that the documents published by the routes equal the hand-written documents.

use std::collections::BTreeSet;

use poem_openapi::{OpenApi, registry::Registry};
use serde_json::Value;

use crate::{
    admin::Admin,
    app::documents,
    assistant::AssistantApi,
    bot::BotApi,
    contract::{
        ordered::Ordered,
        publish::{Filler, routes_document},
    },
    generated::{admin, assistant, bot},
};

/// Changes of poem-openapi's document that do not change the published document, because the removed member has its
/// default value. Do not add entries to this list; removing entries is fine.
const UNDETECTED: &[&str] = &["remove deprecated", "remove explode", "remove required"];

#[test]
fn the_routes_publish_the_source_document() {
    for (name, published, source) in [
        ("bot", documents::bot(), bot::SOURCE),
        ("assistant", documents::assistant(), assistant::SOURCE),
        ("admin", documents::admin(), admin::SOURCE),
    ] {
        let mut differences = Vec::new();
        compare(name, &parse(source), &published.value(), &mut differences);
        assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
        assert!(published.text() == source, "{name}: the published text equals the source byte by byte");
    }
}

#[test]
fn a_document_names_the_address_of_its_server() {
    let served = parse(&documents::bot().at("https://chat.example.com/\"x\"").text());
    let servers = served["servers"].as_array().expect("servers");
    assert_eq!(servers.len(), 1);
    assert_eq!(servers[0]["url"], "https://chat.example.com/\"x\"");
    let mut written = parse(bot::SOURCE);
    written["servers"] = served["servers"].clone();
    assert_eq!(served, written, "only `servers` differs from the source");
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("a document is JSON")
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

/// Returns the presentation of an API (`generated/*.presentation.json`) and poem-openapi's document of the API.
fn routes<A: OpenApi>(presentation: &str, head: [&str; 2], types: fn(&mut Registry)) -> (Ordered, Value) {
    (serde_json::from_str(presentation).expect("JSON"), routes_document::<A>(head, types))
}

fn all_routes() -> [(Ordered, Value); 3] {
    [
        routes::<bot::Server<BotApi>>(bot::PRESENTATION, bot::HEAD, bot::types::register),
        routes::<assistant::Server<AssistantApi>>(
            assistant::PRESENTATION,
            assistant::HEAD,
            assistant::types::register,
        ),
        routes::<admin::Server<Admin>>(admin::PRESENTATION, admin::HEAD, admin::types::register),
    ]
}

/// Changes and removes every leaf of poem-openapi's document, one at a time. Each change must change the published
/// document, except the changes in [`UNDETECTED`].
#[test]
fn every_leaf_of_the_routes_document_affects_the_published_document() {
    let mut unseen = BTreeSet::new();
    for (presentation, spec) in all_routes() {
        // it suffices to compare the changed operation or component, because no other part of the document changes
        for (path, is_operation) in parts(&spec) {
            let part = at(&spec, &path);
            let blank = path.iter().fold(&presentation, |node, name| node.get(name).expect("the same part"));
            let filled = |part: &Value| {
                let mut filler = Filler::new(&presentation);
                let filled = match is_operation {
                    true => filler.operation(blank, part),
                    false => filler.fill(blank, part, ""),
                };
                (filled, filler.shared)
            };
            let expected = filled(part);
            let mut paths = Vec::new();
            leaves(String::new(), part, &mut paths);
            for leaf in paths {
                let (parent, name) = leaf.rsplit_once('/').expect("a leaf has a parent");
                for (how, changed) in
                    [("change", change(part, &leaf)), ("remove", remove(part, parent, name))]
                {
                    if filled(&changed) == expected {
                        unseen.insert(format!("{how} {}", name.to_ascii_lowercase()));
                    }
                }
            }
        }
    }
    let expected: BTreeSet<_> = UNDETECTED.iter().map(ToString::to_string).collect();
    assert_eq!(unseen, expected);
}

#[test]
fn a_shared_response_that_one_route_changes_is_inlined_in_this_route() {
    let [(presentation, mut spec), ..] = all_routes();
    let responses = |document: &Value, path: &str| document["paths"][path]["get"]["responses"]["401"].clone();
    let (changed, other) = ("/v1/users/{id}", "/v1/users");
    spec["paths"][changed]["get"]["responses"]["401"]["description"] = "CHANGED".into();
    let published = Filler::new(&presentation).document(&spec).to_value();
    assert_eq!(responses(&published, changed)["description"], "CHANGED");
    assert!(responses(&published, changed)["content"].is_object());
    assert!(responses(&published, other)["$ref"].is_string());
}

/// Returns the path of every operation and component, and whether it is an operation.
fn parts(spec: &Value) -> Vec<(Vec<&str>, bool)> {
    let mut out = Vec::new();
    for top in ["paths", "components"] {
        for (group, members) in spec[top].as_object().into_iter().flatten() {
            for name in members.as_object().into_iter().flatten().map(|(name, _)| name) {
                out.push((vec![top, group, name], top == "paths"));
            }
        }
    }
    out
}

fn at<'a>(spec: &'a Value, path: &[&str]) -> &'a Value {
    path.iter().fold(spec, |node, name| &node[name])
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
