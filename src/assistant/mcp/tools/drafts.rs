//! `list_drafts`, `draft_message`, `send_draft` and `discard_draft`.

use std::fmt::Write as _;

use serde_json::json;

use super::{
    Answer, Call, Need, Tool, Which,
    arguments::{self, Arg, CONVERSATIONS, CURSOR, IDEMPOTENCY_KEY, Kind, MESSAGES},
    shapes, words,
};
use crate::{
    domain::{ids::DraftId, message::MAX_TEXT_CHARS},
    store::Result,
    workspace::employee::drafts::{Drafting, Goal},
};

const LIMIT: u32 = 50;

const OF_LIST: &[Arg] =
    &[Arg::optional("limit", Kind::Count(100, LIMIT), "Most drafts of one page."), CURSOR];

const OF_DRAFT: &[Arg] = &[
    Arg::optional(
        "draft_id",
        Kind::Id(&["drf_"]),
        "Changes this draft; what you leave out stays. A new draft without it.",
    ),
    Arg::optional(
        "conversation",
        CONVERSATIONS,
        "Where it is to go. A new draft needs a conversation or a person.",
    ),
    Arg::optional(
        "person",
        Kind::Person,
        "Sends it to this person as a direct message, by id or e-mail address.",
    ),
    Arg::optional("thread_id", MESSAGES, "The message of that conversation that it replies to."),
    Arg::optional(
        "text",
        Kind::Text(MAX_TEXT_CHARS),
        "The message, as it will be sent. A new draft needs it.",
    ),
    IDEMPOTENCY_KEY,
];

const OF_SEND: &[Arg] =
    &[Arg::needed("draft_id", Kind::Id(&["drf_"]), "The draft to send."), IDEMPOTENCY_KEY];
const OF_DISCARD: &[Arg] =
    &[Arg::needed("draft_id", Kind::Id(&["drf_"]), "The draft to throw away."), IDEMPOTENCY_KEY];

pub(super) fn list() -> Tool {
    Tool {
        name: "list_drafts",
        title: "List drafts",
        description: "Lists the employee's drafts that were not sent, newest first, whichever assistant prepared them.",
        needs: Need::Read,
        input: arguments::schema(OF_LIST),
        output: shapes::page("drafts", &shapes::draft_schema(), &[]),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: OF_LIST,
        which: Which::ListDrafts,
        example: "{}",
    }
}

pub(super) fn draft() -> Tool {
    Tool {
        name: "draft_message",
        title: "Draft a message",
        description: "Prepares a message for the employee, or changes one that is prepared. Nothing is sent and nobody \
            else sees it: show it to the employee, then call send_draft.",
        needs: Need::Write,
        input: arguments::schema(OF_DRAFT),
        output: shapes::object(&[("draft", shapes::draft_schema())], &[]),
        read_only: false,
        destructive: false,
        idempotent: false,
        arguments: OF_DRAFT,
        which: Which::DraftMessage,
        example: r#"{"person": "anna@example.com", "text": "Shall we move the review to Thursday?"}"#,
    }
}

pub(super) fn send() -> Tool {
    let text = || json!({"type": "string"});
    let or_null = || json!({"type": ["string", "null"]});
    let message = shapes::object(
        &[
            ("id", text()),
            ("conversation_id", text()),
            ("thread_id", or_null()),
            ("text", text()),
            ("via_label", or_null()),
            ("created_at", json!({"type": "string", "format": "date-time"})),
        ],
        &[],
    );
    let replayed = json!({"type": "boolean", "description": "True for a repeat: it had been sent before."});
    Tool {
        name: "send_draft",
        title: "Send a draft",
        description: "Sends a draft as the employee, marked with the assistant's name. It cannot be taken back here. A \
            draft is sent once: after that it is no draft any more.",
        needs: Need::Write,
        input: arguments::schema(OF_SEND),
        output: shapes::object(&[("draft_id", text()), ("message", message), ("replayed", replayed)], &[]),
        read_only: false,
        destructive: true,
        idempotent: true,
        arguments: OF_SEND,
        which: Which::SendDraft,
        example: r#"{"draft_id": "drf_01jd3m8qa5r20", "idempotency_key": "send-review-1"}"#,
    }
}

