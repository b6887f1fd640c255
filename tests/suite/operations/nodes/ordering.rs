//! Within a conversation, messages become visible in the order of their ids, even if different nodes create them. So a
//! client that pages back from the newest message until it reaches a known message misses no message. There are no
//! events about messages, so bots have to poll conversations.

use std::collections::BTreeSet;

use switchboard::{domain::time::Timestamp, platform::clock::Clock};

use super::first;
use crate::support::*;

/// A client that polls a conversation through two nodes.
struct PollingClient {
    /// The client's bot: one API client of the same bot for each node.
    bots: [Bot; 2],
    conversation: String,
    newest: Option<String>,
    seen: BTreeSet<String>,
}

impl PollingClient {
    /// Reads pages through a node, from the newest message back to the newest message that the previous call has read.
    async fn poll(&mut self, node: usize) {
        let mut cursor = None::<String>;
        let mut newest = None;
        loop {
            let cursor_part = cursor.map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let path = format!("/v1/conversations/{}/messages?limit=7{cursor_part}", self.conversation);
            let page = self.bots[node].api.get(&path).ok(200).await;
            for message in page["messages"].as_array().unwrap() {
                let id = text(message, "/id");
                if self.newest.as_ref() == Some(&id) {
                    self.newest = newest.or(self.newest.take());
                    return;
                }
                newest.get_or_insert_with(|| id.clone());
                self.seen.insert(id);
            }
            cursor = page["next_cursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                self.newest = newest;
                return;
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_polls_through_two_nodes_misses_no_message() {
    let Some(here) = first().await else { return };
    // compared with this node's clock, the other node's clock is equal, 30 s behind, or 30 s ahead
    for difference in [0, -30_000_000, 30_000_000] {
        let clock = Clock::manual(Timestamp(here.clock.now().0 + difference));
        let there = here.another_node_with(clock, |_| {}).await.unwrap();
        poll_during_sends(&here, &there).await;
        there.stop().await;
    }
}

/// Sends messages through both nodes, polls through both nodes in the meantime, and asserts that the polls return every
/// message.
async fn poll_during_sends(here: &Server, there: &Server) {
    let company = here.company().await;
    let (reader, sender) = (company.bot(here).await, company.bot(here).await);
    let person = company.person().await;
    let group = company.group(&[&person, &reader.user_id, &sender.user_id]).await;
    let through = |bot: &Bot, node: &Server| Bot {
        api: Api { base: node.base.clone(), ..bot.api.clone() },
        ..bot.clone()
    };
    let mut client = PollingClient {
        bots: [through(&reader, here), through(&reader, there)],
        conversation: group.clone(),
        newest: None,
        seen: BTreeSet::new(),
    };
    let mut sending = tokio::task::JoinSet::new();
    for n in 0..12 {
        let bot = through(&sender, if n % 2 == 0 { here } else { there });
        let (company, group, person) = (company.clone(), group.clone(), person.clone());
        sending.spawn(async move {
            let mut sent = Vec::new();
            for _ in 0..15 {
                sent.push(text(&bot.send(&to_conversation(&group, "on and on")).await, "/id"));
            }
            sent.push(company.post(&group, &person, "a person, too").await);
            sent
        });
    }
    let mut sent = BTreeSet::new();
    let mut polls = 0;
    while !sending.is_empty() {
        tokio::select! {
            Some(done) = sending.join_next() => sent.extend(done.unwrap()),
            () = client.poll(polls % 2) => {}
        }
        polls += 1;
    }
    client.poll(0).await;
    assert_eq!(sent.len(), 12 * 16);
    let missed: Vec<_> = sent.difference(&client.seen).collect();
    assert!(
        missed.is_empty(),
        "the polls return every message, but {} of {} were missed in {polls} polls: {missed:?}",
        missed.len(),
        sent.len()
    );
}
