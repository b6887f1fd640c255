//! Tests of rules that a valid OpenAPI document can break. Code generators, linters and readers need these rules.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::{
    contract::resolve,
    domain::refusal::Code,
    generated::{admin, assistant, bot},
};

fn documents() -> [(&'static str, Value); 3] {
    [("bot", bot::SOURCE), ("assistant", assistant::SOURCE), ("admin", admin::SOURCE)]
        .map(|(name, text)| (name, serde_json::from_str(text).expect("JSON")))
}

/// Returns every operation and event of a document with its operationId. References in them are resolved, except
/// those to schemas.
fn operations(document: &Value) -> Vec<(String, Value)> {
    let document = resolve(document);
    let items = [&document["paths"], &document["x-webhooks"]];
    let items = items.into_iter().filter_map(Value::as_object).flatten().map(|(_, item)| item);
    let operations = items.filter_map(Value::as_object).flatten().map(|(_, operation)| operation.clone());
    let named = operations.filter_map(|o| Some((o["operationId"].as_str()?.to_owned(), o)));
    named.collect()
}

fn members<'a>(node: &'a Value, name: &str) -> impl Iterator<Item = (&'a String, &'a Value)> {
    node[name].as_object().into_iter().flatten()
}

/// Visits every nested object with its path.
fn walk<'a>(path: &str, node: &'a Value, seen: &mut dyn FnMut(&str, &'a Value)) {
    match node {
        Value::Object(parts) => {
            seen(path, node);
            parts.iter().for_each(|(name, part)| walk(&format!("{path}/{name}"), part, seen));
        }
        Value::Array(parts) => {
            parts.iter().enumerate().for_each(|(at, part)| walk(&format!("{path}/{at}"), part, seen));
        }
        _ => {}
    }
}

#[test]
fn names_of_operations_and_schemas_are_unique_over_all_documents() {
    let mut found = BTreeMap::<String, Vec<&str>>::new();
    for (name, document) in documents() {
        for (id, _) in operations(&document) {
            found.entry(id).or_default().push(name);
        }
        for (schema, _) in members(&document["components"], "schemas") {
            found.entry(schema.clone()).or_default().push(name);
        }
    }
    found.retain(|_, documents| documents.len() > 1);
    assert!(found.is_empty(), "several operations or schemas have the same name: {found:?}");
}

#[test]
fn every_operation_has_a_default_response_with_a_schema() {
    for (name, document) in documents() {
        let operations = operations(&document);
        // events are left out: they have a response `2XX`, and their default response has no body
        for (id, operation) in
            operations.iter().filter(|(_, operation)| operation["responses"]["2XX"].is_null())
        {
            let content = &operation["responses"]["default"]["content"]["application/json"];
            assert!(
                content["schema"]["$ref"].is_string(),
                "{name}: {id} has no default response with a schema"
            );
        }
        assert!(operations.len() > 10);
    }
}

/// Enums of responses that will not get further values, with the reason.
const CLOSED: [(&str, &str); 13] = [
    ("True", "a constant"),
    ("False", "a constant"),
    ("AdminTrue", "a constant"),
    ("AdminFalse", "a constant"),
    ("Supported", "a constant"),
    ("TokenType", "the contract has only bearer tokens"),
    ("AccessTokenType", "the contract has only bearer tokens"),
    ("ConversationType", "the contract has public and private channels"),
    ("AdminConversationType", "the contract has public and private channels"),
    ("ConversationKind", "the contract has three kinds, which the prefixes of ids tell apart"),
    ("UserState", "the contract names the four account states"),
    ("InstallationState", "an installation is connected, or it is not"),
    ("ConnectionState", "a connection is active, or it is revoked"),
];

