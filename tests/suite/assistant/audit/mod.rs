//! The audit log of assistants' tool calls: its content, its retention, and who may read it.

mod entries;
mod following;
mod pages;
mod storage;
mod store_failures;
mod volume;

use std::time::Duration;

use serde_json::Value;
use switchboard::{domain::tool_calls::ToolOutcome, service::oauth::active_connection::Connected};

use crate::support::{Server, api::Api, assistant::*, company::Company};

/// An employee with a connected assistant.
pub struct AuditedAssistant {
    pub employee: Employee,
    pub client: Client,
    pub who: Connected,
}

impl AuditedAssistant {
    pub async fn new(server: &Server) -> Self {
        let company = server.company().await;
        Self::of(server, &company).await
    }

    /// Creates an employee of a company, and connects a client.
    pub async fn of(server: &Server, company: &Company) -> Self {
        let (employee, client) = (server.employee_of(company).await, server.client().await);
        let tokens = employee.connect(server, &client).await;
        let who = server.connected(&tokens.access).await;
        Self { employee, client, who }
    }

    /// Records a successful call of a tool that only reads.
    pub async fn record_read(&self, server: &Server) {
        self.record_call(server, "read_messages", ToolOutcome::Ok).await;
    }

    pub async fn record_call(&self, server: &Server, tool: &str, outcome: ToolOutcome) {
        self.record_call_about(server, tool, outcome, &[]).await;
    }

    pub async fn record_call_about(
        &self,
        server: &Server,
        tool: &str,
        outcome: ToolOutcome,
        targets: &[String],
    ) {
        let world = server.running().world();
        world.record_tool_call(&self.who, tool, outcome, targets, Duration::from_micros(412)).await;
    }

    pub fn path(&self, query: &str) -> String {
        self.employee.company.path(&format!("/tool_calls{query}"))
    }

    /// Returns the first page of the audit log, as the operator reads it.
    pub async fn listed(&self, query: &str) -> Vec<Value> {
        listed(&self.employee.company.operator, &self.path(query)).await
    }
}

pub async fn listed(api: &Api, path: &str) -> Vec<Value> {
    api.get(path).ok(200).await["tool_calls"].as_array().expect("tool_calls").clone()
}

/// Returns the tools of the calls, in the same order.
pub fn tools(calls: &[Value]) -> Vec<&str> {
    calls.iter().map(|call| call["tool"].as_str().expect("a tool")).collect()
}
