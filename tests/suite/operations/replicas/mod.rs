//! Reads from a standby. A read includes every write whose response was sent before the read began. If the standby
//! cannot answer a read, the primary answers it.

mod allowed;
mod failover;
mod fresh;
mod losses;
mod refused;

use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use crate::support::{
    ALL_SCOPES, Api, App, Bot, Company, Home, Process,
    postgres::{Durability, Server},
    tcp_proxy::TcpProxy,
    text, to_conversation, until,
};

/// The database of these tests.
const NAME: &str = "replicated";

/// A primary and its standby. Nodes connect to the standby through the proxy.
struct Pair {
    primary: Server,
    standby: Server,
    proxy: TcpProxy,
}

impl Pair {
    async fn start() -> Option<Self> {
        let primary = Server::start(Durability::Full)?;
        primary.create(NAME, None).await;
        let standby = primary.standby();
        let proxy = TcpProxy::of_socket(standby.folder()).await;
        Some(Self { primary, standby, proxy })
    }

    /// Returns the URL of the standby through the proxy.
    fn replica_url(&self) -> String {
        format!("postgres://postgres@{}/{NAME}", self.proxy.address)
    }

    fn home(&self, folder: &std::path::Path) -> Home {
        home(folder, self.primary.url(NAME), self.replica_url())
    }

    /// Pauses the replay of the write-ahead log on the standby.
    async fn pause(&self) {
        self.standby.run("SELECT pg_wal_replay_pause()".to_owned()).await;
        until(async || self.standby.says("SELECT pg_get_wal_replay_pause_state()").await == "paused").await;
    }

    async fn resume(&self) {
        self.standby.run("SELECT pg_wal_replay_resume()".to_owned()).await;
    }
}

fn home(folder: &std::path::Path, primary: String, replica: String) -> Home {
    Home::on(folder, primary)
        .with("SWITCHBOARD_DATABASE_REPLICA_URL", replica)
        .with("SWITCHBOARD_METRICS_LISTEN", "127.0.0.1:0")
}

impl Server {
    /// Runs a query in the database `postgres`. Returns the only value of the result, which must be a text.
    async fn says(&self, sql: &str) -> String {
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(&mut connection).await.unwrap()
    }
}

/// A process that reads from a replica, with a bot in a group.
struct Site {
    home: Home,
    process: Process,
    operator: Api,
    company: Company,
    bot: Bot,
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
        Self { home, process, operator, company, bot, group }
    }

    /// Starts the process, and returns when it reads from the replica.
    async fn reading(home: Home) -> Self {
        let site = Self::start(home).await;
        site.reads_from_replica().await;
        site
    }

    /// Returns a client for another node, with the token of the bot.
    fn bot_at(&self, process: &Process) -> Api {
        self.home.api(process, &self.bot.token)
    }

    /// Returns the status of a request for a page of history, which the primary or the replica answers.
    async fn reads(&self) -> u16 {
        let path = format!("/v1/conversations/{}/messages", self.group);
        self.bot.api.get(&path).send().await.status
    }

    /// Waits until the replica answers a request for a page of history.
    async fn reads_from_replica(&self) {
        reads_from_replica(&self.process, &self.bot.api, &self.group).await;
    }

    /// Waits until the node uses no replica (`switchboard_replica_up` is 0). Asserts that every read during this time
    /// succeeds.
    async fn reads_from_primary(&self) {
        until(async || {
            assert_eq!(self.reads().await, 200, "reads still succeed");
            self.process.metric("switchboard_replica_up", "").await == 0.0
        })
        .await;
    }

    /// Returns two numbers: the reads that the replica answered, and the reads that the primary answered instead for
    /// the reason `reason`. `reason` is a label such as `reason="behind"`.
    async fn reads_and_fallbacks(&self, reason: &str) -> (f64, f64) {
        let fallbacks = self.process.metric("switchboard_replica_fallbacks_total", reason).await;
        (self.process.metric("switchboard_replica_reads_total", "").await, fallbacks)
    }

    /// Sends a message, and reads a page of history with `reader`. Asserts that the page begins with the message.
    async fn sees_what_it_sends(&self, reader: &Api, words: &str) {
        let sent = self.bot.send(&to_conversation(&self.group, words)).await;
        let newest = newest(reader, &self.group).await;
        assert_eq!(newest, text(&sent, "/id"), "{words}: the next read includes the acknowledged write");
    }

    async fn ready(&self) -> u16 {
        let request = self.bot.api.http.get(format!("{}/readyz", self.process.base));
        request.send().await.unwrap().status().as_u16()
    }
}

async fn reads_from_replica(process: &Process, bot: &Api, group: &str) {
    let of_history =
        async || process.metric("switchboard_replica_reads_total", r#"operation="read_history""#).await;
    let before = of_history().await;
    until(async || {
        bot.get(&format!("/v1/conversations/{group}/messages")).ok(200).await;
        of_history().await > before
    })
    .await;
}

/// Returns the id of the newest message of a conversation. The id is empty if the page of history is empty.
async fn newest(reader: &Api, group: &str) -> String {
    let page: Value = reader.get(&format!("/v1/conversations/{group}/messages?limit=5")).ok(200).await;
    page["messages"][0]["id"].as_str().unwrap_or_default().to_owned()
}
