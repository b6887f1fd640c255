//! `read_messages`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Answer, Call, Need, Tool, Which,
    arguments::{self, Arg, CONVERSATIONS, CURSOR, Kind, MESSAGES},
    failure, shapes, words,
};
use crate::{store::Result, workspace::employee::messages::Reading};

const LIMIT: u32 = 50;

pub(super) const AFTER: Arg =
    Arg::optional("after", Kind::Time, "Only messages of this time or later (RFC 3339).");
pub(super) const BEFORE: Arg =
    Arg::optional("before", Kind::Time, "Only messages before this time (RFC 3339).");

const ARGUMENTS: &[Arg] = &[
    Arg::optional(
        "conversation",
        CONVERSATIONS,
        "The conversation to read. One of conversation and person is needed.",
    ),
    Arg::optional(
        "person",
        Kind::Person,
        "Reads the direct messages with this person, by id or e-mail address.",
    ),
    Arg::optional("thread_id", MESSAGES, "Only this message and the replies to it."),
    AFTER,
    BEFORE,
    Arg::optional("limit", Kind::Count(200, LIMIT), "Most messages of one page."),
    CURSOR,
];

pub(super) fn read() -> Tool {
    Tool {
        name: "read_messages",
        title: "Read messages",
        description: "Reads a conversation, newest message first: a group, a channel or direct messages, or one thread \
            of it. Shows what the employee sees there: nothing from before they joined, nothing deleted.",
        needs: Need::Read,
        input: arguments::schema(ARGUMENTS),
        output: shapes::page(
            "messages",
            &shapes::message_schema(),
            &[("conversation", shapes::conversation_schema())],
        ),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        which: Which::ReadMessages,
        example: r#"{"conversation": "grp_01jd3m8qa5r20", "after": "2026-11-20T00:00:00Z", "limit": 20}"#,
    }
}

impl Call<'_> {
    pub(super) async fn read_messages(&self) -> Result<Answer> {
        let Some(place) = self.given.place() else {
            return Err(failure::invalid("say which conversation, or which person's direct messages"));
        };
        let reading = Reading { place, thread: self.given.message("thread_id"), span: self.given.span() };
        let (heading, page) =
            self.world.employee_messages(self.who.into(), reading, self.given.page(LIMIT)).await?;
        let kind = heading.conversation.kind;
        let mut text = format!(
            "{} of {}, newest first. {}\n",
            words::counted(page.items.len(), "message"),
            words::place(&heading),
            words::DATA
        );
        for shown in &page.items {
            words::message(&mut text, shown, kind, None);
        }
        if page.items.is_empty() && self.given.text("cursor").is_none() {
            let _ = writeln!(text, "Nothing was written there that fits.");
        }
        words::more(&mut text, page.next_cursor.as_deref());
        let structured = json!({
            "conversation": shapes::conversation(&heading),
            "messages": page.items.iter().map(|shown| shapes::message(shown, kind)).collect::<Vec<_>>(),
            "next_cursor": page.next_cursor,
        });
        let target = shapes::conversation_id((kind, heading.conversation.id));
        Ok(Answer::of(structured, text, vec![target]))
    }
}
