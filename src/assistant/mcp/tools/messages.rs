//! The tool `read_messages`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, CONVERSATIONS, CURSOR, MESSAGES},
    failure, render_json, render_text,
};
use crate::service::{Result, employee::messages::ReadRequest};

const DEFAULT_LIMIT: u32 = 50;

pub(super) const AFTER: Arg =
    Arg::optional("after", ArgumentKind::Time, "Only messages at this time or later (RFC 3339).");
pub(super) const BEFORE: Arg =
    Arg::optional("before", ArgumentKind::Time, "Only messages before this time (RFC 3339).");

const ARGUMENTS: &[Arg] = &[
    Arg::optional(
        "conversation",
        CONVERSATIONS,
        "The conversation to read. Either conversation or person is required.",
    ),
    Arg::optional(
        "person",
        ArgumentKind::Person,
        "Reads the employee's direct messages with this person, given by id or e-mail address.",
    ),
    Arg::optional("thread_id", MESSAGES, "Only this message and the replies to it."),
    AFTER,
    BEFORE,
    Arg::optional("limit", ArgumentKind::Count(200, DEFAULT_LIMIT), "Maximum number of messages per page."),
    CURSOR,
];

pub(super) fn read() -> Tool {
    Tool {
        id: ToolId::ReadMessages,
        title: "Read messages",
        description: "Reads the messages of a conversation or of one of its threads, newest first. \
            A conversation is a group, a channel, or the direct messages with a person. Returns only \
            messages that the employee can see: none from before they joined, and no deleted messages.",
        input: arguments::schema(ARGUMENTS),
        output: render_json::page(
            "messages",
            &render_json::message_schema(),
            &[("conversation", render_json::conversation_schema())],
        ),
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        errors: "`conversation_not_found`, `not_in_conversation`, `user_not_found`, `message_not_found` (the thread), \
            `invalid_request` (neither conversation nor person)",
        example: r#"{"conversation": "grp_01jd3m8qa5r20", "after": "2026-11-20T00:00:00Z", "limit": 20}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn read_messages(&self) -> Result<ToolResult> {
        let Some(conversation) = self.given.conversation() else {
            return Err(failure::invalid(
                "give `conversation`, or `person` to read the direct messages with them",
            ));
        };
        let reading =
            ReadRequest { conversation, thread: self.given.message("thread_id"), span: self.given.span() };
        let (heading, page) = self.assistant.read_messages(reading, self.given.page(DEFAULT_LIMIT)).await?;
        let kind = heading.conversation.kind;
        let mut text = format!(
            "{} of {}, newest first. {}\n",
            render_text::counted(page.items.len(), "message"),
            render_text::conversation_label(&heading),
            render_text::DATA
        );
        for shown in &page.items {
            render_text::message(&mut text, shown, kind, None);
        }
        if page.items.is_empty() && self.given.text("cursor").is_none() {
            let _ = writeln!(text, "No messages match.");
        }
        render_text::more(&mut text, page.next_cursor.as_deref());
        let structured = json!({
            "conversation": render_json::conversation(&heading),
            "messages": page.items.iter().map(|shown| render_json::message(shown, kind)).collect::<Vec<_>>(),
            "next_cursor": page.next_cursor,
        });
        let target = render_json::conversation_id((kind, heading.conversation.id));
        Ok(ToolResult::of(structured, text, vec![target]))
    }
}
