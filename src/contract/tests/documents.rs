//! Rules of this project that the OpenAPI documents must follow.

use serde_json::Value;

use crate::{
    contract::{ApiError, Contract, Dialect, LimitName, OperationInfo, resolve},
    domain::refusal::Code,
    generated::{admin, assistant, bot},
};

fn operations() -> impl Iterator<Item = &'static &'static OperationInfo> {
    bot::OPERATIONS.iter().chain(assistant::OPERATIONS).chain(admin::OPERATIONS)
}

#[test]
fn codes_have_the_statuses_that_the_documents_give() {
    for (code, status) in bot::CODES.iter().chain(assistant::CODES).chain(admin::CODES) {
        assert_eq!(code.status(), *status, "{code}");
    }
}

/// Every operation documents the errors that the request pipeline can return for any operation. It also documents the
/// errors of the features that it uses: a body, a scope, a required header and `x-sandbox`. An operation with a rate
/// limit and the error format of OAuth also documents `slow_down`. An operation that lists no error codes may name them
/// in the description of its response `default`.
#[test]
fn operations_document_the_errors_of_the_pipeline() {
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
        if operation.dialect == Dialect::Oauth && operation.limit != LimitName::Unlimited {
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
            if !(operation.errors.is_empty() && is_in_default(operation, code)) {
                missing.push(format!("{}: {code}", operation.id));
            }
        }
    }
    assert!(missing.is_empty(), "operations do not document these errors:\n{}", missing.join("\n"));
}

/// Returns whether the description of an operation's response `default` names a code with its status.
fn is_in_default(operation: &OperationInfo, code: Code) -> bool {
    let documents = [bot::SOURCE, assistant::SOURCE, admin::SOURCE];
    documents.into_iter().any(|document| {
        let document = resolve(&serde_json::from_str(document).expect("JSON"));
        let method = operation.method.to_ascii_lowercase();
        let text = &document["paths"][operation.path][method]["responses"]["default"]["description"];
        let text = text.as_str().unwrap_or_default();
        text.split(", ").any(|part| {
            part.contains(&code.status().to_string()) && part.contains(&format!("`{}`", code.as_str()))
        })
    })
}

/// The error examples whose message is not the default message of their code: the document and the name of each
/// example. `tests/suite/bot/error_sentences.rs` tests that the server returns these messages.
const REASONS: [(&str, &str); 10] = [
    ("bot", "invalid_request"),
    ("bot", "invalid_blocks"),
    ("bot", "missing_scope"),
    ("bot", "client_error"),
    ("assistant", "invalid_request"),
    ("assistant", "invalid_redirect_uri"),
    ("assistant", "invalid_client_metadata"),
    ("assistant", "method_not_allowed"),
    ("admin", "sign_in_refused"),
    ("admin", "client_error"),
];

/// Each example of an error has the server's default message for its code, except the examples in [`REASONS`].
#[test]
fn examples_of_errors_have_the_servers_messages() {
    let mut wrong = Vec::new();
    let mut reasons = Vec::new();
    let mut seen = 0;
    for (name, document) in [("bot", bot::SOURCE), ("assistant", assistant::SOURCE), ("admin", admin::SOURCE)]
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
            } else if ApiError::from(code).text() != sentence {
                wrong.push(format!("{path}: {sentence:?} must be {:?}", ApiError::from(code).text()));
            }
        }
    }
    assert!(wrong.is_empty() && seen > 40, "{seen} examples; wrong messages:\n{}", wrong.join("\n"));
    reasons.sort_unstable();
    let mut listed = REASONS.to_vec();
    listed.sort_unstable();
    assert_eq!(reasons, listed, "each example that REASONS lists is found once");
}

/// Adds every error example that has a message to `out`: its path, its code and the message. Reads both error formats.
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

/// Every example of a body is valid, and the generated types parse and write it without loss.
#[test]
fn examples_are_valid_for_their_schemas() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    let documents: [(&str, &Contract, RoundTrip); 3] = [
        (bot::SOURCE, &bot::CONTRACT, bot::types::round_trip),
        (assistant::SOURCE, &assistant::CONTRACT, assistant::types::round_trip),
        (admin::SOURCE, &admin::CONTRACT, admin::types::round_trip),
    ];
    for (document, contract, round_trip) in documents {
        let document = resolve(&serde_json::from_str(document).expect("JSON"));
        let mut media = Vec::new();
        bodies("", &document["paths"], &mut media);
        bodies("", &document["x-webhooks"], &mut media);
        for (path, media) in media {
            let reference = media["schema"]["$ref"].as_str().expect("a named schema");
            let name = reference.rsplit('/').next().expect("a name");
            let outside = document["components"]["schemas"][name]["x-outside"] == true;
            let named =
                media["examples"].as_object().into_iter().flatten().map(|(_, example)| &example["value"]);
            for example in media.get("example").into_iter().chain(named) {
                seen += 1;
                let mut checked = example.clone();
                if let Err(violation) = contract.check(contract.schema(name), &mut checked) {
                    wrong.push(format!("{path}: {violation}"));
                }
                // the generator writes no types for operations that the generated code does not serve
                if outside {
                    continue;
                }
                match round_trip(name, checked.clone()) {
                    Ok(written) if written == checked => {}
                    other => wrong.push(format!("{path}: {example} becomes {other:?}")),
                }
            }
        }
    }
    assert!(wrong.is_empty() && seen > 100, "{seen} examples; invalid or changed:\n{}", wrong.join("\n"));
}

/// Adds every media type with a named schema, and its path, to `out`.
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

/// The generated types distinguish an absent member, null and a value.
#[test]
fn absence_and_null_are_distinguished() {
    for json in
        [r#"{"text":"x"}"#, r#"{"text":"x","thread_id":null}"#, r#"{"text":"x","thread_id":"gmsg_1"}"#]
    {
        let mut body: Value = serde_json::from_str(json).expect("JSON");
        body["to"] = serde_json::json!({"type": "user", "id": "usr_1"});
        assert_eq!(bot::types::round_trip("MessageCreate", body.clone()).expect("valid"), body);
    }
}
