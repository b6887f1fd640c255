//! The caller of writes through an assistant's connection.
//!
//! Every write confirms in its own transaction that the connection is still active, under two shared
//! locks:
//!
//! - the lock of the employee, which is drained by every change that revokes connections of one person;
//! - the lock of the company's assistants, which is drained by changes of its settings and of its blocked
//!   clients.

use super::connections::Connected;
use crate::{
    domain::{grant::Circumstances, ids::ConnectionId, refusal::Code, time::Timestamp},
    store::{
        LockKey, ReadSql, Result,
        connections::{self, ConnectionStatus},
    },
    workspace::{callers::confirm::Revocable, callers::request::Written, employee::Employee, refuse},
};

/// An assistant, as authenticated for one request.
#[derive(Clone, Debug)]
pub(in crate::workspace) struct AssistantCaller {
    connection_id: ConnectionId,
    /// The employee for whom it acts.
    pub(in crate::workspace) employee: Employee,
    /// When the write began.
    now: Timestamp,
    written: Written,
}

impl AssistantCaller {
    /// Returns the caller of a write that begins now.
    pub(in crate::workspace) fn new(connected: &Connected, now: Timestamp) -> Self {
        let written = connected.written.clone();
        Self { connection_id: connected.connection_id, employee: connected.into(), now, written }
    }
}

impl Revocable for AssistantCaller {
    type Current = ();

    fn locks(&self) -> Vec<LockKey> {
        let Employee { workspace_id, user_id } = self.employee;
        vec![LockKey::user(user_id), LockKey::assistants(workspace_id)]
    }

    fn written(&self) -> Option<Written> {
        Some(self.written.clone())
    }

    /// Refuses with `token_revoked` if the connection was revoked, has expired or may no longer be used.
    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        match connections::status(c, self.connection_id).await? {
            Some(status) if is_active(&status, self.now) => Ok(()),
            _ => refuse(Code::TokenRevoked),
        }
    }
}

/// Whether a connection is active, whatever the state of its tokens.
pub(super) fn is_active(status: &ConnectionStatus, now: Timestamp) -> bool {
    let circumstances = Circumstances {
        state: status.state,
        is_external: status.is_external,
        ai_assistants: status.ai_assistants,
        is_blocked: status.is_blocked,
        max_session_hours: status.max_session_hours,
    };
    status.revoked_at.is_none()
        && circumstances.end_of(status.created_at, status.refresh_until, now).is_none()
}
