//! If the store cannot write entries of the audit, tool calls still succeed. A bounded queue keeps the entries until
//! the store recovers. An entry is lost if it does not fit into the queue, or if the process stops before the store
//! recovers.

use std::time::Duration;

use sqlx::{Connection as _, PgConnection};
use switchboard::{
    domain::tool_calls::ToolOutcome,
    store::{DatabaseUrl, Engine},
};

use super::{AuditedAssistant, storage::Stored, tools};
use crate::support::{Server, both_engines, until};

async fn execute(server: &Server, sql: &'static str) {
    match &server.database.url {
        DatabaseUrl::Sqlite(file) => {
            let database = rusqlite::Connection::open(file).unwrap();
            database.busy_timeout(Duration::from_secs(30)).unwrap();
            database.execute_batch(sql).unwrap();
        }
        DatabaseUrl::Postgres(options) => {
            let mut connection = PgConnection::connect_with(options.first()).await.unwrap();
            sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
        }
    }
}

const BREAK: &str = "ALTER TABLE tool_calls RENAME TO tool_calls_away";
const RESTORE: &str = "ALTER TABLE tool_calls_away RENAME TO tool_calls";

#[both_engines]
async fn a_store_failure_loses_no_queued_audit_entries(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    assistant.record_read(&server).await;
    assert_eq!(assistant.listed("").await.len(), 1);
    execute(&server, BREAK).await;
    let world = server.running().world();
    assistant.record_read(&server).await;
    // recording the call of a tool that writes causes no error either, because the tool has already had its effect
    assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    assert!(world.flush_tool_calls().await.is_err());
    assert!(world.flush_tool_calls().await.is_err());
    assistant.employee.company.operator.get(&assistant.path("")).refused(500, "internal_error").await;
    execute(&server, RESTORE).await;
    assert_eq!(tools(&assistant.listed("").await), ["send_draft", "read_messages", "read_messages"]);
    // each call is stored once, and later calls are stored too
    assistant.record_read(&server).await;
    assert_eq!(assistant.listed("").await.len(), 4);
}

#[both_engines]
async fn audit_entries_are_written_when_the_store_recovers(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    execute(&server, BREAK).await;
    assistant.record_read(&server).await;
    assert!(server.running().world().flush_tool_calls().await.is_err());
    execute(&server, RESTORE).await;
    let rows = || async {
        let world = server.running().world();
        world.db.read(Stored(assistant.who.connection_id().0)).await.unwrap()
    };
    until(async || rows().await == 1).await;
}

#[both_engines]
async fn a_failing_store_does_not_stop_tool_calls(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    execute(&server, BREAK).await;
    // when the queue is full, new entries are dropped
    for _ in 0..10_100 {
        assistant.record_read(&server).await;
    }
    assistant.record_call(&server, "list_people", ToolOutcome::Ok).await;
    execute(&server, RESTORE).await;
    server.running().world().flush_tool_calls().await.unwrap();
    let rows = server.running().world().db.read(Stored(assistant.who.connection_id().0)).await;
    assert_eq!(rows.unwrap(), 10_000);
    assert!(assistant.listed("?tool=list_people").await.is_empty());
    // as soon as the queued entries are stored, the queue accepts new entries
    assistant.record_call(&server, "list_people", ToolOutcome::Ok).await;
    assert_eq!(assistant.listed("?tool=list_people").await.len(), 1);
}

#[both_engines]
async fn the_process_stops_although_audit_entries_cannot_be_written(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    execute(&server, BREAK).await;
    assistant.record_read(&server).await;
    // `restarted` waits until the process has stopped
    let restarting = tokio::time::timeout(Duration::from_secs(60), server.restarted());
    let server = restarting.await.expect("the process stops although an entry is queued");
    execute(&server, RESTORE).await;
    let rows = || async {
        let world = server.running().world();
        world.flush_tool_calls().await.unwrap();
        world.db.read(Stored(assistant.who.connection_id().0)).await.unwrap()
    };
    assert_eq!(rows().await, 0, "the queued entry is lost with the process");
    assistant.record_read(&server).await;
    assert_eq!(rows().await, 1, "later entries are stored");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn calls_of_one_node_are_soon_listed_by_another() {
    let Some(server) = Server::postgres().await else { return };
    let other = server.another_node_with_same_clock().await;
    assert_eq!(other.running().world().db.engine(), Engine::Postgres);
    let assistant = AuditedAssistant::new(&server).await;
    assistant.record_read(&other).await;
    assistant.record_call(&other, "send_draft", ToolOutcome::Ok).await;
    until(async || assistant.listed("").await.len() == 2).await;
}
