//! Files as an employee sees them: those of messages they see, and their own.

use futures_util::TryStreamExt;

use super::Employee;
use crate::{
    domain::{ids::FileId, refusal::Code},
    store::{
        Op, Result, Sql, StoreError, employee,
        files::{self, File},
    },
    workspace::{World, refuse},
};

/// The most bytes of a text that is answered as it is.
pub const MAX_TEXT_BYTES: i64 = 100 * 1024;

/// What an employee gets of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    /// The content of a small text.
    Text(String),
    /// A link good for 15 minutes; whoever holds it may read the file.
    Link(String),
}

impl World {
    /// A file with its content when that is a small text, else with a link.
    ///
    /// # Errors
    /// `file_not_found` unless the employee sees a message that carries the file, or stored it; also once it is
    /// deleted.
    pub async fn employee_file(&self, who: Employee, id: Option<FileId>) -> Result<(File, Opened)> {
        let Some(id) = id else { return refuse(Code::FileNotFound) };
        let file = self.db.read(Find { who, id }).await?;
        let text = if is_text(&file.mimetype) && file.size <= MAX_TEXT_BYTES {
            self.text_of(&file).await?
        } else {
            None
        };
        let opened = text.map_or_else(|| Opened::Link(self.file_link(file.id)), Opened::Text);
        Ok((file, opened))
    }

    /// The content as text; none when it is none whatever the media type says.
    async fn text_of(&self, file: &File) -> Result<Option<String>> {
        let download = match self.open_download(file.clone(), None).await {
            Ok(download) => download,
            Err(crate::store::Error::Refused(_)) => return refuse(Code::FileNotFound),
            Err(error) => return Err(error),
        };
        let room = Vec::with_capacity(usize::try_from(file.size).unwrap_or_default());
        let bytes = download.content.stream.try_fold(room, |mut all, part| async move {
            all.extend_from_slice(&part);
            Ok(all)
        });
        let bytes = bytes.await.map_err(|error| StoreError::Unavailable(error.to_string().into()))?;
        Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
    }
}

/// Whether a media type is text for reading.
fn is_text(mimetype: &str) -> bool {
    let essence = mimetype.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let structured =
        ["json", "xml", "yaml", "toml", "javascript", "x-sh", "sql", "x-ndjson", "graphql", "csv"];
    match essence.split_once('/') {
        Some(("text", _)) => true,
        Some((_, kind)) => {
            let suffix = kind.rsplit('+').next().unwrap_or_default();
            structured.contains(&kind)
                || (kind != suffix && ["json", "xml", "yaml"].contains(&suffix))
                || kind == "x-yaml"
        }
        None => false,
    }
}

struct Find {
    who: Employee,
    id: FileId,
}

impl Op for Find {
    const NAME: &'static str = "find_employee_file";
    type Out = File;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<File> {
        let found = files::by_id(c, self.id)
            .await?
            .filter(|file| file.workspace_id == self.who.workspace_id && file.deleted_at.is_none());
        let Some(file) = found else { return refuse(Code::FileNotFound) };
        let is_own = file.owner_id == Some(self.who.user_id);
        if is_own || employee::sees_file(c, self.who.user_id, file.id).await? {
            return Ok(file);
        }
        refuse(Code::FileNotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn media_types_of_texts() {
        for text in [
            "text/plain",
            "text/csv; charset=utf-8",
            "application/json",
            "application/ld+json",
            "image/svg+xml",
        ] {
            assert!(is_text(text), "{text}");
        }
        for other in ["image/png", "application/pdf", "application/octet-stream", "text", "", "video/json5"] {
            assert!(!is_text(other), "{other}");
        }
    }
}
