//! Tokens in the query string are rejected (B-046 … B-049, B-375, D-032 … D-035).

use reqwest::Method;
use serde_json::json;

use crate::support::{BotFixture, OAUTH_PATHS, OPERATIONS, Server, fresh_key, to_conversation, with_query};

#[tokio::test]
async fn a_token_in_the_query_is_found_by_its_name_or_its_value() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for query in [
        // B-046, D-032: by name, in any letter case, with any value that is not empty
        "token=x",
        "access_token=x",
        "bot_token=x",
        "TOKEN=x",
        "Access_Token=x",
        "Bot_Token=0",
        "token=%20",
        // by the first characters of the value, with any name
        "q=svc_bot_",
        "q=svc_bot_test_abc",
        "q=svc_bot_live_abc",
        "q=svc_mcp_at_abc",
        "cursor=svc_mcp_rt_abc",
        "limit=svc_bot_x",
        "=svc_bot_x",
        // between other parameters
        "a=1&token=x&b=2",
        // percent-encoded
        "%74oken=x",
        "access%5Ftoken=x",
        "q=%73vc_bot_x",
        "q=svc%5fbot%5fx",
        // anywhere in the query, a text that begins with the complete prefix of a token
        "svc_bot_test_abc",
        "svc_bot_live_abc=1",
        "a=1&svc_mcp_at_test_abc",
        "authorization=Bearer%20svc_bot_test_abc",
        "authorization=Bearer+svc_bot_test_abc",
        "q=%20svc_bot_test_abc",
        "a=1;token=svc_bot_test_abc",
        "q=a,svc%5fmcp%5frt%5flive_abc",
        // repeated and empty parameters
        "token=&token=x",
        "token=x&token=",
        "a&&token=x",
    ] {
        let path = format!("/v1/auth/test?{query}");
        // B-048, D-034: also with a valid header
        fixture.bot.api.get(&path).refused(400, "token_in_query").await;
        // B-047, D-033: `token_in_query` precedes every 401
        server.api().get(&path).refused(400, "token_in_query").await;
        server.api().bearer("garbage").get(&path).refused(400, "token_in_query").await;
        server.api().with("Basic YTpi").get(&path).refused(400, "token_in_query").await;
    }
    for query in [
        "token=",
        "token",
        "access_token=&bot_token=",
        "tokens=x",
        "my_token=x",
        "bottoken=x",
        "access-token=x",
        "q=x_svc_bot_",
        "q=svc_",
        "q=SVC_BOT_x",
        "svc_bot_x=1",
        "%2574oken=x",
    ] {
        fixture.bot.api.get(&format!("/v1/auth/test?{query}")).ok(200).await;
    }
    fixture.company.uninstall(&fixture.bot).await;
    fixture.bot.api.get("/v1/auth/test?token=x").refused(400, "token_in_query").await;
}

#[tokio::test]
async fn every_operation_refuses_a_token_in_the_query() {
    // B-046, D-035: every operation of the bot API, and its OAuth endpoints
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    for operation in &OPERATIONS {
        let path = with_query(&fixture.path(operation).await, &format!("access_token={}", fixture.bot.token));
        fixture.call_at(&fixture.bot.api, operation, &path).refused(400, "token_in_query").await;
        fixture.call_at(&server.api(), operation, &path).refused(400, "token_in_query").await;
        if operation.is_read() {
            let answer = fixture.bot.api.call(Method::HEAD, &path).send().await;
            assert_eq!(answer.status, 400, "HEAD has the status of GET (B-011): {path}");
        }
    }
    for path in OAUTH_PATHS {
        let app = &fixture.bot.app;
        let fields = [("client_id", app.client_id.as_str()), ("client_secret", &app.client_secret)];
        server.api().post(&format!("{path}?token=x")).form(&fields).refused(400, "token_in_query").await;
        server.api().post(&format!("{path}?token=x")).refused(400, "token_in_query").await;
    }
    // errors of the path and of the method come first
    server.api().get("/v1/nothing?token=x").refused(404, "not_found").await;
    server.api().put("/v1/messages?token=x").refused(405, "client_error").await;
}

#[tokio::test]
async fn a_request_with_a_token_in_the_query_has_no_effect() {
    // B-049: nothing is written, and neither the idempotency key nor the install code is used
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let message = fixture.message().await;
    let api = &fixture.bot.api;
    let key = fresh_key();
    let body = to_conversation(&fixture.group, "never posted");
    api.post("/v1/messages?token=x").key(&key).json(&body).refused(400, "token_in_query").await;
    let path = format!("/v1/messages/{message}?token=x");
    api.patch(&path).json(&json!({"text": "never edited"})).refused(400, "token_in_query").await;
    api.delete(&path).refused(400, "token_in_query").await;
    let texts = fixture.texts().await;
    assert!(texts.iter().any(|t| t == "as sent"), "the message is unchanged: {texts:?}");
    assert!(!texts.iter().any(|t| t.starts_with("never")), "nothing is written: {texts:?}");
    // the key is still unused
    api.post("/v1/messages").key(&key).json(&to_conversation(&fixture.group, "posted")).ok(201).await;

    let app = &fixture.bot.app;
    let revoke = [
        ("client_id", app.client_id.as_str()),
        ("client_secret", &app.client_secret),
        ("token", &fixture.bot.token),
    ];
    server.api().post("/oauth/revoke?token=x").form(&revoke).refused(400, "token_in_query").await;
    api.get("/v1/auth/test").ok(200).await;
    let code = fixture.company.install_code(app, &["users:read"]).await;
    let grant = json!({
        "grant_type": "authorization_code", "code": code,
        "client_id": app.client_id, "client_secret": app.client_secret,
    });
    server.api().post("/oauth/token?access_token=x").json(&grant).refused(400, "token_in_query").await;
    // the code is still valid
    server.api().post("/oauth/token").json(&grant).ok(200).await;
    // D-159: a token in the body is allowed
    server.api().post("/oauth/revoke").form(&revoke).ok(200).await;
    api.get("/v1/auth/test").refused(401, "token_revoked").await;
}
