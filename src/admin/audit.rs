//! Lists the audit of assistants' tool calls.

use super::{Admin, no_filters, parse_workspace};
use crate::{
    contract::{Nullable, OperationError},
    domain::{
        ids::{ConnectionId, UserId},
        tool_calls::ToolEnd,
    },
    generated::admin::{
        AuditHandlers, ListToolCallsError, ListToolCallsRequest, ListToolCallsSuccess, types,
    },
    service::{
        callers::Caller,
        paging::PageRequest,
        tool_calls::{CallFilter, ToolCallView},
    },
};

const fn read_outcome(outcome: types::ToolOutcome) -> ToolEnd {
    match outcome {
        types::ToolOutcome::Ok => ToolEnd::Ok,
        types::ToolOutcome::Refused => ToolEnd::Refused,
        types::ToolOutcome::Failed => ToolEnd::Failed,
    }
}

impl From<ToolEnd> for types::ToolOutcomeValue {
    fn from(outcome: ToolEnd) -> Self {
        match outcome {
            ToolEnd::Ok => Self::Ok,
            ToolEnd::Refused => Self::Refused,
            ToolEnd::Failed => Self::Failed,
        }
    }
}

impl From<ToolCallView> for types::ToolCall {
    fn from(call: ToolCallView) -> Self {
        Self {
            id: call.id.encode(),
            user_id: call.user_id.encode(),
            connection_id: call.connection_id.encode(),
            client_id: call.client_id,
            display_name: call.display_name,
            tool: call.tool,
            outcome: call.outcome.into(),
            error_code: Nullable(call.error_code),
            targets: call.targets.split(' ').filter(|id| !id.is_empty()).map(str::to_owned).collect(),
            more_targets: call.more_targets,
            latency_us: call.took,
            at: call.at,
        }
    }
}

impl AuditHandlers for Admin {
    async fn list_tool_calls(
        &self,
        caller: Caller,
        request: ListToolCallsRequest,
    ) -> Result<ListToolCallsSuccess, OperationError<ListToolCallsError>> {
        let workspace = parse_workspace(&request.workspace_id)?;
        let page = PageRequest { limit: request.limit, cursor: request.cursor.as_deref() };
        let filter = CallFilter {
            of: request.user_id.as_deref().map(UserId::parse),
            client_id: request.client_id,
            connection: request.connection_id.as_deref().map(ConnectionId::parse),
            tool: request.tool,
            outcome: request.outcome.map(read_outcome),
            since: request.since,
            until: request.until,
        };
        let page = match request.order {
            Some(types::LogOrder::Ingested) if filter != CallFilter::default() => {
                return Err(no_filters().into());
            }
            Some(types::LogOrder::Ingested) => caller.admin_of(workspace)?.follow_tool_calls(page).await?,
            Some(types::LogOrder::Newest) | None => {
                caller.in_company(workspace)?.list_tool_calls(filter, page).await?
            }
        };
        Ok(ListToolCallsSuccess::Status200(types::ToolCallPage {
            ok: types::True,
            tool_calls: page.items.into_iter().map(Into::into).collect(),
            next_cursor: Nullable(page.next_cursor),
        }))
    }
}
