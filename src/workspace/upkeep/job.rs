//! The maintenance jobs: their names, intervals and timeouts.

use std::time::Duration;

/// A maintenance job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Job {
    /// Deletes the contents of deleted files.
    Files,
    /// Removes uploads that were never finished.
    Uploads,
    /// Deletes expired sessions, installation codes and unused assistant clients.
    Sessions,
    /// Deletes idempotency keys that are a day old.
    Keys,
    /// Deletes events that were finished two weeks ago, with their attempts.
    Deliveries,
    /// Drops events that were due for too long.
    PendingEvents,
    /// Counts pending events.
    EventBacklog,
    /// Deletes idle MCP sessions.
    McpSessions,
    /// Ends connections that have expired, and deletes spent tokens.
    Connections,
    /// Deletes ended connections that the audit does not show any more.
    EndedConnections,
    /// Deletes rows of the audit that are too old.
    ToolCalls,
    /// Indexes people that search does not know yet.
    People,
    /// Deletes old drafts.
    Drafts,
    /// Forgets rate limits that are whole again.
    Limits,
}

impl Job {
    /// Every job.
    pub const ALL: [Self; 14] = [
        Self::Files,
        Self::Uploads,
        Self::Sessions,
        Self::Keys,
        Self::Deliveries,
        Self::PendingEvents,
        Self::EventBacklog,
        Self::McpSessions,
        Self::Connections,
        Self::EndedConnections,
        Self::ToolCalls,
        Self::People,
        Self::Drafts,
        Self::Limits,
    ];

    /// The name in logs, metrics and leases.
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
            Self::McpSessions => "mcp_sessions",
            Self::Connections => "connections",
            Self::EndedConnections => "ended_connections",
            Self::ToolCalls => "tool_calls",
            Self::People => "people",
            Self::Drafts => "drafts",
            Self::Limits => "limits",
        }
    }

    /// The time from the end of a run to the next one.
    #[must_use]
    pub const fn interval(self) -> Duration {
        match self {
            Self::EventBacklog => Duration::from_secs(15),
            _ => Duration::from_secs(60),
        }
    }

    /// How long a run may take.
    #[must_use]
    pub const fn timeout(self) -> Duration {
        match self {
            // a run deletes many objects, each of which may be tried again
            Self::Files | Self::Uploads => Duration::from_secs(15 * 60),
            _ => Duration::from_secs(5 * 60),
        }
    }

    /// Whether every node has to run it: what it works on is the node's own.
    #[must_use]
    pub const fn is_of_each_node(self) -> bool {
        matches!(self, Self::Limits | Self::EventBacklog)
    }

    /// Whether it also runs when the process starts, without waiting for the interval.
    #[must_use]
    pub const fn runs_at_start(self) -> bool {
        // after an upgrade, people from before it are found at once
        matches!(self, Self::People | Self::EventBacklog)
    }
}
