//! The audit: what assistants did for employees, one row for each call of a tool. `docs/decisions/0006` says why it is
//! kept the way it is.
//!
//! - here: noting a call, for the MCP transport;
//! - [`queue`]: calls that wait to be written, and who writes them;
//! - [`listing`]: who sees what, for the admin room and the pages;
//! - [`following`]: the audit in the order in which it was written, for programs that copy it.

mod following;
mod listing;
mod queue;

use std::{sync::Arc, time::Duration};

pub use self::{
    listing::{CallFilter, TargetName},
    queue::Queue,
};
use super::{World, assistants::connections::Connected};
pub use crate::store::tool_calls::ToolCall;
use crate::{
    domain::{
        ids::ToolCallId,
        refusal::Code,
        time::Timestamp,
        tool_calls::{self, ToolOutcome},
    },
    store::{Error, Op, Result, Sql, tool_calls as rows},
};

/// How many old calls are removed in one transaction.
const FORGOTTEN_AT_ONCE: i64 = 1_000;
/// How many transactions a run of the upkeep makes at most: half a million calls a minute.
const GOES: usize = 500;

impl World {
    /// Notes a call of a tool: who made it, through which connection, how it ended (`outcome`), the ids of what it was
    /// about (`targets`; never a text) and how long it took. To be called once for each call, when it has ended and
    /// before it is answered.
    ///
    /// A call that changed nothing, because its tool only reads or it was refused, is noted in memory and written with
    /// others a moment later. Any other call is written before this returns. A store that fails is not told to the caller, since the call has had its effect:
    /// the row then waits like those of reads.
    pub async fn note_tool_call(
        &self,
        who: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) {
        let Some(call) = self.tool_call(who, tool, outcome, targets, took) else { return };
        if !tool_calls::is_kept_first(tool, outcome) {
            return self.tool_calls.add(call);
        }
        if let Err(error) = self.db.write(KeepToolCalls(vec![Arc::clone(&call)])).await {
            tracing::warn!(%error, "a row of the audit could not be written at once and waits");
            self.tool_calls.add(call);
        }
    }

    /// The same without waiting: for a call of which nobody hears how it ended.
    pub fn note_tool_call_later(
        &self,
        who: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) {
        if let Some(call) = self.tool_call(who, tool, outcome, targets, took) {
            self.tool_calls.add(call);
        }
    }

    /// The row of a call; none without an id for it.
    fn tool_call(
        &self,
        who: &Connected,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
        took: Duration,
    ) -> Option<Arc<ToolCall>> {
        let at = self.stamp();
        let id = match at.id() {
            Ok(id) => ToolCallId(id),
            Err(error) => {
                self.tool_calls.lose(1, &error);
                return None;
            }
        };
        let (kept, more) = tool_calls::targets(targets);
        Some(Arc::new(ToolCall {
            id,
            workspace_id: who.workspace_id,
            user_id: who.user_id,
            connection_id: who.connection_id,
            client_id: who.client_id.clone(),
            display_name: who.display_name.clone(),
            tool: tool_calls::name(tool).to_owned(),
            outcome: outcome.end(),
            error_code: outcome.code().map(str::to_owned),
            targets: kept.join(" "),
            more_targets: i64::try_from(more).unwrap_or(i64::MAX),
            took: i64::try_from(took.as_micros()).unwrap_or(i64::MAX),
            at: at.now,
            log_seq: 0,
        }))
    }

    /// Writes the calls that were noted here and still wait. What cannot be written goes on waiting.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn flush_tool_calls(&self) -> Result<()> {
        self.tool_calls.flush(&self.db).await
    }

    /// The time from before which no call is shown any more, whether it is still stored or not.
    fn oldest_tool_call(&self, now: Timestamp) -> Timestamp {
        now - self.settings.audit_life
    }

    /// Removes the calls whose time is over, so many at most. Part of the upkeep.
    pub(super) async fn forget_tool_calls(&self, now: Timestamp) -> Result<()> {
        let cutoff = self.oldest_tool_call(now);
        for _ in 0..GOES {
            let removed = self.db.write(ForgetToolCalls(cutoff)).await?;
            if i64::try_from(removed).is_ok_and(|removed| removed < FORGOTTEN_AT_ONCE) {
                break;
            }
        }
        Ok(())
    }
}

/// How a call ended that gave this answer, by the codes of the bot API.
impl<T> From<&Result<T>> for ToolOutcome {
    fn from(result: &Result<T>) -> Self {
        match result {
            Ok(_) => Self::Ok,
            Err(Error::Refused(refusal)) if refusal.code.status() < 500 => {
                Self::Refused(refusal.code.as_str())
            }
            Err(Error::Refused(refusal)) => Self::Failed(refusal.code.as_str()),
            Err(Error::Store(error)) => Self::Failed(Code::as_str(error.code())),
        }
    }
}

struct KeepToolCalls(Vec<Arc<ToolCall>>);

impl Op for KeepToolCalls {
    const NAME: &'static str = "keep_tool_calls";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        rows::insert(c, &self.0).await
    }
}

struct ForgetToolCalls(Timestamp);

impl Op for ForgetToolCalls {
    const NAME: &'static str = "forget_tool_calls";
    type Out = u64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<u64> {
        rows::forget(c, self.0, FORGOTTEN_AT_ONCE).await
    }
}
