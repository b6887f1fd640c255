//! Renders a message as an element `article`, for the page of a conversation and for its event streams.

use std::collections::BTreeMap;

use askama::Template;
use serde_json::Value;

use super::{
    links::{self, TextPart},
    shell::path_of,
};
use crate::{
    domain::{
        blocks::{self, Style},
        conversation::MessageType,
    },
    pages::local_time::{LocalTime, MessageTime, local_time, moment},
    service::{
        employee::messages::AttachedFileView,
        files::shown_name,
        messages::Block,
        web_client::message::{Sender, ShownMessage},
    },
};

/// Media types of files that are shown as images. Browsers display these types, and such files cannot contain scripts.
const IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];
/// Maximum size in bytes of a file that is shown as an image. The browser loads the whole file to show it.
const MAX_IMAGE_BYTES: i64 = 5 << 20;

/// Maximum number of files of a message that are shown as images, because the browser loads each image completely.
/// Further images are shown as files.
const MAX_IMAGES: usize = 12;

/// Shown as the sender of a system message, which has no sender.
const NO_SENDER: &str = "Notice";
/// Shown for a system message that has no text.
const JOINED: &str = "Somebody joined.";

#[derive(Template)]
#[template(path = "client/article.html")]
struct Article<'a> {
    id: String,
    /// Path of the conversation.
    conversation: String,
    /// The CSS classes of the element in addition to `message`, each preceded by a space.
    marks: String,
    /// Id of the sender; empty for system messages and for a guest hidden from members.
    sender_id: String,
    sender_name: &'a str,
    is_bot: bool,
    via_label: Option<&'a str>,
    at: MessageTime,
    edited: Option<LocalTime>,
    quote: Option<Quoted<'a>>,
    /// Shown in place of the content if the message has neither text nor blocks nor files.
    notice: Option<&'static str>,
    text: Vec<TextPart<'a>>,
    blocks: Vec<BlockPart<'a>>,
    files: Vec<FilePart>,
}

struct Quoted<'a> {
    id: String,
    sender: &'a str,
    is_bot: bool,
    via_label: Option<&'a str>,
    text: &'a str,
}

/// A block of a message, as the template shows it.
enum BlockPart<'a> {
    Text { kind: &'static str, text: Vec<TextPart<'a>> },
    Fields(Vec<Field<'a>>),
    Buttons(Vec<ButtonPart<'a>>),
}

struct Field<'a> {
    label: &'a str,
    value: Vec<TextPart<'a>>,
}

struct ButtonPart<'a> {
    action_id: &'a str,
    text: &'a str,
    style: &'static str,
}

struct FilePart {
    id: String,
    name: String,
    size: String,
    is_image: bool,
}

/// Renders a message with its times in the time zone `zone`, or in UTC if `zone` is `None`. `is_highlighted` is true if
/// the page was opened for this message.
///
/// # Errors
/// Errors of the template.
pub(in crate::pages) fn render_for(
    message: &ShownMessage,
    zone: Option<&str>,
    is_highlighted: bool,
) -> askama::Result<String> {
    let (kind, conversation) = message.conversation;
    let sender = message.sender.as_ref();
    let quote = message.quote.as_ref().map(|quote| {
        let is_notice = quote.kind == MessageType::System;
        Quoted {
            id: quote.id.encode(kind.is_dm()),
            sender: name_of(quote.sender.as_ref(), if is_notice { NO_SENDER } else { "Somebody" }),
            is_bot: quote.sender.as_ref().is_some_and(|sender| sender.is_bot),
            via_label: quote.via_label.as_deref(),
            text: if is_notice && quote.text.is_empty() { JOINED } else { &quote.text },
        }
    });
    let text = message.text.as_deref().unwrap_or_default();
    let is_system = message.kind == MessageType::System;
    let unnamed = match (is_system, message.is_own) {
        (true, _) => NO_SENDER,
        // in both cases the sender is a guest hidden from members
        (false, true) => "You",
        (false, false) => "A guest",
    };
    let article = Article {
        id: message.public_id(),
        conversation: path_of(kind, conversation),
        marks: classes(message.is_own, is_system, is_highlighted),
        sender_id: sender.map(|sender| sender.id.encode()).unwrap_or_default(),
        sender_name: name_of(sender, unnamed),
        is_bot: sender.is_some_and(|sender| sender.is_bot),
        via_label: message.via_label.as_deref(),
        at: moment(message.created_at, zone),
        edited: message.edited_at.map(|at| local_time(at, zone)),
        quote,
        notice: notice(message),
        text: links::parts(text),
        blocks: message.blocks.iter().filter_map(block).collect(),
        files: files(&message.files),
    };
    article.render()
}

