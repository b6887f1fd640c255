//! The error codes of the bot API. The API returns every code of [`TABLE`] (B-371 … B-397, B-399), and the codes of
//! failures of the server (B-398, B-399), but no other code (B-400).

use serde_json::{Value, json};
use switchboard::generated::bot::{CODES, OPERATIONS};

use crate::support::{
    BotFixture, LimitedServer, Server, api::Answer, both_engines, fresh_key, to_conversation, to_user,
};

/// The contract's table of error codes, without the codes of failures of the server (5xx). The comment of each row is
/// the meaning of the code, and the number of its requirement.
const TABLE: [(u16, &str); 28] = [
    (400, "invalid_request"),             // a parameter is missing or malformed (B-371)
    (400, "invalid_blocks"),              // a block, or the number of blocks, is invalid (B-372)
    (400, "invalid_cursor"),              // the cursor is malformed or of another list (B-373)
    (400, "missing_idempotency_key"),     // a send without `Idempotency-Key` (B-374)
    (400, "token_in_query"),              // the query string has a token (B-375)
    (400, "invalid_grant"),               // the code is unknown, expired, used or of another app (B-376)
    (400, "unsupported_grant_type"),      // the grant type is not `authorization_code` (B-377)
    (401, "not_authed"),                  // no `Authorization` header (B-378)
    (401, "invalid_auth"),                // the token is malformed or unknown (B-379)
    (401, "token_revoked"),               // the installation is disconnected (B-380)
    (401, "invalid_client"),              // client id and secret are not those of an app (B-381)
    (403, "missing_scope"),               // the token lacks the scope (B-382)
    (403, "cannot_dm_user"),              // the person does not take direct messages from the bot (B-383)
    (403, "not_in_conversation"),         // the bot was removed from the conversation (B-384)
    (403, "not_allowed_in_conversation"), // the conversation is announcement-only (B-385)
    (404, "user_not_found"),              // no such person, a hidden guest or a hidden e-mail address (B-386)
    (404, "conversation_not_found"),      // no such conversation, or the bot was never a member (B-387)
    (404, "message_not_found"),           // no such message, or a message of another sender (B-388)
    (404, "file_not_found"),              // no message that the bot can read has the file (B-389)
    (404, "not_found"),                   // no such path or object (B-390)
    (406, "not_acceptable"),              // `Accept` excludes JSON (B-391)
    (409, "conversation_archived"),       // the group is archived (B-392)
    (409, "user_deactivated"),            // the person is deactivated or removed (B-393)
    (413, "payload_too_large"),           // the body is too large (B-394)
    (415, "unsupported_media_type"),      // the media type, charset or encoding is not accepted (B-395)
    (422, "idempotency_key_reused"),      // the key belongs to another request (B-396)
    (429, "rate_limited"),                // a rate limit is exceeded (B-397)
    (405, "client_error"),                // the method is not allowed; other 4xx statuses too (B-399)
];

async fn send(fixture: &BotFixture, body: &Value) -> Answer {
    fixture.bot.api.post("/v1/messages").key(&fresh_key()).json(body).send().await
}

/// Causes an error with this code, and returns the response.
async fn provoke(server: &Server, code: &str) -> Answer {
    let fixture = BotFixture::new(server).await;
    let (company, bot) = (&fixture.company, &fixture.bot);
    let api = &bot.api;
    let post = to_conversation(&fixture.group, "x");
    let grant = |grant_type: &str, secret: &str| {
        json!({
            "grant_type": grant_type, "code": "svc_code_unknown",
            "client_id": bot.app.client_id, "client_secret": secret,
        })
    };
    let secret = bot.app.client_secret.as_str();
    let token = |body: Value| server.api().post("/oauth/token").json(&body);
    match code {
        "invalid_request" => api.get("/v1/users?limit=0").send().await,
        "invalid_blocks" => {
            let mut body = post;
            body["blocks"] = json!([{"type": "divider"}]);
            send(&fixture, &body).await
        }
        "invalid_cursor" => api.get("/v1/users?cursor=abc").send().await,
        "missing_idempotency_key" => api.post("/v1/messages").json(&post).send().await,
        "token_in_query" => api.get("/v1/users?access_token=x").send().await,
        "invalid_grant" => token(grant("authorization_code", secret)).send().await,
        "unsupported_grant_type" => token(grant("password", secret)).send().await,
        "not_authed" => server.api().get("/v1/users").send().await,
        "invalid_auth" => server.api().bearer("x").get("/v1/users").send().await,
        "token_revoked" => {
            company.uninstall(bot).await;
            api.get("/v1/users").send().await
        }
        "invalid_client" => token(grant("authorization_code", "wrong")).send().await,
        "missing_scope" => {
            let weak = company.install(&bot.app, &[]).await;
            weak.api.get("/v1/users").send().await
        }
        "cannot_dm_user" => send(&fixture, &to_user(&company.guest(true).await, "x")).await,
        "not_in_conversation" => {
            company.remove(&fixture.group, &bot.user_id).await;
            send(&fixture, &post).await
        }
        "not_allowed_in_conversation" => {
            company.update_conversation(&fixture.group, json!({"announcement_only": true})).await;
            send(&fixture, &post).await
        }
        "user_not_found" => api.get("/v1/users/usr_0000000000001").send().await,
        "conversation_not_found" => api.get("/v1/conversations/grp_0000000000001").send().await,
        "message_not_found" => api.delete("/v1/messages/gmsg_0000000000001").send().await,
        "file_not_found" => {
            let path = format!("/v1/conversations/{}/files/fil_0000000000001", fixture.group);
            api.get(&path).send().await
        }
        "not_found" => api.get("/v1/nothing").send().await,
        "not_acceptable" => api.get("/v1/users").header("accept", "text/html").send().await,
        "conversation_archived" => {
            company.update_conversation(&fixture.group, json!({"is_archived": true})).await;
            send(&fixture, &post).await
        }
        "user_deactivated" => {
            company.set_state(&fixture.person, "deactivated").await;
            send(&fixture, &to_user(&fixture.person, "x")).await
        }
        "payload_too_large" => {
            let call = api.post("/v1/messages").key("k").header("content-type", "application/json");
            call.body(vec![b' '; 2_000_000]).send().await
        }
        "unsupported_media_type" => {
            let call = api.post("/v1/messages").key("k").header("content-type", "text/plain");
            call.body("x").send().await
        }
        "idempotency_key_reused" => {
            let key = fresh_key();
            api.post("/v1/messages").key(&key).json(&post).ok(201).await;
            let other = to_conversation(&fixture.group, "y");
            api.post("/v1/messages").key(&key).json(&other).send().await
        }
        "rate_limited" => {
            for _ in 0..20 {
                api.get("/v1/users").ok(200).await;
            }
            api.get("/v1/users").send().await
        }
        "client_error" => api.put("/v1/users").send().await,
        other => panic!("{other} is not in the table"),
    }
}

