//! The tools `list_drafts`, `draft_message` and `discard_draft`.

use serde_json::json;

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, CONVERSATIONS, CURSOR, IDEMPOTENCY_KEY, MESSAGES},
    render_json, render_text,
};
use crate::{
    domain::{ids::DraftId, message::MAX_TEXT_CHARS},
    service::{
        Result,
        employee::drafts::{DraftDestination, Drafting},
    },
};

const DEFAULT_LIMIT: u32 = 50;

const LIST_ARGUMENTS: &[Arg] = &[
    Arg::optional("limit", ArgumentKind::Count(100, DEFAULT_LIMIT), "Maximum number of drafts per page."),
    CURSOR,
];

const DRAFT_ARGUMENTS: &[Arg] = &[
    Arg::optional(
        "draft_id",
        ArgumentKind::Id(&["drf_"]),
        "The draft to change; fields whose arguments are omitted stay unchanged. Without draft_id, a new draft is \
         created.",
    ),
    Arg::optional(
        "conversation",
        CONVERSATIONS,
        "The conversation to send the message to. A new draft needs a conversation or a person.",
    ),
    Arg::optional(
        "person",
        ArgumentKind::Person,
        "The person to send the message to, as a direct message, by id or e-mail address.",
    ),
    Arg::optional(
        "thread_id",
        MESSAGES,
        "The message to reply to, in the conversation of the draft. If a call changes the conversation or person and \
         has no thread_id, the draft is no longer a reply.",
    ),
    Arg::optional(
        "text",
        ArgumentKind::Text(MAX_TEXT_CHARS),
        "The text of the message. A new draft needs a text.",
    ),
    IDEMPOTENCY_KEY,
];

const DISCARD_ARGUMENTS: &[Arg] =
    &[Arg::required("draft_id", ArgumentKind::Id(&["drf_"]), "The draft to discard."), IDEMPOTENCY_KEY];

pub(super) fn list() -> Tool {
    Tool {
        id: ToolId::ListDrafts,
        title: "List drafts",
        description: "Lists the employee's unsent drafts, newest first, whichever assistant prepared them.",
        input: arguments::schema(LIST_ARGUMENTS),
        output: render_json::page("drafts", &render_json::draft_schema(), &[]),
        destructive: false,
        idempotent: true,
        arguments: LIST_ARGUMENTS,
        errors: "none of its own",
        example: "{}",
    }
}

pub(super) fn draft() -> Tool {
    Tool {
        id: ToolId::DraftMessage,
        title: "Draft a message",
        description: "Prepares a message for the employee as a draft, or changes a draft. Nothing is sent, and nobody \
            else sees the draft: show it to the employee, then call send_draft.",
        input: arguments::schema(DRAFT_ARGUMENTS),
        output: render_json::object(&[("draft", render_json::draft_schema())], &[]),
        destructive: false,
        idempotent: false,
        arguments: DRAFT_ARGUMENTS,
        errors: "`conversation_not_found`, `not_in_conversation`, `user_not_found`, `user_deactivated`, \
            `invalid_request` (invalid text or thread, a field that a new draft needs is missing, or the person is \
            the employee or a bot), `not_found`, `conflict` (the draft was already sent, or the employee already has \
            200 unsent drafts), `idempotency_key_reused`",
        example: r#"{"person": "anna@example.com", "text": "Shall we move the review to Thursday?"}"#,
    }
}

pub(super) fn discard() -> Tool {
    Tool {
        id: ToolId::DiscardDraft,
        title: "Discard a draft",
        description: "Deletes a draft permanently. A sent draft cannot be discarded.",
        input: arguments::schema(DISCARD_ARGUMENTS),
        output: render_json::object(
            &[("draft_id", json!({"type": "string"})), ("discarded", json!({"type": "boolean"}))],
            &[],
        ),
        destructive: true,
        idempotent: true,
        arguments: DISCARD_ARGUMENTS,
        errors: "`not_found`, `conflict` (already sent), `idempotency_key_reused`",
        example: r#"{"draft_id": "drf_01jd3m8qa5r20"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn list_drafts(&self) -> Result<ToolResult> {
        let page = self.assistant.list_drafts(self.given.page(DEFAULT_LIMIT)).await?;
        let mut text =
            format!("{}. {}\n", render_text::counted(page.items.len(), "draft"), render_text::DATA);
        for shown in &page.items {
            render_text::draft(&mut text, shown);
        }
        render_text::more(&mut text, page.next_cursor.as_deref());
        let structured = json!({
            "drafts": page.items.iter().map(render_json::draft).collect::<Vec<_>>(),
            "next_cursor": page.next_cursor,
        });
        Ok(ToolResult::of(structured, text, Vec::new()))
    }

    pub(super) async fn draft_message(&self) -> Result<ToolResult> {
        let drafting = Drafting {
            draft: self.given.draft(),
            destination: self.given.conversation(),
            thread: self.given.message("thread_id"),
            text: self.given.text("text").map(str::to_owned),
            key: self.given.key(self.tool.name(), self.connected.client_id()),
        };
        let shown = self.assistant.draft_message(drafting).await?;
        let mut text = "Prepared, not sent. Send it with send_draft once the employee agrees.\n".to_owned();
        render_text::draft(&mut text, &shown);
        let mut targets = vec![shown.id.encode()];
        match &shown.destination {
            DraftDestination::Conversation(heading) => {
                targets
                    .push(render_json::conversation_id((heading.conversation.kind, heading.conversation.id)));
            }
            DraftDestination::Person(id, _) => targets.push(id.encode()),
            DraftDestination::NotVisible { .. } => {}
        }
        Ok(ToolResult::of(json!({"draft": render_json::draft(&shown)}), text, targets))
    }

    pub(super) async fn discard_draft(&self) -> Result<ToolResult> {
        let key = self.given.key(self.tool.name(), self.connected.client_id());
        let id = self.given.draft().flatten();
        self.assistant.discard_draft(id, key).await?;
        let id = id.map(DraftId::encode).unwrap_or_default();
        let structured = json!({"draft_id": id, "discarded": true});
        Ok(ToolResult::of(structured, format!("The draft {id} was discarded.\n"), vec![id]))
    }
}
