//! Changes that revoke connections, and the expiry of connections (A-233 … A-255). After the change or the expiry, the
//! next request and the next refresh are rejected.

use serde_json::{Value, json};
use switchboard::service::oauth::consent::{ConsentDecision, Unavailable, Undecided};

use crate::support::{Server, assistant::*, both_engines};

const KEY: &str = "/client_blocks/local:calendar%20helper";

#[both_engines]
async fn the_employee_revokes_a_connection(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let id = employee.connections().await[0]["id"].as_str().unwrap().to_owned();
    let own = employee.session(&server).await;
    own.delete(&format!("/admin/v1/connections/{id}")).ok(200).await;
    // the employee revokes the connection
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("employee").await;
    // revoking the connection a second time does not change the reason
    employee.company.operator.delete(&format!("/admin/v1/connections/{id}")).ok(200).await;
    employee.assert_revoked_for("employee").await;
}

#[both_engines]
async fn the_operator_revokes_a_connection(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let id = employee.connections().await[0]["id"].as_str().unwrap().to_owned();
    employee.company.operator.delete(&format!("/admin/v1/connections/{id}")).ok(200).await;
    // a revocation by the operator has the same reason as a revocation by an admin
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("admin").await;
}

#[both_engines]
async fn a_block_of_a_client_revokes_its_connections(server: Server) {
    let company = server.company().await;
    let (one, two) = (server.employee_of(&company).await, server.employee_of(&company).await);
    let elsewhere = server.employee().await;
    let (client, web) = (server.client().await, server.client_with("none", &[WEB]).await);
    let mut of_key = Vec::new();
    for employee in [&one, &two] {
        of_key.push(employee.connect(&server, &client).await);
    }
    let other_key = one.connect(&server, &web).await;
    let other_company = elsewhere.connect(&server, &client).await;
    let blocked = company.operator.put(&company.path(KEY)).ok(200).await;
    assert_eq!(blocked["revoked"], 2, "a block revokes the connections with its key (A-235)");
    for tokens in &of_key {
        server.assert_revoked(&client, tokens).await;
    }
    assert_eq!(one.connections().await[0]["reason"], "client_blocked");
    server.assert_active(&other_key).await;
    // connections of other companies are not revoked
    server.assert_active(&other_company).await;
    assert_eq!(company.operator.put(&company.path(KEY)).ok(200).await["revoked"], 0);
    // unblocking restores no connection, but the client can be authorized anew
    company.operator.delete(&company.path(KEY)).ok(200).await;
    server.assert_revoked(&client, &of_key[0]).await;
    let again = one.connect(&server, &client).await;
    server.assert_active(&again).await;
    // a new registration is blocked as well
    company.operator.put(&company.path(KEY)).ok(200).await;
    let again = server.client().await;
    let request = server.begin_for(&again, &[]).await.request();
    let decided = one.decide(&server, &request, ConsentDecision::Approve(one.workspace())).await;
    assert_eq!(
        decided.unwrap_err(),
        Undecided::Unavailable(Unavailable::Blocked),
        "a new registration of a blocked client is blocked (A-124)"
    );
}

#[both_engines]
async fn block_keys_are_compared_in_lower_case(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let company = &employee.company;
    let typed = company.path("/client_blocks/Local:CALENDAR%20Helper");
    assert_eq!(
        company.operator.put(&typed).ok(200).await["revoked"],
        1,
        "a block revokes the connections with its key (A-235)"
    );
    server.assert_revoked(&client, &tokens).await;
    let listed =
        async || company.operator.get(&company.path("/client_blocks")).ok(200).await["client_blocks"].clone();
    let blocks = listed().await;
    assert_eq!((&blocks[0]["key"], blocks.as_array().unwrap().len()), (&"local:calendar helper".into(), 1));
    company.operator.put(&company.path(KEY)).ok(200).await;
    assert_eq!(listed().await.as_array().unwrap().len(), 1, "keys are compared in lower case");
    company.operator.delete(&typed).ok(200).await;
    assert_eq!(listed().await, serde_json::json!([]));
    let again = employee.connect(&server, &client).await;
    server.assert_active(&again).await;
}

