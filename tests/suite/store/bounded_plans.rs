//! Statements of rare work go by an index made for them, and walk nothing that grows with everything there ever was.

use std::fmt::Write as _;

use sqlx::AssertSqlSafe;
use switchboard::store::{
    DatabaseUrl, Engine, Stmt, assistant_clients, client_blocks, connections, conversations, delivery_log,
    ended_connections,
};

use crate::support::database::TestDatabase;

struct Planned {
    all: &'static [&'static Stmt],
    name: &'static str,
    arguments: &'static str,
    /// As SQLite and PostgreSQL name what it goes by.
    goes_by: [&'static [&'static str]; 2],
}

const PLANNED: [Planned; 10] = [
    Planned {
        all: conversations::ALL,
        name: "DELETE_PAIR",
        arguments: "1",
        goes_by: [
            &[
                "direct_pairs USING PRIMARY KEY (low_user_id=? AND high_user_id=?)",
                "members USING PRIMARY KEY",
            ],
            &["direct_pairs_pkey", "members_pkey"],
        ],
    },
    Planned {
        all: conversations::ALL,
        name: "ALL_OF_PAIR",
        arguments: "1, 2",
        goes_by: [
            &["direct_pairs USING PRIMARY KEY", "former_pairs USING PRIMARY KEY"],
            &["direct_pairs_pkey", "former_pairs_pkey"],
        ],
    },
    Planned {
        all: client_blocks::ALL,
        name: "INSERT",
        arguments: "1, 'key', 1, 1",
        goes_by: [&["connections_of_key (workspace_id=? AND block_key=?)"], &["connections_of_key"]],
    },
    Planned {
        all: ended_connections::ALL,
        name: "FORGET",
        arguments: "1, 500",
        goes_by: [
            &["connections USING COVERING INDEX connections_ended (revoked_at>? AND revoked_at<?)"],
            &["connections_ended"],
        ],
    },
    Planned {
        all: connections::ALL,
        name: "LATEST_ENDED",
        arguments: "1, 20",
        goes_by: [&["connections_by_end (workspace_id=? AND revoked_at>?)"], &["connections_by_end"]],
    },
    Planned {
        all: connections::ALL,
        name: "LATEST_ENDED_OF_USER",
        arguments: "1, 20",
        goes_by: [
            &["connections_of_user_by_end (user_id=? AND revoked_at>?)"],
            &["connections_of_user_by_end"],
        ],
    },
    Planned {
        all: connections::ALL,
        name: "LIVING",
        arguments: "1, 1, 50, 1, 1",
        goes_by: [&["connections_living (workspace_id=? AND id>?)"], &["connections_living"]],
    },
    Planned {
        all: connections::ALL,
        name: "LIVING_OF_USER",
        arguments: "1, 1, 50, 1, 1, 1",
        goes_by: [&["connections_living_of_user (user_id=? AND id>?)"], &["connections_living_of_user"]],
    },
    Planned {
        all: assistant_clients::ALL,
        name: "DELETE_UNUSED",
        arguments: "1, 1",
        goes_by: [&["assistant_clients_unused (expires_at<?)"], &["assistant_clients_unused"]],
    },
    Planned {
        all: delivery_log::ALL,
        name: "REACH",
        arguments: "1, 1, 10000",
        goes_by: [
            &["delivery_attempts_by_app (app_id=? AND id<?)", "events_unsent (app_id=? AND id<?)"],
            &["delivery_attempts_by_app", "events_unsent"],
        ],
    },
];

impl Planned {
    fn statement(&self) -> &'static Stmt {
        let found = self.all.iter().find(|stmt| stmt.name.rsplit("::").next() == Some(self.name));
        found.unwrap_or_else(|| panic!("there is no {}", self.name))
    }

    fn judge(&self, plan: &str, goes_by: &[&str]) {
        for index in goes_by {
            assert!(plan.contains(index), "{} does not go by {index}:\n{plan}", self.name);
        }
    }
}

#[tokio::test]
async fn on_sqlite() {
    let database = TestDatabase::new(Engine::Sqlite).await.expect("SQLite is always there");
    let DatabaseUrl::Sqlite(file) = &database.url else { panic!("this is SQLite") };
    let connection = rusqlite::Connection::open(file).unwrap();
    for planned in &PLANNED {
        let sql = format!("EXPLAIN QUERY PLAN {}", planned.statement().sqlite);
        let mut explained = connection.prepare(&sql).unwrap();
        let (mut rows, mut plan) = (explained.raw_query(), String::new());
        while let Some(row) = rows.next().unwrap() {
            writeln!(plan, "{}", row.get::<_, String>("detail").unwrap()).unwrap();
        }
        planned.judge(&plan, planned.goes_by[0]);
        for table in ["direct_pairs", "connections", "assistant_clients", "delivery_attempts", "events"] {
            assert!(!plan.contains(&format!("SCAN {table}")), "{} reads everything:\n{plan}", planned.name);
        }
    }
}

#[tokio::test]
async fn on_postgres() {
    let Some(database) = TestDatabase::new(Engine::Postgres).await else { return };
    let mut connection = database.outside().await;
    // the tables are empty, so that reading them whole costs nothing
    let settings = "SET enable_seqscan = off; SET plan_cache_mode = force_generic_plan";
    sqlx::raw_sql(settings).execute(&mut connection).await.unwrap();
    for planned in &PLANNED {
        let prepare = format!("DEALLOCATE ALL; PREPARE planned AS {}", planned.statement().postgres);
        sqlx::raw_sql(AssertSqlSafe(prepare)).execute(&mut connection).await.unwrap();
        let explain = format!("EXPLAIN EXECUTE planned ({})", planned.arguments);
        let lines: Vec<String> = sqlx::query_scalar(AssertSqlSafe(explain))
            .persistent(false)
            .fetch_all(&mut connection)
            .await
            .unwrap();
        planned.judge(&lines.join("\n"), planned.goes_by[1]);
    }
}
