//! The statements of earlier versions must work on the schema after each migration.
//!
//! `migrations/statements/NNNN.sql` has every statement of the last commit whose newest migration was NNNN. `just
//! bless` writes the newest file, which must equal the statements of the code. A new migration begins a new file, and
//! the previous file does not change any more. An earlier version may still run beside the new version, and with these
//! files the tests can check the statements of the earlier version. If a version was never released, its file may be
//! deleted when two later migrations exist.
//!
//! The tests plan the statements and do not run them. Planning fails if a table, a column or a unique index (for `ON
//! CONFLICT`) is missing. A new constraint (NOT NULL, CHECK) may reject the values of an earlier statement. Planning
//! does not find this. So the tests in `rules` allow new constraints only in a contraction, a migration that may make
//! earlier versions incompatible.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::Path;

use sqlx::{AssertSqlSafe, Connection, PgConnection};
use switchboard::store::{DatabaseUrl, Engine, Migrations};

use super::rules::released;
use super::{EXPAND, run};
use crate::house::statements::{all_statements, name_of};
use crate::support::both_engines;
use crate::support::committed::assert_committed;
use crate::support::database::TestDatabase;
use crate::support::postgres;

/// A statement in a file of `migrations/statements`.
#[derive(Debug, PartialEq, Eq)]
struct Recorded {
    name: String,
    sql: String,
}

/// Returns the path of the file with the statements of a version, relative to the repository.
fn file(version: i64) -> String {
    format!("migrations/statements/{version:04}.sql")
}

/// Returns the statements of this program, in the format of the files.
fn current(newest: i64) -> String {
    let mut text = format!(
        "-- The statements of the last version whose newest migration is {newest:04}. A test checks that they still work after later\n\
         -- migrations. Written by `just bless`.\n"
    );
    for stmt in all_statements() {
        let name = name_of(stmt);
        let texts: &[(&str, &str)] = match stmt.sqlite == stmt.postgres {
            true => &[("", stmt.postgres)],
            false => &[(" on SQLite", stmt.sqlite), (" on PostgreSQL", stmt.postgres)],
        };
        for (engine, sql) in texts {
            let lines: Vec<_> = sql.lines().map(str::trim_end).collect();
            writeln!(text, "\n-- {name}{engine}\n{};", lines.join("\n")).unwrap();
        }
    }
    text
}

/// Returns the statements in the text of a file that apply to this engine.
fn recorded(text: &str, engine: Engine) -> Vec<Recorded> {
    let other = if engine == Engine::Sqlite { " on PostgreSQL" } else { " on SQLite" };
    let own = if engine == Engine::Sqlite { " on SQLite" } else { " on PostgreSQL" };
    let statements = text.split("\n\n-- ").skip(1).filter_map(|part| {
        let (name, sql) = part.split_once('\n').expect("a name and a statement");
        let sql = sql.trim_end().strip_suffix(';').expect("a statement ends with a semicolon").to_owned();
        let name = name.strip_suffix(own).unwrap_or(name);
        (!name.ends_with(other)).then(|| Recorded { name: name.to_owned(), sql })
    });
    statements.collect()
}

#[test]
fn the_newest_file_has_the_statements_of_the_code() {
    let newest = Migrations::of(Engine::Postgres).newest();
    let text = current(newest);
    assert_committed(&file(newest), &text);
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let expected: usize = all_statements().count();
        assert_eq!(recorded(&text, engine).len(), expected, "the text has every statement of the code");
    }
}

