//! Install codes and token revocation (B-350 … B-353, B-359, B-360, D-149 … D-152, D-156).

use std::time::Duration;

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use switchboard::{
    domain::refusal::Code,
    service::apps::installs::{AuthenticatedApp, CodeExchange},
    store::Error,
};

use crate::support::*;

const REDIRECT: &str = "https://app.example/callback";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

fn challenge(verifier: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))
}

impl Company {
    /// Approves an installation and returns the code. `members` are added to the JSON body of the request.
    async fn code_with(&self, app: &App, members: Value) -> String {
        let body = with(json!({"app_id": app.id}), members);
        let call = self.operator.post(&self.path("/installations")).header("x-acting-user", &self.admin);
        text(&call.json(&body).ok(201).await, "/code")
    }
}

impl App {
    /// Returns the request that exchanges a code. The body has the credentials of the app. `members` are added to the
    /// body, or replace its members.
    fn exchanging(&self, server: &Server, code: &str, members: Value) -> Call {
        let grant = json!({"grant_type": "authorization_code", "code": code});
        server.api().post("/oauth/token").json(&self.body(with(grant, members)))
    }

    fn revoking(&self, server: &Server, token: &str) -> Call {
        server.api().post("/oauth/revoke").json(&self.body(json!({"token": token})))
    }

    /// Rotates the client secret, and returns the app with the new secret.
    async fn with_new_secret(&self, operator: &Api) -> Self {
        let call = operator.post(&format!("/admin/v1/apps/{}/rotate", self.id));
        let client_secret = text(&call.json(&json!({"secret": "client"})).ok(200).await, "/client_secret");
        Self { client_secret, ..self.clone() }
    }

    /// Authenticates the app by its client id and client secret, as the OAuth endpoints do.
    async fn authenticated(&self, server: &Server) -> AuthenticatedApp {
        let world = server.running().world();
        world.authenticate_client(&self.client_id, &self.client_secret, server.clock.now()).await.unwrap()
    }
}

fn refusal_code<T: std::fmt::Debug>(result: Result<T, Error>) -> Code {
    match result {
        Err(Error::Refused(refusal)) => refusal.code,
        other => panic!("{other:?}"),
    }
}

#[both_engines]
async fn a_code_that_is_unknown_used_or_of_another_app_gets_invalid_grant(server: Server) {
    let company = server.company().await;
    let (app, other) = (server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await);
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let changed = with_other_last_character(&code);
    let (spaced, upper) = (format!("{code} "), code.to_uppercase());
    for unknown in ["x", &changed, &code[1..], &spaced, &upper, "\u{e9}"] {
        // B-350: an unknown code
        app.exchanging(&server, unknown, json!({})).refused(400, "invalid_grant").await;
    }
    // B-353: a code of another app is rejected, and stays valid for its own app
    for _ in 0..2 {
        other.exchanging(&server, &code, json!({})).refused(400, "invalid_grant").await;
    }
    let token = text(&app.exchanging(&server, &code, json!({})).ok(200).await, "/access_token");
    // B-352: a used code is rejected, whichever app presents it
    for app in [&app, &app, &other] {
        app.exchanging(&server, &code, json!({})).refused(400, "invalid_grant").await;
    }
    // D-152: presenting a used code does not revoke the token
    server.api().bearer(&token).get("/v1/auth/test").ok(200).await;
}

#[both_engines]
async fn a_code_expires_after_ten_minutes(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let (early, late) =
        (company.install_code(&app, &ALL_SCOPES).await, company.install_code(&app, &ALL_SCOPES).await);
    server.advance(Duration::from_secs(599)).await;
    app.exchanging(&server, &early, json!({})).ok(200).await; // B-351, D-151: within 10 minutes
    server.advance(Duration::from_secs(2)).await;
    app.exchanging(&server, &late, json!({})).refused(400, "invalid_grant").await; // B-351: after 10 minutes
    server.advance(Duration::from_secs(86_400)).await;
    app.exchanging(&server, &late, json!({})).refused(400, "invalid_grant").await; // B-351: a day later
}

