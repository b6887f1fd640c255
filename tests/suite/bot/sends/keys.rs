//! The format of the header `Idempotency-Key` (B-138 … B-146, B-420).

use serde_json::json;

use crate::support::*;

#[both_engines]
async fn a_key_is_required(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({}));
    // B-138: no key
    fixture.bot.api.post("/v1/messages").json(&body).refused(400, "missing_idempotency_key").await;
    // B-139, D-044: an empty key is present and invalid
    fixture.bot.sending("", &body).refused(400, "invalid_request").await;
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn a_key_has_1_to_255_visible_characters(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for key in [
        // B-140, B-141: 1 to 255 characters
        "k",
        &"k".repeat(255),
        // B-144: visible ASCII characters
        "!",
        "~",
        "!~",
        "a:b",
        "a,b",
        r#""quoted""#,
        "{}",
    ] {
        fixture.bot.sending(key, &fixture.post(json!({"text": key}))).ok(201).await;
    }
    assert_eq!(fixture.visible_messages().await.len(), 9);

    for key in [
        // B-142: too long
        "k".repeat(256).as_bytes(),
        "k".repeat(1_000).as_bytes(),
        // B-143: a space, a tab, and bytes outside ASCII
        b"a b",
        b"a\tb",
        b"k\x80",
        b"\xff",
        "cl\u{e9}".as_bytes(),
    ] {
        let call = fixture.bot.api.post("/v1/messages").header("idempotency-key", key);
        call.json(&fixture.post(json!({}))).refused(400, "invalid_request").await;
    }
    assert_eq!(fixture.visible_messages().await.len(), 9, "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn a_key_with_the_delete_character_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({})).to_string();
    let authorization = format!("authorization: Bearer {}", fixture.bot.token);
    let length = format!("content-length: {}", body.len());
    let headers = [&authorization, "content-type: application/json", "idempotency-key: a\x7fb", &length];
    // HTTP libraries refuse to send this character, so the test writes the bytes of the request itself
    let answer = wire::request(&server.base, "POST /v1/messages", &headers, body.as_bytes()).await;
    answer.refused(400, "invalid_request"); // B-143: DEL
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn a_request_may_have_only_one_key(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for (first, second) in [("one", "two"), ("same", "same")] {
        let call = fixture.bot.api.post("/v1/messages").key(first).key(second);
        call.json(&fixture.post(json!({}))).refused(400, "invalid_request").await; // B-145: two keys
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");
    // B-203: the refused request did not store its keys
    fixture.bot.sending("one", &fixture.post(json!({}))).ok(201).await;
}

#[both_engines]
async fn keys_of_one_event_for_several_people_do_not_collide(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let others = [fixture.company.person().await, fixture.company.person().await, fixture.person.clone()];
    let mut sent = std::collections::BTreeSet::new();
    for person in &others {
        let key = format!("evt_38f44266j00f6:{person}"); // B-146: the ids of the event and the person
        let answer = fixture.bot.sending(&key, &to_user(person, "the build broke")).ok(201).await;
        sent.insert(text(&answer, "/message/id"));
    }
    assert_eq!(sent.len(), 3, "keys that consist of an event id and a person id do not collide (B-146)");
}

#[both_engines]
async fn keys_differ_by_case(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let lower = fixture.bot.sending("key", &fixture.post(json!({}))).ok(201).await;
    let upper = fixture.bot.sending("KEY", &fixture.post(json!({}))).ok(201).await;
    assert_ne!(
        lower["message"]["id"], upper["message"]["id"],
        "keys that differ only in case are different keys"
    );
}
