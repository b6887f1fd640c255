//! Idempotency keys before and after 24 hours. Until 24 hours after a send, its key is remembered for every
//! destination. After that, the key is remembered only for the destination of the send (B-196 … B-198, B-201, B-420,
//! B-421).

use serde_json::{Value, json};

use crate::support::*;

/// Returns two sends, to a group and to a person. Each has an idempotency key, a body, and a body with the same text
/// for another destination: `other_group` or `other_person`.
fn destinations(
    fixture: &BotFixture,
    other_group: &str,
    other_person: &str,
) -> [(&'static str, Value, Value); 2] {
    [
        ("group", fixture.post(json!({})), to_conversation(other_group, "hello")),
        ("direct", fixture.direct(json!({})), to_user(other_person, "hello")),
    ]
}

#[both_engines]
async fn within_a_day_a_used_key_is_refused_for_another_destination(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (other_group, other_person) =
        (fixture.company.group(&[&fixture.bot.user_id]).await, fixture.company.person().await);
    let destinations = destinations(&fixture, &other_group, &other_person);
    let mut originals = Vec::new();
    for (key, body, _) in &destinations {
        originals.push(fixture.bot.sending(key, body).send().await);
    }
    server.advance(WITHIN_A_DAY).await;
    for ((key, body, elsewhere), original) in destinations.iter().zip(&originals) {
        let replay = fixture.bot.sending(key, body).send().await;
        assert_eq!(
            (replay.status, &replay.bytes),
            (201, &original.bytes),
            "within 24 hours a repeated request is replayed (B-191, B-421): {key}"
        );
        assert_eq!(
            replay.header("idempotent-replayed"),
            Some("true"),
            "a replay has the header Idempotent-Replayed (B-206)"
        );
        fixture.bot.key_is_taken(key, elsewhere).await; // B-421, B-194: another destination
        let changed = with(body.clone(), json!({"text": "changed"}));
        fixture.bot.key_is_taken(key, &changed).await; // B-193: another body
    }
    for original in &originals {
        let conversation = text(&original.json(), "/message/conversation_id");
        let messages = fixture.company.sent_by(&fixture.bot, &conversation).await;
        assert_eq!(messages.len(), 1, "a repeated key sends nothing (B-191): {conversation}");
    }
    assert!(
        fixture.company.sent_by(&fixture.bot, &other_group).await.is_empty(),
        "a key that is refused for another destination sends nothing (B-194)"
    );
    assert_eq!(
        fixture.company.direct_conversations().await.len(),
        1,
        "a key that is refused for another person creates no direct conversation (B-194)"
    );
}

#[both_engines]
async fn after_a_day_the_same_destination_still_gets_the_original_response(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let destinations = destinations(&fixture, "", "");
    let mut originals = Vec::new();
    for (key, body, _) in &destinations {
        originals.push(fixture.bot.sending(key, body).send().await);
    }
    for days in [1, 1, 30, 400] {
        server.advance(PAST_A_DAY * days).await;
        for ((key, body, _), original) in destinations.iter().zip(&originals) {
            let replay = fixture.bot.sending(key, body).send().await;
            assert_eq!(
                (replay.status, &replay.bytes),
                (201, &original.bytes),
                "after 24 hours a repeated request is replayed (B-196, B-421): {key}"
            );
            assert_eq!(
                replay.header("idempotent-replayed"),
                Some("true"),
                "a replay has the header Idempotent-Replayed (B-206)"
            );
            // B-201, D-049: the changed body was never sent, so the response must not be 201
            let changed = with(body.clone(), json!({"text": "changed"}));
            fixture.bot.key_is_taken(key, &changed).await;
            let conversation = text(&original.json(), "/message/conversation_id");
            let messages = fixture.company.sent_by(&fixture.bot, &conversation).await;
            assert_eq!(messages.len(), 1, "a replay sends nothing (B-196): {key}");
        }
    }
}

#[both_engines]
async fn after_a_day_another_destination_gets_a_new_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (other_group, other_person) =
        (fixture.company.group(&[&fixture.bot.user_id]).await, fixture.company.person().await);
    let destinations = destinations(&fixture, &other_group, &other_person);
    for (key, body, _) in &destinations {
        fixture.bot.sending(key, body).ok(201).await;
    }
    server.advance(PAST_A_DAY).await;
    for (key, _, elsewhere) in &destinations {
        let sent = fixture.bot.sending(key, elsewhere).send().await;
        sent.ok(201); // B-201, B-421: a new message
        assert!(sent.header("idempotent-replayed").is_none(), "the response is no replay (B-201)");
        let replay = fixture.bot.sending(key, elsewhere).send().await;
        assert_eq!(
            (replay.status, &replay.bytes),
            (201, &sent.bytes),
            "within 24 hours a repeated request is replayed (B-191)"
        );
        let conversation = text(&sent.json(), "/message/conversation_id");
        assert_eq!(
            fixture.company.sent_by(&fixture.bot, &conversation).await.len(),
            1,
            "after 24 hours another destination gets one new message (B-201): {key}"
        );
    }
}

