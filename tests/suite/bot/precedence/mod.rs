//! The order in which the checks of a request run (D-001, B-064, B-065, B-067 … B-074, B-077, B-078, B-081 … B-084).
//! For every pair of checks, a request that fails both gets the error of the earlier check. The tests use one operation
//! of each kind. `precedence_rules` tests the order of errors that the same check reports.

mod steps;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Method;
use serde_json::json;

use crate::support::{BotFixture, Server, fresh_key, to_conversation};
use steps::{Draft, Flaw, assert_precedence, flaw};

/// Returns the errors that come first for every operation below `/v1`. `authorization` is an invalid value of the
/// header `Authorization`; `None` stands for a request without the header.
fn first_steps<'a>(authorization: Option<&'a str>) -> Vec<Flaw<'a>> {
    let code = if authorization.is_some() { "invalid_auth" } else { "not_authed" };
    vec![
        flaw(404, "not_found", |d| d.path = "/v1/nothing".into()),
        flaw(405, "client_error", |d| d.method = Method::PUT),
        flaw(400, "token_in_query", |d| d.query.push("token=x".into())),
        flaw(401, code, move |d| d.authorization = authorization.map(str::to_owned)),
        flaw(406, "not_acceptable", |d| d.accept = "text/html"),
    ]
}

fn body_steps<'a>() -> Vec<Flaw<'a>> {
    vec![
        flaw(415, "unsupported_media_type", |d| d.media_type = "text/plain"),
        flaw(413, "payload_too_large", |d| d.large = true),
    ]
}

/// Returns the error of a token without the required scope: the `Authorization` header `strong` is replaced by `weak`.
/// Any other value of the header stays, so that an earlier error of the request remains.
fn scope_step<'a>(strong: &'a str, weak: &'a str) -> Flaw<'a> {
    flaw(403, "missing_scope", move |d| {
        if d.authorization.as_deref() == Some(strong) {
            d.authorization = Some(weak.to_owned());
        }
    })
}

/// Values of the header `Authorization` with a valid token.
struct Tokens {
    /// The token has all scopes.
    strong: String,
    /// The token has no scopes.
    weak: String,
}

async fn tokens(fixture: &BotFixture) -> Tokens {
    // D-039: another token of the same installation, without scopes
    let weak = fixture.company.install(&fixture.bot.app, &[]).await;
    Tokens { strong: format!("Bearer {}", fixture.bot.token), weak: format!("Bearer {}", weak.token) }
}

#[tokio::test]
async fn order_of_errors_of_a_send() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let used = fresh_key();
    let first = to_conversation(&fixture.group, "the first with this key");
    fixture.bot.api.post("/v1/messages").key(&used).json(&first).ok(201).await;

    // B-065: `None` stands for a request without `Authorization`
    for bad_authorization in [None, Some("Basic YTpi"), Some("Bearer svc_bot_test_unknown")] {
        let mut draft = Draft::new(Method::POST, "/v1/messages", strong.clone());
        draft.body = to_conversation(&fixture.group, "good");
        draft.key = Some(fresh_key());
        let mut steps = first_steps(bad_authorization);
        steps.extend(body_steps());
        steps.extend([
            scope_step(&strong, &weak),
            // B-071, B-072: the key is checked after the size and before the body
            flaw(400, "missing_idempotency_key", |d| d.key = None),
            // B-073: a malformed key and an invalid body have the same code
            flaw(400, "invalid_request", |d| d.key = Some("with a space".into())),
            flaw(400, "invalid_request", |d| d.body["text"] = json!(5)),
            // B-074: blocks are checked after the other members
            flaw(400, "invalid_blocks", |d| d.body["blocks"] = json!([{"type": "unheard of"}])),
            // B-077: the reuse of a key is checked before the destination
            flaw(422, "idempotency_key_reused", |d| {
                if d.key.as_deref().is_some_and(|k| !k.contains(' ')) {
                    d.key = Some(used.clone());
                }
            }),
            flaw(404, "conversation_not_found", |d| d.body["to"]["id"] = json!("grp_0000000000001")),
            // B-078: the thread is checked after the destination
            flaw(400, "invalid_request", |d| d.body["thread_id"] = json!("gmsg_0000000000001")),
        ]);
        assert_precedence(&server.api(), &draft, &steps).await;
        draft.call(&server.api()).ok(201).await;
    }
}

