//! What is kept, and until when.

use std::{sync::Arc, time::Duration};

use switchboard::{
    domain::tool_calls::ToolOutcome,
    store::{Engine, Op, Result, Sql, args, statements},
};

use super::{Desk, tools};
use crate::{
    on_both,
    support::{Server, assistant::*, comes, server::Options},
};

statements! {
    COUNT = "SELECT COUNT(*) FROM tool_calls WHERE connection_id = $1";
}

/// How many rows of a connection are stored, wherever they are shown.
pub(super) struct Stored(pub(super) i64);

impl Op for Stored {
    const NAME: &'static str = "test_count_tool_calls";
    type Out = i64;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<i64> {
        c.one(&COUNT, args![self.0]).await
    }
}

async fn stored(server: &Server, desk: &Desk) -> i64 {
    server.running().world().db.read(Stored(desk.who.connection_id.0)).await.unwrap()
}

/// Waits until so many rows are stored.
async fn until_stored(server: &Server, desk: &Desk, number: i64) {
    let come = comes(async || stored(server, desk).await == number).await;
    assert!(come, "{} rows, not {number}", stored(server, desk).await);
}

on_both! {
    async fn one_row_for_each_call(server: Server) {
        let desk = Desk::new(&server).await;
        for _ in 0..300 {
            desk.reads(&server).await;
        }
        // written by itself, a moment later and without anybody who looks
        until_stored(&server, &desk, 300).await;
        assert_eq!(desk.listed("?limit=1000").await.len(), 300);
    }

    async fn what_writes_is_kept_before_it_is_answered(server: Server) {
        let desk = Desk::new(&server).await;
        for (number, tool) in ["draft_message", "send_draft", "discard_draft", "a_new_tool"].iter().enumerate() {
            desk.calls(&server, tool, ToolOutcome::Ok).await;
            assert_eq!(stored(&server, &desk).await, number as i64 + 1, "{tool}");
        }
    }

    async fn what_was_noted_is_there_after_an_upkeep_and_for_who_looks(server: Server) {
        let desk = Desk::new(&server).await;
        desk.reads(&server).await;
        server.settle().await;
        assert_eq!(stored(&server, &desk).await, 1);
        desk.reads(&server).await;
        assert_eq!(desk.listed("").await.len(), 2);
    }

    async fn the_end_of_the_process_loses_nothing(server: Server) {
        let desk = Desk::new(&server).await;
        for _ in 0..20 {
            desk.reads(&server).await;
        }
        let server = server.restarted().await;
        assert_eq!(stored(&server, &desk).await, 20);
    }

    async fn calls_are_forgotten_after_90_days(server: Server) {
        let desk = Desk::new(&server).await;
        desk.reads(&server).await;
        server.clock.advance(DAY);
        desk.calls(&server, "send_draft", ToolOutcome::Ok).await;
        server.advance(89 * DAY - seconds(1)).await;
        assert_eq!(tools(&desk.listed("").await), ["send_draft", "read_messages"]);
        // not shown from then on, whether the upkeep has come by or not
        server.clock.advance(seconds(2));
        assert_eq!(tools(&desk.listed("").await), ["send_draft"]);
        assert_eq!(tools(&desk.listed("?since=2020-01-01T00:00:00Z").await), ["send_draft"]);
        server.settle().await;
        assert_eq!(stored(&server, &desk).await, 1);
        server.advance(DAY).await;
        assert_eq!(stored(&server, &desk).await, 0);
        assert!(desk.listed("").await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn how_long_is_configured() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let configure = Arc::new(|config: &mut switchboard::config::Config| config.audit_days = 7);
        let options = Options { engine, configure: Some(configure), ..Options::default() };
        let Some(server) = Server::with(options).await else { continue };
        let desk = Desk::new(&server).await;
        for _ in 0..2_500 {
            desk.reads(&server).await;
        }
        server.advance(7 * DAY - seconds(1)).await;
        until_stored(&server, &desk, 2_500).await;
        server.advance(seconds(2)).await;
        // more than one transaction removes, and a job in the background may be at it as well
        until_stored(&server, &desk, 0).await;
    }
}
