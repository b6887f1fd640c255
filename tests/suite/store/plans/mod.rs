//! What statements read: each statement of the store is planned on skewed data (`data.sql`, `newer.sql`), once for any
//! arguments and once for its own, run, and held to a number of rows. Time is never measured.
//!
//! PostgreSQL plans a prepared statement for its arguments five times, and from then on once for all if that looks no
//! dearer; so a statement has to read little either way. SQLite keeps no statistics here: its plans follow from the
//! text and the schema, so `EXPLAIN QUERY PLAN` on empty tables tells them.
//!
//! A statement with a limit, a range, a join, a list or an aggregate needs a row in [`catalog`]; of the others it is
//! checked that they use an index for whatever arguments.

mod catalog;
mod lite;
mod postgres;

use switchboard::store::Stmt;

use self::catalog::{CASES, Case, EXEMPT};
use crate::house::statements::FAMILIES;

/// Rows that a statement without a row in the catalog may read: those of a key.
const OF_A_KEY: u64 = 5;

/// Every statement of the store with its name, as `messages::HISTORY`.
fn all() -> impl Iterator<Item = (&'static str, &'static Stmt)> {
    FAMILIES.iter().flat_map(|(_, statements)| statements.iter()).map(|stmt| {
        let name = stmt.name.strip_prefix("switchboard::store::").expect("a statement of the store");
        (name, *stmt)
    })
}

fn cases_of(name: &str) -> impl Iterator<Item = &'static Case> {
    CASES.iter().flat_map(|family| family.iter()).filter(move |case| case.statement == name)
}

fn reason(name: &str) -> Option<&'static str> {
    EXEMPT.iter().find(|(exempt, _)| *exempt == name).map(|(_, reason)| *reason)
}

/// Whether what a statement reads depends on more than a key.
fn needs_case(sql: &str) -> bool {
    let words =
        ["LIMIT", " JOIN ", "<", ">", "ORDER BY", "ANY(", " IN (", "EXISTS", "MIN(", "MAX(", "COUNT("];
    words.iter().any(|word| sql.contains(word))
}

/// Whether a statement only writes one row, and so reads nothing but what its key collides with.
fn only_inserts(sql: &str) -> bool {
    sql.starts_with("INSERT INTO") && sql.contains("VALUES") && !sql.contains("SELECT")
}

/// A new statement cannot be forgotten, nor a row of the catalog outlive its statement.
#[test]
fn every_statement_that_may_read_much_is_in_the_catalog() {
    let missing: Vec<_> = all()
        .filter(|(_, stmt)| needs_case(stmt.postgres) && !only_inserts(stmt.postgres))
        .map(|(name, _)| name)
        .filter(|name| cases_of(name).next().is_none() && reason(name).is_none())
        .collect();
    assert!(
        missing.is_empty(),
        "these statements need a row in tests/suite/store/plans/catalog: {missing:#?}"
    );
    let names: Vec<_> = all().map(|(name, _)| name).collect();
    let listed = CASES.iter().flat_map(|family| family.iter()).map(|case| case.statement);
    let unknown: Vec<_> =
        listed.chain(EXEMPT.iter().map(|(name, _)| *name)).filter(|name| !names.contains(name)).collect();
    assert!(unknown.is_empty(), "there are no such statements: {unknown:#?}");
    assert!(EXEMPT.iter().all(|(_, reason)| reason.len() > 20), "an exempt statement has a written reason");
}
