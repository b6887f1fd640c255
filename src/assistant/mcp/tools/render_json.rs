//! The JSON results of MCP tools, and their schemas. A field that has the same name as a field of the bot API has the
//! same meaning.

use serde_json::{Map, Value, json};

use crate::{
    domain::{
        conversation::{ConversationKind, type_name},
        ids::{ConversationId, MessageId, UserId},
    },
    service::{
        employee::{
            access::Heading,
            drafts::{DraftDestination, ShownDraft},
            messages::{AttachedFileView, MessageWithFiles},
        },
        files::FileView,
        people::VisibleUser,
    },
};

fn text() -> Value {
    json!({"type": "string"})
}

fn text_or_null() -> Value {
    json!({"type": ["string", "null"]})
}

fn time_or_null() -> Value {
    json!({"type": ["string", "null"], "format": "date-time"})
}

fn flag() -> Value {
    json!({"type": "boolean"})
}

/// Returns the schema of an object with these fields. All fields are required except those in `optional`.
pub(super) fn object(members: &[(&str, Value)], optional: &[&str]) -> Value {
    let required: Vec<_> =
        members.iter().map(|(name, _)| *name).filter(|name| !optional.contains(name)).collect();
    let properties: Map<String, Value> =
        members.iter().map(|(name, schema)| ((*name).to_owned(), schema.clone())).collect();
    json!({"type": "object", "properties": properties, "required": required})
}

/// Returns the schema of a page of a list. A page has the items in the field that `items_field` names, the fields that
/// `other_fields` lists, and the field `next_cursor`.
pub(super) fn page(items_field: &str, item: &Value, other_fields: &[(&str, Value)]) -> Value {
    let mut members = vec![(items_field, json!({"type": "array", "items": item}))];
    members.extend(other_fields.iter().cloned());
    let cursor = json!({
        "type": ["string", "null"],
        "description": "The cursor of the next page; null on the last page.",
    });
    members.push(("next_cursor", cursor));
    object(&members, &[])
}

pub(super) fn nullable(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"], "null"]);
    schema
}

pub(super) fn person_link_schema() -> Value {
    object(&[("id", text()), ("name", text())], &[])
}

fn person_link(link: Option<&(UserId, String)>) -> Value {
    link.map_or(Value::Null, |(id, name)| json!({"id": id, "name": name}))
}

pub(super) fn conversation_schema() -> Value {
    object(
        &[
            ("id", text()),
            ("kind", json!({"type": "string", "enum": ["group", "channel", "dm"]})),
            ("name", json!({"type": ["string", "null"], "description": "Null for direct messages."})),
            ("type", json!({"type": "string", "enum": ["channel", "private_channel"]})),
            ("parent_id", json!({"type": ["string", "null"], "description": "The group of a channel."})),
            ("topic", text_or_null()),
            ("is_private", flag()),
            ("is_archived", flag()),
            ("is_member", flag()),
            (
                "is_announcement",
                json!({"type": "boolean", "description": "Only admins can post in the conversation."}),
            ),
            ("member_count", json!({"type": "integer"})),
            ("with", nullable(person_link_schema())),
            ("last_message_at", time_or_null()),
        ],
        &[],
    )
}

pub(super) fn conversation(heading: &Heading) -> Value {
    let view = &heading.conversation;
    json!({
        "id": view.id.encode(view.kind),
        "kind": view.kind.name(),
        "name": view.name,
        "type": type_name(view.is_private),
        "parent_id": view.parent_id.map(|id| id.encode(ConversationKind::Group)),
        "topic": view.topic,
        "is_private": view.is_private,
        "is_archived": view.is_archived,
        "is_member": true,
        "is_announcement": view.announcement_only,
        "member_count": view.member_count,
        "with": person_link(heading.with.as_ref()),
        "last_message_at": heading.latest,
    })
}

/// Returns the schema of a conversation that is embedded in another object.
pub(super) fn conversation_ref_schema() -> Value {
    object(
        &[
            ("id", text()),
            ("kind", text()),
            ("name", text_or_null()),
            ("with", nullable(person_link_schema())),
        ],
        &[],
    )
}

pub(super) fn conversation_ref(heading: &Heading) -> Value {
    let view = &heading.conversation;
    json!({
        "id": view.id.encode(view.kind),
        "kind": view.kind.name(),
        "name": view.name,
        "with": person_link(heading.with.as_ref()),
    })
}

