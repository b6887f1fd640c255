//! Storage and expiry of audit entries.

use std::sync::Arc;

use switchboard::{
    domain::tool_calls::ToolOutcome,
    store::{Engine, ReadOp, ReadSql, Result, args, statements},
};

use super::{AuditedAssistant, tools};
use crate::support::{Server, assistant::*, becomes_true, both_engines, server::Options};

statements! {
    COUNT: Query = "SELECT COUNT(*) FROM tool_calls WHERE connection_id = $1";
}

/// Returns the number of stored rows of a connection.
pub(super) struct Stored(pub(super) i64);

impl ReadOp for Stored {
    const NAME: &'static str = "test_count_tool_calls";
    type Out = i64;

    async fn run<C: ReadSql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![self.0]).await
    }
}

async fn stored(server: &Server, assistant: &AuditedAssistant) -> i64 {
    server.running().world().db.read(Stored(assistant.who.connection_id().0)).await.unwrap()
}

/// Waits until exactly `number` rows are stored.
async fn until_stored(server: &Server, assistant: &AuditedAssistant, number: i64) {
    let is_reached = becomes_true(async || stored(server, assistant).await == number).await;
    assert!(is_reached, "{} rows are stored; expected {number}", stored(server, assistant).await);
}

#[both_engines]
async fn each_call_is_stored_as_one_row(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    for _ in 0..300 {
        assistant.record_read(&server).await;
    }
    // the rows are stored in the background, without a request that lists the calls
    until_stored(&server, &assistant, 300).await;
    assert_eq!(assistant.listed("?limit=1000").await.len(), 300);
}

#[both_engines]
async fn writing_calls_are_recorded_before_their_response(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    for (number, tool) in ["draft_message", "send_draft", "discard_draft", "a_new_tool"].iter().enumerate() {
        assistant.record_call(&server, tool, ToolOutcome::Ok).await;
        assert_eq!(stored(&server, &assistant).await, number as i64 + 1, "{tool}");
    }
}

#[both_engines]
async fn calls_are_stored_by_maintenance_and_before_a_list_is_returned(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    assistant.record_read(&server).await;
    server.settle().await;
    assert_eq!(stored(&server, &assistant).await, 1);
    assistant.record_read(&server).await;
    assert_eq!(assistant.listed("").await.len(), 2);
}

#[both_engines]
async fn a_restart_loses_no_calls(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    for _ in 0..20 {
        assistant.record_read(&server).await;
    }
    let server = server.restarted().await;
    assert_eq!(stored(&server, &assistant).await, 20);
}

#[both_engines]
async fn calls_are_deleted_after_90_days(server: Server) {
    let assistant = AuditedAssistant::new(&server).await;
    assistant.record_read(&server).await;
    server.clock.advance(DAY);
    assistant.record_call(&server, "send_draft", ToolOutcome::Ok).await;
    server.advance(89 * DAY - seconds(1)).await;
    assert_eq!(tools(&assistant.listed("").await), ["send_draft", "read_messages"]);
    // an expired call is not returned, even before the maintenance job deletes it
    server.clock.advance(seconds(2));
    assert_eq!(tools(&assistant.listed("").await), ["send_draft"]);
    assert_eq!(tools(&assistant.listed("?since=2020-01-01T00:00:00Z").await), ["send_draft"]);
    server.settle().await;
    assert_eq!(stored(&server, &assistant).await, 1);
    server.advance(DAY).await;
    assert_eq!(stored(&server, &assistant).await, 0);
    assert!(assistant.listed("").await.is_empty());
}

#[both_engines]
async fn the_retention_is_configurable(engine: Engine) -> Option<()> {
    let configure = Arc::new(|config: &mut switchboard::config::Config| config.audit_days = 7);
    let options = Options { engine, configure: Some(configure), ..Options::default() };
    let server = Server::with(options).await?;
    let assistant = AuditedAssistant::new(&server).await;
    for _ in 0..2_500 {
        assistant.record_read(&server).await;
    }
    server.advance(7 * DAY - seconds(1)).await;
    until_stored(&server, &assistant, 2_500).await;
    server.advance(seconds(2)).await;
    // each transaction deletes up to 1,000 rows, so the maintenance job needs several
    until_stored(&server, &assistant, 0).await;
    Some(())
}
