//! Tests of the operations `createApp`, `listApps`, `getApp`, `updateApp` and `rotateSecret`.

use serde_json::{Value, json};

use super::*;
use crate::support::*;

fn app(members: Value) -> types::AppCreate {
    let usual = json!({
        "name": "Builds", "redirect_uris": ["https://app.example/callback"],
        "callback_url": "https://app.example/events", "scopes": ["messages:write", "users:read"],
    });
    typed(with(usual, members))
}

/// Returns redirect URIs that together exceed the maximum size of a body.
fn many_uris() -> Vec<String> {
    vec![format!("https://app.example/{}", "x".repeat(1000)); 1100]
}

#[both_engines]
async fn create_app(server: Server) {
    let operator = Client::of(&server.operator());
    let made = succeeds!(201, operator.create_app(&app(json!({}))));
    assert_eq!((made.app.name.as_str(), made.app.disabled), ("Builds", false));
    assert_eq!(made.app.redirect_uris, ["https://app.example/callback"]);
    assert_eq!(made.app.callback_url.as_deref(), Some("https://app.example/events"));
    assert_eq!(json!(made.app.scopes), json!(["messages:write", "users:read"]));
    assert_eq!(made.app.client_id, made.client_id);
    assert!(made.signing_secret.starts_with("whsec_") && !made.client_secret.is_empty());
    refused!(400, "invalid_request", operator.create_app(&app(json!({"name": "\0"}))));
    let huge = app(json!({"redirect_uris": many_uris()}));
    refused!(413, "payload_too_large", operator.create_app(&huge));
}

#[both_engines]
async fn list_apps(server: Server) {
    let [one, other] = [server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await];
    let operator = Client::of(&server.operator());
    let first = succeeds!(200, operator.list_apps(None, Some(typed(1))));
    assert_eq!((first.apps.len(), &first.apps[0].id), (1, &one.id), "the oldest app is first");
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, operator.list_apps(Some(&cursor), None));
    assert_eq!((&second.apps[0].id, &second.next_cursor), (&other.id, &None));
    refused!(400, "invalid_cursor", operator.list_apps(Some(&typed("unknown")), None));
    refused!(400, "token_in_query", operator.list_apps(Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn get_app(server: Server) {
    let known = server.app(&["users:read"]).await;
    let operator = Client::of(&server.operator());
    let found = succeeds!(200, operator.get_app(&known.id));
    assert_eq!((&found.app.id, &found.app.client_id), (&known.id, &known.client_id));
    assert_eq!(json!(found.app.scopes), json!(["users:read"]));
    refused!(404, "not_found", operator.get_app(NO_APP));
}

#[both_engines]
async fn update_app(server: Server) {
    let known = server.app(&ALL_SCOPES).await;
    let operator = Client::of(&server.operator());
    let change = typed(json!({"name": "Renamed", "scopes": ["files:read"], "disabled": true}));
    let changed = succeeds!(200, operator.update_app(&known.id, &change));
    assert_eq!((changed.app.name.as_str(), changed.app.disabled), ("Renamed", true));
    assert_eq!(json!(changed.app.scopes), json!(["files:read"]));
    assert_eq!(
        changed.app.redirect_uris,
        ["https://app.example/callback"],
        "an absent member keeps its value"
    );
    refused!(404, "not_found", operator.update_app(NO_APP, &change));
    refused!(400, "invalid_request", operator.update_app(&known.id, &typed(json!({"name": "\0"}))));
    let huge = typed(json!({"redirect_uris": many_uris()}));
    refused!(413, "payload_too_large", operator.update_app(&known.id, &huge));
}

#[both_engines]
async fn rotate_secret(server: Server) {
    let known = server.app(&ALL_SCOPES).await;
    let operator = Client::of(&server.operator());
    let rotate = |secret: types::SecretKind| types::SecretRotate { secret };
    let signing = succeeds!(200, operator.rotate_secret(&known.id, &rotate(types::SecretKind::Signing)));
    assert!(signing.signing_secret.as_ref().is_some_and(|secret| *secret != known.signing_secret));
    assert_eq!(signing.client_secret, None, "the response contains only the new value of the rotated secret");
    let client = succeeds!(200, operator.rotate_secret(&known.id, &rotate(types::SecretKind::Client)));
    assert!(client.client_secret.as_ref().is_some_and(|secret| *secret != known.client_secret));
    assert_eq!(client.signing_secret, None);
    refused!(404, "not_found", operator.rotate_secret(NO_APP, &rotate(types::SecretKind::Client)));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, create_app(&app(json!({}))));
    refuses_callers!(callers, list_apps(None, None));
    refuses_callers!(callers, get_app(NO_APP));
    refuses_callers!(callers, update_app(NO_APP, &typed(json!({}))));
    refuses_callers!(callers, rotate_secret(NO_APP, &typed(json!({"secret": "client"}))));
}