#[both_engines]
async fn an_invalid_block_key_is_rejected_with_the_reason(server: Server) {
    let company = server.company().await;
    for (key, why) in [
        ("%00", "key must be UTF-8 without U+0000 and U+FFFD"),
        ("a%ff", "key must be UTF-8 without U+0000 and U+FFFD"),
        // keys are compared in lower case; the lower-case form of this key is too long
        (&*"%C4%B0".repeat(200), "key must have 1 to 255 characters"),
    ] {
        let path = company.path(&format!("/client_blocks/{key}"));
        for call in [company.operator.put(&path), company.operator.delete(&path)] {
            let answer = call.refused(400, "invalid_request").await;
            assert_eq!(
                answer.json()["error"]["message"],
                why,
                "the error says what is wrong with the key: {key}"
            );
        }
    }
}

#[both_engines]
async fn turning_assistants_off_revokes_all_connections_of_the_company(server: Server) {
    let company = server.company().await;
    let (one, two) = (server.employee_of(&company).await, server.employee_of(&company).await);
    let elsewhere = server.employee().await;
    let client = server.client().await;
    let ended = [one.connect(&server, &client).await, two.connect(&server, &client).await];
    let other = elsewhere.connect(&server, &client).await;
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": false})).ok(200).await;
    for tokens in &ended {
        // turning assistants off revokes all connections of the company
        server.assert_revoked(&client, tokens).await;
    }
    one.assert_revoked_for("assistants_off").await;
    server.assert_active(&other).await;
    // turning assistants on again restores no connection
    company.operator.patch(&company.path("")).json(&json!({"ai_assistants": true})).ok(200).await;
    for tokens in &ended {
        server.assert_revoked(&client, tokens).await;
    }
    server.assert_active(&one.connect(&server, &client).await).await;
}

#[both_engines]
async fn a_deactivation_a_removal_and_a_forced_log_out_revoke_all_connections(server: Server) {
    let client = server.client().await;
    let colleague = server.employee().await;
    let kept = colleague.connect(&server, &client).await;
    for (state, reason) in [("deactivated", "user_deactivated"), ("removed", "user_removed")] {
        let employee = server.employee_of(&colleague.company).await;
        let tokens = employee.connect(&server, &client).await;
        employee.company.set_state(&employee.id, state).await;
        // a deactivation and a removal revoke all connections of the employee
        server.assert_revoked(&client, &tokens).await;
        employee.assert_revoked_for(reason).await;
        if state == "deactivated" {
            employee.company.set_state(&employee.id, "active").await;
            // a reactivation restores no connection
            server.assert_revoked(&client, &tokens).await;
        }
    }
    let employee = server.employee_of(&colleague.company).await;
    let tokens = employee.connect(&server, &client).await;
    let path = format!("/admin/v1/users/{}/logout", employee.id);
    employee.company.operator.post(&path).ok(200).await;
    // a forced log-out revokes all connections
    server.assert_revoked(&client, &tokens).await;
    employee.assert_revoked_for("logged_out").await;
    server.assert_active(&kept).await;
}