#[both_engines]
async fn the_statements_of_compatible_versions_can_be_planned_on_every_schema(engine: Engine) -> Option<()> {
    let folder = tempfile::tempdir().unwrap();
    let all = Migrations::of(engine);
    let database = match engine {
        Engine::Sqlite => None,
        Engine::Postgres => match postgres::empty_database().await {
            Some(database) => Some(database),
            None => return None,
        },
    };
    let path = folder.path().join("data.db");
    let text = database.as_ref().map_or_else(|| format!("sqlite://{}", path.display()), |it| it.url.clone());
    let url: DatabaseUrl = text.parse().unwrap();
    let mut floor = 1;
    for migration in all.iter() {
        all.clone().up_to(migration.version).migrate(&url).await.unwrap();
        floor = floor.max(migration.header.oldest_compatible);
        let mut compatible: Vec<Recorded> = Vec::new();
        let mut texts = HashSet::new();
        for version in all.iter().map(|it| it.version) {
            if !(floor..=migration.version).contains(&version) {
                continue;
            }
            let Some(text) = kept(version, all.newest()) else { continue };
            // checks each text once, because most statements are the same in many versions
            for Recorded { name, sql } in recorded(&text, engine) {
                if texts.insert(sql.clone()) {
                    compatible.push(Recorded { name: format!("{name} of version {version:04}"), sql });
                }
            }
        }
        let wrong = plan(&url, &compatible).await;
        assert!(
            wrong.is_empty(),
            "after migration {:04} the statements of compatible versions can be planned: {wrong:#?}",
            migration.version
        );
    }
    Some(())
}

/// Planning fails after a migration that removes a column, removes a primary key, or renames a table.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_migration_that_breaks_the_version_before_is_found() {
    for (engine, sql, broken) in [
        (Engine::Sqlite, "ALTER TABLE tool_calls DROP COLUMN took;", "tool_calls::"),
        (Engine::Postgres, "ALTER TABLE messages DROP COLUMN file_count;", "messages::"),
        (
            Engine::Postgres,
            "ALTER TABLE server_state DROP CONSTRAINT server_state_pkey;",
            "server::SET_STATE",
        ),
        (Engine::Postgres, "ALTER TABLE users RENAME TO people;", "users::"),
    ] {
        let Some(database) = TestDatabase::new(engine).await else { continue };
        let known = Migrations::of(engine);
        let newest = known.newest();
        known.with(newest + 1, "example", &format!("{EXPAND}{sql}")).migrate(&database.url).await.unwrap();
        let wrong = plan(&database.url, &recorded(&current(newest), engine)).await;
        assert!(wrong.iter().any(|it| it.starts_with(broken)), "{sql}: {wrong:#?}");
    }
}

/// Returns the text of a version's file; `None` if the file was deleted. A file may be deleted if its version was never
/// released and two later migrations exist.
fn kept(version: i64, newest: i64) -> Option<String> {
    let must_be = released().contains(&version) || version + 2 > newest;
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file(version)));
    assert!(
        text.is_ok() || !must_be,
        "{} is missing: run `just bless`; for an earlier version, run it on a tree without the later migrations",
        file(version)
    );
    text.ok()
}

/// Returns the statements that cannot be planned, with their errors.
async fn plan(url: &DatabaseUrl, statements: &[Recorded]) -> Vec<String> {
    let mut wrong = Vec::new();
    match url {
        DatabaseUrl::Sqlite(path) => {
            let connection = rusqlite::Connection::open(path).unwrap();
            for Recorded { name, sql } in statements {
                if let Err(error) = connection.prepare(sql) {
                    wrong.push(format!("{name}: {error}"));
                }
            }
        }
        DatabaseUrl::Postgres(options) => {
            let mut connection = PgConnection::connect_with(&options.hosts()[0]).await.unwrap();
            run(&mut connection, "SET plan_cache_mode = force_generic_plan").await;
            for Recorded { name, sql } in statements {
                if let Err(error) = plan_one(&mut connection, sql).await {
                    wrong.push(format!("{name}: {error}"));
                }
            }
            connection.close().await.unwrap();
        }
    }
    wrong
}

async fn plan_one(connection: &mut PgConnection, sql: &str) -> sqlx::Result<()> {
    let prepare = AssertSqlSafe(format!("DEALLOCATE ALL; PREPARE checked AS {sql}"));
    sqlx::raw_sql(prepare).execute(&mut *connection).await?;
    let (parameters,): (i64,) = sqlx::query_as(
        "SELECT cardinality(parameter_types)::bigint FROM pg_prepared_statements WHERE name = 'checked'",
    )
    .persistent(false)
    .fetch_one(&mut *connection)
    .await?;
    let arguments = vec!["NULL"; parameters as usize].join(", ");
    let arguments = if arguments.is_empty() { arguments } else { format!("({arguments})") };
    let explain = AssertSqlSafe(format!("EXPLAIN EXECUTE checked {arguments}"));
    sqlx::raw_sql(explain).execute(connection).await.map(drop)
}
