//! What the pages show of connections besides the lists of the admin API.

use super::connections::Listed;
use crate::{
    domain::{
        ids::{UserId, WorkspaceId},
        refusal::Code,
    },
    store::{Op, Result, Sql, connection_lists, users},
    workspace::{
        World,
        principal::{Principal, Right},
        refuse,
    },
};

/// How many ended connections are shown.
const ENDED_SHOWN: i64 = 20;

impl World {
    /// The connections of a company, or of one person of it, that ended last: the latest end first.
    ///
    /// # Errors
    /// `not_found` for strangers, `forbidden` when somebody who is no admin asks for others'.
    pub async fn latest_ended_connections(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        of: Option<UserId>,
    ) -> Result<Vec<Listed>> {
        match who.right_in(workspace) {
            None => refuse(Code::NotFound),
            Some(Right::Person(caller)) if of != Some(caller) => refuse(Code::Forbidden),
            Some(_) => self.db.read(LatestEnded { workspace, of }).await,
        }
    }

    /// The names of some people of a company the caller is in; ids of others are left out.
    ///
    /// # Errors
    /// `not_found` for strangers.
    pub async fn names_of(
        &self,
        who: &Principal,
        workspace: WorkspaceId,
        ids: Vec<UserId>,
    ) -> Result<Vec<(UserId, String)>> {
        match who.right_in(workspace) {
            None => refuse(Code::NotFound),
            Some(_) => self.db.read(FindNames { workspace, ids }).await,
        }
    }
}

struct LatestEnded {
    workspace: WorkspaceId,
    of: Option<UserId>,
}

impl Op for LatestEnded {
    const NAME: &'static str = "latest_ended_connections";
    type Out = Vec<Listed>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<Listed>> {
        let found = connection_lists::latest_ended(c, self.workspace, self.of, ENDED_SHOWN).await?;
        let of_company = found.into_iter().filter(|connection| connection.workspace_id == self.workspace);
        Ok(of_company.map(|connection| Listed { ended: connection.reason, connection }).collect())
    }
}

struct FindNames {
    workspace: WorkspaceId,
    ids: Vec<UserId>,
}

impl Op for FindNames {
    const NAME: &'static str = "find_names";
    type Out = Vec<(UserId, String)>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<(UserId, String)>> {
        users::names(c, self.workspace, &self.ids).await
    }
}