#[both_engines]
async fn each_destination_of_a_key_gets_its_own_original_response(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let (group, person) =
        (fixture.company.group(&[&fixture.bot.user_id]).await, fixture.company.person().await);
    let destinations = [
        fixture.post(json!({})),
        to_user(&person, "hello"),
        to_conversation(&group, "hello"),
        fixture.direct(json!({})),
    ];
    // in these four orders, each destination is at each position once
    for (round, order) in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1]].iter().enumerate() {
        let key = format!("k{round}");
        let mut originals: Vec<(usize, Answer)> = Vec::new();
        for &destination in order {
            let sent = fixture.bot.sending(&key, &destinations[destination]).send().await;
            sent.ok(201); // B-201, B-421: a new message
            assert!(sent.header("idempotent-replayed").is_none(), "the response is no replay (B-201)");
            originals.push((destination, sent));
            for (known, original) in &originals {
                let replay = fixture.bot.sending(&key, &destinations[*known]).send().await;
                assert_eq!(
                    (replay.status, &replay.bytes),
                    (201, &original.bytes),
                    "a repeated request to this or an earlier destination is replayed (B-191, B-196): {order:?}"
                );
                assert_eq!(
                    replay.header("idempotent-replayed"),
                    Some("true"),
                    "a replay has the header Idempotent-Replayed (B-206)"
                );
                // B-193, B-201: another body with the key
                let changed = with(destinations[*known].clone(), json!({"text": "changed"}));
                fixture.bot.key_is_taken(&key, &changed).await;
            }
            for other in order.iter().filter(|n| originals.iter().all(|(known, _)| known != *n)) {
                // B-194: less than a day has passed since the latest message with the key
                fixture.bot.key_is_taken(&key, &destinations[*other]).await;
            }
            server.advance(PAST_A_DAY).await;
        }
        // the sends of an edited and of a deleted message are not replayed (B-197, B-198); the other two sends are
        let id = |n: usize| text(&originals[n].1.json(), "/message/id");
        fixture.bot.editing(&id(0), &json!({"text": "hello"})).ok(200).await;
        fixture.bot.deleting(&id(1)).ok(200).await;
        for (n, (destination, original)) in originals.iter().enumerate() {
            let replay = fixture.bot.sending(&key, &destinations[*destination]).send().await;
            match n {
                0 | 1 => drop(replay.refused(422, "idempotency_key_reused")),
                _ => assert_eq!(
                    (replay.status, &replay.bytes),
                    (201, &original.bytes),
                    "a repeated send of an unchanged message is replayed (B-196)"
                ),
            }
        }
    }
}

#[both_engines]
async fn a_person_is_the_same_destination_after_the_direct_conversation_was_deleted(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let original = fixture.bot.sending("k", &fixture.direct(json!({}))).send().await;
    let assert_replay = async |key: &str, original: &Answer| {
        let replay = fixture.bot.sending(key, &fixture.direct(json!({}))).send().await;
        assert_eq!(
            (replay.status, &replay.bytes),
            (201, &original.bytes),
            "the person is the destination, not the direct conversation (B-196)"
        );
        assert_eq!(
            replay.header("idempotent-replayed"),
            Some("true"),
            "a replay has the header Idempotent-Replayed (B-206)"
        );
        // B-193, B-201: another body with the key
        fixture.bot.key_is_taken(key, &fixture.direct(json!({"text": "changed"}))).await;
    };
    fixture.company.delete_conversation(&text(&original.json(), "/message/conversation_id")).await;
    assert_replay("k", &original).await;
    server.advance(PAST_A_DAY).await;
    assert_replay("k", &original).await;
    // a key that was used in the deleted direct conversation is still remembered in the next direct conversation
    let second = fixture.bot.sending("other", &fixture.direct(json!({}))).send().await;
    assert_ne!(second.json()["message"]["conversation_id"], original.json()["message"]["conversation_id"]);
    server.advance(PAST_A_DAY).await;
    assert_replay("k", &original).await;
    assert_replay("other", &second).await;
    fixture.company.delete_conversation(&text(&second.json(), "/message/conversation_id")).await;
    server.advance(PAST_A_DAY).await;
    assert_replay("k", &original).await;
    assert_replay("other", &second).await;
    // another person is another destination
    let other = fixture.company.person().await;
    let sent = fixture.bot.sending("k", &to_user(&other, "hello")).send().await;
    sent.ok(201);
    assert!(
        sent.header("idempotent-replayed").is_none(),
        "after 24 hours another destination gets a new message (B-201)"
    );
}