#[both_engines]
async fn the_next_request_of_a_new_guest_revokes_all_connections_of_the_guest(server: Server) {
    // when an employee becomes a guest, the next request through any of their connections revokes all of these
    // connections
    let (client, web) = (server.client().await, server.client_with("none", &[WEB]).await);
    for presented in [
        "refresh token",
        "access token",
        "expired access token",
        "replaced access token",
        "spent refresh token",
    ] {
        let employee = server.employee().await;
        let (first, two) = (employee.connect(&server, &client).await, employee.connect(&server, &web).await);
        let is_replaced = presented.starts_with("replaced") || presented.starts_with("spent");
        let one = if is_replaced { client.renewed(&first).await } else { first.clone() };
        let become_guest = async |is_external: bool| {
            employee.company.update_user(&employee.id, json!({"is_external": is_external})).await;
        };
        // nothing is revoked if no request is sent while the employee is a guest
        become_guest(true).await;
        become_guest(false).await;
        server.assert_active(&one).await;
        if presented == "expired access token" {
            server.clock.advance(HOUR);
        }
        become_guest(true).await;
        if presented.ends_with("refresh token") {
            client.refresh(&first.refresh).await.refused(400, "invalid_grant");
        } else {
            // every request checks the employee again, even if its access token has expired or was replaced
            server.assert_rejects(&first.access).await;
        }
        become_guest(false).await;
        // the request above has revoked both connections, so they stay revoked although the person is
        // an employee again
        server.assert_revoked(&client, &one).await;
        server.assert_revoked(&web, &two).await;
        employee.assert_revoked_for("not_employee").await;
        // a refresh checks whether its token is spent before it checks the person (D-299)
        let expected = if presented == "spent refresh token" { "refresh_reused" } else { "not_employee" };
        assert_eq!(employee.connections().await[0]["reason"], expected, "{presented}");
    }
}

#[both_engines]
async fn a_newer_connection_replaces_an_older_one(server: Server) {
    let registered = [LOCAL, "http://127.0.0.1/other", WEB];
    let (employee, client) = (server.employee().await, server.client_with("none", &registered).await);
    let older = employee.connect(&server, &client).await;
    // the older connection is revoked only when the code of the newer connection is exchanged
    let code = employee.approve(&server, &client, &[]).await;
    server.assert_active(&older).await;
    let newer = Tokens::of(&client.exchange(&code).await.ok());
    // a new connection with the same redirect URI replaces the older connection
    server.assert_revoked(&client, &older).await;
    assert_eq!(employee.connections().await[0]["reason"], "replaced");
    // a loopback redirect URI with another port counts as the same redirect URI
    let port = [("redirect_uri", "http://127.0.0.1:9/callback")];
    let moved = employee.connect_with(&server, &client, &port).await;
    server.assert_revoked(&client, &newer).await;
    let readonly = format!("{}/mcp/readonly", server.base);
    let narrow = employee.connect_with(&server, &client, &[("resource", &readonly)]).await;
    // a connection for another resource replaces the older connection, too (A-244, D-313)
    server.assert_revoked(&client, &moved).await;
    let reader = employee.connect_with(&server, &client, &[("scope", "service:read")]).await;
    // a connection with another scope replaces the older connection, too (A-244, D-313)
    server.assert_revoked(&client, &narrow).await;
    // a connection does not replace another one if the two differ in the employee, the company, the client, or the
    // path or the kind (loopback or web) of the redirect URI (A-243, A-244, D-313)
    let other_path = [("redirect_uri", "http://127.0.0.1/other")];
    let others = [
        employee.connect_with(&server, &client, &other_path).await,
        employee.connect_with(&server, &client, &[("redirect_uri", WEB)]).await,
        server.employee_of(&employee.company).await.connect(&server, &client).await,
        server.employee().await.connect(&server, &client).await,
        employee.connect(&server, &server.client().await).await,
    ];
    for tokens in others.iter().chain([&reader]) {
        server.assert_active(tokens).await;
    }
}

#[both_engines]
async fn a_connection_expires_after_thirty_days_without_a_refresh(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    server.advance(30 * DAY - seconds(1)).await;
    assert_eq!(employee.state().await.0, "active");
    server.clock.advance(seconds(1));
    employee.assert_revoked_for("refresh_expired").await; // A-246, before the maintenance job stores the expiry
    server.advance(seconds(0)).await;
    employee.assert_revoked_for("refresh_expired").await;
    server.assert_revoked(&client, &tokens).await;
}

