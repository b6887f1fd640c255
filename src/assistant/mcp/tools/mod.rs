//! The tools that assistants may call.

use std::sync::LazyLock;

use serde_json::{Map, Value, json};

use crate::workspace::{World, assistants::connections::Connected};

/// What a tool needs of the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// `service:read`.
    Read,
    /// `service:write`.
    Write,
}

/// A tool as clients see it.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub needs: Need,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of the structured content.
    pub output: Value,
    pub read_only: bool,
    pub destructive: bool,
    pub idempotent: bool,
}

/// What came of a call.
pub enum Outcome {
    Done(Answer),
    /// The arguments break the input schema; why.
    Invalid(String),
}

/// What a tool says.
pub struct Answer {
    pub structured: Option<Value>,
    pub text: String,
    /// The tool ran and failed.
    pub is_error: bool,
    /// The code of a failure, of the bot API's vocabulary.
    pub code: Option<&'static str>,
    /// Ids of what was touched.
    pub targets: Vec<String>,
}

static CATALOG: LazyLock<[Tool; 2]> = LazyLock::new(|| {
    let who_am_i = Tool {
        name: "whoami",
        title: "Who am I",
        description: "Tells which employee of which company this connection acts for.",
        needs: Need::Read,
        input: json!({"type": "object", "properties": {}, "additionalProperties": false}),
        output: json!({
            "type": "object",
            "properties": {"user_id": {"type": "string"}, "workspace_id": {"type": "string"}},
            "required": ["user_id", "workspace_id"],
        }),
        read_only: true,
        destructive: false,
        idempotent: true,
    };
    let send_draft = Tool {
        name: "send_draft",
        title: "Send a draft",
        description: "Sends a message that was drafted before.",
        needs: Need::Write,
        input: json!({
            "type": "object",
            "properties": {"draft_id": {"type": "string"}},
            "required": ["draft_id"],
            "additionalProperties": false,
        }),
        output: Value::Null,
        read_only: false,
        destructive: false,
        idempotent: true,
    };
    [who_am_i, send_draft]
});

/// Every tool, in the order of lists.
#[must_use]
pub fn catalog() -> &'static [Tool] {
    CATALOG.as_slice()
}

/// The tool of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    catalog().iter().find(|tool| tool.name == name)
}

/// Calls a tool for an employee.
pub async fn call(
    _: &World,
    who: &Connected,
    tool: &'static Tool,
    arguments: &Map<String, Value>,
) -> Outcome {
    let known: &[&str] = if tool.needs == Need::Write { &["draft_id"] } else { &[] };
    if let Some(name) = arguments.keys().find(|name| !known.contains(&name.as_str())) {
        return Outcome::Invalid(format!("`{}` takes no argument `{name}`", tool.name));
    }
    if let Some(name) = known.iter().find(|name| !arguments.get(**name).is_some_and(Value::is_string)) {
        return Outcome::Invalid(format!("`{name}` must be a string"));
    }
    if tool.needs == Need::Write {
        return Outcome::Done(Answer {
            structured: None,
            text: "not_found: there is no such draft of the employee.".into(),
            is_error: true,
            code: Some("not_found"),
            targets: Vec::new(),
        });
    }
    let answer = json!({"user_id": who.user_id.encode(), "workspace_id": who.workspace_id.encode()});
    Outcome::Done(Answer {
        text: answer.to_string(),
        structured: Some(answer),
        is_error: false,
        code: None,
        targets: vec![who.user_id.encode()],
    })
}
