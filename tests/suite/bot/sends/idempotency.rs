//! Idempotency keys: replays within 24 hours, keys that are used for another request or by another sender, and keys of
//! failed sends (B-191 … B-195, B-199, B-200, B-202, B-203, B-206). `later.rs` tests keys after 24 hours.

use serde_json::{Value, json};

use crate::support::*;

#[both_engines]
async fn a_replay_returns_the_original_response_and_posts_nothing(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let parent = fixture.posted(json!({})).await;
    let full = json!({
        "thread_id": parent, "unfurl_links": true, "metadata": {"a": 1},
        "blocks": [{"type": "header", "text": "h"}], "unknown": ["kept for the comparison"],
    });
    for (key, body) in [
        ("group", fixture.post(json!({}))),
        ("direct", fixture.direct(json!({}))),
        ("full", fixture.post(full)),
    ] {
        let original = fixture.bot.sending(key, &body).send().await;
        original.ok(201);
        assert!(
            original.header("idempotent-replayed").is_none(),
            "only a replay has the header Idempotent-Replayed (B-206)"
        );
        for _ in 0..3 {
            let replay = fixture.bot.sending(key, &body).send().await;
            replay.ok(201);
            assert_eq!(replay.bytes, original.bytes, "a replay returns the original bytes (B-191)");
            assert_eq!(
                replay.header("idempotent-replayed"),
                Some("true"),
                "a replay has the header Idempotent-Replayed (B-206, D-054)"
            );
            assert_ne!(
                replay.header("x-request-id"),
                original.header("x-request-id"),
                "a replay has a request id of its own (B-206)"
            );
        }
        let conversation = text(&original.json(), "/message/conversation_id");
        let id = text(&original.json(), "/message/id");
        let messages = fixture.company.sent_by(&fixture.bot, &conversation).await;
        assert_eq!(messages[0]["id"], id.as_str(), "a repeated key sends nothing (B-191)");
    }
    assert_eq!(
        fixture.visible_messages().await.len(),
        3,
        "the group has the parent and one message for each of its two keys (B-191)"
    );
}