/// Searches a node, and the schemas that it references, for closed enums (`enum`, not `x-extensible-enum`). Adds the
/// name of each enum's schema to `found`.
///
/// `at` is the name of the schema to which the node belongs, or the HTTP method outside of schemas. `is_named` is true
/// if the node is the schema `at` itself, and false if the node is inside it. An `enum` of one value inside a schema is
/// ignored, because it is a constant, such as the type of an event.
fn closed_enums(
    document: &Value,
    (at, is_named): (&str, bool),
    node: &Value,
    seen: &mut BTreeSet<String>,
    found: &mut BTreeSet<String>,
) {
    match node {
        Value::Object(parts) => {
            if let Some(reference) = node["$ref"].as_str() {
                if seen.insert(reference.to_owned()) {
                    let target = document.pointer(reference.trim_start_matches('#')).expect("a component");
                    let name = reference.rsplit('/').next().unwrap_or_default();
                    closed_enums(document, (name, true), target, seen, found);
                }
                return;
            }
            if node["enum"].as_array().is_some_and(|values| is_named || values.len() > 1) {
                found.insert(at.to_owned());
            }
            parts.values().for_each(|part| closed_enums(document, (at, false), part, seen, found));
        }
        Value::Array(parts) => {
            for part in parts {
                closed_enums(document, (at, false), part, seen, found);
            }
        }
        _ => {}
    }
}

/// Enums of responses are extensible, except those in [`CLOSED`]. If a value were added to a closed enum, clients that
/// were generated earlier would reject this value (decision 29).
#[test]
fn enums_of_responses_may_grow() {
    let mut found = BTreeSet::new();
    for (_, document) in documents() {
        let mut seen = BTreeSet::new();
        for (items, part) in [("paths", "responses"), ("x-webhooks", "requestBody")] {
            for operation in members(&document, items).filter_map(|(_, item)| item.as_object()).flatten() {
                closed_enums(&document, (operation.0, false), &operation.1[part], &mut seen, &mut found);
            }
        }
    }
    let closed: BTreeSet<_> = CLOSED.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(
        found, closed,
        "an enum of a response is listed in CLOSED or is an `x-extensible-enum`; if requests have the enum too, \
         the response has a schema of its own"
    );
}

/// The enum of a response lists the same values as the enum of requests. For example, `ScopeValue` lists the values of
/// `Scope`.
#[test]
fn values_of_responses_are_those_of_requests() {
    let mut seen = 0;
    for (name, document) in documents() {
        let schemas = &document["components"]["schemas"];
        for (schema, body) in members(&document["components"], "schemas") {
            if let Some(request) = schema.strip_suffix("Value") {
                seen += 1;
                assert!(body["x-extensible-enum"].is_array(), "{name}: {schema} lists its known values");
                assert_eq!(body["x-extensible-enum"], schemas[request]["enum"], "{name}: {schema}");
            }
        }
    }
    assert!(seen > 5);
}

/// `nullable` applies only to a schema that has a `type` (OpenAPI 3.0.3 §4.7.24).
#[test]
fn nullable_has_a_type() {
    for (name, document) in documents() {
        let mut seen = 0;
        walk("", &document["components"]["schemas"], &mut |path, schema| {
            if schema["nullable"] == json!(true) {
                seen += 1;
                assert!(schema["type"].is_string(), "{name}{path} has no type");
            }
        });
        assert!(seen > 5 || name == "assistant", "{name} has only {seen} nullable schemas");
    }
}

#[test]
fn schemas_and_properties_are_described() {
    let mut bare = Vec::new();
    for (name, document) in documents() {
        for (schema, body) in members(&document["components"], "schemas") {
            if !body["description"].is_string() {
                bare.push(format!("{name}: {schema}"));
            }
            for (property, body) in members(body, "properties") {
                if !body["description"].is_string() && !body["$ref"].is_string() {
                    bare.push(format!("{name}: {schema}.{property}"));
                }
            }
        }
    }
    assert!(bare.is_empty(), "without a description:\n{}", bare.join("\n"));
}

#[test]
fn bodies_parameters_and_headers_have_examples() {
    let mut bare = Vec::new();
    let has = |part: &Value| {
        !part["example"].is_null() || part["examples"].as_object().is_some_and(|e| !e.is_empty())
    };
    for (name, document) in documents() {
        for (id, operation) in operations(&document) {
            for parameter in operation["parameters"].as_array().into_iter().flatten().filter(|p| !has(p)) {
                bare.push(format!("{name}: {id}: {}", parameter["name"]));
            }
            let answers = members(&operation, "responses").map(|(status, answer)| (status.as_str(), answer));
            for (location, part) in answers.chain([("request", &operation["requestBody"])]) {
                let parts = members(part, "content").chain(members(part, "headers"));
                bare.extend(
                    parts
                        .filter(|(_, part)| !has(part))
                        .map(|(what, _)| format!("{name}: {id}: {location}: {what}")),
                );
            }
        }
    }
    assert!(bare.is_empty(), "without an example:\n{}", bare.join("\n"));
}

