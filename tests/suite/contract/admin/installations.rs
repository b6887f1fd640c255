//! `createInstallation`, `listInstallations`, `deleteInstallation`.

use serde_json::{Value, json};

use super::*;
use crate::support::*;

fn approval(app: &App, members: Value) -> types::InstallationCreate {
    typed(with(json!({"app_id": app.id}), members))
}

#[both_engines]
async fn create_installation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (operator, admin, id) = (fixture.operator, fixture.admin, fixture.company.id.as_str());
    let app = server.app(&["users:read"]).await;
    let made = succeeds!(201, admin.create_installation(id, None, &approval(&app, json!({}))));
    assert_eq!(made.expires_in, 600);
    let token = app.exchange(&server.api(), &made.code).await;
    assert_eq!(text(&token, "/scope"), "users:read", "without `scopes` all scopes of the app are granted");

    let acting = typed(NOBODY);
    refused!(
        404,
        "user_not_found",
        operator.create_installation(id, Some(&acting), &approval(&app, json!({})))
    );
    refused!(404, "not_found", admin.create_installation(NO_COMPANY, None, &approval(&app, json!({}))));
    let more = approval(&app, json!({"scopes": ["messages:write"]}));
    refused!(400, "invalid_request", admin.create_installation(id, None, &more));
    let huge = approval(&app, json!({"app_id": "x".repeat(1_048_577)}));
    refused!(413, "payload_too_large", admin.create_installation(id, None, &huge));
    let disabled = typed(json!({"disabled": true}));
    succeeds!(200, operator.update_app(&app.id, &disabled));
    refused!(409, "conflict", admin.create_installation(id, None, &approval(&app, json!({}))));
}

#[both_engines]
async fn list_installations(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (company, admin, id) = (&fixture.company, fixture.admin, fixture.company.id.as_str());
    let [one, other] = [company.bot_with(&server, &["users:read"]).await, company.bot(&server).await];
    company.uninstall(&one).await;
    let first = succeeds!(200, admin.list_installations(id, None, Some(typed(1))));
    let found = &first.installations[0];
    assert_eq!((&found.app_id, &found.bot_user_id), (&one.app.id, &one.user_id), "oldest first");
    assert_eq!(json!(found.scopes), json!(["users:read"]));
    assert_eq!(
        (found.state, found.reason.as_ref().map(|reason| reason.as_str())),
        (types::InstallationState::Disconnected, Some("admin"))
    );
    let cursor = typed(first.next_cursor.as_deref().expect("another page"));
    let second = succeeds!(200, admin.list_installations(id, Some(&cursor), None));
    assert_eq!((&second.installations[0].app_id, &second.next_cursor), (&other.app.id, &None));

    refused!(404, "not_found", admin.list_installations(NO_COMPANY, None, None));
    refused!(400, "invalid_cursor", admin.list_installations(id, Some(&typed("unknown")), None));
    refused!(400, "token_in_query", admin.list_installations(id, Some(&typed("svc_bot_test_")), None));
}

#[both_engines]
async fn delete_installation(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (operator, admin) = (fixture.operator, fixture.admin);
    let bot = fixture.company.bot(&server).await;
    let installation = fixture.company.installation_of(&bot).await;
    refused!(400, "invalid_request", operator.delete_installation(&installation, None));
    let [nobody, employee] = [typed(NOBODY), typed(fixture.person_id.as_str())];
    refused!(404, "user_not_found", operator.delete_installation(&installation, Some(&nobody)));
    refused!(403, "forbidden", operator.delete_installation(&installation, Some(&employee)));
    bot.api.get("/v1/auth/test").ok(200).await;
    succeeds!(200, admin.delete_installation(&installation, None));
    bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    refused!(404, "not_found", admin.delete_installation(NO_INSTALLATION, None));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, create_installation(NO_COMPANY, None, &typed(json!({"app_id": NO_APP}))));
    refuses_callers!(callers, list_installations(NO_COMPANY, None, None));
    refuses_callers!(callers, delete_installation(NO_INSTALLATION, None));
}
