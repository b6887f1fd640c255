//! The tools that an assistant can call: names, arguments, results and implementation.
//!
//! The MCP endpoints check the token and its scopes, and then call [`call`]. [`call`] checks the scope again, for code
//! that calls it without an endpoint, such as the benchmark of searches. Business rules are in `service::employee`.
//! `docs/mcp-tools.md` is generated from the [`catalog`].
//!
//! - [`arguments`]: the declarations of arguments, and the validation of calls
//! - [`render_json`] and [`render_text`]: results as JSON and as text
//! - [`failure`]: errors as texts that an assistant can act on

mod arguments;
mod conversations;
pub mod docs;
mod drafts;
mod failure;
mod files;
mod messages;
mod people;
mod render_json;
mod render_text;
mod search;
mod sending;

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::{
    domain::{
        grant::AccessScope,
        refusal::{Code, Refusal},
        tool_calls::ToolId,
    },
    service::{
        Error, Result, World,
        callers::ShownConversation,
        employee::{Assistant, send::PageElicitation},
        oauth::active_connection::Connected,
    },
};

use arguments::{Arg, ValidatedArguments};

/// A tool, with everything that `tools/list` and the documentation need.
#[derive(Debug)]
pub struct Tool {
    pub id: ToolId,
    pub title: &'static str,
    pub description: &'static str,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of [`ToolResult::structured`].
    pub output: Value,
    /// `destructiveHint`.
    pub destructive: bool,
    /// `idempotentHint`.
    pub idempotent: bool,
    arguments: &'static [Arg],
    /// Error codes for the documentation, without the codes that every tool can return. For a tool that returns a list,
    /// also without the code that every such tool can return (`invalid_cursor`).
    errors: &'static str,
    /// Arguments of an example call for the documentation, as JSON.
    example: &'static str,
}

impl Tool {
    /// Returns the public name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.id.name()
    }

    /// Returns the scope that a connection needs for the tool.
    #[must_use]
    pub const fn needs(&self) -> AccessScope {
        self.id.needs()
    }

    /// Returns whether the tool only reads (`readOnlyHint`).
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.id.is_read_only()
    }

    /// Checks the arguments of a call against the input schema.
    ///
    /// # Errors
    /// A sentence for the assistant that describes an unknown argument, the first missing or invalid argument, or a
    /// call with both `conversation` and `person`.
    pub fn check(&self, arguments: &Map<String, Value>) -> std::result::Result<(), String> {
        ValidatedArguments::read(self.arguments, arguments).map(drop)
    }
}

/// Outcome of a call.
#[derive(Debug)]
pub enum CallOutcome {
    Done(ToolResult),
    /// The connection was revoked, or its access token was replaced, before the tool could write. Nothing was written.
    Revoked,
    /// The reason why the arguments are invalid. The response is the JSON-RPC error −32602.
    Invalid(String),
}

/// What a tool returns.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolResult {
    /// The result as JSON, which conforms to [`Tool::output`]; `None` for a failure.
    pub structured: Option<Value>,
    /// The result as text, or the error.
    pub text: String,
    pub is_error: bool,
    /// Error code, in most cases one of the bot API (D-368); `None` on success.
    pub code: Option<&'static str>,
    /// Ids of the objects that were read or changed, for the audit log. Empty for lists of conversations, people and
    /// drafts, and for errors.
    pub targets: Vec<String>,
    /// The conversations whose messages are shown. Before the response is sent, the caller of [`call`] checks that the
    /// employee still sees these messages. Empty if no messages are shown, or if the tool itself has made this check.
    pub shown: Vec<ShownConversation>,
    /// The page that the client is asked to open for the employee. `None` if there is nothing to confirm, if the client
    /// cannot be asked, or if the client was already asked.
    pub confirm: Option<ConfirmPage>,
}

/// A page where the employee confirms a draft.
#[derive(Clone, Debug, PartialEq)]
pub struct ConfirmPage {
    pub draft_id: String,
    pub url: String,
    /// The text with which the client asks the employee to open the page.
    pub message: String,
    /// The version of the draft.
    pub version: String,
}

