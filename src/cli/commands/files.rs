//! `switchboard file`: uploads and deletes files (W-27, W-28).

use std::{
    io::Read as _,
    path::{Path, PathBuf},
};

use clap::Subcommand;

use crate::cli::{
    answer::Answer,
    client::{Server, accept},
    failure::{Failure, Result},
    requests::upload,
};

/// Uploaded files.
#[derive(Clone, Debug, Subcommand)]
pub enum FileCommand {
    /// Upload a file to a company, to attach it to messages
    ///
    /// The file belongs to the session's person, or to the person that the operator names with --as.
    #[command(after_help = "Examples:
  switchboard file add cmp_38f3jpq800005 release-notes.txt --as usr_38f3jy2mc002f
  make report | switchboard file add cmp_38f3jpq800005 - --name report.csv --mimetype text/csv")]
    Add {
        /// Id of the company (cmp_...)
        workspace: String,
        /// The file to upload; `-` reads standard input
        path: PathBuf,
        /// Name to show in messages; by default the file name of the path. Required for standard input
        #[arg(long, required_if_eq("path", "-"))]
        name: Option<String>,
        /// Media type; by default guessed from the extension of the name
        #[arg(long, value_name = "TYPE")]
        mimetype: Option<String>,
    },
    /// Delete a file; messages keep its id
    #[command(after_help = "Examples:\n  switchboard file delete fil_38f3t4rvm00aj")]
    Delete {
        /// Id of the file (fil_...)
        file: String,
    },
}

impl FileCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Local`] if the file cannot be read.
    /// - [`Failure::Usage`] if the file has no name, or a name that the API does not allow.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        match self {
            Self::Add { workspace, path, name, mimetype } => {
                let content = read(&path)?;
                let name = name.or_else(|| file_name(&path));
                let name = name.ok_or_else(|| {
                    Failure::Usage("--name is required: the path has no file name".to_owned())
                })?;
                let mimetype = mimetype.unwrap_or_else(|| guess_media_type(&name));
                let done = upload(server, &workspace, None, &name, mimetype, content).await?;
                let text = format!(
                    "Uploaded {} ({}, {}, {} bytes).",
                    done.file.id, done.file.name, done.file.mimetype, done.file.size
                );
                Ok(Answer::new(&done, text))
            }
            Self::Delete { file } => {
                accept(server.admin().delete_file(&file)).await?;
                Ok(Answer::done(format!("Deleted {file}.")))
            }
        }
    }
}

/// Reads the file, or standard input if the path is `-`. May block the thread: the process has no other work until the
/// file has been read.
fn read(path: &Path) -> Result<Vec<u8>> {
    let read = if path == Path::new("-") {
        let mut content = Vec::new();
        std::io::stdin().read_to_end(&mut content).map(|_| content)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| Failure::file("read", path, &error))
}

fn file_name(path: &Path) -> Option<String> {
    path.file_name().map(|name| name.to_string_lossy().into_owned())
}

/// Guesses the media type from the extension of a name.
fn guess_media_type(name: &str) -> String {
    mime_guess::from_path(name).first_or_octet_stream().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_come_from_paths_and_media_types_from_extensions() {
        assert_eq!(file_name(Path::new("/a/b/notes.txt")).as_deref(), Some("notes.txt"));
        assert_eq!(file_name(Path::new("/")), None);
        for (name, expected) in [
            ("notes.txt", "text/plain"),
            ("PLAN.PNG", "image/png"),
            ("a.pdf", "application/pdf"),
            ("Makefile", "application/octet-stream"),
        ] {
            assert_eq!(guess_media_type(name), expected, "{name}");
        }
    }
}
