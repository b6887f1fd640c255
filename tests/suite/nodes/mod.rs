//! Several nodes on one PostgreSQL database. What they share of the rate limits is in `shared_limits`.

mod clocks;
mod finality;
mod joining;
mod meanwhile;
mod numbers;
mod ordering;
mod processes;
mod together;

use crate::support::{Options, Server};

/// A node on a database of its own, to put others beside.
async fn first() -> Option<Server> {
    Server::postgres().await
}
