//! [`ListedConnection`], the entry of every list of connections, and the list of ended connections. Only the pages show
//! the list of ended connections.

use crate::{
    domain::{
        grant::{Access, ClientKind, EndReason, Resource},
        ids::{ConnectionId, UserId, WorkspaceId},
        refusal::Code,
        time::Timestamp,
    },
    service::{
        callers::{CompanyCaller, principal::Right},
        refuse,
    },
    store::{ReadOp, ReadSql, Result, connection_lists, connections::Connection},
};

/// Maximum number of connections in the list of ended connections.
const MAX_ENDED_SHOWN: i64 = 20;

/// A connection in a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedConnection {
    pub id: ConnectionId,
    pub user_id: UserId,
    pub client_id: String,
    pub client_kind: ClientKind,
    pub display_name: String,
    pub block_key: String,
    pub redirect_uri: String,
    pub resource: Resource,
    pub scopes: Access,
    pub created_at: Timestamp,
    pub refreshed_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
    pub revoked_at: Option<Timestamp>,
    /// Why the connection ended; `None` while it is active.
    pub ended: Option<EndReason>,
}

impl ListedConnection {
    pub(super) fn new(row: Connection, ended: Option<EndReason>) -> Self {
        Self {
            id: row.id,
            user_id: row.user_id,
            client_id: row.client_id,
            client_kind: row.client_kind,
            display_name: row.display_name,
            block_key: row.block_key,
            redirect_uri: row.redirect_uri,
            resource: row.resource,
            scopes: row.scopes,
            created_at: row.created_at,
            refreshed_at: row.refreshed_at,
            last_used_at: row.last_used_at,
            revoked_at: row.revoked_at,
            ended,
        }
    }
}

impl CompanyCaller<'_> {
    /// Returns up to [`MAX_ENDED_SHOWN`] ended connections of the company, the most recently ended one first. If `of`
    /// is a person, returns only connections of this person. An expired connection is included only after its
    /// `revoked_at` was set, which is some time after the expiry.
    ///
    /// # Errors
    /// `forbidden` if a person who is not an admin requests connections of anybody else.
    pub async fn latest_ended_connections(self, of: Option<UserId>) -> Result<Vec<ListedConnection>> {
        match self.right() {
            Right::Person(caller) if of != Some(caller) => refuse(Code::Forbidden),
            _ => self.world().db.read(LatestEnded { workspace: self.company_id(), of }).await,
        }
    }
}

struct LatestEnded {
    workspace: WorkspaceId,
    of: Option<UserId>,
}

impl ReadOp for LatestEnded {
    const NAME: &'static str = "latest_ended_connections";
    type Out = Vec<ListedConnection>;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<Vec<ListedConnection>> {
        let found = connection_lists::latest_ended(c, self.workspace, self.of, MAX_ENDED_SHOWN).await?;
        let of_company = found.into_iter().filter(|connection| connection.workspace_id == self.workspace);
        let listed = |connection: Connection| {
            let reason = connection.reason;
            ListedConnection::new(connection, reason)
        };
        Ok(of_company.map(listed).collect())
    }
}
