//! Runs operations on SQLite and on PostgreSQL: connections, transactions, statements, values, migrations. The engine's
//! own statements use the tables of migrations, the shared rate limits, and `server_state`. They use no other table.

pub mod as_of;
pub mod commit_notices;
pub mod error;
pub mod lite;
pub mod lock_key;
pub mod locks;
pub mod log_position;
pub mod lookups;
pub mod meters;
pub mod migrate;
pub mod notices;
pub mod op;
pub mod pg;
pub mod position;
pub mod revocation_watch;
pub mod signals;
pub mod stmt;
pub mod table;
pub mod token_cache;
pub mod url;
pub mod values;
pub mod work;

/// What a reachable database accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Availability {
    /// Reads and writes.
    ReadsAndWrites,
    /// Only reads: the disk is full, another process has locked the file, or the PostgreSQL server is read-only.
    ReadsOnly,
}