#[tokio::test]
async fn order_of_errors_of_an_edit() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let mut draft =
        Draft::new(Method::PATCH, &format!("/v1/messages/{}", fixture.message().await), strong.clone());
    draft.body = json!({"text": "good"});
    // B-065: `None` stands for a request without `Authorization`
    for bad_authorization in [None, Some("Basic YTpi")] {
        let mut steps = first_steps(bad_authorization);
        steps.extend(body_steps());
        steps.extend([
            scope_step(&strong, &weak),
            // B-084: the body is validated before the message is looked up
            flaw(400, "invalid_request", |d| d.body["text"] = json!("")),
            flaw(400, "invalid_blocks", |d| d.body["blocks"] = json!([{"type": "unheard of"}])),
            flaw(404, "message_not_found", |d| {
                if d.path != "/v1/nothing" {
                    d.path = "/v1/messages/gmsg_0000000000001".into();
                }
            }),
        ]);
        assert_precedence(&server.api(), &draft, &steps).await;
    }
    draft.call(&server.api()).ok(200).await;
}

#[tokio::test]
async fn order_of_errors_of_a_deletion() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let draft =
        Draft::new(Method::DELETE, &format!("/v1/messages/{}", fixture.message().await), strong.clone());
    let mut steps = first_steps(Some("Basic YTpi"));
    steps.push(scope_step(&strong, &weak));
    steps.push(flaw(404, "message_not_found", |d| {
        if d.path != "/v1/nothing" {
            d.path = "/v1/messages/gmsg_0000000000001".into();
        }
    }));
    assert_precedence(&server.api(), &draft, &steps).await;
    draft.call(&server.api()).ok(200).await;
}

#[tokio::test]
async fn order_of_errors_of_a_list() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let path = format!("/v1/conversations/{}/messages", fixture.group);
    for method in [Method::GET, Method::HEAD] {
        let draft = Draft::new(method, &path, strong.clone());
        let mut steps = first_steps(Some("Basic YTpi"));
        steps.extend([
            scope_step(&strong, &weak),
            // B-082: an invalid limit precedes an invalid cursor
            flaw(400, "invalid_request", |d| d.query.push("limit=0".into())),
            flaw(400, "invalid_cursor", |d| d.query.push("cursor=x".into())),
            // B-081: the query is validated before the conversation is looked up
            flaw(404, "conversation_not_found", |d| {
                if d.path != "/v1/nothing" {
                    d.path = "/v1/conversations/grp_0000000000001/messages".into();
                }
            }),
        ]);
        assert_precedence(&server.api(), &draft, &steps).await;
        assert_eq!(draft.call(&server.api()).send().await.status, 200);
    }
}

#[tokio::test]
async fn order_of_errors_of_the_read_of_one_object() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    for (path, unknown, code) in [
        (format!("/v1/users/{}", fixture.person), "/v1/users/usr_0000000000001", "user_not_found"),
        (
            format!("/v1/conversations/{}", fixture.group),
            "/v1/conversations/grp_0000000000001",
            "conversation_not_found",
        ),
        (
            format!("/v1/conversations/{}/files/{}", fixture.group, fixture.file),
            "/v1/conversations/grp_0000000000001/files/fil_0000000000001",
            "conversation_not_found",
        ),
    ] {
        let draft = Draft::new(Method::GET, &path, strong.clone());
        let mut steps = first_steps(Some("Basic YTpi"));
        // B-068: the scope is checked before the id is looked up
        steps.push(scope_step(&strong, &weak));
        steps.push(flaw(404, code, |d| {
            if d.path != "/v1/nothing" {
                d.path = unknown.into();
            }
        }));
        assert_precedence(&server.api(), &draft, &steps).await;
    }
}

#[tokio::test]
async fn order_of_errors_of_the_exchange_of_a_code_and_of_a_revocation() {
    // B-083, D-153: the server checks the media type and the size, authenticates the client, and then checks the grant
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let app = &fixture.bot.app;
    let basic = |id: &str, secret: &str| format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
    let mut draft = Draft::new(Method::POST, "/oauth/token", basic(&app.client_id, &app.client_secret));
    let code = fixture.company.install_code(app, &["users:read"]).await;
    draft.body = json!({"grant_type": "authorization_code", "code": code});
    for bad_grant in [json!("refresh_token"), json!("client_credentials")] {
        let mut steps = vec![
            flaw(405, "client_error", |d| d.method = Method::PUT),
            flaw(400, "token_in_query", |d| d.query.push("token=x".into())),
            flaw(406, "not_acceptable", |d| d.accept = "text/html"),
        ];
        steps.extend(body_steps());
        steps.extend([
            flaw(401, "invalid_client", |d| d.authorization = Some(basic(&app.client_id, "svc_sec_wrong"))),
            flaw(400, "unsupported_grant_type", |d| d.body["grant_type"] = bad_grant.clone()),
            flaw(400, "invalid_grant", |d| d.body["code"] = json!("svc_code_unknown")),
        ]);
        assert_precedence(&server.api(), &draft, &steps).await;
    }
    // errors in the body are not revealed to unauthenticated callers
    for body in [json!({}), json!({"grant_type": "authorization_code"}), json!({"grant_type": 5}), json!([])]
    {
        let mut modified = draft.clone();
        modified.body = body;
        modified.authorization = Some(basic(&app.client_id, "svc_sec_wrong"));
        modified.call(&server.api()).refused(401, "invalid_client").await;
        modified.authorization.clone_from(&draft.authorization);
        modified.call(&server.api()).refused(400, "invalid_request").await;
    }
    draft.call(&server.api()).ok(200).await;

    let mut draft = Draft::new(Method::POST, "/oauth/revoke", basic(&app.client_id, &app.client_secret));
    draft.body = json!({"token": fixture.bot.token});
    let mut steps = vec![
        flaw(400, "token_in_query", |d| d.query.push("token=x".into())),
        flaw(406, "not_acceptable", |d| d.accept = "text/html"),
    ];
    steps.extend(body_steps());
    steps.extend([
        flaw(401, "invalid_client", |d| d.authorization = Some(basic("svc_app_wrong", &app.client_secret))),
        flaw(400, "invalid_request", |d| d.body = json!({})),
    ]);
    assert_precedence(&server.api(), &draft, &steps).await;
    draft.call(&server.api()).ok(200).await;
}