#[both_engines]
async fn every_code_has_its_status(LimitedServer(server): LimitedServer) {
    // B-008: the code is the same each time and in every company
    for _ in 0..2 {
        for (status, code) in TABLE {
            let answer = provoke(&server, code).await.refused(status, code);
            let message = answer.json()["error"]["message"].as_str().expect("a message").to_owned();
            assert!(
                message.contains(char::is_whitespace),
                "every error has a message for people (B-008): {code}: {message}"
            );
        }
        server.clock.advance(std::time::Duration::from_secs(60));
    }
}

#[both_engines]
async fn only_a_send_requires_an_idempotency_key(server: Server) {
    // B-374, B-238: only a send needs `Idempotency-Key`
    let fixture = BotFixture::new(&server).await;
    let path = format!("/v1/messages/{}", fixture.message().await);
    fixture.bot.api.patch(&path).json(&json!({"text": "no key"})).ok(200).await;
    fixture.bot.api.delete(&path).ok(200).await;
    // `missing_idempotency_key` is for a missing header, not for an invalid value
    let body = to_conversation(&fixture.group, "x");
    fixture.bot.api.post("/v1/messages").json(&body).refused(400, "missing_idempotency_key").await;
    fixture.bot.api.post("/v1/messages").key("").json(&body).refused(400, "invalid_request").await;
}

#[test]
fn the_server_has_only_the_listed_codes() {
    // B-400: the codes of the server are those of the table, those of failures of the server, and those that only the
    // admin API or the assistant server has
    let mut known: Vec<_> = switchboard::domain::refusal::Code::ALL.iter().map(|c| c.as_str()).collect();
    known.sort_unstable();
    let mut expected: Vec<_> = TABLE.iter().map(|(_, code)| *code).collect();
    // codes of failures of the server (B-398, B-399), and two codes of the admin API
    expected.extend(["internal_error", "server_error", "forbidden", "conflict"]);
    // codes of the assistant server, in the format of OAuth
    expected.extend(["invalid_client_metadata", "invalid_redirect_uri", "invalid_scope", "invalid_target"]);
    expected.extend(["request_too_large", "slow_down"]);
    expected.sort_unstable();
    assert_eq!(known, expected);
    // B-044: `token_expired` is reserved and never returned
    assert!(!known.contains(&"token_expired"));
}

#[test]
fn the_published_document_promises_the_table() {
    // B-400, B-044, B-398: the document has `internal_error` and the codes of the table, except `not_found` and
    // `client_error`, which no operation of the document lists
    let mut promised: Vec<_> = CODES.iter().map(|(code, status)| (*status, code.as_str())).collect();
    promised.sort_unstable();
    let mut expected = TABLE.to_vec();
    expected.retain(|(_, code)| !["not_found", "client_error"].contains(code));
    expected.push((500, "internal_error"));
    expected.sort_unstable();
    assert_eq!(promised, expected);
    // the operations of the document name no other code
    for operation in OPERATIONS {
        for code in operation.errors {
            assert!(
                promised.iter().any(|(_, known)| known == &code.as_str()),
                "the document lists every code of its operations: {}: {code:?}",
                operation.id
            );
        }
    }
}

#[tokio::test]
async fn production_has_no_sandbox_operations() {
    // W-26, W-44 … W-46, W-49: in production, operations of the sandbox get 404 and not 403
    let server = Server::production().await;
    let fixture = BotFixture::new(&server).await;
    assert_eq!(fixture.bot.api.get("/v1/auth/test").ok(200).await["ok"], true);
    let operator = server.operator();
    let message = fixture.message().await;
    operator.get("/admin/v1/clock").refused(404, "not_found").await;
    operator.post("/admin/v1/clock").json(&json!({"advance_seconds": 1})).refused(404, "not_found").await;
    operator.post("/admin/v1/rate_limits/reset").refused(404, "not_found").await;
    let path = format!("/admin/v1/messages/{message}/interactions");
    let body = json!({"user_id": fixture.person, "action_id": "a"});
    operator.post(&path).json(&body).refused(404, "not_found").await;
    let path = "/admin/v1/apps/app_0000000000001/test_events";
    operator.post(path).json(&json!({"type": "interaction"})).refused(404, "not_found").await;
    // the response is the same without a token
    server.api().get("/admin/v1/clock").refused(404, "not_found").await;
}
