//! `cargo bench --bench events`: how fast events are delivered, over real HTTPS on this machine.
//!
//! Server and receiver are in this process, each on a runtime of its own. What is measured and why:
//! `docs/performance.md`.

#![recursion_limit = "256"] // the layout of a whole server, nested as it is
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

#[path = "../../tests/suite/support/postgres.rs"]
#[allow(dead_code, unfulfilled_lint_expectations, reason = "the tests' own way to a PostgreSQL server")]
mod postgres;
mod receiver;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use receiver::Receiver;
use switchboard::{
    app::{self, Running, StartOptions},
    config::{Config, DatabaseUrl, Environment, HostPort},
    domain::{
        ids::{AppId, EventId, InstallationId, UserId, WorkspaceId},
        scopes::Scopes,
        time::Timestamp,
    },
    platform::{clock::Clock, secrets::Secret},
    store::{
        Op, Result, Sql,
        apps::{self, App, Installation},
        events::{self, Event},
    },
    workspace::World,
};

/// Apps of the run with many.
const APPS: usize = 100;
/// Events in one transaction of the preparation.
const AT_ONCE: usize = 1000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let has = |name: &str| arguments.iter().any(|argument| argument == name);
    let after = |name: &str| {
        let at = arguments.iter().position(|argument| argument == name)?;
        arguments.get(at + 1).cloned()
    };
    let backlog = if has("--quick") { 5_000 } else { 100_000 };
    let samples = if has("--quick") { 20 } else { 100 };
    let runtime = |name: &str| {
        tokio::runtime::Builder::new_multi_thread().thread_name(name).enable_all().build().unwrap()
    };
    let (serving, receiving) = (runtime("server"), runtime("receiver"));
    let receiver = receiving.block_on(Receiver::start(APPS + 1));
    let folder = tempfile::Builder::new().prefix("switchboard-bench-").tempdir().unwrap();
    serving.block_on(async {
        let postgres = after("--postgres").map(|url| match url.as_str() {
            "start" => postgres::Server::start(postgres::Durability::Full).expect("PostgreSQL is installed"),
            url => postgres::Server::at(url),
        });
        let database = match &postgres {
            None => format!("sqlite://{}", folder.path().join("data.db").display()),
            Some(server) => {
                let name = format!("switchboard_bench_events_{}", std::process::id());
                server.create(&name, None).await;
                server.url(&name)
            }
        };
        let running = start(&database, folder.path(), &receiver).await;
        let world = Arc::clone(running.world());
        let apps = world.db.write(Prepare { receiver: receiver.clone() }).await.unwrap();
        one_app(&world, &receiver, apps[0], backlog).await;
        many_apps(&world, &receiver, &apps[1..], backlog).await;
        latency(&world, &receiver, apps[0], samples).await;
        println!("peak memory {} MB", peak_memory());
        running.drain();
        running.wait().await;
    });
}

async fn start(database: &str, folder: &Path, receiver: &Receiver) -> Running {
    let authority = folder.join("authority.pem");
    std::fs::write(&authority, &receiver.authority).unwrap();
    let mut config = Config::default();
    config.listen = ([127, 0, 0, 1], 0).into();
    config.environment = Environment::Dev;
    config.database.url = match database.strip_prefix("sqlite://") {
        Some(path) => DatabaseUrl::Sqlite(path.into()),
        None => DatabaseUrl::Postgres(Secret::new(database)),
    };
    config.files.dir = folder.join("files");
    config.extra_ca_file = Some(authority);
    let host = |port: &u16| HostPort::parse(&format!("127.0.0.1:{port}")).unwrap();
    config.allow_private_hosts = receiver.ports.iter().map(host).collect();
    let options = StartOptions { signals: false, ..StartOptions::default() };
    app::start(config, Clock::system(), options).await.unwrap()
}

/// A backlog for one app, to its last event.
async fn one_app(world: &World, receiver: &Receiver, app: AppId, backlog: usize) {
    // the connections are open when it begins
    deliver(world, receiver, &[app], 100).await;
    let (rate, memory) = deliver(world, receiver, &[app], backlog).await;
    println!("1 app: {backlog} events at {rate:.0}/s, memory grew by {memory} MB");
}

async fn many_apps(world: &World, receiver: &Receiver, apps: &[AppId], backlog: usize) {
    let (rate, memory) = deliver(world, receiver, apps, backlog).await;
    println!("{APPS} apps: {backlog} events at {rate:.0}/s, memory grew by {memory} MB");
}

