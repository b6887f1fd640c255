//! The maintenance jobs: their names, intervals and timeouts.

use std::time::Duration;

/// A maintenance job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Deletes unattached files and the contents of deleted files. Updates the total size of the stored files of each
    /// person and company, which the quotas limit.
    Files,
    /// Deletes the contents of abandoned uploads.
    Uploads,
    /// Deletes expired sessions, expired install codes, expired clients that never completed a connection, and expired
    /// counts of wrong passwords. Deletes the networks and browsers from which an account has not signed in for 180
    /// days. Erases superseded signing secrets.
    Sessions,
    /// Deletes bots' idempotency keys that are older than a day.
    Keys,
    /// Deletes events that were delivered, failed or dropped more than two weeks ago, and their attempts. Erases the
    /// content of deleted messages from events that are no longer pending.
    Deliveries,
    /// Drops events whose next attempt has been due for longer than the configured time (`events.pending_days`).
    PendingEvents,
    /// Counts pending events.
    EventBacklog,
    /// Stores the times of last use of MCP sessions, which the node collects in memory.
    McpSessionUses,
    /// Deletes idle MCP sessions.
    McpSessions,
    /// Revokes expired connections. Deletes expired authorization requests, authorization codes and spent tokens, and
    /// the salts of refresh overlaps that have ended (`service/oauth/refresh.rs`). Deletes the tokens of ended
    /// connections.
    Connections,
    /// Deletes ended connections whose tool calls are no longer in the audit.
    EndedConnections,
    /// Deletes expired rows of the audit.
    ToolCalls,
    /// Adds people to the search index if they are missing from it.
    People,
    /// Deletes old drafts that were sent or discarded, and expired idempotency keys of assistants.
    Drafts,
    /// Deletes message changes and button presses that are older than a day. From the message changes, a reconnecting
    /// window of the web client reads what it missed. From the button presses, the server recognizes a form that is
    /// submitted a second time.
    Windows,
    /// Removes the state of unused rate limits that have regained their full capacity.
    Limits,
}

impl Job {
    /// Every job.
    pub const ALL: [Self; 16] = [
        Self::Files,
        Self::Uploads,
        Self::Sessions,
        Self::Keys,
        Self::Deliveries,
        Self::PendingEvents,
        Self::EventBacklog,
        Self::McpSessionUses,
        Self::McpSessions,
        Self::Connections,
        Self::EndedConnections,
        Self::ToolCalls,
        Self::People,
        Self::Drafts,
        Self::Windows,
        Self::Limits,
    ];

    /// Returns the name in logs, metrics and leases.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Uploads => "uploads",
            Self::Sessions => "sessions",
            Self::Keys => "keys",
            Self::Deliveries => "deliveries",
            Self::PendingEvents => "pending_events",
            Self::EventBacklog => "event_backlog",
            Self::McpSessionUses => "mcp_session_uses",
            Self::McpSessions => "mcp_sessions",
            Self::Connections => "connections",
            Self::EndedConnections => "ended_connections",
            Self::ToolCalls => "tool_calls",
            Self::People => "people",
            Self::Drafts => "drafts",
            Self::Windows => "windows",
            Self::Limits => "limits",
        }
    }

    /// Returns the time from the end of a run to the start of the next run in the same process.
    #[must_use]
    pub const fn interval(self) -> Duration {
        match self {
            Self::EventBacklog => Duration::from_secs(15),
            _ => Duration::from_secs(60),
        }
    }

    /// Returns the timeout of one run.
    #[must_use]
    pub const fn timeout(self) -> Duration {
        match self {
            // a run deletes many objects from the storage, and each deletion can be retried
            Self::Files | Self::Uploads => Duration::from_secs(15 * 60),
            _ => Duration::from_secs(5 * 60),
        }
    }

    /// Whether every node runs the job. Such a job works on the memory or the metrics of its node.
    #[must_use]
    pub const fn runs_on_every_node(self) -> bool {
        matches!(self, Self::Limits | Self::EventBacklog | Self::McpSessionUses)
    }

    /// Whether the job also runs at the start of the process.
    #[must_use]
    pub const fn runs_at_start(self) -> bool {
        // `People`: after an upgrade, search must immediately find the people that earlier versions created
        matches!(self, Self::People | Self::EventBacklog)
    }
}
