//! Assistants connected for employees: listing, disconnecting, and checking the connection of an access
//! token.
//!
//! Called by the admin API and the pages (lists, disconnecting), by the assistant API (every request with an
//! access token), and by changes of a person or company that revoke connections.

use std::time::Duration;

use super::caller::{self, AssistantCaller};
pub use super::overview::Listed;
use crate::{
    domain::{
        cursor::CursorScope,
        grant::{Access, Circumstances, EndReason, Resource, latest_ended},
        ids::{ConnectionId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
        token::{self, TokenKind},
    },
    store::{
        LockKey, Notice, Op, ReadOp, ReadSql, Result, Sql, authorizations,
        connection_lists::{self, ConnectionListFilter},
        connections::{self, Connection, ConnectionStatus, RevocationScope},
        op,
        presented_tokens::PresentedToken,
        workspaces::{self, Workspace},
    },
    workspace::{
        World,
        callers::request::Written,
        callers::{Caller, CompanyCaller, principal::Principal},
        paging::{Page, PageRequest},
        refuse,
    },
};

/// Resolution of the stored time of last use: a busy connection writes at most once in this time.
const LAST_USED_RESOLUTION: Duration = Duration::from_secs(60);

/// An active connection, as found by the access token of one request.
#[derive(Clone, Debug, PartialEq)]
pub struct Connected {
    pub connection_id: ConnectionId,
    pub workspace_id: WorkspaceId,
    /// The employee for whom the assistant acts.
    pub user_id: UserId,
    pub client_id: String,
    /// Name of the client; the label of messages that are sent through the connection.
    pub display_name: String,
    /// The MCP endpoint that its tokens are valid for.
    pub resource: Resource,
    /// Scopes of the token used.
    pub scopes: Access,
    /// Whether the request has written anything.
    pub written: Written,
}

/// Filter of a list of connections.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectionFilter {
    /// Only connections of this person; `Some(None)` for text that is not a user id.
    pub of: Option<Option<UserId>>,
    /// Only active (`true`) or only ended (`false`) connections.
    pub active: Option<bool>,
}

impl CompanyCaller<'_> {
    /// Lists the connections of a company, oldest first, ended ones included (W-38). A person who is not an
    /// admin sees only their own. If thousands of active connections precede the ended ones, a page of ended
    /// connections can be short and still have a next page.
    ///
    /// # Errors
    /// `not_found` for an unknown company; `forbidden` if a person who is not an admin asks for the connections of others;
    /// `invalid_cursor`.
    pub async fn list_connections(
        self,
        filter: ConnectionFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<Listed>> {
        let workspace = self.company_id();
        let filter = ConnectionFilter { of: self.own_or_any(filter.of)?, ..filter };
        // binds the cursor to the company and the filter
        let filter_key = format!("{workspace} {filter:?}");
        let scope = CursorScope {
            endpoint: "admin.connections",
            owner: self.caller().cursor_owner(),
            conversation: None,
            filter: &filter_key,
        };
        let after = self.world().position(&scope, request.cursor, 0)?;
        let limit = i64::from(request.limit) + 1;
        let op = ListConnections { workspace, filter, after, limit, now: self.world().clock.now() };
        let (found, reach) = self.world().db.read(op).await?;
        Ok(self.world().page_to(&scope, request.limit, found, |listed| listed.id.0, reach))
    }
}

impl Caller {
    /// Revokes a connection (W-39). The stored reason says whether the employee disconnected it, or an admin or the
    /// operator revoked it. An ended connection is left unchanged.
    ///
    /// # Errors
    /// `not_found`, also for a caller outside the company; `forbidden` for other people of the company.
    pub async fn disconnect(&self, id: Option<ConnectionId>) -> Result<()> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.write(Disconnect { who: self.who(), id, now: self.world().clock.now() }).await
    }
}