#[both_engines]
async fn a_code_is_exchanged_once_only(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let exchanges = (0..10).map(|_| app.exchanging(&server, &code, json!({})).send());
    let answers = futures_util::future::join_all(exchanges).await;
    let successes = answers.iter().filter(|a| a.status == 200).count();
    assert_eq!(successes, 1, "exactly one of ten concurrent exchanges succeeds (B-352)");
    for answer in answers.into_iter().filter(|a| a.status != 200) {
        answer.refused(400, "invalid_grant"); // B-352: the code is used
    }
}

#[both_engines]
async fn a_code_grants_no_scope_that_was_removed_from_the_app(server: Server) {
    let company = server.company().await;
    let app = server.app(&["messages:write", "users:read"]).await;
    let [all, some, none] = [&["messages:write", "users:read"][..], &["users:read"], &["messages:write"]];
    let mut codes = Vec::new();
    for scopes in [all, some, none] {
        codes.push(company.install_code(&app, scopes).await);
    }
    let change = company.operator.patch(&format!("/admin/v1/apps/{}", app.id));
    change.json(&json!({"scopes": ["users:read", "files:read"]})).ok(200).await;
    for code in &codes[..2] {
        let answer = app.exchanging(&server, code, json!({})).ok(200).await;
        assert_eq!(
            answer["scope"], "users:read",
            "the token has the approved scopes that the app still requests"
        );
        let api = server.api().bearer(&text(&answer, "/access_token"));
        assert_eq!(api.get("/v1/auth/test").ok(200).await["scopes"], json!(["users:read"]));
    }
    app.exchanging(&server, &codes[2], json!({})).refused(400, "invalid_grant").await;
    let list = company.operator.get(&company.path("/installations")).ok(200).await;
    assert_eq!(
        list["installations"][0]["scopes"],
        json!(["users:read"]),
        "the installation has the same scopes as the token"
    );
    // the rejected code is still valid
    let change = company.operator.patch(&format!("/admin/v1/apps/{}", app.id));
    change.json(&json!({"scopes": ["messages:write"]})).ok(200).await;
    let answer = app.exchanging(&server, &codes[2], json!({})).ok(200).await;
    assert_eq!(answer["scope"], "messages:write");
}

#[both_engines]
async fn a_client_authenticated_before_its_secret_was_replaced_changes_nothing(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let code = company.install_code(&bot.app, &ALL_SCOPES).await;
    let client = bot.app.authenticated(&server).await;
    let renewed = bot.app.with_new_secret(&company.operator).await;
    let world = server.running().world();
    let exchange = CodeExchange { code: code.clone(), redirect_uri: None, code_verifier: None };
    assert_eq!(refusal_code(world.exchange_code(client, exchange).await), Code::InvalidClient);
    assert_eq!(refusal_code(world.revoke_token(client, &bot.token).await), Code::InvalidClient);
    bot.api.get("/v1/auth/test").ok(200).await;
    // the code is still valid
    renewed.exchanging(&server, &code, json!({})).ok(200).await;
}

#[both_engines]
async fn a_client_authenticated_before_its_app_was_disabled_changes_nothing(server: Server) {
    let company = server.company().await;
    let bot = company.bot(&server).await;
    let client = bot.app.authenticated(&server).await;
    let change = company.operator.patch(&format!("/admin/v1/apps/{}", bot.app.id));
    change.json(&json!({"disabled": true})).ok(200).await;
    let world = server.running().world();
    let exchange = CodeExchange { code: "svc_code_x".to_owned(), redirect_uri: None, code_verifier: None };
    assert_eq!(refusal_code(world.exchange_code(client, exchange).await), Code::InvalidClient);
    assert_eq!(refusal_code(world.revoke_token(client, &bot.token).await), Code::InvalidClient);
}

