//! The statements of event delivery use their indexes, both before and after the planner has statistics of the data.

use std::fmt::Write as _;

use sqlx::{AssertSqlSafe, PgConnection};
use switchboard::store::{DatabaseUrl, Engine, Stmt, deliveries, delivery_log, event_drops, events};

use crate::support::database::TestDatabase;

/// Apps 1 to 20, each with ten installations and 2,500 events. Most of the events were delivered. Of the other events,
/// some wait for their first attempt, some wait for a retry, and some failed or were dropped.
const FILL: [&str; 3] = [
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
     INSERT INTO apps (id, name, client_id, client_secret_hash, signing_secret, callback_url, redirect_uris, scopes,
        created_at)
     SELECT i, 'App', 'client ' || i, 'hash', 'whsec', 'https://app.example/', '[]', 0, 0 FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
     INSERT INTO installations (id, app_id, workspace_id, bot_user_id, scopes, connected, created_at)
     SELECT i, 1 + (i - 1) % 20, i / 20, i, 0, 1, 0 FROM n",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000)
     INSERT INTO events (id, app_id, installation_id, workspace_id, type, body, created_at, state, attempts, next_at)
     SELECT i, 1 + i % 20, 1 + i % 200, (1 + i % 200) / 20, 'directory.changed', 'a body of some length, as they have', i,
        CASE WHEN i > 45000 THEN 0 WHEN i % 9 = 0 THEN 0 WHEN i % 13 = 0 THEN 2 WHEN i % 83 = 0 THEN 3 ELSE 1 END,
        CASE WHEN i > 45000 THEN 0 ELSE 1 END, i FROM n",
];

/// Counts the events whose app or company differs from that of their installation.
const MISMATCHED: &str = "SELECT COUNT(*) FROM events e JOIN installations i ON i.id = e.installation_id
    WHERE i.app_id <> e.app_id OR i.workspace_id <> e.workspace_id";

/// A statement, the arguments with which it is planned, and the indexes of `events` that it must use. The statement
/// must not use another index of `events`, except the primary key.
struct Planned {
    name: &'static str,
    arguments: &'static [&'static str],
    /// The names of the indexes. The name `the key` stands for the primary key.
    indexes: &'static [&'static str],
}

const PLANNED: &[Planned] = &[
    Planned {
        name: "events::deliveries::DUE_FIRST",
        arguments: &["7", "27", "100", "100", "60000", "8"],
        indexes: &["events_first"],
    },
    Planned {
        name: "events::deliveries::DUE_AGAIN",
        arguments: &["7", "27", "100", "100", "60000", "8"],
        indexes: &["events_again"],
    },
    Planned {
        name: "events::deliveries::DUE_FIRST_OF_MANY",
        arguments: &["7", "[7,27,47]", "[100,100,100]", "[100,100,100]", "60000", "8"],
        indexes: &["events_first"],
    },
    Planned {
        name: "events::deliveries::DUE_AGAIN_OF_MANY",
        arguments: &["7", "[7,27,47]", "[100,100,100]", "[100,100,100]", "60000", "8"],
        indexes: &["events_again"],
    },
    Planned {
        name: "events::deliveries::INSTALLATIONS_FIRST",
        arguments: &["7", "7", "60000", "64"],
        indexes: &["events_first"],
    },
    Planned {
        name: "events::deliveries::INSTALLATIONS_AGAIN",
        arguments: &["7", "7", "60000", "64"],
        indexes: &["events_again"],
    },
    Planned {
        name: "events::deliveries::DUE_APPS",
        arguments: &["60000", "1"],
        indexes: &["events_pending"],
    },
    Planned { name: "events::deliveries::RECORD", arguments: &["'[[7,0,1,1,2,3]]'"], indexes: &["the key"] },
    Planned {
        name: "events::drops::DROP_DISCONNECTED",
        arguments: &["7", "27", "'app.uninstalled'", "1", "50", "1"],
        indexes: &["events_first", "events_again", "the key"],
    },
    Planned {
        name: "events::drops::DROP_UNREACHABLE",
        arguments: &["7", "1", "50", "1"],
        indexes: &["events_pending", "the key"],
    },
    Planned {
        name: "events::drops::DROP_EXPIRED",
        arguments: &["7", "100", "1", "50", "1"],
        indexes: &["events_pending", "the key"],
    },
    Planned {
        name: "events::DROP_PENDING",
        arguments: &["7", "[7,27]", "'app.uninstalled'", "1", "1"],
        indexes: &["events_first", "events_again", "the key"],
    },
    Planned {
        name: "events::delivery_log::STEP",
        arguments: &["7", "100", "100", "60000", "49"],
        indexes: &["events_by_app"],
    },
    Planned {
        name: "events::delivery_log::STEP_FAILED",
        arguments: &["7", "100", "100", "60000", "49"],
        indexes: &["events_failed"],
    },
    Planned {
        name: "events::delivery_log::BETWEEN",
        arguments: &["7", "100", "100", "2000", "1", "''", "'app.uninstalled'"],
        indexes: &["events_by_app"],
    },
    Planned {
        name: "events::delivery_log::FAILED_BETWEEN",
        arguments: &["7", "100", "100", "2000", "1", "''", "'app.uninstalled'"],
        indexes: &["events_failed"],
    },
];

