//! A call of a known tool is recorded in one row of the audit log, even if the call fails, its arguments are invalid or
//! its token lacks the scope. A request that is rejected earlier, for example by the rate limit, is not recorded.

use serde_json::{Value, json};

use crate::support::{
    Server, both_engines,
    mcp::{LEGACY, MODERN},
    text,
};

/// Returns the tool, the outcome, the error code and the targets of a row.
fn row(call: &Value) -> (String, String, Value, Value) {
    (text(call, "/tool"), text(call, "/outcome"), call["error_code"].clone(), call["targets"].clone())
}

#[both_engines]
async fn every_call_of_a_known_tool_is_in_the_audit_log(server: Server) {
    let assistant = server.connected_assistant_with(&[("scope", "service:read")]).await;
    let company = &assistant.employee.company;
    let colleague = server.employee_of(company).await;
    let reading = server.mcp(&assistant.tokens.access, MODERN);
    reading.tool("get_person", json!({"person": colleague.id})).await.result();
    reading.tool("get_person", json!({"person": "usr_0000000000001"})).await.result();
    reading.tool("get_person", json!({"nobody": true})).await.error(200, -32602);
    reading.tool("send_draft", json!({"draft_id": "drf_0000000000001"})).await.is(403);
    // calls of unknown tools, and methods other than `tools/call`, are not recorded
    reading.tool("no_tool", json!({})).await.error(200, -32602);
    reading.list_tools().await;
    let secret = "the launch is on Friday";
    let writing = server.connected_assistant_of(&assistant.employee, &[]).await.tokens.access;
    let writing = server.mcp_session(&writing, LEGACY[0]).await;
    let draft = writing.tool("draft_message", json!({"person": colleague.id, "text": secret})).await.result();
    let draft = text(&draft["structuredContent"], "/draft/id");
    let sent = writing.tool("send_draft", json!({"draft_id": draft})).await.result();
    let message = text(&sent["structuredContent"], "/message/id");

    let answer = company.operator.get(&company.path("/tool_calls")).ok(200).await;
    assert!(!answer.to_string().contains(secret), "the audit log has no text of messages: {answer}");
    let calls = answer["tool_calls"].as_array().expect("tool_calls");
    let rows: Vec<_> = calls.iter().map(row).collect();
    let of = |tool: &str, outcome: &str, code: Value| {
        let found =
            rows.iter().find(|row| (row.0.as_str(), row.1.as_str(), &row.2) == (tool, outcome, &code));
        found.unwrap_or_else(|| panic!("{tool} {outcome} {code}: {rows:?}")).3.clone()
    };
    assert_eq!(rows.len(), 6, "every call of a known tool is recorded once: {rows:?}");
    assert_eq!(of("get_person", "ok", Value::Null), json!([colleague.id]));
    of("get_person", "refused", json!("user_not_found"));
    of("get_person", "refused", json!("invalid_request"));
    of("send_draft", "refused", json!("insufficient_scope"));
    assert!(of("draft_message", "ok", Value::Null).as_array().unwrap().contains(&json!(draft)));
    assert!(of("send_draft", "ok", Value::Null).as_array().unwrap().contains(&json!(message)));
}
