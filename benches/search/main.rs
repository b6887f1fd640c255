//! `cargo bench --bench search`: the latency of an assistant's searches and reads among many messages, by default a
//! million.
//!
//! The MCP tools are called directly, without HTTP, one call after the other. `docs/performance.md` describes the
//! measurements and their reasons.

#![allow(
    clippy::pedantic,
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    clippy::allow_attributes_without_reason,
    reason = "a measurement stops by panicking"
)]

// the same allocator as that of the program `switchboard`
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod options;
#[path = "../support/mod.rs"]
mod support;

use std::time::{Duration, Instant};

use data::Data;
use options::Options;
use serde_json::{Value, json};
use support::{connections, data, in_process};
use switchboard::{
    assistant::mcp::tools::{self, CallOutcome},
    domain::{
        conversation::ConversationKind,
        ids::{ConversationId, MessageId, UserId},
        time::Timestamp,
    },
    platform::clock::Clock,
    service::{World, employee::send::PageElicitation, oauth::active_connection::Connected},
    store::{self, Op, Result, Sql},
};

/// Number of different random words in the generated messages.
const WORDS: u64 = 20_000;

#[tokio::main(flavor = "multi_thread")]
async fn main() {
    let options = Options::read();
    let folder = in_process::folder(None);
    let server = options.postgres.as_deref().map(in_process::postgres);
    let database = in_process::database(server.as_ref(), folder.path(), "search").await;
    let running = in_process::start(in_process::config(&database, folder.path()), Clock::system()).await;
    let world = running.world().clone();

    let count = options.messages;
    let begun = Instant::now();
    let data = data::fill_with(&world, count, |n| text(n, count)).await;
    eprintln!("{count} messages written in {:.1} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    while world.index_some().await.unwrap() {}
    let seconds = begun.elapsed().as_secs_f64();
    eprintln!("the messages that were not indexed yet were indexed in {seconds:.1} s");

    // one employee is in all conversations, and one is in a few
    let all: Vec<_> = data.destinations.iter().flatten().copied().chain([data.long]).collect();
    let (reader, newcomer) = (data.people[0], data.people[7]);
    world.db.write(JoinAll { user: reader, all, now: world.clock.now() }).await.unwrap();
    println!("| {count} messages, {} | p50 | p99 |", if server.is_some() { "PostgreSQL" } else { "SQLite" });
    println!("|-|-|-|");
    for (who, user) in [("in every conversation", reader), ("in a few", newcomer)] {
        let connected = connected(&world, &data, user).await;
        for (name, tool, arguments) in subjects(&data) {
            let times = measure(&world, &connected, tool, &arguments, options.calls).await;
            let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
            println!("| {tool}, {name}, {who} | {:.2} ms | {:.2} ms |", at(0.5), at(0.99));
        }
    }
    running.drain();
    running.wait().await;
}

/// Returns the text of message `n`: fourteen random words and some of the search terms. A few of the random words are
/// much more frequent than the others. Each search term is in a fixed share or a fixed number of the messages.
fn text(n: usize, count: usize) -> String {
    let mut state = (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d;
    let mut words: Vec<String> = (0..14)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            // the random number from 0 to 1 is raised to the fourth power, so that words with low numbers are frequent
            let random = (state >> 11) as f64 / (1u64 << 53) as f64;
            format!("word{}", (random.powi(4) * WORDS as f64) as u64)
        })
        .collect();
    // `data` chooses the author and the conversation by `n`; frequent terms depend on the random state instead, so that
    // every author and every conversation has them
    if state.is_multiple_of(2) {
        words.push("status".into());
    }
    if state / 2 % 100 == 7 {
        words.push("invoice".into());
    }
    if state / 200 % 1_000 == 11 {
        words.push("quarterly review".into());
    }
    if n % (count / 50 + 1) == 3 {
        words.push("zebrafish".into());
    }
    words.join(" ")
}

fn subjects(data: &Data) -> Vec<(&'static str, &'static str, Value)> {
    let long = data.long.encode(ConversationKind::Group);
    let sender = data.people[1].encode();
    let search = "search_messages";
    vec![
        ("a word in 50 messages", search, json!({"query": "zebrafish"})),
        ("a word in 1 % of the messages", search, json!({"query": "invoice"})),
        ("a word in half of the messages", search, json!({"query": "status"})),
        ("a word in no message", search, json!({"query": "nothing"})),
        ("two words", search, json!({"query": "invoice status"})),
        ("two frequent words", search, json!({"query": "status word0"})),
        ("a phrase", search, json!({"query": "\"quarterly review\""})),
        ("a prefix", search, json!({"query": "zebra*"})),
        ("a frequent prefix", search, json!({"query": "stat*"})),
        ("a word in half, in one conversation", search, json!({"query": "status", "conversation": long})),
        ("a word in half, from one person", search, json!({"query": "status", "from": sender})),
        ("a word in half, newest first", search, json!({"query": "status", "sort": "newest"})),
        ("a page of 50", "read_messages", json!({"conversation": long})),
    ]
}

/// Connects an assistant for an employee, and returns its active connection.
async fn connected(world: &World, data: &Data, user: UserId) -> Connected {
    let tokens = connections::connect(world, data.workspace, &[user]).await;
    world.connection_for_token(&tokens[0]).await.unwrap().expect("an active connection")
}

/// Calls a tool for a warm-up, and then `calls` times. Returns the durations of the `calls` calls in ascending order.
async fn measure(
    world: &World,
    who: &Connected,
    tool: &str,
    arguments: &Value,
    calls: usize,
) -> Vec<Duration> {
    let tool = tools::find(tool).unwrap();
    let arguments = arguments.as_object().unwrap();
    let mut times = Vec::with_capacity(calls);
    for n in 0..calls + calls / 10 {
        let begun = Instant::now();
        let outcome = tools::call(world, who, tool, arguments, PageElicitation::Unsupported).await;
        let took = begun.elapsed();
        assert!(matches!(outcome, CallOutcome::Done(_)));
        // the first calls are a warm-up
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
    now: Timestamp,
}

impl Op for JoinAll {
    const NAME: &'static str = "bench_join";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for id in &self.all {
            store::conversations::join(c, *id, &[(self.user, true)], self.now, MessageId(0)).await?;
        }
        Ok(())
    }
}
