//! Disconnecting an installation, and installing the app again (B-364 … B-367, B-369, B-370, D-038, D-039).
//!
//! The tests of `events` check the content of the event `app.uninstalled`, and that the token is revoked before the
//! event is sent. The tests here check only how many such events are created.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::*;

impl Company {
    /// Returns the ids of the `app.uninstalled` events that were created for an app in this company.
    pub async fn uninstall_events(&self, app: &App) -> BTreeSet<String> {
        let path = format!("/admin/v1/apps/{}/deliveries?limit=1000", app.id);
        let page = self.operator.get(&path).ok(200).await;
        let all = page["deliveries"].as_array().expect("deliveries");
        let here = all.iter().filter(|d| d["workspace_id"] == self.id.as_str());
        here.filter(|d| d["type"] == "app.uninstalled").map(|d| text(d, "/event_id")).collect()
    }

    /// Returns the app's latest installation from the admin API's list.
    async fn installation(&self, app: &App) -> Value {
        let list = self.operator.get(&self.path("/installations")).ok(200).await;
        let all = list["installations"].as_array().expect("installations");
        all.iter().rfind(|i| i["app_id"] == app.id.as_str()).expect("the app is installed").clone()
    }
}

impl App {
    async fn set_disabled(&self, server: &Server, disabled: bool) {
        let path = format!("/admin/v1/apps/{}", self.id);
        server.operator().patch(&path).json(&json!({"disabled": disabled})).ok(200).await;
    }
}

impl App {
    /// Asserts that the exchange of a code gets the same error as the exchange of an unknown code.
    async fn cannot_exchange(&self, server: &Server, code: &str) {
        let body = |code: &str| self.body(json!({"grant_type": "authorization_code", "code": code}));
        let exchange = async |code: &str| {
            let answer = server.api().post("/oauth/token").json(&body(code)).send().await;
            answer.refused(400, "invalid_grant").json()["error"].clone()
        };
        assert_eq!(exchange(code).await, exchange("svc_code_unknown").await);
    }
}

/// Asserts that every operation of a bot returns `token_revoked` (B-367).
async fn assert_token_revoked(bot: &Bot, fixture: &BotFixture) {
    let (group, person) = (&fixture.group, &fixture.person);
    for path in [
        "/v1/auth/test".to_owned(),
        "/v1/users".to_owned(),
        format!("/v1/users/{person}"),
        "/v1/users/lookup?email=a@example.com".to_owned(),
        "/v1/conversations".to_owned(),
        format!("/v1/conversations/{group}"),
        format!("/v1/conversations/{group}/messages"),
        format!("/v1/conversations/{group}/files/fil_0000000000001"),
    ] {
        bot.api.get(&path).refused(401, "token_revoked").await;
    }
    bot.sending("dead", &fixture.post(json!({}))).refused(401, "token_revoked").await;
    bot.editing(NOTHING, &json!({"text": "a"})).refused(401, "token_revoked").await;
    bot.deleting(NOTHING).refused(401, "token_revoked").await;
}

#[both_engines]
async fn an_uninstalled_app_is_disconnected(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let second = company.install(&bot.app, &["users:read"]).await;
    assert_eq!(company.installation(&bot.app).await["state"], "connected");
    company.uninstall(bot).await;
    for token in [bot, &second] {
        assert_token_revoked(token, &fixture).await; // B-364, B-367: all tokens of the installation are revoked
    }
    let record = company.installation(&bot.app).await;
    assert_eq!(record["state"], "disconnected", "an uninstalled app is disconnected (B-364)");
    assert_eq!(record["reason"], "admin", "the reason is `admin` (B-364)");
    assert_eq!(company.uninstall_events(&bot.app).await.len(), 1, "uninstalling creates one event (B-364)");
    company.uninstall(bot).await;
    assert_eq!(
        company.uninstall_events(&bot.app).await.len(),
        1,
        "a second uninstallation creates no further event (B-364)"
    );
    server.advance(PAST_A_DAY * 365).await;
    bot.api.get("/v1/auth/test").refused(401, "token_revoked").await; // B-367: the token stays revoked
    assert_eq!(
        company.installation(&bot.app).await["state"],
        "disconnected",
        "an uninstalled app stays disconnected (B-367)"
    );
}

