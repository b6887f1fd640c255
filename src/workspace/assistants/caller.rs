//! Who writes through an assistant's connection, and that the connection is good until the write is committed.
//!
//! A revocation that was answered is final for requests under way, too. Every write of an assistant reads the
//! state of its connection in its own transaction, under two shared locks:
//!
//! - that of the employee, which is drained by whatever ends connections of one person;
//! - that of the company's assistants, which is drained by a change of its settings and of its blocked clients.

use super::connections::Connected;
use crate::{
    domain::{grant::Circumstances, ids::ConnectionId, refusal::Code, time::Timestamp},
    store::{
        LockKey, Locks, Result, Sql,
        connections::{self, Standing},
    },
    workspace::{employee::Employee, refuse},
};

/// An assistant as one request authenticated it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::workspace) struct AssistantCaller {
    pub(in crate::workspace) connection_id: ConnectionId,
    /// Whom it acts for.
    pub(in crate::workspace) employee: Employee,
}

impl From<&Connected> for AssistantCaller {
    fn from(connected: &Connected) -> Self {
        Self { connection_id: connected.connection_id, employee: connected.into() }
    }
}

impl AssistantCaller {
    /// The locks that every write of the assistant holds.
    pub(in crate::workspace) fn locks(&self) -> Locks {
        let Employee { workspace_id, user_id } = self.employee;
        Locks::shared([LockKey::user(user_id), LockKey::assistants(workspace_id)])
    }

    /// Refuses to write for a connection that was revoked since its token was looked up, or may not go on. To be called
    /// in the transaction that writes and holds [`AssistantCaller::locks`].
    ///
    /// # Errors
    /// `token_revoked`.
    pub(in crate::workspace) async fn check_connected<C: Sql>(
        &self,
        c: &mut C,
        now: Timestamp,
    ) -> Result<()> {
        match connections::standing(c, self.connection_id).await? {
            Some(standing) if is_good(&standing, now) => Ok(()),
            _ => refuse(Code::TokenRevoked),
        }
    }
}

/// Whether a connection may go on, whatever its tokens.
pub(super) fn is_good(standing: &Standing, now: Timestamp) -> bool {
    let circumstances = Circumstances {
        state: standing.state,
        is_external: standing.is_external,
        ai_assistants: standing.ai_assistants,
        is_blocked: standing.is_blocked,
        max_session_hours: standing.max_session_hours,
    };
    standing.revoked_at.is_none()
        && circumstances.end_of(standing.created_at, standing.refresh_until, now).is_none()
}
