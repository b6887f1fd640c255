//! `kill -9` in a loop of sends: every acknowledged message is there exactly once, and every repeat answers the
//! original.
//!
//! `DURABILITY_ROUNDS` chooses the number of rounds; CI runs 200.

use std::{
    collections::HashMap,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

use serde_json::Value;
use switchboard::domain::token::{self, Kind};

use crate::support::{ALL_SCOPES, Api, App, Company, to_conversation};

const SENDERS: usize = 8;

/// A server in a process of its own.
pub struct Process {
    child: Child,
    pub base: String,
}

impl Process {
    fn start(folder: &Path, operator_key: &str) -> Self {
        Self::start_with(folder, operator_key, &[])
    }

    /// The same with more settings, each named as in the environment without its prefix.
    pub fn start_with(folder: &Path, operator_key: &str, settings: &[(&str, &str)]) -> Self {
        let hash = switchboard::platform::secrets::hex(&token::hash(operator_key));
        let mut child = Command::new(env!("CARGO_BIN_EXE_switchboard"))
            .arg("serve")
            .env_clear()
            .env("SWITCHBOARD_ENVIRONMENT", "sandbox")
            .env("SWITCHBOARD_LISTEN", "127.0.0.1:0")
            .env("SWITCHBOARD_DATABASE_URL", format!("sqlite://{}", folder.join("data.db").display()))
            .env("SWITCHBOARD_FILES_DIR", folder.join("files"))
            .env("SWITCHBOARD_OPERATOR_KEY_SHA256", hash)
            .env("SWITCHBOARD_LIMITS_SCALE", "1000000")
            .env("SWITCHBOARD_LOG_FORMAT", "json")
            .envs(settings.iter().map(|(name, value)| (format!("SWITCHBOARD_{name}"), value)))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let log = BufReader::new(child.stderr.take().unwrap());
        let mut lines = log.lines();
        let address = lines
            .by_ref()
            .map(|line| line.expect("the server writes its log"))
            .find_map(|line| {
                let entry: Value = serde_json::from_str(&line).ok()?;
                let fields = entry.get("fields").unwrap_or(&entry);
                Some(fields["address"].as_str()?.to_owned())
            })
            .expect("the server tells its address");
        // somebody must read on, or the server would stop at a full pipe
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, base: format!("http://{address}") }
    }

    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

pub fn api(base: &str, bearer: &str) -> Api {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    Api { base: base.to_owned(), http, authorization: Some(format!("Bearer {bearer}")), seen: Arc::default() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_9_loses_nothing_and_doubles_nothing() {
    let rounds: usize = std::env::var("DURABILITY_ROUNDS").map_or(20, |text| text.parse().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let operator_key = token::mint(Kind::Operator, &[9; 32]);

    let process = Process::start(folder.path(), &operator_key);
    let operator = api(&process.base, &operator_key);
    let company = Company::create(operator.clone()).await;
    let app = App::register(&operator, &ALL_SCOPES).await;
    let bot = company.install(&app, &ALL_SCOPES).await;
    let group = company.group(&[&company.admin, &bot.user_id]).await;
    process.kill();

    // key -> the acknowledged message
    let acknowledged: Arc<Mutex<HashMap<String, Value>>> = Arc::default();
    for round in 0..rounds {
        let process = Process::start(folder.path(), &operator_key);
        // what the kill before this left must be answered as before, acknowledged or not
        let sender = api(&process.base, &bot.token);
        let repeats: Vec<_> = {
            let known = acknowledged.lock().unwrap();
            known.iter().take(20).map(|(key, message)| (key.clone(), message.clone())).collect()
        };
        for (key, message) in repeats {
            let answer =
                sender.post("/v1/messages").key(&key).json(&to_conversation(&group, &key)).send().await;
            assert_eq!(answer.ok(201)["message"], message, "round {round}: {key}");
            assert_eq!(answer.header("idempotent-replayed"), Some("true"), "round {round}: {key}");
        }
        let enough = 20 + round % 40;
        let (tell, mut told) = tokio::sync::mpsc::unbounded_channel();
        let mut senders = tokio::task::JoinSet::new();
        for worker in 0..SENDERS {
            let (http, base, token) = (reqwest::Client::new(), process.base.clone(), bot.token.clone());
            let (group, acknowledged, tell) = (group.clone(), Arc::clone(&acknowledged), tell.clone());
            senders.spawn(async move {
                for number in 0.. {
                    let key = format!("r{round}-w{worker}-n{number}");
                    let request = http
                        .post(format!("{base}/v1/messages"))
                        .bearer_auth(&token)
                        .header("idempotency-key", &key)
                        .header("content-type", "application/json")
                        .body(to_conversation(&group, &key).to_string());
                    let Ok(answer) = request.send().await else { return };
                    let status = answer.status();
                    let Ok(body) = answer.json::<Value>().await else { return };
                    assert_eq!(status, 201, "{body}");
                    acknowledged.lock().unwrap().insert(key, body["message"].clone());
                    if tell.send(()).is_err() {
                        return;
                    }
                }
            });
        }
        for _ in 0..enough {
            told.recv().await.expect("messages are sent");
        }
        process.kill();
        drop(told);
        senders.join_all().await;
    }

    let process = Process::start(folder.path(), &operator_key);
    let operator = api(&process.base, &operator_key);
    let mut stored: HashMap<String, Vec<String>> = HashMap::new();
    let mut cursor = String::new();
    loop {
        let path = format!("/admin/v1/conversations/{group}/messages?limit=1000{cursor}");
        let page = operator.get(&path).ok(200).await;
        for message in page["messages"].as_array().unwrap() {
            // each message says its key
            let key = message["text"].as_str().expect("only texts were sent").to_owned();
            stored.entry(key).or_default().push(message["id"].as_str().unwrap().to_owned());
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let acknowledged = acknowledged.lock().unwrap();
    assert!(acknowledged.len() >= rounds * 20);
    for (key, message) in acknowledged.iter() {
        let ids = stored.get(key).unwrap_or_else(|| panic!("{key} was acknowledged and is lost"));
        assert_eq!(ids, &[message["id"].as_str().unwrap()], "{key}");
    }
    assert!(stored.values().all(|ids| ids.len() == 1), "a key stands for two messages");
    process.kill();
}
