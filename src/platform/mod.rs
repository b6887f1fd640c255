//! Infrastructure: clock, randomness, network, files, logging, metrics. No business rules.
//!
//! Other modules of the server get the time, random values and the client for outbound requests here, so that tests can
//! control them. `clippy.toml` forbids direct access to the system's clock and randomness, and the direct use of HTTP
//! clients; each exception states a reason. The modules here do not use the store. Of `domain` they use only value
//! types and pure functions.
//!
//! - [`clock`], [`rng`], [`ids`]: time, random bytes, new row ids.
//! - [`secrets`], [`encryption`], [`passwords`]: values that must not leak; their comparison, encryption and hashing.
//! - [`limits`], [`client_ip`]: rate limits, and client addresses.
//! - [`net`], [`shutdown`]: the HTTP listener, and the shutdown of the process.
//! - [`descriptors`]: the limit of open files and sockets.
//! - [`outbound`]: requests to untrusted servers.
//! - [`tls`]: the cryptography provider, and the inspection of a server's certificate.
//! - [`service_manager`]: notifies systemd when the server is ready and when it stops.
//! - [`blobs`]: file contents on disk or in an S3-compatible bucket.
//! - [`logs`], [`metrics`], [`health`]: observability for operators.

pub mod blobs;
pub mod client_ip;
pub mod clock;
pub mod descriptors;
pub mod encryption;
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
pub mod service_manager;
pub mod shutdown;
pub mod tls;
