//! Copies whole databases: into a backup, from a backup, and from one database to another.
//!
//! A transfer runs no operations ([`Op`](super::Op)). It reads from the schema which columns and primary key each table
//! has. So if a migration adds a column, transfers copy the column without a change of this module. The list in
//! [`tables`] declares for each table whether it is copied. If the list lacks a table of the schema, every transfer
//! fails, and so does a test.
//!
//! - [`Database`] reads and writes tables on either engine, row by row, in bounded memory.
//! - [`Value`] and [`Tally`] define the canonical form of a row and the checksum of a table.
//! - [`TransferLock`] prevents servers from starting on a database during a move or a restore.
//! - [`marks`] make servers refuse the source of a move, and the target of an unfinished move or restore.

mod database;
mod error;
mod lite;
mod lock;
pub mod marks;
mod pg;
mod pg_binary;
mod row_source;
mod shape;
pub mod tables;
mod value;

pub use self::database::{Database, Isolation};
pub use self::error::TransferError;
pub use self::lock::TransferLock;
pub use self::marks::{Mark, Marked};
pub use self::row_source::RowSource;
pub use self::shape::{ColumnKind, CopiedColumn, Shape};
pub use self::value::{TableSum, Tally, Value, parse_row};

type Result<T> = std::result::Result<T, TransferError>;
