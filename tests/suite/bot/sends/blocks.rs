//! `blocks` and `metadata` of a send: they are validated and stored, and no response to bots or assistants contains
//! them (B-161 … B-176, B-179, B-188, B-420, B-472, B-473).

use serde_json::{Value, json};

use crate::support::*;

/// Returns a `fields` block with this number of items.
fn fields(count: usize) -> Value {
    json!({"type": "fields", "fields": vec![json!({"label": "l", "value": "v"}); count]})
}

/// Returns a list of one block, which has buttons with these ids.
fn buttons(ids: &[&str]) -> Value {
    let button = |id: &&str| json!({"action_id": id, "text": "Press"});
    json!([{"type": "actions", "items": ids.iter().map(button).collect::<Vec<_>>()}])
}

/// Returns whether a value contains a member of this name at any depth.
fn mentions(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, inner)| key == name || mentions(inner, name)),
        Value::Array(items) => items.iter().any(|inner| mentions(inner, name)),
        _ => false,
    }
}

#[both_engines]
async fn good_blocks_are_kept_as_given(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let plain = fixture.posted(json!({})).await; // B-161: no optional member
    assert!(fixture.stored(&plain).await["metadata"].is_null(), "optional members may be left out (B-161)");
    for blocks in [
        // B-169: a text of at least one character
        json!([{"type": "header", "text": "Build 42"}]),
        json!([{"type": "section", "text": " "}]),
        json!([{"type": "context", "text": "\u{1f600}"}]),
        // D-071: an unknown member of a block is stored
        json!([{"type": "section", "text": "a", "id": "b1", "style": {"bold": [true, null]}}]),
        // B-171, B-173, D-068: 1 to 25 fields
        json!([fields(1)]),
        json!([fields(25)]),
        // D-071: an unknown member of a field is stored
        json!([{"type": "fields", "fields": [{"label": "l", "value": "v", "short": true}]}]),
        json!([{"type": "header", "text": "h"}, fields(2), {"type": "context", "text": "c"}]),
        // B-472: 1 to 5 buttons, ids that differ only in letter case, and members of the maximum length
        buttons(&["a"]),
        buttons(&["a", "b", "c", "d", "e"]),
        json!([buttons(&["a"])[0], buttons(&["A"])[0]]),
        json!([{"type": "actions", "items": [{"action_id": "!~".repeat(32), "text": "\u{1f600}".repeat(40), "value": "",
            "style": "primary"}, {"action_id": "b", "text": "b", "value": "\u{e9}".repeat(2_000), "style": "danger"}]}]),
        // B-165, B-420: 50 blocks
        json!(vec![json!({"type": "section", "text": "s"}); 50]),
        // B-167, B-420: 16 KB
        blocks_of(16_384),
    ] {
        let id = fixture.posted(json!({"blocks": blocks})).await;
        assert_eq!(fixture.stored(&id).await["blocks"], blocks, "blocks are stored (B-176)");
    }
    // B-171, D-067: `items` is the other name of the member `fields`
    let sent = json!([{"type": "fields", "items": [{"label": "l", "value": "v"}]}]);
    let id = fixture.posted(json!({"blocks": sent})).await;
    let kept = json!([{"type": "fields", "fields": [{"label": "l", "value": "v"}]}]);
    assert_eq!(
        fixture.stored(&id).await["blocks"],
        kept,
        "a list that was sent as `items` is stored as `fields`"
    );
    let none = fixture.posted(json!({"blocks": []})).await;
    assert_eq!(
        fixture.stored(&none).await["blocks"],
        json!(null),
        "an empty list means that the message has no blocks (B-164, D-063)"
    );
}

