//! The tables of the database. Each group of related tables has a module with the types of the rows, the statements,
//! and the functions that run the statements. If a group needs several files, its module is a folder.

pub mod accounts;
pub mod apps;
pub mod assistant_clients;
pub mod authorizations;
pub mod bot_tokens;
pub mod button_presses;
pub mod client_blocks;
mod columns;
pub mod connections;
pub mod conversations;
pub mod diagnose;
pub mod drafts;
pub mod events;
pub mod files;
pub mod guesses;
pub mod job_leases;
pub mod keys;
pub mod log_heads;
pub mod mcp_sessions;
pub mod messages;
pub mod secrets;
pub mod server;
pub mod tool_calls;
pub mod users;
pub mod windows;
pub mod workspaces;
