//! `PATCH /v1/messages/{id}` (B-227 … B-246, D-087 … D-096).

use serde_json::{Value, json};

use crate::support::*;

#[both_engines]
async fn an_edit_keeps_id_conversation_thread_and_time(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let parent = fixture.posted(json!({})).await;
    let channel = fixture.company.channel(&fixture.group, &[&fixture.bot.user_id]).await;
    for (body, prefix) in [
        // B-228: a message in a group or a channel
        (fixture.post(json!({"thread_id": parent})), "gmsg_"),
        (to_conversation(&channel, "hello"), "gmsg_"),
        // B-228: a direct message
        (fixture.direct(json!({})), "dmsg_"),
    ] {
        let sent = fixture.bot.send(&body).await;
        let id = text(&sent, "/id");
        assert!(
            id.starts_with(prefix),
            "the prefix of a message's id shows the kind of its conversation (B-117): {id}"
        );
        server.advance(std::time::Duration::from_secs(90)).await;
        for words in ["once", "twice"] {
            let answer = fixture.bot.editing(&id, &json!({"text": words})).ok(200).await;
            assert_eq!(members(&answer), ["message", "ok"], "an edit returns the message (B-227)");
            assert_eq!(
                answer["message"], sent,
                "an edit returns the same `message` as the send (B-227, D-095)"
            );
        }
        let stored = fixture.company.message(&text(&sent, "/conversation_id"), &id).await;
        assert_eq!(stored["text"], "twice", "the message has the text of the latest edit (B-229, B-241)");
        assert_eq!(stored["created_at"], sent["created_at"], "an edit keeps the time of the send (D-095)");
        let former = stored["edits"].as_array().expect("the former versions");
        assert_eq!(texts(former), ["hello", "once"], "the former versions are kept, oldest first (D-096)");
    }
}

#[both_engines]
async fn the_history_shows_the_new_text(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let first = fixture.posted(json!({"text": "first"})).await;
    fixture.posted(json!({"text": "second"})).await;
    let before = fixture.bot.history(&fixture.group).await;
    fixture.bot.editing(&first, &json!({"text": "  changed\n"})).ok(200).await;
    let after = fixture.bot.history(&fixture.group).await;
    assert_eq!(
        texts(&after[..2]),
        ["second", "  changed\n"],
        "the history shows the edited text (B-229, B-136)"
    );
    assert_eq!(
        after[1],
        with(before[1].clone(), json!({"text": "  changed\n"})),
        "in the history an edit changes only the text (B-136, D-095)"
    );
}

#[both_engines]
async fn blocks_are_replaced_or_cleared(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let old = json!([{"type": "header", "text": "old"}, {"type": "section", "text": "old"}]);
    let new = json!([{"type": "context", "text": "new"}]);
    let id = fixture.posted(json!({"blocks": old, "metadata": {"a": 1}})).await;
    fixture.bot.editing(&id, &json!({"text": "a", "blocks": new})).ok(200).await;
    assert_eq!(
        fixture.stored(&id).await["blocks"],
        new,
        "the blocks of an edit replace the blocks of the message (B-230)"
    );
    fixture.bot.editing(&id, &json!({"text": "b"})).ok(200).await;
    let stored = fixture.stored(&id).await;
    assert!(stored["blocks"].is_null(), "an edit without blocks removes them (B-231): {stored}");
    assert_eq!(
        stored["metadata"],
        json!({"a": 1}),
        "an edit without metadata keeps the stored metadata (B-233)"
    );
    fixture.bot.editing(&id, &json!({"text": "c", "blocks": old})).ok(200).await;
    fixture.bot.editing(&id, &json!({"text": "d", "blocks": []})).ok(200).await;
    assert_eq!(
        fixture.stored(&id).await["blocks"],
        json!(null),
        "an empty list of blocks removes them (B-230, D-063)"
    );
}

