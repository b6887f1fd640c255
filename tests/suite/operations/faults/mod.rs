//! Faults of the database, of the connection to it, and of a node's clock. Most tests use PostgreSQL, and a bot sends
//! messages during the fault. After the fault, every message whose send got 201 must be stored once. All other sends
//! are repeated, and then their messages must be stored once too. `ranges` tests the ranges of node numbers.

mod clocks;
mod commits;
mod crash;
mod failover;
mod half_open;
mod pooler;
mod ranges;
mod read_only;
mod standby;
mod stopping;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde_json::Value;
use tokio::task::JoinSet;

use crate::support::{ALL_SCOPES, Api, App, Company, Home, Process, to_conversation, until};

/// The maximum time that a node may take to recover after the fault has ended.
const RECOVERY: Duration = Duration::from_secs(15);

/// A server process with a bot in a group.
struct Site {
    home: Home,
    process: Process,
    bot: Api,
    operator: Api,
    group: String,
}

impl Site {
    async fn start(home: Home) -> Self {
        let process = home.start();
        let operator = home.operator(&process);
        let company = Company::create(operator.clone()).await;
        let app = App::register(&operator, &ALL_SCOPES).await;
        let bot = company.install(&app, &ALL_SCOPES).await;
        let group = company.group(&[&company.admin, &bot.user_id]).await;
        let bot = home.api(&process, &bot.token);
        Self { home, process, bot, operator, group }
    }

    /// Returns the status of `GET /readyz`, and the result of each of its checks.
    async fn ready(&self) -> (u16, Value) {
        let request =
            self.bot.http.get(format!("{}/readyz", self.process.base)).timeout(Duration::from_secs(5));
        let answer = request.send().await.expect("/readyz answers within 5 s, whatever the database does");
        (answer.status().as_u16(), answer.json().await.unwrap())
    }

    /// Returns the status of a send, or 0 if there was no response.
    async fn send(&self, key: &str) -> u16 {
        send(&self.bot, &self.group, key).await
    }

    /// Returns the status of a read, or 0 if there was no response.
    async fn read(&self) -> u16 {
        self.history().send().await.map_or(0, |answer| answer.status().as_u16())
    }

    async fn assert_reads(&self) {
        let answer = self.history().send().await.expect("reads are answered");
        let (status, body) = (answer.status(), answer.text().await.unwrap_or_default());
        assert_eq!(status, 200, "reads succeed: {body}");
    }

    fn history(&self) -> reqwest::RequestBuilder {
        let path = format!("{}/v1/conversations/{}/messages", self.bot.base, self.group);
        self.bot.http.get(path).header("authorization", self.bot.authorization.as_ref().unwrap())
    }

    /// Waits until sends and reads work and `/readyz` reports the node as ready. Asserts that this takes less than
    /// [`RECOVERY`].
    async fn recovers(&self, what: &str) {
        let begun = Instant::now();
        let mut tried = 0;
        until(async || {
            tried += 1;
            let sent = self.send(&format!("{what}-{tried}")).await;
            sent == 201 && self.read().await == 200 && self.ready().await.0 == 200
        })
        .await;
        let took = begun.elapsed();
        println!("{what}: recovered after {took:?}");
        assert!(took < RECOVERY, "{what}: the node must recover within {RECOVERY:?}, and took {took:?}");
    }

    /// Starts tasks that send as the bot.
    fn traffic(&self, senders: usize) -> Traffic {
        Traffic::start(&self.bot, &self.group, senders)
    }

    /// Returns, for each text, the ids of the stored messages with this text. A send has its idempotency key as text.
    async fn stored(&self) -> HashMap<String, Vec<String>> {
        let mut stored: HashMap<String, Vec<String>> = HashMap::new();
        let mut cursor = String::new();
        loop {
            let path = format!("/admin/v1/conversations/{}/messages?limit=1000{cursor}", self.group);
            let page = self.operator.get(&path).ok(200).await;
            for message in page["messages"].as_array().unwrap() {
                let key = message["text"].as_str().expect("only texts were sent").to_owned();
                stored.entry(key).or_default().push(message["id"].as_str().unwrap().to_owned());
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => return stored,
            }
        }
    }
}

