//! Employees' assistants call MCP tools: `whoami`, and the tools that list, read, search and draft.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};

use super::{Fleet, company::Assistant, http::Reply, ledger::Rule, limits::Cost, tool_calls::call};

/// Returns the subject under which the ledger records that an access token was used.
pub fn subject(access: &str) -> String {
    format!("connection {}", &access[..access.len().min(40)])
}

pub async fn run(fleet: Arc<Fleet>, number: usize) {
    let assistant = &fleet.company.assistants[number];
    let mut rng = StdRng::seed_from_u64(fleet.options.seed ^ (0x0A55 << 32) ^ number as u64);
    let pace = fleet.options.pace().max(Duration::from_millis(100));
    while !fleet.is_stopping() {
        let access = assistant.connected.lock().unwrap().access.clone();
        if access.is_empty() || !assistant.limits.lock().unwrap().allows(Cost::Mcp, Instant::now()) {
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        }
        let (tool, arguments) = choose(&fleet, &mut rng);
        let reply = call(&fleet.http, &access, tool, &arguments).await;
        check_reply(&fleet, assistant, &access, tool, &reply);
        tokio::time::sleep(pace.mul_f64(rng.random_range(0.5..1.5))).await;
    }
}

fn check_reply(fleet: &Fleet, assistant: &Assistant, access: &str, tool: &str, reply: &Reply) {
    let mut limits = assistant.limits.lock().unwrap();
    fleet.ledger.check(Rule::Limits, 1);
    if reply.status == 429 {
        if limits.allows(Cost::Mcp, reply.begun) {
            fleet.ledger.violation(
                Rule::Limits,
                format!("{tool} got 429 within the guaranteed limit: {}", reply.body),
            );
        }
        return;
    }
    limits.spend(Cost::Mcp, reply.ended);
    let failed = &reply.body["result"]["isError"] == true;
    if reply.is_ok() && !failed {
        fleet.ledger.used(&[&subject(access)], reply);
    }
    let text = reply.body.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default();
    let is_expected = match reply.status {
        401 => assistant.is_expendable,
        // the tool call fails if the node cannot reach its database, or if the employee has too many drafts
        200 => !failed || text.starts_with("server_error") || text.starts_with("conflict"),
        status => status == 0 || status >= 500,
    };
    if !is_expected {
        let what = format!("unexpected response to {tool}: {} {} {text}", reply.status, reply.body);
        fleet.ledger.violation(Rule::Answers, what);
    }
}

fn choose(fleet: &Fleet, rng: &mut StdRng) -> (&'static str, Value) {
    let group = &fleet.company.groups[rng.random_range(0..fleet.company.groups.len())].id;
    match rng.random_range(0..100) {
        0..20 => ("whoami", json!({})),
        20..35 => ("list_conversations", json!({"limit": 50})),
        35..65 => ("read_messages", json!({"conversation": group, "limit": 20})),
        65..80 => ("search_messages", json!({"query": "nightly build", "limit": 10})),
        80..92 => ("list_people", json!({"limit": 50})),
        _ => ("draft_message", json!({"conversation": group, "text": "Shall we look at the nightly build?"})),
    }
}
