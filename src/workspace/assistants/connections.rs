//! Assistants connected for employees: who sees them, what ends them, and whether one may be used right now.
//!
//! Called by the admin room and the pages (lists, disconnecting), by the assistant room (every request with an access
//! token), and by whatever changes a person or a company in a way that ends connections.

use std::time::Duration;

use super::caller;
use crate::{
    domain::{
        cursor::CursorScope,
        grant::{Access, Circumstances, EndReason, Resource, latest_ended},
        ids::{ConnectionId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
        token::{self, Kind},
    },
    store::{
        LockKey, Op, Result, Sql, authorizations,
        connection_lists::{self, Wanted},
        connections::{self, Connection, Presented, Standing, Which},
        workspaces::{self, Workspace},
    },
    workspace::{
        World,
        principal::{Principal, Right},
        reading::{Page, PageRequest},
        refuse,
    },
};

/// How far behind the stored time of the latest use may be: a busy connection writes once in this time.
const USE_STEP: Duration = Duration::from_secs(60);

/// A connection that may be used, as one request's access token gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Connected {
    pub connection_id: ConnectionId,
    pub workspace_id: WorkspaceId,
    /// The employee it acts for.
    pub user_id: UserId,
    pub client_id: String,
    /// The label of what is sent through it.
    pub display_name: String,
    /// Where its tokens are good.
    pub resource: Resource,
    /// Of the token used.
    pub scopes: Access,
}

/// A connection as lists show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub connection: Connection,
    /// Why it ended; none while it lives.
    pub ended: Option<EndReason>,
}

/// Which connections a list is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectionFilter {
    /// Of one person; `Some(None)` for a text that is no person's id.
    pub of: Option<Option<UserId>>,
    /// Only those that live, or only those that ended.
    pub active: Option<bool>,
}

impl World {
    /// The connections of a company, oldest first, ended ones too (W-38). Somebody who is no admin sees only their own. A
    /// page of those that ended is short behind thousands that live, and the next one goes on.
    ///
    /// # Errors
    /// `not_found` for strangers and an unknown company, `forbidden` when somebody who is no admin asks for another
    /// person's, `invalid_cursor`.
    pub async fn list_connections(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        filter: ConnectionFilter,
        request: PageRequest<'_>,
    ) -> Result<Page<Listed>> {
        let of = match who.right_in(workspace) {
            None => return refuse(Code::NotFound),
            Some(Right::Person(caller)) if filter.of.is_some_and(|of| of != Some(caller)) => {
                return refuse(Code::Forbidden);
            }
            Some(Right::Person(caller)) => Some(Some(caller)),
            Some(_) => filter.of,
        };
        let filter = ConnectionFilter { of, ..filter };
        // what a cursor belongs to
        let walk = format!("{workspace} {filter:?}");
        let scope = CursorScope {
            endpoint: "admin.connections",
            owner: who.cursor_owner(),
            conversation: None,
            filter: &walk,
        };
        let after = self.position(&scope, request.cursor, 0)?;
        let limit = i64::from(request.limit) + 1;
        let op = ListConnections { workspace, filter, after, limit, now: self.clock.now() };
        let (found, reach) = self.db.read(op).await?;
        Ok(self.page_to(&scope, request.limit, found, |listed| listed.connection.id.0, reach))
    }

    /// Ends a connection (W-39): the employee disconnects it, an admin or the operator revokes it. One that has ended
    /// stays as it is.
    ///
    /// # Errors
    /// `not_found`, also for strangers; `forbidden` for other people of the company.
    pub async fn disconnect(&self, who: &Principal, id: Option<ConnectionId>) -> Result<()> {
        let Some(id) = id else { return refuse(Code::NotFound) };
        self.db.write(Disconnect { who: who.clone(), id, now: self.clock.now() }).await
    }

    /// The connection of an access token, when it may be used now: every request asks anew. None for a
    /// token that is unknown, replaced or expired, and for a connection that has ended or has to end now, which is
    /// stored.
    ///
    /// # Errors
    /// Those of the store; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn connection_for_token(&self, access_token: &str) -> Result<Option<Connected>> {
        if token::parse(access_token) != Some(Kind::access(self.settings.production)) {
            return Ok(None);
        }
        let Some(found) = self.db.presented(token::hash(access_token)).await? else {
            return Ok(None);
        };
        let now = self.trusted_now()?;
        if !is_good(&found, now) {
            return Ok(None);
        }
        if let Some(reason) = circumstances(&found).end_of(found.created_at, found.refresh_until, now) {
            self.end_connection((found.connection_id, found.user_id), reason).await?;
            return Ok(None);
        }
        if found.last_used_at.is_none_or(|at| now.since(at) >= USE_STEP) {
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
        }))
    }

    /// Whether a connection may go on, whatever its tokens: what an open stream asks. One that has to end now is told as
    /// ended; the next request with a token of it stores that.
    ///
    /// # Errors
    /// Those of the store; unavailable while the clock is off ([`World::trusted_now`]).
    pub async fn connection_stands(&self, id: ConnectionId) -> Result<bool> {
        let found = self.db.read(FindStanding(id)).await?;
        let now = self.trusted_now()?;
        Ok(found.is_some_and(|standing| caller::is_good(&standing, now)))
    }

    /// A use that cannot be noted is not a reason to refuse it.
    async fn note_use(&self, id: ConnectionId, now: Timestamp) {
        if let Err(error) = self.db.write(NoteUse { id, now }).await {
            tracing::warn!(%error, "a use of a connection was not noted");
        }
    }

    /// Stores that a connection has come to its end. Where that is because the person is no employee any more, it is
    /// the end of all of theirs.
    pub(super) async fn end_connection(
        &self,
        (id, user): (ConnectionId, UserId),
        reason: EndReason,
    ) -> Result<()> {
        self.db.write(EndConnection { id, user, reason, now: self.clock.now() }).await
    }
}

