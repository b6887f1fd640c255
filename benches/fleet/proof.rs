//! The verification at the end of the run. It reads the messages through the admin API and from the PostgreSQL primary,
//! and compares them and the received events with the ledger.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::Value;
use sqlx::{Connection, PgConnection};

use super::{
    Fleet,
    cluster::{Cluster, DATABASE},
    http::new_request,
    ledger::{Outcome, Rule, Send},
};

/// How long after the end of the traffic all events must have arrived. This is longer than the minute between the first
/// and the second attempt, plus the 15 s after which the lease of a killed node expires.
const EVENTS: Duration = Duration::from_secs(120);

/// The result for one rule: the name of a violation, a description of what was tested, and the violations.
pub struct Proof {
    pub name: &'static str,
    pub tried: String,
    pub violations: Vec<String>,
}

/// Messages by the id of their conversation, as the operator reads them, newest first.
type Histories = BTreeMap<String, Vec<Value>>;

pub async fn all(fleet: &Fleet, cluster: &Cluster) -> Vec<Proof> {
    let events = events(fleet).await;
    let histories = histories(fleet).await;
    let rows = rows(cluster).await;
    let sends = fleet.ledger.sends();
    let ledger = &fleet.ledger;
    for what in ledger.uses_after_revocation() {
        ledger.violation(Rule::Revoked, what);
    }
    lost_and_duplicated(fleet, &sends, &histories, &rows);
    order(fleet, &sends, &histories);
    for (what, count) in fleet.http.unexpected() {
        ledger.violation(Rule::Answers, format!("{count} times {what}"));
    }
    for line in cluster.nodes.iter().flat_map(|node| node.panics()) {
        ledger.violation(Rule::Answers, line);
    }
    let answered = sends.iter().filter(|send| matches!(send.outcome, Outcome::Sent { .. })).count();
    let repeated = sends.iter().filter(|send| send.is_repeated).count();
    let unknown = sends.iter().filter(|send| send.outcome == Outcome::Unknown).count();
    let proof = |name, rule, tried| Proof { name, tried, violations: ledger.violations(rule) };
    let reads: u64 = ledger.all_followed().iter().map(|seen| seen.reads).sum();
    vec![
        proof(
            "lost",
            Rule::Lost,
            format!("{answered} answered sends; {repeated} sends had an attempt with no response or 5xx"),
        ),
        proof(
            "duplicated",
            Rule::Duplicated,
            format!(
                "{} keys with messages, {} replays of old keys, {unknown} sends whose messages possibly exist",
                rows.len(),
                ledger.checks(Rule::Duplicated)
            ),
        ),
        proof(
            "out of order",
            Rule::Order,
            format!(
                "{reads} reads of followers, {answered} answered sends; a bot sends one message at a time"
            ),
        ),
        proof("after a revocation", Rule::Revoked, format!("{} revocations", ledger.checks(Rule::Revoked))),
        events,
        proof(
            "rejected within the guaranteed limits",
            Rule::Limits,
            format!("{} requests", ledger.checks(Rule::Limits)),
        ),
        proof("unexplained answers", Rule::Answers, "every answer".to_owned()),
    ]
}