impl World {
    /// Returns the connection of an access token if the connection is active; called for every request (A-254,
    /// Returns `None` for a token that is unknown, replaced or expired, and for an ended connection.
    /// Revokes a connection that has expired or may no longer be used.
    ///
    /// # Errors
    /// Store errors; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn connection_for_token(&self, access_token: &str) -> Result<Option<Connected>> {
        if token::parse(access_token) != Some(TokenKind::access(self.settings.production)) {
            return Ok(None);
        }
        let Some(found) = self.db.presented(token::hash(access_token)).await? else {
            return Ok(None);
        };
        let now = self.trusted_now()?;
        if !is_current(&found, now) {
            return Ok(None);
        }
        if let Some(reason) = circumstances(&found).end_of(found.created_at, found.refresh_until, now) {
            self.revoke_connection((found.connection_id, found.user_id), reason).await?;
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
            written: Written::default(),
        }))
    }

    /// Whether a connection is active, whatever the state of its tokens; called for open streams. An expired
    /// connection is inactive but is not changed; the next request with one of its tokens, or the cleanup, revokes it.
    ///
    /// # Errors
    /// Store errors; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn is_connection_active(&self, id: ConnectionId) -> Result<bool> {
        let found = self.db.read(FindStatus(id)).await?;
        let now = self.trusted_now()?;
        Ok(found.is_some_and(|status| caller::is_active(&status, now)))
    }

    /// Confirms that a connection is active, under locks that are held until the response was sent, so that the result stays
    /// valid however long the look-up takes. Returns `false` on SQLite, where this is not needed.
    ///
    /// # Errors
    /// `token_revoked`; store errors; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn hold_connection(&self, connected: &Connected) -> Result<bool> {
        self.hold_caller(AssistantCaller::new(connected, self.trusted_now()?)).await
    }

    /// Records the use of a connection. A failure is only logged, because it is no reason to reject the request.
    async fn note_use(&self, id: ConnectionId, now: Timestamp) {
        if let Err(error) = self.db.write(NoteUse { id, now }).await {
            tracing::warn!(%error, "failed to record the use of a connection");
        }
    }

    /// Revokes a connection. If the reason is that the person is no longer an employee, revokes all
    /// connections of that person.
    pub(super) async fn revoke_connection(
        &self,
        (id, user): (ConnectionId, UserId),
        reason: EndReason,
    ) -> Result<()> {
        self.db.write(EndConnection { id, user, reason, now: self.clock.now() }).await
    }
}

/// Whether the token is the current access token of a connection that is not revoked.
fn is_current(found: &PresentedToken, now: Timestamp) -> bool {
    !found.is_refresh
        && found.revoked_at.is_none()
        && found.generation == found.current_generation
        && now < found.expires_at
}

fn circumstances(found: &PresentedToken) -> Circumstances {
    Circumstances {
        state: found.state,
        is_external: found.is_external,
        ai_assistants: found.ai_assistants,
        is_blocked: found.is_blocked,
        max_session_hours: found.max_session_hours,
    }
}

/// Revokes all connections of a person and deletes their unexchanged authorization codes. To be called in a
/// transaction that has locked the person's row.
///
/// # Errors
/// Store errors.
pub(in crate::workspace) async fn revoke_connections_of_user<C: Sql>(
    c: &mut C,
    user: UserId,
    reason: EndReason,
    now: Timestamp,
) -> Result<()> {
    authorizations::delete_codes_of_user(c, user).await?;
    connections::revoke_all(c, RevocationScope::User(user), reason, now).await?;
    Ok(())
}

/// Revokes the connections that a change of a company's settings ends. To be called in a transaction that has
/// locked the company's row.
///
/// # Errors
/// Store errors.
pub(in crate::workspace) async fn revoke_by_settings<C: Sql>(
    c: &mut C,
    before: &Workspace,
    after: &Workspace,
    now: Timestamp,
) -> Result<()> {
    // even if nothing changes, because an earlier request may have made the change without having responded yet
    c.notify(Notice::Drain(LockKey::assistants(after.id)));
    if before.ai_assistants && !after.ai_assistants {
        authorizations::delete_codes_of_company(c, after.id, None).await?;
        connections::revoke_all(c, RevocationScope::Company(after.id), EndReason::AssistantsOff, now).await?;
    }
    if before.max_session_hours != after.max_session_hours {
        // connections that expired under the old maximum but are not revoked yet must not become active under a longer
        // one
        let ended = [before, after].map(|company| latest_ended(company.max_session_hours, now));
        let by = ended[0].max(ended[1]);
        connections::revoke_all(c, RevocationScope::Older(after.id, by), EndReason::SessionExpired, now)
            .await?;
    }
    Ok(())
}

