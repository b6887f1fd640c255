//! OAuth for assistants: how an employee connects an OAuth client, and which clients a company blocks.
//!
//! - [`clients`]: identity of a client; [`register`]: registration; [`documents`], `document_slots`, `document_limits`:
//!   metadata documents; [`client_list`]: the list of clients; [`client_blocks`]: clients that a company blocks.
//! - [`authorize`], [`consent`], [`decisions`]: the authorization request and the employee's decision.
//! - [`exchange`]: the exchange of authorization codes; [`refresh`]: the exchange of refresh tokens; [`tokens`]: issued
//!   tokens and `/revoke`.
//! - [`active_connection`]: the connection whose access token a request has; [`assistant_caller`]: the assistant as the
//!   caller of a write; [`connections`]: lists and revocation of connections; [`connection_view`]: entries of these
//!   lists; [`cleanup`]: revocation of expired connections, and deletion of old tokens; [`ended`]: deletion of revoked
//!   connections; [`mcp_sessions`]: MCP sessions.

pub mod active_connection;
pub(in crate::service) mod assistant_caller;
pub mod authorize;
pub mod cleanup;
pub mod client_blocks;
pub mod client_list;
pub mod clients;
mod connection_view;
pub mod connections;
pub mod consent;
pub mod decisions;
mod document_limits;
mod document_slots;
pub mod documents;
mod ended;
pub mod exchange;
pub mod mcp_sessions;
pub mod refresh;
pub mod register;
pub mod tokens;
