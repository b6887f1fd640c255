//! Bot tokens: the header, the token's form, its environment and its revocation. B-029 … B-045, B-346,
//! B-378 … B-380.

use std::time::Duration;

use reqwest::Method;
use serde_json::json;
use switchboard::domain::token::{TokenKind, mint};

use crate::support::{ALL_SCOPES, Api, Bot, BotFixture, OPERATIONS, Server, both_engines, text};

/// Calls every operation, and asserts that each returns 401 with this code.
async fn all_refuse(fixture: &BotFixture, api: &Api, code: &str) {
    for operation in &OPERATIONS {
        // the message need not exist, because the token is checked first
        let path = operation
            .path
            .replace("{message}", "gmsg_0000000000001")
            .replace("{conversation}", &fixture.group)
            .replace("{file}", &fixture.file)
            .replace("{user}", &fixture.person)
            .replace("{email}", &fixture.email);
        fixture.call_at(api, operation, &path).refused(401, code).await;
    }
}

async fn revoke(server: &Server, bot: &Bot) {
    let body = json!({
        "token": bot.token, "client_id": bot.app.client_id, "client_secret": bot.app.client_secret,
    });
    server.api().post("/oauth/revoke").json(&body).ok(200).await;
}

async fn set_disabled(server: &Server, bot: &Bot, disabled: bool) {
    let path = format!("/admin/v1/apps/{}", bot.app.id);
    server.operator().patch(&path).json(&json!({"disabled": disabled})).ok(200).await;
}

#[tokio::test]
async fn a_request_without_a_token_is_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    // B-030, B-378: no `Authorization` header
    all_refuse(&fixture, &server.api(), "not_authed").await;
    // B-029: tokens in other places are ignored
    let token = fixture.bot.token.as_str();
    for (name, value) in [
        ("cookie", format!("token={token}; __Host-session={token}")),
        ("x-auth-token", token.to_owned()),
        ("x-api-key", token.to_owned()),
        ("proxy-authorization", format!("Bearer {token}")),
        ("x-authorization", format!("Bearer {token}")),
    ] {
        server.api().get("/v1/auth/test").header(name, value).refused(401, "not_authed").await;
    }
    let body = json!({
        "token": token, "access_token": token, "to": {"type": "user", "id": fixture.person}, "text": "x",
    });
    server.api().post("/v1/messages").key("k").json(&body).refused(401, "not_authed").await;
    let form = [("access_token", token), ("text", "x")];
    server.api().post("/v1/messages").key("k").form(&form).refused(401, "not_authed").await;
}

#[tokio::test]
async fn malformed_tokens_are_rejected() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    // B-031, B-379: a credential that does not have the form of a token
    all_refuse(&fixture, &server.api().bearer("garbage"), "invalid_auth").await;
    let good = fixture.bot.token.as_str();
    for token in [
        "svc_bot_test_",
        "svc_bot_",
        "svc_bot_test",
        &good[..good.len() - 1],
        &format!("{good}x"),
        &format!("x{good}"),
        &good.to_uppercase(),
        &good.replace("svc_bot_test_", ""),
        &good.replace("svc_bot_test_", "svc_bot_live_"),
        &good.replace("svc_bot_test_", "svc_bot_prod_"),
        &format!("{good} {good}"),
        &format!("{good},{good}"),
        &format!("{good};"),
        &format!("\"{good}\""),
        &format!("token={good}"),
        &"x".repeat(5_000),
    ] {
        server.api().bearer(token).get("/v1/auth/test").refused(401, "invalid_auth").await;
    }
    // each character of the token is compared
    for at in 0..good.len() {
        let mut changed = good.as_bytes().to_vec();
        changed[at] = if changed[at] == b'z' { b'y' } else { b'z' };
        let changed = String::from_utf8(changed).expect("ASCII");
        server.api().bearer(&changed).get("/v1/auth/test").refused(401, "invalid_auth").await;
    }
    // bytes that are not ASCII
    let call = server.api().get("/v1/auth/test").header("authorization", b"Bearer \xff\xfe");
    call.refused(401, "invalid_auth").await;
}

#[tokio::test]
async fn an_unknown_well_formed_token_is_refused() {
    // B-032: a token with a valid form that was never issued
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let unknown = mint(TokenKind::BotTest, &[7; 32]);
    assert!(unknown.starts_with("svc_bot_test_"));
    all_refuse(&fixture, &server.api().bearer(&unknown), "invalid_auth").await;
}

