//! Files visible to an employee: files of messages that the employee sees, and files that the employee uploaded.

use futures_util::TryStreamExt;

use super::{Assistant, Employee};
use crate::{
    domain::{ids::FileId, refusal::Code},
    service::{files::FileView, refuse},
    store::{
        ReadOp, ReadSql, Result, StoreError, employee,
        files::{self, File},
    },
};

/// Maximum size in bytes of a text file whose content is returned. Larger files are returned as links.
pub const MAX_TEXT_BYTES: i64 = 100 * 1024;

/// An opened file: its content, or a link to the content.
#[derive(Clone, Debug, PartialEq)]
pub enum Opened {
    /// The content of a text file of at most [`MAX_TEXT_BYTES`].
    Text(String),
    /// A link to the content. Anybody who has the link can use it for 15 minutes.
    Link(String),
}

impl Assistant<'_> {
    /// Returns a file with its content or a link. A text file of at most [`MAX_TEXT_BYTES`] is returned as content if
    /// it is UTF-8 and does not contain U+0000. Every other file is returned as a link.
    ///
    /// # Errors
    /// - `file_not_found` for an unknown or deleted file, and for a file of another company.
    /// - `file_not_found` if the employee neither uploaded the file nor sees a message that contains it.
    /// - Unavailable if the content cannot be read.
    pub async fn open_file(self, id: Option<FileId>) -> Result<(FileView, Opened)> {
        let employee = self.employee();
        let Some(id) = id else { return refuse(Code::FileNotFound) };
        let file = FileView::from(self.world.db.read(FindEmployeeFile { employee, id }).await?);
        let text = if is_text(&file.mimetype) && file.size <= MAX_TEXT_BYTES {
            let text = self.text_of(&file).await?;
            // the employee may have lost access while the content was read
            self.world.db.read(FindEmployeeFile { employee, id }).await?;
            text
        } else {
            None
        };
        let opened = text.map_or_else(|| Opened::Link(self.world.file_link(file.id)), Opened::Text);
        Ok((file, opened))
    }

    /// Returns the content as text; `None` if the content is not UTF-8 or contains U+0000.
    ///
    /// # Errors
    /// `file_not_found` if the content was purged; unavailable if the content cannot be read.
    async fn text_of(self, file: &FileView) -> Result<Option<String>> {
        let download = match self.world.open_download(file.clone(), None).await {
            Ok(download) => download,
            Err(crate::store::Error::Refused(_)) => return refuse(Code::FileNotFound),
            Err(error) => return Err(error),
        };
        let buffer = Vec::with_capacity(usize::try_from(file.size).unwrap_or_default());
        let bytes = download.content.stream.try_fold(buffer, |mut all, part| async move {
            all.extend_from_slice(&part);
            Ok(all)
        });
        let bytes = bytes.await.map_err(|error| StoreError::Unavailable(error.to_string().into()))?;
        Ok(String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')))
    }
}

/// Returns whether files of a media type are text that people can read.
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

struct FindEmployeeFile {
    employee: Employee,
    id: FileId,
}

impl ReadOp for FindEmployeeFile {
    const NAME: &'static str = "find_employee_file";
    type Out = File;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<File> {
        let found = files::by_id(c, self.id)
            .await?
            .filter(|file| file.workspace_id == self.employee.workspace_id && file.deleted_at.is_none());
        let Some(file) = found else { return refuse(Code::FileNotFound) };
        let is_own = file.owner_id == Some(self.employee.user_id);
        if is_own || employee::sees_file(c, self.employee.user_id, file.id).await? {
            return Ok(file);
        }
        refuse(Code::FileNotFound)
    }
}

#[cfg(test)]
mod tests {
    use super::is_text;

    #[test]
    fn text_media_types_are_recognized() {
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
