//! An employee's assistant as the caller of a request. A write of the assistant confirms in its own transaction that
//! the connection is still active, and that the access token was not replaced. On PostgreSQL, this
//! transaction holds two shared locks:
//!
//! - The lock of the employee. Every change that revokes connections of one person waits, after its commit, for the
//!   transactions that hold this lock.
//! - The lock of the company's assistants. Changes of the company's settings and of the company's blocked clients wait
//!   in the same way for the transactions that hold this lock.
//!
//! [`World::hold_connection`] confirms the same before a response, with the same locks.

use crate::{
    domain::{ids::ConnectionId, refusal::Code, time::Timestamp},
    service::{
        World,
        callers::{ShownConversation, confirm::Revocable, employee::Employee, request::WrittenFlag},
        oauth::active_connection::{Connected, UsedToken},
        refuse,
    },
    store::{LockKey, ReadSql, Result, connections},
};

/// An assistant, as authenticated for one request.
#[derive(Clone, Debug)]
pub(in crate::service) struct AssistantCaller {
    connection_id: ConnectionId,
    token: UsedToken,
    /// The employee for whom the assistant acts.
    pub(in crate::service) employee: Employee,
    /// The time at which the connection and the token must be valid.
    now: Timestamp,
    written: WrittenFlag,
}

impl AssistantCaller {
    /// Returns the assistant of a connection. The connection and the token must be valid at the time `now`.
    pub(in crate::service) fn new(connected: &Connected, now: Timestamp) -> Self {
        Self {
            connection_id: connected.connection_id(),
            token: connected.token(),
            employee: connected.into(),
            now,
            written: connected.written().clone(),
        }
    }
}

impl From<&Connected> for Employee {
    fn from(connected: &Connected) -> Self {
        Self { workspace_id: connected.workspace_id(), user_id: connected.user_id() }
    }
}

impl Revocable for AssistantCaller {
    type Current = ();

    fn locks(&self) -> Vec<LockKey> {
        let Employee { workspace_id, user_id } = self.employee;
        vec![LockKey::user(user_id), LockKey::assistants(workspace_id)]
    }

    fn written(&self) -> Option<WrittenFlag> {
        Some(self.written.clone())
    }

    /// Rejects the request with `token_revoked` in two cases:
    ///
    /// - The connection was revoked, has expired or may no longer be used.
    /// - The access token was replaced or has expired.
    async fn confirm<C: ReadSql>(&self, c: &mut C) -> Result<()> {
        match connections::status(c, self.connection_id).await? {
            Some(status) if self.token.is_current(&status, self.now) => Ok(()),
            _ => refuse(Code::TokenRevoked),
        }
    }
}

impl World {
    /// On PostgreSQL, confirms that a connection is active, that its access token is current, and that the employee
    /// still sees what the response shows of conversations. Returns `true`. The query takes the locks of the assistant
    /// and of the conversations' audiences ([`LockKey::audience`]), and keeps them for 20 ms after it has ended. In
    /// this time the response must be sent. A revocation waits for these locks. So the result is still valid when the
    /// response is sent, however long the query takes. On SQLite, returns `false` and confirms nothing.
    ///
    /// # Errors
    /// - `token_revoked` if the connection or the token is no longer valid.
    /// - Errors of [`World::confirm_shown`].
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn hold_connection(
        &self,
        connected: &Connected,
        shown: Vec<ShownConversation>,
    ) -> Result<bool> {
        self.hold_caller(AssistantCaller::new(connected, self.trusted_now()?), shown).await
    }
}
