//! What bots do: reading, sending and editing, as methods of [`Bot`](access::Bot).

pub mod access;
pub mod edit;
pub mod reading;
pub mod send;
