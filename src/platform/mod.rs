//! The machine underneath: everything that is neither pure nor ours to decide.
//!
//! Time, chance, sockets, files, logs and signals are reached through these modules only (`clippy.toml`
//! forbids the direct ways), so that tests can hold them still. Nothing here knows a workspace, a bot or a
//! table.
//!
//! - [`clock`], [`rng`], [`ids`]: what time it is, random bytes, new identifiers.
//! - [`secrets`], [`passwords`]: values that must not leak, and how they are compared.
//! - [`limits`], [`client_ip`]: who may ask how often, and who "who" is.
//! - [`net`], [`shutdown`]: the accept loop and how it ends. [`outbound`]: requests to servers of strangers.
//!   [`tls`]: what a server shows of itself.
//! - [`blobs`]: file contents on disk or in an S3-compatible bucket.
//! - [`logs`], [`metrics`], [`health`]: what operators see.

pub mod blobs;
pub mod client_ip;
pub mod clock;
#[cfg(test)]
pub(crate) mod committed;
pub mod health;
pub mod ids;
pub mod limits;
pub mod logs;
pub mod metrics;
pub mod net;
pub mod outbound;
pub mod passwords;
pub mod rng;
pub mod secrets;
pub mod shutdown;
pub mod tls;
