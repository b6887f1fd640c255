//! Copies whole databases: into a backup, from a backup, and from one database to another.
//!
//! The module does not use [`Op`](super::Op). It reads the names of tables, columns and primary keys from the schema.
//! So if a migration adds a column, transfers copy the column, and this module need not change. The list in [`tables`]
//! declares which tables are copied. If a table is missing in the list, every transfer fails, and so does a test.
//!
//! - [`Database`] reads and writes tables on either engine, row by row, in bounded memory.
//! - [`Value`] and [`Tally`] define the canonical form of a row and the checksum of a table.
//! - [`TransferLock`] prevents servers from starting on a database during a transfer. After the transfer, [`marks`]
//!   make servers refuse a database that was moved or is incomplete.

mod database;
mod error;
mod lite;
mod lock;
pub mod marks;
mod pg;
mod pg_binary;
mod shape;
pub mod tables;
mod value;

pub use self::database::{Database, Isolation, RowSource};
pub use self::error::TransferError;
pub use self::lock::TransferLock;
pub use self::marks::{Mark, Marked};
pub use self::shape::{ColumnKind, CopiedColumn, Shape};
pub use self::value::{TableSum, Tally, Value, parse_row};

type Result<T> = std::result::Result<T, TransferError>;
