//! `docs/events.md`, written by hand, says what the document says.

use std::{fs, path::Path};

use serde_json::Value;
use switchboard::generated::{admin, bot};

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/events.md")).unwrap()
}

fn json_blocks(page: &str) -> Vec<Value> {
    let blocks = page.split("```json\n").skip(1);
    blocks.map(|rest| serde_json::from_str(rest.split("```").next().unwrap()).unwrap()).collect()
}

#[test]
fn its_examples_are_those_of_the_document() {
    let document: Value = serde_json::from_str(bot::DOCUMENT).unwrap();
    let examples: Vec<_> = document["x-webhooks"]
        .as_object()
        .unwrap()
        .values()
        .map(|event| event["post"]["requestBody"]["content"]["application/json"]["example"].clone())
        .collect();
    let mut shown = json_blocks(&page());
    shown.sort_by_key(|event| event["type"].as_str().unwrap().to_owned());
    assert_eq!(shown, examples);
}

#[test]
fn it_names_every_kind_and_every_reason() {
    let page = page();
    let document: Value = serde_json::from_str(bot::DOCUMENT).unwrap();
    let kinds = document["components"]["schemas"]["DirectoryChangeKind"]["enum"].as_array().unwrap();
    for kind in kinds {
        assert!(page.contains(&format!("| `{}` |", kind.as_str().unwrap())), "{kind}");
    }
    let document: Value = serde_json::from_str(admin::DOCUMENT).unwrap();
    let told = &document["components"]["schemas"]["Delivery"]["properties"]["error"]["description"];
    let reasons = told.as_str().unwrap().split('`').skip(1).step_by(2);
    for reason in reasons {
        assert!(page.contains(&format!("| `{reason}` |")), "{reason}");
    }
}

#[test]
fn what_it_points_at_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let page = page();
    let links: Vec<_> = page.split("](").skip(1).map(|rest| rest.split([')', '#']).next().unwrap()).collect();
    assert!(links.len() > 5, "{links:?}");
    for link in links {
        assert!(docs.join(link).exists(), "{link}");
    }
}