#[both_engines]
async fn blocks_are_a_list(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let block = json!({"type": "section", "text": "a"});
    for bad in [block.clone(), json!({}), json!("[]"), json!(1), json!(false), json!({"0": block})] {
        fixture.bot.malformed(&fixture.post(json!({"blocks": bad}))).await; // B-163: not a list
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn total_size_is_checked_before_the_count_and_the_count_before_each_block(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let many = |count: usize, block: Value| json!(vec![block; count]);
    let small = json!({"type": "section", "text": "s"});
    let unknown = json!({"type": "image"});
    for (blocks, code) in [
        // B-166, D-064, B-420: more than 50 blocks
        (many(51, small.clone()), "invalid_blocks"),
        (many(51, unknown.clone()), "invalid_blocks"),
        // B-168, B-420: more than 16 KB
        (blocks_of(16_385), "invalid_request"),
        (blocks_of(100_000), "invalid_request"),
        // D-065: the blocks exceed both limits, or they exceed the size limit and are invalid in another way
        (many(51, json!({"type": "section", "text": "x".repeat(400)})), "invalid_request"),
        (json!([{"type": "image", "text": "x".repeat(16_384)}]), "invalid_request"),
    ] {
        fixture.bot.cannot_send(&fixture.post(json!({"blocks": blocks})), 400, code).await;
    }
    // D-066: the limit counts bytes and not characters; `é` has two bytes
    let text = "\u{e9}".repeat(8_177);
    let even = json!([{"type": "section", "text": text}]);
    assert_eq!(even.to_string().len(), 16_384);
    fixture.posted(json!({"blocks": even})).await; // B-167: 16,384 bytes
    let over = json!([{"type": "section", "text": format!("{text}x")}]);
    fixture.bot.malformed(&fixture.post(json!({"blocks": over}))).await; // B-168: 16,385 bytes
    // D-066: the limit counts compact JSON: whitespace between the tokens of the request does not count
    let body = serde_json::to_string_pretty(&fixture.post(json!({"blocks": blocks_of(16_384)}))).unwrap();
    fixture.bot.sending_text("pretty", body).ok(201).await;
}

#[both_engines]
async fn the_size_of_blocks_depends_on_the_sent_name_fields_or_items(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let target = fixture.posted(json!({})).await;
    for name in ["fields", "items"] {
        // `fields` is a byte longer than `items`. If the server counted the other name, the size would change by a byte
        // for each of the three blocks. Then one of the sends below would get the wrong result.
        let sized = |bytes: usize| {
            let of = |value: String| {
                let block = |value: &str| json!({"type": "fields", name: [{"label": "l", "value": value}]});
                json!([block(&value), block("v"), block("v")])
            };
            let blocks = of("x".repeat(bytes - of(String::new()).to_string().len()));
            assert_eq!(blocks.to_string().len(), bytes);
            json!({"text": "hello", "blocks": blocks})
        };
        let (fits, over) = (sized(16_384), sized(16_385));
        // B-167, B-168, B-420, D-066: the limit of a send
        fixture.posted(fits.clone()).await;
        fixture.bot.malformed(&fixture.post(over.clone())).await;
        // B-236: an edit has the same limit
        fixture.bot.editing(&target, &fits).ok(200).await;
        fixture.bot.editing(&target, &over).refused(400, "invalid_request").await;
    }
}

#[both_engines]
async fn a_bad_block_is_refused_with_invalid_blocks(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let good = json!({"type": "section", "text": "a"});
    let item = json!({"label": "l", "value": "v"});
    let list = |value: Value| json!({"type": "fields", "fields": value});
    let mut bad = vec![
        // B-174: a block that is no object, or has no string `type`
        json!(null),
        json!("section"),
        json!(1),
        json!([]),
        json!([good]),
        json!({}),
        json!({"text": "a"}),
        json!({"type": null, "text": "a"}),
        json!({"type": 1, "text": "a"}),
        // B-175, D-070: a block of an unknown type
        json!({"type": "image", "text": "a"}),
        json!({"type": "divider"}),
        json!({"type": "Header", "text": "a"}),
        json!({"type": "", "text": "a"}),
        json!({"type": "section ", "text": "a"}),
        // B-171: without `fields`, or with a value that is no list
        json!({"type": "fields"}),
        list(json!(null)),
        list(json!("l")),
        list(item.clone()),
        // D-067: a block must have exactly one of the two names
        json!({"type": "fields", "fields": [item], "items": [item]}),
        // B-173: a `fields` block without items, or with more than 25
        list(json!([])),
        fields(26),
        json!({"type": "fields", "items": []}),
        // B-172: an item without a string `label` or a string `value`
        list(json!([null])),
        list(json!(["l"])),
        list(json!([{}])),
        list(json!([{"label": "l"}])),
        list(json!([{"value": "v"}])),
        list(json!([{"label": 1, "value": "v"}])),
        list(json!([{"label": "l", "value": null}])),
        list(json!([{"label": "l", "value": ["v"]}])),
        // D-068: an empty label or value
        list(json!([{"label": "", "value": "v"}])),
        list(json!([{"label": "l", "value": ""}])),
        // an invalid item after a valid item
        list(json!([item, {"label": "l"}])),
    ];
    // B-472: no `items`, a wrong number of buttons, and buttons that are invalid or have the same id
    bad.extend([json!({"type": "actions"}), json!({"type": "actions", "elements": []})]);
    bad.extend([buttons(&[])[0].take(), buttons(&["a", "b", "c", "d", "e", "f"])[0].take()]);
    bad.push(buttons(&["a", "b", "a"])[0].take());
    bad.push(json!({"type": "actions", "fields": [{"action_id": "a", "text": "a"}]}));
    for (member, value) in [
        ("action_id", json!(null)),
        ("action_id", json!("")),
        ("action_id", json!("a b")),
        ("action_id", json!("\u{e9}")),
        ("action_id", json!("a".repeat(65))),
        ("text", json!(null)),
        ("text", json!("")),
        ("text", json!("a".repeat(41))),
        ("value", json!(null)),
        ("value", json!(7)),
        ("value", json!("a".repeat(2_001))),
        ("style", json!(null)),
        ("style", json!("warning")),
    ] {
        let mut block = buttons(&["a"])[0].take();
        block["items"][0][member] = value;
        bad.push(block);
    }
    for kind in ["header", "section", "context"] {
        // B-170, D-069: a text that is missing, no string, or empty
        bad.push(json!({"type": kind}));
        for text in [json!(null), json!(1), json!(["a"]), json!({"text": "a"}), json!("")] {
            bad.push(json!({"type": kind, "text": text}));
        }
    }
    for block in bad {
        let body = fixture.post(json!({"blocks": [block]}));
        fixture.bot.cannot_send(&body, 400, "invalid_blocks").await;
        let last = fixture.post(json!({"blocks": [good, block]}));
        fixture.bot.cannot_send(&last, 400, "invalid_blocks").await; // at any position
    }
    assert!(fixture.visible_messages().await.is_empty(), "a refused send leaves nothing behind (B-225)");
}

#[both_engines]
async fn ids_of_buttons_are_unique_in_the_message_and_unknown_members_are_dropped(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let twice = json!([buttons(&["a", "b"])[0], {"type": "section", "text": "s"}, buttons(&["c", "b"])[0]]);
    let answer = fixture.bot.sending("twice", &fixture.post(json!({"blocks": twice}))).send().await;
    assert_eq!(answer.status, 400, "the ids of buttons are unique in the message (B-472)");
    assert_eq!(
        text(&answer.json(), "/error/message"),
        "blocks[2].items[1].action_id must be unique in the message",
        "the error names the second button with the id (B-472)"
    );
    let button = json!({"action_id": "a", "text": "Press", "value": "v", "style": "danger"});
    let sent = with(button.clone(), json!({"confirm": {"title": "Sure?"}}));
    let id = fixture.posted(json!({"blocks": [{"type": "actions", "id": "b1", "items": [sent]}]})).await;
    assert_eq!(
        fixture.stored(&id).await["blocks"],
        json!([{"type": "actions", "items": [button]}]),
        "unknown members of buttons are dropped (B-473)"
    );
    fixture.bot.editing(&id, &json!({"text": "t", "blocks": twice})).refused(400, "invalid_blocks").await;
    let edited = json!({"text": "t", "blocks": buttons(&["c"])});
    fixture.bot.editing(&id, &edited).ok(200).await;
    assert_eq!(fixture.stored(&id).await["blocks"], buttons(&["c"]), "an edit replaces the buttons");
}

#[both_engines]
async fn blocks_and_metadata_are_kept_and_returned_to_no_bot(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let blocks = json!([{"type": "header", "text": "Build 42"}]);
    let metadata = json!({"build": 42, "who": {"id": [1, 2.5, null, true]}, "\u{e9}": "", "n": u64::MAX});
    let extras = json!({"blocks": blocks, "metadata": metadata});
    let quoted = fixture.posted(json!({"text": "the quoted one"})).await;
    let body = with(fixture.post(extras.clone()), json!({"text": "what people see", "thread_id": quoted}));
    let sent = fixture.bot.sending("k", &body).ok(201).await;
    let id = text(&sent, "/message/id");

    // the view of admins has the blocks and the metadata
    let stored = fixture.stored(&id).await;
    assert_eq!(stored["blocks"], blocks, "blocks are stored (B-176)");
    assert_eq!(stored["metadata"], metadata, "metadata is stored (B-179)");
    assert_eq!(stored["text"], "what people see", "the text is stored as sent (B-188)");
    assert_eq!(
        stored["thread_id"],
        quoted.as_str(),
        "a reply has the id of the message that it replies to (B-188)"
    );
    assert_eq!(stored["type"], "text");

    // responses to bots have neither blocks nor metadata
    let edit = json!({"text": "edited", "blocks": blocks, "metadata": metadata});
    let edited = fixture.bot.editing(&id, &edit).ok(200).await;
    let history = json!(fixture.bot.history(&fixture.group).await);
    assert_eq!(
        history[0]["thread_id"],
        quoted.as_str(),
        "history has the id of the message that a reply is to (B-188)"
    );
    for answer in [&sent, &edited, &history] {
        for name in ["blocks", "metadata", "edits", "edited_at"] {
            assert!(
                !mentions(answer, name),
                "responses to bots do not have the member {name} (B-176, B-179): {answer}"
            );
        }
    }

    // blocks and metadata of a direct message are stored as well
    let direct = fixture.bot.send(&with(fixture.direct(json!({})), extras)).await;
    let stored = fixture.company.message(&text(&direct, "/conversation_id"), &text(&direct, "/id")).await;
    assert_eq!(
        (&stored["blocks"], &stored["metadata"]),
        (&blocks, &metadata),
        "blocks and metadata are stored (B-176, B-179)"
    );
}

#[both_engines]
async fn assistants_read_the_text_and_the_id_of_the_message_replied_to(server: Server) {
    // B-188: the web client shows blocks (pages/conversation/reading.rs); assistants get neither blocks nor metadata
    let fixture = BotFixture::new(&server).await;
    let reader = server.assistant(&fixture.company, "Rita Reader").await;
    fixture.company.add(&fixture.group, reader.id()).await;
    let quoted = fixture.posted(json!({"text": "the quoted one"})).await;
    let reply = fixture
        .posted(json!({
            "text": "what people see", "thread_id": quoted,
            "blocks": [{"type": "header", "text": "Blockword 42"}], "metadata": {"hidden": "Metaword 43"},
        }))
        .await;
    let (page, words) = reader.both("read_messages", json!({"conversation": fixture.group})).await;
    let shown = page["messages"].as_array().expect("messages").iter().find(|m| m["id"] == reply.as_str());
    let shown = shown.expect("the reply is shown");
    assert_eq!(
        (&shown["text"], &shown["thread_id"]),
        (&json!("what people see"), &json!(quoted)),
        "assistants see the text, and the id of the message that a reply is to (B-188)"
    );
    let line = words.lines().find(|line| line.contains(&format!("[{reply}]"))).expect("a line of its own");
    assert!(
        line.contains(&format!("reply to {quoted}")),
        "assistants see the id of the message that a reply is to (B-188): {line}"
    );
    assert!(
        words.contains("the quoted one"),
        "assistants can read the message that a reply is to (B-188): {words}"
    );
    for hidden in ["Blockword", "Metaword", "blocks", "metadata", "hidden"] {
        assert!(
            !words.contains(hidden) && !page.to_string().contains(hidden),
            "assistants see neither blocks nor metadata (B-188): {hidden} in {words} {page}"
        );
    }
    for (query, expected) in [("Blockword", 0), ("Metaword", 0), ("people", 1)] {
        let found = reader.found(json!({"query": query})).await;
        assert_eq!(
            found.len(),
            expected,
            "searches find the text, but neither blocks nor metadata (B-188): {query}: {found:?}"
        );
    }
}

#[both_engines]
async fn numbers_in_metadata_are_kept_as_written(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let group = &fixture.group;
    let stored = async || {
        let page =
            fixture.company.operator.get(&format!("/admin/v1/conversations/{group}/messages")).send().await;
        let (text, begin) = (page.text(), page.text().find(r#""metadata":{"#).expect("metadata") + 11);
        text[begin..=begin + text[begin..].find('}').expect("the metadata ends")].to_owned()
    };
    let to = format!(r#""to":{{"type":"conversation","id":"{group}"}}"#);
    let body = |numbers: &str| format!(r#"{{{to},"text":"a","metadata":{numbers}}}"#);
    let numbers =
        r#"{"a":-0,"b":1E5,"c":[1.50,1e-7,0.00001,-0.0,12345678901234567890123],"d":"-0 1E5","e":2e+3}"#;
    let sent = fixture.bot.sending_text("k", body(numbers)).ok(201).await;
    assert_eq!(stored().await, numbers, "numbers in metadata are kept as written (B-179, D-028)");
    // D-048: a body with the same numbers in another notation counts as the same body
    let same =
        r#"{"a":0.0,"b":100000,"c":[1.5,0.0000001,1E-5,0,12345678901234567890123.0],"d":"-0 1E5","e":2000}"#;
    let repeated = fixture.bot.sending_text("k", body(same)).ok(201).await;
    assert_eq!(repeated, sent);
    // an edit keeps the stored members that the metadata of the edit omits, and stores the given members as written
    let path = format!("/v1/messages/{}", text(&sent, "/message/id"));
    let edit = r#"{"text":"b","metadata":{"b":3E1,"e":null,"f":-0}}"#;
    let call = fixture.bot.api.patch(&path).header("content-type", "application/json").body(edit);
    call.ok(200).await;
    let edited =
        r#"{"a":-0,"b":3E1,"c":[1.50,1e-7,0.00001,-0.0,12345678901234567890123],"d":"-0 1E5","f":-0}"#;
    assert_eq!(stored().await, edited);
}

#[both_engines]
async fn the_size_of_metadata_counts_numbers_as_stored(server: Server) {
    // D-066: the size of metadata is that of its compact JSON
    let fixture = BotFixture::new(&server).await;
    let to = format!(r#""to":{{"type":"conversation","id":"{}"}}"#, fixture.group);
    // if the limit counted each number as 1e+5, which is one byte longer, the first send would be rejected
    let body = |count: usize| {
        let numbers = vec!["1E5"; count].join(",");
        format!(r#"{{{to},"text":"a","metadata":{{"n":[{numbers}]}}}}"#)
    };
    fixture.bot.sending_text("fits", body(1_022)).ok(201).await;
    fixture.bot.sending_text("long", body(1_023)).refused(400, "invalid_request").await;
}
