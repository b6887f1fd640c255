//! The employee for whom an assistant acts.

use crate::domain::ids::{UserId, WorkspaceId};

/// The employee for whom an assistant acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Employee {
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
}