/// Returns the fixture's bot and company as API clients of `server`, which can have another address after a restart.
fn at_server(server: &Server, fixture: &BotFixture) -> (Bot, Company) {
    let at = |api: &Api| Api { base: server.base.clone(), ..api.clone() };
    (
        Bot { api: at(&fixture.bot.api), ..fixture.bot.clone() },
        Company { operator: at(&fixture.company.operator), ..fixture.company.clone() },
    )
}

/// A server keeps recent keys in memory. It looks up such a key in the database before the transaction of the send, and
/// every other key in the transaction. This test covers the second case: a restarted server has no keys in memory.
#[both_engines]
async fn a_restarted_server_finds_the_keys_of_deleted_direct_messages(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let original = fixture.bot.sending("k", &fixture.direct(json!({}))).send().await;
    fixture.company.delete_conversation(&text(&original.ok(201), "/message/conversation_id")).await;
    let second = fixture.bot.send(&fixture.direct(json!({"text": "later"}))).await;
    let current = text(&second, "/conversation_id");
    server.advance(PAST_A_DAY).await;

    let server = server.restarted().await;
    let (bot, company) = at_server(&server, &fixture);
    bot.key_is_taken("k", &fixture.direct(json!({"text": "changed"}))).await; // B-201: another body
    let messages = company.sent_by(&bot, &current).await;
    assert_eq!(messages.len(), 1, "a refused send leaves nothing behind (B-225)");

    let server = server.restarted().await;
    let (bot, company) = at_server(&server, &fixture);
    let replay = bot.sending("k", &fixture.direct(json!({}))).send().await;
    assert_eq!(
        (replay.status, &replay.bytes),
        (201, &original.bytes),
        "the person is the destination, not the direct conversation (B-196)"
    );
    assert_eq!(
        replay.header("idempotent-replayed"),
        Some("true"),
        "a replay has the header Idempotent-Replayed (B-206)"
    );
    let messages = company.sent_by(&bot, &current).await;
    assert_eq!(messages.len(), 1, "a replay sends nothing (B-196)");
    // a message with a new key is sent in the current conversation
    let third = bot.sending("new", &fixture.direct(json!({"text": "new"}))).ok(201).await;
    assert_eq!(text(&third, "/message/conversation_id"), current);
}

#[both_engines]
async fn a_person_who_uses_the_key_in_another_group_does_not_affect_replays(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other = fixture.company.group(&[&fixture.bot.user_id, &fixture.person]).await;
    let original = fixture.bot.sending("k", &fixture.post(json!({}))).send().await;
    fixture.company.post_with(&other, &fixture.person, json!({"client_key": "k"})).await;
    server.advance(PAST_A_DAY).await;
    // B-202: in this group the key belongs to the message of a person
    fixture.bot.key_is_taken("k", &to_conversation(&other, "hello")).await;
    let replay = fixture.bot.sending("k", &fixture.post(json!({}))).send().await;
    assert_eq!(
        (replay.status, &replay.bytes),
        (201, &original.bytes),
        "after 24 hours a repeated request is replayed (B-196)"
    );
    // the rejected send did not store the key, so the bot can use the key for a third destination
    let third = fixture.company.group(&[&fixture.bot.user_id]).await;
    fixture.bot.sending("k", &to_conversation(&third, "hello")).ok(201).await; // B-201: a new message
}

