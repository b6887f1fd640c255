//! A new member of a conversation sees every message that was sent after they joined, and no earlier message (B-281).
//! This holds whichever node handles a message, even if the clocks of the nodes differ.

use switchboard::{domain::time::Timestamp, platform::clock::Clock};

use super::first;
use crate::support::*;

const HOUR: i64 = 3_600_000_000;

/// Returns a copy of the client `api` that sends its requests to `node`.
fn through(node: &Server, api: &Api) -> Api {
    Api { base: node.base.clone(), ..api.clone() }
}

fn company_through(node: &Server, company: &Company) -> Company {
    Company { operator: through(node, &company.operator), ..company.clone() }
}

async fn seen(node: &Server, bot: &Bot, conversation: &str) -> Vec<String> {
    let bot = Bot { api: through(node, &bot.api), ..bot.clone() };
    let history = bot.history(conversation).await;
    history.iter().filter_map(|message| message["text"].as_str().map(str::to_owned)).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn history_begins_at_joining_although_the_clocks_differ() {
    let Some(here) = first().await else { return };
    let company = here.company().await;
    let (bot, sender) = (company.bot(&here).await, company.bot(&here).await);
    let person = company.person().await;
    for difference in [HOUR, -HOUR] {
        let clock = Clock::manual(Timestamp(here.clock.now().0 + difference));
        let there = here.another_node_with(clock, |_| {}).await.unwrap();
        let nodes = [&here, &there];
        for (before, join) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let group = company.group(&[&person, &sender.user_id]).await;
            company_through(nodes[before], &company).post(&group, &person, "before").await;
            company_through(nodes[join], &company).add(&group, &bot.user_id).await;
            let notice = bot.history(&group).await;
            assert_eq!(notice.len(), 1, "the new member sees only the system message about the joining");
            assert_eq!(notice[0]["type"], "system");
            // The messages after the joining go through the first node, the second node, and the first node again. The
            // clock of the first node is an hour behind or ahead of the clock of the second node.
            for node in [0, 1, 0] {
                company_through(nodes[node], &company).post(&group, &person, &format!("person {node}")).await;
                let sender = Bot { api: through(nodes[node], &sender.api), ..sender.clone() };
                sender.send(&to_conversation(&group, &format!("bot {node}"))).await;
            }
            let mut expected = ["person 0", "bot 0", "person 1", "bot 1", "person 0", "bot 0"];
            expected.sort_unstable();
            for node in nodes {
                let mut seen = seen(node, &bot, &group).await;
                seen.sort_unstable();
                assert_eq!(
                    seen, expected,
                    "history begins when the bot joins (B-281): nodes {before}, {join}"
                );
            }
            // B-283: the bot is removed and joins again; its history begins at the second joining
            company.remove(&group, &bot.user_id).await;
            company_through(nodes[before], &company).post(&group, &person, "between").await;
            company_through(nodes[join], &company).add(&group, &bot.user_id).await;
            company_through(nodes[1 - join], &company).post(&group, &person, "again").await;
            assert_eq!(
                seen(&here, &bot, &group).await,
                ["again"],
                "history begins when the bot joins again (B-283): nodes {before}, {join}"
            );
        }
        there.stop().await;
    }
}
