//! The operations of an assistant. An assistant reads and writes only in the company to which its connection belongs
//! and sees exactly what its employee sees (D-370).
//!
//! - [`conversations`], [`messages`], [`people`], [`files`], [`search`]: reading
//! - [`draft`], [`drafts`], [`send`]: preparing messages as drafts, and sending the drafts as the employee, with the
//!   connection's label
//!
//! The tools of the MCP server call the methods of [`Assistant`]. The web client uses [`access`] and parts of
//! [`draft`], [`drafts`], [`messages`], [`search`] and [`send`].
//!
//! [`access`] decides which conversations are visible. Of a conversation, a member sees only the messages that were
//! posted after the member joined. [`visible_user`](crate::service::people::visible_user) decides which people are
//! visible.

pub mod access;
pub mod conversations;
pub(in crate::service) mod draft;
pub mod drafts;
pub mod files;
pub mod messages;
pub mod people;
pub mod search;
pub mod send;

use crate::service::{World, oauth::active_connection::Connected};

pub use crate::service::callers::employee::Employee;
pub use access::{ConversationRef, PersonRef};

/// An assistant, which acts for its employee. Its methods are the operations of the MCP tools.
#[derive(Clone, Copy)]
pub struct Assistant<'a> {
    world: &'a World,
    connected: &'a Connected,
}

impl<'a> Assistant<'a> {
    /// Returns the assistant whose access token a request used.
    #[must_use]
    pub const fn new(world: &'a World, connected: &'a Connected) -> Self {
        Self { world, connected }
    }

    fn employee(self) -> Employee {
        self.connected.into()
    }
}