#[both_engines]
async fn bodies_are_compared_as_json_values(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let group = &fixture.group;
    let raw = |body: String| fixture.bot.sending_text("k", body).send();
    let to = format!(r#""to":{{"type":"conversation","id":"{group}"}}"#);
    let more = r#""metadata":{"a":[1,2],"b":{"c":true}}"#;
    let original = raw(format!(r#"{{{to},"text":"h\u00e9",{more}}}"#)).await;
    original.ok(201);
    let reordered = format!(r#""to":{{"id":"{group}","type":"conversation"}}"#);
    for same in [
        // B-192, D-048: different white space, order of members or escapes; `thread_id` null instead of absent
        format!("{{ {to} ,\n\"text\" :\t\"hé\", {} }}\r\n", more.replace(',', " , ").replace(':', ": ")),
        format!(r#"{{"metadata":{{"b":{{"c":true}},"a":[1,2]}},"text":"h\u00E9",{reordered}}}"#),
        format!(r#"{{{to},"text":"\u0068é",{more},"thread_id":null}}"#),
    ] {
        let replay = raw(same.clone()).await;
        assert_eq!(
            replay.status,
            201,
            "bodies are compared as JSON values (B-192): {same}: {}",
            replay.text()
        );
        assert_eq!(replay.bytes, original.bytes, "a replay returns the original bytes (B-191): {same}");
    }
    for other in [
        // B-192, B-193: another order of array items, one more member (even one without effect), another text, one
        // member less
        format!(r#"{{{to},"text":"hé","metadata":{{"a":[2,1],"b":{{"c":true}}}}}}"#),
        format!(r#"{{{to},"text":"hé",{more},"unfurl_links":false}}"#),
        format!(r#"{{{to},"text":"hé",{more},"unknown":1}}"#),
        format!(r#"{{{to},"text":"hé",{more},"blocks":[]}}"#),
        format!(r#"{{{to},"text":"Hé",{more}}}"#),
        format!(r#"{{{to},"text":"he\u0301",{more}}}"#),
        format!(r#"{{{to},"text":"hé"}}"#),
    ] {
        let answer = raw(other.clone()).await;
        assert_eq!(
            answer.status,
            422,
            "a key is refused for a body that is another JSON value (B-192, B-193): {other}: {}",
            answer.text()
        );
        answer.refused(422, "idempotency_key_reused");
    }
    assert_eq!(fixture.visible_messages().await.len(), 1, "a reused key sends nothing (B-193)");
}

#[both_engines]
async fn items_and_fields_are_the_same_member_of_a_fields_block(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = |name: &str, value: &str| {
        fixture.post(json!({"blocks": [{"type": "fields", name: [{"label": "Status", "value": value}]}]}))
    };
    let original = fixture.bot.sending("k", &body("fields", "open")).send().await;
    original.ok(201);
    let replay = fixture.bot.sending("k", &body("items", "open")).send().await;
    replay.ok(201);
    assert_eq!(replay.bytes, original.bytes, "`items` and `fields` are the same member (B-192, D-048)");
    fixture.bot.key_is_taken("k", &body("items", "closed")).await; // B-192: another body
}

#[both_engines]
async fn a_body_without_the_thread_id_is_another_body(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let parent = fixture.posted(json!({})).await;
    fixture.bot.sending("k", &fixture.post(json!({"thread_id": parent}))).ok(201).await;
    for other in [json!({}), json!({"thread_id": null})] {
        fixture.bot.key_is_taken("k", &fixture.post(other)).await; // B-192: another body
    }
}

#[both_engines]
async fn another_destination_is_another_body(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other_group = fixture.company.group(&[&fixture.bot.user_id]).await;
    let other_person = fixture.company.person().await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    fixture.bot.sending("k", &fixture.post(json!({}))).ok(201).await;
    for to in [
        to_conversation(&other_group, "hello"),
        to_conversation(&channel, "hello"),
        to_user(&fixture.person, "hello"),
        to_user(&other_person, "hello"),
    ] {
        fixture.bot.key_is_taken("k", &to).await; // B-194, D-047: another destination
    }
    assert!(fixture.company.direct_conversations().await.is_empty(), "a reused key sends nothing (B-193)");
    assert!(
        fixture.company.sent_by(&fixture.bot, &other_group).await.is_empty(),
        "the same key with another body sends nothing (B-193)"
    );
}

#[both_engines]
async fn each_bot_has_its_own_keys(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let other_bot = company.bot(&server).await;
    let other_group = company.group(&[&other_bot.user_id]).await;
    // the same app has another bot user in another company, with keys of its own
    let other_company = server.company().await;
    let second_bot = other_company.install(&fixture.bot.app, &ALL_SCOPES).await;
    let second_group = other_company.group(&[&second_bot.user_id]).await;
    let mut ids = std::collections::BTreeSet::new();
    for (bot, body) in [
        (&fixture.bot, fixture.post(json!({}))),
        (&other_bot, to_conversation(&other_group, "hello")),
        (&second_bot, to_conversation(&second_group, "hello")),
    ] {
        // B-195, D-047: each bot may use the key
        ids.insert(text(&bot.sending("k", &body).ok(201).await, "/message/id"));
    }
    // two bots may use the same key even for the same person
    ids.insert(text(&fixture.bot.sending("d", &fixture.direct(json!({}))).ok(201).await, "/message/id"));
    ids.insert(text(&other_bot.sending("d", &fixture.direct(json!({}))).ok(201).await, "/message/id"));
    assert_eq!(ids.len(), 5, "each bot has its own keys (B-195, D-047)");
    // B-202, D-050: within a conversation, two senders cannot use the same key, whether their bodies are equal or not
    let shared = company.group(&[&fixture.bot.user_id, &other_bot.user_id]).await;
    fixture.bot.sending("s", &to_conversation(&shared, "hello")).ok(201).await;
    for words in ["hello", "another text"] {
        other_bot.key_is_taken("s", &to_conversation(&shared, words)).await;
    }
}

#[both_engines]
async fn a_bot_keeps_its_keys_when_it_gets_a_new_token(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let original = fixture.bot.sending("k", &fixture.post(json!({}))).send().await;
    original.ok(201);
    let second = fixture.company.install(&fixture.bot.app, &ALL_SCOPES).await;
    let replay = second.sending("k", &fixture.post(json!({}))).send().await;
    // B-191, D-047: keys belong to the bot user, not to the token
    assert_eq!(
        (replay.status, &replay.bytes),
        (201, &original.bytes),
        "a repeated key returns the original bytes (B-191)"
    );
}

#[both_engines]
async fn the_key_of_an_edited_or_deleted_message_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    for (key, body) in [("g", fixture.post(json!({}))), ("d", fixture.direct(json!({})))] {
        let key = |what: &str| format!("{key}-{what}");
        let send =
            async |what: &str| text(&fixture.bot.sending(&key(what), &body).ok(201).await, "/message/id");
        let edited = send("edited").await;
        fixture.bot.editing(&edited, &json!({"text": "changed"})).ok(200).await; // B-199: an edited message
        let same = send("same").await;
        // B-246, D-094: an edit that changes nothing counts as an edit
        fixture.bot.editing(&same, &json!({"text": "hello"})).ok(200).await;
        let deleted = send("deleted").await;
        fixture.bot.deleting(&deleted).ok(200).await; // B-200: a deleted message
        let both = send("both").await;
        fixture.bot.editing(&both, &json!({"text": "changed"})).ok(200).await;
        fixture.bot.deleting(&both).ok(200).await;
        let erased = send("erased").await;
        company.erase(&erased).await; // D-098: deleted through the admin API
        for what in ["edited", "same", "deleted", "both", "erased"] {
            let answer = fixture.bot.sending(&key(what), &body).send().await;
            assert_eq!(
                answer.status,
                422,
                "an edited or deleted message is not replayed (B-199, B-200): {what}: {}",
                answer.text()
            );
            answer.refused(422, "idempotency_key_reused");
        }
    }
    assert_eq!(
        fixture.visible_messages().await.len(),
        2,
        "a refused send leaves nothing behind: the group has only the two edited messages (B-225)"
    );
}

#[both_engines]
async fn a_key_of_another_senders_message_is_taken(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    company.post_with(&fixture.group, &fixture.person, json!({"client_key": "phone-1"})).await;
    fixture.bot.key_is_taken("phone-1", &fixture.post(json!({}))).await; // B-202: the key of a person's message
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");

    // the key is taken only in that conversation (D-050)
    let other = company.group(&[&fixture.bot.user_id, &fixture.person]).await;
    fixture.bot.sending("phone-1", &to_conversation(&other, "hello")).ok(201).await;

    // the key of a person's direct message is taken as well
    let dm = text(&fixture.bot.send(&fixture.direct(json!({}))).await, "/conversation_id");
    company.post_with(&dm, &fixture.person, json!({"client_key": "phone-2"})).await;
    fixture.bot.key_is_taken("phone-2", &fixture.direct(json!({}))).await; // B-202: the key of a person's message

    // the key is still taken after a day
    server.advance(PAST_A_DAY).await;
    fixture.bot.key_is_taken("phone-2", &fixture.direct(json!({}))).await;
}

/// If a key belongs to a message of another sender and the destination accepts no messages, the error of the key is
/// returned (B-064). The exception is a conversation that the bot is not in: the response must not reveal which keys
/// exist there.
#[both_engines]
async fn the_error_of_a_taken_key_precedes_the_errors_of_the_destination(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let members = [fixture.bot.user_id.as_str(), fixture.person.as_str()];
    let taken = json!({"client_key": "phone-1"});
    let (archived, announcing) = (company.group(&members).await, company.group(&members).await);
    for group in [&archived, &announcing] {
        company.post_with(group, &fixture.person, taken.clone()).await;
    }
    company.archive(&archived, true).await;
    company.update_conversation(&announcing, json!({"announcement_only": true})).await;
    let (leaver, blocker) = (company.person().await, company.person().await);
    for person in [&leaver, &blocker] {
        let dm = text(&fixture.bot.send(&to_user(person, "hello")).await, "/conversation_id");
        company.post_with(&dm, person, taken.clone()).await;
    }
    company.set_state(&leaver, "deactivated").await;
    company.block_app(&blocker, &fixture.bot).await;
    for (body, status, code) in [
        (to_conversation(&archived, "hello"), 409, "conversation_archived"),
        (to_conversation(&announcing, "hello"), 403, "not_allowed_in_conversation"),
        (to_user(&leaver, "hello"), 409, "user_deactivated"),
        (to_user(&blocker, "hello"), 403, "cannot_dm_user"),
    ] {
        fixture.bot.key_is_taken("phone-1", &body).await; // B-064, B-202: the error of the key
        fixture.bot.sending("free", &body).refused(status, code).await;
        // After a group has rejected a send, the bot's next send to the group is first checked without the lock of the
        // group. This check also reports the taken key.
        fixture.bot.key_is_taken("phone-1", &body).await;
    }

    for group in [&archived, &announcing] {
        company.remove(group, &fixture.bot.user_id).await;
        let body = to_conversation(group, "hello");
        fixture.bot.sending("phone-1", &body).refused(403, "not_in_conversation").await;
    }
    let other = company.group(&[&fixture.person]).await;
    company.post_with(&other, &fixture.person, taken).await;
    fixture
        .bot
        .sending("phone-1", &to_conversation(&other, "hello"))
        .refused(404, "conversation_not_found")
        .await;
}

#[both_engines]
async fn a_failed_send_does_not_store_its_key(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let company = &fixture.company;
    let leaver = company.person().await;
    company.set_state(&leaver, "deactivated").await;
    let guest = company.guest(true).await;
    let archived = company.group(&[&fixture.bot.user_id]).await;
    company.archive(&archived, true).await;
    fixture.bot.sending("taken", &fixture.post(json!({}))).ok(201).await;
    let failures: Vec<(Value, u16)> = vec![
        (fixture.post(json!({"text": ""})), 400),
        (fixture.post(json!({"blocks": [{"type": "image"}]})), 400),
        (fixture.post(json!({"thread_id": NOTHING})), 400),
        (to_user(&guest, "hello"), 403),
        (to_user(NOBODY, "hello"), 404),
        (to_conversation(NOWHERE, "hello"), 404),
        (to_user(&leaver, "hello"), 409),
        (to_conversation(&archived, "hello"), 409),
    ];
    for (n, (body, status)) in failures.iter().enumerate() {
        let key = format!("failed-{n}");
        assert_eq!(fixture.bot.sending(&key, body).send().await.status, *status, "the send fails: {body}");
        assert_eq!(
            fixture.bot.sending(&key, body).send().await.status,
            *status,
            "a failed send does not store its key (B-203): {body}"
        );
        // B-203, D-052: the corrected request uses the same key
        fixture.bot.sending(&key, &fixture.post(json!({"text": key}))).ok(201).await;
    }
    let to_archived = to_conversation(&archived, "hello");
    fixture.bot.sending("later", &to_archived).refused(409, "conversation_archived").await;
    // requests that are rejected before the body is parsed (401, 406, 413 and 415) do not store the key either
    let good = fixture.post(json!({"text": "early"}));
    let post = || fixture.bot.api.post("/v1/messages").key("early");
    server.api().post("/v1/messages").key("early").json(&good).refused(401, "not_authed").await;
    post().header("accept", "text/html").json(&good).refused(406, "not_acceptable").await;
    post().header("content-type", "text/plain").body("x").refused(415, "unsupported_media_type").await;
    let huge = with(good.clone(), json!({"more": "x".repeat(1 << 20)}));
    post().json(&huge).refused(413, "payload_too_large").await;
    post().json(&good).ok(201).await; // B-203: the key was not stored
    assert_eq!(
        fixture.visible_messages().await.len(),
        failures.len() + 2,
        "each successful send posts one message, and a failed send posts nothing (B-203, B-225)"
    );

    // the key of the send to the archived group can be used when the group is no longer archived
    company.archive(&archived, false).await;
    fixture.bot.sending("later", &to_archived).ok(201).await;
}
