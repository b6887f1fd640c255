//! The audit in the order in which it was written.

use super::ToolCall;
use crate::{
    domain::{cursor::CursorScope, ids::WorkspaceId, refusal::Code, time::Timestamp},
    store::{Op, Result, Sql, tool_calls, workspaces},
    workspace::{
        World,
        principal::{Principal, Right},
        reading::{Page, PageRequest},
        refuse,
    },
};

impl World {
    /// Returns the calls of a company's assistants in the order in which they were written, oldest first. The page always
    /// has a cursor, with which a caller goes on, at once or later, and misses no call, whichever nodes write.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` for a person who is no admin, `invalid_cursor`.
    pub async fn follow_tool_calls(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        request: PageRequest<'_>,
    ) -> Result<Page<ToolCall>> {
        match who.right_in(workspace) {
            None => return refuse(Code::NotFound),
            Some(Right::Person(_)) => return refuse(Code::Forbidden),
            Some(_) => {}
        }
        let filter = workspace.to_string();
        let scope = CursorScope {
            endpoint: "admin.tool_calls.ingested",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &filter,
        };
        let after = self.follow_position(&scope, request.cursor)?;
        if let Err(error) = self.flush_tool_calls().await {
            tracing::debug!(%error, "the audit is shown without its last rows");
        }
        let since = self.oldest_tool_call(self.clock.now());
        let op = FollowToolCalls { workspace, after, since, limit: i64::from(request.limit) };
        let items = self.db.read(op).await?;
        let last = items.last().map_or(after, |call| (call.log_seq, call.id.0));
        Ok(self.followed(&scope, items, last))
    }
}

struct FollowToolCalls {
    workspace: WorkspaceId,
    after: (i64, i64),
    since: Timestamp,
    limit: i64,
}

impl Op for FollowToolCalls {
    const NAME: &'static str = "follow_tool_calls";
    type Out = Vec<ToolCall>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<ToolCall>> {
        if workspaces::by_id(c, self.workspace).await?.is_none() {
            return refuse(Code::NotFound);
        }
        tool_calls::follow(c, self.workspace, self.after, self.since, self.limit).await
    }
}