/// Waits until every expected event has arrived or [`EVENTS`] has passed. The missing events are the violations.
async fn events(fleet: &Fleet) -> Proof {
    let expected = fleet.ledger.expected();
    let count: usize = expected.values().sum();
    let begun = Instant::now();
    let missing = loop {
        let received = fleet.receiver.received();
        let missing: Vec<String> = expected
            .iter()
            .filter_map(|(what, expected)| {
                let came = received.get(what).map_or(0, |ids| ids.len());
                (came < *expected)
                    .then(|| format!("app {}: {came} of {expected} {} {}", what.0, what.1, what.2))
            })
            .collect();
        if missing.is_empty() || begun.elapsed() > EVENTS {
            break missing;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };
    let waited = begun.elapsed();
    for what in &missing {
        fleet.ledger.violation(Rule::Events, what.clone());
    }
    let counts = fleet.receiver.counts();
    let tried = format!(
        "{count} expected, {} deliveries, {} repeated, {} refused for their time or signature, {} failed on purpose; \
         waited {:.1} s after the traffic",
        counts.deliveries,
        counts.repeated,
        counts.refused.values().sum::<u64>(),
        counts.failed,
        waited.as_secs_f64(),
    );
    Proof { name: "events not delivered", tried, violations: missing }
}

/// Returns every message of every conversation of the company.
async fn histories(fleet: &Fleet) -> Histories {
    let mut histories = Histories::new();
    for conversation in pages(fleet, &fleet.company.path("/conversations"), "conversations").await {
        let id = conversation["id"].as_str().unwrap().to_owned();
        let messages = pages(fleet, &format!("/admin/v1/conversations/{id}/messages"), "messages").await;
        histories.insert(id, messages);
    }
    histories
}

async fn pages(fleet: &Fleet, path: &str, list: &str) -> Vec<Value> {
    let (mut all, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("{path}?limit=1000{cursor}");
        let (page, _) =
            fleet.http.admin_until_definite(|| new_request("proof", Method::GET, path.clone())).await;
        let page = page.expect_success(&path);
        all.extend(page.body[list].as_array().unwrap().iter().cloned());
        match page.body["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return all,
        }
    }
}

/// Returns the number of messages on the primary for each idempotency key of this run.
async fn rows(cluster: &Cluster) -> HashMap<String, i64> {
    let mut primary = PgConnection::connect(&cluster.primary().url(DATABASE)).await.unwrap();
    let sql = "SELECT client_key, COUNT(*) FROM messages WHERE client_key LIKE 'fleet-%' GROUP BY client_key";
    sqlx::query_as::<_, (String, i64)>(sql).fetch_all(&mut primary).await.unwrap().into_iter().collect()
}

/// Reports acknowledged messages that are missing, and messages that exist twice. Also reports messages that exist
/// although their send was rejected, messages that no bot sent, and ids that were returned for two keys.
fn lost_and_duplicated(fleet: &Fleet, sends: &[Send], histories: &Histories, rows: &HashMap<String, i64>) {
    let ledger = &fleet.ledger;
    let (mut ids, mut keys) = (HashMap::<&str, &str>::new(), HashMap::<&str, usize>::new());
    for (conversation, messages) in histories {
        for message in messages {
            if let Some(id) = message["id"].as_str() {
                ids.insert(id, conversation);
            }
            if let Some(key) = message["client_key"].as_str() {
                *keys.entry(key).or_default() += 1;
            }
        }
    }
    for send in sends {
        let (in_api, in_rows) =
            (keys.remove(send.key.as_str()).unwrap_or(0), rows.get(&send.key).copied().unwrap_or(0));
        let about = format!("{} to {}", send.key, send.to);
        match &send.outcome {
            Outcome::Sent { id } => {
                if ids.get(id.as_str()).is_none_or(|conversation| *conversation != send.conversation) {
                    ledger
                        .violation(Rule::Lost, format!("{about}, answered {id}, is not in its conversation"));
                } else if !send.is_deleted && (in_api == 0 || in_rows == 0) {
                    ledger.violation(
                        Rule::Lost,
                        format!("{about}, answered {id}: {in_api} messages, {in_rows} rows"),
                    );
                }
            }
            Outcome::Refused(code) if in_api > 0 || in_rows > 0 => {
                ledger.violation(Rule::Duplicated, format!("{about} was refused with {code}, but exists"));
            }
            Outcome::Refused(_) | Outcome::Unknown => {}
        }
        if in_api > 1 || in_rows > 1 {
            ledger.violation(Rule::Duplicated, format!("{about}: {in_api} messages, {in_rows} rows"));
        }
    }
    for key in keys.keys().filter(|key| key.starts_with("fleet-")) {
        ledger.violation(Rule::Duplicated, format!("{key} exists, but was never sent"));
    }
    let mut seen = HashSet::new();
    for send in sends {
        if let Outcome::Sent { id } = &send.outcome
            && !seen.insert(id)
        {
            ledger.violation(Rule::Lost, format!("{id} was returned for two keys, one of them {}", send.key));
        }
    }
}

/// Reports a bot's message that is in the history before a message that the bot sent earlier to the same conversation.
/// Also reports a follower (the operator, or a bot that only reads) that saw messages in another order than that of the
/// history.
fn order(fleet: &Fleet, sends: &[Send], histories: &Histories) {
    let ledger = &fleet.ledger;
    // positions in the history, oldest first
    let mut positions = HashMap::<&str, usize>::new();
    for messages in histories.values() {
        let ids = messages.iter().rev().filter_map(|message| message["id"].as_str());
        positions.extend(ids.enumerate().map(|(position, id)| (id, position)));
    }
    let mut last = HashMap::<(usize, &str), (usize, &str)>::new();
    for send in sends {
        let Outcome::Sent { id } = &send.outcome else { continue };
        let Some(position) = positions.get(id.as_str()).copied() else { continue };
        let before = last.insert((send.bot, &send.conversation), (position, id));
        if let Some((before, other)) = before
            && before >= position
        {
            let what = format!(
                "bot {}: {id} is before {other} in the history, although {other} was answered before {id} was sent",
                send.bot
            );
            ledger.violation(Rule::Order, what);
        }
    }
    for seen in ledger.all_followed() {
        let history: Vec<&str> =
            histories[&seen.group].iter().rev().filter_map(|message| message["id"].as_str()).collect();
        let Some(first) = seen.ids.first() else { continue };
        let Some(begin) = history.iter().position(|id| id == first) else {
            let what = format!("{} saw {first} in {}, whose history does not have it", seen.who, seen.group);
            ledger.violation(Rule::Order, what);
            continue;
        };
        let there = &history[begin..];
        let differs = seen.ids.iter().zip(there).position(|(seen, there)| seen != there);
        if let Some(at) = differs {
            let what = format!(
                "{} saw {} in {} where the history has {}",
                seen.who, seen.ids[at], seen.group, there[at]
            );
            ledger.violation(Rule::Order, what);
        } else if seen.ids.len() > there.len() {
            ledger.violation(Rule::Order, format!("{} saw more messages than {} has", seen.who, seen.group));
        }
    }
}
