//! The body of a send: its JSON, `to`, `text`, `metadata` and `unfurl_links` (B-147 … B-162, B-177, B-178, B-189,
//! B-190, B-420).

use serde_json::{Value, json};

use crate::support::*;

#[both_engines]
async fn the_body_is_a_json_object(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for body in ["", "{", "[]", "\"text\"", "null", "5", "true", "{} {}", "{'to':1}", "not json"] {
        fixture.bot.sending_text("k", body).refused(400, "invalid_request").await; // B-147: not a JSON object
    }
    // B-147: an array with a valid body
    let listed = json!([fixture.post(json!({}))]);
    fixture.bot.sending("k", &listed).refused(400, "invalid_request").await;
    assert!(fixture.visible_messages().await.is_empty(), "a refused send stores no message (B-225)");
}

#[both_engines]
async fn to_is_a_pair_of_type_and_id(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let group = &fixture.group;
    let to = |value: Value| with(fixture.post(json!({})), json!({"to": value}));
    let mut bad = vec![without(fixture.post(json!({})), "to")]; // B-148: `to` is missing
    bad.extend([
        // B-148: `to` is not an object
        to(json!(null)),
        to(json!(group)),
        to(json!([])),
        to(json!(["conversation", group])),
        to(json!(1)),
        // B-149: the type is missing, or is neither `user` nor `conversation`
        to(json!({"id": group})),
        to(json!({"type": null, "id": group})),
        to(json!({"type": 1, "id": group})),
        to(json!({"type": ["conversation"], "id": group})),
        to(json!({"type": "", "id": group})),
        to(json!({"type": "group", "id": group})), // D-058: the type of a group is `conversation`
        to(json!({"type": "channel", "id": group})),
        to(json!({"type": "dm", "id": fixture.person})),
        to(json!({"type": "User", "id": fixture.person})),
        to(json!({"type": "CONVERSATION", "id": group})),
        to(json!({"type": " conversation", "id": group})),
        // B-150: the id is missing, not a string, or empty
        to(json!({"type": "conversation"})),
        to(json!({"type": "user", "id": null})),
        to(json!({"type": "user", "id": 7})),
        to(json!({"type": "user", "id": {"id": fixture.person}})),
        to(json!({"type": "user", "id": ""})),
        to(json!({"type": "conversation", "id": ""})),
    ]);
    for body in bad {
        let answer = fixture.bot.sending("k", &body).send().await;
        assert_eq!(
            answer.status,
            400,
            "`to` needs a type and an id (B-148 … B-150): {body}: {}",
            answer.text()
        );
        answer.refused(400, "invalid_request");
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send stores no message (B-225)");
}

#[both_engines]
async fn an_id_of_another_kind_is_not_found(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let dm = text(&fixture.bot.send(&fixture.direct(json!({}))).await, "/conversation_id");
    let message = fixture.posted(json!({})).await;
    let without_prefix = fixture.person.trim_start_matches("usr_");
    // B-151, D-057: an id of another kind gets 404 and not 400. A text that is not an id gets 404 too.
    let upper = fixture.person.to_uppercase();
    for id in [&fixture.group, &dm, &message, &fixture.company.id, without_prefix, "x", "usr_", &upper] {
        fixture.bot.cannot_send(&to_user(id, "hello"), 404, "user_not_found").await;
    }
    let as_channel = fixture.group.replace("grp_", "chn_");
    for id in [&dm, &fixture.person, &message, &fixture.company.id, &as_channel, "x", "grp_", "general"] {
        fixture.bot.cannot_send(&to_conversation(id, "hello"), 404, "conversation_not_found").await;
    }
}

#[both_engines]
async fn text_is_a_string(server: Server) {
    let fixture = BotFixture::new(&server).await;
    fixture.bot.malformed(&without(fixture.post(json!({})), "text")).await; // B-152: `text` is missing
    let nested = json!({"text": "hello"});
    for bad in [json!(null), json!(5), json!(["hello"]), nested, json!(true), json!("")] {
        // B-152: `text` is not a string; B-153: `text` is empty
        fixture.bot.malformed(&fixture.post(json!({"text": bad}))).await;
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send stores no message (B-225)");
}

#[both_engines]
async fn text_has_1_to_4000_code_points(server: Server) {
    let fixture = BotFixture::new(&server).await;
    fixture.posted(json!({"text": "x"})).await; // B-154: one character is accepted
    for character in ["x", "\u{e9}", "\u{1f600}"] {
        // B-155, B-157, B-158, B-420: 4,000 code points, whatever their length in bytes, are accepted
        let full = character.repeat(4_000);
        let id = fixture.posted(json!({"text": full})).await;
        assert_eq!(fixture.stored(&id).await["text"], full.as_str(), "text is stored as sent (B-159)");
        // B-156, B-157, B-158: 4,001 code points are too many
        let over = fixture.post(json!({"text": character.repeat(4_001)}));
        fixture.bot.malformed(&over).await;
    }
    // B-158: an escaped surrogate pair counts as one code point
    for (count, status) in [(4_000, 201), (4_001, 400)] {
        let group = &fixture.group;
        let words = r"\ud83d\ude00".repeat(count);
        let body = format!(r#"{{"to":{{"type":"conversation","id":"{group}"}},"text":"{words}"}}"#);
        let answer = fixture.bot.sending_text(&format!("escaped-{count}"), body).send().await;
        assert_eq!(answer.status, status, "characters are code points (B-158): {}", answer.text());
    }
    // a combining mark counts as a code point (D-059)
    let marked = |count| fixture.post(json!({"text": "e\u{301}".repeat(count)}));
    fixture.bot.send(&marked(2_000)).await;
    fixture.bot.malformed(&marked(2_001)).await;
}

#[both_engines]
async fn text_is_kept_as_written(server: Server) {
    let fixture = BotFixture::new(&server).await;
    // B-159, D-060, D-061: the server does not trim or normalize a text; D-027: control characters are stored
    for words in [
        " ",
        "   ",
        "  both sides  ",
        "\n",
        "line\r\nline\ttab",
        "e\u{301} is not \u{e9}",
        "\u{fb01}",
        "\u{feff}bom",
        "\u{1}\u{7f}\u{85}",
        "<b>&amp;</b>",
        "\u{200b}",
        "\"quoted\" \\ and / slashes",
        "\u{10ffff}",
    ] {
        let id = fixture.posted(json!({"text": words})).await;
        assert_eq!(
            fixture.bot.history(&fixture.group).await[0]["text"],
            words,
            "text is stored as sent (B-159)"
        );
        assert_eq!(fixture.stored(&id).await["text"], words, "text is stored as sent (B-159)");
    }
}

#[both_engines]
async fn nul_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for nul in [
        json!({"text": "\u{0}"}), // B-160: U+0000 in the text
        json!({"text": "a\u{0}b"}),
        json!({"metadata": {"k": "a\u{0}"}}), // D-025: U+0000 in any string or member name
        json!({"metadata": {"a\u{0}": 1}}),
        json!({"metadata": {"deep": [{"a": "\u{0}"}]}}),
    ] {
        fixture.bot.malformed(&fixture.post(nul)).await;
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send stores no message (B-225)");
}

#[both_engines]
async fn only_thread_id_may_be_null(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for name in ["blocks", "metadata", "unfurl_links"] {
        fixture.bot.malformed(&fixture.post(json!({name: null}))).await; // B-162: null is refused
    }
    let sent = fixture.bot.send(&fixture.post(json!({"thread_id": null}))).await;
    assert!(sent["thread_id"].is_null(), "a message with the thread_id null is not a reply (B-180)");
}

#[both_engines]
async fn metadata_is_an_object_of_at_most_4_kb(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for bad in [json!([]), json!([{"a": 1}]), json!("a"), json!(1), json!(true)] {
        fixture.bot.malformed(&fixture.post(json!({"metadata": bad}))).await; // B-177: not an object
    }
    // B-178, B-420, D-066: the limit counts the bytes of compact JSON
    for good in [metadata_of(4_096), json!({}), json!({"k": "\u{e9}".repeat(2_044)})] {
        assert!(good.to_string().len() <= 4_096);
        fixture.posted(json!({"metadata": good})).await;
    }
    for over in [metadata_of(4_097), json!({"k": "\u{e9}".repeat(2_045)})] {
        assert!(over.to_string().len() > 4_096);
        fixture.bot.malformed(&fixture.post(json!({"metadata": over}))).await;
    }
    // white space between tokens does not count
    let full = fixture.post(json!({"metadata": metadata_of(4_096)}));
    let spacious = serde_json::to_string_pretty(&full).unwrap().replace(": ", ":        ");
    fixture.bot.sending_text("pretty", spacious).ok(201).await;
}

#[both_engines]
async fn unfurl_links_changes_nothing(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let words = "see https://example.com/";
    for choice in [true, false] {
        let id = fixture.posted(json!({"text": words, "unfurl_links": choice})).await; // B-189: accepted
        let stored = fixture.stored(&id).await;
        assert_eq!(stored["text"], words, "unfurl_links has no effect (B-189)");
        assert!(stored["blocks"].is_null(), "unfurl_links has no effect (B-189): {stored}");
        let shown = &fixture.bot.history(&fixture.group).await[0];
        assert_eq!(
            (&shown["text"], &shown["files"]),
            (&json!(words), &json!([])),
            "unfurl_links has no effect (B-189)"
        );
    }
    for bad in [json!("true"), json!(1), json!(0), json!([]), json!({})] {
        fixture.bot.malformed(&fixture.post(json!({"unfurl_links": bad}))).await; // B-190: not a boolean
    }
}
