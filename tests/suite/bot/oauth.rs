//! `POST /oauth/token` and `/oauth/revoke`: client credentials, media types and the format of responses (B-347 … B-349,
//! B-354 … B-358, B-361 … B-363, D-146 … D-148, D-153 … D-155, D-157 … D-159, D-162).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::*;

const ENDPOINTS: [&str; 2] = ["/oauth/token", "/oauth/revoke"];

pub fn basic(id: &str, secret: &str) -> String {
    format!("Basic {}", BASE64_STANDARD.encode(format!("{id}:{secret}")))
}

impl App {
    /// Returns an API client that sends the app's credentials in the header `Authorization`.
    pub fn basic(&self, api: &Api) -> Api {
        api.with(basic(&self.client_id, &self.client_secret))
    }

    /// Returns a body with the app's credentials and with `members`, which can replace the credentials.
    pub fn body(&self, members: Value) -> Value {
        with(json!({"client_id": self.client_id, "client_secret": self.client_secret}), members)
    }
}

fn grant(code: &str) -> Value {
    json!({"grant_type": "authorization_code", "code": code})
}

/// Converts a JSON object of strings to form fields.
fn fields(body: &Value) -> Vec<(&str, &str)> {
    let members = body.as_object().expect("an object");
    members.iter().map(|(name, value)| (name.as_str(), value.as_str().expect("a string"))).collect()
}

#[both_engines]
async fn a_valid_code_gets_a_token(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    for scopes in [&["messages:write", "users:read"][..], &["files:read"], &ALL_SCOPES] {
        let code = company.install_code(&app, scopes).await;
        let call = server.api().post("/oauth/token").json(&app.body(grant(&code)));
        let answer = call.send().await;
        let body = answer.ok(200);
        let expected = ["access_token", "app_id", "bot", "ok", "scope", "token_type", "workspace"];
        assert_eq!(
            members(&body),
            expected,
            "the response has no expires_in and no refresh_token (B-347, D-148)"
        );
        assert_eq!(body["token_type"], "Bearer", "the token is a bearer token (D-148)");
        assert_eq!(body["app_id"], app.id.as_str(), "the response names the app (D-148)");
        assert_eq!(members(&body["bot"]), ["id"], "the response names the bot (D-148)");
        assert!(text(&body, "/bot/id").starts_with("usr_"), "the response names the bot (D-148)");
        assert_eq!(
            members(&body["workspace"]),
            ["id", "name"],
            "the company in the response has no member `domain` (D-148, B-345)"
        );
        assert_eq!(body["workspace"]["id"], company.id.as_str(), "the response names the company (D-148)");
        let scope = text(&body, "/scope");
        let mut reported: Vec<_> = scope.split(' ').collect();
        let mut granted = scopes.to_vec();
        reported.sort_unstable();
        granted.sort_unstable();
        assert_eq!(reported, granted, "`scope` lists the granted scopes (D-148)");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "tokens are not cached (B-363, D-158)");
        let token = text(&body, "/access_token");
        assert!(
            token.starts_with("svc_bot_test_"),
            "a test token begins with svc_bot_test_ (B-358, D-037): {token}"
        );
        server.api().bearer(&token).get("/v1/auth/test").ok(200).await; // B-358: the token works at once
    }
}

#[both_engines]
async fn other_grant_types_are_refused(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    for other in [
        "refresh_token",
        "client_credentials",
        "password",
        "implicit",
        "urn:ietf:params:oauth:grant-type:device_code",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "Authorization_Code",
        "authorization_code ",
        "code",
    ] {
        // B-348: the grant type is refused both with and without its parameters
        let body = app.body(json!({
            "grant_type": other, "code": code, "refresh_token": "x", "username": "a", "password": "b",
        }));
        server.api().post("/oauth/token").json(&body).refused(400, "unsupported_grant_type").await;
        let form = server.api().post("/oauth/token").form(&fields(&body));
        form.refused(400, "unsupported_grant_type").await;
        let bare = app.body(json!({"grant_type": other}));
        server.api().post("/oauth/token").json(&bare).refused(400, "unsupported_grant_type").await;
    }
    app.exchange(&server.api(), &code).await; // the code is still valid
}

#[both_engines]
async fn missing_parameters_are_invalid_requests(server: Server) {
    let app = server.app(&ALL_SCOPES).await;
    let mut cases = vec![
        // B-349, D-155: `grant_type` or `code` is missing
        ("/oauth/token", json!({})),
        ("/oauth/token", json!({"code": "x"})),
        ("/oauth/token", json!({"grant_type": "authorization_code"})),
        // B-361, D-157: `token` is missing
        ("/oauth/revoke", json!({})),
        ("/oauth/revoke", json!({"token_type_hint": "access_token"})),
    ];
    for (path, body) in &cases {
        let form = app.basic(&server.api()).post(path).form(&fields(body));
        form.refused(400, "invalid_request").await;
    }
    // only a JSON body can have values of a wrong type
    for bad in [json!(null), json!(1), json!(["authorization_code"])] {
        cases.push(("/oauth/token", json!({"grant_type": bad, "code": "x"})));
        cases.push(("/oauth/token", json!({"grant_type": "authorization_code", "code": bad})));
        cases.push(("/oauth/revoke", json!({"token": bad})));
    }
    for (path, body) in cases {
        for call in [
            app.basic(&server.api()).post(path).json(&body),
            server.api().post(path).json(&app.body(body.clone())),
        ] {
            let answer = call.send().await;
            assert_eq!(
                answer.status,
                400,
                "a missing or malformed parameter is refused (B-349, B-361): {path} {body}: {}",
                answer.text()
            );
            answer.refused(400, "invalid_request");
        }
    }
}

