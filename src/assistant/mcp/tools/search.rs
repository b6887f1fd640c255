//! `search_messages`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Answer, Call, Need, Tool, Which,
    arguments::{self, Arg, CONVERSATIONS, CURSOR, Kind},
    failure,
    messages::{AFTER, BEFORE},
    shapes, words,
};
use crate::{
    domain::search::Query,
    store::Result,
    workspace::employee::{
        Place,
        search::{Order, Search},
    },
};

const LIMIT: u32 = 20;

const ARGUMENTS: &[Arg] = &[
    Arg::needed(
        "query",
        Kind::Text(500),
        "Words that a message must have, all of them, and \"phrases in quotes\". Case and accents do not matter. A word \
         that ends with * stands for all words that begin so, if it has at least 3 letters. At most 16 words and \
         phrases. There are no other operators.",
    ),
    Arg::optional("conversation", CONVERSATIONS, "Only in this conversation."),
    Arg::optional("from", Kind::Person, "Only from this person, by id or e-mail address."),
    AFTER,
    BEFORE,
    Arg::optional(
        "sort",
        Kind::OneOf(&["relevance", "newest"]),
        "relevance (the default) puts the best of the newest matches first, newest the latest.",
    ),
    Arg::optional("limit", Kind::Count(50, LIMIT), "Most messages of one page."),
    CURSOR,
];

pub(super) fn search() -> Tool {
    let mut found = shapes::message_schema();
    found["properties"]["conversation"] = shapes::place_schema();
    if let Some(required) = found["required"].as_array_mut() {
        required.push("conversation".into());
    }
    let incomplete = json!({
        "type": "boolean",
        "description": "True while older messages are still being indexed; they may be missing.",
    });
    Tool {
        name: "search_messages",
        title: "Search messages",
        description: "Searches the text of all messages that the employee sees, direct messages included. Few, telling \
            words find most: every word must occur in a message.",
        needs: Need::Read,
        input: arguments::schema(ARGUMENTS),
        output: shapes::page("messages", &found, &[("is_incomplete", incomplete)]),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        which: Which::SearchMessages,
        example: r#"{"query": "\"release notes\" december", "from": "anna@example.com"}"#,
    }
}

impl Call<'_> {
    pub(super) async fn search_messages(&self) -> Result<Answer> {
        let Some(query) = self.given.text("query").and_then(Query::parse) else {
            return Err(failure::invalid("query has no word to look for, or more than 16 words and phrases"));
        };
        let page = self.given.page(LIMIT);
        let order = if self.given.text("sort") == Some("newest") { Order::Newest } else { Order::Relevance };
        let search = Search {
            query,
            place: self.given.place(),
            sender: self.given.person("from"),
            span: self.given.span(),
            order,
            limit: page.limit as usize,
            cursor: page.cursor.map(str::to_owned),
        };
        let in_one = matches!(search.place, Some(Place::Conversation(_)));
        let found = self.world.search_messages(self.who.into(), search).await?;
        let mut text = words::counted(found.items.len(), "message");
        let _ = match order {
            Order::Relevance => write!(text, ", best match first"),
            Order::Newest => write!(text, ", newest first"),
        };
        let _ = writeln!(text, ". {}", words::DATA);
        let mut messages = Vec::with_capacity(found.items.len());
        for shown in &found.items {
            let Some(heading) = found.headings.get(&shown.sight.conversation_id) else { continue };
            words::message(&mut text, shown, heading.conversation.kind, Some(heading).filter(|_| !in_one));
            let mut message = shapes::message(shown, heading.conversation.kind);
            message["conversation"] = shapes::place(heading);
            messages.push(message);
        }
        if found.is_incomplete {
            let _ = writeln!(text, "Older messages are still being indexed and may be missing.");
        }
        match &found.next_cursor {
            Some(cursor) if found.items.is_empty() => {
                let _ = writeln!(
                    text,
                    "Nothing so far. To look further back, repeat the call with cursor \"{cursor}\"."
                );
            }
            cursor => words::more(&mut text, cursor.as_deref()),
        }
        if found.items.is_empty() && found.next_cursor.is_none() {
            let _ = writeln!(
                text,
                "No message has all of these words. Try fewer or other words, or a word with * at its end."
            );
        }
        let structured = json!({
            "messages": messages,
            "is_incomplete": found.is_incomplete,
            "next_cursor": found.next_cursor,
        });
        let targets = structured["messages"].as_array().into_iter().flatten();
        let targets = targets.filter_map(|message| message["id"].as_str().map(str::to_owned)).collect();
        Ok(Answer::of(structured, text, targets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_message_says_where_it_is() {
        let tool = search();
        let found = &tool.output["properties"]["messages"]["items"];
        for member in ["conversation", "text"] {
            assert!(found["properties"][member].is_object());
            assert!(found["required"].as_array().unwrap().contains(&member.into()));
        }
    }
}