/// Makes events in turn for these apps, and tells at which rate they arrived and by how much memory grew.
async fn deliver(world: &World, receiver: &Receiver, apps: &[AppId], count: usize) -> (f64, u64) {
    let before = receiver.count();
    // due a little later, so that making them is not measured
    let due = world.clock.now() + Duration::from_secs(if count > 1000 { 15 } else { 0 });
    let begun = Instant::now();
    let mut made = 0;
    while made < count {
        let some = AT_ONCE.min(count - made);
        let events = (0..some).map(|n| event(world, apps[(made + n) % apps.len()], due)).collect();
        world.db.write(Make(events)).await.unwrap();
        made += some;
    }
    assert!(count <= 1000 || begun.elapsed() < Duration::from_secs(14), "the preparation took too long");
    receiver.wait(before + 1).await;
    let (memory, begun) = (memory(), Instant::now());
    receiver.wait(before + count as u64).await;
    let rate = (count - 1) as f64 / begun.elapsed().as_secs_f64();
    (rate, self::memory().saturating_sub(memory))
}

/// One event at a time, long enough apart that the app's lane has closed: from the commit to the request's end.
async fn latency(world: &World, receiver: &Receiver, app: AppId, samples: usize) {
    let mut times = Vec::new();
    for _ in 0..samples {
        tokio::time::sleep(Duration::from_millis(1500)).await;
        let before = receiver.count();
        let one = event(world, app, world.clock.now());
        world.db.write(Make(vec![one])).await.unwrap();
        let begun = Instant::now();
        receiver.wait(before + 1).await;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!("idle: commit to delivery p50 {:?}, p99 {:?}", at(0.5), at(0.99));
}

fn event(world: &World, app: AppId, due: Timestamp) -> Event {
    let id = world.stamp().event().unwrap();
    let body = format!(
        r#"{{"id":"{}","type":"directory.changed","workspace_id":"{}","created_at":"{}","data":{{"kind":"user.updated","id":"{}"}}}}"#,
        id.encode(),
        WorkspaceId(1).encode(),
        due.to_rfc3339(),
        UserId(1).encode()
    );
    Event {
        id,
        app_id: app,
        installation_id: InstallationId(app.0),
        workspace_id: WorkspaceId(1),
        kind: "directory.changed".to_owned(),
        body,
        created_at: due,
    }
}

/// The apps, each with a port of its own and one installation.
struct Prepare {
    receiver: Receiver,
}

impl Op for Prepare {
    const NAME: &'static str = "bench_prepare";
    type Out = Vec<AppId>;

    async fn run<C: Sql>(&self, c: &mut C) -> Result<Vec<AppId>> {
        let mut ids = Vec::new();
        for (number, port) in self.receiver.ports.iter().enumerate() {
            let id = AppId(number as i64 + 1);
            apps::insert(
                c,
                &App {
                    id,
                    name: "App".to_owned(),
                    client_id: format!("client {number}"),
                    client_secret_hash: vec![0; 32],
                    signing_secret: "whsec_benchmark".to_owned(),
                    previous_signing_secret: None,
                    signing_rotated_at: None,
                    callback_url: Some(format!("https://127.0.0.1:{port}/events")),
                    redirect_uris: "[]".to_owned(),
                    scopes: Scopes::default(),
                    disabled_at: None,
                    created_at: Timestamp(0),
                },
            )
            .await?;
            let installation = Installation {
                id: InstallationId(id.0),
                app_id: id,
                workspace_id: WorkspaceId(1),
                bot_user_id: UserId(id.0),
                scopes: Scopes::default(),
                connected: true,
                reason: None,
                installed_by: None,
                created_at: Timestamp(0),
                disconnected_at: None,
            };
            apps::insert_installation(c, &installation).await?;
            ids.push(id);
        }
        Ok(ids)
    }
}

struct Make(Vec<Event>);

impl Op for Make {
    const NAME: &'static str = "bench_make";
    type Out = ();

    async fn run<C: Sql>(&self, c: &mut C) -> Result<()> {
        for event in &self.0 {
            events::insert(c, event).await?;
        }
        Ok(())
    }
}

/// A line of `/proc/self/status` in megabytes.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}

fn memory() -> u64 {
    status("VmRSS:")
}

fn peak_memory() -> u64 {
    status("VmHWM:")
}
