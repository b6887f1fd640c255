//! Reading the audit of tool calls in the order in which the calls were written, for programs that copy the audit.

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
    /// Returns a page of the tool calls of a company's assistants, in the order in which the calls were written to the
    /// audit. First writes the calls that this node has queued, so that the page can include them. The page always has
    /// a cursor. A client that continues with the cursor gets every call that any node writes later, except calls that
    /// expire before the client reads them.
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
    /// The position after which the page begins: the `log_seq` and the id of a call.
    after: (i64, i64),
    /// Calls that were made before this time have expired.
    since: Timestamp,
    limit: i64,
}

impl ReadOp for FollowToolCalls {
    const NAME: &'static str = "follow_tool_calls";
    /// The calls, and the position of the last call that was read. If no call was read, the position is `after`.
    type Out = (Vec<ToolCall>, (i64, i64));

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        let wanted = usize::try_from(self.limit).unwrap_or_default();
        let (mut calls, mut last) = (Vec::new(), self.after);
        let mut limit = self.limit;
        loop {
            let batch = tool_calls::follow(c, self.workspace, last, limit).await?;
            let is_end = batch.len() < usize::try_from(limit).unwrap_or_default();
            for call in batch {
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
            // The page is not full, because some of the calls that were read have expired and are not deleted yet.
            // There can be many expired calls, so the next batch has the maximum size.
            limit = MAX_FOLLOWED;
        }
    }
}