#[both_engines]
async fn an_exchange_needs_the_redirect_uri_of_the_installation_request(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    // D-149: the exchange must have the redirect URI of the installation request
    for wrong in [
        json!({}),
        json!({"redirect_uri": ""}),
        json!({"redirect_uri": format!("{REDIRECT}/")}),
        json!({"redirect_uri": REDIRECT.to_uppercase()}),
        json!({"redirect_uri": format!("{REDIRECT}?a=b")}),
        json!({"redirect_uri": "https://other.example/callback"}),
    ] {
        let code = company.code_with(&app, json!({"redirect_uri": REDIRECT})).await;
        let answer = app.exchanging(&server, &code, wrong.clone()).send().await;
        assert_eq!(
            answer.status,
            400,
            "the redirect URI must be that of the installation request (D-149): {wrong}: {}",
            answer.text()
        );
        answer.refused(400, "invalid_grant");
    }
    let code = company.code_with(&app, json!({"redirect_uri": REDIRECT})).await;
    app.exchanging(&server, &code, json!({"redirect_uri": REDIRECT})).ok(200).await;
    let code = company.code_with(&app, json!({})).await;
    app.exchanging(&server, &code, json!({})).ok(200).await; // the installation request had no redirect URI
}

#[both_engines]
async fn without_a_redirect_uri_in_the_installation_request_a_registered_one_is_accepted(server: Server) {
    // D-149: if the installation request had no redirect URI, the exchange may have none or a registered one
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let other = "https://app.example/other";
    let change = company.operator.patch(&format!("/admin/v1/apps/{}", app.id));
    change.json(&json!({"redirect_uris": [REDIRECT, other]})).ok(200).await;
    for right in [
        json!({}),
        json!({"redirect_uri": ""}),
        json!({"redirect_uri": REDIRECT}),
        json!({"redirect_uri": other}),
    ] {
        let code = company.code_with(&app, json!({})).await;
        for wrong in ["https://elsewhere.example/callback", "https://app.example/callback/", "x"] {
            let call = app.exchanging(&server, &code, json!({"redirect_uri": wrong}));
            call.refused(400, "invalid_grant").await;
        }
        let answer = app.exchanging(&server, &code, right.clone()).send().await;
        assert_eq!(
            answer.status,
            200,
            "an absent or registered redirect URI is accepted (D-149): {right}: {}",
            answer.text()
        );
    }
    // a redirect URI of another app is not registered for this app
    let stranger = server.app(&ALL_SCOPES).await;
    let change = company.operator.patch(&format!("/admin/v1/apps/{}", stranger.id));
    change.json(&json!({"redirect_uris": ["https://stranger.example/callback"]})).ok(200).await;
    let code = company.code_with(&app, json!({})).await;
    let call = app.exchanging(&server, &code, json!({"redirect_uri": "https://stranger.example/callback"}));
    call.refused(400, "invalid_grant").await;
}

#[both_engines]
async fn a_challenge_needs_its_verifier(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let request = json!({"code_challenge": challenge(VERIFIER)});
    // D-150: if the installation request had a challenge, the exchange needs the verifier
    let other = "x".repeat(43);
    for wrong in [other.as_str(), &challenge(VERIFIER), &VERIFIER.to_lowercase()] {
        let code = company.code_with(&app, request.clone()).await;
        let call = app.exchanging(&server, &code, json!({"code_verifier": wrong}));
        call.refused(400, "invalid_grant").await;
    }
    let code = company.code_with(&app, request.clone()).await;
    let answer = app.exchanging(&server, &code, json!({})).send().await;
    assert_eq!(answer.status, 400, "a challenge needs its verifier (D-150): {}", answer.text());
    answer.refused(400, "invalid_grant");
    // a parameter without a value counts as absent (RFC 6749 §3.2)
    let code = company.code_with(&app, request.clone()).await;
    app.exchanging(&server, &code, json!({"code_verifier": ""})).refused(400, "invalid_grant").await;
    let code = company.code_with(&app, json!({})).await;
    app.exchanging(&server, &code, json!({"code_verifier": ""})).ok(200).await;
    let code = company.code_with(&app, request).await;
    app.exchanging(&server, &code, json!({"code_verifier": VERIFIER})).ok(200).await;
}