#[tokio::test]
async fn other_schemes_are_refused() {
    // B-033, D-029: another scheme, no scheme, or no credential
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    all_refuse(&fixture, &server.api().with("Basic YTpi"), "invalid_auth").await;
    let token = fixture.bot.token.as_str();
    for authorization in [
        format!("Token {token}"),
        format!("Basic {token}"),
        format!("Digest {token}"),
        format!("Bot {token}"),
        format!("BearerX {token}"),
        format!("Bearer{token}"),
        format!("Bearer={token}"),
        format!("Bearer: {token}"),
        token.to_owned(),
        "Bearer".into(),
        "Bearer ".into(),
        String::new(),
    ] {
        let call = server.api().get("/v1/auth/test").header("authorization", &authorization);
        call.refused(401, "invalid_auth").await;
    }
}

#[tokio::test]
async fn the_scheme_is_accepted_in_any_letter_case() {
    // B-034, D-030: any letter case, and several spaces
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for scheme in ["Bearer", "bearer", "BEARER", "bEaReR"] {
        for spaces in [" ", "  ", "     "] {
            let api = server.api().with(format!("{scheme}{spaces}{}", fixture.bot.token));
            api.get("/v1/auth/test").ok(200).await;
        }
    }
}

#[tokio::test]
async fn two_authorization_headers_are_refused() {
    // B-035, D-031: two headers are refused even if one or both are valid
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let good = format!("Bearer {}", fixture.bot.token);
    for (first, second) in
        [(&good, &good), (&good, &"Bearer x".to_owned()), (&"Basic YTpi".to_owned(), &good)]
    {
        for operation in &OPERATIONS {
            let call = fixture.call(&server.api(), operation).await;
            call.header("authorization", first)
                .header("authorization", second)
                .refused(401, "invalid_auth")
                .await;
        }
    }
}

#[tokio::test]
async fn environments_have_their_own_tokens() {
    let sandbox = Server::sqlite().await;
    let production = Server::production().await;
    let here = BotFixture::new(&sandbox).await;
    let there = BotFixture::new(&production).await;
    // B-036, B-358: the prefix of a token names its environment
    assert!(here.bot.token.starts_with("svc_bot_test_"));
    assert!(there.bot.token.starts_with("svc_bot_live_"));
    here.bot.api.get("/v1/auth/test").ok(200).await;
    there.bot.api.get("/v1/auth/test").ok(200).await;
    // B-037, D-036: two tokens of the other environment. The first was issued there, and the second was never issued.
    for token in [&there.bot.token, &mint(TokenKind::BotLive, &[5; 32])] {
        all_refuse(&here, &sandbox.api().bearer(token), "invalid_auth").await;
    }
    for token in [&here.bot.token, &mint(TokenKind::BotTest, &[5; 32])] {
        all_refuse(&there, &production.api().bearer(token), "invalid_auth").await;
    }
}

#[tokio::test]
async fn other_credentials_of_this_server_are_refused() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    // B-038: valid tokens of the assistant server
    let connected = server.connected_assistant().await;
    for token in [&connected.tokens.access, &connected.tokens.refresh] {
        all_refuse(&fixture, &server.api().bearer(token), "invalid_auth").await;
    }
    // malformed texts with the prefixes of such tokens
    let random = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ";
    for prefix in ["svc_mcp_at_test_", "svc_mcp_at_live_", "svc_mcp_at_", "svc_mcp_rt_test_", "svc_mcp_rt_"] {
        all_refuse(&fixture, &server.api().bearer(&format!("{prefix}{random}")), "invalid_auth").await;
    }
    let app = &fixture.bot.app;
    let code = fixture.company.install_code(app, &ALL_SCOPES).await;
    // the app's client id and secrets, and an install code
    for secret in [&app.client_secret, &app.client_id, &app.signing_secret, &code] {
        server.api().bearer(secret).get("/v1/auth/test").refused(401, "invalid_auth").await;
    }
    server.operator().get("/v1/auth/test").refused(401, "invalid_auth").await;
    let person = json!({"email": "boss@example.com", "is_admin": true, "password": "correct horse battery"});
    fixture.company.person_with(person).await;
    let sign_in = json!({"email": "boss@example.com", "password": "correct horse battery"});
    let session = server.api().post("/admin/v1/sessions").json(&sign_in).ok(201).await;
    let api = server.api().bearer(&text(&session, "/session_token"));
    api.get("/v1/auth/test").refused(401, "invalid_auth").await;
}

#[both_engines]
async fn an_uninstall_revokes_the_token(server: Server) {
    // B-039, B-346, B-380: from the next request on, every operation rejects the token
    let fixture = BotFixture::new(&server).await;
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
    fixture.company.uninstall(&fixture.bot).await;
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    all_refuse(&fixture, &fixture.bot.api, "token_revoked").await;
}

