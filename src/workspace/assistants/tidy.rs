//! What the clock ends and what ended connections leave behind. Called by the upkeep.

use crate::{
    domain::{
        grant::{EndReason, latest_ended},
        ids::{ConnectionId, WorkspaceId},
        time::Timestamp,
    },
    store::{
        Op, Result, Sql, authorizations,
        connections::{self, Which},
    },
    workspace::World,
};

/// How many tokens of an ended connection are cleared in one go; an old one has thousands.
const CLEARED_AT_ONCE: u32 = 500;
/// How many goes a run of the upkeep makes at most.
const GOES: usize = 200;

impl World {
    /// Ends the connections whose time is over, forgets requests and codes that have run out, and clears away the
    /// tokens of connections that have ended.
    pub(in crate::workspace) async fn tidy_connections(&self, now: Timestamp) -> Result<()> {
        // company by company, so that no transaction waits for connections of two
        for (workspace, hours) in self.db.read(FindLimitedCompanies).await? {
            self.db.write(EndOutlived { workspace, by: latest_ended(Some(hours), now), now }).await?;
        }
        self.db.write(EndExpired(now)).await?;
        for _ in 0..GOES {
            let Some(found) = self.db.read(FindToClear).await? else { break };
            self.db.write(ClearTokens(found)).await?;
        }
        Ok(())
    }
}

struct FindLimitedCompanies;

impl Op for FindLimitedCompanies {
    const NAME: &'static str = "find_limited_companies";
    type Out = Vec<(WorkspaceId, i64)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Self::Out> {
        connections::limited_companies(c).await
    }
}

struct EndOutlived {
    workspace: WorkspaceId,
    by: Timestamp,
    now: Timestamp,
}

impl Op for EndOutlived {
    const NAME: &'static str = "end_outlived_connections";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        let which = Which::Older(self.workspace, self.by);
        connections::revoke_all(c, which, EndReason::SessionExpired, self.now).await?;
        Ok(())
    }
}

struct EndExpired(Timestamp);

impl Op for EndExpired {
    const NAME: &'static str = "end_expired_connections";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        authorizations::delete_expired(c, self.0).await?;
        connections::revoke_expired(c, self.0).await?;
        Ok(())
    }
}

struct FindToClear;

impl Op for FindToClear {
    const NAME: &'static str = "find_ended_connection";
    type Out = Option<ConnectionId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Option<ConnectionId>> {
        connections::to_clear(c).await
    }
}

struct ClearTokens(ConnectionId);

impl Op for ClearTokens {
    const NAME: &'static str = "clear_connection_tokens";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        connections::clear(c, self.0, CLEARED_AT_ONCE).await
    }
}
