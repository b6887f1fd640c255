//! `GET /v1/auth/test`, which checks a bot token (B-343 … B-346, D-144).

use serde_json::{Value, json};

use crate::support::*;

/// Creates a company without a domain. `domain` is null, or `None` for a request without the member `domain`.
async fn company_without_domain(server: &Server, domain: Option<Value>) -> Company {
    let operator = server.operator();
    let mut body = json!({"name": "No Domain Ltd"});
    if let Some(domain) = domain {
        body["domain"] = domain;
    }
    let made = operator.post("/admin/v1/workspaces").json(&body).ok(201).await;
    let mut company = Company { id: text(&made, "/workspace/id"), operator, admin: String::new() };
    company.admin = company.person_with(json!({"is_admin": true})).await;
    company
}

#[track_caller]
fn assert_no_domain(what: &str, value: &Value) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, inner)| {
            assert_ne!(name, "domain", "only `auth/test` returns the domain (B-345): {what}");
            assert_no_domain(what, inner);
        }),
        Value::Array(items) => items.iter().for_each(|inner| assert_no_domain(what, inner)),
        _ => {}
    }
}

#[both_engines]
async fn the_company_bot_app_and_scopes_of_the_token_are_returned(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    for scopes in [&["messages:write", "files:read"][..], &["users:read"], &ALL_SCOPES] {
        let bot = company.install(&app, scopes).await;
        let answer = bot.api.get("/v1/auth/test").ok(200).await;
        assert_eq!(
            members(&answer),
            ["app_id", "bot", "ok", "scopes", "workspace"],
            "`auth/test` returns these members only (B-343, D-144)"
        );
        let path = format!("/admin/v1/workspaces/{}", company.id);
        let workspace = company.operator.get(&path).ok(200).await;
        let name = &workspace["workspace"]["name"];
        let expected = json!({"id": company.id, "name": name, "domain": "example.com"});
        assert_eq!(answer["workspace"], expected, "the company is returned with its domain (B-343, B-344)");
        assert!(
            text(&answer, "/workspace/id").starts_with("cmp_"),
            "the company's id begins with `cmp_` (B-343)"
        );
        assert_eq!(members(&answer["bot"]), ["id", "name"], "`bot` has an id and a name (D-144)");
        assert_eq!(answer["bot"]["id"], bot.user_id.as_str(), "`bot` is the bot of the token (D-144)");
        assert!(!text(&answer, "/bot/name").is_empty(), "`bot` has an id and a name (D-144)");
        assert_eq!(answer["app_id"], app.id.as_str(), "`app_id` is the bot's app (D-144)");
        let reported = answer["scopes"].as_array().expect("`scopes` is an array of texts (D-144)");
        let mut reported: Vec<_> = reported
            .iter()
            .map(|scope| scope.as_str().expect("`scopes` is an array of texts (D-144)"))
            .collect();
        let mut granted = scopes.to_vec();
        reported.sort_unstable();
        granted.sort_unstable();
        assert_eq!(reported, granted, "the scopes are those of this token (D-144, D-039)");
    }
}

#[both_engines]
async fn the_domain_may_be_null(server: Server) {
    for domain in [None, Some(json!(null))] {
        let company = company_without_domain(&server, domain).await;
        let bot = company.bot(&server).await;
        let answer = bot.api.get("/v1/auth/test").ok(200).await;
        assert_eq!(
            members(&answer["workspace"]),
            ["domain", "id", "name"],
            "`domain` is never absent (B-343)"
        );
        assert!(
            answer["workspace"]["domain"].is_null(),
            "`domain` of a company without a domain is null (B-344): {answer}"
        );
        let path = format!("/admin/v1/workspaces/{}", company.id);
        let change = json!({"domain": "later.example", "name": "Later Ltd"});
        company.operator.patch(&path).json(&change).ok(200).await;
        let workspace = bot.api.get("/v1/auth/test").ok(200).await["workspace"].clone();
        assert_eq!(
            workspace,
            with(change, json!({"id": company.id})),
            "the current name and domain are returned (B-343, B-344)"
        );
    }
}

#[both_engines]
async fn no_other_operation_returns_the_domain(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let mail = "anna.domain@example.com";
    let anna = company.person_with(json!({"email": mail, "email_visible": true})).await;
    let file = company.file(&fixture.person, "a.txt", "text/plain", b"a").await;
    company.post_with(&fixture.group, &fixture.person, json!({"type": "file", "file_ids": [file]})).await;
    let id = fixture.posted(json!({})).await;
    let group = &fixture.group;
    for path in [
        "/v1/users".to_owned(),
        format!("/v1/users/{anna}"),
        format!("/v1/users/lookup?email={mail}"),
        "/v1/conversations".to_owned(),
        format!("/v1/conversations/{group}"),
        format!("/v1/conversations/{group}/messages"),
        format!("/v1/conversations/{group}/files/{file}"),
    ] {
        assert_no_domain(&path, &bot.api.get(&path).ok(200).await);
    }
    assert_no_domain("send", &bot.sending("k", &fixture.post(json!({}))).ok(201).await);
    assert_no_domain("edit", &bot.editing(&id, &json!({"text": "a"})).ok(200).await);
    assert_no_domain("delete", &bot.deleting(&id).ok(200).await);
    assert_no_domain("error", &bot.deleting(&id).send().await.json());
    let code = company.install_code(&bot.app, &ALL_SCOPES).await;
    let exchanged = bot.app.exchange(&server.api(), &code).await;
    assert_no_domain("exchange", &exchanged);
    let (id, secret) = (&bot.app.client_id, &bot.app.client_secret);
    let body = json!({"token": bot.token, "client_id": id, "client_secret": secret});
    assert_no_domain("revoke", &server.api().post("/oauth/revoke").json(&body).ok(200).await);
}

#[both_engines]
async fn each_installation_gets_its_own_company_and_bot(server: Server) {
    let here = server.company().await;
    let there = server.company().await;
    let bot = here.bot(&server).await;
    let second_bot = there.install(&bot.app, &[]).await;
    for (company, bot) in [(&here, &bot), (&there, &second_bot)] {
        let answer = bot.api.get("/v1/auth/test").ok(200).await;
        assert_eq!(answer["workspace"]["id"], company.id.as_str());
        assert_eq!(answer["bot"]["id"], bot.user_id.as_str());
        assert_eq!(answer["app_id"], bot.app.id.as_str());
    }
    assert_ne!(bot.user_id, second_bot.user_id);
}

#[both_engines]
async fn the_token_of_a_disconnected_installation_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
    fixture.company.uninstall(&fixture.bot).await;
    // an app that polls `auth/test` notices that its installation was disconnected (B-346, B-468)
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
}
