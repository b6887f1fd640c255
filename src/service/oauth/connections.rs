//! Lists assistants' connections. Also revokes connections: at the request of a caller, and when a change of a person
//! or of a company requires it. [`cleanup`](super::cleanup) revokes expired connections.

pub use super::connection_view::ListedConnection;
use crate::{
    domain::{
        cursor::CursorScope,
        grant::{EndReason, expiry, latest_ended},
        ids::{ConnectionId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
    },
    service::{
        callers::{Caller, CompanyCaller, principal::CallerPrincipal},
        paging::{Page, PageRequest},
        refuse,
    },
    store::{
        LockKey, Notice, Op, ReadOp, ReadSql, Result, Sql, StoreError, authorizations,
        connection_lists::{self, ConnectionListFilter},
        connections::{self, Connection, RevocationScope},
        workspaces::{self, Workspace},
    },
};

/// Filter of a list of connections.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectionFilter {
    /// Only connections of this person. `Some(None)` stands for text that is not a user id, and matches no connection.
    pub of: Option<Option<UserId>>,
    /// Only active (`true`) or only ended (`false`) connections.
    pub active: Option<bool>,
}

impl CompanyCaller<'_> {
    /// Lists the connections of a company, oldest first, including ended connections (W-38). A person who is not an
    /// admin sees only their own connections. If the filter excludes thousands of consecutive connections, a page can
    /// have fewer connections than requested, although there is a next page.
    ///
    /// # Errors
    /// - `forbidden` if a person who is not an admin requests the connections of others.
    /// - `invalid_cursor`.
    /// - `not_found` for an unknown company.
    pub async fn list_connections(
        self,
        filter: ConnectionFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<ListedConnection>> {
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
        let (found, scan_end) = self.world().db.read(op).await?;
        Ok(self.world().page_to(&scope, request.limit, found, |listed| listed.id.0, scan_end))
    }
}

impl Caller {
    /// Revokes a connection (W-39), and returns its company. The stored reason is [`EndReason::Employee`] if the
    /// connection's employee revokes it, and [`EndReason::Admin`] if an admin or the operator does. If the connection
    /// had already expired, the reason is the expiry. A connection that was revoked before is not changed.
    ///
    /// # Errors
    /// - `not_found`, also for a caller outside the company.
    /// - `forbidden` for a member of the company who is neither the connection's employee nor an admin.
    pub async fn disconnect(&self, id: Option<ConnectionId>) -> Result<WorkspaceId> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.write(Disconnect { principal: self.to_principal(), id, now: self.world().clock.now() }).await
    }
}

/// Revokes all connections of a person, and deletes the person's authorization codes that were not exchanged.
///
/// A transaction that also changes the person, or ends the person's sessions, must first lock the person's row. Without
/// this lock, a concurrent exchange of a code could create a connection that is not revoked.
///
/// # Errors
/// Store errors.
pub(in crate::service) async fn revoke_connections_of_user<C: Sql>(
    c: &mut C,
    user: UserId,
    reason: EndReason,
    now: Timestamp,
) -> Result<()> {
    authorizations::delete_codes_of_user(c, user).await?;
    connections::revoke_all(c, RevocationScope::User(user), reason, now).await?;
    Ok(())
}

