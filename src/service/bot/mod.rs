//! What bots do, as methods of [`Bot`](access::Bot): reading, and sending, editing and deleting messages.

pub mod access;
pub mod edit;
pub mod reading;
pub mod send;
