//! The audit in the order in which it was written.

use super::ToolCallView;
use crate::{
    domain::{cursor::CursorScope, ids::WorkspaceId, refusal::Code, time::Timestamp},
    store::{
        ReadOp, ReadSql, Result,
        tool_calls::{self, ToolCall},
        workspaces,
    },
    workspace::{
        callers::CompanyAdmin,
        paging::{Page, PageRequest},
        refuse,
    },
};

impl CompanyAdmin<'_> {
    /// Returns the tool calls of a company's assistants in the order in which they were written, oldest first. The
    /// page always has a cursor. A caller that continues with it misses no call, whichever node writes it, except calls
    /// that expired meanwhile.
    ///
    /// # Errors
    /// `not_found` for an unknown company, `invalid_cursor`.
    pub async fn follow_tool_calls(self, request: PageRequest<'_>) -> Result<Page<ToolCallView>> {
        let workspace = self.company_id();
        let filter = workspace.to_string();
        let scope = CursorScope {
            endpoint: "admin.tool_calls.ingested",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.world().follow_position(&scope, request.cursor)?;
        if let Err(error) = self.world().flush_tool_calls().await {
            tracing::debug!(%error, "failed to flush the audit; returning it without the latest calls");
        }
        let since = self.world().oldest_tool_call(self.world().clock.now());
        let op = FollowToolCalls { workspace, after, since, limit: i64::from(request.limit) };
        let items = self.world().db.read(op).await?;
        let last = items.last().map_or(after, |call| (call.log_seq, call.id.0));
        Ok(self.world().followed(&scope, items, last).map(ToolCallView::from))
    }
}

struct FollowToolCalls {
    workspace: WorkspaceId,
    after: (i64, i64),
    since: Timestamp,
    limit: i64,
}

impl ReadOp for FollowToolCalls {
    const NAME: &'static str = "follow_tool_calls";
    type Out = Vec<ToolCall>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ToolCall>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        tool_calls::follow(c, self.workspace, self.after, self.since, self.limit).await
    }
}