#[both_engines]
async fn metadata_is_merged(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let first = json!({"keep": 1, "replace": {"deep": 1, "er": 2}, "drop": "x"});
    let id = fixture.posted(json!({"metadata": first})).await;
    for (given, expected) in [
        // B-233: without `metadata` the stored metadata stays as it is
        (None, first),
        // B-232, D-092: members are merged at the top level only, and null removes a member
        (
            Some(json!({"replace": {"deep": 3}, "drop": null, "new": [1]})),
            json!({"keep": 1, "replace": {"deep": 3}, "new": [1]}),
        ),
        (Some(json!({})), json!({"keep": 1, "replace": {"deep": 3}, "new": [1]})),
        (Some(json!({"never": null})), json!({"keep": 1, "replace": {"deep": 3}, "new": [1]})),
        (None, json!({"keep": 1, "replace": {"deep": 3}, "new": [1]})),
    ] {
        let mut body = json!({"text": "edited"});
        if let Some(given) = given {
            body["metadata"] = given;
        }
        fixture.bot.editing(&id, &body).ok(200).await;
        assert_eq!(
            fixture.stored(&id).await["metadata"],
            expected,
            "the metadata of an edit is merged into the stored metadata (B-232, B-233): {body}"
        );
    }
    let bare = fixture.posted(json!({})).await;
    fixture.bot.editing(&bare, &json!({"text": "a", "metadata": {"a": 1}})).ok(200).await;
    assert_eq!(
        fixture.stored(&bare).await["metadata"],
        json!({"a": 1}),
        "an edit can add metadata to a message without any (B-232)"
    );
}

#[both_engines]
async fn simultaneous_edits_merge_all_metadata(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let id = fixture.posted(json!({})).await;
    let edits = (0..20).map(|n| {
        let body = json!({"text": "edited", "metadata": {format!("k{n}"): n}});
        fixture.bot.editing(&id, &body).send()
    });
    for answer in futures_util::future::join_all(edits).await {
        answer.ok(200);
    }
    let stored = fixture.stored(&id).await;
    assert_eq!(
        members(&stored["metadata"]).len(),
        20,
        "no edit loses the metadata of a simultaneous edit (B-232): {stored}"
    );
    assert_eq!(stored["edits"].as_array().unwrap().len(), 20, "every edit keeps the former version (D-096)");
}