#[both_engines]
async fn revoking_an_expired_connection_does_not_change_why_it_ended(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let revoke_newest = async || {
        let newest = employee.connections().await.pop().unwrap();
        let path = format!("/admin/v1/connections/{}", newest["id"].as_str().unwrap());
        employee.company.operator.delete(&path).ok(200).await;
    };
    let company = &employee.company;
    let limit = async |hours: Value| {
        company.operator.patch(&company.path("")).json(&json!({"max_session_hours": hours})).ok(200).await;
    };
    // the test moves only the clock, so no maintenance job stores that the connections have expired
    limit(json!(2)).await;
    employee.connect(&server, &client).await;
    server.clock.advance(2 * HOUR);
    employee.assert_revoked_for("session_expired").await;
    revoke_newest().await;
    employee.assert_revoked_for("session_expired").await;
    let tokens = employee.connect(&server, &client).await;
    server.clock.advance(2 * HOUR);
    client.revoke(&tokens.access).await.ok();
    employee.assert_revoked_for("session_expired").await;
    limit(Value::Null).await;
    employee.connect(&server, &client).await;
    server.clock.advance(30 * DAY);
    employee.assert_revoked_for("refresh_expired").await;
    revoke_newest().await;
    employee.assert_revoked_for("refresh_expired").await;
}

#[both_engines]
async fn a_connection_ends_at_the_company_s_maximum_session_lifetime(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let company = employee.company.clone();
    let limit = async |hours: Value| {
        company.operator.patch(&company.path("")).json(&json!({"max_session_hours": hours})).ok(200).await;
    };
    limit(json!(2)).await;
    let tokens = employee.connect(&server, &client).await;
    server.advance(HOUR + HOUR / 2).await;
    let tokens = client.renewed(&tokens).await;
    server.assert_active(&tokens).await;
    server.clock.advance(HOUR / 2 - seconds(1));
    server.assert_active(&tokens).await;
    server.clock.advance(seconds(1));
    employee.assert_revoked_for("session_expired").await; // although no request has been sent since the expiry
    server.assert_revoked(&client, &tokens).await; // A-247, although the access token has half an hour left
    employee.assert_revoked_for("session_expired").await;
    // a shorter maximum ends all connections that are older than the maximum, and a longer maximum restores none of
    // them
    let tokens = employee.connect(&server, &client).await;
    server.advance(HOUR + seconds(1)).await;
    limit(json!(1)).await;
    limit(Value::Null).await;
    server.assert_revoked(&client, &tokens).await;
    let tokens = employee.connect(&server, &client).await;
    limit(json!(1)).await;
    server.clock.advance(HOUR);
    limit(Value::Null).await; // no request has used the connection since it expired
    server.assert_revoked(&client, &tokens).await;
}

#[both_engines]
async fn maintenance_jobs_change_no_response_about_a_revoked_connection(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let code = employee.approve(&server, &client, &[]).await;
    let first = Tokens::of(&client.exchange(&code).await.ok());
    let second = client.renewed(&first).await;
    client.revoke(&second.access).await.ok();
    server.advance(MINUTE).await;
    for tokens in [&first, &second] {
        server.assert_revoked(&client, tokens).await;
    }
    client.exchange(&code).await.refused(400, "invalid_grant");
    client.revoke(&first.refresh).await.ok();
    employee.assert_revoked_for("client").await;
}

#[both_engines]
async fn the_last_use_is_stored_at_most_once_a_minute(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let tokens = employee.connect(&server, &client).await;
    let used = async || employee.connections().await[0]["last_used_at"].clone();
    assert_eq!(used().await, Value::Null);
    server.assert_active(&tokens).await;
    let first = used().await;
    assert!(first.is_string());
    server.clock.advance(seconds(59));
    server.assert_active(&tokens).await;
    assert_eq!(
        used().await,
        first,
        "a request less than a minute after the stored last use does not write it again"
    );
    server.clock.advance(seconds(1));
    server.assert_active(&tokens).await;
    assert_ne!(used().await, first);
}
