//! The active connection of an assistant, found by the access token of each request. Every write confirms in its own
//! transaction that the connection is still active (`assistant_caller.rs`).

use std::time::Duration;

use super::connections::revoke_connections_of_user;
use crate::{
    domain::{
        grant::{Access, ConnectionFacts, EndReason, Resource},
        ids::{ConnectionId, UserId, WorkspaceId},
        time::Timestamp,
        token::{self, TokenKind},
    },
    service::{World, callers::request::WrittenFlag},
    store::{
        Op, Result, Sql,
        connections::{self, ConnectionStatus},
        op,
        presented_tokens::PresentedToken,
        users,
    },
};

/// Resolution of the stored time of last use: the time of a busy connection is written at most once per minute.
const LAST_USED_RESOLUTION: Duration = Duration::from_secs(60);

/// An active connection, as found by the access token of one request. Only this file constructs values of this type.
#[derive(Clone, Debug, PartialEq)]
pub struct Connected {
    connection_id: ConnectionId,
    workspace_id: WorkspaceId,
    /// The employee for whom the assistant acts.
    user_id: UserId,
    client_id: String,
    /// Name of the client; the label of messages that are sent through the connection.
    display_name: String,
    /// The MCP endpoint for which the connection's tokens are valid.
    resource: Resource,
    /// Scopes of the token that the request used.
    scopes: Access,
    /// The token that the request used.
    token: UsedToken,
    /// Whether the request has written anything.
    written: WrittenFlag,
    /// When the request arrived, measured just before its token was looked up.
    arrived: Timestamp,
}

impl Connected {
    #[must_use]
    pub const fn connection_id(&self) -> ConnectionId {
        self.connection_id
    }

    #[must_use]
    pub const fn workspace_id(&self) -> WorkspaceId {
        self.workspace_id
    }

    /// Returns the employee for whom the assistant acts.
    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }

    #[must_use]
    pub fn client_id(&self) -> &str {
        &self.client_id
    }

    /// Returns the name of the client; the label of messages that are sent through the connection.
    #[must_use]
    pub fn display_name(&self) -> &str {
        &self.display_name
    }

    /// Returns the MCP endpoint for which the connection's tokens are valid.
    #[must_use]
    pub const fn resource(&self) -> Resource {
        self.resource
    }

    /// Returns the scopes of the token that the request used.
    #[must_use]
    pub const fn scopes(&self) -> Access {
        self.scopes
    }

    /// Returns the token that the request used.
    pub(in crate::service) const fn token(&self) -> UsedToken {
        self.token
    }

    /// Returns the flag that records whether the request has written anything.
    pub(in crate::service) const fn written(&self) -> &WrittenFlag {
        &self.written
    }

    /// Returns whether the request has written anything.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.written.any()
    }

    /// Returns when the request arrived, measured just before its token was looked up.
    #[must_use]
    pub const fn arrived(&self) -> Timestamp {
        self.arrived
    }
}

/// The access token that a request used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsedToken {
    /// Generation of the token, from 1. A refresh issues tokens of the next generation.
    pub generation: i64,
    pub expires_at: Timestamp,
}

impl UsedToken {
    /// Whether the connection is active and the token is its current access token, which has not expired.
    pub(in crate::service) fn is_current(self, status: &ConnectionStatus, now: Timestamp) -> bool {
        is_active(status, now) && self.generation == status.generation && now < self.expires_at
    }
}

impl World {
    /// Returns the connection of an access token if the connection is active. Called for every request.
    /// Returns `None` for a token that is unknown, spent or expired, and for an ended connection.
    ///
    /// Also revokes the connection if it has expired, or may no longer be used because the company, an admin's block or
    /// the state of the person forbids it. Does so even if the token itself is spent or expired.
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn connection_for_token(&self, access_token: &str) -> Result<Option<Connected>> {
        if token::parse(access_token) != Some(TokenKind::access(self.settings.production)) {
            return Ok(None);
        }
        let arrived = self.clock.now();
        let Some(found) = self.db.presented(token::hash(access_token)).await? else {
            return Ok(None);
        };
        let now = self.trusted_now()?;
        if found.is_refresh || found.revoked_at.is_some() {
            return Ok(None);
        }
        // checked also for a spent or expired token: if a person is no longer an active employee, the next request
        // through any connection of the person revokes all connections of the person
        if facts(&found).end_reason(found.created_at, found.refresh_until, now).is_some() {
            self.revoke_connection((found.connection_id, found.user_id), now).await?;
            return Ok(None);
        }
        if found.generation != found.current_generation || found.expires_at <= now {
            return Ok(None);
        }
        if found.last_used_at.is_none_or(|at| now.since(at) >= LAST_USED_RESOLUTION) {
            self.note_use(found.connection_id, now).await;
        }
        Ok(Some(Connected {
            connection_id: found.connection_id,
            workspace_id: found.workspace_id,
            user_id: found.user_id,
            client_id: found.client_id,
            display_name: found.display_name,
            resource: found.resource,
            scopes: found.scopes,
            token: UsedToken { generation: found.generation, expires_at: found.expires_at },
            written: WrittenFlag::default(),
            arrived,
        }))
    }

