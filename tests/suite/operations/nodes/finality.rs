//! A change is made through the admin API during many concurrent sends. The sends do not delay the change, and no
//! message is written after the response to the change.

use std::sync::Arc;

use serde_json::json;

use super::first;
use crate::support::*;

/// Number of concurrent senders. Half of them send through a second node.
const SENDERS: usize = 24;

/// Maximum number of sends that are accepted between the request for a change and the response. The change waits for a
/// lock, which at most one send of each sender holds. More sends may be accepted before the change requests the lock.
/// If the sends could delay the change, hundreds of sends of each sender would be accepted.
const MAX_ACCEPTED: usize = 20 * SENDERS;

async fn count(server: &Server, bot: &Bot) -> i64 {
    let bot = switchboard::domain::ids::UserId::parse(&bot.user_id).unwrap().0;
    sqlx::query_scalar("SELECT COUNT(*) FROM messages WHERE sender_id = $1")
        .bind(bot)
        .fetch_one(&mut server.database.outside().await)
        .await
        .unwrap()
}

/// Sends to `to` as the bot, from many tasks, until the sends are rejected. Makes the change after some sends. Asserts
/// that the sends do not delay the change, that no message is written after the response to the change, and that each
/// task ends with `refusal`.
async fn nothing_after(
    nodes: [&Server; 2],
    bot: &Bot,
    to: serde_json::Value,
    change: impl Future<Output = ()>,
    refusal: (u16, &str),
) {
    let sent = Arc::new(tokio::sync::Semaphore::new(0));
    let mut senders = tokio::task::JoinSet::new();
    for n in 0..SENDERS {
        let api = Api { base: nodes[n % 2].base.clone(), ..bot.api.clone() };
        let (bot, to, sent) = (Bot { api, ..bot.clone() }, to.clone(), Arc::clone(&sent));
        senders.spawn(async move {
            for round in 0.. {
                let answer = bot.sending(&format!("{n}-{round}-{}", to["text"]), &to).send().await;
                if answer.status != 201 {
                    return answer;
                }
                sent.add_permits(1);
            }
            unreachable!("the bot sends until it is refused")
        });
    }
    sent.acquire_many(3 * SENDERS as u32).await.unwrap().forget();
    let before = sent.available_permits();
    change.await;
    let accepted = sent.available_permits() - before;
    println!("{}: {accepted} sends were accepted during the change", refusal.1);
    assert!(
        accepted <= MAX_ACCEPTED,
        "a change waits only for sends in progress, not for {accepted} sends of {SENDERS} senders: {}",
        refusal.1
    );
    let at_the_answer = count(nodes[0], bot).await;
    while let Some(ended) = senders.join_next().await {
        ended.unwrap().refused(refusal.0, refusal.1);
    }
    assert_eq!(
        count(nodes[0], bot).await,
        at_the_answer,
        "no message is written after the response to the change that causes {}",
        refusal.1
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_message_is_written_after_the_response_to_a_change() {
    let Some(here) = first().await else { return };
    let there = here.another_node().await;
    let nodes = [&here, &there];
    let company = here.company().await;
    let person = company.person().await;

    for what in ["group", "channel"] {
        let bot = company.bot(&here).await;
        let group = company.group(&[&person, &bot.user_id]).await;
        let channel = company.channel(&group, &[&person, &bot.user_id]).await;
        let to = if what == "group" { &group } else { &channel };
        let body = |words: &str| to_conversation(to, words);
        // the group is archived and deleted, and the bot is removed from the group, even if the messages go to the
        // group's channel
        let archived = company.archive(&group, true);
        nothing_after(nodes, &bot, body("archive"), archived, (409, "conversation_archived")).await;
        company.archive(&group, false).await;
        let announcing = company.update_conversation(to, json!({"announcement_only": true}));
        nothing_after(nodes, &bot, body("announce"), announcing, (403, "not_allowed_in_conversation")).await;
        company.update_conversation(to, json!({"announcement_only": false})).await;
        let removed = company.remove(&group, &bot.user_id);
        nothing_after(nodes, &bot, body("remove"), removed, (403, "not_in_conversation")).await;
        company.add(to, &bot.user_id).await;
        let deleted = company.delete_conversation(&group);
        nothing_after(nodes, &bot, body("delete"), deleted, (404, "conversation_not_found")).await;
    }

    let bot = company.bot(&here).await;
    let body = |words: &str| to_user(&person, words);
    let blocked = company.block_app(&person, &bot);
    nothing_after(nodes, &bot, body("block"), blocked, (403, "cannot_dm_user")).await;
    company.unblock_app(&person, &bot).await;
    let deactivated = company.set_state(&person, "deactivated");
    nothing_after(nodes, &bot, body("deactivate"), deactivated, (409, "user_deactivated")).await;
    company.set_state(&person, "active").await;
    let uninstalled = company.uninstall(&bot);
    nothing_after(nodes, &bot, body("uninstall"), uninstalled, (401, "token_revoked")).await;
}

/// Returns the number of messages that a person has sent.
async fn sent_by(server: &Server, person: &str) -> i64 {
    let person = switchboard::domain::ids::UserId::parse(person).unwrap().0;
    sqlx::query_scalar("SELECT COUNT(*) FROM messages WHERE sender_id = $1")
        .bind(person)
        .fetch_one(&mut server.database.outside().await)
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_draft_is_sent_after_the_response_to_a_revocation() {
    let Some(here) = first().await else { return };
    let there = here.another_node().await;
    let company = here.company().await;
    let ann = here.assistant(&company, "Ann Example").await;
    let group = company.group(&[ann.id()]).await;
    let mut drafts = Vec::new();
    for _ in 0..2 * SENDERS {
        drafts.push(ann.drafts(json!({"conversation": group, "text": "on its way"})).await);
    }
    let sent = Arc::new(tokio::sync::Semaphore::new(0));
    let mut senders = tokio::task::JoinSet::new();
    for (n, draft) in drafts.into_iter().enumerate() {
        let client = [&here, &there][n % 2].mcp(&ann.tokens.access, mcp::MODERN);
        let sent = Arc::clone(&sent);
        senders.spawn(async move {
            let got = client.tool("send_draft", json!({"draft_id": draft})).await;
            sent.add_permits(1);
            got.status
        });
    }
    sent.acquire_many(3).await.unwrap().forget();
    let connection = text(&ann.employee.connections().await[0], "/id");
    company.operator.delete(&format!("/admin/v1/connections/{connection}")).ok(200).await;
    let at_the_answer = sent_by(&here, ann.id()).await;
    assert!(at_the_answer >= 3, "three drafts were sent before the revocation: {at_the_answer}");
    while let Some(status) = senders.join_next().await {
        assert!(matches!(status.unwrap(), 200 | 401));
    }
    assert_eq!(
        sent_by(&here, ann.id()).await,
        at_the_answer,
        "no message is written after the response to the revocation (A-254)"
    );
}