pub(super) fn message_schema() -> Value {
    let file = object(
        &[("id", text()), ("name", text()), ("mimetype", text()), ("size", json!({"type": "integer"}))],
        &[],
    );
    object(
        &[
            ("id", text()),
            ("conversation_id", text()),
            (
                "thread_id",
                json!({
                    "type": ["string", "null"],
                    "description": "The message to which this message is a reply.",
                }),
            ),
            (
                "user_id",
                json!({
                    "type": ["string", "null"],
                    "description": "Null for system messages, and if the employee cannot see the sender.",
                }),
            ),
            ("user_name", text_or_null()),
            ("is_bot", flag()),
            ("type", text()),
            ("text", text_or_null()),
            ("files", json!({"type": "array", "items": file})),
            (
                "via_label",
                json!({
                    "type": ["string", "null"],
                    "description": "The assistant through which the message was sent, if any.",
                }),
            ),
            ("edited_at", time_or_null()),
            ("created_at", json!({"type": "string", "format": "date-time"})),
        ],
        &[],
    )
}

/// Returns the JSON of a message. `kind` is the kind of its conversation.
pub(super) fn message(shown: &MessageWithFiles, kind: ConversationKind) -> Value {
    let in_dm = kind.is_dm();
    json!({
        "id": shown.id.encode(in_dm),
        "conversation_id": shown.conversation_id.encode(kind),
        "thread_id": shown.thread_id.map(|id| id.encode(in_dm)),
        "user_id": shown.sender_id,
        "user_name": shown.sender_name,
        "is_bot": shown.sender_id.is_some() && shown.sender_is_bot == Some(true),
        "type": shown.kind.name(),
        "text": shown.text,
        "files": shown.files.iter().map(attached).collect::<Vec<_>>(),
        "via_label": shown.via_label,
        "edited_at": shown.edited_at,
        "created_at": shown.created_at,
    })
}

fn attached(file: &AttachedFileView) -> Value {
    json!({"id": file.id, "name": file.name, "mimetype": file.mimetype, "size": file.size})
}

pub(super) fn user_schema() -> Value {
    object(
        &[
            ("id", text()),
            ("name", text()),
            ("display_name", text_or_null()),
            (
                "email",
                json!({
                    "type": "string",
                    "description": "Absent for bots, for removed people, and for people who hide it from the employee.",
                }),
            ),
            ("avatar_url", text_or_null()),
            ("title", text_or_null()),
            ("timezone", text_or_null()),
            ("is_active", flag()),
            ("is_bot", flag()),
            ("is_admin", flag()),
            ("is_external", flag()),
        ],
        &["email"],
    )
}

pub(super) fn user(user: &VisibleUser) -> Value {
    let mut shown = json!({
        "id": user.id,
        "name": user.name,
        "display_name": user.display_name,
        "avatar_url": user.avatar_url,
        "title": user.title,
        "timezone": user.timezone,
        "is_active": user.is_active,
        "is_bot": user.is_bot,
        "is_admin": user.is_admin,
        "is_external": user.is_external,
    });
    if let Some(email) = &user.email {
        shown["email"] = email.clone().into();
    }
    shown
}

pub(super) fn draft_schema() -> Value {
    object(
        &[
            ("id", text()),
            ("conversation", nullable(conversation_ref_schema())),
            ("person", nullable(person_link_schema())),
            ("thread_id", text_or_null()),
            ("text", text()),
            ("created_at", json!({"type": "string", "format": "date-time"})),
            ("updated_at", json!({"type": "string", "format": "date-time"})),
        ],
        &[],
    )
}

pub(super) fn draft(shown: &ShownDraft) -> Value {
    let (conversation, person) = match &shown.destination {
        DraftDestination::Conversation(heading) => (conversation_ref(heading), Value::Null),
        DraftDestination::Person(id, name) => (Value::Null, json!({"id": id, "name": name})),
        DraftDestination::NotVisible { .. } => (Value::Null, Value::Null),
    };
    json!({
        "id": shown.id,
        "conversation": conversation,
        "person": person,
        "thread_id": shown.thread_id.map(|id| id.encode(shown.destination.is_dm())),
        "text": shown.text,
        "created_at": shown.created_at,
        "updated_at": shown.updated_at,
    })
}

pub(super) fn file_schema() -> Value {
    object(
        &[
            ("id", text()),
            ("name", text()),
            ("mimetype", text()),
            ("size", json!({"type": "integer", "description": "Bytes."})),
            ("created_at", json!({"type": "string", "format": "date-time"})),
        ],
        &[],
    )
}

pub(super) fn file(file: &FileView) -> Value {
    json!({
        "id": file.id,
        "name": file.name,
        "mimetype": file.mimetype,
        "size": file.size,
        "created_at": file.created_at,
    })
}

/// Returns the public id of a message.
pub(super) fn message_id(id: MessageId, kind: ConversationKind) -> String {
    id.encode(kind.is_dm())
}

/// Returns the public id of a conversation.
pub(super) fn conversation_id((kind, id): (ConversationKind, ConversationId)) -> String {
    id.encode(kind)
}