    /// Whether a connection is active, whatever the state of its tokens. Called for open event streams.
    ///
    /// An expired connection is inactive, but this function does not revoke it. The next request with one of its access
    /// tokens, or a maintenance job, revokes the connection.
    ///
    /// # Errors
    /// - Store errors.
    /// - `Unavailable` while this node's clock is too far from the database's clock ([`World::trusted_now`]).
    pub async fn is_connection_active(&self, id: ConnectionId) -> Result<bool> {
        let found = self.db.read(FindStatus(id)).await?;
        let now = self.trusted_now()?;
        Ok(found.is_some_and(|status| is_active(&status, now)))
    }

    /// Whether the connection of a request is still active, and the request's token is still the current access token.
    /// Called before a response with data is sent.
    ///
    /// # Errors
    /// Errors of [`World::is_connection_active`].
    pub async fn is_still_connected(&self, connected: &Connected) -> Result<bool> {
        let found = self.db.read(FindStatus(connected.connection_id)).await?;
        let now = self.trusted_now()?;
        Ok(found.is_some_and(|status| connected.token.is_current(&status, now)))
    }

    /// Records the time of a use of a connection. A failure is only logged, because the request can be answered
    /// nevertheless.
    async fn note_use(&self, id: ConnectionId, now: Timestamp) {
        if let Err(error) = self.db.write(NoteUse { id, now }).await {
            tracing::warn!(%error, "failed to record the use of a connection");
        }
    }

    /// Revokes a connection that has expired or may no longer be used. First determines the reason again, in its own
    /// transaction. If the reason is that the person is no longer an active employee, revokes all connections of the
    /// person. Returns `true` if the connection is revoked or deleted, and `false` if it may be used again.
    pub(super) async fn revoke_connection(
        &self,
        (id, user): (ConnectionId, UserId),
        now: Timestamp,
    ) -> Result<bool> {
        self.db.write(EndConnection { id, user, now }).await
    }
}

fn facts(found: &PresentedToken) -> ConnectionFacts {
    ConnectionFacts {
        state: found.state,
        is_external: found.is_external,
        ai_assistants: found.ai_assistants,
        is_blocked: found.is_blocked,
        max_session_hours: found.max_session_hours,
    }
}

/// Whether a connection is active, whatever the state of its tokens.
fn is_active(status: &ConnectionStatus, now: Timestamp) -> bool {
    status.revoked_at.is_none() && end_reason(status, now).is_none()
}

/// Returns why a connection has expired or may no longer be used. Returns `None` if neither is the case, even if the
/// connection is revoked.
fn end_reason(status: &ConnectionStatus, now: Timestamp) -> Option<EndReason> {
    let facts = ConnectionFacts {
        state: status.state,
        is_external: status.is_external,
        ai_assistants: status.ai_assistants,
        is_blocked: status.is_blocked,
        max_session_hours: status.max_session_hours,
    };
    facts.end_reason(status.created_at, status.refresh_until, now)
}

struct FindStatus(ConnectionId);

op! {
    ReadOp "find_connection_status", SINGLE: FindStatus -> Option<ConnectionStatus> =
        |op, c| connections::status(c, op.0)
}

struct NoteUse {
    id: ConnectionId,
    now: Timestamp,
}

op! { Op "note_connection_use": NoteUse -> () = |op, c| connections::note_use(c, op.id, op.now) }

struct EndConnection {
    id: ConnectionId,
    user: UserId,
    now: Timestamp,
}

impl Op for EndConnection {
    const NAME: &'static str = "revoke_connection";
    /// Whether the connection is revoked or deleted.
    type Out = bool;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<bool> {
        users::by_id_for_update(c, self.user).await?;
        // Reads again, under the lock of the person: after the caller read the reason, the person can have become an
        // employee again. A new connection of the person must not be revoked.
        let Some(status) = connections::status(c, self.id).await? else { return Ok(true) };
        match end_reason(&status, self.now) {
            None => return Ok(status.revoked_at.is_some()),
            Some(EndReason::NotEmployee) => {
                revoke_connections_of_user(c, self.user, EndReason::NotEmployee, self.now).await?;
            }
            Some(reason) => {
                connections::revoke(c, (self.id, self.user), reason, self.now).await?;
            }
        }
        Ok(true)
    }
}
