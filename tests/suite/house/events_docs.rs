//! `docs/events.md`, which is written by hand, agrees with the OpenAPI documents of the bot API and the admin API.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

const BOT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/bot.json"));
const ADMIN: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/admin.json"));

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.md")).unwrap()
}

fn json_blocks(page: &str) -> Vec<Value> {
    let blocks = page.split("```json\n").skip(1);
    blocks.map(|rest| serde_json::from_str(rest.split("```").next().unwrap()).unwrap()).collect()
}

#[test]
fn the_examples_are_in_the_openapi_document() {
    let document: Value = serde_json::from_str(BOT).unwrap();
    let mut shown = json_blocks(&page());
    shown.sort_by_key(|event| event["type"].as_str().unwrap().to_owned());
    let events: Vec<_> = document["x-webhooks"].as_object().unwrap().values().collect();
    assert_eq!(shown.len(), events.len(), "docs/events.md has one example of each event");
    for (shown, event) in shown.iter().zip(events) {
        let examples = &event["post"]["requestBody"]["content"]["application/json"]["examples"];
        let mut examples = examples.as_object().unwrap().values();
        assert!(
            examples.any(|example| example["value"] == *shown),
            "each example of docs/events.md is in generated/bot.json: {shown}"
        );
    }
}

#[test]
fn every_kind_of_directory_change_and_every_delivery_error_is_documented() {
    let page = page();
    let document: Value = serde_json::from_str(BOT).unwrap();
    let kinds =
        document["components"]["schemas"]["DirectoryChangeKind"]["x-extensible-enum"].as_array().unwrap();
    assert!(kinds.len() > 5, "only {} kinds were found", kinds.len());
    for kind in kinds {
        assert!(
            page.contains(&format!("| `{}` |", kind.as_str().unwrap())),
            "docs/events.md has a row for the kind {kind}"
        );
    }
    let document: Value = serde_json::from_str(ADMIN).unwrap();
    let description = &document["components"]["schemas"]["Delivery"]["properties"]["error"]["description"];
    let errors: Vec<_> = description.as_str().unwrap().split('`').skip(1).step_by(2).collect();
    assert!(errors.len() > 10, "only {} errors were found: {errors:?}", errors.len());
    for error in errors {
        assert!(page.contains(&format!("| `{error}` |")), "docs/events.md has a row for the error {error}");
    }
}

#[test]
fn the_links_are_valid() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = page();
    let links: Vec<_> = page.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap()).collect();
    assert!(links.len() > 5, "only {} links were found: {links:?}", links.len());
    for link in links {
        assert!(docs.join(link).exists(), "the target of the link exists: {link}");
    }
}

/// If the document of the admin API lacked a type of event or a kind of `directory.changed`, the operator could not
/// send test events of this type or kind.
#[test]
fn both_documents_name_the_same_events() {
    let (bot, admin): (Value, Value) =
        (serde_json::from_str(BOT).unwrap(), serde_json::from_str(ADMIN).unwrap());
    let events = bot["x-webhooks"].as_object().unwrap().values();
    let sent: BTreeSet<&str> = events
        .map(|event| {
            let body = &event["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            let schema = bot.pointer(body.as_str().unwrap().trim_start_matches('#')).unwrap();
            schema["properties"]["type"]["enum"][0].as_str().unwrap()
        })
        .collect();
    let schema = |document: &'_ Value, name: &str, list: &str| -> BTreeSet<String> {
        let values = document["components"]["schemas"][name][list].as_array().unwrap();
        values.iter().map(|value| value.as_str().unwrap().to_owned()).collect()
    };
    let logged = schema(&admin, "EventType", "enum");
    assert!(
        logged.iter().map(String::as_str).eq(sent),
        "`EventType` in openapi/admin.yaml lists the types of `x-webhooks` in openapi/bot.yaml: {logged:?}"
    );
    assert_eq!(
        schema(&admin, "DirectoryKind", "enum"),
        schema(&bot, "DirectoryChangeKind", "x-extensible-enum"),
        "`DirectoryKind` in openapi/admin.yaml lists the kinds of `DirectoryChangeKind` in openapi/bot.yaml"
    );
}
