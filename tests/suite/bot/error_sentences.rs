//! Error messages. In some examples of the OpenAPI documents, the message names the reason of the error. The server
//! returns the same message. Every other example has the default message of its code, which the tests in
//! `src/contract/tests` check. If a code is returned in several situations, the message is true in each situation.

use serde_json::{Value, json};

use crate::support::*;

/// Returns the error message of a response.
fn error_message(answer: &Answer) -> String {
    let body = answer.json();
    let found = body["error"]["message"].as_str().or(body["error_description"].as_str());
    found.unwrap_or_else(|| panic!("the error has no message: {body}")).to_owned()
}

/// Returns the error message in an example of a published document.
async fn example(server: &Server, document: &str, name: &str) -> String {
    let document = reqwest::get(format!("{}/openapi/{document}.json", server.base)).await.unwrap();
    let document: Value = document.json().await.unwrap();
    let value = &document["components"]["examples"][name]["value"];
    let found = value["error"]["message"].as_str().or(value["error_description"].as_str());
    found.unwrap_or_else(|| panic!("the example has no message: {value}")).to_owned()
}

#[tokio::test]
async fn examples_with_a_reason_have_the_message_that_the_server_returns() {
    let server = Server::sqlite().await;
    let fixture = BotFixture::new(&server).await;
    let without_scopes = fixture.company.install(&fixture.bot.app, &[]).await;
    let long = fixture.post(json!({"text": "x".repeat(4_001)}));
    let blocks = fixture.post(json!({"blocks": [{"type": "header"}]}));
    let twice = "grant_type=authorization_code&code=a&code=b";
    let register = |members: Value| server.api().post("/register").json(&oauth::metadata(members)).send();
    let answers = [
        ("bot", "invalid_request", fixture.bot.sending("a", &long).send().await),
        ("bot", "invalid_blocks", fixture.bot.sending("b", &blocks).send().await),
        ("bot", "missing_scope", without_scopes.api.get("/v1/users").send().await),
        ("bot", "client_error", fixture.bot.api.delete("/v1/users").send().await),
        ("assistant", "method_not_allowed", server.api().get("/token").send().await),
        ("admin", "client_error", fixture.company.operator.delete("/admin/v1/apps").send().await),
        (
            "assistant",
            "invalid_request",
            server
                .api()
                .post("/token")
                .header("content-type", "application/x-www-form-urlencoded")
                .body(twice)
                .send()
                .await,
        ),
        (
            "assistant",
            "invalid_redirect_uri",
            register(json!({"redirect_uris": ["https://client.example/cb#part"]})).await,
        ),
        ("assistant", "invalid_client_metadata", register(json!({"client_name": "An Admin"})).await),
        (
            "admin",
            "sign_in_refused",
            server
                .api()
                .post("/admin/v1/sessions")
                .json(&json!({"email": "nobody@example.com", "password": "wrong password"}))
                .send()
                .await,
        ),
    ];
    for (document, name, answer) in answers {
        assert_eq!(
            error_message(&answer),
            example(&server, document, name).await,
            "the example has the message of the server: {document}: {name}"
        );
    }
}

#[both_engines]
async fn messages_are_true_for_the_rejected_request(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    // the sender is a person who was removed from the group, so the error message does not mention a bot
    company.remove(&fixture.group, &fixture.person).await;
    let post = company.operator.post(&format!("/admin/v1/conversations/{}/messages", fixture.group));
    let left = post
        .json(&json!({"user_id": fixture.person, "type": "text", "text": "x"}))
        .refused(403, "not_in_conversation")
        .await;
    assert_eq!(error_message(&left), "no longer a member of the conversation");
    // the grant is a refresh token, so the error message does not mention a code
    let client = server.client().await;
    let tokens = server.employee().await.connect(&server, &client).await;
    let answer = client.refresh("svc_mcp_rt_test_x").await;
    answer.refused(400, "invalid_grant");
    assert_eq!(
        answer.json()["error_description"],
        "the grant is unknown, expired, revoked or used, or was not given for this request"
    );
    server.assert_active(&tokens).await;
    // the key belongs to the message of another sender
    let person = company.person().await;
    company.add(&fixture.group, &person).await;
    company.post_with(&fixture.group, &person, json!({"text": "hi", "client_key": "taken"})).await;
    let taken =
        fixture.bot.sending("taken", &fixture.post(json!({}))).refused(422, "idempotency_key_reused").await;
    assert_eq!(
        error_message(&taken),
        "the key belongs to a message of this conversation that the app did not send"
    );
    // the operator acts for a person who is no admin
    let id = company.installation_of(&fixture.bot).await;
    let call = company.operator.delete(&format!("/admin/v1/installations/{id}"));
    let answer = call.header("x-acting-user", &person).refused(403, "forbidden").await;
    assert_eq!(error_message(&answer), "X-Acting-User must name an active admin of the company");
}
