//! Looks up the names of users by their ids, for example of the people whom a tool call in the audit concerns.

use crate::{
    domain::ids::{UserId, WorkspaceId},
    service::{
        callers::{CompanyCaller, principal::Right},
        people::visible_user::seen_by_person,
    },
    store::{ReadSql, Result, op, users},
};

impl CompanyCaller<'_> {
    /// Returns the names of the users in `ids` whom the caller sees. The operator and admins see every user of the
    /// company. Any other caller gets the names of the users whom they see on the pages, including their own.
    ///
    /// # Errors
    /// Store errors.
    pub async fn names_of(self, ids: Vec<UserId>) -> Result<Vec<(UserId, String)>> {
        let (workspace, right) = (self.company_id(), self.right());
        self.world().db.read(FindNames { workspace, right, ids }).await
    }
}

/// Returns the names of the users in `ids` whom a caller with this right sees.
pub(in crate::service) async fn names_for<C: ReadSql>(
    c: &mut C,
    workspace: WorkspaceId,
    right: Right,
    ids: &[UserId],
) -> Result<Vec<(UserId, String)>> {
    match right {
        Right::Operator | Right::Admin(_) => users::names(c, workspace, ids).await,
        Right::Person(person) => {
            let found = users::by_ids(c, ids).await?;
            let seen = seen_by_person(c, workspace, person, found).await?;
            Ok(seen.into_iter().map(|user| (user.id, user.name)).collect())
        }
    }
}

struct FindNames {
    workspace: WorkspaceId,
    right: Right,
    ids: Vec<UserId>,
}

op! {
    ReadOp "find_names": FindNames -> Vec<(UserId, String)> =
        |op, c| names_for(c, op.workspace, op.right, &op.ids)
}
