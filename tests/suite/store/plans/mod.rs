//! Tests that limit how many rows each statement of the store reads. They measure no times. On PostgreSQL the
//! statements run on skewed data (`data.sql`, `newer.sql`), except the statements in [`EXEMPT`].
//!
//! A *case* in [`catalog`] is a statement with arguments and the maximum number of rows that it may read. A statement
//! with a LIMIT, a range, a join, a list or an aggregate needs a case. Each case runs with a generic plan and with a
//! custom plan, because both occur. The server sets `plan_cache_mode` to `force_generic_plan`, but not in all sessions
//! behind a pooler (`docs/postgresql.md`). Without this setting, PostgreSQL uses custom plans for the first five
//! executions of a prepared statement.
//!
//! A statement without a case runs with a generic plan only, and may read [`ROWS_WITHOUT_CASE`] rows. If it only
//! inserts one row, it does not run.
//!
//! PostgreSQL's estimates depend on the rows that `ANALYZE` samples, so the statements run once for each of two sample
//! sizes. On SQLite nothing runs `ANALYZE`, so the plan depends only on the statement's text and on the schema. So
//! `EXPLAIN QUERY PLAN` shows the same plan on empty tables as on full ones.

mod catalog;
mod lite;
mod postgres;

use switchboard::store::{LIMIT_STATEMENTS, Stmt};

use self::catalog::{CASES, Case, EXEMPT};
use crate::house::statements::{all_statements, name_of};

/// The maximum number of rows that a statement without a case may read.
const ROWS_WITHOUT_CASE: u64 = 5;

/// Returns every statement that runs on both engines, with its name, such as `messages::HISTORY`.
fn all() -> impl Iterator<Item = (&'static str, &'static Stmt)> {
    all_statements().map(|stmt| (name_of(stmt), stmt))
}

/// Returns every statement with its name and its text on PostgreSQL. The result includes the statements of the rate
/// limits that nodes share.
fn on_postgres() -> impl Iterator<Item = (&'static str, &'static str)> {
    all().map(|(name, stmt)| (name, stmt.postgres)).chain(LIMIT_STATEMENTS)
}

fn cases_of(name: &str) -> impl Iterator<Item = &'static Case> {
    CASES.iter().flat_map(|family| family.iter()).filter(move |case| case.statement == name)
}

fn reason(name: &str) -> Option<&'static str> {
    EXEMPT.iter().find(|(exempt, _)| *exempt == name).map(|(_, reason)| *reason)
}

/// Returns whether a statement may read many rows: whether its text has a word that a look-up by key does not need.
fn needs_case(sql: &str) -> bool {
    let words = [
        "LIMIT",
        " JOIN ",
        "<",
        ">",
        "BETWEEN",
        "ORDER BY",
        "GROUP BY",
        "ANY(",
        " IN (",
        "EXISTS",
        "MIN(",
        "MAX(",
        "COUNT(",
        "SUM(",
        "AVG(",
        "string_agg",
    ];
    words.iter().any(|word| sql.contains(word))
}

/// Returns whether a statement only inserts one row. The insert reads at most the existing rows with the same keys.
fn only_inserts(sql: &str) -> bool {
    sql.starts_with("INSERT INTO") && sql.contains("VALUES") && !sql.contains("SELECT")
}

/// Every statement that needs a case has a case or is exempt. Every case and every exemption names an existing
/// statement.
#[test]
fn every_statement_that_may_read_much_is_in_the_catalog() {
    let missing: Vec<_> = on_postgres()
        .filter(|(_, sql)| needs_case(sql) && !only_inserts(sql))
        .map(|(name, _)| name)
        .filter(|name| cases_of(name).next().is_none() && reason(name).is_none())
        .collect();
    assert!(
        missing.is_empty(),
        "statements that may read many rows have a case or an exemption in plans/catalog: {missing:#?}"
    );
    let names: Vec<_> = on_postgres().map(|(name, _)| name).collect();
    let listed = CASES.iter().flat_map(|family| family.iter()).map(|case| case.statement);
    let unknown: Vec<_> =
        listed.chain(EXEMPT.iter().map(|(name, _)| *name)).filter(|name| !names.contains(name)).collect();
    assert!(unknown.is_empty(), "every case and exemption names a statement: {unknown:#?}");
    assert!(EXEMPT.iter().all(|(_, reason)| reason.len() > 20), "an exempt statement has a written reason");
}
