//! Tests of the operations `adminListUsers`, `createUser`, `adminGetUser`, `updateUser`, `setUserState`, `logoutUser`,
//! `blockApp` and `unblockApp`.

use serde_json::json;

use super::*;
use crate::support::*;

#[both_engines]
async fn list_users(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, id) = (fixture.admin, fixture.company.id.as_str());
    fixture.company.person_with(json!({"name": "Grace Hopper"})).await;
    let first = succeeds!(200, admin.list_users(id, None, Some(typed(1)), None));
    let oldest = (1, &fixture.company.admin);
    assert_eq!((first.users.len(), &first.users[0].id), oldest, "the oldest user is listed first");
    let cursor = typed(first.next_cursor.as_deref().expect("the list has a second page"));
    let rest = succeeds!(200, admin.list_users(id, Some(&cursor), None, None));
    assert_eq!((rest.users.len(), &rest.next_cursor), (3, &None));
    let found = succeeds!(200, admin.list_users(id, None, None, Some(&typed("grace"))));
    let names: Vec<_> = found.users.iter().map(|user| user.name.as_str()).collect();
    assert_eq!(names, ["Grace Hopper"]);

    refused!(404, "not_found", admin.list_users(NO_COMPANY, None, None, None));
    refused!(400, "invalid_request", admin.list_users(id, None, None, Some(&typed("\0"))));
    refused!(400, "invalid_cursor", admin.list_users(id, Some(&typed("unknown")), None, None));
    refused!(400, "token_in_query", admin.list_users(id, None, None, Some(&typed("svc_bot_test_"))));
}

#[both_engines]
async fn create_user(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, id) = (fixture.admin, fixture.company.id.as_str());
    let body = typed(json!({"name": "Grace Hopper", "email": "grace@example.com", "state": "onboarding"}));
    let made = succeeds!(201, admin.create_user(id, &body));
    let user = &made.user;
    assert_eq!((user.name.as_str(), user.email.as_deref()), ("Grace Hopper", Some("grace@example.com")));
    assert_eq!((user.state, user.is_active, user.is_admin), (types::UserState::Onboarding, true, false));
    assert_eq!(user.workspace_id, id);
    refused!(409, "conflict", admin.create_user(id, &body));
    refused!(404, "not_found", admin.create_user(NO_COMPANY, &body));
    let nul = typed(json!({"name": "\0", "email": "nul@example.com"}));
    refused!(400, "invalid_request", admin.create_user(id, &nul));
}

#[both_engines]
async fn get_user(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (operator, person) = (fixture.operator, fixture.person);
    let found = succeeds!(200, person.get_user(&fixture.person_id));
    assert_eq!((&found.user.id, found.user.name.as_str()), (&fixture.person_id, "Emil Employee"));
    assert_eq!((found.user.is_admin, found.user.is_bot, &found.user.app_id), (false, false, &None));
    refused!(403, "forbidden", person.get_user(&fixture.admin_id));
    refused!(404, "user_not_found", operator.get_user(NOBODY));
}

#[both_engines]
async fn update_user(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, person, id) = (fixture.admin, fixture.person, fixture.person_id.as_str());
    let change = typed(json!({"title": "Engineer", "timezone": "Europe/Berlin"}));
    let changed = succeeds!(200, person.update_user(id, &change));
    assert_eq!(
        (changed.user.title.as_deref(), changed.user.timezone.as_deref()),
        (Some("Engineer"), Some("Europe/Berlin"))
    );
    refused!(403, "forbidden", person.update_user(id, &typed(json!({"is_admin": true}))));
    refused!(400, "invalid_request", person.update_user(id, &typed(json!({"timezone": "Mars/Olympus"}))));
    let other = fixture.company.person_with(json!({"email": "taken@example.com"})).await;
    refused!(409, "conflict", admin.update_user(id, &typed(json!({"email": "taken@example.com"}))));
    assert_eq!(succeeds!(200, admin.get_user(&other)).user.email.as_deref(), Some("taken@example.com"));
    refused!(404, "user_not_found", admin.update_user(NOBODY, &change));
}

#[both_engines]
async fn set_user_state(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let (admin, id) = (fixture.admin, fixture.person_id.as_str());
    let state = |state: types::UserState| types::UserStateChange { state };
    let changed = succeeds!(200, admin.set_user_state(id, &state(types::UserState::Deactivated)));
    assert_eq!((changed.user.state, changed.user.is_active), (types::UserState::Deactivated, false));
    refused!(409, "conflict", admin.set_user_state(id, &state(types::UserState::Onboarding)));
    refused!(404, "user_not_found", admin.set_user_state(NOBODY, &state(types::UserState::Active)));
}

#[both_engines]
async fn logout_user(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let bot = fixture.company.bot(&server).await;
    let (admin, person, id) = (fixture.admin, fixture.person, fixture.person_id.as_str());
    succeeds!(200, person.get_user(id));
    succeeds!(200, admin.logout_user(id));
    refused!(401, "invalid_auth", person.get_user(id));
    refused!(409, "conflict", admin.logout_user(&bot.user_id));
    refused!(404, "user_not_found", admin.logout_user(NOBODY));
}

#[both_engines]
async fn block_app(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let bot = fixture.company.bot(&server).await;
    let (person, id, app) = (fixture.person, fixture.person_id.as_str(), bot.app.id.as_str());
    succeeds!(200, person.block_app(id, app));
    bot.cannot_send(&to_user(id, "x"), 403, "cannot_dm_user").await;
    refused!(403, "forbidden", person.block_app(&fixture.admin_id, app));
    refused!(404, "not_found", person.block_app(id, NO_APP));
    let operator = fixture.operator;
    refused!(404, "user_not_found", operator.block_app(NOBODY, app));
}

#[both_engines]
async fn unblock_app(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let bot = fixture.company.bot(&server).await;
    let (person, id, app) = (fixture.person, fixture.person_id.as_str(), bot.app.id.as_str());
    fixture.company.block_app(id, &bot).await;
    succeeds!(200, person.unblock_app(id, app));
    bot.send(&to_user(id, "x")).await;
    refused!(403, "forbidden", person.unblock_app(&fixture.admin_id, app));
    refused!(404, "not_found", person.unblock_app(id, NO_APP));
    let operator = fixture.operator;
    refused!(404, "user_not_found", operator.unblock_app(NOBODY, app));
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    let body = || typed(json!({"name": "Ada", "email": "ada@example.com"}));
    refuses_callers!(callers, list_users(NO_COMPANY, None, None, None));
    refuses_callers!(callers, create_user(NO_COMPANY, &body()));
    refuses_callers!(callers, get_user(NOBODY));
    refuses_callers!(callers, update_user(NOBODY, &typed(json!({}))));
    refuses_callers!(callers, set_user_state(NOBODY, &typed(json!({"state": "active"}))));
    refuses_callers!(callers, logout_user(NOBODY));
    refuses_callers!(callers, block_app(NOBODY, NO_APP));
    refuses_callers!(callers, unblock_app(NOBODY, NO_APP));
}
