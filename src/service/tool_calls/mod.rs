//! The audit of the tool calls that assistants make for employees. The audit has one row per recorded tool call.
//! `docs/decisions/0006-audit-of-tool-calls.md` gives the reasons for this design.
//!
//! - this file: recording a call, for the MCP transport, and deleting expired calls;
//! - [`queue`]: writing recorded calls in batches;
//! - [`listing`]: lists for the admin API and the pages;
//! - [`following`]: the audit in the order in which it was written, for programs that copy it.

mod following;
mod listing;
mod queue;

use std::{sync::Arc, time::Duration};

pub use self::{
    listing::{CallFilter, TargetName},
    queue::ToolCallQueue,
};
use super::{World, oauth::active_connection::Connected, view};
use crate::{
    domain::{
        ids::{ConnectionId, ToolCallId, UserId, WorkspaceId},
        time::Timestamp,
        tool_calls::{self, ToolEnd, ToolOutcome},
    },
    store::{
        Result, op,
        tool_calls::{self as rows, ToolCall},
    },
};

/// Batch size for deletions. A run of the maintenance job stops after a batch that deletes fewer calls than the batch
/// size. If the batch size exceeded the maximum of one statement, every run would stop after its first batch.
const DELETE_BATCH: i64 = 1_000;
const _: () = assert!(DELETE_BATCH <= rows::MAX_PURGED);
/// Maximum number of batches per run. So a run deletes up to half a million calls.
const MAX_BATCHES: usize = 500;

view! {
    /// A tool call in the audit.
    ToolCallView of ToolCall {
        id: ToolCallId,
        workspace_id: WorkspaceId,
        /// The employee for whom the call was made.
        user_id: UserId,
        connection_id: ConnectionId,
        client_id: String,
        /// The client's display name at the time of the call.
        display_name: String,
        tool: String,
        outcome: ToolEnd,
        error_code: Option<String>,
        /// Ids of the objects that the call was about, separated by spaces.
        targets: String,
        /// Number of distinct targets that are not in `targets`: ids beyond the maximum number, and malformed ids.
        more_targets: i64,
        /// Duration in microseconds.
        took: i64,
        at: Timestamp,
    }
}

impl World {
    /// Records a tool call: the connection, the outcome, the duration, and the ids of the objects that the call was
    /// about (`targets`). Never records texts. Must be called once per tool call, after the tool call has ended and
    /// before its response is sent.
    ///
    /// - If the tool only reads, or if the call was rejected, the call has changed nothing. Such a call is queued, and
    ///   written in a batch a moment later. While the queue is at least half full, this function waits up to three
    ///   seconds until earlier calls have been written, and queues the call only then. It does not wait while writes
    ///   fail, or after the writer has stopped.
    /// - Any other call is written before this function returns. If the write fails, the call is queued. No error is
    ///   returned, because the tool call has already had its effect.
    pub async fn record_tool_call(
        &self,
        connected: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) {
        let Some(call) = self.tool_call(connected, tool, outcome, targets, took) else { return };
        let mut unwritten = self.tool_calls.unwritten(call);
        if !tool_calls::is_stored_before_response(tool, outcome) {
            return self.tool_calls.wait_for_writes().await;
        }
        match self.db.write(InsertToolCalls(vec![Arc::clone(&unwritten.call)])).await {
            Ok(()) => unwritten.is_written = true,
            Err(error) => {
                tracing::warn!(%error, "failed to write a tool call to the audit; queued for retry");
            }
        }
    }

    /// Queues a tool call without waiting for the database. Used for a call that did not end, because its client
    /// disconnected or its tool panicked.
    pub fn queue_tool_call(
        &self,
        connected: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) {
        if let Some(call) = self.tool_call(connected, tool, outcome, targets, took) {
            self.tool_calls.add(call);
        }
    }

    /// Returns the audit's row of a tool call. If no id can be generated, counts the call as lost and returns `None`.
    fn tool_call(
        &self,
        connected: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) -> Option<Arc<ToolCall>> {
        let stamp = self.stamp();
        let id = match stamp.id() {
            Ok(id) => ToolCallId(id),
            Err(error) => {
                self.tool_calls.lose(1, &error);
                return None;
            }
        };
        let (kept, more) = tool_calls::targets(targets);
        Some(Arc::new(ToolCall {
            id,
            workspace_id: connected.workspace_id(),
            user_id: connected.user_id(),
            connection_id: connected.connection_id(),
            client_id: connected.client_id().to_owned(),
            display_name: connected.display_name().to_owned(),
            tool: tool_calls::name(tool).to_owned(),
            outcome: outcome.end(),
            error_code: outcome.code().map(str::to_owned),
            targets: kept.join(" "),
            more_targets: i64::try_from(more).unwrap_or(i64::MAX),
            took: i64::try_from(took.as_micros()).unwrap_or(i64::MAX),
            at: stamp.now,
            log_seq: 0,
        }))
    }

    /// Writes the queued calls of this process. Calls that could not be written stay queued.
    ///
    /// # Errors
    /// Store errors.
    pub async fn flush_tool_calls(&self) -> Result<()> {
        self.tool_calls.flush(&self.db).await
    }

    /// Returns the earliest time of a call that has not expired at `now`: calls that were made before this time have
    /// expired, even if they are not deleted yet.
    fn oldest_tool_call(&self, now: Timestamp) -> Timestamp {
        now - self.settings.audit_life
    }

    /// Deletes expired calls, in at most [`MAX_BATCHES`] batches. Run by a maintenance job.
    pub(super) async fn delete_expired_tool_calls(&self, now: Timestamp) -> Result<()> {
        let cutoff = self.oldest_tool_call(now);
        for _ in 0..MAX_BATCHES {
            let removed = self.db.write(DeleteToolCalls(cutoff)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < DELETE_BATCH) {
                break;
            }
        }
        Ok(())
    }
}

struct InsertToolCalls(Vec<Arc<ToolCall>>);

op! { Op "write_tool_calls": InsertToolCalls -> () = |op, c| rows::insert(c, &op.0) }

struct DeleteToolCalls(Timestamp);

op! { Op "delete_expired_tool_calls": DeleteToolCalls -> u64 = |op, c| rows::purge(c, op.0, DELETE_BATCH) }
