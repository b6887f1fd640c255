//! Runs operations on SQLite and on PostgreSQL: connections, transactions, statements, values, migrations. The
//! statements in this module use only the tables of migrations and of shared rate limits, and `server_state`. All other
//! statements are in `store/tables/`.

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
    /// The database accepts reads and writes.
    ReadsAndWrites,
    /// The database accepts only reads. For example, the disk is full, another process has locked the SQLite file, the
    /// PostgreSQL server is read-only, or it has not responded to a COMMIT.
    ReadsOnly,
}