#[both_engines]
async fn a_disabled_app_is_disconnected_in_every_company(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let other_company = server.company().await;
    let second_bot = other_company.install(app, &ALL_SCOPES).await;
    let bystander = fixture.company.bot(&server).await;
    app.set_disabled(&server, true).await;
    for bot in [&fixture.bot, &second_bot] {
        assert_token_revoked(bot, &fixture).await; // B-365: tokens are revoked in every company
    }
    for company in [&fixture.company, &other_company] {
        let record = company.installation(app).await;
        assert_eq!(record["state"], "disconnected", "a disabled app is disconnected (B-365)");
        assert_eq!(record["reason"], "app_disabled", "the reason is `app_disabled` (B-365)");
        assert_eq!(
            company.uninstall_events(app).await.len(),
            1,
            "one event is created in each company (B-365)"
        );
    }
    bystander.api.get("/v1/auth/test").ok(200).await;
    // D-038: enabling the app does not restore tokens
    app.set_disabled(&server, false).await;
    for bot in [&fixture.bot, &second_bot] {
        bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
    let again = fixture.company.install(app, &ALL_SCOPES).await;
    again.api.get("/v1/auth/test").ok(200).await;
    assert_eq!(again.user_id, fixture.bot.user_id, "installing again keeps the bot user (D-038)");
    assert_eq!(fixture.company.uninstall_events(app).await.len(), 1, "installing again creates no event");
}

#[both_engines]
async fn an_app_that_revokes_its_token_is_disconnected(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let body = app.body(json!({"token": fixture.bot.token}));
    server.api().post("/oauth/revoke").json(&body).ok(200).await;
    assert_token_revoked(&fixture.bot, &fixture).await; // B-366, B-367: the token is revoked
    let record = fixture.company.installation(app).await;
    assert_eq!(record["state"], "disconnected", "revoking the token disconnects the installation (B-366)");
    assert_eq!(record["reason"], "app_revoked", "the reason is `app_revoked` (B-366)");
    assert!(
        fixture.company.uninstall_events(app).await.is_empty(),
        "no event is created for an app that revokes its token (B-366)"
    );
    app.set_disabled(&server, true).await;
    assert!(
        fixture.company.uninstall_events(app).await.is_empty(),
        "disabling the app creates no event for a disconnected installation (B-366)"
    );
    assert_eq!(
        fixture.company.installation(app).await["reason"],
        "app_revoked",
        "disabling the app does not change the reason of a disconnected installation (B-366)"
    );
}

#[both_engines]
async fn a_new_installation_has_a_new_token_and_the_same_bot_user(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    company.uninstall(bot).await;
    let again = company.install(&bot.app, &["messages:write"]).await;
    assert_ne!(again.token, bot.token, "a new installation has a new token (B-369)");
    assert_eq!(again.user_id, bot.user_id, "a new installation has the same bot user (B-369)");
    assert_token_revoked(bot, &fixture).await; // B-369: the old token stays revoked
    again.api.get("/v1/auth/test").ok(200).await;
    again.api.get("/v1/users").refused(403, "missing_scope").await; // the new token has only the new scopes
    assert_eq!(company.installation(&bot.app).await["state"], "connected");
    company.uninstall(&again).await;
    let third = company.install(&bot.app, &ALL_SCOPES).await;
    assert_eq!(third.user_id, bot.user_id, "installing again keeps the bot user (B-369)");
    for old in [bot, &again] {
        old.api.get("/v1/auth/test").refused(401, "token_revoked").await; // B-369: old tokens stay revoked
    }
    assert_eq!(
        company.uninstall_events(&bot.app).await.len(),
        2,
        "each uninstallation creates one event (B-364)"
    );
}

#[both_engines]
async fn a_second_code_adds_a_token(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let second = company.install(&bot.app, &["users:read"]).await;
    assert_ne!(second.token, bot.token, "a second code adds a token (B-370)");
    assert_eq!(second.user_id, bot.user_id, "both tokens have the same bot user (B-370)");
    for token in [bot, &second] {
        token.api.get("/v1/users").ok(200).await; // B-370: both tokens are valid
    }
    // D-039: scopes belong to the token
    second.cannot_send(&fixture.post(json!({})), 403, "missing_scope").await;
    fixture.posted(json!({})).await;
    let list = company.operator.get(&company.path("/installations")).ok(200).await;
    let all = list["installations"].as_array().unwrap();
    assert_eq!(all.len(), 1, "both tokens belong to one installation (B-370)");
    assert_eq!(all[0]["bot_user_id"], bot.user_id.as_str());
}

#[both_engines]
async fn codes_approved_before_the_uninstall_are_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, app) = (&fixture.company, &fixture.bot.app);
    let elsewhere = server.company().await;
    let code = company.install_code(app, &ALL_SCOPES).await;
    let theirs = elsewhere.install_code(app, &ALL_SCOPES).await;
    company.uninstall(&fixture.bot).await;
    app.cannot_exchange(&server, &code).await;
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await; // B-367: the token stays revoked
    assert_eq!(company.installation(app).await["state"], "disconnected");
    // an approval in another company stays valid
    app.exchange(&server.api(), &theirs).await;
    // a code that was approved later stays valid too: the repeated uninstallation changes nothing
    let later = company.install_code(app, &ALL_SCOPES).await;
    company.uninstall(&fixture.bot).await;
    app.exchange(&server.api(), &later).await;
}

