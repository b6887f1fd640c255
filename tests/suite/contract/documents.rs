//! The operations of the OpenAPI documents, with the responses that the documents list.

use std::{fs, path::Path, sync::LazyLock};

use serde_json::{Map, Value};

use crate::house::imports::rust_files;

/// The documents by name.
static DOCUMENTS: LazyLock<[(&str, Vec<Operation>); 3]> = LazyLock::new(|| {
    [
        ("bot", read(include_str!("../../../generated/bot.json"))),
        ("assistant", read(include_str!("../../../generated/assistant.json"))),
        ("admin", read(include_str!("../../../generated/admin.json"))),
    ]
});

/// An operation of a document.
pub struct Operation {
    pub id: String,
    /// The name of the operation's function in the generated client.
    pub function: String,
    /// The HTTP method in upper case.
    pub method: String,
    /// The path, with `{name}` for parameters.
    pub path: String,
    /// Media types of the request body; empty if the operation has no body.
    pub media_types: Vec<String>,
    /// `x-credentials`: the kinds of callers that an operation of the admin API accepts.
    pub credentials: Vec<String>,
    /// Whether the operation rejects callers without a credential.
    pub is_secured: bool,
    /// `x-outside`: the generated clients have no function for the operation.
    pub is_outside: bool,
    pub outcomes: Vec<Outcome>,
}

/// A response that an operation documents: a status and, if the response is an error with examples, its code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Outcome {
    pub status: u16,
    pub code: Option<String>,
}

impl Operation {
    /// Returns the operation's errors that depend only on the caller, and `internal_error`, which also occurs if the
    /// server cannot read the tokens or sessions of callers. [`super::callers`] checks these errors.
    ///
    /// # Panics
    /// For the document of the assistant server.
    pub fn of_callers(&self, document: &str) -> Vec<Outcome> {
        let codes: &[&str] = match document {
            "bot" => &[
                "not_authed",
                "invalid_auth",
                "token_revoked",
                "missing_scope",
                "rate_limited",
                "internal_error",
            ],
            "admin" if self.refuses_a_role() => {
                &["not_authed", "invalid_auth", "forbidden", "rate_limited", "internal_error"]
            }
            "admin" => &["not_authed", "invalid_auth", "rate_limited", "internal_error"],
            other => panic!("no errors of callers are defined for the document {other}"),
        };
        let is_of_callers =
            |outcome: &&Outcome| outcome.code.as_deref().is_some_and(|code| codes.contains(&code));
        self.outcomes.iter().filter(is_of_callers).cloned().collect()
    }

    /// Returns whether the operation always rejects one kind of caller: the operator, or people who are not admins.
    fn refuses_a_role(&self) -> bool {
        let accepts = |role: &str| self.credentials.iter().any(|known| known == role);
        !(accepts("operator") && accepts("person"))
    }
}

/// Returns all operations, with the names of their documents.
pub fn all() -> impl Iterator<Item = (&'static str, &'static Operation)> {
    DOCUMENTS.iter().flat_map(|(name, operations)| operations.iter().map(|operation| (*name, operation)))
}

/// Returns the operations of the generated clients, with the names of their documents.
pub fn of_clients() -> impl Iterator<Item = (&'static str, &'static Operation)> {
    all().filter(|(_, operation)| !operation.is_outside)
}

/// Returns the operation whose operationId is `id`, and the name of its document. An operationId is unique over all
/// documents.
pub fn with_id(id: &str) -> Option<(&'static str, &'static Operation)> {
    all().find(|(_, operation)| operation.id == id)
}

/// Returns the operation that a function of a generated client calls.
///
/// # Panics
/// If the document has no such operation.
#[track_caller]
pub fn operation(document: &str, function: &str) -> &'static Operation {
    find(document, function).unwrap_or_else(|| panic!("{document} has no operation {function}"))
}

/// Returns the operation that a function of a generated client calls, or `None` if the document has no such operation.
/// If a body has a second media type, the client has a second function, whose name ends with `_form` or `_json`.
pub fn find(document: &str, function: &str) -> Option<&'static Operation> {
    let plain = function.strip_suffix("_form").or_else(|| function.strip_suffix("_json")).unwrap_or(function);
    of_clients()
        .find(|(name, operation)| {
            *name == document && (operation.function == function || operation.function == plain)
        })
        .map(|(_, operation)| operation)
}

fn read(text: &str) -> Vec<Operation> {
    let document: Value = serde_json::from_str(text).expect("a document");
    let prefix = document["x-name-prefix"].as_str().unwrap_or_default();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path") {
            let is_operation = ["get", "put", "post", "patch", "delete"].contains(&method.as_str());
            if is_operation {
                operations.push(operation_of(&document, prefix, path, method, operation));
            }
        }
    }
    operations
}

fn operation_of(document: &Value, prefix: &str, path: &str, method: &str, operation: &Value) -> Operation {
    let id = operation["operationId"].as_str().expect("an operationId").to_owned();
    let security = operation.get("security").or_else(|| document.get("security"));
    let security = security.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let is_open = |alternative: &Value| alternative.as_object().is_some_and(Map::is_empty);
    let responses = operation["responses"].as_object().expect("responses");
    Operation {
        function: function(&id, prefix),
        id,
        method: method.to_uppercase(),
        path: path.to_owned(),
        media_types: names(&operation["requestBody"]["content"]),
        credentials: texts(&operation["x-credentials"]),
        is_secured: !security.is_empty() && !security.iter().any(is_open),
        is_outside: operation.get("x-outside").is_some(),
        outcomes: responses
            .iter()
            .flat_map(|(status, response)| outcomes(document, status, response))
            .collect(),
    }
}

/// Returns the outcomes of a response. An error has an outcome for each example; the name of the example is the error
/// code. An error without examples has one outcome without a code. The response `default` has no outcome, because it is
/// not specific to the operation.
fn outcomes(document: &Value, status: &str, response: &Value) -> Vec<Outcome> {
    let Ok(status) = status.parse::<u16>() else { return Vec::new() };
    if status < 400 {
        return vec![Outcome { status, code: None }];
    }
    let response = match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).expect("a response"),
        None => response,
    };
    let codes = names(&response["content"]["application/json"]["examples"]);
    if codes.is_empty() {
        return vec![Outcome { status, code: None }];
    }
    codes.into_iter().map(|code| Outcome { status, code: Some(code) }).collect()
}

/// Returns the name of an operation's function in the generated client: in snake case, without the document's prefix.
fn function(id: &str, prefix: &str) -> String {
    let plain = id.strip_prefix(prefix).filter(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
    let mut name = String::new();
    for c in plain.unwrap_or(id).chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

fn names(object: &Value) -> Vec<String> {
    object.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

#[test]
fn every_operation_of_the_admin_api_has_a_number_and_a_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/contract/admin-api.md")).unwrap();
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut commands: String = rust_files(&root.join("src/cli/commands")).into_values().collect();
    commands += &fs::read_to_string(root.join("src/cli/requests.rs")).unwrap();
    for (_, Operation { id, method, path, function, .. }) in all().filter(|(name, _)| *name == "admin") {
        assert!(page.contains(&format!("`{method} {path}`")), "admin-api.md has no W- number for {id}");
        assert!(commands.contains(&format!(".{function}(")), "no command in src/cli/commands calls {id}");
    }
}
