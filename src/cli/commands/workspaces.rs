//! `switchboard workspace`: companies and their settings (W-03 to W-06).

use std::num::NonZeroU64;

use clap::Subcommand;
use switchboard_clients::admin::types;

use crate::cli::{
    answer::Answer,
    client::{Server, accept, with_nulls},
    failure::Result,
    paging::{self, PageArgs},
    table::Column,
    values::{OrNone, one_of, switch},
};

const COLUMNS: &[Column] = &[
    ("ID", "id"),
    ("NAME", "name"),
    ("DOMAIN", "domain"),
    ("AI", "ai_assistants"),
    ("MAX HOURS", "max_session_hours"),
    ("SENDS", "assistant_sends"),
    ("CREATED", "created_at"),
];

/// Companies and their settings.
#[derive(Clone, Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Create a company without people
    #[command(
        after_help = "Examples:\n  switchboard workspace create --name 'Example Works' --domain example.com"
    )]
    Create {
        /// Name of the company
        #[arg(long)]
        name: types::WorkspaceCreateName,
        /// E-mail domain of the company
        #[arg(long)]
        domain: Option<types::WorkspaceCreateDomain>,
    },
    /// List the companies of the server, oldest first
    #[command(
        after_help = "Examples:\n  switchboard workspace list\n  switchboard workspace list --limit 10 --json"
    )]
    List {
        /// Paging options.
        #[command(flatten)]
        page: PageArgs,
    },
    /// Show a company with its settings
    #[command(after_help = "Examples:\n  switchboard workspace show cmp_38f3jpq800005")]
    Show {
        /// Id of the company (cmp_...)
        workspace: String,
    },
    /// Change a company; omitted options stay unchanged
    ///
    /// Turning assistants off revokes every assistant connection of the company; turning them on again
    /// restores no connection.
    #[command(after_help = "Examples:
  switchboard workspace set cmp_38f3jpq800005 --ai off
  switchboard workspace set cmp_38f3jpq800005 --max-session-hours none --domain none
  switchboard workspace set cmp_38f3jpq800005 --assistant-sends confirm")]
    Set {
        /// Id of the company (cmp_...)
        workspace: String,
        /// New name
        #[arg(long)]
        name: Option<types::WorkspaceUpdateName>,
        /// New e-mail domain, or `none`
        #[arg(long)]
        domain: Option<OrNone<types::WorkspaceUpdateDomain>>,
        /// Whether employees may connect AI assistants
        #[arg(long, value_name = "on|off", value_parser = switch(), hide_possible_values = true)]
        ai: Option<bool>,
        /// Hours after which an assistant connection expires, or `none`
        #[arg(long, value_name = "HOURS")]
        max_session_hours: Option<OrNone<NonZeroU64>>,
        /// Whether assistants send their drafts themselves, or each employee confirms them on a page
        #[arg(long, value_name = "direct|confirm", hide_possible_values = true, value_parser = one_of::<types::AssistantSends>(&["direct", "confirm"]))]
        assistant_sends: Option<types::AssistantSends>,
    },
}

impl WorkspaceCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// - [`Failure::Usage`](crate::cli::failure::Failure::Usage) if the cursor of a list is malformed.
    /// - An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let admin = server.admin();
        match self {
            Self::Create { name, domain } => {
                let body = types::WorkspaceCreate { name, domain };
                let done = accept(admin.create_workspace(&body)).await?;
                let text = format!("Created {} ({}).", done.workspace.id, done.workspace.name);
                Ok(Answer::new(&done, text))
            }
            Self::List { page } => {
                let found = paging::all("workspaces", &page, async |cursor, limit| {
                    admin.list_workspaces(Option::as_ref(&cursor), limit).await
                });
                Ok(Answer::list(found.await?, "workspaces", COLUMNS))
            }
            Self::Show { workspace } => {
                Ok(Answer::details(accept(admin.get_workspace(&workspace)).await?, "workspace"))
            }
            Self::Set { workspace, name, domain, ai, max_session_hours, assistant_sends } => {
                let (domain, no_domain) = OrNone::split(domain);
                let (max_session_hours, no_maximum) = OrNone::split(max_session_hours);
                let body = types::WorkspaceUpdate {
                    name,
                    domain,
                    ai_assistants: ai,
                    max_session_hours,
                    assistant_sends,
                };
                let nulls = [("domain", no_domain), ("max_session_hours", no_maximum)];
                let done = accept(with_nulls(&nulls, admin.update_workspace(&workspace, &body))).await?;
                Ok(Answer::details(done, "workspace"))
            }
        }
    }
}