impl Planned {
    fn statement(&self) -> &'static Stmt {
        let all = [deliveries::ALL, delivery_log::ALL, event_drops::ALL, events::ALL];
        let found = all.iter().copied().flatten().find(|stmt| stmt.name.ends_with(self.name));
        found.unwrap_or_else(|| panic!("the store has no statement {}", self.name))
    }

    /// Asserts that a plan uses the required indexes, and no other index of `events` except the primary key. `when`
    /// says whether the planner knows statistics of the data and, on PostgreSQL, which plan mode is set. `key` is the
    /// engine's name of the primary key. `whole` has the texts with which a plan shows a scan of a whole table.
    fn assert_plan(&self, when: &str, plan: &str, key: &str, whole: &[&str]) {
        let name = self.name;
        for &index in self.indexes {
            let index = if index == "the key" { key } else { index };
            assert!(plan.contains(index), "{name} must use the index {index} (statistics: {when}):\n{plan}");
        }
        let others = ["events_first", "events_again", "events_pending", "events_by_app"]
            .into_iter()
            .chain(["events_failed", "events_unsent", "events_finished", "events_by_message"])
            .chain(["events_dropped_in_log_order"])
            .filter(|index| !self.indexes.contains(index));
        for other in others {
            assert!(
                !plan.contains(other),
                "{name} must not use the index {other} (statistics: {when}):\n{plan}"
            );
        }
        for whole in whole {
            assert!(
                !plan.contains(whole),
                "{name} must not scan the whole table (statistics: {when}):\n{plan}"
            );
        }
    }
}

#[test]
fn delivery_uses_its_indexes_on_sqlite() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let database = runtime.block_on(TestDatabase::new(Engine::Sqlite)).expect("SQLite is always there");
    let DatabaseUrl::Sqlite(file) = &database.url else { panic!("this is SQLite") };
    let connection = rusqlite::Connection::open(file).unwrap();
    for sql in FILL {
        // a hash is a BLOB on SQLite
        connection.execute(&sql.replace("'hash'", "x'00'"), []).unwrap();
    }
    let mismatched: i64 = connection.query_row(MISMATCHED, [], |row| row.get(0)).unwrap();
    assert_eq!(mismatched, 0, "each event has the app and the company of its installation");
    for when in ["unknown", "known"] {
        for planned in PLANNED {
            let mut sql = planned.statement().sqlite.to_owned();
            for (index, argument) in planned.arguments.iter().enumerate() {
                let is_list = argument.starts_with('[');
                let value = if is_list { format!("'{argument}'") } else { (*argument).to_owned() };
                sql = sql.replace(&format!("${}", index + 1), &value);
            }
            let mut query = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let mut rows = query.query([]).unwrap();
            let mut plan = String::new();
            while let Some(row) = rows.next().unwrap() {
                writeln!(plan, "{}", row.get::<_, String>(3).unwrap()).unwrap();
            }
            // `SCAN e` is a scan of the whole table, with or without an index
            let whole = ["SCAN events", "SCAN e\n", "SCAN e USING"];
            let is_due_apps = planned.name.ends_with("DUE_APPS");
            // a subquery of DUE_APPS finds the first app by a scan of the index, which stops at the first entry
            let whole = if is_due_apps { &["SCAN events\n"][..] } else { &whole[..] };
            planned.assert_plan(when, &plan, "INTEGER PRIMARY KEY", whole);
        }
        connection.execute_batch("ANALYZE").unwrap();
    }
}

#[tokio::test]
async fn delivery_uses_its_indexes_on_postgres() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let mut connection = database.outside().await;
    for sql in FILL {
        run(&mut connection, sql.to_owned()).await;
    }
    for when in ["unknown", "known"] {
        for planned in PLANNED {
            run(&mut connection, format!("PREPARE planned AS {}", planned.statement().postgres)).await;
            // Switchboard sets `plan_cache_mode` to `force_generic_plan`, but through a pooler the setting can be
            // missing. PostgreSQL then uses custom plans for the first executions of a statement.
            for mode in ["force_custom_plan", "force_generic_plan"] {
                run(&mut connection, format!("SET plan_cache_mode = {mode}")).await;
                let value = |argument: &&str| match argument.starts_with('[') {
                    true => format!("ARRAY{argument}::bigint[]"),
                    false => (*argument).to_owned(),
                };
                let arguments = planned.arguments.iter().map(value).collect::<Vec<_>>().join(", ");
                let lines: Vec<String> =
                    sqlx::query_scalar(AssertSqlSafe(format!("EXPLAIN EXECUTE planned({arguments})")))
                        .fetch_all(&mut connection)
                        .await
                        .unwrap();
                let plan = lines.join("\n");
                let when = format!("{when}, {mode}");
                planned.assert_plan(&when, &plan, "events_pkey", &["Seq Scan on events"]);
            }
            run(&mut connection, "DEALLOCATE planned".to_owned()).await;
        }
        run(&mut connection, "ANALYZE".to_owned()).await;
    }
}

async fn run(connection: &mut PgConnection, sql: String) {
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(connection).await.unwrap();
}