#[both_engines]
async fn codes_approved_before_the_app_revoked_its_token_stay_valid(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, app) = (&fixture.company, &fixture.bot.app);
    let code = company.install_code(app, &ALL_SCOPES).await;
    let body = app.body(json!({"token": fixture.bot.token}));
    server.api().post("/oauth/revoke").json(&body).ok(200).await;
    assert_eq!(company.installation(app).await["state"], "disconnected");
    // an app may revoke its token, and then exchange a code that an admin approved before the revocation
    app.exchange(&server.api(), &code).await;
    assert_eq!(company.installation(app).await["state"], "connected");
}

#[both_engines]
async fn codes_approved_before_the_app_was_disabled_are_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    // the app is connected in the first company, and only approved in the second company
    let elsewhere = server.company().await;
    let codes = [
        fixture.company.install_code(app, &ALL_SCOPES).await,
        elsewhere.install_code(app, &ALL_SCOPES).await,
    ];
    app.set_disabled(&server, true).await;
    app.set_disabled(&server, false).await;
    for code in &codes {
        app.cannot_exchange(&server, code).await;
    }
    let again = elsewhere.install_code(app, &ALL_SCOPES).await;
    app.exchange(&server.api(), &again).await;
}

#[both_engines]
async fn codes_approved_by_a_former_admin_are_refused(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let path = company.path("/installations");
    let approve = async |admin: Option<&str>| {
        let mut call = company.operator.post(&path).json(&json!({"app_id": app.id}));
        if let Some(admin) = admin {
            call = call.header("x-acting-user", admin);
        }
        text(&call.ok(201).await, "/code")
    };
    for what in ["demoted", "deactivated", "removed"] {
        let admin = company.person_with(json!({"is_admin": true})).await;
        let code = approve(Some(&admin)).await;
        match what {
            "demoted" => company.update_user(&admin, json!({"is_admin": false})).await,
            state => company.set_state(&admin, state).await,
        }
        app.cannot_exchange(&server, &code).await;
    }
    // an approval that the operator gives without acting for a person depends on no admin
    let code = approve(None).await;
    app.exchange(&server.api(), &code).await;
}
