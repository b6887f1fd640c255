//! `switchboard session`: sign-in and sign-out as a person (W-01, W-02).

use clap::Subcommand;

use switchboard_clients::admin::types;

use crate::cli::{
    answer::{Answer, value},
    client::{Server, accept},
    failure::{Failure, Result},
    requests::checked,
    table::{self, Column},
};

const MEMBERSHIPS: &[Column] = &[("COMPANY", "workspace_id"), ("USER", "user_id"), ("ADMIN", "is_admin")];

/// Sign in and out as a person.
#[derive(Clone, Debug, Subcommand)]
pub enum SessionCommand {
    /// Sign in; prints the session token for --session or `SWITCHBOARD_SESSION`
    #[command(after_help = "Examples:
  switchboard session start grace@example.com < password-file
  export SWITCHBOARD_SESSION=$(switchboard session start grace@example.com --json < password-file | jq -r .session_token)")]
    Start {
        /// E-mail address
        email: types::SessionCreateEmail,
        /// The password; by default read from the first line of standard input
        #[arg(long)]
        password: Option<types::SessionCreatePassword>,
    },
    /// Sign out: the session token stops working
    #[command(after_help = "Examples:\n  switchboard session end --session svc_ses_...")]
    End,
}

impl SessionCommand {
    /// Returns whether the command needs no credential.
    #[must_use]
    pub fn needs_no_credential(&self) -> bool {
        matches!(self, Self::Start { .. })
    }

    /// Runs the command.
    ///
    /// # Errors
    /// - If the password cannot be read from standard input, or has a length that the API does not allow.
    /// - If the server returns an error or cannot be reached.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Start { email, password } => {
                let password = match password {
                    Some(password) => password,
                    None => checked("the password", read_line()?)?,
                };
                let done = accept(admin.create_session(&types::SessionCreate { email, password })).await?;
                let document = value(&done);
                let memberships = document["memberships"].as_array().map_or(&[][..], Vec::as_slice);
                let text = format!("{}\n\n{}", done.session_token, table::table(memberships, MEMBERSHIPS));
                Ok(Answer::new(document, text))
            }
            Self::End => {
                accept(admin.delete_session()).await?;
                Ok(Answer::done("Signed out."))
            }
        }
    }
}

/// Reads a line of standard input and returns it without its line break. Blocks the thread, because this process has
/// nothing else to do.
fn read_line() -> Result<String> {
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .map_err(|error| Failure::Local(format!("cannot read standard input: {error}")))?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