/// Revokes the connections of clients with a block key and returns their number. To be called in a
/// transaction that has locked the company's row.
pub(super) async fn revoke_by_block_key<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    key: &str,
    now: Timestamp,
) -> Result<u64> {
    c.notify(Notice::Drain(LockKey::assistants(workspace)));
    authorizations::delete_codes_of_company(c, workspace, Some(key)).await?;
    let ended =
        connections::revoke_all(c, RevocationScope::Key(workspace, key), EndReason::ClientBlocked, now)
            .await?;
    Ok(ended.len() as u64)
}

/// Maximum number of connections read for one page; a page that reaches it may be short.
const MAX_SCANNED: usize = 5_000;
/// Batch size of further reads, if the filter has excluded connections of the first read.
const SCAN_BATCH: i64 = 500;

struct ListConnections {
    workspace: WorkspaceId,
    filter: ConnectionFilter,
    after: i64,
    limit: i64,
    now: Timestamp,
}

impl ReadOp for ListConnections {
    const NAME: &'static str = "list_connections";
    /// The connections, and the id of the last one read if there are more.
    type Out = (Vec<Listed>, Option<i64>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(company) = workspaces::by_id(c, self.workspace).await? else {
            return refuse(Code::NotFound);
        };
        let user = match self.filter.of {
            Some(None) => return Ok((Vec::new(), None)),
            Some(user) => user,
            None => None,
        };
        let latest_ended = latest_ended(company.max_session_hours, self.now);
        let wanted = ConnectionListFilter {
            workspace: self.workspace,
            user,
            only_living: self.filter.active == Some(true),
        };
        // filtered here, because some expired connections are not revoked yet
        let matches =
            |listed: &Listed| self.filter.active.is_none_or(|active| active == listed.ended.is_none());
        let (mut listed, mut after, mut limit, mut scanned) = (Vec::new(), self.after, self.limit, 0);
        loop {
            let found = connection_lists::page(c, &wanted, after, limit).await?;
            let is_last = i64::try_from(found.len()).is_ok_and(|found| found < limit);
            scanned += found.len();
            after = found.last().map_or(after, |last| last.id.0);
            let found = found.into_iter().map(|connection| self.listed(connection, latest_ended));
            listed.extend(found.filter(matches));
            if is_last || i64::try_from(listed.len()).is_ok_and(|listed| listed >= self.limit) {
                return Ok((listed, None));
            }
            if scanned >= MAX_SCANNED {
                return Ok((listed, Some(after)));
            }
            limit = SCAN_BATCH;
        }
    }
}

impl ListConnections {
    /// Returns a connection with the reason why it ended, even if that is not stored yet.
    fn listed(&self, connection: Connection, latest_ended: Timestamp) -> Listed {
        let ended = if connection.revoked_at.is_some() {
            connection.reason
        } else if connection.created_at <= latest_ended {
            Some(EndReason::SessionExpired)
        } else if connection.refresh_until <= self.now {
            Some(EndReason::RefreshExpired)
        } else {
            None
        };
        Listed::new(connection, ended)
    }
}

struct Disconnect {
    who: Principal,
    id: ConnectionId,
    now: Timestamp,
}

impl Op for Disconnect {
    const NAME: &'static str = "disconnect";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let Some(connection) = connections::by_id(c, self.id).await? else { return refuse(Code::NotFound) };
        let (workspace, owner) = (connection.workspace_id, connection.user_id);
        let right = self.who.own_or_administer(workspace, owner, Code::NotFound)?;
        let reason = if right.person() == Some(owner) { EndReason::Employee } else { EndReason::Admin };
        connections::revoke(c, (self.id, owner), reason, self.now).await?;
        Ok(())
    }
}

struct FindStatus(ConnectionId);

op! {
    ReadOp "find_connection_standing", SINGLE: FindStatus -> Option<ConnectionStatus> =
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
    reason: EndReason,
    now: Timestamp,
}

impl Op for EndConnection {
    const NAME: &'static str = "revoke_connection";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        if self.reason == EndReason::NotEmployee {
            return revoke_connections_of_user(c, self.user, self.reason, self.now).await;
        }
        connections::revoke(c, (self.id, self.user), self.reason, self.now).await?;
        Ok(())
    }
}