/// Revokes the connections that end because of a change of a company's settings. `before` and `after` are the company
/// before and after the change. The transaction must have locked the company's row.
///
/// # Errors
/// Store errors.
pub(in crate::service) async fn revoke_by_settings<C: Sql>(
    c: &mut C,
    before: &Workspace,
    after: &Workspace,
    now: Timestamp,
) -> Result<()> {
    // This notice is sent even if no setting changes: an earlier request may have committed the same settings and may
    // still be waiting for writes of assistants. The response to this request must wait for these writes, too.
    c.notify(Notice::Drain(LockKey::assistants(after.id)));
    if before.ai_assistants && !after.ai_assistants {
        authorizations::delete_codes_of_company(c, after.id, None).await?;
        connections::revoke_all(c, RevocationScope::Company(after.id), EndReason::AssistantsOff, now).await?;
    }
    if before.max_session_hours != after.max_session_hours {
        // The shorter of the two maximums decides. A connection that expired under the old maximum, and is not revoked
        // yet, must not become active again under a longer maximum.
        let cutoffs = [before, after].map(|company| latest_ended(company.max_session_hours, now));
        let cutoff = cutoffs[0].max(cutoffs[1]);
        connections::revoke_all(c, RevocationScope::Older(after.id, cutoff), EndReason::SessionExpired, now)
            .await?;
    }
    Ok(())
}

/// Revokes a company's connections of the clients that have the block key `key`. Returns the number of revoked
/// connections. Also deletes the codes of these clients that were not exchanged. The transaction must have locked the
/// company's row.
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

/// If this many connections have been read for a page, reading stops, even if the page is not full. The batch that
/// reaches this number is still used completely.
const MAX_SCANNED: usize = 5_000;
/// Batch size of the second and every further read for a page. Further reads are necessary if the filter excludes
/// connections.
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
    /// The connections. If the reading stopped because of [`MAX_SCANNED`], also the id of the last connection that was
    /// read.
    type Out = (Vec<ListedConnection>, Option<i64>);

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(company) = workspaces::by_id(c, self.workspace).await? else {
            return refuse(Code::NotFound);
        };
        let user = match self.filter.of {
            Some(None) => return Ok((Vec::new(), None)),
            Some(user) => user,
            None => None,
        };
        let wanted = ConnectionListFilter {
            workspace: self.workspace,
            user,
            only_living: self.filter.active == Some(true),
        };
        // The query compares only `revoked_at`. A connection can have expired without being revoked yet, so the state
        // of each connection is compared here.
        let matches = |listed: &ListedConnection| {
            self.filter.active.is_none_or(|active| active == listed.ended.is_none())
        };
        let (mut listed, mut after, mut limit, mut scanned) = (Vec::new(), self.after, self.limit, 0);
        loop {
            let found = connection_lists::page(c, &wanted, after, limit).await?;
            let is_last = i64::try_from(found.len()).is_ok_and(|found| found < limit);
            scanned += found.len();
            after = found.last().map_or(after, |last| last.id.0);
            let found = found.into_iter().map(|connection| {
                let reason = ended(&connection, &company, self.now);
                ListedConnection::new(connection, reason)
            });
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

/// Returns why a connection of a company has ended; `None` while it is active. An expired connection has ended, even if
/// it is not revoked yet.
pub(super) fn ended(connection: &Connection, company: &Workspace, now: Timestamp) -> Option<EndReason> {
    if connection.revoked_at.is_some() {
        return connection.reason;
    }
    expiry(company.max_session_hours, connection.created_at, connection.refresh_until, now)
}

struct Disconnect {
    principal: CallerPrincipal,
    id: ConnectionId,
    now: Timestamp,
}

impl Op for Disconnect {
    const NAME: &'static str = "disconnect";
    type Out = WorkspaceId;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<WorkspaceId> {
        let Some(connection) = connections::by_id(c, self.id).await? else { return refuse(Code::NotFound) };
        let (workspace, owner) = (connection.workspace_id, connection.user_id);
        let right = self.principal.own_or_administer(workspace, owner, Code::NotFound)?;
        let Some(company) = workspaces::by_id(c, workspace).await? else {
            return Err(StoreError::bug("a connection of a company that does not exist").into());
        };
        let by = if right.person() == Some(owner) { EndReason::Employee } else { EndReason::Admin };
        // an expired connection gets the reason that lists already show for it
        let reason = ended(&connection, &company, self.now).unwrap_or(by);
        connections::revoke(c, (self.id, owner), reason, self.now).await?;
        Ok(workspace)
    }
}
