//! What an employee sees and writes through an assistant: exactly what the employee may, in one company (A-007, D-370).
//!
//! - [`conversations`], [`messages`], [`people`], [`files`], [`search`]: reading
//! - [`drafts`] and [`send`]: messages prepared, and sent as the employee with the connection's label
//!
//! Called by the assistant room's tools. Everything begins at [`access`]: a conversation is seen by those who are in
//! it, from the message on that came after they joined.

pub mod access;
pub mod conversations;
pub mod drafts;
pub mod files;
pub mod messages;
pub mod people;
pub mod search;
pub mod send;

use crate::{
    domain::ids::{UserId, WorkspaceId},
    workspace::assistants::connections::Connected,
};

pub use access::{PersonRef, Place};

/// Whom an assistant acts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Employee {
    pub workspace_id: WorkspaceId,
    pub user_id: UserId,
}

impl From<&Connected> for Employee {
    fn from(connected: &Connected) -> Self {
        Self { workspace_id: connected.workspace_id, user_id: connected.user_id }
    }
}