#[both_engines]
async fn bad_credentials_are_an_invalid_client(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let other = server.app(&ALL_SCOPES).await;
    let code = fixture.company.install_code(app, &ALL_SCOPES).await;
    let wrong_secret = format!("{}x", app.client_secret);
    let unknown = app.client_id.chars().rev().collect::<String>();
    for path in ENDPOINTS {
        let body = with(grant(&code), json!({"token": fixture.bot.token}));
        for (id, secret) in [
            // B-354: a wrong secret
            (app.client_id.as_str(), wrong_secret.as_str()),
            (&app.client_id, &other.client_secret),
            (&other.client_id, &app.client_secret),
            (&app.client_id, ""),
            (&app.client_id, &app.signing_secret),
            // B-354: an unknown client id
            (&unknown, &app.client_secret),
            ("", &app.client_secret),
            ("x", "y"),
            (&app.id, &app.client_secret), // the app's id is not its client id
        ] {
            let in_header = server.api().with(basic(id, secret)).post(path);
            in_header.json(&body).refused(401, "invalid_client").await;
            let in_body = with(body.clone(), json!({"client_id": id, "client_secret": secret}));
            server.api().post(path).json(&in_body).refused(401, "invalid_client").await;
            server.api().post(path).form(&fields(&in_body)).refused(401, "invalid_client").await;
        }
        // B-355, D-154: no credentials, or incomplete credentials
        server.api().post(path).json(&body).refused(401, "invalid_client").await;
        server.api().post(path).form(&fields(&body)).refused(401, "invalid_client").await;
        for name in ["client_id", "client_secret"] {
            let half = without(app.body(body.clone()), name);
            server.api().post(path).json(&half).refused(401, "invalid_client").await;
        }
        // B-356: neither bearer tokens nor malformed Basic credentials authenticate a client
        for authorization in [
            format!("Bearer {}", fixture.bot.token),
            format!("Bearer {}", app.client_secret),
            "Basic".into(),
            "Basic !!!".into(),
            format!("Basic {}", BASE64_STANDARD.encode(&app.client_id)), // no colon
            // an unencoded `&` in the secret or the client id: RFC 6749 §2.3.1 requires form-encoding
            basic(&app.client_id, &format!("{}&x", app.client_secret)),
            basic(&format!("{}&x", app.client_id), &app.client_secret),
        ] {
            let call = server.api().with(authorization).post(path).json(&body);
            call.refused(401, "invalid_client").await;
        }
    }
    // no request had an effect
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
    app.exchange(&server.api(), &code).await;
}

#[both_engines]
async fn credentials_are_checked_before_the_grant(server: Server) {
    // D-153: the client is authenticated before the grant is checked
    for body in [json!({"grant_type": "password"}), json!({}), grant("unknown")] {
        server.api().post("/oauth/token").json(&body).refused(401, "invalid_client").await;
    }
    server.api().post("/oauth/revoke").json(&json!({})).refused(401, "invalid_client").await;
}

#[both_engines]
async fn json_and_forms_are_accepted_with_credentials_in_header_or_body(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    // B-357, D-146, D-147: every combination, on both endpoints
    for (form, header) in [(false, false), (false, true), (true, false), (true, true)] {
        let post = |path: &str, body: Value| {
            let (api, body) =
                if header { (app.basic(&server.api()), body) } else { (server.api(), app.body(body)) };
            let call = api.post(path);
            if form { call.form(&fields(&body)) } else { call.json(&body) }
        };
        let code = company.install_code(&app, &ALL_SCOPES).await;
        let answer = post("/oauth/token", grant(&code)).ok(200).await;
        let token = text(&answer, "/access_token");
        let bot = server.api().bearer(&token);
        bot.get("/v1/auth/test").ok(200).await;
        let hinted = json!({"token": token, "token_type_hint": "access_token"});
        assert_eq!(
            post("/oauth/revoke", hinted).ok(200).await,
            json!({"ok": true}),
            "a revocation returns `ok: true` (B-359)"
        );
        bot.get("/v1/auth/test").refused(401, "token_revoked").await;
    }
}

