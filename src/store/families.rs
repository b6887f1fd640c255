//! The list of all statements of the store. `build.rs` writes the list, from the files that declare statements.

use super::{Stmt, engine, tables, transfer};

/// For each module that declares statements: its name and its statements. The name omits `tables` and `engine`: the
/// module `tables::messages` has the name `messages`. Tests prepare and check each statement.
pub static STATEMENT_FAMILIES: &[(&str, &[&Stmt])] =
    include!(concat!(env!("OUT_DIR"), "/statement_families.rs"));
