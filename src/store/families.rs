//! The statements of the store by module. `build.rs` writes the list, from the files that declare statements.

use super::{Stmt, engine, tables, transfer};

/// The statements of each module of the store that declares statements, by the module's name without `tables` and
/// `engine`. Tests prepare and check all of them.
pub static STATEMENT_FAMILIES: &[(&str, &[&Stmt])] =
    include!(concat!(env!("OUT_DIR"), "/statement_families.rs"));
