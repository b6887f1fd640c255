//! `cargo bench --bench search`: how fast an assistant finds and reads messages among a million of them.
//!
//! Calls go through the tools, without HTTP, one after the other. What is measured and why: `docs/performance.md`.

#![allow(
    clippy::all,
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    unused_qualifications,
    unused_imports,
    dead_code,
    reason = "a measurement stops by panicking"
)]

// that of the program
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[path = "../load/data.rs"]
mod data;
mod options;
#[path = "../../tests/suite/support/postgres.rs"]
#[allow(dead_code, reason = "the tests' own way to a PostgreSQL server")]
mod postgres;

use std::time::{Duration, Instant};

use data::Data;
use options::Options;
use serde_json::{Value, json};
use switchboard::{
    app::{self, Running, StartOptions},
    assistant::mcp::tools::{self, Outcome},
    config::{Config, DatabaseUrl, Environment},
    domain::{
        conversation::ConversationKind,
        grant::{Access, Resource},
        ids::{ConnectionId, ConversationId, MessageId, UserId},
    },
    platform::{clock::Clock, secrets::Secret},
    store::{Op, Result, Sql, conversations},
    workspace::{World, assistants::connections::Connected},
};

/// Bots, among which `data` spreads the conversations.
pub const CLIENTS: usize = 64;
/// Different words of the vocabulary.
const WORDS: u64 = 20_000;

#[tokio::main(flavor = "multi_thread")]
async fn main() {
    let options = Options::read();
    let folder = tempfile::Builder::new().prefix("switchboard-search-").tempdir().unwrap();
    let server = options.postgres.as_deref().map(|url| match url {
        "start" => postgres::Server::start(postgres::Durability::Full).expect("PostgreSQL is installed"),
        url => postgres::Server::at(url),
    });
    let mut config = Config::default();
    config.listen = ([127, 0, 0, 1], 0).into();
    config.environment = Environment::Sandbox;
    config.files.dir = folder.path().join("files");
    config.database.url = match &server {
        None => DatabaseUrl::Sqlite(folder.path().join("data.db")),
        Some(server) => {
            let name = format!("switchboard_search_{}", std::process::id());
            server.create(&name, None).await;
            DatabaseUrl::Postgres(Secret::new(server.url(&name)))
        }
    };
    let running =
        app::start(config, Clock::system(), StartOptions { signals: false, ..StartOptions::default() })
            .await
            .unwrap();
    let world = running.world().clone();

    let count = options.messages;
    let begun = Instant::now();
    let data = data::fill_with(&world, count, |n| text(n, count)).await;
    eprintln!("{count} messages written in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    while world.index_some().await.unwrap() {}
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!("the rest indexed in {seconds:.1} s");

    // one employee of all conversations, one of a few
    let all: Vec<_> = data.places.iter().flatten().copied().chain([data.long]).collect();
    let (reader, newcomer) = (data.people[0], data.people[7]);
    world.db.write(JoinAll { user: reader, all, now: world.clock.now() }).await.unwrap();
    println!("| {count} messages, {} | p50 | p99 |", if server.is_some() { "PostgreSQL" } else { "SQLite" });
    println!("|-|-|-|");
    for (who, user) in [("in every conversation", reader), ("in a few", newcomer)] {
        let connected = connected(&data, user);
        for (name, tool, arguments) in subjects(&data) {
            let times = measure(&world, &connected, tool, &arguments, options.calls).await;
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
            println!("| {tool}, {name}, {who} | {:.2} ms | {:.2} ms |", at(0.5), at(0.99));
        }
    }
    running.drain();
    running.wait().await;
}

/// A text of some fifteen words, the frequent ones often; and the words that are looked for.
fn text(n: usize, count: usize) -> String {
    let mut state = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut words: Vec<String> = (0..14)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // squared twice: low numbers are frequent
            let share = (state >> 11) as f64 / (1u64 << 53) as f64;
            format!("word{}", (share.powi(4) * WORDS as f64) as u64)
        })
        .collect();
    if n % 2 == 0 {
        words.push("status".into());
    }
    if n % 100 == 7 {
        words.push("invoice".into());
    }
    if n % 1_000 == 11 {
        words.push("quarterly review".into());
    }
    if n % (count / 50).max(1) == 3 {
        words.push("zebrafish".into());
    }
    words.join(" ")
}

fn subjects(data: &Data) -> Vec<(&'static str, &'static str, Value)> {
    let long = data.long.encode(ConversationKind::Group);
    let sender = data.people[1].encode();
    let search = "search_messages";
    vec![
        ("a word of 50", search, json!({"query": "zebrafish"})),
        ("a word of 1 %", search, json!({"query": "invoice"})),
        ("a word of half", search, json!({"query": "status"})),
        ("a word of none", search, json!({"query": "nothing"})),
        ("two words", search, json!({"query": "invoice status"})),
        ("two frequent words", search, json!({"query": "status word0"})),
        ("a phrase", search, json!({"query": "\"quarterly review\""})),
        ("a prefix", search, json!({"query": "zebra*"})),
        ("a frequent prefix", search, json!({"query": "stat*"})),
        ("half, of a conversation", search, json!({"query": "status", "conversation": long})),
        ("half, of a person", search, json!({"query": "status", "from": sender})),
        ("half, newest first", search, json!({"query": "status", "sort": "newest"})),
        ("a page of 50", "read_messages", json!({"conversation": long})),
    ]
}

fn connected(data: &Data, user: UserId) -> Connected {
    Connected {
        connection_id: ConnectionId(1),
        workspace_id: data.workspace,
        user_id: user,
        client_id: "mcpc_bench".into(),
        display_name: "Bench".into(),
        resource: Resource::parse("http://bench.example/mcp", "http://bench.example").unwrap(),
        scopes: Access::parse("service:read service:write").unwrap(),
    }
}

/// The times of calls, sorted. One who is not in the long conversation is refused there, which is measured as well.
async fn measure(
    world: &World,
    who: &Connected,
    tool: &str,
    arguments: &Value,
    calls: usize,
) -> Vec<Duration> {
    let tool = tools::find(tool).unwrap();
    let mut times = Vec::with_capacity(calls);
    for n in 0..calls + calls / 10 {
        let begun = Instant::now();
        let outcome = tools::call(world, who, tool, arguments.as_object().unwrap()).await;
        let took = begun.elapsed();
        assert!(matches!(outcome, Outcome::Done(_)));
        // the first ones warm up
        if n >= calls / 10 {
            times.push(took);
        }
    }
    times.sort_unstable();
    times
}

struct JoinAll {
    user: UserId,
    all: Vec<ConversationId>,
    now: switchboard::domain::time::Timestamp,
}

impl Op for JoinAll {
    const NAME: &'static str = "bench_join";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for id in &self.all {
            conversations::join(c, *id, self.user, true, self.now, MessageId(0)).await?;
        }
        Ok(())
    }
}
