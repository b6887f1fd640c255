//! The tool `send_draft`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    ConfirmPage, Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind, IDEMPOTENCY_KEY},
    render_json, render_text,
};
use crate::{
    domain::ids::DraftId,
    service::{
        Result,
        employee::{
            drafts::DraftDestination,
            send::{Sending, SentDraft, WaitingDraft},
        },
    },
};

// values of `status` in the result
const SENT: &str = "sent";
const CONFIRM: &str = "confirm";
const DISCARDED: &str = "discarded";

const ARGUMENTS: &[Arg] =
    &[Arg::required("draft_id", ArgumentKind::Id(&["drf_"]), "The draft to send."), IDEMPOTENCY_KEY];

pub(super) fn send() -> Tool {
    let text = || json!({"type": "string"});
    let or_null = || json!({"type": ["string", "null"]});
    let present_text = json!({
        "type": ["string", "null"],
        "description": "The current text of the message. Null if the message was deleted, or if the employee no longer \
            sees it.",
    });
    let label = json!({"type": "string", "description": "The assistant through which the message was sent."});
    let message = render_json::object(
        &[
            ("id", text()),
            ("conversation_id", text()),
            ("thread_id", or_null()),
            ("text", present_text),
            ("via_label", label),
            ("created_at", json!({"type": "string", "format": "date-time"})),
        ],
        &[],
    );
    let replayed = json!({
        "type": "boolean",
        "description": "True if an earlier call or the employee had already sent the draft.",
    });
    let status = json!({
        "type": "string",
        "enum": [SENT, CONFIRM, DISCARDED],
        "description": "`sent`: the draft was sent; `confirm`: the employee must confirm the draft at `confirm_url`, and \
            nothing was sent; `discarded`: the employee discarded the draft.",
    });
    let confirm_url = json!({
        "type": ["string", "null"],
        "description": "The page where the employee sends, edits or discards the draft.",
    });
    Tool {
        id: ToolId::SendDraft,
        title: "Send a draft",
        description: "Sends a draft in the employee's name. The message shows the assistant's name. Sending cannot be \
            undone, and a draft can be sent only once. If the company requires the employee's confirmation, nothing \
            is sent: give the employee the returned `confirm_url`, and call again later to learn whether the employee \
            sent the draft.",
        input: arguments::schema(ARGUMENTS),
        output: render_json::object(
            &[
                ("draft_id", text()),
                ("status", status),
                ("message", render_json::nullable(message)),
                ("confirm_url", confirm_url),
                ("replayed", replayed),
            ],
            &[],
        ),
        destructive: true,
        idempotent: true,
        arguments: ARGUMENTS,
        errors: "`not_found`, `conflict` (already sent, and the call does not get a replay), \
            `conversation_not_found`, `not_in_conversation`, `not_allowed_in_conversation`, \
            `conversation_archived`, `user_not_found`, `user_deactivated`, \
            `invalid_request` (the message replied to was deleted or is no longer visible), \
            `idempotency_key_reused`",
        example: r#"{"draft_id": "drf_01jd3m8qa5r20", "idempotency_key": "send-review-1"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn send_draft(&self) -> Result<ToolResult> {
        let key = self.given.key(self.tool.name(), self.connected.client_id());
        let draft = self.given.draft().flatten();
        Ok(match self.assistant.send_draft(draft, key, self.elicitation.clone()).await? {
            Sending::Sent(sent) => sent_answer(&sent),
            Sending::Waiting(waiting) => self.waiting(&waiting),
            Sending::Discarded(id) => discarded(id),
        })
    }

    fn waiting(&self, waiting: &WaitingDraft) -> ToolResult {
        let id = waiting.draft_id.encode();
        let url = format!("{}/drafts/{id}", self.world.settings.base_url);
        let destination = match &waiting.destination {
            DraftDestination::Conversation(heading) => render_text::conversation_label(heading),
            DraftDestination::Person(person, name) => format!("{} ({person})", render_text::name(name)),
            // does not occur: a draft waits for confirmation only if the employee can post to its destination
            DraftDestination::NotVisible { .. } => "its conversation".to_owned(),
        };
        let mut text = if waiting.is_first {
            format!("Not sent yet: the employee must confirm the draft {id} to {destination}.")
        } else {
            format!(
                "Not sent yet: the draft {id} to {destination} still waits for the employee's confirmation."
            )
        };
        let _ =
            writeln!(text, " Ask the employee to open {url} and to send, edit or discard the draft there.");
        text.push_str("Call send_draft again later to learn whether the employee sent the draft.\n");
        render_text::quoted(&mut text, &waiting.text);
        let structured = json!({
            "draft_id": id,
            "status": CONFIRM,
            "message": Value::Null,
            "confirm_url": url,
            "replayed": false,
        });
        let confirm = waiting.elicits.then(|| ConfirmPage {
            draft_id: id.clone(),
            url,
            message: format!(
                "Please confirm the message that {} wants to send in your name.",
                self.connected.display_name()
            ),
            version: waiting.version.clone(),
        });
        ToolResult { confirm, ..ToolResult::of(structured, text, vec![id]) }
    }
}

fn sent_answer(sent: &SentDraft) -> ToolResult {
    let kind = sent.conversation.0;
    let id = render_json::message_id(sent.id, kind);
    let conversation = render_json::conversation_id(sent.conversation);
    let conversation_label =
        sent.heading.as_ref().map_or_else(|| conversation.clone(), render_text::conversation_label);
    let mut text =
        if sent.replayed { "Already sent before this call, and not sent again:" } else { "Sent:" }.to_owned();
    let _ = writeln!(text, " {id} in {conversation_label}, {}.", sent.created_at.to_rfc3339());
    match &sent.text {
        Some(words) => render_text::quoted(&mut text, words),
        None if sent.is_deleted => text.push_str("The message was deleted afterwards.\n"),
        None => text.push_str("The employee no longer sees the message.\n"),
    }
    let structured = json!({
        "draft_id": sent.draft_id,
        "status": SENT,
        "message": {
            "id": id,
            "conversation_id": conversation,
            "thread_id": sent.thread_id.map(|thread| render_json::message_id(thread, kind)),
            "text": sent.text,
            "via_label": sent.via_label,
            "created_at": sent.created_at,
        },
        "confirm_url": Value::Null,
        "replayed": sent.replayed,
    });
    ToolResult::of(structured, text, vec![sent.draft_id.encode(), id, conversation])
}

fn discarded(id: DraftId) -> ToolResult {
    let id = id.encode();
    let structured = json!({
        "draft_id": id,
        "status": DISCARDED,
        "message": Value::Null,
        "confirm_url": Value::Null,
        "replayed": false,
    });
    let text = format!(
        "Not sent: the employee discarded the draft {id}. Ask the employee what to do before you prepare the draft \
         again.\n"
    );
    ToolResult::of(structured, text, vec![id])
}
