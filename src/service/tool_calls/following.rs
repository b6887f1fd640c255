//! The audit in the order in which it was written.

use super::ToolCallView;
use crate::{
    domain::{cursor::CursorScope, ids::WorkspaceId, refusal::Code, time::Timestamp},
    service::{
        callers::CompanyAdmin,
        paging::{Page, PageRequest},
        refuse,
    },
    store::{
        ReadOp, ReadSql, Result,
        tool_calls::{self, MAX_FOLLOWED, ToolCall},
        workspaces,
    },
};

impl CompanyAdmin<'_> {
    /// Returns the tool calls of a company's assistants in the order in which they were written, oldest first. The page
    /// always has a cursor. A caller that continues with the cursor gets every later call of every node, except calls
    /// that expired in the meantime.
    ///
    /// # Errors
    /// `invalid_cursor`; `not_found` for an unknown company.
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
        let (items, last) = self.world().db.read(op).await?;
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
    /// The calls, and the log number and id of the last call that was read.
    type Out = (Vec<ToolCall>, (i64, i64));

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let wanted = usize::try_from(self.limit).unwrap_or_default();
        let (mut calls, mut last) = (Vec::new(), self.after);
        let mut limit = self.limit;
        loop {
            let page = tool_calls::follow(c, self.workspace, last, limit).await?;
            let is_end = page.len() < usize::try_from(limit).unwrap_or_default();
            for call in page {
                last = (call.log_seq, call.id.0);
                if call.at >= self.since {
                    calls.push(call);
                }
                if calls.len() == wanted {
                    return Ok((calls, last));
                }
            }
            if is_end {
                return Ok((calls, last));
            }
            // some calls of the page have expired and are not deleted yet. There can be many such calls, so the next
            // page is larger
            limit = MAX_FOLLOWED;
        }
    }
}