#[tokio::test]
async fn limits_per_minute_are_checked_after_the_scope_and_before_the_validation() {
    // B-064: the limits of lists, single reads and edits (429) are checked after the scope (403), and before the query,
    // the body (400) and the id (404)
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let mut edit =
        Draft::new(Method::PATCH, &format!("/v1/messages/{}", fixture.message().await), strong.clone());
    edit.body = json!({"text": "again"});
    let list = Draft::new(Method::GET, "/v1/users", strong.clone());
    let single = Draft::new(Method::GET, &format!("/v1/users/{}", fixture.person), strong.clone());
    for (draft, limit) in [(edit, 60), (list, 20), (single, 100)] {
        for _ in 0..limit {
            draft.call(&server.api()).ok(200).await;
        }
        let mut steps = first_steps(Some("Basic YTpi"));
        if draft.method == Method::PATCH {
            steps.extend(body_steps());
        }
        steps.extend([
            scope_step(&strong, &weak),
            flaw(429, "rate_limited", |_| ()),
            flaw(400, "invalid_request", |d| {
                d.query.push("limit=0".into());
                if d.method == Method::PATCH {
                    d.body["text"] = json!(5);
                }
            }),
        ]);
        if draft.method == Method::PATCH {
            steps.push(flaw(404, "message_not_found", |d| {
                if d.path != "/v1/nothing" {
                    d.path = "/v1/messages/gmsg_0000000000001".into();
                }
            }));
        }
        // from here on every request exceeds the limit, so a request with one of the later errors gets 429; the order
        // of the later errors cannot be tested here
        let end = steps.iter().position(|f| f.status == 429).expect("a 429");
        let later = steps.split_off(end + 1);
        assert_precedence(&server.api(), &draft, &steps).await;
        for flaw in later {
            let mut modified = draft.clone();
            (flaw.apply)(&mut modified);
            modified.call(&server.api()).refused(429, "rate_limited").await;
        }
    }
}

#[tokio::test]
async fn the_send_limits_are_checked_last() {
    // B-064: all other errors precede the 429 of a send limit
    let server = Server::limited().await;
    let fixture = BotFixture::new(&server).await;
    let Tokens { strong, weak } = tokens(&fixture).await;
    let used = fresh_key();
    let remembered = to_conversation(&fixture.group, "remembered");
    let original = fixture.bot.api.post("/v1/messages").key(&used).json(&remembered).ok(201).await;
    for _ in 0..4 {
        fixture.message().await;
    }
    let mut draft = Draft::new(Method::POST, "/v1/messages", strong.clone());
    draft.body = to_conversation(&fixture.group, "one too many");
    draft.key = Some(fresh_key());
    let mut steps = first_steps(Some("Basic YTpi"));
    steps.extend(body_steps());
    steps.extend([
        scope_step(&strong, &weak),
        flaw(400, "missing_idempotency_key", |d| d.key = None),
        flaw(400, "invalid_request", |d| d.body["text"] = json!(5)),
        flaw(422, "idempotency_key_reused", |d| {
            if d.key.is_some() {
                d.key = Some(used.clone());
            }
        }),
        flaw(404, "conversation_not_found", |d| d.body["to"]["id"] = json!("grp_0000000000001")),
        flaw(400, "invalid_request", |d| d.body["thread_id"] = json!("gmsg_0000000000001")),
        flaw(429, "rate_limited", |_| ()),
    ]);
    assert_precedence(&server.api(), &draft, &steps).await;
    // B-416: a replay is accepted although the send limit is used up
    let again = fixture.bot.api.post("/v1/messages").key(&used).json(&remembered).ok(201).await;
    assert_eq!(again, original);
}
