//! Simultaneous requests with one idempotency key send exactly one message (B-204, B-205).

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::json;

use crate::support::*;

#[both_engines]
async fn fifty_simultaneous_sends_with_one_key_store_one_message(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for (key, body) in [("group", fixture.post(json!({}))), ("direct", fixture.direct(json!({})))] {
        let answers = join_all((0..50).map(|_| fixture.bot.sending(key, &body).send())).await;
        let bodies: BTreeSet<_> = answers
            .iter()
            .map(|answer| {
                assert_eq!(
                    answer.status,
                    201,
                    "each simultaneous request with the same key and body gets 201 (B-204): {}",
                    answer.text()
                );
                answer.bytes.clone()
            })
            .collect();
        assert_eq!(bodies.len(), 1, "all responses are equal (B-204)");
        let originals = answers.iter().filter(|a| a.header("idempotent-replayed").is_none()).count();
        assert_eq!(originals, 1, "one response is the original, and all others are replays (B-206)");
        let conversation = text(&answers[0].json(), "/message/conversation_id");
        let messages = fixture.company.sent_by(&fixture.bot, &conversation).await;
        assert_eq!(messages.len(), 1, "exactly one message is stored (B-204)");
        assert_eq!(
            messages[0]["id"],
            answers[0].json()["message"]["id"],
            "the responses have the id of the stored message (B-204)"
        );
    }
}

#[both_engines]
async fn of_two_simultaneous_sends_with_one_key_and_different_bodies_one_succeeds(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for round in 0..10 {
        let key = format!("race-{round}");
        let body = |words: &str| fixture.post(json!({"text": format!("{words} {round}")}));
        let bodies = [body("left"), body("right")];
        let answers = join_all(bodies.iter().map(|body| fixture.bot.sending(&key, body).send())).await;
        let mut statuses: Vec<_> = answers.iter().map(|a| a.status).collect();
        statuses.sort_unstable();
        assert_eq!(
            statuses,
            [201, 422],
            "of two sends with one key and different bodies, one gets 201 and one 422 (B-205): {}",
            answers[0].text() + &answers[1].text()
        );
        let messages = fixture.visible_messages().await;
        assert_eq!(messages.len(), round + 1, "one message is stored in each round (B-205)");
        let (winner, loser) = if answers[0].status == 201 { (0, 1) } else { (1, 0) };
        assert_eq!(
            answers[loser].json()["error"]["code"],
            "idempotency_key_reused",
            "the request that got 422 reports the reused key (B-205)"
        );
        let words = &bodies[winner]["text"];
        assert_eq!(&messages[0]["text"], words, "the message of the request that got 201 is stored (B-205)");
    }
}

#[both_engines]
async fn of_two_simultaneous_sends_with_one_key_to_two_destinations_one_succeeds(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let other = fixture.company.group(&[&fixture.bot.user_id]).await;
    for round in 0..5 {
        let key = format!("race-{round}");
        let bodies = [&fixture.group, &other].map(|group| to_conversation(group, "hello"));
        let answers = join_all(bodies.iter().map(|body| fixture.bot.sending(&key, body).send())).await;
        let mut statuses: Vec<_> = answers.iter().map(|a| a.status).collect();
        statuses.sort_unstable();
        assert_eq!(
            statuses,
            [201, 422],
            "of two sends with one key to two destinations, one gets 201 and one 422 (B-194, B-205)"
        );
    }
    let both =
        fixture.visible_messages().await.len() + fixture.company.sent_by(&fixture.bot, &other).await.len();
    assert_eq!(both, 5, "one message is stored in each round (B-194, B-205)");
}

#[both_engines]
async fn of_many_simultaneous_sends_with_one_key_and_different_bodies_one_message_is_stored(server: Server) {
    let fixture = BotFixture::new(&server).await;
    // ten different bodies, five requests each
    let sends = (0..50).map(|n| {
        let body = fixture.post(json!({"text": format!("body {}", n % 10)}));
        fixture.bot.sending("k", &body).send()
    });
    let answers = join_all(sends).await;
    let messages = fixture.visible_messages().await;
    assert_eq!(
        messages.len(),
        1,
        "simultaneous sends with one key and different bodies store one message (B-205)"
    );
    for (n, answer) in answers.into_iter().enumerate() {
        // the five requests with the body of the stored message succeed (B-204), and all others get 422 (B-205)
        if messages[0]["text"] == format!("body {}", n % 10) {
            assert_eq!(
                answer.ok(201)["message"]["id"],
                messages[0]["id"],
                "requests with the same key and body get the same message (B-204)"
            );
        } else {
            answer.refused(422, "idempotency_key_reused");
        }
    }
}

#[both_engines]
async fn an_invalid_request_does_not_prevent_a_valid_one_with_the_same_key(server: Server) {
    let fixture = BotFixture::new(&server).await;
    for round in 0..5 {
        let key = format!("race-{round}");
        // the first request replies to a message that does not exist
        let bodies = [fixture.post(json!({"thread_id": NOTHING})), fixture.post(json!({}))];
        let answers = join_all(bodies.iter().map(|body| fixture.bot.sending(&key, body).send())).await;
        answers[1].ok(201);
        // the invalid request gets 400, or 422 if the other request used the key first
        let code = text(&answers[0].json(), "/error/code");
        assert!(
            ["invalid_request", "idempotency_key_reused"].contains(&&*code),
            "the invalid request is refused, whichever request the server processes first (D-053): {code}"
        );
    }
    assert_eq!(
        fixture.visible_messages().await.len(),
        5,
        "the valid request of each round stores its message (B-203)"
    );
}

#[both_engines]
async fn simultaneous_sends_with_different_keys_all_succeed(server: Server) {
    let fixture = BotFixture::new(&server).await;
    let sends = (0..50).map(|n| {
        let body = fixture.post(json!({"text": format!("message {n}")}));
        fixture.bot.sending(&format!("k{n}"), &body).send()
    });
    let ids: BTreeSet<_> =
        join_all(sends).await.iter().map(|answer| text(&answer.ok(201), "/message/id")).collect();
    assert_eq!(ids.len(), 50);
    assert_eq!(fixture.visible_messages().await.len(), 50);
}