impl ToolResult {
    fn of(structured: Value, text: String, targets: Vec<String>) -> Self {
        let (code, shown, confirm) = (None, Vec::new(), None);
        Self { structured: Some(structured), text, is_error: false, code, targets, shown, confirm }
    }
}

/// Returns all tools in the order of listing.
#[must_use]
pub fn catalog() -> &'static [Tool] {
    static CATALOG: OnceLock<Vec<Tool>> = OnceLock::new();
    let describe = |id| match id {
        ToolId::WhoAmI => people::who_am_i(),
        ToolId::ListConversations => conversations::list(),
        ToolId::ReadMessages => messages::read(),
        ToolId::SearchMessages => search::search(),
        ToolId::ListPeople => people::list(),
        ToolId::GetPerson => people::get(),
        ToolId::GetFile => files::get(),
        ToolId::ListDrafts => drafts::list(),
        ToolId::DraftMessage => drafts::draft(),
        ToolId::SendDraft => sending::send(),
        ToolId::DiscardDraft => drafts::discard(),
    };
    CATALOG.get_or_init(|| ToolId::ALL.map(describe).into())
}

/// Finds a tool by name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    catalog().iter().find(|tool| tool.name() == name)
}

/// Calls a tool for the employee of a connection. Returns [`CallOutcome::Invalid`] for invalid arguments. Returns
/// [`CallOutcome::Revoked`] if the connection was revoked, or its access token replaced, before the tool could write.
/// For any other failure, returns a [`CallOutcome::Done`] whose result has `is_error`. `elicitation` says how the
/// client can be asked to open a page.
pub async fn call(
    world: &World,
    connected: &Connected,
    tool: &'static Tool,
    arguments: &Map<String, Value>,
    elicitation: PageElicitation,
) -> CallOutcome {
    let given = match ValidatedArguments::read(tool.arguments, arguments) {
        Ok(given) => given,
        Err(why) => return CallOutcome::Invalid(why),
    };
    if !connected.scopes().contains(tool.needs()) {
        return CallOutcome::Done(failure::answer(tool, Code::MissingScope.into()));
    }
    let call =
        ToolRun { world, connected, assistant: Assistant::new(world, connected), given, tool, elicitation };
    match call.run().await {
        Ok(answer) => CallOutcome::Done(answer),
        Err(Error::Refused(refusal)) if refusal.code == Code::TokenRevoked => CallOutcome::Revoked,
        Err(error) => CallOutcome::Done(failure::of(tool, error)),
    }
}

/// Returns the result that replaces messages which the employee may no longer see.
#[must_use]
pub fn changed_meanwhile(tool: &Tool) -> ToolResult {
    failure::answer(tool, Refusal::because(Code::ServerError, CHANGED))
}

/// The error message if the employee no longer sees messages that the call has read, for example because the employee
/// has left the conversation.
const CHANGED: &str = "the conversations of the employee changed during the call";

/// A running call.
struct ToolRun<'a> {
    world: &'a World,
    connected: &'a Connected,
    assistant: Assistant<'a>,
    given: ValidatedArguments<'a>,
    tool: &'static Tool,
    elicitation: PageElicitation,
}

impl ToolRun<'_> {
    async fn run(&self) -> Result<ToolResult> {
        match self.tool.id {
            ToolId::WhoAmI => self.who_am_i().await,
            ToolId::ListConversations => self.list_conversations().await,
            ToolId::ReadMessages => self.read_messages().await,
            ToolId::SearchMessages => self.search_messages().await,
            ToolId::ListPeople => self.list_people().await,
            ToolId::GetPerson => self.get_person().await,
            ToolId::GetFile => self.get_file().await,
            ToolId::ListDrafts => self.list_drafts().await,
            ToolId::DraftMessage => self.draft_message().await,
            ToolId::SendDraft => self.send_draft().await,
            ToolId::DiscardDraft => self.discard_draft().await,
        }
    }
}
