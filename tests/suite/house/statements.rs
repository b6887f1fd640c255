//! Rules of the SQL statements and migrations. Every statement is valid on both engines, against the migrated schema,
//! and its columns have the names of the fields into which they are read.

use std::{collections::BTreeMap, fs, path::Path};

use regex::Regex;
use switchboard::store::{self, STATEMENT_FAMILIES, Stmt, prepare_all, transfer};

use super::imports::rust_files;
use crate::support::{both_engines, database::TestDatabase};

/// Returns every statement of the store.
pub fn all_statements() -> impl Iterator<Item = &'static Stmt> {
    STATEMENT_FAMILIES.iter().flat_map(|(_, statements)| *statements).copied()
}

#[both_engines]
async fn every_statement_is_valid_on_both_engines(database: TestDatabase) {
    let db = database.open().await;
    let all: Vec<&'static Stmt> = all_statements().collect();
    if let Err(wrong) = prepare_all(&db, &all).await {
        panic!("{wrong}");
    }
    store::Db::close(&db).await.unwrap();
}

/// No statement takes a shared row lock. A shared lock writes to the row, needs a multixact for each set of holders,
/// and lets a stream of holders starve a writer of the row. Operations take the advisory locks of
/// `store/engine/locks.rs` instead.
#[test]
fn no_statement_takes_shared_row_locks() {
    for statement in all_statements() {
        let text = statement.postgres.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        for lock in ["FOR SHARE", "FOR KEY SHARE"] {
            assert!(!text.contains(lock), "{} takes a shared lock: {lock}", statement.name);
        }
    }
}

/// A `ctid` is unique only within one partition. If a partitioned table (`docs/scaling.md`) had a statement that
/// selects rows by `ctid`, the statement would change rows of other partitions. So statements select rows by primary
/// key.
#[test]
fn no_statement_selects_rows_by_ctid() {
    for statement in all_statements() {
        for text in [statement.sqlite, statement.postgres] {
            let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let uses_ctid = words.any(|word| word.eq_ignore_ascii_case("ctid"));
            assert!(!uses_ctid, "{} selects rows by ctid instead of a key", statement.name);
        }
    }
}

/// The deletions by age without a LIMIT. Each of them deletes a range of keys. An earlier statement with a LIMIT has
/// found the end of the range.
const RANGES: [&str; 3] = ["connections::spent_tokens::FORGET", "keys::PURGE", "keys::PURGE_OF_BOT"];

/// If a job has not run for a while, there are very many rows to delete by age. So a deletion has a LIMIT, and
/// maintenance jobs repeat the statement (`World::in_batches`).
#[test]
fn deletions_by_age_have_a_limit() {
    let mut ranges = Vec::new();
    for statement in all_statements() {
        for text in [statement.sqlite, statement.postgres] {
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let by_age = text.starts_with("DELETE FROM") && ["< ", "<= "].iter().any(|by| text.contains(by));
            if by_age && !text.contains(" LIMIT ") {
                ranges.push(name_of(statement));
            }
        }
    }
    ranges.dedup();
    assert_eq!(ranges, RANGES, "every deletion by age has a LIMIT, except those of RANGES");
}

/// Returns a statement's module and name, such as `messages::HISTORY`. The module is relative to `tables` or `engine`.
pub fn name_of(stmt: &Stmt) -> &'static str {
    let name = stmt.name.strip_prefix("switchboard::store::").expect("a statement of the store");
    ["tables::", "engine::"].iter().find_map(|part| name.strip_prefix(part)).unwrap_or(name)
}

