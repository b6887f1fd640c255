//! The tool `search_messages`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, CONVERSATIONS, CURSOR},
    failure,
    messages::{AFTER, BEFORE},
    render_json, render_text,
};
use crate::{
    domain::search::SearchQuery,
    service::{
        Result,
        employee::{
            ConversationRef,
            search::{Order, Search},
        },
    },
};

const DEFAULT_LIMIT: u32 = 20;

const ARGUMENTS: &[Arg] = &[
    Arg::required(
        "query",
        ArgumentKind::Text(500),
        "Words and \"phrases in quotes\", at most 16 in total. A message must contain all of them. Case and accents \
         are ignored. A prefix of at least 3 characters, followed by *, matches all words that begin with it. \
         There are no other operators.",
    ),
    Arg::optional("conversation", CONVERSATIONS, "Only in this conversation."),
    Arg::optional("from", ArgumentKind::Person, "Only from this person, by id or e-mail address."),
    AFTER,
    BEFORE,
    Arg::optional(
        "sort",
        ArgumentKind::OneOf(&["relevance", "newest"]),
        "relevance (the default): ranks the newest 100 matches, best first, then the next 100; newest: newest first.",
    ),
    Arg::optional("limit", ArgumentKind::Count(50, DEFAULT_LIMIT), "Maximum number of messages per page."),
    CURSOR,
];

pub(super) fn search() -> Tool {
    let mut message = render_json::message_schema();
    message["properties"]["conversation"] = render_json::conversation_ref_schema();
    if let Some(required) = message["required"].as_array_mut() {
        required.push("conversation".into());
    }
    let incomplete = json!({
        "type": "boolean",
        "description": "True while older messages are still being indexed and may be missing.",
    });
    Tool {
        id: ToolId::SearchMessages,
        title: "Search messages",
        description: "Searches the text of all messages that the employee can see, direct messages included. A few distinctive \
            words work best, because a message must contain every word.",
        input: arguments::schema(ARGUMENTS),
        output: render_json::page("messages", &message, &[("is_incomplete", incomplete)]),
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        errors: "`conversation_not_found`, `not_in_conversation`, `user_not_found`, `invalid_request` (no word in the \
            query, or more than 16 words and phrases)",
        example: r#"{"query": "\"release notes\" december", "from": "anna@example.com"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn search_messages(&self) -> Result<ToolResult> {
        let Some(query) = self.given.text("query").and_then(SearchQuery::parse) else {
            return Err(failure::invalid("query must contain 1 to 16 words and phrases"));
        };
        let page = self.given.page(DEFAULT_LIMIT);
        let order = if self.given.text("sort") == Some("newest") { Order::Newest } else { Order::Relevance };
        let search = Search {
            query,
            conversation: self.given.conversation(),
            sender: self.given.person("from"),
            span: self.given.span(),
            order,
            limit: page.limit as usize,
            cursor: page.cursor.map(str::to_owned),
        };
        let in_one_conversation = matches!(search.conversation, Some(ConversationRef::Conversation(_)));
        let found = self.assistant.search_messages(search).await?;
        let mut text = render_text::counted(found.items.len(), "message");
        let _ = match order {
            Order::Relevance => write!(text, ", best match first"),
            Order::Newest => write!(text, ", newest first"),
        };
        let _ = writeln!(text, ". {}", render_text::DATA);
        let mut messages = Vec::with_capacity(found.items.len());
        for item in &found.items {
            let Some(heading) = found.headings.get(&item.conversation_id) else { continue };
            render_text::message(
                &mut text,
                item,
                heading.conversation.kind,
                Some(heading).filter(|_| !in_one_conversation),
            );
            let mut message = render_json::message(item, heading.conversation.kind);
            message["conversation"] = render_json::conversation_ref(heading);
            messages.push(message);
        }
        if found.is_incomplete {
            let _ = writeln!(text, "Older messages are still being indexed and may be missing.");
        }
        match &found.next_cursor {
            Some(cursor) if found.items.is_empty() => {
                let _ = writeln!(
                    text,
                    "No matches so far. To search further back, repeat the call with cursor \"{cursor}\"."
                );
            }
            cursor => render_text::more(&mut text, cursor.as_deref()),
        }
        if found.items.is_empty() && found.next_cursor.is_none() {
            let _ = match page.cursor {
                Some(_) => writeln!(text, "No more messages match."),
                None => writeln!(
                    text,
                    "No message matches: a message must contain all words. Try fewer or other words, or a word \
                     with * at its end."
                ),
            };
        }
        let structured = json!({
            "messages": messages,
            "is_incomplete": found.is_incomplete,
            "next_cursor": found.next_cursor,
        });
        let targets = structured["messages"].as_array().into_iter().flatten();
        let targets = targets.filter_map(|message| message["id"].as_str().map(str::to_owned)).collect();
        let shown = self.assistant.shown_in_search(&found);
        Ok(ToolResult { shown, ..ToolResult::of(structured, text, targets) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_of_a_found_message_includes_its_conversation() {
        let tool = search();
        let found = &tool.output["properties"]["messages"]["items"];
        for member in ["conversation", "text"] {
            assert!(found["properties"][member].is_object());
            assert!(found["required"].as_array().unwrap().contains(&member.into()));
        }
    }
}