#[both_engines]
async fn destination_and_thread_cannot_be_changed(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let sent = fixture.bot.send(&fixture.post(json!({}))).await;
    let id = text(&sent, "/id");
    let pair = json!({"type": "group"});
    let nul = json!({"a\0": ["b\0"]});
    let odd = [json!(null), json!(1), json!("x"), json!([]), json!({}), pair, json!(true), json!("\0"), nul];
    for name in ["to", "thread_id", "unfurl_links"] {
        for value in &odd {
            let body = json!({"text": "edited", name: value});
            assert_eq!(
                fixture.bot.editing(&id, &body).ok(200).await["message"],
                sent,
                "an edit ignores `to`, `thread_id` and `unfurl_links` (B-234): {body}"
            );
        }
    }
    // as in a send, U+0000 in an unknown member is refused, and so is malformed JSON, even as the value of `to`
    let unknown = json!({"text": "e", "unknown": "\0"});
    fixture.bot.editing(&id, &unknown).refused(400, "invalid_request").await;
    for malformed in [r#"{"a":1,"a":2}"#, r#""\ud800""#, ""] {
        let body = format!(r#"{{"text":"e","to":{malformed}}}"#);
        let edit = fixture.bot.api.patch(&format!("/v1/messages/{id}"));
        edit.header("content-type", "application/json").body(body).refused(400, "invalid_request").await;
    }
    let other = fixture.posted(json!({})).await;
    for good in [
        json!({"text": "e", "to": {"type": "user", "id": fixture.person}}),
        json!({"text": "e", "thread_id": other}),
        json!({"text": "e", "unfurl_links": true, "unknown": {"a": [1]}}),
    ] {
        assert_eq!(
            fixture.bot.editing(&id, &good).ok(200).await["message"],
            sent,
            "an edit ignores `to`, `thread_id` and `unfurl_links` (B-234): {good}"
        );
    }
    assert!(fixture.stored(&id).await["thread_id"].is_null(), "an edit ignores `thread_id` (B-234)");
}

#[both_engines]
async fn an_edit_ignores_an_idempotency_key(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let id = fixture.posted(json!({})).await;
    let long = "k".repeat(256);
    for (key, words) in [("k", "one"), ("k", "two"), ("a b", "three"), (&long, "four"), ("", "five")] {
        fixture.bot.editing(&id, &json!({"text": words})).key(key).ok(200).await;
        assert_eq!(fixture.stored(&id).await["text"], words, "an edit ignores an idempotency key (B-238)");
    }
    fixture.bot.editing(&id, &json!({"text": "six"})).key("a").key("b").ok(200).await; // B-238: also with two keys
    // an edit stores no key, so a send can use the key
    fixture.bot.sending("k", &fixture.post(json!({}))).ok(201).await;
}

#[both_engines]
async fn an_edit_has_the_content_limits_of_a_send(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let blocks = json!([{"type": "header", "text": "kept"}]);
    let id = fixture.posted(json!({"blocks": blocks, "metadata": {"kept": 1}})).await;
    let before = fixture.stored(&id).await;
    let section = json!({"type": "section", "text": "s"});
    let edit = |extra: Value| with(json!({"text": "edited"}), extra);
    let mut refused: Vec<(Value, &str)> = vec![
        // B-235: no text
        (json!({}), "invalid_request"),
        (json!({"blocks": [section]}), "invalid_request"),
        (json!({"metadata": {"a": 1}}), "invalid_request"),
        // B-236: blocks and metadata that violate the limits of a send
        (edit(json!({"blocks": blocks_of(16_385)})), "invalid_request"),
        (edit(json!({"blocks": vec![section.clone(); 51]})), "invalid_blocks"),
        (edit(json!({"blocks": [{"type": "image"}]})), "invalid_blocks"),
        (edit(json!({"blocks": [{"type": "header"}]})), "invalid_blocks"),
        (edit(json!({"blocks": [{"type": "fields", "fields": []}]})), "invalid_blocks"),
        (edit(json!({"metadata": metadata_of(4_097)})), "invalid_request"),
    ];
    // invalid texts (B-235), among them a text that is too long (B-236)
    let over = "x".repeat(4_001);
    for bad in [json!(null), json!(""), json!(1), json!(["a"]), json!(over), json!("a\u{0}")] {
        refused.push((json!({"text": bad}), "invalid_request"));
    }
    for bad in [json!(null), json!("a"), json!({}), json!(1)] {
        // B-236, B-162, B-163: `blocks` is no list
        refused.push((edit(json!({"blocks": bad})), "invalid_request"));
    }
    for bad in [json!(null), json!("a"), json!([]), json!(1)] {
        // B-236, B-162, B-177: `metadata` is no object
        refused.push((edit(json!({"metadata": bad})), "invalid_request"));
    }
    for (body, code) in &refused {
        let answer = fixture.bot.editing(&id, body).send().await;
        assert_eq!(
            answer.status,
            400,
            "an edit has the content limits of a send (B-235, B-236): {body}: {}",
            answer.text()
        );
        answer.refused(400, code);
    }
    for body in ["", "{", "[]", "null"] {
        let call = fixture.bot.api.patch(&format!("/v1/messages/{id}"));
        call.header("content-type", "application/json").body(body).refused(400, "invalid_request").await;
    }
    assert_eq!(fixture.stored(&id).await, before, "a refused edit changes nothing");
    for body in [
        json!({"text": "x"}),
        json!({"text": "\u{1f600}".repeat(4_000)}),
        edit(json!({"blocks": blocks_of(16_384)})),
        edit(json!({"blocks": vec![section; 50]})),
    ] {
        fixture.bot.editing(&id, &body).ok(200).await; // B-236, B-420: the limits of a send
    }
}

#[both_engines]
async fn merged_metadata_is_limited(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let id = fixture.posted(json!({"text": "kept", "metadata": metadata_of(4_000)})).await;
    let before = fixture.stored(&id).await;
    // the merge adds `,"j":""` (7 bytes) and the value of `j`; with a value of 89 bytes, the metadata has exactly 4,096
    // bytes, the maximum
    let over = json!({"text": "lost", "metadata": {"j": "x".repeat(90)}});
    // B-237, D-093: 4,097 bytes after the merge
    fixture.bot.editing(&id, &over).refused(400, "invalid_request").await;
    assert_eq!(fixture.stored(&id).await, before, "a refused edit changes nothing (B-237)");
    let full = json!({"text": "full", "metadata": {"j": "x".repeat(89)}});
    fixture.bot.editing(&id, &full).ok(200).await; // B-237: 4,096 bytes after the merge
    assert_eq!(
        fixture.stored(&id).await["metadata"].to_string().len(),
        4_096,
        "merged metadata may have 4,096 bytes (B-237)"
    );
    // a merge may replace and remove members as long as the result is within the limit
    fixture.bot.editing(&id, &json!({"text": "a", "metadata": {"j": null}})).ok(200).await;
    fixture.bot.editing(&id, &json!({"text": "a", "metadata": metadata_of(4_096)})).ok(200).await;
}