#[both_engines]
async fn revoking_a_token_disconnects_its_installation(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let second = company.install(&bot.app, &["users:read"]).await;
    let answer = bot.app.revoking(&server, &bot.token).ok(200).await;
    assert_eq!(answer, json!({"ok": true}), "a revocation returns `ok: true` (B-359)");
    // B-359: the installation is disconnected, so all its tokens are revoked
    for token in [bot, &second] {
        token.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
    let list = company.operator.get(&company.path("/installations")).ok(200).await;
    let record = &list["installations"][0];
    assert_eq!(record["state"], "disconnected", "revoking disconnects the installation (B-359)");
    assert_eq!(record["reason"], "app_revoked", "revoking disconnects the installation (B-359)");
    assert!(company.uninstall_events(&bot.app).await.is_empty(), "revoking sends no event (B-359, B-366)");
}

#[both_engines]
async fn revoking_an_unknown_token_succeeds_without_effect(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let other = company.bot(&server).await;
    let random = format!("svc_bot_test_{}", "A".repeat(49));
    // B-360, D-156: an unknown token, or a token of another app
    let (secret, public) = (&other.app.client_secret, &bot.app.client_id);
    for token in ["x", &random, &other.token, secret, public, "svc_mcp_at_x"] {
        assert_eq!(
            bot.app.revoking(&server, token).ok(200).await,
            json!({"ok": true}),
            "revoking an unknown token or a token of another app succeeds (B-360)"
        );
    }
    for bot in [bot, &other] {
        bot.api.get("/v1/auth/test").ok(200).await; // B-360: the tokens of both apps are still valid
    }
    for _ in 0..2 {
        // B-360: the second time, the token is already revoked
        bot.app.revoking(&server, &bot.token).ok(200).await;
    }
    other.api.get("/v1/auth/test").ok(200).await;
    // revoking the old token once more does not affect a new installation
    let again = company.install(&bot.app, &ALL_SCOPES).await;
    bot.app.revoking(&server, &bot.token).ok(200).await; // B-360: already revoked
    again.api.get("/v1/auth/test").ok(200).await;
}

#[both_engines]
async fn revoking_a_token_disconnects_the_app_in_one_company_only(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let second_bot = server.company().await.install(&fixture.bot.app, &ALL_SCOPES).await;
    fixture.bot.app.revoking(&server, &fixture.bot.token).ok(200).await;
    // B-359: the installation of the token's company is disconnected
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    second_bot.api.get("/v1/auth/test").ok(200).await;
}

/// An exchange that was authenticated with the old client secret waits for the rotation in progress, and is then
/// rejected.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exchange_in_progress_is_refused_after_a_new_secret() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let (mut holding, mut watching) = (server.database.outside().await, server.database.outside().await);
    sqlx::raw_sql("BEGIN; SELECT 1 FROM apps FOR UPDATE").execute(&mut holding).await.unwrap();
    let mut until_waiting = async |count: i64| {
        until(async || {
            let waiting: i64 = sqlx::query_scalar(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
            )
            .fetch_one(&mut watching)
            .await
            .unwrap();
            waiting == count
        })
        .await;
    };
    let (replaced, operator) = (app.clone(), company.operator.clone());
    let replacing = tokio::spawn(async move { replaced.with_new_secret(&operator).await });
    until_waiting(1).await;
    let exchanging = tokio::spawn(app.exchanging(&server, &code, json!({})).send());
    until_waiting(2).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
    let renewed = replacing.await.unwrap();
    exchanging.await.unwrap().refused(401, "invalid_client");
    renewed.exchanging(&server, &code, json!({})).ok(200).await;
}

/// An exchange locks the approver before the bot, but other operations lock people and bots in the order of their ids.
/// To avoid deadlocks, an exchange locks the bot only if the bot gets a new name.
#[tokio::test]
async fn an_exchange_does_not_lock_a_bot_that_keeps_its_name() {
    let Some(server) = Server::postgres().await else { return };
    let company = server.company().await;
    let bot = company.bot_with(&server, &ALL_SCOPES).await;
    company.uninstall(&bot).await;
    let code = company.install_code(&bot.app, &ALL_SCOPES).await;
    let mut holding = server.database.outside().await;
    let lock = "BEGIN; SELECT 1 FROM users WHERE app_id IS NOT NULL FOR UPDATE";
    sqlx::raw_sql(lock).execute(&mut holding).await.unwrap();
    bot.app.exchanging(&server, &code, json!({})).ok(200).await;
    sqlx::raw_sql("COMMIT").execute(&mut holding).await.unwrap();
}
