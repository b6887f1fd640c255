//! The tool `list_conversations`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, CURSOR},
    render_json, render_text,
};
use crate::{
    domain::conversation::ConversationKind,
    service::{Result, employee::conversations::ListFilter},
};

const DEFAULT_LIMIT: u32 = 100;

const ARGUMENTS: &[Arg] = &[
    Arg::optional(
        "types",
        ArgumentKind::SomeOf(&["group", "channel", "dm"]),
        "Only conversations of these kinds; by default all kinds.",
    ),
    Arg::optional(
        "name",
        ArgumentKind::Text(100),
        "Only conversations where each of the given words is a word, or the beginning of a word, in the name, the topic \
         or the other person's name. Must contain at least one word.",
    ),
    Arg::optional("include_archived", ArgumentKind::Flag, "Also archived groups and their channels."),
    Arg::optional(
        "limit",
        ArgumentKind::Count(200, DEFAULT_LIMIT),
        "Maximum number of conversations per page.",
    ),
    CURSOR,
];

pub(super) fn list() -> Tool {
    Tool {
        id: ToolId::ListConversations,
        title: "List conversations",
        description: "Lists the groups, channels and direct messages that the employee belongs to, with their ids, in order \
            of creation. Use it to find the id of a group or channel by its name, or the id of the direct \
            messages with a person by the person's name.",
        input: arguments::schema(ARGUMENTS),
        output: render_json::page("conversations", &render_json::conversation_schema(), &[]),
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        errors: "`invalid_request` (no word in the name)",
        example: r#"{"types": ["group", "channel"], "name": "release"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn list_conversations(&self) -> Result<ToolResult> {
        let filter = ListFilter {
            kinds: self.given.list("types").filter_map(ConversationKind::from_name).collect(),
            archived: self.given.flag("include_archived"),
            name: self.name_filter()?,
        };
        let page = self.assistant.list_conversations(filter, self.given.page(DEFAULT_LIMIT)).await?;
        let mut text = format!("{}.\n", render_text::counted(page.items.len(), "conversation"));
        for heading in &page.items {
            render_text::conversation(&mut text, heading);
        }
        if page.items.is_empty() && page.next_cursor.is_none() && self.is_new_search() {
            let _ = writeln!(text, "Try other words, or include_archived.");
        }
        render_text::more(&mut text, page.next_cursor.as_deref());
        let structured = json!({
            "conversations": page.items.iter().map(render_json::conversation).collect::<Vec<_>>(),
            "next_cursor": page.next_cursor,
        });
        Ok(ToolResult::of(structured, text, Vec::new()))
    }
}
