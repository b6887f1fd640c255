//! The web client: conversations, people, search and drafts, as pages that work without scripts.
//!
//! [`shell`] makes the frame of the pages. The handlers read and write with the methods of
//! [`Person`](crate::service::callers::Person) in [`web_client`](crate::service::web_client).

pub(super) mod article;
pub(super) mod conversation;
pub(super) mod conversations;
pub(super) mod drafts;
mod file_limits;
pub(super) mod home;
mod links;
pub(super) mod live;
pub(super) mod new_conversation;
pub(super) mod open_forms;
mod other_company;
pub(super) mod people;
pub(super) mod posting;
pub(super) mod press;
pub(super) mod search;
pub(super) mod shell;
mod uploads;
