//! `switchboard audit`: tool calls of assistants (W-50).

use clap::{Args, Subcommand};
use switchboard_clients::admin::types;

use crate::{
    cli::{
        answer::Answer,
        client::Server,
        failure::Result,
        paging::{self, PageArgs},
        table::Column,
        values::{moment, one_of},
    },
    domain::time::Timestamp,
};

const COLUMNS: &[Column] = &[
    ("AT", "at"),
    ("USER", "user_id"),
    ("CLIENT", "display_name"),
    ("TOOL", "tool"),
    ("OUTCOME", "outcome"),
    ("ERROR", "error_code"),
    ("TARGETS", "targets"),
    ("MICROSECONDS", "latency_us"),
];

pub(in crate::cli) const OUTCOMES: &[&str] = &["ok", "refused", "failed"];

/// Tool calls of assistants.
#[derive(Clone, Debug, Subcommand)]
pub enum AuditCommand {
    /// List the tool calls of a company's assistants, newest first
    ///
    /// Shows time, employee, client, tool, outcome and duration of each call, and the ids of the objects that the call
    /// concerns (targets). Never shows the text of a message.
    #[command(after_help = "Examples:
  switchboard audit list cmp_38f3jpq800005 --limit 50
  switchboard audit list cmp_38f3jpq800005 --user usr_38f3jtev4001a --tool send_draft
  switchboard audit list cmp_38f3jpq800005 --outcome refused --since 2026-11-16T00:00:00Z")]
    List(Box<AuditListArgs>),
}

/// Filters of `audit list`.
#[derive(Args, Clone, Debug)]
pub struct AuditListArgs {
    /// Id of the company (cmp_...)
    workspace: String,
    /// Only calls on behalf of this employee (usr_...)
    #[arg(long, value_name = "USER")]
    user: Option<types::ListToolCallsUserId>,
    /// Only calls by the client with this client id
    #[arg(long, value_name = "CLIENT_ID")]
    client: Option<types::ListToolCallsClientId>,
    /// Only calls through this connection (con_...)
    #[arg(long, value_name = "CONNECTION")]
    connection: Option<types::ListToolCallsConnectionId>,
    /// Only calls of this tool
    #[arg(long, value_name = "TOOL")]
    tool: Option<types::ListToolCallsTool>,
    /// Only calls with this outcome
    #[arg(long, value_parser = one_of::<types::ToolOutcome>(OUTCOMES))]
    outcome: Option<types::ToolOutcome>,
    /// Only calls at this time or later, such as 2026-11-16T11:00:00Z
    #[arg(long, value_name = "TIME", value_parser = moment)]
    since: Option<Timestamp>,
    /// Only calls before this time
    #[arg(long, value_name = "TIME", value_parser = moment)]
    until: Option<Timestamp>,
    /// Paging options.
    #[command(flatten)]
    page: PageArgs,
}

impl AuditCommand {
    /// Runs the command.
    ///
    /// # Errors
    /// An error response, or a failure to reach the server.
    pub async fn run(self, server: &Server) -> Result<Answer> {
        let Self::List(list) = self;
        list.run(server).await
    }
}

impl AuditListArgs {
    async fn run(self, server: &Server) -> Result<Answer> {
        let Self { workspace, user, client, connection, tool, outcome, since, until, page } = self;
        let (since, until) = (since.map(Timestamp::to_rfc3339), until.map(Timestamp::to_rfc3339));
        let found = paging::all("tool_calls", &page, async |cursor, limit| {
            let (client, connection) = (client.as_ref(), connection.as_ref());
            let (cursor, tool, user) = (Option::as_ref(&cursor), tool.as_ref(), user.as_ref());
            let (since, until) = (since.as_deref(), until.as_deref());
            let admin = server.admin();
            admin
                .list_tool_calls(
                    &workspace, client, connection, cursor, limit, None, outcome, since, tool, until, user,
                )
                .await
        });
        Ok(Answer::list(found.await?, "tool_calls", COLUMNS))
    }
}
