//! Apps, installations, connections of assistants and blocked clients, through the admin API (W-29 … W-43).

use serde_json::{Value, json};

use crate::{
    admin::sessions::{sign_in, with_password},
    support::*,
};

fn app_body(members: Value) -> Value {
    let mut body =
        json!({"name": "App", "redirect_uris": ["https://app.example/cb"], "scopes": ["users:read"]});
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

async fn installations(company: &Company) -> Vec<Value> {
    let page = company.operator.get(&company.path("/installations")).ok(200).await;
    page["installations"].as_array().unwrap().clone()
}

#[both_engines]
async fn an_app_is_registered_and_changed(server: Server) {
    let operator = server.operator();
    let body = app_body(
        json!({"callback_url": "https://app.example/events", "scopes": ["files:read", "users:read"]}),
    );
    let made = operator.post("/admin/v1/apps").json(&body).ok(201).await;
    assert!(text(&made, "/client_id").starts_with("svc_app_"));
    assert!(text(&made, "/client_secret").starts_with("svc_sec_"));
    assert!(text(&made, "/signing_secret").starts_with("whsec_"));
    let app = made["app"].clone();
    assert_eq!(
        app,
        json!({
            "id": app["id"], "name": "App", "client_id": made["client_id"],
            "redirect_uris": ["https://app.example/cb"], "callback_url": "https://app.example/events",
            "scopes": ["users:read", "files:read"], "disabled": false, "created_at": app["created_at"],
        })
    );
    let path = format!("/admin/v1/apps/{}", text(&app, "/id"));
    assert_eq!(operator.get(&path).ok(200).await["app"], app);
    let change = json!({"callback_url": null, "name": "Other", "scopes": []});
    let changed = operator.patch(&path).json(&change).ok(200).await["app"].clone();
    assert_eq!(changed["callback_url"], Value::Null);
    assert_eq!(changed["name"], "Other");
    assert_eq!(changed["scopes"], json!([]));
    assert_eq!(changed["redirect_uris"], app["redirect_uris"]);
    let list = operator.get("/admin/v1/apps?limit=1000").ok(200).await;
    assert!(list["apps"].as_array().unwrap().contains(&changed));
    operator.get("/admin/v1/apps/x").refused(404, "not_found").await;
    operator.patch("/admin/v1/apps/app_0000000000001").json(&json!({})).refused(404, "not_found").await;
    operator.get("/admin/v1/apps/x/deliveries").refused(404, "not_found").await;
}

#[both_engines]
async fn urls_and_scopes_of_apps_are_validated(server: Server) {
    let operator = server.operator();
    for members in [
        json!({"redirect_uris": ["http://app.example/cb"]}),
        json!({"redirect_uris": ["https://app.example/cb#x"]}),
        json!({"redirect_uris": ["https://user@app.example/cb"]}),
        json!({"redirect_uris": []}),
        json!({"callback_url": "http://app.example/events"}),
        json!({"callback_url": "https://localhost/events"}),
        json!({"callback_url": "https://127.0.0.1/events"}),
        json!({"callback_url": "https://10.0.0.1/events"}),
        json!({"callback_url": "https://2130706433/events"}),
        json!({"callback_url": "https://[::1]/events"}),
        json!({"callback_url": "https://[::ffff:169.254.169.254]/events"}),
        json!({"scopes": ["users:write"]}),
        json!({"scopes": ["users:read", "users:read"]}),
    ] {
        operator.post("/admin/v1/apps").json(&app_body(members)).refused(400, "invalid_request").await;
    }
    operator
        .post("/admin/v1/apps")
        .json(&app_body(json!({"redirect_uris": ["http://127.0.0.1:9/cb"]})))
        .ok(201)
        .await;
}

#[both_engines]
async fn only_valid_approvals_by_an_admin_are_accepted(server: Server) {
    let company = server.company().await;
    let other = server.company().await;
    let app = server.app(&["users:read", "files:read"]).await;
    let person = company.person().await;
    let path = company.path("/installations");
    let approve = async |members: Value, acting: &str| {
        let mut body = json!({"app_id": app.id});
        for (name, value) in members.as_object().unwrap() {
            body[name] = value.clone();
        }
        company.operator.post(&path).header("x-acting-user", acting).json(&body).send().await
    };
    approve(json!({"scopes": ["messages:write"]}), &company.admin).await.refused(400, "invalid_request");
    approve(json!({"redirect_uri": "https://app.example/other"}), &company.admin)
        .await
        .refused(400, "invalid_request");
    approve(json!({"code_challenge": "x"}), &company.admin).await.refused(400, "invalid_request");
    approve(json!({"app_id": "x"}), &company.admin).await.refused(404, "not_found");
    approve(json!({}), &person).await.refused(403, "forbidden");
    approve(json!({}), &other.admin).await.refused(404, "user_not_found");
    let made = approve(json!({}), &company.admin).await.ok(201);
    assert_eq!(made["expires_in"], 600);
    assert!(text(&made, "/code").starts_with("svc_code_"));
    assert_eq!(installations(&company).await, Vec::<Value>::new());
    let granted = app.exchange(&company.operator, &text(&made, "/code")).await;
    assert_eq!(granted["scope"], "users:read files:read");
    let list = installations(&company).await;
    assert_eq!(list.len(), 1);
    let installed = list[0].clone();
    assert_eq!(
        installed,
        json!({
            "id": installed["id"], "app_id": app.id, "workspace_id": company.id,
            "bot_user_id": granted["bot"]["id"], "scopes": ["users:read", "files:read"], "state": "connected",
            "reason": null, "installed_by": company.admin, "created_at": installed["created_at"],
            "disconnected_at": null,
        })
    );
    let code = company.install_code(&app, &["users:read"]).await;
    app.exchange(&company.operator, &code).await;
    assert_eq!(installations(&company).await, list);
    company
        .operator
        .patch(&format!("/admin/v1/apps/{}", app.id))
        .json(&json!({"disabled": true}))
        .ok(200)
        .await;
    approve(json!({}), &company.admin).await.refused(409, "conflict");
}

#[both_engines]
async fn uninstalling_and_disabling_an_app_disconnect_installations(server: Server) {
    let company = server.company().await;
    with_password(&company, "boss@example.com", true).await;
    let person = with_password(&company, "worker@example.com", false).await;
    let bot = company.bot(&server).await;
    let id = company.installation_of(&bot).await;
    let path = format!("/admin/v1/installations/{id}");
    company.operator.delete(&path).refused(400, "invalid_request").await;
    company.operator.delete(&path).header("x-acting-user", &person).refused(403, "forbidden").await;
    company.operator.delete(&path).header("x-acting-user", "x").refused(404, "user_not_found").await;
    let stranger = server.company().await.admin;
    company.operator.delete(&path).header("x-acting-user", &stranger).refused(404, "user_not_found").await;
    let worker = sign_in(&company, "worker@example.com").await;
    worker.delete(&path).refused(403, "forbidden").await;
    let boss = sign_in(&company, "boss@example.com").await;
    boss.delete(&path).ok(200).await;
    boss.delete(&path).ok(200).await;
    boss.delete("/admin/v1/installations/x").refused(404, "not_found").await;
    bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    let ended = installations(&company).await[0].clone();
    assert_eq!(ended["state"], "disconnected");
    assert_eq!(ended["reason"], "admin");
    assert!(ended["disconnected_at"].is_string());
    let page = company.operator.get(&format!("/admin/v1/apps/{}/deliveries", bot.app.id)).ok(200).await;
    assert_eq!(page["deliveries"].as_array().unwrap().len(), 1);
    assert_eq!(page["deliveries"][0]["type"], "app.uninstalled");

    // installing the app again creates another installation with the same bot user; the token of the first installation
    // stays revoked
    let again = company.install(&bot.app, &ALL_SCOPES).await;
    assert_eq!(again.user_id, bot.user_id);
    again.api.get("/v1/auth/test").ok(200).await;
    bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    assert_eq!(installations(&company).await.len(), 2);

    // disabling the app disconnects the installation and drops its pending directory events
    company.person().await;
    let patch = company.operator.patch(&format!("/admin/v1/apps/{}", bot.app.id));
    patch.json(&json!({"disabled": true})).ok(200).await;
    again.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    let page = company.operator.get(&format!("/admin/v1/apps/{}/deliveries", bot.app.id)).ok(200).await;
    assert_eq!(page["deliveries"][0]["type"], "app.uninstalled");
    assert_eq!(page["deliveries"][1]["state"], "dropped");
    assert_eq!(page["deliveries"][1]["next_attempt_at"], Value::Null);
    let patch = company.operator.patch(&format!("/admin/v1/apps/{}", bot.app.id));
    patch.json(&json!({"disabled": false})).ok(200).await;
    again.api.get("/v1/auth/test").refused(401, "token_revoked").await;
}

/// Renaming an app renames its bot users. A search by the new name finds the bot users.
#[both_engines]
async fn a_renamed_app_renames_its_bots(server: Server) {
    let (company, other) = (server.company().await, server.company().await);
    let bot = company.bot(&server).await;
    let elsewhere = other.install(&bot.app, &ALL_SCOPES).await;
    let path = format!("/admin/v1/apps/{}", bot.app.id);
    let rename = |name: &str| company.operator.patch(&path).json(&json!({"name": name}));
    let own_name = async |bot: &Bot| text(&bot.api.get("/v1/auth/test").ok(200).await, "/bot/name");
    rename("Shipping Agent").ok(200).await;
    for bot in [&bot, &elsewhere] {
        assert_eq!(own_name(bot).await, "Shipping Agent");
    }
    let found = company.operator.get(&company.path("/users?query=shipp")).ok(200).await;
    assert_eq!(found["users"].as_array().unwrap().len(), 1);
    assert_eq!(text(&found, "/users/0/id"), bot.user_id);

    // the app is renamed while it is not installed in the company: its next installation there renames the bot user
    company.uninstall(&bot).await;
    rename("Release Agent").ok(200).await;
    assert_eq!(own_name(&elsewhere).await, "Release Agent");
    let again = company.install(&bot.app, &ALL_SCOPES).await;
    assert_eq!((&again.user_id, own_name(&again).await.as_str()), (&bot.user_id, "Release Agent"));
    let found = company.operator.get(&company.path("/users?query=shipp")).ok(200).await;
    assert_eq!(found["users"], json!([]));
}

#[both_engines]
async fn secrets_are_rotated(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let path = format!("/admin/v1/apps/{}/rotate", bot.app.id);
    let signing = company.operator.post(&path).json(&json!({"secret": "signing"})).ok(200).await;
    assert!(text(&signing, "/signing_secret").starts_with("whsec_"));
    assert_eq!(signing.get("client_secret"), None);
    let client = company.operator.post(&path).json(&json!({"secret": "client"})).ok(200).await;
    let revoke = |secret: &str| {
        let body = json!({"token": "x", "client_id": bot.app.client_id, "client_secret": secret});
        company.operator.anonymous().post("/oauth/revoke").json(&body).send()
    };
    revoke(&bot.app.client_secret).await.refused(401, "invalid_client");
    revoke(&text(&client, "/client_secret")).await.ok(200);
}

#[both_engines]
async fn clients_are_blocked_and_connections_are_listed(server: Server) {
    let company = server.company().await;
    let path = company.path("/client_blocks");
    for key in ["a.example", "%2Fa%20b", "a.example"] {
        assert_eq!(company.operator.put(&format!("{path}/{key}")).ok(200).await["revoked"], 0);
    }
    let page = company.operator.get(&path).ok(200).await;
    let keys: Vec<_> = page["client_blocks"].as_array().unwrap().iter().map(|b| text(b, "/key")).collect();
    assert_eq!(keys, ["a.example", "/a b"]);
    company.operator.delete(&format!("{path}/a.example")).ok(200).await;
    company.operator.delete(&format!("{path}/a.example")).ok(200).await;
    let page = company.operator.get(&path).ok(200).await;
    assert_eq!(page["client_blocks"].as_array().unwrap().len(), 1);
    company.operator.put(&format!("{path}/a%00")).refused(400, "invalid_request").await;
    let page = company.operator.get(&company.path("/connections?state=active")).ok(200).await;
    assert_eq!(page["connections"], json!([]));
    company.operator.get(&company.path("/connections?cursor=x")).refused(400, "invalid_cursor").await;
    let page = company.operator.get("/admin/v1/assistant_clients").ok(200).await;
    assert_eq!(page["assistant_clients"], json!([]));
    company.operator.delete("/admin/v1/connections/con_0000000000001").refused(404, "not_found").await;
    let person = with_password(&company, "employee@example.com", false).await;
    let session = sign_in(&company, "employee@example.com").await;
    session.get(&company.path(&format!("/connections?user_id={person}"))).ok(200).await;
    session
        .get(&company.path(&format!("/connections?user_id={}", company.admin)))
        .refused(403, "forbidden")
        .await;
    session.get(&path).refused(403, "forbidden").await;
}
