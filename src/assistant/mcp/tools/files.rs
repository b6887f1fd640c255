//! The tool `get_file`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Tool, ToolId, ToolResult, ToolRun,
    arguments::{self, Arg, ArgumentKind},
    render_json, render_text,
};
use crate::{
    domain::links::LINK_LIFE,
    service::{Result, employee::files::Opened, files::shown_name},
};

const ARGUMENTS: &[Arg] = &[Arg::required(
    "file_id",
    ArgumentKind::Id(&["fil_"]),
    "The id of the file, as returned by read_messages or search_messages.",
)];

pub(super) fn get() -> Tool {
    let content = json!({
        "type": ["string", "null"],
        "description": "The content of a text file (UTF-8 without U+0000) of up to 100 KiB; null for other files.",
    });
    let url = json!({
        "type": ["string", "null"],
        "description": "A link that opens the file without a token for 15 minutes; null if the content is returned.",
    });
    Tool {
        id: ToolId::GetFile,
        title: "Get a file",
        description: "Reads a file of a message that the employee can see, or a file that the employee uploaded. Returns \
            the content of text files (plain text, CSV, JSON, XML, YAML …) up to 100 KiB. For other files, returns a link \
            that is valid for 15 minutes.",
        input: arguments::schema(ARGUMENTS),
        output: render_json::object(
            &[
                ("file", render_json::file_schema()),
                ("content", content),
                ("url", url),
                ("url_expires_at", json!({"type": ["string", "null"], "format": "date-time"})),
            ],
            &[],
        ),
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        errors: "`file_not_found`",
        example: r#"{"file_id": "fil_01jd3m8qa5r20"}"#,
    }
}

impl ToolRun<'_> {
    pub(super) async fn get_file(&self) -> Result<ToolResult> {
        let until = self.world.clock.now() + LINK_LIFE;
        let (file, opened) = self.assistant.open_file(self.given.file()).await?;
        let mut text = format!(
            "{}: {}, {}, {} bytes.\n",
            file.id,
            render_text::name(&shown_name(&file.name)),
            render_text::name(&file.mimetype),
            file.size
        );
        let (content, url, expires) = match opened {
            Opened::Text(content) => {
                let _ = writeln!(text, "{}", render_text::DATA);
                render_text::quoted(&mut text, &content);
                (Value::from(content), Value::Null, Value::Null)
            }
            Opened::Link(url) => {
                let _ = writeln!(text, "Open it until {}: {url}", until.to_rfc3339());
                (Value::Null, Value::from(url), json!(until))
            }
        };
        let structured = json!({
            "file": render_json::file(&file),
            "content": content,
            "url": url,
            "url_expires_at": expires,
        });
        Ok(ToolResult::of(structured, text, vec![file.id.encode()]))
    }
}
