//! Tests of the operation `listToolCalls`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn list_tool_calls(server: Server) {
    let company = server.company().await;
    let id = company.id.as_str();
    let [ada, other] = [server.assistant(&company, "Ada").await, server.assistant(&company, "Bob").await];
    for assistant in [&ada, &other] {
        assistant.ok("list_conversations", json!({})).await;
        server.advance(std::time::Duration::from_secs(1)).await;
    }
    let operator = Client::of(&server.operator());
    let first = succeeds!(
        200,
        operator.list_tool_calls(id, None, None, None, Some(typed(1)), None, None, None, None, None, None)
    );
    let found = &first.tool_calls[0];
    assert_eq!(
        (found.user_id.as_str(), found.tool.as_str()),
        (other.id(), "list_conversations"),
        "the newest tool call is listed first"
    );
    assert_eq!((found.outcome.as_str(), &found.error_code), ("ok", &None));
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(
        200,
        operator.list_tool_calls(id, None, None, Some(&cursor), None, None, None, None, None, None, None)
    );
    assert_eq!((second.tool_calls[0].user_id.as_str(), &second.next_cursor), (ada.id(), &None));
    let (connection, client) = (typed(found.connection_id.as_str()), typed(found.client_id.as_str()));
    let (tool, ok) = (typed("list_conversations"), Some(types::ToolOutcome::Ok));
    let filtered = succeeds!(
        200,
        operator.list_tool_calls(
            id,
            Some(&client),
            Some(&connection),
            None,
            None,
            None,
            ok,
            Some("2026-11-20T00:00:00Z"),
            Some(&tool),
            Some("2026-11-21T00:00:00Z"),
            Some(&typed(other.id()))
        )
    );
    assert_eq!(filtered.tool_calls, [found.clone()]);

    let person = Client::of(&ada.employee.session(&server).await);
    let own = succeeds!(
        200,
        person.list_tool_calls(id, None, None, None, None, None, None, None, None, None, None)
    );
    assert_eq!((own.tool_calls.len(), own.tool_calls[0].user_id.as_str()), (1, ada.id()));
    let theirs = typed(other.id());
    refused!(
        403,
        "forbidden",
        person.list_tool_calls(id, None, None, None, None, None, None, None, None, None, Some(&theirs))
    );
    refused!(
        404,
        "not_found",
        operator.list_tool_calls(NO_COMPANY, None, None, None, None, None, None, None, None, None, None)
    );
    let since = Some("yesterday");
    refused!(
        400,
        "invalid_request",
        operator.list_tool_calls(id, None, None, None, None, None, None, since, None, None, None)
    );
    let unknown = typed("unknown");
    refused!(
        400,
        "invalid_cursor",
        operator.list_tool_calls(id, None, None, Some(&unknown), None, None, None, None, None, None, None)
    );
    let token = typed("svc_bot_test_");
    refused!(
        400,
        "token_in_query",
        operator.list_tool_calls(id, None, None, Some(&token), None, None, None, None, None, None, None)
    );
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(
        callers,
        list_tool_calls(NO_COMPANY, None, None, None, None, None, None, None, None, None, None)
    );
}
