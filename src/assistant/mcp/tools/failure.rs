//! Renders errors as texts that an assistant can act on. Each text has an error code (a code of the bot API, or
//! `conflict`) and a sentence about the error: the error's own message, or if it has none, the meaning of the code for
//! the called tool. For most codes the text also has advice.

use super::{Tool, ToolId, ToolResult};
use crate::{
    domain::refusal::{Code, Refusal},
    service::Error,
};

/// Returns the result for an error of an operation. Logs store errors; the result does not contain their details.
pub(super) fn of(tool: &Tool, error: Error) -> ToolResult {
    if let Error::Store(failure) = &error {
        tracing::error!(%failure, tool = tool.name(), "store error in a tool call");
    }
    answer(tool, error.into_refusal())
}

/// Returns `invalid_request` with this message, for arguments that are invalid although they conform to the schema.
pub(super) fn invalid(why: &'static str) -> Error {
    Refusal::because(Code::InvalidRequest, why).into()
}

/// Returns the result of a failed call.
pub(super) fn answer(tool: &Tool, refusal: Refusal) -> ToolResult {
    let sentence = refusal.message.as_deref().unwrap_or_else(|| meaning(refusal.code, tool.id));
    let mut text = format!("{}: {sentence}.", refusal.code.as_str());
    if let Some(advice) = advice(refusal.code, tool.id) {
        text.push(' ');
        text.push_str(advice);
    }
    ToolResult {
        structured: None,
        text,
        is_error: true,
        code: Some(refusal.code.as_str()),
        targets: Vec::new(),
        shown: Vec::new(),
        confirm: None,
    }
}

/// Returns whether a tool takes a `draft_id`. For such a tool, `not_found` means that the draft is unknown.
fn takes_draft_id(which: ToolId) -> bool {
    match which {
        ToolId::SendDraft | ToolId::DiscardDraft | ToolId::DraftMessage => true,
        ToolId::WhoAmI
        | ToolId::ListConversations
        | ToolId::ReadMessages
        | ToolId::SearchMessages
        | ToolId::ListPeople
        | ToolId::GetPerson
        | ToolId::GetFile
        | ToolId::ListDrafts => false,
    }
}

fn meaning(code: Code, which: ToolId) -> &'static str {
    match code {
        Code::InvalidCursor => "the cursor was not returned by this tool for these arguments",
        Code::ConversationNotFound => "the employee is not in a conversation with this id",
        Code::NotInConversation => "the employee left the conversation or was removed from it",
        Code::NotAllowedInConversation => "only admins post in this conversation",
        Code::ConversationArchived => "the conversation is archived, so nothing can be sent there",
        Code::UserNotFound => "there is no such person, or their e-mail address is hidden",
        Code::UserDeactivated => "the person's account is deactivated or removed",
        Code::MessageNotFound => "this conversation has no such message that the employee can see",
        Code::FileNotFound => {
            "the employee has not uploaded such a file and sees no message with it, or the file was deleted"
        }
        Code::NotFound if takes_draft_id(which) => {
            "there is no such draft of the employee; it may have been discarded"
        }
        Code::IdempotencyKeyReused => "the idempotency_key was used for another call",
        Code::MissingScope => "the connection was not given the scope that this tool needs",
        Code::ServerError => "the server is not available right now",
        Code::InternalError => "the server had an internal error",
        _ => "the call was rejected",
    }
}

fn advice(code: Code, which: ToolId) -> Option<&'static str> {
    Some(match code {
        Code::InvalidCursor => "Start again without a cursor.",
        Code::ConversationNotFound if which == ToolId::ReadMessages => {
            "Find ids with list_conversations. If you named a person, there may be no direct messages with them yet."
        }
        Code::ConversationNotFound | Code::NotInConversation => {
            "Find the conversations the employee is in with list_conversations."
        }
        Code::NotAllowedInConversation | Code::ConversationArchived => "Choose another conversation.",
        Code::UserNotFound => "Find people with list_people.",
        Code::MessageNotFound => "Find messages with read_messages or search_messages.",
        Code::FileNotFound => "Find file ids with read_messages or search_messages.",
        Code::NotFound if takes_draft_id(which) => "Find drafts with list_drafts.",
        Code::IdempotencyKeyReused => "Use a new key for a new call.",
        Code::MissingScope => "Ask the employee to connect again and to approve the scope.",
        Code::ServerError => "Try again in a moment; repeat a write with the same idempotency_key.",
        Code::InternalError => "Trying again may not help.",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tools_that_take_a_draft_id_report_an_unknown_draft() {
        let text_of_not_found = |name: &str| {
            let tool = super::super::find(name).expect("the tool exists");
            answer(tool, Code::NotFound.into()).text
        };
        assert_eq!(
            text_of_not_found("send_draft"),
            "not_found: there is no such draft of the employee; it may have been discarded. Find drafts with list_drafts."
        );
        assert_eq!(text_of_not_found("get_file"), "not_found: the call was rejected.");
    }
}