#[both_engines]
async fn after_a_day_simultaneous_replays_and_sends_elsewhere_post_one_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other = fixture.company.group(&[&fixture.bot.user_id]).await;
    let third = fixture.company.group(&[&fixture.bot.user_id]).await;
    for round in 0..5 {
        let key = format!("k{round}");
        let (here, there) = (fixture.post(json!({})), to_conversation(&other, "hello"));
        let original = fixture.bot.sending(&key, &here).send().await;
        server.advance(PAST_A_DAY).await;
        let sends = (0..12).map(|n| fixture.bot.sending(&key, [&here, &there][n % 2]).send());
        let answers = futures_util::future::join_all(sends).await;
        let (replays, fresh): (Vec<_>, Vec<_>) = answers.iter().enumerate().partition(|(n, _)| n % 2 == 0);
        for (_, replay) in replays {
            assert_eq!(
                (replay.status, &replay.bytes),
                (201, &original.bytes),
                "simultaneous replays return the original bytes (B-196, B-204)"
            );
        }
        for (_, sent) in &fresh {
            assert_eq!(
                (sent.status, &sent.bytes),
                (201, &fresh[0].1.bytes),
                "simultaneous sends with one key post one message (B-201, B-204)"
            );
        }
        assert_eq!(
            fixture.visible_messages().await.len(),
            round + 1,
            "simultaneous replays send nothing (B-196, B-204)"
        );
        assert_eq!(
            fixture.company.sent_by(&fixture.bot, &other).await.len(),
            round + 1,
            "simultaneous sends with one key post one message (B-201, B-204)"
        );
        server.advance(PAST_A_DAY).await;
        let third = to_conversation(&third, &format!("hello {round}"));
        let fourth = to_user(&fixture.person, &format!("hello {round}"));
        let pair = [fixture.bot.sending(&key, &third).send(), fixture.bot.sending(&key, &fourth).send()];
        let mut statuses: Vec<_> =
            futures_util::future::join_all(pair).await.iter().map(|a| a.status).collect();
        statuses.sort_unstable();
        assert_eq!(
            statuses,
            [201, 422],
            "of two simultaneous sends with one key to two new destinations, only one is accepted (B-194, B-205)"
        );
    }
}

#[both_engines]
async fn after_a_day_the_key_of_an_edited_or_deleted_message_is_refused(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for (destination, body) in [("g", fixture.post(json!({}))), ("d", fixture.direct(json!({})))] {
        let key = |what: &str| format!("{destination}-{what}");
        let mut ids = std::collections::BTreeMap::new();
        let changed = ["edited early", "deleted early", "erased early", "edited late", "deleted late"];
        for what in changed.into_iter().chain(["kept"]) {
            let sent = fixture.bot.sending(&key(&what.replace(' ', "-")), &body).ok(201).await;
            ids.insert(what, text(&sent, "/message/id"));
        }
        let edit = json!({"text": "hello"}); // D-094: an edit counts even if it does not change the text
        fixture.bot.editing(&ids["edited early"], &edit).ok(200).await;
        fixture.bot.deleting(&ids["deleted early"]).ok(200).await;
        fixture.company.erase(&ids["erased early"]).await;
        server.advance(PAST_A_DAY).await;
        fixture.bot.editing(&ids["edited late"], &edit).ok(200).await;
        fixture.bot.deleting(&ids["deleted late"]).ok(200).await;
        for what in changed {
            let answer = fixture.bot.sending(&key(&what.replace(' ', "-")), &body).send().await;
            assert_eq!(
                answer.status,
                422,
                "the key of an edited or deleted message is refused (B-197, B-198, D-098): {destination}, {what}: {}",
                answer.text()
            );
            answer.refused(422, "idempotency_key_reused");
        }
        let kept = fixture.bot.sending(&key("kept"), &body).ok(201).await;
        assert_eq!(
            text(&kept, "/message/id"),
            ids["kept"],
            "a repeated send of an unchanged message is replayed (B-196)"
        );
    }
    assert_eq!(
        fixture.visible_messages().await.len(),
        3,
        "the group has two edited messages and the unchanged one"
    );
}

#[both_engines]
async fn after_a_day_the_key_of_a_deleted_message_can_be_used_elsewhere(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other = fixture.company.group(&[&fixture.bot.user_id]).await;
    let sent = fixture.bot.sending("k", &fixture.post(json!({}))).ok(201).await;
    fixture.bot.deleting(&text(&sent, "/message/id")).ok(200).await;
    server.advance(PAST_A_DAY).await;
    fixture.bot.sending("k", &to_conversation(&other, "hello")).ok(201).await; // B-201, D-049: a new message
}

#[both_engines]
async fn simultaneous_replays_after_a_day_post_nothing(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let body = fixture.post(json!({}));
    let original = fixture.bot.sending("k", &body).send().await;
    server.advance(PAST_A_DAY).await;
    let replays = (0..10).map(|_| fixture.bot.sending("k", &body).send());
    for replay in futures_util::future::join_all(replays).await {
        assert_eq!(
            (replay.status, &replay.bytes),
            (201, &original.bytes),
            "simultaneous replays return the original bytes (B-196, B-204)"
        );
    }
    assert_eq!(fixture.visible_messages().await.len(), 1, "simultaneous replays send nothing (B-196, B-204)");
}