fn classes(is_own: bool, is_system: bool, is_highlighted: bool) -> String {
    let classes = [(is_own, " mine"), (is_system, " system"), (is_highlighted, " highlighted")];
    classes.into_iter().filter_map(|(is_set, class)| is_set.then_some(class)).collect()
}

fn name_of<'a>(sender: Option<&'a Sender>, unnamed: &'a str) -> &'a str {
    sender.map_or(unnamed, |sender| sender.name.as_str())
}

/// Returns the notice for a message that has no text, no blocks and no files; `None` for other messages.
fn notice(message: &ShownMessage) -> Option<&'static str> {
    let is_empty = message.text.as_deref().unwrap_or_default().is_empty()
        && message.blocks.is_empty()
        && message.files.is_empty();
    is_empty.then_some(match message.kind {
        MessageType::System => JOINED,
        MessageType::Text => "This message is empty.",
        MessageType::Image | MessageType::File => "The file was deleted.",
        MessageType::Audio => "An audio message, which this page cannot play.",
        MessageType::Video => "A video, which this page cannot play.",
        MessageType::Location => "A location, which this page cannot show.",
        MessageType::Contact => "A contact, which this page cannot show.",
        MessageType::Call => "A call.",
        MessageType::Poll => "A poll, which this page cannot show.",
        MessageType::Survey => "A survey, which this page cannot show.",
    })
}

/// Converts a block for the template. Returns `None` for a type that is not shown, and for a block without a required
/// member.
fn block(block: &Block) -> Option<BlockPart<'_>> {
    let text = |kind| Some(BlockPart::Text { kind, text: links::parts(string(block.get("text"))?) });
    match string(block.get("type"))? {
        "header" => text("header"),
        "section" => text("section"),
        "context" => text("context"),
        "fields" => {
            let list = block.get("fields").or_else(|| block.get("items"))?.as_array()?;
            Some(BlockPart::Fields(list.iter().filter_map(field).collect()))
        }
        "actions" => Some(BlockPart::Buttons(buttons(block))),
        _ => None,
    }
}

fn string(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

fn field(item: &Value) -> Option<Field<'_>> {
    Some(Field { label: string(item.get("label"))?, value: links::parts(string(item.get("value"))?) })
}

fn buttons(block: &BTreeMap<String, Value>) -> Vec<ButtonPart<'_>> {
    blocks::buttons(std::slice::from_ref(block))
        .map(|button| ButtonPart {
            action_id: button.action_id,
            text: button.text,
            style: match button.style {
                Some(Style::Primary) => "primary",
                Some(Style::Danger) => "danger",
                None => "",
            },
        })
        .collect()
}

fn files(files: &[AttachedFileView]) -> Vec<FilePart> {
    let mut images = 0;
    let part = |file: &AttachedFileView| {
        let is_image = images < MAX_IMAGES && can_be_shown(file);
        images += usize::from(is_image);
        FilePart { id: file.id.encode(), name: shown_name(&file.name), size: size(file.size), is_image }
    };
    files.iter().map(part).collect()
}

/// Returns whether a file can be shown as an image.
fn can_be_shown(file: &AttachedFileView) -> bool {
    IMAGES.contains(&file.mimetype.as_str()) && file.size <= MAX_IMAGE_BYTES
}

/// Formats a size: `812 bytes`, `14 kB`, `2.5 MB`.
#[expect(clippy::cast_precision_loss, reason = "only one decimal place is shown")]
fn size(bytes: i64) -> String {
    match bytes {
        1 => "1 byte".to_owned(),
        ..1_000 => format!("{} bytes", bytes.max(0)),
        1_000..1_000_000 => format!("{} kB", bytes.div_euclid(1_000)),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_shown_in_bytes_kilobytes_or_megabytes() {
        for (bytes, text) in
            [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_999, "1 kB"), (2_540_000, "2.5 MB")]
        {
            assert_eq!(size(bytes), text);
        }
    }
}
