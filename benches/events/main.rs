//! `cargo bench --bench events`: how fast events are delivered, over real HTTPS on this machine.
//!
//! Server and receiver run in this process, each on its own runtime. They share the machine's cores. The benchmark
//! first creates a backlog of events that are due in one hour, and then advances the server's clock by an hour. So the
//! measurement does not include the creation of the events. `--quick` sends fewer events. `--postgres start` (or the
//! URL of a server) measures on PostgreSQL. `docs/performance.md` describes what is measured and why.

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

mod receiver;
#[path = "../support/mod.rs"]
mod support;

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use receiver::Receiver;
use support::{in_process, process};
use switchboard::{
    app::Running,
    config::{Environment, HostPort},
    domain::{
        ids::{AppId, InstallationId, UserId, WorkspaceId},
        scopes::Scopes,
        time::Timestamp,
    },
    platform::clock::Clock,
    service::World,
    store::{
        Op, Result, Sql,
        apps::{self, App, Installation},
        events::{self, Event},
        secrets::StoredSecret,
    },
};

/// Number of apps in the measurement with many apps.
const APPS: usize = 100;
/// Batch size: events that one transaction inserts.
const BATCH_SIZE: usize = 1000;
/// Time from the creation of a backlog until its events are due.
const LATER: Duration = Duration::from_secs(3600);

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
    let folder = in_process::folder(None);
    serving.block_on(async {
        let postgres = after("--postgres").as_deref().map(in_process::postgres);
        let database = in_process::database(postgres.as_ref(), folder.path(), "events").await;
        let clock = Clock::system();
        let running = start(&database, folder.path(), &receiver, clock.clone()).await;
        let world = Arc::clone(running.world());
        let apps = world.db.write(Prepare { receiver: receiver.clone() }).await.unwrap();
        let bench = Bench { world, clock, receiver };
        bench.one_app(apps[0], backlog).await;
        bench.many_apps(&apps[1..], backlog).await;
        // After 1.5 s without events, the app's worker has exited. After 6 s, the connection to the receiver is closed
        // as well.
        bench.latency("idle", apps[0], samples, Duration::from_millis(1500)).await;
        bench.latency("idle, without a connection", apps[0], samples / 5, Duration::from_secs(6)).await;
        println!("peak memory {} MB", peak_memory());
        running.drain();
        running.wait().await;
    });
}

async fn start(database: &str, folder: &Path, receiver: &Receiver, clock: Clock) -> Running {
    let authority = folder.join("authority.pem");
    std::fs::write(&authority, &receiver.authority).unwrap();
    let mut config = in_process::config(database, folder);
    config.environment = Environment::Dev;
    config.extra_ca_file = Some(authority);
    let host = |port: &u16| HostPort::parse(&format!("127.0.0.1:{port}")).unwrap();
    config.allow_private_hosts = receiver.ports.iter().map(host).collect();
    in_process::start(config, clock).await
}

/// The server under measurement and its receiver.
struct Bench {
    world: Arc<World>,
    clock: Clock,
    receiver: Receiver,
}

impl Bench {
    async fn one_app(&self, app: AppId, backlog: usize) {
        let (rate, memory) = self.deliver(&[app], backlog).await;
        println!("1 app: {backlog} events at {rate:.0}/s, memory grew by {memory} MB");
    }

    /// Measures a backlog that is spread evenly over many apps.
    async fn many_apps(&self, apps: &[AppId], backlog: usize) {
        let (rate, memory) = self.deliver(apps, backlog).await;
        println!("{APPS} apps: {backlog} events at {rate:.0}/s, memory grew by {memory} MB");
    }