/// Whether the token is a current access token of a connection that was not ended.
fn is_good(found: &Presented, now: Timestamp) -> bool {
    !found.is_refresh
        && found.revoked_at.is_none()
        && found.generation == found.current_generation
        && now < found.expires_at
}

fn circumstances(found: &Presented) -> Circumstances {
    Circumstances {
        state: found.state,
        is_external: found.is_external,
        ai_assistants: found.ai_assistants,
        is_blocked: found.is_blocked,
        max_session_hours: found.max_session_hours,
    }
}

/// Ends what a person has connected, and forgets what they approved and nobody exchanged. For the transaction that
/// holds the person.
///
/// # Errors
/// Those of the store.
pub async fn end_of_person<C: Sql>(c: &mut C, user: UserId, reason: EndReason, now: Timestamp) -> Result<()> {
    authorizations::delete_codes_of_user(c, user).await?;
    connections::revoke_all(c, Which::User(user), reason, now).await?;
    Ok(())
}

/// Ends what a change of a company's settings ends. For the transaction that holds the company.
///
/// # Errors
/// Those of the store.
pub async fn end_by_settings<C: Sql>(
    c: &mut C,
    before: &Workspace,
    after: &Workspace,
    now: Timestamp,
) -> Result<()> {
    // also when nothing changes: an earlier request may have made the change and not have been answered
    c.drain(LockKey::assistants(after.id));
    if before.ai_assistants && !after.ai_assistants {
        authorizations::delete_codes_of_company(c, after.id, None).await?;
        connections::revoke_all(c, Which::Company(after.id), EndReason::AssistantsOff, now).await?;
    }
    if before.max_session_hours != after.max_session_hours {
        // what the old maximum ended and nobody noticed yet does not come back under a longer one
        let ended = [before, after].map(|company| latest_ended(company.max_session_hours, now));
        let by = ended[0].max(ended[1]);
        connections::revoke_all(c, Which::Older(after.id, by), EndReason::SessionExpired, now).await?;
    }
    Ok(())
}

/// Ends the connections of clients with a key, and tells how many. For the transaction that holds the company.
pub(super) async fn end_of_key<C: Sql>(
    c: &mut C,
    workspace: WorkspaceId,
    key: &str,
    now: Timestamp,
) -> Result<u64> {
    c.drain(LockKey::assistants(workspace));
    authorizations::delete_codes_of_company(c, workspace, Some(key)).await?;
    let ended = connections::revoke_all(c, Which::Key(workspace, key), EndReason::ClientBlocked, now).await?;
    Ok(ended.len() as u64)
}

/// Connections that are looked at for one page: behind very many that live, a page of those that ended is short.
const LOOKED_AT: usize = 5_000;
/// Connections that are read at once when a filter left out some.
const READ_AT_ONCE: i64 = 500;

struct ListConnections {
    workspace: WorkspaceId,
    filter: ConnectionFilter,
    after: i64,
    limit: i64,
    now: Timestamp,
}

impl Op for ListConnections {
    const NAME: &'static str = "list_connections";
    /// And how far it looked, if that was not to the end.
    type Out = (Vec<Listed>, Option<i64>);

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        let Some(company) = workspaces::by_id(c, self.workspace).await? else {
            return refuse(Code::NotFound);
        };
        let user = match self.filter.of {
            Some(None) => return Ok((Vec::new(), None)),
            Some(user) => user,
            None => None,
        };
        let latest_ended = latest_ended(company.max_session_hours, self.now);
        let wanted =
            Wanted { workspace: self.workspace, user, only_living: self.filter.active == Some(true) };
        // those that ended lie among those that live; of those that are not revoked some have run out
        let suits =
            |listed: &Listed| self.filter.active.is_none_or(|active| active == listed.ended.is_none());
        let (mut listed, mut after, mut limit, mut looked_at) = (Vec::new(), self.after, self.limit, 0);
        loop {
            let found = connection_lists::page(c, &wanted, after, limit).await?;
            let is_last = i64::try_from(found.len()).is_ok_and(|found| found < limit);
            looked_at += found.len();
            after = found.last().map_or(after, |last| last.id.0);
            let found = found.into_iter().map(|connection| self.listed(connection, latest_ended));
            listed.extend(found.filter(suits));
            if is_last || i64::try_from(listed.len()).is_ok_and(|listed| listed >= self.limit) {
                return Ok((listed, None));
            }
            if looked_at >= LOOKED_AT {
                return Ok((listed, Some(after)));
            }
            limit = READ_AT_ONCE;
        }
    }
}

impl ListConnections {
    /// A connection, and why it ended, stored yet or not.
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
        Listed { connection, ended }
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

struct FindStanding(ConnectionId);

impl Op for FindStanding {
    const NAME: &'static str = "find_connection_standing";
    const SINGLE: bool = true;
    type Out = Option<Standing>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<Standing>> {
        connections::standing(c, self.0).await
    }
}

struct NoteUse {
    id: ConnectionId,
    now: Timestamp,
}

impl Op for NoteUse {
    const NAME: &'static str = "note_connection_use";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        connections::note_use(c, self.id, self.now).await
    }
}

struct EndConnection {
    id: ConnectionId,
    user: UserId,
    reason: EndReason,
    now: Timestamp,
}

impl Op for EndConnection {
    const NAME: &'static str = "end_connection";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        if self.reason == EndReason::NotEmployee {
            return end_of_person(c, self.user, self.reason, self.now).await;
        }
        connections::revoke(c, (self.id, self.user), self.reason, self.now).await?;
        Ok(())
    }
}
