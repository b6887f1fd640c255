//! `get_file`.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{
    Answer, Call, Need, Tool, Which,
    arguments::{self, Arg, Kind},
    shapes, words,
};
use crate::{domain::links::LINK_LIFE, store::Result, workspace::employee::files::Opened};

const ARGUMENTS: &[Arg] =
    &[Arg::needed("file_id", Kind::Id(&["fil_"]), "The file, as messages that carry it name it.")];

pub(super) fn get() -> Tool {
    let content = json!({"type": ["string", "null"], "description": "Of texts up to 100 KiB; else null."});
    let url = json!({
        "type": ["string", "null"],
        "description": "Of everything else: opens the file without a token for 15 minutes.",
    });
    Tool {
        name: "get_file",
        title: "Get a file",
        description: "Reads a file of a message that the employee sees: the content of texts (plain text, CSV, JSON, \
            XML, YAML …) up to 100 KiB, a link good for 15 minutes to anything else.",
        needs: Need::Read,
        input: arguments::schema(ARGUMENTS),
        output: shapes::object(
            &[
                ("file", shapes::file_schema()),
                ("content", content),
                ("url", url),
                ("url_expires_at", json!({"type": ["string", "null"], "format": "date-time"})),
            ],
            &[],
        ),
        read_only: true,
        destructive: false,
        idempotent: true,
        arguments: ARGUMENTS,
        which: Which::GetFile,
        example: r#"{"file_id": "fil_01jd3m8qa5r20"}"#,
    }
}

impl Call<'_> {
    pub(super) async fn get_file(&self) -> Result<Answer> {
        let until = self.world.clock.now() + LINK_LIFE;
        let (file, opened) = self.world.employee_file(self.who.into(), self.given.file()).await?;
        let mut text = format!(
            "{}: {}, {}, {} bytes.\n",
            file.id,
            words::name(&file.name),
            words::name(&file.mimetype),
            file.size
        );
        let (content, url, expires) = match opened {
            Opened::Text(content) => {
                let _ = writeln!(text, "{}", words::DATA);
                words::quoted(&mut text, &content);
                (Value::from(content), Value::Null, Value::Null)
            }
            Opened::Link(url) => {
                let _ = writeln!(text, "Open it until {}: {url}", until.to_rfc3339());
                (Value::Null, Value::from(url), json!(until))
            }
        };
        let structured = json!({
            "file": shapes::file(&file),
            "content": content,
            "url": url,
            "url_expires_at": expires,
        });
        Ok(Answer::of(structured, text, vec![file.id.encode()]))
    }
}
