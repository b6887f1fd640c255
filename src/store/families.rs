//! The list of all statements of the store. `build.rs` writes the list, from the files that declare statements.

use super::{Stmt, engine, tables, transfer};

/// The name and the statements of each module of the store that declares statements. The name omits `tables` and
/// `engine`: the module `tables::messages` has the name `messages`. Tests prepare and check each statement.
pub static STATEMENT_FAMILIES: &[(&str, &[&Stmt])] =
    include!(concat!(env!("OUT_DIR"), "/statement_families.rs"));
