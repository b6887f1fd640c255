//! Connections as admins and employees see them (W-38, W-39), and the list of the block keys that a company has blocked
//! (W-40).

use serde_json::{Value, json};

use crate::support::{Server, assistant::*, both_engines};

fn items(page: &Value) -> Vec<Value> {
    page["connections"].as_array().expect("connections").clone()
}

#[both_engines]
async fn a_connection_has_the_documented_members(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    employee.connect_with(&server, &client, &[("scope", "service:read")]).await;
    let record = employee.connections().await.remove(0);
    let made = record["created_at"].clone();
    let id = record["id"].as_str().expect("an id").to_owned();
    assert!(id.starts_with("con_"));
    assert_eq!(
        record,
        json!({
            "id": id, "user_id": employee.id, "client_id": client.id, "client_kind": "registered",
            "display_name": "Calendar Helper", "block_key": "local:calendar helper", "redirect_uri": LOCAL,
            "resource": format!("{}/mcp", server.base), "scope": "service:read", "created_at": made,
            "refreshed_at": null, "last_used_at": null, "state": "active", "reason": null,
        })
    );
}

#[both_engines]
async fn employees_and_admins_see_and_revoke_connections(server: Server) {
    let company = server.company().await;
    let (one, two) = (server.employee_of(&company).await, server.employee_of(&company).await);
    let stranger = server.employee().await;
    let client = server.client().await;
    one.connect(&server, &client).await;
    two.connect(&server, &client).await;
    let path = company.path("/connections");
    let of = |user: &str| format!("{path}?user_id={user}");
    assert_eq!(items(&company.operator.get(&path).ok(200).await).len(), 2);
    assert_eq!(items(&company.operator.get(&of(&two.id)).ok(200).await).len(), 1);
    assert!(items(&company.operator.get(&of("usr_x")).ok(200).await).is_empty());
    // an employee sees only their own connections
    let own = one.session(&server).await;
    for path in [&path, &of(&one.id)] {
        let seen = items(&own.get(path).ok(200).await);
        assert!(seen.len() == 1 && seen[0]["user_id"] == *one.id);
    }
    own.get(&of(&two.id)).refused(403, "forbidden").await;
    let other = stranger.session(&server).await;
    other.get(&path).refused(404, "not_found").await;
    // an employee cannot revoke the connection of a colleague
    let id = two.connections().await[0]["id"].as_str().unwrap().to_owned();
    let id = format!("/admin/v1/connections/{id}");
    own.delete(&id).refused(403, "forbidden").await;
    other.delete(&id).refused(404, "not_found").await;
    company.operator.delete("/admin/v1/connections/con_x").refused(404, "not_found").await;
    assert_eq!(two.state().await.0, "active");
    // an admin sees and revokes all connections of the company
    company.update_user(&one.id, json!({"is_admin": true})).await;
    let admin = one.session(&server).await;
    assert_eq!(items(&admin.get(&path).ok(200).await).len(), 2);
    admin.delete(&id).ok(200).await;
    two.assert_revoked_for("admin").await;
    // if admins revoke their own connection, the reason is `employee`
    let id = one.connections().await[0]["id"].as_str().unwrap().to_owned();
    admin.delete(&format!("/admin/v1/connections/{id}")).ok(200).await;
    one.assert_revoked_for("employee").await;
}

#[both_engines]
async fn connections_are_filtered_by_state_and_paged(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    // each new connection of the same client revokes the previous one, so only the last one is active
    for _ in 0..5 {
        employee.connect(&server, &client).await;
    }
    let operator = &employee.company.operator;
    let path = employee.company.path("/connections");
    let all = items(&operator.get(&path).ok(200).await);
    assert_eq!(all.len(), 5);
    let active = items(&operator.get(&format!("{path}?state=active")).ok(200).await);
    assert_eq!(active, all[4..]);
    let revoked = items(&operator.get(&format!("{path}?state=revoked")).ok(200).await);
    assert_eq!(revoked, all[..4]);
    operator.get(&format!("{path}?state=x")).refused(400, "invalid_request").await;
    for filter in ["", "&state=revoked", &format!("&user_id={}", employee.id)] {
        let (mut listed, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = operator.get(&format!("{path}?limit=2{filter}{cursor}")).ok(200).await;
            listed.extend(items(&page));
            let Some(next) = page["next_cursor"].as_str() else { break };
            cursor = format!("&cursor={next}");
        }
        let expected = if filter.contains("state") { &all[..4] } else { &all[..] };
        assert_eq!(
            listed, expected,
            "the pages together have the same connections in the same order as the list on one page: {filter}"
        );
        // a cursor is valid only with the filters of the page that returned it
        if !cursor.is_empty() {
            let call = operator.get(&format!("{path}?limit=2&state=active{cursor}"));
            call.refused(400, "invalid_cursor").await;
        }
    }
}

#[both_engines]
async fn a_blocked_key_has_the_name_of_a_client_that_was_connected_or_null(server: Server) {
    let (employee, client) = (server.employee().await, server.client().await);
    let company = &employee.company;
    employee.connect(&server, &client).await;
    for key in ["local:calendar%20helper", "never.example"] {
        company.operator.put(&company.path(&format!("/client_blocks/{key}"))).ok(200).await;
    }
    let page = company.operator.get(&company.path("/client_blocks")).ok(200).await;
    let names: Vec<_> =
        page["client_blocks"].as_array().unwrap().iter().map(|b| b["display_name"].clone()).collect();
    assert_eq!(names, [json!("Calendar Helper"), Value::Null]);
}
