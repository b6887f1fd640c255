//! `createWorkspace`, `listWorkspaces`, `getWorkspace`, `updateWorkspace`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn create_workspace(server: Server) {
    let operator = Client::of(&server.operator());
    let body = typed(json!({"name": "Example Works", "domain": "works.example"}));
    let made = succeeds!(201, operator.create_workspace(&body));
    let workspace = &made.workspace;
    assert_eq!(
        (workspace.name.as_str(), workspace.domain.as_deref()),
        ("Example Works", Some("works.example"))
    );
    assert!(workspace.ai_assistants && workspace.max_session_hours.is_none(), "{workspace:?}");
    assert_eq!(workspace.assistant_sends.to_string(), "direct");
    refused!(400, "invalid_request", operator.create_workspace(&typed(json!({"name": "\0"}))));
}

#[both_engines]
async fn list_workspaces(server: Server) {
    let [one, other] = [server.company().await, server.company().await];
    let operator = Client::of(&server.operator());
    let first = succeeds!(200, operator.list_workspaces(None, Some(typed(1))));
    assert_eq!(first.workspaces.len(), 1, "a page has at most `limit` companies");
    assert_eq!(first.workspaces[0].id, one.id, "the oldest company is listed first");
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, operator.list_workspaces(Some(&cursor), None));
    assert_eq!((&second.workspaces[0].id, &second.next_cursor), (&other.id, &None));
    refused!(400, "invalid_cursor", operator.list_workspaces(Some(&typed("unknown")), None));
    refused!(400, "token_in_query", operator.list_workspaces(Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn get_workspace(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let found = succeeds!(200, admin.get_workspace(&fixture.company.id));
    assert_eq!(
        (&found.workspace.id, found.workspace.domain.as_deref()),
        (&fixture.company.id, Some("example.com"))
    );
    assert_eq!(found.file_usage.as_ref().map(|usage| usage.bytes), Some(0));
    let other = server.company().await;
    refused!(404, "not_found", admin.get_workspace(&other.id));
}

#[both_engines]
async fn update_workspace(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let admin = fixture.admin;
    let change = typed(json!({
        "name": "Renamed", "max_session_hours": 720, "ai_assistants": false, "assistant_sends": "confirm",
    }));
    let changed = succeeds!(200, admin.update_workspace(&fixture.company.id, &change));
    let workspace = &changed.workspace;
    assert_eq!((workspace.name.as_str(), workspace.max_session_hours), ("Renamed", Some(720)));
    assert_eq!(workspace.domain.as_deref(), Some("example.com"), "an absent member keeps its value");
    assert!(!workspace.ai_assistants);
    assert_eq!(workspace.assistant_sends.to_string(), "confirm");
    let kept = succeeds!(200, admin.update_workspace(&fixture.company.id, &typed(json!({"name": "Again"}))));
    assert_eq!(kept.workspace.assistant_sends.to_string(), "confirm");
    let body = json!({"assistant_sends": "ask"});
    let path = fixture.company.path("");
    server.operator().patch(&path).json(&body).send().await.refused(400, "invalid_request");
    let long = typed(json!({"max_session_hours": 8761}));
    refused!(400, "invalid_request", admin.update_workspace(&fixture.company.id, &long));
    refused!(404, "not_found", admin.update_workspace(NO_COMPANY, &change));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, create_workspace(&typed(json!({"name": "x"}))));
    refuses_callers!(callers, list_workspaces(None, None));
    refuses_callers!(callers, get_workspace(NO_COMPANY));
    refuses_callers!(callers, update_workspace(NO_COMPANY, &typed(json!({}))));
}
