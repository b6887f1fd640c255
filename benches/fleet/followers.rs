//! Followers read the new messages of a conversation again and again: from the newest message back to the newest
//! message of their previous read. They record the order of the messages, which is compared with the history at the
//! end of the run.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use reqwest::Method;

use super::{
    Fleet,
    http::{Reply, new_request},
    ledger::{Rule, Seen},
    limits::{Cost, Limits},
};

/// Follows, as a bot, a group in which no messages are deleted (a steady group). Sends as many list requests as the
/// guaranteed rate limit allows.
pub async fn run(fleet: Arc<Fleet>, number: usize) {
    let bot = &fleet.company.followers[number];
    let group = &fleet.company.groups[bot.groups[0]].id;
    let (token, mut limits) = (bot.token(), Limits::new());
    let mut seen = Seen { group: group.clone(), who: format!("bot {}", bot.number), ..Seen::default() };
    while !fleet.is_stopping() {
        let mut fresh = Vec::new();
        let mut cursor = String::new();
        let is_whole = loop {
            while !limits.allows(Cost::List, Instant::now()) && !fleet.is_stopping() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            if fleet.is_stopping() {
                break false;
            }
            let path = format!("/v1/conversations/{group}/messages?limit=100{cursor}");
            let reply = fleet.http.send(new_request("history page", Method::GET, path).token(&token)).await;
            if reply.status == 429 {
                let what = format!("a follower got 429 within the guaranteed limit: {}", reply.body);
                fleet.ledger.violation(Rule::Limits, what);
            } else {
                limits.spend(Cost::List, reply.ended);
            }
            match page(&reply, &seen, &mut fresh) {
                Page::Last => break true,
                Page::More(next) => cursor = format!("&cursor={next}"),
                Page::None => break false,
            }
        };
        seen.take(fresh, is_whole);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    fleet.ledger.followed(seen);
}

/// Follows all groups as the operator, one group after the other, until the run stops. The operator sees deleted
/// messages, and can therefore also follow the groups in which bots delete messages (volatile groups).
pub async fn watch(fleet: Arc<Fleet>) {
    let mut all: HashMap<String, Seen> = HashMap::new();
    let groups = fleet.company.groups.iter().cycle();
    for group in groups {
        if fleet.is_stopping() {
            break;
        }
        let new = || Seen { group: group.id.clone(), who: "the operator".to_owned(), ..Seen::default() };
        let seen = all.entry(group.id.clone()).or_insert_with(new);
        let mut fresh = Vec::new();
        let mut cursor = String::new();
        let is_whole = loop {
            let path = format!("/admin/v1/conversations/{}/messages?limit=50{cursor}", group.id);
            let reply = fleet.http.admin(new_request("admin: messages", Method::GET, path)).await;
            match page(&reply, seen, &mut fresh) {
                Page::Last => break true,
                Page::More(next) => cursor = format!("&cursor={next}"),
                Page::None => break false,
            }
        };
        seen.take(fresh, is_whole);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for seen in all.into_values() {
        fleet.ledger.followed(seen);
    }
}

enum Page {
    /// The read is complete: this page contains the newest message of the previous read, or is the oldest page of the
    /// conversation, or there was no previous read with messages.
    Last,
    /// The cursor of the next page, which must be read too.
    More(String),
    /// The request failed.
    None,
}

fn page(reply: &Reply, seen: &Seen, fresh: &mut Vec<String>) -> Page {
    if !reply.is_ok() {
        return Page::None;
    }
    for message in reply.body["messages"].as_array().into_iter().flatten() {
        let id = message["id"].as_str().unwrap_or_default();
        if seen.ids.last().is_some_and(|last| last == id) {
            return Page::Last;
        }
        fresh.push(id.to_owned());
    }
    match reply.body["next_cursor"].as_str() {
        // a follower that has not read a message yet reads only the newest page
        Some(next) if !seen.ids.is_empty() => Page::More(next.to_owned()),
        _ => Page::Last,
    }
}

impl Seen {
    fn take(&mut self, fresh: Vec<String>, is_whole: bool) {
        if is_whole {
            self.ids.extend(fresh.into_iter().rev());
            self.reads += 1;
        }
    }
}