#[test]
fn every_kind_of_directory_change_has_an_example() {
    let (_, document) = &documents()[0];
    let kinds = document["components"]["schemas"]["DirectoryChangeKind"]["x-extensible-enum"].as_array();
    let kinds: BTreeSet<_> = kinds.expect("kinds").iter().filter_map(Value::as_str).collect();
    let body =
        &document["x-webhooks"]["directoryChanged"]["post"]["requestBody"]["content"]["application/json"];
    let shown =
        members(body, "examples").filter_map(|(_, example)| example["value"]["data"]["kind"].as_str());
    let shown: BTreeSet<_> = shown.collect();
    assert_eq!(kinds, shown);
}

/// The MCP endpoints reject some requests before they parse the JSON-RPC message. The examples of these rejections show
/// exactly the error codes that the table below has for the operation and the status.
#[test]
fn examples_of_mcp_errors_have_the_codes_of_their_status() {
    let (_, document) = &documents()[1];
    let mcp = |(_, operation): &(String, Value)| operation["tags"] == json!(["mcp"]);
    let operations: Vec<_> = operations(document).into_iter().filter(mcp).collect();
    assert_eq!(operations.len(), 6);
    for (id, operation) in operations {
        for (status, answer) in members(&operation, "responses") {
            let expected: &[&str] = match status.as_str() {
                "401" => &["invalid_token", "unauthorized"],
                // these operations can call a tool, and only a tool call can need a scope that the token lacks
                "403" if id.starts_with("send") => &["forbidden", "insufficient_scope"],
                "403" => &["forbidden"],
                "405" => &["invalid_request"],
                "406" => &["not_acceptable"],
                "413" => &["request_too_large"],
                "415" => &["unsupported_media_type"],
                "429" => &["rate_limited"],
                _ => continue,
            };
            let body = &answer["content"]["application/json"];
            let examples = members(body, "examples").map(|(_, example)| &example["value"]);
            let shown = examples.chain([&body["example"]]).filter_map(|example| example["error"].as_str());
            let shown: BTreeSet<_> = shown.collect();
            assert_eq!(shown, expected.iter().copied().collect(), "{id}: {status}");
        }
    }
}

/// The list of error codes in a document contains every code of the document's examples. Every listed code exists in
/// the server.
#[test]
fn codes_of_examples_are_listed_and_listed_codes_exist() {
    for (name, document) in documents() {
        let schemas = &document["components"]["schemas"];
        let listed = match name {
            "bot" => &schemas["ErrorDetail"]["properties"]["code"],
            "admin" => &schemas["AdminErrorDetail"]["properties"]["code"],
            _ => &schemas["OAuthError"]["properties"]["error"],
        };
        let listed = listed["x-extensible-enum"].as_array().expect("codes").iter().filter_map(Value::as_str);
        let listed: BTreeSet<_> = listed.collect();
        for code in &listed {
            assert!(Code::parse(code).is_some(), "{name}: the server has no code {code}");
        }
        for (_, example) in members(&document["components"], "examples") {
            let error = &example["value"]["error"];
            let code = error["code"].as_str().or(error.as_str()).expect("a code");
            assert!(listed.contains(code), "{name}: the list of codes lacks {code}");
        }
    }
}

/// The section `# Errors` in the description of the bot document and of the admin document explains every code.
#[test]
fn the_guide_of_errors_lists_every_code() {
    for (name, schema) in [("bot", "ErrorDetail"), ("admin", "AdminErrorDetail")] {
        let (_, document) = documents().into_iter().find(|(found, _)| *found == name).expect("a document");
        let guide = document["info"]["description"].as_str().expect("a description");
        let rows = guide.lines().filter_map(|line| line.trim_start_matches("| ").split_once(" | `"));
        let rows = rows.filter(|(status, _)| status.starts_with(['4', '5']));
        let explained: BTreeSet<_> = rows.filter_map(|(_, row)| row.split('`').next()).collect();
        let codes = &document["components"]["schemas"][schema]["properties"]["code"]["x-extensible-enum"];
        let codes: BTreeSet<_> = codes.as_array().expect("codes").iter().filter_map(Value::as_str).collect();
        assert_eq!(explained, codes, "{name}.yaml: `# Errors` explains every code");
    }
}
