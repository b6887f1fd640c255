//! Tests of the operations `createSession` and `deleteSession`.

use serde_json::json;

use super::*;
use crate::support::{assistant::PASSWORD, *};

fn credentials(email: &str, password: &str) -> types::SessionCreate {
    typed(json!({"email": email, "password": password}))
}

#[both_engines]
async fn create_session(server: Server) {
    let employee = server.employee().await;
    let client: Client = server.typed();
    let good = credentials(&employee.email, PASSWORD);
    let made = succeeds!(201, client.create_session(&good));
    let expected = json!([{"workspace_id": employee.company.id, "user_id": employee.id, "is_admin": false}]);
    assert_eq!(made.memberships, typed::<Vec<types::Membership>>(expected));
    let session = Client::of(&server.api().bearer(&made.session_token));
    let found = succeeds!(200, session.get_user(&employee.id));
    assert_eq!(found.user.id, employee.id, "the token of the new session is accepted");

    refused!(401, "invalid_auth", client.create_session(&credentials(&employee.email, "wrong password")));
    refused!(400, "invalid_request", client.create_session(&credentials(&employee.email, "\0")));
    fails!(500, "internal_error", client.create_session(&good), server, "accounts");
}

#[both_engines]
async fn create_session_limits_wrong_passwords(server: Server) {
    let server = server.restarted_with(|config| config.limits.scale = 1).await;
    let employee = server.employee().await;
    let client: Client = server.typed();
    limited!(429, "rate_limited", client.create_session(&credentials(&employee.email, "wrong password")));
}

#[both_engines]
async fn delete_session(server: Server) {
    let fixture = CallersFixture::new(&server).await;
    let person = fixture.person;
    succeeds!(200, person.delete_session());
    refused!(401, "invalid_auth", person.delete_session());
}

#[both_engines]
async fn callers(server: Server) {
    let callers = Callers::of_admins(server).await;
    refuses_callers!(callers, delete_session());
}