async fn send(bot: &Api, group: &str, key: &str) -> u16 {
    post(bot, group, key).await.map_or(0, |(status, _)| status)
}

async fn post(bot: &Api, group: &str, key: &str) -> Option<(u16, Value)> {
    let request = bot
        .http
        .post(format!("{}/v1/messages", bot.base))
        .header("authorization", bot.authorization.as_ref().unwrap())
        .header("idempotency-key", key)
        .header("content-type", "application/json")
        .body(to_conversation(group, key).to_string());
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    Some((status, answer.json().await.ok()?))
}

/// Concurrent tasks that send as one bot until they are stopped. Each message has an idempotency key of its own.
struct Traffic {
    stop: Arc<AtomicBool>,
    senders: JoinSet<()>,
    sent: Arc<Mutex<Vec<(String, u16, Value)>>>,
    acknowledged: Arc<AtomicUsize>,
}

impl Traffic {
    fn start(bot: &Api, group: &str, number: usize) -> Self {
        let traffic = Self {
            stop: Arc::default(),
            senders: JoinSet::new(),
            sent: Arc::default(),
            acknowledged: Arc::default(),
        };
        (0..number).fold(traffic, |mut traffic, sender| {
            let (bot, group) = (bot.clone(), group.to_owned());
            let (stop, sent) = (Arc::clone(&traffic.stop), Arc::clone(&traffic.sent));
            let acknowledged = Arc::clone(&traffic.acknowledged);
            traffic.senders.spawn(async move {
                for turn in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let key = format!("sender-{sender}-{turn}");
                    let (status, body) = post(&bot, &group, &key).await.unwrap_or((0, Value::Null));
                    if status == 201 {
                        acknowledged.fetch_add(1, Ordering::Relaxed);
                    }
                    sent.lock().unwrap().push((key, status, body["message"]["id"].clone()));
                }
            });
            traffic
        })
    }

    /// Waits until `more` further sends got 201.
    async fn acknowledges(&self, more: usize) {
        let wanted = self.acknowledged.load(Ordering::Relaxed) + more;
        until(async || self.acknowledged.load(Ordering::Relaxed) >= wanted).await;
    }

    /// Makes each task stop after its current send.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Stops the tasks, and asserts that each send got 201, 503 or no response. Repeats every send that did not get
    /// 201, until it gets 201. Then asserts that each message is stored exactly once.
    async fn prove(mut self, site: &Site) {
        self.stop();
        while self.senders.join_next().await.is_some() {}
        let mut sent = std::mem::take(&mut *self.sent.lock().unwrap());
        let known = |status: u16| [201, 503, 0].contains(&status);
        let wrong: Vec<_> = sent.iter().filter(|(_, status, _)| !known(*status)).take(5).collect();
        assert!(wrong.is_empty(), "a send gets 201, 503 or no response: {wrong:?}");
        let unknown = sent.iter().filter(|(_, status, _)| *status != 201).count();
        for (key, status, id) in &mut sent {
            if *status == 201 {
                continue;
            }
            let mut answer = None;
            until(async || {
                answer = post(&site.bot, &site.group, key).await.filter(|(status, _)| *status == 201);
                answer.is_some()
            })
            .await;
            *id = answer.unwrap().1["message"]["id"].clone();
        }
        let stored = site.stored().await;
        for (key, status, id) in &sent {
            let found = stored.get(key).unwrap_or_else(|| panic!("{key}, answered {status}, is lost"));
            assert_eq!(found.len(), 1, "{key}, answered {status}, is stored more than once");
            assert_eq!(*id, found[0].as_str(), "{key}: the response has the id of the stored message");
        }
        println!("{} sends, {unknown} of them repeated: none lost, none duplicated", sent.len());
    }
}