    /// Creates a backlog of `count` events, distributed round-robin over `apps`, and delivers it. Returns the delivery
    /// rate in events per second, and the growth of the process's memory in MB.
    async fn deliver(&self, apps: &[AppId], count: usize) -> (f64, u64) {
        self.make(apps, count, self.clock.now() + LATER).await;
        // these `warm` events are due now; their delivery opens the connections before the measurement
        let warm = apps.len() * 20;
        let before = self.receiver.count();
        self.make(apps, warm, self.clock.now()).await;
        self.arrive(before + warm as u64).await;
        // waits for attempts in progress, because advancing the clock would abort them
        self.settle().await;
        let before = self.receiver.count();
        let (memory, begun) = (memory(), Instant::now());
        self.clock.advance(LATER);
        let most = self.arrive(before + count as u64).await;
        let rate = count as f64 / begun.elapsed().as_secs_f64();
        self.settle().await;
        assert_eq!(self.receiver.count(), before + count as u64, "each event is delivered once");
        (rate, most.saturating_sub(memory))
    }

    /// Measures single events with pauses between them. Prints the time from the commit of an event until the receiver
    /// gets the request, and the time from the start of the event's transaction until then.
    async fn latency(&self, what: &str, app: AppId, samples: usize, pause: Duration) {
        let (mut times, mut with_commit) = (Vec::new(), Vec::new());
        for _ in 0..samples {
            tokio::time::sleep(pause).await;
            let before = self.receiver.count();
            let one = event(&self.world, app, self.clock.now());
            let begun = Instant::now();
            self.world.db.write(Make(vec![one])).await.unwrap();
            let committed = begun.elapsed();
            self.receiver.wait(before + 1).await;
            with_commit.push(begun.elapsed());
            times.push(begun.elapsed().saturating_sub(committed));
        }
        let at = |times: &mut Vec<Duration>, part: f64| {
            times.sort_unstable();
            times[((times.len() - 1) as f64 * part) as usize]
        };
        println!(
            "{what}: commit to arrival p50 {:?}, p99 {:?}; start of the transaction to arrival p50 {:?}",
            at(&mut times, 0.5),
            at(&mut times, 0.99),
            at(&mut with_commit, 0.5)
        );
    }

    async fn make(&self, apps: &[AppId], count: usize, due: Timestamp) {
        let mut made = 0;
        while made < count {
            let some = BATCH_SIZE.min(count - made);
            let events = (0..some).map(|n| event(&self.world, apps[(made + n) % apps.len()], due)).collect();
            self.world.db.write(Make(events)).await.unwrap();
            made += some;
        }
    }

    /// Waits until the receiver has received `count` requests in total. Returns the maximum memory of the process
    /// during the wait, in MB. Panics if no request arrives for 30 seconds.
    async fn arrive(&self, count: u64) -> u64 {
        let (mut most, mut last) = (memory(), (self.receiver.count(), Instant::now()));
        loop {
            let waiting = tokio::time::timeout(Duration::from_millis(100), self.receiver.wait(count));
            let has_arrived = waiting.await.is_ok();
            most = most.max(memory());
            if has_arrived {
                return most;
            }
            let now = self.receiver.count();
            if now > last.0 {
                last = (now, Instant::now());
            }
            assert!(
                last.1.elapsed() < Duration::from_secs(30),
                "a request arrives at least every 30 seconds: {now} of {count} so far"
            );
        }
    }

    /// Runs the due maintenance jobs, and waits until every event that is due now has been attempted.
    async fn settle(&self) {
        self.world.catch_up(self.clock.now()).await.unwrap();
    }
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
        message_id: None,
    }
}

/// For each port of the receiver, inserts an app with one installation. Returns the ids of the apps.
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
                    signing_secret: StoredSecret::plain("whsec_benchmark"),
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
        events::insert(c, &self.0).await
    }
}

/// Returns the resident memory of this process in MB (2^20 bytes).
fn memory() -> u64 {
    process::memory("self", "VmRSS:") as u64 >> 20
}

/// Returns the peak resident memory of this process in MB (2^20 bytes).
fn peak_memory() -> u64 {
    process::memory("self", "VmHWM:") as u64 >> 20
}
