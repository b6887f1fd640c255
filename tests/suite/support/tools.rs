//! Assistants that call tools for an employee.

use serde_json::{Value, json};
use switchboard::assistant::mcp::tools;

use super::{
    Server,
    assistant::{Employee, Tokens},
    company::{Company, text},
    mcp::{MODERN, Mcp},
};

/// The response to a tool call.
#[derive(Clone, Debug)]
pub enum Called {
    /// A tool result: `structuredContent` (null if the call failed), the text, and whether the call failed.
    Answered { structured: Value, text: String, is_error: bool },
    /// The JSON-RPC error −32602 (invalid params), with its message.
    Invalid(String),
}

/// Calls tools over MCP, in the protocol version without sessions.
#[derive(Clone)]
pub struct ToolCaller(Mcp);

impl ToolCaller {
    async fn call_tool(&self, tool: &str, arguments: Value) -> Called {
        let got = self.0.tool(tool, arguments).await;
        assert_eq!(got.status, 200, "{got:?}");
        let answer = got.json();
        if let Some(error) = answer["error"].as_object() {
            assert_eq!(error["code"], -32602, "{got:?}");
            return Called::Invalid(error["message"].as_str().expect("a message").to_owned());
        }
        let result = &answer["result"];
        let (structured, is_error) = (result["structuredContent"].clone(), result["isError"] == true);
        let content = result["content"].as_array().expect("content");
        assert!(content.len() == 1 && content[0]["type"] == "text", "{got:?}");
        let text = content[0]["text"].as_str().expect("a text").to_owned();
        assert_eq!(is_error, structured.is_null(), "{got:?}");
        if !is_error {
            fits(&tools::find(tool).expect("a tool").output, &structured, tool);
        }
        Called::Answered { structured, text, is_error }
    }
}

/// Asserts that a value matches a schema of the catalog of tools, and has no members that the schema does not name.
#[track_caller]
pub fn fits(schema: &Value, value: &Value, at: &str) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let kinds = match &schema["type"] {
        Value::Array(kinds) => kinds.clone(),
        one => vec![one.clone()],
    };
    assert!(kinds.contains(&kind.into()), "{at} is {value}, but its schema has the type {}", schema["type"]);
    if let Some(words) = schema["enum"].as_array() {
        assert!(words.contains(value), "{at} is {value}, which its schema does not list");
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| fits(&schema["items"], item, at)),
        Value::Object(members) => {
            for name in schema["required"].as_array().into_iter().flatten() {
                assert!(members.contains_key(name.as_str().unwrap()), "{at} lacks {name}");
            }
            for (name, member) in members {
                let known = &schema["properties"][name];
                assert!(known.is_object(), "{at} has {name}, which its schema does not name");
                fits(known, member, &format!("{at}.{name}"));
            }
        }
        _ => {}
    }
}

/// An assistant of an employee.
#[derive(Clone)]
pub struct Assistant {
    pub employee: Employee,
    pub tokens: Tokens,
    caller: ToolCaller,
}

impl Server {
    /// Creates an employee with this name in a company, and connects an assistant.
    pub async fn assistant(&self, company: &Company, name: &str) -> Assistant {
        let employee = self.employee_of(company).await;
        company.update_user(&employee.id, json!({"name": name})).await;
        self.assistant_of(&employee).await
    }

    /// Connects a new assistant for an employee.
    pub async fn assistant_of(&self, employee: &Employee) -> Assistant {
        self.assistant_with(employee, &[]).await
    }

    /// Connects a new assistant for an employee, with these parameters of the authorization request.
    pub async fn assistant_with(&self, employee: &Employee, more: &[(&str, &str)]) -> Assistant {
        let client = self.client().await;
        let tokens = employee.connect_with(self, &client, more).await;
        self.assistant_by(employee, &tokens)
    }

    /// Returns the assistant that has these tokens.
    pub fn assistant_by(&self, employee: &Employee, tokens: &Tokens) -> Assistant {
        let caller = ToolCaller(self.mcp(&tokens.access, MODERN));
        Assistant { employee: employee.clone(), tokens: tokens.clone(), caller }
    }
}

impl Assistant {
    /// Returns the id of the employee.
    pub fn id(&self) -> &str {
        &self.employee.id
    }

    pub async fn call(&self, tool: &str, arguments: Value) -> Called {
        self.caller.call_tool(tool, arguments).await
    }

    /// Asserts that a call succeeds. Returns the `structuredContent` and the text of its result.
    #[track_caller]
    pub fn both(&self, tool: &str, arguments: Value) -> impl Future<Output = (Value, String)> {
        let location = std::panic::Location::caller();
        let (this, tool) = (self.clone(), tool.to_owned());
        async move {
            match this.call(&tool, arguments.clone()).await {
                Called::Answered { structured, text, is_error: false } => (structured, text),
                other => panic!("{location}: {tool} {arguments}: {other:?}"),
            }
        }
    }

    #[track_caller]
    pub fn ok(&self, tool: &str, arguments: Value) -> impl Future<Output = Value> {
        let both = self.both(tool, arguments);
        async move { both.await.0 }
    }

    /// Asserts that a call fails with a code. Returns the text of its result.
    #[track_caller]
    pub fn fails(&self, tool: &str, arguments: Value, code: &str) -> impl Future<Output = String> {
        let location = std::panic::Location::caller();
        let (this, tool, code) = (self.clone(), tool.to_owned(), code.to_owned());
        async move {
            match this.call(&tool, arguments.clone()).await {
                Called::Answered { text, is_error: true, .. } if text.starts_with(&format!("{code}: ")) => {
                    text
                }
                other => panic!("{location}: {tool} {arguments}: {code} was expected, not {other:?}"),
            }
        }
    }

    /// Asserts that the arguments of a call violate the schema, and returns the message.
    pub async fn invalid(&self, tool: &str, arguments: Value) -> String {
        match self.call(tool, arguments.clone()).await {
            Called::Invalid(why) => why,
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }

    /// Returns the texts of the messages that `search_messages` finds, in the order of the result.
    pub async fn found(&self, arguments: Value) -> Vec<String> {
        let found = self.ok("search_messages", arguments).await;
        found["messages"].as_array().unwrap().iter().map(|m| text(m, "/text")).collect()
    }

    /// Returns the ids of the newest messages of a conversation, read by `read_messages`: newest first, at most 200.
    pub async fn reads(&self, conversation: &str) -> Vec<String> {
        let page = self.ok("read_messages", json!({"conversation": conversation, "limit": 200})).await;
        page["messages"].as_array().unwrap().iter().map(|m| text(m, "/id")).collect()
    }

    /// Creates a draft, and returns its id.
    pub async fn drafts(&self, arguments: Value) -> String {
        text(&self.ok("draft_message", arguments).await, "/draft/id")
    }
}
