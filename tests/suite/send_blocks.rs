//! `blocks` and `metadata` of a send: what is accepted, what is kept, and that nobody is shown it
//! (B-161 … B-176, B-179, B-188, B-420).

use serde_json::{Value, json};

use crate::{on_both, support::*};

/// A `fields` block of so many items.
fn fields(count: usize) -> Value {
    json!({"type": "fields", "fields": vec![json!({"label": "l", "value": "v"}); count]})
}

/// Whether a member of this name stands anywhere in a value.
fn mentions(value: &Value, name: &str) -> bool {
    match value {
        Value::Object(members) => members.iter().any(|(key, inner)| key == name || mentions(inner, name)),
        Value::Array(items) => items.iter().any(|inner| mentions(inner, name)),
        _ => false,
    }
}

on_both! {
    async fn good_blocks_are_kept_as_given(server: Server) {
        let scene = Scene::new(&server).await;
        let plain = scene.posted(json!({})).await; // B-161
        assert!(scene.stored(&plain).await["metadata"].is_null(), "B-161");
        for blocks in [
            json!([{"type": "header", "text": "Build 42"}]), // B-169
            json!([{"type": "section", "text": " "}]),       // B-169
            json!([{"type": "context", "text": "\u{1f600}"}]), // B-169
            json!([{"type": "section", "text": "a", "id": "b1", "style": {"bold": [true, null]}}]), // D-071
            json!([fields(1)]),  // B-171, D-068
            json!([fields(25)]), // B-173
            json!([{"type": "fields", "fields": [{"label": "l", "value": "v", "short": true}]}]), // D-071
            json!([{"type": "header", "text": "h"}, fields(2), {"type": "context", "text": "c"}]),
            json!(vec![json!({"type": "section", "text": "s"}); 50]), // B-165, B-420
            blocks_of(16_384), // B-167, B-420
        ] {
            let id = scene.posted(json!({"blocks": blocks})).await;
            assert_eq!(scene.stored(&id).await["blocks"], blocks, "B-176");
        }
        // B-171, D-067: the other name of the list
        scene.posted(json!({"blocks": [{"type": "fields", "items": [{"label": "l", "value": "v"}]}]})).await;
        // B-164, D-063: none is as good as absent
        let none = scene.posted(json!({"blocks": []})).await;
        assert_eq!(scene.stored(&none).await["blocks"], json!(null), "B-164, D-063");
    }

    async fn blocks_are_a_list(server: Server) {
        let scene = Scene::new(&server).await;
        let block = json!({"type": "section", "text": "a"});
        for bad in [block.clone(), json!({}), json!("[]"), json!(1), json!(false), json!({"0": block})] {
            scene.bot.malformed(&scene.post(json!({"blocks": bad}))).await; // B-163
        }
        assert!(scene.standing().await.is_empty(), "B-225");
    }

    async fn their_size_is_judged_before_their_count_and_the_count_before_each(server: Server) {
        let scene = Scene::new(&server).await;
        let many = |count: usize, block: Value| json!(vec![block; count]);
        let small = json!({"type": "section", "text": "s"});
        let unknown = json!({"type": "image"});
        for (blocks, code) in [
            (many(51, small.clone()), "invalid_blocks"), // B-166, D-064, B-420
            (many(51, unknown.clone()), "invalid_blocks"),
            (blocks_of(16_385), "invalid_request"), // B-168, B-420
            (blocks_of(100_000), "invalid_request"),
            // D-065: over both, and bad besides
            (many(51, json!({"type": "section", "text": "x".repeat(400)})), "invalid_request"),
            (json!([{"type": "image", "text": "x".repeat(16_384)}]), "invalid_request"),
        ] {
            scene.bot.cannot_send(&scene.post(json!({"blocks": blocks})), 400, code).await;
        }
        // D-066: bytes, not characters: `é` is two
        let text = "\u{e9}".repeat(8_177);
        let even = json!([{"type": "section", "text": text}]);
        assert_eq!(even.to_string().len(), 16_384);
        scene.posted(json!({"blocks": even})).await; // B-167
        let over = json!([{"type": "section", "text": format!("{text}x")}]);
        scene.bot.malformed(&scene.post(json!({"blocks": over}))).await; // B-168
        // D-066: and of compact JSON, however it was written
        let body = serde_json::to_string_pretty(&scene.post(json!({"blocks": blocks_of(16_384)}))).unwrap();
        scene.bot.sending_text("pretty", body).ok(201).await;
    }

    async fn the_size_is_that_of_what_was_sent_under_either_name_of_the_list(server: Server) {
        let scene = Scene::new(&server).await;
        let target = scene.posted(json!({})).await;
        for name in ["fields", "items"] {
            // three blocks, so that a byte more for each name would show
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
            // B-167, B-168, B-420, D-066
            scene.posted(fits.clone()).await;
            scene.bot.malformed(&scene.post(over.clone())).await;
            // B-236
            scene.bot.editing(&target, &fits).ok(200).await;
            scene.bot.editing(&target, &over).refused(400, "invalid_request").await;
        }
    }

    async fn a_bad_block_is_invalid_blocks(server: Server) {
        let scene = Scene::new(&server).await;
        let good = json!({"type": "section", "text": "a"});
        let item = json!({"label": "l", "value": "v"});
        let list = |value: Value| json!({"type": "fields", "fields": value});
        let mut bad = vec![
            // B-174
            json!(null), json!("section"), json!(1), json!([]), json!([good]),
            json!({}), json!({"text": "a"}), json!({"type": null, "text": "a"}),
            json!({"type": 1, "text": "a"}),
            // B-175, D-070
            json!({"type": "image", "text": "a"}), json!({"type": "divider"}),
            json!({"type": "actions", "elements": []}), json!({"type": "Header", "text": "a"}),
            json!({"type": "", "text": "a"}), json!({"type": "section ", "text": "a"}),
            // B-171: no list, or no list in it
            json!({"type": "fields"}), list(json!(null)), list(json!("l")), list(item.clone()),
            // D-067: exactly one of the two names
            json!({"type": "fields", "fields": [item], "items": [item]}),
            // B-173
            list(json!([])), fields(26), json!({"type": "fields", "items": []}),
            // B-172
            list(json!([null])), list(json!(["l"])), list(json!([{}])), list(json!([{"label": "l"}])),
            list(json!([{"value": "v"}])), list(json!([{"label": 1, "value": "v"}])),
            list(json!([{"label": "l", "value": null}])), list(json!([{"label": "l", "value": ["v"]}])),
            list(json!([{"label": "", "value": "v"}])), list(json!([{"label": "l", "value": ""}])), // D-068
            list(json!([item, {"label": "l"}])), // not only the first one
        ];
        for kind in ["header", "section", "context"] {
            // B-170, and D-069 for the empty one
            bad.push(json!({"type": kind}));
            for text in [json!(null), json!(1), json!(["a"]), json!({"text": "a"}), json!("")] {
                bad.push(json!({"type": kind, "text": text}));
            }
        }
        for block in bad {
            let body = scene.post(json!({"blocks": [block]}));
            scene.bot.cannot_send(&body, 400, "invalid_blocks").await;
            let last = scene.post(json!({"blocks": [good, block]}));
            scene.bot.cannot_send(&last, 400, "invalid_blocks").await; // wherever it stands
        }
        assert!(scene.standing().await.is_empty(), "B-225");
    }

    async fn blocks_and_metadata_are_kept_and_shown_to_nobody(server: Server) {
        let scene = Scene::new(&server).await;
        let blocks = json!([{"type": "header", "text": "Build 42"}]);
        let metadata = json!({"build": 42, "who": {"id": [1, 2.5, null, true]}, "\u{e9}": "", "n": u64::MAX});
        let extras = json!({"blocks": blocks, "metadata": metadata});
        let quoted = scene.posted(json!({"text": "the quoted one"})).await;
        let body = with(scene.post(extras.clone()), json!({"text": "what people see", "thread_id": quoted}));
        let sent = scene.bot.sending("k", &body).ok(201).await;
        let id = text(&sent, "/message/id");

        // the admin's view: everything
        let stored = scene.stored(&id).await;
        assert_eq!(stored["blocks"], blocks, "B-176");
        assert_eq!(stored["metadata"], metadata, "B-179");
        assert_eq!(stored["text"], "what people see", "B-188");
        assert_eq!(stored["thread_id"], quoted.as_str(), "B-188: quoted above it");
        assert_eq!(stored["type"], "text");

        // the public answers: neither
        let edit = json!({"text": "edited", "blocks": blocks, "metadata": metadata});
        let edited = scene.bot.editing(&id, &edit).ok(200).await;
        let history = json!(scene.bot.history(&scene.group).await);
        assert_eq!(history[0]["thread_id"], quoted.as_str(), "B-188");
        for answer in [&sent, &edited, &history] {
            for name in ["blocks", "metadata", "edits", "edited_at"] {
                assert!(!mentions(answer, name), "B-176, B-179: {name} in {answer}");
            }
        }

        // in a direct message too
        let direct = scene.bot.send(&with(scene.direct(json!({})), extras)).await;
        let stored = scene.company.message(&text(&direct, "/conversation_id"), &text(&direct, "/id")).await;
        assert_eq!((&stored["blocks"], &stored["metadata"]), (&blocks, &metadata), "B-176, B-179");
    }

    async fn numbers_in_metadata_keep_their_digits(server: Server) {
        let scene = Scene::new(&server).await;
        let group = &scene.group;
        // D-028
        let long = "12345678901234567890123";
        let to = format!(r#""to":{{"type":"conversation","id":"{group}"}}"#);
        let body = format!(r#"{{{to},"text":"a","metadata":{{"n":{long}}}}}"#);
        scene.bot.sending_text("k", body).ok(201).await;
        let path = format!("/admin/v1/conversations/{group}/messages");
        let page = scene.company.operator.get(&path).send().await;
        assert!(page.text().contains(long), "B-179, D-028: {}", page.text());
    }
}