pub(super) fn discard() -> Tool {
    Tool {
        name: "discard_draft",
        title: "Discard a draft",
        description: "Throws a draft away for good. What was sent cannot be discarded.",
        needs: Need::Write,
        input: arguments::schema(OF_DISCARD),
        output: shapes::object(
            &[("draft_id", json!({"type": "string"})), ("discarded", json!({"type": "boolean"}))],
            &[],
        ),
        read_only: false,
        destructive: true,
        idempotent: true,
        arguments: OF_DISCARD,
        which: Which::DiscardDraft,
        example: r#"{"draft_id": "drf_01jd3m8qa5r20"}"#,
    }
}

impl Call<'_> {
    pub(super) async fn list_drafts(&self) -> Result<Answer> {
        let page = self.world.employee_drafts(self.who.into(), self.given.page(LIMIT)).await?;
        let mut text = format!("{}. {}\n", words::counted(page.items.len(), "draft"), words::DATA);
        for shown in &page.items {
            words::draft(&mut text, shown);
        }
        words::more(&mut text, page.next_cursor.as_deref());
        let structured = json!({
            "drafts": page.items.iter().map(shapes::draft).collect::<Vec<_>>(),
            "next_cursor": page.next_cursor,
        });
        Ok(Answer::of(structured, text, Vec::new()))
    }

    pub(super) async fn draft_message(&self) -> Result<Answer> {
        let drafting = Drafting {
            draft: self.given.draft(),
            place: self.given.place(),
            thread: self.given.message("thread_id"),
            text: self.given.text("text").map(str::to_owned),
            key: self.given.key(self.tool.name, &self.who.client_id),
        };
        let shown = self.world.draft_message(self.who, drafting).await?;
        let mut text = "Prepared, not sent. Send it with send_draft once the employee agrees.\n".to_owned();
        words::draft(&mut text, &shown);
        let mut targets = vec![shown.draft.id.encode()];
        match &shown.goal {
            Goal::Conversation(heading) => {
                targets.push(shapes::conversation_id((heading.conversation.kind, heading.conversation.id)));
            }
            Goal::Person(id, _) => targets.push(id.encode()),
            Goal::Gone => {}
        }
        Ok(Answer::of(json!({"draft": shapes::draft(&shown)}), text, targets))
    }

    pub(super) async fn send_draft(&self) -> Result<Answer> {
        let key = self.given.key(self.tool.name, &self.who.client_id);
        let sent = self.world.send_draft(self.who, self.given.draft().flatten(), key).await?;
        let kind = sent.conversation.0;
        let id = shapes::message_id(sent.id, kind);
        let conversation = shapes::conversation_id(sent.conversation);
        let place = sent.heading.as_ref().map_or_else(|| conversation.clone(), words::place);
        let mut text =
            if sent.replayed { "It had been sent before, and was not sent again:" } else { "Sent:" }
                .to_owned();
        let _ = writeln!(text, " {id} in {place}, {}.", sent.created_at.to_rfc3339());
        words::quoted(&mut text, &sent.text);
        let structured = json!({
            "draft_id": sent.draft_id,
            "message": {
                "id": id,
                "conversation_id": conversation,
                "thread_id": sent.thread_id.map(|thread| shapes::message_id(thread, kind)),
                "text": sent.text,
                "via_label": sent.via_label,
                "created_at": sent.created_at,
            },
            "replayed": sent.replayed,
        });
        Ok(Answer::of(structured, text, vec![sent.draft_id.encode(), id, conversation]))
    }

    pub(super) async fn discard_draft(&self) -> Result<Answer> {
        let key = self.given.key(self.tool.name, &self.who.client_id);
        let id = self.given.draft().flatten();
        self.world.discard_draft(self.who, id, key).await?;
        let id = id.map(DraftId::encode).unwrap_or_default();
        let structured = json!({"draft_id": id, "discarded": true});
        Ok(Answer::of(structured, format!("The draft {id} is gone.\n"), vec![id]))
    }
}
