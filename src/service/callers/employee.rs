//! The person for whom the web client or an assistant reads and writes.

use crate::domain::ids::{UserId, WorkspaceId};

/// A person of a company: the employee for whom an assistant acts, or the person who uses the web client. Despite the
/// name of the type, the person who uses the web client can be a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Employee {
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
}
