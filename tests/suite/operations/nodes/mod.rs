//! Several nodes that use one PostgreSQL database.

mod arrivals;
mod clocks;
mod finality;
mod joining;
mod lock_order;
mod meanwhile;
mod multixacts;
mod numbers;
mod ordering;
mod processes;
mod queued;
mod revoked_reads;
mod revoked_redirects;
mod revoked_writes;
mod shared_decisions;
mod shared_limits;
mod together;

use crate::support::Server;

/// Starts a node on a database of its own. A test can start more nodes on this database. Returns `None` without
/// PostgreSQL.
async fn first() -> Option<Server> {
    Server::postgres().await
}