#[both_engines]
async fn credentials_in_the_header_precede_those_in_the_body(server: Server) {
    let company = server.company().await;
    let (app, other) = (server.app(&ALL_SCOPES).await, server.app(&ALL_SCOPES).await);
    let code = company.install_code(&app, &ALL_SCOPES).await;
    // D-147: if the header and the body have credentials, only the credentials in the header count
    let call = server.api().with(basic(&app.client_id, "wrong")).post("/oauth/token");
    call.json(&app.body(grant(&code))).refused(401, "invalid_client").await;
    let call = app.basic(&server.api()).post("/oauth/token").json(&other.body(grant(&code)));
    call.ok(200).await;
    // a header with another scheme authenticates nothing (B-356), so the credentials in the body count
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let bearer = || server.api().with("Bearer x").post("/oauth/token");
    let mut wrong = app.body(grant(&code));
    wrong["client_secret"] = json!("wrong");
    bearer().json(&wrong).refused(401, "invalid_client").await;
    bearer().json(&app.body(grant(&code))).ok(200).await;
}

#[both_engines]
async fn other_media_types_are_refused(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let body = app.body(grant(&code)).to_string();
    for path in ENDPOINTS {
        for other in ["text/plain", "multipart/form-data; boundary=x", "application/xml", "text/json"] {
            // D-146: JSON and forms only; the media type is checked before the credentials (B-083)
            let call = server.api().post(path).header("content-type", other).body(body.clone());
            call.refused(415, "unsupported_media_type").await;
        }
        let typed = "application/x-www-form-urlencoded; charset=utf-8";
        let call = server.api().post(path).header("content-type", typed).body("a=b");
        call.refused(401, "invalid_client").await; // the media type is accepted
    }
    app.exchange(&server.api(), &code).await;
}

#[both_engines]
async fn errors_have_the_envelope_of_the_bot_api(server: Server) {
    let app = server.app(&ALL_SCOPES).await;
    for (call, status) in [
        (server.api().post("/oauth/token").json(&json!({})), 401),
        (server.api().post("/oauth/token").json(&app.body(json!({}))), 400),
        (server.api().post("/oauth/token").json(&app.body(json!({"grant_type": "password"}))), 400),
        (server.api().post("/oauth/token").json(&app.body(grant("unknown"))), 400),
        (server.api().post("/oauth/revoke").json(&app.body(json!({}))), 400),
        (server.api().get("/oauth/token"), 405),
    ] {
        let answer = call.send().await;
        assert_eq!(
            answer.status,
            status,
            "the endpoint has the error statuses of the bot API (B-362): {}",
            answer.text()
        );
        let body = answer.json();
        assert!(body["error"].is_object(), "`error` is an object, unlike in RFC 6749 (B-362): {body}");
        assert!(
            body.get("error_description").is_none(),
            "an error has no error_description, unlike in RFC 6749 (B-362): {body}"
        );
        assert_eq!(answer.header("cache-control"), Some("no-store"), "errors are not cached (B-363, D-158)");
    }
}

#[both_engines]
async fn a_token_in_the_query_of_an_oauth_request_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let path = format!("/oauth/revoke?token={}", fixture.bot.token);
    let call = fixture.bot.app.basic(&server.api()).post(&path);
    // D-159: only a token in the query is refused; the member `token` of the body is allowed
    call.json(&json!({"token": fixture.bot.token})).refused(400, "token_in_query").await;
    fixture.bot.api.get("/v1/auth/test").ok(200).await;
}

#[both_engines]
async fn a_disabled_app_is_an_invalid_client(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let code = fixture.company.install_code(app, &ALL_SCOPES).await;
    let path = format!("/admin/v1/apps/{}", app.id);
    server.operator().patch(&path).json(&json!({"disabled": true})).ok(200).await;
    for endpoint in ENDPOINTS {
        let body = app.body(with(grant(&code), json!({"token": fixture.bot.token})));
        // D-162: a disabled app cannot authenticate
        server.api().post(endpoint).json(&body).refused(401, "invalid_client").await;
    }
}

#[both_engines]
async fn the_old_client_secret_is_refused_after_a_rotation(server: Server) {
    let company = server.company().await;
    let app = server.app(&ALL_SCOPES).await;
    let code = company.install_code(&app, &ALL_SCOPES).await;
    let path = format!("/admin/v1/apps/{}/rotate", app.id);
    let rotated = server.operator().post(&path).json(&json!({"secret": "client"})).ok(200).await;
    let old = server.api().post("/oauth/token").json(&app.body(grant(&code)));
    old.refused(401, "invalid_client").await; // B-354: a wrong secret
    let app = App { client_secret: text(&rotated, "/client_secret"), ..app };
    app.exchange(&server.api(), &code).await;
}

#[tokio::test]
async fn production_issues_live_tokens() {
    let server = Server::production().await;
    let bot = server.company().await.bot(&server).await;
    assert!(
        bot.token.starts_with("svc_bot_live_"),
        "a live token begins with svc_bot_live_ (B-358): {}",
        bot.token
    );
    bot.api.get("/v1/auth/test").ok(200).await; // B-358: the token works at once
}