#[both_engines]
async fn disabling_an_app_revokes_its_tokens(server: Server) {
    // B-040: the tokens of the app in every company
    let fixture = BotFixture::new(&server).await;
    let elsewhere = server.company().await.install(&fixture.bot.app, &ALL_SCOPES).await;
    let unaffected = fixture.company.bot(&server).await;
    set_disabled(&server, &fixture.bot, true).await;
    elsewhere.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    all_refuse(&fixture, &fixture.bot.api, "token_revoked").await;
    unaffected.api.get("/v1/auth/test").ok(200).await;
    // B-042: enabling the app does not restore tokens
    set_disabled(&server, &fixture.bot, false).await;
    all_refuse(&fixture, &fixture.bot.api, "token_revoked").await;
    let again = fixture.company.install(&fixture.bot.app, &ALL_SCOPES).await;
    again.api.get("/v1/auth/test").ok(200).await;
    fixture.bot.api.get("/v1/auth/test").refused(401, "token_revoked").await;
}

#[both_engines]
async fn an_app_can_revoke_its_token(server: Server) {
    // B-041: the app calls `/oauth/revoke`
    let fixture = BotFixture::new(&server).await;
    let elsewhere = server.company().await.install(&fixture.bot.app, &ALL_SCOPES).await;
    revoke(&server, &fixture.bot).await;
    all_refuse(&fixture, &fixture.bot.api, "token_revoked").await;
    // the app's installation in another company is not affected
    elsewhere.api.get("/v1/auth/test").ok(200).await;
}

#[both_engines]
async fn a_revoked_token_stays_revoked(server: Server) {
    // B-042, D-038: installing the app again issues a new token, and does not restore the old token
    let fixture = BotFixture::new(&server).await;
    let old = &fixture.bot;
    fixture.company.uninstall(old).await;
    let new = fixture.company.install(&old.app, &ALL_SCOPES).await;
    assert_ne!(new.token, old.token);
    assert_eq!(new.user_id, old.user_id);
    new.api.get("/v1/auth/test").ok(200).await;
    all_refuse(&fixture, &old.api, "token_revoked").await;
    revoke(&server, &new).await;
    let newest = fixture.company.install(&old.app, &ALL_SCOPES).await;
    newest.api.get("/v1/auth/test").ok(200).await;
    for revoked in [old, &new] {
        revoked.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
    server.advance(Duration::from_secs(366 * 24 * 3600)).await;
    for revoked in [old, &new] {
        revoked.api.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
    newest.api.get("/v1/auth/test").ok(200).await;
}

#[both_engines]
async fn tokens_do_not_expire(server: Server) {
    // B-043: all operations still succeed after three years. B-044: every test that got the code `token_expired` would
    // fail, because `Api` panics at a code that no response may have (B-400).
    let fixture = BotFixture::new(&server).await;
    for _ in 0..3 {
        server.advance(Duration::from_secs(366 * 24 * 3600)).await;
        for operation in &OPERATIONS {
            fixture.call(&fixture.bot.api, operation).await.ok(operation.status).await;
        }
    }
}

#[tokio::test]
async fn a_bot_token_cannot_be_refreshed() {
    // B-045: there is no refresh grant for bot tokens
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let body = json!({
        "grant_type": "refresh_token", "refresh_token": fixture.bot.token,
        "client_id": app.client_id, "client_secret": app.client_secret,
    });
    server.api().post("/oauth/token").json(&body).refused(400, "unsupported_grant_type").await;
    let code = fixture.company.install_code(app, &ALL_SCOPES).await;
    let answer = app.exchange(&server.api(), &code).await;
    assert!(
        answer.get("refresh_token").is_none() && answer.get("expires_in").is_none(),
        "a bot token has no refresh token and does not expire (B-045): {answer}"
    );
}

#[tokio::test]
async fn every_401_has_a_challenge() {
    // B-050, D-016: every 401 has `WWW-Authenticate`, whatever its error code and also for HEAD. The scheme is `Bearer`
    // below `/v1`, and `Basic` for `invalid_client`.
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let answer = server.api().get("/v1/users").refused(401, "not_authed").await;
    assert!(answer.header("www-authenticate").is_some_and(|c| c.starts_with("Bearer")));
    let answer = server.api().bearer("x").get("/v1/users").refused(401, "invalid_auth").await;
    assert!(answer.header("www-authenticate").is_some_and(|c| c.starts_with("Bearer")));
    let answer = server.api().call(Method::HEAD, "/v1/users").send().await;
    assert_eq!(answer.status, 401);
    assert!(answer.header("www-authenticate").is_some_and(|c| c.starts_with("Bearer")));
    fixture.company.uninstall(&fixture.bot).await;
    let answer = fixture.bot.api.get("/v1/users").refused(401, "token_revoked").await;
    assert!(answer.header("www-authenticate").is_some_and(|c| c.starts_with("Bearer")));
    for path in crate::support::OAUTH_PATHS {
        let fields = [("client_id", "svc_app_x"), ("client_secret", "svc_sec_x")];
        let answer = server.api().post(path).form(&fields).refused(401, "invalid_client").await;
        assert!(answer.header("www-authenticate").is_some_and(|c| c.starts_with("Basic")));
    }
}
