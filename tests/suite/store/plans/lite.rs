//! Query plans on SQLite.

use std::fmt::Write as _;

use rusqlite::{Connection, config::DbConfig};
use switchboard::store::{DatabaseUrl, Engine};

use super::{
    all,
    catalog::{BY_INDEX, ON_SQLITE},
};
use crate::support::database::TestDatabase;

/// Returns the lines of a plan that sort, or that scan a whole table or index.
fn costly(plan: Vec<String>) -> Vec<String> {
    // the lines in `inner` scan the result of a subquery; the scans inside the subquery have lines of their own
    let inner: Vec<String> = plan
        .iter()
        .filter_map(|line| line.strip_prefix("CO-ROUTINE ").or_else(|| line.strip_prefix("MATERIALIZE ")))
        .map(|name| format!("SCAN {name}"))
        .collect();
    let is_costly = |line: &String| {
        let scans = line.starts_with("SCAN ")
            // except cheap scans: of a list in the arguments, of the full-text index, and of constant rows
            && !line.contains("VIRTUAL TABLE")
            && !line.contains("CONSTANT ROW")
            && !line.contains("VALUES CLAUSE")
            && !inner.contains(line);
        scans || line.starts_with("USE TEMP B-TREE FOR")
    };
    plan.into_iter().filter(is_costly).collect()
}

#[tokio::test]
async fn only_exempt_plans_scan_or_sort() {
    let database = TestDatabase::new(Engine::Sqlite).await.expect("SQLite is always there");
    let DatabaseUrl::Sqlite(file) = &database.url else { panic!("this is SQLite") };
    let connection = Connection::open(file).unwrap();
    // with this option, which the server sets too, a plan does not depend on the values of the arguments
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).unwrap();
    let mut problems = String::new();
    for (name, stmt) in all() {
        for line in costly(explain(&connection, stmt.sqlite)) {
            let is_known = ON_SQLITE.iter().any(|(known, what, _)| *known == name && *what == line);
            if !is_known {
                writeln!(problems, "{name}: {line}").unwrap();
            }
        }
    }
    assert!(
        problems.is_empty(),
        "a plan scans or sorts only if ON_SQLITE has the line with a reason:\n{problems}"
    );
    for (name, what, reason) in ON_SQLITE {
        let (_, stmt) =
            all().find(|(known, _)| known == name).unwrap_or_else(|| panic!("there is no {name}"));
        assert!(
            explain(&connection, stmt.sqlite).iter().any(|line| line == what),
            "{name} no longer has `{what}` in its plan: remove the line from ON_SQLITE"
        );
        assert!(reason.len() > 20, "{name}: each line of ON_SQLITE has a reason");
    }
    for (name, index) in BY_INDEX {
        let (_, stmt) =
            all().find(|(known, _)| known == name).unwrap_or_else(|| panic!("there is no {name}"));
        let plan = explain(&connection, stmt.sqlite).join("\n");
        assert!(plan.contains(index), "{name} must use the index {index}:\n{plan}");
    }
    let sort = "SELECT id FROM messages WHERE conversation_id = ?1 ORDER BY created_at LIMIT 1";
    assert!(!costly(explain(&connection, sort)).is_empty(), "`costly` must find a sort");
    let scan = "SELECT id FROM drafts WHERE workspace_id = ?1";
    assert!(!costly(explain(&connection, scan)).is_empty(), "`costly` must find a scan");
}

fn explain(connection: &Connection, sql: &str) -> Vec<String> {
    let mut explained = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let mut rows = explained.raw_query();
    let mut plan = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        plan.push(row.get::<_, String>("detail").unwrap());
    }
    plan
}
