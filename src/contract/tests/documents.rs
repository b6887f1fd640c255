//! Rules that the documents keep.

use std::sync::Arc;

use serde_json::Value;

use crate::{
    contract::{Contract, Dialect, Fault, LimitRow, OperationInfo, docs_page, resolve},
    domain::refusal::Code,
    generated::{admin, assistant, bot},
};

fn operations() -> impl Iterator<Item = &'static &'static OperationInfo> {
    bot::OPERATIONS.iter().chain(assistant::OPERATIONS).chain(admin::OPERATIONS)
}

#[test]
fn a_code_has_the_status_of_the_document() {
    for (code, status) in bot::CODES.iter().chain(assistant::CODES).chain(admin::CODES) {
        assert_eq!(code.status(), *status, "{code}");
    }
}

/// What the ladder can answer, the document lists.
#[test]
fn operations_document_what_the_ladder_answers() {
    let mut missing = Vec::new();
    for operation in operations() {
        let (always, with_body): (&[Code], &[Code]) = match operation.dialect {
            Dialect::Envelope => (
                &[Code::TokenInQuery, Code::NotAcceptable, Code::InternalError],
                &[Code::InvalidRequest, Code::PayloadTooLarge, Code::UnsupportedMediaType],
            ),
            Dialect::Oauth => (&[Code::ServerError], &[Code::InvalidRequest, Code::RequestTooLarge]),
        };
        let mut needed = always.to_vec();
        if operation.body.is_some() {
            needed.extend(with_body);
        }
        if operation.dialect == Dialect::Oauth && operation.limit != LimitRow::Unlimited {
            needed.push(Code::SlowDown);
        }
        if !operation.scopes.is_empty() {
            needed.push(Code::MissingScope);
        }
        if operation.sandbox {
            needed.push(Code::NotFound);
        }
        needed.extend(operation.required_headers.iter().map(|(_, code)| *code));
        for code in needed.into_iter().filter(|code| !operation.errors.contains(code)) {
            missing.push(format!("{}: {code}", operation.id));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Examples whose sentence is a reason of its own: that the server gives it is shown in `tests/suite/error_sentences.rs`.
const REASONS: [(&str, &str); 7] = [
    ("bot", "invalid_request"),
    ("bot", "invalid_blocks"),
    ("bot", "missing_scope"),
    ("assistant", "invalid_request"),
    ("assistant", "invalid_redirect_uri"),
    ("assistant", "invalid_client_metadata"),
    ("admin", "sign_in_refused"),
];

/// An example of a failure says what the server says.
#[test]
fn examples_of_failures_say_what_the_server_says() {
    let mut wrong = Vec::new();
    let mut reasons = Vec::new();
    let mut seen = 0;
    for (name, document) in
        [("bot", bot::DOCUMENT), ("assistant", assistant::DOCUMENT), ("admin", admin::DOCUMENT)]
    {
        let document: Value = serde_json::from_str(document).expect("JSON");
        let mut failures = Vec::new();
        sentences(name, &document, &mut failures);
        for (path, code, sentence) in failures {
            seen += 1;
            let code = Code::parse(code).unwrap_or_else(|| panic!("{path}: {code}"));
            let example =
                path.strip_suffix("/value").and_then(|path| path.rsplit('/').next()).unwrap_or_default();
            if let Some(reason) = REASONS.iter().find(|reason| **reason == (name, example)) {
                reasons.push(*reason);
            } else if Fault::from(code).text() != sentence {
                wrong.push(format!("{path}: {sentence}, and not: {}", Fault::from(code).text()));
            }
        }
    }
    assert!(wrong.is_empty() && seen > 40, "{seen} examples\n{}", wrong.join("\n"));
    assert_eq!(reasons.len(), REASONS.len(), "{reasons:?}");
}

/// Every failure anywhere in a document, of either dialect, with a sentence: path, code, sentence.
fn sentences<'a>(path: &str, node: &'a Value, out: &mut Vec<(String, &'a str, &'a str)>) {
    let envelope = (node["error"]["code"].as_str(), node["error"]["message"].as_str());
    let oauth = (node["error"].as_str(), node["error_description"].as_str());
    for (code, sentence) in [envelope, oauth] {
        if let (Some(code), Some(sentence)) = (code, sentence) {
            out.push((path.to_owned(), code, sentence));
        }
    }
    match node {
        Value::Object(members) => {
            members.iter().for_each(|(name, node)| sentences(&format!("{path}/{name}"), node, out));
        }
        Value::Array(items) => items.iter().for_each(|node| sentences(path, node, out)),
        _ => {}
    }
}

type RoundTrip = fn(&str, Value) -> serde_json::Result<Value>;

/// Every example of a body keeps its schema, and the generated types read and write it without loss.
#[test]
fn examples_keep_their_schemas() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let documents: [(&str, &Contract, RoundTrip); 3] = [
        (bot::DOCUMENT, &bot::CONTRACT, bot::types::round_trip),
        (assistant::DOCUMENT, &assistant::CONTRACT, assistant::types::round_trip),
        (admin::DOCUMENT, &admin::CONTRACT, admin::types::round_trip),
    ];
    for (document, contract, round_trip) in documents {
        let document = resolve(&serde_json::from_str(document).expect("JSON"));
        let mut media = Vec::new();
        bodies("", &document["paths"], &mut media);
        bodies("", &document["x-webhooks"], &mut media);
        for (path, media) in media {
            let reference = media["schema"]["$ref"].as_str().expect("a named schema");
            let name = reference.rsplit('/').next().expect("a name");
            let named =
                media["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
            for example in media.get("example").into_iter().chain(named) {
                seen += 1;
                let mut checked = example.clone();
                if let Err(violation) = contract.check(contract.schema(name), &mut checked) {
                    wrong.push(format!("{path}: {violation}"));
                }
                match round_trip(name, checked.clone()) {
                    Ok(written) if written == checked => {}
                    other => wrong.push(format!("{path}: {example} becomes {other:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty() && seen > 100, "{seen} examples\n{}", wrong.join("\n"));
}

/// Media types with a named schema.
fn bodies<'a>(path: &str, node: &'a Value, out: &mut Vec<(String, &'a Value)>) {
    for (name, value) in node.as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        if name.contains('/') && value["schema"]["$ref"].is_string() {
            out.push((path, value));
        } else {
            bodies(&path, value, out);
        }
    }
}

/// Absent, null and present are three things on the wire.
#[test]
fn absence_and_null_are_written_as_they_are() {
    for json in
        [r#"{"text":"x"}"#, r#"{"text":"x","thread_id":null}"#, r#"{"text":"x","thread_id":"gmsg_1"}"#]
    {
        let mut body: Value = serde_json::from_str(json).expect("JSON");
        body["to"] = serde_json::json!({"type": "user", "id": "usr_1"});
        assert_eq!(bot::types::round_trip("MessageCreate", body.clone()).expect("valid"), body);
    }
}

#[test]
fn the_reference_page_asks_nobody_else() {
    let page = docs_page(&[("bot", bot::DOCUMENT), ("admin", admin::DOCUMENT)]);
    assert!(page.contains("SwaggerUIBundle") && page.contains("/v1/messages") && page.contains("/admin/v1/"));
    assert!(!page.contains("{documents}"));
    let lower = page.to_lowercase();
    for outside in ["src=\"http", "href=\"http", "url(http", "@import", "//cdn", "fonts.g"] {
        let found = lower.match_indices(outside).map(|(at, _)| lower.get(at.saturating_sub(40)..at + 60));
        assert_eq!(found.collect::<Vec<_>>(), [], "{outside}");
    }
    let documents = page.split("id=\"documents\">").nth(1).and_then(|rest| rest.split("</script>").next());
    let documents: Value = serde_json::from_str(documents.expect("the data")).expect("JSON");
    assert_eq!(documents[0]["name"], "bot");
    // the bot's events stand between the two
    assert_eq!(documents[2]["document"], serde_json::from_str::<Value>(admin::DOCUMENT).expect("JSON"));
}

#[test]
fn the_routes_of_all_documents_can_be_mounted() {
    let _ = bot::routes(Arc::new(bot::Blank));
    let _ = assistant::routes(Arc::new(assistant::Blank));
    let _ = admin::routes(Arc::new(admin::Blank));
}
