//! The tools that an assistant may call: what they are called, what goes in and comes out, and carrying them out.
//!
//! Called by the transport, which has checked the token; the scope is checked here once more. The decisions are
//! `workspace::employee`'s. `docs/mcp-tools.md` is written from the [`catalog`].
//!
//! - [`arguments`]: what goes in, checked against the schema; [`shapes`]: what comes out
//! - [`words`]: answers as text for reading; [`failure`]: failures as texts an assistant can act on

mod arguments;
mod conversations;
pub mod docs;
mod drafts;
mod failure;
mod files;
mod messages;
mod people;
mod search;
mod shapes;
mod words;

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::{
    domain::{grant::AccessScope, refusal::Code},
    store::{Error, Result},
    workspace::{World, assistants::connections::Connected},
};

use arguments::{Arg, Given};

/// The scope that a tool needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// `service:read`.
    Read,
    /// `service:write`.
    Write,
}

impl Need {
    /// As the tokens have it.
    #[must_use]
    pub const fn scope(self) -> AccessScope {
        match self {
            Self::Read => AccessScope::Read,
            Self::Write => AccessScope::Write,
        }
    }
}

/// A tool as `tools/list` shows it.
#[derive(Debug)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub needs: Need,
    /// JSON Schema of the arguments.
    pub input: Value,
    /// JSON Schema of [`Answer::structured`].
    pub output: Value,
    /// `readOnlyHint`.
    pub read_only: bool,
    /// `destructiveHint`.
    pub destructive: bool,
    /// `idempotentHint`.
    pub idempotent: bool,
    arguments: &'static [Arg],
    which: Which,
    /// A call for the documentation: arguments as JSON.
    example: &'static str,
}

/// How a call ended.
#[derive(Debug)]
pub enum Outcome {
    Done(Answer),
    /// The connection was revoked before the write: nothing was written.
    Revoked,
    /// The arguments break the input schema, and why: JSON-RPC −32602.
    Invalid(String),
}

/// What a tool answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// As [`Tool::output`] says; none for a failure.
    pub structured: Option<Value>,
    /// For reading.
    pub text: String,
    pub is_error: bool,
    /// Why it failed, in the bot API's words.
    pub code: Option<&'static str>,
    /// Ids of what was read or changed, for the audit; never texts.
    pub targets: Vec<String>,
}

impl Answer {
    fn of(structured: Value, text: String, targets: Vec<String>) -> Self {
        Self { structured: Some(structured), text, is_error: false, code: None, targets }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    WhoAmI,
    ListConversations,
    ReadMessages,
    SearchMessages,
    ListPeople,
    GetPerson,
    GetFile,
    ListDrafts,
    DraftMessage,
    SendDraft,
    DiscardDraft,
}

/// Every tool, in the order of listing; made once.
#[must_use]
pub fn catalog() -> &'static [Tool] {
    static CATALOG: OnceLock<Vec<Tool>> = OnceLock::new();
    CATALOG.get_or_init(|| {
        let reading = [people::who_am_i(), conversations::list(), messages::read(), search::search()];
        let looking_up = [people::list(), people::get(), files::get()];
        let drafts = [drafts::list(), drafts::draft(), drafts::send(), drafts::discard()];
        reading.into_iter().chain(looking_up).chain(drafts).collect()
    })
}

/// The tool of a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Tool> {
    catalog().iter().find(|tool| tool.name == name)
}

/// Carries a tool out for the employee of a connection.
pub async fn call(
    world: &World,
    who: &Connected,
    tool: &'static Tool,
    arguments: &Map<String, Value>,
) -> Outcome {
    let given = match Given::read(tool.arguments, arguments) {
        Ok(given) => given,
        Err(why) => return Outcome::Invalid(why),
    };
    if !who.scopes.contains(tool.needs.scope()) {
        return Outcome::Done(failure::answer(tool, Code::MissingScope.into()));
    }
    let call = Call { world, who, given, tool };
    match call.run().await {
        Ok(answer) => Outcome::Done(answer),
        Err(Error::Refused(refusal)) if refusal.code == Code::TokenRevoked => Outcome::Revoked,
        Err(error) => Outcome::Done(failure::of(tool, error)),
    }
}

/// One call on its way.
struct Call<'a> {
    world: &'a World,
    who: &'a Connected,
    given: Given<'a>,
    tool: &'static Tool,
}

impl Call<'_> {
    async fn run(&self) -> Result<Answer> {
        match self.tool.which {
            Which::WhoAmI => self.who_am_i().await,
            Which::ListConversations => self.list_conversations().await,
            Which::ReadMessages => self.read_messages().await,
            Which::SearchMessages => self.search_messages().await,
            Which::ListPeople => self.list_people().await,
            Which::GetPerson => self.get_person().await,
            Which::GetFile => self.get_file().await,
            Which::ListDrafts => self.list_drafts().await,
            Which::DraftMessage => self.draft_message().await,
            Which::SendDraft => self.send_draft().await,
            Which::DiscardDraft => self.discard_draft().await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::tool_calls::{READ_TOOLS, WRITE_TOOLS};

    #[test]
    fn the_audit_knows_which_tools_only_read() {
        let names = |read_only: bool| {
            let mut names: Vec<_> =
                catalog().iter().filter(|tool| tool.read_only == read_only).map(|tool| tool.name).collect();
            names.sort_unstable();
            names
        };
        let sorted = |names: &[&'static str]| {
            let mut names = names.to_vec();
            names.sort_unstable();
            names
        };
        assert_eq!(names(true), sorted(&READ_TOOLS));
        assert_eq!(names(false), sorted(&WRITE_TOOLS));
    }
}
