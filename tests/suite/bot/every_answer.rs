//! Rules for every response of the bot API: one code for each error condition (B-008), and no phone number (B-102).

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    ALL_SCOPES, BotFixture, NOBODY, NOTHING, NOWHERE, OPERATIONS, Server,
    api::{Answer, Call},
    both_engines, fresh_key, to_conversation, to_user,
};

const BOT: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/generated/bot.json"));

/// An error condition with the requests that cause it.
struct Condition {
    status: u16,
    code: &'static str,
    calls: Vec<Call>,
}

/// Returns requests for users, conversations and messages that the bot cannot see. Each id is unknown, belongs to
/// another company or to an object of another kind, or is malformed.
fn unseen(fixture: &BotFixture, elsewhere: &BotFixture, their_message: &str) -> [Condition; 3] {
    let api = &fixture.bot.api;
    let send = |body: &Value| api.post("/v1/messages").key(&fresh_key()).json(body);
    let (mut users, mut conversations, mut messages) = (Vec::new(), Vec::new(), Vec::new());
    for id in [NOBODY, &elsewhere.person, &fixture.group, "usr_", "%20", "%F0%9F%98%80"] {
        users.push(api.get(&format!("/v1/users/{id}")));
    }
    for id in [NOBODY, &elsewhere.person] {
        users.push(send(&to_user(id, "x")));
    }
    for id in [NOWHERE, &elsewhere.group, &fixture.person, "grp_", "%20"] {
        conversations.push(api.get(&format!("/v1/conversations/{id}")));
        conversations.push(api.get(&format!("/v1/conversations/{id}/messages")));
    }
    for id in [NOWHERE, &elsewhere.group] {
        conversations.push(send(&to_conversation(id, "x")));
    }
    for id in [NOTHING, their_message, &fixture.group, "gmsg_", "%20"] {
        messages.push(api.delete(&format!("/v1/messages/{id}")));
        messages.push(api.patch(&format!("/v1/messages/{id}")).json(&json!({"text": "x"})));
    }
    [
        Condition { status: 404, code: "user_not_found", calls: users },
        Condition { status: 404, code: "conversation_not_found", calls: conversations },
        Condition { status: 404, code: "message_not_found", calls: messages },
    ]
}

/// Returns requests of every operation without a token, with a malformed or unknown token, and with a revoked token.
async fn unauthenticated(server: &Server, fixture: &BotFixture) -> [Condition; 3] {
    let uninstalled = fixture.company.bot(server).await;
    fixture.company.uninstall(&uninstalled).await;
    let (mut without, mut wrong, mut revoked) = (Vec::new(), Vec::new(), Vec::new());
    for operation in &OPERATIONS {
        without.push(fixture.call(&server.api(), operation).await);
        wrong.push(fixture.call(&server.api().bearer("x"), operation).await);
        wrong.push(fixture.call(&server.api().bearer(&format!("{}x", fixture.bot.token)), operation).await);
        revoked.push(fixture.call(&uninstalled.api, operation).await);
    }
    [
        Condition { status: 401, code: "not_authed", calls: without },
        Condition { status: 401, code: "invalid_auth", calls: wrong },
        Condition { status: 401, code: "token_revoked", calls: revoked },
    ]
}

/// Asserts that a response has this status and this error code, and a message for people.
fn assert_error(answer: &Answer, status: u16, code: &str) {
    let body = answer.json();
    assert_eq!(
        (answer.status, &body["error"]["code"]),
        (status, &json!(code)),
        "the same condition has the same code (B-008): {}: {body}",
        answer.name
    );
    let message = body["error"]["message"].as_str().expect("a message");
    let words = message.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
    assert!(
        words >= 2 && message != code,
        "an error has a message for people (B-008): {}: {message}",
        answer.name
    );
}

#[both_engines]
async fn a_condition_has_one_code_in_every_operation(server: Server) {
    // B-008: a condition has the same code in every operation, also if the request is repeated
    let (fixture, elsewhere) = (BotFixture::new(&server).await, BotFixture::new(&server).await);
    let theirs = elsewhere.message().await;
    for _ in 0..2 {
        let unseen = unseen(&fixture, &elsewhere, &theirs);
        for Condition { status, code, calls } in
            unseen.into_iter().chain(unauthenticated(&server, &fixture).await)
        {
            for call in calls {
                assert_error(&call.send().await, status, code);
            }
        }
    }
    // neither a restart nor `Accept-Language` changes the code
    let server = server.restarted().await;
    let call = server.api().bearer(&fixture.bot.token).get(&format!("/v1/users/{NOBODY}"));
    assert_error(&call.header("accept-language", "de").send().await, 404, "user_not_found");
}

#[both_engines]
async fn no_response_contains_a_phone_number(server: Server) {
    // B-102: the test sends a telephone number to the admin API under several member names. No response of the bot API
    // contains the number.
    const DIGITS: &str = "5550123";
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let phone = format!("+49 170 {DIGITS}");
    let members = json!({
        "phone": phone, "phone_number": phone, "mobile": phone, "tel": phone, "cell": phone, "number": phone,
        "contact": {"phone": phone}, "phones": [phone],
    });
    let path = format!("/admin/v1/users/{}", fixture.person);
    company.operator.patch(&path).json(&members).ok(200).await;
    let other = company.person_with(members).await;
    company.add(&fixture.group, &other).await;
    company.post(&fixture.group, &other, "hello").await;
    let direct = fixture.bot.send(&to_user(&other, "hello")).await;
    assert!(direct["id"].is_string());
    let mut answers = Vec::new();
    for operation in &OPERATIONS {
        answers.push(fixture.call(&fixture.bot.api, operation).await.send().await);
    }
    for path in [format!("/v1/users/{other}"), format!("/v1/users?limit={}", 100)] {
        answers.push(fixture.bot.api.call(Method::GET, &path).send().await);
    }
    for answer in &answers {
        assert!(
            (200..300).contains(&answer.status),
            "the request succeeds: {}: {}",
            answer.name,
            answer.text()
        );
        assert!(
            !answer.text().contains(DIGITS),
            "no telephone number is shown (B-102): {}: {}",
            answer.name,
            answer.text()
        );
        for name in member_names(&answer.json()) {
            let reported = ["phone", "mobile", "tel", "cell", "contact", "msisdn"]
                .iter()
                .find(|part| name.contains(*part));
            assert_eq!(reported, None, "no member is for telephone numbers (B-102): {}: {name}", answer.name);
        }
    }
    let document: Value = serde_json::from_str(BOT).unwrap();
    let scopes: BTreeSet<&str> =
        document["x-scopes"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        BTreeSet::from(ALL_SCOPES),
        scopes,
        "the bot has all scopes of openapi/bot.yaml, so no member of a response is left out"
    );
}

/// Returns the names of all members of a JSON value, at any depth, in lower case.
fn member_names(value: &Value) -> Vec<String> {
    match value {
        Value::Object(members) => {
            let own = members.keys().map(|name| name.to_lowercase());
            own.chain(members.values().flat_map(member_names)).collect()
        }
        Value::Array(items) => items.iter().flat_map(member_names).collect(),
        _ => Vec::new(),
    }
}
