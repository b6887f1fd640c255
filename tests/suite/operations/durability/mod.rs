//! After a crash every acknowledged message is stored exactly once, and every replay returns the original response.
//!
//! `DURABILITY_ROUNDS` sets the number of rounds of `kill`. The default is 20, and CI runs 200. The tests of `crash`
//! and `power_cut` that have rounds run a tenth of this number, but at least three rounds.

mod crash;
mod kill;
#[cfg(target_os = "linux")]
mod power_cut;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use serde_json::Value;

use crate::support::{ALL_SCOPES, App, Company, Home, Process, to_conversation};

/// Number of tasks of a [`Sender`] that send concurrently.
const TASKS: usize = 8;
/// Maximum number of acknowledged sends that are sent again in a round.
const REPEATS: usize = 20;

/// Returns the number of rounds. In each round the process is killed once.
fn rounds() -> usize {
    std::env::var("DURABILITY_ROUNDS").map_or(20, |text| text.parse().unwrap())
}

/// A bot that sends until its server is killed, and the messages that the server acknowledged.
struct Sender {
    home: Home,
    token: String,
    group: String,
    /// Pairs of idempotency key and acknowledged message, in the order of the responses.
    acknowledged: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Sender {
    /// Starts a server, creates a company with a bot in a group, and kills the server.
    async fn new(home: Home) -> Self {
        let process = home.start();
        let operator = home.operator(&process);
        let company = Company::create(operator.clone()).await;
        let app = App::register(&operator, &ALL_SCOPES).await;
        let bot = company.install(&app, &ALL_SCOPES).await;
        let group = company.group(&[&company.admin, &bot.user_id]).await;
        Self { token: bot.token, group, acknowledged: Arc::default(), home }
    }

    /// Sends from several tasks at once, with idempotency keys of this round, and kills the process after `enough`
    /// responses.
    async fn send_and_kill(&self, process: Process, round: usize, enough: usize) {
        let (report, mut reported) = tokio::sync::mpsc::unbounded_channel();
        let mut senders = tokio::task::JoinSet::new();
        for worker in 0..TASKS {
            let api = self.home.api(&process, &self.token);
            let (group, acknowledged, report) =
                (self.group.clone(), self.acknowledged.clone(), report.clone());
            senders.spawn(async move {
                for number in 0.. {
                    let key = format!("r{round}-w{worker}-n{number}");
                    let request = api
                        .http
                        .post(format!("{}/v1/messages", api.base))
                        .header("authorization", api.authorization.as_ref().unwrap())
                        .header("idempotency-key", &key)
                        .header("content-type", "application/json")
                        .body(to_conversation(&group, &key).to_string());
                    let Ok(answer) = request.send().await else { return };
                    let status = answer.status();
                    let Ok(body) = answer.json::<Value>().await else { return };
                    assert_eq!(status, 201, "{body}");
                    acknowledged.lock().unwrap().push((key, body["message"].clone()));
                    if report.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        // only the tasks keep the channel open, so the wait below fails instead of hanging if all tasks have ended
        drop(report);
        for _ in 0..enough {
            reported.recv().await.expect("a task gets a response");
        }
        process.kill();
        drop(reported);
        senders.join_all().await;
    }

    /// Sends the latest acknowledged messages again, and asserts that each send gets its original response.
    async fn repeat_latest(&self, process: &Process, round: usize) {
        let latest: Vec<_> = self.acknowledged.lock().unwrap().iter().rev().take(REPEATS).cloned().collect();
        let api = self.home.api(process, &self.token);
        let repeats = latest.iter().map(|(key, _)| {
            api.post("/v1/messages").key(key).json(&to_conversation(&self.group, key)).send()
        });
        let answers = futures_util::future::join_all(repeats).await;
        for ((key, message), answer) in latest.iter().zip(answers) {
            assert_eq!(&answer.ok(201)["message"], message, "round {round}: {key}");
            assert_eq!(answer.header("idempotent-replayed"), Some("true"), "round {round}: {key}");
        }
    }

    /// Returns the ids of the stored messages, by idempotency key.
    async fn stored(&self, process: &Process) -> HashMap<String, Vec<String>> {
        let operator = self.home.operator(process);
        let mut stored: HashMap<String, Vec<String>> = HashMap::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/admin/v1/conversations/{}/messages?limit=1000{cursor}", self.group);
            let page = operator.get(&path).ok(200).await;
            for message in page["messages"].as_array().unwrap() {
                // the text of each message is the idempotency key of its send
                let key = message["text"].as_str().expect("every message has a text").to_owned();
                stored.entry(key).or_default().push(message["id"].as_str().unwrap().to_owned());
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return stored,
            }
        }
    }

    /// Returns the number of acknowledged messages that are lost. Panics if an acknowledged message is stored with
    /// another id. Also panics if a key has two messages, even if its send was not acknowledged.
    async fn lost(&self, process: &Process) -> usize {
        let stored = self.stored(process).await;
        let acknowledged = self.acknowledged.lock().unwrap();
        let is_lost = |(key, message): &&(String, Value)| match stored.get(key) {
            None => true,
            Some(ids) => {
                assert_eq!(
                    ids,
                    &[message["id"].as_str().unwrap()],
                    "the only message of the key has the acknowledged id: {key}"
                );
                false
            }
        };
        let lost = acknowledged.iter().filter(is_lost).count();
        assert!(stored.values().all(|ids| ids.len() == 1), "each idempotency key creates one message");
        lost
    }
}