/// If the arguments of an INSERT were in the wrong order, values of the same type would be stored in the wrong columns.
/// So an INSERT of three or more arguments gets them from `table!` or `named_args!`, which compare names.
#[test]
fn arguments_of_an_insert_have_the_names_of_its_columns() {
    let files = rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/store"));
    let module_of = |file: &str| {
        let family = ["tables/", "engine/"].iter().find_map(|part| file.strip_prefix(part));
        family.unwrap_or(file).replace('/', "::")
    };
    let sources: BTreeMap<String, String> =
        files.into_iter().map(|(file, text)| (module_of(&file), text)).collect();
    let mut checked = 0;
    for (module, statements) in STATEMENT_FAMILIES {
        for statement in *statements {
            let inserts = statement.postgres.contains("INSERT INTO ");
            if !inserts || statement.params().unwrap() < 3 {
                continue;
            }
            checked += 1;
            let name = statement.name.rsplit("::").next().unwrap();
            // a file of the module's folder can run the statement too, unless it has its own statement of this name
            let runs = |other: &str, text: &str| {
                other == *module
                    || (other.starts_with(&format!("{module}::"))
                        && !text.contains(&format!(" {name}: Command")))
            };
            let source: String = sources
                .iter()
                .filter(|(other, text)| runs(other, text))
                .map(|(_, text)| text.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect();
            let uses: Vec<&str> = source.split(&format!("&{name}, ")).skip(1).collect();
            assert!(!uses.is_empty(), "{module} must run {name}, but does not");
            let named = Regex::new(&format!(r"&(?:\w+::)*{name}\b")).expect("valid");
            assert_eq!(
                named.find_iter(&source).count(),
                uses.len(),
                "{module} must run {name} only as `&{name}, …`"
            );
            for using in uses {
                let call = using.split(".await").next().unwrap();
                let names = call.starts_with(&format!("named_args!({name} {{"));
                let of_table = call.starts_with('&') && call.contains(".insert_args(");
                assert!(
                    names || of_table,
                    "{module}::{name} must get its arguments from `table!` or `named_args!`: {call}"
                );
            }
        }
    }
    assert!(checked > 30, "only {checked} INSERTs were found");
}

/// The soak benchmark fails for a table that it does not list, but CI does not run this benchmark. This test finds the
/// missing table in CI.
#[test]
fn the_soak_benchmark_lists_every_table() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/soak/tables.rs");
    let text = fs::read_to_string(file).unwrap();
    for table in transfer::tables::TABLES {
        let is_listed = text.contains(&format!("\"{}\"", table.name));
        assert!(is_listed, "benches/soak/tables.rs does not say whether {} may grow", table.name);
    }
}

/// The folders of both engines have the same migrations, with the same numbers and names. Migrations of the same name
/// create the same tables and columns, with these exceptions: unlogged tables, the tables of rate limits, and the
/// full-text index. SQLite needs no tables of rate limits, because its server is a single process, which counts in
/// memory. Storage parameters exist only on PostgreSQL.
#[test]
fn both_engines_have_the_same_migrations() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
    let read = |engine: &str| -> BTreeMap<String, String> {
        fs::read_dir(root.join(engine))
            .unwrap()
            .map(|entry| {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, plain(&fs::read_to_string(path).unwrap()))
            })
            .collect()
    };
    assert_eq!(read("sqlite"), read("postgres"));
}

/// Returns the text of a migration in a form that is equal for both engines: without comments, line breaks and the
/// exceptions, and with SQLite's types.
fn plain(sql: &str) -> String {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap());
    let text = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let is_shared = |statement: &&str| {
        let is_setting = statement.trim_start().starts_with("ALTER TABLE") && statement.contains(" SET (");
        let exceptions = ["CREATE UNLOGGED TABLE", " rate_", "message_index"];
        !is_setting && !exceptions.iter().any(|exception| statement.contains(exception))
    };
    let without_parameters = |statement: &str| match statement.split_once(") WITH (") {
        Some((table, _)) => format!("{table});"),
        None => statement.to_owned(),
    };
    let text: String = text.split_inclusive(';').filter(is_shared).map(without_parameters).collect();
    text.replace("BIGINT", "INTEGER")
        .replace(" CONCURRENTLY", "")
        .replace("BYTEA", "BLOB")
        .replace(") STRICT, WITHOUT ROWID;", ");")
        .replace(") STRICT;", ");")
        .replace("( ", "(")
        .replace(" )", ")")
}
